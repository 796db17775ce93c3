"""A history as a figure: each campaign's ratio to the one before, by date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.checks.phrases import listing
from fsviz.figures.kinds.lines import (
    LINES,
    MOST_PANELS,
    Panel,
    Point,
    draw_curve,
    stack,
)
from fsviz.figures.looks import Look
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import Scale, axis, colour, symbol
from fsviz.model.libraries import np
from fsviz.model.table import METRICS, OPERATIONS

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go


def history_lines(frame: pd.DataFrame) -> go.Figure:
    """Draw what `fsviz.history` returns: ratios over the date, a panel a test."""
    names = list(frame["system"].unique())
    panels = []
    for (test, metric), own in frame.groupby(
        ["operation", "metric"], sort=False, observed=True
    ):
        values = own[["ratio", "ci_low", "ci_high"]].to_numpy(float)
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        scale = Scale("ratio", "times", 1.0, low * 0.97, high * 1.03, True, "1")
        traces = []
        for name, rows in own.groupby("system", sort=False, observed=True):
            numbers = rows[["date", "ratio", "ci_low", "ci_high", "n_candidate"]]
            points = [Point(*r) for r in numbers.itertuples(index=False)]
            k = names.index(name)
            look = Look(colour(k), symbol(k))
            traces += draw_curve(str(name), points, "date", look, scale)
        better = "above" if METRICS[str(metric)].better > 0 else "below"
        yaxis = value_axis(scale)
        yaxis["title"] = {"text": f"ratio, {better} 1 is faster"}
        name = OPERATIONS.get(str(test), str(test)).capitalize()
        title = f"<b>{name}</b> – {METRICS[str(metric)].title} ÷ the campaign before"
        panels.append(Panel(title, traces, axis("date", type="date"), yaxis))
    alt = f"ratios to the campaign before of {listing(names)}"
    return stack(panels[:MOST_PANELS], "ratios to the campaign before", LINES, alt)
