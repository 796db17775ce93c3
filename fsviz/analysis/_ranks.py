"""Ranks and medians: a comparison that single wild runs cannot move.

Runs of two systems are compared by Mann and Whitney's test and Hodges and Lehmann's
estimate, rounds by Wilcoxon's signed ranks. The price is power: with three runs each
the smallest possible p is 0.1, so more runs are needed than for a t test.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fsviz.analysis.tests import Result, exponential
from fsviz.model.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

FEWEST_RANKED = 4
"""Runs of each system from which p < 0.05 is possible: 2 ÷ C(8, 4) = 0.029."""

FEWEST_SIGNED = 6
"""Rounds from which p < 0.05 is possible: 2 ÷ 2⁶ = 0.031."""


def by_ranks(
    baseline: NDArray[np.float64],
    candidate: NDArray[np.float64],
    confidence: float = 0.95,
) -> Result:
    """Compare two systems by the ranks of their runs.

    Hollander, Wolfe & Chicken, Nonparametric Statistical Methods, 3rd ed., chapter 4.

    >>> import numpy as np
    >>> a = np.log([[10.0], [11.0], [12.0], [90.0]])
    >>> got = by_ranks(a, a + np.log(20))
    >>> got.ratio.round(1).tolist(), got.p.round(3).tolist()
    ([20.0], [0.029])
    """

    def answer(i: int) -> tuple[float, float, float, float]:
        x, y = (c[np.isfinite(c)] for c in (baseline[:, i], candidate[:, i]))
        if not len(x) or not len(y):
            return (np.nan,) * 4
        apart = np.sort((y[None, :] - x[:, None]).ravel())
        p = _rank_p(x, y) if min(len(x), len(y)) >= FEWEST_RANKED else np.nan
        return (*_ends(apart, _beyond_u(len(x), len(y), 1 - confidence)), p)

    return _result([answer(i) for i in range(baseline.shape[1])], baseline, candidate)


def by_signed_ranks(
    baseline: NDArray[np.float64],
    candidate: NDArray[np.float64],
    confidence: float = 0.95,
) -> Result:
    """Compare two systems round by round, by the ranks of their differences.

    Hollander, Wolfe & Chicken, Nonparametric Statistical Methods, 3rd ed., chapter 3.
    """

    def answer(i: int) -> tuple[float, float, float, float]:
        apart = candidate[:, i] - baseline[:, i]
        apart = apart[np.isfinite(apart)]
        if not len(apart):
            return (np.nan,) * 4
        first, second = np.triu_indices(len(apart))
        walsh = np.sort((apart[first] + apart[second]) / 2)
        p = _signed_p(apart) if len(apart) >= FEWEST_SIGNED else np.nan
        return (*_ends(walsh, _beyond_t(len(apart), 1 - confidence)), p)

    return _result([answer(i) for i in range(baseline.shape[1])], baseline, candidate)


def _result(answers: list[Any], *logs: NDArray[np.float64]) -> Result:
    middle, low, high, p = np.array(answers, float).reshape(-1, 4).T
    # a system without a run of some tool varies in nothing
    spread = [
        np.ptp(np.where(np.isfinite(x), x, x[:1]), axis=0)
        if len(x)
        else np.zeros(x.shape[1])
        for x in logs
    ]
    constant = np.all([s == 0 for s in spread], axis=0) & np.isfinite(p)
    unknown = np.full(p.shape, np.nan)
    ends = exponential(low), exponential(high)
    return Result(exponential(middle), *ends, p, constant, unknown)


def _ends(ordered: NDArray[np.float64], beyond: int) -> tuple[float, float, float]:
    """Median of some differences, and the ends that leave out as many on each side."""
    middle = float(np.median(ordered))
    if beyond < 0:
        return middle, np.nan, np.nan
    return middle, float(ordered[beyond]), float(ordered[len(ordered) - 1 - beyond])


def _rank_p(x: NDArray[np.float64], y: NDArray[np.float64]) -> float:
    from scipy import stats

    both = np.concatenate([x, y])
    if np.ptp(both) == 0:
        return 1.0
    method = "exact" if len(np.unique(both)) == len(both) else "asymptotic"
    return float(stats.mannwhitneyu(x, y, method=method).pvalue)


def _signed_p(apart: NDArray[np.float64]) -> float:
    from scipy import stats

    if not apart.any():
        return 1.0
    distinct = len(np.unique(np.abs(apart))) == len(apart) and apart.all()
    method = "exact" if distinct else "approx"
    return float(stats.wilcoxon(apart, method=method).pvalue)


@lru_cache(maxsize=256)
def _beyond_u(n: int, m: int, alpha: float) -> int:
    """How many differences lie beyond each end of an interval; −1 without one."""
    from scipy import stats

    order = np.arange(m, dtype=float)

    def p(u: int) -> float:
        # runs of which one after the other exceeds all others, so that U is u
        above = [m] * (u // m) + [u % m] + [0] * n
        x = np.array(above[:n]) - 0.5 + np.arange(n) * 1e-6
        return float(stats.mannwhitneyu(x, order, method="exact").pvalue)

    return _last_rejected(p, n * m // 2, alpha)


@lru_cache(maxsize=256)
def _beyond_t(n: int, alpha: float) -> int:
    """How many means of pairs lie beyond each end of an interval; −1 without one."""
    from scipy import stats

    def p(t: int) -> float:
        signs, left = -np.ones(n), t
        for rank in range(n, 0, -1):
            if rank <= left:
                signs[rank - 1], left = 1.0, left - rank
        apart = signs * np.arange(1, n + 1)
        return float(stats.wilcoxon(apart, method="exact").pvalue)

    return _last_rejected(p, n * (n + 1) // 4, alpha)


def _last_rejected(p: Callable[[int], float], most: int, alpha: float) -> int:
    """Find the largest statistic up to which the test rejects; −1 if it never does."""
    kept = (value for value in range(most + 1) if p(value) > alpha)
    return next(kept, most + 1) - 1
