"""What the index shows of a campaign: first words, chips of trust, the first table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.answers.comparison import Comparison
from fsviz.model.errors import FsvizError
from fsviz.model.names import fit
from fsviz.report.entries import Card, Cell, Line, Words

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

_SHORTEST, _LONGEST = 24, 40
"""Characters of a name beside the cells of a card, and in its title."""
_LINES = 4
"""Lines of the first words that a card shows; the rest is counted."""


def card_of(campaign: Campaign) -> Card:
    """Return what the index shows of a campaign."""
    try:
        comparison = Comparison(campaign)
        trust = tuple((each.question, each.state) for each in comparison.trust)
        return _card(comparison).model_copy(update={"trust": trust})
    except FsvizError as error:
        return Card(headline=str(error))


def _card(comparison: Comparison) -> Card:
    words, table = comparison.first_words, comparison.table
    lines = [
        Words(tool=line.tool, names=", ".join(line.names), text=line.words)
        for line in words.lines
    ]
    if more := len(lines[_LINES:]):
        more_words = Words(tool="", names=f"{more} more", text="see the pages")
        lines[_LINES:] = [more_words]
    card = Card(headline=words.opening, words=tuple(lines))
    if not table.blocks:
        return card
    block = table.blocks[0]
    rows = []
    for number, name in enumerate(table.candidates):
        cells = tuple(
            Cell(text=row.cells[number].short, answer=row.cells[number].answer)
            for row in block.rows
        )
        if any(cell.text for cell in cells):
            rows.append(Line(system=fit(name, _SHORTEST), cells=cells))
    return card.model_copy(
        update={
            "title": f"{block.title}, against {fit(table.baseline, _LONGEST)}",
            "columns": tuple(row.title for row in block.rows),
            "lines": tuple(rows),
        }
    )
