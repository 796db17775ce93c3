"""One regime of a campaign: what is kept, and what is said of the rest."""

import pandas as pd
import pytest
from frames import KIB, measurements, run

import fsviz
from fsviz.analysis.regime_choice import in_regime, regime_line
from fsviz.analysis.regimes import label_regimes
from fsviz.model.campaign import Campaign
from fsviz.model.errors import UsageError

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


def campaign(ram=("256 KiB of DDR4", None), thresholds=None, rows=ROWS):
    runs = {"a": [run("x", rows)], "b": [run("y", ROWS)]}
    systems = pd.DataFrame({"system": ["a", "b"], "client_ram": ram}, dtype="string")
    table = measurements(runs)
    key = table[["campaign", "system", "run"]].drop_duplicates()
    return Campaign("c", "", "b", table, key, systems, thresholds=thresholds or {})


@pytest.mark.parametrize(
    "regime,values",
    [("cache", [1, 2]), ("transition", [3, 4, 5]), ("storage", [6])],
)
def test_only_the_numbers_of_a_regime_are_kept(regime, values):
    kept = in_regime(campaign(), regime)
    assert kept.measurements["value"].tolist() == values
    assert set(kept.measurements["system"]) == {"a"}
    assert kept.runs["system"].tolist() == ["a"]
    # nothing of b is left, so it cannot be what others are compared with
    assert kept.baseline is None


def test_what_is_left_out_is_counted_by_reason():
    assert regime_line(campaign(), "transition") == (
        "regime transition: 3 of 14 numbers kept; left out: 2 cache, 1 storage, 1 "
        "without a file size (iozone), 7 of b (state client_ram); nothing of the "
        "baseline b is left"
    )


def test_no_regime_keeps_all():
    whole = campaign()
    assert in_regime(whole, "") is whole
    assert regime_line(whole, "") == ""


def test_a_campaign_may_draw_the_line_elsewhere():
    moved = campaign(thresholds={"storage_multiple": 2.0})
    assert in_regime(moved, "storage").measurements["value"].tolist() == [4, 5, 6]


def test_each_thread_has_a_file_of_its_own():
    table = measurements({"a": [run("x", ROWS[:2])]})
    labels = label_regimes(table.assign(threads=4), {"a": 256 * KIB})
    assert labels.tolist() == ["transition", "transition"]


def test_a_table_needs_the_memory_beside_it():
    table = campaign().measurements
    kept = in_regime(table, "cache", {"a": 256 * KIB, "b": 128 * KIB})
    assert kept["value"].tolist() == [1, 2, 1]
    with pytest.raises(UsageError, match="client_ram"):
        in_regime(table, "cache")


@pytest.mark.parametrize(
    "ram,rows,regime,says",
    [
        ((None, None), ROWS, "cache", "found it stated for no system"),
        (("much", None), ROWS, "cache", "client_ram of a: expected a size"),
        (("1 MiB", None), ROWS[:2], "storage", "files are 64 KiB to 128 KiB"),
        (("1 MiB", None), ROWS[6:], "cache", "1 without a file size"),
        (("1 MiB", None), ROWS, "disk", "one of cache, transition, storage"),
    ],
)
def test_what_cannot_be_answered_is_refused(ram, rows, regime, says):
    with pytest.raises(UsageError, match=says):
        in_regime(campaign(ram, rows=rows), regime)


def test_the_real_campaign(root):
    """Cells of 1 GiB in 256 MiB of memory: 9 records, 6 tests, 5 runs, 3 systems."""
    whole = fsviz.load(root / "data/raw/onehost-2026")
    kept = fsviz.in_regime(whole, "storage").measurements
    sizes = kept.groupby("tool", observed=True)["file_size_bytes"].unique()
    assert {tool: list(found) for tool, found in sizes.items()} == {
        "iozone": [2**30],
        "bonnie++": [2**30],
    }
    assert len(kept.query("tool == 'iozone'")) == 9 * 6 * 5 * 3
    # rates of file creation have no file size
    assert "180 without a file size (bonnie++)" in regime_line(whole, "storage")
