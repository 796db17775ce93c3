"""Copies are found by values, and are those that comparing all with all would find."""

import random
from dataclasses import replace

import pytest
from campaigns_made import TIME, put

from fsviz.campaigns import copies
from fsviz.model.runs import MISSING, Cells, Run
from fsviz.model.tools import TOOLS
from fsviz.store.load import load

OPERATIONS = list(TOOLS["bonnie++"].operations)[:6]


class Everything:
    """The second route: each run may be the same measurement as any other."""

    def __init__(self):
        self.runs = []

    def add(self, runs):
        self.runs += runs

    def of(self, run):
        return list(self.runs)


def number(chance):
    """A number as some tool prints it: exact, rounded, cut off, or not measured."""
    value = chance.choice([1.25, 1.3, 1.0, 7.5, 1234.0, 1230.0, 2e9])
    value *= chance.choice([1, 1, 1, 1.0001])
    if chance.random() < 0.1:
        low = chance.choice([MISSING, 0.0, value])
        return MISSING, low, chance.choice([MISSING, 2e9])
    half = chance.choice([0.0, 0.005, 0.05, 0.5, 5.0])
    return value, value - half * chance.choice([0, 1]), value + half


def run_of(chance, at):
    cells = Cells()
    many = chance.random() < 0.1
    for size in range(120 if many else 1):
        for operation in chance.sample(OPERATIONS, chance.choice([1, 2, 2, 3])):
            value, low, high = number(chance)
            record = chance.choice([None, 4096])
            cells.add(
                operation,
                "throughput",
                value,
                f"line {at}",
                low=low,
                high=high,
                file_size=size,
                record_size=record,
            )
    return Run(
        tool="bonnie++",
        identity=f"{at}",
        source=f"{chance.randrange(12)}.txt",
        cells=cells,
        started=chance.choice(["", "", "2026-01-01T10:00:00"]),
        facts={"seed": chance.choice(["", 1])},
    )


@pytest.mark.parametrize("seed", range(40))
def test_copies_are_those_of_comparing_all_with_all(seed, monkeypatch):
    chance = random.Random(seed)
    runs = [run_of(chance, at) for at in range(60)]
    runs += [
        replace(chance.choice(runs), identity=f"c{at}", source=f"{at % 12}.txt")
        for at in range(20)
    ]
    found = copies.join_copies(runs)
    monkeypatch.setattr(copies, "Candidates", Everything)
    assert repr(found) == repr(copies.join_copies(runs))


def test_thousands_of_timings_meet_few_others(tmp_path, monkeypatch):
    """Not the square of their number; those of one printed value meet once."""
    met = []
    compare = copies._equal_digits
    monkeypatch.setattr(
        copies, "_equal_digits", lambda *a: met.append(1) or compare(*a)
    )
    chance = random.Random(1)
    seconds = [chance.randrange(10**6) / 1000 for _ in range(500)] + [1.234] * 500
    for name in ("nfs", "smb"):
        text = "".join(map(TIME.format, seconds))
        put(tmp_path, {f"{name}/rep1.time.txt": text})
        seconds = [second + 2000 for second in seconds]
    assert len(load(tmp_path).runs) == 2000
    assert 500 < len(met) < 4000


def test_runs_of_hundreds_of_numbers_meet_few_others(monkeypatch):
    """One largest number for all made 30 MB of one log take minutes."""
    met = []
    compare = copies._equal_digits
    monkeypatch.setattr(
        copies, "_equal_digits", lambda *a: met.append(1) or compare(*a)
    )
    chance = random.Random(1)
    runs = []
    for at in range(300):
        cells = Cells()
        for size in range(copies.SMALL + 1):
            speed = chance.randrange(10**6, 10**7) if size else 10**9
            cells.add("read", "throughput", speed, f"line {size}", file_size=size)
        one = Run(tool="iozone", identity=f"{at}", source="log.txt", cells=cells)
        runs += [one, replace(one, identity=f"{at} again")] if at < 9 else [one]
    kept, notes = copies.join_copies(runs)
    assert len([run for run in kept if len(run.cells)]) == 300
    assert len(notes) == 1  # all begin at one line
    assert 9 <= len(met) < 100


@pytest.mark.parametrize(
    "values",
    [
        pytest.param(lambda n: ["100 MB/s"], id="one number, the same for all"),
        pytest.param(lambda n: ["900 MB/s", f"{100 + n / 100} MB/s"], id="near"),
        pytest.param(
            lambda n: [*["900000000 B/s"] * 5, f"{100000000 + 100 * n} B/s"],
            id="one differs",
        ),
        pytest.param(
            lambda n: [f"{100000000 + 10000 * (n >> b & 1)} B/s" for b in range(12)],
            id="two values, in all ways",
        ),
    ],
)
def test_a_table_of_many_systems_compares_few_of_them(tmp_path, monkeypatch, values):
    """Not the square of their number, whatever their numbers are."""
    met = []
    compare = copies._equal_digits
    monkeypatch.setattr(
        copies, "_equal_digits", lambda *a: met.append(1) or compare(*a)
    )
    operations = ["read", "write", "rewrite", "reread", "random_read", "random_write"]
    operations += ["fread", "fwrite", "freread", "frewrite", "pread", "pwrite"]
    rows = [
        f"s{n},{operation},{value}\n"
        for n in range(400)
        for operation, value in zip(operations, values(n), strict=False)
    ]
    put(tmp_path, {"all.csv": "system,operation,value\n" + "".join(rows)})
    assert load(tmp_path / "all.csv").systems["system"].nunique() == 400
    assert len(met) < 1600
