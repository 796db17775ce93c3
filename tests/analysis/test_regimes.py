"""Cliffs and labels, on curves drawn by hand."""

import math
from dataclasses import replace

import pandas as pd
import pytest
from compared import compare
from frames import KIB, measurements, run
from samples import loaded

import fsviz
from fsviz.analysis.buckets import bucket_of, edges_of, regime_edges
from fsviz.analysis.regimes import (
    cliffs,
    cliffs_of,
    in_regime,
    label_regimes,
    regime_line,
    regimes_by_size,
    steps,
)
from fsviz.model.campaign import Campaign
from fsviz.model.errors import UsageError

# two plateaus: to 128 KiB at 100 and 400, from 256 KiB at a quarter of it
CURVE = [
    ("read", 64, 4, 100.0),
    ("read", 64, 64, 400.0),
    ("read", 128, 4, 100.0),
    ("read", 128, 64, 400.0),
    ("read", 128, 128, 405.0),  # no such record in smaller files: no part of the step
    ("read", 256, 4, 25.0),
    ("read", 256, 64, 100.0),
    ("read", 256, 128, 100.0),
    ("read", 1024, 4, 20.0),
    ("read", 1024, 64, 80.0),
    ("read", 1024, 128, 80.0),
]
SMOOTH = [(o, f, r, 50.0) for o, f, r, _ in CURVE]
TABLE = measurements({"a": [run("x", CURVE)], "b": [run("y", SMOOTH)]})


def campaign(ram):
    systems = pd.DataFrame({"system": ["a", "b"], "client_ram": ram}, dtype="string")
    return Campaign("c", "", None, TABLE, pd.DataFrame({"facts": []}), systems)


def test_a_step_is_over_the_records_that_both_sizes_have():
    got = steps(TABLE).query("system == 'a'")
    assert got["file_size_bytes"].tolist() == [64 * KIB, 128 * KIB, 256 * KIB]
    # the second step: 1/4 and 1/4, and 100 of 405 for the record of 128 KiB
    third = (1 / 16 * 100 / 405) ** (1 / 3)
    assert got["change"].tolist() == pytest.approx([1, third, 0.8])
    # from 256 KiB to 1 MiB are two doublings
    assert got["change_per_doubling"].iloc[2] == pytest.approx(math.sqrt(0.8))


def test_a_cliff_is_a_fall_by_half_in_one_doubling():
    (got,) = cliffs(TABLE).to_dict("records")
    assert (got["system"], got["file_size_bytes"]) == ("a", 128 * KIB)
    assert got["next_size_bytes"] == 256 * KIB
    assert got["fall"] > 4


def fall(*to, runs=1):
    """One record size more for each number: from 2 down to it, in some runs."""
    rows = [
        [("read", 64, 4 + i, 2.0), ("read", 128, 4 + i, v)] for i, v in enumerate(to)
    ]
    some = [run(f"x{k}", [r for row in rows for r in row]) for k in range(runs)]
    return measurements({"a": some})


def test_half_the_throughput_is_a_cliff_and_a_little_more_is_none():
    assert len(cliffs(fall(1.0, 1.0))) == 1
    assert cliffs(fall(1.1, 1.1)).empty
    assert len(cliffs_of(steps(fall(1.1, 1.1)), ratio=1.5)) == 1


def test_one_wild_value_is_no_cliff():
    # one value alone says nothing about how far a second one would lie
    assert cliffs(fall(0.2)).empty
    assert len(cliffs(fall(0.2, runs=2))) == 1
    # a fall of 100 times in one of three records, none in the others
    wild = cliffs(fall(0.02, 2.0, 2.0))
    assert steps(fall(0.02, 2.0, 2.0))["change_per_doubling"].iloc[0] < 0.5
    assert wild.empty


def test_a_comparison_says_which_cliff_it_averages_across():
    frame = compare(TABLE, by="operation")
    assert frame["cliffs"].tolist() == [["a from 128 KiB to 256 KiB"]]
    edges = {"below": 128 * KIB, "above": math.inf}
    frame = compare(TABLE, edges=edges)
    assert frame["bucket"].tolist() == ["below", "above", "all"]
    assert frame["cliffs"].tolist() == [[], [], ["a from 128 KiB to 256 KiB"]]


def test_labels_from_memory():
    labels = label_regimes(campaign(["256 KiB", None]))
    mine = labels[TABLE["system"] == "a"].tolist()
    assert mine == ["cache"] * 5 + ["transition"] * 3 + ["storage"] * 3
    assert labels[TABLE["system"] == "b"].isna().all()
    exact = label_regimes(TABLE, {"a": 1024 * KIB // 3})
    assert exact[TABLE["system"] == "a"].iloc[-1] == "storage"


def test_regimes_of_file_sizes():
    found = regimes_by_size(campaign(["256 KiB", "much"]), "read", "throughput")
    assert found == {
        "a": {
            64 * KIB: "cache",
            128 * KIB: "cache",
            256 * KIB: "transition",
            1024 * KIB: "storage",
        }
    }
    assert regimes_by_size(TABLE, "read", "throughput") == {}


def test_edges_from_the_machine():
    edges = regime_edges(campaign(["1 MiB", "1 MiB"]))
    assert edges == {"memory": 1024 * KIB - 1, "beyond_memory": math.inf}
    # as `--regime` has it: from 1 × memory on is transition
    sizes = pd.Series([1024 * KIB - 1, 1024 * KIB], dtype="Int64")
    assert bucket_of(sizes, edges).tolist() == ["memory", "beyond_memory"]
    assert list(regime_edges(campaign(["1 MiB", None]))) == ["memory", "beyond_memory"]


@pytest.mark.parametrize(
    "ram,found",
    [
        ([None, None], "found none"),
        (["1 MiB", "2 MiB"], "found 1 MiB and 2 MiB"),
        (["much", None], "client_ram of a: expected a size"),
    ],
)
def test_edges_need_one_memory(ram, found):
    with pytest.raises(UsageError, match=found):
        regime_edges(campaign(ram))


@pytest.mark.parametrize("text", ["x", "1m,64k", "64k,64k", "0", "64k,,1m"])
def test_edges_must_ascend(text):
    with pytest.raises(UsageError, match="expected ascending sizes"):
        edges_of(None, text)


def test_the_cliff_of_the_real_campaign_lies_at_its_memory(root):
    """256 MiB of memory: ext4's random writes fall between 128 and 256 MiB."""
    real = loaded(root / "data/raw/onehost-2026")
    found = cliffs(real).query("system == 'ext4'")
    places = found[["operation", "file_size_bytes"]].to_numpy().tolist()
    assert ["random_write", 128 * 2**20] in places
    assert edges_of(real, "regimes") == (
        {"cpu_cache": 2**20, "memory": 256 * 2**20 - 1, "beyond_memory": math.inf}
    )
    labels = label_regimes(real)
    sizes = real.measurements["file_size_bytes"]
    assert set(labels[sizes == 128 * 2**20]) == {"cache"}
    assert set(labels[sizes == 512 * 2**20]) == {"transition"}
    assert set(labels[sizes == 2**30]) == {"storage"}


# memory of 256 KiB: two rows below it, three up to 768 KiB, one above
ROWS = [
    ("read", 64, 4, 1.0),
    ("read", 128, 4, 2.0),
    ("read", 256, 4, 3.0),
    ("read", 512, 4, 4.0),
    ("read", 767, 4, 5.0),
    ("read", 768, 4, 6.0),
    ("read", None, 4, 7.0),
]


def sized_campaign(ram=("256 KiB of DDR4", None), thresholds=None, rows=ROWS):
    runs = {"a": [run("x", rows)], "b": [run("y", ROWS)]}
    systems = pd.DataFrame({"system": ["a", "b"], "client_ram": ram}, dtype="string")
    table = measurements(runs)
    key = table[["campaign", "system", "run"]].drop_duplicates()
    return Campaign("c", "", "b", table, key, systems, thresholds=thresholds or {})


@pytest.mark.parametrize(
    "regime,values", [("cache", [1, 2]), ("transition", [3, 4, 5]), ("storage", [6])]
)
def test_only_the_numbers_of_a_regime_are_kept(regime, values):
    kept = in_regime(sized_campaign(), regime)
    assert kept.measurements["value"].tolist() == values
    assert set(kept.measurements["system"]) == {"a"}
    assert kept.runs["system"].tolist() == ["a"]
    # nothing of b is left, so it cannot be what others are compared with
    assert kept.baseline is None


def test_what_is_left_out_is_counted_by_reason():
    assert regime_line(sized_campaign(), "transition") == (
        "regime transition: 3 of 14 numbers kept; left out: 2 cache, 1 storage, 1 "
        "without a file size (iozone), 7 of b (state client_ram); nothing of the "
        "baseline b is left"
    )


def test_no_regime_keeps_all():
    whole = sized_campaign()
    assert in_regime(whole, "") is whole
    assert regime_line(whole, "") == ""


def test_a_campaign_may_draw_the_line_elsewhere():
    moved = sized_campaign(thresholds={"storage_multiple": 2.0})
    assert in_regime(moved, "storage").measurements["value"].tolist() == [4, 5, 6]


def test_each_thread_has_a_file_of_its_own():
    table = measurements({"a": [run("x", ROWS[:2])]})
    labels = label_regimes(table.assign(threads=4), {"a": 256 * KIB})
    assert labels.tolist() == ["transition", "transition"]


@pytest.mark.parametrize(
    "ram,rows,regime,says",
    [
        ((None, None), ROWS, "cache", "found it stated for no system"),
        (("much", None), ROWS, "cache", "client_ram of a: expected a size"),
        (("1 MiB", None), ROWS[:2], "storage", "left out: 2 cache, 7 of b"),
        (("1 MiB", None), ROWS[6:], "cache", "1 without a file size"),
        (("1 MiB", None), ROWS, "disk", "one of cache, transition, storage"),
    ],
)
def test_what_cannot_be_answered_is_refused(ram, rows, regime, says):
    with pytest.raises(UsageError, match=says):
        in_regime(sized_campaign(ram, rows=rows), regime)


def test_the_real_campaign(root):
    """Cells of 1 GiB in 256 MiB of memory: 9 records, 6 tests, 5 runs, 3 systems."""
    whole = loaded(root / "data/raw/onehost-2026")
    kept = fsviz.in_regime(whole, "storage").measurements
    sizes = kept.groupby("tool", observed=True)["file_size_bytes"].unique()
    assert {tool: list(found) for tool, found in sizes.items()} == {
        "iozone": [2**30],
        "bonnie++": [2**30],
    }
    assert len(kept.query("tool == 'iozone'")) == 9 * 6 * 5 * 3
    # rates of file creation have no file size
    assert "180 without a file size (bonnie++)" in regime_line(whole, "storage")


@pytest.mark.slow
@pytest.mark.parametrize("ratio, there", [(2.0, True), (50.0, False)])
def test_one_threshold_of_cliffs_for_compare_and_check(root, ratio, there):
    whole = loaded(root / "data/raw/loopback-2026")
    moved = replace(whole, thresholds={**whole.thresholds, "cliff_ratio": ratio})
    frame = compare(moved, operation=["read"], by="operation")
    assert any(frame["cliffs"]) is there
    assert bool(len(fsviz.check(moved, select=["cache-cliff"]))) is there
