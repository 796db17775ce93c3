"""Workbooks with IOzone's reports: what ``-b`` writes, and what was made of it.

Reports are found by their labels, in any sheet and at any place. A workbook does not
state its unit; it follows from ``-O`` and ``-N`` in the command line above the reports.
``-b`` stores the length of that text in one byte, so that a command line of more than
255 characters is cut; then the unit is assumed, and the run's note says so.
"""

from __future__ import annotations

import csv
import io
import re
import struct
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fsviz.model.errors import (
    DeclaredInvalidError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    UnknownFormatError,
    quoted,
)
from fsviz.model.runs import Cells, Reading, Run
from fsviz.model.units import KIB, MIB, TOO_LARGE
from fsviz.readers.document import Document, digest
from fsviz.readers.iozone.banner import UNSTATED, Banner, banner_of_command
from fsviz.readers.iozone.reports import Report, add_reports, describe, parse_label
from fsviz.readers.iozone.throughput import (
    LABELS,
    ThroughputReport,
    add_throughput_reports,
    parse_title,
)


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
    """Read IOzone's reports from a workbook."""
    return _read(path, digest(data), read_sheets(path, data))


def read_saved_sheet(document: Document) -> Reading:
    """Read IOzone's reports from a workbook that was saved as CSV."""
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


# Sheets of numbers and labels, from any workbook that people make of IOzone's.
#
# ``-b`` writes BIFF2, the format of Excel 2, which no reader but xlrd still knows;
# Excel and LibreOffice save it again as ``.xls`` (OLE), ``.xlsx`` or CSV. Formulas
# are never evaluated: what the file states as their value counts.

LARGEST_CONTENT = 64 * MIB
"""Bytes that an ``.xlsx`` may unpack to."""
MOST_MEMBERS = 1_000
MOST_ELEMENTS = 50_000
_OTHER = re.compile(rb"<(?![/?!]|(?:c|v|f|r|t|si|is|row|c:pt|c:v)[\s/>])")
"""Elements that are no cells; 26 charts of Excel have some thousand."""
MOST_ROWS, MOST_COLUMNS = 20_000, 256
"""What a sheet may hold; IOzone writes some hundred rows of at most 14 columns."""

_BIFF2 = b"\x09\x00\x04\x00"
_ZIP = b"PK\x03\x04"
_END_OF_FILE = 0x0A

_LARGEST_SIZE = TOO_LARGE // KIB

Cell = str | float | None
Row = Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet: its name and the values of its cells, row by row from the top left.

    A sheet without name is a text file.
    """

    name: str
    rows: list[Row]

    def place(self, row: int, column: int) -> str:
        """Name a cell, counted from 0, as a spreadsheet does.

        >>> Sheet("Sheet 1", []).place(6, 2), Sheet("S", []).place(0, 27)
        ('Sheet 1!C7', 'S!AB1')
        >>> Sheet("", []).place(6, 2)
        'line 7'
        """
        if not self.name:
            return f"line {row + 1}"
        letters = ""
        column += 1
        while column:
            column, rest = divmod(column - 1, 26)
            letters = chr(ord("A") + rest) + letters
        return f"{self.name}!{letters}{row + 1}"


def read_sheets(path: str, data: bytes) -> list[Sheet]:
    """Open a workbook."""
    if data.startswith(_ZIP):
        return _xlsx(path, data)
    if data.startswith(_BIFF2):
        _check_biff2(path, data)
    return _xls(path, data)


def texts_of(sheet: Sheet) -> list[tuple[str, list[str]]]:
    """List the filled rows of a sheet as texts, each with its place."""
    rows = []
    for number, row in enumerate(sheet.rows):
        texts = ["" if cell is None else _text(cell) for cell in row]
        if any(texts):
            rows.append((sheet.place(number, 0), texts))
    return rows


def _text(cell: object) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def sheet_of_text(document: Document) -> Sheet:
    """Read a sheet that was saved as CSV, with whatever separator.

    >>> text = "Writer Report;;"
    >>> sheet_of_text(Document("t.csv", text, "", [text, ";4;8", "64;1,5;2"])).rows
    [['Writer Report', None, None], [None, 4.0, 8.0], [64.0, '1,5', 2.0]]
    """
    separator = max(",;\t", key=document.text.count)
    sheet = Sheet("", [])
    for number, row in enumerate(csv.reader(document.lines, delimiter=separator), 1):
        _check_size(document.path, f"line {number}", number, len(row))
        sheet.rows.append([_value(cell) for cell in row])
    return sheet


def _check_biff2(path: str, data: bytes) -> None:
    """Look for the end record: xlrd does not miss it."""
    position = 0
    while position + 4 <= len(data):
        code, size = struct.unpack_from("<HH", data, position)
        if code == _END_OF_FILE:
            return
        position += 4 + size
    raise TruncatedInputError(
        path, f"byte {len(data)}", "a workbook's end record", "the end of the file"
    )


def _xls(path: str, data: bytes) -> list[Sheet]:
    import xlrd

    try:
        book = xlrd.open_workbook(
            file_contents=data, logfile=io.StringIO(), ragged_rows=True
        )
    except Exception as error:  # xlrd lets anything through on bad bytes
        raise _not_opened(path, "xlrd", error) from error
    sheets = []
    for sheet in book.sheets():
        _check_size(path, sheet.name, sheet.nrows, sheet.ncols)
        rows = (sheet.row_values(number) for number in range(sheet.nrows))
        sheets.append(Sheet(sheet.name, [[_value(c) for c in row] for row in rows]))
    return sheets


def _xlsx(path: str, data: bytes) -> list[Sheet]:
    import openpyxl

    _check_archive(path, data)
    try:
        book = openpyxl.load_workbook(
            io.BytesIO(data), read_only=True, data_only=True, keep_links=False
        )
        return [
            Sheet(sheet.title, list(_rows(path, sheet.title, sheet)))
            for sheet in book.worksheets
        ]
    except ParseError:
        raise
    except Exception as error:  # openpyxl lets anything through
        raise _not_opened(path, "openpyxl", error) from error


def _rows(path: str, name: str, sheet: object) -> Iterator[Row]:
    rows = sheet.iter_rows(  # type: ignore[attr-defined]
        values_only=True, max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS
    )
    for number, row in enumerate(rows, 1):
        _check_size(path, name, number, len(row))
        yield [_value(cell) for cell in row]


def _check_archive(path: str, data: bytes) -> None:
    """Refuse an archive that unpacks to too much, or whose XML defines entities."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except Exception as error:  # zipfile raises what it likes on bad bytes
        raise _not_opened(path, "zip", error) from error
    with archive:
        members = len(archive.infolist())
        if members > MOST_MEMBERS:
            raise UnknownFormatError(
                path, 1, f"a workbook of at most {MOST_MEMBERS} parts", f"{members}"
            )
        size = sum(member.file_size for member in archive.infolist())
        if size > LARGEST_CONTENT:
            raise UnknownFormatError(
                path,
                1,
                f"a workbook of at most {LARGEST_CONTENT} bytes unpacked",
                f"{size} bytes",
            )
        for member in archive.infolist():
            if b"<!" in _part(path, archive, member, 4096).replace(b"<!--", b""):
                raise UnknownFormatError(
                    path, 1, "a plain workbook", f"DOCTYPE in {quoted(member.filename)}"
                )
        _check_elements(path, archive)


def _check_elements(path: str, archive: zipfile.ZipFile) -> None:
    """Refuse a workbook with more styles, names and relations than openpyxl can take.

    It makes an object of each, whether a cell uses it or not. Cells, rows and texts
    are bounded by `_check_size`.
    """
    count = 0
    for member in archive.infolist():
        if not member.filename.endswith((".png", ".jpeg", ".bin")):
            count += len(_OTHER.findall(_part(path, archive, member)))
    if count > MOST_ELEMENTS:
        raise UnknownFormatError(
            path,
            1,
            f"a workbook of at most {MOST_ELEMENTS} styles, names and relations",
            f"{count}",
        )


def _part(
    path: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo, most: int = -1
) -> bytes:
    try:
        with archive.open(member) as part:
            return part.read(most)
    except Exception as error:  # so does zlib
        raise _not_opened(path, "zip", error) from error


def _check_size(path: str, place: str, rows: int, columns: int) -> None:
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        raise UnknownFormatError(
            path,
            place,
            f"a sheet of at most {MOST_ROWS} rows and {MOST_COLUMNS} columns",
            f"{rows} rows and {columns} columns",
        )


def _not_opened(path: str, library: str, error: Exception) -> ParseError:
    return UnknownFormatError(
        path, 1, f"a workbook that {library} can open", type(error).__name__
    )


def _value(cell: object) -> Cell:
    """Reduce a cell to a number, a text or nothing."""
    if isinstance(cell, bool):
        return str(cell)
    if isinstance(cell, int | float) and 0 <= cell < TOO_LARGE:
        return float(cell)
    text = "" if cell is None else str(cell)
    digits = text.strip()
    if len(digits) < 20 and digits.isascii() and digits.replace(".", "", 1).isdigit():
        return float(digits)
    return text if digits else None


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
