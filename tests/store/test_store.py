"""What the store gives back is what went in, and only what is new is read."""

import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pandas as pd
import pyarrow.dataset
import pyarrow.parquet as pq
import pytest
from campaigns_made import TIME, iozone, put
from filelock import FileLock
from pandas.testing import assert_frame_equal
from program import run

from fsviz.model.errors import ParseError, UsageError
from fsviz.store import ingest as module
from fsviz.store import inventory, stored
from fsviz.store.executor import pool_of, spread
from fsviz.store.ingest import ingest
from fsviz.store.load import load
from fsviz.store.stored import FORMAT, campaigns_of, opened, path_of

LONG_AGO = 1_700_000_000
LIST = "_fsviz.json"


def same(one, other):
    """Compare all that is known of two campaigns."""
    for name in ("measurements", "runs", "systems", "files"):
        assert_frame_equal(getattr(one, name), getattr(other, name))
    for name in ("name", "title", "baseline", "notes", "thresholds", "question"):
        assert getattr(one, name) == getattr(other, name)
    assert [str(p) for p in one.problems] == [str(p) for p in other.problems]
    assert [type(p) for p in one.problems] == [type(p) for p in other.problems]
    assert (one.started, one.ended) == (other.started, other.ended)
    assert (one.compared, one.looks) == (other.compared, other.looks)


@pytest.fixture
def folder(tmp_path):
    """Two systems, two tools, a damaged file and facts; of long ago."""
    made = put(
        tmp_path / "results",
        {
            "a/rep1.txt": iozone(1),
            "a/rep2.txt": iozone(2),
            "b/rep1.txt": iozone(3),
            "b/time.txt": TIME.format(8.5),
            "b/bad.txt": "hello\n",
            "campaign.toml": 'title = "T"\n[facts]\nlink = "1 Gbit/s"\n',
        },
    )
    for path in made.rglob("*"):
        os.utime(path, (LONG_AGO, LONG_AGO))
    return made


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store"


def ingested(folder, store, **options):
    (outcome,) = ingest([str(folder)], store, **options)
    return outcome


def test_round_trip(folder, store):
    assert ingested(folder, store).fresh
    same(load(store / "results.parquet"), load(folder))
    same(load(store), load(folder))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["onehost-2026", "loopback-2026"])
def test_round_trip_of_the_real_campaigns(root, store, name):
    ingested(root / "data/raw" / name, store)
    same(load(store), load(root / "data/raw" / name))
    raw = sum(f.stat().st_size for f in (root / "data/raw" / name).rglob("*.txt"))
    assert (store / f"{name}.parquet").stat().st_size < raw


def test_bounds_without_a_value_come_back_as_they_were(folder, tmp_path):
    campaign = load(folder)
    numbers = campaign.measurements
    changed = {
        "value": [0.1, float("nan"), 1e308, 5.0],
        "low": [-0.2, 0.0, -1e308, float("nan")],
        "high": [0.3, 1.0, float("inf"), 5.0],
    }
    for name, values in changed.items():
        numbers.loc[:3, name] = values
    facts = {"readings": 1, "folder": "x", "listed": 0, "sources": {}, "date": ""}
    stored.write_campaign(str(tmp_path / "x.parquet"), campaign, **facts)
    back = load(tmp_path / "x.parquet").measurements
    assert_frame_equal(back, numbers)


def test_a_store_is_one_table_for_every_reader_of_parquet(folder, store, tmp_path):
    """300 files give their categories wider codes than three do."""
    many = {f"a/t{k}.txt": TIME.format(8 + k / 100) for k in range(300)}
    put(tmp_path / "many", many)
    ingest([str(folder), str(tmp_path / "many")], store)
    numbers = len(load(folder).measurements) + len(load(tmp_path / "many").measurements)
    assert len(pd.read_parquet(store)) == numbers
    table = pyarrow.dataset.dataset(store).to_table(["campaign", "value"])
    assert table.num_rows == numbers
    assert set(table["campaign"].to_pylist()) == {"results", "many"}


def test_what_is_in_already_is_not_read_again(folder, store, monkeypatch):
    first = ingested(folder, store)
    monkeypatch.setattr(module, "read_folder", None)
    monkeypatch.setattr(inventory, "digest_of", None)
    again = ingested(folder, store)
    assert (first.fresh, again.fresh) == (True, False)
    assert (again.name, again.numbers, again.unusable) == (
        *("results", first.numbers, True),
    )
    assert again.files == first.files == 6


def test_a_new_time_alone_changes_nothing(folder, store, monkeypatch):
    ingested(folder, store)
    (folder / "a/rep1.txt").touch()
    monkeypatch.setattr(module, "read_folder", None)
    assert not ingested(folder, store).fresh


@pytest.mark.parametrize(
    "change",
    [
        lambda f: (f / "a/rep1.txt").write_text(iozone(7)),
        lambda f: put(f, {"a/rep3.txt": iozone(9)}),
        lambda f: (f / "campaign.toml").write_text('title = "New"\n'),
        lambda f: (f / "b/bad.txt").rename(f / "b/other.txt"),
    ],
    ids=["changed", "added", "fact", "renamed"],
)
def test_what_changed_replaces_its_rows(folder, store, change):
    ingested(folder, store)
    change(folder)
    assert ingested(folder, store, prune=True).fresh
    same(load(store), load(folder))


def test_a_change_of_the_same_size_within_the_steps_of_the_clock_is_seen(folder, store):
    """A file may be written twice in one tick: its time alone proves nothing."""
    path = folder / "a/rep1.txt"
    now = time.time_ns()
    os.utime(path, ns=(now, now))
    ingested(folder, store)
    text = path.read_text()
    path.write_text(text.replace("iozone test", "iozone text"))
    os.utime(path, ns=(now, now))
    assert ingested(folder, store).fresh


def test_a_campaign_that_changes_while_it_is_read_is_read_again(
    folder, store, monkeypatch
):
    read = module.read_folder

    def meanwhile(path):
        campaign = read(path)
        put(folder, {"a/rep3.txt": iozone(9)})
        return campaign

    monkeypatch.setattr(module, "read_folder", meanwhile)
    ingested(folder, store)
    monkeypatch.undo()
    assert ingested(folder, store).fresh
    same(load(store), load(folder))


def test_lost_files_stay_stored_until_they_are_pruned(folder, store, tmp_path):
    ingested(folder, store)
    (folder / "a/rep2.txt").unlink()
    put(folder, {"a/rep3.txt": iozone(9)})
    done = run("ingest", folder, "-o", store)
    assert (done.returncode, done.stdout) == (1, f"{store}/results.parquet\n")
    assert "1 of them gone (a/rep2.txt); kept as stored" in done.stderr
    assert len(load(store).runs) == 4
    assert ingested(folder, store, prune=True).fresh
    assert {Path(s).name for s in load(store).runs["source"]} == {
        *("rep1.txt", "rep3.txt", "time.txt")
    }
    shutil.rmtree(folder)
    other = put(tmp_path / "other", {"a/r.txt": iozone(4)})
    ingested(other, store)
    assert set(campaigns_of(str(store))) == {"other", "results"}
    ingested(other, store, prune=True)
    assert set(campaigns_of(str(store))) == {"other"}
    assert [p.name for p in store.glob("*.parquet")] == ["other.parquet"]


def test_lost_files_stay_stored_after_an_upgrade(folder, store, monkeypatch):
    ingested(folder, store)
    (folder / "a/rep2.txt").unlink()
    monkeypatch.setattr(module, "READINGS", 1000)
    assert "1 of them gone" in str(ingested(folder, store).error)
    assert len(load(store).runs) == 4


def test_a_reader_that_changed_reads_again(folder, store, monkeypatch):
    ingested(folder, store)
    monkeypatch.setattr(module, "READINGS", 0)
    assert ingested(folder, store).fresh


def test_folders_of_one_name_are_two_campaigns(folder, store, tmp_path):
    other = put(tmp_path / "elsewhere/results", {"a/r.txt": iozone(4)})
    names = [ingested(f, store).name for f in (folder, other, folder, other)]
    assert names[:2] == names[2:]
    assert names[0] == "results"
    assert names[1].startswith("results-")
    assert len(load(path_of(str(store), names[1])).runs) == 1


def test_a_failure_leaves_the_old_one_whole(folder, store, monkeypatch):
    ingested(folder, store)
    put(folder, {"a/rep3.txt": iozone(9)})

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(UsageError, match="found No space left on device"):
        ingested(folder, store)
    monkeypatch.undo()
    assert {p.name for p in store.iterdir()} == {"results.parquet", LIST, ".lock"}
    assert len(load(store).runs) == 4


def test_what_cannot_be_used_costs_nothing_else(folder, store, tmp_path):
    (tmp_path / "empty").mkdir()
    good = put(tmp_path / "good", {"a/r.txt": iozone(4)})
    names = [str(p) for p in (tmp_path / "empty", folder, tmp_path / "none", good)]
    outcomes = ingest(names, store)
    assert [o.name for o in outcomes] == ["", "results", "", "good"]
    assert "expected result files" in str(outcomes[0].error)
    assert "expected a file or folder" in str(outcomes[2].error)
    (problem,) = outcomes[1].complaints
    assert problem.startswith(f"{folder}/b/bad.txt:1: expected")


# What a store must hold


def test_a_lost_campaign_is_refused_and_ingesting_again_mends_it(tmp_path, store):
    for month in (1, 2, 3):
        toml = f'started = "2026-0{month}-01"\n'
        put(tmp_path / f"c{month}", {"a/r1.txt": iozone(month), "campaign.toml": toml})
    sources = [str(tmp_path / f"c{month}") for month in (1, 2, 3)]
    ingest(sources, store)
    before = run("history", store, "--format", "csv").stdout
    (store / "c2.parquet").unlink()
    done = run("history", store)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"{store}/c2.parquet:1: expected a stored campaign, found none; ingest" in (
        done.stderr
    )
    assert [o.fresh for o in ingest(sources, store)] == [False, True, False]
    assert run("history", store, "--format", "csv").stdout == before


@pytest.mark.parametrize("text", ["", "{", "[]", '{"format": 3}', "[" * 9999, None])
def test_a_damaged_list_is_refused_and_mended_by_any_ingest(
    folder, store, tmp_path, text
):
    other = put(tmp_path / "other", {"a/r.txt": iozone(4)})
    ingest([str(folder), str(other)], store)
    before = campaigns_of(str(store))
    (store / LIST).unlink()
    if text is not None:
        (store / LIST).write_text(text)
    with pytest.raises(ParseError, match="expected the list of a store, found"):
        campaigns_of(str(store))
    assert not ingested(other, store).fresh
    assert campaigns_of(str(store)) == before


@pytest.mark.parametrize("at", [0, 10, 0.5, -1], ids=str)
def test_a_cut_campaign_is_refused_and_mended(folder, store, at):
    ingested(folder, store)
    path = store / "results.parquet"
    whole = path.read_bytes()
    path.write_bytes(whole[: int(len(whole) * at) if isinstance(at, float) else at])
    with pytest.raises(ParseError, match="a damaged one; ingest again"):
        load(path)
    assert ingested(folder, store).fresh
    same(load(store), load(folder))


def test_what_a_killed_ingest_left_is_removed(folder, store):
    store.mkdir()
    theirs, ours = store / ".mine.part", store / ".0123456789abcdef.part"
    theirs.touch()
    ours.touch()
    ingested(folder, store)
    assert theirs.exists()
    assert not ours.exists()


def test_a_bit_that_flips_is_seen(folder, store):
    ingested(folder, store)
    path = store / "results.parquet"
    whole = path.read_bytes()
    column = pq.read_metadata(path).row_group(0).column(0)
    for at in range(column.dictionary_page_offset + 40, column.data_page_offset, 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 8]) + whole[at + 1 :])
        with pytest.raises(ParseError, match="a damaged one; ingest again"):
            load(path)


def rewritten(path, change):
    """Change what the footer of a campaign's file states."""
    table = pq.read_table(path)
    metadata = dict(table.schema.metadata)
    stated = json.loads(metadata[b"fsviz"])
    metadata[b"fsviz"] = json.dumps(stated | change).encode()
    pq.write_table(table.replace_schema_metadata(metadata), path)


def test_a_store_of_a_newer_fsviz_is_never_replaced(folder, store):
    ingested(folder, store)
    path = store / "results.parquet"
    rewritten(path, {"format": FORMAT + 1, "more": 1})
    newer = path.read_bytes()
    wanted = "written by a newer fsviz; upgrade"
    with pytest.raises(UsageError, match=wanted):
        load(path)
    assert wanted in str(ingested(folder, store).error)
    assert path.read_bytes() == newer
    listed = json.loads((store / LIST).read_text())
    (store / LIST).write_text(json.dumps(listed | {"format": FORMAT + 1}))
    done = run("ingest", folder, "-o", store)
    assert done.returncode == 2
    assert wanted in done.stderr
    assert "delete" not in done.stderr


def test_a_campaign_of_an_older_fsviz_is_read_again(folder, store):
    ingested(folder, store)
    rewritten(store / "results.parquet", {"format": FORMAT - 1})
    with pytest.raises(ParseError, match="ingest again"):
        load(store)
    assert ingested(folder, store).fresh


@pytest.mark.parametrize(
    "change",
    [
        *({"notes": None}, {"thresholds": 5}, {"compared": [["a"]]}, {"baseline": []}),
        *({"problems": "x"}, {"sources": {"a": [1]}}, {"name": 5}, {"more": 1}),
        {"format": "x"},
    ],
    ids=str,
)
def test_a_footer_of_other_types_is_damage(folder, store, change):
    """What a stranger's store says of itself: one line, never a traceback."""
    ingested(folder, store)
    rewritten(store / "results.parquet", change)
    with pytest.raises(ParseError, match="expected a stored campaign, found a damaged"):
        load(store)


@pytest.mark.parametrize(
    "changed",
    [
        *({"facts": "nonsense"}, {"facts": "[1]"}, {"facts": "[" * 100_000}),
        {"facts": '{"time_resolution_s": "fast"}'},
        *({"run": "of nobody"}, {"system": "b"}, {"repeat": 7}),
    ],
    ids=str,
)
def test_runs_that_are_not_those_of_the_numbers_are_damage(folder, store, changed):
    campaign = load(folder)
    ((name, value),) = changed.items()
    campaign.runs.loc[0, name] = value
    store.mkdir()
    facts = {"readings": 1, "folder": "x", "listed": 0, "sources": {}, "date": ""}
    stored.write_campaign(str(store / "x.parquet"), campaign, **facts)
    with pytest.raises(ParseError, match="expected a stored campaign, found a damaged"):
        load(store / "x.parquet")


def test_another_parquet_file_is_no_campaign_and_is_left_alone(folder, store):
    store.mkdir()
    path = store / "results.parquet"
    pd.DataFrame({"x": [1]}).to_parquet(path)
    theirs = path.read_bytes()
    with pytest.raises(ParseError, match="expected a stored campaign"):
        load(path)
    assert "expected a stored campaign or no file" in str(ingested(folder, store).error)
    assert path.read_bytes() == theirs


@pytest.mark.parametrize("name", ["../evil/results", "a/b", "a\\b", "\0"])
def test_no_name_in_a_list_is_a_path(folder, store, name):
    ingested(folder, store)
    listed = {"format": FORMAT, "campaigns": {name: str(folder)}}
    (store / LIST).write_text(json.dumps(listed))
    with pytest.raises(ParseError, match="expected the list of a store"):
        campaigns_of(str(store))


def test_prune_deletes_no_file_that_is_not_the_campaign(folder, store):
    """A stranger's list may name somebody's own file."""
    ingested(folder, store)
    theirs = store / "theirs.parquet"
    pd.DataFrame({"x": [1]}).to_parquet(theirs)
    campaigns = campaigns_of(str(store)) | {"theirs": "/nowhere"}
    listed = {"format": FORMAT, "campaigns": campaigns}
    (store / LIST).write_text(json.dumps(listed))
    ingested(folder, store, prune=True)
    assert theirs.is_file()
    assert set(campaigns_of(str(store))) == {"results"}


# What is no campaign


def test_what_is_no_campaign_folder_is_refused_by_name(folder, store):
    ingested(folder, store)
    for wrong, reason in (
        (f"a={folder}/a/rep1.txt", "found lone files"),
        (f"{folder}/a/rep1.txt", "found lone files"),
        (store, "found one that is stored already"),
        (store / "results.parquet", "found one that is stored already"),
        (folder.parent, "give the store a folder of its own"),
    ):
        done = run("ingest", wrong, "-o", store)
        assert (done.returncode, done.stdout) == (2, "")
        assert reason in done.stderr
    assert run("ingest", "-o", store).returncode == 2


def test_a_campaign_within_the_store_is_refused_and_left_alone(folder):
    """``fsviz ingest results -o .`` must not take the results for a store's own."""
    before = {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    outcome = ingested(folder, folder.parent)
    assert "give the store a folder of its own" in str(outcome.error)
    assert {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()} == before


def test_a_store_of_several_must_be_named(folder, store, tmp_path):
    other = put(tmp_path / "other", {"a/r.txt": iozone(4)})
    ingest([str(folder), str(other)], store)
    with pytest.raises(UsageError) as told:
        load(store)
    assert str(told.value) == (
        f"{store}:1: expected a campaign, found a store of 2; name one of "
        f"{store}/other.parquet, {store}/results.parquet"
    )


def test_stored_systems_are_never_pooled_under_a_label(folder, store):
    ingested(folder, store)
    with pytest.raises(UsageError, match="found a stored campaign; name it"):
        load(f"x={store}/results.parquet")


# Several at once


def test_a_second_ingest_waits_for_the_first(folder, store):
    ingested(folder, store)
    put(folder, {"a/rep3.txt": iozone(9)})
    with FileLock(store / ".lock"):
        waiting = threading.Thread(target=ingested, args=(folder, store))
        waiting.start()
        waiting.join(0.5)
        assert waiting.is_alive()
        assert len(load(store).runs) == 4
    waiting.join()
    assert len(load(store).runs) == 5


def contents(store):
    """What a store states and holds, but for when its files were listed."""
    campaigns = {}
    for name in campaigns_of(str(store)):
        with opened(path_of(str(store), name)) as (file, facts):
            stated = facts.model_dump(exclude={"listed"})
            campaigns[name] = (stated, file.read().to_pylist())
    return campaigns


def test_workers_do_the_same(folder, store, tmp_path):
    other = put(tmp_path / "other", {"a/r.txt": iozone(4), "b/r.txt": iozone(5)})
    both = [str(folder), str(other)]
    ingest(both, store)
    with pool_of(2) as pool:
        ingest(both, tmp_path / "by two", pool=pool)
    assert contents(store) == contents(tmp_path / "by two")


def test_no_process_is_started_for_one_campaign_or_for_what_is_stored(folder, store):
    with pool_of(1) as pool:
        assert ingested(folder, store, pool=pool).fresh
        assert not ingested(folder, store, pool=pool).fresh
        assert pool._processes == {}


def process_of(number):
    return number, os.getpid()


def test_this_process_helps_its_workers():
    with pool_of(1) as pool:
        done = dict(spread(process_of, range(30), pool))
    assert done.keys() == set(range(30))
    assert os.getpid() in done.values()


def replaced(store, kept):
    """Count the campaigns' files that are no longer those of a copy."""
    pairs = [(path, kept / path.name) for path in store.glob("*.parquet")]
    return sum(
        one.stat().st_mtime_ns != other.stat().st_mtime_ns for one, other in pairs
    )


@pytest.mark.slow
def test_killed_at_any_moment_each_campaign_is_the_old_or_the_new_one(tmp_path):
    folders = [tmp_path / f"c{n}" for n in range(6)]
    for n, folder in enumerate(folders):
        put(folder, {"s1/r.txt": iozone(9 * n + 1), "s2/r.txt": iozone(9 * n + 2)})
    old = {folder.name: load(folder) for folder in folders}
    store, whole = tmp_path / "store", tmp_path / "whole"
    ingest(list(map(str, folders)), store)
    for n, folder in enumerate(folders):
        put(folder, {"s1/r2.txt": iozone(9 * n + 100)})
    new = {folder.name: load(folder) for folder in folders}
    ingest(list(map(str, folders)), whole)
    kept = shutil.copytree(store, tmp_path / "kept")
    fresh = set()
    for number in range(18):
        shutil.rmtree(store)
        shutil.copytree(kept, store)
        words = ["-P", "-m", "fsviz", "ingest", *map(str, folders), "-o", str(store)]
        running = subprocess.Popen(
            [sys.executable, *words, "--jobs", str(1 + number % 2)],
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        written = number % 6
        while replaced(store, kept) < written and running.poll() is None:
            time.sleep(0.001)
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        for name in campaigns_of(str(store)):
            loaded = load(store / f"{name}.parquet")
            is_new = len(loaded.runs) == 3
            fresh.add(is_new)
            same(loaded, (new if is_new else old)[name])
        ingest(list(map(str, folders)), store)
        assert contents(store) == contents(whole)
    assert fresh == {False, True}


def test_a_link_in_a_circle_or_to_nowhere_is_no_file(tmp_path):
    put(tmp_path, {"a.txt": "1"})
    (tmp_path / "circle").symlink_to("circle")
    (tmp_path / "nowhere").symlink_to("a.txt/b")
    assert list(inventory.listing(tmp_path)) == ["a.txt"]
