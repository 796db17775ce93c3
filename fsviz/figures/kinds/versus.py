"""Systems side by side: surfaces on one scale that turn together, and their ratios."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.answers import DIFFERENT
from fsviz.answers.comparison import compare
from fsviz.answers.words import WORDS
from fsviz.checks.phrases import listing
from fsviz.figures.choosing import note_beside
from fsviz.figures.kinds.explorer import grids_of, range_of, sizes_of, values_of
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.heatmap import colour_axis
from fsviz.figures.panels.linked import linked_cells
from fsviz.figures.panels.marks import (
    marks_of,
    note_marks,
    places_of,
    unmarked_values,
)
from fsviz.figures.panels.multiples import camera_buttons, heading
from fsviz.figures.panels.ratio import (
    axis_end,
    map_traces,
    maps_end,
    ratio_axis,
    ratio_words,
    rows_of,
)
from fsviz.figures.panels.regions import beside, regions
from fsviz.figures.panels.slice import size_axis
from fsviz.figures.panels.surface import points, scene, surface
from fsviz.figures.style import (
    LONGEST_LABEL,
    SHORT_LABEL,
    balanced,
    colour_ends,
    label,
    layout,
    make_scale,
    panel_grid,
)
from fsviz.model.campaign import Data, baseline_of
from fsviz.model.errors import UsageError
from fsviz.model.libraries import pd
from fsviz.model.names import unknown
from fsviz.model.table import METRICS, OPERATIONS

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid
    from fsviz.figures.panels.marks import Marks, Places
    from fsviz.figures.panels.ratio import Row
    from fsviz.figures.style import Scale

COLUMNS = 3
BLOCK, SURFACE = 610, 330
"""Height of one row of systems, surface over map or surface alone [px]."""
_LEAST = 300
"""Below this width a surface and the numbers of a map cannot be read [px]."""
_NARROW = 0.8
"""Share of its usual size that a surface takes where three stand in a row."""

_ROOM_FOR_NUMBERS = 30
"""So many cells in a row of maps have room for their numbers; they would touch."""

_ENDS = 0.9
"""The panels end here, the colour bars stand behind."""
SHARED = "Surfaces share scale, colours and point of view."
CAPTION = (
    f"{SHARED} Below each candidate, its ratio to the baseline: blue is better, red "
    "worse, grey shows no difference, hatched could not be measured or is of one side, "
    "and the line is where the winner changes."
)
STRIPS = (
    "The strip right of each map says what the client's RAM could answer: light, all "
    "of the file (cache); grey, some of it (transition); dark, too little to matter "
    "(storage)."
)


@takes("operation", "system", "baseline", "metric", "scale", "marks", "comparison")
def versus(data: Data, asked: FigureOptions, *, maps: bool = True) -> go.Figure:
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
    shown = compared_grids("versus", data, asked)
    figure = note_beside(_draw(shown, BLOCK if maps else SURFACE), shown.beside)
    return note_marks(figure, shown.found) if maps else figure


@dataclass(frozen=True, slots=True)
class Compared:
    """Systems compared cell by cell, for a figure."""

    grids: list[Grid]
    ratios: dict[str, list[Row]]
    """Cells of each candidate that have both sizes."""
    scale: Scale
    found: dict[str, Marks]
    end: float
    beside: str
    order: list[str]
    """Of the campaign; in `grids`, what the others are compared with is first."""
    places: Places


def compared_grids(
    kind: str, data: Data, asked: FigureOptions, *, least: int = 2
) -> Compared:
    """Compare systems cell by cell, for a figure."""
    grids, beside = grids_of(data, asked)
    names = [grid.system for grid in grids]
    if len(names) < least:
        raise UsageError(f"{kind}: expected two systems or more, found {len(names)}")
    stated = asked.baseline or baseline_of(data)
    first = stated if stated in names else names[0]
    if asked.baseline and asked.baseline not in names:
        raise unknown("baseline", asked.baseline, names)
    others = [name for name in names if name != first]
    cells = _cells(data, asked, first, others)
    places = places_of(asked.marks, grids[0].operation, grids[0].metric)
    own = {grid.system: marks_of(places, grid) for grid in grids}
    scale = make_scale(values_of(grids), grids[0].metric, asked.scale)
    scale = colour_ends(scale, unmarked_values(grids, own))
    alone = Compared(grids, {}, scale, own, 0.0, beside, names, places)
    return put_first(alone, first, cells)


def put_first(shown: Compared, first: str, cells: pd.DataFrame) -> Compared:
    """Put a system first, and beside it what is known of its cells with the others."""
    ordered = sorted(shown.grids, key=lambda grid: shown.order.index(grid.system))
    grids = sorted(ordered, key=lambda grid: grid.system != first)
    base, *others = grids
    end = maps_end(cells, base.metric) or axis_end(cells)
    cells = cells.loc[
        (cells["metric"] == base.metric) & (cells["operation"] == base.operation)
    ]
    ratios = rows_of(_of_grids(cells, others))
    found = {base.system: marks_of(shown.places, base)}
    found |= {other.system: marks_of(shown.places, other, base) for other in others}
    return replace(shown, grids=grids, ratios=ratios, end=end, found=found)


def _of_grids(cells: pd.DataFrame, grids: list[Grid]) -> pd.DataFrame:
    """Take the ratios of the tools and threads whose values are in the grids."""
    if len(cells[["tool", "threads", "setting"]].drop_duplicates()) < 2:
        return cells
    own = {(grid.system, grid.tool, grid.threads, grid.setting) for grid in grids}
    rows = cells[["candidate", "tool", "threads", "setting"]].astype(object)
    rows = rows.where(rows.notna(), None)
    return cells.loc[[row in own for row in rows.itertuples(index=False, name=None)]]


def _cells(
    data: Data, asked: FigureOptions, first: str, others: list[str]
) -> pd.DataFrame:
    """Take what is known of the cells of these systems, or compare them."""
    if not others:
        return pd.DataFrame(columns=_NO_CELLS)
    known = asked.comparison
    if known is None:
        return compare(data, baseline=first, candidate=others).all_cells
    if first not in set(known["baseline"]):
        found = listing(map(str, known["baseline"].unique()))
        raise UsageError(f"comparison: expected one with {first}, found {found}")
    return known.loc[known["candidate"].isin(others) & (known["baseline"] == first)]


_NO_CELLS = [
    *("candidate", "tool", "operation", "metric", "threads", "setting", "ratio"),
    *("file_size_bytes", "record_size_bytes"),
]


def _draw(shown: Compared, block: int) -> go.Figure:
    grids, scale = shown.grids, shown.scale
    file_sizes, record_sizes = sizes_of(grids)
    first = grids[0]
    columns = balanced(len(grids), COLUMNS)
    blocks = math.ceil(len(grids) / columns)
    with_maps = block == BLOCK
    caption = CAPTION if with_maps else SHARED
    title = f"<b>{OPERATIONS[first.operation].capitalize()}</b> – systems side by side"
    scenes = [_name("scene", position) for position in range(len(grids))]
    parts = Parts(
        layout(title, caption, alt_of(shown), block * blocks + 60)
        | {
            "coloraxis": colour_axis(scale, *_bar(blocks, 0.75 if with_maps else 0.5)),
            "showlegend": False,
            "updatemenus": camera_buttons(scenes, 0.45, 1 + 38 / (block * blocks - 20)),
        }
    )
    sizes = (file_sizes, record_sizes)
    for position, grid in enumerate(grids):
        panel = _Place(position, blocks, columns)
        _add_surface(parts, grid, scale, panel, sizes, floor=0.5 if with_maps else 0)
        if with_maps:
            _add_map(parts, grid, shown, panel, sizes)
    if with_maps:
        axis = ratio_axis(shown.end, first.metric, *_bar(blocks, 0.28))
        parts.layout["coloraxis2"] = axis
    figure = parts.figure()
    panels = panel_grid(columns, blocks, len(grids), _LEAST, ends=_ENDS)
    figure.layout.meta |= {
        "cameras": True,
        "cells": facts_of(shown, *sizes),
        "panels": panels,
    }
    if with_maps:
        _mark_regimes(figure, grids)
    return figure


def facts_of(
    shown: Compared, file_sizes: list[int], record_sizes: list[int]
) -> dict[str, object]:
    """Pack what the page's script reads out of the cells of all systems.

    Units: `file_sizes, record_sizes` [B].
    """
    ratios = {
        other.system: ratio_words(shown.ratios[other.system])
        for other in shown.grids[1:]
    }
    sizes = (file_sizes, record_sizes)
    return linked_cells(shown.grids, shown.scale, *sizes, shown.found, ratios)


def alt_of(shown: Compared) -> str:
    """Say in how many cells each system beats the baseline; of one, how fast it is."""
    first, *others = shown.grids
    told = []
    for grid in others:
        counts = Counter(row["answer"] for row in shown.ratios[grid.system])
        won, lost = (counts[word] for word in DIFFERENT)
        others_in = "".join(
            f", {WORDS[v]} in {counts[v]}"
            for v in WORDS
            if counts[v] and v not in DIFFERENT
        )
        told.append(
            f"{label(grid.system)} is faster in {won} and slower in {lost} "
            f"of {counts.total()} cells{others_in}"
        )
    what = f"{OPERATIONS[first.operation]} {METRICS[first.metric].title}"
    if not others:
        return f"{what} of {label(first.system)}: {range_of(shown.grids, shown.scale)}"
    return f"{what} against {label(first.system)}: {'; '.join(told)}"


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


def _mark_regimes(figure: go.Figure, grids: list[Grid]) -> None:
    """Draw beside each map which file sizes the memory could answer."""
    found = regions(grids)
    figure.layout.shapes = [
        beside(region, _name("x", position), _name("y", position))
        for position in range(len(grids))
        for region in found
    ]
    if found:
        text = f"{figure.layout.meta['caption']} {STRIPS}"
        figure.layout.meta |= {"caption": text}


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
        axis: length * (_NARROW if panel.columns >= COLUMNS else 1)
        for axis, length in place["aspectratio"].items()
    }
    parts.layout[name] = place | {"domain": domain}
    text = panel.name(grid) + (" (baseline)" if panel.position == 0 else "")
    parts.headings.append(heading(text, panel.left + 0.005, panel.at(0.97)))


def _add_map(
    parts: Parts,
    grid: Grid,
    shown: Compared,
    panel: _Place,
    sizes: tuple[list[int], list[int]],
) -> None:
    first = shown.grids[0]
    name = panel.name(first)
    text = f"{name} [{shown.scale.unit}]" if grid is first else f"÷ {name}"
    found = shown.found[grid.system]
    traces = map_traces(
        grid,
        first,
        shown.ratios,
        shown.scale,
        found,
        sizes,
        end=shown.end,
        numbers=panel.columns * len(sizes[1]) <= _ROOM_FOR_NUMBERS,
    )
    x, y = _name("x", panel.position), _name("y", panel.position)
    parts.traces += [trace.update(xaxis=x, yaxis=y) for trace in traces]
    files, records = sizes
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
