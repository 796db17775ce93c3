"""A comparison as plain text and as Markdown: first words, then the table."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fsviz.answers.words import LOOKS, STYLES
from fsviz.model.escaping import markdown_text, printable
from fsviz.text.tables import WIDTH, aligned, markdown_table

if TYPE_CHECKING:
    from fsviz.answers.comparison import Comparison
    from fsviz.answers.first_words import FirstWords, Line
    from fsviz.answers.table import Block, Cell, Table

_PAINTS = {"green": "32", "red": "31", "yellow": "33", "magenta": "35"}
_NARROW = 9
"""Characters of a column's title, in several lines, where systems are rows."""
_NOTES = 8
"""Notes that are shown without ``--notes``."""
MORE = "More: --by operation, --by file_size, --cells, --notes; fsviz check"


def comparison_text(
    comparison: Comparison,
    width: int = WIDTH,
    *,
    colour: bool = False,
    every_note: bool = False,
) -> str:
    """Write first words, table and notes, at most ``width`` columns wide."""
    words, table = comparison.first_words, comparison.table
    lines = [*_first_words(words, width), ""]
    for block in table.blocks:
        draw = _systems_down if table.is_wide else _tests_down
        lines += [*draw(table, block, width), ""]
    if table.legend:
        lines += _wrapped(table.legend + ".", width)
    lines += [
        line
        for number, text in enumerate(table.footnotes, 1)
        for line in _wrapped(f"[{number}] {text}", width, "    ")
    ]
    notes = [f"{printable(note)}." for note in (*words.notes, *table.notes)]
    shown = notes if every_note else notes[:_NOTES]
    lines += [line for note in shown for line in _wrapped(note, width, "  ")]
    lines += [MORE] if table.blocks else []
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return _painted(text) if colour else text


def _first_words(words: FirstWords, width: int) -> Iterator[str]:
    yield from _wrapped(words.opening, width)
    if words.alarm:
        yield from _wrapped(f"! {words.alarm}", width, "  ")
    if not words.lines:
        return
    yield ""
    tools = max(len(line.tool) for line in words.lines)
    names = min(max(len(", ".join(line.names)) for line in words.lines), width // 4)
    last = ""
    for line in words.lines:
        tool = "" if line.tool == last else line.tool
        last = line.tool
        head = f"{printable(tool):{tools}}  "
        named = _wrapped(", ".join(map(printable, line.names)), names) or [""]
        wrapped = _wrapped(line.words, max(width - tools - names - 4, 30))
        for number in range(max(len(named), len(wrapped))):
            first = head if number == 0 else " " * len(head)
            name = named[number] if number < len(named) else ""
            text = wrapped[number] if number < len(wrapped) else ""
            yield f"{first}{name:{names}}  {text}"


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    return textwrap.wrap(
        printable(text), width, subsequent_indent=indent, break_on_hyphens=False
    )


def _noted(text: str, cell: Cell) -> str:
    return f"{text} [{cell.note}]" if cell.note else text


def _tests_down(table: Table, block: Block, width: int) -> list[str]:
    """A row a test, for few candidates: value and words beside one another."""
    head = [block.title, table.baseline]
    for name in table.candidates:
        head += [name, ""]
    rows = [head]
    for row in block.rows:
        line = [row.title, row.baseline]
        for cell in row.cells:
            line += [cell.value, _noted(cell.words, cell)]
        rows.append(line)
    right = [False, True] + [True, False] * len(table.candidates)
    lines = aligned(rows, right)
    if max(map(len, lines)) <= width:
        return lines
    # long names: one candidate below another
    return [
        line
        for number in range(len(table.candidates))
        for line in aligned(
            [[*row[:2], *row[2 + 2 * number : 4 + 2 * number]] for row in rows],
            [False, True, True, False],
        )
    ]


def _systems_down(table: Table, block: Block, width: int) -> list[str]:
    """A row a system and a column a test, for many candidates."""
    names = [block.title, table.baseline, *table.candidates]
    first = min(max(map(len, names[1:])), 24)
    columns = []
    for row in block.rows:
        title = textwrap.wrap(row.title, _NARROW, break_on_hyphens=False)
        cells = [_noted(cell.short, cell) for cell in row.cells]
        columns.append((title, [row.baseline, *cells]))
    lines: list[str] = [block.title]
    for chunk in _chunks(columns, width - first - 2):
        height = max(len(title) for title, _ in chunk)
        heads = [[""] * (height - len(title)) + title for title, _ in chunk]
        rows = [["", *(head[n] for head in heads)] for n in range(height)]
        for number, name in enumerate(names[1:]):
            cells = [column[number] for _, column in chunk]
            if any(cells):
                rows.append([printable(name)[:first], *cells])
        widths = [first, *(_width(column) for column in chunk)]
        lines += aligned(rows, [False] + [True] * len(chunk), widths)
        lines.append("")
    return lines[:-1]


Column = tuple[list[str], list[str]]


def _width(column: Column) -> int:
    title, cells = column
    return max(map(len, [*title, *cells]), default=0)


def _chunks(columns: Sequence[Column], room: int) -> Iterator[list[Column]]:
    """Part columns into as many tables as a line has no room for."""
    chunk: list[Column] = []
    used = 0
    for column in columns:
        needed = _width(column) + 2
        if chunk and used + needed > room:
            yield chunk
            chunk, used = [], 0
        chunk.append(column)
        used += needed
    if chunk:
        yield chunk


def _painted(text: str) -> str:
    """Colour the answers' words and signs."""
    for answer, style in STYLES.items():
        code = _PAINTS[style]
        for sign in dict.fromkeys((f"× {LOOKS[answer].words}", LOOKS[answer].mark)):
            if sign:
                text = text.replace(sign, f"\x1b[{code}m{sign}\x1b[0m")
    return text


def comparison_markdown(comparison: Comparison) -> str:
    """Write first words and table as Markdown."""
    words, table = comparison.first_words, comparison.table
    lines = [f"**{markdown_text(words.opening)}**"]
    if words.alarm:
        lines.append(f"*{markdown_text(words.alarm)}*")
    lines.append("\n".join(map(_markdown_line, words.lines)))
    lines += [_markdown_block(table, block) for block in table.blocks]
    notes = [*(f"[{n}] {text}" for n, text in enumerate(table.footnotes, 1))]
    notes += [f"{note}." for note in (*words.notes, *table.notes)]
    if table.legend:
        notes.insert(0, f"{table.legend}.")
    lines.append("  \n".join(map(markdown_text, notes)))
    return "\n\n".join(filter(None, lines)) + "\n"


def _markdown_line(line: Line) -> str:
    names = f"**{markdown_text(', '.join(line.names))}** " if line.names else ""
    return f"- {markdown_text(line.tool)}: {names}{markdown_text(line.words)}"


def _markdown_block(table: Table, block: Block) -> str:
    head = [block.title, table.baseline, *table.candidates]
    rows = [
        [row.title, row.baseline, *(_markdown_cell(table, cell) for cell in row.cells)]
        for row in block.rows
    ]
    return markdown_table(head, rows).rstrip("\n")


def _markdown_cell(table: Table, cell: Cell) -> str:
    text = cell.short if table.is_wide else f"{cell.value} {cell.words}".strip()
    return _noted(text, cell)
