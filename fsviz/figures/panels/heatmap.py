"""The matrix as a heatmap: good for the place, and with its numbers written in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.figures.style import VALUE_SCALE, Scale, label, number, readable_on

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fsviz.analysis.grids import Grid
    from fsviz.figures.panels.linked import Cell

ROOM_FOR_NUMBERS = 220
"""More cells than this leave no room for a number in each."""


def heatmap(grid: Grid, scale: Scale, texts: Mapping[Cell, str]) -> go.Heatmap:
    """Colour each measured cell; leave the others empty. `texts` says all of a cell."""
    values = (grid.mean / scale.factor).to_numpy()
    files, records = ([int(size) for size in axis] for axis in grid.mean.axes)
    return go.Heatmap(
        x=[math.log2(r) for r in records],
        y=[math.log2(f) for f in files],
        z=[[scale.colour_value(float(v)) for v in row] for row in values],
        text=[[number(float(v)) if v == v else "" for v in row] for row in values],
        hovertext=[[texts.get((f, r), "") for r in records] for f in files],
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
        coloraxis="coloraxis",
        xgap=1,
        ygap=1,
        name=f"{label(grid.system)} heatmap",
    )


def cell_numbers(grid: Grid, scale: Scale, short: bool = False) -> go.Scatter:
    """Write the values into the cells, in black or white, whichever reads better.

    A heatmap's own text is grey on grey-green in the middle of the scale.
    """
    cells = measured(grid, scale) if grid.mean.size <= ROOM_FOR_NUMBERS else []
    most = _CHARACTERS if grid.mean.shape[1] > _MANY else _CHARACTERS + 1
    low, high = map(scale.colour_value, (scale.low, scale.high))
    colours = [scale.colour_value(v) or 0.0 for _, _, v in cells]
    shares = [(c - (low or 0.0)) / ((high or 1.0) - (low or 0.0)) for c in colours]
    return go.Scatter(
        x=[x for x, _, _ in cells],
        y=[y for _, y, _ in cells],
        text=[_brief(v) if short else _digits(v, most) for _, _, v in cells],
        mode="text",
        textfont={"size": 11, "color": readable_on(shares)},
        hoverinfo="skip",
        showlegend=False,
        meta={"short": [_narrow_text(v) for _, _, v in cells]},
    )


def hatch(
    places: Sequence[tuple[float, float]], ink: str, ground: str, name: str
) -> go.Scatter:
    """Hatch some cells, each a doubling wide and high."""
    x: list[float | None] = []
    y: list[float | None] = []
    for left, top in places:
        x += [left - 0.48, left + 0.48, left + 0.48, left - 0.48, None]
        y += [top - 0.48, top - 0.48, top + 0.48, top + 0.48, None]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillpattern={"shape": "/", "fgcolor": ink, "bgcolor": ground, "size": 7},
        hoverinfo="skip",
        showlegend=False,
        name=name,
    )


_MANY, _CHARACTERS = 11, 4
"""So many columns leave room for so many characters."""


def _digits(value: float, most: int) -> str:
    """Write three significant digits with their zeros; fewer where a cell is narrow.

    >>> _digits(2.0, 4), _digits(0.9041, 4), _digits(0.9041, 5), _digits(3457.2, 4)
    ('2.00', '0.90', '0.904', '3457')
    """
    if not 0.01 <= value < 100:
        return number(value)
    text = f"{value:#.3g}"
    return text if len(text) <= most else f"{value:#.2g}"


def _brief(value: float) -> str:
    return f"{value / 1000:.1f}k" if value >= 1000 else number(value)


def _narrow_text(value: float) -> str:
    """Write a value for a cell that is narrow.

    >>> _narrow_text(3457.2), _narrow_text(123.4), _narrow_text(16.9)
    ('3.5k', '123', '17')
    """
    if value >= 1000:
        return f"{value / 1000:.1f}k"
    return f"{value:.0f}" if value >= 100 else f"{value:.2g}"


def measured(grid: Grid, scale: Scale) -> list[tuple[float, float, float]]:
    """List the measured cells: log₂ record size, log₂ file size, value [display]."""
    return [
        (math.log2(record), math.log2(file), cell.mean / scale.factor)
        for (file, record), cell in grid.cells.items()
    ]


def colour_axis(scale: Scale, x: float, y: float, length: float) -> dict:
    """One colour scale for surface and heatmap of every system."""
    bar = {
        "title": {"text": scale.title, "side": "right"},
        "x": x,
        "y": y,
        "len": length,
        "thickness": 14,
        "outlinewidth": 0,
    }
    if scale.log:
        ticks = scale.colour_ticks()
        bar["tickvals"] = [math.log10(t) for t in ticks]
        bar["ticktext"] = [number(t) for t in ticks]
    return {
        "colorscale": VALUE_SCALE,
        "cmin": scale.colour_value(scale.low),
        "cmax": scale.colour_value(scale.high),
        "colorbar": bar,
    }
