"""Maps of all systems in a row: where the baseline is fast, and where others beat it.

The flat half of `versus`, small enough that every system is seen at once, also on
paper; it needs no WebGL.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.figures.cell_maps import ratio_map, value_map
from fsviz.figures.choosing import note_beside
from fsviz.figures.kinds.versus import Parts, alt_of, facts_of
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.heatmap import colour_axis
from fsviz.figures.panels.multiples import heading
from fsviz.figures.panels.ratio import legend_of, ratio_axis
from fsviz.figures.panels.slice import size_axis
from fsviz.figures.style import (
    LONGEST_LABEL,
    SHORT_LABEL,
    balanced,
    label,
    layout,
)
from fsviz.figures.view import View, values_of, view_of
from fsviz.model.table import OPERATIONS

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid
    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

COLUMNS = 5
"""Systems in a row."""
_ROW = 256
"""Height of a row of maps [px]."""
_LEAST = 220
"""Below this width the sizes at a map touch one another [px]."""
_TOP = 40
"""Room for the title [px]."""
_ENDS = 0.905
"""The maps end here, the colour bars stand behind."""
_NAMES = 0.24
"""Share of a column that the file sizes take, left of its map."""
_SHARES = [k / 40 for k in range(41)]
"""Of a colour scale, whose inks the page's script is told."""
_READABLE = 2
"""So many maps in a row leave room for numbers in their cells."""
CAPTION = "First the values of the baseline, then each system's ratio to it: "
ALONE = (
    "The mean over the runs at each file size and record size. An empty place was not "
    "measured."
)
"""Caption of a single system."""


@takes(
    *("operation", "system", "baseline", "metric", "scale"),
    *("comparison", "examination"),
)
def maps(data: Data, options: FigureOptions) -> go.Figure:
    """Draw the baseline's heatmap, and beside it a map of each other system's ratios.

    Parameters
    ----------
    {shared}

    Returns
    -------
    plotly Figure
        Caption and alternative text are in ``layout.meta``.

    Raises
    ------
    UsageError
        If there is no such operation or cell.
    MixedCellError
        If a cell contains runs that are not repeats of each other.
    """
    view = view_of(data, options)
    if not view.pair:
        view = replace(view, grids=view.grids[:1], full=view.full[:1])
    return note_beside(_draw(view), view.beside)


def _draw(view: View) -> go.Figure:
    grids = view.grids
    view = replace(view, scale=_of_first(view))
    columns = balanced(len(grids), COLUMNS)
    rows = math.ceil(len(grids) / columns)
    parts = Parts(
        layout(_title(grids), ALONE, alt_of(view), _ROW * rows + _TOP)
        | _bars(view, rows)
        | {"showlegend": False, "margin": {"l": 10, "r": 10, "t": _TOP, "b": 4}}
    )
    # numbers of two and three digits touch one another in a narrow map
    numbers = len(grids) <= _READABLE
    for position, grid in enumerate(grids):
        traces = (
            ratio_map(view, position, numbers=numbers)
            if position
            else value_map(view, 0, short=True, numbers=numbers)
        )
        unit = view.scale.unit
        _place(parts, position, (rows, columns), grid, traces, view.sizes, unit)
    figure = parts.figure()
    figure.layout.meta |= {"cells": facts_of(view), "least": columns * _LEAST}
    if view.pair:
        figure.layout.meta |= {"caption": CAPTION + legend_of(figure.data)}
    return figure


def _of_first(view: View) -> Scale:
    """Take the scale of the baseline, the only one whose values are drawn."""
    values = [v / view.scale.factor for v in values_of(view.grids[:1]) if v == v]
    if not values or max(values) <= min(values):
        return view.scale
    low = min(values) if view.scale.log else 0.0
    return replace(view.scale, low=low, high=max(values))


def _title(grids: list[Grid]) -> str:
    title = f"<b>{OPERATIONS[grids[0].operation]}</b> – where, by size"
    if len(grids) > 1:
        title += f": against {label(grids[0].system, SHORT_LABEL)}"
    return title


_SHORT_BAR = 3
"""Numbers beside the bar of a single row of maps."""


def _bars(view: View, rows: int) -> dict[str, dict]:
    """Give the colour axis of the values and, with others, that of the ratios."""
    scale, alone = view.scale, not view.pair
    values = colour_axis(scale, *((0.915, 0.5, 0.9) if alone else _bar(rows, 0)))
    values["colorbar"]["title"]["text"] = scale.unit
    if alone:
        return {"coloraxis": values}
    if rows == 1:
        # a short bar, on which more numbers would stand against one another
        bar = values["colorbar"]
        bar["nticks"] = _SHORT_BAR
        for name in {"tickvals", "ticktext"} & set(bar):
            # the end stays, which says what lies beyond
            bar[name] = bar[name][::-1][:: -(-len(bar[name]) // _SHORT_BAR)][::-1]
    ratios = ratio_axis(view.end, view.grids[0].metric, *_bar(rows, 1))
    return {"coloraxis": values, "coloraxis2": ratios}


def _bar(rows: int, number: int) -> tuple[float, float, float]:
    """Where a colour bar stands: each has a row or, of a single one, its part."""
    if rows > 1:
        return 0.915, 1 - (number + 0.45) / rows, 0.7 / rows
    return 0.915, (0.86, 0.34)[number], (0.28, 0.68)[number]


def _place(
    parts: Parts,
    position: int,
    shape: tuple[int, int],
    grid: Grid,
    traces: list,
    sizes: tuple[list[int], list[int]],
    unit: str,
) -> None:
    files, records = sizes
    rows, columns = shape
    number = str(position + 1) if position else ""
    column, row = position % columns, position // columns
    width = _ENDS / columns
    left, right = (column + _NAMES) * width, (column + 1) * width - 0.008
    low, high = 1 - (row + 1) / rows + 0.19 / rows, 1 - row / rows - 0.1 / rows
    plain = {"gridcolor": "rgba(0,0,0,0)", "tickfont": {"size": 11}}
    for trace in traces:
        # update() takes three times as long
        trace.xaxis, trace.yaxis = f"x{number}", f"y{number}"
    parts.traces += traces
    parts.layout.update(
        {
            f"xaxis{number}": size_axis("record size", records, 6, upright=True)
            | plain
            | {"domain": [left, right], "anchor": f"y{number}"}
            | {"title": {"text": "record size", "standoff": 2, "font": {"size": 11}}},
            f"yaxis{number}": size_axis("file size", files, 6)
            | plain
            | {"domain": [low, high], "anchor": f"x{number}"}
            | {"tickangle": 0, "title": None},
        }
    )
    role = f" [{unit}]" if position == 0 and shape != (1, 1) else ""
    longest = LONGEST_LABEL if columns <= 2 else SHORT_LABEL
    text = f"{label(grid.system, longest)}{role}"
    parts.headings.append(heading(text, left, high + 0.06 / rows))
