"""Every candidate against the baseline: ratios with intervals, and what was left out.

The unit is the run: each run is reduced to the mean logarithm over the *matched* cells,
which both systems measured, and two systems are compared by a t test on these numbers:
round by round where start times show that they took turns, else by Welch's.

A run that lacks some of the matched cells is *partial*: `fsviz.analysis.gaps` says what
it and its cells count for. A run that has a cell without a number (``+++++``, ``<1``,
0) is *censored* there, and its group is given by bounds and ranks instead, as
`fsviz.analysis.tests` explains.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsviz.analysis._ranks import (
    FEWEST_RANKED,
    FEWEST_SIGNED,
    by_ranks,
    by_signed_ranks,
)
from fsviz.analysis.arrangement import Arranged, Sides, arranged_of
from fsviz.analysis.buckets import EDGES, By
from fsviz.analysis.cells import (
    SystemRuns,
    in_order,
    mean_over_runs,
    present,
    select,
)
from fsviz.analysis.families import corrected, corrected_together
from fsviz.analysis.gaps import Levels, levels_of, often_measured
from fsviz.analysis.looks import strictness
from fsviz.analysis.regimes import name_cliffs
from fsviz.analysis.tests import (
    FEWEST,
    Result,
    exponential,
    paired,
    rank_runs,
    rounding_bounds,
    sample,
    take_turns,
    welch,
)
from fsviz.analysis.verdicts import disagreements, verdicts
from fsviz.model.campaign import Data, baseline_of
from fsviz.model.errors import UsageError, printable
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names, choose, unknown
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

_ORDER = ("tool", "operation", "metric", "threads", "setting")
_COUNTS = (
    "n_baseline",
    "n_candidate",
    "n_baseline_partial",
    "n_candidate_partial",
    "n_baseline_censored",
    "n_candidate_censored",
    "needed_baseline",
    "needed_candidate",
)
COLUMNS = (
    "tool",
    "operation",
    "metric",
    "bucket",
    "threads",
    "setting",
    "baseline",
    "candidate",
    "smallest_bytes",
    "largest_bytes",
    "smallest_record_bytes",
    "largest_record_bytes",
    *_COUNTS[:2],
    "cells",
    "cells_unmatched",
    "cells_rare",
    "geomean_ratio",
    "ci_low",
    "ci_high",
    "bound_low",
    "bound_high",
    "total_time_ratio",
    "mean_ratio",
    "p_value",
    "q_value",
    "paired",
    "scatter",
    "cells_low",
    "cells_high",
    "verdict",
    "no_spread",
    "no_single_winner",
    "cliffs",
    *_COUNTS[2:],
)
"""Columns with one row a group of cells."""
CELL_COLUMNS = (
    "tool",
    "operation",
    "metric",
    "file_size_bytes",
    "record_size_bytes",
    "threads",
    "setting",
    "baseline",
    "candidate",
    *_COUNTS[:2],
    "ratio",
    "ci_low",
    "ci_high",
    "bound_low",
    "bound_high",
    "p_value",
    "q_value",
    "paired",
    "verdict",
    "no_spread",
    *_COUNTS[4:],
)
"""Columns with one row a cell."""

Columns = dict[str, Any]


def compare(  # noqa: PLR0913 - all by keyword, each a question of its own
    data: Data,
    *,
    baseline: str | None = None,
    candidate: Names = None,
    operation: Names = None,
    metric: Names = None,
    by: By = "bucket",
    edges: Mapping[str, float] = EDGES,
    confidence: float = 0.95,
    cells: bool = False,
    robust: bool = False,
    arranged: Arranged | None = None,
) -> pd.DataFrame:
    """Compare every candidate with the baseline.

    Units: `edges` [B].

    Runs as the unit and geometric means of ratios: Fleming & Wallace 1986; Kalibera &
    Jones 2013; Hoefler & Belli 2015. q is Benjamini–Hochberg over all rows of one kind
    and candidate, and over all candidates as well for an operation over all sizes and
    the mean of a tool, on which headlines rest; whatever is asked for. What ``fsviz
    run`` looked at several times has p divided, and intervals widened, by the boundary
    of its last look (`fsviz.analysis.looks`).
    """
    whole = measurements_of(data)
    asked = choose("operation", operation, present(whole, "operation"))
    systems = present(whole, "system")
    arranged = arranged_of(data, arranged)
    if by == "tool" and asked:
        # one row for all operations of a tool speaks for those that are asked for
        arranged = Arranged(select(data, operation=asked))
    first, others = _roles(data, systems, baseline, candidate)
    strict = strictness(data)
    method = Method(1 - (1 - confidence) * strict, robust, strict)
    if cells:
        frame = _joined(_cells(s, first, others, method) for s in arranged.tools)
        frame["q_value"] = corrected(frame)
    else:
        every = [name for name in systems if name != first]
        known = _known(arranged, first, every, method)
        key = (by, *(edges.items() if by == "bucket" else ()))
        frame = known.get(key)
        if frame is None:
            frame = _rows(arranged, first, others, method, by=by, edges=edges)
            frame["q_value"] = corrected(frame, known["operation",])
            if len(others) == len(every):
                known[key] = frame
        frame = frame.loc[frame["candidate"].isin(others)].reset_index(drop=True)
    metrics = choose("metric", metric, list(dict.fromkeys(frame["metric"])))
    frame = _answered(_judged(frame), asked, metrics, by)
    if cells:
        frame = frame.rename(columns={"geomean_ratio": "ratio"})
        by_size = ["file_size_bytes", "record_size_bytes"]
        frame = in_order(frame, [*_ORDER, *by_size, "candidate"], {"candidate": others})
        return frame[list(CELL_COLUMNS)]
    frame["no_single_winner"] = disagreements(frame)
    frame["cliffs"] = name_cliffs(frame, arranged.cliffs)
    frame = in_order(frame, [*_ORDER, "rank", "candidate"], {"candidate": others})
    return frame[list(COLUMNS)]


def _answered(
    frame: pd.DataFrame, operations: list[str], metrics: list[str], by: By
) -> pd.DataFrame:
    """Keep the rows that are asked for, now that q is settled."""
    if by != "tool" and operations:
        frame = frame.loc[frame["operation"].isin(operations)]
    if metrics:
        frame = frame.loc[frame["metric"].isin(metrics)]
    frame = frame.reset_index(drop=True)
    if frame.empty:
        raise UsageError("compare: expected measurements, found none")
    return frame


def _roles(
    data: Data,
    systems: list[str],
    baseline: str | None,
    candidates: Names,
) -> tuple[str, list[str]]:
    """Settle who is compared with whom."""
    if not systems:
        raise UsageError("compare: expected measurements, found none")
    first = baseline or baseline_of(data) or systems[0]
    if first not in systems:
        raise unknown("baseline", first, systems)
    named = choose("candidate", candidates, systems)
    others = [name for name in named or systems if name != first]
    if not others:
        raise UsageError(
            f"compare: expected at least two systems, found only {printable(first)}"
        )
    return first, others


def _known(
    arranged: Arranged, first: str, others: list[str], method: Method
) -> dict[tuple[object, ...], pd.DataFrame]:
    """Return what is known of a baseline, by kind: at first the rows of headlines.

    These have q over all candidates.
    """
    key = (first, method)
    if key not in arranged.known:
        kinds: tuple[By, ...] = ("operation", "tool")
        frames = [
            _rows(arranged, first, others, method, by=by, edges=EDGES) for by in kinds
        ]
        said = corrected_together(*frames)
        arranged.known[key] = {
            (by,): frame for by, frame in zip(kinds, said, strict=True)
        }
    return arranged.known[key]


def _rows(
    arranged: Arranged,
    first: str,
    others: list[str],
    method: Method,
    *,
    by: By,
    edges: Mapping[str, float],
) -> pd.DataFrame:
    return _joined(
        _groups(sides, first, others, method, by=by, edges=edges)
        for sides in arranged.tools
    )


def _groups(
    sides: Sides,
    first: str,
    others: list[str],
    method: Method,
    *,
    by: By,
    edges: Mapping[str, float],
) -> pd.DataFrame:
    matrix, base = sides.matrix, sides[first]
    files, records = (
        matrix.cells[f"{name}_size_bytes"].to_numpy(float, na_value=float("nan"))
        for name in ("file", "record")
    )
    parts = []
    for name in others:
        cand = sides[name]
        # what a third system measured says nothing about these two
        ours = base.seen | cand.seen
        if not ours.any():
            continue
        groups, member = sides.groups(ours, by, edges)
        pair = base.of_cells(ours), cand.of_cells(ours)
        every, member = member, often_measured(*pair, member)
        low, high = _sizes(*pair, files[ours], member)
        least, most = _sizes(*pair, records[ours], member)
        columns = {
            "tool": matrix.tool,
            "baseline": first,
            "candidate": name,
            "smallest_bytes": low,
            "largest_bytes": high,
            "smallest_record_bytes": least,
            "largest_record_bytes": most,
            **compare_groups(*pair, member, method),
            "cells_rare": np.asarray(every.sum(axis=0) - member.sum(axis=0)),
        }
        parts.append((groups, columns))
    return _stacked(parts) if parts else pd.DataFrame()


def _sizes(
    base: SystemRuns, cand: SystemRuns, size: NDArray[np.float64], member: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Smallest and largest matched size [B] of each group; missing without one.

    Where no cell is matched there are bounds alone, of all its sizes.
    """
    matched = base.measured & cand.measured
    columns = member.tocsc()
    starts = columns.indptr[:-1]
    counts = np.add.reduceat(matched[columns.indices].astype(int), starts)
    of_group = np.repeat(counts > 0, np.diff(columns.indptr))
    own = np.where(matched[columns.indices] | ~of_group, size[columns.indices], np.nan)
    return np.fmin.reduceat(own, starts), np.fmax.reduceat(own, starts)


def _extremes(
    of_cells: NDArray[np.float64], member: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Smallest and largest number of the cells of each group."""
    columns = member.tocsc()
    own, starts = of_cells[columns.indices], columns.indptr[:-1]
    return np.fmin.reduceat(own, starts), np.fmax.reduceat(own, starts)


def _cells(sides: Sides, first: str, others: list[str], method: Method) -> pd.DataFrame:
    parts = []
    for name in others:
        columns = {
            "tool": sides.matrix.tool,
            "baseline": first,
            "candidate": name,
            **compare_cells(sides[first], sides[name], method),
        }
        parts.append((sides.matrix.cells, columns))
    frame = _stacked(parts)
    measured = frame["cells"] + frame["cells_unmatched"] > 0
    return frame.loc[measured].reset_index(drop=True)


def _stacked(parts: list[tuple[pd.DataFrame, Columns]]) -> pd.DataFrame:
    """Put columns beside frames, and these below one another, all at once.

    One by one, as `assign` does, takes most of the time of a comparison.
    """
    frame = pd.concat([part for part, _ in parts], ignore_index=True)
    lengths = [len(part) for part, _ in parts]
    columns = {
        name: np.concatenate([own[name] for _, own in parts])
        if np.ndim(first)
        else np.repeat([own[name] for _, own in parts], lengths)
        for name, first in parts[0][1].items()
    }
    return pd.concat([frame, pd.DataFrame(columns, index=frame.index)], axis=1)


def _joined(parts: Iterable[pd.DataFrame]) -> pd.DataFrame:
    frame = pd.concat([*parts] or [pd.DataFrame()], ignore_index=True)
    if frame.empty:
        raise UsageError("compare: expected measurements, found none")
    return frame


def _judged(frame: pd.DataFrame) -> pd.DataFrame:
    """Add verdicts, and how many runs a test lacks."""
    frame = frame.assign(verdict=verdicts(frame))
    for name in ("baseline", "candidate"):
        lacking = (frame["fewest"] - frame[f"n_{name}"]).clip(lower=0)
        frame[f"needed_{name}"] = lacking.astype("int64")
    return frame


@dataclass(frozen=True)
class Method:
    """How to compare: the confidence of intervals, whether by ranks, how strictly."""

    confidence: float = 0.95
    robust: bool = False
    strict: float = 1.0


def compare_groups(
    base: SystemRuns, cand: SystemRuns, member: Any, method: Method
) -> Columns:
    """Compare group by group."""
    matched = base.measured & cand.measured
    cells = matched @ member
    columns = {
        "cells": cells.astype("int64"),
        "cells_unmatched": _unmatched(base, cand, matched, member),
        **_estimates(base, cand, matched, member, method),
        "total_time_ratio": _over(base.time, cand.time, matched, member),
        "mean_ratio": _over(cand.mean, base.mean, matched, member),
    }
    columns = _without_numbers(columns, base, cand, member)
    columns["p_value"] = (columns["p_value"] / method.strict).clip(max=1.0)
    return columns


def compare_cells(base: SystemRuns, cand: SystemRuns, method: Method) -> Columns:
    """Compare cell by cell: a group of one cell each, but without a detour."""
    from scipy import sparse

    from fsviz.analysis.membership import Membership

    every = Membership(sparse.eye_array(len(base.mean)))
    return compare_groups(base, cand, every, method)


def _estimates(
    base: SystemRuns,
    cand: SystemRuns,
    matched: NDArray[np.bool_],
    member: Any,
    method: Method,
) -> Columns:
    """Ratio, interval, p, printed bounds and the numbers of runs behind them."""
    levels = [levels_of(one, matched, member) for one in (base, cand)]
    result, used, in_rounds = _tested(base, cand, levels, method)
    # with matched cells but no run to compare, the cells' means still give a ratio
    cells = matched @ member
    logs = [mean_over_runs(one.logs, np.isfinite(one.logs)) for one in (base, cand)]
    of_cells = np.where(matched, logs[1] - logs[0], np.nan)
    apart = np.where(matched, of_cells, 0.0) @ member
    by_cells = exponential(apart / np.where(cells > 0, cells, np.nan))
    least, most = _extremes(of_cells, member)
    ratio = np.where(np.isfinite(result.ratio), result.ratio, by_cells)
    # the digits bound the mean over all runs; what was fitted or left out moves it
    moved = np.where(np.abs(ratio / by_cells - 1) > _ROUNDING, ratio / by_cells, 1.0)
    low, high = (b * moved for b in rounding_bounds(base, cand, member))
    return {
        **_counts("baseline", base, used[0], matched, member),
        **_counts("candidate", cand, used[1], matched, member),
        "geomean_ratio": ratio,
        "ci_low": np.where(np.isnan(result.low), np.nan, np.fmin(low, result.low)),
        "ci_high": np.where(np.isnan(result.high), np.nan, np.fmax(high, result.high)),
        "bound_low": low,
        "bound_high": high,
        "p_value": result.p,
        "paired": in_rounds,
        "scatter": result.scatter,
        "cells_low": exponential(least),
        "cells_high": exponential(most),
        "fewest": _fewest(in_rounds, method),
        "no_spread": result.constant,
    }


_ROUNDING = 1e-9
"""A smaller relative difference of two ratios is rounding of the arithmetic."""


def _tested(
    base: SystemRuns,
    cand: SystemRuns,
    levels: list[Levels],
    method: Method,
) -> tuple[Result, list[NDArray[np.int64]], NDArray[np.bool_]]:
    """Compare the runs' levels, round by round where the systems took turns."""
    first, other = levels
    if method.robust:
        result = by_ranks(first.runs, other.runs, method.confidence)
    else:
        result = welch(sample(*first), sample(*other), method.confidence)
    used = [np.isfinite(one.runs) for one in levels]
    number = [one.least.copy() for one in levels]
    in_rounds = np.zeros(used[0].shape[1], bool)
    rarest = np.minimum(first.least, other.least)
    of_runs: dict[bytes, list[int]] = {}
    for group, there in enumerate(np.vstack(used).T):
        of_runs.setdefault(there.tobytes(), []).append(group)
    for groups in map(np.array, of_runs.values()):
        rounds = _rounds(base, cand, *(part[:, groups[0]] for part in used))
        if rounds is None:
            continue
        own = [
            one.runs[np.ix_(row, groups)]
            for one, row in zip(levels, rounds, strict=True)
        ]
        if method.robust:
            found = by_signed_ranks(own[0], own[1], method.confidence)
        else:
            found = paired(own[0], own[1], method.confidence, rarest[groups])
        for whole, part in zip(result, found, strict=True):
            whole[groups] = part
        both = np.isfinite(own[0]) & np.isfinite(own[1])
        for n in number:
            n[groups] = np.minimum(both.sum(axis=0), rarest[groups])
        in_rounds[groups] = True
    return result, number, in_rounds


def _rounds(
    base: SystemRuns,
    cand: SystemRuns,
    in_base: NDArray[np.bool_],
    in_cand: NDArray[np.bool_],
) -> list[NDArray[np.int64]] | None:
    """List the runs of each round, if the systems took turns.

    Runs of the same configurations count as rounds even if they lack what is compared,
    so that the others keep their places.
    """
    rows = []
    for one, there in ((base, in_base), (cand, in_cand)):
        own = np.flatnonzero(np.isin(one.configuration, one.configuration[there]))
        rows.append(own[np.argsort(one.started[own], kind="stable")])
    if not take_turns(base.started[rows[0]], cand.started[rows[1]]):
        return None
    n = min(map(len, rows))
    return [row[:n] for row in rows]


def _fewest(in_rounds: NDArray[np.bool_], method: Method) -> NDArray[np.int64]:
    """Say how many runs of each system a test needs."""
    if not method.robust:
        return np.full(in_rounds.shape, FEWEST)
    return np.where(in_rounds, FEWEST_SIGNED, FEWEST_RANKED)


def _counts(
    name: str,
    one: SystemRuns,
    used: NDArray[np.int64],
    matched: NDArray[np.bool_],
    member: Any,
) -> Columns:
    """Count the runs that were compared and those that lack some matched cells."""
    there = (np.isfinite(one.logs) | one.censored).astype(float)
    took_part = (there @ member) > 0
    lacks = ((there * matched) @ member) < (matched @ member)
    nothing = (matched @ member) == 0
    return {
        f"n_{name}": np.where(nothing, took_part.sum(axis=0), used),
        f"n_{name}_partial": (took_part & lacks & ~nothing).sum(axis=0),
    }


def _without_numbers(
    columns: Columns,
    base: SystemRuns,
    cand: SystemRuns,
    member: Any,
) -> Columns:
    """Give groups with a censored run their bounds and ranks instead of estimates.

    A cell that one side was too fast to time counts: without it a mean over operations
    would be that of the others, left out by their values.
    """
    both = base.seen & cand.seen
    counts = {
        f"n_{name}_censored": ((one.censored & both) @ member > 0).sum(axis=0)
        for name, one in (("baseline", base), ("candidate", cand))
    }
    censored = sum(counts.values()) > 0
    if not censored.any():
        return {**columns, **counts}
    n_base, n_cand, p = rank_runs(base, cand, both, member[:, censored])
    # nothing was fitted that could move them
    bounds = rounding_bounds(base, cand, member)
    for name, bound in zip(("bound_low", "bound_high"), bounds, strict=True):
        columns[name] = np.where(censored, bound, columns[name])
    estimates = ("geomean_ratio", "ci_low", "ci_high", "scatter")
    for name in (*estimates, "total_time_ratio", "mean_ratio"):
        columns[name] = np.where(censored, np.nan, columns[name])
    few = np.minimum(n_base, n_cand) < FEWEST
    # bounds alone, none of which lies beyond another, are no test
    sides = (("n_baseline", n_base), ("n_candidate", n_cand))
    alone = columns["cells"][censored] == 0
    for name, n in sides:
        alone &= n <= counts[f"{name}_censored"][censored]
    few |= alone & (p >= 1)
    columns["fewest"][censored] = FEWEST
    for name, new in (
        ("p_value", np.where(few, np.nan, p)),
        ("n_baseline", n_base),
        ("n_candidate", n_cand),
        ("no_spread", False),
        ("paired", False),
    ):
        columns[name][censored] = new
    for name in ("n_baseline_partial", "n_candidate_partial"):
        columns[name][censored] = 0
    return {**columns, **counts}


def _unmatched(
    base: SystemRuns, cand: SystemRuns, matched: NDArray[np.bool_], member: Any
) -> NDArray[np.int64]:
    """Count the cells without a number on one side, of those that any side saw."""
    return (((base.seen | cand.seen) & ~matched) @ member).astype("int64")


def _over(
    above: NDArray[np.float64],
    below: NDArray[np.float64],
    matched: NDArray[np.bool_],
    member: Any,
) -> NDArray[np.float64]:
    """Divide the sums over matched cells; missing without one."""
    sums = [np.where(matched, part, 0.0) @ member for part in (above, below)]
    with np.errstate(over="ignore", invalid="ignore"):
        ratio = sums[0] / np.where(sums[1] > 0, sums[1], np.nan)
    there = np.isfinite(ratio) & np.isfinite(sums[1])
    return np.where(there, ratio, np.nan)
