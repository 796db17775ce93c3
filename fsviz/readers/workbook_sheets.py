"""Sheets of numbers and labels, from any workbook that people make of IOzone's.

``-b`` writes BIFF2, the format of Excel 2, which no reader but xlrd still knows; Excel
and LibreOffice save it again as ``.xls`` (OLE), ``.xlsx`` or CSV. Formulas are never
evaluated: what the file states as their value counts.
"""

from __future__ import annotations

import csv
import io
import struct
import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fsviz.model.errors import (
    ParseError,
    TruncatedInputError,
    UnknownFormatError,
    quoted,
)
from fsviz.model.units import MIB
from fsviz.readers.document import Document

LARGEST_CONTENT = 64 * MIB
"""Bytes that an ``.xlsx`` may unpack to."""
MOST_ROWS, MOST_COLUMNS = 20_000, 256
"""What a sheet may hold; IOzone writes some hundred rows of at most 14 columns."""

_BIFF2 = b"\x09\x00\x04\x00"
_ZIP = b"PK\x03\x04"
_END_OF_FILE = 0x0A

_LARGEST_NUMBER = 2.0**63

Cell = str | float | None
Row = Sequence[Cell]


@dataclass(frozen=True, slots=True)
class Sheet:
    """One sheet: its name and the values of its cells, row by row from the top left.

    A sheet without name is a text file.
    """

    name: str
    rows: Sequence[Row]

    def place(self, row: int, column: int) -> str:
        """Name a cell, counted from 0, as a spreadsheet does.

        Examples
        --------
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
    """Open a workbook.

    Parameters
    ----------
    path : str
        As the user named it.
    data : bytes
        The file's content.

    Returns
    -------
    list of Sheet

    Raises
    ------
    UnknownFormatError
        If it cannot be opened, or is larger than a workbook of results can be.
    TruncatedInputError
        If it is a BIFF2 file that stops early.
    """
    if data.startswith(_ZIP):
        return _xlsx(path, data)
    if data.startswith(_BIFF2):
        _check_biff2(path, data)
    return _xls(path, data)


def sheet_of_text(document: Document) -> Sheet:
    """Read a sheet that was saved as CSV, with whatever separator.

    Examples
    --------
    >>> text = "Writer Report;;"
    >>> sheet_of_text(Document("t.csv", text, "", [text, ";4;8", "64;1,5;2"])).rows
    [['Writer Report', None, None], [None, 4.0, 8.0], [64.0, '1,5', 2.0]]
    """
    separator = max(",;\t", key=document.text.count)
    rows = csv.reader(document.lines, delimiter=separator)
    return Sheet("", [[_value(cell) for cell in row] for row in rows])


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
        size = sum(member.file_size for member in archive.infolist())
        if size > LARGEST_CONTENT:
            raise UnknownFormatError(
                path,
                1,
                f"a workbook of at most {LARGEST_CONTENT} bytes unpacked",
                f"{size} bytes",
            )
        for member in archive.infolist():
            if b"<!" in _beginning(path, archive, member).replace(b"<!--", b""):
                raise UnknownFormatError(
                    path, 1, "a plain workbook", f"DOCTYPE in {quoted(member.filename)}"
                )


def _beginning(path: str, archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> bytes:
    try:
        with archive.open(member) as part:
            return part.read(4096)
    except Exception as error:  # so does zlib
        raise _not_opened(path, "zip", error) from error


def _check_size(path: str, name: str, rows: int, columns: int) -> None:
    if rows > MOST_ROWS or columns > MOST_COLUMNS:
        raise UnknownFormatError(
            path,
            name,
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
    if isinstance(cell, int | float) and 0 <= cell < _LARGEST_NUMBER:
        return float(cell)
    text = "" if cell is None else str(cell)
    if len(text) < 20 and text.isascii() and text.replace(".", "", 1).isdigit():
        return float(text)
    return text or None
