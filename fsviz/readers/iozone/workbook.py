"""Workbooks with IOzone's reports: what ``-b`` writes, and what was made of it.

Reports are found by their labels, in any sheet and at any place. A workbook does not
state its unit; it follows from ``-O`` and ``-N`` in the command line above the reports.
``-b`` stores the length of that text in one byte, so that a command line of more than
255 characters is cut; then the unit is assumed, and the run's note says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    UnknownFormatError,
    quoted,
)
from fsviz.model.runs import Cells, Reading, Run
from fsviz.model.units import KIB, TOO_LARGE
from fsviz.readers.document import Document, reading_of
from fsviz.readers.iozone.banner import UNSTATED, banner_of_command, refuse_invalid
from fsviz.readers.iozone.reports import Report, add_reports, describe, parse_label
from fsviz.readers.iozone.throughput import (
    LABELS,
    ThroughputReport,
    add_throughput_reports,
    parse_title,
)
from fsviz.readers.sheets import Row, Sheet, sheet_of_text, systems_of_sheets

_LARGEST_SIZE = TOO_LARGE // KIB
_LONGEST_LABEL = 200


@dataclass(slots=True)
class _Reports:
    """The reports of one run, from one sheet or several."""

    path: str
    sheet: str = ""
    command: str = ""
    place: str = ""
    reports: list[Report] = field(default_factory=list)
    throughput: list[ThroughputReport] = field(default_factory=list)
    problems: list[ParseError] = field(default_factory=list)

    def labels(self) -> set[tuple[str, bool]]:
        labels = {(report.operation, report.cpu) for report in self.reports}
        return labels | {("", report.cpu) for report in self.throughput}


def read_saved_sheet(document: Document) -> Reading:
    """Read IOzone's reports from a workbook that was saved as CSV."""
    return read_workbook(document, [sheet_of_text(document)])


def read_workbook(document: Document, sheets: Sequence[Sheet]) -> Reading:
    """Read IOzone's reports from the sheets of a workbook."""
    runs: list[Run] = []
    names: list[str] = []
    problems: list[ParseError] = []
    for reports in _by_run([_find(document.path, sheet) for sheet in sheets]):
        problems.extend(reports.problems)
        try:
            run = _run(reports, problems)
        except ParseError as problem:
            problems.append(problem)
            continue
        runs.extend([run] if len(run.cells) else [])
        names.extend([reports.sheet] if len(run.cells) else [])
    expected = (
        'IOzone\'s reports ("Writer Report" …), or a table with one row of titles such '
        "as system and write (MiB/s); `fsviz formats --explain table` shows more"
    )
    nothing = UnknownFormatError(document.path, 1, expected, "none")
    return reading_of(document, runs, systems_of_sheets(names), problems, nothing)


def _find(path: str, sheet: Sheet) -> _Reports:
    """Find everything in a sheet."""
    reports = _Reports(path, sheet.name)
    for index, row in enumerate(sheet.rows):
        # most rows are of numbers
        for column, cell in enumerate(row if str in map(type, row) else ()):
            if not isinstance(cell, str):
                continue
            short = cell if len(cell) <= _LONGEST_LABEL else ""
            if label := parse_label(short):
                _take(reports, sheet, (index, column), label)
            elif (cpu := parse_title(short)) is not None:
                report = read_throughput_report(sheet, index, column, cpu)
                reports.throughput.append(report)
            elif not reports.labels() and not reports.command and " -" in cell:
                reports.command, reports.place = cell, sheet.place(index, column)
    return reports


def _take(
    reports: _Reports, sheet: Sheet, place: tuple[int, int], label: tuple[str, bool]
) -> None:
    if label not in reports.labels():
        report = read_report(reports.path, sheet, place, label, reports.problems)
        reports.reports.append(report)
        return
    expected = "each report once in a sheet"
    again = (reports.path, sheet.place(*place), expected, "it again")
    reports.problems.append(InconsistentDataError(*again))


def _by_run(sheets: Sequence[_Reports]) -> list[_Reports]:
    """Join sheets that hold different reports of what can be one run."""
    runs: list[_Reports] = []
    for sheet in sheets:
        if not sheet.labels():
            continue
        if runs and not sheet.command and not sheet.labels() & runs[-1].labels():
            runs[-1].reports.extend(sheet.reports)
            runs[-1].throughput.extend(sheet.throughput)
            runs[-1].problems.extend(sheet.problems)
        else:
            runs.append(sheet)
    return runs


def _run(reports: _Reports, problems: list[ParseError]) -> Run:
    path, command = reports.path, reports.command.strip()
    banner = banner_of_command(command)
    refuse_invalid(path, reports.place, banner)
    options, cells = banner.options, Cells()
    # IOzone puts a blank after each word, and -b must be among them.
    is_cut = bool(command) and not (reports.command.endswith(" ") and "b" in options)
    configuration = options.configuration or "(default)"
    notes = []
    problems.extend(add_reports(path, cells, reports.reports, banner))
    if reports.throughput:
        threads, file = options.threads, options.only_size("s")
        add_throughput_reports(path, cells, reports.throughput, threads, file)
    cells.setting = options.settings(cells.operation)
    stopped = next((r for r in reports.reports if r.stops_early), None)
    if stopped is not None:
        file, numbers, places = stopped.rows[-1]
        end = f"the run stopped after {len(numbers)} in the row of {file} kB"
        place, expected = [stopped.place, *places][-1], "a number for each record size"
        problems.append(TruncatedInputError(path, place, expected, end))
        notes.append("the last row of a report is cut short")
    if is_cut:
        banner.facts["output_unit"] = UNSTATED
        configuration += " … (cut short)"
        notes.append("the command line is cut short, its unit is assumed")
    if not command:
        configuration = f"unknown options: {describe(reports.reports)}"
    return Run(
        tool="iozone",
        cells=cells,
        configuration=configuration,
        complete=stopped is None,
        command_line=command,
        note="; ".join(notes),
        facts=banner.facts,
    )


# Grids of numbers in a sheet: what stands below the label of a report.


def read_report(
    path: str,
    sheet: Sheet,
    place: tuple[int, int],
    label: tuple[str, bool],
    problems: list[ParseError],
) -> Report:
    """Read the grid below a label: record sizes, then a row for each file size."""
    index, column = place
    header = index + 1
    # people insert empty rows
    while header < len(sheet.rows) and not _is_filled(sheet.rows[header]):
        header += 1
    cells = sheet.rows[header][column + 1 :] if header < len(sheet.rows) else ()
    records = [_size_in_kb(value) for value in _numbers(cells)]
    if len(cells) > len(records) and cells[len(records)] is not None:
        problems.append(_malformed(path, sheet, header, column, "record sizes"))
    report = Report(*label, sheet.place(index, column), records)
    for number in range(header + 1, len(sheet.rows)):
        row = sheet.rows[number]
        file = row[column] if column < len(row) else None
        if not isinstance(file, float):
            break
        numbers = _numbers(row[column + 1 :])
        after = row[column + 1 + len(numbers) : column + 1 + len(records)]
        if not _size_in_kb(file) or _is_filled(after):
            expected = "a file size and numbers without gaps"
            problems.append(_malformed(path, sheet, number, column, expected))
            continue
        places = sheet.places(number, column + 1, len(numbers))
        report.rows.append((_size_in_kb(file), numbers, places))
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
        if isinstance(text, str) and not numbers and not report.rows:
            report.take(text)
        elif numbers and str(text or "").strip().lower() in ("", *LABELS):
            first = next(at for at, cell in enumerate(row) if isinstance(cell, float))
            places = sheet.places(number, column + first, len(numbers))
            report.rows.append((str(text or "").strip(), numbers, places))
        elif _is_filled(row):
            break
    return report


def _is_filled(row: Row) -> bool:
    return any(cell is not None for cell in row)


def _numbers(row: Row) -> list[float]:
    """Take the numbers up to the first cell that is none."""
    numbers: list[float] = []
    for cell in row:
        if not isinstance(cell, float):
            break
        numbers.append(cell)
    return numbers


def _size_in_kb(value: float) -> int:
    """Take a size [kB] that bytes can hold, else 0."""
    return int(value) if value.is_integer() and 0 < value < _LARGEST_SIZE else 0


def _malformed(
    path: str, sheet: Sheet, number: int, column: int, expected: str
) -> MalformedRowError:
    row = sheet.rows[number]
    shown = quoted(" ".join("–" if cell is None else str(cell) for cell in row))
    return MalformedRowError(path, sheet.place(number, column), expected, shown)
