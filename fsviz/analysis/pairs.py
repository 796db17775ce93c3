"""Two systems, one matrix → the figures of each group of cells, and of each cell.

Only cells that both sides measured are *matched* and compared. A run that lacks one of
a group's matched cells is *partial*: it takes no part in what is said about the group,
because the mean over fewer cells is another quantity; it is counted.

A run that has a cell without a number (``+++++``, ``<1``, 0) is *censored* there. Such
runs are not missing by chance, they are the fastest or the slowest ones, so a group
with any is not tested; the printed bounds still hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsviz.analysis.welch import Result, sample, welch

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from fsviz.analysis.matrices import Matrix

Columns = dict[str, Any]


@dataclass(frozen=True)
class Side:
    """One system's runs, shape (runs, cells), and what its cells say, shape (cells,).

    ``low`` and ``high`` are the printed bounds of each cell's mean logarithm, ``mean``
    its mean value, ``time`` the mean time that it took [s].
    """

    logs: NDArray[np.float64]
    censored: NDArray[np.bool_]
    measured: NDArray[np.bool_]
    seen: NDArray[np.bool_]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    mean: NDArray[np.float64]
    time: NDArray[np.float64]


def side(matrix: Matrix, system: str) -> Side:
    """Take one system's runs out of a matrix."""
    import numpy as np

    rows = matrix.rows(system)
    value, censored = matrix.value[rows], matrix.censored[rows]
    there = np.isfinite(value)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = np.log(matrix.low[rows]), np.log(matrix.high[rows])
    return Side(
        logs=np.log(value),
        censored=censored,
        measured=np.any(there, axis=0),
        seen=np.any(there | censored, axis=0),
        low=_mean(low, there | censored),
        high=_mean(high, there | censored),
        mean=_mean(value, there),
        time=_cell_times(value, there, matrix.cells),
    )


def _mean(
    numbers: NDArray[np.float64], where: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Mean over runs; unknown as soon as one of them is."""
    import numpy as np

    n = where.sum(axis=0)
    return np.where(where, numbers, 0.0).sum(axis=0) / np.where(n > 0, n, np.nan)


def _cell_times(
    value: NDArray[np.float64], there: NDArray[np.bool_], cells: pd.DataFrame
) -> NDArray[np.float64]:
    """Mean over runs of file size ÷ throughput; an elapsed time is one already."""
    import numpy as np

    size = cells["file_size_bytes"].to_numpy(float, na_value=np.nan)
    metric = cells["metric"].astype(str).to_numpy()
    moved = np.where(metric == "throughput", size * _mean(1 / value, there), np.nan)
    return np.where(metric == "elapsed", _mean(value, there), moved)


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
    runs = [_reduce(one, matched, member) for one in (base, cand)]
    result = welch(sample(runs[0]), sample(runs[1]), confidence)
    return {
        **_counts("baseline", base, runs[0], matched, member),
        **_counts("candidate", cand, runs[1], matched, member),
        "cells": cells.astype("int64"),
        "cells_unmatched": _unmatched(base, cand, matched, member),
        **_estimates(result, base, cand, matched, member),
        "total_time_ratio": _over(base.time, cand.time, matched, member),
        "mean_ratio": _over(cand.mean, base.mean, matched, member),
    }


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


def _counts(
    name: str,
    one: Side,
    runs: NDArray[np.float64],
    matched: NDArray[np.bool_],
    member: Any,
) -> Columns:
    """Count runs: whole ones, partial ones, and those with a cell without a number."""
    import numpy as np

    there = np.isfinite(one.logs)
    took_part = ((there | one.censored).astype(float) @ member) > 0
    whole = np.isfinite(runs)
    nothing = (matched @ member) == 0
    censored = ((one.censored & matched).astype(float) @ member) > 0
    return {
        f"n_{name}": np.where(nothing, took_part, whole).sum(axis=0),
        f"n_{name}_partial": (took_part & ~whole & ~nothing).sum(axis=0),
        f"n_{name}_censored": np.sum(censored, axis=0),
    }


def _estimates(
    result: Result, base: Side, cand: Side, matched: NDArray[np.bool_], member: Any
) -> Columns:
    """Ratio, interval, p and printed bounds, with the defined answers for odd cases."""
    import numpy as np

    # with matched cells but no whole run on a side, the cells' means still give a ratio
    cells = matched @ member
    logs = [_mean(one.logs, np.isfinite(one.logs)) for one in (base, cand)]
    apart = np.where(matched, logs[1] - logs[0], 0.0) @ member
    by_cells = np.exp(apart / np.where(cells > 0, cells, np.nan))
    ratio = np.where(np.isfinite(result.ratio), result.ratio, by_cells)
    low, high = _bounds(base, cand, matched, member)
    # where no run differs from another, only the printed digits limit the ratio
    fixed = result.constant
    censored = (_any_censored(base, cand) & matched) @ member > 0
    return {
        "geomean_ratio": ratio,
        "ci_low": np.where(fixed, np.fmin(low, ratio), result.low),
        "ci_high": np.where(fixed, np.fmax(high, ratio), result.high),
        "bound_low": low,
        "bound_high": high,
        "p_value": np.where(censored, np.nan, result.p),
    }


def _unmatched(
    base: Side, cand: Side, matched: NDArray[np.bool_], member: Any
) -> NDArray[np.int64]:
    """Count the cells without a number on one side, of those that any side saw."""
    return (((base.seen | cand.seen) & ~matched) @ member).astype("int64")


def _any_censored(base: Side, cand: Side) -> NDArray[np.bool_]:
    import numpy as np

    return np.any(base.censored, axis=0) | np.any(cand.censored, axis=0)


def _bounds(
    base: Side, cand: Side, matched: NDArray[np.bool_], member: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bound the ratio by the printed digits: low ÷ high … high ÷ low.

    Over the matched cells; where there are none, over those that both sides saw.
    """
    import numpy as np

    both = base.seen & cand.seen
    n, n_both = matched @ member, both @ member
    bounds = []
    for above, below in ((cand.low, base.high), (cand.high, base.low)):
        with np.errstate(invalid="ignore"):
            apart = above - below
        over_matched = np.where(matched, apart, 0.0) @ member
        over_both = np.where(both, apart, 0.0) @ member
        count = np.where(n > 0, n, n_both)
        mean = np.where(n > 0, over_matched, over_both)
        with np.errstate(over="ignore"):
            bound = np.exp(mean / np.where(count > 0, count, np.nan))
        bounds.append(np.where(np.isinf(bound), np.nan, bound))
    return bounds[0], bounds[1]


def _over(
    above: NDArray[np.float64],
    below: NDArray[np.float64],
    matched: NDArray[np.bool_],
    member: Any,
) -> NDArray[np.float64]:
    """Divide the sums over matched cells; missing without one."""
    import numpy as np

    sums = [np.where(matched, part, 0.0) @ member for part in (above, below)]
    return sums[0] / np.where(sums[1] > 0, sums[1], np.nan)
