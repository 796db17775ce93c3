"""Cuts through the matrix: every system over one size, with the range over its runs."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from fsviz.figures.style import GRID, INK, Scale, label, number, rounded, size_ticks
from fsviz.model.table import METRICS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsviz.analysis.grids import Grid
    from fsviz.figures.looks import Look

PALE = 0.4
"""Opacity of the systems that are not compared."""
_ENDS = ("top right", "bottom right", "middle right")


def slices(
    grids: Sequence[Grid],
    looks: Sequence[Look],
    scale: Scale,
    sizes: tuple[list[int], list[int]],
    cell: tuple[int, int],
) -> list[dict[str, Any]]:
    """Draw every system over record sizes at a cell, then over file sizes.

    Units: `sizes, cell` [B].
    """
    file, record = cell
    files, records = sizes
    traces = []
    for over, places, axis in (("record", records, "3"), ("file", files, "4")):
        cells = [
            (file, size) if over == "record" else (size, record) for size in places
        ]
        for grid, look in zip(grids, looks, strict=True):
            line = _line(grid, look, scale, places, cells, axis)
            traces.append(line | {"meta": {"along": over}})
    return traces


def _line(
    grid: Grid,
    look: Look,
    scale: Scale,
    places: list[int],
    cells: list[tuple[int, int]],
    axis: str,
) -> dict[str, Any]:
    """Draw one system, named where its line ends."""
    value, least, most = (
        [_at(frame, cell, scale) for cell in cells]
        for frame in (grid.mean, grid.least, grid.most)
    )
    drawn = [n for n, v in enumerate(value) if v is not None]
    name = f"\u2002{label(grid.system, 14)}"
    return {
        "type": "scatter",
        "x": [math.log2(size) for size in places],
        "y": value,
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": _bar_lengths(most, value),
            "arrayminus": _bar_lengths(value, least),
            "width": 0,
            "thickness": 1,
        },
        "text": [name if drawn and n == drawn[-1] else "" for n in range(len(places))],
        "mode": "lines+markers+text",
        "textfont": {"size": 11, "color": look.colour},
        "connectgaps": False,
        "cliponaxis": False,
        "line": {"color": look.colour, "width": 1.8},
        "marker": {"size": 5, "symbol": look.symbol, "color": look.colour},
        "hovertemplate": f"<b>{label(grid.system)}</b> %{{y:.3r}} {scale.unit}"
        "<extra></extra>",
        "showlegend": False,
        "name": label(grid.system),
        "xaxis": f"x{axis}",
        "yaxis": f"y{axis}",
    }


def _at(frame: Any, cell: tuple[int, int], scale: Scale) -> float | None:
    file, record = cell
    if file not in frame.index or record not in frame.columns:
        return None
    return rounded(float(frame.at[file, record]) / scale.factor)


def _bar_lengths(upper: list[float | None], lower: list[float | None]) -> list[float]:
    """Subtract, where both are there: lengths of the bars."""
    return [
        rounded(max(0.0, high - low)) or 0.0
        if high is not None and low is not None
        else 0.0
        for high, low in zip(upper, lower, strict=True)
    ]


def name_places(lines: Sequence[Any], named: set[int]) -> list[str]:
    """Put the name of the upper line above its end, that of the lowest below."""
    ends = [
        next((v for v in reversed(line["y"]) if v is not None), -math.inf)
        for line in lines
    ]
    order = sorted(named, key=lambda n: -ends[n])
    place = dict.fromkeys(order, _ENDS[2])
    if order:
        place |= {order[-1]: _ENDS[1], order[0]: _ENDS[0]}
    return [place.get(n, _ENDS[2]) for n in range(len(lines))]


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


def with_room(axis: dict, share: float = 0.16) -> dict:
    """Leave room on an axis of sizes for the names at the ends of lines."""
    low, high = axis["range"]
    return axis | {"range": [low, high + share * (high - low)]}


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


def directed_axis(scale: Scale, metric: str, room: float = 0.0) -> dict[str, Any]:
    """Say on an axis of values which way is better, and leave room for texts."""
    values = value_axis(scale)
    direction = ", lower is better" * (METRICS[metric].better < 0)
    values["title"]["text"] = scale.unit + ", log scale" * scale.log + direction
    low, high = values["range"]
    return values | {"range": [low, high + (high - low) * room]}
