"""Where the tables of a text, page or sheet are: headers and the rows below them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fsviz.model.errors import MalformedRowError
from fsviz.readers.document import Document
from fsviz.readers.labels import headings_above
from fsviz.readers.pages import Line, rows_of_page
from fsviz.readers.sheets import Sheet, texts_of
from fsviz.readers.tables.titles import (
    OPERATION,
    SYSTEM,
    VALUE,
    Column,
    columns_of,
    is_known,
    parse_operation,
    split_unit,
)
from fsviz.readers.tables.values import UNITS, with_slash

_SEPARATOR = re.compile(r"[\s|:+-]+")
MOST_COLUMNS = 256


@dataclass(frozen=True, slots=True)
class Table:
    """One table: its columns, and its rows with their places, and what names it."""

    place: str
    columns: Sequence[Column]
    rows: list[tuple[str, list[str]]]
    point: str = ""
    unit: str = ""
    start: int = 0
    heading: str = ""

    @property
    def titles(self) -> list[str]:
        """Say what stands above the columns."""
        return [column.title for column in self.columns]


def tables_of_text(document: Document) -> list[Table]:
    """Find the tables of a text; what stands above one may name it."""
    _refuse_wide(document)
    lines: list[tuple[str, Line]] = [
        (f"line {number}", line) for number, line in enumerate(document.lines, 1)
    ]
    if "<table" in document.text.lower():
        lines = rows_of_page(document.text)
    found = list(_tables(lines))
    texts = [line if isinstance(line, str) else "" for _, line in lines]
    return _with_headings(found, headings_above(texts, [t.start for t in found]))


def tables_of_sheets(sheets: Sequence[Sheet], names: Sequence[str]) -> list[Table]:
    """Find the tables of sheets, each named after its sheet."""
    found: list[Table] = []
    for sheet, name in zip(sheets, names, strict=True):
        own = list(_tables(texts_of(sheet)))
        found += _with_headings(own, [name for _ in own])
    return found


def _with_headings(tables: Sequence[Table], headings: Sequence[str]) -> list[Table]:
    return [
        replace(table, heading=heading)
        for table, heading in zip(tables, headings, strict=True)
    ]


def _tables(lines: Sequence[tuple[str, Line]]) -> Iterator[Table]:
    """Find each header, and take the lines below it as rows."""
    index = 0
    while index < len(lines):
        place, line = lines[index]
        index += 1
        if (header := _header(line)) is None:
            continue
        columns, separator = header
        rows, end = _rows(lines, index, columns, separator)
        # where commas part the cells, no comma stands before decimals
        point = "." if separator in ("", ",") else ""
        unit = _unit_above(lines, index - 1)
        table = Table(place, columns, rows, point, unit, index)
        if _is_table(table):
            yield table
            index = end


_ABOVE = 3
"""Lines above a table in which its caption may stand."""


def _unit_above(lines: Sequence[tuple[str, Line]], header: int) -> str:
    """Find the unit that the caption of a table states, or nothing."""
    above = [line for _, line in lines[max(0, header - _ABOVE) : header]]
    texts = [text if isinstance(text, str) else " ".join(text) for text in above]
    filled = [text for text in texts if text.strip()]
    unit = split_unit(filled[-1].strip(" *:_#"))[1] if filled else ""
    return unit if with_slash(unit).lower() in UNITS else ""


def _rows(
    lines: Sequence[tuple[str, Line]],
    index: int,
    columns: Sequence[Column],
    separator: str,
) -> tuple[list[tuple[str, list[str]]], int]:
    """Take the rows up to another header, or to text behind an empty line."""
    rows: list[tuple[str, list[str]]] = []
    is_apart = False
    while index < len(lines):
        place, line = lines[index]
        if not any(map(str.strip, line)):
            is_apart = True
        elif separator == "|" or not str(line).startswith("#"):
            cells = split_row(line, separator)
            is_outside = separator == "|" and "|" not in line
            is_outside = is_outside or (is_apart and not _goes_on(columns, cells))
            is_row = _has_numbers(columns, cells) or _header(line) is None
            if is_outside or not is_row:
                break
            if separator != "|" or not _SEPARATOR.fullmatch(str(line)):
                rows.append((place, cells))
        index += 1
    return rows, index


def _has_numbers(columns: Sequence[Column], cells: Sequence[str]) -> bool:
    """Tell whether a line has a number in each column of numbers, as no header has."""
    places = [column.at for column in columns if column.kind == VALUE]
    return len(cells) == len(columns) and all(
        cells[at] and _is_number(cells[at]) for at in places
    )


def _goes_on(columns: Sequence[Column], cells: Sequence[str]) -> bool:
    """Tell whether a line behind an empty one is a row of the table above it."""
    at = next((column.at for column in columns if column.kind == OPERATION), None)
    if at is None or at >= len(cells):
        return False
    return len(cells) == len(columns) and parse_operation(cells[at]) is not None


def _is_table(table: Table) -> bool:
    """Tell whether what names no system has operations, numbers and a unit."""
    columns = table.columns
    system = next((column for column in columns if column.kind == SYSTEM), None)
    if system is not None:
        names = [cells[system.at] for _, cells in table.rows if system.at < len(cells)]
        return is_known(system.title) or not all(map(_is_number, names))
    at = next(column.at for column in columns if column.kind == OPERATION)
    values = [column.at for column in columns if column.kind == VALUE]
    rows = [cells for _, cells in table.rows if at < len(cells)]
    cells = [row[n] for row in rows for n in values if n < len(row)]
    has_unit = table.unit or any(c.unit or c.kind == "unit" for c in columns)
    has_unit = has_unit or any(split_unit(text)[1] for text in cells)
    has_unit = has_unit or any(split_unit(row[at])[1] for row in rows)
    operations = [parse_operation(split_unit(row[at])[0]) for row in rows]
    digits = any(character.isdecimal() for text in cells for character in text)
    is_wide = any(column.system for column in columns)
    return any(operations) and digits and (is_wide or bool(has_unit))


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[\d.,:]*", text.strip()) is not None


_WORD = re.compile(
    r"^\W*$|\b(?:system|fs|protocol|setup|label|share|config|configuration|kernel|mount"
    r"|filesystem|point|op|operation|test|workload|benchmark|phase)\b|/s\b|\bIOPS\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"[^|,;\t]*")


def _header(line: Line) -> tuple[list[Column], str] | None:
    """Understand a line as a header, with what parts its cells."""
    text = line if isinstance(line, str) else "\t".join(line)
    if not (_WORD.search(text) or not text.strip("|").split("|")[0].strip()):
        return None
    if not isinstance(line, str):
        columns = columns_of(line) if line else []
        return (columns, "") if columns else None
    for separator in "|\t;,":
        if separator in line:
            columns = columns_of(split_row(line, separator))
            if columns:
                return columns, separator
    return None


def split_row(line: Line, separator: str) -> list[str]:
    """Take the cells of a row apart."""
    if not isinstance(line, str):
        return [cell.strip() for cell in line]
    if separator == "|":
        line = line.strip().removeprefix("|").removesuffix("|")
    elif '"' in line:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=separator))]
    return [cell.strip() for cell in line.split(separator)]


def _refuse_wide(document: Document) -> None:
    """Refuse a line of more cells than a table that people write has."""
    for number, line in enumerate(document.lines, 1):
        if max(map(line.count, "|\t;,")) > MOST_COLUMNS:
            expected = f"at most {MOST_COLUMNS} columns"
            raise MalformedRowError(document.path, number, expected, "more")
