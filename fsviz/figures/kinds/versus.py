"""Systems side by side: surfaces on one scale that turn together, and their ratios."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.comparison import compare
from fsviz.figures.kinds.explorer import grids_of, values_of
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.heatmap import colour_axis
from fsviz.figures.panels.marks import marks_of, note_marks, unmarked_values
from fsviz.figures.panels.multiples import camera_buttons, heading
from fsviz.figures.panels.ratio import map_traces, ratio_axis
from fsviz.figures.panels.regions import beside, regions
from fsviz.figures.panels.slice import size_axis
from fsviz.figures.panels.surface import points, scene, surface
from fsviz.figures.style import (
    colour_ends,
    label,
    layout,
    make_scale,
)
from fsviz.model.campaign import Data, baseline_of
from fsviz.model.errors import UsageError
from fsviz.model.names import unknown
from fsviz.model.table import METRICS, OPERATIONS

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.analysis.grids import Grid
    from fsviz.figures.panels.marks import Marks
    from fsviz.figures.style import Scale

COLUMNS = 3
BLOCK = 610
"""Height of one row of systems, surface over map [px]."""
_ENDS = 0.9
"""The panels end here, the colour bars stand behind."""
CAPTION = (
    "Surfaces share scale, colours and point of view: turn one and all turn. Below "
    "each candidate, its ratio to the baseline: blue is better, red worse, pale may be "
    "chance, hatched was measured on one side only, and the line is where the winner "
    "changes."
)
STRIPS = (
    "The strip right of each map says what the client's RAM could answer: light, all "
    "of the file (cache); grey, some of it (transition); dark, too little to matter "
    "(storage)."
)


@takes("operation", "systems", "baseline", "metric", "scale", "marks")
def versus(data: Data, asked: FigureOptions) -> go.Figure:
    """Draw two or more systems side by side, with the ratio of each to the baseline.

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
        If there are fewer than two systems, or no such operation or cell.
    MixedCellError
        If a cell holds runs that are not repeats of one another.
    """
    grids, cells, scale, found = compared_grids("versus", data, asked)
    return note_marks(draw_versus(grids, cells, scale, found), found)


def compared_grids(
    kind: str, data: Data, asked: FigureOptions
) -> tuple[list[Grid], pd.DataFrame, Scale, dict[str, Marks]]:
    """Compare systems cell by cell, for a figure.

    Parameters
    ----------
    kind : str
        Of the figure, for messages.
    data : Campaign or DataFrame
        A campaign, or its measurements.
    asked : FigureOptions
        Which systems, operation, metric, scale and marks.

    Returns
    -------
    grids : list of Grid
        The baseline first.
    cells : DataFrame
        As ``fsviz.compare(cells=True)`` gives them, of the operation and metric.
    scale : Scale
        Shared by the values of all systems.
    found : dict of str to Marks
        By system: what was found about the baseline's cells and the others' ratios.

    Raises
    ------
    UsageError
        If there are fewer than two systems, or no such operation, cell or baseline.
    """
    grids = grids_of(data, asked)
    names = [grid.system for grid in grids]
    if len(names) < 2:
        raise UsageError(f"{kind}: expected two systems or more, found {len(names)}")
    stated = asked.baseline or baseline_of(data)
    first = stated if stated in names else names[0]
    if asked.baseline and asked.baseline not in names:
        raise unknown("baseline", asked.baseline, names)
    grids.sort(key=lambda grid: grid.system != first)
    cells = compare(
        data,
        baseline=first,
        candidates=[name for name in names if name != first],
        operations=[asked.operation],
        cells=True,
    )
    base, *others = grids
    cells = cells.loc[cells["metric"] == base.metric]
    found = {base.system: marks_of(asked.marks, base)}
    found |= {other.system: marks_of(asked.marks, other, base) for other in others}
    scale = make_scale(values_of(grids), base.metric, asked.scale)
    own = {grid.system: marks_of(asked.marks, grid) for grid in grids}
    return grids, cells, colour_ends(scale, unmarked_values(grids, own)), found


def draw_versus(
    grids: list[Grid], cells: pd.DataFrame, scale: Scale, found: Mapping[str, Marks]
) -> go.Figure:
    """Draw grids and their ratios.

    Parameters
    ----------
    grids : list of Grid
        The baseline first.
    cells : DataFrame
        As ``fsviz.compare(cells=True)`` gives them, of one operation and metric.
    scale : Scale
        Shared by all systems.
    found : mapping of str to Marks
        By system: what was found about the baseline's cells and the others' ratios.

    Returns
    -------
    plotly Figure
    """
    file_sizes = sorted({int(f) for grid in grids for f in grid.mean.index})
    record_sizes = sorted({int(r) for grid in grids for r in grid.mean.columns})
    first = grids[0]
    blocks = math.ceil(len(grids) / COLUMNS)
    figure = go.Figure()
    title = f"<b>{OPERATIONS[first.operation].capitalize()}</b> – systems side by side"
    figure.update_layout(
        **layout(title, CAPTION, _alt(grids), BLOCK * blocks + 60),
        coloraxis=colour_axis(scale, *_bar(blocks, 0.75)),
        coloraxis2=ratio_axis(cells, first.metric, *_bar(blocks, 0.28)),
        showlegend=False,
    )
    figure.layout.meta |= {"cameras": True}
    for position, grid in enumerate(grids):
        panel = _Place(position, blocks, min(len(grids), COLUMNS))
        _add_surface(figure, grid, scale, panel, (file_sizes, record_sizes))
        _add_map(
            figure,
            grid,
            cells,
            scale,
            panel,
            (file_sizes, record_sizes),
            first,
            found[grid.system],
        )
    _mark_regimes(figure, grids)
    scenes = [_name("scene", position) for position in range(len(grids))]
    figure.update_layout(
        updatemenus=camera_buttons(scenes, x=0.45, y=1 + 38 / _inner(blocks))
    )
    return figure


def _mark_regimes(figure: go.Figure, grids: list[Grid]) -> None:
    """Draw beside each map which file sizes the memory could answer."""
    found = regions(grids)
    for position in range(len(grids)) if found else ():
        for region in found:
            x, y = _name("x", position), _name("y", position)
            figure.add_shape(beside(region, x, y))
    if found:
        text = f"{figure.layout.meta['caption']} {STRIPS}"
        figure.layout.meta |= {"caption": text}


def _inner(blocks: int) -> float:
    """Height of the figure between its margins [px]."""
    return BLOCK * blocks + 60 - 80


def _name(kind: str, position: int) -> str:
    return kind + (str(position + 1) if position else "")


class _Place:
    """Where the panels of one system stand, in parts of the figure."""

    def __init__(self, position: int, blocks: int, columns: int) -> None:
        width = _ENDS / columns
        column, block = position % columns, position // columns
        self.position = position
        self.left = column * width
        self.right = (column + 1) * width - 0.012
        self.bottom = 1 - (block + 1) / blocks
        self.height = 1 / blocks

    def at(self, share: float) -> float:
        """Height within the block: 0 its bottom, 1 its top."""
        return max(0.0, min(1.0, self.bottom + share * self.height))


def _bar(blocks: int, share: float) -> tuple[float, float, float]:
    """Where a colour bar stands: beside the first block."""
    return 0.91, 1 - (1 - share) / blocks, 0.42 / blocks


def _alt(grids: list[Grid]) -> str:
    first, *others = (label(grid.system) for grid in grids)
    what = f"{OPERATIONS[grids[0].operation]} {METRICS[grids[0].metric].title}"
    return (
        f"{what} by file size and record size as one surface a system on a shared "
        f"scale, and as maps of the ratio of {', '.join(others)} to {first}"
    )


def _add_surface(
    figure: go.Figure,
    grid: Grid,
    scale: Scale,
    panel: _Place,
    sizes: tuple[list[int], list[int]],
) -> None:
    name = _name("scene", panel.position)
    for trace in (surface(grid, scale), points(grid, scale)):
        figure.add_trace(trace.update(scene=name))
    domain = {"x": [panel.left, panel.right], "y": [panel.at(0.5), panel.at(0.95)]}
    figure.update_layout({name: scene(scale, *sizes) | {"domain": domain}})
    role = "baseline" if panel.position == 0 else "candidate"
    text = f"{label(grid.system)} ({role})"
    figure.add_annotation(heading(text, panel.left + 0.005, panel.at(0.97)))


def _add_map(
    figure: go.Figure,
    grid: Grid,
    cells: pd.DataFrame,
    scale: Scale,
    panel: _Place,
    sizes: tuple[list[int], list[int]],
    first: Grid,
    found: Marks,
) -> None:
    text = "values of the baseline" if grid is first else f"÷ {label(first.system)}"
    traces = map_traces(grid, first, cells, scale, found, sizes)
    x, y = _name("x", panel.position), _name("y", panel.position)
    for trace in traces:
        figure.add_trace(trace.update(xaxis=x, yaxis=y))
    files, records = sizes
    plain = {"gridcolor": "rgba(0,0,0,0)"}
    left = panel.left + 0.065
    figure.update_layout(
        {
            x.replace("x", "xaxis"): size_axis("record size", records, 7)
            | plain
            | {"domain": [left, panel.right], "anchor": y},
            y.replace("y", "yaxis"): size_axis("file size", files, 10)
            | plain
            | {"domain": [panel.at(0.11), panel.at(0.46)], "anchor": x}
            | {"tickangle": 0, "title": None},
        }
    )
    figure.add_annotation(heading(text, left, panel.at(0.485)))
