"""The rules of ``fsviz check``: functions from a case to findings, by subject."""
