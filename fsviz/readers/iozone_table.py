r"""IOzone's result table in automatic and single mode.

::

                                                   random    random     bkwd    record …
          kB  reclen    write  rewrite    read    reread    read     write     read …
          64       4  2358717  6421025  9006179 22737791 15972885  7100397
         128       4  3053774  6727225 12842051 14200794 14200794  6114306

The header always names all columns, also those that stay blank. Between the rows may
stand messages of the tool (many with ``-N``) and of the kernel; a line that is no row
but holds the beginning of one is reported, other lines are skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from fsviz.model.errors import (
    AmbiguousColumnsError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    quoted,
)
from fsviz.readers.document import Document
from fsviz.readers.iozone_headers import Header, read_header
from fsviz.readers.iozone_layouts import COLUMN_TESTS, Selection, operations
from fsviz.readers.iozone_rows import Rows, read_counted_rows, read_rows

_ROW_INSIDE = re.compile(r"^\s*\d+\s+\d+\s+\S*\d|(?:^|\s)\d+\s+\d+\s+\d+(?:\s|$)")
_END = ("iozone test complete", "exiting iozone", "Excel output is below")
FAILURE = re.compile(
    r"\s*(?:Error[ :]\w*|Can not |iozone: interrupted|Memory allocation failed"
    r"|MAX_[XY] too small|Sanity check failed|Microsecond mode not supported)"
)
"""Start of a line with which IOzone reports that it failed."""


@dataclass(slots=True)
class Table:
    """The rows of one table.

    Parameters
    ----------
    operations : tuple of str
        One for each number of a row.
    lines, files, records : list of int
        Line number, file size [kB] and record size [kB] of each row.
    numbers : array of int, one row each
        What was printed.
    problems : list of ParseError
        What could not be used.
    cut_short : int or None
        Line number of a last row that stops early.
    """

    operations: tuple[str, ...] = ()
    lines: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    numbers: npt.NDArray[np.int64] = field(
        default_factory=lambda: np.empty((0, 0), np.int64)
    )
    problems: list[ParseError] = field(default_factory=list)
    cut_short: int | None = None


def read_table(
    document: Document, header: int, end: int, tests: frozenset[int] | None
) -> Table:
    """Read the table whose header names are in line ``header``.

    Parameters
    ----------
    document : Document
        The file.
    header, end : int
        Line numbers of the header and of the last line of the run.
    tests : frozenset of int or None
        The tests that the command line selects, None where all or unknown.

    Returns
    -------
    Table

    Raises
    ------
    ParseError
        If the header is not one of IOzone's, or no row fits under it.
    """
    head = read_header(document, header)
    table = Table()
    rows = list(_rows(document, header + 1, end, head.tab, table))
    if not rows:
        return table
    expected = _expected(head.columns, tests)
    read = _read(head, [row for _, row in rows], expected)
    if read is None:
        _refuse(document, rows, expected, table)
        return table
    table.operations = operations(read.selection)
    table.lines = [rows[at][0] for at in np.flatnonzero(read.fits)]
    good = read.numbers[read.fits]
    table.files, table.records = good[:, 0].tolist(), good[:, 1].tolist()
    table.numbers = good[:, 2:]
    misfits = [rows[at] for at in np.flatnonzero(~read.fits)]
    _explain(document, misfits, rows[-1][0], table)
    _check_pairs(document, table)
    return table


def _read(head: Header, rows: Sequence[str], expected: Selection | None) -> Rows | None:
    if not head.layout:
        return read_counted_rows(expected or COLUMN_TESTS[head.columns], rows)
    read = read_rows(head.layout, head.columns, rows, expected)
    return None if read is None or _is_prefix(read.selection, expected) else read


def _rows(
    document: Document, first: int, end: int, tab: int, table: Table
) -> Iterator[tuple[int, str]]:
    """Find the lines of digits and blanks, and the damaged rows between them."""
    for number, line in enumerate(document.lines[first - 1 : end], first):
        text = line.strip()
        if not text:
            continue
        if "\t" in line:
            text = line.expandtabs(tab).strip()
        # of bytes, which is much quicker than of text
        if text.isascii() and text.replace(" ", "").encode().isdigit():
            yield number, text
        elif text.startswith(_END) or FAILURE.match(text):
            return
        elif _ROW_INSIDE.search(text):
            table.problems.append(_malformed(document, number, text))


def _malformed(document: Document, number: int, text: str) -> MalformedRowError:
    return MalformedRowError(
        document.path, number, "a row of plain whole numbers", quoted(text)
    )


def _expected(columns: int, tests: frozenset[int] | None) -> Selection | None:
    """List the tests that must be in the table, None where that is not known."""
    if tests is None:
        return None
    return tuple(test for test in COLUMN_TESTS[columns] if test in tests)


def _is_prefix(selection: Selection, expected: Selection | None) -> bool:
    """Tell whether every row stops before the last test that was asked for."""
    return (
        expected is not None
        and len(selection) < len(expected)
        and expected[: len(selection)] == selection
    )


def _refuse(
    document: Document,
    rows: Sequence[tuple[int, str]],
    expected: Selection | None,
    table: Table,
) -> None:
    """Say why no row can be read: one that is cut short, or columns in doubt."""
    number, row = rows[0]
    names = operations(expected) if expected else ()
    if len(rows) == 1 and len(row.split()) < 2 + max(1, len(names)):
        table.cut_short = number
        return
    wanted = f"numbers for {', '.join(names)}" if names else "numbers in known columns"
    table.problems.append(
        AmbiguousColumnsError(document.path, number, wanted, quoted(row))
    )


def _explain(
    document: Document, misfits: Sequence[tuple[int, str]], last: int, table: Table
) -> None:
    wanted = len(table.operations) + 2
    for number, row in misfits:
        found = len(row.split())
        if number == last and found <= wanted:
            table.cut_short = number
        elif found == wanted:
            table.problems.append(
                AmbiguousColumnsError(
                    document.path, number, "numbers in the columns above", quoted(row)
                )
            )
        else:
            table.problems.append(
                MalformedRowError(
                    document.path,
                    number,
                    f"a row of {wanted} numbers in their columns, record ≤ file size",
                    quoted(row),
                )
            )


def _check_pairs(document: Document, table: Table) -> None:
    """Drop a file and record size that comes again: one run measures it once."""
    pairs = list(zip(table.files, table.records, strict=True))
    if len(set(pairs)) == len(pairs):
        return
    first: dict[tuple[int, int], int] = {}
    again: list[int] = []
    for at, (pair, line) in enumerate(zip(pairs, table.lines, strict=True)):
        if first.setdefault(pair, line) != line:
            again.append(at)
            table.problems.append(
                InconsistentDataError(
                    document.path,
                    line,
                    f"file size {pair[0]} kB, record size {pair[1]} kB once in a run",
                    f"it already in line {first[pair]}",
                )
            )
    for at in reversed(again):
        del table.lines[at], table.files[at], table.records[at]
    table.numbers = np.delete(table.numbers, again, axis=0)
