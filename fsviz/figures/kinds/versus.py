"""Systems side by side: surfaces on one scale that turn together, and their ratios."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.answers import DIFFERENT
from fsviz.answers.words import WORDS
from fsviz.figures.cell_maps import ratio_map, value_map
from fsviz.figures.choosing import note_beside
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.heatmap import colour_axis
from fsviz.figures.panels.linked import linked_cells
from fsviz.figures.panels.multiples import camera_buttons, heading
from fsviz.figures.panels.ratio import legend_of, ratio_axis
from fsviz.figures.panels.slice import size_axis
from fsviz.figures.panels.surface import points, scene, surface
from fsviz.figures.style import (
    LONGEST_LABEL,
    SHORT_LABEL,
    balanced,
    label,
    layout,
)
from fsviz.figures.view import View, range_of, view_of
from fsviz.model.errors import UsageError
from fsviz.model.table import METRICS, OPERATIONS

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid
    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

COLUMNS = 3
BLOCK, SURFACE = 610, 330
"""Height of one row of systems, surface over map or surface alone [px]."""
_LEAST = 300
"""Below this width a surface and the numbers of a map cannot be read [px]."""
_WIDE, _NARROW = 1.5, 1.2
"""How large a surface is drawn, and where three stand in a row."""

_ROOM_FOR_NUMBERS = 30
"""So many cells in a row of maps have room for their numbers; they would touch."""

_ENDS = 0.9
"""The panels end here, the colour bars stand behind."""
SHARED = "Surfaces share scale, colours and point of view."
CAPTION = f"{SHARED} Below each candidate, its ratio to the baseline: "


@takes(
    *("operation", "system", "baseline", "metric", "scale"),
    *("comparison", "examination"),
)
def versus(data: Data, options: FigureOptions, *, maps: bool = True) -> go.Figure:
    """Draw two or more systems side by side, with the ratio of each to the baseline.

    Parameters
    ----------
    {shared}
    maps : bool
        Whether to draw a map below each surface: ratios, or the baseline's values.

    Returns
    -------
    plotly Figure
        Caption and alternative text are in ``layout.meta``.

    Raises
    ------
    UsageError
        If there are fewer than two systems, or no such operation or cell.
    MixedCellError
        If a cell contains runs that are not repeats of each other.
    """
    view = view_of(data, options)
    if not view.pair:
        number = len(view.grids)
        raise UsageError(f"versus: expected two systems or more, found {number}")
    return note_beside(_draw(view, BLOCK if maps else SURFACE), view.beside)


def _draw(view: View, block: int) -> go.Figure:
    grids = view.grids
    first = grids[0]
    columns = balanced(len(grids), COLUMNS)
    blocks = math.ceil(len(grids) / columns)
    with_maps = block == BLOCK
    title = f"<b>{OPERATIONS[first.operation]}</b> – systems side by side"
    scenes = [_name("scene", position) for position in range(len(grids))]
    parts = Parts(
        layout(title, SHARED, alt_of(view), block * blocks + 60)
        | {
            "coloraxis": colour_axis(
                view.scale, *_bar(blocks, 0.75 if with_maps else 0.5)
            ),
            "showlegend": False,
            "updatemenus": camera_buttons(scenes, 0.45, 1 + 38 / (block * blocks - 20)),
        }
    )
    for position, grid in enumerate(grids):
        panel = _Place(position, blocks, columns)
        floor = 0.5 if with_maps else 0
        _add_surface(parts, grid, view.scale, panel, view.sizes, floor)
        if with_maps:
            _add_map(parts, view, panel)
    if with_maps:
        axis = ratio_axis(view.end, first.metric, *_bar(blocks, 0.28))
        parts.layout["coloraxis2"] = axis
    figure = parts.figure()
    figure.layout.meta |= {
        "cameras": True,
        "cells": facts_of(view, maps=with_maps, surfaces=True),
        "least": columns * _LEAST,
    }
    if with_maps:
        figure.layout.meta |= {"caption": CAPTION + legend_of(figure.data)}
    return figure


def facts_of(
    view: View, *, maps: bool = True, surfaces: bool = False
) -> dict[str, object]:
    """Say what the page's script needs of all systems."""
    number = range(len(view.grids))
    panels = {
        "maps": [_name("", n) for n in number] if maps else [],
        "scenes": {_name("scene", n): n for n in number} if surfaces else {},
        "slices": {},
    }
    return linked_cells(view.grids, view.scale, *view.sizes, panels)


def alt_of(view: View) -> str:
    """Say in how many cells each system beats the baseline; of one, how fast it is."""
    first, *candidates = view.grids
    counted = []
    for grid in candidates:
        counts = Counter(row["answer"] for row in view.ratios.get(grid.system, ()))
        won, lost = (counts[word] for word in DIFFERENT)
        others_in = "".join(
            f", {WORDS[v]} in {counts[v]}"
            for v in WORDS
            if counts[v] and v not in DIFFERENT
        )
        counted.append(
            f"{label(grid.system)} is faster in {won} and slower in {lost} "
            f"of {counts.total()} cells{others_in}"
        )
    subject = f"{OPERATIONS[first.operation]} {METRICS[first.metric].title}"
    if not candidates:
        return f"{subject} of {label(first.system)}: {range_of(view.grids, view.scale)}"
    return f"{subject} against {label(first.system)}: {'; '.join(counted)}"


class Parts:
    """Traces, layout and headings, put together once: plotly checks at every change."""

    def __init__(self, layout: dict[str, object]) -> None:
        self.layout = layout
        self.traces: list = []
        self.headings: list[dict] = []

    def figure(self) -> go.Figure:
        """Make the figure."""
        made = go.Figure(data=self.traces, layout=self.layout)
        made.layout.annotations = self.headings
        return made


def _name(kind: str, position: int) -> str:
    return kind + (str(position + 1) if position else "")


class _Place:
    """Where the panels of one system stand, in parts of the figure."""

    def __init__(self, position: int, blocks: int, columns: int) -> None:
        width = _ENDS / columns
        column, block = position % columns, position // columns
        self.position, self.columns = position, columns
        self.left = column * width
        self.right = (column + 1) * width - 0.012
        self.bottom = 1 - (block + 1) / blocks
        self.height = 1 / blocks

    def name(self, grid: Grid) -> str:
        """Name a system over a panel, which stands beside others."""
        return label(grid.system, SHORT_LABEL if self.columns > 1 else LONGEST_LABEL)

    def at(self, share: float) -> float:
        """Height within the block: 0 its bottom, 1 its top."""
        return max(0.0, min(1.0, self.bottom + share * self.height))


def _bar(blocks: int, share: float) -> tuple[float, float, float]:
    """Where a colour bar stands: beside the first block."""
    return 0.91, 1 - (1 - share) / blocks, 0.42 / blocks


def _add_surface(
    parts: Parts,
    grid: Grid,
    scale: Scale,
    panel: _Place,
    sizes: tuple[list[int], list[int]],
    floor: float,
) -> None:
    name = _name("scene", panel.position)
    traces = (surface(grid, scale), points(grid, scale))
    parts.traces += [trace.update(scene=name) for trace in traces]
    domain = {"x": [panel.left, panel.right], "y": [panel.at(floor), panel.at(0.95)]}
    place = scene(scale, *sizes)
    # a narrow scene cuts the numbers at its sides off
    place["aspectratio"] = {
        axis: length * (_NARROW if panel.columns >= COLUMNS else _WIDE)
        for axis, length in place["aspectratio"].items()
    }
    parts.layout[name] = place | {"domain": domain}
    text = panel.name(grid) + (" (baseline)" if panel.position == 0 else "")
    parts.headings.append(heading(text, panel.left + 0.005, panel.at(0.97)))


def _add_map(parts: Parts, view: View, panel: _Place) -> None:
    files, records = view.sizes
    position, name = panel.position, panel.name(view.grids[0])
    numbers = panel.columns * len(records) <= _ROOM_FOR_NUMBERS
    if position:
        text, traces = f"against {name}", ratio_map(view, position, numbers=numbers)
    else:
        text = f"{name} [{view.scale.unit}]"
        traces = value_map(view, 0, short=True, numbers=numbers)
    x, y = _name("x", panel.position), _name("y", panel.position)
    parts.traces += [trace.update(xaxis=x, yaxis=y) for trace in traces]
    plain = {"gridcolor": "rgba(0,0,0,0)"}
    left = panel.left + 0.065
    parts.layout.update(
        {
            x.replace("x", "xaxis"): size_axis("record size", records, 9, upright=True)
            | plain
            | {"domain": [left, panel.right], "anchor": y},
            y.replace("y", "yaxis"): size_axis("file size", files, 10)
            | plain
            | {"domain": [panel.at(0.11), panel.at(0.46)], "anchor": x}
            | {"tickangle": 0, "title": None},
        }
    )
    parts.headings.append(heading(text, left, panel.at(0.485)))
