"""Systems side by side: surfaces on one scale that turn together, and their ratios."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.cells import Names
from fsviz.analysis.comparison import compare
from fsviz.figures.kinds.explorer import grids_of, values_of
from fsviz.figures.panels.heatmap import cell_numbers, colour_axis, heatmap
from fsviz.figures.panels.marks import make_room, mark_traces, marks_of, note_marks
from fsviz.figures.panels.multiples import camera_buttons, heading
from fsviz.figures.panels.regions import beside, regions
from fsviz.figures.panels.slice import size_axis
from fsviz.figures.panels.surface import points, scene, surface
from fsviz.figures.style import (
    INK,
    ScaleKind,
    label,
    layout,
    make_scale,
    number,
    rounded,
)
from fsviz.model.errors import UsageError
from fsviz.model.table import METRICS, OPERATIONS
from fsviz.model.units import format_size

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.analysis.grids import Grid
    from fsviz.figures.panels.marks import Marks
    from fsviz.figures.style import Scale

BETTER_UP = "RdBu"
"""Blue is the candidate's side, also where less is better: then it is reversed."""
WIDEST = 6.0
"""log₂ of the largest ratio with a colour of its own: 64 times."""
CLEAR = ("faster", "slower")
_ROOM_FOR_NUMBERS = 200


def ratio_panel(
    cells: pd.DataFrame,
    coloraxis: str,
    regimes: Mapping[int, str] | None = None,
    marks: Marks | None = None,
) -> list:
    """Draw the ratios of one candidate.

    Parameters
    ----------
    cells : DataFrame
        One row a cell, as ``fsviz.compare(cells=True)`` gives them, of one operation
        and candidate.
    coloraxis : str
        Plotly's name of the colour axis that all ratios share.
    regimes : mapping of int to str, optional
        Regime of file sizes [B], for the text at a cell.
    marks : Marks, optional
        What was found about the cells, for the same.

    Returns
    -------
    list of plotly traces
        Colours, a veil over what is not significant, the line at 1, a hatching over
        what only one side measured, and the numbers.
    """
    grid = cells.pivot_table(
        index="file_size_bytes",
        columns="record_size_bytes",
        values="row",
        aggfunc="first",
    )
    rows = [
        [None if v != v else cells.iloc[int(v)] for v in r] for r in grid.to_numpy()
    ]
    place = {
        "x": [math.log2(r) for r in grid.columns],
        "y": [math.log2(f) for f in grid.index],
    }
    return [
        _colours(rows, place, coloraxis, lambda row: _describe(row, regimes, marks)),
        _veil(rows, place),
        *_line_at_one(rows, place),
        _hatching(rows, place),
        *([_numbers(rows, place)] if grid.size <= _ROOM_FOR_NUMBERS else []),
    ]


def cells_of(cells: pd.DataFrame, candidate: str) -> pd.DataFrame:
    """Take the cells of one candidate that have both sizes, numbered in ``row``."""
    own = cells.loc[
        (cells["candidate"] == candidate)
        & cells["file_size_bytes"].notna()
        & cells["record_size_bytes"].notna()
    ]
    return own.assign(row=range(len(own)))


def _matched(row: pd.Series | None) -> bool:
    return row is not None and row["ratio"] == row["ratio"] and row["ratio"] > 0


def _log(row: pd.Series | None) -> float | None:
    if row is None or not _matched(row):
        return None
    return rounded(math.log2(row["ratio"]))


def _colours(
    rows: list,
    place: dict,
    coloraxis: str,
    describe: Callable[[pd.Series | None], str],
) -> go.Heatmap:
    return go.Heatmap(
        **place,
        z=[[_log(cell) for cell in row] for row in rows],
        hovertext=[[describe(cell) for cell in row] for row in rows],
        hovertemplate="%{hovertext}<extra></extra>",
        hoverongaps=False,
        coloraxis=coloraxis,
        xgap=1,
        ygap=1,
        name="ratio",
    )


def _describe(
    row: pd.Series | None, regimes: Mapping[int, str] | None, marks: Marks | None
) -> str:
    if row is None or not _matched(row):
        return ""
    file, record = int(row["file_size_bytes"]), int(row["record_size_bytes"])
    text = f"file {format_size(file)}, record {format_size(record)}"
    regime = (regimes or {}).get(file)
    text += f", {regime}" if regime else ""
    text += f"<br><b>{number(row['ratio'])} ×</b>, {row['verdict']}"
    if row["ci_low"] == row["ci_low"]:
        text += f"<br>95 % {number(row['ci_low'])} – {number(row['ci_high'])} ×"
    if row["q_value"] == row["q_value"]:
        text += f", q = {row['q_value']:.2g}"
    text += f"<br>n = {row['n_baseline']} and {row['n_candidate']}"
    rules = marks.text((file, record)) if marks is not None else ""
    return text + "".join(f"<br>{part}" for part in rules.split("; ") if part)


def _veil(rows: list, place: dict) -> go.Heatmap:
    """White over the cells whose ratio may be chance, so that they step back."""
    veiled = [
        [1 if _matched(c) and c["verdict"] not in CLEAR else None for c in row]
        for row in rows
    ]
    white = "rgba(255,255,255,0.72)"
    return go.Heatmap(
        **place,
        z=veiled,
        colorscale=[[0, white], [1, white]],
        showscale=False,
        hoverinfo="skip",
        xgap=1,
        ygap=1,
        name="not significant",
    )


def _line_at_one(rows: list, place: dict) -> list[go.Contour]:
    z = [[_log(cell) for cell in row] for row in rows]
    found = [v for row in z for v in row if v is not None]
    if (
        not found
        or min(found) >= 0
        or max(found) <= 0
        or min(map(len, place.values())) < 2
    ):
        return []
    return [
        go.Contour(
            **place,
            z=z,
            contours={"start": 0, "end": 0, "size": 1, "coloring": "none"},
            line={"color": INK, "width": 2},
            showscale=False,
            hoverinfo="skip",
            name="ratio 1",
        )
    ]


def _hatching(rows: list, place: dict) -> go.Scatter:
    """Cells that only one side measured; what neither did stays empty."""
    x: list[float | None] = []
    y: list[float | None] = []
    for row, top in zip(rows, place["y"], strict=True):
        for cell, left in zip(row, place["x"], strict=True):
            if cell is not None and not _matched(cell):
                x += [left - 0.48, left + 0.48, left + 0.48, left - 0.48, None]
                y += [top - 0.48, top - 0.48, top + 0.48, top + 0.48, None]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        line={"width": 0},
        fill="toself",
        fillpattern={
            "shape": "/",
            "fgcolor": "#8a94a0",
            "bgcolor": "#f3f5f7",
            "size": 6,
        },
        hoverinfo="skip",
        showlegend=False,
        name="on one side only",
    )


def _numbers(rows: list, place: dict) -> go.Scatter:
    cells = [
        (x, y, cell)
        for row, y in zip(rows, place["y"], strict=True)
        for cell, x in zip(row, place["x"], strict=True)
        if _matched(cell)
    ]
    clear = [cell["verdict"] in CLEAR for _, _, cell in cells]
    strong = [abs(_log(cell) or 0.0) for _, _, cell in cells]
    inks = [
        "#6b7683" if not c else "#fff" if s > limit(strong) * 0.72 else "#000"
        for c, s in zip(clear, strong, strict=True)
    ]
    return go.Scatter(
        x=[x for x, _, _ in cells],
        y=[y for _, y, _ in cells],
        text=[_short(cell["ratio"]) for _, _, cell in cells],
        mode="text",
        textfont={"size": 9, "color": inks},
        hoverinfo="skip",
        showlegend=False,
    )


def _short(ratio: float) -> str:
    """Two digits: a ratio of runs is no surer than that."""
    if ratio < 0.095:
        return f"1/{1 / ratio:.0f}"
    return f"{ratio:.0f}" if ratio >= 9.95 else f"{ratio:.2g}"


def limit(logs: Sequence[float]) -> float:
    """Where the colour scale of ratios ends, in log₂: at least at 2 times."""
    return max(1.0, min(WIDEST, math.ceil(max(logs, default=1.0) * 2) / 2))


def ratio_axis(
    cells: pd.DataFrame, metric: str, x: float, y: float, length: float
) -> dict:
    """The colour axis of all ratios: centred on 1, blue on the candidate's side.

    Parameters
    ----------
    cells : DataFrame
        Of all candidates that share it.
    metric : str
        Decides which side is better.
    x, y, length : float
        Of the colour bar, in parts of the figure.

    Returns
    -------
    dict
        A plotly coloraxis.
    """
    ratios = cells["ratio"].dropna()
    end = limit([abs(math.log2(r)) for r in ratios if r > 0])
    ticks = [t for t in range(-6, 7) if abs(t) <= end and (end <= 4 or t % 2 == 0)]
    better = METRICS[metric].better >= 0
    return {
        "colorscale": BETTER_UP if better else BETTER_UP + "_r",
        "cmin": -end,
        "cmax": end,
        "colorbar": {
            "title": {"text": "candidate ÷ baseline, log scale", "side": "right"},
            "tickvals": ticks,
            "ticktext": [f"{2**t} ×" if t >= 0 else f"1/{2**-t} ×" for t in ticks],
            "x": x,
            "y": y,
            "len": length,
            "thickness": 14,
            "outlinewidth": 0,
        },
    }


# Candidate against baseline, cell by cell: a ratio is a colour only where it holds.
#
# Logarithmic and diverging, so that twice as fast and half as fast are equally strong;
# red and blue, which the colour-blind tell apart; a line where the winner changes.

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


def versus(
    data: object,
    *,
    operation: str,
    systems: Names = None,
    baseline: str | None = None,
    metric: str = "throughput",
    scale: ScaleKind = "auto",
    marks: pd.DataFrame | None = None,
) -> go.Figure:
    """Draw two or more systems side by side, with the ratio of each to the baseline.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    operation : str
        Canonical name, such as ``random_read``.
    systems : str or sequence of str, optional
        Which systems; all that have this operation by default.
    baseline : str, optional
        By default the campaign's, if it is among them, else the first.
    metric : str
        ``throughput`` unless the tool measured something else.
    scale : {'auto', 'linear', 'log'}
        Of values and colours; the same for all systems.
    marks : DataFrame, optional
        Findings about cells, as ``fsviz.marked(fsviz.examine(campaign))`` lists them.

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
    grids = grids_of(data, operation, systems, metric)
    names = [grid.system for grid in grids]
    if len(names) < 2:
        raise UsageError(f"versus: expected two systems or more, found {len(names)}")
    stated = baseline or getattr(data, "baseline", None)
    first = stated if stated in names else names[0]
    if baseline and baseline not in names:
        raise UsageError(
            f"baseline: expected one of {', '.join(names)}, found {baseline}"
        )
    grids.sort(key=lambda grid: grid.system != first)
    cells = compare(
        data,
        baseline=first,
        candidates=[name for name in names if name != first],
        operations=[operation],
        cells=True,
    )
    cells = cells.loc[cells["metric"] == metric]
    base, *others = grids
    found = {base.system: marks_of(marks, base)}
    found |= {other.system: marks_of(marks, other, base) for other in others}
    shared = make_scale(values_of(grids), metric, scale)
    return note_marks(draw_versus(grids, cells, shared, found), found)


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


def _shared_regimes(first: Grid, other: Grid) -> dict[int, str]:
    """Regimes of the file sizes about which two systems agree."""
    return dict(first.regimes.items() & other.regimes.items())


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
    traces: list
    if grid is first:
        traces = [
            heatmap(grid, scale, marks=found),
            cell_numbers(grid, scale, short=True),
        ]
        text = "values of the baseline"
    else:
        own = cells_of(cells, grid.system)
        traces = ratio_panel(own, "coloraxis2", _shared_regimes(first, grid), found)
        text = f"÷ {label(first.system)}"
    if found.cells:
        make_room(traces)
        traces += mark_traces(found, *sizes, narrow=True)
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
