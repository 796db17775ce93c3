"""Frames for people and for programs: text, CSV, JSON, Markdown."""

from __future__ import annotations

import json
import math
import re
import textwrap
from collections.abc import Iterable, Sequence
from itertools import cycle
from typing import TYPE_CHECKING

from fsviz.model.escaping import (
    html_text,
    json_text,
    markdown_text,
    printable,
    printable_lines,
)
from fsviz.model.libraries import np, pd
from fsviz.model.names import fit
from fsviz.text.forms import Format

if TYPE_CHECKING:
    from IPython.display import HTML

GAP = "–"
"""What stands where nothing was measured."""
_LONG, _BLANKS = 60, 6
"""Letters and blanks from which a cell is a sentence; a path has no blanks."""


def table_html(frame: pd.DataFrame) -> HTML:
    """Show a frame in a notebook: no row numbers, no shortened texts, all escaped.

    Parameters
    ----------
    frame : DataFrame
        Rows to show, with flat column names.

    Returns
    -------
    IPython HTML
        For the last line of a cell or `display`. In a narrow window, a page stacks the
        cells of a table that contains sentences.
    """
    from IPython.display import HTML

    # pandas writes its NA as it is, whatever stands for what is missing
    texts = frame.map(lambda value: GAP if value is pd.NA else value)
    texts = texts.map(lambda v: printable_lines(v) if isinstance(v, str) else v)
    shown = texts.rename(columns=lambda name: printable(str(name)))
    # MathJax of JupyterLab leaves a table alone that says so
    options = ("display.max_colwidth", None, "display.html.use_mathjax", False)
    has_sentences = bool(shown.map(_is_sentence).to_numpy().any())
    cells = [[_cell(value) for value in row] for row in shown.itertuples(index=False)]
    right = enumerate(_numeric(cells, len(shown.columns)), 1)
    # a class a cell would be a tenth of a large table
    classes = [f"right-{n}" for n, is_number in right if is_number]
    with pd.option_context(*options):
        made = shown.to_html(
            index=False,
            border=0,
            na_rep=GAP,
            justify="left",
            classes=[*classes, *["told"] * has_sentences],
        )
    return HTML(
        _label_cells(_dense(made), list(shown)) if has_sentences else _dense(made)
    )


def _is_sentence(value: object) -> bool:
    return isinstance(value, str) and len(value) > _LONG and value.count(" ") >= _BLANKS


def _label_cells(table: str, names: Sequence[str]) -> str:
    """Repeat in each cell the name of its column, for who sees the cells stacked."""
    following = cycle(names)
    return re.sub(
        "<td>", lambda _: f'<td data-title="{html_text(next(following))}">', table
    )


def _dense(table: str) -> str:
    """One line a row: pandas indents each cell, which is a quarter of the table.

    What comes from a frame is escaped, so that no ``<`` in it starts a tag.
    """
    return re.sub(r"\n +<", "\n<", re.sub(r"\n +(?=<t[hd]>|</tr>)", "", table))


def render(frame: pd.DataFrame, form: Format) -> str:
    """Write a frame in one of the forms of `Format`, with a line end at the end."""
    if form == "csv":
        # exact, as it may be read by a program; a terminal gets it escaped
        flat = frame.map(lambda v: joined(v) if isinstance(v, list | tuple) else v)
        return str(flat.to_csv(index=False, lineterminator="\n"))
    if form == "json":
        written = json.dumps(_records(frame), indent=1, ensure_ascii=False)
        return json_text(written) + "\n"
    cells = [[_cell(value) for value in row] for row in frame.itertuples(index=False)]
    header = [str(name) for name in frame.columns]
    if form == "markdown":
        return markdown_table(header, cells)
    lines = aligned([header, *cells], _numeric(cells, len(header)))
    return "".join(f"{line}\n" for line in lines)


def joined(words: Iterable[object]) -> str:
    """Write the parts of a list, each of which may have parts itself."""
    # a size and what is said of it
    texts = (
        " ".join(map(str, word)) if isinstance(word, list | tuple) else word
        for word in words
    )
    return "; ".join(map(str, texts))


def _records(frame: pd.DataFrame) -> list[dict[str, object]]:
    """Turn a frame into records of plain values: Python writes a float as it is."""
    rows = frame.astype(object).itertuples(index=False, name=None)
    names = list(map(str, frame))
    return [dict(zip(names, map(plain_value, row), strict=True)) for row in rows]


def plain_value(value: object) -> object:
    """Turn a value of a frame into one of Python's own; what is missing into None."""
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: plain_value(part) for name, part in value._asdict().items()}
    if isinstance(value, list | tuple):
        return [plain_value(part) for part in value]
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, str | int) else str(value)


def _cell(value: object) -> str:
    if isinstance(value, list | tuple):
        return printable(joined(value)) or GAP
    if pd.isna(value):
        return GAP
    if isinstance(value, float):
        return f"{value:.10g}"
    return printable(str(value))


def _numeric(cells: list[list[str]], columns: int) -> list[bool]:
    """Say which columns hold numbers, with a sign before them or not."""
    return [
        all(row[i].lstrip("<>(-")[:1].isdigit() or row[i] == GAP for row in cells)
        for i in range(columns)
    ]


def markdown_table(header: Sequence[str], cells: Iterable[Sequence[str]]) -> str:
    """Write rows below the names of their columns."""
    first, *body = [list(map(markdown_text, line)) for line in (header, *cells)]
    lines = [first, ["---"] * len(header), *body]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def aligned(
    rows: Sequence[Sequence[str]],
    right: Sequence[bool],
    widths: Sequence[int] | None = None,
) -> list[str]:
    """Write rows under one another, columns two spaces apart.

    Units: `widths` [characters].
    """
    rows = [
        [text if text.isprintable() else printable(text) for text in row]
        for row in rows
    ]
    # not by rich: its Table takes 300 times as long, 4 s for 2,000 rows
    if widths is None:
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            text.rjust(width) if to_right else text.ljust(width)
            for text, width, to_right in zip(row, widths, right, strict=True)
        ).rstrip()
        for row in rows
    ]


# Titled tables with shared columns, as wide as a terminal.

WIDTH = 100
"""Columns of a terminal that the text must fit."""

_SHORTEST_NAME = 12
_RIGHT = (
    *("runs", "cells", "ratio", "time", "q"),
    *("mean", "median", "std cells", "std runs"),
)


def lines_of_table(tables: Sequence[tuple[str, pd.DataFrame]]) -> list[str]:
    """Draw titled tables that share columns; those of a tool share their names too."""
    if not tables:
        return []
    together = pd.concat([rows for _, rows in tables])
    columns = [str(name) for name in together]
    widths = _widths(together, columns)
    right = [name in _RIGHT for name in columns]
    lines: list[str] = []
    tool = ""
    for title, rows in tables:
        shown = [columns] if title.split()[0] != tool else []
        tool = title.split()[0]
        for row in rows.itertuples(index=False):
            cells = [
                text if name == _FOLDED else fit(text, width)
                for text, name, width in zip(row, columns, widths, strict=True)
            ]
            shown += _folded(cells, columns, widths)
        lines += [title, *aligned(shown, right, widths), ""]
    return lines


_FOLDED = "answer"
"""A column whose words go on in the next line if there is no room."""

_NARROWEST = 16

_NAMES = ("candidate", "system", "campaign")
"""Columns that give way; a table has one of them, or the first counts."""


def _folded(
    cells: list[str], columns: Sequence[str], widths: Sequence[int]
) -> list[list[str]]:
    """Part a row into as many as its folded column needs."""
    if _FOLDED not in columns:
        return [cells]
    place = columns.index(_FOLDED)
    words = textwrap.wrap(cells[place], widths[place]) or [""]
    first = [*cells[:place], words[0], *cells[place + 1 :]]
    blank = [""] * (len(cells) - place - 1)
    return [first, *([*[""] * place, more, *blank] for more in words[1:])]


def _widths(shown: pd.DataFrame, columns: Sequence[str]) -> list[int]:
    """Width of each column; names give way if the line would be too long."""
    widths = [max([len(name), *map(len, shown[name])]) for name in columns]
    over = sum(widths) + 2 * (len(widths) - 1) - WIDTH
    if over > 0 and _FOLDED in columns:
        place = columns.index(_FOLDED)
        narrow = max(min(_NARROWEST, widths[place]), widths[place] - over)
        over -= widths[place] - narrow
        widths[place] = narrow
    if over > 0:
        place = next(k for k, name in enumerate(columns) if name in _NAMES)
        widths[place] = max(_SHORTEST_NAME, widths[place] - over)
    return widths
