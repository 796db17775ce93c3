"""Tables, headings and sheets as people write them: whose number is this?

Each kind has been seen in public; what stands here is rebuilt. ``CASES`` are inputs
beside the project, which are read where they are.
"""

from __future__ import annotations

import re
import zipfile
from itertools import product
from pathlib import Path

import openpyxl
import pytest
from campaigns_made import iozone
from each import each

from fsviz.model.errors import FsvizError, ParseError
from fsviz.readers.formats import read_file
from fsviz.readers.labels import systems_above

CASES = Path(__file__).parents[3] / "shared" / "cases4"
MIB = 2**20


def read_text(tmp_path, text, name="a.txt"):
    (tmp_path / name).write_text(text)
    return read_file(tmp_path / name)


def systems(reading):
    """Count the runs of each system, in the order of the file."""
    counts: dict[str, int] = {}
    for run in reading.runs:
        counts[run.system] = counts.get(run.system, 0) + 1
    return counts


def numbers(reading, factor=1.0):
    """List what each number is of, and the number in a unit."""
    return [
        (run.system, *row[:-1], row[-1] / factor)
        for run in reading.runs
        for row in zip(
            run.cells.operation,
            run.cells.file_size_bytes,
            run.cells.record_size_bytes,
            run.cells.value,
            strict=True,
        )
    ]


def case(name):
    if not CASES.exists():
        pytest.skip("the cases are not here")
    return read_file(CASES / name)


# The cases


def test_case_12_a_converter_s_rows_of_an_old_version():
    runs = case("12/min.txt").runs
    rates = [
        {
            operation: value
            for operation, metric, value in zip(
                run.cells.operation, run.cells.metric, run.cells.value, strict=True
            )
            if metric in ("throughput", "rate") and value == value
        }
        for run in runs
    ]
    kib = [[rates[k][f"sequential_{n}"] / 1024 for k in (0, 1)] for n in BLOCKS]
    assert kib == [[26895, 26636], [10177, 9849], [25450, 25920]]
    others = [[rates[k][name] for k in (0, 1)] for name in FILES]
    assert others == [
        *([145.5, 146.4], [340, 267], [16450, 12301], [340, 240], [1861, 1339])
    ]
    assert all("chunk=32768" in run.configuration for run in runs)


BLOCKS = ("output_block", "output_rewrite", "input_block")
FILES = (
    *("random_seeks", "sequential_create", "sequential_delete"),
    *("random_create", "random_delete"),
)


def test_case_13_a_header_with_lines_drawn_between_its_words():
    rows = numbers(case("13/min.txt"), 1024)
    assert rows == numbers(case("13/fixed.txt"), 1024)
    assert len(rows) == 30
    writes = [(row[3] // MIB, row[4]) for row in rows if row[1] == "write"]
    assert writes == [
        *((1, 2891087), (2, 3285530), (4, 3509246), (8, 3455400), (16, 3438511))
    ]


def test_a_sum_of_both_directions_in_a_text(tmp_path):
    with pytest.raises(ParseError, match="found their sum alone"):
        read_text(tmp_path, FIO.format(1, 1).replace("  read:", "  mixed:"))


def test_the_time_of_fish(tmp_path):
    text = (
        "> time rsync -a /src/ /dst/\n\nExecuted in   17.66 secs    fish    external\n"
        "   usr time    2.40 secs  420.00 micros    2.40 secs\n"
        "   sys time  710.00 millis  120.00 micros    7.17 secs\n"
    )
    (run,) = read_text(tmp_path, text).runs
    assert run.cells.value == pytest.approx([17.66, 100 * 3.11 / 17.66])


# Headings of other kinds, above other tools, with other counts of repeats

TIMED = "$ time rsync -a /src/ /dst/\n\nreal\t0m{}s\nuser\t0m1.000s\nsys\t0m0.500s\n"
DD = "1073741824 bytes (1.1 GB, 1.0 GiB) copied, {:.1f} s, {:.0f} MB/s\n"
FIO = (
    "job: (g=0): rw=read, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "
    "ioengine=psync, iodepth=1\nfio-3.33\nStarting 1 process\n\n"
    "job: (groupid=0, jobs=1): err= 0: pid={}: Wed Oct  9 00:30:{:02d} 2024\n"
    "  read: IOPS=7334, BW=28.7MiB/s (30.0MB/s)(1719MiB/60003msec)\n"
    "    lat (usec): min=9, max=99, avg=20.00, stdev= 1.00\n\n"
)
HEADINGS = {
    "markdown": "## {}\n\n",
    "deeper": "# Results\n\n### {}\n\n",
    "underlined": "{}\n----\n\n",
    "framed": "== {} ==\n",
    "page": "<h2>{}</h2>\n",
    "inside": "<p>Results <h2><a id='x'>{}</a></h2></p>\n",
    "forum": "[size=4][b]{}[/b][/size]\n",
    "emphasis": "*{}*\n",
    "numbered": "2) {}\n",
    "restructured": "{}\n~~~~\n",
    "label": "{}:\n",
    "path": "Testing /mnt/{}/share\n",
}


def outputs(tool, n):
    if tool == "iozone":
        return iozone(n)
    if tool == "rsync":
        return TIMED.format(f"{10 + n}.125")
    return DD.format(8 + n, 1073.741824 / (8 + n)) if tool == "dd" else FIO.format(n, n)


@each(product(HEADINGS, ["iozone", "rsync", "dd", "fio"]))
def test_a_heading_names_until_the_next(log, tmp_path):
    kind, tool = log
    names = [f"/mnt/{n}/share" if kind == "path" else n for n in ("NFS", "SMB")]
    for repeats in (1, 3):
        text = ""
        for k, name in enumerate(("NFS", "SMB")):
            text += HEADINGS[kind].format(name)
            text += "\n".join(outputs(tool, 4 * k + n) for n in range(repeats)) + "\n"
        assert systems(read_text(tmp_path, text)) == dict.fromkeys(names, repeats)


def test_ordinals_are_the_numbers_of_repeats(tmp_path):
    headings = ("First run", "Second run", "3rd run")
    runs = [f"## {name}\n{outputs('dd', n)}" for n, name in enumerate(headings)]
    assert systems(read_text(tmp_path, "".join(runs))) == {"": 3}


def test_headings_of_repeats_are_none_and_deeper_ones_are_named_with_theirs(tmp_path):
    text = "".join(
        f"## {name}\n{outputs('dd', 9 * k)}### run 1\n{outputs('dd', 9 * k + 1)}"
        f"### run 2\n{outputs('dd', 9 * k + 2)}"
        for k, name in enumerate(("NFS", "SMB"))
    )
    assert systems(read_text(tmp_path, text)) == {"NFS": 3, "SMB": 3}
    text = text.replace("run 1", "cold").replace("run 2", "warm")
    found = systems(read_text(tmp_path, text))
    assert list(found)[:3] == ["NFS", "NFS cold", "NFS warm"]
    assert set(found.values()) == {1}
    for signs, line in (("###", "----"), ("##", "====")):
        text = re.sub(rf"^{signs} (.+)$", rf"\1\n{line}", text, flags=re.MULTILINE)
    assert systems(read_text(tmp_path, text)) == found


def test_prompts_and_cd_name_where_nothing_else_does(tmp_path):
    text = "".join(
        f"me@box:~$ cd /mnt/{name}\nme@box:/mnt/{name}$ dd if=/dev/zero of=t bs=1M\n"
        + outputs("dd", n)
        for n, name in enumerate(("nfs", "nfs", "smb"))
    )
    assert systems(read_text(tmp_path, text)) == {"/mnt/nfs": 2, "/mnt/smb": 1}


@pytest.mark.parametrize(
    "first, second",
    [
        ("-b res/a.xls", ""),
        ("-Rb res/a.xls", "-Rb out/b.xls"),
        ("> log/1.txt", "> other/2.txt"),
        ("| tee res/1", ""),
    ],
)
def test_what_a_command_writes_beside_names_no_system(tmp_path, first, second):
    made = [iozone(n) for n in (1, 2)]
    line = re.compile(r"(Command line used: .*)")
    text = "\n".join(
        line.sub(rf"\1 -f /mnt/t/x {end}", one)
        for one, end in zip(made, (first, second), strict=True)
    )
    assert systems(read_text(tmp_path, text)) == {"": 2}


# Tables

PLAIN = [
    ["System", "File size (MiB)", "Record size (KiB)", "Write (MiB/s)", "Read (MiB/s)"],
    ["nfs", "64", "64", "40.5", "101"],
    ["nfs", "256", "64", "44", "104"],
    ["smb", "64", "64", "20", "51"],
    ["smb", "256", "64", "22", "53.5"],
]
WANTED = [
    (row[0], operation, int(row[1]) * MIB, 64 * 1024, float(row[at]))
    for row in PLAIN[1:]
    for at, operation in ((3, "write"), (4, "read"))
]


def as_page(rows):
    cells = ["".join(f"<td>{cell}</td>" for cell in row) for row in rows]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>\n"


def as_text(rows, form):
    if form == "page":
        return as_page(rows)
    if form == "markdown":
        lines = ["| " + " | ".join(row) + " |" for row in rows]
        return "\n".join([lines[0], "|---" * len(rows[0]) + "|", *lines[1:], ""])
    if form == "comma":
        rows = [[cell.replace(".", ",") for cell in row] for row in rows]
        return "\n".join(";".join(row) for row in rows) + "\n"
    sign = {"csv": ",", "tsv": "\t", "semicolons": ";"}[form]
    return "\n".join(sign.join(f'"{cell}"' for cell in row) for row in rows) + "\n"


def as_ods(path, sheets):
    """Write the least that is an OpenDocument spreadsheet."""
    tables = "".join(
        f'<table:table table:name="{name}">'
        + "".join(
            "<table:table-row>"
            + "".join(
                f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>"
                for cell in row
            )
            + "</table:table-row>"
            for row in rows
        )
        + "</table:table>"
        for name, rows in sheets.items()
    )
    names = " ".join(
        f'xmlns:{n}="urn:oasis:names:tc:opendocument:xmlns:{n}:1.0"'
        for n in ("office", "table", "text")
    )
    with zipfile.ZipFile(path, "w") as archive:
        kind = "application/vnd.oasis.opendocument.spreadsheet"
        archive.writestr("mimetype", kind)
        archive.writestr(
            "content.xml", f"<office:document {names}>{tables}</office:document>"
        )


def as_xlsx(path, sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


@pytest.mark.parametrize(
    "form", ["csv", "tsv", "semicolons", "comma", "markdown", "page", "xlsx", "ods"]
)
def test_a_table_in_every_form(tmp_path, form):
    if form in ("xlsx", "ods"):
        path = tmp_path / f"a.{form}"
        (as_ods if form == "ods" else as_xlsx)(path, {"Sheet1": PLAIN})
        reading = read_file(path)
    else:
        reading = read_text(tmp_path, as_text(PLAIN, form))
    assert sorted(numbers(reading, MIB)) == sorted(WANTED)
    assert systems(reading) == {"nfs": 1, "smb": 1}
    assert not reading.problems


@pytest.mark.parametrize("write", [as_ods, as_xlsx])
def test_sheets_name_systems_where_no_column_does(tmp_path, write):
    rows = [["operation", "value (MiB/s)"], ["read", "10"], ["write", "5"]]
    write(tmp_path / "a", {"NFS": rows, "SMB": rows, "notes": [["none"]]})
    assert systems(read_file(tmp_path / "a")) == {"NFS": 1, "SMB": 1}
    write(tmp_path / "b", {"Tabelle1": rows, "Tabelle2": rows})
    assert systems(read_file(tmp_path / "b")) == {"": 2}


WIDE = {
    "IOPS;BASE;PATCHED\nrandom read;253k;261k\nrandom write;99k;98k\n": 1000,
    "| | BASE | PATCHED |\n|--|--|--|\n| randread (IOPS) | 253k | 261k |\n"
    "| rand. write (IOPS) | 99k | 98k |\n": 1000,
    "test,BASE (MB/s),PATCHED (MB/s),change\nrandom read,253,261,3%\n"
    "random write,99,98,-1%\n": 1e6,
    "Results (MiB/s):\n\n|Test|BASE|PATCHED|\n|--|--|--|\n|Random Read|253|261|\n"
    "|Random Write|99|98|\n": MIB,
    "workload,BASE,PATCHED\nrandom read,253 MiB/s,261 MiB/s\n"
    "random write,99 MiB/s,98 MiB/s\n": MIB,
}


@pytest.mark.parametrize("text, unit", WIDE.items())
def test_one_column_a_system(tmp_path, text, unit):
    reading = read_text(tmp_path, text)
    assert not reading.problems
    assert [(row[0], row[1], row[-1]) for row in numbers(reading, unit)] == [
        ("BASE", "random_read", 253),
        ("BASE", "random_write", 99),
        ("PATCHED", "random_read", 261),
        ("PATCHED", "random_write", 98),
    ]


def test_operations_as_people_call_them(tmp_path):
    text = (
        "system,Seq. read MB/s,Sequential Write (MB/s),4k random read (IOPS)\na,1,2,3\n"
    )
    reading = read_text(tmp_path, text)
    assert [(row[1], row[3], row[4]) for row in numbers(reading)] == (
        [("read", None, 1e6), ("write", None, 2e6), ("random_read", 4096, 3)]
    )
    (note,) = reading.notes
    assert "MB/s is read as 1,000,000 B/s, as the SI defines it" in note.text


def test_columns_of_runs_are_repeats(tmp_path):
    text = "system,operation,run 1 (MiB/s),run 2 (MiB/s)\na,read,5,6\nb,read,7,8\n"
    reading = read_text(tmp_path, text)
    assert systems(reading) == {"a": 2, "b": 2}
    assert sorted(row[-1] for row in numbers(reading, MIB)) == [5, 6, 7, 8]


def test_headings_above_tables_are_operations_or_settings(tmp_path):
    table = "| System | MiB/s |\n|---|---|\n| nfs | {} |\n| smb | {} |\n\n"
    text = f"## Sequential read\n\n{table.format(9, 8)}## Random write\n\n"
    reading = read_text(tmp_path, text + table.format(2, 1))
    assert [row[:2] for row in numbers(reading)] == [
        *(("nfs", "read"), ("nfs", "random_write")),
        *(("smb", "read"), ("smb", "random_write")),
    ]
    table = table.replace("MiB/s", "read MiB/s")
    text = f"## 1 GbE\n\n{table.format(9, 8)}## 10 GbE\n\n{table.format(2, 1)}"
    reading = read_text(tmp_path, text)
    assert systems(reading) == {"nfs": 1, "smb": 1}
    assert reading.runs[0].cells.setting == ["1 GbE", "10 GbE"]


SHAPES = {
    # a storage of any title, with thousands and a k
    "| Storage | Seq Read (MB/s) | 4k Rand Write IOPS |\n|---|---|---|\n"
    "| Ceph | 1,820 | 12k |\n| NFS | 112.5 | 2.1k |\n": {
        ("Ceph", "read", "throughput", ""): 1.82e9,
        ("Ceph", "random_write", "rate", ""): 12e3,
        ("NFS", "read", "throughput", ""): 112.5e6,
        ("NFS", "random_write", "rate", ""): 2100,
    },
    "Test,Units,EXT4,XFS\nFlexible IO Tester - Random Read,IOPS,253000,249000\n": {
        ("EXT4", "random_read", "rate", ""): 253e3,
        ("XFS", "random_read", "rate", ""): 249e3,
    },
    "system,workload,IOPS,lat avg (ms),p99 (ms)\nnfs,randread,12000,2.5,9.5\n": {
        ("nfs", "random_read", "rate", ""): 12e3,
        ("nfs", "random_read", "latency", ""): 0.0025,
        ("nfs", "random_read", "latency_p99", ""): 0.0095,
    },
    # what a test did not do is no 0 of another
    "kernel,test,read_iops,write_iops\n5.10,randread,253,0\n6.1,randread,261,0\n": {
        ("5.10", "random_read", "rate", ""): 253,
        ("6.1", "random_read", "rate", ""): 261,
    },
    "system,write MB/s,cpu %\nnfs,98,12\n": {
        ("nfs", "write", "throughput", ""): 98e6,
        ("nfs", "write", "cpu", ""): 12,
    },
    f"<h2>1 GbE</h2>{as_page(WANTED_PAGE := [['Share', 'Read (MiB/s)'], ['a', '9']])}"
    f"<h2>10 GbE</h2>{as_page([WANTED_PAGE[0], ['a', '11']])}": {
        ("a", "read", "throughput", "1 GbE"): 9 * MIB,
        ("a", "read", "throughput", "10 GbE"): 11 * MIB,
    },
    "| Protocol | Copy time |\n|---|---|\n| NFS | 1 min 2 s |\n": {
        ("NFS", "transfer", "elapsed", "step=copy"): 62
    },
}


@pytest.mark.parametrize("text, wanted", SHAPES.items())
def test_shapes_of_published_tables(tmp_path, text, wanted):
    reading = read_text(tmp_path, text)
    cells = {
        (run.system, operation, metric, setting): value
        for run in reading.runs
        for operation, metric, setting, value in zip(
            *(run.cells.operation, run.cells.metric, run.cells.setting),
            run.cells.value,
            strict=True,
        )
    }
    assert cells == pytest.approx(wanted)
    assert not reading.problems


def test_an_average_beside_its_runs_is_no_run(tmp_path):
    text = "system,operation,run 1,run 2,average\na,write (MiB/s),5,7,6\n"
    reading = read_text(tmp_path, text)
    assert [row[-1] for row in numbers(reading, MIB)] == [5, 7]


def test_no_column_that_varies_is_dropped(tmp_path):
    # shared by the systems: a setting
    text = "system,cache,read MiB/s\nnfs,on,9\nnfs,off,5\nsmb,on,8\nsmb,off,4\n"
    (nfs, _) = read_text(tmp_path, text).runs
    assert nfs.cells.setting == ["cache=on", "cache=off"]
    # of each system: a remark
    text = "system,version,read MiB/s\nnfs,4.2,9\nsmb,3.1.1,8\n"
    (nfs, _) = read_text(tmp_path, text).runs
    assert (nfs.cells.setting, nfs.facts) == ([""], {"version": "4.2"})
    # a number of nobody knows what
    with pytest.raises(ParseError, match=r":1: expected 'seek \(ms\)' in the column"):
        read_text(tmp_path, "system,read MB/s,seek (ms)\nnfs,9,1\nsmb,8,2\n")
    # neither: nobody knows what it is
    text = "system,room,read MiB/s\nnfs,1,9\nnfs,2,5\nsmb,3,8\nsmb,4,4\n"
    with pytest.raises(ParseError, match=r":1: expected 'room' in the column of"):
        read_text(tmp_path, text)


@pytest.mark.parametrize(
    "text, change",
    [
        ("system,IOPS\nnfs,9\n", "an operation in the title, as in read IOPS"),
        ("system,read\nnfs,9\n", "a unit: in the title"),
        ("system,read MiB/s\nnfs,1,5\n", "2 cells, with quotes"),
        ("system,read (MiB/s),read (GiB/s)\nnfs,1,2\n", "another title than"),
        ("system;read MiB/s\nnfs;1,234\n", "whose decimal sign is known"),
    ],
)
def test_a_refusal_names_the_one_change(tmp_path, text, change):
    with pytest.raises(FsvizError) as caught:
        read_text(tmp_path, text)
    assert change in caught.value.expected


def test_a_published_table_beside_output_is_named_and_not_counted(tmp_path):
    table = "| System | Read (MiB/s) |\n|---|---|\n| nfs | 9 |\n\n"
    reading = read_text(tmp_path, table + iozone(1))
    assert {run.tool for run in reading.runs} == {"iozone"}
    assert [str(note.line) for note in reading.notes] == ["1"]


# Bad input

INPUTS = {
    "plain.csv": as_text(PLAIN, "csv"),
    "plain.md": as_text(PLAIN, "markdown"),
    "page.html": as_page(PLAIN),
    "wide.csv": "IOPS;BASE;PATCHED\nrandom read;253k;261k\nrandom write;99k;98k\n",
    "timed.md": "".join(
        f"## {name}\n{TIMED.format(n)}" for name, n in (("NFS", 9.125), ("SMB", 8.25))
    ),
    "dd.txt": "".join(f"== {n} ==\n{outputs('dd', k)}" for k, n in enumerate("ab")),
}


def damaged(text):
    """Cut a text at ten places, swap two columns, and put a NUL into it."""
    for part in range(1, 11):
        yield text[: len(text) * part // 11]
    yield "\n".join(
        re.sub(r"^([^,;]+)([,;])([^,;]+)", r"\3\2\1", line) for line in text.split("\n")
    )
    yield text[:40] + "\0" + text[40:]


def refused(path):
    """Read a file; where it is refused, say how, which must be one line."""
    try:
        return read_file(path), ""
    except FsvizError as error:
        return None, str(error)


@pytest.mark.parametrize("name", INPUTS)
def test_damage_gives_one_line_and_nothing_false(tmp_path, name):
    values = {row[-1] for row in numbers(read_text(tmp_path, INPUTS[name], name))}
    for text in damaged(INPUTS[name]):
        (tmp_path / name).write_bytes(text.encode())
        reading, refusal = refused(tmp_path / name)
        assert "\n" not in refusal
        assert "fault of fsviz" not in refusal
        if reading is None:
            continue
        false = {
            run.cells.locator[at]
            for run in reading.runs
            for at, value in enumerate(run.cells.value)
            if value not in values and value == value
        }
        # a number that is cut short stands at the end, and that is said
        said = {str(note.line) for note in (*reading.notes, *reading.problems)}
        last = str(len(text.split("\n")))
        assert not false or (false == {f"line {last}"} and last in said), text


NAMES = [
    str(path.relative_to(CASES))
    for path in sorted(CASES.rglob("*.*") if CASES.exists() else ())
    if path.name not in ("expected.txt", "README.md")
]


@pytest.mark.skipif(not CASES.exists(), reason="the cases are not here")
@each(NAMES)
def test_damage_of_the_cases_gives_one_line(name, tmp_path):
    data = (CASES / name).read_bytes()
    parts = [data[: len(data) * part // 11] for part in range(1, 11)]
    for content in (*parts, data[:60] + b"\0" + data[60:]):
        path = tmp_path / Path(name).name
        path.write_bytes(content)
        reading, refusal = refused(path)
        problems = reading.problems if reading is not None else ()
        for text in (refusal, *map(str, problems)):
            assert "\n" not in text
            assert "fault of fsviz" not in text


@pytest.mark.parametrize(
    "text,line,expected,found",
    [
        (
            ",Read,,Write,\nSystem,4k,1M,4k,1M\nNFS,1,2,3,4\n",
            *(1, "one row of titles", "two rows"),
        ),
        (
            "Protocol,NFS,SMB\nRead (MB/s),112,98\nWrite (MB/s),105,91\n",
            *(1, "operation above the operations", "'Protocol'"),
        ),
        (
            "# Copies\n\n| | NFS | SMB |\n|---|---|---|\n| 1st run | 3m12s | 4m02s |\n",
            *(3, "an operation of fsviz in each row", "'1st run'"),
        ),
        (
            "Protocol  Read   Write\nNFS   112 MB/s  105 MB/s\nSMB   9 MB/s   9 MB/s",
            *(1, "commas, tabs or bars", "blanks between 'Protocol'"),
        ),
        (
            "| Storage | Read | Write |\n|---|---|---|\n| gp3 | 125 MB/s | 9 MB/s |\n",
            *(1, "the title system", "'Storage', 'Read', 'Write'"),
        ),
        (
            "Threads,ext4,xfs\n1,112,120\n2,220,233\n",
            *(1, "titles such as read (MB/s)", "'Threads', 'ext4'"),
        ),
    ],
)
def test_a_refused_table_is_told_what_would_do(tmp_path, text, line, expected, found):
    with pytest.raises(ParseError) as caught:
        read_text(tmp_path, text, "a.md")
    assert caught.value.line == line
    assert expected in caught.value.expected
    assert found in caught.value.found


def test_another_table_is_no_table_of_results(tmp_path):
    with pytest.raises(ParseError, match="one of the tools"):
        read_text(tmp_path, "folder,file,runs\na,b.txt,1\nc,d.txt,2\n", "a.csv")


@pytest.mark.parametrize("row", [1, 3])
def test_a_row_of_units_is_that_of_the_titles(tmp_path, row):
    lines = ["System,Read,Write", "NFS,112,105", "SMB,98,91"]
    lines.insert(row, "Unit,MiB/s,MiB/s")
    runs = read_text(tmp_path, "\n".join(lines) + "\n", "a.csv").runs
    values = {run.system: run.cells.value for run in runs}
    assert values == {"NFS": [112 * MIB, 105 * MIB], "SMB": [98 * MIB, 91 * MIB]}


def test_rows_of_sums_and_means_are_no_systems(tmp_path):
    text = "system,read MiB/s\nNFS,112\nSMB,98\n**Average**,105\n"
    reading = read_text(tmp_path, text, "a.csv")
    assert [run.system for run in reading.runs] == ["NFS", "SMB"]
    assert [int(note.line) for note in reading.notes] == [4]


def test_a_percentile_and_a_record_size_stand_anywhere_in_a_title(tmp_path):
    text = "system,operation,p99 lat\nNFS,Random 4K Read,3 ms\n"
    (run,) = read_text(tmp_path, text, "a.csv").runs
    assert (run.cells.operation, run.cells.metric) == (["random_read"], ["latency_p99"])
    assert (run.cells.record_size_bytes, run.cells.setting) == ([4096], [""])


def test_a_latency_is_of_the_one_operation_beside_it_and_of_no_copy(tmp_path):
    text = "system,write MB/s,p99 latency ms\nnfs,100,2\nsmb,80,3\n"
    rows = {row[1] for row in numbers(read_text(tmp_path, text, "a.csv"))}
    assert rows == {"write"}
    with pytest.raises(ParseError, match="an operation in the title"):
        read_text(tmp_path, "system,latency ms\nnfs,2\nsmb,3\n", "b.csv")


def test_a_workbook_that_is_no_table_is_told_what_would_do(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["system", "operation", "value (MB/s)"])
    book.active.append(["nfs", "write", "=50+50"])
    book.save(tmp_path / "a.xlsx")
    with pytest.raises(ParseError, match="formulas as their values"):
        read_file(tmp_path / "a.xlsx")
    book.active.delete_rows(1)
    book.save(tmp_path / "b.xlsx")
    with pytest.raises(ParseError, match="a table with one row of titles"):
        read_file(tmp_path / "b.xlsx")


def test_what_a_root_types_is_no_heading():
    lines = ["-- plain", "# dd if=a of=b", "1", "-- with snapshot"]
    lines += ["# lvcreate -L+50G -s -n snap /dev/vg1/a", "# dd if=a of=b", "2"]
    assert systems_above(lines, [3, 7]) == ["plain", "with snapshot"]
    # where nobody types behind it, it begins a heading
    lines = ["# ext4 on /dev/sda", "1", "# xfs on /dev/sda", "2"]
    assert systems_above(lines, [2, 4]) == ["ext4 on /dev/sda", "xfs on /dev/sda"]


def test_a_heading_may_be_long():
    long = "# NFS over 10 Gbit/s, Optane as SLOG, four disks, sync always, no atime" * 2
    assert systems_above(["# SMB", "1", long, "2"], [2, 4]) == ["SMB", long[2:]]
