"""Runs that lack some of the cells: what their levels are, and what these rest on.

A gap costs a cell and not the run: run and cell effects are fitted (Searle, Linear
Models, 1971, chapter 7). But the scatter of the fitted table is not that of the runs. A
cell that one run of five has adds nothing to it, whatever that one run adds to the
mean: twelve pairs of equal systems, of which the largest of four sizes was measured
once and scatters by 30 %, gave nine false verdicts. Therefore:

- a cell that fewer than `FEWEST` runs of a side have is left out of a row, if half of
  its cells have as many; else the row is not tested;
- the level of a run is its share in the estimate, so that their scatter is that of the
  estimate: the variance of a regression over clusters, which are the runs (Liang &
  Zeger, Biometrika 73, 1986, 13–22);
- a row counts no more runs than its cell that fewest runs have.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fsviz.analysis.tests import FEWEST
from fsviz.model.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fsviz.analysis.cells import SystemRuns

MOST = 0.5
"""Share of a row's cells that must be measured often enough to leave out the others."""


class Levels(NamedTuple):
    """Levels, shape (runs, groups), and how often the rarest cell of a group is there.

    Missing is the level of a run that has none of its cells.
    """

    runs: NDArray[np.float64]
    least: NDArray[np.int64]


def levels_of(one: SystemRuns, matched: NDArray[np.bool_], member: Any) -> Levels:
    """Reduce each run to the mean logarithm over a group's matched cells."""
    there = np.isfinite(one.logs) & matched
    count, wanted = there.astype(float) @ member, matched @ member
    total = np.where(there, one.logs, 0.0) @ member
    whole = (count == wanted) & (wanted > 0)
    levels = total / np.where(whole, wanted, np.nan)
    least = whole.sum(axis=0)
    columns = member.tocsc()
    for group in np.flatnonzero(((count > 0) & ~whole).any(axis=0)):
        cells = columns.indices[columns.indptr[group] : columns.indptr[group + 1]]
        own = cells[matched[cells]]
        runs = count[:, group] > 0
        found = _levels_with_gaps(one.logs[np.ix_(runs, own)])
        levels[runs, group], least[group] = found
    return Levels(levels, least)


def _levels_with_gaps(logs: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    """Return the levels of runs, and how many runs the rarest cell has."""
    there = np.isfinite(logs)
    least = int(there.sum(axis=0).min(initial=len(logs)))
    if there.all():
        return logs.mean(axis=1), least
    if not (least and _linked(there)):
        return np.full(len(logs), np.nan), 0
    runs, cells = _effects(logs, there)
    ours, theirs = _solved(there, *(np.full(n, 1 / n) for n in there.shape))
    # the estimate is the sum of these weights times the logarithms
    weights = np.where(there, ours[:, None] + theirs, 0.0)
    apart = np.where(there, logs - cells - runs.mean(), 0.0)
    mean = runs.mean() + cells.mean()
    return mean + len(runs) * (weights * apart).sum(axis=1), least


def fill_missing(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Fill the cells that some runs lack with what their other cells let expect.

    The mean over the cells of a complete run is its own mean.

    >>> import numpy as np
    >>> fill_missing(np.array([[1.0, 2.0], [3.0, np.nan]])).round(9).tolist()
    [[1.0, 2.0], [3.0, 4.0]]
    """
    there = np.isfinite(logs)
    known = np.ix_(there.any(axis=1), there.any(axis=0))
    if there[known].all() or not _linked(there[known]):
        return logs
    runs, cells = _effects(logs[known], there[known])
    fitted = np.full(logs.shape, np.nan)
    fitted[known] = runs[:, None] + cells
    return np.where(there, logs, fitted)


def _effects(
    logs: NDArray[np.float64], there: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Fit the effects of runs and of cells."""
    value = np.where(there, logs, 0.0)
    return _solved(there, value.sum(axis=1), value.sum(axis=0))


def _solved(
    there: NDArray[np.bool_],
    of_runs: NDArray[np.float64],
    of_cells: NDArray[np.float64],
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Solve the normal equations of a table with gaps, the longer side eliminated."""
    if there.shape[0] > there.shape[1]:
        cells, runs = _solved(there.T, of_cells, of_runs)
        return runs, cells
    present = there.astype(float)
    n = present.sum(axis=0)
    left = np.diag(present.sum(axis=1)) - (present / n) @ present.T
    runs = np.linalg.lstsq(left, of_runs - present @ (of_cells / n))[0]
    return runs, (of_cells - runs @ present) / n


def _linked(there: NDArray[np.bool_]) -> bool:
    """Say whether any two runs share a cell, if only by way of other runs."""
    if there.all(axis=1).any() or there.all(axis=0).any():
        return True  # a whole run shares one with every other
    from scipy.sparse.csgraph import connected_components

    # runs by their cells, or cells by their runs: whichever are fewer
    present = (there if there.shape[0] <= there.shape[1] else there.T).astype(float)
    parts, _ = connected_components(present @ present.T > 0, directed=False)
    return bool(parts == 1)


def often_measured(base: SystemRuns, cand: SystemRuns, member: Any) -> Any:
    """Leave out of each group the matched cells that too few runs of a side have.

    Not where that is most of a group's cells: then it has too few runs.
    """
    matched = base.measured & cand.measured
    runs = [(np.isfinite(s.logs) | s.censored).sum(axis=0) for s in (base, cand)]
    often = matched & (np.minimum(*runs) >= FEWEST)
    rare = matched & ~often
    if not (rare.any() and often.any()):
        return member
    keeps = often @ member >= MOST * (matched @ member)
    cell, group = member.tocoo().coords
    kept = ~(rare[cell] & keeps[group])
    places = (cell[kept], group[kept])
    return type(member)((np.ones(kept.sum()), places), shape=member.shape)
