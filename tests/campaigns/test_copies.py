"""One run is counted once, whatever its files are called."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from campaigns_made import TIME, iozone, put

import fsviz
import fsviz.campaigns.merge_files as merge_files_module
from fsviz.campaigns._place_runs import place
from fsviz.campaigns.merge_files import digests_of, join_copies, merge_files, stem
from fsviz.campaigns.source_files import SourceFile
from fsviz.model.runs import MISSING, Cells, Reading, Run
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
    # what the digits of one allow, those of the next allow as well
    near = "real\t0m1.0{0}s\nuser\t0m0.5{0}s\nsys\t0m0.1{0}s\n\n"
    put(tmp_path, {"d.txt": "".join(map(near.format, (0, 1, 2)))})
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


# When two files are one run: the numbers that are enough, and what each adds


T1, T2 = "2026-11-21T09:00:00", "2026-11-21T10:00:00"


def made(source, values, *, identity="", width=0.0, metric="throughput", **told):
    """A run of one cell a value; each is printed to a width, 0 being exact."""
    cells = Cells()
    for at, value in enumerate(values):
        spread = (MISSING, MISSING) if value != value else (value, value + width)
        cells.add(
            "read",
            metric,
            value,
            f"line {at + 1}",
            low=spread[0],
            high=spread[1],
            file_size=64 * 2**at,
            record_size=told.get("record", 4),
        )
    told.pop("record", None)
    tool = told.pop("tool", "iozone")
    return Run(tool, identity or source, source, cells, **told)


def counted(*runs):
    """How many runs are left, and what was noted."""
    kept, notes = join_copies(runs, digests_of(runs))
    return len({run.identity for run in kept}), [str(note) for note in notes]


EXACT = (1234.5, 2345.6, 3456.7)
ENOUGH = tuple(1000 + k / 8 for k in range(8))


@pytest.mark.parametrize(
    "values, stated, runs",
    [
        (ENOUGH, {}, 1),
        (ENOUGH[:7], {}, 2),
        (ENOUGH[:1], {"started": T1}, 1),
        (ENOUGH, {"started": T1}, 1),
        ((*ENOUGH[:7], MISSING), {}, 2),
        (ENOUGH, {"metric": "cpu"}, 2),
        (ENOUGH, {"metric": "size"}, 2),
        (ENOUGH, {"metric": "latency"}, 1),
    ],
)
def test_so_many_equal_numbers_make_one_run(values, stated, runs):
    found, notes = counted(*(made(f"{n}.txt", values, **stated) for n in "ab"))
    assert found == runs
    text = "b.txt:1: note: the same numbers as a.txt: one run, counted once"
    assert notes == ([text] if runs == 1 else [])


@pytest.mark.parametrize(
    "one, other, runs",
    [
        ({"started": T1}, {"started": T2}, 2),
        ({"started": T1}, {"started": ""}, 1),
        ({"started": ""}, {"started": T1}, 1),
        ({"facts": {"seed": 1}}, {"facts": {"seed": 2}}, 2),
        ({"facts": {"seed": 1}}, {"facts": {"seed": 1}}, 1),
        ({"facts": {"seed": 1}}, {}, 1),
        ({"tool": "iozone"}, {"tool": "fio"}, 2),
    ],
)
def test_what_is_stated_once_makes_two_runs(one, other, runs):
    pair = made("a.txt", ENOUGH, **one), made("b.txt", ENOUGH, **other)
    assert counted(*pair)[0] == runs


def test_runs_of_other_starts_are_looked_up_not_gone_through(monkeypatch):
    asked = []
    start_of = merge_files_module.start_of
    monkeypatch.setattr(
        merge_files_module, "start_of", lambda run: asked.append(1) or start_of(run)
    )
    runs = [made(f"{n}", ENOUGH, started=f"{T1}.{n:03}") for n in range(200)]
    assert counted(*runs)[0] == 200
    assert len(asked) <= 2 * 200


def test_one_number_that_differs_makes_two_runs():
    for at in range(8):
        other = [v + 1e-9 * (at == k) for k, v in enumerate(ENOUGH)]
        assert counted(made("a", ENOUGH), made("b", other))[0] == 2
    assert counted(made("a", ENOUGH), made("b", (*ENOUGH, 1.0)))[0] == 2


def test_a_copy_has_no_numbers_of_its_own():
    first = made("a.txt", ENOUGH, configuration="-a", identity="one")
    copy = made("b.txt", ENOUGH, configuration="-b", identity="two", record=None)
    joined, _ = join_copies([first, copy], digests_of([first, copy]))
    assert [run.identity for run in joined] == ["one", "one"]
    assert [run.configuration for run in joined] == ["-a", "-a"]
    assert [len(run.cells) for run in joined] == [8, 0]


# Files of one name


def test_forms_of_one_name_are_one_run_of_the_finest_form():
    text = made("r.txt", EXACT, identity="text", configuration="-a")
    sheet = made("r.xls", (*EXACT, 5.0), identity="sheet", configuration="sheet")
    rows = made("r.csv", EXACT, identity="rows")
    kept = merge_files([sheet, text, rows])
    assert [(run.source, run.identity) for run in kept] == [
        *[("r.csv", "rows"), ("r.txt", "rows"), ("r.xls", "rows")]
    ]
    assert [run.configuration for run in kept] == ["-a"] * 3
    assert [run.cells.value for run in kept] == [list(EXACT), [], [5.0]]


@pytest.mark.parametrize("differing", [0, 1, 3])
def test_all_common_numbers_must_agree(differing):
    values = (1.0, 2.0, 3.0, 4.0)
    other = [v + (9 if at < differing else 0) for at, v in enumerate(values)]
    forms = merge_files([made("r.txt", values), made("r.xls", other)])
    assert len({run.identity for run in forms}) == (2 if differing else 1)


def test_runs_of_one_file_are_runs_and_parts_without_a_common_cell_are_one():
    several = [made("r.txt", EXACT, identity=n) for n in "xy"]
    assert [run.identity for run in merge_files(several)] == ["x", "y"]
    time = made("r.time.txt", [1.0], metric="elapsed", identity="t", tool="rsync")
    size = made("r.stats.txt", [5.0], metric="size", identity="s", tool="rsync")
    kept = merge_files([time, size])
    assert [run.identity for run in kept] == ["t", "t"]
    apart = merge_files([time, replace(size, source="q.stats.txt")])
    assert [run.identity for run in apart] == ["t", "s"]
    tools = merge_files([time, replace(size, tool="fio")])
    assert [run.identity for run in tools] == ["t", "s"]
    # each of two runs finds its own form
    pairs = [made("r.csv", [v], identity=f"c{v}") for v in (1.0, 2.0)]
    pairs += [made("r.txt", [v], identity=f"t{v}") for v in (2.0, 1.0)]
    kept = merge_files(pairs)
    assert [run.identity for run in kept] == ["c1.0", "c1.0", "c2.0", "c2.0"]


def test_a_record_size_that_one_form_lacks_is_no_difference():
    sized = made("r.txt", EXACT, tool="bonnie++")
    unsized = made("r.csv", EXACT, record=None, tool="bonnie++")
    kept = merge_files([sized, unsized])
    assert [run.cells.value for run in kept] == [list(EXACT), []]


@pytest.mark.parametrize(
    "path, name",
    [
        ("a/rep1.stats.txt", "a/rep1"),
        ("a/rep1.TXT", "a/rep1"),
        ("nfs-v4.1", "nfs-v4.1"),
        (".txt", ".txt"),
        ("a/rep1.time", "a/rep1"),
    ],
)
def test_the_name_of_a_result_without_its_form(path, name):
    assert stem(path) == name


# Runs and their systems


def placed(*files):
    """Place the runs of some files: system, runs and whether a person named it."""
    readings = [
        (SourceFile(system, runs[0].source, named), Reading(tuple(runs), formats=form))
        for system, runs, named, form in files
    ]
    found = place("camp", readings)
    return found, [
        (label.system, label.repeat, run.source) for label, run in found.runs
    ]


def test_a_run_of_two_systems_is_left_out_of_the_second():
    a, b = made("a.txt", ENOUGH), made("b.txt", ENOUGH, identity="other")
    found, rows = placed(("x", [a], False, ()), ("y", [b], False, ()))
    assert rows == [("x", 1, "a.txt")]
    (problem,) = found.problems
    assert str(problem) == (
        "b.txt:1: expected a run of y that no other system has, found the same numbers "
        "as a.txt of x; y is left out"
    )
    assert found.systems == {"x": "x"}
    apart, rows = placed(
        ("x", [a], False, ()), ("y", [made("b", EXACT[:2])], False, ())
    )
    assert [system for system, *_ in rows] == ["x", "y"]
    assert apart.problems == []


def labelled(source, *labels):
    return [
        made(source, [10.0 + k], identity=f"{source}{k}", system=name)
        for k, name in enumerate(labels)
    ]


@pytest.mark.parametrize(
    "named, form, others, systems",
    [
        (False, (), False, ["p", "q"]),
        (True, (), False, ["x/p", "x/q"]),
        (False, (), True, ["x/p", "x/q", "y"]),
        (False, ("table",), True, ["p", "q", "y"]),
        (True, ("table",), False, ["x/p", "x/q"]),
    ],
)
def test_labels_inside_a_file_are_systems(named, form, others, systems):
    files = [("x", labelled("a.csv", "p", "q"), named, form)]
    if others:
        files.append(("y", [made("b.txt", EXACT)], False, ()))
    assert [system for system, *_ in placed(*files)[1]] == systems


def test_one_label_is_that_of_the_file():
    assert placed(("x", labelled("a.csv", "p"), False, ()))[1] == [("x", 1, "a.csv")]
    own = placed(("x", labelled("a.csv", "p"), False, ("table",)))[1]
    assert own == [("p", 1, "a.csv")]
    mixed = labelled("a.csv", "p", "")
    assert [row[0] for row in placed(("x", mixed, False, ()))[1]] == ["p", "x"]


def test_equal_short_outputs_are_told_apart():
    runs = [made(f"{n}.txt", [1.0], identity="same") for n in "abc"]
    found, rows = placed(*[("x", [run], False, ()) for run in runs])
    assert [run.identity for _, run in found.runs] == ["same", "same~2", "same~3"]
    assert [repeat for _, repeat, _ in rows] == [1, 2, 3]
