"""bonnie++: the CSV rows and console tables of every version from 1.00 to 2.00a.

One row is one run::

    1.98,2.00a,nfs-v3,1,1795252451,96M,,8192,5,,,67127,3,40960,…,112ms,234us

What to know about it:

- The first field is the version of the *format*; 2.00a writes 1.98. Versions up to 1.03
  have no such field.
- The printed header (``-x``) lacks columns that the rows have, so columns are found by
  format and number of fields, never by header.
- Nothing is quoted: a machine label ``a,b`` makes the row longer.
- ``K`` is 1024 bytes. ``+++++`` means that the test took less than half a second, which
  bounds the rate from below. Empty means that the test did not run.
- Spreadsheets save the rows again with quotes, semicolons or tabs.
- The console table of the same run says less than the CSV row: from 1.98 on it rounds
  to two or three digits, and its rates of the file tests are wrong. It is read only
  where there is no CSV row for it.
- From 1.93 on, a row has the seed of its random numbers: the Unix time of the start,
  unless ``-z`` or ``-Z`` gave another. Where it can be a time, the start is derived
  from it, in UTC; further rows of one invocation (``-x``) have the same, so no start.
- The page of ``bon_csv2html`` is such rows again, rounded: `read_page`.
"""

from __future__ import annotations

import csv
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TruncatedInputError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.libraries import np
from fsviz.model.runs import Note, Reading, Run
from fsviz.readers.bonnie._console import read_tables
from fsviz.readers.bonnie._page import PAGE, read_page
from fsviz.readers.bonnie.csv import read_row
from fsviz.readers.document import MOST_RUNS, Document, reading_of, too_many_runs
from fsviz.readers.labels import commands_above, systems_above, without_repeats

if TYPE_CHECKING:
    import numpy.typing as npt

_QUOTED_MAIL = re.compile(r"^[>\s]+")
_PULLED_APART = "this table is pulled apart: the chunk that it states is not known"
_CUT = 14
"""Letters from which a machine's name may be the beginning of a longer one."""
_NOT_PROCESSED = "Can't process:"
_DIRECTORY = re.compile(r"\s-d\s{0,9}(\S+)")
_VERSIONED = re.compile(r"(?:2|1\.9\d\w*)([,;\t])\d\.\d+\w*\1")
_QUOTED_VERSION = re.compile(r'"(?:2|1\.9\d\w*)"([,;\t])"\d\.\d+\w*"\1')
_UNVERSIONED = re.compile(r"[^,]*(?:,[^,]*){0,3}?,(?:\d+[MG](?::\d+[km]?)?)?,")
_FEWEST_COMMAS = 26
_PART = re.compile(r"(?=[^+\d]*[+\d])[\w.+:/-]*(?:,[\w.+:/-]*){4,}|,+")
"""Fields of a row; those of the header have neither digits nor signs."""
_NUMBERS = re.compile(r",(?:\+{3,5}|\d+(?:[um]s)?),")
_FAILURE = re.compile(
    r"Can't write|Can't read|Can't open|drastic I/O error|disk full"
    r"|Can't (?:make|create|stat|delete)|double free|Segmentation fault|[Cc]ore dumped"
)


def read_bonnie(document: Document) -> Reading:
    r"""Read bonnie++ output: CSV rows, and console tables that have none.

    >>> from fsviz.readers.document import decode
    >>> row = b"host,256M,,,1196742,61" + b"," * 21 + b"\n"
    >>> run, = read_bonnie(decode("b.csv", row)).runs
    >>> list(zip(run.cells.metric, run.cells.value))
    [('throughput', 1225463808.0), ('cpu', 61.0)]
    """
    is_page = PAGE in document.text
    rows, problems = read_page(document) if is_page else _read_rows(document)
    tables, unusable = read_tables(document)
    path, n_rows = document.path, len(rows)
    rows, alone = merge_forms(rows, tables)
    notes: list[Note] = []
    if len(tables) > n_rows:
        rows += alone
        if n_rows and alone:
            text = "a table without its CSV row: a run of its own"
            notes.append(Note(path, alone[0][0], text))
    else:
        expected = "a console table that agrees with its CSV row"
        problems += [
            InconsistentDataError(path, line, expected, quoted(table.host))
            for line, table in alone
        ]
    # a table beside the row would have stated what the row leaves out
    if n_rows and any("chunk=unknown" in run.configuration for _, run in rows):
        lines = dict.fromkeys(p.line for p in unusable if _has_empty_lines(p))
        notes += [Note(path, line, _PULLED_APART) for line in lines]
        unusable = [
            problem
            for problem in unusable
            if not _has_empty_lines(problem)
            and not isinstance(problem, UnsupportedVersionError)
        ]
    elif n_rows:
        unusable = problems_of(unusable, alone, tables)
    problems += unusable
    problems += _failures(document)
    runs = [run for _, run in sorted(rows, key=lambda row: row[0])]
    starts = sorted(line for line, _ in rows)
    systems = _machines([run.host for run in runs])
    if not any(systems):
        folders = _directories(document.lines, starts)
        systems = systems_above(document.lines, starts, folders)
    first = {run.started: run for run in reversed(runs)}
    runs = [r if first[r.started] is r else replace(r, started="") for r in runs]
    last = len(document.text.rstrip().split("\n"))
    form = "a CSV row or a table of bonnie++"
    nothing = TruncatedInputError(path, last, form, "neither")
    return reading_of(document, runs, systems, problems, nothing, notes)


def _directories(lines: Sequence[str], starts: Sequence[int]) -> list[str]:
    """List the commands of the runs with their directories, where the file has any."""
    commands = commands_above(lines, starts, "bonnie++")
    matches = [_DIRECTORY.search(command) for command in commands]
    return [f"bonnie++ {match[1].rstrip('/')}/" if match else "" for match in matches]


def _machines(names: Sequence[str]) -> list[str]:
    """Name the machine of each run where a file has several; tables cut long names."""
    in_order = sorted(set(names))
    longest = {name: _longest(name, in_order) for name in in_order}
    machines = without_repeats([longest[name] for name in names])
    return machines if len(set(machines)) > 1 else ["" for _ in machines]


def _longest(name: str, names: Sequence[str]) -> str:
    """Find the longest of sorted names that begins with one that may be cut."""
    if len(name) < _CUT:
        return name
    after = islice(names, bisect_left(names, name), None)
    return max(takewhile(lambda n: n.startswith(name), after), key=len)


def _has_empty_lines(problem: ParseError) -> bool:
    """Whether a table is pulled apart by empty lines, as by mail."""
    return problem.found == quoted("")


def _read_rows(document: Document) -> tuple[list[tuple[int, Run]], list[ParseError]]:
    path = document.path
    rows: list[tuple[int, Run]] = []
    problems: list[ParseError] = []
    for number, line in enumerate(document.lines, 1):
        text = _QUOTED_MAIL.sub("", line).rstrip()
        fields = _fields(text)
        if len(rows) + len(problems) >= MOST_RUNS:
            problems.append(too_many_runs(path, number))
            break
        if not fields:
            if _NUMBERS.search(text) and text.count(",") >= _FEWEST_COMMAS:
                problems.append(_damaged(path, number, text))
            continue
        try:
            run = read_row(document, number, fields)
        except ParseError as problem:
            problems.append(problem)
            continue
        rows.append((number, run))
        if not run.complete:
            expected = "a latency of the last test"
            problems.append(TruncatedInputError(path, number, expected, "none"))
    named = {*(problem.line for problem in problems)}
    problems += _parts_of_rows(document, {number for number, _ in rows}, named)
    return rows, problems


def _parts_of_rows(
    document: Document, rows: set[int], named: set[int | str]
) -> Iterator[ParseError]:
    """Find what is left of rows that were cut or wrapped, next to whole ones."""
    beside = {number + step for number in rows for step in (-1, 1)}
    for number in sorted(beside - rows - named - {0, len(document.lines) + 1}):
        text = document.lines[number - 1].strip()
        near = (n for n in (number - 1, number + 1) if n in rows)
        begun = any(document.lines[n - 1].startswith(text) for n in near)
        if text and (begun or _PART.fullmatch(text)):
            yield _damaged(document.path, number, text)


def _damaged(path: str, number: int, text: str) -> ParseError:
    return MalformedRowError(path, number, "a row of bonnie++", quoted(text))


def _fields(line: str) -> list[str]:
    """Split a line that is a CSV row; nothing for any other."""
    if row := _QUOTED_VERSION.match(line):
        return next(csv.reader([line], delimiter=row[1]))
    if row := _VERSIONED.match(line):
        return line.split(row[1])
    if line.count(",") >= _FEWEST_COMMAS and _UNVERSIONED.match(line):
        return line.split(",")
    return []


def _failures(document: Document) -> Iterator[ParseError]:
    """List the first line of each complaint of bonnie++ or the system."""
    before = 0
    for number, line in enumerate(document.lines, 1):
        if _FAILURE.search(line) and not line.startswith(_NOT_PROCESSED):
            if before != number - 1 or not before:
                expected = "a run to its end"
                yield ToolFailureError(document.path, number, expected, quoted(line))
            before = number


# The two forms of one bonnie++ run: the CSV row and the console table beside it.


def merge_forms(
    rows: Sequence[tuple[int, Run]], tables: Sequence[tuple[int, Run]]
) -> tuple[list[tuple[int, Run]], list[tuple[int, Run]]]:
    """Match console tables with the CSV rows of the same runs."""
    merged, alone = list(rows), []
    intervals = _Intervals([run for _, run in rows] if tables else [])
    for line, table in tables:
        at = intervals.take(table) if rows else None
        if at is None:
            alone.append((line, table))
        else:
            merged[at] = (merged[at][0], _with_chunk(merged[at][1], table))
    return merged, alone


class _Intervals:
    """The intervals of all CSV rows, cell by cell: a file may have thousands."""

    def __init__(self, runs: Sequence[Run]) -> None:
        self.free = np.ones(len(runs), bool)
        # of file size, low and high; no size is -1, and no cell has -2
        self.cells: dict[tuple[str, str], npt.NDArray[np.float64]] = {}
        for at, run in enumerate(runs):
            for key, numbers in _intervals(run):
                if key not in self.cells:
                    self.cells[key] = np.full((3, len(runs)), -2.0)
                self.cells[key][:, at] = numbers

    def take(self, table: Run) -> int | None:
        """Take the first row of which a table can be the rounded form."""
        agree = self.free.copy()
        for key, (size, low, high) in _intervals(table):
            if key not in self.cells:
                return None
            sizes, lows, highs = self.cells[key]
            # a bound that is not known excludes nothing: NaN compares false
            agree &= (sizes == size) & ~((high < lows) | (highs < low))
        if not agree.any():
            return None
        at = int(agree.argmax())
        self.free[at] = False
        return at


def _intervals(
    run: Run,
) -> Iterator[tuple[tuple[str, str], tuple[float, float, float]]]:
    c = run.cells
    for at, key in enumerate(zip(c.operation, c.metric, strict=True)):
        size = c.file_size_bytes[at]
        yield key, (-1.0 if size is None else size, c.low[at], c.high[at])


def _with_chunk(row: Run, table: Run) -> Run:
    """Take the chunk size from the table: the CSV row of 2.00a leaves it out."""
    chunk = next((c for c in table.cells.record_size_bytes if c is not None), None)
    is_other = table.tool_version[:3] != row.tool_version[:3]
    if chunk is None or any(row.cells.record_size_bytes) or is_other:
        return row
    sizes = row.cells.file_size_bytes
    row.cells.record_size_bytes = [None if s is None else chunk for s in sizes]
    stated = row.configuration.replace("chunk=unknown", f"chunk={chunk}")
    return replace(row, configuration=stated)


def problems_of(
    problems: Sequence[ParseError],
    alone: Sequence[tuple[int, Run]],
    tables: Sequence[tuple[int, Run]],
) -> list[ParseError]:
    """Keep the problems of those tables that no CSV row makes superfluous."""
    starts = [line for line, _ in tables]
    needed = {line for line, _ in alone}
    return [
        problem
        for problem in problems
        if (k := bisect_right(starts, int(problem.line))) and starts[k - 1] in needed
    ]
