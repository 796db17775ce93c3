"""Do the 95 % intervals hold what they say, and how often is a verdict false?

Campaigns are made up whose true ratio is known: lognormal noise, and the cells of one
run moved together by something that the run had for itself. They go through
``fsviz.compare`` as real ones do. Goals: 93–97 % of the intervals hold the true ratio
at 3, 5 and 10 runs; without any difference, at most 5 % of the tests say ``faster`` or
``slower``. Beside it, as a yardstick, what pooling the cells would claim: the interval
of Student's t on all cells of all runs, as if each cell were a run of its own.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from fsviz.answers.comparison import compare
from fsviz.model.runs import Cells, Label, Run, tabulate

CELLS = 12
GROUPS = 500
TABLES = 10
GOAL = (0.93, 0.97)
FALSE_GOAL = 0.05


@dataclass(frozen=True)
class World:
    """What is true: the ratio, and the spread of logarithms over runs and cells."""

    title: str
    ratio: float
    over_runs: tuple[float, float]
    over_cells: float


WORLDS = (
    World("alike", 1.3, (0.10, 0.10), 0.10),
    World("one side three times noisier", 1.3, (0.05, 0.15), 0.10),
    World("no difference", 1.0, (0.10, 0.10), 0.10),
    World("no difference, one side noisier", 1.0, (0.05, 0.15), 0.10),
)


def logarithms(
    world: World, runs: int, groups: int, rng: np.random.Generator
) -> np.ndarray:
    """Made-up logarithms, shape (2 systems, runs, groups, cells)."""
    level = rng.normal(18, 1, (1, 1, groups, CELLS))
    spread = np.array(world.over_runs).reshape(2, 1, 1, 1)
    of_run = rng.normal(0, 1, (2, runs, groups, 1)) * spread
    of_cell = rng.normal(0, world.over_cells, (2, runs, groups, CELLS))
    shift = np.array([0, np.log(world.ratio)]).reshape(2, 1, 1, 1)
    return level + shift + of_run + of_cell


def table(logs: np.ndarray) -> pd.DataFrame:
    """The tidy table: a record size for each group, a file size for each cell."""
    labelled = []
    for system, runs in enumerate(np.exp(logs)):
        for repeat, groups in enumerate(runs, 1):
            cells = Cells()
            for record, values in enumerate(groups, 1):
                for file, value in enumerate(values):
                    cells.add(
                        "write",
                        "throughput",
                        float(value),
                        "line 1",
                        low=value - 512,
                        high=value + 512,
                        file_size=2**16 << file,
                        record_size=record * 1024,
                    )
            run = Run("iozone", f"{system}-{repeat}", f"{system}-{repeat}.txt", cells)
            labelled.append((Label("simulated", "ab"[system], repeat), run))
    return tabulate(labelled)[0]


def pooled_coverage(logs: np.ndarray, truth: float) -> np.ndarray:
    """Which intervals hold the truth if each cell counts as a measurement."""
    flat = (logs - logs.mean(axis=(0, 1), keepdims=True)).swapaxes(1, 2)
    base, cand = flat.reshape(*flat.shape[:2], -1)
    found = stats.ttest_ind(cand, base, axis=1).confidence_interval()
    low, high = found.low, found.high
    return (low <= truth) & (truth <= high)


def simulate(
    world: World, runs: int, *, tables: int, groups: int, seed: int = 2026
) -> dict[str, float]:
    """Share of intervals that hold the truth, and of verdicts that claim a winner."""
    rng = np.random.default_rng(seed)
    truth = np.log(world.ratio)
    held, claimed, pooled = [], [], []
    for _ in range(tables):
        logs = logarithms(world, runs, groups, rng)
        frame = compare(table(logs)).by("record_size")
        low, high = np.log(frame["ci_low"]), np.log(frame["ci_high"])
        held.append(((low <= truth) & (truth <= high)).mean())
        claimed.append(frame["answer"].isin(["faster", "slower"]).mean())
        pooled.append(pooled_coverage(logs, truth).mean())
    return {
        "coverage": float(np.mean(held)),
        "claimed": float(np.mean(claimed)),
        "pooled": float(np.mean(pooled)),
    }


def main() -> None:
    failed = False
    print(f"{TABLES} tables of {GROUPS} comparisons, {CELLS} cells each")
    print(f"{'world':33} {'runs':>4} {'coverage':>9} {'claims':>7} {'if pooled':>10}")
    for world in WORLDS:
        for runs in (3, 5, 10):
            got = simulate(world, runs, tables=TABLES, groups=GROUPS)
            print(
                f"{world.title:33} {runs:>4} {got['coverage']:9.1%} "
                f"{got['claimed']:7.1%} {got['pooled']:10.1%}"
            )
            failed |= not GOAL[0] <= got["coverage"] <= GOAL[1]
            failed |= world.ratio == 1 and got["claimed"] > FALSE_GOAL
    if failed:
        sys.exit("a goal is missed")


if __name__ == "__main__":
    main()
