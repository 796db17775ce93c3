"""Logs as they come: what is lost of them is named. Goldens hold what is not."""

from itertools import product
from pathlib import Path

import pytest
from each import each
from iozone_second_route import excel_numbers, read_numbers

from fsviz.model.errors import EncodingError, MalformedRowError, UnknownFormatError
from fsviz.readers.document import decode
from fsviz.readers.formats import read_file
from fsviz.readers.iozone.text import read_iozone

DATA = Path(__file__).parents[1] / "data" / "iozone"
TRAPS = DATA / "traps"


def numbers_of(stem):
    text = next(DATA.glob(f"3*/{stem}.txt")).read_text()
    return {key: number for key, number in excel_numbers(text).items() if number}


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


PROMPTS = (
    *("$ ", "root@nas:~# ", "[me@host dir]$ ", "", "sudo ", "$ time "),
    *("me@mac ~ % ", "C:\\bench (x86)>"),
)
REDIRECTED = ("", " > nfs.txt 2>&1", " 2>&1 | tee x", " &> x", " &")


@each(product(PROMPTS, REDIRECTED))
def test_the_command_above_a_pasted_table(line):
    prompt, rest = line
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
