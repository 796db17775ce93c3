"""Load of plotly what it loads only at first use, before kernels are forked."""

from __future__ import annotations

import plotly.graph_objects as go
import plotly.io


def warm() -> None:
    """Make one figure with the traces of a report, and the means to display it."""
    traces = (go.Surface(z=[[1, 2]]), go.Heatmap(z=[[1, 2]]), go.Scatter(y=[1]))
    go.Figure(data=[*traces, go.Scatter3d(x=[1])]).to_json()
    # displaying imports nbformat and its schemas, which takes longer than all the rest
    str(plotly.io.renderers)
    # chosen from the environment at import, which is before the kernel has its own
    plotly.io.renderers.default = "plotly_mimetype"
