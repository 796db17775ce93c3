"""The Excel section of IOzone's text: reports that repeat the table (``-R``).

The section repeats the numbers of the table, and so it is used to check them; it is
read as data only for cells that the table does not have, such as CPU use.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    quoted,
)
from fsviz.readers.document import Document
from fsviz.readers.iozone_report_cells import sound
from fsviz.readers.iozone_reports import Report, parse_label
from fsviz.readers.iozone_table import Table

_ROW = re.compile(r'"(\d{1,15})"([\d. ]*)')
_HEADER = re.compile(r'"\d{1,15}"(?: +"\d{1,15}")*')

_DAMAGED = re.compile(r'\d"|report"|ignored\)"')
_BEGUN_ROW = re.compile(r'"?\d{1,15}"? ')
_OVERFLOW = 2**63


def read_reports(
    document: Document, first: int, last: int
) -> tuple[list[Report], list[ParseError]]:
    """Read the reports between two lines.

    Parameters
    ----------
    document : Document
        The file.
    first, last : int
        Line numbers.

    Returns
    -------
    list of Report, list of ParseError
        The reports, and the rows among them that are none.
    """
    reports: list[Report] = []
    problems: list[ParseError] = []
    current: Report | None = None
    lost = False
    for number, text in _quoted_lines(document, first, last):
        if "report" in text and (label := parse_label(text)):
            current, lost = Report(*label, number, ()), False
            reports.append(current)
        elif not lost and not _take(current, text, f"line {number}"):
            # What follows a damaged label or header belongs to no report.
            lost = current is None or not _BEGUN_ROW.match(text)
            problems.append(
                MalformedRowError(
                    document.path, number, "a line of a report", quoted(text)
                )
            )
    return reports, problems


def _take(report: Report | None, text: str, place: str) -> bool:
    """Add a line to a report; tell whether it is one of its lines."""
    if report is None:
        return False
    if not report.records and _HEADER.fullmatch(text):
        report.records = [int(word) for word in text.replace('"', "").split()]
        return True
    match = _ROW.fullmatch(text)
    return bool(report.records and match and _add_row(report, match, place))


def _quoted_lines(
    document: Document, first: int, last: int
) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(document.lines[first - 1 : last], first):
        if '"' in line:
            text = line.strip()
            if text[0] == '"' or _DAMAGED.search(text):
                yield number, text


def _add_row(report: Report, match: re.Match[str], place: str) -> bool:
    """Add a row to a report; tell whether its numbers are numbers."""
    try:
        numbers = list(map(float if report.cpu else int, match[2].split()))
    except ValueError:
        return False
    if numbers and max(numbers) >= _OVERFLOW:
        return False
    report.rows.append((int(match[1]), numbers, [place] * len(numbers)))
    return True


def compare(
    document: Document, reports: Sequence[Report], table: Table
) -> list[ParseError]:
    """Check a table against the reports of the same run.

    A report with one of the tool's own bugs says nothing about the table and is left
    out, see `fsviz.readers.iozone_reports`.

    Parameters
    ----------
    document : Document
        The file.
    reports : sequence of Report
        Of the same run.
    table : Table
        The table.

    Returns
    -------
    list of ParseError
        One for each number that is another one in the table.
    """
    column = {operation: at for at, operation in enumerate(table.operations)}
    rows = _Rows(table)
    return [
        _disagreement(document, place, table.lines[row], in_table, number)
        for report in sound(reports)
        if not report.cpu and report.operation in column
        for place, row, in_table, number in rows.differences(
            report, column[report.operation]
        )
    ]


class _Rows:
    """The numbers of a table in the order of a report's row."""

    def __init__(self, table: Table) -> None:
        self._numbers = table.numbers.T.tolist()
        pairs = zip(table.files, table.records, strict=True)
        self._row = {pair: at for at, pair in enumerate(pairs)}
        self._rows: dict[tuple[int, ...], list[int | None]] = {}

    def differences(
        self, report: Report, column: int
    ) -> Iterator[tuple[str, int, int, float]]:
        for file, numbers, places in report.rows:
            records = report.records[: len(numbers)]
            rows = self._rows.get(key := (file, *records))
            if rows is None:
                rows = [self._row.get((file, record)) for record in records]
                self._rows[key] = rows
            in_table = self._numbers[column]
            expected = [
                n if r is None else in_table[r]
                for r, n in zip(rows, numbers, strict=False)
            ]
            if expected == numbers:
                continue
            for at, row in enumerate(rows):
                if row is not None and expected[at] != numbers[at]:
                    yield places[at], row, in_table[row], numbers[at]


def _disagreement(
    document: Document, place: str, line: int, in_table: int, number: float
) -> ParseError:
    return InconsistentDataError(
        document.path,
        int(place.removeprefix("line ")),
        f"{in_table} as in line {line}",
        str(number),
    )
