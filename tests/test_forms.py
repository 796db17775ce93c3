"""Files of one invocation count once."""

import math

import pytest
from frames import run

from fsviz.forms import stem, unify
from fsviz.runs import Cells, Run

ROWS = [("write", 64, 4, 10.0), ("write", 64, 8, 20.0), ("read", 64, 4, 30.0)]


@pytest.mark.parametrize(
    "path,expected",
    [
        ("d/rep1.txt", "d/rep1"),
        ("d/rep1.stats.txt", "d/rep1"),
        ("d/nfs-v4.1.xls", "d/nfs-v4.1"),
        ("d/.txt", "d/.txt"),
        ("d/rep1-cpu.txt", "d/rep1-cpu"),
    ],
)
def test_the_stem_says_which_result_it_is(path, expected):
    assert stem(path) == expected


def test_twins_count_once_and_the_text_wins():
    book = run("x", ROWS, source="d/rep1.xls")
    text = run("t", ROWS, source="d/rep1.txt")
    unified, problems = unify([book, text])
    assert not problems
    assert [(r.source, len(r.cells)) for r in unified] == [
        ("d/rep1.txt", 3),
        ("d/rep1.xls", 0),
    ]
    assert {r.identity for r in unified} == {"t"}


def test_a_twin_adds_what_only_it_has():
    book = run("x", [*ROWS, ("reread", 64, 4, 40.0)], source="d/rep1.xls")
    unified, _ = unify([run("t", ROWS, source="d/rep1.txt"), book])
    assert unified[1].cells.operation == ["reread"]


def test_twins_that_disagree_in_a_cell_are_named():
    wrong = run("x", [*ROWS[:2], ("read", 64, 4, 99.0)], source="d/rep1.xls")
    unified, (problem,) = unify([run("t", ROWS, source="d/rep1.txt"), wrong])
    assert str(problem) == "d/rep1.xls:3: expected 30 as at d/rep1.txt:line 3, found 99"
    assert sum(len(r.cells) for r in unified) == 3


def test_runs_with_other_numbers_stay_two_runs():
    other = run("u", [(o, f, r, v * 2) for o, f, r, v in ROWS], source="d/rep1.log")
    unified, problems = unify([run("t", ROWS, source="d/rep1.txt"), other])
    assert not problems
    assert len({r.identity for r in unified}) == 2


def test_other_stems_are_never_one_run():
    unified, _ = unify([run(n, ROWS, source=f"d/{n}.txt") for n in ("rep1", "rep2")])
    assert len({r.identity for r in unified}) == 2


def test_time_and_stats_are_parts_of_one_run():
    time, stats = Cells(), Cells()
    time.add("transfer", "elapsed", 8.5, "line 2")
    stats.add("transfer", "size", 100.0, "line 6")
    parts = [
        Run("rsync", "s", "d/rep1.stats.txt", stats, configuration="100 B"),
        Run("rsync", "t", "d/rep1.time.txt", time),
    ]
    unified, _ = unify(parts)
    assert {(r.identity, r.configuration) for r in unified} == {("s", "100 B")}
    assert [len(r.cells) for r in unified] == [1, 1]


def test_a_rounded_form_agrees_with_the_exact_one_and_yields_to_it():
    exact, rounded = Cells(), Cells()
    exact.add("random_seeks", "rate", 87957.0, "line 1", low=87956.5, high=87957.5)
    rounded.add("random_seeks", "rate", 88000.0, "line 5", low=87950.0, high=88050.0)
    rounded.add("random_stat", "rate", math.nan, "line 9", low=2048.0)
    runs = [
        Run("bonnie++", "t", "d/rep1.txt", rounded),
        Run("bonnie++", "c", "d/rep1.csv", exact),
    ]
    unified, problems = unify(runs)
    assert not problems
    assert [(r.source, r.cells.operation) for r in unified] == [
        ("d/rep1.csv", ["random_seeks"]),
        ("d/rep1.txt", ["random_stat"]),
    ]
