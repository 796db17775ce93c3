"""From the console tables of bonnie++ to runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from fsviz.model.errors import (
    AmbiguousColumnsError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.runs import MISSING, Cells, Run
from fsviz.model.units import parse_size
from fsviz.readers.bonnie_cells import (
    FILE_OPERATIONS,
    IO_OPERATIONS,
    Setup,
    add_cpu,
    add_latency,
    add_rate,
    add_scaled_rate,
)
from fsviz.readers.bonnie_tables import Table, TableRow, find_tables
from fsviz.readers.document import Document

_OLD = re.compile(r"1\.0\d\w*")
_MIDDLE = re.compile(r"1\.9[3-7](?:\.\d+)?\w?")
_NEW = re.compile(r"(?:1\.9[89]|2\.0\d)\w?")
_LEFT = re.compile(
    r"(?P<label>.*?)(?P<blank>\s*)(?P<size>\d{1,9}[MG])(?::(?P<chunk>\d*[km]?))?"
    r"(?::(?P<concurrency>\d*))?(?::(?P<seeks>\d*))?(?::(?P<processes>\d*))?"
)
_FILES = re.compile(
    r"(?P<number>\d{1,9})(?::(?P<largest>\d+|link|symlink))?"
    r"(?::(?P<smallest>\d+))?(?:/(?P<directories>\d+))?"
)
_EMPTY = Setup(None, None, 1, None, None, None, "", "", "")
_DEFAULT_CHUNK = 8192
_DEFAULT_SEEKS, _DEFAULT_SEEK_PROCESSES = 8192, 5


def read_tables(
    document: Document,
) -> tuple[list[tuple[int, Run]], list[ParseError]]:
    """Read every console table of a file.

    Parameters
    ----------
    document : Document
        A file with tables of bonnie++.

    Returns
    -------
    runs : list of (int, Run)
        Each with the line of its first row; the identity is left to the caller.
    problems : list of ParseError
        What could not be used.
    """
    runs: list[tuple[int, Run]] = []
    problems: list[ParseError] = []
    found = find_tables(document.path, document.lines)
    for group in _groups(document.path, found, problems):
        for rows in zip_longest(*(table.rows for table in group)):
            both = zip(group, rows, strict=True)
            parts = [(table, row) for table, row in both if row is not None]
            try:
                runs.append((parts[0][1].line, _run(document, parts, problems)))
            except ParseError as problem:
                problems.append(problem)
    return runs, problems


def _groups(
    path: str, found: Iterator[Table | ParseError], problems: list[ParseError]
) -> Iterator[list[Table]]:
    """A table of I/O tests and the table of file tests that follows it are one run."""
    held: list[Table] = []
    for table in found:
        if isinstance(table, ParseError):
            problems.append(table)
            continue
        if held and table.of_files and _same_machine(held[0], table):
            yield [*held, table]
            held = []
            continue
        if held:
            yield held
        if held and table.of_files:
            problems.append(_stranger(path, held[0], table))
            held = []
            continue
        held = [] if table.of_files else [table]
        if table.of_files:
            yield [table]
    if held:
        yield held


def _stranger(path: str, io: Table, files: Table) -> ParseError:
    """A table of file tests that follows one of I/O tests but is not of that run."""
    expected = f"the file tests of {quoted(_label(io.rows[0].left))} {io.version}"
    found = f"those of {quoted(files.label)} {files.version}"
    return InconsistentDataError(path, files.line, expected, found)


def _same_machine(io: Table, files: Table) -> bool:
    """Labels are cut to fit, so one is the beginning of the other; 1.03 prints none."""
    label = _label(io.rows[0].left)
    return io.version == files.version and (
        files.label.startswith(label) or label.startswith(files.label)
    )


def _label(left: str) -> str:
    match = _LEFT.fullmatch(left)
    return match["label"].strip() if match else left


def _run(
    document: Document,
    parts: Sequence[tuple[Table, TableRow]],
    problems: list[ParseError],
) -> Run:
    path, first = document.path, parts[0][0]
    setup, cells, notes = _EMPTY, Cells(), []
    for table, row in parts:
        _refuse_version(path, table)
        setup = _with_row(setup, path, table, row)
    garbage = [_garbage(path, t, row) for t, row in parts if _is_garbage(t)]
    if len(garbage) == len(parts):
        raise garbage[0]
    for table, row in parts:
        if _is_garbage(table):
            continue
        _add_pairs(cells, path, table, row, setup)
        try:
            _add_latencies(cells, path, table, row, setup)
        except ParseError as problem:
            problems.append(problem)
            notes.append(f"the latencies on line {row.latency_line} are not usable")
    problems += garbage
    ran = {op for table, row in parts for op in _ran(table, row)}
    return Run(
        tool="bonnie++",
        identity="",
        source=path,
        cells=cells,
        configuration=setup.describe(ran),
        complete=not notes,
        tool_version=first.version,
        host=first.label if first.of_files else _label(parts[0][1].left),
        note="; ".join(notes),
        facts={"form": "console"},
    )


def _refuse_version(path: str, table: Table) -> None:
    if not any(p.fullmatch(table.version) for p in (_OLD, _MIDDLE, _NEW)):
        known = "bonnie++ 1.00 to 1.03 or 1.93 to 2.00"
        found = quoted(table.version) if table.version else "a table without a version"
        raise UnsupportedVersionError(path, table.line, known, found)


def _is_garbage(table: Table) -> bool:
    """From 1.98 on, the number of files stands where the rates of files belong."""
    return table.of_files and _NEW.fullmatch(table.version) is not None


def _garbage(path: str, table: Table, row: TableRow) -> ParseError:
    return UnsupportedVersionError(
        path,
        row.line,
        "the CSV row",
        f"the console form of the file tests, in which {table.version} prints the "
        "number of files for the rate",
    )


def _operations(table: Table) -> tuple[str, ...]:
    return FILE_OPERATIONS if table.of_files else IO_OPERATIONS


def _ran(table: Table, row: TableRow) -> list[str]:
    texts = zip(_operations(table), row.pairs, strict=True)
    return [operation for operation, (rate, _) in texts if rate]


def _with_row(setup: Setup, path: str, table: Table, row: TableRow) -> Setup:
    """Add what stands left of a row: sizes, or numbers of files."""
    setup = replace(setup, threads=max(setup.threads, table.concurrency))
    if table.of_files:
        match = _FILES.fullmatch(row.left)
        if match is None:
            what = "a number of files, n:max:min/dirs"
            raise MalformedRowError(path, row.line, what, quoted(row.left))
        number, largest, smallest, directories = (text or "" for text in match.groups())
        # the console prints a minimum of 0 where the CSV leaves the field empty
        return replace(
            setup,
            files=int(number),
            max_size=largest,
            min_size=smallest if smallest != "0" else "",
            directories=directories,
        )
    match = _LEFT.fullmatch(row.left)
    if match is None:
        what = "a machine and a size such as 2G"
        raise MalformedRowError(path, row.line, what, quoted(row.left))
    if match["label"] and not match["blank"] and match["label"][-1].isalnum():
        raise AmbiguousColumnsError(
            path, row.line, "a blank before the size", quoted(row.left)
        )
    return _with_size(setup, match, _NEW.fullmatch(table.version) is not None)


def _with_size(setup: Setup, match: re.Match[str], is_new: bool) -> Setup:
    chunk = parse_size(match["chunk"]) if match["chunk"] else None
    if not is_new:
        chunk = chunk or _DEFAULT_CHUNK
        return replace(setup, size=parse_size(match["size"]), chunk=chunk)
    return replace(
        setup,
        size=parse_size(match["size"]),
        chunk=chunk,
        threads=int(match["concurrency"] or setup.threads),
        seeks=int(match["seeks"] or _DEFAULT_SEEKS),
        seek_processes=int(match["processes"] or _DEFAULT_SEEK_PROCESSES),
    )


def _add_pairs(
    cells: Cells, path: str, table: Table, row: TableRow, setup: Setup
) -> None:
    add = add_scaled_rate if _NEW.fullmatch(table.version) else add_rate
    is_old = _OLD.fullmatch(table.version) is not None
    for operation, (rate, cpu) in zip(_operations(table), row.pairs, strict=True):
        where = setup.where(operation, row.line)
        whole_file = is_old or "per_char" not in operation
        least = setup.least(operation) if whole_file else MISSING
        add(cells, (path, row.line), rate, operation, least, where)
        add_cpu(cells, (path, row.line), cpu, operation, where)


def _add_latencies(
    cells: Cells, path: str, table: Table, row: TableRow, setup: Setup
) -> None:
    """Add one latency for each test that ran, or none of them."""
    ran = _ran(table, row)
    if not row.latencies:
        return
    if len(row.latencies) != len(ran):
        raise MalformedRowError(
            path,
            row.latency_line,
            f"{len(ran)} latencies, one for each test that ran",
            str(len(row.latencies)),
        )
    new = Cells()
    for operation, text in zip(ran, row.latencies, strict=True):
        where = setup.where(operation, row.latency_line)
        add_latency(new, (path, row.latency_line), text, operation, where)
    for name in cells.__slots__:
        getattr(cells, name).extend(getattr(new, name))
