"""One CSV row of bonnie++ to one run."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet

from fsviz.model.errors import MalformedRowError, quoted
from fsviz.model.runs import MISSING, Cells, Run
from fsviz.model.units import parse_size
from fsviz.readers.bonnie_cells import (
    FILE_OPERATIONS,
    IO_OPERATIONS,
    OPERATIONS,
    Setup,
    add_cpu,
    add_latency,
    add_rate,
)
from fsviz.readers.bonnie_layouts import V103, V190, V198, Row, align
from fsviz.readers.document import Document

DEFAULT_CHUNK = 8192

_SIZE = re.compile(r"(\d{1,9}[MG])?")
_SIZE_AND_CHUNK = re.compile(r"(?:(\d{1,9}[MG])(?::(\d{1,9}[km]?))?)?")
_CHUNK = re.compile(r"(\d{1,9}[km]?)?")
_CONCURRENCY = re.compile(r"\d{1,4}")
_COUNT = re.compile(r"(\d{1,15})?")
_MAXIMUM = re.compile(r"(\d{1,15}|link|symlink)?")
_FILES = re.compile(r"(?:(\d{1,9})(?::(-?\w+)(?::(\d+))?)?(?:/(\d+))?)?")


def read_row(document: Document, line: int, fields: list[str]) -> Run:
    """Read one CSV row.

    Parameters
    ----------
    document : Document
        The file that it stands in.
    line : int
        Number of its line.
    fields : list of str
        The row, split at its separators.

    Returns
    -------
    Run
        Without an identity, which depends on what else is in the file.

    Raises
    ------
    ParseError
        If the format is unknown, the row is cut, or a field is not what it must be.
    """
    row = align(document.path, line, fields)
    setup = _setup(row)
    cells = _cells(row, setup)
    _refuse_tests_of_nothing(row, setup, set(cells.operation))
    if not cells.value:
        raise MalformedRowError(document.path, line, "a test that ran", "none")
    versioned = row.layout is not V103
    return Run(
        tool="bonnie++",
        identity="",
        source=document.path,
        cells=cells,
        configuration=setup.describe(set(cells.operation)),
        tool_version=row.fields[1] if versioned else "1.0x",
        host=row.fields[row.layout.name].strip(),
        facts=_facts(row),
    )


def _refuse_tests_of_nothing(row: Row, setup: Setup, ran: AbstractSet[str]) -> None:
    """Numbers without a size are numbers in the wrong columns."""
    for what, amount, operations in (
        ("file size", setup.size, IO_OPERATIONS),
        ("number of files", setup.files, FILE_OPERATIONS),
    ):
        if amount is None and ran & set(operations):
            found = "none, but tests that need it"
            raise MalformedRowError(row.path, row.line, f"a {what}", found)


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
    layout, place = row.layout, (row.path, row.line)
    for number, operation in enumerate(OPERATIONS):
        is_io = number < len(IO_OPERATIONS)
        start = layout.io if is_io else layout.tests
        at = start + 2 * (number if is_io else number - len(IO_OPERATIONS))
        where = setup.where(operation, row.line)
        # From 1.9x on, the per-char tests use only part of the file: -f says how much
        whole_file = layout is V103 or "per_char" not in operation
        least = setup.least(operation) if whole_file else MISSING
        add_rate(cells, place, row.fields[at], operation, least, where)
        add_cpu(cells, place, row.fields[at + 1], operation, where)
        if layout.latency >= 0:
            text = row.fields[layout.latency + number]
            add_latency(cells, place, text, operation, where)
    return cells


def _facts(row: Row) -> dict[str, object]:
    facts: dict[str, object] = {}
    if row.layout is not V103:
        facts["format"] = row.fields[0]
    if row.layout.concurrency >= 0 and row.fields[row.layout.concurrency + 1]:
        facts["seed"] = row.fields[row.layout.concurrency + 1]
    if row.commas_in_name:
        facts["commas_in_machine_label"] = row.commas_in_name
    return facts
