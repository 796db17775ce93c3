"""Every sample and every file of other people: a right table or a clear refusal.

``files.csv`` lists what comes of each file, and why where it is not everything. The
numbers are checked against the text of the line, or the cell, that they name.
"""

import csv
import re
from pathlib import Path

import pytest
from each import each

from fsviz.model.errors import FsvizError
from fsviz.model.runs import number_repeats, tabulate
from fsviz.model.table import validate
from fsviz.readers.document import decode
from fsviz.readers.formats import read_document, read_file

DATA = Path(__file__).parents[1] / "data" / "iozone"
CORPUS = Path(__file__).parents[3] / "shared" / "corpus" / "iozone"
LISTED = list(csv.DictReader((DATA / "files.csv").read_text().splitlines()))
UNITS = {"throughput": 1024, "rate": 1, "latency": 1e-6}


def folder_of(name):
    return CORPUS if name == "corpus" else DATA / name


def path_of(entry):
    return folder_of(entry["folder"]) / entry["file"]


def name_of(entry):
    return f"{entry['folder']}-{entry['file']}"


# the corpus is beside the project, where it is there at all
PRESENT = [e for e in LISTED if e["folder"] != "corpus" or CORPUS.exists()]


@each(PRESENT, name_of)
def test_what_comes_of_each_file(entry):
    path = path_of(entry)
    assert entry["why"] or (not entry["refusal"] and entry["problems"] == "0")
    if entry["refusal"]:
        with pytest.raises(FsvizError) as caught:
            read_file(path)
        assert type(caught.value).__name__ == entry["refusal"]
        assert str(caught.value).startswith(f"{path}:")
        return
    reading = read_file(path)
    found = {
        "runs": len(reading.runs),
        "complete": sum(run.complete for run in reading.runs),
        "cells": sum(len(run.cells) for run in reading.runs),
        "problems": len(reading.problems),
    }
    assert {name: int(entry[name]) for name in found} == found
    assert all(str(problem).startswith(f"{path}:") for problem in reading.problems)
    labelled = number_repeats([("", "system", run) for run in reading.runs])
    measurements, _ = tabulate(labelled)
    # no number comes twice
    assert len(validate(measurements)) == found["cells"]


@each({entry["folder"] for entry in PRESENT})
def test_every_file_is_listed(folder):
    there = {
        path.name
        for path in folder_of(folder).iterdir()
        if not path.name.endswith(".expected.csv")
    }
    assert there == {e["file"] for e in LISTED if e["folder"] == folder}


TEXTS = [
    entry
    for entry in PRESENT
    if not entry["refusal"]
    # in quoted-printable one line is two
    and not re.search(r"\.(xlsx?|csv|wks)$|quoted_printable", entry["file"])
]


@each(TEXTS, name_of)
def test_every_number_stands_in_the_line_it_names(entry):
    path = path_of(entry)
    lines = decode(str(path), path.read_bytes()).lines
    for run in read_file(path).runs:
        cells = run.cells
        for metric, value, place in zip(
            cells.metric, cells.value, cells.locator, strict=True
        ):
            if value != value or metric.endswith("size"):
                continue
            unit = UNITS.get(metric.rsplit("_", 1)[-1], 1)
            # in a table, a kB is what the SI says
            unit = 1000 if run.tool == "table" else unit
            line = lines[int(place.removeprefix("line ")) - 1]
            printed = value / unit
            texts = (f"{printed:.0f}", f"{printed:.2f}", f"{printed:.2f}".rstrip("0"))
            assert any(text in line for text in texts), (place, printed)


def values_of(line):
    """The numbers of a row without its sizes; None if it is no row, or some touch."""
    words = line.expandtabs().split()
    numbers = []
    while words and words[-1].isdigit():
        numbers.insert(0, words.pop())
    if len(numbers) < 3 or max(map(len, numbers)) > 8:
        return None
    return numbers if '"' in line else numbers[2:]


@each(TEXTS, name_of)
def test_no_number_of_a_row_is_left_out(entry):
    path = path_of(entry)
    lines = decode(str(path), path.read_bytes()).lines
    for run in read_file(path).runs:
        if "latency" in run.cells.metric:
            continue
        places = [int(place.removeprefix("line ")) for place in run.cells.locator]
        for place in set(places):
            values = values_of(lines[place - 1])
            if values is not None:
                assert places.count(place) == sum(v != "0" for v in values)


def test_locked_files_and_offsets_are_another_configuration():
    # made by `iozone -W` and `iozone -Q`; a lock costs time in each operation
    text = (folder_of("3.489") / "auto_Q.txt").read_text()
    command = next(line for line in text.splitlines() if "Command line used" in line)
    said = "\tLock file when reading/writing.\n"
    locked = text.replace(command, f"{said}{command} -W")
    runs = [read_document(decode("f.txt", t.encode())).runs[0] for t in (text, locked)]
    assert [" -W" in run.configuration for run in runs] == [False, True]
    assert all(" -Q" in run.configuration for run in runs)
    assert runs[0].cells.value == runs[1].cells.value
