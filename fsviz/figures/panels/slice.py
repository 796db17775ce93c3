"""The matrix as two families of lines: good for reading a number."""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from plotly.colors import sample_colorscale

from fsviz.figures.panels.hover import file_text, template, with_n
from fsviz.figures.style import GRID, INK, Scale, number, rounded, size_ticks
from fsviz.model.units import format_size

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd

    from fsviz.analysis.grids import Grid

Over = Literal["record size", "file size"]
_RAMP = [[0.0, "#9db7d5"], [0.5, "#3b6ea8"], [1.0, "#0b1f3a"]]
"""Of sizes: one hue, light to dark, not to be taken for the colours of values."""
_MOST_NAMES = 8
"""Of a legend; the other lines lie between them."""
_SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "cross")


def slice_lines(
    grid: Grid,
    scale: Scale,
    over: Over,
    sizes: list[int],
    legend: str,
    axes: tuple[str, str],
) -> list[dict[str, Any]]:
    """Draw one line for each size that is not on the axis.

    Units: `sizes` [B].
    """
    by_record = over == "record size"
    frame = grid.mean if by_record else grid.mean.T
    x, y = axes
    # between two names the shade tells
    step = -(-len(sizes) // _MOST_NAMES)
    # A figure has hundreds of them. As a dict each is checked once, by the figure, and
    # not as well when it is made and whenever something is changed in it.
    return [
        {
            "type": "scatter",
            **_line(grid, scale, frame, size, by_record),
            "showlegend": size in frame.index and position % step == 0,
            "line": {"color": _colour(position, len(sizes)), "width": 1.6},
            "marker": {"size": 5, "symbol": _SYMBOLS[position % len(_SYMBOLS)]},
            "legend": legend,
            "xaxis": x,
            "yaxis": y,
        }
        for position, size in enumerate(sizes)
    ]


def _line(
    grid: Grid, scale: Scale, frame: pd.DataFrame, size: int, by_record: bool
) -> dict[str, Any]:
    """One line; empty if the system has no such size, so that all have as many."""
    row = frame.loc[size] if size in frame.index else frame.iloc[0, :0]
    fixed, free = ("file", "record") if by_record else ("record", "file")
    named = file_text(grid, size) if by_record else format_size(size)
    body = f"{fixed} {named}, {free} %{{text}}<br>%{{y:.3r}}"
    mixed = grid.shared_n is None
    # over the file size the strip above says the regime, and the page stays small
    texts = [format_size(x) for x in row.index]
    if mixed:
        cells = [(size, x) if by_record else (x, size) for x in row.index]
        texts = [with_n(t, grid, *c) for t, c in zip(texts, cells, strict=True)]
    return {
        "x": [math.log2(x) for x in row.index],
        "y": [rounded(float(v) / scale.factor) for v in row],
        "mode": "lines+markers",
        "connectgaps": False,
        "text": texts,
        "hovertemplate": template(grid, scale, body),
        "name": format_size(size),
        "meta": {"size": size},
    }


def line_ends(
    lines: list[dict[str, Any]], scale: Scale, axes: tuple[str, str]
) -> dict[str, Any]:
    """Name lines where they end, as far as no other line or name is in the way."""
    height = _height(scale)
    known = [
        [(x, height(y)) for x, y in zip(line["x"], line["y"], strict=True) if y]
        for line in lines
    ]
    names: list[tuple[float, float, str]] = []
    taken: list[list[_Point]] = []
    for position in reversed(range(len(lines))):
        points, line = known[position], lines[position]
        others = [*known[:position], *known[position + 1 :], *taken]
        if points and not any(_in_the_way(other, points[-1]) for other in others):
            x, at = points[-1]
            names.append((x, line["y"][line["x"].index(x)], line["name"]))
            taken.append([(x, at), (x + _WIDE, at)])
    x, y, texts = zip(*names, strict=True) if names else ((), (), ())
    return {
        "type": "scatter",
        "x": list(x),
        "y": list(y),
        # not on the line's last point
        "text": [f"\u2002{text}" for text in texts],
        "mode": "text",
        "textposition": "middle right",
        "textfont": {"size": 11, "color": INK},
        "cliponaxis": False,
        "hoverinfo": "skip",
        "showlegend": False,
        "meta": {},
        "xaxis": axes[0],
        "yaxis": axes[1],
    }


_WIDE, _HIGH = 1.5, 0.05
"""Of a name at the end of a line: doublings of the size; share of the axis."""


_Point = tuple[float, float]
"""A size (log₂), and how high a value stands."""


def _in_the_way(points: list[_Point], end: _Point) -> bool:
    """Whether a line passes where a name would stand, right of an end."""
    x, at = end
    if any(x <= a < x + _WIDE and abs(b - at) < _HIGH for a, b in points):
        return True
    for (a, low), (b, high) in itertools.pairwise(points):
        left, right = max(a, x), min(b, x + _WIDE)
        if left < right:
            ends = [low + (high - low) * (c - a) / (b - a) for c in (left, right)]
            if min(ends) - _HIGH < at < max(ends) + _HIGH:
                return True
    return False


def _height(scale: Scale) -> Callable[[float], float]:
    """Make the function that says how high a value stands, as a share of its axis."""
    low, high = value_axis(scale)["range"]
    if not scale.log:
        return lambda value: value / high
    return lambda value: (math.log10(value) - low) / (high - low)


@lru_cache
def _colour(position: int, count: int) -> str:
    share = position / (count - 1) if count > 1 else 1.0
    return str(sample_colorscale(_RAMP, [share])[0])


def size_axis(
    title: str, sizes: list[int], at_most: int = 9, *, upright: bool = False
) -> dict:
    """A log₂ axis of sizes.

    Units: `sizes` [B].
    """
    ticks = size_ticks(sizes, at_most)
    if upright:
        ticks["ticktext"] = [str(t).replace(" ", "<br>") for t in ticks["ticktext"]]
    return {
        "title": {"text": title, "standoff": 6},
        **ticks,
        "range": [math.log2(sizes[0]) - 0.5, math.log2(sizes[-1]) + 0.5],
        "tickangle": 0 if upright else -35,
        "tickfont": {"size": 11},
        "gridcolor": GRID,
        "linecolor": INK,
        "showline": True,
        "zeroline": False,
        "automargin": False,
    }


def with_room(axis: dict) -> dict:
    """Leave room on an axis of sizes for the names at the ends of lines."""
    low, high = axis["range"]
    return axis | {"range": [low, high + _WIDE - 0.5]}


def value_axis(scale: Scale) -> dict:
    """The axis of values, the same in every panel and for every system."""
    axis = {
        "title": {"text": scale.title, "standoff": 6},
        "gridcolor": GRID,
        "linecolor": INK,
        "showline": True,
        "zeroline": False,
        "tickfont": {"size": 11},
    }
    if scale.log:
        return axis | {
            "type": "log",
            "range": [math.log10(scale.low * 0.85), math.log10(scale.high * 1.15)],
            # where one stands alone nobody can read a value
            "tickvals": (ticks := scale.ticks(2)),
            "ticktext": [number(t) for t in ticks],
        }
    return axis | {"range": [0, scale.high * 1.05]}
