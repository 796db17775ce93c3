"""Do histories raise false alarms, and what do they see? Simulated series of campaigns.

Printed are, with their seeds, the share of histories without a change in which one is
reported (a step or a drift), where campaigns are independent and where each resembles
the one before (autocorrelation 0.5); how often a clear step at the end is shown or said
to be beyond sight; and what a step of a tenth, two of them, and a drift of a tenth in
all are called. Campaigns differ by 5 %, and by 2 % in the last three lines.

Exit status 1 if a goal is missed.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable

import numpy as np

from fsviz.analysis.changes import Course, course

LENGTHS = (12, 25, 50)
SERIES = 400


def alike(rho: float, n: int, rng: np.random.Generator) -> np.ndarray:
    """Campaigns each of which resembles the one before."""
    series = rng.normal(0, 0.05, n)
    series[0] /= np.sqrt(1 - rho**2)
    for k in range(1, n):
        series[k] += rho * series[k - 1]
    return series


def alarms(rho: float, n: int, seed: int) -> float:
    """Return the share of series without a change in which one is reported."""
    rng = np.random.default_rng(seed)
    found = [course(alike(rho, n, rng)) for _ in range(SERIES)]
    return sum(bool(one.changes or one.drift) for one in found) / SERIES


def ends(n: int, last: int, seed: int) -> tuple[float, float]:
    """Return how often half the speed at the end is shown, and how often else said."""
    rng = np.random.default_rng(seed)
    shown = said = 0
    for _ in range(100):
        series = alike(0, n, rng)
        series[-last:] += np.log(0.5)
        found = course(series)
        seen = any(one.at == n - last for one in found.changes)
        shown += seen
        said += not seen and found.unseen >= last
    return shown / 100, said / 100


def called(one: Course) -> str:
    """Name what was found."""
    return "drift" if one.drift else f"{len(one.changes)} steps"


TRUTHS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "one step of a tenth": lambda t: -0.1 * (t >= 0.5),
    "two steps of a tenth": lambda t: -0.1 * (t >= 1 / 3) - 0.1 * (t >= 2 / 3),
    "a drift of a tenth in all": lambda t: -0.1 * t,
}


def main() -> int:
    missed = 0
    for rho, most in ((0.0, 0.02), (0.5, 0.05)):
        for n in LENGTHS:
            share = alarms(rho, n, n)
            bad = share > most
            missed += bad
            print(
                f"no change, autocorrelation {rho}, n = {n}: {share:.1%} of {SERIES}, "
                f"seed {n} (goal: at most {most:.0%}){' MISSED' * bad}"
            )
    for n, last in ((12, 3), (12, 2), (11, 3), (25, 2), (25, 1)):
        shown, said = ends(n, last, n)
        bad = shown + said < 1
        missed += bad
        print(
            f"half the speed in the last {last} of {n}: shown in {shown:.0%}, "
            f"said to be beyond sight in {said:.0%}, seed {n}{' MISSED' * bad}"
        )
    for title, truth in TRUTHS.items():
        for n in (20, 50):
            rng = np.random.default_rng(n)
            place = np.arange(n) / (n - 1)
            found = Counter(
                called(course(truth(place) + rng.normal(0, 0.02, n))) for _ in range(60)
            )
            told = ", ".join(f"{what} in {k}" for what, k in found.most_common())
            print(f"{title}, n = {n}: {told} of 60, seed {n}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
