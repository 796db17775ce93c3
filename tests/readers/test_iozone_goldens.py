"""Every sample of IOzone equals its golden, and the goldens are not the reader's work.

A golden holds the table of a sample as `iozone_goldens` reads it, which shares no code
with fsviz; so the reader never checks itself.
"""

import csv
from pathlib import Path

from each import each
from iozone_goldens import as_golden, golden_of, golden_text

from fsviz.readers.formats import read_file

DATA = Path(__file__).parents[1] / "data" / "iozone"
SAMPLES = [
    DATA / entry["folder"] / entry["file"]
    for entry in csv.DictReader((DATA / "files.csv").read_text().splitlines())
    if entry["folder"] != "corpus" and not entry["refusal"]
]


def name_of(path):
    return f"{path.parent.name}-{path.name}"


def rows_of(path):
    for run in read_file(path).runs:
        # IOzone has none: what it varies are sizes and threads
        assert set(run.cells.setting) <= {""}
        names = [name for name in run.cells.__slots__ if name != "setting"]
        columns = (getattr(run.cells, name) for name in names)
        yield from zip(*columns, strict=True)


@each(SAMPLES, name_of)
def test_the_table_of_a_sample_equals_its_golden(path):
    golden = golden_of(path).read_text().splitlines()
    assert list(as_golden(rows_of(path))) == list(csv.reader(golden))


@each(SAMPLES, name_of)
def test_a_golden_is_what_the_second_route_reads(path):
    assert golden_of(path).read_text() == golden_text(path)


def test_every_golden_has_its_sample_and_all_are_small():
    goldens = set(DATA.glob("*/*.expected.csv"))
    assert goldens == {golden_of(path) for path in SAMPLES}
    assert sum(path.stat().st_size for path in goldens) < 3e6
