"""From a file to runs: the format is recognised by its content, then read."""
