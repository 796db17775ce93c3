"""Every candidate against the baseline: ratios with intervals, and what was left out.

The unit is the run: each run is reduced to the mean logarithm over the cells of a row,
and two systems are compared by a t test on these numbers: round by round where start
times show that they took turns, else by Welch's (`fsviz.analysis.tests`).

A row rests on its *complete* cells, those that every run that counts has measured. A
run with fewer than half of the cells that both sides have does not count there, and a
row of which fewer than half of the cells are complete is not tested: its finer rows
are. Nothing is filled in. A run that has a cell without a number (``+++++``, ``<1``, 0)
is *censored* there, and its row is given by bounds and ranks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

from fsviz.analysis.arrangement import Arranged, Sides
from fsviz.analysis.buckets import EDGES, By
from fsviz.analysis.cells import SystemRuns, beside, in_order, mean_over_runs
from fsviz.analysis.drift import Order, order_of, with_drift, without_drift
from fsviz.analysis.membership import Membership, of_each_cell
from fsviz.analysis.regimes import name_cliffs
from fsviz.analysis.tests import (
    ERROR,
    FEWEST,
    Result,
    control,
    exponential,
    paired,
    rank_runs,
    rounding_bounds,
    sample,
    take_turns,
    welch,
)
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np, pd

if TYPE_CHECKING:
    from numpy.typing import NDArray

HALF = 0.5
"""Share of the cells that a run, and a row, must have to count in a pooled test."""

_ORDER = ("tool", "operation", "metric", "threads", "setting")
PLACE = ("tool", "operation", "metric", "threads", "setting", "candidate")
"""What a row shares with the rows of its parts."""
Columns = dict[str, Any]


def compare_rows(
    arranged: Arranged,
    baseline: str,
    by: By,
    strict: float,
    edges: Mapping[str, float] = EDGES,
) -> pd.DataFrame:
    """Compare every other system with the baseline, one row per group of cells.

    Runs as the unit and geometric means of ratios: Fleming & Wallace 1986; Kalibera &
    Jones 2013. q is Benjamini–Hochberg over all rows of this kind in the campaign,
    whatever is shown of them. Looks at a campaign make p values and intervals
    ``strict`` times as strict. Units: `edges` [B].
    """
    parts = [_groups(s, baseline, strict, by=by, edges=edges) for s in arranged.tools]
    frame = _joined(parts)
    frame["cliffs"] = name_cliffs(frame, arranged.cliffs)
    return _finished(frame, [*_ORDER, "rank", "candidate"], arranged)


def compare_cells(arranged: Arranged, baseline: str, strict: float) -> pd.DataFrame:
    """Compare every other system with the baseline, one row per cell."""
    frame = _joined(_cells(sides, baseline, strict) for sides in arranged.tools)
    by_size = ["file_size_bytes", "record_size_bytes"]
    return _finished(frame, [*_ORDER, *by_size, "candidate"], arranged)


def _finished(frame: pd.DataFrame, by: list[str], arranged: Arranged) -> pd.DataFrame:
    """Add q, and sort."""
    if frame.empty:
        raise UsageError("compare: expected measurements, found none")
    frame["q_value"] = control(with_drift(frame))
    frame = in_order(frame, by, {"candidate": arranged.systems})
    return frame.drop(columns="rank", errors="ignore")


def _groups(
    sides: Sides,
    baseline: str,
    strict: float,
    *,
    by: By,
    edges: Mapping[str, float],
) -> pd.DataFrame:
    matrix, base = sides.matrix, sides[baseline]
    sizes = [
        matrix.cells[f"{name}_size_bytes"].to_numpy(float, na_value=float("nan"))
        for name in ("file", "record")
    ]
    pairs, of_pairs = [], []
    for name in sides.candidates_against(baseline):
        cand = sides[name]
        # what a third system measured says nothing about these two
        ours = base.seen | cand.seen
        if not ours.any():
            continue
        groups, member = sides.groups(ours, by, edges)
        pairs.append(
            Pair(name, groups, base.of_cells(ours), cand.of_cells(ours), member)
        )
        of_pairs.append([size[ours] for size in sizes])
    parts = []
    for at in _batches(pairs):
        batch = side_by_side(pairs[at])
        files, records = map(np.concatenate, zip(*of_pairs[at], strict=True))
        ends, record_ends = (_sizes(batch, size) for size in (files, records))
        columns = {
            "smallest_bytes": ends[0],
            "largest_bytes": ends[1],
            "smallest_record_bytes": record_ends[0],
            "largest_record_bytes": record_ends[1],
            **compare_groups(batch, strict),
        }
        lacking = columns["incomplete"]
        lacking[:] = [frozenset(files[list(cells)]) for cells in lacking]
        parts.append(_rows_of_pairs(sides, baseline, pairs[at], columns))
    return _stacked(parts) if parts else pd.DataFrame()


def _cells(sides: Sides, baseline: str, strict: float) -> pd.DataFrame:
    """Compare cell by cell: a group of one cell each."""
    base, cells = sides[baseline], sides.matrix.cells
    every = of_each_cell(len(base.mean))
    pairs = [
        Pair(name, cells, base, sides[name], every)
        for name in sides.candidates_against(baseline)
    ]
    if not pairs:
        return pd.DataFrame()
    frame = _stacked(
        [
            _rows_of_pairs(
                sides,
                baseline,
                pairs[at],
                compare_groups(side_by_side(pairs[at]), strict),
            )
            for at in _batches(pairs)
        ]
    )
    measured = frame["cells"] + frame["cells_unmatched"] > 0
    return frame.loc[measured].reset_index(drop=True)


class Pair(NamedTuple):
    """A candidate and the baseline: their runs, and which cells each row speaks for."""

    candidate: str
    rows: pd.DataFrame
    base: SystemRuns
    cand: SystemRuns
    member: Membership


class SideBySide(NamedTuple):
    """Several pairs, the cells and rows of one after those of another.

    One call for a thousand small pairs takes about as long as one for a single pair.
    """

    base: SystemRuns
    cand: SystemRuns
    member: Membership
    parts: list[tuple[Pair, slice]]
    """Each pair, and where its rows are."""


_AT_ONCE = 100_000
"""Numbers of a side that are compared in one call: a few megabytes."""


def _batches(pairs: Sequence[Pair]) -> Iterator[slice]:
    """Split pairs so that few large ones or many small ones are compared at once."""
    begin, count = 0, 0
    for end, pair in enumerate(pairs):
        number = max(pair.base.logs.size, pair.cand.logs.size)
        if count and count + number > _AT_ONCE:
            yield slice(begin, end)
            begin, count = end, 0
        count += number
    if count:
        yield slice(begin, len(pairs))


def side_by_side(pairs: Sequence[Pair]) -> SideBySide:
    """Put pairs beside one another."""
    members = [pair.member for pair in pairs]
    cell_at, row_at = (
        np.cumsum([0, *numbers])
        for numbers in ([m.cells for m in members], [m.groups for m in members])
    )
    member = Membership(
        np.concatenate([m.cell + at for m, at in zip(members, cell_at, strict=False)]),
        np.concatenate([m.group + at for m, at in zip(members, row_at, strict=False)]),
        int(cell_at[-1]),
        int(row_at[-1]),
    )
    return SideBySide(
        beside([pair.base for pair in pairs]),
        beside([pair.cand for pair in pairs]),
        member,
        [
            (pair, slice(*ends))
            for pair, ends in zip(pairs, pairwise(row_at.tolist()), strict=True)
        ],
    )


def _rows_of_pairs(
    sides: Sides, baseline: str, pairs: Sequence[Pair], columns: Columns
) -> tuple[pd.DataFrame, Columns]:
    """Put the rows of pairs below one another, with their names."""
    names = np.array([pair.candidate for pair in pairs], dtype=object)
    candidates = np.repeat(names, [len(pair.rows) for pair in pairs])
    rows = pd.concat([pair.rows for pair in pairs], ignore_index=True)
    named = {"tool": sides.matrix.tool, "baseline": baseline, "candidate": candidates}
    return rows, named | columns


def _sizes(
    pairs: SideBySide, size: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Smallest and largest matched size [B] of each group; missing without one.

    Where no cell is matched there are bounds alone, of all its sizes.
    """
    matched = pairs.base.measured & pairs.cand.measured
    cells, starts = pairs.member.by_group()
    counts = np.add.reduceat(matched[cells].astype(int), starts)
    of_group = np.repeat(counts > 0, pairs.member.sizes)
    shown = matched[cells] | ~of_group
    sizes = np.where(shown, size[cells], np.nan)
    return np.fmin.reduceat(sizes, starts), np.fmax.reduceat(sizes, starts)


def _stacked(parts: list[tuple[pd.DataFrame, Columns]]) -> pd.DataFrame:
    """Put columns beside frames, and these below one another, all at once.

    One by one, as `assign` does, takes most of the time of a comparison.
    """
    frame = pd.concat([part for part, _ in parts], ignore_index=True)
    lengths = [len(part) for part, _ in parts]
    columns = {
        name: np.concatenate([values[name] for _, values in parts])
        if np.ndim(first)
        else np.repeat([values[name] for _, values in parts], lengths)
        for name, first in parts[0][1].items()
    }
    return pd.concat([frame, pd.DataFrame(columns, index=frame.index)], axis=1)


def _joined(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    filled = [part for part in parts if len(part)]
    return pd.concat(filled or [pd.DataFrame()], ignore_index=True)


def compare_groups(pairs: SideBySide, strict: float) -> Columns:
    """Compare group by group."""
    base, cand, member, _ = pairs
    matched = base.measured & cand.measured
    columns = {
        "cells": (matched @ member).astype("int64"),
        "cells_unmatched": _unmatched(base, cand, matched, member),
        **_estimates(pairs, matched, strict),
        "total_time_ratio": _over(base.time, cand.time, matched, member),
        "mean_ratio": _over(cand.mean, base.mean, matched, member),
    }
    columns = _without_numbers(columns, base, cand, member)
    columns["p_value"] = (columns["p_value"] / strict).clip(max=1.0)
    return columns


class Levels(NamedTuple):
    """Levels of runs, shape (runs, groups), missing where a run does not count.

    ``incomplete`` lists the cells of each group that are not complete, ``left_out``
    counts the runs that failed or have fewer than half of the cells, and ``whole`` says
    which groups have enough complete cells.
    """

    runs: list[NDArray[np.float64]]
    times: list[NDArray[np.float64]]
    left_out: list[NDArray[np.int64]]
    incomplete: NDArray[np.object_]
    pooled: NDArray[np.bool_]


def levels_of(
    pair: tuple[SystemRuns, SystemRuns], matched: NDArray[np.bool_], member: Membership
) -> Levels:
    """Reduce each run that counts to its mean over the complete cells of each group."""
    number_matched = matched @ member
    present = [np.isfinite(side.logs) & matched for side in pair]
    counts = [seen.astype(float) @ member for seen in present]
    counting = [(count > 0) & (count >= HALF * number_matched) for count in counts]
    cell, group = member.cell, member.group
    complete = matched[cell].copy()
    for seen, runs in zip(present, counting, strict=True):
        lacks = runs[:, group] & ~seen[:, cell]
        complete &= ~lacks.any(axis=0) & runs[:, group].any(axis=0)
    part = member.of_pairs(complete)
    number = part.sizes
    pooled = (number > 0) & (number >= HALF * number_matched)
    incomplete = np.full(len(number), None)
    incomplete[:] = [()] * len(number)
    for at in np.flatnonzero(matched[cell] & ~complete):
        incomplete[group[at]] += (cell[at],)
    left_out = [
        ((((count > 0) & pooled) | (side.failed @ member > 0)) & ~runs).sum(axis=0)
        for side, count, runs in zip(pair, counts, counting, strict=True)
    ]
    levels, times = [], []
    for side, seen, runs in zip(pair, present, counting, strict=True):
        used = runs & pooled
        total = np.where(seen, side.logs, 0.0) @ part
        levels.append(np.where(used, total / np.where(pooled, number, np.nan), np.nan))
        with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
            spent = np.where(seen, side.run_times, 0.0) @ part
            times.append(np.where(used & (spent > 0), np.log(spent), np.nan))
    return Levels(levels, times, left_out, incomplete, pooled)


def _estimates(pairs: SideBySide, matched: NDArray[np.bool_], strict: float) -> Columns:
    """Ratio, interval, p, printed bounds and the numbers of runs behind them."""
    base, cand, member, parts = pairs
    pair = base, cand
    levels = levels_of(pair, matched, member)
    tested = _tested(parts, levels, strict)
    result, fewer = tested.result, np.minimum(*tested.counts)
    drift = without_drift(result, tested.order, fewer, ERROR * strict) / strict
    # where nothing is pooled the cells' means still give a ratio
    cells = matched @ member
    logs = [mean_over_runs(side.logs, np.isfinite(side.logs)) for side in pair]
    of_cells = np.where(matched, logs[1] - logs[0], np.nan)
    differences = np.where(matched, of_cells, 0.0) @ member
    by_cells = exponential(differences / np.where(cells > 0, cells, np.nan))
    ratio = np.where(np.isfinite(result.ratio), result.ratio, by_cells)
    # the digits bound the mean over all runs; what was left out moves it
    moved = np.where(np.abs(ratio / by_cells - 1) > _ROUNDING, ratio / by_cells, 1.0)
    low, high = (bound * moved for bound in rounding_bounds(base, cand, member))
    seen = [
        ((np.isfinite(s.logs) | s.censored).astype(float) @ member > 0).sum(axis=0)
        for s in pair
    ]
    counts = [
        np.where(levels.pooled, used, n)
        for used, n in zip(tested.counts, seen, strict=True)
    ]
    columns = dict(zip(("n_baseline", "n_candidate"), counts, strict=True))
    for name, missing in zip(("baseline", "candidate"), levels.left_out, strict=True):
        columns[f"left_out_{name}"] = missing
    return columns | {
        "incomplete": levels.incomplete,
        "ratio": ratio,
        "ci_low": np.where(np.isnan(result.low), np.nan, np.fmin(low, result.low)),
        "ci_high": np.where(np.isnan(result.high), np.nan, np.fmax(high, result.high)),
        "bound_low": low,
        "bound_high": high,
        "p_value": result.p,
        "drift": drift,
        "paired": tested.in_rounds,
        "scatter": result.scatter,
        "total_low": tested.total.low,
        "total_high": tested.total.high,
        "baseline_value": (value := _level(levels, logs[0], matched, member)),
        "candidate_value": value * ratio,
        "baseline_is_least": np.zeros(len(ratio), bool),
        "candidate_is_least": np.zeros(len(ratio), bool),
        "order": tested.order.order,
    }


def _level(
    levels: Levels,
    of_cells: NDArray[np.float64],
    matched: NDArray[np.bool_],
    member: Membership,
) -> NDArray[np.float64]:
    """Geometric mean of the baseline over the runs and cells that a ratio rests on."""
    number = matched @ member
    over_cells = np.where(matched, of_cells, 0.0) @ member
    over_cells = over_cells / np.where(number > 0, number, np.nan)
    return exponential(np.where(levels.pooled, sample(levels.runs[0]).mean, over_cells))


_ROUNDING = 1e-9
"""A smaller relative difference of two ratios is rounding of the arithmetic."""


class Tested(NamedTuple):
    """The tests of ratio and total time, the runs of each side, their order."""

    result: Result
    total: Result
    counts: list[NDArray[np.int64]]
    in_rounds: NDArray[np.bool_]
    order: Order

    def of(self, rows: slice) -> Tested:
        """Look at some rows; what is set in them is set here."""
        parts: Iterable[Any] = (self.result, self.total, self.order)
        result, total, order = (
            type(part)(*(column[rows] for column in part)) for part in parts
        )
        counts = [count[rows] for count in self.counts]
        return Tested(result, total, counts, self.in_rounds[rows], order)


def _tested(
    parts: Sequence[tuple[Pair, slice]], levels: Levels, strict: float
) -> Tested:
    """Compare the runs' levels, round by round where the systems took turns."""
    result, total = (
        welch(sample(numbers[0]), sample(numbers[1]), ERROR * strict)
        for numbers in (levels.runs, levels.times)
    )
    used = [np.isfinite(runs) for runs in levels.runs]
    rows = used[0].shape[1]
    tested = Tested(
        result,
        total,
        [counting.sum(axis=0) for counting in used],
        np.zeros(rows, bool),
        Order.unknown(rows),
    )
    for (_, _, *sides, _), at in parts:
        numbers = [
            [
                part[: len(side.started), at]
                for part, side in zip(both, sides, strict=True)
            ]
            for both in (levels.runs, levels.times)
        ]
        _in_order(sides, numbers, tested.of(at), strict)
    return tested


def _in_order(
    pair: Sequence[SystemRuns],
    levels: Sequence[list[NDArray[np.float64]]],
    tested: Tested,
    strict: float,
) -> None:
    """Set the order of a pair's runs, and test round by round if they took turns.

    ``levels`` are those of the runs and of their times.
    """
    used = [np.isfinite(runs) for runs in levels[0]]
    same_runs: dict[bytes, list[int]] = {}
    for group, counting in enumerate(np.vstack(used).T):
        same_runs.setdefault(counting.tobytes(), []).append(group)
    for groups in map(np.array, same_runs.values()):
        present = [np.flatnonzero(counting[:, groups[0]]) for counting in used]
        rows = [
            numbers[np.argsort(side.started[numbers], kind="stable")]
            for side, numbers in zip(pair, present, strict=True)
        ]
        rounds = _rounds(pair, present)
        rows = rounds or rows
        started = [side.started[row] for side, row in zip(pair, rows, strict=True)]
        runs = [
            numbers[np.ix_(row, groups)]
            for numbers, row in zip(levels[0], rows, strict=True)
        ]
        tested.order.put(groups, order_of(started, runs))
        if rounds is None:
            continue
        for results, numbers in zip((tested.result, tested.total), levels, strict=True):
            sides = [
                part[np.ix_(row, groups)]
                for part, row in zip(numbers, rounds, strict=True)
            ]
            compared = paired(sides[0], sides[1], ERROR * strict)
            for column, values in zip(results, compared, strict=True):
                column[groups] = values
        for count in tested.counts:
            count[groups] = len(rounds[0])
        tested.in_rounds[groups] = True


def _rounds(
    pair: Sequence[SystemRuns], present: list[NDArray[np.int64]]
) -> list[NDArray[np.int64]] | None:
    """List the runs of each round that are compared, if the systems took turns.

    Runs of the same configurations count as rounds even if they lack what is compared,
    so that the others keep their places.
    """
    rows = []
    for side, numbers in zip(pair, present, strict=True):
        alike = np.isin(side.configuration, side.configuration[numbers])
        runs = np.flatnonzero(alike)
        rows.append(runs[np.argsort(side.started[runs], kind="stable")])
    if not take_turns(*(s.started[row] for s, row in zip(pair, rows, strict=True))):
        return None
    n = min(map(len, rows))
    ran = [np.isin(row[:n], runs) for row, runs in zip(rows, present, strict=True)]
    return [row[:n][ran[0] & ran[1]] for row in rows]


def _without_numbers(
    columns: Columns,
    base: SystemRuns,
    cand: SystemRuns,
    member: Membership,
) -> Columns:
    """Give groups with a censored run their bounds and ranks instead of estimates.

    A cell that one side was too fast to time counts: without it a mean over operations
    would be that of the others, left out by their values.
    """
    both = base.seen & cand.seen
    counts = {
        f"n_{name}_censored": ((side.censored & both) @ member > 0).sum(axis=0)
        for name, side in (("baseline", base), ("candidate", cand))
    }
    censored = sum(counts.values()) > 0
    if not censored.any():
        return {**columns, **counts}
    n_base, n_cand, p = rank_runs(base, cand, both, member.of_groups(censored))
    bounds = rounding_bounds(base, cand, member)
    for name, bound in zip(("bound_low", "bound_high"), bounds, strict=True):
        columns[name] = np.where(censored, bound, columns[name])
    estimates = ("ratio", "ci_low", "ci_high", "scatter", "total_low", "total_high")
    for name in (*estimates, "total_time_ratio", "mean_ratio", "drift"):
        columns[name] = np.where(censored, np.nan, columns[name])
    few = np.minimum(n_base, n_cand) < FEWEST
    # bounds alone, none of which lies beyond another, are no test
    sides = (("n_baseline", n_base), ("n_candidate", n_cand))
    alone = columns["cells"][censored] == 0
    for name, n in sides:
        alone &= n <= counts[f"{name}_censored"][censored]
    few |= alone & (p >= 1)
    for name, new in (
        ("p_value", np.where(few, np.nan, p)),
        ("n_baseline", n_base),
        ("n_candidate", n_cand),
        ("paired", False),
        ("left_out_baseline", 0),
        ("left_out_candidate", 0),
    ):
        columns[name][censored] = new
    for name, side in (("baseline", base), ("candidate", cand)):
        value, least = _bounded_level(side, both, member)
        columns[f"{name}_value"] = np.where(censored, value, columns[f"{name}_value"])
        columns[f"{name}_is_least"] = censored & least
    return {**columns, **counts}


def _bounded_level(
    side: SystemRuns, both: NDArray[np.bool_], member: Membership
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Geometric mean in which a run that was too fast to time counts with its bound.

    Also say where it is a least one: without such runs the slow ones would make it.
    """
    levels = np.where(np.isfinite(side.logs), side.logs, side.run_low)
    levels = np.where(np.isfinite(levels), levels, np.nan)
    of_cells = mean_over_runs(levels, np.isfinite(side.logs) | side.censored)
    number = both @ member
    total = np.where(both, of_cells, 0.0) @ member
    least = np.logical_or.reduce((side.censored & both) @ member > 0)
    return exponential(total / np.where(number > 0, number, np.nan)), least


def _unmatched(
    base: SystemRuns, cand: SystemRuns, matched: NDArray[np.bool_], member: Membership
) -> NDArray[np.int64]:
    """Count the cells without a number on one side, of those that any side saw."""
    return (((base.seen | cand.seen) & ~matched) @ member).astype("int64")


def _over(
    above: NDArray[np.float64],
    below: NDArray[np.float64],
    matched: NDArray[np.bool_],
    member: Membership,
) -> NDArray[np.float64]:
    """Divide the sums over matched cells; missing without one."""
    sums = [np.where(matched, part, 0.0) @ member for part in (above, below)]
    with np.errstate(over="ignore", invalid="ignore"):
        ratio = sums[0] / np.where(sums[1] > 0, sums[1], np.nan)
    has_both = np.isfinite(ratio) & np.isfinite(sums[1])
    return np.where(has_both, ratio, np.nan)
