"""The matrix as a surface: good for the shape, bad for reading a number."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.figures.panels.heatmap import measured
from fsviz.figures.style import GRID, INK, Scale, label, number, rounded, size_ticks

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid

_CENTER = {"x": 0, "y": 0, "z": -0.16}
_UP = {"x": 0, "y": 0, "z": 1}


def _camera(
    x: float, y: float, z: float, center: dict = _CENTER, up: dict = _UP
) -> dict[str, dict]:
    eye = {"x": x, "y": y, "z": z}
    projection = {"type": "orthographic"}
    return {"eye": eye, "center": center, "up": up, "projection": projection}


CAMERAS = {
    # the corner that no file can reach is in front
    "from large records": _camera(1.36, -1.36, 0.82),
    "from large files": _camera(0.85, 1.8, 0.75),
    "from small records": _camera(-1.8, -0.85, 0.75),
    "top": _camera(0, 0, 2.5, {"x": 0, "y": 0, "z": 0}, {"x": 0, "y": 1, "z": 0}),
}
"""Points of view: what one of them hides, another shows. The first is the default."""
CAMERA = CAMERAS["from large records"]


def surface(grid: Grid, scale: Scale) -> go.Surface:
    """Draw the sheet between measured neighbours; a gap stays a gap."""
    values = (grid.mean / scale.factor).to_numpy()
    return go.Surface(
        x=[math.log2(r) for r in grid.mean.columns],
        y=[math.log2(f) for f in grid.mean.index],
        z=[[rounded(float(v)) for v in row] for row in values],
        # on a linear scale the height is the colour
        surfacecolor=[[scale.colour_value(float(v)) for v in row] for row in values]
        if scale.log
        else None,
        coloraxis="coloraxis",
        connectgaps=False,
        hovertemplate=f"<b>{label(grid.system)}</b> %{{z:.3r}} {scale.unit}"
        "<extra></extra>",
        lighting={"ambient": 0.9, "diffuse": 0.25, "specular": 0.02, "roughness": 1},
        name=f"{label(grid.system)} surface",
    )


def points(grid: Grid, scale: Scale) -> go.Scatter3d:
    """Mark each measured cell, also those whose neighbours were not measured."""
    cells = measured(grid, scale)
    x, y, z = zip(*cells, strict=True)
    return go.Scatter3d(
        x=x,
        y=y,
        z=[rounded(v) for v in z],
        mode="markers",
        marker={"size": 1.2, "color": INK, "opacity": 0.6},
        hoverinfo="skip",
        showlegend=False,
        name=f"{label(grid.system)} measured",
    )


def scene(scale: Scale, file_sizes: list[int], record_sizes: list[int]) -> dict:
    """Axes of the 3D panel, the same for every system.

    Units: `file_sizes, record_sizes` [B].
    """
    shared = {
        "gridcolor": GRID,
        "backgroundcolor": "#f7f8fa",
        "showbackground": True,
        "zeroline": False,
        "tickfont": {"size": 10},
    }
    # the heading has the unit: plotly would write a title over the ticks
    vertical = {**shared, "title": {"text": ""}}
    if scale.log:
        ticks = scale.ticks()
        ticks = ticks[:: -(-len(ticks) // _TICKS)]
        vertical |= {
            "type": "log",
            "range": [math.log10(scale.low * 0.9), math.log10(scale.high * 1.1)],
            "tickvals": ticks,
            "ticktext": [number(t) for t in ticks],
        }
    else:
        vertical |= {"range": [0, scale.high * 1.04], "nticks": _TICKS + 1}
    return {
        "xaxis": _size_axis("record size", record_sizes, shared),
        "yaxis": _size_axis("file size", file_sizes, shared),
        "zaxis": vertical,
        "camera": CAMERA,
        "aspectmode": "manual",
        "aspectratio": {"x": 1.0, "y": 1.0, "z": 0.75},
    }


_TICKS = 3
"""Of an axis of a surface: more would stand against one another."""


def _size_axis(title: str, sizes: list[int], shared: dict) -> dict:
    margin = 0.2
    return {
        **shared,
        "title": {"text": f" <br>{title}", "font": {"size": 10}},
        **size_ticks(sizes, at_most=_TICKS),
        "range": [math.log2(sizes[0]) - margin, math.log2(sizes[-1]) + margin],
    }
