"""What the store gives back is what went in, and only what is new is read."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from campaigns_made import TIME, iozone, put
from filelock import FileLock
from pandas.testing import assert_frame_equal

import fsviz
from fsviz.model.errors import ParseError, UsageError
from fsviz.model.table import typed, validate
from fsviz.store import ingest as module
from fsviz.store import inventory
from fsviz.store.executor import workers
from fsviz.store.generations import _decoded, _encoded, failures, parquet_files
from fsviz.store.ingest import ingest
from fsviz.store.load import load
from fsviz.store.manifest import FORMAT, manifest

LONG_AGO = 1_700_000_000


def same(one, other):
    """Compare all that is known of two campaigns."""
    for name in ("measurements", "runs", "systems", "files"):
        assert_frame_equal(getattr(one, name), getattr(other, name))
    for name in ("name", "title", "baseline", "notes", "thresholds", "question"):
        assert getattr(one, name) == getattr(other, name)
    assert [str(p) for p in one.problems] == [str(p) for p in other.problems]
    assert (one.started, one.ended) == (other.started, other.ended)


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


def one(folder, store, **options):
    (outcome,) = ingest([str(folder)], store, **options)
    return outcome


def test_round_trip(folder, store):
    assert one(folder, store).fresh
    back = load(store / "results")
    same(back, load(folder))
    validate(back.measurements)
    same(load(store), back)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["onehost-2026", "loopback-2026"])
def test_round_trip_of_the_real_campaigns(root, store, name):
    one(root / "data/raw" / name, store)
    same(load(store / name), load(root / "data/raw" / name))
    raw = sum(f.stat().st_size for f in (root / "data/raw" / name).rglob("*.txt"))
    assert sum(Path(f).stat().st_size for f in parquet_files(store)) < raw / 4


def test_bounds_that_are_no_exact_distance_come_back_as_they_were(folder):
    frame = (
        load(folder)
        .measurements.head(4)
        .assign(
            # 0.1 + 0.2 is not 0.3, <1 has bounds and no value
            value=[0.1, float("nan"), 1e308, 5.0],
            low=[-0.2, 0.0, -1e308, float("nan")],
            high=[0.3, 1.0, float("inf"), 5.0],
        )
    )
    back = _decoded(pa.Table.from_pandas(_encoded(frame), preserve_index=False))
    assert_frame_equal(back, typed(frame))


def test_what_is_in_already_is_not_read_again(folder, store, monkeypatch):
    first = one(folder, store).kept
    monkeypatch.setattr(module, "read_folder", None)
    monkeypatch.setattr(inventory, "_digest", None)
    again = one(folder, store)
    assert not again.fresh
    assert again.kept == first


def test_a_new_time_alone_changes_nothing(folder, store, monkeypatch):
    one(folder, store)
    (folder / "a/rep1.txt").touch()
    monkeypatch.setattr(module, "read_folder", None)
    assert not one(folder, store).fresh


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
    old = one(folder, store).kept
    change(folder)
    outcome = one(folder, store, prune=True)
    assert outcome.fresh
    same(load(store), load(folder))
    assert not (store / "results" / old.generation).exists()


def test_a_change_of_the_same_size_within_the_steps_of_the_clock_is_seen(folder, store):
    """A file may be written twice in one tick: its time alone proves nothing."""
    path = folder / "a/rep1.txt"
    now = time.time_ns()
    os.utime(path, ns=(now, now))
    one(folder, store)
    text = path.read_text()
    path.write_text(text.replace("iozone test", "iozone text"))
    os.utime(path, ns=(now, now))
    assert one(folder, store).fresh


def test_what_has_gone_stays_until_it_is_pruned(folder, store):
    one(folder, store)
    (folder / "a/rep2.txt").unlink()
    kept = one(folder, store)
    assert "1 of them gone (a/rep2.txt); kept as stored" in str(kept.error)
    assert len(load(store).runs) == 4
    assert one(folder, store, prune=True).fresh
    assert len(load(store).runs) == 3
    shutil.rmtree(folder)
    other = put(folder.parent / "other", {"a/r.txt": iozone(4)})
    one(other, store)
    assert set(manifest(store)) == {"other", "results"}
    one(other, store, prune=True)
    assert set(manifest(store)) == {"other"}


def test_folders_of_one_name_are_two_campaigns(folder, store, tmp_path):
    other = put(tmp_path / "elsewhere/results", {"a/r.txt": iozone(4)})
    keys = {one(f, store).key for f in (folder, other, folder, other)}
    assert len(keys) == 2
    assert "results" in keys
    assert {load(store / key).name for key in keys} == {"results"}


def test_a_reader_that_changed_reads_again(folder, store, monkeypatch):
    one(folder, store)
    monkeypatch.setattr(module, "READINGS", 0)
    assert one(folder, store).fresh


def test_files_that_are_lost_are_kept_as_stored_after_an_upgrade(
    folder, store, monkeypatch
):
    one(folder, store)
    (folder / "a/rep2.txt").unlink()
    assert "gone" in str(one(folder, store).error)
    monkeypatch.setattr(module, "READINGS", 1000)
    kept = one(folder, store)
    assert not kept.fresh
    assert "1 of them gone (a/rep2.txt); kept as stored" in str(kept.error)
    assert len(load(store).runs) == 4
    # a file that was added meanwhile does not change that
    put(folder, {"a/rep3.txt": iozone(9)})
    assert "gone" in str(one(folder, store).error)
    assert len(load(store).runs) == 4
    assert one(folder, store, prune=True).fresh
    assert len(load(store).runs) == 4
    assert {Path(s).name for s in load(store).runs["source"]} == {
        *("rep1.txt", "rep3.txt", "time.txt")
    }


def test_a_failure_leaves_the_old_one_whole(folder, store, monkeypatch):
    one(folder, store)
    put(folder, {"a/rep3.txt": iozone(9)})

    def fail(*_, **__):
        raise OSError(28, "No space left on device", str(store / "x"))

    monkeypatch.setattr("pyarrow.parquet.ParquetWriter.write_table", fail)
    with pytest.raises(UsageError, match="found No space left on device; the store is"):
        one(folder, store)
    assert not list(store.glob(".making*"))
    monkeypatch.undo()
    assert len(load(store).runs) == 4


def test_what_cannot_be_used_costs_nothing_else(folder, store, tmp_path):
    (tmp_path / "empty").mkdir()
    good = put(tmp_path / "good", {"a/r.txt": iozone(4)})
    names = [str(p) for p in (tmp_path / "empty", folder, tmp_path / "none", good)]
    outcomes = ingest(names, store)
    assert [bool(o.kept) for o in outcomes] == [False, True, False, True]
    assert "expected result files" in str(outcomes[0].error)
    assert "expected a file or folder" in str(outcomes[2].error)
    (problem,) = failures(store)
    assert str(problem).startswith(f"{folder}/b/bad.txt:1: expected")


def test_a_damaged_campaign_costs_its_neighbours_nothing(folder, store, tmp_path):
    good = put(tmp_path / "good", {"a/r.txt": iozone(4)})
    ingest([str(folder), str(good)], store)
    (
        store / "results" / manifest(store)["results"].generation / "runs.parquet"
    ).write_text("x")
    with pytest.raises(ParseError, match="expected the files of a stored campaign"):
        load(store / "results")
    assert len(load(store / "good").runs) == 1


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", f'{{"format": {FORMAT}, "campaigns": {{"a": {{}}}}}}', "[" * 9999],
)
def test_a_damaged_manifest_is_named(folder, store, text):
    one(folder, store)
    (store / "manifest.json").write_text(text)
    with pytest.raises(ParseError, match="expected the manifest of a store"):
        load(store)


def test_a_store_of_an_older_fsviz_is_refused_in_one_line(folder, store):
    one(folder, store)
    path = store / "manifest.json"
    said = json.loads(path.read_text())
    path.write_text(json.dumps({**said, "format": FORMAT - 1}))
    expected = f"{path}:1: expected a store of format {FORMAT}, found format "
    for ask in (lambda: load(store), lambda: ingest([str(folder)], store)):
        with pytest.raises(ParseError, match="delete the store") as error:
            ask()
        assert str(error.value).startswith(f"{expected}{FORMAT - 1};")


def test_one_operation_is_read_without_the_others(tmp_path, monkeypatch):
    """Row groups begin with an operation, where that is not too few rows."""
    folder = put(tmp_path / "c", {f"a/r{n}.txt": iozone(n) for n in range(3)})
    monkeypatch.setattr("fsviz.store.generations.LEAST_ROWS", 40)
    outcome = one(folder, tmp_path / "store")
    (path,) = map(pq.ParquetFile, parquet_files(tmp_path / "store"))
    parts = [path.read_row_group(g).to_pandas() for g in range(path.num_row_groups)]
    own = [set(part["operation"]) for part in parts]
    assert own == [{"write", "rewrite"}, {"read", "reread"}]
    assert [len(part) for part in parts] == [54, 54]
    assert outcome.kept.numbers == 108
    same(load(tmp_path / "store" / "c"), load(folder))


def test_a_generation_is_no_path(folder, store):
    one(folder, store)
    path = store / "manifest.json"
    said = json.loads(path.read_text())
    said["campaigns"]["results"]["generation"] = "../../results"
    path.write_text(json.dumps(said))
    with pytest.raises(ParseError):
        load(store)


@pytest.mark.parametrize(
    "key", ["../evil/results", "/", "", ".", "..", "a/b", "a\\b", "\0"]
)
def test_a_key_is_no_path(folder, store, key):
    """What lies beside a stranger's store is not read, whatever it says of it."""
    one(folder, store)
    one(folder, store.parent / "evil")
    path = store / "manifest.json"
    said = json.loads(path.read_text())
    said["campaigns"] = {key: said["campaigns"]["results"]}
    path.write_text(json.dumps(said))
    for ask in (load, parquet_files, ingested):
        with pytest.raises(ParseError, match="expected the manifest of a store"):
            ask(store)


def ingested(store):
    return list(failures(store))


@pytest.mark.parametrize(
    "values",
    [
        {"name": 5},
        {"began": None},
        {"complaints": "x"},
        {"listed": 1.5},
        {"systems": [1]},
        {"mixed": 0},
        {"generation": 5},
        {"more": 1},
    ],
)
def test_a_manifest_of_other_types_is_damaged(folder, store, values):
    one(folder, store)
    path = store / "manifest.json"
    said = json.loads(path.read_text())
    said["campaigns"]["results"] |= values
    path.write_text(json.dumps(said))
    with pytest.raises(ParseError, match="expected the manifest of a store"):
        load(store)


def test_no_link_in_a_store_leads_to_what_is_removed(folder, store):
    """A stranger's store with a link to one's own: its generations are old to it."""
    own = store.parent / "own"
    one(folder, own)
    before = tree(own)
    store.mkdir()
    (store / "mine").symlink_to(own / "results")
    one(folder, store)
    assert tree(own) == before


def test_lone_files_have_no_name_to_be_stored_under(folder, store):
    (outcome,) = ingest([str(folder / "a/rep1.txt")], store)
    assert "expected a campaign folder" in str(outcome.error)


def test_a_store_within_the_campaign_is_refused(folder):
    assert "found the store" in str(one(folder, folder / "store").error)


def tree(folder):
    return {p: p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_a_campaign_within_the_store_is_refused_and_left_alone(folder):
    """``fsviz ingest results -o .`` must not take the results for a store's own."""
    before = tree(folder)
    for _ in range(2):
        outcome = one(folder, folder.parent)
        assert "found it within" in str(outcome.error)
    assert tree(folder) == before
    assert not (folder.parent / "manifest.json").exists()


def test_nothing_but_generations_is_ever_removed(folder, store):
    """A store's folder may hold what people keep: campaigns with facts, and folders."""
    theirs = {
        "raw/one/campaign.json": "{}",
        "raw/one/results.txt": iozone(8),
        "raw/two/campaign.json": "{}",
        "results/kept by hand/notes.txt": "mine",
        "results/campaign.json": "{}",
        "0123456789abcdef/campaign.json": "{}",
        "other/0123456789abcdef/campaign.json": "{}",
        ".making.by hand/x": "mine",
    }
    put(store, theirs)
    one(folder, store)
    put(folder, {"a/rep3.txt": iozone(9)})
    one(folder, store)
    for name, text in theirs.items():
        assert (store / name).read_text() == text
    assert len(list((store / "results").glob("*/runs.parquet"))) == 1


def test_a_foreign_manifest_is_not_replaced(folder, store):
    put(store, {"manifest.json": '{"name": "an app"}'})
    with pytest.raises(ParseError, match="expected the manifest of a store"):
        one(folder, store)
    assert tree(store)[store / "manifest.json"] == b'{"name": "an app"}'


def test_some_of_it_is_loaded_without_the_rest(folder, store):
    one(folder, store)
    part = fsviz.load(store, campaign="results", system="b", operation=["read"])
    whole = fsviz.select(load(folder), system="b", operation="read")
    assert_frame_equal(part.measurements, typed(whole.measurements.reset_index()))
    own = store / "results" / manifest(store)["results"].generation
    (own / "measurements/tool=iozone.parquet").write_text("not opened")
    assert fsviz.load(store, tool="rsync").measurements["system"].unique() == ["b"]
    with pytest.raises(UsageError, match="campaign x: expected one of results"):
        fsviz.load(store, campaign="x")
    with pytest.raises(UsageError, match="system: expected one of a, b, found c"):
        fsviz.load(store, system="c")


def test_two_at_once_wait_or_say_who_holds_it(folder, store):
    one(folder, store)
    lock = FileLock(store / module.LOCK)
    with lock, pytest.raises(UsageError, match="expected a store that is free"):
        one(folder, store, wait=False)
    assert one(folder, store, wait=False).kept


def test_workers_do_the_same(folder, store, tmp_path):
    other = put(tmp_path / "other", {"a/r.txt": iozone(4), "b/r.txt": iozone(5)})
    both = [str(folder), str(other)]
    ingest(both, store)
    with workers(2) as spread:
        ingest(both, tmp_path / "by two", spread=spread)
    assert contents(store) == contents(tmp_path / "by two")


def contents(store):
    """All bytes of a store, but for when its files were listed."""
    said = json.loads((store / "manifest.json").read_text())
    for kept in said["campaigns"].values():
        del kept["listed"]
    found = {
        str(p.relative_to(store)): p.read_bytes()
        for p in store.rglob("*")
        if p.is_file() and p.parent != store
    }
    return {**found, "manifest": said}


@pytest.mark.slow
def test_killed_at_any_moment_the_store_is_the_old_or_the_new_one(tmp_path):
    campaigns = [
        str(put(tmp_path / f"c{n}", {f"s{k}/r.txt": iozone(9 * n + k) for k in (1, 2)}))
        for n in range(6)
    ]
    whole = tmp_path / "whole"
    ingest(campaigns, whole)
    program = [sys.executable, "-P", "-m", "fsviz", "ingest", *campaigns]
    seconds = [0.3 + 0.05 * n for n in range(20)]
    for number, pause in enumerate(seconds):
        store = tmp_path / f"store{number % 4}"
        before = set(manifest(store))
        running = subprocess.Popen(
            [*program, "-o", str(store), "--jobs", str(1 + number % 2)],
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        time.sleep(pause)
        os.killpg(running.pid, signal.SIGKILL)
        running.wait()
        held = set(manifest(store))
        assert held in (before, {f"c{n}" for n in range(6)})
        for key in held:
            same(load(store / key), load(whole / key))
    for number in range(4):
        store = tmp_path / f"store{number}"
        ingest(campaigns, store)
        assert contents(store) == contents(whole)
        assert not list(store.glob(".making*"))


@pytest.mark.parametrize(
    "name,values",
    [
        ("notes", None),
        ("thresholds", 5),
        ("compared", [["a"]]),
        ("baseline", []),
        ("problems", "x"),
        ("names", None),
        ("measured", 5),
    ],
)
def test_words_of_other_types_are_damage(folder, store, name, values):
    """What a stranger's store says of itself: one line, never a traceback."""
    one(folder, store)
    path = next(store.rglob("campaign.json"))
    path.write_text(json.dumps(json.loads(path.read_text()) | {name: values}))
    asked = {"operation": "write", "system": "a"}
    with pytest.raises(ParseError, match="expected the files of a stored campaign"):
        load(store) if name != "measured" else fsviz.history(store, **asked)


@pytest.mark.parametrize(
    "changed",
    [
        {"facts": "nonsense"},
        {"facts": "[1]"},
        {"facts": "[" * 100_000},
        {"facts": '{"time_resolution_s": "fast"}'},
        {"run": "of nobody"},
        {"system": "b"},
        {"tool": "fio"},
        {"repeat": 7},
        {"run": 1},
    ],
    ids=str,
)
def test_runs_that_are_not_those_of_the_numbers_are_damage(folder, store, changed):
    one(folder, store)
    path = next(store.rglob("runs.parquet"))
    table = pq.read_table(path)
    ((name, new),) = changed.items()
    values = table[name].to_pylist()
    # of the run beside it, where the change is the number of one
    values[0] = values[new] if (name, new) == ("run", 1) else new
    place = table.schema.get_field_index(name)
    pq.write_table(table.set_column(place, name, pa.array(values)), path)
    with pytest.raises(ParseError, match="the files of a stored campaign, found dama"):
        load(store)
