"""When two files are one run: the digits that are enough, and what is kept of each."""

from __future__ import annotations

import shutil
from dataclasses import replace

import pytest

import fsviz
from fsviz.campaigns.copies import is_mean, join_copies, same_measurement
from fsviz.campaigns.merge_files import merge_files, stem
from fsviz.campaigns.place_runs import place
from fsviz.campaigns.source_files import SourceFile
from fsviz.model.runs import MISSING, Cells, Reading, Run

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
    kept, notes = join_copies(runs)
    return len({run.identity for run in kept}), [str(note) for note in notes]


FEW = "so few that they count as two runs"
EXACT = (1234.5, 2345.6, 3456.7)
"""Nine digits each."""


@pytest.mark.parametrize(
    "values, width, told, runs",
    [
        (EXACT, 0.0, {}, 1),
        (EXACT[:2], 0.0, {}, 2),
        (EXACT[:2], 0.0, {"started": T1}, 1),
        (EXACT[:1], 0.0, {"started": T1}, 1),
        # log₁₀(1234.5 ÷ 0.00001) = 8.09, log₁₀(1234.5 ÷ 0.0001) = 7.09
        (EXACT[:1], 1e-5, {"started": T1}, 1),
        (EXACT[:1], 1e-4, {"started": T1}, 2),
        # three of 6.8 to 7.5 digits, and of 5.8 to 6.5
        (EXACT, 2e-4, {}, 1),
        (EXACT, 2e-3, {}, 2),
        (EXACT, 0.0, {"metric": "cpu"}, 2),
        (EXACT, 0.0, {"metric": "size"}, 2),
        (EXACT, 0.0, {"metric": "latency"}, 1),
    ],
)
def test_so_many_equal_digits_make_one_run(values, width, told, runs):
    one, other = (made(f"{n}.txt", values, width=width, **told) for n in "ab")
    found, notes = counted(one, other)
    assert found == runs
    said = "numbers and start time" if told.get("started") else "numbers"
    text = f"b.txt:1: note: the same {said} as a.txt: one run, counted once"
    assert notes == ([text] if runs == 1 else [])
    assert same_measurement(other, one) is (runs == 1)


@pytest.mark.parametrize(
    "one, other, runs",
    [
        ({"started": T1}, {"started": T2}, 2),
        ({"started": T1}, {"started": ""}, 1),
        ({"facts": {"seed": 1}}, {"facts": {"seed": 2}}, 2),
        ({"facts": {"seed": 1}}, {"facts": {"seed": 1}}, 1),
        ({"facts": {"seed": 1}}, {}, 1),
        ({"tool": "iozone"}, {"tool": "fio"}, 2),
    ],
)
def test_what_is_stated_once_makes_two_runs(one, other, runs):
    pair = made("a.txt", EXACT, **one), made("b.txt", EXACT, **other)
    assert counted(*pair)[0] == runs


def test_one_number_that_differs_makes_two_runs():
    assert counted(made("a", EXACT), made("b", (*EXACT[:2], 3456.8)))[0] == 2
    # a number with fewer digits is the same number, one as wide is not
    wide = made("b", (1234.0, 2345.0, 3456.0), width=1.0)
    assert counted(made("a", EXACT, width=1e-4), wide)[0] == 2  # too few digits
    assert not same_measurement(made("a", EXACT, width=1.0), wide)
    finer = [
        made(n, [v + d for v in EXACT], width=w)
        for n, d, w in (*[("a", 0, 1e-4), ("b", -1e-4, 2e-4)],)
    ]
    assert same_measurement(*finer)
    as_wide = [
        made(n, [v + d for v in EXACT], width=2e-4)
        for n, d in (*[("a", 0), ("b", -1e-4)],)
    ]
    assert not same_measurement(*as_wide)


def test_what_has_no_number_agrees_by_its_bound():
    def bounded(source, low):
        run = made(source, (*EXACT, MISSING))
        run.cells.low[3] = low
        return run

    assert counted(bounded("a", 5.0), bounded("b", 5.0))[0] == 1
    assert counted(bounded("a", 5.0), bounded("b", 6.0))[0] == 2
    assert counted(bounded("a", 6.0), bounded("b", 5.0))[0] == 2


@pytest.mark.parametrize("count", [100, 101, 200])
def test_large_runs_with_a_gap_are_found_by_their_largest(count):
    values = [1000.0 + k / 8 for k in range(count)]
    values[7] = MISSING
    one, other = (made(n, values) for n in "ab")
    assert counted(one, other)[0] == 1
    assert counted(one, made("b", [*values[:-1], 5000.0]))[0] == 2
    # of a small one the large one is a copy, if its largest is
    assert counted(one, made("b", values[-3:]))[0] == 2


def test_what_the_first_lacks_is_kept_of_a_copy():
    first = made("a.txt", EXACT, configuration="-a", identity="one")
    more = made("b.txt", (*EXACT, 9.0), configuration="-b", identity="two")
    kept, _ = join_copies([first, more])
    assert [run.identity for run in kept] == ["one", "one"]
    assert [run.configuration for run in kept] == ["-a", "-a"]
    assert kept[1].cells.value == [9.0]
    assert kept[1].source == "b.txt"
    # a record size that one side lacks is no difference
    unsized = made("b.txt", (*EXACT, 9.0), record=None)
    kept, _ = join_copies([first, unsized])
    assert kept[1].cells.value == [9.0]


def test_a_whole_file_needs_few_digits_a_run_and_a_part_of_one_more():
    def file_of(source, values):
        return [
            made(source, [v], identity=f"{source}{k}") for k, v in enumerate(values)
        ]

    whole = [*file_of("a", EXACT), *file_of("b", EXACT)]
    assert counted(*whole)[0] == 3
    assert len(counted(*whole)[1]) == 1
    assert counted(*file_of("a", EXACT), *file_of("b", (*EXACT, 7.5)))[0] == 7
    assert counted(*file_of("a", (*EXACT, 7.5)), *file_of("b", EXACT))[0] == 4
    assert counted(*file_of("a", EXACT[:2]), *file_of("b", EXACT[:2]))[0] == 4
    two = [*file_of("a", EXACT[:2]), *file_of("c", EXACT[2:])]
    assert counted(*two, *file_of("b", EXACT))[0] == 6


def test_a_row_that_was_pasted_again_is_noted():
    runs = [made("a", EXACT, identity=name) for name in ("one", "two")]
    assert counted(*runs) == (
        *(1, ["a:1: note: the same numbers as at line 1: counted once"]),
    )
    few = [made("a", EXACT[:1], identity=name) for name in ("one", "two")]
    assert counted(*few) == (
        2,
        ["a:1: note: the same numbers as at line 1: " + FEW],
    )
    # parts of one run have its identity
    parts = [made("a", EXACT, identity="one")] * 2
    assert counted(*parts) == (1, [])


def mean(source, seconds, *, width=0.0, stddev=None, command="rsync -a"):
    facts = {"stands_for": "mean"}
    if stddev is not None:
        facts["stddev"] = stddev
    return made(
        source,
        [seconds],
        width=width,
        metric="elapsed",
        tool="rsync",
        facts=facts,
        command_line=command,
        identity=f"{source} {seconds}",
    )


def timed(source, seconds, stated, command="rsync -a"):
    return made(
        source,
        [seconds],
        metric="elapsed",
        tool="rsync",
        facts={"mean_seconds": stated},
        command_line=command,
        identity=f"{source} {seconds}",
    )


def test_a_mean_whose_runs_are_there_is_left_out():
    runs = [timed("b.json", 1.25, 1.5), timed("b.json", 1.75, 1.5)]
    assert counted(*runs, mean("c.csv", 1.5)) == (
        *(2, ["c.csv:1: note: the mean of runs that b.json has: counted once"]),
    )
    assert counted(mean("c.csv", 1.5), *runs)[0] == 2
    assert counted(*runs, mean("c.csv", 1.4, width=0.2))[0] == 2
    assert counted(*runs, mean("c.csv", 1.4, width=0.05))[0] == 3
    assert counted(*runs, mean("c.csv", 1.5, command="rsync -az"))[0] == 3
    assert not is_mean(runs[0])
    assert is_mean(mean("c.csv", 1.5))
    assert not is_mean(replace(mean("c.csv", 1.5), cells=Cells()))


def test_of_two_forms_of_a_mean_the_finer_is_kept():
    fine, coarse = mean("a.csv", 1.51), mean("b.md", 1.5, width=0.1)
    for order in ((fine, coarse), (coarse, fine)):
        kept, notes = join_copies(order)
        assert [run.source for run in kept] == ["a.csv"]
        assert [str(note) for note in notes] == [
            "b.md:1: note: the mean of mean that a.csv has: counted once"
        ]
    apart = mean("a.csv", 1.51, stddev=0.1), mean("b.md", 1.5, width=0.1, stddev=0.2)
    assert counted(*apart)[0] == 2
    near = mean("a.csv", 1.51, stddev=0.1), mean("b.md", 1.5, width=0.1, stddev=0.104)
    assert counted(*near)[0] == 1
    one_file = mean("a.csv", 1.51), mean("a.csv", 1.5, width=0.1)
    assert counted(*one_file)[0] == 2
    spread = [replace(r, facts=r.facts | {"stddev": 0.1}) for r in one_file]
    assert counted(*spread) == (
        *(1, ["a.csv:1: note: the same mean as at line 1: counted once"]),
    )


# Files of one name


def forms(*runs):
    kept, problems = merge_files(runs)
    return kept, [str(problem) for problem in problems]


def test_forms_of_one_name_are_one_run_of_the_finest_form():
    text = made("r.txt", EXACT, identity="text", configuration="-a")
    sheet = made("r.xls", (*EXACT, 5.0), identity="sheet", configuration="sheet")
    rows = made("r.csv", EXACT, identity="rows")
    kept, problems = forms(sheet, text, rows)
    assert problems == []
    assert [(run.source, run.identity) for run in kept] == [
        *[("r.csv", "rows"), ("r.txt", "rows"), ("r.xls", "rows")]
    ]
    assert [run.configuration for run in kept] == ["-a; sheet"] * 3
    assert [run.cells.value for run in kept] == [list(EXACT), [], [5.0]]


@pytest.mark.parametrize("differing, together", [(0, True), (2, True), (3, False)])
def test_half_of_the_numbers_must_agree(differing, together):
    values = (1.0, 2.0, 3.0, 4.0)
    other = [v + (9 if at < differing else 0) for at, v in enumerate(values)]
    kept, problems = forms(made("r.txt", values), made("r.xls", other))
    assert len({run.identity for run in kept}) == (1 if together else 2)
    assert problems == (
        ["r.xls:1: expected 1 as at r.txt:line 1, found 10"]
        if together and differing
        else []
    )


def test_runs_of_one_file_are_runs_and_parts_without_a_common_cell_are_one():
    several = [made("r.txt", EXACT, identity=n) for n in "xy"]
    assert [run.identity for run in forms(*several)[0]] == ["x", "y"]
    time = made("r.time.txt", [1.0], metric="elapsed", identity="t", tool="rsync")
    size = made("r.stats.txt", [5.0], metric="size", identity="s", tool="rsync")
    kept, _ = forms(time, size)
    assert [run.identity for run in kept] == ["t", "t"]
    apart, _ = forms(time, replace(size, source="q.stats.txt"))
    assert [run.identity for run in apart] == ["t", "s"]
    tools, _ = forms(time, replace(size, tool="fio"))
    assert [run.identity for run in tools] == ["t", "s"]
    # each of two runs finds its own form
    pairs = [made("r.csv", [v], identity=f"c{v}") for v in (1.0, 2.0)]
    pairs += [made("r.txt", [v], identity=f"t{v}") for v in (2.0, 1.0)]
    kept, _ = forms(*pairs)
    assert [run.identity for run in kept] == ["c1.0", "c1.0", "c2.0", "c2.0"]


def test_a_record_size_that_one_form_lacks_is_no_difference():
    sized = made("r.txt", EXACT)
    unsized = made("r.csv", EXACT, record=None)
    kept, problems = forms(sized, unsized)
    assert [run.cells.value for run in kept] == [list(EXACT), []]
    assert problems == []
    # where two may be meant, neither is
    both = made("r.txt", EXACT[:1])
    both.cells.add("read", "throughput", 7.0, "line 9", file_size=64, record_size=8)
    kept, _ = forms(both, made("r.xls", [5.0], record=None))
    assert [run.cells.value for run in kept] == [[EXACT[0], 7.0], [5.0]]


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
    a, b = made("a.txt", EXACT), made("b.txt", EXACT, identity="other")
    found, rows = placed(("x", [a], False, ()), ("y", [b], False, ()))
    assert rows == [("x", 1, "a.txt")]
    (problem,) = found.problems
    assert str(problem) == (
        "b.txt:1: expected a run of y that no other system has, found the same run as "
        "a.txt of x; y is left out"
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
        (False, ("fsviz",), True, ["p", "q", "y"]),
        (True, ("fsviz",), False, ["x/p", "x/q"]),
    ],
)
def test_labels_inside_a_file_are_systems(named, form, others, systems):
    files = [("x", labelled("a.csv", "p", "q"), named, form)]
    if others:
        files.append(("y", [made("b.txt", EXACT)], False, ()))
    assert [system for system, *_ in placed(*files)[1]] == systems


def test_one_label_is_that_of_the_file():
    assert placed(("x", labelled("a.csv", "p"), False, ()))[1] == [("x", 1, "a.csv")]
    own = placed(("x", labelled("a.csv", "p"), False, ("fsviz",)))[1]
    assert own == [("p", 1, "a.csv")]
    mixed = labelled("a.csv", "p", "")
    assert [row[0] for row in placed(("x", mixed, False, ()))[1]] == ["p", "x"]


def test_equal_short_outputs_are_told_apart():
    runs = [made(f"{n}.txt", [1.0], identity="same") for n in "abc"]
    found, rows = placed(*[("x", [run], False, ()) for run in runs])
    assert [run.identity for _, run in found.runs] == ["same", "same~2", "same~3"]
    assert [repeat for _, repeat, _ in rows] == [1, 2, 3]


def test_what_a_copy_adds_is_a_part_of_the_first_run():
    first, more = made("a.txt", EXACT), made("b.txt", (*EXACT, 9.0))
    found, rows = placed(("x", [first], False, ()), ("x", [more], False, ()))
    assert rows == [("x", 1, "a.txt"), ("x", 1, "b.txt")]
    assert [run.identity for _, run in found.runs] == ["a.txt", "a.txt"]


def test_a_console_and_a_row_of_one_bonnie_are_one_run(tmp_path, root):
    """The row has the rates of the file tests, which the console lacks."""
    source = root / "data/raw/loopback-2026/bonnie++/nfs-v4.1"
    shutil.copy(source / "rep5.txt", tmp_path / "a.txt")
    shutil.copy(source / "rep5.csv", tmp_path / "b.csv")
    campaign = fsviz.load(tmp_path)
    assert campaign.runs["repeat"].tolist() == [1]
    assert campaign.files["numbers"].tolist() == [12, 18]
    assert len(campaign.measurements) == 30
