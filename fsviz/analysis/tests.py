"""Two samples of logarithms → a ratio, its interval and a p value.

Welch's t test does not assume that both sides vary alike. The cases that it has no
answer for get one here: fewer than two runs on a side give a ratio without interval;
fewer than `FEWEST` runs give no p value. If neither side varies at all (a rounded
percentage, five times the same), the t statistic is 0/0 or infinite; then p is that of
the exact permutation test, 2 ÷ C(n₁ + n₂, n₁) if the sides differ and 1 if they do
not, which claims no more than the number of runs can carry.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fsviz.analysis.cells import SystemRuns

FEWEST = 3
"""Runs on a side below which nothing is tested."""

_NIL = 1e-12
"""A relative spread below this is rounding of the arithmetic, not of the runs."""


class Sample(NamedTuple):
    """Mean, variance (n − 1) and number of runs, one of each a comparison."""

    mean: NDArray[np.float64]
    var: NDArray[np.float64]
    n: NDArray[np.int64]


class Result(NamedTuple):
    """What a comparison says; missing is NaN."""

    ratio: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    p: NDArray[np.float64]
    constant: NDArray[np.bool_]


def sample(logs: NDArray[np.float64]) -> Sample:
    """Summarise the runs, leaving out what is NaN.

    Parameters
    ----------
    logs : ndarray, shape (runs, comparisons)
        Logarithms.

    Returns
    -------
    Sample
        Mean NaN without a run, variance NaN with fewer than two.

    Examples
    --------
    >>> import numpy as np
    >>> got = sample(np.array([[1.0, np.nan], [3.0, 5.0]]))
    >>> got.mean.tolist(), got.var.tolist(), got.n.tolist()
    ([2.0, 5.0], [2.0, nan], [2, 1])
    """
    import numpy as np

    there = np.isfinite(logs)
    n = there.sum(axis=0)
    filled = np.where(there, logs, 0.0)
    mean = filled.sum(axis=0) / np.where(n > 0, n, np.nan)
    squares = np.where(there, (filled - mean) ** 2, 0.0).sum(axis=0)
    var = squares / np.where(n > 1, n - 1, np.nan)
    # identical runs must give exactly nothing, whatever the order of the sums
    nil = np.sqrt(var) <= _NIL * (1 + np.abs(mean))
    return Sample(mean, np.where(nil, 0.0, var), n)


def welch(baseline: Sample, candidate: Sample, confidence: float = 0.95) -> Result:
    """Compare two samples of logarithms.

    Parameters
    ----------
    baseline, candidate : Sample
        Of natural logarithms, the runs being the sample.
    confidence : float
        Of the interval, between 0 and 1.

    Returns
    -------
    Result
        ``ratio`` = candidate ÷ baseline, its interval and the two-sided p value;
        ``constant`` where neither side varies: there the interval is missing.

    Examples
    --------
    >>> import numpy as np
    >>> a = sample(np.log([[10.0], [11.0], [12.0]]))
    >>> b = sample(np.log([[20.0], [21.0], [25.0]]))
    >>> got = welch(a, b)
    >>> got.ratio.round(3).tolist(), got.p.round(4).tolist()
    ([1.996], [0.0016])
    """
    import numpy as np
    from scipy import stats

    a, b = baseline.var / baseline.n, candidate.var / candidate.n
    constant = (baseline.var == 0) & (candidate.var == 0)
    good = np.isfinite(a + b) & ~constant
    difference = candidate.mean - baseline.mean
    low, high, p = (np.full(difference.shape, np.nan) for _ in range(3))
    a, b = a[good], b[good]
    df = (a + b) ** 2 / (a**2 / (baseline.n[good] - 1) + b**2 / (candidate.n[good] - 1))
    half = stats.t.ppf((1 + confidence) / 2, df) * np.sqrt(a + b)
    low[good], high[good] = difference[good] - half, difference[good] + half
    p[good] = 2 * stats.t.sf(np.abs(difference[good]) / np.sqrt(a + b), df)
    p[constant] = _without_spread(baseline, candidate, constant)
    few = np.minimum(baseline.n, candidate.n) < FEWEST
    ends = exponential(low), exponential(high)
    ratio = exponential(difference)
    return Result(ratio, *ends, np.where(few, np.nan, p), constant)


def exponential(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Undo the logarithm; what no number can hold is missing, not infinite."""
    import numpy as np

    with np.errstate(over="ignore"):
        ratio = np.exp(logs)
    return np.where(np.isinf(ratio), np.nan, ratio)


def _without_spread(
    baseline: Sample, candidate: Sample, where: NDArray[np.bool_]
) -> NDArray[np.float64]:
    import numpy as np
    from scipy.special import comb

    n, m = baseline.n[where], candidate.n[where]
    difference = np.abs(candidate.mean[where] - baseline.mean[where])
    equal = difference <= _NIL * (1 + np.abs(baseline.mean[where]))
    return np.where(equal, 1.0, np.minimum(1.0, 2 / comb(n + m, n)))


def control(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Adjust p values of one table by Benjamini and Hochberg; what is NaN stays so.

    Examples
    --------
    >>> import numpy as np
    >>> control(np.array([0.01, np.nan, 0.04])).tolist()
    [0.02, nan, 0.04]
    """
    import numpy as np
    from scipy import stats

    q = np.full(p.shape, np.nan)
    tested = np.isfinite(p)
    if tested.any():
        q[tested] = stats.false_discovery_control(p[tested], method="bh")
    return q


def rounding_bounds(
    base: SystemRuns, cand: SystemRuns, matched: NDArray[np.bool_], member: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bound the ratio of each group: low ÷ high … high ÷ low.

    Parameters
    ----------
    base, cand : SystemRuns
        Of one matrix.
    matched : ndarray of bool, shape (cells,)
        Measured on both sides. In a group without any, the cells that both sides saw
        stand in.
    member : sparse array, shape (cells, groups)
        1 where a cell belongs to a group.

    Returns
    -------
    low, high : ndarray, shape (groups,)
        Missing where the text gives no bound.
    """
    import numpy as np

    both = base.seen & cand.seen
    n = matched @ member
    count = np.where(n > 0, n, both @ member)
    found = []
    for above, below in ((cand.low, base.high), (cand.high, base.low)):
        with np.errstate(invalid="ignore"):
            apart = above - below
        over_matched = np.where(matched, apart, 0.0) @ member
        over_both = np.where(both, apart, 0.0) @ member
        mean = np.where(n > 0, over_matched, over_both)
        found.append(exponential(mean / np.where(count > 0, count, np.nan)))
    return found[0], found[1]


class Ranks(NamedTuple):
    """Runs that could be ranked on each side, and the p value of each group."""

    n_base: NDArray[np.int64]
    n_cand: NDArray[np.int64]
    p: NDArray[np.float64]


def rank_runs(
    base: SystemRuns, cand: SystemRuns, where: NDArray[np.bool_], member: Any
) -> Ranks:
    """Test whether the sides overlap, for runs of which some have only bounds.

    Parameters
    ----------
    base, cand : SystemRuns
        Of one matrix.
    where : ndarray of bool, shape (cells,)
        Which cells to look at; both sides must have seen them.
    member : sparse array, shape (cells, groups)
        1 where a cell belongs to a group.

    Returns
    -------
    Ranks
        A run that did not see one of the cells takes no part.
    """
    import numpy as np
    from scipy.special import comb

    low_b, high_b, n_b = _extremes(base, where, member)
    low_c, high_c, n_c = _extremes(cand, where, member)
    apart = (low_c > high_b) | (high_c < low_b)
    p = np.where(apart, np.minimum(1.0, 2 / comb(n_b + n_c, n_b)), 1.0)
    return Ranks(n_b, n_c, p)


def _extremes(
    one: SystemRuns, where: NDArray[np.bool_], member: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Lowest and highest that any run's mean logarithm may be, and how many runs."""
    import numpy as np

    wanted = where @ member
    seen = (np.isfinite(one.logs) | one.censored) & where
    whole = (seen.astype(float) @ member == wanted) & (wanted > 0)
    ends = []
    for printed, unknown in ((one.run_low, -np.inf), (one.run_high, np.inf)):
        # a value of unknown precision is taken as it is; no value and no bound is open
        known = np.where(np.isnan(printed), one.logs, printed)
        filled = np.where(np.isnan(known), unknown, known)
        total = np.where(seen, filled, 0.0) @ member
        ends.append(np.where(whole, total / np.maximum(wanted, 1), -unknown))
    lowest = ends[0].min(axis=0, initial=np.inf)
    return lowest, ends[1].max(axis=0, initial=-np.inf), whole.sum(axis=0)
