"""The explorer: surface, heatmap and slices of one operation, linked, on one scale."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from fsviz.analysis.cells import present
from fsviz.analysis.grids import make_grids
from fsviz.analysis.regimes import regimes_by_size
from fsviz.figures.choosing import note_beside, of_one
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.heatmap import beyond_colours, cell_numbers, heatmap
from fsviz.figures.panels.linked import linked_cells
from fsviz.figures.panels.marks import (
    make_room,
    mark_traces,
    marks_of,
    note_marks,
    places_of,
    unmarked_values,
)
from fsviz.figures.panels.multiples import (
    camera_buttons,
    headings,
    panels,
    system_menu,
)
from fsviz.figures.panels.references import cliff_marks, draw_references, references
from fsviz.figures.panels.regions import draw_regions, regions
from fsviz.figures.panels.slice import line_ends, slice_lines
from fsviz.figures.panels.surface import points, surface
from fsviz.figures.style import (
    colour_ends,
    label,
    layout,
    light_from,
    make_scale,
    panel_grid,
)
from fsviz.model.campaign import baseline_of
from fsviz.model.errors import UsageError
from fsviz.model.names import choose, unknown
from fsviz.model.table import METRICS, OPERATIONS, measurements_of

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid
    from fsviz.figures.panels.marks import Marks
    from fsviz.figures.panels.references import Reference
    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

HEIGHT = 860
_LEAST = 400
"""Below this width a panel and its legend cannot be read [px]."""
CAPTION = (
    "Four views of the same cells on one scale: the surface shows the shape (each dot "
    "is a measured cell), the heatmap shows where, the lines show how much. Empty "
    "means not measured: a record cannot be larger than its file."
)

CUT = (
    " Hatched cells lie beyond the ends of the colours (≥, ≤), which cells with errors "
    "do not set."
)


@takes("operation", "system", "metric", "scale", "marks")
def explorer(data: Data, asked: FigureOptions, *, cliffs: bool = True) -> go.Figure:
    """Draw surface, heatmap and slices of one operation, with a menu of systems.

    Parameters
    ----------
    {shared}
    cliffs : bool
        Whether to mark where throughput halves in one doubling of the file size.

    Returns
    -------
    plotly Figure
        Caption and alternative text are in ``layout.meta``.

    Raises
    ------
    UsageError
        If there is no such operation, system or cell.
    MixedCellError
        If a cell contains runs that are not repeats of each other.
    """
    grids, beside = grids_of(data, asked)
    first = grids[0]
    shared = make_scale(values_of(grids), first.metric, asked.scale)
    names = [grid.system for grid in grids]
    limits = references(data, names)
    if cliffs:
        limits += cliff_marks(data, first.operation, first.metric, names)
    places = places_of(asked.marks, first.operation, first.metric)
    found = {grid.system: marks_of(places, grid) for grid in grids}
    shared = colour_ends(shared, unmarked_values(grids, found))
    stated = [references(data, [name]) for name in names]
    opened = most_contested(grids, baseline_of(data))
    figure = _draw(grids, shared, limits, stated, found, opened)
    return note_marks(note_beside(figure, beside), found)


def grids_of(data: Data, asked: FigureOptions) -> tuple[list[Grid], str]:
    """Arrange the cells of each system that has the operation."""
    operation, metric = asked.operation, asked.metric or "throughput"
    table = measurements_of(data)
    if operation not in OPERATIONS:
        raise unknown("operation", operation, present(table, "operation"))
    rows = table.loc[(table["operation"] == operation) & (table["metric"] == metric)]
    sized = rows.loc[rows["record_size_bytes"].notna() & rows["value"].notna()]
    every = present(table, "system")
    names = choose("system", asked.system, every) or present(sized, "system")
    if not names:
        raise UsageError(f"no {metric} of {operation} by file and record size")
    regimes = regimes_by_size(data, operation, metric)
    own, beside = of_one(
        sized.loc[sized["system"].isin(names)], "tool", "threads", "setting"
    )
    grids = make_grids(own, systems=names, operation=operation, metric=metric)
    found = [replace(grid, regimes=regimes.get(grid.system, {})) for grid in grids]
    return found, beside


def most_contested(grids: Sequence[Grid], baseline: str | None) -> int:
    """Say which system is worth a look first: where the winner depends on the size.

    Counted are cells whose intervals lie apart from those of the baseline, above and
    below; the smaller number decides.
    """
    named = {grid.system: grid for grid in grids}
    against = named.get(baseline or "", grids[0])
    sides = []
    for grid in grids:
        low, _ = grid.ci_low.align(against.ci_low, join="inner")
        high, _ = grid.ci_high.align(against.ci_high, join="inner")
        faster = low > against.ci_high.reindex_like(low)
        slower = high < against.ci_low.reindex_like(high)
        sides.append(min(int(faster.sum().sum()), int(slower.sum().sum())))
    return sides.index(max(sides))


def sizes_of(grids: Sequence[Grid]) -> tuple[list[int], list[int]]:
    """List the file sizes and record sizes [B] of all grids."""
    files = {int(f) for grid in grids for f in grid.mean.index}
    records = {int(r) for grid in grids for r in grid.mean.columns}
    return sorted(files), sorted(records)


def values_of(grids: list[Grid]) -> list[float]:
    """List the means of all cells [base unit], missing ones too."""
    return [float(v) for grid in grids for v in grid.mean.to_numpy().ravel()]


def _draw(
    grids: list[Grid],
    scale: Scale,
    limits: list[Reference],
    stated: list[list[Reference]],
    found: Mapping[str, Marks],
    opened: int,
) -> go.Figure:
    file_sizes, record_sizes = sizes_of(grids)
    groups = [
        _traces(grid, scale, file_sizes, record_sizes, found[grid.system])
        for grid in grids
    ]
    if any(one.cells for one in found.values()):
        for grid, group in zip(grids, groups, strict=True):
            make_room(group)
            group.extend(mark_traces(found[grid.system], file_sizes, record_sizes))
    for position, group in enumerate(groups):
        for trace in group:
            trace["visible"] = position == opened
            trace["meta"] = (trace["meta"] or {}) | {"system": position}
    # by kind, then by system: so the menu's answer repeats with every kind
    traces = list(chain.from_iterable(zip(*groups, strict=True)))
    title = _title(grids[opened])
    menus = camera_buttons(["scene"], x=0.0, y=0.455)
    if len(grids) > 1:
        menu = system_menu(grids, [_title(g) for g in grids])
        menus.append(menu | {"active": opened})
    caption = CAPTION + CUT * scale.is_cut
    frame: dict[str, Any] = layout(title, caption, _alt(grids, scale), HEIGHT)
    frame["meta"] |= {
        "cells": linked_cells(grids, scale, file_sizes, record_sizes, found),
        "panels": panel_grid(2, 2, 4, _LEAST),
        "light": light_from(),
    }
    frame |= panels(scale, file_sizes, record_sizes)
    # at once: plotly checks at every change
    figure = go.Figure(
        data=traces,
        layout=frame | {"annotations": headings(scale.unit), "updatemenus": menus},
    )
    draw_references(figure, limits, scale, file_sizes, record_sizes, stated)
    return draw_regions(figure, regions(grids))


def _alt(grids: list[Grid], scale: Scale) -> str:
    first = grids[0]
    names = ", ".join(label(grid.system) for grid in grids)
    return (
        f"{OPERATIONS[first.operation]} {METRICS[first.metric].title} of {names} by "
        f"file size and record size, as surface, heatmap and lines, "
        f"{range_of(grids, scale)}"
    )


def range_of(grids: list[Grid], scale: Scale) -> str:
    """Say from where to where the values of some systems go."""
    finite = [v / scale.factor for v in values_of(grids) if v == v]
    return f"from {min(finite):.3g} {scale.unit} to {max(finite):.3g} {scale.unit}"


def _title(grid: Grid) -> str:
    return f"<b>{OPERATIONS[grid.operation].capitalize()}</b> – {label(grid.system)}"


def _traces(
    grid: Grid,
    scale: Scale,
    file_sizes: list[int],
    record_sizes: list[int],
    found: Marks,
) -> list:
    beside, below = ("x2", "y2"), ("x3", "y3")
    over_record = slice_lines(grid, scale, "record size", file_sizes, "legend", beside)
    over_file = slice_lines(grid, scale, "file size", record_sizes, "legend2", below)
    return [
        surface(grid, scale),
        points(grid, scale),
        heatmap(grid, scale, found),
        *([beyond_colours(grid, scale)] if scale.is_cut else []),
        cell_numbers(grid, scale),
        *over_record,
        line_ends(over_record, scale, beside),
        *over_file,
        line_ends(over_file, scale, below),
    ]
