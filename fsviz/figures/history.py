"""A history as a figure: each campaign's ratio to the one before, by date."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.figures.looks import plain_looks
from fsviz.figures.panels.curve import Point, draw_curve
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.panels.stack import MOST_PANELS, Panel, stack
from fsviz.figures.style import Scale, axis
from fsviz.model.libraries import np
from fsviz.model.table import METRICS, OPERATIONS

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go


CAPTION = (
    "A mark is the ratio of a campaign to the one before, with its 95 % interval: at 1 "
    "nothing has changed since then."
)
TICKS = (0.1, 0.2, 0.33, 0.5, 0.67, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 3, 5, 10)


def history_lines(frame: pd.DataFrame) -> go.Figure:
    """Draw what `fsviz.history` returns: ratios over the date, a panel a test."""
    styles = plain_looks(frame["system"].unique())
    panels = []
    for (test, metric), ratios in frame.groupby(
        ["operation", "metric"], sort=False, observed=True
    ):
        values = ratios[["ratio", "ci_low", "ci_high"]].to_numpy(float)
        low, high = min(0.95, np.nanmin(values)), max(1.05, np.nanmax(values))
        scale = Scale("ratio", "times", 1.0, low * 0.97, high * 1.03, True, "1")
        traces = []
        for name, rows in ratios.groupby("system", sort=False, observed=True):
            numbers = rows[["date", "ratio", "ci_low", "ci_high", "n_candidate"]]
            points = [Point(*r) for r in numbers.itertuples(index=False)]
            curve = draw_curve(str(name), points, styles[str(name)], scale)
            # a line from one step to the next would read as a level
            traces.append(curve.update(mode="markers"))
        better = "above" if METRICS[str(metric)].better > 0 else "below"
        yaxis = value_axis(scale) | {"tickvals": TICKS, "ticktext": TICKS}
        yaxis["title"] = {"text": f"ratio, {better} 1 is faster"}
        name = OPERATIONS.get(str(test), str(test)).capitalize()
        title = f"<b>{name}</b> – {METRICS[str(metric)].title} ÷ the campaign before"
        panels.append(Panel(title, traces, axis("date", type="date"), yaxis))
    return stack(panels[:MOST_PANELS], "ratios to the campaign before", CAPTION)
