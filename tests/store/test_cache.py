"""The second command on a campaign takes what the first has read, and never old."""

import os
import shutil

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from campaigns_made import TIME, iozone, put
from pandas.testing import assert_frame_equal

from fsviz.campaigns.read import read_folder
from fsviz.model.errors import CampaignError, ParseError
from fsviz.store import cache, ingest
from fsviz.store.cache import remembered
from fsviz.store.load import load

LONG_AGO = 1_700_000_000


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.setenv(cache.FOLDER, str(tmp_path / "cache"))
    monkeypatch.setattr(cache, "WORTH", 1)
    monkeypatch.chdir(tmp_path)
    return tmp_path / "cache"


@pytest.fixture
def folder(tmp_path):
    made = put(
        tmp_path / "c",
        {"a/r1.txt": iozone(1), "b/r1.txt": iozone(2), "b/bad.txt": "hello\n"},
    )
    for path in made.rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    return made


def forbid_reading(monkeypatch):
    def read(*_, **__):
        raise AssertionError("a file was read")

    monkeypatch.setattr(cache, "read_folder", read)


def same(one, other):
    for name in ("measurements", "runs", "systems", "files"):
        assert_frame_equal(getattr(one, name), getattr(other, name))
    assert list(map(str, one.problems)) == list(map(str, other.problems))


def test_the_second_time_no_file_is_read(place, folder, monkeypatch):
    first = remembered(folder)
    forbid_reading(monkeypatch)
    again = remembered(folder)
    same(first, again)
    same(again, read_folder(folder))


@pytest.mark.parametrize(
    "change",
    [
        lambda f: (f / "a/r1.txt").write_text(iozone(8)),
        lambda f: put(f, {"a/r2.txt": iozone(9), "a/sub/r3.txt": TIME.format(2)}),
        lambda f: (f / "b/bad.txt").unlink(),
        lambda f: (f / "a").rename(f / "z"),
        lambda f: put(f, {"campaign.toml": 'title = "T"\nignore = ["b/bad.txt"]\n'}),
    ],
    ids=["changed", "added", "removed", "renamed", "described"],
)
def test_what_changed_is_seen(place, folder, change):
    remembered(folder)
    change(folder)
    same(remembered(folder), read_folder(folder))


def test_touched_files_are_compared_by_content(place, folder, monkeypatch):
    remembered(folder)
    for path in folder.rglob("*.txt"):
        path.touch()
    forbid_reading(monkeypatch)
    remembered(folder)


def test_places_are_named_as_the_folder_was(place, folder, monkeypatch):
    absolute = remembered(folder)
    relative = load("c", cache=True)
    assert set(relative.runs["source"]) == {"c/a/r1.txt", "c/b/r1.txt"}
    assert set(absolute.runs["source"]) != set(relative.runs["source"])


def test_what_is_ingested_is_taken_from_there(place, folder, monkeypatch):
    ingest.ingest(["c"], cache.DEFAULT)
    monkeypatch.setattr(cache, "_kept", None)
    assert len(load("c", cache=True).runs) == 2


def test_a_small_folder_is_simply_read(place, folder, monkeypatch):
    monkeypatch.setattr(cache, "WORTH", 1 << 30)
    remembered(folder)
    assert not place.exists()


def test_an_empty_variable_keeps_nothing(place, folder, monkeypatch):
    monkeypatch.setenv(cache.FOLDER, "")
    remembered(folder)
    assert not place.exists()


@pytest.mark.parametrize("damage", ["manifest", "parquet", "unwritable"])
def test_a_damaged_cache_costs_nothing(place, folder, damage):
    whole = remembered(folder)
    if damage == "manifest":
        next(place.glob("*/manifest.json")).write_text("{")
    elif damage == "parquet":
        next(place.rglob("runs.parquet")).write_text("x")
    else:
        shutil.rmtree(place)
        place.write_text("a file")
    same(remembered(folder), whole)


def test_errors_are_those_of_reading(place, folder):
    put(folder, {"campaign.toml": "titel = 1\n"})
    for _ in range(2):
        with pytest.raises(CampaignError, match=r"campaign\.toml:1"):
            remembered(folder)
    shutil.rmtree(folder)
    put(folder, {"a/x.txt": "nothing here\n"})
    with pytest.raises(ParseError):
        remembered(folder)


def test_links_to_folders_are_never_taken_for_known(place, folder, tmp_path):
    outside = put(tmp_path / "outside", {"r.txt": iozone(5)})
    (folder / "l").symlink_to(outside)
    remembered(folder)
    assert not place.exists()


def test_only_so_many_are_kept(place, folder, monkeypatch):
    monkeypatch.setattr(cache, "KEPT", 2)
    for name in "xyz":
        remembered(shutil.copytree(folder, folder.parent / name))
    assert len(list(place.iterdir())) == 2


def test_a_folder_in_use_as_cache_loses_nothing(place, folder, monkeypatch):
    monkeypatch.setattr(cache, "KEPT", 1)
    put(place, {f"{n}/mine.txt": "mine" for n in range(5)} | {"f.txt": "mine"})
    for name in "xyz":
        remembered(shutil.copytree(folder, folder.parent / name))
    assert len(list(place.rglob("mine.txt"))) == 5
    assert len(list(place.glob("*/manifest.json"))) == 1


@pytest.mark.parametrize("damage", ["inputs", "campaign", "numbers", "systems"])
def test_garbage_of_a_store_is_read_anew(place, folder, damage):
    """Files that are what they seem, with other columns or other words."""
    whole = remembered(folder)
    if damage == "campaign":
        path = next(place.rglob("campaign.json"))
        path.write_text(path.read_text().replace('"problems": [', '"problems": [5, '))
    else:
        names = {"inputs": "inputs.parquet", "numbers": "tool=*", "systems": "sys*"}
        path = next(place.rglob(names[damage]))
        table = pq.ParquetFile(path).read()
        gone = "path" if damage == "inputs" else "system"
        at = table.column_names.index(gone)
        pq.write_table(table.set_column(at, gone, pa.nulls(len(table))), path)
    same(remembered(folder), whole)


def forge(place):
    """Say in a cache, as an ingest would have written it, that all is faster."""
    for path in place.rglob("tool=*.parquet"):
        table = pq.ParquetFile(path).read()
        at = table.column_names.index("value")
        pq.write_table(
            table.set_column(at, "value", pc.multiply(table["value"], 2)), path
        )


@pytest.mark.parametrize("who", ["all", "another", "link"])
def test_what_others_can_write_to_is_no_cache(place, folder, tmp_path, who):
    """``FSVIZ_CACHE=/tmp/cache``: whoever was there first would give the answers."""
    if who == "another" and os.geteuid() != 0:
        pytest.skip("only root gives folders away")
    whole = remembered(folder)
    forge(place)
    assert not remembered(folder).measurements.equals(whole.measurements)
    own = next(place.iterdir())
    if who == "all":
        own.chmod(0o777)
    elif who == "another":
        os.chown(own, 12345, 12345)
    else:
        own.rename(tmp_path / "elsewhere")
        own.symlink_to(tmp_path / "elsewhere")
    before = {p: p.stat().st_mtime_ns for p in place.rglob("*")}
    same(remembered(folder), whole)
    assert {p: p.stat().st_mtime_ns for p in place.rglob("*")} == before
