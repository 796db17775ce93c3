"""A workbook: what is said first with the table below it, then the data, then notes."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from fsviz.answers.words import FILLS
from fsviz.model.errors import UsageError, printable
from fsviz.model.run_folder import temporary_files
from fsviz.model.writing import write_file
from fsviz.text.tables import joined, plain_value

if TYPE_CHECKING:
    from pathlib import Path

    import pandas as pd

    from fsviz.answers.comparison import Comparison

HEAD = "head"
"""The look of what stands above numbers; others are those of answers."""

Rows = Iterable[Sequence[tuple[object, str]]]
"""Values, each with its look."""


@dataclass(frozen=True, slots=True)
class Book:
    """A frame, and the comparison that a person reads before it."""

    frame: pd.DataFrame
    comparison: Comparison


def comparison_rows(
    comparison: Comparison, campaign: str = ""
) -> Iterator[list[tuple[object, str]]]:
    """List what is said first, of which campaign, and the table below it."""
    words, table = comparison.first_words, comparison.table
    for text in filter(None, (campaign, words.opening, words.alarm)):
        yield [(text, HEAD)]
    for line in words.lines:
        yield [(line.tool, ""), (", ".join(line.names), ""), (line.words, "")]
    for block in table.blocks:
        names = [name for n in table.candidates for name in (n, "")]
        yield [("", "")]
        yield [(name, HEAD) for name in (block.title, table.baseline, *names)]
        for row in block.rows:
            cells = [(c.value, c.words, c.answer) for c in row.cells]
            yield [(row.title, ""), (_number(row.baseline), "")] + [
                part for v, w, look in cells for part in ((_number(v), ""), (w, look))
            ]
    notes = (f"[{n}] {text}" for n, text in enumerate(table.footnotes, 1))
    for note in ("", *notes, *words.notes, *table.notes):
        yield [(note, "")]


def _number(text: str) -> object:
    try:
        return float(text)
    except ValueError:
        return text


def frame_rows(frame: pd.DataFrame) -> Iterator[list[tuple[object, str]]]:
    """List a frame below the names of its columns."""
    yield [(str(name), HEAD) for name in frame]
    for row in frame.astype(object).itertuples(index=False):
        yield [
            (joined(v) if isinstance(v, list | tuple) else plain_value(v), "")
            for v in row
        ]


def save_workbook(sheets: Iterable[tuple[str, Rows]], path: Path) -> None:
    """Write titled sheets; nothing in them is a formula, whatever it begins with."""
    import openpyxl

    content = io.BytesIO()
    # in memory first: of a file that cannot be opened openpyxl's writers complain later
    try:
        with temporary_files():
            book = openpyxl.Workbook(write_only=True)
            for title, rows in sheets:
                sheet = book.create_sheet(title)
                sheet.sheet_format.baseColWidth = 14
                for row in rows:
                    sheet.append([_cell(sheet, *pair) for pair in row])
            book.save(content)
    except OSError as error:
        message = f"{path}: expected a file to write, found {error.strerror}"
        raise UsageError(message) from error
    write_file(path, content.getvalue())


def _cell(sheet: Any, value: object, look: str) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.styles import Font, PatternFill

    cell = WriteOnlyCell(sheet, printable(value) if isinstance(value, str) else value)
    if isinstance(value, str):
        cell.data_type = "s"
        # so that it stays a text when somebody edits the cell
        cell.quotePrefix = value[:1] in "=+-@"
    if look == HEAD:
        cell.font = Font(bold=True)
    elif fill := FILLS.get(look):
        cell.fill = PatternFill("solid", fgColor=fill)
    return cell
