"""Two systems, one matrix → the figures of each group of cells, and of each cell.

Only cells that both sides measured are *matched* and compared. A run that lacks one of
a group's matched cells is *partial*: it takes no part in what is said about the group,
because the mean over fewer cells is another quantity; it is counted.

A run that has a cell without a number (``+++++``, ``<1``, 0) is *censored* there, and
its group is given by bounds and ranks instead, as `fsviz.analysis.intervals` explains.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fsviz.analysis.intervals import bounds, rank_runs
from fsviz.analysis.sides import Side, mean_over_runs
from fsviz.analysis.tests import FEWEST, exponential, sample, welch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Columns = dict[str, Any]


def compare_groups(
    base: Side, cand: Side, member: Any, confidence: float = 0.95
) -> Columns:
    """Compare group by group.

    Parameters
    ----------
    base, cand : Side
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


def compare_cells(base: Side, cand: Side, confidence: float = 0.95) -> Columns:
    """Compare cell by cell: a group of one cell each, but without a detour."""
    from scipy import sparse

    return compare_groups(
        base, cand, sparse.eye_array(len(base.mean), format="csr"), confidence
    )


def _reduce(one: Side, matched: NDArray[np.bool_], member: Any) -> NDArray[np.float64]:
    """Reduce each run to the mean logarithm over a group's matched cells."""
    import numpy as np

    there = np.isfinite(one.logs) & matched
    count, wanted = there.astype(float) @ member, matched @ member
    total = np.where(there, one.logs, 0.0) @ member
    whole = (count == wanted) & (wanted > 0)
    return total / np.where(whole, wanted, np.nan)


def _estimates(
    base: Side,
    cand: Side,
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
    low, high = bounds(base, cand, matched, member)
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
    one: Side,
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
    columns: Columns, base: Side, cand: Side, matched: NDArray[np.bool_], member: Any
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
    base: Side, cand: Side, matched: NDArray[np.bool_], member: Any
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
