"""More than two systems: who leads, by how much, and in which cells for sure."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from fsviz.analysis.buckets import EDGES, By, group_cells
from fsviz.analysis.cells import (
    Matrix,
    SystemRuns,
    compared,
    in_order,
    matrices,
    performance,
    present,
    refuse_mixed,
    select,
    system_runs,
)
from fsviz.analysis.looks import strictness
from fsviz.analysis.tests import FEWEST, Sample, control, rank_runs, sample, welch
from fsviz.analysis.verdicts import ALPHA, BAND
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names, choose
from fsviz.model.table import METRICS, measurements_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fsviz.model.campaign import Data

COLUMNS = (
    "tool",
    "operation",
    "metric",
    "bucket",
    "threads",
    "setting",
    "rank",
    "system",
    "n_runs",
    "ratio_to_best",
    "ratio_limit",
    "cells",
    "best_in",
    "surely_best_in",
)


def rankings(
    data: Data,
    *,
    operation: Names = None,
    by: By = "bucket",
    edges: Mapping[str, float] = EDGES,
) -> pd.DataFrame:
    """Rank all systems, and count the cells that each system wins.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    operation : str, iterable of str or None
        Operations to include; by default every operation.
    by : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
        What one ranking covers.
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.

    Returns
    -------
    DataFrame
        One row per tool, operation, metric, bucket, number of threads and system, over
        the ``cells`` that all of these systems measured. ``rank`` and
        ``ratio_to_best`` are by geometric mean. ``best_in`` counts the cells in which
        the system has the best geometric mean over runs. ``surely_best_in`` counts the
        cells in which it beats the second by 5 % or more with q < 0.05 (Welch,
        Benjamini–Hochberg over all cells). ``n_runs`` = fewest runs in any cell. If a
        run of any system has a bound instead of a number (``+++++``), medians over runs
        replace the means, and the exact permutation test replaces Welch's test. Systems
        that the bounds do not separate share a rank. If only a limit of
        ``ratio_to_best`` is known, it is missing, and ``ratio_limit`` is that limit.

    Raises
    ------
    UsageError
        If no two systems measured the same cell.
    MixedCellError
        If a cell contains runs that are not repeats of each other.
    """
    chosen = select(measurements_of(data), operation=operation)
    table = compared(chosen)
    systems = present(table, "system")
    alpha = ALPHA * strictness(data)
    parts = [_rank(matrix, systems, by, edges, alpha) for matrix in matrices(table)]
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    if frame.empty:
        raise UsageError("rankings: expected cells that two systems measured")
    order = ["tool", "operation", "metric", "threads", "setting", "order", "rank"]
    return in_order(frame, order, {})[list(COLUMNS)]


def _rank(
    matrix: Matrix,
    systems: list[str],
    by: By,
    edges: Mapping[str, float],
    alpha: float,
) -> pd.DataFrame:
    runs = [system_runs(matrix, name) for name in systems]
    better = np.array([METRICS[str(m)].better for m in matrix.cells["metric"]])
    low, high = _cell_levels(runs, better)
    n = np.array([(np.isfinite(one.logs) | one.censored).sum(axis=0) for one in runs])
    best, surely = _leaders(runs, low, high, better, alpha)
    groups, member = group_cells(matrix.cells, by, edges)
    shared = _shared(n > 0, member)
    cells = np.ones(len(better)) @ shared
    takes_part = ((n > 0) @ member > 0) & (cells > 0)
    low, high = (
        np.where(takes_part, np.where(n > 0, ends, 0.0) @ shared, -np.inf)
        / np.maximum(cells, 1)
        for ends in (low, high)
    )
    sign = np.array([METRICS[str(m)].better for m in groups["metric"]])
    parts = []
    for i, name in enumerate(systems):
        behind, limit = _behind(low, high, i)
        part = groups.rename(columns={"rank": "order"}).assign(
            tool=matrix.tool,
            system=name,
            rank=1 + (low > high[i]).sum(axis=0),
            n_runs=_fewest(n[i], shared),
            ratio_to_best=np.exp(sign * behind),
            ratio_limit=np.exp(sign * limit),
            cells=cells.astype("int64"),
            best_in=((best == i) @ shared).astype("int64"),
            surely_best_in=((surely & (best == i)) @ shared).astype("int64"),
        )
        parts.append(part.loc[takes_part[i] & (takes_part.sum(axis=0) > 1)])
    return pd.concat(parts, ignore_index=True)


def levels(data: Data, operation: Names = None, metric: Names = None) -> pd.DataFrame:
    """Bound each system's geometric mean over the sizes of each operation.

    These are the sizes that all of its systems measured, ``whole`` where there are no
    others; without any, ``low`` and ``high`` [unit] are missing. They differ where a
    run was too fast to time.
    """
    table = performance(select(measurements_of(data), operation=operation))
    refuse_mixed(table)
    if names := choose("metric", metric, list(METRICS)):
        table = table.loc[table["metric"].isin(names)]
    systems = present(table, "system")
    parts = [pd.DataFrame(columns=[*_LEVEL, "system", "low", "high", "whole"])]
    for matrix in matrices(table):
        runs = [system_runs(matrix, name) for name in systems]
        low, high = _cell_levels(runs, np.ones(len(matrix.cells), np.int64))
        groups, member = group_cells(matrix.cells, "operation")
        seen = np.array([one.seen for one in runs])
        whole = seen @ member
        # a mean over more sizes than another's would be of other work
        shared = _in_all(seen, member)
        cells = (seen & shared) @ member
        ends = {
            name: np.exp(
                (np.where(shared, end, 0.0) @ member)
                / np.where(cells > 0, cells, np.nan)
            )
            for name, end in (("low", low), ("high", high))
        }
        place, group = np.nonzero(whole)
        part = groups.iloc[group].assign(
            tool=matrix.tool,
            system=np.array(systems, dtype=object)[place],
            whole=(cells == whole).all(axis=0)[group],
            **{name: end[place, group] for name, end in ends.items()},
        )
        parts.append(part)
    frame = pd.concat(parts[1:] or parts, ignore_index=True)
    return in_order(frame, _LEVEL, {})


def _in_all(seen: NDArray[np.bool_], member: Any) -> NDArray[np.bool_]:
    """Say which cells all systems have that have any of their group."""
    columns = member.tocsc()
    shared = np.zeros(seen.shape[1], bool)
    for start, end in pairwise(columns.indptr):
        cells = columns.indices[start:end]
        own = seen[:, cells]
        shared[cells] = own[own.any(axis=1)].all(axis=0)
    return shared


_LEVEL = ["tool", "operation", "metric", "threads", "setting"]


def _cell_levels(
    runs: list[SystemRuns], better: NDArray[np.int64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the least and most that each system may have in each cell; more is better.

    Where a run of any system has no number, medians count, for bounds have an order.
    """
    bounded = np.any([one.censored.any(axis=0) for one in runs], axis=0)
    low = np.array([sample(one.logs).mean for one in runs])
    high = low.copy()
    for i, one in enumerate(runs):
        for cell in np.flatnonzero(bounded & one.seen):
            low[i, cell], high[i, cell] = _median(one, cell)
    low, high = np.where(better > 0, low, -high), np.where(better > 0, high, -low)
    there = np.isfinite(low) | np.isfinite(high)
    return np.where(there, low, -np.inf), np.where(there, high, -np.inf)


def _median(one: SystemRuns, cell: np.intp) -> tuple[float, float]:
    """Bound the median over runs of a cell's logarithms."""
    logs, censored = one.logs[:, cell], one.censored[:, cell]
    ends = []
    for printed, unknown in ((one.run_low, -np.inf), (one.run_high, np.inf)):
        bound = np.where(np.isnan(printed[:, cell]), unknown, printed[:, cell])
        ends.append(float(np.nanmedian(np.where(censored, bound, logs))))
    return ends[0], ends[1]


def _behind(
    low: NDArray[np.float64], high: NDArray[np.float64], i: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """How far a system lies below the best, or the least that it may."""
    best = low.max(axis=0)
    others = np.delete(high, i, axis=0).max(axis=0, initial=-np.inf)
    with np.errstate(invalid="ignore"):
        least = np.minimum(high[i] - best, 0.0)
        exact = (low[i] == high[i]) & (high.max(axis=0) == best)
    leads = low[i] >= others
    behind = np.where(leads, 0.0, np.where(exact, least, np.nan))
    limit = np.where(np.isnan(behind) & (least < 0), least, np.nan)
    return behind, limit


def _leaders(
    runs: list[SystemRuns],
    low: NDArray[np.float64],
    high: NDArray[np.float64],
    better: NDArray[np.int64],
    alpha: float,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Best system of each cell (−1 if none is), and where it is so for sure."""
    cells = np.arange(low.shape[1])
    first = low.argmax(axis=0)
    others = high.copy()
    others[first, cells] = -np.inf
    second = others.argmax(axis=0)
    alone = low[first, cells] > others[second, cells]
    samples = [
        np.array(part) for part in zip(*(sample(r.logs) for r in runs), strict=True)
    ]
    leader, next_best = (
        Sample(*(part[which, cells] for part in samples)) for which in (first, second)
    )
    result = welch(next_best, leader)
    ratio = np.where(better > 0, result.ratio, 1 / result.ratio)
    bounded = np.any([one.censored.any(axis=0) for one in runs], axis=0)
    for cell in np.flatnonzero(bounded & alone):
        pair = (runs[second[cell]], runs[first[cell]])
        result.p[cell] = _p_by_order(*pair, cell)
        ratio[cell] = np.exp(low[first[cell], cell] - others[second[cell], cell])
    sure = (control(result.p) < alpha) & (ratio >= BAND[1])
    return np.where(alone, first, -1), sure & alone


def _p_by_order(one: SystemRuns, other: SystemRuns, cell: np.intp) -> float:
    """P of a cell in which a run has a bound alone; missing with few runs."""
    where = np.arange(len(one.mean)) == cell
    n_one, n_other, p = rank_runs(one, other, where, where[:, None].astype(float))
    return float(p[0]) if min(n_one[0], n_other[0]) >= FEWEST else np.nan


def _shared(there: NDArray[np.bool_], member: Any) -> Any:
    """Keep the cells of each group that all of its systems measured."""
    from fsviz.analysis.membership import Membership

    wanted = ((there @ member) > 0).sum(axis=0)
    entries = member.tocoo()
    cell, group = entries.coords
    keep = (there.sum(axis=0)[cell] == wanted[group]) & (wanted[group] > 1)
    ones = np.ones(keep.sum())
    return Membership((ones, (cell[keep], group[keep])), shape=member.shape)


def _fewest(n: NDArray[np.int64], shared: Any) -> NDArray[np.int64]:
    """Fewest runs in any cell of each group."""
    entries = shared.tocoo()
    cell, group = entries.coords
    fewest = np.full(shared.shape[1], np.iinfo("int64").max)
    np.minimum.at(fewest, group, n[cell])
    return fewest
