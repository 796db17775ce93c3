"""Readers at their edges: columns of a table, ways to quote, options, cut consoles."""

from __future__ import annotations

import math

import pytest

from fsviz.model.errors import ParseError
from fsviz.readers.document import Document, decode, without_prefix
from fsviz.readers.formats import read_file
from fsviz.readers.iozone.options import parse_options
from fsviz.readers.rsync.commands import configuration_of, is_copy, is_rsync

MIB = 2**20
NO_UNIT = "a unit: in the title, as in value (MiB/s), or in a column unit"


def table(text, tmp_path, name="own.csv"):
    (tmp_path / name).write_text(text)
    return read_file(tmp_path / name)


def rows_of(reading):
    return [
        (run.system, run.tool, *row)
        for run in reading.runs
        for row in zip(
            *(run.cells.operation, run.cells.metric, run.cells.value),
            *(run.cells.file_size_bytes, run.cells.record_size_bytes),
            *(run.cells.threads, run.cells.locator),
            strict=True,
        )
    ]


# Tables of one's own


@pytest.mark.parametrize(
    "operation, unit, tool",
    [
        ("random seeks", "op/s", "bonnie++"),
        ("Sequential-Stat", "op/s", "bonnie++"),
        ("transfer", "s", "table"),
        ("mixed random read", "op/s", "table"),
        ("read", "MiB/s", "table"),
    ],
)
def test_a_table_without_a_tool_is_no_tools_but_where_only_one_has_the_word(
    tmp_path, operation, unit, tool
):
    text = f"system,operation,value,unit\na,{operation},5,{unit}\n"
    (row,) = rows_of(table(text, tmp_path))
    assert (row[0], row[1]) == ("a", tool)
    assert row[2] == operation.lower().replace(" ", "_").replace("-", "_")
    named = f"system,operation,value,unit,tool\na,{operation},5,{unit},FIO\n"
    assert rows_of(table(named, tmp_path))[0][1] == "fio"


def test_sizes_threads_and_metrics_of_a_table(tmp_path):
    head = "System,Operation,Size (MiB),Record_size_bytes,Value,Unit,Threads,Metric\n"
    text = (
        f"{head}a,read,2,4096,5,MiB/s,3,\na,read,4 KiB,8k,5,ms,,latency\n"
        "a,read,,,7,ms,,\na,read,,,90,%,,cpu\n"
    )
    assert rows_of(table(text, tmp_path)) == [
        ("a", "table", "read", "throughput", 5 * MIB, 2 * MIB, 4096, 3, "line 2"),
        ("a", "table", "read", "latency", 0.005, 4096, 8192, 1, "line 3"),
        ("a", "table", "read", "elapsed", 0.007, None, None, 1, "line 4"),
        ("a", "table", "read", "cpu", 90.0, None, None, 1, "line 5"),
    ]


@pytest.mark.parametrize(
    "row, expected",
    [
        (",read,1,MiB/s,,,1", "a system and an operation of fsviz"),
        ("a,fly,1,MiB/s,,,1", "a system and an operation of fsviz"),
        ("a,read,1,MiB/s,big,,1", "a size such as 64 MiB"),
        ("a,read,1,MiB/s,64k,1e99x,1", "a size such as 64 MiB"),
        ("a,read,1,MiB/s,,,two", "a number of threads"),
        ("a,read,1,MiB/s,,,1234567890123456", "a number of threads"),
        ("a,read,1,,,,1", NO_UNIT),
    ],
)
def test_a_row_of_a_table_that_cannot_be_used(tmp_path, row, expected):
    head = "system,operation,value,unit,file size,record size,threads\n"
    reading = table(f"{head}{row}\nb,read,2,MiB/s,,,1\n", tmp_path)
    assert [run.system for run in reading.runs] == ["b"]
    (problem,) = reading.problems
    assert (problem.line, problem.expected) == (2, expected)
    assert problem.found == repr(row)


def test_a_metric_must_have_its_unit_and_a_tool_be_known(tmp_path):
    text = (
        "system,operation,value,unit,metric\na,read,1,MiB/s,latency\nb,read,1,s,cpu\n"
    )
    with pytest.raises(ParseError, match=":2: expected a metric of this unit"):
        table(text, tmp_path)
    text = "system,operation,value,unit,tool\na,read,1,MiB/s,dc\n"
    with pytest.raises(ParseError, match="expected one of the tools iozone, bonnie"):
        table(text, tmp_path)


def test_repeats_are_numbered_as_they_come_or_as_they_are_named(tmp_path):
    head = "system,operation,file size,value,unit"
    rows = [("a", "64k", 1), ("a", "64k", 2), ("a", "128k", 3), ("b", "64k", 4)]
    text = head + "\n" + "".join(f"{s},read,{f},{v},B/s\n" for s, f, v in rows)
    runs = table(text, tmp_path).runs
    assert [(r.system, r.cells.value) for r in runs] == [
        *[("a", [1.0, 3.0]), ("a", [2.0]), ("b", [4.0])]
    ]
    named = (
        f"{head},repeat\na,read,64k,1,B/s,7\na,read,128k,2,B/s,7\na,read,64k,3,B/s,7\n"
    )
    reading = table(named, tmp_path)
    assert [r.cells.value for r in reading.runs] == [[1.0, 2.0]]
    (problem,) = reading.problems
    assert str(problem.line) == "4"
    assert problem.expected == "one number for this cell in repeat 7"


def test_bounds_and_means_of_a_table(tmp_path):
    head = "system,operation,value (MiB/s),low,high,n,std\n"
    text = f"{head}a,read,5,4.5,,,\nb,read,7,,8,3,1\n"
    one, mean = table(text, tmp_path).runs
    assert (one.cells.low, one.cells.high) == ([4.5 * MIB], [5.5 * MIB])
    assert (one.facts, one.note) == ({}, "")
    assert (mean.cells.low, mean.cells.high) == ([6.5 * MIB], [8.0 * MIB])
    assert mean.facts == {"stands_for": "mean", "n": "3", "std": "1"}
    assert mean.note == "means of runs that are not here"
    assert one.configuration == mean.configuration == "a table"


def test_several_tables_of_one_file_and_text_between_them(tmp_path):
    text = (
        "Notes\n\nsystem,operation,value,unit\na,read,1,B/s\n# a remark\n\n"
        "b,read,2,B/s\nand so on, it went\n\n"
        "system;operation;value;unit\nc;read;3,5;B/s\n"
    )
    reading = table(text, tmp_path)
    assert [(r.system, r.cells.value, r.cells.locator) for r in reading.runs] == [
        ("a", [1.0], ["line 4"]),
        ("b", [2.0], ["line 7"]),
        ("c", [3.5], ["line 11"]),
    ]
    assert reading.problems == ()
    with pytest.raises(ParseError, match="expected a row with a number, found none"):
        table("system,operation,value,unit\n", tmp_path)
    with pytest.raises(ParseError, match="expected a row with a number, found none"):
        table("system,operation,value,unit\na,read,n/a,B/s\n", tmp_path)


# What others put around a text

LOG = "\n".join(["\tiozone -a", "", "     kB  reclen", "     64       4", "done."] * 8)


def document(text):
    return Document("t.txt", text, "", text.split("\n"))


@pytest.mark.parametrize(
    "quoted",
    [
        "\n".join(f"> {line}" for line in LOG.split("\n")),
        "He wrote:\n" + "\n".join(f"> {line}" for line in LOG.split("\n")) + "\nBye",
        "\n".join(f"<pre>{line}</pre>" for line in LOG.split("\n")),
        LOG.replace("\n", "=0A=\n").replace("=0A=\n", "\n").replace("done.", "do=\nne.")
        + "\nx=3D1",
    ],
)
def test_text_and_lines_say_the_same_after_unquoting(quoted):
    plain = without_prefix(document(quoted))
    assert plain.text == "\n".join(plain.lines)
    assert "     kB  reclen" in plain.lines
    assert plain.text != quoted


def test_what_is_not_quoted_is_the_document_itself():
    for text in (LOG, "> one sign\nand a line\n", "a < b\nc > d\n", "x=\ny=\n"):
        own = document(text)
        assert without_prefix(own) is own


@pytest.mark.parametrize("marked, taken", [(2, False), (3, True)])
def test_so_many_lines_are_a_quote(marked, taken):
    lines = ["He wrote:", *["> x"] * marked, *["plain"] * 9]
    plain = without_prefix(document("\n".join(lines))).lines
    assert (plain[1] == "x") is taken


def test_a_joined_line_of_a_mail_stands_where_it_begins():
    text = "a =3D b=\n c\nnext=20\nlast="
    assert without_prefix(document(text)).lines == ["a = b c", "", "next ", "last"]


@pytest.mark.parametrize(
    "data, text",
    [
        (b"\xef\xbb\xbfabc", "abc"),
        (b"\xff\xfea\0b\0c\0", "abc"),
        (b"\xfe\xff\0a\0b\0c", "abc"),
        (b"a\0b\0c\0\n\0", "abc\n"),
        (b"\0a\0b\0c\0\n", "abc\n"),
        (b"caf\xe9", "café"),
        (b"", ""),
    ],
)
def test_encodings_by_mark_and_by_sight(data, text):
    assert decode("t.txt", data).text == text


@pytest.mark.parametrize(
    "data, line, said",
    [
        (b"one\ntw\0o\n", 2, "text, found a NUL byte"),
        (b"\xff\xfea\0\n\0\x00\xd8", 2, "utf-16"),
    ],
)
def test_bytes_that_are_no_text_are_named_by_their_line(data, line, said):
    with pytest.raises(ParseError, match=said) as told:
        decode("t.txt", data)
    assert told.value.line == line


# Options of IOzone


@pytest.mark.parametrize(
    "line, files, operands",
    [
        ("iozone -t 3 -F /m/a /m/b /m/c", ["/m/a", "/m/b", "/m/c"], ()),
        ("iozone -F /m/a /m/b -t 2 -s 1m", ["/m/a", "/m/b"], ()),
        ("iozone -f /m/a", ["/m/a"], ()),
        ("iozone -f /m/a -F /m/b /m/c", ["/m/a", "/m/b", "/m/c"], ()),
        ("iozone -a /m/a", [], ("/m/a",)),
    ],
)
def test_every_file_of_the_options_is_known(line, files, operands):
    options = parse_options(line)
    named = [*options.values.get("f", ()), *options.values.get("F", ())]
    assert named == files
    assert options.operands == operands


# Commands of copies


@pytest.mark.parametrize(
    "command, configuration",
    [
        ("sudo -u me nice rsync -a s/ d/", "rsync -a"),
        ("time rsync -a s/ d/", "rsync -a"),
        ("sudo", ""),
        ("", ""),
        ("env rsync --bwlimit 500 s d", "rsync --bwlimit=500"),
        ("rsync --bwlimit /x d", "rsync --bwlimit"),
        ("rsync -a 'unclosed s/ d/", "rsync -a"),
        ("/opt/rsync-3.2.7 -z --log-file=/tmp/x s d", "rsync-3.2.7 -z --log-file"),
        ("cp -a s d", "cp -a"),
    ],
)
def test_what_two_repeats_of_a_command_have_in_common(command, configuration):
    assert configuration_of(command) == configuration


@pytest.mark.parametrize(
    "command, rsync, copy",
    [
        ("rsync -a s d", True, True),
        ("sudo ./backup.sh", True, True),
        ("sudo cp -a s d", False, True),
        ("/bin/cp s d", False, True),
        ("sudo", False, False),
        ("-x", False, False),
        ("sleep 1", False, False),
    ],
)
def test_which_commands_copy(command, rsync, copy):
    assert (is_rsync(command), is_copy(command)) == (rsync, copy)


# Consoles that end too soon

BASH = ["real\t0m1.250s", "user\t0m0.100s", "sys\t0m0.010s", ""]


@pytest.mark.parametrize("end, cpu", [(1, False), (2, False), (3, True), (4, True)])
def test_a_time_of_the_shell_cut_after_each_line(tmp_path, end, cpu):
    path = tmp_path / "t.time.txt"
    path.write_text("\n".join(BASH[:end]))
    (run,) = read_file(path).runs
    found = dict(zip(run.cells.metric, run.cells.value, strict=True))
    assert found["elapsed"] == 1.25
    assert ("cpu" in found) is cpu
    if cpu:
        assert found["cpu"] == pytest.approx(100 * 0.11 / 1.25)


def test_two_times_are_two_runs_whatever_stands_between(tmp_path):
    path = tmp_path / "t.txt"
    path.write_text("\n".join([*BASH[:3], *BASH[:3], "", *BASH]))
    runs = read_file(path).runs
    assert [run.cells.locator[0] for run in runs] == ["line 1", "line 4", "line 8"]
    assert all(not math.isnan(run.cells.value[0]) for run in runs)


def test_a_table_may_have_a_column_a_metric(tmp_path):
    """As people write it: what is left empty was not measured."""
    reading = table(
        "system,operation,run,bs,throughput (MiB/s),latency (ms),IOPS\n"
        "a,read,1,4k,10,2,2560\n"
        "a,read,2,4k,11,,2600\n",
        tmp_path,
    )
    assert not reading.problems
    told = [row[2:6] + row[7:] for row in rows_of(reading)]
    assert told == [
        ("read", "throughput", 10 * MIB, None, 1, "line 2"),
        ("read", "latency", 0.002, None, 1, "line 2"),
        ("read", "rate", 2560.0, None, 1, "line 2"),
        ("read", "throughput", 11 * MIB, None, 1, "line 3"),
        ("read", "rate", 2600.0, None, 1, "line 3"),
    ]
    assert {row[6] for row in rows_of(reading)} == {4096}


@pytest.mark.parametrize(
    "head, row, said",
    [
        ("throughput", "10", NO_UNIT),
        # whose bounds would these be?
        (
            "throughput (MiB/s),latency (ms),low",
            "10,2,9",
            "one column of numbers beside",
        ),
    ],
)
def test_a_column_a_metric_that_tells_too_little_is_refused(tmp_path, head, row, said):
    with pytest.raises(ParseError) as caught:
        table(f"system,operation,{head}\na,read,{row}\n", tmp_path)
    assert said in caught.value.expected


def test_a_sheet_may_have_a_column_a_metric(tmp_path):
    import openpyxl

    book = openpyxl.Workbook()
    book.active.append(["system", "operation", "throughput [MB/s]", "IOPS"])
    book.active.append(["a", "read", 10, 2441])
    book.save(tmp_path / "own.xlsx")
    told = [row[3:5] for row in rows_of(read_file(tmp_path / "own.xlsx"))]
    assert told == [("throughput", 10e6), ("rate", 2441.0)]


def test_a_swept_setting_beside_a_column_a_metric_is_no_repeat(tmp_path):
    """The numbers of another metric told the rows of one cell apart."""
    reading = table(
        "system,operation,iodepth,throughput (MiB/s),IOPS\n"
        "a,read,1,10,2560\na,read,8,20,5120\na,fly,1,10,2560\n",
        tmp_path,
    )
    (run,) = reading.runs
    assert run.cells.setting == ["iodepth=1"] * 2 + ["iodepth=8"] * 2
    # and each is said once, not once a metric
    assert [note.line for note in reading.notes] == ["2"]
    assert [problem.line for problem in reading.problems] == [4]
