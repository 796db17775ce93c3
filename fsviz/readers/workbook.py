"""Workbooks with IOzone's reports: what ``-b`` writes.

``-b`` writes BIFF2, the format of Excel 2, which no reader but xlrd still knows.
Reports are found by their labels, wherever they stand. A workbook does not state its
unit; it follows from ``-O`` and ``-N`` in the command line in its first cell. That cell
holds the length of its text in one byte, so that a command line longer than 255
characters is cut; then the unit is assumed, and the run's note says so.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Sequence
from dataclasses import dataclass

from fsviz.errors import (
    InvalidModeError,
    ParseError,
    TruncatedInputError,
    UnknownFormatError,
)
from fsviz.readers.document import digest
from fsviz.readers.iozone_banner import UNSTATED, Banner, banner_of_command
from fsviz.readers.iozone_reports import Report, add_reports, parse_label
from fsviz.runs import Cells, Reading, Run

Row = Sequence[object]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet: its name and the values of its cells, row by row from the top left."""

    name: str
    rows: Sequence[Row]

    def place(self, row: int, column: int) -> str:
        """Name a cell, counted from 0, as a spreadsheet does.

        Examples
        --------
        >>> Sheet("Sheet 1", []).place(6, 2), Sheet("S", []).place(0, 27)
        ('Sheet 1!C7', 'S!AB1')
        """
        letters = ""
        column += 1
        while column:
            column, rest = divmod(column - 1, 26)
            letters = chr(ord("A") + rest) + letters
        return f"{self.name}!{letters}{row + 1}"


def read_workbook(path: str, data: bytes) -> Reading:
    """Read IOzone's reports from a workbook.

    Parameters
    ----------
    path : str
        As the user named it.
    data : bytes
        The file's content.

    Returns
    -------
    Reading
        One run for each sheet with reports.

    Raises
    ------
    ParseError
        If there is no report in it, or it cannot be opened.
    """
    runs: list[Run] = []
    problems: list[ParseError] = []
    for sheet in _sheets(path, data):
        try:
            found = _read_sheet(
                path, sheet, f"{digest(data)}-{len(runs) + 1}", problems
            )
        except ParseError as problem:
            problems.append(problem)
        else:
            runs.extend([found] if found else [])
    if not runs:
        raise problems[0] if problems else _no_reports(path)
    return Reading(tuple(runs), tuple(problems))


def _no_reports(path: str) -> ParseError:
    return UnknownFormatError(
        path, 1, 'IOzone\'s reports ("Writer Report" …)', "none in this workbook"
    )


def _sheets(path: str, data: bytes) -> list[Sheet]:
    import xlrd

    try:
        book = xlrd.open_workbook(file_contents=data, logfile=io.StringIO())
    except struct.error as error:
        raise TruncatedInputError(
            path, 1, "a whole workbook", "a record that is cut short"
        ) from error
    except Exception as error:  # xlrd raises AssertionError, IndexError, XLRDError …
        raise UnknownFormatError(
            path, 1, "a workbook that xlrd can open", type(error).__name__
        ) from error
    return [
        Sheet(sheet.name, [sheet.row_values(r) for r in range(sheet.nrows)])
        for sheet in book.sheets()
    ]


def _read_sheet(
    path: str, sheet: Sheet, identity: str, problems: list[ParseError]
) -> Run | None:
    reports = _reports(sheet)
    if not reports:
        return None
    command, cut = _command_line(sheet)
    banner = banner_of_command(command)
    if banner.invalid is not None:
        raise InvalidModeError(
            path,
            sheet.place(0, 0),
            "measurements that IOzone itself calls valid",
            "verify or diagnostic mode (-V, -+d, -+X)",
        )
    if cut:
        banner.facts["output_unit"] = UNSTATED
    cells = Cells()
    problems.extend(add_reports(path, cells, reports, banner))
    if not len(cells):
        return None
    stopped = any(report.stops_early for report in reports)
    return Run(
        tool="iozone",
        identity=identity,
        source=path,
        cells=cells,
        configuration=_configuration(banner, cut),
        complete=not stopped,
        command_line=command,
        note=_note(stopped, cut),
        facts=banner.facts,
    )


def _command_line(sheet: Sheet) -> tuple[str, bool]:
    """Find the command line, and whether it is cut short.

    IOzone puts a blank after each word, and ``-b`` must be among them.
    """
    text = next((c for c in sheet.rows[0] if isinstance(c, str) and " -" in c), "")
    cut = not text.endswith(" ") or "b" not in banner_of_command(text).options
    return text.strip(), cut


def _configuration(banner: Banner, cut: bool) -> str:
    known = banner.options.configuration or "(default)"
    return f"{known} … (cut short)" if cut else known


def _note(stopped: bool, cut: bool) -> str:
    notes = []
    if stopped:
        notes.append("the last row of a report is cut short")
    if cut:
        notes.append("the command line is cut short, its unit is assumed")
    return "; ".join(notes)


def _reports(sheet: Sheet) -> list[Report]:
    reports = []
    for index, row in enumerate(sheet.rows):
        for column, cell in enumerate(row):
            if isinstance(cell, str) and cell and (label := parse_label(cell)):
                reports.append(_report(sheet, index, column, *label))
    return reports


def _report(sheet: Sheet, index: int, column: int, operation: str, cpu: bool) -> Report:
    """Read the grid below a label: record sizes, then a row for each file size."""
    header = sheet.rows[index + 1] if index + 1 < len(sheet.rows) else ()
    records = [_whole(value) for value in _numbers(header[column + 1 :])]
    report = Report(operation, cpu, sheet.place(index, column), records)
    for number in range(index + 2, len(sheet.rows)):
        row = sheet.rows[number]
        file = row[column] if column < len(row) else None
        if not isinstance(file, int | float):
            break
        numbers = _numbers(row[column + 1 :])
        places = [sheet.place(number, column + 1 + at) for at in range(len(numbers))]
        report.rows.append((_whole(file), numbers, places))
    return report


def _numbers(row: Row) -> list[float]:
    """Take the numbers up to the first cell that is none."""
    numbers: list[float] = []
    for cell in row:
        if isinstance(cell, bool) or not isinstance(cell, int | float):
            break
        numbers.append(float(cell))
    return numbers


def _whole(value: float) -> int:
    return int(value) if value == int(value) and value > 0 else 0
