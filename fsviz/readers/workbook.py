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
    InvalidModeError,
    ParseError,
    TruncatedInputError,
    UnknownFormatError,
)
from fsviz.model.runs import Cells, Reading, Run
from fsviz.readers.document import Document, digest
from fsviz.readers.iozone_banner import UNSTATED, Banner, banner_of_command
from fsviz.readers.iozone_report_cells import add_reports
from fsviz.readers.iozone_reports import Report, describe, parse_label
from fsviz.readers.iozone_throughput_report import (
    ThroughputReport,
    add_throughput_reports,
    parse_title,
)
from fsviz.readers.workbook_grids import read_report, read_throughput_report
from fsviz.readers.workbook_sheets import Sheet, read_sheets, sheet_of_text


@dataclass(slots=True)
class _Found:
    """The reports of one run, from one sheet or several."""

    command: str = ""
    cut: bool = False
    place: str = ""
    reports: list[Report] = field(default_factory=list)
    throughput: list[ThroughputReport] = field(default_factory=list)
    problems: list[ParseError] = field(default_factory=list)

    def labels(self) -> set[tuple[str, bool]]:
        labels = {(report.operation, report.cpu) for report in self.reports}
        return labels | {("", report.cpu) for report in self.throughput}


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
        Reports in several sheets are one run as long as no report comes twice.

    Raises
    ------
    ParseError
        If there is no report in it, or it cannot be opened.
    """
    return _read(path, digest(data), read_sheets(path, data))


def read_saved_sheet(document: Document) -> Reading:
    """Read IOzone's reports from a workbook that was saved as CSV.

    Raises
    ------
    ParseError
        If there is no report in it.
    """
    return _read(document.path, document.digest, [sheet_of_text(document)])


def _read(path: str, content: str, sheets: Sequence[Sheet]) -> Reading:
    runs: list[Run] = []
    problems: list[ParseError] = []
    for found in _by_run([_find(path, sheet) for sheet in sheets]):
        problems.extend(found.problems)
        try:
            run = _run(path, f"{content}-{len(runs) + 1}", found, problems)
        except ParseError as problem:
            problems.append(problem)
        else:
            runs.extend([run] if len(run.cells) else [])
    if not runs:
        raise problems[0] if problems else _no_reports(path)
    return Reading(tuple(runs), tuple(problems))


def _no_reports(path: str) -> ParseError:
    return UnknownFormatError(
        path, 1, 'IOzone\'s reports ("Writer Report" …) with numbers', "none"
    )


def _find(path: str, sheet: Sheet) -> _Found:
    """Find everything in a sheet."""
    found = _Found()
    for index, row in enumerate(sheet.rows):
        for column, cell in enumerate(row):
            if not isinstance(cell, str):
                continue
            if label := parse_label(cell):
                place = (index, column)
                _take(
                    path, found, read_report(path, sheet, place, label, found.problems)
                )
            elif (cpu := parse_title(cell)) is not None:
                report = read_throughput_report(sheet, index, column, cpu)
                found.throughput.append(report)
            elif not found.labels() and not found.command and " -" in cell:
                found.command, found.place = cell, sheet.place(index, column)
    # IOzone puts a blank after each word, and -b must be among them.
    options = banner_of_command(found.command).options
    whole = found.command.endswith(" ") and "b" in options
    found.cut = bool(found.command) and not whole
    return found


def _take(path: str, found: _Found, report: Report) -> None:
    if (report.operation, report.cpu) in found.labels():
        found.problems.append(
            InconsistentDataError(
                path, report.place, "each report once in a sheet", "it again"
            )
        )
    else:
        found.reports.append(report)


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
        raise InvalidModeError(
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
    stopped = next((r for r in found.reports if r.stops_early), None)
    if stopped is not None:
        problems.append(_cut_short(path, stopped))
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


def _cut_short(path: str, report: Report) -> ParseError:
    file, numbers, places = report.rows[-1]
    return TruncatedInputError(
        path,
        places[-1] if places else report.place,
        "a number for each record size",
        f"the run stopped after {len(numbers)} in the row of {file} kB",
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
