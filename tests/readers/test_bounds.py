"""Small files that would take long or fill the memory: refused in one line."""

import io
import json
import re
import tracemalloc
import zipfile
from pathlib import Path

import openpyxl
import pytest
from campaigns_made import iozone

import fsviz
from fsviz.model.errors import FsvizError, TooManyRunsError
from fsviz.readers.document import MOST_RUNS
from fsviz.readers.formats import read_file
from fsviz.readers.iozone.workbook import MOST_ELEMENTS, MOST_MEMBERS

ROWS = "data/raw/onehost-2026/bonnie++/ext4/rep1.csv"
FIO = "data/fio/3.33/libaio_buffered.json"
MANY = 4 * MOST_ELEMENTS


def names(count):
    one = "<definedName name='n{}'>Sheet!$A$1</definedName>"
    return "".join(one.format(n) for n in range(count))


def relations(count):
    return "".join(
        f"<Relationship Type='t' Target='x' Id='x{n}'/>" for n in range(count)
    )


CHANGES = {
    "xl/styles.xml": lambda t: re.sub(
        "<cellXfs.*?</cellXfs>", f"<cellXfs>{'<xf/>' * MANY}</cellXfs>", t
    ),
    "xl/workbook.xml": lambda t: t.replace(
        "<calcPr", f"<definedNames>{names(MANY)}</definedNames><calcPr"
    ),
    "xl/_rels/workbook.xml.rels": lambda t: t.replace(
        "</Relationships>", f"{relations(MANY)}</Relationships>"
    ),
}


def workbook(path, changed="", more=0):
    """A table of one's own, with one part changed and some without content."""
    plain = io.BytesIO()
    book = openpyxl.Workbook()
    for row in (["system", "time [s]"], ["a", 5], ["b", 6]):
        book.active.append(row)
    book.save(plain)
    with (
        zipfile.ZipFile(plain) as old,
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for name in old.namelist():
            text = old.read(name).decode()
            new.writestr(name, CHANGES[name](text) if name == changed else text)
        for n in range(more):
            new.writestr(f"x/{n}", b"")
    return path


@pytest.mark.parametrize("changed", CHANGES)
def test_a_workbook_of_many_styles_names_or_relations(tmp_path, changed):
    path = workbook(tmp_path / "a.xlsx", changed)
    assert path.stat().st_size < 1_500_000
    expected = f"a.xlsx:1: expected a workbook of at most {MOST_ELEMENTS} styles"
    with pytest.raises(FsvizError, match=expected):
        read_file(path)


def test_a_workbook_of_many_parts(tmp_path):
    path = workbook(tmp_path / "a.xlsx", more=MOST_MEMBERS)
    with pytest.raises(FsvizError, match=f"of at most {MOST_MEMBERS} parts"):
        read_file(path)
    with pytest.raises(FsvizError, match="reports"):
        read_file(workbook(path, more=100))


@pytest.mark.slow
def test_rows_without_end_are_cut_and_said(root, tmp_path):
    row = (root / ROWS).read_text().splitlines()[-1]
    path = tmp_path / "a.csv"
    path.write_text(f"{row}\n" * (MOST_RUNS + 2000))
    tracemalloc.start()
    reading = read_file(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(reading.runs) == MOST_RUNS
    (problem,) = reading.problems
    assert f"a.csv:{MOST_RUNS + 1}: expected at most {MOST_RUNS} runs" in str(problem)
    assert peak < 200e6


def timings(count):
    return "\n".join(f"real\t0m{n}.123s\nuser\t0m0.1s\nsys\t0m0.2s" for n in count)


def means(count):
    head = "command,mean,stddev,median,user,system,min,max\n"
    row = "rsync -a a/ b/,{}.5,0.1,0.2,0.1,0.1,0.1,0.3\n"
    return head + "".join(row.format(n) for n in count)


def elements(count):
    results = [{"command": "rsync -a a/ b/", "times": [n / 2 for n in count]}]
    return json.dumps({"results": results})


def outputs(count):
    return "".join(iozone(n) for n in count)


def jobs(count):
    output = json.loads((Path(__file__).parents[1] / FIO).read_text())
    (job,) = output["jobs"]
    output["jobs"] = [{**job, "groupid": n} for n in count]
    return json.dumps(output)


@pytest.mark.parametrize(
    "module,text,place",
    [
        ("rsync.text", timings, "10"),
        ("rsync.hyperfine", means, "5"),
        ("rsync.hyperfine", elements, "results[0].times[3]"),
        ("iozone.text", outputs, "\\d+"),
        ("fio", jobs, "jobs[3].read"),
    ],
)
def test_runs_without_end_are_cut_and_said(tmp_path, monkeypatch, module, text, place):
    monkeypatch.setattr(f"fsviz.readers.{module}.MOST_RUNS", 3)
    path = tmp_path / "a"
    path.write_text(text(range(1, 4)))
    assert (len(read_file(path).runs), read_file(path).problems) == (3, ())
    path.write_text(text(range(1, 7)))
    reading = read_file(path)
    assert len(reading.runs) == 3
    (problem,) = reading.problems
    assert isinstance(problem, TooManyRunsError)
    assert re.fullmatch(place if "+" in place else re.escape(place), str(problem.line))


@pytest.mark.parametrize("call", [fsviz.read, fsviz.load, lambda p: fsviz.read([p])])
@pytest.mark.parametrize("name", ["a\0b", "\0", "x=a\0b"])
def test_a_name_with_nul(call, name):
    with pytest.raises(FsvizError, match="expected a") as error:
        call(name)
    assert "\0" not in str(error.value)
