"""Sheets of numbers and labels, from any workbook that people make of results.

IOzone's ``-b`` writes BIFF2, the format of Excel 2, which no reader but xlrd still
knows; Excel and LibreOffice save it again as ``.xls`` (OLE), ``.xlsx`` or CSV. Formulas
are never evaluated: what the file states as their value counts. A workbook of 5 kB may
stand for millions of cells, so all of it is bounded.
"""

from __future__ import annotations

import csv
import io
import re
import struct
import warnings
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import repeat
from string import ascii_uppercase
from xml.etree import ElementTree as ET

from fsviz.model.errors import (
    ParseError,
    TruncatedInputError,
    UnknownFormatError,
    quoted,
)
from fsviz.model.units import MIB, TOO_LARGE
from fsviz.readers.document import BIFF2, Document
from fsviz.readers.labels import names_of_systems

LARGEST_CONTENT = 64 * MIB
"""Bytes that an ``.xlsx`` may unpack to."""
MOST_MEMBERS = 1_000
MOST_ELEMENTS = 50_000
_OTHER = re.compile(rb"<(?![/?!]|(?:c|v|f|r|t|si|is|row|c:pt|c:v)[\s/>])")
"""Elements that are no cells; 26 charts of Excel have some thousand."""
MOST_SHEETS, MOST_CELLS = 100, 500_000
MOST_ROWS, MOST_COLUMNS = 20_000, 256
"""What a sheet may hold; IOzone writes some hundred rows of at most 14 columns."""
_LETTERS = [a + b for a in ("", *ascii_uppercase) for b in ascii_uppercase]
"""Names of columns, of more than are read."""
MOST_TAGS = 4 * MOST_CELLS
"""Of the cells of an ``.xlsx``, which has up to three for each."""
LONGEST_CELL = 10_000
"""Characters; a small file may show one long text in each of its cells."""

_NEW = re.compile(
    r"(?:sheet|tabelle|feuil|feuille|hoja|foglio|blad|planilha|arkusz|list|лист|工作表"
    r"|シート|ark|tabela|munka|taul)[ _]?\d*",
    re.IGNORECASE,
)
"""What programs call a sheet that nobody named."""
_HEAD = 4096
_ZIP = b"PK\x03\x04"
_ODS = b"application/vnd.oasis.opendocument.spreadsheet"
"""The first member of such a file, which is not compressed."""
_OFFICE, _TABLE = (
    f"{{urn:oasis:names:tc:opendocument:xmlns:{name}:1.0}}"
    for name in ("office", "table")
)
_RECORD = struct.Struct("<HH")
_END_OF_FILE = 0x0A

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
        return self.places(row, column, 1)[0]

    def places(self, row: int, column: int, count: int) -> list[str]:
        """Name cells that stand side by side."""
        if not self.name:
            return [f"line {row + 1}"] * count
        letters = _LETTERS[column : column + count]
        return [f"{self.name}!{letter}{row + 1}" for letter in letters]


def read_sheets(path: str, data: bytes) -> list[Sheet]:
    """Open a workbook."""
    library, read = "xlrd", _xls
    if data.startswith(_ZIP):
        is_ods = _ODS in data[:_HEAD]
        library, read = ("zip", _ods) if is_ods else ("openpyxl", _xlsx)
    try:
        return list(_bounded(path, read(path, data)))
    except ParseError:
        raise
    except Exception as error:  # all let anything through on bad bytes
        expected = f"a workbook that {library} can open"
        raise UnknownFormatError(path, 1, expected, type(error).__name__) from error


def systems_of_sheets(names: Sequence[str]) -> list[str]:
    """Name systems by their sheets, but not by what a program calls a new sheet.

    >>> systems_of_sheets(["NFS", "SMB"]), systems_of_sheets(["Sheet1", "A"])
    (['NFS', 'SMB'], ['', 'A'])
    """
    return names_of_systems([["" if _NEW.fullmatch(n) else n for n in names]])


def sheet_of_text(document: Document) -> Sheet:
    """Read a sheet that was saved as CSV, with whatever separator.

    >>> text = "Writer Report;;"
    >>> sheet_of_text(Document("t.csv", text, "", [text, ";4;8", "64;1,5;2"])).rows
    [['Writer Report', None, None], [None, 4.0, 8.0], [64.0, '1,5', 2.0]]
    """
    separator = max(",;\t", key=document.text.count)
    rows = csv.reader(document.lines, delimiter=separator)
    (sheet,) = _bounded(document.path, [("", rows)])
    return sheet


def _bounded(
    path: str, sheets: Iterable[tuple[str, Iterable[Sequence[object]]]]
) -> Iterator[Sheet]:
    """Take the cells of sheets, as long as they are not more than results can be."""
    count = 0
    for number, (name, rows) in enumerate(sheets, 1):
        sheet = Sheet(name, [])
        if number > MOST_SHEETS:
            raise _too_large(path, sheet, f"{MOST_SHEETS} sheets")
        for row in rows:
            width = _width(row)
            count += max(1, width)
            if len(sheet.rows) == MOST_ROWS or width > MOST_COLUMNS:
                largest = f"{MOST_ROWS} rows and {MOST_COLUMNS} columns in a sheet"
                raise _too_large(path, sheet, largest)
            if count > MOST_CELLS:
                raise _too_large(path, sheet, f"{MOST_CELLS} cells in all")
            sheet.rows.append([_value(cell) for cell in row[:width]])
        yield sheet


def _width(row: Sequence[object]) -> int:
    """Count the cells up to the last that is filled; openpyxl fills up each row."""
    width = len(row)
    # half by half, which is quick
    while width > 1 and row[width // 2 : width] == (None,) * (width - width // 2):
        width //= 2
    while width and row[width - 1] is None:
        width -= 1
    return width


def _too_large(path: str, sheet: Sheet, most: str) -> ParseError:
    expected = f"a workbook with at most {most}"
    return UnknownFormatError(path, sheet.place(len(sheet.rows), 0), expected, "more")


def texts_of(sheet: Sheet) -> list[tuple[str, tuple[str, ...]]]:
    """List the rows of a sheet as texts, each with its place."""
    return [
        (sheet.place(number, 0), tuple("" if c is None else _text(c) for c in row))
        for number, row in enumerate(sheet.rows)
    ]


def _text(cell: object) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def _xls(path: str, data: bytes) -> Iterator[tuple[str, Iterable[Sequence[object]]]]:
    import xlrd

    if data.startswith(BIFF2):
        _check_biff2(path, data)
    # a sheet at a time: thousands may lie at the same place of the file
    book = xlrd.open_workbook(
        file_contents=data, logfile=io.StringIO(), ragged_rows=True, on_demand=True
    )
    for number in range(book.nsheets):
        sheet = book.sheet_by_index(number)
        yield sheet.name, map(sheet.row_values, range(sheet.nrows))
        book.unload_sheet(number)


def _check_biff2(path: str, data: bytes) -> None:
    """Look for the end record: xlrd does not miss it."""
    position = 0
    while position + 4 <= len(data):
        code, size = _RECORD.unpack_from(data, position)
        if code == _END_OF_FILE:
            return
        position += 4 + size
    raise TruncatedInputError(
        path, f"byte {len(data)}", "a workbook's end record", "the end of the file"
    )


def _xlsx(path: str, data: bytes) -> Iterator[tuple[str, Iterable[Sequence[object]]]]:
    import openpyxl

    _check_archive(path, data)
    with warnings.catch_warnings():
        # of extensions and styles that it leaves out, with a path of this machine
        warnings.simplefilter("ignore", UserWarning)
        book = openpyxl.load_workbook(
            io.BytesIO(data), read_only=True, data_only=True, keep_links=False
        )
    for sheet in book.worksheets:
        rows = sheet.iter_rows(
            values_only=True, max_row=MOST_ROWS + 1, max_col=MOST_COLUMNS
        )
        yield sheet.title, rows


def _ods(path: str, data: bytes) -> Iterator[tuple[str, Iterable[Sequence[object]]]]:
    _check_archive(path, data)
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        # without entities, as was checked
        root = ET.fromstring(archive.read("content.xml"))  # noqa: S314
    for table in root.iter(f"{_TABLE}table"):
        yield table.get(f"{_TABLE}name", ""), _ods_rows(table)


def _ods_rows(table: ET.Element) -> Iterator[list[object]]:
    """List the rows up to the last that is filled; a row may stand for many."""
    empty = 0
    for row in table.iter(f"{_TABLE}table-row"):
        cells: list[object] = []
        for cell in row:
            value = cell.get(f"{_OFFICE}value") or "".join(cell.itertext())
            times = int(cell.get(f"{_TABLE}number-columns-repeated", 1))
            cells += [value or None] * min(times, MOST_COLUMNS + 1 - len(cells))
        times = int(row.get(f"{_TABLE}number-rows-repeated", 1))
        if not any(cells):
            empty += min(times, MOST_ROWS)
            continue
        yield from repeat([], min(empty, MOST_ROWS))
        yield from repeat(cells, min(times, MOST_ROWS))
        empty = 0


def _check_archive(path: str, data: bytes) -> None:
    """Refuse an archive that unpacks to too much, or whose XML defines entities."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = len(archive.infolist())
        size = sum(member.file_size for member in archive.infolist())
        if members > MOST_MEMBERS:
            expected = f"a workbook of at most {MOST_MEMBERS} parts"
            raise UnknownFormatError(path, 1, expected, f"{members}")
        if size > LARGEST_CONTENT:
            expected = f"a workbook of at most {LARGEST_CONTENT} bytes unpacked"
            raise UnknownFormatError(path, 1, expected, f"{size} bytes")
        _check_parts(path, archive)


def _check_parts(path: str, archive: zipfile.ZipFile) -> None:
    """Refuse entities, and more elements than openpyxl can take in a few seconds.

    It makes an object of each style, name and relation, whether a cell uses it or not,
    and of cells in columns that are not read.
    """
    count = tags = 0
    for member in archive.infolist():
        is_media = member.filename.endswith((".png", ".jpeg", ".bin"))
        with archive.open(member) as file:
            part = file.read(_HEAD if is_media else -1)
        if b"<!" in part[:_HEAD].replace(b"<!--", b""):
            entity = f"DOCTYPE in {quoted(member.filename)}"
            raise UnknownFormatError(path, 1, "a plain workbook", entity)
        if not is_media:
            count += len(_OTHER.findall(part))
            tags += part.count(b"<") - part.count(b"</")
    if count > MOST_ELEMENTS:
        expected = f"at most {MOST_ELEMENTS} styles, names and relations"
        raise UnknownFormatError(path, 1, f"a workbook of {expected}", f"{count}")
    if tags > MOST_TAGS:
        raise _too_large(path, Sheet("", []), f"{MOST_CELLS} cells in all")


def _value(cell: object) -> Cell:
    """Reduce a cell to a number, a text or nothing."""
    # not bool, which is an int to Python
    if (isinstance(cell, float) or type(cell) is int) and 0 <= cell < TOO_LARGE:
        return float(cell)
    return None if cell is None else _number_or_text(str(cell))


@lru_cache(maxsize=1024)
def _number_or_text(text: str) -> Cell:
    digits = text[:LONGEST_CELL].strip()
    if len(digits) < 20 and digits.isascii() and digits.replace(".", "", 1).isdigit():
        return float(digits)
    return text[:LONGEST_CELL] if digits else None
