"""before=FOLDER1 after=FOLDER2: each system against itself, at another time."""

import pytest
from campaigns_made import TIME, put
from compared import compare

from fsviz.campaigns.over_time import changed_facts, facts_of, lone_systems, versions
from fsviz.campaigns.sources import labelled_campaigns
from fsviz.model.errors import UsageError
from fsviz.store.ingest import ingest
from fsviz.store.load import load


def campaign(folder, seconds, kernel, extra=""):
    files = {
        f"{system}/r{n}.txt": TIME.format(value + n / 100)
        for system, value in seconds.items()
        for n in range(4)
    }
    return put(
        folder, {**files, "campaign.toml": f'[facts]\nkernel = "{kernel}"\n{extra}'}
    )


@pytest.fixture
def two(tmp_path):
    before = campaign(tmp_path / "before", {"nfs": 8, "smb": 9, "old": 1}, "6.1")
    after = campaign(tmp_path / "after", {"nfs": 4, "smb": 9.1, "new": 1}, "6.6")
    return before, after


@pytest.mark.slow
def test_each_system_is_compared_with_itself(two):
    before, after = map(load, two)
    found = versions({"before": before, "after": after})
    assert list(found) == ["nfs", "smb"]
    (row,) = compare(found["nfs"]).query("metric == 'elapsed'").itertuples()
    assert (row.baseline, row.candidate, row.answer) == ("before", "after", "faster")
    # less time is less: 4.015 ÷ 8.015
    assert row.ratio == pytest.approx(4.015 / 8.015, rel=1e-3)
    assert any("kernel" in word for word in row.scope)


def test_what_one_lacks_and_what_changed_is_said(two):
    campaigns = dict(zip(("before", "after"), map(load, two), strict=True))
    assert lone_systems(campaigns) == [("before", "old"), ("after", "new")]
    then, now = (facts_of(c.systems, c.runs, "nfs") for c in campaigns.values())
    assert changed_facts(then, now) == [("kernel", "6.1", "6.6")]


def test_a_tool_that_did_not_run_has_not_changed():
    assert changed_facts({"iozone tool_version": "3.4"}, {}) == []
    assert changed_facts({}, {"mtu": "9000"}) == [("mtu", "", "9000")]


def test_the_same_run_in_both_is_refused(two, tmp_path):
    before, after = two
    (after / "nfs/r0.txt").write_text((before / "nfs/r0.txt").read_text())
    with pytest.raises(UsageError, match="each run once, found one of before in after"):
        versions({"before": load(before), "after": load(after)})


def test_nothing_in_common_is_refused(tmp_path):
    one = campaign(tmp_path / "a", {"x": 1, "y": 2}, "6")
    other = campaign(tmp_path / "b", {"z": 3, "w": 4}, "6")
    with pytest.raises(UsageError, match="a system that all campaigns have, found a:"):
        versions({"a": load(one), "b": load(other)})


def test_only_campaigns_of_several_systems_are_taken_apart(two, tmp_path):
    before, after = two
    pair = [f"before={before}", f"after={after}"]
    assert labelled_campaigns(pair) == {"before": str(before), "after": str(after)}
    assert labelled_campaigns([f"a={before}/nfs", f"b={after}/nfs"]) == {}
    assert labelled_campaigns([f"a={before}/nfs/r0.txt", f"b={after}"]) == {}
    assert labelled_campaigns([pair[0]]) == {}
    patterns = [f"a={before}/nfs/*.txt", f"b={after}/nfs/r[0]*"]
    assert labelled_campaigns(patterns) == {}
    whole = [f"{label[:-1]}?" for label in pair]
    assert labelled_campaigns(whole) == labelled_campaigns(pair)
    assert labelled_campaigns([pair[0], str(after)]) == {}
    ingest([str(before), str(after)], tmp_path / "store")
    stored = [f"b={tmp_path}/store/before.parquet", f"a={tmp_path}/store/after.parquet"]
    assert len(labelled_campaigns(stored)) == 2
