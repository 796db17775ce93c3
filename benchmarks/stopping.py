"""Does looking after every round make verdicts? Simulated campaigns of ``fsviz run``.

Each campaign is measured in rounds, in the orders that `fsviz.measuring.plan.order`
draws, and judged after each round from the third to the fifteenth as `fsviz run`
does: `fsviz.analysis.looks` gives the boundary, `compare_groups` and `verdicts` the
answer, `power_of_more` the end where no round can decide. Printed are, for each world,
how often the headline claims a difference, how often it finds that the second system is
faster, how many rounds that took on average, how often the interval that is reported at
the end holds the true ratio, and why the campaigns ended. Beside it, what looking at
single tests would claim, and how many rounds a design needs that looks once, for the
same power. Some campaigns of each world go through `fsviz.compare` as well, and must
say the same.

Runs differ by 4 %, operations within a run by 1 % (standard deviations of logarithms).

Exit status 1 if a goal is missed.
"""

from __future__ import annotations

import sys
from collections import Counter
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from simulation import _member, campaign_of

from fsviz.analysis.cells import Matrix, system_runs
from fsviz.analysis.comparison import Method, compare_groups
from fsviz.analysis.looks import HOPELESS, level, power_of_more
from fsviz.analysis.power import power, runs_for
from fsviz.analysis.tests import FEWEST, control
from fsviz.analysis.verdicts import ALPHA, BAND, verdicts
from fsviz.measuring.plan import MOST, order
from fsviz.measuring.stopping import headline_rows, why_stop
from fsviz.model.campaign import Looks

OPERATIONS = 8
RUN, OPERATION = 0.04, 0.01
BATCHES, TABLES = 50, 40
WHOLE = 2
"""Campaigns of a world that go through `fsviz.compare`."""


@dataclass(frozen=True)
class World:
    """What is true, and what must hold."""

    title: str
    true: float = 1.0
    heavy: bool = False
    drift: float = 0.0
    planned: int = MOST
    closes: int | None = None


WORLDS = (
    World("equal"),
    World("equal, heavy tails (t with 3 degrees)", heavy=True),
    World("equal, drift of 1 % a slot", drift=0.01),
    World("equal, 10 rounds planned", planned=10),
    World("equal, the budget ends after 5 of 15", closes=5),
    World("1.02 times faster", true=1.02),
    World("1.05 times faster", true=1.05),
    World("1.1 times faster", true=1.1),
    World("1.1 times faster, drift of 1 % a slot", true=1.1, drift=0.01),
    World("1.1 times faster, 10 rounds planned", true=1.1, planned=10),
    World("1.3 times faster", true=1.3),
)


def slots(seed: int, rounds: int) -> np.ndarray:
    """When each system ran, in the orders that are drawn: shape (2, rounds)."""
    places = [order((0, 1), n, seed) for n in range(1, rounds + 1)]
    return np.array(
        [[2 * n + o.index(s) for n, o in enumerate(places)] for s in (0, 1)]
    )


def draw(world: World, seed: int, rng: np.random.Generator) -> tuple:
    """Draw logarithms, shape (systems, runs, tables, operations, 1), and the slots."""
    at = slots(seed, world.planned)
    shape = (2, world.planned, TABLES, 1, 1)
    run = rng.standard_t(3, shape) / 3**0.5 if world.heavy else rng.normal(size=shape)
    logs = np.log(1e8) + RUN * run + world.drift * at[:, :, None, None, None]
    logs = logs + rng.normal(0, OPERATION, (*shape[:3], OPERATIONS, 1))
    logs[1] += np.log(world.true)
    return logs, at


def matrix_of(logs: np.ndarray, at: np.ndarray) -> Matrix:
    """Arrange two systems as `fsviz.analysis.cells` does."""
    systems, n = logs.shape[:2]
    value = np.exp(logs.reshape(systems * n, -1))
    cells = pd.DataFrame({"file_size_bytes": np.full(value.shape[1], 2**20)})
    return Matrix(
        tool="iozone",
        runs=pd.DataFrame({"system": np.repeat(np.array(list("ab")), n)}),
        cells=cells.assign(metric="throughput"),
        value=value,
        low=value,
        high=value * (1 + 1e-9),
        censored=np.zeros(value.shape, bool),
        started=np.datetime64("2026-01-01T00:00") + at.ravel().astype("timedelta64[m]"),
        configuration=np.zeros(systems * n, int),
    )


def judged(logs: np.ndarray, at: np.ndarray, strict: float) -> pd.DataFrame:
    """Say what the headline of each table says: its mean, and whether it depends."""
    matrix, tables = matrix_of(logs, at), logs.shape[2]
    pair = [system_runs(matrix, name) for name in "ab"]
    method = Method(1 - ALPHA * strict, strict=strict)
    groups = np.arange(tables * OPERATIONS)
    parts, means = (
        pd.DataFrame(compare_groups(*pair, _member(g, 1), method)).assign(
            metric="throughput"
        )
        for g in (groups, groups // OPERATIONS)
    )
    table = groups // OPERATIONS
    q = parts["p_value"].groupby(table).transform(lambda p: control(p.to_numpy(float)))
    told = verdicts(parts.assign(q_value=q))
    ratio = parts["geomean_ratio"].to_numpy()
    both = [
        np.bincount(table, (told == verdict) & beyond, tables) > 0
        for verdict, beyond in (
            ("faster", ratio >= BAND[1]),
            ("slower", ratio <= BAND[0]),
        )
    ]
    means["verdict"] = verdicts(means.assign(q_value=means["p_value"]))
    return means.assign(verdict=means["verdict"].mask(both[0] & both[1], "depends"))


def campaign(logs: np.ndarray, at: np.ndarray, table: int, looks: Looks):
    """One table as `fsviz.load` would have read it."""
    made = campaign_of(logs, "none", table)
    runs = made.runs.reset_index(drop=True)
    began = pd.Timestamp("2026-01-01") + pd.to_timedelta(at.ravel(), unit="min")
    order_ = [int(name[1:]) for name in runs["run"]]
    runs["started"] = pd.Series(began[order_]).astype("datetime64[ms]")
    return replace(made, runs=runs, looks=looks)


def followed(world: World, seed: int) -> pd.DataFrame:
    """Follow a batch of campaigns to their ends: one row a campaign."""
    rng = np.random.default_rng(seed)
    logs, at = draw(world, seed, rng)
    running = np.ones(TABLES, bool)
    ended = pd.DataFrame({"rounds": np.zeros(TABLES, int), "why": ""})
    single = np.zeros(TABLES, bool)
    for n in range(FEWEST, world.planned + 1):
        closed = n == world.closes
        looks = Looks(world.planned, tuple(range(FEWEST, n + 1)), closed)
        own, when = logs[:, :n], at[:, :n]
        bare = judged(own, when, 1.0)
        single |= bare["verdict"].isin(["faster", "slower", "depends"]).to_numpy()
        rows = judged(own, when, level(looks.taken, looks.planned, closed) / ALPHA)
        if seed == 0:
            check_shortcut(own, when, rows, looks)
        why = [_why(row, looks) for row in rows.itertuples()]
        stop = running & np.array([bool(w) for w in why])
        for name in ("geomean_ratio", "ci_low", "ci_high", "verdict"):
            ended.loc[stop, name] = rows.loc[stop, name]
        ended.loc[stop, "rounds"] = n
        ended.loc[stop, "why"] = np.array(why)[stop]
        running &= ~stop
    return ended.assign(single=single)


def _why(row, looks: Looks) -> str:
    if row.verdict != "unclear":
        return "decided"
    if looks.closed or looks.taken[-1] >= looks.planned:
        return "spent"
    more = power_of_more(row.geomean_ratio, row.ci_low, row.ci_high, looks)
    return "undecidable" if more < HOPELESS else ""


def check_shortcut(logs, at, rows: pd.DataFrame, looks: Looks) -> None:
    """Some tables say the same when they go through the program as a whole."""
    for table in range(WHOLE):
        made = campaign(logs, at, table, looks)
        said = headline_rows(made)
        assert said["paired"].all()
        assert said["verdict"][0] == rows["verdict"][table]
        np.testing.assert_allclose(said["ci_low"][0], rows["ci_low"][table], rtol=1e-6)
        why = why_stop(said, made).replace("all rounds measured", "spent")
        assert why.replace("out of budget", "spent") == _why(rows.loc[table], looks)


def measure(world: World) -> dict[str, float]:
    """Say how campaigns of a world end."""
    rows = pd.concat([followed(world, seed) for seed in range(BATCHES)])
    told = rows["verdict"].isin(["faster", "slower", "depends"])
    held = (rows["ci_low"] <= world.true) & (world.true <= rows["ci_high"])
    why = Counter(rows["why"])
    return {
        "claimed": float(told.mean()),
        "found": float((rows["verdict"] == "faster").mean()),
        "rounds": float(rows["rounds"].mean()),
        "coverage": float(held.mean()),
        "single tests": float(rows["single"].mean()),
        **{name: why[name] / len(rows) for name in ("decided", "undecidable", "spent")},
    }


def fixed(found: float, true: float) -> int:
    """Count the rounds of a design that looks once, for the same power, paired."""
    # differences within rounds scatter by √2 × 4 %: as two samples of 4 % each
    return runs_for(RUN, true, min(found, 0.9999))


def main() -> int:
    missed = 0
    print(f"{BATCHES * TABLES} campaigns of each world, seeds 0 to {BATCHES - 1}")
    for world in WORLDS:
        got = measure(world)
        bad = got["coverage"] < 0.93 or (world.true == 1 and got["claimed"] > 0.05)
        missed += bad
        print(f"{world.title:42}", *(f"{k} {v:.3g};" for k, v in got.items()), end="")
        if world.true > 1.02:
            n = fixed(got["found"], world.true)
            print(
                f" looking once: {n} rounds",
                f"({power(n, RUN, world.true):.1%})",
                end="",
            )
        print(" MISSED" if bad else "")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
