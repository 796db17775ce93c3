"""What pointing at a cell says where no script of ours runs: sizes, value and n.

Everything else about a cell (interval, place) rides once in ``layout.meta.cells``, see
`fsviz.figures.panels.linked`; repeating it in every panel would double the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.figures.style import Scale, label
from fsviz.model.units import format_size

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid


def template(grid: Grid, scale: Scale, body: str, after: str = "") -> str:
    """Complete a hover template: system first, unit and n where they are shared."""
    n = grid.shared_n
    runs = f"<br>n = {n}" if n is not None else ""
    end = f"{runs}{after}<extra></extra>"
    return f"<b>{label(grid.system)}</b><br>{body} {scale.unit}{end}"


def sizes(grid: Grid, regimes: bool = False) -> list[list[str]]:
    """Name file and record size of each measured cell, row by row; a gap is empty."""
    mixed = grid.shared_n is None
    rows = []
    for f, row in grid.mean.iterrows():
        start = f"{file_text(grid, f) if regimes else format_size(f)}, record "
        texts = [
            start + with_n(format_size(r), grid, f, r)
            if mixed
            # the same for all cells, so it stands in the template
            else start + format_size(r)
            for r in grid.mean.columns
        ]
        rows.append([t if v == v else "" for t, v in zip(texts, row, strict=True)])
    return rows


def file_text(grid: Grid, size: int) -> str:
    """Name a file size and, where it is known, its regime: ``1 GiB (storage)``."""
    regime = grid.regimes.get(int(size), "")
    return format_size(size) + (f" ({regime})" if regime else "")


def with_n(text: str, grid: Grid, file_size: int, record_size: int) -> str:
    """Add the number of runs of one cell to a text, if the cell was measured."""
    if grid.place.isna().at[file_size, record_size]:
        return text
    return f"{text}, n = {int(grid.n.at[file_size, record_size])}"
