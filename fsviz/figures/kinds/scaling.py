"""Throughput mode: whether twice the threads move twice the data."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.aggregate import means_by
from fsviz.figures.choosing import choose
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.marks import note_findings
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import axis, flat_figure, label, make_scale
from fsviz.model.errors import UsageError
from fsviz.model.table import OPERATIONS

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

CAPTION = (
    "Filled: what the threads report together; hollow: what the parent saw over the "
    "whole time, stragglers included. The dashed line is ideal: each thread adds as "
    "much as the first. A gap between filled and hollow means threads did not overlap."
)
_SEEN = {"throughput": "the threads", "parent_throughput": "the parent"}


@takes("operation", "systems", "marks")
def scaling(data: Data, asked: FigureOptions) -> go.Figure:
    """Draw throughput over the number of threads, with the ideal line.

    Parameters
    ----------
    {shared}

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If nothing was measured in throughput mode.
    """
    rows = choose(data, asked)
    figure = draw_scaling(scaling_means(rows), asked.operation, looks(data))
    return note_findings(figure, asked.marks, rows)


def scaling_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean over runs by system, metric and number of threads, with ``ideal``."""
    seen = set(rows.loc[rows["metric"] == "parent_throughput", "run"])
    own = rows.loc[rows["metric"].isin(list(_SEEN)) & rows["run"].isin(seen)]
    if own.empty:
        raise UsageError("scaling: expected numbers of throughput mode, found none")
    frame = means_by(own, ["system", "metric", "threads"]).sort_values("threads")
    fewest = frame.groupby(["system", "metric"], observed=True)[["threads", "mean"]]
    first = fewest.transform("first")
    frame["ideal"] = first["mean"] * frame["threads"] / first["threads"]
    return frame


def draw_scaling(means: pd.DataFrame, operation: str, styles: Looks) -> go.Figure:
    """Draw the frame of `scaling_means`."""
    scale = make_scale([*means["mean"], *means["ideal"]], "throughput", "log")
    names = list(means["system"].unique())
    traces = []
    for (name, metric), rows in means.groupby(
        ["system", "metric"], observed=True, sort=False
    ):
        traces += _line(str(name), str(metric), rows, styles[str(name)], scale)
    title = OPERATIONS[operation]
    threads = sorted({int(t) for t in means["threads"]})
    return flat_figure(
        traces,
        f"<b>{title.capitalize()}</b> – throughput over threads",
        CAPTION,
        f"throughput of {title} over the number of threads of "
        f"{', '.join(map(label, names))}, with the ideal line",
        440,
        xaxis=axis("threads", type="log", tickvals=threads, dtick=1)
        | {"range": [math.log10(threads[0]) - 0.15, math.log10(threads[-1]) + 0.15]},
        yaxis=value_axis(scale) | {"automargin": True},
    )


def _line(name: str, metric: str, rows: pd.DataFrame, look: Look, scale: Scale) -> list:
    whole = metric == "throughput"
    shown = go.Scatter(
        x=list(rows["threads"]),
        y=list(rows["mean"] / scale.factor),
        mode="lines+markers",
        line={"color": look.colour, "width": 2},
        marker={"symbol": look.symbol + ("" if whole else "-open"), "size": 9},
        text=[f"n = {n}" for n in rows["n"]],
        hovertemplate=f"<b>{label(name)}</b>, seen by {_SEEN[metric]}<br>"
        f"%{{x}} threads: %{{y:.3r}} {scale.unit}<br>%{{text}}<extra></extra>",
        name=f"{label(name)}, seen by {_SEEN[metric]}",
        legendgroup=name,
    )
    ideal = go.Scatter(
        x=list(rows["threads"]),
        y=list(rows["ideal"] / scale.factor),
        mode="lines",
        line={"color": look.colour, "width": 1, "dash": "dash"},
        hoverinfo="skip",
        name="ideal",
        showlegend=False,
        legendgroup=name,
        visible=whole,
    )
    return [shown, ideal]
