"""Verdicts are taken back where an error stands, and nowhere else."""

from __future__ import annotations

import pandas as pd
import pytest
from checks.outputs import LOOPBACK, loaded
from frames import measurements, run

import fsviz
from fsviz.checks import Examination
from fsviz.checks.findings import MARKS
from fsviz.model.errors import UsageError

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


def examination(*marks: dict) -> Examination:
    """What check would have said: marks, each a cell."""
    rows = [{"finding": 0, "against": "", **mark} for mark in marks]
    frame = pd.DataFrame(rows, columns=list(MARKS))
    sizes = dict.fromkeys(("file_size_bytes", "record_size_bytes", "threads"), "Int64")
    words = [n for n in MARKS if n not in sizes and n != "finding"]
    return Examination(
        pd.DataFrame(), frame.astype(dict.fromkeys(words, "string") | sizes)
    )


def mark(rule: str, system: str, severity: str = "error", **more: object) -> dict:
    return {"rule": rule, "severity": severity, "system": system, **more}


def answers(*marks: dict, **options: object) -> dict:
    found = fsviz.compare(table(), baseline="a", **options)
    held = fsviz.withhold(found, table(), examination=examination(*marks))
    keys = (
        ["candidate", "bucket"]
        if "bucket" in held
        else ["candidate", "file_size_bytes"]
    )
    return {
        tuple(row[k] for k in keys): (
            row["verdict"],
            row["cells_disqualified"],
            row["withheld_by"],
            row["doubted_by"],
        )
        for row in held.to_dict("records")
    }


SMALL = {"operation": "write", "file_size_bytes": 64 * KIB, "metric": "throughput"}


def test_nothing_found_changes_nothing():
    found = answers()
    assert found["b", "small"] == ("faster", 0, "", "")
    assert found["c", "all"] == ("same", 0, "", "")


def test_a_cell_takes_the_verdict_of_every_row_it_is_in_and_of_no_other():
    found = answers(mark("too-short", "b", **SMALL))
    assert found["b", "small"] == ("unclear", 1, "too-short", "")
    assert found["b", "all"] == ("unclear", 1, "too-short", "")
    assert found["b", "medium"] == ("faster", 0, "", "")
    assert found["c", "small"] == ("same", 0, "", "")


def test_a_fault_of_the_baseline_is_one_of_every_comparison():
    found = answers(
        mark("unstable-cell", "a", **SMALL), mark("too-short", "a", **SMALL)
    )
    for name in ("b", "c"):
        assert found[name, "small"] == ("unclear", 1, "unstable-cell, too-short", "")


def test_a_fault_of_a_pair_is_not_one_of_its_members():
    found = answers(mark("durability-differs", "b", against="c"))
    assert found["b", "all"] == ("faster", 0, "", "")
    found = answers(mark("durability-differs", "b", against="a"))
    assert found["b", "all"] == ("unclear", 2, "durability-differs", "")
    assert found["c", "all"] == ("same", 0, "", "")
    assert found == answers(mark("durability-differs", "a", against="b"))


def test_a_fault_of_a_pair_is_one_of_cells_that_have_only_a_bound():
    campaign = loaded(LOOPBACK)
    chosen = {"operations": ["sequential_output_block"], "candidates": ["local-ext4"]}
    found = fsviz.compare(campaign, baseline="nfs-v3", **chosen)
    held = fsviz.withhold(found, campaign)
    row = held.loc[held["metric"] == "throughput"].iloc[0]
    # the disk was too fast for bonnie++, which printed +++++, but it did not sync
    assert found.loc[row.name, "verdict"] == "faster"
    assert row["cells"] == 0
    assert row["verdict"] == "unclear"
    assert "durability-differs" in row["withheld_by"]


def test_a_warning_is_noted_but_withholds_nothing():
    found = answers(mark("cpu-bound", "b", "warning", **SMALL))
    assert found["b", "small"] == ("faster", 0, "", "cpu-bound")
    assert answers(mark("undisclosed", "b", "info"))["b", "all"] == (
        "faster",
        0,
        "",
        "",
    )


def test_a_mark_without_sizes_stands_for_all_of_them():
    found = answers(mark("incomplete-run", "b"))
    assert found["b", "all"][:2] == ("unclear", 2)
    assert answers(mark("incomplete-run", "b", operation="read")) == answers()


def test_cells_are_judged_one_by_one():
    found = answers(mark("too-short", "b", **SMALL), cells=True)
    assert found["b", 64 * KIB] == ("unclear", 1, "too-short", "")
    assert found["b", 1024 * KIB] == ("faster", 0, "", "")


def test_every_way_to_group_rows_finds_its_cells():
    marks = examination(mark("too-short", "b", **SMALL))
    counts = {"operation": 1, "tool": 1, "record_size": 1}
    for by, count in counts.items():
        found = fsviz.compare(table(), baseline="a", by=by)
        held = fsviz.withhold(found, table(), by=by, examination=marks)
        assert held["cells_disqualified"].to_list() == [count, 0]
    found = fsviz.compare(table(), baseline="a", by="file_size")
    held = fsviz.withhold(found, table(), by="file_size", examination=marks)
    rows = held.set_index(["candidate", "bucket"])["cells_disqualified"]
    assert rows.to_dict() == {
        ("b", "64 KiB"): 1, ("b", "1 MiB"): 0, ("c", "64 KiB"): 0, ("c", "1 MiB"): 0,
    }  # fmt: skip


def test_too_few_runs_stay_untested():
    few = table().query("repeat == 1")
    found = fsviz.compare(few, baseline="a")
    held = fsviz.withhold(
        found, few, examination=examination(mark("too-few-runs", "b"))
    )
    assert set(held["verdict"]) == {"untested"}
    rows = held.set_index("candidate")
    assert set(rows.loc["b", "withheld_by"]) == {"too-few-runs"}


def test_the_real_campaign_keeps_what_no_error_touches():
    campaign = loaded(LOOPBACK)
    found = fsviz.compare(
        campaign, baseline="nfs-v3", operations=["read", "random_write"]
    )
    held = fsviz.withhold(found, campaign)
    before = found.set_index(["operation", "bucket", "candidate"])["verdict"]
    rows = held.set_index(["operation", "bucket", "candidate"])
    # the server of nfs-v4.0 syncs like the baseline's, and no write outran the link
    assert before["random_write", "small", "nfs-v4.0"] == "slower"
    assert rows.loc[("random_write", "small", "nfs-v4.0"), "verdict"] == "slower"
    # reads of small files came from the client's memory: faster than the 1 Gbit/s link
    assert before["read", "small", "smb-3.0"] == "faster"
    row = rows.loc[("read", "small", "smb-3.0")]
    assert row["verdict"] == "unclear"
    assert "over-line-rate" in row["withheld_by"].split(", ")
    assert row["geomean_ratio"] == pytest.approx(1.68, abs=0.01)


def test_sound_cells_are_what_is_left():
    campaign = loaded(LOOPBACK)
    found = fsviz.examine(campaign, baseline="nfs-v3")
    kept, left_out = fsviz.sound(campaign, found)
    whole = campaign.measurements
    link = 125e6
    fast = (whole["metric"] == "throughput") & whole["system"].str.startswith("smb")
    cells = whole.loc[fast & (whole["tool"] == "iozone")].groupby(
        ["system", "operation", "file_size_bytes", "record_size_bytes"], observed=True
    )["value"]
    over = int((cells.max() > link).sum())
    rows = left_out.set_index(["rule", "system"])["cells"]
    names = ["smb-2.1", "smb-3.0", "smb-3.1.1"]
    taken = sum(rows["over-line-rate", name] for name in names)
    assert taken == over + len(names)  # and one cell of bonnie++ each
    smb = kept.measurements
    smb = smb.loc[(smb["tool"] == "iozone") & smb["system"].isin(names)]
    left = smb.groupby(["system", "operation", "file_size_bytes", "record_size_bytes"])
    assert left["value"].max().max() <= link
    once = kept.measurements.loc[kept.measurements["system"] == "sshfs"]
    assert set(once["metric"]) == {"size", "count"}  # what was asked for


def test_without_any_sound_cell_that_is_said():
    data = table()
    with pytest.raises(UsageError, match="without an error-level finding, found none"):
        fsviz.sound(
            fsviz.Campaign("", "", "a", data, data, data),
            examination(*(mark("incomplete-run", name) for name in LEVELS)),
        )
