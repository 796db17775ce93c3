"""Is what is said first true? Simulated campaigns through overview and headline.

A campaign is n rounds of IOzone on several systems: 6 operations of 8 file sizes, runs
that differ by 6 %, cells by 3 % (standard deviations of logarithms). Printed are, with
their seeds, the share of campaigns of twelve equal systems whose headline calls one
faster, slower or dependent; the share in which `depends` is said where it is not so
(nothing differs, or everything by the same factor) and where it is (half of the sizes
1.5 times faster, half 1.5 times slower); the power of the mean of a tool at 1.1; and
what is claimed of equal systems that were measured in a fixed order while all drifts;
and of equal systems of which some runs lack the largest files, whose cells vary most.

Exit status 1 if a goal is missed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pandas as pd

from fsviz.analysis.verdicts import DEPENDS, DIFFERENT
from fsviz.answers.headline import headline
from fsviz.answers.matrix import overview
from fsviz.model.campaign import Campaign
from fsviz.model.runs import Cells, Run, number_repeats, tabulate

OPERATIONS = ("write", "rewrite", "read", "reread", "random_read", "random_write")
SIZES = tuple(65536 * 4**k for k in range(8))
RUN, CELL = 0.06, 0.03
LARGE = 0.3
"""Scatter of the largest files in campaigns with gaps."""
DECIDED = re.compile(r"\b(faster|slower|depends?)\b")

Shift = Callable[[int], np.ndarray]
"""Logarithm of the ratio of one system, operations × sizes."""


def campaign(
    systems: int,
    n: int,
    shift: Shift,
    rng: np.random.Generator,
    largest: int | None = None,
) -> pd.DataFrame:
    """Measure some systems n times each, and the largest files maybe fewer times."""
    placed = []
    for s in range(systems):
        for k in range(n):
            logs = 12 + shift(s) + rng.normal(0, RUN)
            scatter = np.full(len(SIZES), CELL)
            scatter[-1] = CELL if largest is None else LARGE
            logs = logs + rng.normal(0, scatter, (len(OPERATIONS), len(SIZES)))
            cells = Cells()
            for operation, row in zip(OPERATIONS, np.exp(logs), strict=True):
                for size, value in zip(SIZES, row, strict=True):
                    if largest is not None and size == SIZES[-1] and k >= largest:
                        continue
                    cells.add(
                        operation,
                        "throughput",
                        float(value),
                        "line 1",
                        low=float(value),
                        high=float(value) * (1 + 1e-9),
                        file_size=size,
                        record_size=65536,
                    )
            name = f"s{s:02}"
            run = Run(
                "iozone", f"{name}{k}", f"{name}{k}.txt", cells, configuration="c"
            )
            placed.append(("", name, run))
    return tabulate(number_repeats(placed))[0]


def drifting(
    systems: int, n: int, order: str, drift: float, rng: np.random.Generator
) -> Campaign:
    """Measure equal systems while everything drifts; runs differ by 3 %, with times."""
    slots = [(s, k) for k in range(n) for s in range(systems)]
    if order == "blocks":
        slots = sorted(slots)
    placed = []
    for slot, (s, k) in enumerate(slots):
        logs = 12 + rng.normal(0, RUN / 2) + drift * slot
        cells = Cells()
        for operation in OPERATIONS:
            value = float(np.exp(logs + rng.normal(0, CELL)))
            place = {"file_size": SIZES[-1], "record_size": 65536}
            bounds = {"low": value, "high": value * 1.000000001}
            cells.add(operation, "throughput", value, "line 1", **bounds, **place)
        name = f"s{s:02}"
        began = f"2026-01-{1 + slot // 24:02}T{slot % 24:02}:00:00"
        run = Run("iozone", f"{name}{k}", f"{name}{k}.txt", cells, configuration="c")
        placed.append(("", name, replace(run, started=began)))
    measurements, runs = tabulate(number_repeats(placed))
    names = pd.DataFrame(
        {"system": [f"s{s:02}" for s in range(systems)]}, dtype="string"
    )
    return Campaign("made up", "", "s00", measurements, runs, names)


def of_designs(seed: int, tables: int, *world: object) -> tuple[float, float]:
    """Return the share with an unqualified claim, and with all rows disqualified."""
    rng = np.random.default_rng(seed)
    claimed = held = 0
    for _ in range(tables):
        rows = overview(drifting(*world, rng))
        decided = rows.loc[rows["verdict"].isin([*DIFFERENT, DEPENDS])]
        claimed += any(not scope for scope in decided["scope"])
        held += bool((rows["verdict"] == "disqualified").all())
    return claimed / tables, held / tables


def equal(_: int) -> np.ndarray:
    """No system differs."""
    return np.zeros((len(OPERATIONS), len(SIZES)))


def by(factor: float) -> Shift:
    """Every system but the first is faster by one factor everywhere."""
    return lambda s: equal(s) + (np.log(factor) if s else 0.0)


def crossing(s: int) -> np.ndarray:
    """Half of the sizes 1.5 times faster, half 1.5 times slower."""
    signs = np.where(np.arange(len(SIZES)) < len(SIZES) // 2, 1.0, -1.0)
    return equal(s) + (np.log(1.5) * signs if s else 0.0)


def share(
    seed: int,
    tables: int,
    systems: int,
    n: int,
    shift: Shift,
    is_so: Callable,
    largest: int | None = None,
) -> float:
    """Return the share of campaigns of which something is so."""
    rng = np.random.default_rng(seed)
    found = 0
    for _ in range(tables):
        frame = overview(campaign(systems, n, shift, rng, largest))
        found += bool(is_so(frame))
    return found / tables


def is_claimed(frame: pd.DataFrame) -> bool:
    """Whether the headline calls any system faster, slower or dependent."""
    text = headline(frame)
    return bool(DECIDED.search(re.sub(r"\([^()]*\)", "", text)))


def depends(frame: pd.DataFrame) -> bool:
    """Whether any row depends."""
    return bool((frame["verdict"] == DEPENDS).any())


def is_found(frame: pd.DataFrame) -> bool:
    """Whether the mean of the tool is faster or slower."""
    means = frame.loc[frame["operation"] == "all"]
    return bool(means["verdict"].isin([*DIFFERENT, DEPENDS]).any())


LINES = (
    (
        "twelve equal systems, n = 5: headline claims",
        200,
        12,
        5,
        equal,
        is_claimed,
        0,
        0.06,
    ),
    (
        "two equal systems, n = 5: headline claims",
        400,
        2,
        5,
        equal,
        is_claimed,
        0,
        0.06,
    ),
    ("two equal systems, n = 5: depends", 150, 2, 5, equal, depends, 0, 0.05),
    ("all 1.3 times faster, n = 5: depends", 150, 2, 5, by(1.3), depends, 0, 0.05),
    ("half 1.5, half 1/1.5, n = 5: depends", 60, 2, 5, crossing, depends, 0.9, 1),
    (
        "1.1 times faster, n = 5, one candidate: found",
        200,
        2,
        5,
        by(1.1),
        is_found,
        0,
        1,
    ),
    ("1.1 times faster, n = 5, eleven: any found", 20, 12, 5, by(1.1), is_found, 0, 1),
    (
        "1.1 times faster, n = 10, one candidate: found",
        200,
        2,
        10,
        by(1.1),
        is_found,
        0,
        1,
    ),
)

GAPS = (1, 2, 3, 5)
"""Runs of five that have the largest files."""

DESIGNS = (
    ("ten equal, same order, 0.5 % a slot, n = 5", 60, 10, 5, "same", 0.005, 0, 0),
    ("A then B, 2 % a run, n = 10", 100, 2, 10, "blocks", 0.02, 0, 0.95),
    ("A then B, 2 % a run, n = 5", 100, 2, 5, "blocks", 0.02, 0, 0),
)
"""Of each the most that claim without a word, and the least all disqualified."""


def main() -> int:
    missed = 0
    for seed, (title, tables, *world, least, most) in enumerate(LINES, 1):
        found = share(seed, tables, *world)
        bad = not least <= found <= most
        missed += bad
        goal = "" if (least, most) == (0, 1) else f" (goal {least:.0%} to {most:.0%})"
        print(
            f"{title:50s} {found:6.1%} of {tables}, seed {seed}{goal}{' MISSED' * bad}"
        )
    for seed, largest in enumerate(GAPS, 30):
        found = share(seed, 150, 2, 5, equal, is_claimed, largest)
        bad = found > 0.06
        missed += bad
        title = f"two equal, largest files in {largest} of 5 runs: claims"
        print(f"{title:50s} {found:6.1%} of 150, seed {seed}{' MISSED' * bad}")
    for seed, (title, tables, *world, most, least) in enumerate(DESIGNS, 50):
        claimed, held = of_designs(seed, tables, *world)
        bad = claimed > most or held < least
        missed += bad
        print(
            f"{title:50s} claimed without a word {claimed:.1%}, all disqualified "
            f"{held:.1%} of {tables}, seed {seed}{' MISSED' * bad}"
        )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
