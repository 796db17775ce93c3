"""The explorer: two systems cell by cell on one scale, or one system alone.

A ratio map, the candidate's values, both surfaces, and slices through the marked cell.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from fsviz.analysis.answers import DIFFERENT
from fsviz.answers.words import WORDS, factor_of, range_words, speed_of, times_words
from fsviz.figures.cell_maps import ratio_map, value_map
from fsviz.figures.choosing import note_beside
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels._pair import (
    ALONE,
    ALONE_NARROW,
    BOTTOM,
    NARROW,
    TOP,
    WIDE,
    Places,
    axes,
    colours,
    heading_texts,
    headings,
    legend_texts,
    menu_place,
    moved,
)
from fsviz.figures.panels.heatmap import cell_numbers
from fsviz.figures.panels.linked import linked_cells
from fsviz.figures.panels.ratio import is_measurable
from fsviz.figures.panels.references import draw_references
from fsviz.figures.panels.slice import PALE, name_places, slices
from fsviz.figures.panels.surface import points, surface
from fsviz.figures.style import SHORT_LABEL, label, layout
from fsviz.figures.view import (
    View,
    opened_of,
    range_of,
    typical_cell,
    values_of,
    view_of,
)
from fsviz.model.table import METRICS, OPERATIONS
from fsviz.model.units import format_size, significant

if TYPE_CHECKING:
    from fsviz.figures.panels.linked import Cell
    from fsviz.model.campaign import Data

CAPTION = (
    "A value is the geometric mean over runs; bars show the slowest and the fastest "
    "run. An empty cell was not measured."
)
UNCOUNTED = " Hatched cells were too short to time or read before the clock started."
_BRIEF = 12
"""Characters of a name that stands beside another and a legend."""


@takes(
    *("operation", "system", "baseline", "metric", "scale"),
    *("comparison", "examination"),
)
def explorer(data: Data, options: FigureOptions) -> go.Figure:
    """Draw a candidate against the baseline: ratios, values, surfaces and slices.

    Parameters
    ----------
    {shared}

    Returns
    -------
    plotly Figure
        With a menu of candidates; of one system alone, without ratios. Caption and
        alternative text are in ``layout.meta``.

    Raises
    ------
    UsageError
        If there is no such operation, system or cell.
    MixedCellError
        If a cell contains runs that are not repeats of each other.
    """
    view = view_of(data, options)
    return note_beside(draw(view), view.beside)


# What opens, and what is said over the figure.


def title_of(view: View, shown: int) -> str:
    """Say the answer of the test, its interval, runs, sizes, and each regime."""
    grid = view.grids[shown]
    name, title = label(grid.system, SHORT_LABEL), OPERATIONS[grid.operation]
    answer = view.answers.get(grid.system)
    if not view.pair or answer is None:
        return f"<b>{title}: {name}</b>"
    decided = answer.answer in DIFFERENT
    total = len(grid.measured | view.uncounted[shown])
    has_interval = answer.interval[0] == answer.interval[0]
    parts = [
        "" if decided and has_interval else answer.measured,
        f"95 % interval {range_words(*answer.interval)}" if has_interval else "",
        f"{answer.n_baseline} + {answer.n_candidate} runs",
        f"{answer.cells} of {total} sizes",
    ]
    inside = ", ".join(filter(None, parts))
    regimes = "".join(f" · {text}" for text in regime_words(view, grid.system))
    words = WORDS[answer.answer]
    if decided and not answer.is_limit:  # the one place of a third digit
        words = f"{significant(factor_of(answer.speed))}× {words}"
    elif decided:
        words = answer.words
    return f"<b>{title}: {name} {words}</b> ({inside}){regimes}"


def regime_words(view: View, candidate: str) -> list[str]:
    """Say the mean ratio of the cells of each regime, where there are several."""
    logs: dict[str, list[float]] = {}
    first = view.grids[0]
    for row in view.ratios.get(candidate, ()):
        regime = first.regimes.get(int(row["file_size_bytes"]), "")
        if regime and is_measurable(row) and row["ratio"] > 0:
            speed = speed_of(row["ratio"], first.metric)
            logs.setdefault(regime, []).append(math.log(speed))
    if len(logs) < 2:
        return []
    return [
        f"{regime} {times_words(math.exp(sum(values) / len(values)))}"
        for regime, values in logs.items()
    ]


# The figure.


def draw(view: View) -> go.Figure:
    """Put panels, headings and menu together, once: plotly checks at every change."""
    places, narrow = (WIDE, NARROW) if view.pair else (ALONE, ALONE_NARROW)
    opened = opened_of(view)
    cells = [typical_cell(view, shown) for shown in view.shown]
    cell = cells[opened - int(view.pair)]
    traces = [*_maps(view), *_surfaces(view), *_slices(view, cell)]
    for trace, state in zip(traces, states(view, traces, opened), strict=True):
        trace.update(state)
    spots = headings(places, pair=view.pair)
    frame: dict[str, Any] = layout(
        title_of(view, opened),
        CAPTION + UNCOUNTED * any(view.uncounted),
        _alt(view),
        places.height + TOP + BOTTOM,
    )
    frame["margin"] = {"l": 10, "r": 10, "t": TOP, "b": BOTTOM}
    frame["title"] |= {"font": {"size": 15}}
    frame |= axes(places, view.scale, view.sizes, view.counted, pair=view.pair)
    frame |= colours(places, view.scale, view.end, view.grids[0].metric)
    frame |= {"showlegend": False, "hovermode": "closest"}
    frame["annotations"] = heading_texts(spots, heading_words(view, opened, cell))
    if view.pair:
        frame["annotations"] += legend_texts(places)
    frame["updatemenus"] = (
        [_menu(view, traces, opened, cell) | menu_place(places, pair=view.pair)]
        if len(view.shown) > 1
        else []
    )
    frame["meta"] |= {
        "cells": _linked(view, cells),
        "narrow": moved(narrow, pair=view.pair),
        "panels": narrow.panels(),
        "cameras": view.pair,
        "alone": [_alone(view, places, n) for n in view.shown if len(view.grids) > 1],
    }
    figure = go.Figure(data=traces, layout=frame)
    return draw_references(
        figure, view.limits, view.scale, view.sizes[0], pair=view.pair
    )


def _alone(view: View, places: Places, shown: int) -> dict[str, Any]:
    """Say what changes where only those that are compared make the scale."""
    compared = sorted({0, shown}) if view.pair else [shown]
    grids = [view.grids[n] for n in compared]
    values = [v / view.scale.factor for v in values_of(grids) if v > 0] or [1.0]
    low = min(values) if view.scale.log else 0.0
    scale = replace(view.scale, low=low, high=max(values))
    made = axes(places, scale, view.sizes, view.counted, pair=view.pair)
    made |= colours(places, scale, view.end, grids[0].metric)
    parts = {name: made[name] for name in ("coloraxis", "yaxis3", "yaxis4")}
    for k, n in enumerate(compared):
        scene = f"scene{k + 1 if k else ''}"
        parts[f"{scene}.zaxis"] = made[scene]["zaxis"]
        parts[f"annotations[{3 + 2 * k}].text"] = _title(view, n) + _OWN
    inks = {n: cell_numbers(view.grids[n], scale).textfont.color for n in compared}
    return {"layout": parts, "inks": inks, "badge": _OWN}


_OWN = ", own scale"


def _maps(view: View) -> list[Any]:
    """Draw the ratio map of each candidate, then the values of each system."""
    traces: list[Any] = []
    for n in view.shown if view.pair else ():
        traces += _on_axes(ratio_map(view, n), n, "ratio", "")
    for n in range(len(view.grids)):
        traces += _on_axes(value_map(view, n, full_text=not view.pair), n, "value", "2")
    return traces


def _on_axes(traces: list[Any], system: int, role: str, axis: str) -> list[Any]:
    """Say whose traces these are, and put them on their axes."""
    for trace in traces:
        trace.meta = (trace.meta or {}) | {"system": system, "role": role}
        trace.xaxis, trace.yaxis = f"x{axis}", f"y{axis}"
    return traces


def _surfaces(view: View) -> list[Any]:
    traces: list[Any] = []
    for n, grid in enumerate(view.grids):
        if grid.measured:
            for trace in (surface(grid, view.scale), points(grid, view.scale)):
                trace.scene = "scene2" if view.pair and n else "scene"
                trace.meta = {"system": n, "role": "surface"}
                traces.append(trace)
    return traces


def _slices(view: View, cell: Cell) -> list[Any]:
    made = slices(view.grids, view.looks, view.scale, view.sizes, cell)
    number = len(view.grids)
    for at, line in enumerate(made):
        line["meta"] |= {"system": at % number, "role": "slice"}
        if view.pair and at % number == 0:
            line["line"]["dash"] = "dash"
    return [go.Scatter(line) for line in made]


def _compared(view: View, shown: int) -> set[int]:
    """The systems whose lines have names: all if they are few, else those compared."""
    if len(view.grids) <= _FEW:
        return set(range(len(view.grids)))
    return {0, shown} if view.pair else {shown}


_FEW = 3
"""Names that find room at the ends of lines."""


def states(view: View, traces: Sequence[Any], shown: int) -> list[dict[str, Any]]:
    """Say of each trace whether it is seen, and how strongly, if a system is chosen."""
    compared = {0, shown} if view.pair else {shown}
    named = _compared(view, shown)
    lines = [trace for trace in traces if trace.meta["role"] == "slice"]
    panels = (lines[: len(view.grids)], lines[len(view.grids) :])
    places = chain.from_iterable(name_places(panel, named) for panel in panels)
    made: list[dict[str, Any]] = []
    for trace in traces:
        system, role = trace.meta["system"], trace.meta["role"]
        if role == "slice":
            mode = "lines+markers" + "+text" * (system in named)
            opacity = 1 if system in compared else PALE
            name = {"mode": mode, "textposition": next(places)}
            made.append({"visible": True, "opacity": opacity} | name)
            continue
        seen = system in compared if role == "surface" else system == shown
        made.append({"visible": seen})
    return made


def heading_words(view: View, shown: int, cell: Cell) -> list[str]:
    """Write what stands over each panel, in the order of `headings`."""
    words = [f"<b>{_title(view, shown)}</b>", *slice_headings(cell)]
    if not view.pair:
        return [*words, _title(view, shown)]
    names = (label(view.grids[n].system, _BRIEF) for n in (shown, 0))
    ratio = f"<b>{' against '.join(names)}</b>{_saturated(view, shown)}"
    return [*words, _title(view, 0), ratio, f"{_title(view, shown)}, same scale"]


def _saturated(view: View, shown: int) -> str:
    """Say by how much all cells differ, if all have the last colour."""
    rows = view.ratios[view.grids[shown].system]
    logs = [math.log2(r["ratio"]) for r in rows if is_measurable(r) and r["ratio"] > 0]
    least = min(map(abs, logs), default=0.0)
    if least < view.end:
        return ""
    return f" – over {math.floor(2**least)}× at every size that counts"


def _title(view: View, number: int) -> str:
    """Name a system and the unit of its values."""
    name = label(view.grids[number].system, SHORT_LABEL)
    return f"{name} [{view.scale.unit}]"


def slice_headings(cell: Cell) -> tuple[str, str]:
    """Say through which sizes the slices are cut."""
    file, record = cell
    return (
        f"over record size, files of {format_size(file)}",
        f"over file size, records of {format_size(record)}",
    )


def _menu(view: View, traces: Sequence[Any], opened: int, cell: Cell) -> dict[str, Any]:
    """Make the menu of systems; a page has one of its own."""
    buttons = []
    for n in view.shown:
        state = states(view, traces, n)
        texts = heading_words(view, n, cell)
        places = [0, *range(3, len(texts))]  # the slices stay where they are cut
        buttons.append(
            {
                "label": label(view.grids[n].system),
                "method": "update",
                "args": [
                    _restyled(traces, state),
                    {"title.text": title_of(view, n)}
                    | {f"annotations[{k}].text": texts[k] for k in places},
                ],
            }
        )
    return {
        "buttons": buttons,
        "active": opened - int(view.pair),
        "xanchor": "right",
        "yanchor": "bottom",
        "bgcolor": "#ffffff",
        "bordercolor": "#d9dee4",
        "pad": {"t": 0, "b": 0},
    }


def _restyled(
    traces: Sequence[Any], state: Sequence[Mapping[str, Any]]
) -> dict[str, list[Any]]:
    """Turn the states of traces into lists, as plotly's menus take them."""
    defaults = {"visible": True, "opacity": 1, "mode": None, "textposition": None}
    return {
        key: [
            changes[key] if key in changes else getattr(trace, key, None) or value
            for trace, changes in zip(traces, state, strict=True)
        ]
        for key, value in defaults.items()
    }


def _linked(view: View, cells: Sequence[Cell]) -> dict[str, Any]:
    """Say what the page's script needs: values, panels and headings of slices."""
    files, records = view.sizes
    scenes = {"scene": 0} if view.pair else {"scene": -1}
    panels = {
        "maps": ["", "2"] if view.pair else ["2"],
        # -1: the system that is chosen
        "scenes": scenes | ({"scene2": -1} if view.pair else {}),
        "slices": {"3": "record", "4": "file"},
    }
    first = [cells[0]] * (len(view.grids) - len(cells))
    return linked_cells(view.grids, view.scale, files, records, panels) | {
        "start": [list(cell) for cell in [*first, *cells]],
        "titles": [_title(view, n) for n in range(len(view.grids))],
        "headings": {
            "record": [slice_headings((f, records[0]))[0] for f in files],
            "file": [slice_headings((files[0], r))[1] for r in records],
        },
    }


def _alt(view: View) -> str:
    first = view.grids[0]
    names = ", ".join(label(grid.system) for grid in view.grids)
    subject = f"{OPERATIONS[first.operation]} {METRICS[first.metric].title}"
    values = range_of(view.grids, view.scale)
    return f"{subject} of {names} by file size and record size, {values}"
