"""Damage that can be seen in a log is said: a complaint or a remark."""

import json
import re
from pathlib import Path

import pytest

from fsviz.model.errors import FsvizError
from fsviz.readers.document import decode, without_prefix
from fsviz.readers.formats import read_document, read_file

DATA = Path(__file__).parents[1] / "data"


def said_of(text):
    """What is said of a text, each with its line; the error where nothing is read."""
    try:
        reading = read_document(without_prefix(decode("t", text.encode())))
    except FsvizError as error:
        return [str(error)], []
    return [str(said) for said in (*reading.problems, *reading.notes)], reading.runs


def lines_of(name):
    return (DATA / name).read_text().split("\n")


CPU = "expected the last CPU use in three columns, found "


@pytest.mark.parametrize("rest", [["4"], []], ids=["wrapped", "cut"])
def test_a_row_of_bonnie_that_lost_a_digit_of_its_cpu_use(rest):
    lines = lines_of("bonnie/2.00a/s2g_D.err.txt")
    at = next(n for n, line in enumerate(lines) if line.endswith("6635 144"))
    lines[at : at + 1] = [lines[at][:-1], *rest]
    said, _ = said_of("\n".join(lines))
    assert said[0] == f"t:{at + 1}: {CPU}'6635 14'"


def test_a_row_of_bonnie_that_lost_its_last_tests():
    lines = lines_of("bonnie/1.96/v196_chunk.err.txt")
    lines[3] = lines[3][:39]
    said, (run,) = said_of("\n".join(lines))
    assert "t:4: expected a number of random_seeks, found the end of the row" in said
    assert not run.complete
    assert "sequential_output_block" in run.cells.operation


def test_latencies_of_bonnie_that_were_cut_off():
    lines = lines_of("bonnie/1.96/v196_chunk.err.txt")
    lines[4] = "Laten"
    said, _ = said_of("\n".join(lines))
    assert said == ["t:5: expected 6 latencies, one for each test that ran, found 0"]


@pytest.mark.parametrize(
    "log, line, named, left",
    [
        # a second row of either table: whose the file tests are is not known
        ("bonnie/1.03e/v103e_chunk.err.txt", 8, 5, {4}),
        ("bonnie/1.03e/v103e_chunk.err.txt", 4, 6, {4, 5}),
        ("time/gnu-1.9/gnu_time_v.err.txt", 5, 6, {5}),
        ("time/gnu-1.9/gnu_time_v.err.txt", 2, 3, {6}),
    ],
)
def test_a_line_that_stands_twice_makes_no_second_run_in_silence(
    log, line, named, left
):
    lines = lines_of(log)
    lines.insert(line, lines[line - 1])
    said, runs = said_of("\n".join(lines))
    assert [text.split(":")[1] for text in said] == [str(named)]
    assert {place for run in runs for place in run.cells.locator} == {
        f"line {number}" for number in left
    }


@pytest.mark.parametrize(
    "log, old, new",
    [
        ("bonnie/2.00a/s256_16k.out.txt", "256M:16k", "256M:26k"),
        ("bonnie/2.00a/s256_16k.out.txt", "256M:16k", "256M:16"),
        ("bonnie/1.96/v196_chunk.err.txt", "Concurrency   1 ", "Concurrency   15 "),
        ("iozone/3.489/thr_l1u3_R_b.txt", "= 5156624", "= \t156624"),
    ],
)
def test_one_character_that_nothing_prints_is_named(log, old, new):
    text = (DATA / log).read_text()
    assert old in text
    said, _ = said_of(text.replace(old, new, 1))
    # 2.00a garbles the file tests of its console, which is said in any case
    assert len(said) > len(said_of(text)[0])


@pytest.mark.parametrize("column", [12, 40, 60])
def test_a_row_of_several_that_was_wrapped(column):
    lines = lines_of("bonnie/1.03e/v103e_f_n0_x2.out.txt")
    lines[1:2] = [lines[1][:column], lines[1][column:]]
    said, _ = said_of("\n".join(lines))
    assert any(re.match("t:[23]: expected a row of bonnie", text) for text in said)


def test_a_row_without_the_latency_of_its_last_test():
    lines = lines_of("bonnie/2.00a/s64_n1.out.txt")
    at = next(n for n, line in enumerate(lines) if line.startswith("1.98,"))
    lines[at] = lines[at].rpartition(",")[0] + ","
    said, (run,) = said_of("\n".join(lines))
    assert f"t:{at + 1}: expected a latency of the last test, found none" in said
    assert not run.complete


def test_a_table_pulled_apart_that_alone_states_the_chunk():
    lines = lines_of("bonnie/2.00a/s256_16k.out.txt")
    lines[1:2] = ["", lines[1]]
    said, _ = said_of("\n".join(lines))
    assert said == [
        "t:2: note: this table is pulled apart: the chunk that it states is not known"
    ]


GRID = "iozone/3.489/auto_a.txt"
BLOCKS = "iozone/3.489/thr_noretest_R.txt"


def header_of(lines):
    return next(n for n, line in enumerate(lines) if "reclen" in line and "kB" in line)


def test_rows_of_another_run_below_a_command_line():
    one, other = lines_of("iozone/3.489/single_r4k_s1m.txt"), lines_of(GRID)
    command = next(n for n, line in enumerate(one) if "Command line used" in line)
    one[command] = one[command].replace("-s 1m", "-s 64m").replace("-r 4k", "-r 64k")
    head = header_of(one)
    text = "\n".join([*one[: head + 1], *other[header_of(other) + 1 :]])
    said, runs = said_of(text)
    (run,) = runs
    foreign = run.facts["foreign_sizes"]
    assert len(set(run.cells.locator)) > foreign > 0
    assert said[0].startswith(f"t:{head + 2}: note: {foreign} rows of this table")


@pytest.mark.parametrize("row", [0, 3, -1])
def test_a_row_deleted_from_a_grid(row):
    lines = lines_of(GRID)
    head = header_of(lines)
    rows = [
        n for n in range(head + 1, len(lines)) if re.match(r" +\d+ +\d+ +", lines[n])
    ]
    before, (whole,) = said_of("\n".join(lines))
    assert before == []
    del lines[rows[row]]
    said, (run,) = said_of("\n".join(lines))
    text = "1 of the sizes in the command line are not in this table"
    assert said == [f"t:{head + 2}: note: {text}"]
    assert len(run.cells) < len(whole.cells)


@pytest.mark.parametrize("log", [GRID, BLOCKS])
def test_a_stray_end_mark_makes_no_second_run_in_silence(log):
    lines, mark = lines_of(log), "iozone test complete."
    end = next(n for n, line in enumerate(lines) if line.startswith((mark, '"')))
    for at in range(30, end):
        said, _ = said_of("\n".join([*lines[:at], mark, *lines[at:]]))
        assert said or not re.search(r"\d", "".join(lines[at:end])), at


def test_a_line_deleted_from_a_block():
    lines = lines_of(BLOCKS)
    at = next(n for n, line in enumerate(lines) if "Min xfer" in line)
    block = next(n for n in range(at, 0, -1) if "Children see" in lines[n])
    del lines[at]
    said, _ = said_of("\n".join(lines))
    assert (
        f"t:{block + 1}: expected a whole block, found none of min_child_size" in said
    )


def test_a_row_deleted_from_a_report_of_cpu_use():
    lines = lines_of("iozone/3.507/v507_auto_cpu_R_b.txt")
    label = next(n for n, line in enumerate(lines) if "CPU utilization report" in line)
    del lines[label + 2]
    said, _ = said_of("\n".join(lines))
    expected = "a row for each file size in the report of write"
    assert said == [f"t:{label + 1}: expected {expected}, found none of 64 kB"]


ELAPSED = "\tElapsed (wall clock) time (h:mm:ss or m:ss): 0:06.8"


@pytest.mark.parametrize("digits", ["1", "16", "16,546", "16,546,880"])
def test_an_amount_of_rsync_cut_off(digits):
    lines = lines_of("rsync/3.5.0/stats.out.txt")
    at = next(n for n, line in enumerate(lines) if line.startswith("Total transferred"))
    lines[at] = f"Total transferred file size: {digits}"
    said, _ = said_of("\n".join(lines))
    what = "expected a number after Total transferred file size:"
    assert said[0] == f"t:{at + 1}: {what}, found '{digits}'"


@pytest.mark.parametrize(
    "text,said",
    [
        ("real 61.20\nuser 0.01\nsys 0\n", "t:3: expected a time written as 61.20"),
        ("real 61.2\nuser 0.01\nsys 0.05\n", "t:2: expected a time written as 61.2"),
        ("real\t0m1.20s\nuser\t0m0.01s\nsys\n", "t:3: expected the sys line of time"),
        ("real\t0m1.20s\nus\nsys\t0m0.01s\n", "t:2: expected the user line of time"),
        (
            f"\tUser time (seconds): 0.1\n{ELAPSED}7\n",
            "t:1: expected a user time in seconds",
        ),
        (f"{ELAPSED}\n", "t:1: expected an elapsed time such as 0:06.87"),
    ],
)
def test_a_time_cut_off(text, said):
    assert any(found.startswith(said) for found in said_of(text)[0])


@pytest.mark.parametrize(
    "key,value", [("bw_bytes", 0), ("io_bytes", 1), ("lat_ns", {}), ("runtime", 7)]
)
def test_a_key_of_fio_that_stands_twice(key, value):
    text = (DATA / "fio/3.33/read.json").read_text()
    again = text.replace(f'"{key}" :', f'"{key}" : {json.dumps(value)}, "{key}" :', 1)
    assert again != text
    said, runs = said_of(again)
    assert said == [
        f"t:1: expected JSON of fio with each key once, found '{key}' twice"
    ]
    assert runs == []


def test_an_option_of_fio_may_be_given_twice():
    text = (DATA / "fio/3.33/read.json").read_text()
    said, (run,) = said_of(text.replace('"rw" :', '"rw" : "write", "rw" :', 1))
    assert said == []
    assert set(run.cells.operation) == {"read"}


def test_a_direction_of_fio_without_its_bytes():
    text = (DATA / "fio/3.33/randrw.json").read_text()
    at = text.index('"io_bytes"', text.index('"write"'))
    cut = text[:at] + text[text.index("\n", at) :]
    said, _ = said_of(cut)
    assert said == [
        "t:jobs[0].write.io_bytes: expected a number from 0 on, found 'None'"
    ]


HEAD = "              KB  reclen   write rewrite    read    reread\n"
ROWS = [
    "              64       4  526887  735102   821524   904842\n",
    "              64       8  801873  931832   972885  1048429\n",
    "              64      16  957910  940217   962191   998213\n",
]


@pytest.mark.parametrize(
    "last",
    ["              64      16  957910  940217   962191\n", ROWS[2][:-5] + "\n"],
    ids=["a number short", "cut"],
)
def test_the_last_row_of_a_pasted_table_vanishes_not_in_silence(tmp_path, last):
    """Without a banner nothing says that the run went on."""
    (tmp_path / "a.txt").write_text(HEAD + "".join(ROWS))
    assert read_file(tmp_path / "a.txt").problems == ()
    (tmp_path / "a.txt").write_text(HEAD + "".join(ROWS[:2]) + last)
    reading = read_file(tmp_path / "a.txt")
    assert [str(problem) for problem in reading.problems] == [
        f"{tmp_path}/a.txt:4: expected a whole row, found a row cut short"
    ]
    assert set(reading.runs[0].cells.locator) == {"line 2", "line 3"}
