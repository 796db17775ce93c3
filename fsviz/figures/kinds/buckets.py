"""Size buckets: the mean, how surely it repeats, and how much the matrix varies."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.buckets import EDGES, summary
from fsviz.figures.choosing import choose, metric_of, note_beside, rows_of_method
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import (
    INK,
    axis,
    flat_figure,
    group_of,
    label,
    make_scale,
    number,
)
from fsviz.model.table import METRICS, OPERATIONS

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

CAPTION = (
    "A marker is the mean over a bucket's cells. The dark bar is its 95 % interval "
    "over runs: whether it would come out again. The pale bar is the standard deviation"
    " over cells: how different the sizes are that the bucket throws together."
)
_TOO_FAST = " A triangle has runs too fast to time: its mean is more."


@takes("operation", "system", "metric", "scale")
def buckets(
    data: Data, options: FigureOptions, *, edges: Mapping[str, float] = EDGES
) -> go.Figure:
    """Draw the bucket means of each system, with the spreads of cells and of runs.

    Parameters
    ----------
    {shared}
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there are no numbers to draw.
    """
    metric = metric_of(data, options)
    rows, beside = rows_of_method(
        choose(data, options, metric), "tool", "threads", "setting"
    )
    frame = summary(rows, edges=edges)
    arms = [frame["mean"] - frame["std_cells"], frame["mean"] + frame["std_cells"]]
    arms += [frame["ci_low"], frame["ci_high"]]
    ends = [v for values in (_least(frame), *arms) for v in values if v > 0]
    figure = draw_buckets(
        frame, make_scale(ends, metric, options.scale), metric, looks(data)
    )
    return note_beside(figure, beside)


def draw_buckets(
    frame: pd.DataFrame, scale: Scale, metric: str, styles: Looks
) -> go.Figure:
    """Draw a summary of one operation and metric."""
    names = list(frame["system"].unique())
    places = {name: k for k, name in enumerate(frame["bucket"].unique())}
    traces: list = []
    for position, (name, rows) in enumerate(frame.groupby("system", sort=False)):
        shift = (position - (len(names) - 1) / 2) * 0.8 / len(names)
        x = [places[bucket] + shift for bucket in rows["bucket"]]
        traces += _system(str(name), rows, x, styles[str(name)], scale)
    operation = OPERATIONS[str(frame["operation"].iloc[0])]
    subject = f"{operation} {METRICS[metric].title}"
    return flat_figure(
        traces,
        f"<b>{operation.capitalize()}</b> – means by file size",
        CAPTION + (_TOO_FAST if (frame["mean_low"] > 0).any() else ""),
        f"mean {subject} of {', '.join(map(label, names))} in each file-size bucket",
        440,
        xaxis=axis(
            "file-size bucket",
            tickvals=list(places.values()),
            ticktext=[bucket.replace("_", " ") for bucket in places],
            showgrid=False,
        ),
        yaxis=value_axis(scale) | {"automargin": True},
    )


def _least(rows: pd.DataFrame) -> pd.Series:
    """Return the mean, or the least it is where runs were too fast to time."""
    return rows["mean"].fillna(rows["mean_low"])


def _system(
    name: str, rows: pd.DataFrame, x: list[float], look: Look, scale: Scale
) -> list:
    def bar(
        spread: str, lows: pd.Series, highs: pd.Series, ink: str, width: float
    ) -> go.Scatter:
        ends: list[float | None] = []
        for low, high in zip(lows / scale.factor, highs / scale.factor, strict=True):
            # an arm that reaches zero has no end on a logarithmic axis
            floor = scale.low * 0.85 if scale.log else low
            ends += [max(low, floor), high, None] if low == low else [None] * 3
        at = [p for place in x for p in (place, place, None)]
        return go.Scatter(
            x=at,
            y=ends,
            mode="lines",
            line={"color": ink, "width": width},
            hoverinfo="skip",
            legendgroup=group_of(name),
            showlegend=False,
            name=spread,
        )

    texts = [
        f"{r.bucket.replace('_', ' ')}: <b>{'more than ' if r.mean_low > 0 else ''}"
        f"{number(level / scale.factor)} {scale.unit}</b><br>"
        f"95 % {number(r.ci_low / scale.factor)} – "
        f"{number(r.ci_high / scale.factor)}, n = {r.n_runs} runs, {r.n_cells} cells"
        f"<br>standard deviation over cells {number(r.std_cells / scale.factor)}"
        for r, level in zip(rows.itertuples(), _least(rows), strict=True)
    ]
    dots = go.Scatter(
        x=x,
        y=list(_least(rows) / scale.factor),
        mode="markers",
        marker={
            "color": look.colour,
            "symbol": [
                "triangle-up" if least > 0 else look.symbol
                for least in rows["mean_low"]
            ],
            "size": 8,
            "line": {"color": "#fff", "width": 1},
        },
        text=texts,
        hovertemplate="<b>" + label(name) + "</b><br>%{text}<extra></extra>",
        name=label(name),
        legendgroup=group_of(name),
    )
    mean, spread = rows["mean"], rows["std_cells"]
    return [
        bar("std_cells", mean - spread, mean + spread, look.pale(0.3), 7),
        bar("interval", rows["ci_low"], rows["ci_high"], INK, 3),
        dots,
    ]
