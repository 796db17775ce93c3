"""What no benchmark can have measured is refused, whichever reader found it."""

from dataclasses import replace

import pytest
from campaigns_made import iozone

from fsviz.model.errors import FsvizError
from fsviz.model.runs import Cells, Reading, Run
from fsviz.readers.formats import read_file
from fsviz.readers.impossible import without_impossible


def reading(column="value", number=5e9):
    """Make a reading of one number, of which one column is another one."""
    cells = Cells()
    cells.add("read", "throughput", 5e9, "line 3", file_size=65536)
    getattr(cells, column)[0] = number
    return Reading((Run("iozone", "r", "a.txt", cells),))


NUMBER = "a number from 0 to below 2⁶³"
SIZE = "size from 1 to below 2⁶³"
COUNT = "from 1 to below 2²²"


@pytest.mark.parametrize(
    "column,number,said",
    [
        ("value", "-5e9", f"{NUMBER}, found -5e+09 as value"),
        ("value", "inf", f"{NUMBER}, found inf as value"),
        ("value", "1e308", f"{NUMBER}, found 1e+308 as value"),
        ("value", "5e-324", f"{NUMBER}, found 4.94066e-324 as value"),
        ("low", "-inf", f"{NUMBER}, found -inf as low"),
        ("low", "-1", f"{NUMBER}, found -1 as low"),
        ("high", "inf", f"{NUMBER}, found inf as high"),
        (
            "low",
            "6e9",
            "a number between its bounds, found 5e+09 between 6e+09 and nan",
        ),
        (
            "high",
            "4e9",
            "a number between its bounds, found 5e+09 between nan and 4e+09",
        ),
        ("file_size_bytes", "-1", f"a file {SIZE}, found -1"),
        ("file_size_bytes", "0", f"a file {SIZE}, found 0"),
        ("record_size_bytes", "-4096", f"a record {SIZE}, found -4096"),
        ("file_size_bytes", str(2**63), f"a file {SIZE}, found 9.22337e+18"),
        ("threads", "0", f"a number of processes {COUNT}, found 0"),
        ("threads", str(2**22), f"a number of processes {COUNT}, found 4.1943e+06"),
        ("child", "-1", "the number of a process from 0 to below 2²², found -1"),
    ],
)
def test_an_impossible_number_is_refused(column, number, said):
    value = int(number) if number.lstrip("-").isdecimal() else float(number)
    with pytest.raises(FsvizError) as error:
        without_impossible(reading(column, value))
    assert str(error.value) == f"a.txt:3: expected {said}"


@pytest.mark.parametrize("column", ["value", "low", "child"])
def test_a_number_of_0_is_possible(column):
    (run,) = without_impossible(reading(column, 0)).runs
    assert getattr(run.cells, column) == [0]


TABLE = "system,operation,value,unit,low,high\nnfs,read,5,MiB/s,4,6\n"
HYPERFINE = '{"results":[{"command":"rsync a b","times":[1.5]}]}'


@pytest.mark.parametrize(
    "text,old,new,said",
    [
        (
            TABLE,
            "4,6",
            "6,4",
            "2: expected a number between its bounds, found 5.24288e",
        ),
        (TABLE, "4,6", f"4,{'9' * 400}", f"2: expected {NUMBER}, found inf as high"),
        (
            HYPERFINE,
            "1.5",
            "1e-300",
            f"results[0].times[0]: expected {NUMBER}, found 1",
        ),
        (iozone(5), "Children", "", ""),
    ],
    ids=["bounds", "infinite", "fast", "as it is"],
)
def test_each_reader_is_held_to_it(tmp_path, text, old, new, said):
    path = tmp_path / "given.txt"
    path.write_text(text)
    assert read_file(path).problems == ()
    path.write_text(text.replace(old, new))
    if said:
        with pytest.raises(FsvizError) as error:
            read_file(path)
        assert str(error.value).startswith(f"{path}:{said}")


def test_the_other_runs_of_the_file_are_kept():
    runs = [
        replace(reading("value", 5e9 * n).runs[0], identity=str(n))
        for n in range(-1, 3)
    ]
    left = without_impossible(Reading(tuple(runs)))
    assert [run.cells.value for run in left.runs] == [[0.0], [5e9], [1e10]]
    (problem,) = left.problems
    assert problem.found == "-5e+09 as value"
