"""Operations that mix runs which are no repeats: left out, named; the rest answered."""

import json

import pytest
from campaigns_made import iozone, put
from program import run as fsviz

from fsviz import compare, load, summary
from fsviz.answers.trust import trust
from fsviz.checks.engine import run_checks
from fsviz.model.errors import MixedCellError
from fsviz.report.plan import plan
from fsviz.store.ingest import ingest

BONNIE = (
    "1.98,2.00a,host,1,{seed},1G,,8192,{seekers},,,{rate},78,892703,63,,,1755045,30,"
    "5000.5,9,16,,,,,2000,50,3000,50,4000,50,2000,50,3000,50,4000,50,,5234us,29901us,,"
    "4051us,1143us,334us,245us,1600us,1841us,21us,1668us\n"
)


def bonnie(seed: int, seekers: int = 5) -> str:
    return BONNIE.format(seed=seed, seekers=seekers, rate=2_000_000 + seed)


def bonnie_and_iozone(folder, mixing=("ext4", "xfs")):
    """Two systems; of those that mix, two bonnie++ runs differ in their options."""
    files = {}
    for at, name in enumerate(("ext4", "xfs")):
        for n in (1, 2, 3):
            files[f"iozone/{name}/{n}.txt"] = iozone(10 * at + n)
        other = 3 if name in mixing else 5
        files[f"bonnie++/{name}/1.csv"] = bonnie(10 * at + 1)
        files[f"bonnie++/{name}/2.csv"] = bonnie(10 * at + 2, other)
    return put(folder, files)


@pytest.fixture
def both(tmp_path):
    return bonnie_and_iozone(tmp_path / "camp")


@pytest.mark.parametrize("command", ["summary", "compare"])
def test_commands_answer_for_the_other_tool_and_name_what_is_mixed(both, command):
    done = fsviz(command, both, "--format", "json")
    assert done.returncode == 1
    assert {row["tool"] for row in json.loads(done.stdout)} == {"iozone"}
    said = done.stderr.splitlines()
    for name, line in zip(("ext4", "xfs"), said, strict=True):
        place = f"{both}/bonnie++/{name}"
        assert line.startswith(f"{place}/2.csv:1: expected a repeat of {place}/1.csv (")
        assert f"left out of bonnie++ on {name}: sequential_output_block, " in line


def test_the_rules_see_what_is_left_out(both):
    campaign = load(both)
    assert set(campaign.measurements["tool"]) == {"iozone"}
    found = run_checks(campaign)
    assert "bonnie++" in set(found.findings["tool"])
    assert found.findings.equals(run_checks(campaign.whole).findings)
    # and what is judged is what is answered
    assert found.case.campaign is campaign.whole
    assert load(both, tool="iozone").whole is None


def test_who_is_left_out_as_a_whole_is_named_on_the_page_of_the_other(tmp_path):
    """It counted the runs of a system that was nowhere on it."""
    files = {f"a/{n}.csv": bonnie(n) for n in (1, 2, 3)}
    files |= {"b/1.csv": bonnie(4), "b/2.csv": bonnie(5, 3)}
    campaign = load(put(tmp_path / "camp", files))
    assert set(campaign.measurements["system"]) == {"a"}
    said = trust(campaign, run_checks(campaign), ["a"])[3].sentence
    assert said.startswith(
        "Left out, for the runs are no repeats of one another: bonnie++ on b."
    )


def test_the_first_screen_says_what_is_not_answered(both):
    campaign = load(both)
    found = run_checks(campaign)
    *others, last = trust(campaign, found)
    said = "Left out, for the runs are no repeats of one another: "
    assert last.state == "error"
    assert last.sentence.startswith(f"{said}bonnie++ on ext4 and bonnie++ on xfs.")
    assert not any("Left out" in answer.sentence for answer in others)
    assert said not in trust(campaign, found, tool="iozone")[-1].sentence
    assert "xfs" not in trust(campaign, found, ["ext4"])[-1].sentence.partition(". ")[0]
    assert said not in trust(campaign.whole, found)[-1].sentence


def test_what_is_mixed_and_asked_for_alone_is_no_answer(both):
    done = fsviz("compare", both, "--operation", "sequential_output_block")
    assert done.returncode == 2
    assert not done.stdout
    assert f"{both}/bonnie++/ext4/2.csv:1: expected a repeat" in done.stderr
    with pytest.raises(MixedCellError, match="differ in configuration"):
        _ = compare(load(both, tool="bonnie++")).rows


def test_reports_leave_out_the_page_of_the_mixed_tool(both):
    jobs = plan((str(both),))
    assert [job.name for job in jobs] == ["iozone", "compare"]
    for job in jobs:
        assert ["bonnie++/ext4/2.csv:1: " in p for p in job.entry.problems] == [1, 0]


def test_a_system_that_mixes_nothing_keeps_its_numbers(tmp_path):
    campaign = load(bonnie_and_iozone(tmp_path / "camp", mixing=("ext4",)))
    rows = summary(campaign)
    found = set(rows[["tool", "system"]].itertuples(index=False, name=None))
    assert found == {("iozone", "ext4"), ("iozone", "xfs"), ("bonnie++", "xfs")}
    assert len(campaign.problems) == 1


def test_only_the_operations_that_are_mixed_are_left_out(tmp_path):
    log = iozone(8).replace("-i 0 -i 1", "-i 0 -c")
    # a run that was asked for writes only: its rows have no columns of reads
    short = "".join(
        line[:42] + "\n" if line[:24].replace(" ", "").isdigit() else line
        for line in log.splitlines(keepends=True)
    )
    files = {"a/1.txt": iozone(1), "a/2.txt": iozone(2), "a/3.txt": short}
    campaign = load(put(tmp_path, files))
    assert set(summary(campaign)["operation"]) == {"read", "reread"}
    counts = dict(zip(campaign.files["source"], campaign.files["numbers"], strict=True))
    assert list(counts.values()) == [18, 18, 0]
    assert campaign.runs["run"].nunique() == 2


def test_a_campaign_of_nothing_else_is_refused_as_before(tmp_path):
    runs = {"a/1.csv": bonnie(1), "a/2.csv": bonnie(2, 3)}
    campaign = load(put(tmp_path, runs))
    assert len(campaign.runs) == 2
    with pytest.raises(MixedCellError):
        summary(campaign)


def test_a_store_keeps_all_and_answers_as_the_folder_does(both, tmp_path):
    ingest([str(both)], tmp_path / "store")
    stored, read = load(tmp_path / "store"), load(both)
    assert list(map(str, stored.problems)) == list(map(str, read.problems))
    assert len(stored.measurements) == len(read.measurements)
    assert len(load(both, tool="bonnie++").runs) == 10


def told_on_ingest(folder, store):
    first = fsviz("ingest", folder, "-o", store)
    assert first.returncode == 1
    return first.stderr.splitlines()


def test_who_stores_a_campaign_hears_what_will_be_left_out(both, tmp_path):
    asked = fsviz("summary", both)
    said = [line for line in asked.stderr.splitlines() if "left out of" in line]
    assert said
    assert told_on_ingest(both, tmp_path / "store") == said


def test_who_stores_a_campaign_of_nothing_else_hears_it_too(tmp_path):
    runs = {"a/1.csv": bonnie(1), "a/2.csv": bonnie(2, 3)}
    camp = put(tmp_path / "camp", runs)
    (said,) = told_on_ingest(camp, tmp_path / "store")
    assert said.startswith(f"{camp}/a/2.csv:1: expected a repeat of {camp}/a/1.csv (")
    assert "left out of bonnie++ on a: sequential_output_block, " in said
