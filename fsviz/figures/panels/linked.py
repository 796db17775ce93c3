"""The facts of each cell, once a figure, from which the page's script reads them out.

``linked.js`` finds them in ``layout.meta.cells`` and marks the cell that is pointed at
in every panel. They are plain data: what comes from files is shown as text, never as
markup.
"""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from fsviz.figures.style import Scale, rounded
from fsviz.model.errors import printable
from fsviz.model.libraries import np
from fsviz.model.units import format_size

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.analysis.grids import Grid
    from fsviz.figures.panels.marks import Cell, Marks

DIGITS = 5
"""More than these of a number cannot be told apart, neither seen nor measured."""


def linked_cells(
    grids: Sequence[Grid],
    scale: Scale,
    file_sizes: list[int],
    record_sizes: list[int],
    marks: Mapping[str, Marks] | None = None,
    ratios: Mapping[str, Mapping[Cell, str]] | None = None,
) -> dict[str, object]:
    """Pack what is known of each cell of each system [B].

    Units: `file_sizes, record_sizes` [B], `ratios` [B].
    """
    rules: dict[str, int] = {}
    sizes = (file_sizes, record_sizes)
    systems = [_pack(grid, scale, *sizes) for grid in grids]
    if ratios is not None:
        systems = [
            _compared(packed, ratios.get(grid.system, {}), *sizes)
            for grid, packed in zip(grids, systems, strict=True)
        ]
    for grid, packed in zip(grids, systems, strict=True):
        found = (marks or {}).get(grid.system)
        if found is not None and found.cells:
            packed["found"] = {
                file_sizes.index(f) * len(record_sizes)
                + record_sizes.index(r): rules.setdefault(
                    found.text((f, r)), len(rules)
                )
                for f, r in found.cells
            }
    facts: dict[str, object] = {
        "unit": scale.unit,
        "files": file_sizes,
        "files_text": [format_size(size) for size in file_sizes],
        "records": record_sizes,
        "records_text": [format_size(size) for size in record_sizes],
        "systems": systems,
    }
    facts |= {"side": True} if ratios is not None else {}
    return facts | ({"rules": list(rules)} if rules else {})


def _pack(
    grid: Grid, scale: Scale, file_sizes: list[int], record_sizes: list[int]
) -> dict[str, object]:
    # all frames of a grid have the same cells: where they are is looked up once
    at = np.ix_(
        grid.mean.index.get_indexer(file_sizes),
        grid.mean.columns.get_indexer(record_sizes),
    )
    whole = np.full([size + 1 for size in grid.mean.shape], None, dtype=object)

    def flat(frame: pd.DataFrame) -> list:
        whole[:-1, :-1] = frame.to_numpy(dtype=object, na_value=None)
        return whole[at].ravel().tolist()

    def numbers(frame: pd.DataFrame) -> list[float | None]:
        return [rounded(v / scale.factor, DIGITS) for v in _floats(flat(frame))]

    counts = flat(grid.n)
    known = {n for n in counts if n is not None}
    prefix, places = _shared_start(flat(grid.place))
    packed: dict[str, object] = {
        "name": printable(grid.system),
        "value": numbers(grid.mean),
        "n": known.pop() if len(known) == 1 else counts,
        "prefix": prefix,
        "place": places,
    }
    if grid.regimes:
        packed["regimes"] = [grid.regimes.get(size, "") for size in file_sizes]
    low, high = numbers(grid.ci_low), numbers(grid.ci_high)
    if any(v is not None for v in low):
        packed |= {"low": low, "high": high}
    return packed


def _compared(
    packed: dict[str, object],
    ratios: Mapping[Cell, str],
    file_sizes: list[int],
    record_sizes: list[int],
) -> dict[str, object]:
    kept = {k: v for k, v in packed.items() if k in ("name", "value", "n", "regimes")}
    every = [ratios.get((f, r), "") for f in file_sizes for r in record_sizes]
    return kept | ({"ratio": every} if ratios else {})


def _floats(values: Iterable[object]) -> list[float]:
    return [math.nan if v is None else float(v) for v in values]  # type: ignore[arg-type]


def _shared_start(places: list) -> tuple[str, list[str]]:
    """Take the common start off the places: of one run they differ in the line only."""
    shown = [printable(str(p)) if isinstance(p, str) else None for p in places]
    # character by character is meant: "rep1.txt:line 4" and "rep1.txt:line 52"
    prefix = os.path.commonprefix([p for p in shown if p])  # noqa: RUF071
    return prefix, ["" if p is None else p[len(prefix) :] for p in shown]
