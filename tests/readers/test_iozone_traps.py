"""Logs as they come: what mail, editors, terminals and crashes make of them."""

from pathlib import Path

import pytest
from iozone_second_route import excel_numbers, read_numbers

from fsviz.model.errors import (
    AmbiguousColumnsError,
    EncodingError,
    MalformedRowError,
    TruncatedInputError,
    UnknownFormatError,
)
from fsviz.readers.document import decode
from fsviz.readers.formats import read_file
from fsviz.readers.iozone.text import read_iozone

DATA = Path(__file__).parents[1] / "data" / "iozone"
TRAPS = DATA / "traps"


def numbers_of(stem):
    text = next(DATA.glob(f"3*/{stem}.txt")).read_text()
    return {key: number for key, number in excel_numbers(text).items() if number}


@pytest.mark.parametrize(
    "trap,rows",
    [
        ("crlf", 56),
        ("mixed_eol", 16),
        ("utf16le_bom", 56),
        ("utf16be_bom", 56),
        ("utf16le_nobom", 56),
        ("utf8_bom", 56),
        ("nbsp", 16),
        ("rstrip", 56),
        ("lstrip", 56),
        ("collapsed", 56),
        ("tabs", 16),
        ("indent4", 56),
        ("quoted_mail", 56),
        ("ts_prefix", 56),
        ("iso_prefix", 56),
        ("ansi", 16),
    ],
)
def test_a_log_that_was_only_wrapped_reads_the_same(trap, rows):
    reading = read_file(TRAPS / f"{trap}.txt")
    (run,) = reading.runs
    found = read_numbers(run.cells)
    expected = numbers_of("auto_i02")
    assert found == {key: expected[key] for key in found}
    assert len(found) == rows * 4
    assert reading.problems == ()
    assert run.complete


def test_trailing_blanks_are_not_needed_in_the_widest_layout():
    (run,) = read_file(TRAPS / "rstrip_v510.txt").runs
    assert read_numbers(run.cells) == numbers_of("v510_auto_i02")


def test_a_log_in_comments_reads_as_the_log():
    log = DATA / "3.489" / "thr_t2_i01_cpu_C_R_b.txt"
    (plain,) = read_file(log).runs
    (commented,) = read_file(TRAPS / "comment_hash.txt").runs
    assert commented.cells == plain.cells
    assert commented.command_line == plain.command_line


def test_three_runs_in_one_file():
    runs = read_file(TRAPS / "two_runs.txt").runs
    assert [run.tool_version for run in runs] == ["3.489", "3.489", "3.510"]
    assert read_numbers(runs[0].cells) == numbers_of("auto_i02")
    assert set(runs[1].cells.threads) == {2}
    assert read_numbers(runs[2].cells) == numbers_of("v510_auto_i02")


def test_a_row_that_a_console_message_broke_is_lost_and_named():
    reading = read_file(TRAPS / "kernel_noise.txt")
    assert [p.line for p in reading.problems] == [36, 37]
    assert all(isinstance(p, MalformedRowError) for p in reading.problems)
    (run,) = reading.runs
    found = read_numbers(run.cells)
    expected = numbers_of("auto_i02")
    assert found == {key: expected[key] for key in found}
    assert len(found) == 15 * 4
    assert not [key for key in found if key[1:] == (128, 8)]


def test_a_log_that_was_cut_keeps_its_whole_rows():
    reading = read_file(TRAPS / "truncated_midrow.txt")
    (run,) = reading.runs
    (problem,) = reading.problems
    assert isinstance(problem, TruncatedInputError)
    assert not run.complete
    found = read_numbers(run.cells)
    assert found == {k: v for k, v in numbers_of("auto_i02").items() if k in found}
    assert len(found) == 55 * 4


def test_a_byte_that_is_no_text_in_the_end_mark_leaves_the_rows():
    (run,) = read_file(TRAPS / "latin1.txt").runs
    assert read_numbers(run.cells) == numbers_of("auto_i02")
    assert not run.complete


@pytest.mark.parametrize(
    "trap,error,line",
    [
        ("thousands_comma", MalformedRowError, 30),
        ("nul_bytes", EncodingError, 28),
        ("empty", UnknownFormatError, 1),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_line(trap, error, line):
    with pytest.raises(error) as caught:
        read_file(TRAPS / f"{trap}.txt")
    assert caught.value.line == line


def test_every_line_number_is_that_of_the_file():
    path = TRAPS / "quoted_mail.txt"
    (run,) = read_file(path).runs
    lines = path.read_text().splitlines()
    for place, value in zip(run.cells.locator, run.cells.value, strict=True):
        assert str(int(value / 1024)) in lines[int(place.removeprefix("line ")) - 1]


def test_collapsed_blanks_without_a_command_line_are_refused():
    text = (TRAPS / "collapsed.txt").read_text()
    table = text[text.index("random random") : text.index("iozone test complete")]
    with pytest.raises(AmbiguousColumnsError, match=r"t\.txt:3: "):
        read_iozone(decode("t.txt", table.encode()))


@pytest.mark.parametrize(
    "prompt",
    [
        *("$ ", "root@nas:~# ", "[me@host dir]$ ", "", "sudo ", "$ time "),
        *("me@mac ~ % ", "C:\\bench (x86)>"),
    ],
)
@pytest.mark.parametrize(
    "rest", ["", " > nfs.txt 2>&1", " 2>&1 | tee x", " &> x", " &"]
)
def test_the_command_above_a_pasted_table(prompt, rest):
    text = (TRAPS / "collapsed.txt").read_text()
    table = text[text.index("random random") :]
    pasted = f"{prompt}iozone -a -i 0 -i 2 -f /mnt/x{rest}\n\n{table}"
    (run,) = read_iozone(decode("t.txt", pasted.encode())).runs
    assert run.command_line == "iozone -a -i 0 -i 2 -f /mnt/x"
    assert set(run.cells.operation) == {
        *("write", "rewrite", "random_read", "random_write")
    }


@pytest.mark.parametrize(
    "line",
    [
        *("I ran iozone -a -i 0 -i 2 twice", "`iozone -a -i 0`", "iozone -a ; sleep 3"),
        "iozone -a && iozone -a -O",
    ],
)
def test_prose_about_a_command_is_no_command(line):
    text = next(DATA.glob("3*/auto_i02.txt")).read_text()
    table = text[text.index("                  ") : text.index("iozone test complete")]
    (run,) = read_iozone(decode("t.txt", f"{line}\n{table}".encode())).runs
    assert run.command_line == ""
