"""The cells of a figure, once: what the page's script marks in every panel.

``linked.js`` finds them in ``layout.meta.cells``. What is said of a cell stands in the
hover text of the map that shows it, so that every form says the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fsviz.figures.style import Scale, label, number, rounded
from fsviz.model.errors import printable
from fsviz.model.escaping import figure_text
from fsviz.model.units import format_size

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.analysis.grids import Grid

Cell = tuple[int, int]
"""File size and record size [B]."""
_GAP = "<br>"


def linked_cells(
    grids: Sequence[Grid],
    scale: Scale,
    file_sizes: list[int],
    record_sizes: list[int],
    panels: Mapping[str, object],
) -> dict[str, object]:
    """Pack sizes and values of each system, and which panel shows what.

    Units: `file_sizes, record_sizes` [B].
    """

    def flat(frame: pd.DataFrame, factor: float) -> list[float | None]:
        wide = frame.reindex(index=file_sizes, columns=record_sizes).to_numpy(float)
        return [rounded(float(v) / factor) for v in wide.ravel()]

    return {
        "unit": scale.unit,
        "files": file_sizes,
        "records": record_sizes,
        "systems": [
            {
                "name": printable(grid.system),
                "label": label(grid.system, 14),
                "value": flat(grid.mean, scale.factor),
                "least": flat(grid.least, scale.factor),
                "most": flat(grid.most, scale.factor),
                "runs": grid.shared_n or flat(grid.n.astype(float), 1),
            }
            for grid in grids
        ],
        "panels": dict(panels),
    }


def value_words(grid: Grid, cell: Cell, scale: Scale) -> str:
    """Say the value of a cell: ``7.69 GiB/s (5.9–8.5, 5 runs)``; empty without."""
    if cell not in grid.cells:
        return ""
    *values, n, _ = grid.cells[cell]
    mean, least, most = (value / scale.factor for value in values)
    runs = f"{n} runs" if n > 1 else "1 run"
    ends = f"{number(least)}–{number(most)}, " if n > 1 else ""
    return f"<b>{number(mean)} {scale.unit}</b> ({ends}{runs})"


def cell_words(grid: Grid, cell: Cell) -> str:
    """Name a cell of a system: ``xfs, file 16 MiB, record 1 MiB``."""
    sizes = f"file {format_size(cell[0])}, record {format_size(cell[1])}"
    return f"<b>{label(grid.system)}</b>, {sizes}"


def place_words(grid: Grid, cell: Cell) -> str:
    """Say where the first number of a cell stands, and how many more there are."""
    *_, n, place = grid.cells[cell]
    more = f" and {n - 1} more" if n > 1 else ""
    folders, slash, name = place.rpartition("/")
    parent = folders.rpartition("/")[2]
    before = "…/" * (parent != folders)
    return figure_text(printable(f"{before}{parent}{slash}{name}")) + more


def joined(*parts: str) -> str:
    """Put the parts of what is said of a cell below one another."""
    return _GAP.join(part for part in parts if part)


def pair_text(
    grid: Grid,
    first: Grid,
    cell: Cell,
    scale: Scale,
    ratio: Sequence[str],
) -> str:
    """Say all of a cell of two systems: values, ratio, and where the number stands."""
    here, reference = (value_words(g, cell, scale) for g in (grid, first))
    name = label(first.system)
    beside = f"{name} {reference}" if reference else f"{name} not measured"
    place = place_words(grid, cell) if here else ""
    return joined(cell_words(grid, cell), here or "not measured", beside, *ratio, place)


def single_text(grid: Grid, cell: Cell, scale: Scale) -> str:
    """Say all of a cell of one system."""
    regime = grid.regimes.get(cell[0], "")
    return joined(
        cell_words(grid, cell),
        value_words(grid, cell, scale),
        regime,
        place_words(grid, cell),
    )
