"""Notebooks executed by papermill, exported by nbconvert, self-contained."""
