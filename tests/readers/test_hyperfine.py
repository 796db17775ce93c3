"""hyperfine: JSON read a second time by json.load, tables against JSON of the run."""

import json
from collections import Counter
from pathlib import Path

import pytest
from others import reads_or_refuses

from fsviz.campaigns.copies import join_copies
from fsviz.model.errors import (
    InconsistentDataError,
    InvalidModeError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TruncatedInputError,
)
from fsviz.readers.document import decode
from fsviz.readers.formats import read_file
from fsviz.readers.rsync.hyperfine import read_hyperfine

DATA = Path(__file__).parents[1] / "data" / "hyperfine"
JSON = DATA / "1.15" / "hyperfine.json"


def read_text(text):
    return read_hyperfine(decode("h.txt", text.encode()))


@pytest.mark.parametrize("path", [JSON, DATA / "1.19" / "hyperfine119.json"], ids=str)
def test_each_time_is_a_run(path):
    results = json.loads(path.read_text())["results"]
    expected = [
        (result["command"], seconds)
        for result in results
        for seconds in result["times"]
    ]
    reading = read_file(path)
    assert not reading.problems
    found = [(run.command_line, *run.cells.value) for run in reading.runs]
    assert found == expected
    assert len({run.identity for run in reading.runs}) == len(expected)


def test_exports_in_one_file_are_all_read():
    other = DATA / "1.19" / "hyperfine119.json"
    alone = [run for path in (JSON, other) for run in read_file(path).runs]
    reading = read_text(JSON.read_text() + other.read_text())
    assert [run.cells.value for run in reading.runs] == [r.cells.value for r in alone]
    assert reading.runs[-1].cells.locator[0].startswith("exports[1].results[0]")
    cut = read_text(JSON.read_text() + other.read_text()[:-9])
    assert len(cut.runs) == len(read_file(JSON).runs)
    assert len(cut.problems) == 1


def test_a_json_export_is_read_beside_other_forms_and_other_tools(tmp_path):
    fio = (DATA.parent / "fio" / "3.33" / "read.json").read_text()
    table = (DATA / "1.15" / "hyperfine.csv").read_text()
    path = tmp_path / "all.txt"
    for text, tools in (
        (f"{fio}\n{JSON.read_text()}", {"fio": 1, "rsync": 10}),
        (f"{JSON.read_text()}\n{table}", {"rsync": 12}),
        (f"$ hyperfine …\n{JSON.read_text()}\n{fio}", {"fio": 1, "rsync": 10}),
    ):
        path.write_text(text)
        reading = read_file(path)
        assert not reading.problems
        assert Counter(run.tool for run in reading.runs) == tools


def test_the_two_commands_are_two_configurations():
    runs = read_file(JSON).runs
    assert [run.configuration for run in runs] == ["rsync -a --delete"] * 5 + [
        "rsync -aW --delete"
    ] * 5
    assert runs[0].cells.locator == ["results[0].times[0]"]
    assert runs[0].facts["parameters"] == {"opt": "-a"}


@pytest.mark.parametrize("name", ["hyperfine.csv", "hyperfine.md", "hyperfine.out.txt"])
def test_tables_hold_the_mean_of_the_same_runs(name):
    results = json.loads(JSON.read_text())["results"]
    reading = read_file(DATA / "1.15" / name)
    assert not reading.problems
    for run, result in zip(reading.runs, results, strict=True):
        index = run.cells.metric.index("elapsed")
        assert run.cells.low[index] <= result["mean"] <= run.cells.high[index]
        assert run.cells.value[index] == pytest.approx(result["mean"], rel=1e-3)
        assert run.command_line == result["command"]
        assert "mean of" in run.note
        assert run.facts["stddev"] == pytest.approx(result["stddev"], rel=1e-2)
        if "cpu" in run.cells.metric:
            share = 100 * (result["user"] + result["system"]) / result["mean"]
            assert run.cells.value[1] == pytest.approx(share, rel=1e-2)


def test_the_number_of_runs_is_printed_on_the_console():
    runs = read_file(DATA / "1.15" / "hyperfine.out.txt").runs
    assert [run.note for run in runs] == ["the mean of 5 runs"] * 2


@pytest.mark.parametrize("name", ["hyperfine_1run.json", "hyperfine_fail.json"])
def test_commands_that_copy_nothing_are_refused(name):
    with pytest.raises(InvalidModeError, match="a timed copy"):
        read_file(DATA / "1.15" / name)


def test_failed_runs_are_incomplete():
    text = (DATA / "1.15" / "hyperfine_fail.json").read_text()
    reading = read_text(text.replace('bad, \\"run\\"', "rsync -a nosuch/ dst/"))
    assert [run.complete for run in reading.runs] == [False, False]
    assert [type(p) for p in reading.problems] == [ToolFailureError] * 2
    assert "exit status 23" in str(reading.problems[0])


@pytest.mark.parametrize(
    "old,new,error",
    [
        ("0.29026176882,", "0.39026176882,", InconsistentDataError),
        ("0.29026176882,", '"0.29",', MalformedRowError),
        ("0.29026176882,", "-0.29026176882,", MalformedRowError),
        ("0.29026176882,", "NaN,", MalformedRowError),
        ("0.29026176882,", "", InconsistentDataError),
        ('"times"', '"tines"', MalformedRowError),
    ],
)
def test_a_bad_result_does_not_take_the_good_one_with_it(old, new, error):
    text = JSON.read_text()
    assert text.count(old) >= 1
    reading = read_text(text.replace(old, new, 1))
    assert len(reading.runs) == 5
    assert [type(problem) for problem in reading.problems] == [error]
    assert str(reading.problems[0]).startswith("h.txt:results[0]")


def test_cut_json():
    text = JSON.read_text()
    with pytest.raises(MalformedRowError, match="expected JSON"):
        read_text(text[: len(text) // 2])


@pytest.mark.parametrize("text", ['{"results": 3}', '{"results": [3]}', '{"a": []}'])
def test_other_json(text):
    with pytest.raises(ParseError, match=r"h\.txt:"):
        read_text(text)


def test_cut_csv():
    text = (DATA / "1.15" / "hyperfine.csv").read_text()
    reading = read_text(text[: text.rindex(",0.217")])
    assert len(reading.runs) == 1
    assert [type(p) for p in reading.problems] == [TruncatedInputError]
    assert reading.problems[0].line == 3


def test_bad_lines_are_located():
    text = (DATA / "1.15" / "hyperfine.out.txt").read_text()
    reading = read_text(text.replace("231.4 ms", "231,4 ms"))
    assert len(reading.runs) == 1
    assert [problem.line for problem in reading.problems] == [6]
    text = (DATA / "1.15" / "hyperfine.md").read_text()
    reading = read_text(text.replace("231.4", "2x1.4"))
    assert [problem.line for problem in reading.problems] == [4]


@pytest.mark.parametrize(
    "name,runs,problems",
    [
        ("hyperfine_cifs_markdown.md", 3, 0),
        ("hyperfine_console_cold_outlier.txt", 2, 0),
        ("hyperfine_rsync_vs_ocrsync.md", 4, 0),
    ],
)
def test_other_peoples_files(name, runs, problems):
    reads_or_refuses("rsync", name, (runs, problems))


MARKDOWN = (
    "| Command | Mean [{unit}] | Min [{unit}] | Max [{unit}] | Relative |\n"
    "|:---|---:|---:|---:|---:|\n"
    "| `rsync -a src/ dst/` | {mean} | 247.0 | 376.6 | 1.00 |\n"
)
FIRST = MARKDOWN.format(unit="ms", mean="289.4 ± 51.4")
SECOND = MARKDOWN.format(unit="s", mean="0.389 ± 0.051")


def _means(text):
    reading = read_hyperfine(decode("notes.md", text.encode()))
    named = [(r.system, r.cells.value[0], r.cells.locator[0]) for r in reading.runs]
    return named, [problem.line for problem in reading.problems]


@pytest.mark.parametrize(
    "text,expected",
    [
        (
            f"## ext4\n\n{FIRST}\n## xfs\n\n{SECOND}",
            [("ext4", 0.2894, "line 5"), ("xfs", 0.389, "line 11")],
        ),
        (f"{FIRST}\n{SECOND}", [("", 0.2894, "line 3"), ("", 0.389, "line 7")]),
        (f"{FIRST}{SECOND}", [("", 0.2894, "line 3"), ("", 0.389, "line 6")]),
    ],
)
def test_each_table_of_notes_is_read_in_its_own_unit(text, expected):
    assert _means(text) == (expected, [])


def test_below_headings_commands_are_named_by_what_differs_there():
    """Folders that differ from heading to heading made names of eighty letters."""
    row = "| `{0} -a /tmp/{1}/ /mnt/{1}/` | 3.0 | 2.0 | 4.0 | 1.00 |\n"
    header = FIRST[: FIRST.index("| `")]
    text = "".join(
        f"## {title}\n\n{header}"
        + "".join(row.format(program, folder) for program in ("rsync", "cp"))
        for title, folder in (("many files", "many"), ("one file", "one"))
    )
    named, problems = _means(text)
    assert [system for system, *_ in named] == [
        *("many files rsync", "many files cp", "one file rsync", "one file cp"),
    ]
    assert problems == []


def test_a_table_whose_columns_are_unknown_is_named():
    text = FIRST + "\n| Host | Command | Mean [ms] |\n| a | `rsync -a s d` | 3.0 |\n"
    assert _means(text) == ([("", 0.2894, "line 3")], [5])


@pytest.mark.parametrize("end", ["max\x9d", "max,max"])
def test_a_header_of_other_columns_is_refused(end):
    header = f"command,mean,stddev,median,user,system,min,{end}"
    found = r"h\.txt:1: expected a header with one column max, found"
    with pytest.raises(MalformedRowError, match=found):
        read_text(f"{header}\nrsync a b,1,1,1,1,1,1,1\n")


def test_two_csv_exports_in_one_file_are_both_read():
    table = (
        "command,mean,stddev,median,user,system,min,max\n"
        "rsync -a src/ dst/,{0},0.0513,0.27378,0.0136,0.1778,0.2470,0.3766\n"
    )
    text = table.format("0.28937") + table.format("0.38937")
    assert _means(text) == ([("", 0.28937, "line 2"), ("", 0.38937, "line 4")], [])


def test_the_console_text_and_the_table_of_one_invocation_count_once():
    text = (
        "Benchmark 1: rsync -a src/ dst/\n"
        "  Time (mean ± σ):     289.4 ms ±  51.4 ms"
        "    [User: 13.7 ms, System: 177.9 ms]"
        f"\n  Range (min … max):   247.0 ms … 376.6 ms    5 runs\n\n{FIRST}"
    )
    reading = read_hyperfine(decode("notes.md", text.encode()))
    kept, (note,) = join_copies(reading.runs)
    assert [run.cells.locator[0] for run in kept] == ["line 2"]
    assert str(note) == "notes.md:7: note: the same mean as at line 2: counted once"


BENCHMARK = "Benchmark 1: cp -a src {}\n"
ABSOLUTE = (
    "  Time (abs ≡):          4.8 ms               [User: 1.0 ms, System: 2.0 ms]\n"
)
MEANS = """\
  Time (mean ± σ):       2.3 ms ±   0.2 ms    [User: 1.3 ms, System: 0.0 ms]
  Range (min … max):     2.0 ms …   2.5 ms    3 runs
"""


def test_one_run_on_the_console_is_read_beside_means_of_several():
    text = f"{BENCHMARK.format('a')}{MEANS} \n{BENCHMARK.format('b')}{ABSOLUTE} \n"
    runs = read_text(text).runs
    assert [run.cells.value[0] for run in runs] == pytest.approx([0.0023, 0.0048])
    assert runs[1].cells.low[0] == pytest.approx(0.00475)
    assert runs[1].note == "the time of one run"
    with pytest.raises(MalformedRowError, match=r"h\.txt:2: expected a mean"):
        read_text(BENCHMARK.format("a") + ABSOLUTE.replace("abs ≡", "mean ± σ"))


def test_a_command_that_failed_is_said_on_the_console_too():
    failed = f"{MEANS} \n  Warning: Ignoring non-zero exit code.\n \n"
    reading = read_text(
        f"{BENCHMARK.format('a')}{failed}{BENCHMARK.format('b')}{MEANS}"
    )
    assert [run.complete for run in reading.runs] == [False, True]
    (problem,) = reading.problems
    assert str(problem).startswith("h.txt:5: expected a complete copy")


def test_the_table_of_org_mode():
    head = "| Command  |  Mean [s] |  Min [s] |\n|--+--+--|\n"
    (run,) = read_text(f"{head}| =cp -a a b=  |  0.010 ± 0.002 |  0.008 |\n").runs
    assert run.cells.value == [0.010]
    assert run.command_line == "cp -a a b"


# hyperfine 2.0.0, run on this project's machine: four forms of one invocation

TWO = DATA / "2.0"
ONE_RUN = """\
Benchmark 1: cp -r src/ dst1/ (1 run)
               Value
  Memory         3.0 MiB
  Wall Time    0.005 s

"""


def test_version_2_measures_each_run():
    exported = json.loads((TWO / "hyperfine.json").read_text())
    expected = [
        (result["command"], run["time_wall_clock"]["value"])
        for result in exported["results"]
        for run in result["measurements"]
    ]
    reading = read_file(TWO / "hyperfine.json")
    assert not reading.problems
    assert [(run.command_line, *run.cells.value) for run in reading.runs] == expected
    assert len(expected) == 8


@pytest.mark.parametrize("form", ["csv", "md", "out.txt"])
def test_the_other_forms_of_version_2_have_its_means(form):
    results = json.loads((TWO / "hyperfine.json").read_text())["results"]
    runs = read_file(TWO / f"hyperfine.{form}").runs
    assert [run.command_line for run in runs] == [r["command"] for r in results]
    for run, result in zip(runs, results, strict=True):
        summary = result["summary"]["time_wall_clock"]
        assert run.cells.low[0] <= summary["mean"] <= run.cells.high[0]
        assert run.facts["stddev"] == pytest.approx(summary["stddev"], rel=0.05)


def test_the_forms_of_one_invocation_of_version_2_are_its_runs():
    forms = ["json", "csv", "md", "out.txt"]
    runs = [run for form in forms for run in read_file(TWO / f"hyperfine.{form}").runs]
    kept, notes = join_copies(runs)
    assert len(kept) == 8
    assert len(notes) == 3


def test_one_run_of_version_2_and_one_that_failed():
    (run,) = read_text(ONE_RUN).runs
    assert (run.command_line, run.cells.value) == ("cp -r src/ dst1/", [0.005])
    assert run.note == "the time of one run"
    text = (TWO / "hyperfine.json").read_text().replace('code": 0', 'code": 1', 1)
    (problem,) = read_text(text).problems
    assert isinstance(problem, ToolFailureError)


@pytest.mark.parametrize(
    "old, new, line",
    [
        ("0.005 s", "0.005 s ± 0.001", 4),
        (" (1 run)", "", 4),
        ("  Wall Time    0.005 s\n", "", 1),
    ],
)
def test_damage_to_version_2_is_named(old, new, line):
    with pytest.raises(ParseError) as error:
        read_text(ONE_RUN.replace(old, new))
    assert error.value.line == line
