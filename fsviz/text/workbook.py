"""A workbook: what is said first, tables for people, and the numbers as data."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fsviz.answers.words import FILLS
from fsviz.model.errors import UsageError, printable
from fsviz.model.run_folder import temporary_files
from fsviz.model.writing import write_file
from fsviz.text.tables import joined, plain_value

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.answers.comparison import Comparison

_LONGEST = 31
"""Characters of a sheet's name, Excel's limit."""
_WIDEST, _NARROWEST = 60, 6
"""Characters of a column; a longer text goes on in empty cells beside it."""
_NUMBER = re.compile(r"-?\d+(?:\.(\d+))?")
_NAMES = ("tool", "operation", "setting", "system", "candidate")
"""Columns of texts, which may look like numbers."""
BOLD = "bold"


class Styled(NamedTuple):
    """A cell's value, an answer or `BOLD` that says how it looks, digits to show."""

    value: object
    style: str = ""
    decimals: int | None = None


@dataclass(frozen=True, slots=True)
class Sheet:
    """A table of plain values or `Styled` ones; ``head``: its first row stays."""

    title: str
    rows: Sequence[Sequence[object]]
    head: bool = True


@dataclass(frozen=True, slots=True)
class Book:
    """Sheets for people, and the frame that they were made of."""

    frame: pd.DataFrame
    sheets: Sequence[Sheet] = field(default=())


def sheet_of(title: str, shown: pd.DataFrame) -> Sheet:
    """Make a sheet of what people read: numbers as shown are numbers again."""
    rows = [
        [
            Styled(value) if name in _NAMES else _shown(value, "")
            for name, value in zip(shown.columns, row, strict=True)
        ]
        for row in shown.itertuples(index=False)
    ]
    return Sheet(title, [_bold(map(str, shown.columns)), *rows])


def comparison_sheet(comparison: Comparison) -> Sheet:
    """Make a sheet of what is said first, and of the table below it."""
    words, table = comparison.first_words, comparison.table
    rows: list[list[object]] = [[words.opening]]
    rows += [[words.alarm]] * bool(words.alarm)
    rows += [[line.tool, ", ".join(line.names), line.words] for line in words.lines]
    for block in table.blocks:
        names = [name for n in table.candidates for name in (n, f"{n} is")]
        rows += [[""], [*_bold([block.title, table.baseline, *names])]]
        for row in block.rows:
            cells = [
                value
                for cell in row.cells
                for value in (_shown(cell.value, ""), Styled(cell.words, cell.answer))
            ]
            rows.append([row.title, _shown(row.baseline, ""), *cells])
    notes = [f"[{n}] {text}" for n, text in enumerate(table.footnotes, 1)]
    rows.append([""])
    rows += [[note] for note in (*notes, *words.notes, *table.notes)]
    return Sheet("answers", rows, head=False)


def _shown(value: object, style: str) -> Styled:
    text = "" if value is None else str(value)
    if number := _NUMBER.fullmatch(text):
        return Styled(float(text), style, len(number[1] or ""))
    return Styled(text, style)


def _bold(names: Iterable[str]) -> list[Styled]:
    return [Styled(name, BOLD) for name in names]


def save_workbook(
    answers: Sequence[tuple[str, Book]], notes: Iterable[str], path: Path
) -> None:
    """Write answers as sheets of one workbook, named after each where there are more.

    Sheets for people come first, then the numbers with the names that programs know,
    then the notes.
    """
    # in memory first: of a file that cannot be opened openpyxl's writers complain later
    try:
        with temporary_files():
            content = _content(list(_sheets(answers, notes)))
    except OSError as error:
        message = f"{path}: expected a file to write, found {error.strerror}"
        raise UsageError(message) from error
    write_file(path, content)


def _sheets(
    answers: Sequence[tuple[str, Book]], notes: Iterable[str]
) -> Iterator[Sheet]:
    for name, book in answers:
        for sheet in book.sheets:
            title = f"{sheet.title} {name}" if len(answers) > 1 else sheet.title
            yield Sheet(title, sheet.rows, sheet.head)
    for name, book in answers:
        title = f"data {name}" if len(answers) > 1 else "data"
        yield Sheet(title, [_bold(map(str, book.frame.columns)), *_rows(book.frame)])
    if rows := [[note] for note in notes]:
        yield Sheet("notes", [_bold(["notes"]), *rows])


def _rows(frame: pd.DataFrame) -> Iterator[list[object]]:
    for row in frame.astype(object).itertuples(index=False):
        yield [
            joined(v) if isinstance(v, list | tuple) else plain_value(v) for v in row
        ]


def _content(sheets: Sequence[Sheet]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    taken: set[str] = set()
    for sheet in sheets:
        _write(book, _free(sheet.title, taken), sheet)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _free(name: str, taken: set[str]) -> str:
    """Make a name that Excel allows and that no other sheet has."""
    title = re.sub(r"[\[\]:*?/\\]", "_", printable(name)).strip("'") or "table"
    number, free = 1, title[:_LONGEST]
    while free.lower() in taken:
        number += 1
        tail = f" {number}"
        free = title[: _LONGEST - len(tail)] + tail
    taken.add(free.lower())
    return free


def _write(book: Any, name: str, sheet: Sheet) -> None:
    from openpyxl.utils import get_column_letter
    from openpyxl.worksheet.properties import PageSetupProperties

    made = book.create_sheet(name)
    rows = [[_styled(value) for value in row] for row in sheet.rows]
    for number, width in enumerate(_widths(rows), 1):
        made.column_dimensions[get_column_letter(number)].width = width
    if sheet.head:
        made.freeze_panes = "A2"
        made.print_title_rows = "1:1"
    # printed as wide as a page
    made.page_setup.orientation = "landscape"
    made.page_setup.fitToHeight = 0
    made.sheet_properties.pageSetUpPr = PageSetupProperties(fitToPage=True)
    for row in rows:
        made.append([_cell(made, value) for value in row])


def _styled(value: object) -> Styled:
    return value if isinstance(value, Styled) else Styled(value)


def _widths(rows: Sequence[Sequence[Styled]]) -> Iterator[float]:
    """Measure columns; a row of one cell is a sentence and goes on beside it."""
    tables = [row for row in rows if len(row) > 1]
    for n in range(max(map(len, tables), default=0)):
        texts = (str(row[n].value) for row in tables if n < len(row))
        yield min(_WIDEST, max(chain([_NARROWEST], map(len, texts)))) + 2


def _cell(sheet: Any, styled: Styled) -> Any:
    """Make a cell; a text is never a formula, whatever it begins with."""
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Alignment, Font, PatternFill

    value = styled.value
    text = printable(value) if isinstance(value, str) else value
    cell = WriteOnlyCell(sheet, text)
    if isinstance(value, str):
        cell.data_type = "s"
        # so that it stays a text when somebody edits the cell
        cell.quotePrefix = value[:1] in "=+-@"
    elif styled.decimals is not None:
        cell.number_format = f"0.{'0' * styled.decimals}".rstrip(".")
    if styled.style == BOLD:
        cell.font = Font(bold=True)
        cell.alignment = Alignment(horizontal="left")
    elif styled.decimals is not None:
        cell.alignment = Alignment(horizontal="left")
    elif fill := FILLS.get(styled.style):
        cell.fill = PatternFill("solid", fgColor=fill)
    return cell
