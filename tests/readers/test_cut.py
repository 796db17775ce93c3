"""An output cut at any line: what is left keeps its meaning, or the cut is told."""

from pathlib import Path

import pytest
from each import each

from fsviz.model.errors import FsvizError
from fsviz.readers.document import decode, without_prefix
from fsviz.readers.formats import read_document

DATA = Path(__file__).parents[1] / "data"
MOST = 200
"""Cuts of one sample; longer ones repeat the same kinds of lines."""


OTHERS = (".xls", ".xlsx", ".dat", ".toml", ".expected.csv")
SAMPLES = [
    path
    for path in sorted(DATA.glob("*/**/*"))
    if path.is_file() and not path.name.endswith(OTHERS)
]
SMALLEST = {
    path.relative_to(DATA).parts[:2]: path
    for path in sorted(SAMPLES, key=lambda path: -path.stat().st_size)
}.values()


def meanings(data):
    """What each number is of, and whether nothing is said; nothing where refused."""
    try:
        reading = read_document(without_prefix(decode("t", data)))
    except FsvizError:
        return set(), False
    keys = {(run.tool, *key) for run in reading.runs for key in run.cells.keys()}  # noqa: SIM118
    whole = all(run.complete for run in reading.runs)
    return keys, whole and not reading.problems and not reading.notes


def changed_by_cuts(path):
    lines = path.read_bytes().splitlines(keepends=True)
    whole, _ = meanings(b"".join(lines))
    step = 1 + len(lines) // MOST
    for count in range(1, len(lines), step):
        left, is_silent = meanings(b"".join(lines[:count]))
        if is_silent and not left <= whole:
            yield count, min(left - whole, key=str)


@each(SMALLEST)
def test_a_sample_of_each_tool_cut_at_every_line(path):
    assert list(changed_by_cuts(path)) == []


@pytest.mark.slow
@each(SAMPLES)
def test_every_sample_cut_at_every_line(path):
    assert list(changed_by_cuts(path)) == []


def test_a_log_of_diskspd_without_its_writes_is_still_a_mix():
    """It was a test of random reads of 834 MB/s."""
    text = (DATA / "diskspd/linux/mixed.txt").read_text()
    cut = text[: text.index("Write IO")]
    reading = read_document(decode("t", cut.encode()))
    (run,), (problem,) = reading.runs, reading.problems
    assert {*run.cells.operation} == {"mixed_random_read"}
    assert {*run.cells.setting} == {"iodepth=4; rwmixread=70"}
    assert not run.complete
    line = cut.count("\n", 0, cut.index("Results for")) + 1
    said = f"t:{line}: expected the totals of reads and writes, found those of reads"
    assert str(problem) == said
