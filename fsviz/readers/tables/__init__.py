"""Tables of timings that people publish."""
