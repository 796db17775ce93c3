"""Worlds of known truth, through fsviz's own functions: what do verdicts do there?

A table is 8 operations of 12 cells each, measured in n runs of two systems. Runs differ
by 6 %, an operation within a run by 3 %, a cell by 3 % (standard deviations of
logarithms) unless a world says otherwise. Printed are, for each world: how many of the
95 % intervals hold the true ratio; in how many rows, and in how many tables, a
difference is claimed that is not there; of a true difference, how often a single test
finds it (power: p < 0.05) and how often a verdict does, which keeps false discoveries
low over the 8 tests of a table (found: q < 0.05); and how often a row is answered at
all (`faster`, `slower` or `same`). Beside it, where it is installed, what Go's
benchstat says of the same numbers (`go install
golang.org/x/perf/cmd/benchstat@latest`).

The tables of a world go through `compare_groups`, `control` and `verdicts` together,
which is what `compare` calls; that it says the same is checked for the first table of
each.

Exit status 1 if a line of the table of goals is not met.
"""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
import sys
import tempfile
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import sparse, stats

import fsviz
from fsviz.analysis.buckets import summary
from fsviz.analysis.cells import Matrix, system_runs
from fsviz.analysis.comparison import Method, compare, compare_groups
from fsviz.analysis.tests import control
from fsviz.analysis.verdicts import ALPHA, verdicts
from fsviz.model.campaign import Campaign
from fsviz.model.runs import Cells, Run, number_repeats, tabulate

OPERATIONS = (
    *("write", "rewrite", "read", "reread", "random_read", "random_write"),
    *("backward_read", "stride_read"),
)
CELLS = 12
TABLES = 1000
WHOLE = 12
"""Tables of a world that go through `fsviz.compare` with all rules."""

RUN, OPERATION, CELL = 0.06, 0.03, 0.03
Logs = np.ndarray
"""Logarithms, shape (systems, runs, tables, operations, cells)."""


@dataclass(frozen=True)
class World:
    """What is true, and what must hold.

    ``change`` takes the logarithms of two systems that are alike and makes them those
    of this world; ``true`` is the ratio of each operation.
    """

    title: str
    n: int
    change: Callable[[Logs, np.random.Generator], Logs] = lambda logs, _: logs
    true: float = 1.0
    spread: tuple[float, float] = (RUN, RUN)
    cell: float = CELL
    heavy: bool = False
    order: str = "none"
    goals: dict[str, tuple[float, float]] = field(default_factory=dict)
    rows: tuple[int, ...] = tuple(range(len(OPERATIONS)))
    whole: bool = False


def draw(world: World, rng: np.random.Generator, tables: int) -> Logs:
    """Draw the logarithms of two systems."""
    shape = (2, world.n, tables, len(OPERATIONS), CELLS)
    spread = np.array(world.spread).reshape(2, 1, 1, 1, 1)
    size = (*shape[:3], 1, 1)
    # Student's t with 3 degrees of freedom has a variance of 3
    heavy = world.heavy
    of_run = rng.standard_t(3, size) / 3**0.5 if heavy else rng.normal(size=size)
    logs = np.log(1e8) + 0.1 * np.arange(CELLS) + of_run * spread
    logs = logs + rng.normal(0, OPERATION, (*shape[:4], 1))
    logs = logs + rng.normal(0, world.cell, shape)
    logs[1] += np.log(world.true)
    return world.change(logs, rng)


# What the worlds do to the numbers ----------------------------------------------------


def halved(logs: Logs, _: np.random.Generator) -> Logs:
    """One run of the second system at half speed."""
    logs[1, 0] -= np.log(2)
    return logs


def slots(n: int, order: str) -> np.ndarray:
    """When each run began, shape (2, n): in rounds, ABBA, or one after the other."""
    if order == "blocks":
        return np.arange(2 * n).reshape(2, n)
    first = np.arange(n) % 2
    return 2 * np.arange(n) + np.array([first, 1 - first])


def drifting(slot: float, together: bool) -> Callable:
    """Everything slower by a part each slot: in turns, or one after the other."""

    def change(logs: Logs, _: np.random.Generator) -> Logs:
        place = slots(logs.shape[1], "turns" if together else "blocks")
        return logs + np.log(1 - slot) * place[:, :, None, None, None]

    return change


def gap(logs: Logs, _: np.random.Generator) -> Logs:
    """One run of the second system lacks one cell of the first operation."""
    logs[1, 0, :, 0, 0] = np.nan
    return logs


def noisy_cell(logs: Logs, rng: np.random.Generator) -> Logs:
    """One cell of each operation scatters by 1."""
    logs[..., 0] += rng.normal(0, 1, logs.shape[:-1])
    return logs


def stalls(share: float, second_only: bool) -> Callable:
    """Some values are three times slower."""

    def change(logs: Logs, rng: np.random.Generator) -> Logs:
        hit = rng.random(logs.shape) < share
        hit[0] &= not second_only
        return logs - np.log(3) * hit

    return change


COVERED = {"coverage": (0.93, 0.97), "false tables": (0.0, 0.05)}
HARMLESS = {"false tables": (0.0, 0.05), "given": (1.0, 1.0)}
WORLDS = (
    *(World(f"no difference, n = {n}", n, goals=COVERED) for n in (3, 5, 10)),
    World("heavy tails (t with 3 degrees)", 5, heavy=True, goals=COVERED),
    World(
        "one run halved",
        5,
        halved,
        goals={"coverage": (0.93, 1.0), "false tables": (0.0, 0.05)},
    ),
    World("spread over runs 2 % and 12 %", 5, spread=(0.02, 0.12), goals=COVERED),
    World(
        "drift of 2 % a slot, in turns, true 1.10",
        10,
        drifting(0.02, together=True),
        1.10,
        order="turns",
        goals={"power": (0.70, 1.0)},
    ),
    World("the same, as if not in turns", 10, drifting(0.02, together=True), 1.10),
    World("true 1.3", 3, true=1.3, rows=(0,)),
    World("true 1.3, one run lacks a cell", 3, gap, 1.3, rows=(0,)),
    World("one noisy cell (1)", 5, noisy_cell, goals=HARMLESS, whole=True),
    World("all cells noisy (0.3)", 5, cell=0.3, goals=HARMLESS, whole=True),
    World(
        "stalls, 3 times in 5 % of values",
        5,
        stalls(0.05, second_only=False),
        goals=HARMLESS,
        whole=True,
    ),
    World(
        "the second stalls in 20 %, true 0.80",
        5,
        stalls(0.20, second_only=True),
        goals={"coverage": (0.93, 1.0)},
    ),
)
MEANT = (
    "The goal of 70 % is about power: one test, p < 0.05. So is its yardstick, the "
    '15 % of tests that do not pair: "the same, as if not in turns" has {power:.1%} by '
    "p and {found:.1%} by q. A verdict asks for q < 0.05 over the {tests} tests of a "
    "table, which is stricter; that share is `found`."
)
"""Which of the two shares of a true difference the goal means, and why."""
STALLED = np.exp(-0.2 * np.log(3))
"""What a stall of 3 times in a fifth of the values makes of a geometric mean."""


# Through fsviz ------------------------------------------------------------------------


def matrix_of(logs: Logs, order: str) -> Matrix:
    """Arrange two systems as `fsviz.analysis.cells` does."""
    systems, n = logs.shape[:2]
    value = np.exp(logs.reshape(systems * n, -1))
    names = np.repeat(np.array(list("ab")), n)
    slot = slots(n, order).ravel()
    started = np.datetime64("2026-01-01T00:00") + slot.astype("timedelta64[m]") * 30
    if order == "none":
        started = np.full(systems * n, np.datetime64("NaT", "ns"))
    cells = pd.DataFrame({"file_size_bytes": np.full(value.shape[1], 2**20)})
    return Matrix(
        tool="iozone",
        runs=pd.DataFrame({"system": names, "run": np.arange(systems * n).astype(str)}),
        cells=cells.assign(metric="throughput"),
        value=value,
        low=value,
        high=value * (1 + 1e-9),
        censored=np.zeros(value.shape, bool),
        started=started,
        configuration=np.zeros(systems * n, int),
    )


def answers(logs: Logs, order: str) -> pd.DataFrame:
    """Compare all tables of a world: one row an operation, `table` says of which."""
    tables, operations, cells = logs.shape[2:]
    matrix = matrix_of(logs, order)
    groups = np.arange(tables * operations)
    both = (groups, groups // operations)  # operations, and the mean of each table
    frame, means = (
        pd.DataFrame(compare_groups(*_pair(matrix), _member(group, cells), Method()))
        for group in both
    )
    table = np.repeat(np.arange(tables), operations)
    tests = pd.concat([frame["p_value"], means["p_value"]])
    family = np.concatenate([table, np.arange(tables)])
    q = tests.groupby(family).transform(lambda p: control(p.to_numpy(float)))
    q = q.to_numpy()[: len(frame)]
    frame = frame.assign(table=table, metric="throughput", q_value=q)
    return frame.assign(verdict=verdicts(frame))


def _pair(matrix: Matrix) -> list:
    return [system_runs(matrix, name) for name in "ab"]


def _member(group: np.ndarray, cells: int) -> sparse.csr_array:
    """Say which cell belongs to which group; each group of ``group`` has some cells."""
    own = np.repeat(group, cells)
    return sparse.csr_array((np.ones(len(own)), (np.arange(len(own)), own)))


def campaign_of(logs: Logs, order: str, table: int = 0) -> Campaign:
    """One table of a world as `fsviz.load` would have read it."""
    matrix = matrix_of(logs[:, :, table : table + 1], order)
    placed = []
    n = logs.shape[1]
    for i, name in enumerate(matrix.runs["system"]):
        cells = Cells()
        values = np.exp(logs[i // n, i % n, table])
        for operation, row in zip(OPERATIONS, values, strict=True):
            for at, value in enumerate(row):
                if not np.isfinite(value):
                    continue
                cells.add(
                    operation,
                    "throughput",
                    float(value),
                    "line 1",
                    low=float(value),
                    high=float(value) * (1 + 1e-9),
                    file_size=2**20,
                    record_size=4096 << at,
                )
        known = not np.isnat(matrix.started[i])
        began = str(matrix.started[i].astype("datetime64[s]")) if known else ""
        run = Run("iozone", f"{name}{i}", f"{name}{i}.txt", cells, configuration="c")
        placed.append(("", str(name), replace(run, started=began)))
    measurements, runs = tabulate(number_repeats(placed))
    systems = pd.DataFrame({"system": ["a", "b"]}, dtype="string")
    return Campaign("made up", "", "a", measurements, runs, systems)


def check_shortcut(logs: Logs, order: str, frame: pd.DataFrame) -> None:
    """The first table says the same when it goes through `compare`."""
    known = compare(campaign_of(logs, order), by="operation")
    known = known.set_index("operation").loc[list(OPERATIONS)]
    first = frame.loc[frame["table"] == 0]
    for name in ("verdict", "paired"):
        assert known[name].tolist() == first[name].tolist(), name
    np.testing.assert_allclose(known["ci_low"], first["ci_low"], rtol=1e-6)


def given(logs: Logs, order: str) -> float:
    """Share of rows that `fsviz.compare` with all its rules does not disqualify."""
    rows = [
        fsviz.compare(campaign_of(logs, order, i), by="operation") for i in range(WHOLE)
    ]
    verdict = pd.concat(rows)["verdict"]
    return float((verdict != "disqualified").mean())


def measure(world: World, seed: int) -> dict[str, float]:
    """Say what verdicts do in a world."""
    logs = draw(world, np.random.default_rng(seed), TABLES)
    frame = answers(logs, world.order)
    check_shortcut(logs, world.order, frame)
    operation = np.tile(np.arange(len(OPERATIONS)), TABLES)
    rows = frame.loc[np.isin(operation, world.rows)]
    true = STALLED if world.title.startswith("the second stalls") else world.true
    held = (rows["ci_low"] <= true) & (true <= rows["ci_high"])
    told = rows["verdict"].isin(["faster", "slower"])
    right = "faster" if true > 1 else "slower"
    wrong = told if true == 1 else told & (rows["verdict"] != right)
    found = {
        "coverage": float(held.mean()),
        "false rows": float(wrong.mean()),
        "false tables": float(wrong.groupby(rows["table"]).any().mean()),
        "answered": float(rows["verdict"].isin(["faster", "slower", "same"]).mean()),
    }
    if true != 1:
        found["power"] = float((rows["p_value"] < ALPHA).mean())
        found["found"] = float((rows["verdict"] == right).mean())
    if world.whole:
        found["given"] = given(logs, world.order)
    return found


# Worlds of another shape --------------------------------------------------------------


def beside_slow_neighbours(seed: int) -> dict[str, float]:
    """A candidate that is alike, beside seven that are 20 times slower.

    The family of a candidate holds its own tests alone, so the others are not drawn for
    all tables; that they change nothing is checked with `compare` for some.
    """
    rng = np.random.default_rng(seed)
    world = World("", 5)
    logs = draw(world, rng, TABLES)
    frame = answers(logs, "none")
    for table in range(WHOLE):
        alone = campaign_of(logs, "none", table)
        slow = alone.measurements.loc[alone.measurements["system"] == "b"]
        others = [
            slow.assign(
                system=f"slow{i}",
                run=slow["run"] + f"-{i}",
                value=slow["value"] / 20 * np.exp(rng.normal(0, CELL, len(slow))),
            )
            for i in range(7)
        ]
        together = pd.concat([alone.measurements, *others], ignore_index=True)
        rows = compare(together, baseline="a", by="operation")
        rows = rows.loc[rows["candidate"] == "b"].set_index("operation")
        wanted = frame.loc[frame["table"] == table, "verdict"].tolist()
        assert rows.loc[list(OPERATIONS), "verdict"].tolist() == wanted
    told = frame["verdict"].isin(["faster", "slower"])
    return {
        "false rows": float(told.mean()),
        "false tables": float(told.groupby(frame["table"]).any().mean()),
    }


def one_after_another(seed: int) -> dict[str, float]:
    """Drift of 1 % a run, first all runs of one system: what does a verdict say?"""
    rng = np.random.default_rng(seed)
    world = World("", 5, drifting(0.01, together=False))
    logs = draw(world, rng, 5 * WHOLE)
    bare = answers(logs, "blocks")
    told = bare["verdict"].isin(["faster", "slower"])
    rows, seen, stopped = [], 0, 0
    for table in range(5 * WHOLE):
        campaign = campaign_of(logs, "blocks", table)
        frame = fsviz.compare(campaign, by="operation")
        rows.append(frame)
        found = fsviz.check(campaign, select=["not-interleaved"])
        drift = bool((found["severity"] == "error").any())
        seen += drift
        stopped += drift and bool((frame["verdict"] == "disqualified").all())
    every = pd.concat(rows)
    qualified = [
        "one after another" in scope or verdict == "disqualified"
        for scope, verdict in zip(every["scope"], every["verdict"], strict=True)
    ]
    return {
        "false rows": float(told.mean()),
        "false tables": float(told.groupby(bare["table"]).any().mean()),
        "unqualified": 1 - float(np.mean(qualified)),
        "drift seen": seen / (5 * WHOLE),
        "seen and not disqualified": (seen - stopped) / (5 * WHOLE),
    }


def latencies(seed: int, n: int) -> dict[str, float]:
    """Latencies with a log-normal spread of 1: does the interval hold the mean?"""
    rng = np.random.default_rng(seed)
    rows, true = 4000, np.exp(-9 + 0.5)
    placed = []
    for i, values in enumerate(np.exp(rng.normal(-9, 1, (n, rows)))):
        cells = Cells()
        for at, value in enumerate(values):
            cells.add(
                "read",
                "latency",
                float(value),
                "line 1",
                low=float(value),
                high=float(value),
                file_size=4096 * (at + 1),
                record_size=4096,
            )
        placed.append(("", "a", Run("iozone", f"r{i}", "a.txt", cells)))
    table = tabulate(number_repeats(placed))[0]
    frame = summary(table, by="file_size")
    return {
        "coverage": float(
            ((frame["ci_low"] <= true) & (true <= frame["ci_high"])).mean()
        ),
        "negative ends": float((frame["ci_low"] < 0).mean()),
    }


def all_of_a_round(sds: np.ndarray, n: int, ratio: float, seed: int) -> list[float]:
    """Share of p < 0.05 of one pair: its own rounds, or a two-way layout of all.

    In the layout (system + round, ordinary least squares) the scatter is that of all
    systems together, so it has more degrees of freedom, and is wrong for a system that
    scatters otherwise.
    """
    rng = np.random.default_rng(seed)
    logs = rng.normal(0, 1, (20_000, len(sds), n)) * sds[:, None]
    logs = logs + rng.normal(0, 0.1, (len(logs), 1, n))
    apart = logs[:, 1] - logs[:, 0] + np.log(ratio)
    own = apart.mean(axis=1) / apart.std(axis=1, ddof=1) * np.sqrt(n)
    left = logs - logs.mean(2, keepdims=True) - logs.mean(1, keepdims=True)
    left += logs.mean((1, 2), keepdims=True)
    freedom = (len(sds) - 1) * (n - 1)
    pooled = (left**2).sum((1, 2)) / freedom
    layout = apart.mean(axis=1) / np.sqrt(pooled * 2 / n)
    edges = (stats.t.ppf(0.975, n - 1), stats.t.ppf(0.975, freedom))
    return [
        float((np.abs(t) > edge).mean())
        for t, edge in zip((own, layout), edges, strict=True)
    ]


def layouts() -> None:
    """Print what a two-way layout of all systems would do: it is not used."""
    print(
        "\nTwelve systems, five rounds: rounds of a pair, and a two-way layout of all:"
    )
    alike = np.full(12, 0.06)
    one, others = alike.copy(), np.full(12, 0.5)
    one[1], others[:2] = 0.5, 0.06
    for title, sds, ratio in (
        ("alike, no difference", alike, 1.0),
        ("alike, 1.1 times", alike, 1.1),
        ("the candidate scatters by 0.5, no difference", one, 1.0),
        ("all others scatter by 0.5, 1.1 times", others, 1.1),
    ):
        pair, layout = all_of_a_round(sds, 5, ratio, 1)
        print(f"{title:46}  seed  1  pair {pair:.1%}, layout {layout:.1%}")
    spread = np.random.default_rng(2).normal(0, 0.5, (100, 12))
    for n in (3, 5):
        found = [all_of_a_round(0.06 * np.exp(s), n, 1.0, 3) for s in spread]
        pair, layout = np.mean(found, axis=0)
        worst = np.max(found, axis=0)[1]
        print(
            f"scatters differ (log sd 0.5), n = {n}, no difference   seed  2  pair "
            f"{pair:.1%}, layout {layout:.1%}, in the worst campaign {worst:.1%}"
        )


# Benchstat ----------------------------------------------------------------------------


def with_benchstat(world: World, seed: int, tables: int = 100) -> dict[str, float]:
    """What benchstat says of the same numbers, a benchmark for each operation."""
    logs = draw(world, np.random.default_rng(seed), TABLES)[:, :, :tables]
    means = np.exp(-np.nanmean(logs, axis=-1)) * 1e9
    program = shutil.which("benchstat")
    wrong = rows = tables_wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for table in range(tables):
            for system, name in enumerate("ab"):
                lines = [
                    f"Benchmark{operation} 1 {means[system, run, table, o]:.9f} ns/op"
                    for run in range(world.n)
                    for o, operation in enumerate(OPERATIONS)
                ]
                Path(folder, f"{name}.txt").write_text("\n".join(lines) + "\n")
            done = subprocess.run(
                [str(program), "-format", "csv", "a.txt", "b.txt"],
                cwd=folder,
                capture_output=True,
                text=True,
                check=True,
            )
            told = [
                row[5] not in ("~", "?")
                for row in csv.reader(io.StringIO(done.stdout))
                if row and row[0] in OPERATIONS and len(row) > 5
            ]
            wrong, rows = wrong + sum(told), rows + len(told)
            tables_wrong += any(told)
    return {"told rows": wrong / rows, "told tables": tables_wrong / tables}


# The table ----------------------------------------------------------------------------


def line(title: str, seed: int, found: dict[str, float]) -> None:
    shown = ", ".join(f"{name} {value:.1%}" for name, value in found.items())
    print(f"{title:42}  seed {seed:2}  {shown}", flush=True)


def missed(found: dict[str, float], goals: dict[str, tuple[float, float]]) -> bool:
    """Print and count the goals that are not met."""
    failing = {
        name: found[name]
        for name, (low, high) in goals.items()
        if not low <= found[name] <= high
    }
    for name, value in failing.items():
        low, high = goals[name]
        print(f"    MISSED: {name} {value:.1%}, wanted {low:.0%} to {high:.0%}")
    return bool(failing)


def main() -> int:
    print(f"{TABLES} tables of {len(OPERATIONS)} operations a world\n")
    failures, results = 0, {}
    for seed, world in enumerate(WORLDS, 1):
        results[world.title] = found = measure(world, seed)
        line(world.title, seed, found)
        failures += missed(found, world.goals)
    unpaired = results["the same, as if not in turns"]
    meant = MEANT.format(tests=len(OPERATIONS), **unpaired)
    print(textwrap.indent(textwrap.fill(meant, 84), "    "))
    lost = results["true 1.3"]["power"]
    lost -= results["true 1.3, one run lacks a cell"]["power"]
    failures += missed({"power lost": lost}, {"power lost": (-1.0, 0.05)})
    others = (
        (
            "a null candidate beside seven slow ones",
            beside_slow_neighbours,
            {"false tables": (0.0, 0.05)},
        ),
        (
            "drift of 1 % a run, one after another",
            one_after_another,
            {"unqualified": (0.0, 0.0), "seen and not disqualified": (0.0, 0.0)},
        ),
        *(
            (
                f"latencies, spread 1, n = {n}",
                lambda seed, n=n: latencies(seed, n),
                {"coverage": (0.93, 1.0), "negative ends": (0.0, 0.0)},
            )
            for n in (5, 10)
        ),
    )
    for seed, (title, run, goals) in enumerate(others, len(WORLDS) + 1):
        found = run(seed)
        line(title, seed, found)
        failures += missed(found, goals)
    layouts()
    print("\nThe same numbers through benchstat (100 tables, a geometric mean a row):")
    if shutil.which("benchstat") is None:
        print("skipped: benchstat is not installed")
    else:
        for seed, world in enumerate(WORLDS, 1):
            if world.title in ("no difference, n = 5", "no difference, n = 10"):
                line(world.title, seed, with_benchstat(world, seed))
            if "in turns" in world.title or "lacks a cell" in world.title:
                line(world.title, seed, with_benchstat(world, seed))
    print(f"\n{failures} goals missed")
    return min(failures, 1)


if __name__ == "__main__":
    sys.exit(main())
