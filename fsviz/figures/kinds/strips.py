"""Run by run, in the order of time: scatter is noise, a slope is drift."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.figures.choosing import choose, metric_of, note_beside, of_one
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.marks import note_findings
from fsviz.figures.style import (
    INK,
    axis,
    flat_figure,
    label,
    number,
)
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np, pd
from fsviz.model.table import METRICS, OPERATIONS, SIZES
from fsviz.model.units import display_scale

if TYPE_CHECKING:
    from fsviz.model.campaign import Data

CAPTION = (
    "One dot a run: the geometric mean over its cells, relative to the system's own "
    "mean, which stands below; thin lines join the runs in the order of time. The band"
    " is ±10 %. Runs that climb or fall one after another drift: something changed "
    "while you measured, and they are not repeats of one another."
)
BAND = 10.0
_ENOUGH = 10
"""Through fewer runs a straight line says nothing."""


@takes("operation", "system", "metric", "marks")
def strips(data: Data, asked: FigureOptions) -> go.Figure:
    """Draw each run relative to the mean of its system, with the trend.

    Parameters
    ----------
    {shared}

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there are no numbers to draw.
    """
    metric = metric_of(data, asked)
    rows, beside = of_one(choose(data, asked, metric), "tool")
    figure = draw_strips(run_levels(rows), asked.operation, metric, looks(data))
    return note_findings(note_beside(figure, beside), asked.marks, rows)


def run_levels(rows: pd.DataFrame) -> pd.DataFrame:
    """Reduce each run to its level over the cells that all runs of its system have."""
    parts = []
    for name, own in rows.loc[rows["value"] > 0].groupby("system", sort=False):
        if own["repeat"].nunique() < 2:
            continue
        table = own.assign(level=np.log(own["value"])).pivot_table(
            index="repeat",
            columns=[*SIZES, "setting"],
            values="level",
            dropna=False,
            observed=True,
        )
        table = table.dropna(axis="columns", how="all")
        common = table.dropna(axis="columns")
        level = (common if common.shape[1] else table).mean(axis=1)
        off = level - level.mean()
        order = off.index.to_numpy(float)
        line = (
            np.polynomial.Polynomial.fit(order, off, 1)(order)
            if len(off) >= _ENOUGH
            else off * np.nan
        )
        parts.append(
            pd.DataFrame(
                {
                    "system": name,
                    "repeat": off.index.astype(int),
                    "percent": np.expm1(off.to_numpy()) * 100,
                    "trend": np.expm1(np.asarray(line)) * 100,
                    "mean": float(np.exp(level.mean())),
                    "cells": common.shape[1] or table.shape[1],
                }
            )
        )
    if not parts:
        raise UsageError("strips: expected systems with two runs or more, found none")
    return pd.concat(parts, ignore_index=True)


def draw_strips(
    levels: pd.DataFrame, operation: str, metric: str, styles: Looks
) -> go.Figure:
    """Draw the frame of `run_levels`."""
    names = list(levels["system"].unique())
    traces: list = []
    for position, (name, rows) in enumerate(levels.groupby("system", sort=False)):
        traces += _strip(str(name), rows, position, styles[str(name)])
    ends = [traces[0].x[0] - 0.5, max(t.x[-1] for t in traces) + 0.5]
    widest = max(BAND * 1.3, float(levels["percent"].abs().max()) * 1.15)
    title = OPERATIONS[operation]
    figure = flat_figure(
        traces,
        f"<b>{title.capitalize()}</b> – {METRICS[metric].title}, run by run",
        CAPTION,
        f"level of each run of {', '.join(map(label, names))} relative to the mean, "
        f"{title}",
        440,
        xaxis=axis(
            "place of the system's runs in time", showticklabels=False, range=ends
        )
        | {"showgrid": False},
        yaxis=axis("off the system's mean [%]", range=[-widest, widest], zeroline=True),
        showlegend=True,
    )
    for position in range(len(names)):
        start, end = traces[2 * position].x[0] - 0.4, traces[2 * position].x[-1] + 0.4
        figure.add_shape(
            type="rect",
            x0=start,
            x1=end,
            y0=-BAND,
            y1=BAND,
            fillcolor=styles[names[position]].pale(0.1),
            line={"width": 0},
            layer="below",
        )
        figure.add_annotation(
            x=(start + end) / 2,
            y=-widest,
            yanchor="bottom",
            text=_mean_text(levels.loc[levels["system"] == names[position]], metric),
            showarrow=False,
            font={"size": 11, "color": INK},
        )
    return figure


def _mean_text(rows: pd.DataFrame, metric: str) -> str:
    """Write a system's mean, its number above its unit."""
    mean = float(rows["mean"].iloc[0])
    factor, unit = display_scale(METRICS[metric].unit, mean)
    return f"{number(mean / factor)}<br>{unit}"


def _strip(name: str, rows: pd.DataFrame, position: int, look: Look) -> list:
    # systems side by side, the runs of each in the order of time
    start = position * 12
    x = [start + k * 10 / max(len(rows) - 1, 1) for k in range(len(rows))]
    dots = go.Scatter(
        x=x,
        y=list(rows["percent"]),
        mode="lines+markers",
        line={"color": look.pale(0.5), "width": 1},
        marker={"color": look.colour, "symbol": look.symbol, "size": 8},
        text=[
            f"run {r}, {c} cells"
            for r, c in zip(rows["repeat"], rows["cells"], strict=True)
        ],
        hovertemplate=f"<b>{label(name)}</b> %{{text}}<br>%{{y:+.3r}} %<extra></extra>",
        name=label(name),
        legendgroup=name,
    )
    trend = go.Scatter(
        x=x,
        y=[None if t != t else t for t in rows["trend"]],
        mode="lines",
        line={"color": look.colour, "width": 1.5},
        hoverinfo="skip",
        showlegend=False,
        legendgroup=name,
        name="trend",
    )
    return [dots, trend]
