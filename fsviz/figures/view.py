"""What a figure of cells shows: systems, the sizes that count, and their ratios."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from fsviz.analysis.answers import DIFFERENT
from fsviz.analysis.cells import present
from fsviz.analysis.grids import make_grids
from fsviz.analysis.regimes import regimes_by_size
from fsviz.answers.comparison import Comparison, compare, most_telling
from fsviz.figures.choosing import rows_of_method
from fsviz.figures.looks import looks
from fsviz.figures.panels.ratio import axis_end, cell_of, is_measurable, rows_of
from fsviz.figures.panels.references import references
from fsviz.figures.style import make_scale
from fsviz.model.campaign import baseline_of
from fsviz.model.errors import UsageError, printable
from fsviz.model.libraries import np
from fsviz.model.names import choose, unknown
from fsviz.model.table import OPERATIONS, measurements_of

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid
    from fsviz.answers.answer import Answer
    from fsviz.checks.findings import Examination
    from fsviz.figures.looks import Look
    from fsviz.figures.options import FigureOptions
    from fsviz.figures.panels.linked import Cell
    from fsviz.figures.panels.ratio import Row
    from fsviz.figures.panels.references import Reference
    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data


@dataclass(frozen=True)
class View:
    """What the figure shows: systems with the cells that count, the baseline first."""

    grids: list[Grid]
    full: list[Grid]
    """The same with the cells that do not count."""
    uncounted: list[frozenset[Cell]]
    """Cells of each system that were measured and do not count."""
    pair: bool
    ratios: Mapping[str, Sequence[Row]]
    end: float
    """Where the colours of ratios end, of every operation alike [log₂]."""
    answers: Mapping[str, Answer]
    scale: Scale
    looks: list[Look]
    limits: list[Reference]
    beside: str

    @property
    def shown(self) -> range:
        """The systems that can be chosen: of a pair, the candidates."""
        return range(int(self.pair), len(self.grids))

    @property
    def sizes(self) -> tuple[list[int], list[int]]:
        """File sizes and record sizes [B]."""
        return sizes_of(self.grids)

    @property
    def counted(self) -> tuple[list[int], list[int]]:
        """File sizes and record sizes of which some cell counts [B]; else all."""
        cells = {cell for grid in self.grids for cell in grid.measured}
        files, records = ({cell[n] for cell in cells} for n in (0, 1))
        return (sorted(files), sorted(records)) if cells else self.sizes


def view_of(data: Data, options: FigureOptions) -> View:
    """Collect what the figure shows."""
    comparison = options.comparison
    grids, beside = grids_of(data, options)
    names = [grid.system for grid in grids]
    first = _baseline(names, options.baseline, comparison, data)
    if comparison is None:
        comparison = compare(
            data,
            baseline=first,
            candidate=[name for name in names if name != first] or None,
            examination=_examined_against(first, options.examination),
        )
    grids.sort(key=lambda grid: grid.system != first)
    counted = comparison.counted_sizes(grids[0].tool, grids[0].operation)
    uncounted = [grid.measured - counted for grid in grids]
    full = grids
    grids = [
        replace(grid, mean=_without(grid.mean, cells))
        for grid, cells in zip(full, uncounted, strict=True)
    ]
    pair = comparison.baseline in names and len(names) > 1
    styles = looks(comparison.data)
    return View(
        grids,
        full,
        uncounted,
        pair,
        _ratios(comparison, grids) if pair else {},
        _end(comparison, grids[0].metric) if pair else 1.0,
        _answers(comparison, grids[0]),
        make_scale(values_of(grids), grids[0].metric, options.scale),
        [styles[grid.system] for grid in grids],
        references(data, names),
        beside,
    )


def _baseline(
    names: Sequence[str], stated: str | None, comparison: Comparison | None, data: Data
) -> str:
    """Say which of the systems the others are compared with."""
    if stated and stated not in names:
        raise unknown("baseline", stated, names)
    if stated and comparison and comparison.baseline != stated:
        baseline = printable(comparison.baseline)
        raise UsageError(f"comparison: expected one with {stated}, found {baseline}")
    name = stated or (comparison.baseline if comparison else baseline_of(data))
    return name if name and name in names else names[0]


def _examined_against(
    baseline: str, examination: Examination | None
) -> Examination | None:
    """Take what the rules found if they compared with the same baseline."""
    case = examination.case if examination else None
    return examination if case and case.baseline == baseline else None


def _without(frame: Any, cells: frozenset[Cell]) -> Any:
    """Leave cells out of a matrix."""
    out = [
        [(int(file), int(record)) in cells for record in frame.columns]
        for file in frame.index
    ]
    return frame.mask(np.array(out, bool))


def _ratios(comparison: Comparison, grids: Sequence[Grid]) -> dict[str, list[Row]]:
    """Take the cells of one test, by candidate."""
    first = grids[0]
    cells = comparison.all_cells
    rows = cells.loc[
        (cells["tool"] == first.tool)
        & (cells["operation"] == first.operation)
        & (cells["metric"] == first.metric)
        & (cells["setting"] == first.setting)
        & (cells["threads"].fillna(0) == (first.threads or 0))
    ]
    by_candidate = rows_of(rows)
    return {grid.system: by_candidate.get(grid.system, []) for grid in grids[1:]}


def _end(comparison: Comparison, metric: str) -> float:
    """Return where colours end, in all maps against one system [log₂]."""
    cells = comparison.all_cells
    coloured = (cells["metric"] == metric) & cells["measurable"]
    coloured &= cells["answer"].isin(DIFFERENT)
    return axis_end(cells.loc[coloured & cells["record_size_bytes"].notna()])


def _answers(comparison: Comparison, first: Grid) -> dict[str, Answer]:
    """Take the answers of one test, by candidate."""
    test = (first.tool, first.operation, first.metric, first.setting, first.threads)
    return {a.candidate: a for a in comparison.every_answer if a.test == test}


def grids_of(data: Data, options: FigureOptions) -> tuple[list[Grid], str]:
    """Arrange the cells of each system that has the operation."""
    operation, metric = options.operation, options.metric or "throughput"
    table = measurements_of(data)
    if operation not in OPERATIONS:
        raise unknown("operation", operation, present(table, "operation"))
    rows = table.loc[(table["operation"] == operation) & (table["metric"] == metric)]
    sized = rows.loc[rows["record_size_bytes"].notna() & rows["value"].notna()]
    every = present(table, "system")
    names = choose("system", options.system, every) or present(sized, "system")
    if not names:
        raise UsageError(f"no {metric} of {operation} by file and record size")
    regimes = regimes_by_size(data, operation, metric)
    rows, beside = rows_of_method(
        sized.loc[sized["system"].isin(names)], "tool", "threads", "setting"
    )
    grids = make_grids(rows, systems=names, operation=operation, metric=metric)
    return [
        replace(grid, regimes=regimes.get(grid.system, {})) for grid in grids
    ], beside


def sizes_of(grids: Sequence[Grid]) -> tuple[list[int], list[int]]:
    """List the file sizes and record sizes [B] of all grids."""
    files = {int(f) for grid in grids for f in grid.mean.index}
    records = {int(r) for grid in grids for r in grid.mean.columns}
    return sorted(files), sorted(records)


def values_of(grids: Sequence[Grid]) -> list[float]:
    """List the means of all cells [base unit], missing ones too."""
    return [float(v) for grid in grids for v in grid.mean.to_numpy().ravel()]


def range_of(grids: Sequence[Grid], scale: Scale) -> str:
    """Say from where to where the values of some systems go."""
    finite = [v / scale.factor for v in values_of(grids) if v == v] or [0.0]
    return f"from {min(finite):.3g} {scale.unit} to {max(finite):.3g} {scale.unit}"


_ALIKE = math.log(1.05)
"""Ratios that differ by less are alike."""


def typical_cell(view: View, candidate: int) -> Cell:
    """Find the cell that is marked first: its ratio is next to the mean of all.

    Of those within `_ALIKE` of it, that whose slices have most cells. Without ratios,
    as of a system alone, the highest value.
    """
    grid = view.grids[candidate]
    logs = {
        cell_of(row): math.log(row["ratio"])
        for row in view.ratios.get(grid.system, ())
        if is_measurable(row) and row["ratio"] > 0
    }
    if logs:
        mean = math.fsum(logs.values()) / len(logs)
        files, records = (Counter(sizes) for sizes in zip(*logs, strict=True))

        def rank(cell: Cell) -> tuple[float, int]:
            in_slices = files[cell[0]] + records[cell[1]]
            return max(abs(logs[cell] - mean), _ALIKE), -in_slices

        return min(logs, key=rank)
    values = grid.mean.stack().dropna()
    if len(values):
        file, record = values.idxmax()
        return int(file), int(record)
    return max(view.uncounted[candidate] or {(0, 0)})


def opened_of(view: View) -> int:
    """Say which candidate opens: that of the most telling answer, or the first."""
    names = [grid.system for grid in view.grids]
    opening = most_telling(a for a in view.answers.values() if a.candidate in names)
    return names.index(opening.candidate) if opening else view.shown[0]
