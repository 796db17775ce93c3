"""diskspd's text: of the Linux port as it is, of Windows in the same shape."""

import re

import pytest

from fsviz.model.errors import ParseError
from fsviz.model.units import MIB
from fsviz.readers.formats import read_file

LINUX = "tests/data/diskspd/linux"

HEADER = (
    "thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s "
    "|  AvgLat  | LatStdDev |  file"
)
EACH = "  6291456000 |        24000 |      99.98 |     399.93 |   40.005 |     1.172"
ALL = " 12582912000 |        48000 |     199.97 |     799.87 |   40.005 |     1.172"
NONE = "           0 |            0 |       0.00 |       0.00 |    0.000 |       N/A"


def table(way, each, whole):
    rows = [f"{thread:6} |    {each} | D:\\a.dat (2GiB)" for thread in (0, 1)]
    line = "-" * 101
    lines = [f"{way} IO", HEADER, line, *rows, line, f"total:      {whole}", ""]
    return "\n".join(lines)


WINDOWS = """
Command Line: diskspd.exe -b256K -t2 -w0 -o16 -Sh -d60 -L D:\\a.dat

Input parameters:

\ttimespan:   1
\t-------------
\tduration: 60s
\twarm up time: 5s
\tcool down time: 0s
\tmeasuring latency
\trandom seed: 0
\tpath: 'D:\\a.dat'
\t\tthink time: 0ms
\t\tburst size: 0
\t\tsoftware cache disabled
\t\thardware write cache disabled, writethrough on
\t\tperforming read test
\t\tblock size: 256KiB
\t\tusing interlocked sequential I/O (stride: 256KiB)
\t\tnumber of outstanding I/O operations per thread: 16
\t\tthreads per file: 2
\t\tIO priority: normal

System information:

\tcomputer name: LAB-7
\tstart time: 2024/03/25 08:38:12 UTC

Results for timespan 1:
*******************************************************************************

actual test time:\t60.01s
thread count:\t\t2

CPU |  Usage |  User  | Kernel |  Idle
----------------------------------------
   0|  25.42%|   0.55%|  24.87%|  74.58%
   1|  13.00%|   0.45%|  12.55%|  87.00%
----------------------------------------
avg.|  19.21%|   0.50%|  18.71%|  80.79%

TABLES

Latency distribution: D:\\a.dat
  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
   50th |     11.000 |        N/A |     11.000

Total latency distribution:
  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
    min |      0.086 |        N/A |      0.086
   50th |     39.214 |        N/A |     39.214
   95th |     42.513 |        N/A |     42.513
   99th |     47.406 |        N/A |     47.406
3-nines |     64.938 |        N/A |     64.938
    max |     98.058 |        N/A |     98.058
""".replace(
    "TABLES",
    "\n".join(
        table(way, each, whole)
        for way, each, whole in (
            ("Total", EACH, ALL),
            ("Read", EACH, ALL),
            ("Write", NONE, NONE),
        )
    ),
)


def read(text, tmp_path):
    path = tmp_path / "lab.txt"
    path.write_text(text)
    return read_file(path)


def numbers(run):
    cells = run.cells
    pairs = zip(cells.operation, cells.metric, strict=True)
    return dict(zip(pairs, cells.value, strict=True))


def test_bytes_over_time_are_the_speed_that_is_read(root):
    for name, seconds in (("mixed", 3), ("write", 2)):
        path = root / LINUX / f"{name}.txt"
        read_now = numbers(read_file(path).runs[0])
        totals = [
            [int(text) for text in re.findall(r"\d+", line)[:2]]
            for line in path.read_text().splitlines()
            if line.startswith("total:")
        ]
        kind = "mixed_random_" if name == "mixed" else ""
        for way, (moved, operations) in zip(("read", "write"), totals[1:], strict=True):
            if not moved:
                assert (f"{kind}{way}", "rate") not in read_now
                continue
            speed = read_now[f"{kind}{way}", "throughput"]
            assert speed == pytest.approx(moved / seconds, abs=0.005 * MIB)
            rate = read_now[f"{kind}{way}", "rate"]
            assert rate == pytest.approx(operations / seconds, abs=0.005)


def test_windows_is_read_as_a_person_does(tmp_path):
    (run,) = read(WINDOWS, tmp_path).runs
    assert numbers(run) == {
        ("read", "throughput"): pytest.approx(199.97 * MIB),
        ("read", "rate"): 799.87,
        ("read", "latency"): pytest.approx(0.040005),
        ("read", "latency_p50"): pytest.approx(0.039214),
        ("read", "latency_p95"): pytest.approx(0.042513),
        ("read", "latency_p99"): pytest.approx(0.047406),
        ("read", "latency_p99_9"): pytest.approx(0.064938),
        ("read", "cpu"): 19.21,
    }
    assert set(run.cells.setting) == {"iodepth=16"}
    assert set(run.cells.record_size_bytes) == {256 * 1024}
    assert set(run.cells.file_size_bytes) == {2 * 1024 * MIB}
    assert (run.host, run.started) == ("LAB-7", "2024-03-25T08:38:12")
    assert "writethrough on" in run.configuration


def test_the_megabytes_of_old_versions_are_mebibytes_too(tmp_path):
    old = WINDOWS.replace("   MiB/s   |", "    MB/s   |").replace("GiB)", "GB)")
    old = old.replace("256KiB", "262144").replace("operations per thread", "operations")
    now, before = (read(text, tmp_path).runs[0] for text in (WINDOWS, old))
    assert now.cells == before.cells


def test_two_commands_in_a_file_are_two_runs(tmp_path):
    second = WINDOWS.replace("using interlocked sequential", "using random")
    runs = read(WINDOWS + second, tmp_path).runs
    assert [set(run.cells.operation) for run in runs] == [{"read"}, {"random_read"}]


def test_two_timespans_are_two_runs(tmp_path):
    command, inputs, results = re.split("(?=\ttimespan|Results for)", WINDOWS)
    second = inputs.replace("timespan:   1", "timespan:   2").partition("System")[0]
    second = second.replace("per thread: 16", "per thread: 32")
    first, system = inputs.split("System information")
    text = command + first + second + "System information" + system + results
    text += results.replace("timespan 1", "timespan 2")
    runs = read(text, tmp_path).runs
    assert [set(r.cells.setting) for r in runs] == [{"iodepth=16"}, {"iodepth=32"}]
    assert {run.host for run in runs} == {"LAB-7"}


@pytest.mark.parametrize(
    "before, after, message",
    [
        (
            "|     199.97 |",
            "|     299.97 |",
            "expected 199.97 MiB/s, as bytes and time",
        ),
        ("|     799.87 |", "|      799,8 |", "expected I/O per s, found '799,8'"),
        ("interlocked sequential", "mixed random/sequential", "all I/O is random"),
        ("|        48000 |", "|            0 |", "expected totals of reads or writes"),
    ],
)
def test_what_cannot_be_is_refused_with_its_line(tmp_path, before, after, message):
    with pytest.raises(ParseError, match=message):
        read(WINDOWS.replace(before, after), tmp_path)


def test_tables_alone_do_not_say_where_they_read(tmp_path):
    with pytest.raises(ParseError, match="all I/O is random, or sequential"):
        read(WINDOWS[WINDOWS.index("Total IO") :], tmp_path)


@pytest.mark.parametrize(
    "options, place",
    [
        ("-b4K -r -t2 -w0 -o4", ("random_read", 4096, "iodepth=4")),
        ("-r4K -b8K -o1 -w30", ("mixed_random_read", 8192, "rwmixread=70")),
        ("-t2 -si8b -o16", ("read", None, "iodepth=16")),
        ("/s64K /b64K", ("read", 65536, "")),
        ("-rs50 -b4K -o4", None),
        ("-b4K -o4 -R", None),
    ],
)
def test_without_input_parameters_the_command_says_what_was_done(
    tmp_path, options, place
):
    results = WINDOWS[WINDOWS.index("Results for") :]
    text = f"Command Line: diskspd.exe -c2G {options} D:\\a.dat\n\n{results}"
    if place is None:
        with pytest.raises(ParseError, match="all I/O is random, or sequential"):
            read(text, tmp_path)
        return
    cells = read(text, tmp_path).runs[0].cells
    assert (cells.operation[0], cells.record_size_bytes[0], cells.setting[0]) == place


def test_xml_is_refused_in_words(tmp_path):
    with pytest.raises(ParseError, match="without -Rxml, found its XML"):
        read("<Results>\n  <System>\n  </System>\n</Results>\n", tmp_path)
