"""Stores at their edges: what goes and what stays, here and behind an address."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from campaigns_made import TIME, iozone, put
from program import run

import fsviz
from fsviz.answers.history import conclude_history
from fsviz.model.errors import ParseError, UsageError
from fsviz.store.generations import failures, parquet_files
from fsviz.store.history import histories, history
from fsviz.store.ingest import ingest
from fsviz.store.load import load
from fsviz.store.manifest import manifest


def two(folder):
    """Two campaigns of two systems each."""
    put(folder / "one", {"a/r1.txt": iozone(1), "b/r1.txt": iozone(2)})
    put(folder / "two", {"a/r1.txt": iozone(3), "b/t.txt": TIME.format(8.5)})
    return [str(folder / name) for name in ("one", "two")]


# ingest


def test_prune_leaves_what_was_just_read_and_what_is_still_there(tmp_path):
    sources = [*two(tmp_path), str(tmp_path / "three")]
    put(tmp_path / "three", {"a/r1.txt": iozone(5)})
    store = tmp_path / "store"
    ingest(sources, store)
    shutil.rmtree(tmp_path / "two")
    shutil.move(tmp_path / "three", tmp_path / "four")
    (tmp_path / "three").mkdir()
    (tmp_path / "three" / "r2.txt").write_text(iozone(6))
    ingest(sources[:1], store)
    assert sorted(manifest(store)) == ["one", "three", "two"]
    done = run("ingest", sources[2], "--prune", "-o", store)
    assert (done.returncode, done.stdout) == (0, f"{store}/three\n")
    held = manifest(store)
    assert sorted(held) == ["one", "three"]
    assert held["three"].files == 1
    assert sorted(path.name for path in store.iterdir() if path.is_dir()) == [
        *["one", "three"]
    ]


def test_what_the_manifest_says_of_a_campaign(tmp_path):
    toml = 'title = "T"\n[[system]]\nname = "a"\n[[system]]\nname = "b"\n'
    source, _ = two(tmp_path)
    put(Path(source), {"b/t.txt": TIME.format(8.5), "b/bad.txt": "hello\n"})
    put(Path(source), {"campaign.toml": toml})
    (outcome,) = ingest([source], tmp_path / "store")
    kept = outcome.kept
    assert (outcome.fresh, outcome.error, outcome.key) == (True, None, "one")
    assert (kept.name, kept.title, kept.source) == ("one", "T", source)
    assert (kept.named, kept.began) == (source, "2026-11-21T09:01:37")
    assert (kept.files, kept.complaints, kept.mixed) == (3, 1, False)
    assert kept.numbers == 2 * 36 + 2
    assert (kept.systems, kept.tools) == (("a", "b"), ("iozone", "rsync"))
    assert kept.operations == ("write", "rewrite", "read", "reread", "transfer")
    assert len(outcome.complaints) == 1
    assert "bad.txt" in outcome.complaints[0]
    (again,) = ingest([source], tmp_path / "store")
    assert (again.fresh, again.complaints) == (False, ())
    generation = tmp_path / "store/one" / kept.generation
    assert generation.stat().st_mode & 0o777 == 0o755
    (failed,) = failures(tmp_path / "store")
    assert "bad.txt" in str(failed)


def test_what_is_stated_counts_for_when_it_was_measured(tmp_path):
    put(tmp_path / "c", {"a/t.txt": TIME.format(8.5)})
    assert ingest([str(tmp_path / "c")], tmp_path / "store")[0].kept.began == ""
    put(tmp_path / "c", {"campaign.toml": 'started = "2026-05-01"\n'})
    assert (
        ingest([str(tmp_path / "c")], tmp_path / "store")[0].kept.began == "2026-05-01"
    )


@pytest.mark.parametrize("lost, said", [(1, "1 of them gone (a/r1.txt)"), (4, ", …)")])
def test_lost_files_are_listed(tmp_path, lost, said):
    names = [f"a/r{k}.txt" for k in range(1, 6)]
    put(tmp_path / "c", {name: iozone(k) for k, name in enumerate(names)})
    ingest([str(tmp_path / "c")], tmp_path / "store")
    for name in names[:lost]:
        (tmp_path / "c" / name).unlink()
    done = run("ingest", tmp_path / "c", "-o", tmp_path / "store")
    assert done.returncode == 1
    assert said in done.stderr
    assert "kept as stored, --prune takes what is there now" in done.stderr
    assert load(tmp_path / "store").runs["repeat"].tolist() == [1, 2, 3, 4, 5]
    done = run("ingest", tmp_path / "c", "--prune", "-o", tmp_path / "store")
    assert done.returncode == 0
    assert len(load(tmp_path / "store").runs) == 5 - lost


def test_one_named_twice_is_stored_once_and_hidden_ones_lose_their_dot(tmp_path):
    put(tmp_path / ".hidden", {"a/t.txt": TIME.format(8.5)})
    source = str(tmp_path / ".hidden")
    found = ingest([source, source, f"{source}/"], tmp_path / "store")
    assert [outcome.key for outcome in found] == ["hidden"]
    # a name spelt in two ways was a folder of two names, one of them its own path
    assert [path.name for path in (tmp_path / ".hidden").iterdir()] == ["a"]
    put(tmp_path / "x/hidden", {"a/t.txt": TIME.format(9.5)})
    (other,) = ingest([str(tmp_path / "x/hidden")], tmp_path / "store")
    assert other.key.startswith("hidden-")
    assert len(other.key) == len("hidden-") + 8
    assert set(manifest(tmp_path / "store")) == {"hidden", other.key}


def test_what_is_no_campaign_folder_is_refused_by_name(tmp_path):
    source, _ = two(tmp_path)
    store = tmp_path / "store"
    ingest([source], store)
    for wrong, says in (
        (f"a={source}/a/r1.txt", "found lone files"),
        (f"{source}/a/r1.txt", "found lone files"),
        (store, "found one that is stored already"),
        (store / "one", "found one that is stored already"),
        (tmp_path, f"found the store {store} within it"),
    ):
        done = run("ingest", wrong, "-o", store)
        assert (done.returncode, done.stdout) == (2, "")
        assert says in done.stderr
    assert run("ingest", "-o", store).returncode == 2


def test_tables_of_a_store_are_listed_and_others_refused(tmp_path):
    ingest(two(tmp_path), tmp_path / "store")
    stems = [Path(p).name for p in parquet_files(tmp_path / "store")]
    assert stems == ["tool=iozone.parquet", "tool=iozone.parquet", "tool=rsync.parquet"]
    for name in ("runs", "systems", "inputs"):
        found = parquet_files(tmp_path / "store", name)
        assert [Path(p).name for p in found] == [f"{name}.parquet"] * 2
    with pytest.raises(UsageError, match="one of measurements, runs, systems, inputs"):
        parquet_files(tmp_path / "store", "places")


def test_bounds_are_stored_as_distances_and_come_back(tmp_path):
    import pyarrow.parquet as pq

    ingest(two(tmp_path)[:1], tmp_path / "store")
    (path,) = parquet_files(tmp_path / "store")
    file = pq.ParquetFile(path)
    column = file.metadata.row_group(0).column(file.schema_arrow.names.index("row"))
    assert "DELTA_BINARY_PACKED" in column.encodings
    assert set(file.read(["above"]).to_pandas()["above"]) == {1024.0}
    assert file.read(["low"]).to_pandas()["low"].isna().all()


# behind an address


@pytest.fixture
def memory():
    """A file system of fsspec that is gone after the test."""
    from fsspec.implementations.memory import MemoryFileSystem

    MemoryFileSystem.store.clear()
    MemoryFileSystem.pseudo_dirs[:] = [""]
    yield MemoryFileSystem()
    MemoryFileSystem.store.clear()


def sent(memory, folder, to):
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        name = f"{to}/{path.relative_to(folder)}"
        memory.makedirs(name.rpartition("/")[0], exist_ok=True)
        memory.put_file(str(path), name)


def test_a_campaign_behind_an_address_is_read_and_named_so(memory, tmp_path):
    source, _ = two(tmp_path)
    put(Path(source), {"b/bad.txt": "hello\n", "b/r2.txt": iozone(2)})
    sent(memory, Path(source), "/lab/one")
    campaign = load("memory://lab/one")
    here = load(source)
    assert campaign.name == "one"
    assert set(campaign.measurements["source"]) == {
        *["memory://lab/one/a/r1.txt", "memory://lab/one/b/r1.txt"]
    }
    assert set(campaign.runs["source"]) == set(campaign.measurements["source"])
    assert campaign.runs["sources"].tolist()[0] == ("memory://lab/one/a/r1.txt",)
    assert campaign.files["source"].str.startswith("memory://lab/one/").all()
    assert [str(p) for p in campaign.problems] == [
        str(p).replace(source, "memory://lab/one") for p in here.problems
    ]
    (note,) = campaign.notes
    assert note.path == "memory://lab/one/b/r2.txt"
    assert "memory://lab/one/b/r1.txt" in note.text
    assert not [t for t in campaign.files["remark"] if str(tmp_path) in t]
    some = load("memory://lab/one", system="a", operation="read")
    assert set(some.measurements["operation"]) == {"read"}


def test_a_store_behind_an_address(memory, tmp_path):
    sources = two(tmp_path)
    (one, other) = ingest(sources, "memory://lab/store")
    assert (one.key, other.key) == ("one", "two")
    again = ingest(sources, "memory://lab/store")
    assert [outcome.fresh for outcome in again] == [False, False]
    here = load(sources[1])
    for address, campaign in (
        ("memory://lab/store/two", ""),
        ("memory://lab/store", "two"),
    ):
        there = load(address, campaign=campaign)
        assert (
            there.measurements["value"].tolist() == here.measurements["value"].tolist()
        )
    timed = load("memory://lab/store", campaign="two", tool="rsync")
    assert set(timed.measurements["tool"]) == {"rsync"}
    with pytest.raises(UsageError, match="expected one of the campaigns one, two"):
        load("memory://lab/store")
    with pytest.raises(UsageError, match="expected one of the campaigns one, two"):
        load("memory://lab/store", campaign="three")
    before = set(memory.find("/lab/store"))
    put(Path(sources[0]), {"a/r9.txt": iozone(9)})
    ingest(sources[:1], "memory://lab/store")
    after = set(memory.find("/lab/store"))
    gone = {name for name in before - after if "/two/" in name}
    assert gone == set()
    assert len({name.split("/")[4] for name in after if "/one/" in name}) == 1
    assert len(load("memory://lab/store", campaign="one").runs) == 3


def test_a_store_of_one_campaign_behind_an_address_needs_no_name(memory, tmp_path):
    ingest(two(tmp_path)[:1], "memory://lab/store")
    assert load("memory://lab/store").name == "one"
    (refused,) = ingest(["memory://lab/store"], tmp_path / "other")
    assert "expected a campaign folder, found a store" in str(refused.error)
    (kept,) = ingest(["memory://lab/store/../x"], tmp_path / "other")
    assert kept.kept is None


def test_a_campaign_behind_an_address_is_stored_under_it(memory, tmp_path):
    source, _ = two(tmp_path)
    sent(memory, Path(source), "/lab/one")
    (outcome,) = ingest(["memory://lab/one/"], tmp_path / "store")
    assert outcome.kept.source == outcome.kept.named == "memory://lab/one"
    stored = load(tmp_path / "store")
    assert set(stored.runs["source"]) == {
        *["memory://lab/one/a/r1.txt", "memory://lab/one/b/r1.txt"]
    }
    # what is elsewhere is never called gone
    ingest([source], tmp_path / "store", prune=True)
    assert len(manifest(tmp_path / "store")) == 2


def test_another_ingest_meanwhile_is_not_overwritten(memory, tmp_path):
    sources = two(tmp_path)
    ingest(sources[:1], "memory://lab/store")

    def meanwhile(_):
        memory.pipe_file("/lab/store/manifest.json", b"{}")

    with pytest.raises(UsageError, match="a store that nobody else writes"):
        ingest(sources[1:], "memory://lab/store", progress=meanwhile)
    assert memory.cat_file("/lab/store/manifest.json") == b"{}"


@pytest.mark.parametrize(
    "address, says",
    [
        ("memory://nowhere", "expected a file or folder, found none"),
        ("nothing://x", "expected an address that fsspec knows, found "),
    ],
)
def test_an_address_that_leads_nowhere(memory, address, says):
    done = run("summary", address)
    assert done.returncode == 2
    assert says in done.stderr


# history


def year(folder, **changes):
    """Twelve campaigns; from the eighth on a is measured by another IOzone."""
    for k in range(12):
        files = {}
        for n, system in enumerate(("a", "b")):
            text = iozone(20 * k + n)
            if system == "a" and k >= 7:
                text = text.replace("3.489", "3.506")
            files[f"{system}/r1.txt"] = text
        toml = f'started = "2026-{k + 1:02}-01"\n'
        put(folder / f"c{k:02}", files | {"campaign.toml": toml})
    ingest([str(p) for p in sorted(folder.iterdir())], folder / "lab")
    return folder / "lab"


def test_a_history_shows_the_versions_of_its_own_system(tmp_path):
    store = year(tmp_path)
    told = history(store, system="a", operation="write")["facts"].tolist()
    assert told == [[]] * 7 + [[("iozone tool_version", "3.489", "3.506")]] + [[]] * 4
    other = history(store, system="b", operation="write")["facts"].tolist()
    assert other == [[]] * 12
    named = history(store, system="a", operation="write", tool="iozone")
    assert named["facts"].tolist() == told


def test_a_history_orders_by_time_and_then_by_name(tmp_path):
    for name, started in (("z", "2026-01-01"), ("b", ""), ("a", "2026-02-01")):
        toml = f'started = "{started}"\n' if started else ""
        put(tmp_path / name, {"s/t.txt": TIME.format(8.5), "campaign.toml": toml})
    put(tmp_path / "c", {"s/t.txt": TIME.format(17)})
    ingest([str(p) for p in sorted(tmp_path.iterdir())], tmp_path / "lab")
    frame = history(tmp_path / "lab", system="s", operation="transfer")
    assert frame["key"].tolist() == ["b", "c", "z", "a"]
    assert frame["ratio"].tolist()[1:] == pytest.approx([2, 0.5, 1])
    assert frame["n_runs"].tolist() == frame["n_cells"].tolist() == [1] * 4
    assert (frame["level"] == 1).all()
    assert (frame["verdict"] == "").all()
    said = conclude_history(frame, "s", "transfer")
    assert said == (
        "transfer of s over 4 campaigns: no change of level (fewer than ten cannot "
        "show one). Without a date, placed first, by name: b and c."
    )
    one = conclude_history(frame.iloc[:1], "s", "transfer")
    assert one.startswith("transfer of s over 1 campaign: no change of level (fewer")


def test_the_interval_of_a_history_is_that_of_its_runs(tmp_path):
    times = {"r1": 8.0, "r2": 9.0, "r3": 12.0}
    put(tmp_path / "c", {f"s/{n}.txt": TIME.format(v) for n, v in times.items()})
    ingest([str(tmp_path / "c")], tmp_path / "lab")
    wide, narrow = (
        history(tmp_path / "lab", system="s", operation="transfer", confidence=level)
        for level in (0.95, 0.5)
    )
    from fsviz.analysis.tests import mean_interval

    values = load(tmp_path / "c").measurements.query("metric == 'elapsed'")["value"]
    for frame, level in ((wide, 0.95), (narrow, 0.5)):
        (low,), (high,) = mean_interval(values.to_numpy()[:, None], "elapsed", level)
        assert (frame["ci_low"][0], frame["ci_high"][0]) == (
            *(pytest.approx(low), pytest.approx(high)),
        )
    assert wide["value"][0] == pytest.approx((8 * 9 * 12) ** (1 / 3), rel=1e-3)
    assert (wide["unit"][0], wide["n_runs"][0]) == ("s", 3)


def test_all_histories_the_one_that_changed_most_first(tmp_path):
    from campaigns_made import stored_year

    store = stored_year(tmp_path)
    found = histories(store)
    assert [(one.system, one.operation) for one in found] == [
        *[("nfs", "transfer"), ("smb", "transfer")]
    ]
    assert [len(one.changes) for one in found] == [1, 0]
    assert [one.system for one in histories(store, systems="smb")] == ["smb"]
    said = conclude_history(found[0].frame, "nfs", "transfer")
    assert said.startswith(
        "transfer of nfs over 12 campaigns: 1 change of level; since "
    )
    assert said.endswith(
        "1.2× slower. With it changed kernel: 6.1, now 6.6. The last 5 campaigns "
        "cannot show another."
    )
    assert conclude_history(found[1].frame, "smb", "transfer").endswith(
        ": no change of level (the last 2 campaigns cannot show one)."
    )
    with pytest.raises(UsageError, match="tool: expected one of rsync, found fio"):
        histories(store, tool="fio")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match="expected speeds of several campaigns"):
        histories(tmp_path / "empty")
    with pytest.raises(UsageError, match="expected a store that fsviz ingest wrote"):
        history(tmp_path / "empty", system="a", operation="write")


def test_a_manifest_that_is_damaged_or_of_another_format(tmp_path):
    store = tmp_path / "store"
    ingest(two(tmp_path), store)
    text = json.loads((store / "manifest.json").read_text())
    for change in (
        {"format": 1},
        {"campaigns": {"one": text["campaigns"]["one"] | {"generation": "../x"}}},
        {"campaigns": []},
    ):
        (store / "manifest.json").write_text(json.dumps(text | change))
        with pytest.raises(ParseError, match=r"manifest\.json:1: expected"):
            manifest(store)


def test_a_store_of_several_must_be_named(tmp_path):
    ingest(two(tmp_path), tmp_path / "store")
    with pytest.raises(UsageError) as told:
        load(tmp_path / "store")
    assert str(told.value) == (
        f"{tmp_path / 'store'}:1: expected a campaign, found a store of 2; name one as "
        f"{tmp_path / 'store'}/NAME: one, two"
    )
    assert load(tmp_path / "store/two").name == "two"
    assert fsviz.load(tmp_path / "store", campaign="one").name == "one"
    with pytest.raises(UsageError, match="campaign three: expected one of one, two"):
        load(tmp_path / "store", campaign="three")
    with pytest.raises(UsageError, match="campaign one: expected one of no store"):
        load(tmp_path / "one", campaign="one")
    lone = str(tmp_path / "one/a/r1.txt")
    with pytest.raises(UsageError, match="campaign x: expected a store, found"):
        load(lone, campaign="x")
