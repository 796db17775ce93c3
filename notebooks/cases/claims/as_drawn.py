"""Draw a matrix as spreadsheets do, to compare it with our own figures.

Three faults on purpose: a cell that cannot exist is drawn as zero, each system has a
scale of its own, and the point of view hides what is behind.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.grids import make_grids
from fsviz.figures.panels.multiples import heading
from fsviz.figures.panels.surface import scene
from fsviz.figures.style import VALUE_SCALE, label, layout, make_scale, rounded
from fsviz.model.table import OPERATIONS

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid
    from fsviz.model.campaign import Data

CAPTION = (
    "How not to draw it: empty cells are zero, each surface has a scale of its "
    "own, and from here the front hides what is behind."
)
_HEIGHT = 250
_EYE = {"x": 1.9, "y": 1.5, "z": 0.35}
_GAP = 0.01


def as_drawn(data: Data, operation: str, systems: Sequence[str]) -> go.Figure:
    """Draw surfaces as most publications do, with the faults that this brings."""
    grids = make_grids(data, systems=systems, operation=operation)
    names = ", ".join(label(s) for s in systems)
    title = f"<b>{OPERATIONS[operation].capitalize()}</b> – as a spreadsheet draws it"
    alt = f"surfaces of {names}, each on its own scale, with zeros that are no values"
    figure = go.Figure()
    figure.update_layout(**layout(title, CAPTION, alt, _HEIGHT), showlegend=False)
    figure.update_layout(margin={"t": 40, "b": 4})
    width = 1 / len(grids)
    for at, grid in enumerate(grids):
        name = f"scene{at + 1}" if at else "scene"
        place = [at * width + _GAP, (at + 1) * width - _GAP]
        figure.add_trace(_sheet(grid).update(scene=name))
        figure.update_layout({name: _own_scene(grid) | {"domain": {"x": place}}})
        figure.add_annotation(heading(label(grid.system), place[0], 0.98))
    return figure


def _own_scene(grid: Grid) -> dict:
    scale = make_scale(grid.mean.to_numpy().ravel(), grid.metric, "linear")
    axes = scene(scale, list(grid.mean.index), list(grid.mean.columns))
    return axes | {"camera": {"eye": _EYE, "up": {"x": 0, "y": 0, "z": 1}}}


def _sheet(grid: Grid) -> go.Surface:
    scale = make_scale(grid.mean.to_numpy().ravel(), grid.metric, "linear")
    values = (grid.mean / scale.factor).fillna(0).to_numpy()
    return go.Surface(
        x=[math.log2(r) for r in grid.mean.columns],
        y=[math.log2(f) for f in grid.mean.index],
        z=[[rounded(float(v)) for v in row] for row in values],
        hovertemplate="%{z:.3r} " + scale.unit + "<extra></extra>",
        colorscale=VALUE_SCALE,
        showscale=False,
        name=f"{grid.system} as drawn",
    )
