"""Every candidate against the baseline: ratios with intervals, and what was left out.

The unit is the run: each run is reduced to the mean logarithm over the cells that both
sides measured, and two systems are compared by Welch's t test on these numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fsviz.analysis.buckets import EDGES, By, group_cells
from fsviz.analysis.cells import (
    Matrix,
    SystemRuns,
    in_order,
    matrices,
    mean_over_runs,
    performance,
    present,
    refuse_mixed,
    select,
    system_runs,
    with_cpu_cost,
)
from fsviz.analysis.regimes import cliffs, limits_of, name_cliffs
from fsviz.analysis.tests import (
    FEWEST,
    control,
    exponential,
    rank_runs,
    rounding_bounds,
    sample,
    welch,
)
from fsviz.analysis.verdicts import disagreements, verdicts
from fsviz.model.errors import UsageError, printable
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

_ORDER = ("tool", "operation", "metric", "threads")
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
    "baseline",
    "candidate",
    *_COUNTS[:2],
    "cells",
    "cells_unmatched",
    "geomean_ratio",
    "ci_low",
    "ci_high",
    "bound_low",
    "bound_high",
    "total_time_ratio",
    "mean_ratio",
    "p_value",
    "q_value",
    "verdict",
    "no_spread",
    "no_single_winner",
    "cliffs",
    *_COUNTS[2:],
)
CELL_COLUMNS = (
    "tool",
    "operation",
    "metric",
    "file_size_bytes",
    "record_size_bytes",
    "threads",
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
    "verdict",
    "no_spread",
    *_COUNTS[4:],
)


def compare(
    data: object,
    *,
    baseline: str | None = None,
    candidates: Sequence[str] | None = None,
    operations: Sequence[str] | None = None,
    by: By = "bucket",
    edges: Mapping[str, float] = EDGES,
    confidence: float = 0.95,
    cells: bool = False,
) -> pd.DataFrame:
    """Compare every candidate with the baseline.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    baseline : str or None
        System to compare with; by default the campaign's, else the first.
    candidates, operations : sequence of str or None
        What to compare; by default everything else, and every operation.
    by : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
        What a row speaks for; with buckets there is also a row ``all`` where there
        are several.
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.
    confidence : float
        Of the intervals, between 0 and 1.
    cells : bool
        One row a cell instead, with ``ratio`` for ``geomean_ratio``; cells that only
        one side measured are there too, without a ratio.

    Returns
    -------
    DataFrame
        One row a tool, operation, metric, bucket, number of threads and candidate.
        ``geomean_ratio`` is candidate ÷ baseline over the matched cells, ``ci_low``
        and ``ci_high`` its interval over runs, ``bound_low`` and ``bound_high`` what
        the printed digits allow; ``total_time_ratio`` is above 1 if the candidate
        needs less time; ``verdict`` as `fsviz.analysis.verdicts.verdicts` says.
        ``n_…`` counts whole runs, ``n_…_partial`` runs that lack a matched cell and
        take no part, ``n_…_censored`` runs with a cell that has no number: then only
        the bounds are given, and p is by ranks. ``needed_…``: runs that a test lacks.
        ``no_spread``: neither side varies; ``cliffs``: what the row averages across.

    Raises
    ------
    UsageError
        If there is nothing to compare, or a name is unknown.
    MixedCellError
        If a cell holds runs that are not repeats of one another.

    Notes
    -----
    Runs as the unit and geometric means of ratios: Fleming & Wallace 1986; Kalibera &
    Jones 2013; Hoefler & Belli 2015. q is Benjamini–Hochberg over all rows.
    """
    whole = measurements_of(data)
    chosen = select(whole, operations=operations)
    refuse_mixed(performance(chosen))
    table = with_cpu_cost(performance(chosen), chosen)
    first, others = _sides(data, present(whole, "system"), baseline, candidates)
    compare_one = _cells if cells else _groups
    parts = [
        compare_one(matrix, first, others, by=by, edges=edges, confidence=confidence)
        for matrix in matrices(table)
    ]
    frame = _judge(parts)
    if cells:
        frame = frame.rename(columns={"geomean_ratio": "ratio"})
        by_size = ["file_size_bytes", "record_size_bytes"]
        frame = in_order(frame, [*_ORDER, *by_size, "candidate"], {"candidate": others})
        return frame[list(CELL_COLUMNS)]
    frame["no_single_winner"] = disagreements(frame)
    frame["cliffs"] = name_cliffs(frame, cliffs(table, limits_of(data)["cliff_ratio"]))
    frame = in_order(frame, [*_ORDER, "rank", "candidate"], {"candidate": others})
    return frame[list(COLUMNS)]


def _sides(
    data: object,
    systems: list[str],
    baseline: str | None,
    candidates: Sequence[str] | None,
) -> tuple[str, list[str]]:
    """Settle who is compared with whom."""
    if not systems:
        raise UsageError("compare: expected measurements, found none")
    first = baseline or getattr(data, "baseline", None) or systems[0]
    named = [("baseline", first), *(("candidate", name) for name in candidates or ())]
    for role, name in named:
        if name not in systems:
            known = ", ".join(map(printable, systems))
            raise UsageError(
                f"{role}: expected one of {known}, found {printable(name)}"
            )
    others = [name for name in dict.fromkeys(candidates or systems) if name != first]
    if not others:
        raise UsageError(
            f"compare: expected at least two systems, found only {printable(first)}"
        )
    return first, others


def _groups(
    matrix: Matrix,
    first: str,
    others: list[str],
    *,
    by: By,
    edges: Mapping[str, float],
    confidence: float,
) -> pd.DataFrame:
    import numpy as np
    import pandas as pd

    groups, member = group_cells(matrix.cells, by, edges)
    base = system_runs(matrix, first)
    size = matrix.cells["file_size_bytes"].to_numpy(float, na_value=np.nan)
    parts = []
    for name in others:
        cand = system_runs(matrix, name)
        columns = compare_groups(base, cand, member, confidence)
        low, high = _sizes(base, cand, size, member)
        part = groups.assign(
            tool=matrix.tool,
            baseline=first,
            candidate=name,
            smallest_bytes=low,
            largest_bytes=high,
            **columns,
        )
        parts.append(part.loc[part["cells"] + part["cells_unmatched"] > 0])
    return pd.concat(parts, ignore_index=True)


def _sizes(
    base: SystemRuns, cand: SystemRuns, size: NDArray[np.float64], member: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Smallest and largest matched file size [B] of each group; missing without one."""
    import numpy as np

    matched = base.measured & cand.measured & np.isfinite(size)
    columns = member.tocsc()
    starts = columns.indptr[:-1]
    low = np.where(matched, size, np.inf)[columns.indices]
    high = np.where(matched, size, -np.inf)[columns.indices]
    return np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)


def _cells(
    matrix: Matrix, first: str, others: list[str], *, confidence: float, **_: object
) -> pd.DataFrame:
    import pandas as pd

    base = system_runs(matrix, first)
    parts = []
    for name in others:
        columns = compare_cells(base, system_runs(matrix, name), confidence)
        part = matrix.cells.assign(
            tool=matrix.tool, baseline=first, candidate=name, **columns
        )
        parts.append(part.loc[part["cells"] + part["cells_unmatched"] > 0])
    return pd.concat(parts, ignore_index=True)


def _judge(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Add what needs the whole table: q and verdicts."""
    import pandas as pd

    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    if frame.empty:
        raise UsageError("compare: expected measurements, found none")
    frame["q_value"] = control(frame["p_value"].to_numpy(float))
    frame["verdict"] = verdicts(frame)
    for name in ("baseline", "candidate"):
        lacking = (FEWEST - frame[f"n_{name}"]).clip(lower=0)
        frame[f"needed_{name}"] = lacking.astype("int64")
    return frame


Columns = dict[str, Any]


def compare_groups(
    base: SystemRuns, cand: SystemRuns, member: Any, confidence: float = 0.95
) -> Columns:
    """Compare group by group.

    Parameters
    ----------
    base, cand : SystemRuns
        Of one matrix.
    member : sparse array, shape (cells, groups)
        1 where a cell belongs to a group.
    confidence : float
        Of the intervals.

    Returns
    -------
    dict of str to ndarray, shape (groups,)
        Columns of the answer.
    """
    matched = base.measured & cand.measured
    cells = matched @ member
    columns = {
        "cells": cells.astype("int64"),
        "cells_unmatched": _unmatched(base, cand, matched, member),
        **_estimates(base, cand, matched, member, confidence),
        "total_time_ratio": _over(base.time, cand.time, matched, member),
        "mean_ratio": _over(cand.mean, base.mean, matched, member),
    }
    return _without_numbers(columns, base, cand, matched, member)


def compare_cells(
    base: SystemRuns, cand: SystemRuns, confidence: float = 0.95
) -> Columns:
    """Compare cell by cell: a group of one cell each, but without a detour."""
    from scipy import sparse

    return compare_groups(
        base, cand, sparse.eye_array(len(base.mean), format="csr"), confidence
    )


def _reduce(
    one: SystemRuns, matched: NDArray[np.bool_], member: Any
) -> NDArray[np.float64]:
    """Reduce each run to the mean logarithm over a group's matched cells."""
    import numpy as np

    there = np.isfinite(one.logs) & matched
    count, wanted = there.astype(float) @ member, matched @ member
    total = np.where(there, one.logs, 0.0) @ member
    whole = (count == wanted) & (wanted > 0)
    return total / np.where(whole, wanted, np.nan)


def _estimates(
    base: SystemRuns,
    cand: SystemRuns,
    matched: NDArray[np.bool_],
    member: Any,
    confidence: float,
) -> Columns:
    """Ratio, interval, p, printed bounds and the numbers of runs behind them."""
    import numpy as np

    runs = [_reduce(one, matched, member) for one in (base, cand)]
    result = welch(sample(runs[0]), sample(runs[1]), confidence)
    # with matched cells but no whole run on a side, the cells' means still give a ratio
    cells = matched @ member
    logs = [mean_over_runs(one.logs, np.isfinite(one.logs)) for one in (base, cand)]
    apart = np.where(matched, logs[1] - logs[0], 0.0) @ member
    by_cells = exponential(apart / np.where(cells > 0, cells, np.nan))
    ratio = np.where(np.isfinite(result.ratio), result.ratio, by_cells)
    low, high = rounding_bounds(base, cand, matched, member)
    # where no run differs from another, only the printed digits limit the ratio
    fixed = result.constant
    return {
        **_counts("baseline", base, runs[0], matched, member),
        **_counts("candidate", cand, runs[1], matched, member),
        "geomean_ratio": ratio,
        "ci_low": np.where(fixed, np.fmin(low, ratio), result.low),
        "ci_high": np.where(fixed, np.fmax(high, ratio), result.high),
        "bound_low": low,
        "bound_high": high,
        "p_value": result.p,
        "no_spread": fixed,
    }


def _counts(
    name: str,
    one: SystemRuns,
    runs: NDArray[np.float64],
    matched: NDArray[np.bool_],
    member: Any,
) -> Columns:
    """Count the runs that are whole and those that lack some of the matched cells."""
    import numpy as np

    there = np.isfinite(one.logs) | one.censored
    took_part = (there.astype(float) @ member) > 0
    whole = np.isfinite(runs)
    nothing = (matched @ member) == 0
    return {
        f"n_{name}": np.where(nothing, took_part, whole).sum(axis=0),
        f"n_{name}_partial": (took_part & ~whole & ~nothing).sum(axis=0),
    }


def _without_numbers(
    columns: Columns,
    base: SystemRuns,
    cand: SystemRuns,
    matched: NDArray[np.bool_],
    member: Any,
) -> Columns:
    """Give groups with a censored run their bounds and ranks instead of estimates."""
    import numpy as np

    both = base.seen & cand.seen
    where = [matched, both & ~matched]
    some = (matched @ member) > 0
    counts = {
        f"n_{name}_censored": np.where(
            some, *(((one.censored & w) @ member > 0).sum(axis=0) for w in where)
        )
        for name, one in (("baseline", base), ("candidate", cand))
    }
    censored = sum(counts.values()) > 0
    ranks = [rank_runs(base, cand, w, member[:, censored]) for w in where]
    n_base, n_cand, p = (
        np.where(some[censored], *pair) for pair in zip(*ranks, strict=True)
    )
    for name in ("geomean_ratio", "ci_low", "ci_high", "total_time_ratio"):
        columns[name] = np.where(censored, np.nan, columns[name])
    columns["mean_ratio"] = np.where(censored, np.nan, columns["mean_ratio"])
    few = np.minimum(n_base, n_cand) < FEWEST
    for name, new in (
        ("p_value", np.where(few, np.nan, p)),
        ("n_baseline", n_base),
        ("n_candidate", n_cand),
        ("no_spread", False),
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
    import numpy as np

    sums = [np.where(matched, part, 0.0) @ member for part in (above, below)]
    with np.errstate(over="ignore", invalid="ignore"):
        ratio = sums[0] / np.where(sums[1] > 0, sums[1], np.nan)
    there = np.isfinite(ratio) & np.isfinite(sums[1])
    return np.where(there, ratio, np.nan)
