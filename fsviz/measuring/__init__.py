"""Measure systems in turn until the answer stands: plan, places, tools, run."""
