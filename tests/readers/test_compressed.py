"""Compressed files and archives: the same numbers, bounded, and no link followed."""

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile

import pyarrow as pa
import pytest
from campaigns_made import iozone
from program import run

import fsviz
from fsviz.model.errors import ParseError
from fsviz.readers import _compressed as compressed
from fsviz.readers.formats import read_file

TEXT = iozone(1).encode()
KINDS = {
    "gz": gzip.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
    "zst": lambda data: pa.compress(data, "zstd", asbytes=True),
}


def zipped(files):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def tarred(files, links=()):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        for name, content in files.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
        for name, target in links:
            entry = tarfile.TarInfo(name)
            entry.type, entry.linkname = tarfile.SYMTYPE, target
            archive.addfile(entry)
    return buffer.getvalue()


def cells(path):
    (run,) = read_file(path).runs
    return [*zip(run.cells.keys(), run.cells.value, strict=True)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_compressed_file_is_what_it_holds_whatever_its_name(tmp_path, kind):
    (tmp_path / "plain.txt").write_bytes(TEXT)
    (tmp_path / "log.txt").write_bytes(KINDS[kind](TEXT))
    assert cells(tmp_path / "log.txt") == cells(tmp_path / "plain.txt")
    # beside the other it is the same run, not a repeat
    both = fsviz.read([str(tmp_path / name) for name in ("plain.txt", "log.txt")])
    assert both["run"].nunique() == 1
    half = KINDS[kind](TEXT)
    (tmp_path / "cut").write_bytes(half[: len(half) // 2])
    with pytest.raises(ParseError, match=r"cut:1: expected a whole compressed file"):
        read_file(tmp_path / "cut")


def test_lines_are_those_of_the_text(tmp_path):
    (tmp_path / "a.gz").write_bytes(gzip.compress(b"no output of any tool\n"))
    done = run("read", tmp_path / "a.gz")
    assert done.returncode == 1
    assert f"{tmp_path}/a.gz:1: expected output of one of the tools" in done.stderr


@pytest.mark.parametrize("pack", [zipped, tarred, lambda f: gzip.compress(tarred(f))])
def test_members_are_the_files_of_a_folder(tmp_path, pack):
    files = {
        f"lab/{s}/r{n}.txt": iozone(n + 9 * (s == "smb")).encode()
        for s in ("nfs", "smb")
        for n in (1, 2)
    }
    (tmp_path / "lab.bin").write_bytes(pack({**files, "lab/nfs/notes.txt": b"mine"}))
    campaign = fsviz.load(tmp_path / "lab.bin")
    assert list(campaign.systems["system"]) == ["nfs", "smb"]
    assert campaign.measurements.groupby("system")["repeat"].max().tolist() == [2, 2]
    sources = set(campaign.measurements["source"])
    assert sources == {f"{tmp_path}/lab.bin/{name}" for name in files}
    (problem,) = campaign.problems
    assert str(problem).startswith(f"{tmp_path}/lab.bin/lab/nfs/notes.txt:1: expected")
    # numbered as a folder lists them, whatever the order in the archive
    back = dict(reversed(files.items())) | {"lab/campaign.toml": b"title = 'x'"}
    (tmp_path / "lab.bin").write_bytes(pack(back))
    again = fsviz.load(tmp_path / "lab.bin")
    assert (
        again.measurements["value"].tolist() == campaign.measurements["value"].tolist()
    )
    # what a campaign.toml in an archive states is not followed, and that is said
    assert again.title == ""
    (note,) = (n for n in again.notes if n.path.endswith("campaign.toml"))
    assert "unpack it first" in note.text
    assert set(again.measurements["source"]) == sources
    labelled = fsviz.load(f"mine={tmp_path}/lab.bin")
    assert list(labelled.systems["system"]) == ["mine"]


def said(tmp_path, data):
    (tmp_path / "x").write_bytes(data)
    found = fsviz.load(tmp_path / "x")
    assert found.measurements["run"].nunique() == 1
    return "\n".join(map(str, found.problems)).replace(str(tmp_path), "")


def test_no_link_is_followed_and_no_member_leaves_its_archive(tmp_path):
    (tmp_path / "secret.txt").write_bytes(iozone(5).encode())
    outside = [("link.txt", str(tmp_path / "secret.txt")), ("up", "../secret.txt")]
    text = said(tmp_path, tarred({"a/good.txt": TEXT}, outside))
    assert text.count("expected a file, found a link or a device") == 2
    names = {"a/good.txt": TEXT, "../secret.txt": iozone(6).encode()}
    for pack in (zipped, tarred):
        text = said(tmp_path, pack(names | {"/abs.txt": iozone(7).encode()}))
        assert text.count("expected a name inside the archive") == 2


def test_archives_in_archives_are_refused(tmp_path):
    inner = {"in.zip": zipped({"b.txt": TEXT}), "in.gz": gzip.compress(TEXT)}
    text = said(tmp_path, zipped({"good.txt": iozone(3).encode(), **inner}))
    assert text.count("found an archive in an archive") == 2
    assert "/x/in.zip:1: " in text


def test_bombs_are_bounded(tmp_path, monkeypatch):
    monkeypatch.setattr(compressed, "LARGEST_ARCHIVE", 2**21)
    monkeypatch.setattr(compressed, "_GROWTH", 2**21)
    monkeypatch.setattr("fsviz.readers.formats.LARGEST_FILE", 2**20)
    bomb = b"\n" * 2**23
    for pack in KINDS.values():
        (tmp_path / "bomb").write_bytes(pack(bomb))
        with pytest.raises(ParseError, match="at most 1048576 bytes unpacked"):
            read_file(tmp_path / "bomb")
    text = said(tmp_path, zipped({"good.txt": TEXT, "bomb": bomb}))
    assert "x/bomb:1: expected output of at most 1048576 bytes, found more" in text
    many = {f"m{n}": b"\n" * 2**20 for n in range(4)}
    text = said(tmp_path, gzip.compress(tarred({"good.txt": TEXT, "m": b"\n" * 2**20})))
    assert "at most" not in text
    text = said(tmp_path, zipped({"good.txt": TEXT, **many}))
    assert "expected at most 2097152 bytes in all members, found more" in text
    monkeypatch.setattr(compressed, "MOST_MEMBERS", 2)
    text = said(tmp_path, tarred({"good.txt": TEXT, **{f"n{n}": b"x" for n in "abc"}}))
    assert text.endswith("expected at most 2 members, found more")


@pytest.mark.parametrize("pack", [*KINDS.values(), lambda data: zipped({"b": data})])
def test_content_is_at_most_200_times_as_large_as_its_file(tmp_path, pack):
    (tmp_path / "bomb").write_bytes(pack(b"\n" * 2**23))
    with pytest.raises(ParseError, match=r"at most 1\d{6} bytes.*found more"):
        fsviz.load(tmp_path / "bomb")
    rows = b"".join(b"%d %d\n" % (n, n * n) for n in range(2**17))  # 2.3 MB
    (tmp_path / "log").write_bytes(pack(rows))
    with pytest.raises(ParseError, match="expected output of one of"):
        fsviz.load(tmp_path / "log")


def test_a_damaged_archive_is_one_line(tmp_path):
    whole = zipped({"good.txt": TEXT, "b.txt": iozone(2).encode()})
    for cut in (40, len(whole) // 2, len(whole) - 30):
        (tmp_path / "cut").write_bytes(whole[:cut])
        done = run("summary", tmp_path / "cut")
        assert done.returncode == 1
        assert done.stderr.startswith(f"{tmp_path}/cut:1: expected a whole archive")
