"""bonnie++: every test a row, every system a dot, joined to show the distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.cells import Names
from fsviz.figures.choosing import choose
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

CAPTION = (
    "One row a test, one dot a system (mean over runs), on logarithmic axes: equal "
    "distances are equal ratios. Right is better for throughput and rate, left is "
    "better for latency. A missing dot was not measured, or took under half a second."
)
_PANELS = (
    ("throughput", [0.0, 0.27]),
    ("rate", [0.36, 0.63]),
    ("latency", [0.72, 1.0]),
)


def dumbbells(data: object, *, systems: Names = None) -> go.Figure:
    """Draw all tests of bonnie++: throughput, rates and latency side by side.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    systems : str or sequence of str, optional
        All by default.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there are no numbers of bonnie++.
    """
    return draw_dumbbells(bonnie_means(choose(data, systems=systems)))


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
    keys = ["system", "operation", "metric"]
    found = own.groupby(keys, observed=True, sort=False)["value"]
    return found.agg(mean="mean", n="count").reset_index()


def draw_dumbbells(means: pd.DataFrame) -> go.Figure:
    """Draw the frame of `bonnie_means`."""
    names = list(means["system"].unique())
    tests = [name for name in BONNIE_OPERATIONS if name in set(means["operation"])]
    traces: list = []
    axes: dict = {}
    titles = []
    for k, (metric, domain) in enumerate(_PANELS, 1):
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
        f"throughput, rates and latency of bonnie++ of {', '.join(map(label, names))}",
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
    own: pd.DataFrame, tests: list[str], names: list[str], scale: object, suffix: str
) -> list:
    factor, unit = scale.factor, scale.unit  # type: ignore[attr-defined]
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
