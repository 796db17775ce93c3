"""One cell far from all others gives its direction to no size and to no average."""

import re

import numpy as np
import pytest

import fsviz
from fsviz.answers.headline import headline
from fsviz.answers.matrix import overview
from fsviz.answers.notes import contradictions, notes_of
from fsviz.answers.statement import statements

FILES, RECORDS = (1, 4, 16, 64, 256, 1024), (4, 64, 1024)
"""[MiB], [KiB]"""
CELLS = [(f, r) for f in FILES for r in RECORDS]


@pytest.fixture
def measured(tmp_path):
    """Return a function that writes two systems and gives them and what was written."""

    def write(truth, runs=5, noise=0.002, operations=("write", "read")):
        rng = np.random.default_rng(4)
        rows = ["system,repeat,operation,file size,record size,value,unit"]
        logs = {}
        for system, run in ((s, r) for s in "ab" for r in range(runs)):
            for name, cell in ((o, c) for o in operations for c in CELLS):
                factor = truth(name, cell) if system == "b" else 1.0
                value = round(500 * factor * np.exp(rng.normal(0, noise)), 3)
                logs.setdefault((system, name, cell), []).append(np.log(value))
                place = f"{name},{cell[0]} MiB,{cell[1]} KiB"
                rows.append(f"{system},{run + 1},{place},{value},MiB/s")
        (tmp_path / "own.csv").write_text("\n".join(rows) + "\n")
        return fsviz.load(tmp_path / "own.csv"), logs

    return write


def of_write(said):
    (one,) = (one for one in said if one.operation == "write")
    return one


def test_a_headline_names_the_cell_and_no_size_class(measured):
    """It said "2.7 times slower at write of very large files": most are equal."""
    slow = (1024, 4)
    data, logs = measured(lambda o, c: 0.05 if (o, c) == ("write", slow) else 1.0)
    frame = overview(data)
    assert headline(frame) == (
        "Against a, own table: b 20× slower at write of 1-GiB files with 4-KiB "
        "records, near 1× elsewhere."
    )
    said = statements(frame)
    ratios = {
        cell: np.exp(
            np.mean(logs["b", "write", cell]) - np.mean(logs["a", "write", cell])
        )
        for cell in CELLS
    }
    wanted = 1024 * 2**20, 4 * 2**10, ratios.pop(slow)
    assert of_write(said).lone_cell[:3] == pytest.approx(wanted)
    ends = min(ratios.values()), max(ratios.values())
    assert of_write(said).lone_cell[3:] == pytest.approx((*ends, 17))
    # the headline has said it
    assert contradictions(said) == []


@pytest.mark.slow
def test_alike_on_average_but_for_one_cell(measured):
    data, _ = measured(lambda o, c: 0.2 if (o, c) == ("write", (64, 64)) else 1.0)
    assert headline(overview(data)) == (
        "Against a, own table: b about the same on average, but 5.0× slower at write "
        "of 64-MiB files with 64-KiB records."
    )


def test_what_depends_on_one_cell_depends_on_no_size(measured):
    data, _ = measured(lambda o, c: 0.1 if (o, c) == ("write", (1024, 4)) else 1.3)
    frame = overview(data)
    assert headline(frame) == (
        "Against a, own table: b depends: 1.3× faster at read; write 1.3× faster, but "
        "10× slower at 1-GiB files with 4-KiB records."
    )
    told = of_write(statements(frame))
    assert told.where in "\n".join(notes_of(statements(frame)))


@pytest.mark.slow
def test_one_of_a_row_that_is_decided_is_a_note(measured):
    data, _ = measured(lambda o, c: 5.2 if (o, c) == ("write", (4, 4)) else 1.3)
    said = statements(overview(data))
    (line,) = contradictions(said)
    assert re.fullmatch(
        r"One cell of write stands out: b 5\.\d× faster at 4-MiB files with 4-KiB "
        r"records, 1\.\d+(–1\.\d+)?× faster in the other 17 cells\.",
        line,
    )
    assert line in notes_of(said)


def two(name, cell):
    return 0.05 if name == "write" and cell in ((1024, 4), (1, 4)) else 1.0


def scattered(_name, cell):
    return float(np.exp(np.cos(7 * CELLS.index(cell))))


@pytest.mark.slow
@pytest.mark.parametrize("truth", [two, scattered])
def test_silent_where_others_are_far_too(measured, truth):
    data, _ = measured(truth)
    assert {one.lone_cell for one in statements(overview(data))} == {None}


@pytest.mark.slow
def test_silent_where_no_run_decides(measured):
    data, _ = measured(lambda _, c: 0.05 if c == (1024, 4) else 1.0, runs=2)
    assert {one.lone_cell for one in statements(overview(data))} == {None}
