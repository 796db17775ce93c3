"""bonnie++: CSV rows and console tables of every version from 1.00 to 2.00a."""
