"""A campaign in an archive says what its folder says."""

import tarfile
import zipfile

import pytest
from campaigns_made import iozone, put
from program import run

from fsviz.store.ingest import ingest
from fsviz.store.load import load

TOML = 'title = "Packed"\nbaseline = "smb"\n[facts]\nclient_ram = "1 GiB"\n'


def zipped(folder, top):
    path = folder.parent / "packed.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(p for p in folder.rglob("*") if p.is_file()):
            archive.write(file, f"{top}{file.relative_to(folder)}")
    return path


def tarred(folder, top):
    path = folder.parent / "packed.tar.gz"
    with tarfile.open(path, "w:gz") as archive:
        archive.add(folder, top or ".")
    return path


@pytest.fixture
def folder(tmp_path):
    files = {
        f"{name}/{n}.txt": iozone(n + 10 * at)
        for n in (1, 2, 3)
        for at, name in enumerate(("nfs", "smb"))
    }
    put(tmp_path / "camp", {**files, "campaign.toml": TOML})
    return tmp_path / "camp"


@pytest.mark.parametrize("pack", [zipped, tarred])
@pytest.mark.parametrize("top", ["", "camp/"])
def test_an_archive_is_read_as_its_folder(folder, pack, top):
    path = pack(folder, top)
    packed, plain = load(path), load(folder)
    assert (packed.title, packed.baseline) == ("Packed", "smb")
    assert packed.systems["client_ram"].tolist() == plain.systems["client_ram"].tolist()
    same = ["system", "repeat", "operation", "value", "locator"]
    assert packed.measurements[same].equals(plain.measurements[same])
    sources = set(packed.measurements["source"].astype(str))
    assert f"{path}/{top if pack is zipped else ''}nfs/1.txt" in {
        name.replace("/camp/", "/") if pack is tarred else name for name in sources
    }
    assert not packed.problems


def test_what_is_wrong_in_it_is_named_by_the_archive(folder):
    (folder / "campaign.toml").write_text(TOML + "oddity = 1\n")
    done = run("summary", zipped(folder, ""))
    assert done.returncode == 1
    assert f"{folder.parent}/packed.zip/campaign.toml:5: " in done.stderr
    (folder / "campaign.toml").write_text(TOML)
    (folder / "nfs/4.txt").write_text("hello\n")
    done = run("summary", zipped(folder, ""))
    assert f"{folder.parent}/packed.zip/nfs/4.txt:1: expected output" in done.stderr


def test_no_link_of_it_is_followed(folder):
    (folder / "nfs/5.txt").symlink_to("/etc/hostname")
    (problem,) = load(tarred(folder, "camp")).problems
    assert problem.path.endswith("packed.tar.gz/camp/nfs/5.txt")
    assert problem.found == "a link or a device"


def test_no_name_of_it_does_harm(folder):
    path = zipped(folder, "")
    with zipfile.ZipFile(path, "a") as archive:
        for name in ("nfs/1.txt/in", "x" * 300, "../out.txt", "/out.txt"):
            archive.writestr(name, iozone(9))
    found = load(path)
    assert [p.path.removeprefix(str(path)) for p in found.problems] == [
        "/nfs/1.txt/in",
        f"/{'x' * 300}",
        "/../out.txt",
        "//out.txt",
    ]
    assert len(found.runs) == 6
    assert not (folder.parent / "out.txt").exists()


def test_several_campaigns_in_one_archive_are_not_followed(folder):
    put(folder, {"nfs/campaign.toml": TOML})
    notes = [str(note) for note in load(zipped(folder, "")).notes]
    assert any("unpack it first" in note for note in notes)


@pytest.mark.parametrize("described", [True, False])
def test_an_archive_goes_into_the_store_once(folder, tmp_path, described):
    if not described:
        (folder / "campaign.toml").unlink()
    path, store = zipped(folder, ""), tmp_path / "store"
    (first,) = ingest([str(path)], store)
    (again,) = ingest([str(path)], store, prune=True)
    assert not first.error
    assert (first.fresh, again.fresh) == (True, False)
    same = ["system", "operation", "value"]
    stored, plain = load(store / first.key), load(folder)
    assert stored.title == ("Packed" if described else "")
    assert sorted(stored.measurements[same].astype(str).itertuples(index=False)) == (
        sorted(plain.measurements[same].astype(str).itertuples(index=False))
    )
