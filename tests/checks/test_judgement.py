"""Findings on its cells decide what a row is about, and what disqualifies it."""

from __future__ import annotations

import pandas as pd
import pytest
from checks.outputs import LOOPBACK
from compared import compare
from frames import measurements, run
from samples import loaded

from fsviz.analysis.arrangement import PLACE
from fsviz.checks.findings import COLUMNS, MARKS, Examination

KIB = 1024
LEVELS = {"a": 100.0, "b": 200.0, "c": 100.0}


def table() -> pd.DataFrame:
    """Five runs of three systems, two cells each; b is twice as fast."""
    wobble = (1.0, 1.01, 0.99, 1.02, 0.98)
    runs = {
        name: [
            run(
                f"{name}{i}",
                [("write", 64, 4, level * w), ("write", 1024, 4, level * w)],
            )
            for i, w in enumerate(wobble)
        ]
        for name, level in LEVELS.items()
    }
    return measurements(runs)


def examination(*marks: dict, regimes: pd.DataFrame | None = None) -> Examination:
    """What check would have said: marks, each a cell."""
    usual = {"finding": 0, "against": "", "disqualifies": False, "scope": ""}
    rows = [{**usual, **mark} for mark in marks]
    frame = pd.DataFrame(rows, columns=list(MARKS))
    sizes = dict.fromkeys(("file_size_bytes", "record_size_bytes", "threads"), "Int64")
    words = [n for n in MARKS if n not in {*sizes, "finding", "disqualifies"}]
    types = dict.fromkeys(words, "string") | sizes | {"disqualifies": "bool"}
    advice = [{"rule": mark["rule"], "advice": "measure again"} for mark in marks]
    findings = pd.DataFrame(advice, columns=list(COLUMNS))
    return Examination(findings, frame.astype(types), regimes)


def mark(rule: str, system: str, severity: str = "error", **more: object) -> dict:
    return {"rule": rule, "severity": severity, "system": system, **more}


def fatal(rule: str, system: str, **more: object) -> dict:
    return mark(rule, system, disqualifies=True, **more)


def answers(*marks: dict, regimes: pd.DataFrame | None = None, **options) -> dict:
    marked = examination(*marks, regimes=regimes)
    held = compare(table(), baseline="a", examination=marked, **options)
    place = "bucket" if "bucket" in held else "file_size_bytes"
    return {
        (row["candidate"], row[place]): (
            row["answer"],
            row["scope"],
            row["caveats"],
            row["rule"],
        )
        for row in held.to_dict("records")
    }


SMALL = {"operation": "write", "file_size_bytes": 64 * KIB, "metric": "throughput"}
FASTER, SAME = ("faster", [], [], ""), ("same", [], [], "")


def test_nothing_found_changes_nothing():
    found = answers()
    assert found["b", "small"] == FASTER
    assert found["c", "all"] == SAME


def test_a_cell_disqualifies_every_row_it_is_in_and_no_other():
    found = answers(fatal("incomplete-run", "b", **SMALL))
    assert found["b", "small"] == ("not_comparable", [], [], "incomplete-run")
    assert found["b", "all"] == found["b", "small"]
    assert found["b", "medium"] == FASTER
    assert found["c", "small"] == SAME


def test_a_fault_of_the_baseline_is_one_of_every_comparison():
    found = answers(fatal("invalid-mode", "a", **SMALL))
    for name in ("b", "c"):
        assert found[name, "small"] == ("not_comparable", [], [], "invalid-mode")


def test_a_fault_of_a_pair_is_not_one_of_its_members():
    found = answers(fatal("settings-differ", "b", against="c"))
    assert found["b", "all"] == FASTER
    found = answers(fatal("settings-differ", "b", against="a"))
    assert found["b", "all"] == ("not_comparable", [], [], "settings-differ")
    assert found["c", "all"] == SAME
    assert found == answers(fatal("settings-differ", "a", against="b"))


def test_a_finding_without_a_role_is_a_caveat_whatever_its_severity():
    found = answers(
        mark("cpu-bound", "b", "warning", **SMALL), mark("too-short", "b", **SMALL)
    )
    assert found["b", "small"] == ("faster", [], ["cpu-bound", "too-short"], "")
    assert answers(mark("undisclosed", "b", "info"))["b", "all"] == FASTER


def test_what_else_differs_is_the_scope_and_takes_nothing_back():
    sync = mark("durability-differs", "b", against="a", scope="sync against async")
    turns = mark("not-interleaved", "b", against="a", scope="one after another")
    found = answers(sync, turns)
    words = ["sync against async", "one after another"]
    assert found["b", "all"] == ("faster", words, [], "")
    assert found["c", "all"] == SAME


def test_cells_beyond_the_link_are_the_scope_where_they_are_most_of_the_row():
    link = mark("over-line-rate", "b", scope="cache", **SMALL)
    found = answers(link)
    assert found["b", "small"] == ("faster", ["cache"], ["over-line-rate"], "")
    assert found["b", "all"] == ("faster", ["cache"], ["over-line-rate"], "")
    three = table()
    more = three.loc[three["file_size_bytes"] == 1024 * KIB]
    sizes = [more.assign(file_size_bytes=n * 1024 * KIB) for n in (2, 4)]
    three = pd.concat([three, *sizes], ignore_index=True)
    held = compare(three, baseline="a", examination=examination(link))
    (row,) = held.query("candidate == 'b' and bucket == 'all'").to_dict("records")
    assert (row["cells"], row["scope"], row["caveats"]) == (4, [], ["over-line-rate"])


def test_the_size_of_files_against_memory_is_the_scope_of_either_system():
    cells = table().query("repeat == 1")[["system", *PLACE]]
    words = {64 * KIB: "cache", 1024 * KIB: "storage"}
    regimes = cells.assign(regime=cells["file_size_bytes"].map(words))
    found = answers(regimes=regimes.loc[regimes["system"] == "a"])
    assert found["b", "small"][1] == ["cache"]
    assert found["b", "all"][1] == ["cache", "storage"]


def test_a_mark_without_sizes_stands_for_all_of_them():
    found = answers(fatal("incomplete-run", "b"))
    assert found["b", "all"][0] == "not_comparable"
    assert answers(fatal("incomplete-run", "b", operation="read")) == answers()


def test_cells_are_judged_one_by_one():
    found = answers(fatal("incomplete-run", "b", **SMALL), cells=True)
    assert found["b", 64 * KIB][0] == "not_comparable"
    assert found["b", 1024 * KIB] == FASTER


@pytest.mark.parametrize("by", ["operation", "tool", "record_size"])
def test_every_way_to_group_rows_finds_its_cells(by):
    marks = examination(fatal("incomplete-run", "b", **SMALL))
    held = compare(table(), baseline="a", by=by, examination=marks)
    assert held["answer"].tolist() == ["not_comparable", "same"]


def test_no_run_more_settles_what_is_disqualified():
    few = table().query("repeat == 1")
    held = compare(few, baseline="a", examination=examination(fatal("bad", "b")))
    words = held.groupby("candidate")["answer"].unique().map(list).to_dict()
    assert words == {"b": ["not_comparable"], "c": ["untested"]}


@pytest.mark.slow
def test_a_scope_of_a_pair_is_one_of_cells_that_have_only_a_bound():
    chosen = {"operation": ["sequential_output_block"], "candidate": ["local-ext4"]}
    found = compare(loaded(LOOPBACK), baseline="nfs-v3", **chosen)
    row = found.loc[found["metric"] == "throughput"].iloc[0]
    # the disk was too fast for bonnie++, which printed +++++, and it did not sync
    assert row["cells"] == 0
    assert row["answer"] == "faster"
    assert "sync against async" in row["scope"]


@pytest.mark.slow
def test_the_real_campaign_says_what_each_answer_is_about():
    campaign = loaded(LOOPBACK)
    chosen = {"baseline": "nfs-v3", "candidate": ["smb-3.0"], "operation": ["read"]}
    rows = compare(campaign, **chosen).set_index("bucket")
    # small reads came from the client's memory: faster than the 1 Gbit/s link
    assert rows.loc["small", "answer"] == "faster"
    assert rows.loc["small", "scope"] == ["cache"]
    assert "over-line-rate" in rows.loc["small", "caveats"]
    assert rows.loc["small", "ratio"] == pytest.approx(1.68, abs=0.01)
    # over the sizes that crossed the wire it is the other way round
    rows = compare(campaign, sizes="measurable", **chosen).set_index("bucket")
    assert rows.loc["medium", "answer"] == "slower"
    assert "small" not in rows.index
