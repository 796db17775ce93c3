"""Tables as a workbook: numbers as numbers, units in the headings, notes on a sheet."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsviz.model.errors import UsageError, printable
from fsviz.model.run_folder import temporary_files
from fsviz.model.writing import write_file
from fsviz.text.tables import plain_value

if TYPE_CHECKING:
    import pandas as pd

_IN_UNIT = ("value", "low", "high", "mean", "std_cells", "std_runs", "median")
"""Columns whose unit the column ``unit`` states; intervals are of the mean."""

_LONGEST = 31
"""Characters of a sheet's name, Excel's limit."""

_SIZE = re.compile(r"_bytes$")


def save_workbook(
    tables: Sequence[tuple[str, pd.DataFrame]], notes: Iterable[str], path: Path
) -> None:
    """Write tables as sheets of one workbook."""
    # in memory first: of a file that cannot be opened openpyxl's writers complain later
    try:
        with temporary_files():
            content = _content(tables, notes)
    except OSError as error:
        said = f"{path}: expected a file to write, found {error.strerror}"
        raise UsageError(said) from error
    write_file(path, content)


def _content(tables: Sequence[tuple[str, pd.DataFrame]], notes: Iterable[str]) -> bytes:
    import openpyxl

    book = openpyxl.Workbook(write_only=True)
    taken: set[str] = set()
    for title, frame in tables:
        for name, part in _parts(title, frame):
            _write(book, _free(name, taken), _header(part), _rows(part))
    said = [[note] for note in notes]
    _write(book, _free("notes", taken), ["notes"], said)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def _parts(title: str, frame: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    if "unit" not in frame or frame["unit"].nunique() < 2:
        yield title, frame
        return
    for metric, part in frame.groupby("metric", sort=False, observed=True):
        yield f"{title} {metric}", part


def _free(name: str, taken: set[str]) -> str:
    """Make a name that Excel allows and that no other sheet has."""
    kept = re.sub(r"[\[\]:*?/\\]", "_", printable(name)).strip("'") or "table"
    number, free = 1, kept[:_LONGEST]
    while free.lower() in taken:
        number += 1
        tail = f" {number}"
        free = kept[: _LONGEST - len(tail)] + tail
    taken.add(free.lower())
    return free


def _header(frame: pd.DataFrame) -> list[str]:
    unit = str(frame["unit"].iloc[0]) if "unit" in frame and len(frame) else ""
    named = []
    for name in map(str, frame.columns):
        own = (*_IN_UNIT, *(("ci_low", "ci_high") if "std_runs" in frame else ()))
        if _SIZE.search(name):
            named.append(f"{_SIZE.sub('', name)} [B]")
        else:
            named.append(f"{name} [{unit}]" if unit and name in own else name)
    return named


def _rows(frame: pd.DataFrame) -> Iterator[list[object]]:
    columns = [
        [plain_value(value) for value in frame[name].astype(object)] for name in frame
    ]
    for row in zip(*columns, strict=True):
        yield ["; ".join(map(str, v)) if isinstance(v, list) else v for v in row]


def _write(
    book: Any, name: str, header: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    sheet = book.create_sheet(name)
    sheet.freeze_panes = "A2"
    for row in (header, *rows):
        sheet.append([_cell(sheet, value) for value in row])


def _cell(sheet: Any, value: object) -> Any:
    """Make a cell; a text is never a formula, whatever it begins with."""
    from openpyxl.cell import WriteOnlyCell

    if not isinstance(value, str):
        return WriteOnlyCell(sheet, value)
    cell = WriteOnlyCell(sheet, printable(value))
    cell.data_type = "s"
    if value[:1] in "=+-@":
        # so that it stays a text when somebody edits the cell
        cell.quotePrefix = True
    return cell
