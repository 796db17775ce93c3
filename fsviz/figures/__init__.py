"""From frames to plotly figures; the only place that imports plotly."""
