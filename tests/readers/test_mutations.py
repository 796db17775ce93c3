"""One changed character never makes a wrong number; the benchmark asks more often."""

import importlib
import importlib.util
import sys
from pathlib import Path

import pytest
from each import each

from fsviz.model.errors import MalformedRowError

ROOT = Path(__file__).parents[2]
SPEC = importlib.util.spec_from_file_location(
    "mutations", ROOT / "benchmarks" / "mutations.py"
)
mutations = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(mutations)


@each((tool, path) for tool in mutations.LOGS for path in mutations.samples(tool))
def test_no_change_of_a_character_makes_a_wrong_number(log):
    tool, path = log
    _, found, wrong = mutations.trial(tool, path, 20, 3)
    assert found.total() == 20
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


@each(WHOLE_LOGS)
def test_no_change_of_lines_makes_a_wrong_number(path):
    found, wrong = line_mutations.trial(path, WHOLE_LOGS, 4, 5)
    assert found.total() == 4
    assert wrong == []


CUTS = ("bonnie/1.03e/v103e_chunk.err.txt", "time/bash-5.2/time_bash_p.err.txt")


@pytest.mark.parametrize("log", CUTS)
def test_no_cut_makes_a_wrong_number(log):
    found, wrong = line_mutations.cut_everywhere(log)
    assert wrong == []
    assert found.total() == (line_mutations.DATA / log).stat().st_size


@pytest.mark.parametrize(
    "log", ["bonnie/1.96/v196_chunk.err.txt", "bonnie/1.03e/v103e_f_n0_x2.out.txt"]
)
def test_no_wrapped_or_cut_row_of_bonnie_is_silent(log):
    found, wrong = line_mutations.wrap_everywhere(log)
    assert wrong == []
    assert found["reported"] > 200


@pytest.mark.parametrize(
    "text,line",
    [
        ("real 0.13\nuser 0.01\nsys 0.00", 3),
        ("real 0.13\nuser 0.01\nsys 0.05\n", None),
        ("real 0.13\nuser 0.01\nbye", 3),
        ("real 0.13\nuser 0.01\nsys 0.05\n\n\nbye", None),
    ],
)
def test_a_last_line_without_a_line_end_is_noted_where_numbers_are(text, line):
    document = line_mutations.decode("t.txt", text.encode())
    notes = line_mutations.read_document(document).notes
    assert [note.line for note in notes] == ([] if line is None else [line])


def test_a_damaged_record_size_of_a_report_makes_no_cells():
    path = ROOT / "tests" / "data" / "iozone" / "3.507" / "v507_auto_N.txt"
    lines = path.read_text().split("\n")
    at = lines.index('"Backward read report"') + 1
    lines[at] = lines[at].replace('"32"', '"30"')
    text = "\n".join(lines).encode()
    whole = mutations.read_iozone(mutations.decode("i.txt", path.read_bytes()))
    damaged = mutations.read_iozone(mutations.decode("i.txt", text))
    numbers = [
        [list(map(str, run.cells.value)) for run in reading.runs]
        for reading in (damaged, whole)
    ]
    assert numbers[0] == numbers[1]
    (problem,) = damaged.problems
    assert str(problem) == (
        f"i.txt:{at}: expected the record sizes of the table in the report of "
        "backward_read, found none of 32 kB"
    )
