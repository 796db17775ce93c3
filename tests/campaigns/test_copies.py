"""One run is counted once, whatever its files are called."""

import shutil
from pathlib import Path

import pytest
from campaigns_made import TIME, iozone, put

import fsviz
from fsviz.store.ingest import ingest
from fsviz.store.load import load

REP = "data/raw/loopback-2026/iozone/nfs-v3/rep1.{}"


def test_text_and_workbook_of_other_names_are_one_run(tmp_path, root):
    shutil.copy(root / REP.format("txt"), tmp_path / "output.txt")
    shutil.copy(root / REP.format("xls"), tmp_path / "sheet.xls")
    campaign = load(tmp_path)
    assert campaign.runs["run"].nunique() == 1
    assert set(campaign.measurements["repeat"]) == {1}
    (note,) = campaign.notes
    assert note.path.endswith("sheet.xls")
    assert "output.txt" in note.text
    assert len(fsviz.read([tmp_path / "output.txt", tmp_path / "sheet.xls"])) == len(
        fsviz.read(tmp_path / "output.txt")
    )


def test_read_counts_twins_of_one_name_once(root):
    both = [str(root / REP.format(s)) for s in ("txt", "xls")]
    assert len(fsviz.read(both)) == len(fsviz.read(both[0]))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_copy_with_other_line_ends_or_encoding_is_one_run(tmp_path, encoding):
    put(tmp_path, {"a.txt": iozone(1)})
    (tmp_path / "b.txt").write_bytes(iozone(1).replace("\n", "\r\n").encode(encoding))
    campaign = load(tmp_path)
    assert campaign.runs["run"].nunique() == 1
    assert "b.txt" in str(campaign.notes[0])


def test_runs_that_began_at_other_times_are_two_whatever_they_print(tmp_path):
    put(tmp_path, {"a.txt": iozone(1, minute=1), "b.txt": iozone(1, minute=2)})
    assert load(tmp_path).runs["run"].nunique() == 2


def test_runs_that_are_equal_to_the_last_digit_are_said(tmp_path, root):
    text = (root / "data/raw/onehost-2026/iozone/ext4/rep1.txt").read_text()
    days = {f"{n}.txt": text.replace("Nov 21", f"Nov 2{n}") for n in range(2, 7)}
    put(tmp_path, days | {"other.txt": text})
    campaign = load(tmp_path)
    assert campaign.runs["run"].nunique() == 6
    (note,) = [note for note in campaign.notes if "last digit" in note.text]
    assert note.text.startswith(f"6 runs of {tmp_path.name} have the same 810 numbers")


def test_few_equal_numbers_are_said_of_neighbours_and_are_chance_elsewhere(tmp_path):
    again = TIME.format(8.5) * 2
    put(tmp_path, {"a.txt": TIME.format(8.6) + again, "b.txt": TIME.format(8.5)})
    put(tmp_path, {"c.txt": again.removeprefix("\n").partition("\n")[0] + again})
    campaign = load(tmp_path)
    notes = [note for note in campaign.notes if "right above" in note.text]
    assert {Path(note.path).name: note.line for note in notes} == {
        "a.txt": "10",
        "c.txt": "2",
    }


def test_a_log_that_repeats_single_files_is_not_counted_again(tmp_path):
    put(tmp_path, {f"{n}.txt": iozone(n) for n in (1, 2)})
    put(tmp_path, {"all.txt": iozone(1) + iozone(2) + iozone(3)})
    assert load(tmp_path).runs["run"].nunique() == 3


def test_a_log_pasted_twice_into_one_file_is_one_run(tmp_path):
    put(tmp_path, {"a.txt": iozone(1) + iozone(2) + iozone(1)})
    campaign = load(tmp_path)
    assert campaign.runs["repeat"].tolist() == [1, 2]
    (note,) = campaign.notes
    assert "counted once" in note.text


def test_the_store_keeps_notes_and_files(tmp_path):
    put(tmp_path / "camp", {"a.txt": iozone(1), "copy.txt": iozone(1)})
    campaign = load(tmp_path / "camp")
    ingest([str(tmp_path / "camp")], tmp_path / "store")
    back = load(tmp_path / "store")
    assert back.notes == campaign.notes
    assert back.files.astype(str).equals(campaign.files.astype(str))


def test_what_is_said_of_two_systems_of_one_file_is_said_once(tmp_path):
    text = "".join(
        f"# {name}\n\n{iozone(n, minute=n)}\n" for n, name in enumerate(("NFS", "SMB"))
    )
    notes = load(put(tmp_path, {"all.md": text, "again.md": text})).notes
    copied = [note for note in notes if "counted once" in note.text]
    assert len(copied) == 1
