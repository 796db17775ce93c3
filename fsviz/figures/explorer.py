"""The explorer: surface, heatmap and slices of one operation, on one scale."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.cells import present
from fsviz.analysis.grids import make_grid
from fsviz.errors import UsageError
from fsviz.figures.heatmaps import colour_axis, heatmap
from fsviz.figures.slices import size_axis, slice_lines, value_axis
from fsviz.figures.style import (
    GRID,
    INK,
    ScaleKind,
    label,
    layout,
    make_scale,
)
from fsviz.figures.surfaces import points, scene, surface
from fsviz.table import METRICS, OPERATIONS, measurements_of

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid
    from fsviz.figures.style import Scale

HEIGHT = 740
CAPTION = (
    "Four views of the same cells on one scale. The surface shows the shape (drag to "
    "turn it; each dot is a measured cell), the heatmap shows where, the lines show "
    "how much. Empty means not measured: a record cannot be larger than its file."
)
_SCENE = {"x": [0.0, 0.45], "y": [0.5, 1.0]}
_HEATMAP = ([0.55, 0.9], [0.585, 0.97])
_OVER_RECORD = ([0.055, 0.385], [0.085, 0.42])
_OVER_FILE = ([0.55, 0.88], [0.085, 0.42])


def explorer(
    data: object,
    *,
    operation: str,
    systems: Sequence[str] | None = None,
    metric: str = "throughput",
    scale: ScaleKind = "auto",
) -> go.Figure:
    """Draw surface, heatmap and slices of one operation; a menu chooses the system.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    operation : str
        Canonical name, such as ``random_read``.
    systems : sequence of str, optional
        Which systems the menu offers; all that have this operation by default.
    metric : str
        ``throughput`` unless the tool measured something else.
    scale : {'auto', 'linear', 'log'}
        Of values and colours; the same for all systems.

    Returns
    -------
    plotly Figure
        Caption and alternative text are in ``layout.meta``.

    Raises
    ------
    UsageError
        If there is no such operation, system or cell.
    MixedCellError
        If a cell holds runs that are not repeats of one another.
    """
    grids = _grids(data, operation, systems, metric)
    shared = make_scale(_values(grids), metric, scale)
    return _draw(grids, shared)


def _grids(
    data: object, operation: str, systems: Sequence[str] | None, metric: str
) -> list[Grid]:
    table = measurements_of(data)
    if operation not in OPERATIONS:
        known = ", ".join(present(table, "operation"))
        raise UsageError(f"operation: expected one of {known}, found {operation}")
    rows = table.loc[(table["operation"] == operation) & (table["metric"] == metric)]
    sized = rows.loc[rows["record_size_bytes"].notna() & rows["value"].notna()]
    names = list(systems or present(sized, "system"))
    if not names:
        raise UsageError(f"no {metric} of {operation} by file and record size")
    return [
        make_grid(table, system=name, operation=operation, metric=metric)
        for name in names
    ]


def _values(grids: list[Grid]) -> list[float]:
    return [float(v) for grid in grids for v in grid.mean.to_numpy().ravel()]


def _draw(grids: list[Grid], scale: Scale) -> go.Figure:
    file_sizes = sorted({int(f) for grid in grids for f in grid.mean.index})
    record_sizes = sorted({int(r) for grid in grids for r in grid.mean.columns})
    groups = [_traces(grid, scale, file_sizes, record_sizes) for grid in grids]
    for position, group in enumerate(groups):
        for trace in group:
            trace.visible = position == 0
    figure = go.Figure(data=list(chain.from_iterable(groups)))
    first = grids[0]
    title = _title(first)
    names = ", ".join(label(grid.system) for grid in grids)
    alt = (
        f"{OPERATIONS[first.operation]} {METRICS[first.metric].title} of {names} by "
        f"file size and record size, as surface, heatmap and lines, from "
        f"{_spell(min(_finite(grids)), scale)} to {_spell(max(_finite(grids)), scale)}"
    )
    figure.update_layout(
        **layout(title, CAPTION, alt, HEIGHT),
        **_panels(scale, file_sizes, record_sizes),
        annotations=_headings(),
    )
    if len(grids) > 1:
        figure.update_layout(updatemenus=[_menu(grids, groups)])
    return figure


def _finite(grids: list[Grid]) -> list[float]:
    return [v for v in _values(grids) if v == v]


def _spell(value: float, scale: Scale) -> str:
    return f"{value / scale.factor:.3g} {scale.unit}"


def _title(grid: Grid) -> str:
    return f"<b>{OPERATIONS[grid.operation].capitalize()}</b> – {label(grid.system)}"


def _traces(
    grid: Grid, scale: Scale, file_sizes: list[int], record_sizes: list[int]
) -> list:
    over_record = slice_lines(grid, scale, "record size", file_sizes, "legend")
    over_file = slice_lines(grid, scale, "file size", record_sizes, "legend2")
    for line in over_record:
        line.update(xaxis="x2", yaxis="y2")
    for line in over_file:
        line.update(xaxis="x3", yaxis="y3")
    return [
        surface(grid, scale),
        points(grid, scale),
        heatmap(grid, scale),
        *over_record,
        *over_file,
    ]


def _panels(scale: Scale, file_sizes: list[int], record_sizes: list[int]) -> dict:
    plain = {"gridcolor": "rgba(0,0,0,0)"}
    file_axis = size_axis("file size", file_sizes, at_most=15)
    file_axis |= {"tickangle": 0, "title": {"text": "file size", "standoff": 4}}
    return {
        "scene": scene(scale, file_sizes, record_sizes) | {"domain": _SCENE},
        "xaxis": size_axis("record size", record_sizes, 13)
        | plain
        | {"domain": _HEATMAP[0], "anchor": "y"},
        "yaxis": file_axis | plain | {"domain": _HEATMAP[1], "anchor": "x"},
        "xaxis2": size_axis("record size", record_sizes)
        | {"domain": _OVER_RECORD[0], "anchor": "y2"},
        "yaxis2": value_axis(scale) | {"domain": _OVER_RECORD[1], "anchor": "x2"},
        "xaxis3": size_axis("file size", file_sizes)
        | {"domain": _OVER_FILE[0], "anchor": "y3"},
        "yaxis3": value_axis(scale)
        | {"domain": _OVER_FILE[1], "anchor": "x3", "matches": "y2"},
        "coloraxis": colour_axis(scale, x=0.905, y=0.777, length=0.42),
        "legend": _legend("file size", 0.39),
        "legend2": _legend("record size", 0.885),
    }


def _legend(title: str, x: float) -> dict:
    return {
        "title": {"text": title, "font": {"size": 10}},
        "x": x,
        "y": 0.445,
        "yanchor": "top",
        "font": {"size": 9},
        "tracegroupgap": 0,
        "itemwidth": 30,
        "bgcolor": "rgba(255,255,255,0.8)",
    }


def _headings() -> list[dict]:
    texts = (
        ("The shape: surface", 0.01, 0.985),
        ("The place: heatmap", 0.55, 1.02),
        ("The number: over record size", 0.055, 0.465),
        ("The number: over file size", 0.55, 0.465),
    )
    return [
        {
            "text": f"<b>{text}</b>",
            "x": x,
            "y": y,
            "xref": "paper",
            "yref": "paper",
            "xanchor": "left",
            "yanchor": "middle",
            "showarrow": False,
            "font": {"size": 12, "color": INK},
        }
        for text, x, y in texts
    ]


def _menu(grids: list[Grid], groups: list[list]) -> dict:
    """Buttons that show the traces of one system and hide the others."""
    owners = [position for position, group in enumerate(groups) for _ in group]
    buttons = [
        {
            "label": label(grid.system),
            "method": "update",
            "args": [
                {"visible": [owner == position for owner in owners]},
                {"title.text": _title(grid)},
            ],
        }
        for position, grid in enumerate(grids)
    ]
    return {
        "buttons": buttons,
        # not at the right, where plotly's own buttons would lie over it
        "x": 0.45,
        "xanchor": "right",
        "y": 1.095,
        "yanchor": "top",
        "bgcolor": "#ffffff",
        "bordercolor": GRID,
        "pad": {"t": 0, "b": 0},
    }
