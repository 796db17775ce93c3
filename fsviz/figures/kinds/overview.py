"""The table of answers as a figure: systems × tests, each cell how many times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.answers import DIFFERENT
from fsviz.answers.comparison import compare
from fsviz.answers.words import ANSWER_SCALE, in_two_lines
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.multiples import heading
from fsviz.figures.panels.ratio import limit
from fsviz.figures.style import INK, flat_figure, label, readable_on, rounded
from fsviz.model.escaping import figure_text

if TYPE_CHECKING:
    from fsviz.answers.comparison import Comparison
    from fsviz.answers.table import Block, Cell, Table
    from fsviz.model.campaign import Data

_ROW, _HEAD, _TOP, _BOTTOM, _GAP = 24, 52, 40, 4, 10
_BESIDE = {
    "xanchor": "right",
    "xshift": -6,
    "yanchor": "bottom",
    "yshift": 8,
    "font": {"color": INK},
}
"""How the heading of a panel stands: left of its top."""
_LETTER = 9
"""Width of a bold letter [px]."""


@takes("system", "baseline")
def overview(
    data: Data, options: FigureOptions, *, comparison: Comparison | None = None
) -> go.Figure:
    """Draw how many times faster or slower each system is at each test.

    Parameters
    ----------
    {shared}
    comparison : Comparison, optional
        What to draw, if it is known.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there is nothing to compare.
    """
    if comparison is None:
        names = [name for name in options.system or () if name != options.baseline]
        comparison = compare(data, baseline=options.baseline, candidate=names or None)
    return draw_overview(comparison)


def draw_overview(comparison: Comparison) -> go.Figure:
    """Draw a comparison's table, one panel a tool and unit."""
    table = comparison.table
    end = _colour_end(table)
    height = _ROW * len(table.candidates)
    inside = len(table.blocks) * (height + _HEAD + _GAP) or 1
    traces: list = []
    notes: list[dict] = []
    axes: dict[str, dict] = {}
    widest = max((len(block.rows) for block in table.blocks), default=1)
    top = 1.0
    for number, block in enumerate(table.blocks, 1):
        suffix = "" if number == 1 else str(number)
        top -= _HEAD / inside
        bottom = top - height / inside
        place = (max(0.0, bottom), min(1.0, top))
        drawn, panel_axes = _panel(table, block, suffix, place, widest, end)
        traces += drawn
        axes |= panel_axes
        notes.append(heading(label(block.title), 0, top) | _BESIDE)
        top = bottom - _GAP / inside
    longest = max((len(block.title) for block in table.blocks), default=0)
    first = label(table.baseline)
    legend = f"{table.legend}. " if table.legend else ""
    return flat_figure(
        traces,
        f"<b>Answers</b> – each system against {first}",
        f"{legend}Colours are strongest from {2**end:.3g}× on.",
        figure_text(str(comparison.first_words)),
        _TOP + inside + _BOTTOM,
        annotations=notes,
        coloraxis={
            "colorscale": ANSWER_SCALE,
            "cmin": -end,
            "cmax": end,
            "showscale": False,
        },
        margin={"l": 20 + _LETTER * longest, "r": 10, "t": _TOP, "b": _BOTTOM},
        **axes,
    )


def _panel(
    table: Table,
    block: Block,
    suffix: str,
    domain: tuple[float, float],
    widest: int,
    end: float,
) -> tuple[list, dict]:
    """One block: a heatmap, its texts, and axes with cells as wide as elsewhere."""
    columns = [row.cells for row in block.rows]
    cells = [[column[n] for column in columns] for n in range(len(table.candidates))]
    place = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
    traces = [
        go.Heatmap(
            z=[[_colour(cell, end) for cell in line] for line in cells],
            customdata=[[_hover(cell) for cell in line] for line in cells],
            hovertemplate="%{customdata}<extra></extra>",
            coloraxis="coloraxis",
            xgap=2,
            ygap=2,
            name="answers",
            **place,
        ),
        _texts(cells, place, end),
    ]
    titles = [
        "<br>".join(map(figure_text, filter(None, in_two_lines(row.operation))))
        for row in block.rows
    ]
    plain = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True}
    across = {
        **plain,
        "side": "top",
        "tickvals": list(range(len(titles))),
        "ticktext": titles,
        "tickangle": 0,
        "domain": [0.0, len(titles) / widest],
        "range": [-0.5, len(titles) - 0.5],
        "anchor": f"y{suffix}",
        "tickfont": {"size": 11},
    }
    down = {
        **plain,
        "tickvals": list(range(len(cells))),
        "ticktext": [label(name) for name in table.candidates],
        "range": [len(cells) - 0.5, -0.5],
        "domain": list(domain),
        "anchor": f"x{suffix}",
        "automargin": True,
    }
    return traces, {f"xaxis{suffix}": across, f"yaxis{suffix}": down}


def _texts(cells: list[list[Cell]], place: dict, end: float) -> go.Scatter:
    """Write each cell in the ink that its own colour needs."""
    written = [
        (x, y, figure_text(cell.short), _colour(cell, end) or 0.0)
        for y, line in enumerate(cells)
        for x, cell in enumerate(line)
        if cell.answer
    ]
    across, down, text, shades = zip(*written, strict=True) if written else [()] * 4
    shares = [(shade + end) / (2 * end) for shade in shades]
    return go.Scatter(
        x=across,
        y=down,
        text=text,
        mode="text",
        textfont={"color": readable_on(shares, ANSWER_SCALE), "size": 11},
        hoverinfo="skip",
        showlegend=False,
        name="texts",
        **place,
    )


def _colour(cell: Cell, end: float) -> float | None:
    """log₂ of the speed where there is a difference, else neutral."""
    if cell.test is None:
        return None
    if cell.answer not in DIFFERENT:
        return 0.0
    return rounded(max(-end, min(end, math.log2(cell.test.limit))))


def _colour_end(table: Table) -> float:
    """Choose where the colours of the cells end [log₂]."""
    return limit(
        [
            abs(math.log2(cell.test.limit))
            for block in table.blocks
            for row in block.rows
            for cell in row.cells
            if cell.test is not None and cell.answer in DIFFERENT
        ]
    )


def _hover(cell: Cell) -> str:
    """All that is known of a cell, in words."""
    if cell.test is None:
        return "not measured"
    names = f"<b>{label(cell.test.candidate)}</b>, {figure_text(cell.test.operation)}"
    return "<br>".join([names, *map(figure_text, cell.detail.split(" · "))])
