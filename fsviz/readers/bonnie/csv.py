"""Where the fields of a bonnie++ CSV row are: by format and number of fields.

======================  ============  ======
program                 format field  fields
======================  ============  ======
1.00 to 1.03e           none          27
1.90a                   ``2``         33
1.93c to 1.97.3         ``1.93c`` …   48, and 47 from 1.96 with ``-s 0``
1.98 to 2.00a           ``1.98``      50
======================  ============  ======
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from fsviz.model.errors import (
    MalformedRowError,
    TruncatedInputError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.runs import Cells, Run
from fsviz.model.units import parse_size
from fsviz.readers.bonnie.cells import (
    FILE_OPERATIONS,
    IO_OPERATIONS,
    OPERATIONS,
    Setup,
    Test,
    chunk_size,
)
from fsviz.readers.document import Document


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the fields of a format are; -1 for a field that the format lacks."""

    fields: int
    name: int
    concurrency: int
    size: int
    chunk: int
    seeks: int
    io: int
    files: int
    tests: int
    latency: int


V103 = Layout(27, 0, -1, 1, -1, -1, 2, 14, 15, -1)
V190 = Layout(33, 2, -1, 3, 4, -1, 5, 17, 21, -1)
V193 = Layout(48, 2, 3, 5, 6, -1, 7, 19, 24, 36)
V198 = Layout(50, 2, 3, 5, 6, 7, 9, 21, 26, 38)
_FORMAT = re.compile(r"(?:2|1\.9\d\w*)")


@dataclass(frozen=True, slots=True)
class Row:
    """The fields of one row, aligned with the layout of its format."""

    path: str
    line: int
    fields: list[str]
    layout: Layout

    def take(self, index: int, what: str, pattern: re.Pattern[str]) -> re.Match[str]:
        """Match a field, or raise an error that names it."""
        text = self.fields[index]
        match = pattern.fullmatch(text)
        if match is None:
            raise MalformedRowError(self.path, self.line, what, quoted(text))
        return match


def align(path: str, line: int, fields: list[str]) -> Row:
    """Find the layout of a row, and join a machine label that holds commas."""
    layout = _layout(path, line, fields[0])
    if _lacks_a_comma(layout, fields):
        # 1.96 prints one comma too few where no I/O test ran
        fields = [*fields[:-42], "", *fields[-42:]]
    extra = len(fields) - layout.fields
    if extra < 0:
        raise TruncatedInputError(
            path, line, f"{layout.fields} fields", f"{len(fields)}"
        )
    first, last = layout.name, layout.name + extra + 1
    name = ",".join(fields[first:last])
    return Row(path, line, [*fields[:first], name, *fields[last:]], layout)


def _layout(path: str, line: int, first: str) -> Layout:
    if not _FORMAT.fullmatch(first):
        return V103
    if first == "2":
        return V190
    if first == "1.98":
        return V198
    if re.fullmatch(r"1\.9[3-7]\w?", first):
        return V193
    formats = "bonnie++ format 2, 1.93 to 1.97 or 1.98"
    raise UnsupportedVersionError(path, line, formats, quoted(first))


def _lacks_a_comma(layout: Layout, fields: Sequence[str]) -> bool:
    """Whether this is the 47-field row of 1.96 with ``-s 0``, counted from its end."""
    if layout is not V193 or not fields[0].startswith("1.96") or len(fields) < 47:
        return False
    # From the end: 12 latencies, 12 file cells, 5 about files, 13 empty ones, the seed
    return not any(fields[-42:-29]) and bool(fields[-43]) and bool(fields[-29])


# One CSV row of bonnie++ to one run.

DEFAULT_CHUNK = 8192

_SIZE = re.compile(r"(\d{1,9}[MG])?")
_SIZE_AND_CHUNK = re.compile(r"(?:(\d{1,9}[MG])(?::(\d{1,9}[km]?))?)?")
_CHUNK = re.compile(r"(\d{1,9}[km]?)?")
_CONCURRENCY = re.compile(r"\d{1,4}")
_COUNT = re.compile(r"(\d{1,15})?")
_MAXIMUM = re.compile(r"(\d{1,15}|link|symlink)?")
_FILES = re.compile(r"(?:(\d{1,9})(?::(-?\w+)(?::(\d+))?)?(?:/(\d+))?)?")


def read_row(
    document: Document, line: int, fields: list[str], scaled: bool = False
) -> Run:
    """Read one CSV row; rates may be scaled, as the console prints them."""
    row = align(document.path, line, fields)
    setup = _setup(row)
    cells = _cells(row, setup, scaled)
    tests = set(cells.operation)
    # numbers without a size are numbers in the wrong columns
    for amount, count, operations in (
        ("file size", setup.size, IO_OPERATIONS),
        ("number of files", setup.files, FILE_OPERATIONS),
    ):
        if count is None and tests & set(operations):
            none = "none, but tests that need it"
            raise MalformedRowError(document.path, line, f"a {amount}", none)
    if not cells.value:
        raise MalformedRowError(document.path, line, "a test that ran", "none")
    last_rate = row.fields[row.layout.tests + 2 * len(FILE_OPERATIONS) - 2]
    # the last test ran, and only it has no latency
    is_cut = bool(last_rate) and not row.fields[-1] and "latency" in cells.metric
    seed = row.fields[row.layout.concurrency + 1] if row.layout.concurrency > 0 else ""
    return Run(
        tool="bonnie++",
        cells=cells,
        configuration=setup.describe(tests),
        complete=not is_cut,
        note="the row is cut short" if is_cut else "",
        tool_version="1.0x" if row.layout is V103 else row.fields[1],
        started=_start(seed),
        host=row.fields[row.layout.name].strip(),
        facts={"seed": seed} if seed else {},
    )


_CLOCK = range(10**9, 2 * 10**9)
"""Seconds since 1970 at which a bonnie++ with a seed in its rows can have begun."""


def _start(seed: str) -> str:
    """Derive the start in UTC from a seed that is a time, as without -z and -Z."""
    is_time = seed.isdecimal() and len(seed) < 20 and int(seed) in _CLOCK
    return datetime.fromtimestamp(int(seed), UTC).isoformat()[:19] if is_time else ""


def _setup(row: Row) -> Setup:
    layout, fields = row.layout, row.fields
    size, chunk = _size_and_chunk(row)
    seeks = processes = None
    if layout.seeks >= 0:
        seeks = _integer(row.take(layout.seeks, "a number of seeks", _COUNT)[1])
        processes = _integer(row.take(layout.seeks + 1, "seek processes", _COUNT)[1])
    threads = 1
    if layout.concurrency >= 0:
        threads = int(row.take(layout.concurrency, "a concurrency", _CONCURRENCY)[0])
    if layout is V103:
        expected = "a number of files, n:max:min/dirs"
        files = row.take(layout.files, expected, _FILES).groups("")
    else:
        # The header calls this field file_chunk_size; it holds the directories
        last = layout.files + (3 if layout is V190 else 4)
        if layout is not V190 and fields[last - 1]:
            shown = quoted(fields[last - 1])
            raise MalformedRowError(row.path, row.line, "an empty field", shown)
        files = (
            row.take(layout.files, "a number of files", _COUNT)[0],
            row.take(layout.files + 1, "a maximum file size", _MAXIMUM)[0],
            row.take(layout.files + 2, "a minimum file size", _COUNT)[0],
            row.take(last, "a number of directories", _COUNT)[0],
        )
    count, *sizes = files
    return Setup(size, chunk, threads, seeks, processes, _integer(count), *sizes)


def _size_and_chunk(row: Row) -> tuple[int | None, int | None]:
    layout = row.layout
    if layout.chunk < 0:
        what = "a file size such as 2G or 256M:16k"
        size, chunk = row.take(layout.size, what, _SIZE_AND_CHUNK).groups()
    else:
        size = row.take(layout.size, "a file size such as 256M", _SIZE)[1]
        chunk = row.take(layout.chunk, "a chunk size such as 16k", _CHUNK)[1]
    if not size:
        return None, None
    if chunk:
        return parse_size(size), chunk_size(row.path, row.line, chunk)
    # 2.00a never prints the chunk size; the others do unless it is 8 KiB
    return parse_size(size), None if layout is V198 else DEFAULT_CHUNK


def _integer(text: str | None) -> int | None:
    return int(text) if text else None


def _cells(row: Row, setup: Setup, scaled: bool) -> Cells:
    cells = Cells()
    layout = row.layout
    for number, operation in enumerate(OPERATIONS):
        is_io = number < len(IO_OPERATIONS)
        start = layout.io if is_io else layout.tests
        at = start + 2 * (number if is_io else number - len(IO_OPERATIONS))
        test = Test(cells, row.path, row.line, operation, setup)
        # From 1.9x on, the per-char tests use only part of the file: -f says how much
        partial = layout is not V103 and "per_char" in operation
        test.add_rate(row.fields[at], scaled, partial)
        test.add_cpu(row.fields[at + 1])
        if layout.latency >= 0:
            test.add_latency(row.fields[layout.latency + number])
    return cells
