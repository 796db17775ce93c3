"""Workbooks with IOzone's reports: what ``-b`` writes, and what was made of it.

Reports are found by their labels, in any sheet and at any place. A workbook does not
state its unit; it follows from ``-O`` and ``-N`` in the command line above the reports.
``-b`` stores the length of that text in one byte, so that a command line of more than
255 characters is cut; then the unit is assumed, and the run's note says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from fsviz.model.errors import (
    DeclaredInvalidError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    UnknownFormatError,
    nothing_usable,
    quoted,
)
from fsviz.model.runs import Cells, Reading, Run
from fsviz.model.units import KIB, TOO_LARGE
from fsviz.readers.document import Document
from fsviz.readers.iozone.banner import UNSTATED, Banner, banner_of_command
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
class _Found:
    """The reports of one run, from one sheet or several."""

    sheet: str = ""
    command: str = ""
    cut: bool = False
    place: str = ""
    reports: list[Report] = field(default_factory=list)
    throughput: list[ThroughputReport] = field(default_factory=list)
    problems: list[ParseError] = field(default_factory=list)

    def labels(self) -> set[tuple[str, bool]]:
        labels = {(report.operation, report.cpu) for report in self.reports}
        return labels | {("", report.cpu) for report in self.throughput}


def read_saved_sheet(document: Document) -> Reading:
    """Read IOzone's reports from a workbook that was saved as CSV."""
    return read_workbook(document.path, document.digest, [sheet_of_text(document)])


def read_workbook(path: str, content: str, sheets: Sequence[Sheet]) -> Reading:
    """Read IOzone's reports from the sheets of a workbook, whose digest is given."""
    runs: list[Run] = []
    names: list[str] = []
    problems: list[ParseError] = []
    for found in _by_run([_find(path, sheet) for sheet in sheets]):
        problems.extend(found.problems)
        try:
            run = _run(path, f"{content}-{len(runs) + 1}", found, problems)
        except ParseError as problem:
            problems.append(problem)
        else:
            runs.extend([run] if len(run.cells) else [])
            names.extend([found.sheet] if len(run.cells) else [])
    if not runs:
        wanted = 'IOzone\'s reports ("Writer Report" …) with numbers'
        none = UnknownFormatError(path, 1, wanted, "none")
        raise nothing_usable(problems or [none])
    named = zip(runs, systems_of_sheets(names), strict=True)
    return Reading(tuple(replace(r, system=n) for r, n in named), tuple(problems))


def _find(path: str, sheet: Sheet) -> _Found:
    """Find everything in a sheet."""
    found = _Found(sheet.name)
    for index, row in enumerate(sheet.rows):
        for column, cell in enumerate(row):
            if not isinstance(cell, str):
                continue
            short = cell if len(cell) <= _LONGEST_LABEL else ""
            if label := parse_label(short):
                _take(path, found, sheet, (index, column), label)
            elif (cpu := parse_title(short)) is not None:
                report = read_throughput_report(sheet, index, column, cpu)
                found.throughput.append(report)
            elif not found.labels() and not found.command and " -" in cell:
                found.command, found.place = cell, sheet.place(index, column)
    # IOzone puts a blank after each word, and -b must be among them.
    options = banner_of_command(found.command).options
    whole = found.command.endswith(" ") and "b" in options
    found.cut = bool(found.command) and not whole
    return found


def _take(
    path: str,
    found: _Found,
    sheet: Sheet,
    place: tuple[int, int],
    label: tuple[str, bool],
) -> None:
    if label not in found.labels():
        report = read_report(path, sheet, place, label, found.problems)
        found.reports.append(report)
        return
    once = "each report once in a sheet"
    again = InconsistentDataError(path, sheet.place(*place), once, "it again")
    found.problems.append(again)


def _by_run(sheets: Sequence[_Found]) -> list[_Found]:
    """Join sheets that hold different reports of what can be one run."""
    runs: list[_Found] = []
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


def _run(path: str, identity: str, found: _Found, problems: list[ParseError]) -> Run:
    banner = banner_of_command(found.command.strip())
    if banner.invalid is not None:
        raise DeclaredInvalidError(
            path,
            found.place,
            "measurements that IOzone itself calls valid",
            "verify or diagnostic mode (-V, -+d, -+X)",
        )
    if found.cut:
        banner.facts["output_unit"] = UNSTATED
    cells = Cells()
    problems.extend(add_reports(path, cells, found.reports, banner))
    if found.throughput:
        threads, file = banner.options.threads, _file_size(banner)
        add_throughput_reports(path, cells, found.throughput, threads, file)
    cells.setting = banner.options.settings(cells.operation)
    stopped = next((r for r in found.reports if r.stops_early), None)
    if stopped is not None:
        file, numbers, places = stopped.rows[-1]
        place = places[-1] if places else stopped.place
        said = f"the run stopped after {len(numbers)} in the row of {file} kB"
        wanted = "a number for each record size"
        problems.append(TruncatedInputError(path, place, wanted, said))
    return Run(
        tool="iozone",
        identity=identity,
        source=path,
        cells=cells,
        configuration=_configuration(banner, found),
        complete=stopped is None,
        command_line=found.command.strip(),
        note=_note(stopped is not None, found.cut),
        facts=banner.facts,
    )


def _file_size(banner: Banner) -> int | None:
    """File size of each process [B]; ``-+k`` divides it among them."""
    try:
        sizes = banner.options.sizes("s")
    except ValueError:
        return None
    return sizes[0] if len(sizes) == 1 and "+k" not in banner.options else None


def _configuration(banner: Banner, found: _Found) -> str:
    if not found.command:
        return f"unknown options: {describe(found.reports)}"
    known = banner.options.configuration or "(default)"
    return f"{known} … (cut short)" if found.cut else known


def _note(stopped: bool, cut: bool) -> str:
    notes = []
    if stopped:
        notes.append("the last row of a report is cut short")
    if cut:
        notes.append("the command line is cut short, its unit is assumed")
    return "; ".join(notes)


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
    header = _next_row(sheet, index + 1)
    cells = sheet.rows[header][column + 1 :] if header < len(sheet.rows) else ()
    records = [_whole(value) for value in _numbers(cells)]
    if len(cells) > len(records) and cells[len(records)] is not None:
        row = sheet.rows[header]
        problems.append(_malformed(path, sheet, header, column, row, "record sizes"))
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
        places = sheet.places(number, column + 1, len(numbers))
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
            places = sheet.places(number, column + first, len(numbers))
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
    """Take a size [kB] that bytes can hold, else 0."""
    return int(value) if value.is_integer() and 0 < value < _LARGEST_SIZE else 0


def _malformed(
    path: str,
    sheet: Sheet,
    number: int,
    column: int,
    row: Row,
    expected: str = "a file size and numbers without gaps",
) -> MalformedRowError:
    shown = " ".join("–" if cell is None else str(cell) for cell in row)
    return MalformedRowError(
        path,
        sheet.place(number, column),
        expected,
        quoted(shown),
    )
