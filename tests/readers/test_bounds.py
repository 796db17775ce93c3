"""Small files that would take long or fill the memory: refused in one line."""

import io
import json
import re
import struct
import tracemalloc
import zipfile
from pathlib import Path

import openpyxl
import pytest
from campaigns_made import iozone

import fsviz
from fsviz.model.errors import FsvizError, MalformedRowError, TooManyRunsError
from fsviz.readers.document import MOST_RUNS
from fsviz.readers.formats import read_file
from fsviz.readers.sheets import MOST_ELEMENTS, MOST_MEMBERS

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
    runs = read_file(workbook(path, more=100)).runs
    assert [(run.system, run.cells.value) for run in runs] == [("a", [5]), ("b", [6])]


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


def own_table(count):
    """Rows of one repeat each, then another row for the first three of them."""
    rows = [f"nfs,read,5,MiB/s,{n}\n" for n in count]
    more = [row.replace("read", "write") for row in rows[:3]]
    return "system,operation,value,unit,repeat\n" + "".join([*rows, *more])


def published(count):
    return "system,time (s)\n" + "".join(f"nfs{n},{n}\n" for n in count)


CONSOLE = """\
Version  1.96       ------Sequential Output------ --Sequential Input- --Random-
Concurrency   1     -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
host             2G  3320  99 99999   9 99999   9  3320  99 99999   9 +++++ +++

"""


@pytest.mark.parametrize(
    "module,text,place",
    [
        ("tables.rows", own_table, "5"),
        ("tables.rows", published, "5"),
        ("bonnie._console", lambda count: CONSOLE * len(count), "19"),
        ("rsync.text", timings, "10"),
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


def test_runs_that_are_kept_get_all_of_their_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("fsviz.readers.tables.rows.MOST_RUNS", 3)
    path = tmp_path / "a.csv"
    path.write_text(own_table(range(1, 7)))
    operations = [run.cells.operation for run in read_file(path).runs]
    assert operations == [["read", "write"]] * 3


def test_complaints_without_end_are_cut_and_said(tmp_path, monkeypatch):
    monkeypatch.setattr("fsviz.readers.formats.MOST_PROBLEMS", 3)
    path = tmp_path / "a.csv"
    rows = ["nfs,read,5,MiB/s", *["nfs,reed,5,MiB/s"] * 9]
    path.write_text("\n".join(["system,operation,value,unit", *rows, ""]))
    *shown, last = map(str, read_file(path).problems)
    assert len(shown) == 3
    assert last == (
        f"{path}:6: expected at most 3 complaints of a file, found more, which are "
        "left out"
    )


def test_a_table_of_nothing_but_bad_rows_is_read_no_further(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("system,operation,value\nnfs,read,5 MiB/s\n" + "x\n" * 6_000)
    problems = read_file(path).problems
    assert len(problems) == MOST_RUNS + 1
    assert str(problems[-1]).startswith(f"{path}:5003: expected at most 5000 comp")


HYPERFINE = {"command": "rsync -a a/ b/", "times": [1.5]}


def nested(count):
    return "[" * count + "]" * count


@pytest.mark.parametrize(
    "text,said",
    [
        (
            json.dumps({"results": [HYPERFINE | {"command": "rsync " + "a" * 10_000}]}),
            "results[0]: expected a timed copy, found 'rsync aaa",
        ),
        (
            json.dumps({"results": [HYPERFINE | {"parameters": {"x": "a" * 10_000}}]}),
            "results[0]: expected parameters of at most 10000 characters, found 100",
        ),
        (
            f"$ time rsync {'a' * 10_000}\nreal\t0m1.5s\n",
            "2: expected a timed copy, found 'rsync aaa",
        ),
        (
            '{"fio version": "fio-3.33", "global options": {"x": "%s"}, "jobs": []}'
            % ("a" * 10_000),
            "global options: expected global options of at most 10000 characters, ",
        ),
        (
            '{"fio version": "fio-3.33", "jobs": [%s{}]}' % ("{}," * 10_000),
            "jobs[10000]: expected at most 10000 jobs, found more, which are left out",
        ),
        (
            "Writer Report,,\n,4,8\n" + "64,1,2\n" * 20_000,
            "20001: expected a workbook with at most 20000 rows and 256 columns in ",
        ),
        (
            json.dumps({"results": [HYPERFINE | {"times": json.loads(nested(99))}]}),
            "1: expected JSON, found too many brackets in brackets",
        ),
    ],
    ids=lambda text: text[:24],
)
def test_what_many_runs_would_repeat_is_bounded(tmp_path, text, said):
    path = tmp_path / "a"
    path.write_text(text)
    try:
        found = read_file(path).problems
    except FsvizError as error:
        found = (error,)
    assert any(str(problem).startswith(f"{path}:{said}") for problem in found)


def test_names_that_would_fill_the_memory_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("fsviz.readers.impossible.ALL_NAMES", 3_000)
    path = tmp_path / "a"
    rows = [f"{name},read,{n} MiB/s\n" for name in ("a" * 1_001, "b") for n in (5, 6)]
    path.write_text("system,operation,value\n" + "".join(rows[1:]))
    assert len(read_file(path).runs) == 3
    path.write_text("system,operation,value\n" + "".join(rows + rows[:2]))
    reading = read_file(path)
    assert {run.system for run in reading.runs} == {"b"}
    assert str(reading.problems[0]) == (
        f"{path}:2: expected a system's name of at most 1000 characters, found 1001"
    )


END = struct.pack("<HH", 10, 0)


def record(code, data=b""):
    return struct.pack("<HH", code, len(data)) + data


def begin(kind):
    """Begin a stream of BIFF8."""
    return record(0x809, struct.pack("<HHHHII", 0x600, kind, 0x1000, 0x7CC, 0, 6))


def number(row, column):
    return record(0x203, struct.pack("<HHHd", row, column, 0, 1.0))


def shown(row, column):
    """A cell that shows the first of the shared texts."""
    return record(0xFD, struct.pack("<HHHI", row, column, 0, 0))


def xls(cells, sheets=1, text=b""):
    """Sheets that all lie at one place of the file."""
    head = begin(5) + record(0x42, struct.pack("<H", 1200))
    shared = record(0xFC, struct.pack("<IIHB", 1, 1, len(text), 0) + text)
    names = [b"%04d" % n for n in range(sheets)]
    place = len(head) + len(shared) + sheets * 16 + len(END)
    entries = (struct.pack("<IHBB", place, 0, 4, 0) + name for name in names)
    listed = b"".join(record(0x85, entry) for entry in entries)
    return ole(head + listed + shared + END + begin(16) + b"".join(cells) + END)


def ole(stream):
    """Put a stream into a compound file, behind its tables and its directory."""
    size, free, last = 512, 0xFFFFFFFF, 0xFFFFFFFE
    stream = stream.ljust(4096, b"\0")
    count = -(-len(stream) // size)
    tables = -(-(count + 2) // 126)
    first = tables + 1
    chain = [*range(first + 1, first + count), last]
    table = [*[0xFFFFFFFD] * tables, last, *chain]
    table += [free] * (tables * 128 - len(table))
    header = bytes.fromhex("d0cf11e0a1b11ae1") + bytes(16)
    header += struct.pack("<5H6x", 0x3E, 3, 0xFFFE, 9, 6)
    header += struct.pack("<9I", 0, tables, tables, 0, 4096, last, 0, last, 0)
    used = [*range(tables), *[free] * (109 - tables)]
    entries = (("Root Entry", 5, 1, last, 0), ("Workbook", 2, free, first, len(stream)))
    directory = b""
    for name, kind, child, start, length in entries:
        text = name.encode("utf-16-le") + bytes(2)
        links = struct.pack("<HBB3I", len(text), kind, 1, free, free, child)
        place = struct.pack("<36x3I", start, length, 0)
        directory += text.ljust(64, b"\0") + links + place
    parts = (
        header + struct.pack("<109I", *used),
        struct.pack(f"<{len(table)}I", *table),
        directory.ljust(size, b"\0"),
        stream.ljust(count * size, b"\0"),
    )
    return b"".join(parts)


ALL_CELLS = "expected a workbook with at most 500000 cells in all, found more"


@pytest.mark.parametrize(
    "cells,sheets,said",
    [
        ([number(4, 4)], 1, "1: expected IOzone's reports"),
        ([number(row, 255) for row in range(2000)], 1, f"0000!A1954: {ALL_CELLS}"),
        ([number(row, 255) for row in range(200)], 3000, f"0009!A154: {ALL_CELLS}"),
        ([number(0, 0)], 3000, "0100!A1: expected a workbook with at most 100 sheets"),
        ([number(20_000, 0)], 1, "0000!A20001: expected a workbook with at most 20000"),
    ],
)
def test_a_small_xls_that_stands_for_many_cells(tmp_path, cells, sheets, said):
    path = tmp_path / "a.xls"
    path.write_bytes(xls(cells, sheets))
    assert path.stat().st_size < 150_000
    with pytest.raises(FsvizError) as error:
        read_file(path)
    assert str(error.value).startswith(f"{path}:{said}")


def test_a_long_text_in_each_cell_of_an_xls_is_held_once(tmp_path):
    path = tmp_path / "a.xls"
    cells = [shown(row, column) for row in range(500) for column in range(16)]
    path.write_bytes(xls(cells, text=b" " + b"x" * 8000))
    tracemalloc.start()
    with pytest.raises(FsvizError, match="IOzone's reports"):
        read_file(path)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20e6


@pytest.mark.parametrize("sheets,said", [(2, "IOzone's reports"), (3, "100 cells")])
def test_empty_rows_count_as_cells(tmp_path, monkeypatch, sheets, said):
    monkeypatch.setattr("fsviz.readers.sheets.MOST_CELLS", 100)
    path = tmp_path / "a.xlsx"
    book = openpyxl.Workbook()
    for sheet in (book.active, *(book.create_sheet() for _ in range(sheets - 1))):
        sheet.cell(40, 1, 1)
    book.save(path)
    with pytest.raises(FsvizError, match=said):
        read_file(path)


def test_more_cells_than_are_read_in_columns_that_are_not(tmp_path, monkeypatch):
    monkeypatch.setattr("fsviz.readers.sheets.MOST_TAGS", 500)
    path = tmp_path / "a.xlsx"
    book = openpyxl.Workbook()
    book.active.append([None] * 300 + [1] * 300)
    book.save(path)
    with pytest.raises(FsvizError, match=f"a.xlsx:1: {ALL_CELLS}"):
        read_file(path)


@pytest.mark.parametrize("digits", [999, 1000, 5000])
def test_a_number_of_a_thousand_digits_is_none(tmp_path, digits):
    path = tmp_path / "a.txt"
    path.write_text("real\t0m1.200s\nuser\t0m0.1s\nsys\t0m0.1s\n# " + "9" * digits)
    if digits < 1000:
        assert len(read_file(path).runs) == 1
        return
    with pytest.raises(MalformedRowError, match=r"a.txt:4: expected numbers of fewer"):
        read_file(path)


def test_a_table_has_at_most_256_columns(tmp_path):
    path = tmp_path / "a.csv"
    for header in ("system,operation,value,unit", "system,time"):
        path.write_text(header + ",x" * 300 + "\nnfs,read,3,MB/s\n")
        with pytest.raises(MalformedRowError, match=r"a.csv:1: expected at most 256"):
            read_file(path)
