"""The store: campaigns kept as Parquet, found again, and followed over time."""
