"""Two samples of logarithms → a ratio, its interval and a p value.

Welch's t test does not assume that both systems vary alike. Where the systems took
turns, round by round, the differences within the rounds are the sample: what drifts
from round to round then cancels.

The cases that a t test has no answer for get one here: fewer than two runs of a system
give a ratio without interval; fewer than `FEWEST` runs give no p value. If neither
system varies at all (a rounded percentage, five times the same), the t statistic is 0/0
or infinite; then p is that of the exact permutation test, 2 ÷ C(n₁ + n₂, n₁) if the
systems differ and 1 if they do not, which claims no more than the runs can carry.

What the printed digits allow bounds a ratio too. Most tools cut digits off, so a
printed ``2`` is 2 to 3, and 347 against 2 is 115.7 … 174 times. ``+++++`` and ``<1``
are bounds without a value. Leaving such runs out would leave out the fastest or the
slowest ones, and averaging the rest would be wrong by an unknown amount; so where any
run is without a number in a cell that both sides saw, the ratio is given by its bounds
alone, over all of these cells, and the test is the exact permutation test of ranks for
systems that do not overlap: p = 2 ÷ C(n₁ + n₂, n₁) if every run of one lies beyond
every run of the other whatever the digits hide, else 1.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from fsviz.model.libraries import np
from fsviz.model.table import METRICS

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from fsviz.analysis.cells import SystemRuns
    from fsviz.analysis.membership import Membership

ERROR = 0.05
"""Of intervals: the share of them that leave out the truth."""

FEWEST = 3
"""Runs of a system, or rounds, below which nothing is tested."""

SKEWED = tuple(name for name in METRICS if "latency" in name)
"""Metrics with a long tail upwards."""

_NIL = 1e-12
"""A relative spread below this is rounding of the arithmetic, not of the runs."""


class Sample(NamedTuple):
    """Mean, variance (n − 1) and number of runs, one of each a comparison."""

    mean: NDArray[np.float64]
    var: NDArray[np.float64]
    n: NDArray[np.int64]


class Result(NamedTuple):
    """What a comparison says; missing is NaN.

    ``scatter`` is the standard deviation of the logarithms that the test rests on: of
    the runs of a system, pooled over both, or of the differences within the rounds.
    """

    ratio: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    p: NDArray[np.float64]
    scatter: NDArray[np.float64]


def sample(logs: NDArray[np.float64]) -> Sample:
    """Summarise the runs, leaving out what is NaN.

    >>> import numpy as np
    >>> got = sample(np.array([[1.0, np.nan], [3.0, 5.0]]))
    >>> got.mean.tolist(), got.var.tolist(), got.n.tolist()
    ([2.0, 5.0], [2.0, nan], [2, 1])
    """
    measured = np.isfinite(logs)
    n = measured.sum(axis=0)
    filled = np.where(measured, logs, 0.0)
    mean = filled.sum(axis=0) / np.where(n > 0, n, np.nan)
    squares = np.where(measured, (filled - mean) ** 2, 0.0).sum(axis=0)
    var = squares / np.where(n > 1, n - 1, np.nan)
    # identical runs must give exactly nothing, whatever the order of the sums
    nil = np.sqrt(var) <= _NIL * (1 + np.abs(mean))
    var = np.where(nil, 0.0, var)
    return Sample(mean, var, n)


def welch(baseline: Sample, candidate: Sample, error: float = ERROR) -> Result:
    """Compare two samples of logarithms.

    >>> import numpy as np
    >>> a = sample(np.log([[10.0], [11.0], [12.0]]))
    >>> b = sample(np.log([[20.0], [21.0], [25.0]]))
    >>> got = welch(a, b)
    >>> got.ratio.round(3).tolist(), got.p.round(4).tolist()
    ([1.996], [0.0016])
    """
    a, b = baseline.var / baseline.n, candidate.var / candidate.n
    constant = (baseline.var == 0) & (candidate.var == 0)
    good = np.isfinite(a + b) & ~constant
    squares = a**2 / (baseline.n - 1.0) + b**2 / (candidate.n - 1.0)
    df = (a + b) ** 2 / np.where(good, squares, np.nan)
    # of two runs beside ten it is too large: the interval covered 90 %
    least = np.minimum(baseline.n, candidate.n)
    df = np.where(least == 2, np.minimum(df, least - 1.0), df)
    difference = candidate.mean - baseline.mean
    scatter = np.sqrt((baseline.var + candidate.var) / 2)
    result = _t_result(difference, np.sqrt(a + b), df, error, scatter)
    p = np.where(constant, _without_spread(baseline, candidate), result.p)
    few = np.minimum(baseline.n, candidate.n) < FEWEST
    return result._replace(p=np.where(few, np.nan, p))


def paired(
    baseline: NDArray[np.float64],
    candidate: NDArray[np.float64],
    error: float = ERROR,
) -> Result:
    """Compare round by round: a t interval on the differences of logarithms.

    >>> import numpy as np
    >>> a = np.log([[10.0], [20.0], [40.0]])
    >>> got = paired(a, a + np.log([[1.1], [1.2], [1.3]]))
    >>> got.ratio.round(3).tolist(), got.p.round(4).tolist()
    ([1.197], [0.0649])
    """
    delta = sample(candidate - baseline)
    both = np.isfinite(candidate - baseline)
    base, cand = (sample(np.where(both, x, np.nan)) for x in (baseline, candidate))
    spread, freedom = (np.sqrt(delta.var / delta.n), delta.n.astype(float) - 1)
    result = _t_result(delta.mean, spread, freedom, error, np.sqrt(delta.var))
    constant = (base.var == 0) & (cand.var == 0)
    signs = np.where(_near(delta.mean, base.mean), 1.0, 2.0 ** (1 - delta.n))
    p = np.where(delta.var == 0, np.minimum(1.0, signs), result.p)
    p = np.where(constant, _without_spread(base, cand), p)
    few = delta.n < FEWEST
    return result._replace(p=np.where(few, np.nan, p))


def _t_result(
    difference: NDArray[np.float64],
    spread: NDArray[np.float64],
    df: NDArray[np.float64],
    error: float,
    scatter: NDArray[np.float64],
) -> Result:
    """Interval and p of differences of logarithms with their standard errors."""
    # as scipy.stats.t does, without the half second that importing it takes
    from fsviz.model.libraries import special

    good = np.isfinite(df) & (df > 0) & (spread > 0)
    half, p = (np.full(difference.shape, np.nan) for _ in range(2))
    half[spread == 0] = 0.0
    half[good] = special.stdtrit(df[good], 1 - error / 2) * spread[good]
    p[good] = 2 * special.stdtr(df[good], -np.abs(difference[good]) / spread[good])
    ends = (exponential(difference - half), exponential(difference + half))
    return Result(exponential(difference), *ends, p, scatter)


def take_turns(
    baseline: NDArray[np.datetime64], candidate: NDArray[np.datetime64]
) -> bool:
    """Say whether two systems took turns: round k lies between k − 1 and k + 1.

    >>> import numpy as np
    >>> slot = np.arange(6).astype("datetime64[m]")
    >>> take_turns(slot[::2], slot[1::2]), take_turns(slot[:3], slot[3:])
    (True, False)
    """
    times = (baseline, candidate)
    if min(map(len, times)) < 2 or abs(len(baseline) - len(candidate)) > 1:
        return False
    if any(np.isnat(t).any() for t in times):
        return False
    for a, b in (times, times[::-1]):
        n, m = min(len(a), len(b) + 1), min(len(a), len(b) - 1)
        if not np.all(a[1:n] > b[: n - 1]) or not np.all(a[:m] < b[1:][:m]):
            return False
    return True


def mean_interval(
    values: NDArray[np.float64], metric: str
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Give the interval of a mean over runs.

    For times it is Cox's interval of a log-normal mean with Student's t: logarithms of
    mean m, variance s² and n runs give m + s²/2 ± t·√(s²/n + s⁴/(2(n − 1))) (Olsson
    2005, Journal of Statistics Education 13(1)). A plain t interval covers 82 % of the
    means of five times with a log-normal spread of 1.

    >>> import numpy as np
    >>> low, high = mean_interval(np.array([[1.0], [2.0], [9.0]]), "latency")
    >>> low.round(2).tolist(), high.round(1).tolist()
    ([0.1], [241.6])
    """
    from fsviz.model.libraries import special

    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(values)
    skewed = metric in SKEWED and not np.any(values <= 0)
    over = sample(logs if skewed else values)
    n = np.where(over.n > 1, over.n, np.nan)
    t = special.stdtrit(n - 1, 1 - ERROR / 2)
    if not skewed:
        half = t * np.sqrt(over.var / n)
        return np.maximum(over.mean - half, 0.0), over.mean + half
    half = t * np.sqrt(over.var / n + over.var**2 / (2 * (n - 1)))
    middle = over.mean + over.var / 2
    return exponential(middle - half), exponential(middle + half)


def exponential(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Undo the logarithm; what no number can hold is missing, not infinite."""
    with np.errstate(over="ignore"):
        ratio = np.exp(logs)
    return np.where(np.isinf(ratio), np.nan, ratio)


def _without_spread(baseline: Sample, candidate: Sample) -> NDArray[np.float64]:
    equal = _near(candidate.mean - baseline.mean, baseline.mean)
    return np.where(equal, 1.0, _smallest_p(baseline.n, candidate.n))


def _smallest_p(n: NDArray[np.int64], m: NDArray[np.int64]) -> NDArray[np.float64]:
    """P of the exact permutation test where all runs of one lie beyond the other's."""
    from fsviz.model.libraries import special

    return np.minimum(1.0, 2 / special.binom(n + m, n))


def _near(
    difference: NDArray[np.float64], mean: NDArray[np.float64]
) -> NDArray[np.bool_]:
    """Say where a difference is nothing but rounding of the arithmetic."""
    return np.abs(difference) <= _NIL * (1 + np.abs(mean))


def geometric_mean(values: pd.Series) -> float:
    """Return the geometric mean; missing if a value is, zero if one is zero."""
    with np.errstate(divide="ignore"):
        return float(np.exp(np.log(values.to_numpy(float)).mean()))


def interval_of_runs(rows: pd.DataFrame) -> tuple[float, float]:
    """Return the interval of the geometric mean of one cell over runs."""
    from fsviz.model.libraries import special

    values = rows["value"].to_numpy(float)
    n = len(values)
    if n < 2 or not (values > 0).all() or rows["run"].duplicated().any():
        return float("nan"), float("nan")
    logs = np.log(values)
    half = special.stdtrit(n - 1, 1 - ERROR / 2) * logs.std(ddof=1) / math.sqrt(n)
    low, high = exponential(np.array([logs.mean() - half, logs.mean() + half]))
    return float(low), float(high)


def control(p: NDArray[np.float64]) -> NDArray[np.float64]:
    """Adjust p values of one table by Benjamini and Hochberg; what is NaN stays so.

    As `scipy.stats.false_discovery_control`, which the tests hold against this; to
    import `scipy.stats` for it costs every command half a second.

    References
    ----------
    Benjamini & Hochberg, Journal of the Royal Statistical Society B 57 (1995) 289–300.

    >>> import numpy as np
    >>> control(np.array([0.01, np.nan, 0.04])).tolist()
    [0.02, nan, 0.04]
    """
    q = np.full(p.shape, np.nan)
    tested = np.flatnonzero(np.isfinite(p))
    if tested.size:
        largest_first = tested[np.argsort(p[tested])[::-1]]
        ranks = np.arange(tested.size, 0, -1)
        stepped = p[largest_first] * (tested.size / ranks)
        q[largest_first] = np.clip(np.minimum.accumulate(stepped), 0, 1)
    return q


def rounding_bounds(
    base: SystemRuns, cand: SystemRuns, member: Membership
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bound the ratio of each group: low ÷ high … high ÷ low."""
    both = base.seen & cand.seen
    count = both @ member
    bounds = []
    for above, below in ((cand.low, base.high), (cand.high, base.low)):
        with np.errstate(invalid="ignore"):
            distance = above - below
        total = np.where(both, distance, 0.0) @ member
        bounds.append(exponential(total / np.where(count > 0, count, np.nan)))
    return bounds[0], bounds[1]


class Ranks(NamedTuple):
    """Runs that could be ranked on each side, and the p value of each group."""

    n_base: NDArray[np.int64]
    n_cand: NDArray[np.int64]
    p: NDArray[np.float64]


def rank_runs(
    base: SystemRuns, cand: SystemRuns, where: NDArray[np.bool_], member: Membership
) -> Ranks:
    """Test whether the sides overlap, for runs of which some have only bounds."""
    low_b, high_b, n_b = _extremes(base, where, member)
    low_c, high_c, n_c = _extremes(cand, where, member)
    is_apart = (low_c > high_b) | (high_c < low_b)
    p = np.where(is_apart, _smallest_p(n_b, n_c), 1.0)
    return Ranks(n_b, n_c, p)


def _extremes(
    side: SystemRuns, where: NDArray[np.bool_], member: Membership
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int64]]:
    """Lowest and highest that any run's mean logarithm may be, and how many runs."""
    number = where @ member
    seen = (np.isfinite(side.logs) | side.censored) & where
    is_complete = (seen.astype(float) @ member == number) & (number > 0)
    ends = []
    for printed, unknown in ((side.run_low, -np.inf), (side.run_high, np.inf)):
        # a value of unknown precision is taken as it is; no value and no bound is open
        level = np.where(np.isnan(printed), side.logs, printed)
        filled = np.where(np.isnan(level), unknown, level)
        total = np.where(seen, filled, 0.0) @ member
        ends.append(np.where(is_complete, total / np.maximum(number, 1), -unknown))
    lowest = ends[0].min(axis=0, initial=np.inf)
    return lowest, ends[1].max(axis=0, initial=-np.inf), is_complete.sum(axis=0)
