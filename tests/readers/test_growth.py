"""Time grows with the size of a file: parts of each tool's grammar come again."""

import re
import time
from contextlib import suppress
from pathlib import Path

import pytest

from fsviz.model.errors import FsvizError
from fsviz.readers.document import decode, without_prefix
from fsviz.readers.formats import read_document

DATA = Path(__file__).parents[1] / "data"
SMALLEST, DOUBLINGS = 8_000, 4
MOST_A_DOUBLING = 2.3
TRIES = 3
"""Of what grows faster: beside other processes 2.32 was measured once."""
QUICK = 0.25
"""Seconds of processor time for the largest text, which need no second look."""
LARGEST_SAMPLE = 8_000
MOST_PIECES = 150
"""Of one tool; if there are more, every second, third … is tried."""
TABLES = {
    "table": "system,operation,file size,value,unit\nnfs,read,1 MiB,3,MB/s\n",
    "published": "| System | Write time (s) |\n|---|---|\n| nfs | 32-35 |\n",
    "fio's text": (
        "w: (g=0): rw=write, bs=(R) 4096B-4096B, (W) 4096B-4096B, (T) 4096B-4096B, "
        "ioengine=psync, iodepth=1\nfio-3.33\n"
        "w: (groupid=0, jobs=1): err= 0: pid=17402: Wed Nov 25 10:59:53 2026\n"
        "  write: IOPS=256k, BW=1000MiB/s (1049MB/s)(4096KiB/4msec); 0 zone resets\n"
        "     lat (nsec): min=1492, max=24076, avg=2401.00, stdev=965.93\n"
        "     issued rwts: total=0,1024,0,0 short=0,0,0,0 dropped=0,0,0,0\n"
    ),
}


def samples(folder):
    """Texts of a tool, of each kind of lines at least one."""
    paths = (p for p in sorted((DATA / folder).rglob("*")) if p.is_file())
    others = (".expected.csv", ".xls", ".xlsx", ".dat")
    for path in paths:
        if not path.name.endswith(others) and 0 < path.stat().st_size < LARGEST_SAMPLE:
            with suppress(UnicodeDecodeError):
                yield path.read_text()


def shape(line):
    return re.sub(r"\d+", "0", re.sub(r"[a-z]+", "a", line))[:60]


def pieces(texts):
    """Name texts of any length: lines, parts of lines and columns that come again."""
    seen = set()
    for text in texts:
        yield "the whole", lambda n, text=text: text * (n // len(text) + 1)
        yield "columns", lambda n, text=text: wide(text, n)
        yield "columns and rows", lambda n, text=text: wide_above(text, n)
        for line in text.split("\n"):
            if not line.strip() or shape(line) in seen:
                continue
            seen.add(shape(line))
            yield from repeated(text, line)


def repeated(text, line):
    def again(n):
        return n // len(line) + 1

    yield f"{line!r}", lambda n: f"{line}\n" * again(n)
    yield f"{line!r} indented", lambda n: f"{line}\n" + f"  {line}\n" * again(n)
    yield f"{line!r} below all", lambda n: text + f"{line}\n" * again(n)
    yield (
        f"{line!r} indented below all",
        lambda n: f"{text}x\n" + f" {line}\n" * again(n),
    )
    yield f"{line!r} in one line", lambda n: f"{line} " * again(n)
    for token in re.finditer(r"\w+\W*|\W+", line):
        word, (start, end) = token[0], token.span()
        yield (
            f"{word!r} in {line!r}",
            lambda n, word=word, start=start, end=end: text.replace(
                line, line[:start] + word * (n // len(word)) + line[end:], 1
            ),
        )


def stretched(line, size):
    """Repeat the last cell of a line, each time with another name."""
    cell = re.search(r"[,;|\t ]?[^,;|\t ]*[|\t ]*$", line)[0]
    return line + "".join(f"{cell}{n}" for n in range(size // (len(cell) + 4)))


def wide(text, size):
    lines = text.split("\n")
    return "\n".join(stretched(line, size // len(lines)) for line in lines)


def wide_above(text, size):
    first, *others = text.strip().split("\n")
    rows = f"{others[-1] if others else first}\n"
    return "\n".join(
        [stretched(first, size // 2), *others, rows * (size // 2 // len(rows))]
    )


def seconds(text):
    """Return the processor time [s] that a text takes."""
    start = time.process_time()
    with suppress(FsvizError):
        read_document(without_prefix(decode("t", text.encode())))
    return time.process_time() - start


def growth(make):
    """Return how many times as long a text takes that is twice as long."""
    if seconds(make(SMALLEST << DOUBLINGS)) < QUICK:
        return 1.0
    times = [
        min(seconds(make(SMALLEST << double)) for _ in range(3))
        for double in (0, DOUBLINGS)
    ]
    return (times[1] / times[0]) ** (1 / DOUBLINGS)


def least_growth(make):
    """Measure again what seems to grow too fast, and take the least."""
    least = growth(make)
    for _ in range(TRIES - 1):
        if least > MOST_A_DOUBLING:
            least = min(least, growth(make))
    return least


def too_slow(texts):
    """List the pieces of some texts whose time grows faster than their length."""
    every = list(pieces(texts))
    chosen = every[:: 1 + len(every) // MOST_PIECES]
    found = {piece: least_growth(make) for piece, make in chosen}
    return {piece: times for piece, times in found.items() if times > MOST_A_DOUBLING}


@pytest.mark.parametrize("name", TABLES)
def test_time_grows_with_tables_and_texts(name):
    assert too_slow([TABLES[name]]) == {}


@pytest.mark.slow
@pytest.mark.parametrize("folder", sorted(p.name for p in DATA.iterdir() if p.is_dir()))
def test_time_grows_with_the_size_of_what_a_tool_prints(folder):
    assert too_slow(samples(folder)) == {}


@pytest.mark.parametrize(
    "first, piece",
    [
        ("system,time\na,5\n", "total,5\n"),
        ("", "op,5,6\n"),
        ("kB reclen write\n64 4 1421755\n\n", "system,operation,value\na,read,5 s\n\n"),
        ("<table><tr><td>", "a <x>"),
    ],
    ids=[
        "a note a row",
        "rows like headers",
        "tables beside a tool's",
        "a cell's parts",
    ],
)
def test_time_grows_with_tables_of_one_kind(first, piece):
    assert (
        least_growth(lambda size: first + piece * (size // len(piece)))
        < MOST_A_DOUBLING
    )
