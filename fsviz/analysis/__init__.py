"""From the tidy table to numbers that hold: grids, buckets, comparisons."""
