import re
from pathlib import Path

import pytest

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    TruncatedInputError,
)
from fsviz.readers.document import decode
from fsviz.readers.iozone.text import MINIMA, read_iozone

DATA = Path(__file__).parents[1] / "data" / "iozone"


def read(path):
    return read_iozone(decode(path.name, path.read_bytes()))


def read_text(text):
    return read_iozone(decode("t.txt", text.encode()))


def sample(stem):
    return next(DATA.glob(f"3.*/{stem}.txt"))


def by_line(cells):
    return {
        (int(place.removeprefix("line ")), metric): value
        for place, metric, value in zip(
            cells.locator, cells.metric, cells.value, strict=True
        )
    }


def test_a_minimum_above_the_mean_is_left_out():
    reading = read(sample("sigint_thr_R"))
    (run,) = reading.runs
    assert run.facts[MINIMA] == 2
    assert any(note.text.startswith("2 minima of processes") for note in reading.notes)
    first = by_line(run.cells)
    assert (34, "mean_child_throughput") in first
    assert (32, "min_child_throughput") not in first
    assert (35, "min_child_size") not in first
    assert (39, "min_child_throughput") in first


@pytest.mark.parametrize(
    "line,damaged,lost,said",
    [
        (36, "452480.50", {32, 36}, "expected 4521480.50, the mean of what line 32"),
        (32, "4521490.50", {32, 36}, "expected 4521490.50, the mean of what line 32"),
        (35, "452480.50", {35, 36}, "expected no less than in line 36"),
        (34, "4521482.50", {34, 35}, "expected no less than in line 34"),
    ],
    ids=["mean", "sum", "largest", "least"],
)
def test_numbers_that_contradict_one_another_are_named(line, damaged, lost, said):
    lines = sample("thr_l1u3_R_b").read_text().splitlines(keepends=True)
    whole = by_line(read_text("".join(lines)).runs[0].cells)
    assert "4521480.50" in lines[line - 1]
    lines[line - 1] = lines[line - 1].replace("4521480.50", damaged)
    reading = read_text("".join(lines))
    assert any(said in str(problem) for problem in reading.problems)
    left = by_line(reading.runs[0].cells)
    # the total of the block is also in the report at the end of the log
    assert {key: value for key, value in left.items() if key[0] < 100} == {
        key: value
        for key, value in whole.items()
        if key[0] not in lost and key[0] < 100
    }


@pytest.mark.parametrize("asked", ["-l 1 -u 3", "-t 0 -t 2 -t 3", ""])
def test_a_test_with_no_process_is_none(asked):
    text = sample("thr_l1u3_R_b").read_text()
    assert "-l 1 -u 3" in text
    text = text.replace("-l 1 -u 3", asked)
    text = text.replace("for  1 initial writers", "for  0 initial writers", 1)
    reading = read_text(text)
    assert any("'0 initial writers'" in str(problem) for problem in reading.problems)
    assert 0 not in reading.runs[0].cells.threads


def test_an_interrupted_run_keeps_its_blocks():
    reading = read(sample("sigint_thr_R"))
    (run,) = reading.runs
    assert not run.complete
    assert set(run.cells.operation) == {"write", "rewrite", "read", "reread"}
    assert [p.line for p in reading.problems] == [58]


def test_a_log_that_stops_is_not_complete():
    text = sample("thr_w").read_text()
    reading = read_text(text[: text.index("Parent sees")])
    assert not reading.runs[0].complete
    assert isinstance(reading.problems[0], TruncatedInputError)


def test_the_report_alone_is_read_without_the_number_of_processes():
    text = sample("thr_i8_R").read_text()
    report = text[text.index('"Throughput report') :]
    (run,) = read_text(report).runs
    printed = re.findall(r'^"[^"]+" ([\d.]+)', report, re.MULTILINE)
    values = [value / 1024 for value in run.cells.value]
    assert values == [float(number) for number in printed]
    assert set(run.cells.threads) == {None}


def test_blocks_without_a_banner():
    text = sample("thr_w").read_text()
    start = text.index("Children see")
    reading = read_text(text[start : text.index("iozone test complete")])
    (run,) = reading.runs
    assert set(run.cells.file_size_bytes) == {None}
    assert not run.complete
    assert reading.problems == ()


def test_two_excerpts_are_two_runs():
    text = sample("thr_w").read_text()
    excerpt = text[text.index("Each process") :]
    runs = read_text(excerpt + excerpt).runs
    assert len(runs) == 2
    assert runs[0].cells.value == runs[1].cells.value
    assert set(runs[1].cells.file_size_bytes) == {1024 * 1024}


def test_a_block_without_its_first_line_is_not_taken_for_the_one_above():
    text = sample("thr_t1t2t4_i02_R_b_cpu").read_text()
    place = text.index("Children see throughput for  2 rewriters")
    reading = read_text(text[:place] + "x" + text[place + 1 :])
    (problem,) = reading.problems
    assert isinstance(problem, MalformedRowError)
    line = text[:place].count("\n") + 1
    assert problem.line == line
    before = read_text(text).runs[0].cells
    after = reading.runs[0].cells
    gone = set(before.locator) - set(after.locator)
    assert gone == {f"line {n}" for n in range(line, line + 7)}
    assert set(after.locator) <= set(before.locator)


WRITERS = "\tChildren see throughput for  4 initial writers \t= {} kB/sec"
READERS = "\tChildren see throughput for  4 readers \t\t= {} kB/sec"


def test_blocks_under_another_command_are_another_run():
    lines = ("$ iozone -t 4 -i 0 -r 1k -s 1g", WRITERS.format(9000.5))
    again = ("", "$ iozone -I -t 4 -i 1 -r 64k -s 4g", READERS.format(5000.5))
    one, other = read_iozone(
        decode("t.md", "\n".join([*lines, *again, ""]).encode())
    ).runs
    assert one.cells.operation == ["write"]
    assert one.cells.record_size_bytes == [1024]
    assert other.cells.operation == ["read"]
    assert other.cells.record_size_bytes == [65536]
    assert other.cells.file_size_bytes == [4 * 1024**3]
    assert other.configuration.startswith("-I ")


def test_blocks_that_come_again_under_a_heading_are_another_run():
    first = ["NFS:", WRITERS.format(9000.5)]
    second = ["SMB:", WRITERS.format(7000.5), READERS.format(5000.5), ""]
    runs = read_iozone(decode("t.md", "\n".join(first + second).encode())).runs
    assert [run.system for run in runs] == ["NFS", "SMB"]
    assert [run.cells.value for run in runs] == [
        [9000.5 * 1024],
        [7000.5 * 1024, 5000.5 * 1024],
    ]
    # a line that was copied within a run is none
    reading = read_iozone(decode("t.md", "\n".join([first[1]] * 2 + [""]).encode()))
    assert len(reading.runs) == len(reading.problems) == 1


@pytest.mark.parametrize(
    "stem, old, new, error",
    [
        ("thr_w", "Max throughput", "Max [12.3] usb throughput", MalformedRowError),
        (
            *("thr_t1t2t4_i02_R_b_cpu", "10438066.50  ", "90438066.50  "),
            InconsistentDataError,
        ),
        ("cluster_t2_R_b", "for  2 readers", "for 12 readers", MalformedRowError),
        ("cluster_t2_R_b", "Child[1]", "Child[0]", MalformedRowError),
        ("thr_w", "in 16 kByte", "in 64 kByte", InconsistentDataError),
    ],
    ids=["broken", "report", "processes", "child", "size"],
)
def test_a_damaged_line_is_named(stem, old, new, error):
    text = sample(stem).read_text()
    reading = read_text(text.replace(old, new, 1))
    (problem,) = reading.problems
    assert isinstance(problem, error)
    assert problem.line == text[: text.index(old)].count("\n") + 1
    cells = reading.runs[0].cells
    assert new != "in 64 kByte" or set(cells.record_size_bytes) == {None}
    assert new != "for 12 readers" or "read" not in cells.operation
