"""Logs of whole sessions: every recognised part is read, or named with its line."""

from pathlib import Path

import pytest
from campaigns_made import iozone

from fsviz.readers.document import decode
from fsviz.readers.formats import read_file

DATA = Path(__file__).parents[1] / "data"
TIME = "real\t0m3.618s\nuser\t0m0.040s\nsys\t0m0.998s\n"


def read_text(tmp_path, text):
    path = tmp_path / "log.txt"
    path.write_text(text)
    return read_file(path), decode("log", text.encode()).lines


def test_a_time_beside_a_bonnie_table_is_named(tmp_path):
    table = (DATA / "bonnie/1.96/v196_chunk.err.txt").read_text()
    reading, lines = read_text(tmp_path, table + "\n" + TIME)
    assert {run.tool for run in reading.runs} == {"bonnie++"}
    (note,) = reading.notes
    assert lines[note.line - 1].startswith("real")


def test_a_session_of_three_tools_is_read_part_by_part(tmp_path):
    bonnie = (DATA / "bonnie/2.00a/s256_16k.out.txt").read_text()
    job = (DATA / "fio/3.33/read.json").read_text()
    parts = [iozone(1), bonnie, job]
    text = "\n".join(f"$ tool {n}\n{part}" for n, part in enumerate(parts))
    reading, _ = read_text(tmp_path, text)
    alone = []
    for n, part in enumerate(parts):
        (tmp_path / f"{n}.txt").write_text(part)
        alone += read_file(tmp_path / f"{n}.txt").runs
    assert [run.cells.value for run in reading.runs] == [r.cells.value for r in alone]
    assert len({run.identity for run in reading.runs}) == len(alone)
    assert set(reading.formats) == {"iozone", "bonnie++", "fio"}


SECTION = """
Excel output is below:

"Writer report"
        "4"  "8"
"64"   1000001  1000002
"128"   1000003  1000004

"Re-writer report"
        "4"  "8"
"64"   1000011  1000012
"128"   1000013  1000014
"""


@pytest.mark.parametrize(
    "line",
    [
        "Excel output is below:",
        "Test running:",
        "Server nfs v4 operations:",
        "Disk stats (read/write):",
        "     clat percentiles (usec):",
    ],
)
def test_no_line_of_a_tool_names_a_system(tmp_path, line):
    """The timing below IOzone's report was of a system "Excel output is below"."""
    time = "\nreal\t0m{}00s\nuser\t0m1.000s\nsys\t0m0.100s\n"
    log = tmp_path / "log.txt"
    log.write_text(
        f"$ time rsync -a s/ d/\n{time.format(8.5)}\n{line}\n"
        f"$ time rsync -a s/ d/\n{time.format(6.5)}"
    )
    found = read_file(log).runs
    assert [(run.system, run.cells.value[0]) for run in found] == [("", 8.5), ("", 6.5)]


def test_sizes_that_only_the_section_has_are_read(tmp_path):
    head, _, rest = iozone(1).partition("              kB  reclen")
    header, *_ = rest.split("\n")
    rows = "".join(
        f"              64       {r}  100000{n}  100001{n}\n"
        for n, r in ((1, 4), (2, 8))
    )
    head = head.replace("-i 0 -i 1", "-i 0 -R")
    table = f"{head}              kB  reclen{header}\n{rows}\n"
    reading, _ = read_text(tmp_path, table + "iozone test complete.\n" + SECTION)
    (run,) = reading.runs
    cells = run.cells
    sizes = list(zip(cells.operation, cells.file_size_bytes, cells.value, strict=True))
    assert ("write", 128 * 1024, 1000003.0 * 1024) in sizes
    assert ("rewrite", 128 * 1024, 1000014.0 * 1024) in sizes
    assert len(sizes) == 8


def test_a_printed_zero_is_counted_in_a_note(tmp_path):
    text = iozone(1)
    row = next(line for line in text.split("\n") if line.startswith(f"{64:16d}{4:8d}"))
    changed = row[:24] + f"{0:9d}" + row[33:]
    reading, _ = read_text(tmp_path, text.replace(row, changed))
    (note,) = reading.notes
    assert note.text.startswith("1 printed as 0")
    assert len(reading.runs[0].cells) == 35


TABLES = """
{0}

              kB  reclen    write  rewrite    read    reread
              64       4  1421755  3588436  7100397  1828508

{1}

              kB  reclen    write  rewrite    read    reread
              64       4  2421755  3588436  7100397  1828508
"""


@pytest.mark.parametrize(
    "titles,names",
    [
        (("BEFORE", "AFTER"), ["BEFORE", "AFTER"]),
        (('"untrimmed"', '"trimmed"'), ["untrimmed", "trimmed"]),
        (("xfs on md", "ext4"), ["xfs on md", "ext4"]),
        (("First run", "First run"), ["", ""]),
        (("run 1", "run 2"), ["", ""]),
        # a sentence, and words of which another line stands above
        (("It was slow.", "It was fast."), ["", ""]),
        (("I tried it\nBEFORE", "and then\nAFTER"), ["", ""]),
    ],
)
def test_a_few_words_alone_above_a_table_are_its_title(tmp_path, titles, names):
    (tmp_path / "t.txt").write_text(TABLES.format(*titles))
    reading = read_file(tmp_path / "t.txt")
    assert [run.system for run in reading.runs] == names
