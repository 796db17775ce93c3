"""What printed digits allow: bounds of a ratio, and ranks of runs without a number.

A printed ``2`` may be anything from 1.5 to 2.5, so 347 against 2 is 139 … 231 times.
``+++++`` and ``<1`` are bounds without a value. Leaving such runs out would leave out
the fastest or the slowest ones, and averaging the rest would be wrong by an unknown
amount; so where any run is without a number, the ratio is given by its bounds alone,
and the test is the exact permutation test of ranks for sides that do not overlap:
p = 2 ÷ C(n₁ + n₂, n₁) if every run of one side lies beyond every run of the other
whatever the digits hide, else 1.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fsviz.analysis.tests import exponential

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from fsviz.analysis.sides import Side


def bounds(
    base: Side, cand: Side, matched: NDArray[np.bool_], member: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Bound the ratio of each group: low ÷ high … high ÷ low.

    Parameters
    ----------
    base, cand : Side
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


def rank_runs(base: Side, cand: Side, where: NDArray[np.bool_], member: Any) -> Ranks:
    """Test whether the sides overlap, for runs of which some have only bounds.

    Parameters
    ----------
    base, cand : Side
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
    one: Side, where: NDArray[np.bool_], member: Any
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
