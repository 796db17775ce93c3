"""How many runs a difference needs, before anything is measured.

Two systems that scatter alike, n runs of each, a t test on the logarithms: then the
test statistic follows the noncentral t distribution (Cohen 1988, "Statistical Power
Analysis", chapter 2), from which everything here is computed. Welch's test, which
`fsviz.analysis.comparison` uses, does not know that they scatter alike: with three runs
it finds up to 8 of 100 less, with eight 2 (simulated in its test). Where the systems
took turns the test is of the differences within the rounds, and so is the scatter. A
comparison has the scatter of its test in the column ``scatter``: a standard deviation
of logarithms, which for a few percent is that share.
"""

from __future__ import annotations

import math

from fsviz.analysis.tests import FEWEST
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np

LEVEL = 0.05
"""p below which a test calls two systems different."""
POWER = 0.8
"""Share of campaigns that shall find a difference which is there (Cohen 1988)."""
MOST = 100_000
"""Runs that nobody makes."""


def power(n: int, scatter: float, ratio: float, rounds: bool = False) -> float:
    """Return the share of campaigns that find a difference which is there."""
    # as scipy.stats.nct, without the half second that importing it takes
    from fsviz.model.libraries import special

    if n < 2:
        raise UsageError(f"n: expected 2 runs or more, found {n}")
    _refuse(scatter, ratio)
    systems = 1 if rounds else 2
    shift = abs(math.log(ratio)) / (scatter * math.sqrt(systems / n))
    freedom = systems * (n - 1)
    edge = special.stdtrit(freedom, 1 - LEVEL / 2)
    inside = special.nctdtr(freedom, shift, edge) - special.nctdtr(
        freedom, shift, -edge
    )
    # far out scipy's distribution underflows to nan: there the test always finds it
    return float(1 - np.nan_to_num(inside, nan=0.0))


def runs_for(scatter: float, ratio: float, rounds: bool = False) -> int:
    """Count the runs of each system that find a difference often enough."""
    _refuse(scatter, ratio)
    if math.log(ratio) == 0 or power(MOST, scatter, ratio, rounds) < POWER:
        raise UsageError(
            f"ratio: expected a difference that {MOST} runs can find, found {ratio:g}"
        )
    low, high = FEWEST, MOST
    while low < high:
        middle = (low + high) // 2
        if power(middle, scatter, ratio, rounds) < POWER:
            low = middle + 1
        else:
            high = middle
    return low


def _refuse(scatter: float, ratio: float) -> None:
    for name, value in (("scatter", scatter), ("ratio", ratio)):
        if not (math.isfinite(value) and value > 0):
            raise UsageError(f"{name}: expected a number above 0, found {value:g}")
