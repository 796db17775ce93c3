"""One changed character never makes a wrong number; the benchmark asks more often."""

import importlib
import importlib.util
import sys
from pathlib import Path

import pytest

from fsviz.model.errors import MalformedRowError

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location(
    "mutations", ROOT / "benchmarks" / "mutations.py"
)
mutations = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(mutations)


@pytest.mark.parametrize(
    "tool,path",
    [(tool, path) for tool in mutations.LOGS for path in mutations.samples(tool)],
    ids=lambda value: getattr(value, "name", value),
)
def test_no_change_of_a_character_makes_a_wrong_number(tool, path):
    _, found, wrong = mutations.trial(tool, path, 10, 3)
    assert found.total() == 10
    assert [text for what, text in wrong if what == "wrong"] == []


TABLE = (ROOT / "tests" / "data" / "bonnie" / "1.96" / "v196_chunk.err.txt").read_text()


@pytest.mark.parametrize(
    "old,new,line",
    [
        ("-Sequential Output-", "-Squential Output-", 1),
        ("-Sequential Create-", "-Sequential Crate-", 6),
        ("host                -Create-", "hosst               -Create-", 6),
    ],
)
def test_a_damaged_header_of_bonnie_is_named(old, new, line):
    text = TABLE.replace(old, new, 1)
    assert text != TABLE
    reading = mutations.read_bonnie(mutations.decode("b.txt", text.encode()))
    assert [problem.line for problem in reading.problems] == [line]


def test_a_damaged_row_of_several_is_named():
    path = ROOT / "tests" / "data" / "bonnie" / "2.00a" / "s64_x3.out.txt"
    text = path.read_text().replace("1.98,2.00a", "1:98,2.00a", 1)
    reading = mutations.read_bonnie(mutations.decode("b.txt", text.encode()))
    assert [problem.line for problem in reading.problems] == [2]


def test_a_report_whose_first_number_is_on_the_next_line_is_refused():
    path = ROOT / "tests" / "data" / "rsync" / "3.5.0" / "stats_de.out.txt"
    text = path.read_text().replace("Number of files: ", "Number of files: \n", 1)
    with pytest.raises(MalformedRowError, match=r"r\.txt:2: "):
        mutations.read_rsync(mutations.decode("r.txt", text.encode()))


def _line_mutations():
    folder = str(ROOT / "benchmarks")
    sys.path.insert(0, folder)
    try:
        return importlib.import_module("line_mutations")
    finally:
        sys.path.remove(folder)


line_mutations = _line_mutations()
WHOLE_LOGS = sorted(line_mutations.logs())


@pytest.mark.parametrize("path", WHOLE_LOGS, ids=lambda path: Path(path).name)
def test_no_change_of_lines_makes_a_wrong_number(path):
    found, wrong = line_mutations.trial(path, WHOLE_LOGS, 8, 5)
    assert found.total() == 8
    assert wrong == []
