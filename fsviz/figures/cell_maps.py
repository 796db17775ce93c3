"""The two maps of a system: its values, and its ratios to the baseline."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from fsviz.figures.panels.heatmap import cell_numbers, hatch, heatmap
from fsviz.figures.panels.linked import (
    cell_words,
    joined,
    single_text,
    value_words,
)
from fsviz.figures.panels.ratio import HATCH, ratio_panel, ratio_texts

if TYPE_CHECKING:
    from fsviz.figures.view import View


def value_map(
    view: View,
    number: int,
    *,
    full_text: bool = True,
    short: bool = False,
    numbers: bool = True,
) -> list[Any]:
    """Draw the values of a system; hatched where they do not count.

    ``full_text``: pointing at a cell says all that is known of it, not its value alone.
    """
    grid, full, scale = view.grids[number], view.full[number], view.scale
    texts = {
        cell: single_text(full, cell, scale)
        if full_text
        else joined(cell_words(full, cell), value_words(full, cell, scale))
        for cell in full.measured
    }
    drawn = heatmap(grid, scale, texts)
    drawn.meta = {"readout": full_text}
    places = [(math.log2(r), math.log2(f)) for f, r in sorted(view.uncounted[number])]
    written = [cell_numbers(grid, scale, short)] if numbers else []
    return [drawn, hatch(places, *HATCH, "does not count"), *written]


def ratio_map(view: View, number: int, *, numbers: bool = True) -> list[Any]:
    """Draw the ratios of a candidate to the baseline."""
    rows = view.ratios[view.grids[number].system]
    texts = ratio_texts(view.full[number], view.full[0], rows, view.scale)
    return ratio_panel(rows, texts, numbers=numbers, end=view.end)
