"""The order of two systems' runs, and how far a drift may have moved their ratio.

Drift is a common slope of the runs within systems: analysis of covariance with one
slope (Jain, The art of computer systems performance analysis, 1991, chapter 14, for the
t test of a slope). "Each run faster than the one before" would be seen the less often
the more runs there are.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fsviz.analysis.tests import FEWEST
from fsviz.model.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

ONE_AFTER_ANOTHER = "one after another"
SAME_ORDER = "same order every round"
LEVEL = 0.05
"""p below which a slope is a drift, and the error of its upper bound."""


class Order(NamedTuple):
    """How the runs of each row were ordered, and what drift may explain.

    ``drift`` is the upper 95 % bound of the logarithm by which drift can have moved the
    ratio of a row; missing where runs do not drift or the order lets it cancel.
    """

    order: NDArray[np.object_]
    drift: NDArray[np.float64]

    @classmethod
    def unknown(cls, rows: int) -> Order:
        """Make rows whose order is not known."""
        return cls(np.full(rows, "", object), np.full(rows, np.nan))

    def put(self, rows: NDArray[np.int64], part: Order) -> None:
        """Set some rows."""
        self.order[rows] = part.order
        self.drift[rows] = part.drift


def order_of(
    started: list[NDArray[np.datetime64]],
    levels: list[NDArray[np.float64]],
    *,
    in_rounds: bool,
) -> Order:
    """Return the order of two systems' runs, each sorted by its start.

    ``levels`` have the shape (runs, rows). Only the runs of these two systems count, so
    that nothing else in a campaign changes the answer of a test; but when they started
    says how many runs of others lay between. Between the systems of a round drift
    cancels if their order varies.
    """
    result = Order.unknown(levels[0].shape[1])
    result.order[:] = name = _order_name(*started)
    times = np.concatenate(started)
    if np.isnat(times).any() or min(map(len, started)) < FEWEST:
        return result
    if name or not in_rounds:
        at = (times - times.min()) / np.timedelta64(1, "s")
        if at.max() > 0:
            places = np.split(at / at.max(), [len(started[0])])
            result.drift[:] = _moved(places, levels)
    return result


def _order_name(
    baseline: NDArray[np.datetime64], candidate: NDArray[np.datetime64]
) -> str:
    """Name an order in which drift would look like a difference; empty for others."""
    times = (baseline, candidate)
    if min(map(len, times)) < 2 or any(np.isnat(t).any() for t in times):
        return ""
    if baseline[-1] < candidate[0] or candidate[-1] < baseline[0]:
        return ONE_AFTER_ANOTHER
    if len(baseline) != len(candidate) or len(baseline) < FEWEST:
        return ""
    # tools print whole seconds: of runs within one nobody knows the order
    for first, second in (times, times[::-1]):
        if np.all(first < second) and np.all(second[:-1] < first[1:]):
            return SAME_ORDER
    return ""


def _moved(
    places: list[NDArray[np.float64]], levels: list[NDArray[np.float64]]
) -> NDArray[np.float64]:
    """Bound how far a slope over the runs can have moved each row's ratio [log]."""
    from scipy.special import stdtr, stdtrit

    x = np.concatenate([place - place.mean() for place in places])
    if not x.any():
        return np.full(levels[0].shape[1], np.nan)
    y = np.concatenate([level - level.mean(axis=0) for level in levels])
    freedom = len(x) - 3
    spread = float(x @ x)
    slope = x @ y / spread
    rest = np.sum((y - np.outer(x, slope)) ** 2, axis=0)
    error = np.sqrt(rest / freedom / spread)
    with np.errstate(divide="ignore", invalid="ignore"):
        p = np.where(slope == 0, 1.0, 2 * stdtr(freedom, -np.abs(slope) / error))
    apart = abs(places[0].mean() - places[1].mean())
    upper = np.abs(slope) + stdtrit(freedom, 1 - LEVEL / 2) * error
    # what drifts is the machine: one row that shows it speaks for those of its runs
    anywhere = np.nanmin(p, initial=1.0) * len(p) < LEVEL
    return np.where((p < LEVEL) | anywhere, upper * apart, np.nan)
