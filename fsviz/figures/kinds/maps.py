"""Maps of all systems in a row: where the baseline is fast, and where others beat it.

The flat half of `versus`, small enough that every system is seen at once, also on
paper; it needs no WebGL.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.answers.words import VERDICT_LOOKS
from fsviz.figures.choosing import note_beside
from fsviz.figures.kinds.explorer import sizes_of, values_of
from fsviz.figures.kinds.versus import (
    Compared,
    Parts,
    alt_of,
    compared_grids,
    facts_of,
    put_first,
)
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.heatmap import colour_axis
from fsviz.figures.panels.marks import (
    Marks,
    mark_traces,
    note_marks,
    notes_of,
    unmarked_values,
)
from fsviz.figures.panels.multiples import heading
from fsviz.figures.panels.pairs import (
    found_letters,
    logarithms,
    numbers_of,
    said_letters,
    verdict_letters,
)
from fsviz.figures.panels.ratio import (
    BETTER_UP,
    PALE_INK,
    Told,
    is_matched,
    map_traces,
    ratio_axis,
    shared_regimes,
)
from fsviz.figures.panels.slice import size_axis
from fsviz.figures.style import (
    COLOURS,
    LONGEST_LABEL,
    SHORT_LABEL,
    balanced,
    colour_ends,
    label,
    layout,
    make_scale,
    panel_grid,
    readable_on,
)
from fsviz.model.errors import printable
from fsviz.model.table import METRICS, OPERATIONS

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.analysis.grids import Grid
    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

COLUMNS = 5
"""Systems in a row."""
_ROW = 256
"""Height of a row of maps [px]."""
_LEAST = 168
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
CAPTION = (
    "First the values of the baseline, then each system's ratio to it: blue is better, "
    "red worse, pale may be chance, crossed is disqualified by fsviz check, hatched "
    "was measured on one side only; the line is where the winner changes."
)
ALONE = (
    "The mean over the runs at each file size and record size. An empty place was not "
    "measured."
)
"""Caption of a single system."""


@takes("operation", "system", "baseline", "metric", "scale", "marks", "comparison")
def maps(data: Data, asked: FigureOptions) -> go.Figure:
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
    shown = compared_grids("maps", data, asked, least=1)
    figure = note_beside(_draw(shown, asked), shown.beside)
    known = asked.comparison
    if known is not None and known["baseline"].nunique() > 1:
        figure.layout.meta |= {"pairs": _pairs(shown, asked, known)}
    return note_marks(figure, shown.found)


def _draw(shown: Compared, asked: FigureOptions) -> go.Figure:
    grids = shown.grids
    first = grids[0]
    scale = _scale(shown, asked)
    columns = balanced(len(grids), COLUMNS)
    rows = math.ceil(len(grids) / columns)
    caption = CAPTION if len(grids) > 1 else ALONE
    parts = Parts(
        layout(_title(shown), caption, alt_of(shown), _ROW * rows + _TOP)
        | _bars(shown, scale, rows)
        | {"showlegend": False, "margin": {"l": 10, "r": 10, "t": _TOP, "b": 4}}
    )
    files, records = sizes_of(grids)
    shape = (rows, columns)
    for position, grid in enumerate(grids):
        traces = map_traces(
            grid,
            first,
            shown.ratios,
            scale,
            shown.found[grid.system],
            (files, records),
            end=shown.end,
            # numbers of two and three digits touch one another in a narrow map
            numbers=len(grids) <= _READABLE,
        )
        _place(parts, position, shape, grid, traces, (files, records), scale.unit)
    figure = parts.figure()
    panels = panel_grid(columns, rows, len(grids), _LEAST, ends=_ENDS, square=True)
    figure.layout.meta |= {
        # on the scale of the baseline, the only one whose values are drawn
        "cells": facts_of(replace(shown, scale=scale), files, records),
        "panels": panels,
    }
    if len(grids) > 1:
        figure.layout.meta |= {"reference": printable(first.system)}
    return figure


def _scale(shown: Compared, asked: FigureOptions) -> Scale:
    """Make the scale of the first system, whose values alone are drawn."""
    first = shown.grids[0]
    # the others' would leave them one colour
    own = {first.system: shown.found[first.system]}
    told = values_of(shown.grids)
    scale = make_scale(values_of([first]), first.metric, asked.scale, told)
    return colour_ends(scale, unmarked_values([first], own))


def _title(shown: Compared) -> str:
    first = shown.grids[0]
    title = f"<b>{OPERATIONS[first.operation].capitalize()}</b> – where, by size"
    if len(shown.grids) > 1:
        title += f": ÷ {label(first.system, SHORT_LABEL)}"
    return title


def _pairs(
    shown: Compared, asked: FigureOptions, known: pd.DataFrame
) -> dict[str, object]:
    """Pack what other references change, for ``js/against.js`` to draw."""
    grids = shown.grids
    names = [grid.system for grid in grids]
    sizes = sizes_of(grids)
    rows = math.ceil(len(grids) / balanced(len(grids), COLUMNS))
    factor = _scale(shown, asked).factor
    rules: dict[str, int] = {}
    words: dict[tuple[str, str, str], int] = {}
    views = {}
    for first in known["baseline"].unique():
        if first not in names[1:]:
            continue
        own = known.loc[known["baseline"] == first]
        own = own.loc[own["candidate"].isin(names)]
        view = put_first(shown, first, own)
        told = _told(view)
        views[printable(first)] = {
            **_axes_of(view, _scale(view, asked), factor, rows),
            "found": found_letters(view.found, names, sizes, rules),
            "said": said_letters(view.ratios, told, names, sizes, words),
            "ends": [told[name].of_all if name in told else "" for name in names],
            "verdict": verdict_letters(view.ratios, names, sizes),
            **numbers_of(view.ratios, names, sizes),
        }
    longest = LONGEST_LABEL if balanced(len(grids), COLUMNS) <= 2 else SHORT_LABEL
    here = known.loc[
        (known["operation"] == grids[0].operation)
        & (known["metric"] == grids[0].metric)
    ]
    return {
        "names": [label(name, longest) for name in names],
        "logs": logarithms(here, names, sizes),
        "looks": [[look.mark, word] for word, look in VERDICT_LOOKS.items()],
        "inks": [readable_on(_SHARES, name) for name in (COLOURS, BETTER_UP)],
        "better": METRICS[grids[0].metric].better,
        "pale": PALE_INK,
        "corner": mark_traces(Marks(), *sizes, narrow=True)[0].to_plotly_json(),
        "rules": list(rules),
        "words": list(words),
        "order": [names.index(name) for name in shown.order],
        "views": views,
    }


def _told(view: Compared) -> dict[str, Told]:
    """What pointing at the ratios of each system says."""
    base, *others = view.grids
    return {
        grid.system: Told(
            list(filter(is_matched, view.ratios[grid.system])),
            shared_regimes(base, grid),
        )
        for grid in others
    }


def _axes_of(
    view: Compared, scale: Scale, factor: float, rows: int
) -> dict[str, object]:
    """Pack title, words, unit and colours of maps against another reference."""
    return {
        **notes_of(CAPTION, view.found),
        "title": _title(view),
        "alt": alt_of(view),
        "unit": scale.unit,
        "factor": factor / scale.factor,
        "log": scale.log,
        # its colours stay; plotly.js means others by the same name
        "axes": {
            name: {key: axis[key] for key in ("cmin", "cmax", "colorbar")}
            for name, axis in _bars(view, scale, rows).items()
        },
    }


_SHORT_BAR = 3
"""Numbers beside the bar of a single row of maps."""


def _bars(shown: Compared, scale: Scale, rows: int) -> dict[str, dict]:
    """Give the colour axis of the values and, with others, that of the ratios."""
    alone = len(shown.grids) == 1
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
    ratios = ratio_axis(shown.end, shown.grids[0].metric, *_bar(rows, 1))
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
