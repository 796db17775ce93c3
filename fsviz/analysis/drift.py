"""The order of two systems' runs, and whether their ratio stands without drift.

Drift is a common slope of the runs within systems: analysis of covariance with one
slope (Jain, The art of computer systems performance analysis, 1991, chapter 14). A
difference must be one with the slope in it and without, whether or not the slope can be
told from none: a drift that five runs cannot show moves systems that ran one after
another, and a test that has to find it first lets it pass (Bancroft, Ann. Math.
Statist. 15, 1944).
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from fsviz.analysis.tests import FEWEST, Result
from fsviz.model.libraries import np

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

ONE_AFTER_ANOTHER = "one after another"
SAME_ORDER = "same order every round"
LEVEL = 0.05
"""p below which a slope is a drift, and of the interval of what it moved."""


class Order(NamedTuple):
    """How the runs of each row were ordered, and how far drift moved their ratio.

    ``moved`` is that logarithm and ``error`` half its 95 % interval; missing where runs
    have no start.
    """

    order: NDArray[np.object_]
    moved: NDArray[np.float64]
    error: NDArray[np.float64]

    @classmethod
    def unknown(cls, rows: int) -> Order:
        """Make rows whose order is not known."""
        return cls(np.full(rows, "", object), *np.full((2, rows), np.nan))

    def put(self, rows: NDArray[np.int64], part: Order) -> None:
        """Set some rows."""
        for column, values in zip(self, part, strict=True):
            column[rows] = values


def order_of(
    started: list[NDArray[np.datetime64]],
    levels: list[NDArray[np.float64]],
) -> Order:
    """Return the order of two systems' runs, each sorted by its start.

    ``levels`` have the shape (runs, rows). Only the runs of these two systems count, so
    that nothing else in a campaign changes the answer of a test; but when they started
    says how many runs of others lay between. What drift can have moved is its slope
    times what lies between the middles of both systems' runs: next to nothing where
    they took turns in varying order.
    """
    result = Order.unknown(levels[0].shape[1])
    result.order[:] = _order_name(*started)
    times = np.concatenate(started)
    if np.isnat(times).any() or min(map(len, started)) < FEWEST:
        return result
    at = (times - times.min()) / np.timedelta64(1, "s")
    if at.max() > 0:
        places = np.split(at / at.max(), [len(started[0])])
        result.moved[:], result.error[:] = _drift_of_ratios(places, levels)
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


def _drift_of_ratios(
    places: list[NDArray[np.float64]], levels: list[NDArray[np.float64]]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Estimate how far a slope over the runs moved each row's ratio [log]."""
    from fsviz.model.libraries import special

    x = np.concatenate([place - place.mean() for place in places])
    y = np.concatenate([level - level.mean(axis=0) for level in levels])
    freedom = len(x) - 3
    spread = float(x @ x) or math.nan
    slope = x @ y / spread
    scatter = np.sum((y - np.outer(x, slope)) ** 2, axis=0)
    error = np.sqrt(scatter / freedom / spread)
    distance = places[1].mean() - places[0].mean()
    half = special.stdtrit(freedom, 1 - LEVEL / 2) * error * abs(distance)
    return slope * distance, half


def without_drift(
    result: Result, order: Order, runs: NDArray[np.int64], error: float
) -> NDArray[np.float64]:
    """Return p of each ratio after drift is taken out of it; missing without times.

    The error of the ratio and that of the slope are independent. ``runs`` is the
    smaller number of both sides. Drift explains all of a difference that turns round.
    """
    from fsviz.model.libraries import special

    freedom = np.maximum(runs - 1, 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        half = np.hypot((np.log(result.high) - np.log(result.low)) / 2, order.error)
        corrected = np.log(result.ratio) - order.moved
        turns = np.where(
            result.low > 1, corrected < 0, (result.high < 1) & (corrected > 0)
        )
        far = np.where(turns, 0.0, np.abs(corrected) / half)
    return 2 * special.stdtr(freedom, -far * special.stdtrit(freedom, 1 - error / 2))


def with_drift(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Return p of rows: the larger of p with drift in the ratio and without it."""
    return np.fmax(frame["p_value"].to_numpy(float), frame["drift"].to_numpy(float))
