"""Is what is said first true? Simulated campaigns through `fsviz.compare`.

Campaigns of six operations and some sizes, in several worlds: noise mainly of the run,
noise mainly of the cell (a quiet machine), the largest size in three of five runs with
a scatter of 30 %, three runs whose largest size scatters by 0.8 (standard deviations of
logarithms), and machines that become slower from run to run. Printed are the share of
campaigns of equal systems whose first words call any system faster, slower or mixed
(goal: at most 6 %), and the power where systems differ.

``python benchmarks/headlines.py [CAMPAIGNS]``: 400 campaigns each, unless stated; a
third of that with twelve systems. Exit status 1 if a goal is missed.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from itertools import product

import numpy as np
import pandas as pd

import fsviz
from fsviz.analysis.answers import DECIDED
from fsviz.model.campaign import Campaign
from fsviz.model.table import COLUMNS, RUN_COLUMNS

OPERATIONS = ("write", "rewrite", "read", "reread", "random_read", "random_write")
MOST = 0.06
SEQUENTIAL, SAME, RANDOM = "one after another", "same order", "random rounds"
RECORDS = (4096, 65536, 1048576)


@dataclass(frozen=True)
class World:
    """How campaigns scatter (standard deviations of logarithms)."""

    title: str
    run: float
    cell: float
    runs: int = 5
    sizes: int = 5
    largest: float = 0.0
    """Scatter of the largest size beside that of the cell."""
    has_largest: int = 99
    """Runs that measured the largest size."""
    records: int = 1
    drift: float = 0.0
    """How much slower each run is than the one before (logarithm)."""
    order: str = ""
    """Of the runs: ``one after another``, ``same order`` or ``random rounds``."""


WORLDS = (
    World("noise of the run", 0.03, 0.01),
    World("noise of the cell", 0.002, 0.05),
    World("largest size in 3 of 5 runs, CV 30 %", 0.005, 0.01, 5, 4, 0.3, 3),
    World("n = 3, largest size scatters by 0.8", 0.01, 0.01, 3, 4, 0.8),
    World("noise of the cell, three record sizes", 0.002, 0.05, records=3),
    World("drift 2 %, one after another", 0.005, 0.02, drift=0.02, order=SEQUENTIAL),
    World("drift 1 %, one after another", 0.02, 0.02, drift=0.01, order=SEQUENTIAL),
    World("drift 0.5 %, same order every round", 0.005, 0.01, drift=0.005, order=SAME),
    World("drift 0.5 %, random rounds", 0.005, 0.01, drift=0.005, order=RANDOM),
)

Effect = Callable[[int], np.ndarray]
"""Logarithm of the ratio of one system, operations × sizes."""


def slots(world: World, systems: int, rng: np.random.Generator) -> np.ndarray:
    """Say when each run was, systems × runs."""
    shape = (systems, world.runs)
    if world.order == SEQUENTIAL:
        return np.arange(systems * world.runs).reshape(shape)
    rounds = np.tile(np.arange(systems)[:, None], world.runs)
    if world.order == RANDOM:
        rounds = rng.permuted(rounds, axis=0)
    return rounds + systems * np.arange(world.runs)


def measured(
    world: World, systems: int, effect: np.ndarray, rng: np.random.Generator
) -> pd.DataFrame | Campaign:
    """Measure some systems; the first is the one that the effect does not change."""
    slot = slots(world, systems, rng)
    table = measurements(world, slot, effect, rng)
    if not world.order:
        return table
    runs = table.drop_duplicates("run").reset_index(drop=True)
    at = slot[runs["system"].str[1:].astype(int), runs["repeat"].astype(int) - 1]
    started = np.datetime64("2026-01-01T00:00:00", "ms") + at * np.timedelta64(600, "s")
    runs = runs.assign(started=started, configuration="", complete=True, facts="{}")
    runs = runs.reindex(columns=list(RUN_COLUMNS)).astype(RUN_COLUMNS)
    listed = pd.DataFrame({"system": runs["system"].unique()}, dtype="string")
    return Campaign("", "", None, table, runs, listed)


def measurements(
    world: World, slot: np.ndarray, effect: np.ndarray, rng: np.random.Generator
) -> pd.DataFrame:
    """Draw the numbers of all runs."""
    systems = len(slot)
    shape = (systems, world.runs, len(OPERATIONS), world.sizes, world.records)
    logs = rng.normal(18, world.run, (*shape[:2], 1, 1, 1))
    logs = logs + rng.normal(0, 0.01, (*shape[:3], 1, 1))
    logs = logs - world.drift * slot[:, :, None, None, None]
    logs = logs + rng.normal(0, world.cell, shape)
    logs[:, :, :, -1] += rng.normal(0, world.largest, logs[:, :, :, -1].shape)
    logs[1:] += effect[:, :, None]
    logs[:, world.has_largest :, :, -1] = np.nan
    s, k, o, z, r = (index.ravel() for index in np.indices(shape))
    names = np.array([f"s{n:02}" for n in range(systems)])
    value = np.exp(logs.ravel())
    frame = pd.DataFrame(
        {
            "campaign": "",
            "system": names[s],
            "tool": "iozone",
            "run": np.char.add(np.char.add(names[s], "-"), k.astype(str)),
            "repeat": k + 1,
            "operation": np.array(OPERATIONS)[o],
            "file_size_bytes": 2**26 * 4 ** z.astype("int64"),
            "record_size_bytes": np.array(RECORDS)[r],
            "threads": 1,
            "setting": "",
            "metric": "throughput",
            "value": value,
            "low": value,
            "high": value * (1 + 1e-9),
            "unit": "B/s",
            "source": "made up",
            "locator": "line 1",
        }
    )
    known = [name for name in COLUMNS if name in frame]
    frame = frame.loc[frame["value"].notna()].astype(
        {name: COLUMNS[name] for name in known}
    )
    return frame.reindex(columns=list(COLUMNS)).reset_index(drop=True)


def nothing(world: World) -> np.ndarray:
    """No system differs."""
    return np.zeros((len(OPERATIONS), world.sizes))


def decided(data: pd.DataFrame | Campaign) -> list[str]:
    """Return the answers that first words count as a difference, by operation."""
    answers = fsviz.compare(data).answers
    return [a.operation for a in answers if a.answer in DECIDED]


def false_words(world: World, systems: int, campaigns: int, seed: int) -> float:
    """Return the share of campaigns of equal systems that claim a difference."""
    rng = np.random.default_rng(seed)
    made = (measured(world, systems, nothing(world), rng) for _ in range(campaigns))
    return sum(bool(decided(frame)) for frame in made) / campaigns


def powers(campaigns: int) -> list[tuple[str, float]]:
    """Return the share of campaigns in which a difference that is there is said."""
    scattered = World("", 0.05, 0.02)
    everywhere = nothing(scattered) + np.log(1.1)
    large = World("", 0.02, 0.03)
    somewhere = nothing(large)
    somewhere[5, 4] = -np.log(1.5)
    rng = np.random.default_rng(99)
    all_six = sum(
        len(decided(measured(scattered, 2, everywhere, rng))) == len(OPERATIONS)
        for _ in range(campaigns)
    )
    one = sum(
        OPERATIONS[5] in decided(measured(large, 2, somewhere, rng))
        for _ in range(campaigns)
    )
    return [
        ("1.1 times faster, n = 5, CV 5 %: all six tests", all_six / campaigns),
        ("one of six tests 1.5 times slower at one size", one / campaigns),
    ]


def main() -> int:
    campaigns = int(sys.argv[1]) if len(sys.argv) > 1 else 400
    missed = 0
    pairs = product(WORLDS, (2, 12))
    for seed, (world, systems) in enumerate(pairs, 1):
        number = campaigns if systems == 2 else max(campaigns // 3, 1)
        share = false_words(world, systems, number, seed)
        # of few campaigns a share scatters
        bad = bool(share > MOST + 2 * np.sqrt(MOST * (1 - MOST) / number))
        missed += bad
        print(
            f"{systems:2} equal systems, {world.title:40s} {share:6.1%} of {number}, "
            f"seed {seed}{' MISSED' * bad}",
            flush=True,
        )
    for title, share in powers(max(campaigns // 2, 1)):
        print(f"{title:58s} {share:6.1%}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(main())
