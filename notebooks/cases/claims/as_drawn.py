"""Draw a matrix as spreadsheets do, to compare it with our own figures.

Three faults on purpose: a cell that cannot exist is drawn as zero, each system has a
scale of its own, and the point of view hides what is behind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from fsviz.analysis.grids import make_grids
from fsviz.figures.panels.surface import scene
from fsviz.figures.style import VALUE_SCALE, label, layout, make_scale
from fsviz.model.table import OPERATIONS

if TYPE_CHECKING:
    from fsviz.model.campaign import Data

CAPTION = (
    "How not to draw it: empty cells are zero, each surface has a scale of its "
    "own, and from here the front hides what is behind."
)
_HEIGHT = 290
_CAMERA = {"eye": {"x": 1.9, "y": 1.5, "z": 0.35}, "up": {"x": 0, "y": 0, "z": 1}}


def as_drawn(data: Data, operation: str, systems: Sequence[str]) -> go.Figure:
    """Draw surfaces as most publications do, with the faults that this brings."""
    grids = make_grids(data, systems=systems, operation=operation)
    names = [label(grid.system) for grid in grids]
    panels = [[{"type": "surface"}] * len(grids)]
    figure = make_subplots(cols=len(grids), specs=panels, subplot_titles=names)
    for column, grid in enumerate(grids, 1):
        files, records = list(grid.mean.index), list(grid.mean.columns)
        scale = make_scale(grid.mean.to_numpy().ravel(), grid.metric, "linear")
        axes = scene(scale, files, records) | {"camera": _CAMERA}
        sheet = go.Surface(
            x=[math.log2(size) for size in records],
            y=[math.log2(size) for size in files],
            z=(grid.mean / scale.factor).fillna(0).round(2).to_numpy().tolist(),
            hovertemplate=f"%{{z:.3r}} {scale.unit}<extra></extra>",
            colorscale=VALUE_SCALE,
            showscale=False,
        )
        figure.add_trace(sheet, 1, column).update_scenes(axes, row=1, col=column)
    title = f"<b>{OPERATIONS[operation].capitalize()}</b> – as a spreadsheet draws it"
    scales = "each on its own scale, with zeros that are no values"
    alt = f"surfaces of {', '.join(names)}, {scales}"
    return figure.update_layout(**layout(title, CAPTION, alt, _HEIGHT))
