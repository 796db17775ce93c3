"""Asking the rules: names, thresholds, frames, marks."""

import pytest
from samples import loaded

import fsviz
from fsviz.checks.engine import run_checks
from fsviz.checks.findings import COLUMNS, MARKS
from fsviz.checks.rules import RULES
from fsviz.model.errors import CampaignError, UsageError
from fsviz.model.thresholds import THRESHOLDS
from fsviz.store.ingest import ingest
from tests.checks.outputs import LOOPBACK, build, findings, iozone


@pytest.fixture(scope="module")
def loopback():
    return loaded(LOOPBACK)


def test_the_answer_is_a_frame_with_errors_first(loopback):
    frame = fsviz.check(loopback)
    assert tuple(frame.columns) == COLUMNS
    order = [("error", "warning", "info").index(s) for s in frame["severity"]]
    assert order == sorted(order)
    assert set(frame["rule"]) <= {rule.name for rule in RULES}
    assert frame[["message", "rule"]].notna().all(axis=None)


def test_select_and_ignore(loopback):
    assert set(fsviz.check(loopback, select=["cache-regime"])["rule"]) == {
        "cache-regime"
    }
    left = fsviz.check(loopback, ignore=["cache-regime", "unstable-cell"])
    assert not {"cache-regime", "unstable-cell"} & set(left["rule"])


def test_an_unknown_rule_is_refused_with_the_known_ones(loopback):
    with pytest.raises(
        UsageError, match=r"expected one of cache-regime.*found no-such"
    ):
        fsviz.check(loopback, select=["no-such"])
    with pytest.raises(UsageError, match="expected one of"):
        fsviz.check(loopback, ignore=["no-such"])


def test_a_measurements_frame_is_no_campaign(loopback):
    with pytest.raises(UsageError, match="expected a campaign"):
        fsviz.check(loopback.measurements)


def test_every_threshold_of_a_rule_is_in_the_table():
    of_sizes = {"clock_steps", "cold_record_share"}  # of fsviz.checks.measurable
    of_rules = {name for rule in RULES for name in rule.thresholds}
    assert of_rules | of_sizes == set(THRESHOLDS)
    assert all(threshold.source for threshold in THRESHOLDS.values())


def test_the_campaign_moves_a_line_and_the_caller_moves_it_again(tmp_path):
    toml = '[facts]\nclient_ram = "64 MiB"\n[thresholds]\nstorage_multiple = 0.1\n'
    campaign = build(tmp_path / "c", {"a/rep1.txt": iozone()}, toml)
    # 8 MiB files: 0.125 times the RAM
    assert not findings(campaign, "no-storage-cells")
    assert findings(campaign, "no-storage-cells", storage_multiple=0.2)
    ingest([str(tmp_path / "c")], tmp_path / "store")
    stored = fsviz.load(tmp_path / "store")
    assert not findings(stored, "no-storage-cells")


@pytest.mark.parametrize(
    "text,line,says",
    [
        ("[thresholds]\nno_such = 1\n", 2, "thresholds to be of storage_multiple,"),
        ('[thresholds]\ncliff_ratio = "2"\n', 2, "a valid number for 'cliff_ratio'"),
        ('compared = ["kernl"]\n', 1, "compared to be of protocol,"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_line(tmp_path, text, line, says):
    with pytest.raises(CampaignError) as caught:
        build(tmp_path, {"a/rep1.txt": iozone()}, text)
    assert caught.value.line == line
    assert says in str(caught.value)


def test_marks_name_the_cells_of_each_finding(loopback):
    found = run_checks(loopback, select=["over-line-rate"])
    assert tuple(found.marks.columns) == MARKS
    for number, row in enumerate(found.findings.to_dict("records")):
        assert (found.marks["finding"] == number).sum() == row["cells"]
    # what a cache answered is the scope of an answer, and rules nothing out
    assert not found.marks["disqualifies"].any()
    over = found.marks.loc[found.marks["severity"] == "error"]
    assert set(over["scope"]) == {"cache"}
    # by hand: rep1 of nfs-v4.1, 8 MiB by 8 MiB, 3.6 million kB/s over 1 Gbit/s
    hit = over.loc[
        (over["system"] == "nfs-v4.1")
        & (over["operation"] == "read")
        & (over["file_size_bytes"] == 8 * 1024**2)
        & (over["record_size_bytes"] == 8 * 1024**2)
    ]
    assert len(hit) == 1


def test_a_comparison_at_fault_names_both_sides(loopback):
    marks = run_checks(loopback, select=["durability-differs"]).marks
    assert set(marks["scope"]) == {"sync against async"}
    assert set(marks["against"]) == {"nfs-v3"}
    assert {"local-ext4", "nfs-v4.2-async", "smb-3.1.1"} < set(marks["system"])
    assert "read" not in set(marks["operation"])


def test_places_are_real(loopback):
    for row in fsviz.check(loopback).to_dict("records"):
        if row["source"]:
            assert (LOOPBACK.parents[2] / row["source"]).is_file()
