"""Grids of numbers in a sheet: what stands below the label of a report."""

from __future__ import annotations

from fsviz.model.errors import MalformedRowError, ParseError, quoted
from fsviz.readers.iozone_reports import Report
from fsviz.readers.iozone_throughput_report import LABELS, ThroughputReport
from fsviz.readers.workbook_sheets import Row, Sheet


def read_report(
    path: str,
    sheet: Sheet,
    place: tuple[int, int],
    label: tuple[str, bool],
    problems: list[ParseError],
) -> Report:
    """Read the grid below a label: record sizes, then a row for each file size.

    Parameters
    ----------
    path : str
        For messages.
    sheet : Sheet
        Where the label is.
    place : (int, int)
        Row and column of the label, from 0.
    label : (str, bool)
        What `fsviz.readers.iozone_reports.parse_label` made of it.
    problems : list of ParseError
        Takes an error for each row that cannot be used.
    """
    index, column = place
    header = _next_row(sheet, index + 1)
    cells = sheet.rows[header][column + 1 :] if header < len(sheet.rows) else ()
    records = [_whole(value) for value in _numbers(cells)]
    report = Report(*label, sheet.place(index, column), records)
    for number in range(header + 1, len(sheet.rows)):
        row = sheet.rows[number]
        file = row[column] if column < len(row) else None
        if not isinstance(file, float):
            break
        numbers = _numbers(row[column + 1 :])
        after = row[column + 1 + len(numbers) : column + 1 + len(records)]
        if not _whole(file) or any(cell is not None for cell in after):
            problems.append(_malformed(path, sheet, number, column, row))
            continue
        places = [sheet.place(number, column + 1 + at) for at in range(len(numbers))]
        report.rows.append((_whole(file), numbers, places))
    return report


def read_throughput_report(
    sheet: Sheet, index: int, column: int, cpu: bool
) -> ThroughputReport:
    """Read the rows below the title of a throughput report."""
    report = ThroughputReport(sheet.place(index, column), cpu)
    for number in range(index + 1, len(sheet.rows)):
        row = sheet.rows[number][column:]
        text = row[0] if row else None
        numbers = [cell for cell in row[1:] if isinstance(cell, float)]
        if isinstance(text, str) and not numbers and len(report.rows) == 0:
            report.take(text)
        elif numbers and _is_label(text):
            first = next(at for at, cell in enumerate(row) if isinstance(cell, float))
            places = [
                sheet.place(number, column + first + at) for at in range(len(numbers))
            ]
            report.rows.append((str(text or "").strip(), numbers, places))
        elif any(cell is not None for cell in row):
            break
    return report


def _is_label(text: object) -> bool:
    return text is None or str(text).strip().lower() in ("", *LABELS)


def _next_row(sheet: Sheet, index: int) -> int:
    """Skip empty rows, which people insert."""
    while index < len(sheet.rows) and not any(
        cell is not None for cell in sheet.rows[index]
    ):
        index += 1
    return index


def _numbers(row: Row) -> list[float]:
    """Take the numbers up to the first cell that is none."""
    numbers: list[float] = []
    for cell in row:
        if not isinstance(cell, float):
            break
        numbers.append(cell)
    return numbers


def _whole(value: float) -> int:
    return int(value) if value == int(value) and value > 0 else 0


def _malformed(
    path: str, sheet: Sheet, number: int, column: int, row: Row
) -> MalformedRowError:
    shown = " ".join("–" if cell is None else str(cell) for cell in row)
    return MalformedRowError(
        path,
        sheet.place(number, column),
        "a file size and numbers without gaps",
        quoted(shown),
    )
