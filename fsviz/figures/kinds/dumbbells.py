"""bonnie++: every test a row, every system a dot, joined to show the distance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.aggregate import means_by
from fsviz.figures.choosing import choose
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.marks import note_findings
from fsviz.figures.panels.multiples import heading
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import (
    GRID,
    axis,
    colour,
    flat_figure,
    label,
    make_scale,
    number,
    rows_axis,
    symbol,
)
from fsviz.model.errors import UsageError
from fsviz.model.table import BONNIE_OPERATIONS, OPERATIONS

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

CAPTION = (
    "One row a test, one dot a system (mean over runs), on logarithmic axes: equal "
    "distances are equal ratios. Right is better for throughput and rate, left is "
    "better for latency and CPU use. A missing dot was not measured, or took under "
    "half a second."
)
PANELS = ("throughput", "rate", "latency")
_GAP = 0.09
"""Between two panels, as a part of the figure's width."""


@takes("systems", "marks")
def dumbbells(
    data: Data, asked: FigureOptions, *, metrics: Sequence[str] = PANELS
) -> go.Figure:
    """Draw all tests of bonnie++: a panel for each metric, side by side.

    Parameters
    ----------
    {shared}
    metrics : sequence of str
        Of ``throughput``, ``rate``, ``latency`` and ``cpu``.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there are no numbers of bonnie++.
    """
    rows = choose(data, asked)
    figure = draw_dumbbells(bonnie_means(rows), metrics)
    tests = rows.loc[rows["operation"].isin(list(BONNIE_OPERATIONS))]
    return note_findings(figure, asked.marks, tests)


def bonnie_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean over runs of each test, system and metric, with n, of the largest file.

    Raises
    ------
    UsageError
        If there are no numbers of bonnie++.
    """
    own = rows.loc[(rows["tool"] == "bonnie++") & rows["value"].notna()]
    if own.empty:
        raise UsageError("dumbbells: expected numbers of bonnie++, found none")
    return means_by(own, ["system", "operation", "metric"])


def draw_dumbbells(means: pd.DataFrame, metrics: Sequence[str] = PANELS) -> go.Figure:
    """Draw some metrics of the frame of `bonnie_means`."""
    names = list(means["system"].unique())
    tests = [name for name in BONNIE_OPERATIONS if name in set(means["operation"])]
    traces: list = []
    axes: dict = {}
    titles = []
    width = (1 + _GAP) / len(metrics)
    for k, metric in enumerate(metrics, 1):
        domain = [(k - 1) * width, k * width - _GAP]
        own = means.loc[(means["metric"] == metric) & (means["mean"] > 0)]
        if own.empty:
            # all too quick to time: an axis of no rows cannot be drawn
            titles.append(heading(f"{metric}: no numbers", domain[0], 1.03))
            continue
        shown = [t for t in tests if t in set(own["operation"])]
        suffix = str(k) if k > 1 else ""
        scale = make_scale(own["mean"], metric, "log")
        traces += _panel(own, shown, names, scale, suffix)
        values = value_axis(scale) | {"domain": domain, "anchor": f"y{suffix}"}
        values["tickvals"] = (
            scale.ticks()[::2] if len(scale.ticks()) > 6 else scale.ticks()
        )
        values["ticktext"] = [number(t) for t in values["tickvals"]]
        axes[f"xaxis{suffix}"] = axis(scale.title) | values
        wording = [_short(OPERATIONS[t]) for t in shown]
        axes[f"yaxis{suffix}"] = rows_axis(wording, anchor=f"x{suffix}", showgrid=False)
        titles.append(heading(metric, domain[0], 1.03))
    return flat_figure(
        traces,
        "<b>bonnie++</b> – every test",
        CAPTION,
        f"{', '.join(metrics)} of bonnie++ of {', '.join(map(label, names))}",
        560,
        annotations=titles,
        legend={"orientation": "h", "x": 0, "y": -0.16},
        **axes,
    )


def _short(title: str) -> str:
    """Two lines, so that three panels fit side by side."""
    first, _, rest = title.replace("sequential", "seq.").partition(" ")
    return f"{first} {rest}".replace("output ", "out ").replace("input ", "in ")


def _panel(
    own: pd.DataFrame, tests: list[str], names: list[str], scale: Scale, suffix: str
) -> list:
    factor, unit = scale.factor, scale.unit
    own = own.assign(y=[tests.index(t) for t in own["operation"]])
    ends = own.groupby("y")["mean"].agg(["min", "max"]) / factor
    join = go.Scatter(
        x=[v for low, high in ends.to_numpy() for v in (low, high, None)],
        y=[v for y in ends.index for v in (y, y, None)],
        mode="lines",
        line={"color": GRID, "width": 4},
        hoverinfo="skip",
        showlegend=False,
        xaxis=f"x{suffix}",
        yaxis=f"y{suffix}",
        name="distance",
    )
    dots = []
    for position, name in enumerate(names):
        rows = own.loc[own["system"] == name]
        dots.append(
            go.Scatter(
                x=list(rows["mean"] / factor),
                y=list(rows["y"]),
                mode="markers",
                marker={
                    "color": colour(position),
                    "symbol": symbol(position),
                    "size": 9,
                    "line": {"color": "#fff", "width": 0.8},
                },
                text=[f"n = {n}" for n in rows["n"]],
                hovertemplate=f"<b>{label(name)}</b><br>%{{x:.3r}} {unit}<br>"
                "%{text}<extra></extra>",
                name=label(name),
                legendgroup=name,
                showlegend=not suffix,
                xaxis=f"x{suffix}",
                yaxis=f"y{suffix}",
            )
        )
    return [join, *dots]
