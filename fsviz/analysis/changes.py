"""Where a series of campaigns changes its level: points in time, not pairs.

The unit is the campaign. What differs from day to day between two campaigns, a reboot,
another neighbour on the host, is in every one of them, so runs of one campaign cannot
say whether the next one is slower.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHORTEST = 2
"""Campaigns on each side of a change: one alone may be an outlier."""

ALPHA = 0.01
"""Of one history. It is small because a history is looked at again with each campaign
that comes, and for several systems and operations."""

SHUFFLES = 1999


@dataclass(frozen=True, slots=True)
class Change:
    """A place where the level of a series changes."""

    at: int
    p_value: float
    ratio: float
    ci_low: float
    ci_high: float


def changes(
    logs: NDArray[np.float64], confidence: float = 0.95, seed: int = 0
) -> list[Change]:
    """Find where a series changes its level.

    Hierarchical bisection with a permutation test at each step (Matteson & James 2014,
    Journal of the American Statistical Association 109(505)), for a change of the mean:
    the statistic is the largest standardised difference of means over all places. A
    part is divided further only if it was told apart from its neighbour, so a series
    without a change gives a false one in a share of at most `ALPHA`.

    >>> import numpy as np
    >>> steady = np.tile([0.0, 0.02, 0.01], 5)
    >>> [c.at for c in changes(np.concatenate([steady, steady - 0.2]))]
    [15]
    >>> changes(steady)
    []
    """
    import numpy as np

    rng = np.random.default_rng(seed)
    places: dict[int, float] = {}
    parts = [(0, len(logs))]
    while parts:
        start, end = parts.pop()
        at, p = _strongest(logs[start:end], rng)
        if p <= ALPHA:
            places[start + at] = p
            parts += [(start, start + at), (start + at, end)]
    borders = [0, *sorted(places), len(logs)]
    return [
        _change(logs, borders[k : k + 3], places[borders[k + 1]], confidence)
        for k in range(len(places))
    ]


def _strongest(
    logs: NDArray[np.float64], rng: np.random.Generator
) -> tuple[int, float]:
    """Where the largest step is, and how often chance makes one as large."""
    import numpy as np

    if len(logs) < 2 * SHORTEST or np.ptp(logs) == 0:
        return 0, 1.0
    found = _steps(logs[None, :])[0]
    shuffled = rng.permuted(np.tile(logs, (SHUFFLES, 1)), axis=1)
    largest = _steps(shuffled).max(axis=1)
    # what is as large but for the last bit is as large
    reached = np.count_nonzero(largest >= found.max() * (1 - 1e-9))
    return int(found.argmax()) + SHORTEST, (1 + reached) / (1 + SHUFFLES)


def _steps(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Standardised difference of the means before and after each place."""
    import numpy as np

    n = rows.shape[1]
    left = np.arange(SHORTEST, n - SHORTEST + 1)
    sums = np.cumsum(rows - rows.mean(axis=1, keepdims=True), axis=1)[:, left - 1]
    return np.abs(sums) / np.sqrt(left * (n - left))


def _change(
    logs: NDArray[np.float64], borders: list[int], p: float, confidence: float
) -> Change:
    from fsviz.analysis.tests import sample, welch

    start, at, end = borders
    found = welch(sample(logs[start:at, None]), sample(logs[at:end, None]), confidence)
    return Change(at, p, *(float(x[0]) for x in (found.ratio, found.low, found.high)))
