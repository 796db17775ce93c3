"""Where the tables of a text, page or sheet are: headers and the rows below them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import chain

from fsviz.model.errors import MalformedRowError, quoted
from fsviz.readers.document import Document
from fsviz.readers.labels import headings_above
from fsviz.readers.pages import Line, rows_of_page
from fsviz.readers.sheets import Sheet, texts_of
from fsviz.readers.tables.titles import (
    MEMORIES,
    OPERATION,
    RECENT,
    SYSTEM,
    VALUE,
    Column,
    columns_of,
    is_column_title,
    is_unit,
    parse_operation,
    split_unit,
)
from fsviz.readers.tables.values import UNITS, with_slash

_SEPARATOR = re.compile(r"[\s|:+-]+")
MOST_COLUMNS = 256
_Rows = list[tuple[str, tuple[str, ...]]]


@dataclass(slots=True)
class Table:
    """One table: its columns, and its rows with their places, and what names it."""

    place: str
    columns: Sequence[Column]
    rows: _Rows
    point: str = ""
    unit: str = ""
    start: int = 0
    heading: str = ""


def tables_of_text(document: Document) -> list[Table]:
    """Find the tables of a text; what stands above one may name it."""
    _refuse_wide(document)
    lines = _lines(document)
    tables = list(_tables(lines))
    texts = [line if isinstance(line, str) else "" for _, line in lines]
    headings = headings_above(texts, [table.start for table in tables])
    for table, heading in zip(tables, headings, strict=True):
        table.heading = heading
    return tables


def _lines(document: Document) -> list[tuple[str, Line]]:
    """List the lines of a text, or the rows of a page, with their places."""
    if "<table" in document.text.lower():
        return rows_of_page(document.text)
    return [(f"line {number}", line) for number, line in enumerate(document.lines, 1)]


def tables_of_sheets(sheets: Sequence[Sheet], names: Sequence[str]) -> list[Table]:
    """Find the tables of sheets, each named after its sheet."""
    return [
        replace(table, heading=name)
        for sheet, name in zip(sheets, names, strict=True)
        if _has_header(sheet)
        for table in _tables(texts_of(sheet))
    ]


def _has_header(sheet: Sheet) -> bool:
    """Tell whether a row is a header; one of numbers alone, as most are, is none."""
    rows = [row for row in sheet.rows if {*map(type, row)} != {float}]
    # not remembered: the lines may be long
    understand = _header.__wrapped__
    return any(understand(line) for _, line in texts_of(Sheet("", rows)))


def _tables(lines: Sequence[tuple[str, Line]]) -> Iterator[Table]:
    """Find each header, and take the lines below it as rows."""
    # what files before have had may be long
    for memory in (_row, _header, *MEMORIES):
        memory.cache_clear()
    index = 0
    while index < len(lines):
        place, line = lines[index]
        index += 1
        if (header := _header(line)) is None:
            continue
        columns, separator = header
        rows, end = _rows(lines, index, header)
        # where commas part the cells, no comma stands before decimals
        point = "." if separator in ("", ",") else ""
        unit = _unit_above(lines, index - 1)
        columns, rows = _with_units(columns, rows)
        table = Table(place, columns, rows, point, unit, index)
        # what looks like a header among rows is a row, also of what is no table
        index = end
        if _is_table(table):
            yield table


_ABOVE = 3
"""Lines above a table in which its caption may stand."""


def _unit_above(lines: Sequence[tuple[str, Line]], header: int) -> str:
    """Find the unit that the caption of a table states, or nothing."""
    above = [line for _, line in lines[max(0, header - _ABOVE) : header]]
    texts = [text if isinstance(text, str) else " ".join(text) for text in above]
    filled = [text for text in texts if text.strip()]
    unit = split_unit(filled[-1].strip(" *:_#"))[1] if filled else ""
    return unit if unit and with_slash(unit).lower() in UNITS else ""


def _rows(
    lines: Sequence[tuple[str, Line]], index: int, header: tuple[list[Column], str]
) -> tuple[_Rows, int]:
    """Take the rows up to another header, or to text behind an empty line."""
    columns, separator = header
    rows: _Rows = []
    values = tuple(column.at for column in columns if column.kind == VALUE)
    is_apart = False
    while index < len(lines):
        place, line = lines[index]
        if not any(map(str.strip, line)):
            is_apart = True
        elif separator == "|" or not str(line).startswith("#"):
            cells = _row(line, separator, len(columns), values)
            is_outside = separator == "|" and "|" not in line
            is_outside |= is_apart and not _goes_on(columns, cells or ())
            if is_outside or cells is None:
                break
            if separator != "|" or not _SEPARATOR.fullmatch(str(line)):
                rows.append((place, cells))
        index += 1
    return rows, index


@lru_cache(RECENT)
def _row(
    line: Line, separator: str, width: int, values: Sequence[int]
) -> tuple[str, ...] | None:
    """Take a row apart; no header has a number in each column of numbers."""
    cells = split_row(line, separator)
    numbers = [cells[at] for at in values] if len(cells) == width else [""]
    is_row = all(map(_is_number, numbers))
    return cells if is_row or _header(line) is None else None


def _with_units(columns: list[Column], rows: _Rows) -> tuple[list[Column], _Rows]:
    """Give columns the units of a row that has nothing else, above or below all."""
    places = [column.at for column in columns if column.kind == VALUE]
    for at in {0, len(rows) - 1} if rows else ():
        units = rows[at][1]
        if len(units) == len(columns) and all(is_unit(units[n]) for n in places):
            columns = [
                replace(c, unit=units[c.at]) if c.kind == VALUE else c for c in columns
            ]
            return columns, rows[:at] + rows[at + 1 :]
    return columns, rows


def _goes_on(columns: Sequence[Column], cells: Sequence[str]) -> bool:
    """Tell whether a line behind an empty one is a row of the table above it."""
    at = next((column.at for column in columns if column.kind == OPERATION), -1)
    is_even = at >= 0 and len(cells) == len(columns)
    return is_even and parse_operation(cells[at]) is not None


def _is_table(table: Table) -> bool:
    """Tell whether what names no system has operations, numbers and a unit."""
    columns = table.columns
    system = next((column for column in columns if column.kind == SYSTEM), None)
    if system is not None:
        names = {cells[system.at] for _, cells in table.rows if system.at < len(cells)}
        return is_column_title(system.title) or not all(map(_is_number, names - {""}))
    at = next(column.at for column in columns if column.kind == OPERATION)
    values = [column.at for column in columns if column.kind == VALUE]
    rows = [cells for _, cells in table.rows if at < len(cells)]
    cells = [row[n] for row in rows for n in values if n < len(row)]
    first = [split_unit(row[at]) for row in rows]
    has_unit = bool(table.unit)
    has_unit |= any(c.unit or c.system or c.kind == "unit" for c in columns)
    has_unit = has_unit or any(unit for _, unit in chain(first, map(split_unit, cells)))
    has_operation = any(parse_operation(name) for name, _ in first)
    return has_unit and has_operation and any(map(_DIGIT.search, cells))


_DIGIT = re.compile(r"\d")
_BLANKS = re.compile(r"\t|\s{2,}")
_is_number = re.compile(r"[\d.,:]+").fullmatch


_WORD = re.compile(
    r"^\W*$|\b(?:system|fs|protocol|setup|label|share|config|configuration|kernel|mount"
    r"|filesystem|point|op|operation|test|workload|benchmark|phase)\b|/s\b|\bIOPS\b",
    re.IGNORECASE,
)
_FIRST = re.compile(r"[^|,;\t]*")


@lru_cache(RECENT)
def _header(line: Line) -> tuple[list[Column], str] | None:
    """Understand a line as a header, with what parts its cells."""
    text = line if isinstance(line, str) else "\t".join(line)
    is_likely = _WORD.search(text) or not text.strip("|").split("|")[0].strip()
    separators = [s for s in "|\t;," if s in line] if isinstance(line, str) else [""]
    for separator in separators if line and is_likely else ():
        columns = columns_of(split_row(line, separator) if separator else line)
        if columns:
            return columns, separator
    return None


def split_row(line: Line, separator: str) -> tuple[str, ...]:
    """Take the cells of a row apart; without a separator blanks part them."""
    if not isinstance(line, str):
        cells: Iterable[str] = line
    elif not separator:
        cells = _BLANKS.split(line.strip())
    elif separator == "|":
        cells = line.strip().removeprefix("|").removesuffix("|").split("|")
    elif '"' in line:
        cells = next(csv.reader([line], delimiter=separator))
    else:
        cells = line.split(separator)
    return tuple(map(str.strip, cells))


def _refuse_wide(document: Document) -> None:
    """Refuse a line of more cells than a table that people write has."""
    for number, line in enumerate(document.lines, 1):
        if len(line) > MOST_COLUMNS < max(map(line.count, "|\t;,")):
            expected = f"at most {MOST_COLUMNS} columns"
            raise MalformedRowError(document.path, number, expected, "more")


_LINES = 1_000
"""Among which a table would begin."""
_EXAMPLE = "such as read (MB/s)"


def explain(document: Document) -> tuple[int, str, str] | None:
    """Say of what looks like a table, but is none: its line, what would do, why not."""
    lines = [
        (p, t) for p, t in _lines(document) if "".join(t).strip() and "--" not in t
    ]
    for at, (place, line) in enumerate(lines[:_LINES]):
        separator = next((s for s in "|\t;," if s in line), "")
        titles = split_row(line, separator)
        rows = [split_row(text, separator) for _, text in lines[at + 1 : at + 3]]
        few = 1 if separator == "|" else 2
        is_even = len(rows) >= few and all(len(row) == len(titles) for row in rows)
        is_table = len(titles) > 1 and is_even and _digits(rows[-1])
        if is_table and not _digits(titles) and _hints(titles, rows, separator):
            return int(place.removeprefix("line ")), *_cause(titles, rows, separator)
    return None


def _digits(cells: Sequence[str]) -> bool:
    """Tell whether a number stands behind the first cell."""
    return any(re.match(r"[*~<> ]*\d", cell) for cell in cells[1:])


_WAY = re.compile(r"\b(?:read|write)", re.IGNORECASE)


def _hints(
    titles: Sequence[str], rows: Sequence[Sequence[str]], separator: str
) -> bool:
    """Tell whether titles or cells speak of speeds: other tables are no results."""
    columns = columns_of(["system", *titles[1:]])
    if any(c.operation or (separator and c.unit) for c in columns):
        return True
    named = any(_WAY.search(text) for text in (*titles, rows[0][0]))
    named = named or not titles[0] or is_column_title(titles[0])
    return bool(separator) and (named or any(split_unit(c)[1] for c in rows[0]))


def _cause(
    titles: Sequence[str], rows: Sequence[Sequence[str]], separator: str
) -> tuple[str, str]:
    """Say what change would make a table of it, and what is found instead."""
    shown = ", ".join(quoted(title) for title in titles[:3] if title)
    if not separator:
        return "commas, tabs or bars between columns", f"blanks between {shown}"
    if not all(titles[1:]) or not _digits(rows[0]):
        return f"one row of titles, {_EXAMPLE}", "titles in two rows"
    first, cell = titles[0], rows[0][0]
    if parse_operation(split_unit(cell)[0]) and first:
        title = "nothing or operation above the operations of the first column"
        return title, quoted(first)
    columns = columns_of(["system", *titles[1:]])
    if any(c.kind == VALUE for c in columns) and not is_column_title(first):
        return "the title system above the names of the systems", shown
    if not first or is_column_title(first):
        operation = f"an operation of fsviz in each row, or titles {_EXAMPLE}"
        return operation, f"{quoted(cell)} below {shown or 'no title'}"
    return f"a column system, and titles {_EXAMPLE}", shown
