"""One CSV row of bonnie++ to one run."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypedDict

from fsviz.errors import MalformedRowError, quoted
from fsviz.readers.bonnie_layouts import V103, V190, V198, Layout, Row, align
from fsviz.readers.document import Document
from fsviz.runs import MISSING, Cells, Run
from fsviz.table import BONNIE_OPERATIONS
from fsviz.units import KIB, half_last_digit, parse_size

OPERATIONS = tuple(BONNIE_OPERATIONS)
"""The twelve tests in the order of the columns: six of I/O, six of files."""

IO_OPERATIONS = OPERATIONS[:6]
FILE_OPERATIONS = OPERATIONS[6:]
SHORTEST = 0.5
"""Seconds; bonnie++ prints ``+++++`` for a test that took less (``MinTime``)."""

DEFAULT_CHUNK = 8192
TOO_FAST = "+++++"
_LATENCY_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}

_SIZE = re.compile(r"(\d{1,9}[MG])?")
_SIZE_AND_CHUNK = re.compile(r"(?:(\d{1,9}[MG])(?::(\d{1,9}[km]?))?)?")
_CHUNK = re.compile(r"(\d{1,9}[km]?)?")
_INTEGER = re.compile(r"\d{1,15}")
_COUNT = re.compile(r"(\d{1,15})?")
_MAXIMUM = re.compile(r"(\d{1,15}|link|symlink)?")
_FILES = re.compile(r"(?:(\d{1,9})(?::(-?\w+)(?::(\d+))?)?(?:/(\d+))?)?")
_SEEK_RATE = re.compile(r"\d{1,15}(?:\.\d)?")
_LATENCY = re.compile(r"(\d{1,15})(us|ms|s)")


class Where(TypedDict):
    """The place of a number: what all metrics of one test share."""

    locator: str
    file_size: int | None
    record_size: int | None
    threads: int


@dataclass(frozen=True, slots=True)
class Setup:
    """What a run was asked to do."""

    size: int | None
    chunk: int | None
    threads: int
    seeks: int | None
    seek_processes: int | None
    files: int | None
    max_size: str
    min_size: str
    directories: str

    def describe(self, ran: Collection[str]) -> str:
        """State everything that a repeat must share, as one line of text."""
        parts = []
        if self.size is not None:
            parts.append(f"size={self.size}")
            parts.append(f"chunk={'unknown' if self.chunk is None else self.chunk}")
            if self.seeks is not None:
                parts.append(f"seeks={self.seeks}/{self.seek_processes}")
            parts += [f"without={op}" for op in IO_OPERATIONS if op not in ran]
        if self.files is not None:
            parts.append(f"files={self.files * 1024}")
            sizes = ":".join(s for s in (self.max_size, self.min_size) if s)
            parts += [f"file_sizes={sizes}"] if sizes else []
            parts += [f"directories={self.directories}"] if self.directories else []
            parts += [f"without={op}" for op in FILE_OPERATIONS if op not in ran]
        return " ".join([*parts, f"threads={self.threads}"])


def read_row(document: Document, line: int, text: str, position: int) -> Run:
    """Read one CSV row.

    Parameters
    ----------
    document : Document
        The file that it stands in.
    line : int
        Number of its line.
    text : str
        The row itself.
    position : int
        1 for the first run of the file.

    Returns
    -------
    Run

    Raises
    ------
    ParseError
        If the format is unknown, the row is cut, or a field is not what it must be.
    """
    row = align(document.path, line, text.split(","))
    setup = _setup(row)
    cells = _cells(row, setup)
    if not cells.value:
        raise MalformedRowError(document.path, line, "a test that ran", "none")
    versioned = row.layout is not V103
    return Run(
        tool="bonnie++",
        identity=f"{document.digest}-{position}",
        source=document.path,
        cells=cells,
        configuration=setup.describe(set(cells.operation)),
        tool_version=row.fields[1] if versioned else "1.0x",
        host=row.fields[row.layout.name].strip(),
        facts=_facts(row),
    )


def _setup(row: Row) -> Setup:
    layout, fields = row.layout, row.fields
    size, chunk = _size_and_chunk(row)
    seeks = processes = None
    if layout.seeks >= 0:
        seeks = _integer(row.take(layout.seeks, "a number of seeks", _COUNT)[1])
        processes = _integer(row.take(layout.seeks + 1, "seek processes", _COUNT)[1])
    threads = 1
    if layout.concurrency >= 0:
        threads = int(row.take(layout.concurrency, "a concurrency", _INTEGER)[0])
    if layout is V103:
        what = "a number of files, n:max:min/dirs"
        count, largest, smallest, dirs = row.take(layout.files, what, _FILES).groups("")
    else:
        count = row.take(layout.files, "a number of files", _COUNT)[0]
        largest = row.take(layout.files + 1, "a maximum file size", _MAXIMUM)[0]
        smallest = row.take(layout.files + 2, "a minimum file size", _COUNT)[0]
        # The header calls this field file_chunk_size; it holds the directories
        at = layout.files + (3 if layout is V190 else 4)
        dirs = row.take(at, "a number of directories", _COUNT)[0]
        if layout is not V190 and fields[at - 1]:
            raise MalformedRowError(
                row.path, row.line, "an empty field", quoted(fields[at - 1])
            )
    return Setup(
        size, chunk, threads, seeks, processes, _integer(count), largest, smallest, dirs
    )


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
        return parse_size(size), parse_size(chunk)
    # 2.00a never prints the chunk size; the others do unless it is 8 KiB
    return parse_size(size), None if layout is V198 else DEFAULT_CHUNK


def _integer(text: str | None) -> int | None:
    return int(text) if text else None


def _cells(row: Row, setup: Setup) -> Cells:
    cells = Cells()
    for number, operation in enumerate(OPERATIONS):
        is_io = number < len(IO_OPERATIONS)
        start = row.layout.io if is_io else row.layout.tests
        at = start + 2 * (number if is_io else number - len(IO_OPERATIONS))
        where: Where = {
            "locator": f"line {row.line}",
            "file_size": setup.size if is_io else None,
            "record_size": setup.chunk if is_io else None,
            "threads": setup.threads,
        }
        _add_rate(cells, row, at, operation, setup, where)
        _add_cpu(cells, row, at + 1, operation, where)
        if row.layout.latency >= 0:
            _add_latency(cells, row, row.layout.latency + number, operation, where)
    return cells


def _add_rate(
    cells: Cells, row: Row, at: int, operation: str, setup: Setup, where: Where
) -> None:
    text = row.fields[at]
    if not text:
        return
    is_throughput = operation in IO_OPERATIONS[:-1]
    metric, unit = ("throughput", KIB) if is_throughput else ("rate", 1)
    if text == TOO_FAST:
        low = _least(operation, setup, row.layout)
        cells.add(operation, metric, MISSING, low=low, **where)
        return
    seeks = operation == "random_seeks"
    row.take(at, f"the rate of {operation}", _SEEK_RATE if seeks else _INTEGER)
    value, half = float(text), half_last_digit(text)
    low, high = max(0.0, value - half) * unit, (value + half) * unit
    cells.add(operation, metric, value * unit, low=low, high=high, **where)


def _least(operation: str, setup: Setup, layout: Layout) -> float:
    """The rate that a test of less than half a second had at least [base unit]."""
    if operation in FILE_OPERATIONS:
        return MISSING if setup.files is None else setup.files * 1024 / SHORTEST
    if operation == "random_seeks":
        return MISSING if setup.seeks is None else setup.seeks / SHORTEST
    # From 1.9x on, the per-char tests use only part of the file: -f says how much
    whole_file = layout is V103 or "per_char" not in operation
    return MISSING if setup.size is None or not whole_file else setup.size / SHORTEST


def _add_cpu(cells: Cells, row: Row, at: int, operation: str, where: Where) -> None:
    text = row.fields[at]
    if text in ("", "+++"):
        return
    row.take(at, f"the CPU use of {operation} in %", _INTEGER)
    value = float(text)
    low, high = max(0.0, value - 0.5), value + 0.5
    cells.add(operation, "cpu", value, low=low, high=high, **where)


def _add_latency(cells: Cells, row: Row, at: int, operation: str, where: Where) -> None:
    if not row.fields[at]:
        return
    match = row.take(at, f"the latency of {operation} such as 112ms", _LATENCY)
    # bonnie++ cuts the decimals off, so the truth is never below what it prints
    number, unit = int(match[1]), _LATENCY_UNITS[match[2]]
    low, high = number * unit, (number + 1) * unit
    cells.add(operation, "latency", low, low=low, high=high, **where)


def _facts(row: Row) -> dict[str, object]:
    facts: dict[str, object] = {}
    if row.layout is not V103:
        facts["format"] = row.fields[0]
    if row.layout.concurrency >= 0 and row.fields[row.layout.concurrency + 1]:
        facts["seed"] = row.fields[row.layout.concurrency + 1]
    if row.commas_in_name:
        facts["commas_in_machine_label"] = row.commas_in_name
    return facts
