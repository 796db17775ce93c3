"""CPU use against throughput: what a number costs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.checks.phrases import listing
from fsviz.figures.choosing import choose
from fsviz.figures.looks import Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.marks import note_findings
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import (
    INK,
    axis,
    flat_figure,
    label,
    make_scale,
    number,
)
from fsviz.model.errors import UsageError
from fsviz.model.table import OPERATIONS
from fsviz.model.units import format_size

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Data

CAPTION = (
    "One dot a measured cell. Upper left is best: much data for little CPU. Near the "
    "dashed line at 90 % the processor was measured, not the storage."
)
BOUND = 90.0
_CELL = [
    "system",
    "run",
    "operation",
    "file_size_bytes",
    "record_size_bytes",
    "threads",
    "setting",
]


@takes("operation", "system", "marks")
def cpu(data: Data, asked: FigureOptions) -> go.Figure:
    """Draw CPU use against throughput or rate, cell by cell.

    Parameters
    ----------
    {shared}

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If no cell has both numbers.
    """
    rows = choose(data, asked)
    names = list(map(str, rows["system"].unique()))
    figure = draw_cpu(cpu_pairs(rows), asked.operation, names, looks(data))
    return note_findings(figure, asked.marks, rows)


def cpu_pairs(rows: pd.DataFrame) -> pd.DataFrame:
    """Pair each speed with the CPU use of the same cell and run."""
    used = rows.loc[(rows["metric"] == "cpu") & rows["value"].notna()]
    fast = rows.loc[rows["metric"].isin(["throughput", "rate"]) & (rows["value"] > 0)]
    pairs = fast.merge(used[[*_CELL, "value"]], on=_CELL, suffixes=("", "_cpu"))
    if pairs.empty:
        raise UsageError("cpu: expected cells with throughput and CPU use, found none")
    return pairs


def draw_cpu(
    pairs: pd.DataFrame, operation: str, systems: list[str], styles: Looks
) -> go.Figure:
    """Draw the frame of `cpu_pairs`; the systems keep their colours without a pair."""
    metric = str(pairs["metric"].iloc[0])
    scale = make_scale(pairs["value"], metric)
    names = list(map(str, pairs["system"].unique()))
    absent = [name for name in systems if name not in names]
    caption = CAPTION
    if absent:
        caption += f" Without both numbers, and not shown: {listing(absent)}."
    traces = []
    for name in names:
        rows = pairs.loc[pairs["system"] == name]
        traces.append(
            go.Scatter(
                x=list(rows["value_cpu"]),
                y=list(rows["value"] / scale.factor),
                mode="markers",
                marker={
                    "color": styles[name].colour,
                    "symbol": styles[name].symbol,
                    "size": 8,
                    "opacity": 0.8,
                },
                text=[_where(row) for row in rows.itertuples()],
                hovertemplate=f"<b>{label(name)}</b> %{{text}}<br>%{{y:.3r}} "
                f"{scale.unit} for %{{x:.3r}} % CPU<extra></extra>",
                name=label(name),
            )
        )
    top = max(105.0, float(pairs["value_cpu"].max()) * 1.05)
    title = OPERATIONS[operation]
    figure = flat_figure(
        traces,
        f"<b>{title.capitalize()}</b> – what it costs in CPU",
        caption,
        f"CPU use against {metric} of {title} of {', '.join(map(label, names))}",
        440,
        xaxis=axis("CPU use [%]", range=[-3, top]),
        yaxis=value_axis(scale) | {"automargin": True},
        showlegend=True,
    )
    line = {"color": INK, "width": 1, "dash": "dash"}
    figure.add_vline(x=BOUND, line=line)
    return figure


def _where(row: object) -> str:
    sizes = [getattr(row, f"{kind}_size_bytes") for kind in ("file", "record")]
    known = [format_size(int(s)) for s in sizes if str(s).isdecimal()]
    return " by ".join(known) or number(float(getattr(row, "repeat", 1)))
