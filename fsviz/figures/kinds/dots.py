"""One size only: every operation a row, every system a dot with its value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from fsviz.analysis.buckets import summary
from fsviz.analysis.cells import select
from fsviz.analysis.scaling import sizes_of_cells
from fsviz.checks.phrases import conditions, count
from fsviz.figures.choosing import choose
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.marks import note_findings
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import (
    axis,
    flat_figure,
    label,
    lines_between,
    make_scale,
    number,
    rows_axis,
)
from fsviz.model.errors import UsageError
from fsviz.model.escaping import figure_text
from fsviz.model.names import Names
from fsviz.model.table import OPERATIONS
from fsviz.model.units import format_size

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

CAPTION = "One row an operation, one dot a system: its mean over runs, with the value."
PROCESSES = (
    " The line goes from the slowest to the fastest process, each times the number of "
    "processes."
)
_LINE, _BETWEEN = 20, 16
"""Height of a system's dot and of the gap between rows [px]."""


@takes("system", "metric", "marks")
def dots(data: Data, asked: FigureOptions, *, operation: Names = None) -> go.Figure:
    """Draw every operation that was measured at one size only.

    Parameters
    ----------
    {shared}
    operation : str or sequence of str, optional
        By default every operation.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there are no such numbers, or if there are several sizes or thread counts.
    """
    metric = asked.metric or "throughput"
    rows = select(choose(data, asked), operation=operation or None)
    sizes = sizes_of_cells(rows, metric)
    if len(sizes) != 1:
        raise UsageError(
            "dots: expected one file size, record size and number of threads, "
            f"found {len(sizes)}"
        )
    figure = draw_dots(process_means(rows, metric), sizes.iloc[0], metric, looks(data))
    return note_findings(figure, asked.marks, rows)


def process_means(rows: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Mean over runs of each system and operation; also of its processes' ends."""
    key = ["system", "operation", "threads"]
    own = rows.loc[(rows["metric"] == metric) & rows["record_size_bytes"].notna()]
    frame = summary(own, by="operation")
    for name in ("min", "max"):
        child = rows.loc[rows["metric"] == f"{name}_child_{metric}"]
        ends = child.groupby(key, observed=True, dropna=False)["value"].mean()
        frame = frame.merge(ends.rename(name).reset_index(), how="left", on=key)
        frame[name] *= frame["threads"].astype(float)
    return frame.loc[frame["mean"].notna()].reset_index(drop=True)


def draw_dots(
    means: pd.DataFrame, sizes: pd.Series, metric: str, styles: Looks
) -> go.Figure:
    """Draw the frame of `process_means`."""
    names = [str(name) for name in means["system"].unique()]
    tests = [str(name) for name in means["operation"].unique()]
    scale = make_scale([*means["mean"], *means["min"], *means["max"]], metric)
    step = _LINE / (len(names) * _LINE + _BETWEEN)
    traces: list = []
    for position, name in enumerate(names):
        own = means.loc[means["system"] == name]
        off = (position - (len(names) - 1) / 2) * step
        heights = [tests.index(one) + off for one in own["operation"]]
        traces += _system(name, own, heights, styles[name], scale)
    values = value_axis(scale)
    low, high = values["range"]
    # room for the value beside the fastest
    values["range"] = [low, high + (high - low) * 0.12]
    height = len(tests) * (len(names) * _LINE + _BETWEEN) + 130
    processes = bool(means["min"].notna().any())
    known = sizes.dropna()  # fio need not state the size of its file
    of_sizes = [
        f"{name} {format_size(known[f'{name}_size_bytes'])}"
        for name in ("file", "record")
        if f"{name}_size_bytes" in known
    ]
    title = "every operation" if len(tests) > 1 else OPERATIONS.get(tests[0], tests[0])
    under = figure_text(conditions(str(sizes["threads"]), str(sizes["setting"])))
    where = ", ".join(filter(None, (*of_sizes, under)))
    return flat_figure(
        traces,
        f"<b>{title.capitalize()}</b> – {where}",
        CAPTION + PROCESSES * processes,
        f"{metric} of {', '.join(map(label, names))} in "
        f"{count(len(tests), 'operation')}",
        height,
        xaxis=axis(scale.title) | values,
        yaxis=rows_axis([OPERATIONS.get(test, test) for test in tests], showgrid=False),
        showlegend=len(names) > 1,
    )


def _system(
    name: str, own: pd.DataFrame, heights: list[float], look: Look, scale: Scale
) -> list[go.Scatter]:
    """One system: its processes, its dots, and their values beside them."""
    rows = own.to_dict("records")
    factor = scale.factor
    ends = [
        (row["min"] / factor, row["max"] / factor, at)
        for row, at in zip(rows, heights, strict=True)
        if row["min"] == row["min"]
    ]
    line = lines_between(ends, name, "processes", look.colour)
    points = go.Scatter(
        x=[row["mean"] / factor for row in rows],
        y=heights,
        mode="markers",
        marker={"color": look.colour, "symbol": look.symbol, "size": 10},
        customdata=[_hover(row, scale) for row in rows],
        hovertemplate=f"<b>{label(name)}</b><br>%{{customdata}}<extra></extra>",
        legendgroup=name,
        name=label(name),
    )
    values = go.Scatter(
        # behind the end of the line, where there is one
        x=[(r["max"] if r["min"] == r["min"] else r["mean"]) / factor for r in rows],
        y=heights,
        mode="text",
        text=[f"\N{EN SPACE}{number(row['mean'] / factor)}" for row in rows],
        textposition="middle right",
        textfont={"size": 11},
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
        legendgroup=name,
        name=f"values of {label(name)}",
    )
    return [line, points, values]


def _hover(row: dict[str, Any], scale: Scale) -> str:
    title = OPERATIONS.get(row["operation"], row["operation"])
    said = [f"{title}: {number(row['mean'] / scale.factor)} {scale.unit}"]
    if row["min"] == row["min"]:
        each = row["threads"] * scale.factor
        ends = (number(row[name] / each) for name in ("min", "max"))
        said.append(f"processes {' to '.join(ends)} {scale.unit} each")
    if row["ci_low"] == row["ci_low"]:
        ends = (number(row[name] / scale.factor) for name in ("ci_low", "ci_high"))
        said.append(f"95 % {' – '.join(ends)}")
    return "<br>".join([*said, f"n = {row['n_runs']}"])
