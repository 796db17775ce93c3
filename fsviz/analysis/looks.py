"""Looking at an answer after each round, without finding differences by looking.

The error of a test is spent over the looks that were planned: after a share t of the
rounds each side of the test has spent 2 − 2Φ(z/√t), where z cuts off α/4 (Lan & DeMets,
Biometrika 70, 1983, in the manner of O'Brien & Fleming). The boundary of each look
follows from the joint distribution of the looks, by the recursion of Armitage,
McPherson & Rowe (J. R. Statist. Soc. A 132, 1969). A t test uses the boundary as a
level: its p value against that of the normal boundary (Jennison & Turnbull, "Group
sequential methods", 2000, section 3.8). An interval at that level is the repeated
confidence interval (their chapter 9).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from fsviz.analysis.answers import ALPHA, BAND
from fsviz.analysis.tests import FEWEST
from fsviz.model.campaign import Campaign, Data, Looks
from fsviz.model.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

SPENT = 0.04
"""Error that the looks spend in all. The boundary is that of normal scores, which t
tests of few rounds cross more often: 0.044 of all with no difference, and 0.055 at 0.05
(200,000 drawn, 4 to 15 rounds planned). That leaves room for `ALPHA`."""
HOPELESS = 0.1
"""Power below which more rounds are not worth their time."""

_POINTS = 401
"""Of the grid on which the distribution of a look is integrated."""


def strictness(data: Data) -> float:
    """Return by which factor looks make the level of data's tests smaller."""
    looks = data.looks if isinstance(data, Campaign) else None
    return 1.0 if looks is None else factor(looks)


def factor(looks: Looks) -> float:
    """Return the level of the last look, as a share of the level of a single test."""
    # what nobody has looked at yet is judged as if the first look were now
    taken = looks.taken or (min(FEWEST, looks.planned),)
    return level(taken, looks.planned, looks.closed) / ALPHA


def level(
    taken: Sequence[int], planned: int, closed: bool = False, error: float = SPENT
) -> float:
    """Return the two-sided level of the last of some looks, each a number of rounds.

    A plan that is closed spends at its last look all that is left of the error, which
    is fair where the budget has closed it and not the answer.

    >>> round(level([3, 4, 5], 5), 4), round(level([3], 5), 4)
    (0.0341, 0.0053)
    """
    return _levels(tuple(taken), planned, closed, error)[-1]


@lru_cache(maxsize=256)
def _levels(
    taken: tuple[int, ...], planned: int, closed: bool, error: float
) -> tuple[float, ...]:
    from fsviz.model.libraries import special

    shares = [min(rounds / planned, 1.0) for rounds in taken]
    if closed:
        shares[-1] = 1.0
    z = -special.ndtri(error / 4)
    # of one side; both sides are alike
    spent = [2 * special.ndtr(-z / math.sqrt(share)) for share in shares]
    levels: list[float] = []
    score = density = None
    for k, rounds in enumerate(taken):
        more = spent[k] - (spent[k - 1] if k else 0.0)
        edge = _edge(score, density, rounds - (taken[k - 1] if k else 0), more)
        levels.append(float(2 * special.ndtr(-edge / math.sqrt(rounds))))
        score, density = _inside(score, density, edge, rounds, taken[k - 1] if k else 0)
    return tuple(levels)


def _edge(
    score: NDArray[np.float64] | None,
    density: NDArray[np.float64] | None,
    rounds: int,
    spent: float,
) -> float:
    """Find the sum of scores beyond which a look stops with some probability."""
    from fsviz.model.libraries import special

    step = math.sqrt(rounds)
    if score is None or density is None:
        return float(-special.ndtri(spent) * step)
    low, high = 0.0, float(score[-1]) + 40 * step
    for _ in range(80):
        middle = (low + high) / 2
        beyond = np.trapezoid(density * special.ndtr((score - middle) / step), score)
        low, high = (middle, high) if beyond > spent else (low, middle)
    return (low + high) / 2


def _inside(
    score: NDArray[np.float64] | None,
    density: NDArray[np.float64] | None,
    edge: float,
    rounds: int,
    before: int,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the distribution of the sums of scores that do not stop."""
    # beyond nine deviations there is nothing that double precision would notice
    end = min(edge, 9 * math.sqrt(rounds))
    grid = np.linspace(-end, end, _POINTS)
    if score is None or density is None:
        return grid, _normal(grid, rounds)
    steps = _normal(grid[:, None] - score[None, :], rounds - before)
    return grid, np.asarray(np.trapezoid(steps * density, score, axis=1))


def _normal(x: NDArray[np.float64], variance: float) -> NDArray[np.float64]:
    return np.exp(-x * x / (2 * variance)) / math.sqrt(2 * math.pi * variance)


def power_of_more(ratio: float, low: float, high: float, looks: Looks) -> float:
    """Return how probably the rounds that are left decide a row.

    A row is decided where its last interval leaves out 1 or lies within the band. The
    power is conditional on the rounds so far, averaged over what they leave open of the
    difference, since three rounds know little of it (Jennison & Turnbull 2000, section
    10.3, predictive power). Logarithms count as normal.
    """
    from fsviz.model.libraries import special

    k, n = looks.taken[-1], looks.planned
    if not (ratio > 0 and low > 0 and math.isfinite(high)):
        return 1.0
    half = (math.log(high) - math.log(low)) / 2
    now, last = level(looks.taken, n, looks.closed), level((*looks.taken, n), n)
    error = half / -special.stdtrit(k - 1, now / 2)  # of the mean of k rounds
    spread = error * math.sqrt(k)
    reach = -special.stdtrit(n - 1, last / 2) * spread / math.sqrt(n)
    # the mean of all n, seen from the k that are known
    sd = spread * math.sqrt(1 / k - 1 / n)
    middle, inner = math.log(ratio), math.log(BAND[1]) - reach
    if sd == 0:
        return float(abs(middle) > reach or abs(middle) < inner)
    beyond = special.ndtr((middle - reach) / sd) + special.ndtr((-middle - reach) / sd)
    if inner <= 0:
        return float(beyond)
    first = min(inner, reach)  # what is within both counts once
    return float(
        beyond
        + special.ndtr((first - middle) / sd)
        - special.ndtr((-first - middle) / sd)
    )
