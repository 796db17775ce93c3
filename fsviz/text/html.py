"""A comparison as a part of a page: first words, chips of trust, then the table.

Everything from files is escaped. A cell that a page can draw says its operation and
system, for the page's script.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from fsviz.answers.words import LOOKS
from fsviz.model.escaping import html_text, html_with_code, printable
from fsviz.model.table import OPERATIONS
from fsviz.model.tools import TABLE
from fsviz.text.summary import readable
from fsviz.text.tables import table_html as plain_table

if TYPE_CHECKING:
    import pandas as pd
    from IPython.display import HTML

    from fsviz.answers.comparison import Comparison, Test
    from fsviz.answers.first_words import FirstWords
    from fsviz.answers.table import Block, Cell, Row, Table
    from fsviz.answers.trust import Trust

ICONS = {"fine": "✓", "warning": "!", "error": "✗", "unknown": "?"}
"""Signs of the four states of a question of trust."""
BY_SIZE = ("iozone", "fio", TABLE)
"""Tools whose operations a page can draw by file and record size."""
_BELOW = 4
"""Lines of a tool that stand below one another; more stand in two columns."""
_NO_MATH = "tex2jax_ignore mathjax_ignore"  # MathJax: a price is no formula


def comparison_html(comparison: Comparison) -> str:
    """Write first words, chips and table."""
    return (
        f'<div class="comparison {_NO_MATH}">'
        f"{first_words_html(comparison.first_words)}"
        f"{chips_html(comparison.trust)}{table_html(comparison.table)}</div>"
    )


def first_words_html(words: FirstWords) -> str:
    """Write what is said first."""
    alarm = f'! <a href="#trust">{html_text(words.alarm)}</a>' if words.alarm else ""
    alarm = f'<p class="alarm">{alarm}</p>' if alarm else ""
    notes = "".join(f'<p class="soft">{html_text(n)}.</p>' for n in words.notes)
    tools = list(dict.fromkeys(line.tool for line in words.lines))
    lines = "".join(_lines_of(tool, words, named=len(tools) > 1) for tool in tools)
    return (
        f'<div class="first-words {_NO_MATH}"><p>{html_text(words.opening)}</p>'
        f"{alarm}{lines}{notes}"
        "</div>"
    )


def _lines_of(tool: str, words: FirstWords, *, named: bool) -> str:
    """Write the lines of a tool, in two columns if they are many."""
    rows = [
        f"<tr><td><b>{html_text(', '.join(line.names))}</b></td>"
        f"<td>{html_text(line.words)}</td></tr>"
        for line in words.lines
        if line.tool == tool
    ]
    many = " many" if len(rows) > _BELOW else ""
    head = f'<span class="tool">{html_text(tool)}</span>' if named else ""
    table = f'<table class="said{many}">{"".join(rows)}</table>'
    return f'<div class="of-tool">{head}{table}</div>'


def chips_html(questions: Iterable[Trust]) -> str:
    """Write the four questions of trust as one line of chips."""
    chips = "".join(
        f'<a class="chip {each.state}" href="#trust" '
        f'title="{html_text(each.sentence)}">'
        f'<span aria-hidden="true">{ICONS[each.state]}</span> '
        f"{html_text(each.question)}</a>"
        for each in questions
    )
    return f'<nav class="chips" aria-label="Trust">{chips}</nav>' if chips else ""


def table_html(table: Table) -> str:
    """Write the answers: a test a row or, with many systems, a test a column."""
    draw = _systems_down if table.is_wide else _tests_down
    blocks = "".join(draw(table, block) for block in table.blocks)
    lines = "".join(f"<li>{html_text(note)}</li>" for note in table.below())
    below = f'<ul class="soft notes">{lines}</ul>' if lines else ""
    return f'<div class="answers {_NO_MATH}">{blocks}{below}</div>' if blocks else ""


def _tests_down(table: Table, block: Block) -> str:
    heads = "".join(
        f'<th scope="col" colspan="2">{html_text(name)}</th>'
        for name in table.candidates
    )
    rows = "".join(
        f'<tr><th scope="row">{html_text(row.title)}</th>'
        f'<td class="number">{html_text(row.baseline)}</td>'
        + "".join(
            f'<td class="number">{html_text(cell.value)}</td>'
            + _answer_cell(block, row, cell, cell.words)
            for cell in row.cells
        )
        + "</tr>"
        for row in block.rows
    )
    head = (
        f'<th scope="col">{html_text(block.title)}</th>'
        f'<th scope="col">{html_text(table.baseline)}</th>{heads}'
    )
    return _table(block, head, rows, "")


def _table(block: Block, head: str, rows: str, kind: str) -> str:
    title = f"Answers of {html_text(block.title)}"
    return (
        f'<div class="scroll" tabindex="0" role="region" aria-label="{title}">'
        f'<table class="cells{kind}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _answer_cell(block: Block, row: Row, cell: Cell, text: str) -> str:
    if not cell.answer or cell.test is None:
        return "<td></td>"
    note = f"<sup>[{cell.note}]</sup>" if cell.note else ""
    place = ""
    if block.tool in BY_SIZE:
        system = html_text(cell.test.candidate)
        place = f' data-op="{html_text(row.operation)}" data-system="{system}"'
    return (
        f'<td class="answer {cell.answer}" title="{html_text(cell.detail)}"{place}>'
        f"{html_text(text)}{note}</td>"
    )


def _systems_down(table: Table, block: Block) -> str:
    titles = "".join(
        f'<th scope="col">{html_text(row.title)}</th>' for row in block.rows
    )
    values = "".join(
        f'<td class="number">{html_text(row.baseline)}</td>' for row in block.rows
    )
    rows = [f'<tr><th scope="row">{html_text(table.baseline)}</th>{values}</tr>']
    for number, name in enumerate(table.candidates):
        cells = [row.cells[number] for row in block.rows]
        if any(cell.answer for cell in cells):
            drawn = "".join(
                _answer_cell(block, row, cell, cell.short)
                for row, cell in zip(block.rows, cells, strict=True)
            )
            rows.append(f'<tr><th scope="row">{html_text(name)}</th>{drawn}</tr>')
    head = f'<th scope="col">{html_text(block.title)}</th>{titles}'
    return _table(block, head, "".join(rows), " wide")


def test_html(test: Test) -> str:
    """Write the heading of a test, which a page's script turns into a tab."""
    comparison = test.comparison
    operation, system = comparison.opens
    opened = system if operation == test.operation else ""
    title = OPERATIONS.get(test.operation, test.operation).capitalize()
    # a page sets them below one another; a notebook needs what is between them
    words = "<i> · </i>".join(
        f'<span class="{answer}">{html_text(text)}</span>'
        for answer, text in tab_words(comparison.table, test.operation)
    )
    systems = test.systems
    pair = comparison.baseline in systems and len(systems) > 1
    names = json.dumps(list(map(printable, systems[int(pair) :])), ensure_ascii=False)
    return (
        f'<h3 class="tab" data-tab="{html_text(test.operation)}" '
        f'data-systems="{html_text(names)}" data-pair="{"yes" * pair}" '
        f'data-opened="{html_text(opened)}">{html_text(title)} '
        f'<small class="words">{words}</small></h3>'
    )


def numbers_html(frame: pd.DataFrame) -> HTML:
    """Write the size classes of one operation, folded away."""
    from IPython.display import HTML

    shown = readable(frame).drop(columns=["operation", "metric"], errors="ignore")
    head = "<summary>Numbers by size class</summary>"
    inside = plain_table(shown).data
    return HTML(f'<details class="fsviz-fold">{head}{inside}</details>')


def trust_html(questions: Iterable[Trust]) -> str:
    """Write the four questions with their answers; each opens its advice."""
    inside = "".join(map(_question, questions))
    return f'<div id="trust" class="trust {_NO_MATH}">{inside}</div>' if inside else ""


def _question(each: Trust) -> str:
    links = [f'<a href="#finding-{rule}">{rule}</a>' for rule in each.rules[:3]]
    more = len(each.rules) - len(links)
    named = ", ".join(links) + (f" and {more} more" if more else "")
    beside = "".join(
        f'<p class="soft">{text}</p>'
        for text in (html_with_code(each.advice), named)
        if text
    )
    icon = f'<span aria-hidden="true">{ICONS[each.state]}</span>'
    head = f"<b>{icon} {html_text(each.question)}</b> {html_with_code(each.sentence)}"
    if not beside:
        return f'<section class="{each.state}">{head}</section>'
    return f'<details class="{each.state}"><summary>{head}</summary>{beside}</details>'


def tab_words(table: Table, operation: str) -> list[tuple[str, str]]:
    """Return answer and words of an operation's tab: by name, or counted if many."""
    cells = [
        (name, cell)
        for block in table.blocks
        if block.tool in BY_SIZE
        for row in block.rows
        if row.operation == operation
        for name, cell in zip(table.candidates, row.cells, strict=True)
        if cell.answer
    ]
    if not table.is_wide and len(cells) <= len(table.candidates):
        return [(cell.answer, f"{name} {cell.words}") for name, cell in cells]
    counts = Counter(cell.answer for _, cell in cells)
    return [
        (answer, f"{counts[answer]} {LOOKS[answer].words}")
        for answer in LOOKS
        if answer in counts
    ]
