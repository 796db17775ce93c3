"""What pointing at a cell says: the same words in every panel."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from fsviz.errors import printable
from fsviz.figures.style import Scale, label, number
from fsviz.units import format_size

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid

LONGEST_PLACE = 70


def describe(grid: Grid, scale: Scale, file_size: int, record_size: int) -> str:
    """Describe one cell: system, sizes, value, n, interval and where it was printed.

    Parameters
    ----------
    grid : Grid
        The system's cells.
    scale : Scale
        Gives the display unit.
    file_size, record_size : int
        The cell [B].

    Returns
    -------
    str
        Lines joined by ``<br>``, everything from files escaped; empty for a gap.
    """
    mean = grid.mean.at[file_size, record_size]
    if math.isnan(mean):
        return ""
    n = int(grid.n.at[file_size, record_size])
    low = grid.ci_low.at[file_size, record_size] / scale.factor
    high = grid.ci_high.at[file_size, record_size] / scale.factor
    runs = f"n = {n} run" + ("s" if n > 1 else "")
    if n > 1:
        runs += f", 95 % interval {number(low)} – {number(high)}"
    lines = (
        f"<b>{label(grid.system)}</b>",
        f"file {format_size(file_size)}, record {format_size(record_size)}",
        f"<b>{number(mean / scale.factor)} {scale.unit}</b>",
        runs,
        label_place(str(grid.place.at[file_size, record_size])),
    )
    return "<br>".join(lines)


def label_place(place: str) -> str:
    """Shorten a long ``path:locator`` at its front, where it says least."""
    shown = printable(place)
    if len(shown) > LONGEST_PLACE:
        shown = "…" + shown[-LONGEST_PLACE + 1 :]
    return shown.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def descriptions(grid: Grid, scale: Scale) -> list[list[str]]:
    """Describe every cell, row by row."""
    return [
        [describe(grid, scale, int(f), int(r)) for r in grid.mean.columns]
        for f in grid.mean.index
    ]
