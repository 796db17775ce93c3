"""The matrix as a heatmap: good for the place, and with its numbers written in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.figures.hover import descriptions
from fsviz.figures.style import COLOURS, Scale, number

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid

_ROOM_FOR_NUMBERS = 200
"""More cells than this leave no room for a number in each."""


def heatmap(grid: Grid, scale: Scale) -> go.Heatmap:
    """Colour each measured cell; leave the others empty.

    Parameters
    ----------
    grid : Grid
        Cells of one system and operation.
    scale : Scale
        Shared with the other panels.

    Returns
    -------
    plotly Heatmap
        x: log₂ record size, y: log₂ file size, z: value [display unit] or, on a
        logarithmic scale, its log₁₀; ``text`` holds the value in either case.
    """
    values = (grid.mean / scale.factor).to_numpy()
    roomy = values.size <= _ROOM_FOR_NUMBERS
    return go.Heatmap(
        x=[math.log2(r) for r in grid.mean.columns],
        y=[math.log2(f) for f in grid.mean.index],
        z=[[scale.colour_value(float(v)) for v in row] for row in values],
        text=[[number(float(v)) if v == v else "" for v in row] for row in values],
        texttemplate="%{text}" if roomy else None,
        textfont={"size": 9},
        hovertext=descriptions(grid, scale),
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
        coloraxis="coloraxis",
        xgap=1,
        ygap=1,
        name=f"{grid.system} heatmap",
    )


def colour_axis(scale: Scale, x: float, y: float, length: float) -> dict:
    """One colour scale for surface and heatmap of every system.

    Parameters
    ----------
    scale : Scale
        Range of the values.
    x, y, length : float
        Where the colour bar stands and how long it is, in parts of the figure.

    Returns
    -------
    dict
        A plotly coloraxis.
    """
    bar = {
        "title": {"text": scale.title, "side": "right"},
        "x": x,
        "y": y,
        "len": length,
        "thickness": 14,
        "outlinewidth": 0,
    }
    if scale.log:
        bar["tickvals"] = [math.log10(t) for t in scale.ticks()]
        bar["ticktext"] = [number(t) for t in scale.ticks()]
    return {
        "colorscale": COLOURS,
        "cmin": scale.colour_value(scale.low),
        "cmax": scale.colour_value(scale.high),
        "colorbar": bar,
    }
