"""Titled tables with shared columns, as wide as a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 100
"""Columns of a terminal that the text must fit."""

_SHORTEST_NAME = 12
_RIGHT = (
    *("runs", "cells", "ratio", "time", "q"),
    *("mean", "median", "std cells", "std runs"),
)


def lines_of_table(tables: Sequence[tuple[str, pd.DataFrame]]) -> list[str]:
    """Draw titled tables that share columns; those of a tool share their names too.

    Parameters
    ----------
    tables : sequence of (str, DataFrame of str)
        Titles, which begin with the tool, and rows.

    Returns
    -------
    list of str
        Lines; an empty one after each table.
    """
    import pandas as pd

    if not tables:
        return []
    together = pd.concat([rows for _, rows in tables])
    columns = [str(name) for name in together]
    widths = _widths(together, columns)
    lines: list[str] = []
    tool = ""
    for title, rows in tables:
        lines.append(title)
        if title.split()[0] != tool:
            lines.append(_line(columns, columns, widths).rstrip())
            tool = title.split()[0]
        for row in rows.itertuples(index=False):
            cells = [_fit(text, width) for text, width in zip(row, widths, strict=True)]
            lines.append(_line(cells, columns, widths).rstrip())
        lines.append("")
    return lines


def _widths(shown: pd.DataFrame, columns: Sequence[str]) -> list[int]:
    """Width of each column; names give way if the line would be too long."""
    widths = [max([len(name), *map(len, shown[name])]) for name in columns]
    over = sum(widths) + 2 * (len(widths) - 1) - WIDTH
    if over > 0:
        place = columns.index("candidate" if "candidate" in columns else "system")
        widths[place] = max(_SHORTEST_NAME, widths[place] - over)
    return widths


def _fit(text: str, width: int) -> str:
    """Cut out the middle of a long name: both ends may tell it from others."""
    if len(text) <= width:
        return text
    tail = (width - 1) // 2
    return f"{text[: width - 1 - tail]}…{text[-tail:]}"


def _line(cells: Sequence[str], columns: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        cell.rjust(width) if name in _RIGHT else cell.ljust(width)
        for cell, name, width in zip(cells, columns, widths, strict=True)
    )
