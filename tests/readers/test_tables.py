"""Tables of one's own."""

import json

import openpyxl
import pytest
from campaigns_made import iozone, put
from program import run as command

import fsviz
from fsviz.model.errors import MalformedRowError, ParseError, UnknownFormatError
from fsviz.readers.formats import explanation, read_file


def example():
    text = explanation("table").split("::\n\n")[1].split("\n\n")[0]
    return "\n".join(line.strip() for line in text.splitlines()) + "\n"


def test_the_example_that_the_explanation_prints_works(tmp_path):
    put(tmp_path, {"own.csv": example()})
    frame = fsviz.read(tmp_path / "own.csv")
    rows = frame.set_index(["system", "repeat"])["value"].to_dict()
    mib = 2**20
    assert rows == {
        ("nfs-v4.1", 1): 112.5 * mib,
        ("nfs-v4.1", 2): 111.9 * mib,
        ("smb-3.1.1", 1): 98.4 * mib,
        ("smb-3.1.1", 2): 97.8 * mib,
    }
    assert set(frame["file_size_bytes"]) == {64 * mib}
    assert set(frame["record_size_bytes"]) == {mib}
    done = command("compare", tmp_path / "own.csv", "--format", "json")
    row = json.loads(done.stdout)[0]
    assert (row["n_baseline"], row["n_candidate"]) == (2, 2)


@pytest.mark.parametrize("unit", ["Mb/s", "Gb/s", "kb/s", "Kb/s"])
@pytest.mark.parametrize("where", ["title", "column", "cell"])
def test_bits_and_bytes_are_not_taken_for_each_other(tmp_path, unit, where):
    """They were read as bytes, eight times as much."""
    title = f" ({unit})" if where == "title" else ""
    column = unit if where == "column" else ""
    cell = f" {unit}" if where == "cell" else ""
    text = f"system,operation,value{title},unit\na,read,100{cell},{column}\n"
    put(tmp_path, {"o.csv": text})
    wanted = f"{unit[0]}bit/s or {unit[0]}B/s instead of '{unit}', which may be either"
    with pytest.raises(MalformedRowError, match=wanted):
        read_file(tmp_path / "o.csv")


@pytest.mark.parametrize("unit,si", [("MB/s", "1,000,000"), ("kB/s", "1,000")])
def test_a_unit_with_two_meanings_is_the_si_s_and_that_is_said(tmp_path, unit, si):
    put(tmp_path, {"o.csv": f"system,operation,value,unit\na,read,100,{unit}\n"})
    reading = read_file(tmp_path / "o.csv")
    factor, cells = float(si.replace(",", "")), reading.runs[0].cells
    assert cells.value == [100 * factor]
    assert (cells.low, cells.high) == ([99.5 * factor], [100.5 * factor])
    (note,) = reading.notes
    binary = {"MB/s": "1,048,576", "kB/s": "1,024"}[unit]
    assert str(note) == (
        f"{tmp_path}/o.csv:2: note: {unit} is read as {si} B/s, as the SI defines it; "
        f"where {binary} is meant, write {unit[0]}iB/s"
    )


def test_a_unit_in_the_header_makes_no_second_table_of_one(tmp_path):
    put(tmp_path, {"o.csv": "system,operation,value [MiB/s]\na,read,100\n"})
    reading = read_file(tmp_path / "o.csv")
    assert reading.notes == ()
    assert reading.runs[0].cells.value == [100 * 2**20]


@pytest.mark.parametrize("form", ["csv", "xlsx"])
def test_three_decimals_where_no_comma_can_stand_before_decimals(tmp_path, form):
    rows = [["system", "operation", "value", "unit"], ["a", "read", 102.576, "MiB/s"]]
    if form == "csv":
        put(tmp_path, {"o.csv": "".join(",".join(map(str, r)) + "\n" for r in rows)})
    else:
        book = openpyxl.Workbook()
        for row in rows:
            book.active.append(row)
        book.save(tmp_path / "o.xlsx")
    frame = fsviz.read(tmp_path / f"o.{form}")
    assert frame["value"].tolist() == [102.576 * 2**20]
    assert frame["locator"].tolist() == ["line 2" if form == "csv" else "Sheet!A2"]


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_what_fsviz_wrote_is_no_source(tmp_path, form):
    (tmp_path / "a.txt").write_text(iozone(1))
    table = tmp_path / f"t.{form}"
    done = command("read", tmp_path / "a.txt", "--format", form, "-o", table)
    assert done.returncode == 0
    with pytest.raises(UnknownFormatError, match="name the files that a tool wrote"):
        read_file(table)


def _read_text(tmp_path, text):
    path = tmp_path / "t.csv"
    path.write_text(text)
    reading = read_file(path)
    cells = [
        (run.system, value / MIB, place)
        for run in reading.runs
        for value, place in zip(run.cells.value, run.cells.locator, strict=True)
    ]
    return cells, [problem.line for problem in reading.problems]


HEADER = "system,operation,file size,value,unit\n"
MIB = 1024**2


def test_a_table_beside_the_output_of_a_tool_is_read(tmp_path):
    table = f"{HEADER}a,write,1 MiB,120,MiB/s\n\n"
    own, none = _read_text(tmp_path, table + iozone(1))
    assert none == []
    assert len(own) == 1 + 36
    assert ("a", 120, "line 2") in own


def test_a_table_says_itself_which_system_it_is_of(tmp_path):
    head, *rows = example().splitlines()
    by_system = {"one": rows[:2], "other": rows[2:]}
    for name, own in by_system.items():
        put(tmp_path / "camp", {f"{name}/t.csv": "\n".join([head, *own, ""])})
    names = ["nfs-v4.1", "smb-3.1.1"]
    alone = fsviz.load(tmp_path / "camp/one/t.csv")
    assert list(alone.systems["system"]) == names[:1]
    assert set(fsviz.read(tmp_path / "camp/one/t.csv")["system"]) == set(names[:1])
    assert list(fsviz.load(tmp_path / "camp").systems["system"]) == names
    # a label that somebody gives counts more
    labelled = fsviz.load(f"mine={tmp_path}/camp/one/t.csv")
    assert list(labelled.systems["system"]) == ["mine"]


def test_systems_of_several_tables_are_the_same_systems(tmp_path):
    head, *rows = example().splitlines()
    for n in (1, 2):
        own = [row[:-1] + str(n) for row in (rows[0], rows[2])]
        put(tmp_path, {f"round{n}.csv": "\n".join([head, *own, ""])})
    found = fsviz.load([str(tmp_path / f"round{n}.csv") for n in (1, 2)])
    assert list(found.systems["system"]) == ["nfs-v4.1", "smb-3.1.1"]


OWN = "system,operation,file size,record size,value (MiB/s){}\n" + "".join(
    f"{system},read,64 MiB,1 MiB,{speed + n}{{}}\n"
    for system, speed in (("nfs", 112), ("smb", 78))
    for n in (0.1, 0.2, 0.3)
)


@pytest.mark.slow
def test_nobody_is_named_for_a_table_that_names_no_tool(tmp_path):
    """Headlines and pages called it IOzone's."""
    named = OWN.format(",tool", *[",IOzone"] * 6)
    put(tmp_path, {"own.csv": OWN.format(*[""] * 7), "named.csv": named})
    said = command("compare", tmp_path / "own.csv").stdout
    assert "own table  smb  1.4× slower" in said
    assert "iozone" not in said.lower()
    told = command("check", tmp_path / "own.csv").stdout
    assert "-n 16m" not in told
    assert "flags (nfs and smb)" in " ".join(told.split())
    said = command("compare", tmp_path / "named.csv").stdout
    assert "IOzone  smb  1.4× slower" in said


def test_powers_of_ten_are_numbers_of_so_many_digits(tmp_path):
    # as %g of awk and R writes what is 1000 or more
    rows = ["1.383e+03", "2.019E3", "1.2e+3", "743.5"]
    lines = [f"a,read,{row},MiB/s,{n}" for n, row in enumerate(rows, 1)]
    put(
        tmp_path, {"own.csv": "\n".join(["system,operation,value,unit,repeat", *lines])}
    )
    reading = read_file(tmp_path / "own.csv")
    assert not reading.problems
    frame = fsviz.read(tmp_path / "own.csv").sort_values("repeat")
    mib = 2**20
    assert [v / mib for v in frame["value"]] == [1383.0, 2019.0, 1200.0, 743.5]
    ends = frame[["low", "high"]].to_numpy() / mib
    assert ends.tolist() == [
        *([1382.5, 1383.5], [2018.5, 2019.5], [1150.0, 1250.0], [743.45, 743.55])
    ]


def test_powers_of_ten_tell_the_decimal_sign(tmp_path):
    put(tmp_path, {"own.csv": "system;operation;value (MiB/s)\na;read;1,383e3\n"})
    (value,) = fsviz.read(tmp_path / "own.csv")["value"]
    assert value == 1383 * 2**20


def test_a_metric_is_one_that_the_unit_allows(tmp_path):
    head = "system,operation,value,unit,metric\n"
    put(tmp_path, {"own.csv": head + "a,read,1.5,ms,latency_p99\n"})
    (row,) = fsviz.read(tmp_path / "own.csv").to_dict("records")
    assert (row["metric"], row["value"]) == ("latency_p99", 0.0015)
    put(tmp_path, {"own.csv": head + "a,read,1.5,MiB/s,latency_p99\n"})
    with pytest.raises(MalformedRowError, match="a metric of this unit") as caught:
        fsviz.load(tmp_path)
    assert "throughput" in str(caught.value)


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
    assert [(r.system, r.cells.value, r.cells.locator) for r in reading.runs] == (
        [("a", [1.0], ["line 4"]), ("b", [2.0], ["line 7"]), ("c", [3.5], ["line 11"])]
    )
    assert reading.problems == ()
    with pytest.raises(ParseError, match="expected a row with a number, found none"):
        table("system,operation,value,unit\n", tmp_path)
    with pytest.raises(ParseError, match="expected a row with a number, found none"):
        table("system,operation,value,unit\na,read,n/a,B/s\n", tmp_path)


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


def test_a_tool_must_be_known(tmp_path):
    text = "system,operation,value,unit,tool\na,read,1,MiB/s,dc\n"
    with pytest.raises(ParseError, match="expected one of the tools iozone, bonnie"):
        table(text, tmp_path)
