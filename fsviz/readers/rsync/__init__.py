"""Timed copies: rsync's statistics, the time commands, hyperfine."""
