"""Campaigns: which files belong to which system, read and merged."""
