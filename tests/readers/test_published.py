"""Tables of published timings, as CSV, TSV and Markdown."""

import math

import pytest

from fsviz.model.errors import (
    AmbiguousValueError,
    MalformedRowError,
    TruncatedInputError,
    UnknownFormatError,
)
from fsviz.readers.document import decode
from fsviz.readers.formats import read_document, read_file
from fsviz.readers.tables.rows import read_tables

NAN = math.nan
ROWS = [
    ["System", "Time (s)", "Warm time", "Write (MiB/s)", "Note"],
    ["NFS v3", "32-35", "~3", "80", ""],
    ["SMB 3.1.1", "<1", "DNF", "n/a", "mounted without signing"],
    ["ext4", "3.2", "0.9 s", "1.5 GiB/s", ""],
]


def as_text(separator):
    if separator != "|":
        return "\n".join(separator.join(row) for row in ROWS) + "\n"
    lines = ["| " + " | ".join(row) + " |" for row in ROWS]
    return "\n".join([lines[0], "|---|---:|---:|:--|---|", *lines[1:], "", "the end"])


def read_text(text):
    return read_tables(decode("t.txt", text.encode()))


def flat(runs):
    return {
        (
            r.system,
            r.tool,
            r.cells.setting[i],
            r.cells.operation[i],
            r.cells.metric[i],
        ): (r.cells.value[i], r.cells.low[i], r.cells.high[i])
        for r in runs
        for i in range(len(r.cells))
    }


MIB = 1024**2
EXPECTED = {
    ("NFS v3", "rsync", "", "transfer", "elapsed"): (NAN, 32, 35),
    ("NFS v3", "rsync", "step=warm", "transfer", "elapsed"): (3, NAN, NAN),
    ("NFS v3", "table", "", "write", "throughput"): (80 * MIB, 79.5 * MIB, 80.5 * MIB),
    ("SMB 3.1.1", "rsync", "", "transfer", "elapsed"): (NAN, 0, 1),
    ("ext4", "rsync", "", "transfer", "elapsed"): (3.2, 3.15, 3.25),
    ("ext4", "rsync", "step=warm", "transfer", "elapsed"): (0.9, 0.85, 0.95),
    ("ext4", "table", "", "write", "throughput"): (
        1536 * MIB,
        1.45 * 1024 * MIB,
        1.55 * 1024 * MIB,
    ),
}


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_every_form_of_table(separator, tmp_path):
    path = tmp_path / "table"
    path.write_text(as_text(separator))
    reading = read_file(path)
    assert not reading.problems
    found = flat(reading.runs)
    assert found.keys() == EXPECTED.keys()
    for key, numbers in EXPECTED.items():
        assert found[key] == pytest.approx(numbers, nan_ok=True), key
    assert len({run.identity for run in reading.runs}) == len(reading.runs)


def test_what_is_kept_beside_the_numbers():
    runs = read_text("# doi:10.1000/1, table 2\n" + as_text(",")).runs
    smb = next(run for run in runs if run.system == "SMB 3.1.1")
    assert smb.facts == {"Note": "mounted without signing"}
    assert set(smb.cells.locator) == {"line 4"}


@pytest.mark.parametrize(
    "text",
    [
        "system,tool,operation,metric,bucket,n_runs\nnfs,iozone,write,rate2,all,3\n",
        "campaign,system,tool,run\na,b,c,d\n",
        "name,time\nnfs,3\n",
        "the file system and the time it takes\n",
        "system,notes\nnfs,3\n",
    ],
)
def test_other_files_are_not_tables_of_timings(text, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text)
    with pytest.raises(UnknownFormatError):
        read_file(path)


@pytest.mark.parametrize(
    "body,error,line",
    [
        ("nfs,fast\n", MalformedRowError, 2),
        ("nfs,1:02\n", MalformedRowError, 2),
        ('nfs,"1,234"\n', AmbiguousValueError, 1),
        ("nfs,3,4\n", TruncatedInputError, 2),
        ("nfs,32 MiB/s\n", MalformedRowError, 2),
        ("", MalformedRowError, 1),
    ],
)
def test_refused(body, error, line):
    with pytest.raises(error) as caught:
        read_text("system,time\n" + body)
    assert caught.value.line == line


def test_a_bad_cell_does_not_take_the_good_ones_with_it():
    text = as_text(",").replace("32-35", "35-32")
    reading = read_text(text)
    found = flat(reading.runs)
    assert len(found) == len(EXPECTED) - 1
    assert [problem.line for problem in reading.problems] == [2]


def test_a_share_of_a_processor_alone_is_no_timing():
    text = "Label,Phase,IOPS,CPU,Service\n,WRITE,33568,12,\n,WRITE,20495,6,\n"
    with pytest.raises(MalformedRowError, match="a system"):
        read_text(text)


@pytest.mark.parametrize("title", ["seconds", "time", "elapsed (s)", "Seconds"])
def test_a_column_of_seconds_needs_no_other_name(title):
    rows = ("nfs-sync,41-44", "nfs-async,5", "smb,6.5–8", "local,<2", "gluster,~30")
    text = "\n".join([f"protocol,{title}", *rows, ""])
    runs = read_document(decode("t.csv", text.encode())).runs
    bounds = [(run.system, run.cells.low[0], run.cells.high[0]) for run in runs]
    assert bounds[:4] == [
        ("nfs-sync", 41, 44),
        ("nfs-async", 4.5, 5.5),
        ("smb", 6.5, 8),
        ("local", 0, 2),
    ]
    assert runs[4].cells.value == [30]
    assert {run.cells.metric[0] for run in runs} == {"elapsed"}


@pytest.mark.parametrize(
    "unit, factor",
    [("Mbps", 125_000), ("Gbps", 125_000_000), ("Mbit/s", 125_000), ("kbps", 125)],
)
def test_bits_a_second_are_an_eighth_of_a_byte(unit, factor):
    for text in (f"system,read ({unit})\nnfs,80\n", f"system,read {unit}\nnfs,80\n"):
        (run,) = read_document(decode("t.csv", text.encode())).runs
        assert run.cells.value == [80 * factor]
    text = f"system,operation,value,unit\nnfs,read,80,{unit}\n"
    (run,) = read_document(decode("t.csv", text.encode())).runs
    assert run.cells.value == [80 * factor]


def test_a_capital_b_is_a_byte():
    text = "system,operation,value,unit\nnfs,read,80,MBps\n"
    (run,) = read_document(decode("t.csv", text.encode())).runs
    assert run.cells.value == [80_000_000]
    (run,) = read_document(decode("t.csv", b"system,read (MBps)\nnfs,80\n")).runs
    assert (run.cells.low, run.cells.high) == ([79.5e6], [80.5e6])
