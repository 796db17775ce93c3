"""What a terminal or a file gets: tables, comparisons with footnotes, findings."""
