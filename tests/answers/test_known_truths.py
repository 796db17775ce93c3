"""Campaigns of known truth, and what must be said of them first (issue 59)."""

import re
from dataclasses import replace

import numpy as np
import pytest
from answers.truths import GIB, MIB, OPERATIONS, compared, runs_of, table, words
from frames import made

from fsviz.answers.gate import conditions_of, fired
from fsviz.text.terminal import comparison_text

SIZES = tuple(64 * MIB * 2**k for k in range(5))
"""64 MiB to 1 GiB."""
LARGE = 4 * GIB
WITH_LARGE = (*SIZES, LARGE)


def said(old, new):
    """Return the first words of the candidate, which the terminal prints as well."""
    comparison = compared({"old": old, "new": new})
    text = words(comparison)["new"]
    assert text.split(",")[0].split(";")[0] in " ".join(
        comparison_text(comparison).split()
    )
    return text


def test_a_size_of_other_runs_is_a_part():
    def has(k, size):
        return (k < 5) == (size < LARGE)

    old = runs_of("old", WITH_LARGE, runs=8, has=has)
    new = runs_of(
        "new",
        WITH_LARGE,
        runs=8,
        has=has,
        seed=2,
        ratio=lambda z, r: 1 / 1.3 if z == LARGE else 1.0,
    )
    assert said(old, new) == (
        "slower in part in 6 of 6 tests (1.3×); left out: 3 of 8 runs of old, 3 of 8 "
        "runs of new"
    )
    comparison = compared({"old": old, "new": new})
    assert len(fired(comparison.answers, conditions_of(["slower"]))) == 6
    assert not fired(comparison.answers, conditions_of(["slower>40%"]))


def test_ragged_repeats():
    has = {1: 3, 2: 3, 4: 4}  # GiB and the runs that have it

    def measured(k, size):
        return k < has.get(size // GIB, 5)

    sizes = (*SIZES, 2 * GIB, LARGE)
    old = runs_of("old", sizes, has=measured)
    new = runs_of(
        "new",
        sizes,
        has=measured,
        seed=2,
        ratio=lambda z, r: 1 / 1.6 if z >= GIB else 1.0,
    )
    text = said(old, new)
    assert text.startswith(("slower in part in 6 of 6 tests", "slower in 6 of 6 tests"))
    rows = table(compared({"old": old, "new": new}))
    assert rows["range_low"].min() == pytest.approx(1 / 1.6, rel=0.02)


def test_one_size_tested_and_the_others_measured_once():
    def has(k, size):
        return size == SIZES[0] or k == 0

    old = runs_of("old", SIZES[:4], has=has)
    new = runs_of(
        "new",
        SIZES[:4],
        has=has,
        seed=2,
        ratio=lambda z, r: 2.0 if z == SIZES[0] else 1.0,
    )
    assert said(old, new).startswith(
        "faster in part in 6 of 6 tests (2.0×); untested: 3 sizes"
    )


def test_a_size_of_two_runs_never_moves_what_is_tested():
    def has(k, size):
        return size < LARGE or k < 2

    old = runs_of("old", WITH_LARGE, has=has)
    new = runs_of(
        "new",
        WITH_LARGE,
        has=has,
        seed=2,
        ratio=lambda z, r: 0.5 if z == LARGE else 2.0,
    )
    assert said(old, new).startswith(
        "faster in part in 6 of 6 tests (2.0×); untested: 1 size, up to 2.0× slower"
    )


RECORDS = (4, 16, 64, 256, 1024)


def test_small_records_of_large_files_that_are_slower():
    def ratio(size, record):
        return 1 / 8 if record == 4 and size >= GIB else 1.3

    sizes = (*SIZES, 2 * GIB)
    old = runs_of("old", sizes, RECORDS)
    new = runs_of("new", sizes, RECORDS, seed=2, ratio=ratio)
    text = said(old, new)
    assert re.fullmatch(
        r"mixed in 6 of 6 tests \((7\.9|8\.[01])× slower to 1\.3× faster\)", text
    )


def test_records_both_ways_within_each_file():
    def ratio(size, record):
        if record != 4:
            return 1.0
        return 3.0 if size < 512 * MIB else 1 / 3

    old = runs_of("old", SIZES, RECORDS)
    new = runs_of("new", SIZES, RECORDS, seed=2, ratio=ratio)
    assert said(old, new).startswith("mixed in 6 of 6 tests (3.")
    assert said(old, new).endswith("× faster)")


def test_an_aborted_run_is_left_out_and_named():
    def has(k, size):
        return k < 4 or size == SIZES[0]

    old = runs_of("old", SIZES)
    new = runs_of("new", SIZES, seed=2, has=has, ratio=lambda *_: 1.3)
    assert said(old, new) == (
        "faster in 6 of 6 tests (1.3×); left out: 1 of 5 runs of new"
    )


def test_twelve_equal_systems_of_which_some_runs_lack_the_largest_files():
    def has(k, size):
        return size < LARGE or k < 3

    systems = {
        f"s{n:02}": runs_of(f"s{n:02}", WITH_LARGE, has=has, seed=n) for n in range(12)
    }
    comparison = compared(systems)
    assert set(table(comparison)["answer"]) <= {"same", "inconclusive"}
    assert all(len(text.split()) < 20 for text in words(comparison).values())


def test_a_size_that_nobody_else_has():
    old = runs_of("old", SIZES)
    new = runs_of("new", (*SIZES, LARGE), seed=2)
    text = said(old, new)
    assert text.startswith(("about the same in", "inconclusive in"))
    assert text.endswith("only one side: 1 size")


def test_nothing_of_the_same_size_is_not_comparable():
    old = runs_of("old", SIZES[:2])
    new = runs_of("new", SIZES[2:], seed=2)
    assert said(old, new) == (
        "not comparable in 6 of 6 tests (unmatched cells); only one side: 5 sizes"
    )


def test_one_run_each_is_in_brackets():
    old = runs_of("old", SIZES, runs=1)
    new = runs_of("new", SIZES, runs=1, seed=2, ratio=lambda *_: 1.3)
    comparison = compared({"old": old, "new": new})
    assert (
        words(comparison)["new"]
        == "untested in 6 of 6 tests (under 3 runs; 1.3× faster)"
    )
    assert "(1.3× faster)" in str(comparison)


def test_equal_systems_swap_to_the_inverse():
    old = runs_of("old", SIZES)
    new = runs_of("new", SIZES, seed=2, ratio=lambda *_: 1.3)
    there = table(compared({"old": old, "new": new}))
    back = table(compared({"new": new, "old": old}))
    assert set(there["answer"]) == {"faster"}
    assert set(back["answer"]) == {"slower"}
    assert (1 / back["ratio"]).to_numpy() == pytest.approx(there["ratio"].to_numpy())


def test_what_only_one_side_has_is_counted():
    old = runs_of("old", SIZES, RECORDS)
    new = runs_of("new", SIZES, RECORDS[2:], seed=2, operations=OPERATIONS[1:])
    text = said(old, new)
    assert text.startswith("about the same in 5 of 5 tests")
    assert text.endswith("only one side: 1 test, 10 sizes")
    # a tool that one system lacks has a line too
    fio = [replace(r, tool="fio", identity=f"fio {r.identity}") for r in old]
    comparison = compared({"old": [*old, *fio], "new": new})
    lines = {line.tool: line.words for line in comparison.first_words.lines}
    assert lines["fio"] == "only one side: 6 tests"
    assert len(fired(comparison.answers, conditions_of(["untested"]))) == 7


def test_more_systems_are_counted_by_where_they_stand(monkeypatch):
    monkeypatch.setattr("fsviz.answers.first_words.LINES", 2)
    runs = {name: runs_of(name, SIZES, seed=n) for n, name in enumerate(("old", "b"))}
    runs["a"] = runs_of("a", SIZES, seed=5, ratio=lambda z, r: 2.0)
    for name in ("c", "d"):
        alone = runs_of(name, SIZES, seed=6)
        runs[name] = [
            replace(r, tool="fio", identity=f"fio {r.identity}") for r in alone
        ]
    lines = compared(runs).first_words.lines
    of_iozone = {line.names: line.words for line in lines if line.tool == "IOzone"}
    assert of_iozone["3 more",] == "1 in the table, 2 on one side only"


def test_copies_that_failed_are_left_out_and_counted():
    def copies(name, seconds, failed=()):
        return [
            made(
                f"{name}{k}",
                [("transfer", None, None, seconds + k / 100)],
                tool="rsync",
                metric="elapsed",
                complete=k not in failed,
            )
            for k in range(5)
        ]

    old, quick = copies("old", 6.0), (0, 1)
    some = copies("new", 9.0)[2:] + copies("new", 1.0, quick)[:2]
    assert said(old, some) == "1.5× slower; left out: 2 of 5 runs of new"
    comparison = compared({"old": old, "new": copies("new", 1.0, range(5))})
    assert words(comparison)["new"] == (
        "left out: 5 of 5 runs of new; only one side: 1 test"
    )
    assert not fired(comparison.answers, conditions_of(["faster"]))


def test_sizes_of_other_runs_that_show_nothing_leave_the_answer_in_part():
    def has(k, size):
        return k < 3 or size < LARGE

    old = runs_of("old", WITH_LARGE)
    new = runs_of("new", WITH_LARGE, seed=2, has=has, ratio=lambda *_: 1.08)
    assert said(old, new).startswith("faster in 6 of 6 tests (1.0")
    wide = np.exp(np.random.default_rng(3).normal(-0.7, 0.8, 100)).tolist()

    def scattered(size, _):
        return wide.pop() if size == LARGE else 1.08

    new = runs_of("new", WITH_LARGE, seed=2, has=has, ratio=scattered)
    assert said(old, new).startswith("faster in part in 6 of 6 tests (1.0")


def test_the_gate_judges_the_range_that_is_said():
    def ratio(size, record):
        return 1 / 1.3 if size == SIZES[0] else 1 / 1.07

    old = runs_of("old", SIZES)
    comparison = compared({"old": old, "new": runs_of("new", SIZES, ratio=ratio)})
    assert words(comparison)["new"] == "slower in 6 of 6 tests (1.1×)"
    assert len(fired(comparison.answers, conditions_of(["slower>10%"]))) == 6
    assert not fired(comparison.answers, conditions_of(["slower>20%"]))
    rows = table(comparison)
    assert (1 / rows["range_low"]).between(1.1, 1.12).all()


@pytest.mark.parametrize("extra", [0, 1])
def test_the_same_order_every_round_makes_no_winner_of_drift(extra):
    """Six equal systems, 1 % slower a run; at last the first once more."""
    names = "abcdef"
    turns = [*names * 5, *"a" * extra]
    systems = {name: [] for name in names}
    for k, name in enumerate(turns):
        (one,) = runs_of(f"{name}{k}-", SIZES, runs=1, seed=k, level=0.99**k)
        began = f"2026-01-01T{k // 6:02}:{10 * (k % 6):02}:00"
        systems[name].append(replace(one, started=began))
    comparison = compared(systems)
    assert set(table(comparison)["answer"]) <= {"same", "inconclusive"}
    assert "drift" in words(comparison)["f"]


def test_a_drift_that_five_runs_cannot_show_makes_no_winner_one_after_another():
    """Equal systems, 1 % slower a run with 2 % of noise, and one 2.3 times as fast."""
    noise = np.random.default_rng(9).normal(0, 0.02, 20)
    systems = {}
    for k in range(20):
        name, level = "abcd"[k // 5], 0.99**k * np.exp(noise[k])
        level *= 2.3 if name == "d" else 1
        (run,) = runs_of(f"{name}{k}-", SIZES, runs=1, seed=k, level=level)
        run = replace(run, started=f"2026-01-01T{k:02}:00:00")
        systems.setdefault(name, []).append(run)
    answers = words(compared(systems))
    for name in "bc":
        assert answers[name].startswith("inconclusive in 6 of 6 tests"), answers[name]
    assert answers["d"].startswith("faster in 6 of 6 tests")


def test_one_run_out_of_bounds_does_not_choose_the_sizes():
    sizes = tuple(64 * 4**k for k in range(8))

    def measured(glitch):
        old = runs_of("old", sizes, facts={"time_resolution_s": 1e-6})
        if glitch:
            first = old[0].cells
            first.value[0] = first.low[0] = 1e12
            first.high[0] = 1.1e12
        new = runs_of("new", sizes, seed=2, ratio=lambda *_: 0.5)
        return compared({"old": old, "new": new}).counted_sizes("iozone", "write")

    assert measured(glitch=True) == measured(glitch=False)


def test_another_metric_that_points_another_way_is_said():
    def both(name, speed, wait):
        rows = [("read", 1024, 64, speed), ("read", 1024, 64, wait, "latency")]
        rows += [("write", 1024, 64, 1e8), ("write", 1024, 64, 1e-3, "latency")]
        noise = np.random.default_rng(len(name)).normal(0, 0.01, (5, 4))
        return [
            made(
                f"{name}{k}",
                [
                    (*r[:3], r[3] * np.exp(e), *r[4:])
                    for r, e in zip(rows, x, strict=True)
                ],
                tool="fio",
            )
            for k, x in enumerate(noise)
        ]

    comparison = compared({"old": both("old", 1e8, 1e-3), "new": both("n", 8e7, 5e-4)})
    assert words(comparison)["new"].startswith("slower in 1 of 2 tests (1.")
    assert "Latency: new 2.0× better at read (--metric latency)" in str(comparison)
