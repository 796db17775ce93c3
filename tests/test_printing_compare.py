"""Comparisons for people: widths, words, footnotes."""

import math

import pytest
from frames import measurements, run
from samples import loaded

import fsviz
from fsviz.analysis.comparison import compare
from fsviz.answers.notes import note_rows
from fsviz.answers.statement import Statement, statements
from fsviz.text.comparison import (
    comparison_markdown,
    comparison_notes,
    comparison_text,
    format_ratio,
    readable_comparison,
)
from fsviz.text.tables import WIDTH

CELLS = [("write", 64, 4), ("write", 1024, 4), ("read", 64, 4), ("read", 1024, 4)]


def system(name, n, *values):
    return [
        run(
            f"{name}{i}",
            [(*c, v * (1 + i / 1000)) for c, v in zip(CELLS, values, strict=False)],
        )
        for i in range(n)
    ]


TABLE = measurements(
    {
        "base": system("a", 3, 10, 10, 10, 10),
        "quick": system("b", 3, 30, 30, 10, 10),
        "once": system("c", 1, 20, 20, 20, 20),
        "half": system("d", 3, 20),
        "absent": system("e", 3),
    }
)


def lines_of(text, start):
    return [line for line in text.splitlines() if line.startswith(start)]


def test_a_row_is_one_line_with_n_on_both_sides_and_a_verdict():
    text = comparison_text(compare(TABLE, operation=["write"], candidate=["quick"]))
    (line,) = lines_of(text, "small")
    words = "small quick 3+3 1 3.00 2.73 … 3.10 3.00 <0.001 faster"
    assert " ".join(line.split()) == words
    assert "iozone write: throughput, more is better" in text
    assert "(3 here in all)" in text


def test_the_overview_counts_verdicts():
    text = comparison_text(compare(TABLE, candidate=["quick"]))
    (counts,) = lines_of(text, "iozone    quick")
    # write: small, medium, all; read: the same, unchanged
    assert counts.split() == ["iozone", "quick", "3", "3"]
    header = next(line for line in text.splitlines() if line.startswith("verdicts"))
    assert counts.index("3") == header.index("faster") + len("faster") - 1


def test_each_doubt_has_a_note():
    frame = compare(TABLE)
    notes = comparison_notes(frame)
    shown = readable_comparison(frame)
    once = shown.query("candidate == 'once'").iloc[0]
    texts = [notes[int(mark) - 1] for mark in once["notes"].split(",")]
    assert texts == [
        "untested: a test needs 2 more runs of the candidate",
        "in brackets: what the printed digits allow, which says nothing about repeats",
    ]
    # frames prints a value v as v … v + 1
    assert once["95 % interval"].startswith("(")
    # one run of each says nothing about repeats: its column claims no confidence
    alone = readable_comparison(frame.query("candidate == 'once'"))
    assert "95 % interval" not in alone
    assert alone["bounds as printed"].iloc[0] == once["95 % interval"]
    partly = shown.query("candidate == 'half' and bucket == 'all'").iloc[0]
    (mark,) = partly["notes"].split(",")
    assert "a number on one side only" in notes[int(mark) - 1]
    assert notes[-1] == (
        "not compared, iozone: half: no numbers on one side or both: "
        "write throughput (some sizes); read throughput"
    )


def test_rows_keep_their_place_where_others_are_left_out():
    """Notebooks set a verdict beside the frame's own numbers."""
    frame = compare(TABLE)
    beside = frame.assign(said=readable_comparison(frame)["verdict"])
    left_out = beside["said"].isna()
    assert left_out.any()
    assert set(beside.loc[left_out, "cells"]) == {0}
    assert not beside.loc[beside["said"] == "faster", "verdict"].ne("faster").any()
    assert set(beside.loc[beside["candidate"] == "quick", "said"]) >= {
        "faster",
        "unclear",
    }


def test_what_was_not_measured_at_all_is_named_once():
    notes = comparison_notes(compare(TABLE, operation=["read"]))
    assert [note for note in notes if note.startswith("not compared")] == [
        "not compared, iozone: half: nothing measured that the baseline measured"
    ]


@pytest.mark.parametrize("longest", [12, 30, 120])
def test_any_name_fits_the_terminal(longest):
    names = {"n" * longest + "1": system("b", 3, 1, 2), "base": system("a", 3, 3, 4)}
    text = comparison_text(compare(measurements(names), baseline="base"))
    rows = lines_of(text, "small") + lines_of(text, "medium")
    assert rows
    assert all(len(line) <= WIDTH for line in rows)
    # both ends of the name are there
    assert all("n1 " in line for line in rows)


@pytest.mark.slow
def test_the_real_campaigns_fit_the_terminal(root):
    for name, baseline in (("loopback-2026", "nfs-v3"), ("onehost-2026", "ext4")):
        campaign = loaded(root / f"data/raw/{name}")
        text = comparison_text(fsviz.compare(campaign, baseline=baseline))
        assert max(map(len, text.splitlines())) <= WIDTH


def test_control_characters_in_a_name_do_not_reach_the_terminal():
    names = {"a": system("a", 3, 1), "b\x1b[31m": system("b", 3, 2)}
    assert "\x1b" not in comparison_text(compare(measurements(names)))


def test_cells_have_sizes_instead_of_buckets():
    shown = readable_comparison(compare(TABLE, cells=True, candidate=["quick"]))
    assert shown[["file", "record"]].iloc[0].tolist() == ["64 KiB", "4 KiB"]
    assert "bucket" not in shown
    assert "iozone read" in comparison_text(compare(TABLE, cells=True))


def test_threads_are_shown_where_they_differ():
    table = TABLE.copy()
    table.loc[table["operation"] == "read", "threads"] = 4
    assert "iozone read: throughput, more is better, 4 threads" in comparison_text(
        compare(table)
    )
    assert "threads" not in readable_comparison(compare(TABLE))


def test_markdown_has_the_notes_as_a_list():
    assert "| 90 % interval |" in comparison_markdown(compare(TABLE), 0.9)
    text = comparison_markdown(compare(TABLE, candidate=["once"]), 0.9)
    assert "| bounds as printed |" in text
    assert "\n1. untested: a test needs 2 more runs of the candidate\n" in text


@pytest.mark.parametrize(
    "ratio,text",
    [
        (math.nan, "–"),
        (0.0, "0"),
        (0.9999, "1.00"),
        (99.96, "100"),
        (0.09996, "0.100"),
        (1e6, "1,000,000"),
    ],
)
def test_ratios_have_three_digits(ratio, text):
    assert format_ratio(ratio) == text


@pytest.mark.parametrize(
    "metric,low,high,words",
    [
        ("throughput", 138.6, math.nan, "new beats old by 138 times or more"),
        ("throughput", 0.0, 0.25, "old beats new by 4 times or more"),
        ("elapsed", 2.999, math.nan, "old beats new by 2.99 times or more"),
        ("elapsed", 0.0, 1.5, ""),
    ],
)
def test_a_limit_claims_no_more_than_it_holds(metric, low, high, words):
    bounds = {"bound_low": low, "bound_high": high}
    one = Statement(
        "bonnie++", 1, "", "write", metric, "old", "new", "untested", **bounds
    )
    assert one.limit == (f"write, {metric}: {words}" if words else "")


def judged(**found):
    """The comparison as `apply_findings` leaves it, what it says by candidate."""
    frame = compare(TABLE, operation=["write"], candidate=["quick", "once"])
    said = {
        kind: [found.get(f"{kind}_{name}", []) for name in frame["candidate"]]
        for kind in ("scope", "caveats", "disqualified_by")
    }
    said["advice"] = [["do it again"] * len(rules) for rules in said["disqualified_by"]]
    held = [bool(rules) for rules in said["disqualified_by"]]
    verdict = frame["verdict"].mask(held, "disqualified")
    return frame.assign(verdict=verdict, **said)


def test_a_disqualified_row_says_why_and_what_would_settle_it():
    text = comparison_text(judged(disqualified_by_quick=["invalid-mode"]))
    (line,) = lines_of(text, "small   quick")
    assert line.split()[-2:] == ["disqualified", "1"]
    (counts,) = lines_of(text, "iozone    quick")
    assert counts.split() == ["iozone", "quick", "3"]
    place = lines_of(text, "verdicts")[0].index("disqualified") + len("disqualified")
    assert counts.rindex("3") == place - 1
    said = " ".join(text.split())
    assert "1 invalid-mode: fsviz check disqualifies the row; to settle it: do" in said


def test_the_scope_stands_in_brackets_and_is_explained_once():
    words = ["cache", "sync against async", "also differs: kernel"]
    text = comparison_text(judged(scope_quick=words, scope_once=words))
    assert max(map(len, text.splitlines())) <= 100
    said = " ".join(text.split())
    assert said.count("(cache): the data may have come from a cache") == 1
    assert said.count("(also differs: kernel): another fact differs besides") == 1
    rows = readable_comparison(judged(scope_quick=words))
    assert rows["verdict"][0] == f"faster ({', '.join(words)})"
    # nothing is said about what cannot be tested
    assert set(readable_comparison(judged(scope_once=words))["verdict"]) == {
        "faster",
        "untested",
    }


def test_caveats_are_said_once_with_the_number_of_rows():
    frame = judged(caveats_quick=["cpu-bound"], disqualified_by_once=["invalid-mode"])
    notes = note_rows(statements(frame))
    assert notes.texts[0].startswith("invalid-mode: fsviz check disqualifies")
    said = "cpu-bound: a caveat of fsviz check in 3 of 6 rows of iozone"
    assert said in notes.texts
    assert lines_of(comparison_text(frame), "small   quick")[0].endswith("faster")
    frame = judged(caveats_quick=["cpu-bound"], caveats_once=["cpu-bound"])
    said = "cpu-bound: a caveat of fsviz check in all rows of iozone"
    assert said in note_rows(statements(frame)).texts
