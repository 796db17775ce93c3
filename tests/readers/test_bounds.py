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
ROOT = Path(__file__).parents[2]
LOG = "data/raw/loopback-2026/iozone/nfs-v3/rep1.txt"
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


def own_table(count):
    """Rows of one repeat each, then another row for the first three of them."""
    rows = [f"nfs,read,5,MiB/s,{n}\n" for n in count]
    more = [row.replace("read", "write") for row in rows[:3]]
    return "system,operation,value,unit,repeat\n" + "".join([*rows, *more])


def published(count):
    return "system,time (s)\n" + "".join(f"nfs{n},{n}\n" for n in count)


CLASSIC = """\
Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU
host      100  5263 97.6 40912 62.4 12034 38.1  6514 98.2 88211 70.5 412.5  9.2

"""
CONSOLE = """\
Version  1.96       ------Sequential Output------ --Sequential Input- --Random-
Concurrency   1     -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
Machine        Size K/sec %CP K/sec %CP K/sec %CP K/sec %CP K/sec %CP  /sec %CP
host             2G  3320  99 99999   9 99999   9  3320  99 99999   9 +++++ +++

"""


@pytest.mark.parametrize(
    "module,text,place",
    [
        ("generic", own_table, "5"),
        ("published.table", published, "5"),
        ("bonnie.classic", lambda count: CLASSIC * len(count), "10"),
        ("bonnie.console", lambda count: CONSOLE * len(count), "19"),
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


def test_runs_that_are_kept_get_all_of_their_rows(tmp_path, monkeypatch):
    monkeypatch.setattr("fsviz.readers.generic.MOST_RUNS", 3)
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
            "20001: expected a sheet of at most 20000 rows and 256 columns, found",
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
    monkeypatch.setattr("fsviz.readers.possible.ALL_NAMES", 3_000)
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


@pytest.mark.parametrize(
    "bound,most,said",
    [("MOST_ROWS", 3, "3 rows, found more"), ("LARGEST", 3, "3 bytes unpacked, found")],
)
def test_parquet_that_unpacks_to_much(tmp_path, monkeypatch, bound, most, said):
    path = tmp_path / "a.parquet"
    fsviz.read(ROOT / LOG).head(4).to_parquet(path)
    assert len(fsviz.read(path)) == 4
    monkeypatch.setattr(f"fsviz.readers.own.{bound}", most)
    with pytest.raises(FsvizError, match=f"a.parquet:1: expected at most {said}"):
        read_file(path)
