"""A comparison and findings as plain text, and a comparison as Markdown.

A comparison begins with first words, then comes the table. Findings stand by severity,
each with place, sentence, evidence and advice.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any

from fsviz.answers.words import LOOKS, STYLES
from fsviz.checks.findings import SEVERITIES
from fsviz.checks.phrases import count, listing
from fsviz.model.escaping import markdown_text, printable
from fsviz.text.tables import WIDTH, aligned, markdown_table

if TYPE_CHECKING:
    import pandas as pd

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
        for name, text in zip_longest(named, wrapped, fillvalue=""):
            yield f"{head}{name:{names}}  {text}"
            head = " " * len(head)


def _wrapped(text: str, width: int, indent: str = "", **more: Any) -> list[str]:
    more |= {"subsequent_indent": indent, "break_on_hyphens": False}
    return textwrap.wrap(printable(text), width, **more)


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
    lines.append("  \n".join(map(markdown_text, table.below(words.notes))))
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


def findings_text(findings: pd.DataFrame, systems: int) -> str:
    """Write findings for a terminal."""
    blocks = []
    unchecked = findings["fact"] != ""
    for severity in SEVERITIES:
        rows = findings.loc[(findings["severity"] == severity) & ~unchecked]
        if len(rows):
            number = f"{len(rows)} info" if severity == "info" else ""
            blocks.append(f"{number or count(len(rows), severity)}\n".upper())
            blocks += [_finding(row, systems) for row in rows.to_dict("records")]
    if unchecked.any():
        blocks.append(_not_checkable(findings.loc[unchecked]))
    blocks.append(_total(findings, unchecked))
    return "\n".join(blocks)


def _finding(row: dict[str, str], systems: int) -> str:
    place = [row["tool"], _who(row["systems"], systems)]
    head = "  ".join([row["rule"], " · ".join(filter(None, place))]).rstrip()
    lines = [f"  {head}"]
    lines += _indented(row["message"], "    ", "    ")
    for word, text in (("seen", row["evidence"]), ("do", row["advice"])):
        sentence, _, command = text.partition("`")
        if text:
            lines += _indented(sentence, f"      {word + ':':<6}", " " * 12)
        if command:
            lines.append(" " * 12 + printable(command.rstrip("`")))
    return "\n".join(lines) + "\n"


def _who(names: Sequence[str], systems: int) -> str:
    if len(names) == systems > 2:
        return f"all {systems} systems"
    return listing(names)


def _indented(text: str, first: str, indent: str) -> list[str]:
    more = {"initial_indent": first, "break_long_words": False}
    return _wrapped(text, WIDTH, indent, **more)


def _not_checkable(findings: pd.DataFrame) -> str:
    lines = ["NOT CHECKABLE\n"]
    for fact, rows in findings.groupby("fact", sort=False):
        rules = listing(rows["rule"], most=30)
        lines += _indented(f"state {fact}: {rules}", "  ", "      ")
        lines += _indented(rows["advice"].iloc[0], "      do:   ", " " * 12)
    return "\n".join(lines) + "\n"


def _total(findings: pd.DataFrame, unchecked: pd.Series) -> str:
    counts = findings.loc[~unchecked, "severity"].value_counts()
    parts = [count(int(counts.get(s, 0)), s) for s in SEVERITIES[:2]]
    parts.append(f"{int(counts.get('info', 0))} info")
    if not len(findings):
        return "Nothing found.\n"
    return f"{', '.join(parts)}. A rule's page: fsviz check --explain RULE\n"
