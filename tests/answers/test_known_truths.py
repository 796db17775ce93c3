"""Campaigns of known truth, and what must be said of them first (issue 59)."""

import re

import pytest
from answers.truths import GIB, MIB, compared, runs_of, table, words

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
    assert words(comparison)["new"] == "untested in 6 of 6 tests (1.3× faster)"
    assert "(1.3× faster)" in str(comparison)


def test_equal_systems_swap_to_the_inverse():
    old = runs_of("old", SIZES)
    new = runs_of("new", SIZES, seed=2, ratio=lambda *_: 1.3)
    there = table(compared({"old": old, "new": new}))
    back = table(compared({"new": new, "old": old}))
    assert set(there["answer"]) == {"faster"}
    assert set(back["answer"]) == {"slower"}
    assert (1 / back["ratio"]).to_numpy() == pytest.approx(there["ratio"].to_numpy())
