"""Where a series of campaigns changes its level, or drifts: points in time, not pairs.

The unit is the campaign. What differs from day to day between two campaigns, a reboot,
another neighbour on the host, is in every one of them, so runs of one campaign cannot
say whether the next one is slower. Campaigns that follow one another may also resemble
each other, so a change must be rarer than chance makes it in campaigns in any order
(a permutation test) and in a series whose neighbors resemble each other as much as
those seen do (autoregressive, simulated).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from fsviz.model.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SHORTEST = 2
"""Campaigns on each side of a change: one alone may be an outlier."""

ALPHA = 0.01
"""Of one history. It is small because a history is looked at again with each campaign
that comes, and for several systems and operations."""

SHUFFLES = 1999

EXACT = 16
"""Up to so many campaigns every order of them is counted."""


@dataclass(frozen=True, slots=True)
class Change:
    """A place where the level of a series changes."""

    at: int
    p_value: float
    ratio: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True)
class Drift:
    """By how much a series has changed in all, from its first campaign to its last."""

    ratio: float
    ci_low: float
    ci_high: float


@dataclass(frozen=True, slots=True)
class Course:
    """How a series went: its changes of level, or how much it drifted in all."""

    changes: list[Change]
    drift: Drift | None
    unseen: int
    """The last campaigns, in which no change could be shown."""


def course(
    logs: NDArray[np.float64], confidence: float = 0.95, seed: int = 0
) -> Course:
    """Find where a series changes its level, or that it drifts.

    Hierarchical bisection with a permutation test at each step (Matteson & James 2014,
    Journal of the American Statistical Association 109(505)), for a change of the mean:
    the statistic is the largest standardised difference of means over all places. A
    part is divided further only if it was told apart from its neighbour, so a series
    without a change gives a false one in a share of at most `ALPHA`. A straight line
    that fits better than the levels do (Schwarz 1978, Annals of Statistics 6(2)) is a
    drift.

    >>> import numpy as np
    >>> steady = np.tile([0.0, 0.02, 0.01], 5)
    >>> found = course(np.concatenate([steady, steady - 0.2]))
    >>> [c.at for c in found.changes], found.unseen
    ([15], 2)
    >>> course(steady).changes
    []
    """
    rng = np.random.default_rng(seed)
    # how alike neighbours are can be told only once the levels are known
    places = _bisected(logs, 0.0, rng)
    drifts = _is_line(logs, sorted(places))
    if places:
        rest = _about_line(logs) if drifts else _about_levels(logs, sorted(places))
        places = _bisected(logs, _likeness(rest, 2 if drifts else len(places) + 1), rng)
    if places and drifts:
        return Course([], _drift(logs, confidence), _unseen(len(logs)))
    found = _changes(logs, places, confidence)
    last = found[-1].at if found else 0
    return Course(found, None, _unseen(len(logs) - last))


def _bisected(
    logs: NDArray[np.float64], alike: float, rng: np.random.Generator
) -> dict[int, float]:
    """Find the places of changes, and their p."""
    places: dict[int, float] = {}
    parts = [(0, len(logs))]
    while parts:
        start, end = parts.pop()
        at, p = _strongest(logs[start:end], alike, rng)
        if p <= ALPHA:
            places[start + at] = p
            parts += [(start, start + at), (start + at, end)]
    return places


def changes(
    logs: NDArray[np.float64], confidence: float = 0.95, seed: int = 0
) -> list[Change]:
    """Find where a series changes its level."""
    return course(logs, confidence, seed).changes


def _unseen(n: int) -> int:
    """Count the last campaigns of a level in which even a clear change has no proof.

    >>> [_unseen(n) for n in (9, 10, 11, 12, 20, 21)]
    [9, 3, 3, 2, 2, 1]
    """
    sides = range(SHORTEST, n // 2 + 1)
    # a clear change is as rare as its campaigns standing first or last
    shown = (side for side in sides if 2 / math.comb(n, side) <= ALPHA)
    return next(shown, n + 1) - 1


def _strongest(
    logs: NDArray[np.float64], alike: float, rng: np.random.Generator
) -> tuple[int, float]:
    """Where the largest step is, and how often chance makes one as large."""
    if _unseen(len(logs)) == len(logs) or np.ptp(logs) == 0:
        return 0, 1.0
    steps = _steps(logs[None, :])[0]
    at = int(steps.argmax()) + SHORTEST
    # what is as large but for the last bit is as large
    largest = steps.max() * (1 - 1e-9)
    p = _in_any_order(logs, largest, rng)
    if p <= ALPHA and alike > 0:
        p = max(p, _among_alike(logs, alike, largest, rng))
    return at, p


def _steps(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standardised difference of the means before and after each place."""
    n = rows.shape[1]
    left = np.arange(SHORTEST, n - SHORTEST + 1)
    sums = np.cumsum(rows - rows.mean(axis=1, keepdims=True), axis=1)[:, left - 1]
    return np.abs(sums) / np.sqrt(left * (n - left))


def _in_any_order(
    logs: NDArray[np.float64], largest: float, rng: np.random.Generator
) -> float:
    """Share of all orders of the campaigns that have a step as large."""
    if len(logs) <= EXACT:
        return _in_every_order(logs, largest)
    shuffled = rng.permuted(np.tile(logs, (SHUFFLES, 1)), axis=1)
    reached = np.count_nonzero(_steps(shuffled).max(axis=1) >= largest)
    return (1 + reached) / (1 + SHUFFLES)


def _in_every_order(logs: NDArray[np.float64], largest: float) -> float:
    """Count the orders that have a step as large, by which campaigns come first.

    `without` is the share of the orders of a set of campaigns that have no such step.
    """
    n = len(logs)
    sets = np.arange(2**n)
    bits = (sets[:, None] >> np.arange(n)) & 1
    size = bits.sum(axis=1)
    inner = (size >= SHORTEST) & (size <= n - SHORTEST)
    step = np.zeros(2**n)
    weight = np.sqrt(size * (n - size), where=inner, out=np.ones(2**n))
    step[inner] = (np.abs(bits @ (logs - logs.mean())) / weight)[inner]
    without = np.ones(2**n)
    for k in range(1, n + 1):
        of_size = sets[size == k]
        last = np.nonzero(bits[of_size])[1].reshape(-1, k)
        without[of_size] = without[of_size[:, None] ^ (1 << last)].mean(axis=1)
        without[of_size[step[of_size] >= largest]] = 0
    return 1 - float(without[-1])


def _among_alike(
    logs: NDArray[np.float64], alike: float, largest: float, rng: np.random.Generator
) -> float:
    """Share of series without a change, of neighbours as alike, with such a step."""
    from scipy.signal import lfilter

    noise = rng.normal(size=(SHUFFLES, len(logs)))
    noise[:, 0] /= np.sqrt(1 - alike**2)
    rows = lfilter([1.0], [1.0, -alike], noise, axis=1)
    scale = rows.std(axis=1) / logs.std()
    reached = np.count_nonzero(_steps(rows).max(axis=1) >= largest * scale)
    return (1 + reached) / (1 + SHUFFLES)


def _likeness(rest: NDArray[np.float64], levels: int) -> float:
    """Autocorrelation of what is left about some levels, corrected for its bias."""
    if not rest.any():
        return 0.0
    n = len(rest)
    seen = float(rest[1:] @ rest[:-1] / (rest @ rest))
    likely = (n * seen + 2 * levels) / max(n - 3 * levels, 1)
    # half a standard error more: it is estimated, and too low raises alarms
    return min(likely + 0.5 / math.sqrt(n), _MOST) if likely > 0 else 0.0


_MOST = 0.9
"""Beyond this a series wanders, and has no level."""


def _is_line(logs: NDArray[np.float64], places: list[int]) -> bool:
    """Tell whether a straight line fits better than the levels, for what each costs."""
    import sys

    if not places:
        return False
    n = len(logs)
    levels, line = _about_levels(logs, places), _about_line(logs)
    # a level and a place for each change; a line has a level and a slope
    costs = math.log(n) * (2 * len(places) + 1), math.log(n) * 2
    least = sys.float_info.min
    fits = [n * math.log(max(float(r @ r) / n, least)) for r in (levels, line)]
    return fits[1] + costs[1] < fits[0] + costs[0]


def _about_levels(logs: NDArray[np.float64], places: list[int]) -> NDArray[np.float64]:
    borders = [0, *places, len(logs)]
    parts = [logs[a:b] - logs[a:b].mean() for a, b in pairwise(borders)]
    return np.concatenate(parts)


def _about_line(logs: NDArray[np.float64]) -> NDArray[np.float64]:
    place = np.arange(len(logs)) - (len(logs) - 1) / 2
    return np.asarray(logs - logs.mean() - _slope(logs) * place)


def _slope(logs: NDArray[np.float64]) -> float:
    place = np.arange(len(logs)) - (len(logs) - 1) / 2
    return float(place @ logs / (place @ place))


def _drift(logs: NDArray[np.float64], confidence: float) -> Drift | None:
    """Measure the change from first to last along a straight line; None if unsure."""
    n = len(logs)
    # the squares of the places about their middle sum up to this
    error = _error(_about_line(logs), 2) / math.sqrt(n * (n * n - 1) / 12)
    ends = _ends(_slope(logs), error, n - 2, confidence, times=n - 1)
    return Drift(*ends) if ends[1] > 1 or ends[2] < 1 else None


def _changes(
    logs: NDArray[np.float64], places: dict[int, float], confidence: float
) -> list[Change]:
    """Measure each change; without those whose interval has none in it."""
    if not places:
        return []
    borders = [0, *sorted(places), len(logs)]
    levels = len(borders) - 1
    error = _error(_about_levels(logs, sorted(places)), levels)
    found = []
    for before, at, after in zip(borders, borders[1:], borders[2:], strict=False):
        old, new = logs[before:at], logs[at:after]
        apart = error * math.sqrt(1 / len(old) + 1 / len(new))
        step = float(new.mean() - old.mean())
        ends = _ends(step, apart, len(logs) - levels, confidence)
        found.append(Change(at, places[at], *ends))
    unsure = [one for one in found if one.ci_low <= 1 <= one.ci_high]
    if not unsure:
        return found
    least = max(unsure, key=lambda one: one.p_value)
    kept = {at: p for at, p in places.items() if at != least.at}
    return _changes(logs, kept, confidence)


def _error(rest: NDArray[np.float64], levels: int) -> float:
    """Standard deviation of a campaign, widened where neighbours are alike.

    A mean of n numbers with autocorrelation a has the variance of n (1 − a) ÷ (1 + a)
    independent ones (Bayley & Hammersley 1946, J. R. Statist. Soc. Suppl. 8(2)).
    """
    alike = _likeness(rest, levels)
    variance = float(rest @ rest) / (len(rest) - levels)
    return math.sqrt(variance * (1 + alike) / (1 - alike))


def _ends(
    step: float, error: float, freedom: int, confidence: float, times: int = 1
) -> tuple[float, float, float]:
    """Ratio and t interval of a difference of logarithms, taken so many times."""
    from scipy.special import stdtrit

    half = float(stdtrit(freedom, (1 + confidence) / 2)) * error
    low, middle, high = (
        math.exp(times * value) for value in (step - half, step, step + half)
    )
    return middle, low, high
