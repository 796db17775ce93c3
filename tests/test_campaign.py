"""Folders and labelled files become campaigns; what is unusable is named."""

from dataclasses import replace

import pytest
from samples import loaded

import fsviz
from fsviz.model.errors import CampaignError, UnknownFormatError, UsageError
from fsviz.model.names import natural
from fsviz.store.load import load

TIME = "\nreal\t0m{:.3f}s\nuser\t0m0.100s\nsys\t0m0.010s\n"


@pytest.fixture(scope="module")
def loopback(root):
    return loaded(root / "data/raw/loopback-2026")


def test_the_real_campaign_counts_each_invocation_once(loopback):
    runs = loopback.runs.groupby(["tool", "system"], observed=True).size()
    without_iozone = {"local-xfs", "sshfs", "glusterfs-1brick", "glusterfs-replica2"}
    systems = set(loopback.systems["system"]) - without_iozone
    assert runs["iozone"].to_dict() == dict.fromkeys(systems, 5)
    assert set(runs["bonnie++"]) == {5}
    assert runs["rsync"].to_dict() == {
        name: 1 if name in ("sshfs", "glusterfs-1brick", "glusterfs-replica2") else 10
        for name in loopback.systems["system"]
    }


def test_the_real_campaign_is_read_whole(loopback):
    assert loopback.problems == ()
    assert loopback.baseline == "nfs-v3"
    assert loopback.runs["complete"].all()
    # 5 + 6 + … + 12 cells of six operations in 45 IOzone runs
    iozone = loopback.measurements["tool"] == "iozone"
    assert iozone.sum() == 68 * 6 * 45


def test_time_and_stats_of_one_rsync_share_run_and_repeat(loopback):
    rsync = loopback.measurements.query("tool == 'rsync' and system == 'nfs-v4.1'")
    together = rsync.groupby("run", observed=True)
    assert (together["source"].nunique() == 2).all()
    assert (together["repeat"].nunique() == 1).all()
    assert sorted(together["repeat"].first()) == list(range(1, 11))


def test_repeats_follow_the_numbers_in_the_names(loopback):
    rsync = loopback.measurements.query("system == 'nfs-v3' and metric == 'elapsed'")
    by_source = rsync.set_index(rsync["source"].astype(str))["repeat"]
    repeats = {
        source.rpartition("rep")[2].partition(".")[0]: repeat
        for source, repeat in by_source.items()
    }
    assert all(int(name) == repeat for name, repeat in repeats.items())
    assert len(repeats) == 10


def test_facts_of_a_system_come_before_those_of_the_campaign(loopback):
    systems = loopback.systems.set_index("system")
    assert (
        systems.at["nfs-v4.2-async", "durability"] != systems.at["nfs-v3", "durability"]
    )
    assert systems["client_ram"].nunique() == 1


def test_a_folder_without_toml_names_systems_after_folders(tmp_path):
    for system, seconds in (("nfs", 8), ("smb", 17)):
        (tmp_path / "results" / system).mkdir(parents=True)
        for n in (1, 2):
            text = TIME.format(seconds + n / 10)
            (tmp_path / "results" / system / f"r{n}.txt").write_text(text)
    campaign = load(tmp_path / "results")
    assert campaign.name == "results"
    elapsed = campaign.measurements.query("metric == 'elapsed'")
    assert elapsed.set_index(["system", "repeat"])["value"].to_dict() == (
        {("nfs", 1): 8.1, ("nfs", 2): 8.2, ("smb", 1): 17.1, ("smb", 2): 17.2}
    )


def test_labels_name_systems(tmp_path):
    for n in (1, 2, 3):
        (tmp_path / f"{n}.txt").write_text(TIME.format(n))
    campaign = load([f"a={tmp_path}/1.txt,{tmp_path}/2.txt", f"b={tmp_path}/3.txt"])
    assert campaign.runs["system"].tolist() == ["a", "a", "b"]
    same = load(f"a={tmp_path}/1.txt,{tmp_path}/2.txt 'b={tmp_path}/3.txt'")
    assert same.runs["run"].tolist() == campaign.runs["run"].tolist()


def test_lone_files_are_systems_of_their_own(tmp_path):
    for name in ("nfs", "smb"):
        (tmp_path / f"{name}.txt").write_text(TIME.format(len(name)))
    with pytest.raises(UsageError):
        load([str(tmp_path / "afp.txt")])
    loaded = load([str(tmp_path / "nfs.txt"), str(tmp_path / "smb.txt")])
    assert loaded.runs["system"].tolist() == ["nfs", "smb"]


def test_the_rest_is_kept_when_a_file_is_rubbish(tmp_path):
    (tmp_path / "good.txt").write_text(TIME.format(8))
    (tmp_path / "bad.txt").write_text("hello\n")
    campaign = load(tmp_path)
    (problem,) = campaign.problems
    assert isinstance(problem, UnknownFormatError)
    assert str(problem).startswith(f"{tmp_path}/bad.txt:1: expected output of one of")
    assert len(campaign.runs) == 1


@pytest.mark.parametrize(
    "files,line,says",
    [
        ('["nfs/*", "none/*"]', 3, "found none in the folder that match none/*"),
        ('["../*"]', 3, "a glob inside the folder"),
        ('["/etc/*"]', 3, "a glob inside the folder"),
    ],
)
def test_a_glob_that_finds_nothing_names_its_line(tmp_path, files, line, says):
    (tmp_path / "nfs").mkdir()
    (tmp_path / "nfs" / "r.txt").write_text(TIME.format(8))
    (tmp_path / "campaign.toml").write_text(
        f'[[system]]\nname = "n"\nfiles = {files}\n'
    )
    with pytest.raises(CampaignError) as caught:
        load(tmp_path)
    assert caught.value.line == line
    assert says in str(caught.value)


def test_a_file_that_two_systems_claim_names_the_second_line(tmp_path):
    (tmp_path / "r.txt").write_text(TIME.format(8))
    entry = '[[system]]\nname = "{}"\nfiles = ["r*"]\n'
    (tmp_path / "campaign.toml").write_text(entry.format("a") + entry.format("b"))
    with pytest.raises(CampaignError, match=r"toml:6: .* found r\.txt also under a"):
        load(tmp_path)


def test_an_empty_folder_is_refused(tmp_path):
    with pytest.raises(UnknownFormatError, match="found none in this folder"):
        load(tmp_path)


def test_a_source_is_found_from_a_subfolder(root, monkeypatch):
    monkeypatch.chdir(root / "notebooks")
    assert len(fsviz.load("data/raw/onehost-2026").systems) == 3


def test_natural_order():
    names = ["rep10", "rep2", "Rep1", "2", "10", "a"]
    assert sorted(names, key=natural) == ["2", "10", "a", "Rep1", "rep2", "rep10"]


def test_a_campaign_is_shown_in_a_few_words(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    said = repr(campaign)
    assert said.startswith("<Campaign onehost-2026, 3 systems, 30 runs of ")
    assert f"{len(campaign.measurements):,} numbers" in said
    assert len(said) < 120
    page = campaign._repr_html_()
    assert page.count("<tr") == 1 + len(campaign.systems)
    hostile = replace(campaign, name="<img src=x onerror=alert(1)>")
    assert "<img" not in hostile._repr_html_()


def test_what_the_public_face_lists_is_there():
    for module in (fsviz, fsviz.report):
        for name in module.__all__:
            assert getattr(module, name) is not None, name


def test_a_campaign_is_loaded_as_one_would_guess(root):
    logs = root / "data/raw/onehost-2026/iozone"
    a, b = logs / "ext4/rep1.txt", logs / "xfs/rep1.txt"
    said = fsviz.load(f"a={a} b={b}").measurements
    for found in (
        fsviz.load(f"a={a}", f"b={b}"),
        fsviz.load({"a": a, "b": [str(b)]}),
        fsviz.load([f"a={a}", f"b={b}"]),
    ):
        assert found.measurements.equals(said)
