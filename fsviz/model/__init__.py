"""The ground that everything stands on: errors, units, the tidy table, runs, facts."""
