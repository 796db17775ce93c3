"""hyperfine: its JSON, read a second time by json.load."""

import json
from collections import Counter
from pathlib import Path

import pytest

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
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
        (f"{JSON.read_text()}\n{table}", {"rsync": 10}),
        (f"$ hyperfine …\n{JSON.read_text()}\n{fio}", {"fio": 1, "rsync": 10}),
    ):
        path.write_text(text)
        reading = read_file(path)
        assert not reading.problems
        assert Counter(run.tool for run in reading.runs) == tools


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


# hyperfine 2.0.0, run on this project's machine: four forms of one invocation

TWO = DATA / "2.0"


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


def test_a_run_of_version_2_that_failed_is_said():
    text = (TWO / "hyperfine.json").read_text().replace('code": 0', 'code": 1', 1)
    (problem,) = read_text(text).problems
    assert isinstance(problem, ToolFailureError)
