"""Conclusions in words: what stands, what does not, and why."""

import pytest
from frames import measurements, run
from samples import loaded

import fsviz
from fsviz.report.prose import conclusions

WOBBLE = (1.0, 1.01, 0.99)
CELLS = [("write", 64, 4), ("read", 64, 4), ("read", 64, 8)]
TABLE = measurements(
    {
        name: [
            run(f"{name}{i}", [(*cell, level * w) for cell in CELLS])
            for i, w in enumerate(WOBBLE)
        ]
        for name, level in {"base": 100.0, "quick": 300.0}.items()
    }
)


def sentence(*held: str, scope: tuple[str, ...] = ()) -> str:
    """What is said of `quick`, with some operations disqualified by a rule."""
    frame = fsviz.compare(TABLE, baseline="base")
    rules = [["invalid-mode"] if o in held else [] for o in frame["operation"]]
    verdicts = frame["verdict"].mask([bool(rule) for rule in rules], "disqualified")
    scopes = [list(scope) for _ in rules]
    frame = frame.assign(disqualified_by=rules, verdict=verdicts, scope=scopes)
    return conclusions(frame)


def test_what_stands_is_counted_and_spelled_out():
    text = sentence()
    assert "- **quick** is faster in 2 of 2 comparisons. Largest gain: " in text
    assert ", 3.0× faster (95 % interval" in text
    assert "n = 3 + 3)" in text
    assert "isqualified" not in text


def test_what_it_is_about_stands_beside_the_number():
    assert "n = 3 + 3; cache, sync against async)" in sentence(
        scope=("cache", "sync against async")
    )


def test_what_is_disqualified_is_counted_apart_and_says_why():
    text = sentence("read")
    assert "is faster in 1, disqualified in 1 of 2 comparisons." in text
    assert "Largest gain: write" in text
    assert "Largest disqualified ratio: read of small files, 3.0× faster " in text
    assert "Disqualified by `fsviz check`: `invalid-mode`." in text


def test_nothing_but_disqualified_has_no_gain():
    text = sentence("read", "write")
    assert "is disqualified in 2 of 2 comparisons." in text
    assert "Largest gain" not in text


@pytest.mark.slow
def test_sizes_that_could_be_measured_come_first(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    chosen = {"baseline": "nfs-v3", "systems": ["nfs-v3", "smb-3.0"], "tool": "iozone"}
    text = fsviz.report.conclude(campaign, **chosen, operations=["read"])
    first, whole = text.split("**Counting all sizes**")
    assert "files from 128 KiB, records up to 1/8 of the file" in first
    assert "**smb-3.0** is slower in 2 of 2 comparisons." in first
    assert "**smb-3.0** is faster in 1, depends in 1 of 2 comparisons." in whole


def test_a_table_states_no_facts_to_judge_by():
    assert "Counting" not in fsviz.report.conclude(TABLE, baseline="base")


def test_a_comparison_that_is_known_is_not_made_again():
    known = fsviz.compare(TABLE, baseline="base")
    made = fsviz.report.conclude(TABLE, baseline="base")
    assert fsviz.report.conclude(TABLE, baseline="base", comparison=known) == made
    known["geomean_ratio"] = 7.0
    told = fsviz.report.conclude(TABLE, baseline="base", comparison=known)
    assert ", 7.0× faster" in told


def test_one_system_is_compared_with_nothing():
    text = fsviz.report.conclude(TABLE, baseline="base", systems=["base"])
    assert text == "Only base was measured, so there is nothing to compare."


@pytest.mark.slow
def test_what_is_measured_beside_speed_is_counted_too(root):
    """bonnie++ on onehost-2026: latency and CPU use, not only throughput."""
    campaign = loaded(root / "data/raw/onehost-2026")
    said = fsviz.report.conclude(campaign, baseline="ext4", tool="bonnie++")
    frame = fsviz.compare(campaign, baseline="ext4")
    frame = frame.query("tool == 'bonnie++' and candidate == 'btrfs' and cells > 0")
    beside = frame[frame["metric"].isin(["latency", "cpu", "cpu_cost"])]
    sized = beside.groupby("operation")["bucket"].transform("nunique") > 1
    beside = beside[~sized | (beside["bucket"] != "all")]
    counts = beside["verdict"].value_counts()
    expected = (
        f"In latency, CPU use and CPU time per byte: faster in {counts['faster']}, "
        f"slower in {counts['slower']}, inconclusive in {counts['unclear']} "
        f"of {len(beside)}."
    )
    assert expected in said
