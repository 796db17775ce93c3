"""Which folder is which system: nothing is pooled, nothing is guessed."""

import tomllib

import pytest
from campaigns_made import TIME, iozone, put

import fsviz
from fsviz.model.errors import AmbiguousFoldersError, UsageError
from fsviz.store.load import load


def systems_and_runs(campaign):
    return campaign.runs.groupby("system")["run"].nunique().to_dict()


def test_folders_named_like_repeats_are_repeats_of_their_parent(tmp_path):
    files = {
        f"{system}/run_{n}/iozone.txt": iozone(10 * at + n)
        for at, system in enumerate(("ext4", "xfs"))
        for n in range(1, 6)
    }
    campaign = load(put(tmp_path / "camp", files))
    assert systems_and_runs(campaign) == {"ext4": 5, "xfs": 5}
    assert campaign.runs.groupby("system")["repeat"].max().to_dict() == {
        "ext4": 5,
        "xfs": 5,
    }


@pytest.mark.parametrize(
    "names", [("1", "2"), ("rep_1", "rep_2"), ("2026-11-20", "2026-11-21")]
)
def test_numbers_and_dates_are_repeats(tmp_path, names):
    files = {f"nfs/{name}/t.txt": iozone(at) for at, name in enumerate(names)}
    files |= {f"smb/{name}/t.txt": iozone(50 + at) for at, name in enumerate(names)}
    assert systems_and_runs(load(put(tmp_path, files))) == {"nfs": 2, "smb": 2}


def test_folders_named_like_tools_are_no_systems(tmp_path):
    files = {
        "nfs/iozone/1.txt": iozone(1),
        "nfs/rsync/1.txt": TIME.format(3),
        "smb/iozone/1.txt": iozone(2),
        "smb/rsync/1.txt": TIME.format(4),
    }
    assert systems_and_runs(load(put(tmp_path, files))) == {"nfs": 2, "smb": 2}


@pytest.mark.parametrize(
    "names,told",
    [
        (("nfs.txt", "smb.txt"), "nfs.txt, smb.txt count as repeats"),
        (("ext3.log", "ext4.log"), "ext3.log, ext4.log count as repeats"),
        (("2026-11-20_nfs.txt", "2026-11-21_smb.txt"), "count as repeats"),
        (("nfs-8192.txt", "nfs-32768.txt"), "count as repeats"),
        (("iozone-nfs-1.txt", "iozone-nfs-2.txt"), ""),
        (("nfs.txt", "nfs (1).txt"), ""),
        (("write1.txt", "write2.txt"), ""),
        (("disk1.txt", "disk2.txt"), "count as repeats"),
        (("nfsv3-1.txt", "nfsv4-1.txt"), "count as repeats"),
        (("2026-11-20.txt", "2026-11-21.txt"), ""),
        (("rep1.txt", "rep2.txt"), ""),
    ],
)
def test_files_of_other_names_in_one_folder_are_not_pooled_without_a_word(
    tmp_path, names, told
):
    files = {name: iozone(at) for at, name in enumerate(names)}
    campaign = load(put(tmp_path / "camp", files))
    assert systems_and_runs(campaign) == {"camp": 2}
    notes = [note.text for note in campaign.notes]
    assert len(notes) == bool(told)
    assert all(told in text for text in notes)
    described = "".join(f"[[system]]\nname = '{n}'\nfiles = ['{n}']\n" for n in names)
    (tmp_path / "camp" / "campaign.toml").write_text(described)
    assert not load(tmp_path / "camp").notes


def test_files_of_several_commands_are_noted_once(tmp_path):
    """A script that starts IOzone anew for each record size got a line a size."""
    files = {}
    for at, name in enumerate(("nfs.txt", "smb.txt")):
        other = iozone(at + 2).replace("iozone -a", "iozone -c -a")
        files[name] = iozone(at) + other
    assert "iozone -c -a" in files["nfs.txt"]
    campaign = load(put(tmp_path / "camp", files))
    assert campaign.runs["configuration"].nunique() == 2
    assert len(campaign.notes) == 1


def test_files_of_other_cells_are_no_repeats_and_get_no_note(tmp_path):
    text = "system,operation,iodepth,value\nsmb,read,{depth},10 MiB/s\n"
    files = {f"depth{n}-x.csv": text.format(depth=n) for n in (1, 4)}
    assert not load(put(tmp_path / "camp", files)).notes
    same = {name: text.format(depth=1) for name in ("a.csv", "b.csv")}
    same["b.csv"] = same["b.csv"].replace("10", "11")
    (note,) = load(put(tmp_path / "other", same)).notes
    assert "count as repeats" in note.text


def test_one_name_under_two_parents_is_refused_with_lines_that_settle_it(tmp_path):
    files = {
        f"{system}/{state}/rep1.txt": iozone(10 * at + k)
        for at, system in enumerate(("ext4", "xfs"))
        for k, state in enumerate(("cold", "warm"))
    }
    folder = put(tmp_path / "camp", files)
    with pytest.raises(AmbiguousFoldersError) as caught:
        load(folder)
    advice = caught.value.advice
    starts = [n for n, line in enumerate(advice) if line.startswith("# ")][1:]
    expected = [
        {"ext4/cold": 1, "ext4/warm": 1, "xfs/cold": 1, "xfs/warm": 1},
        {"ext4": 2, "xfs": 2},
        {"cold": 2, "warm": 2},
    ]
    for start, end, runs in zip(starts, [*starts[1:], None], expected, strict=True):
        text = "\n".join(advice[start:end])
        assert tomllib.loads(text)
        (folder / "campaign.toml").write_text(text)
        assert systems_and_runs(load(folder)) == runs


def test_a_system_of_many_folders_is_suggested_with_one_pattern(tmp_path):
    states = [f"state {letter}[1]" for letter in "abcdef"]
    files = {
        f"{system}/{state}/rep1.txt": iozone(10 * at + k)
        for at, system in enumerate(("ext4", "xfs"))
        for k, state in enumerate(states)
    }
    folder = put(tmp_path / "camp", files)
    with pytest.raises(AmbiguousFoldersError) as caught:
        load(folder)
    advice = list(caught.value.advice)
    assert "files = ['ext4/**']" in advice or 'files = ["ext4/**"]' in advice
    at = next(n for n, line in enumerate(advice) if "outer folders" in line)
    (folder / "campaign.toml").write_text("\n".join(advice[at : at + 7]))
    assert systems_and_runs(load(folder)) == {"ext4": 6, "xfs": 6}


def test_loose_files_of_one_name_in_two_folders_are_two_systems(tmp_path):
    put(tmp_path, {"disk/iozone1.txt": iozone(1), "tmpfs/iozone1.txt": iozone(2)})
    paths = [str(tmp_path / "disk/iozone1.txt"), str(tmp_path / "tmpfs/iozone1.txt")]
    assert systems_and_runs(load(paths)) == {"disk": 1, "tmpfs": 1}
    assert set(fsviz.read(paths)["system"]) == {"disk", "tmpfs"}


def test_folders_of_one_system_each_are_compared_and_campaigns_are_not_pooled(tmp_path):
    put(
        tmp_path,
        {
            f"{name}/run_{n}.txt": iozone(10 * at + n)
            for at, name in enumerate(("ext4", "xfs"))
            for n in (1, 2)
        },
    )
    folders = [str(tmp_path / name) for name in ("ext4", "xfs")]
    assert systems_and_runs(load(folders)) == {"ext4": 2, "xfs": 2}
    put(tmp_path, {"new/ext4/1.txt": iozone(90), "new/xfs/1.txt": iozone(91)})
    with pytest.raises(UsageError, match="expected one campaign, found 2"):
        load([*folders, str(tmp_path / "new")])


@pytest.mark.parametrize(
    "name, is_problem",
    [("notes.txt", False), ("nfs/notes.txt", True), ("ssh/rep1.txt", True)],
)
def test_notes_above_the_folders_of_results_are_no_problem(tmp_path, name, is_problem):
    """A text beside results, or in a folder of its own, may be a run that failed."""
    put(tmp_path, {f"{s}/r.txt": iozone(n) for n, s in enumerate(("nfs", "smb"))})
    put(tmp_path, {name: "the switch was started anew at ten\n"})
    campaign = fsviz.load(tmp_path)
    assert [str(p).partition(":")[0] for p in campaign.problems] == (
        [f"{tmp_path}/{name}"] if is_problem else []
    )
    said = [n.text for n in campaign.notes if n.path == f"{tmp_path}/{name}"]
    assert said == [] if is_problem else ["no output of a benchmark, so left out"]
    # whoever names it is told that it is none
    label = f"a={tmp_path}/nfs/r.txt,{tmp_path}/{name}"
    assert len(fsviz.load([label, f"b={tmp_path}/smb"]).problems) == 1
