"""Campaigns: which files belong to which system, read, merged, stored and loaded."""
