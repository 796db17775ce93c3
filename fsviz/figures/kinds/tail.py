"""The tail of the latency: how long the slowest requests took."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.aggregate import means_by
from fsviz.figures.choosing import choose, note_beside, of_one
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.marks import note_findings
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import axis, flat_figure, label, make_scale
from fsviz.model.errors import UsageError
from fsviz.model.table import METRICS, OPERATIONS, SIZES

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

CAPTION = (
    "A point at 99 %: of 100 requests, 99 took no longer than this. Means over the "
    "runs of each system; n is in the text of each point."
)
_FAMILIES = ("latency", "completion_latency")
_SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p99_9": 0.999}
"""Share of the requests, by the end of a percentile's name."""
_SHARE_OF = {f"{f}_{end}": share for f in _FAMILIES for end, share in _SHARES.items()}


@takes("operation", "system", "marks")
def tail(data: Data, asked: FigureOptions) -> go.Figure:
    """Draw the percentiles of an operation's latency, a line a system.

    Parameters
    ----------
    {shared}

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there are no percentiles, as fio prints them.
    """
    rows = choose(data, asked)
    own, beside = of_one(percentiles(rows), "tool", *SIZES, "threads", "setting")
    figure = draw_tail(means_of_shares(own), asked.operation, looks(data))
    return note_findings(note_beside(figure, beside), asked.marks, own)


def percentiles(rows: pd.DataFrame) -> pd.DataFrame:
    """Keep the percentiles of the whole latency, else those of completion alone."""
    for family in _FAMILIES:
        own = rows["metric"].isin([f"{family}_{end}" for end in _SHARES])
        if own.any():
            return rows.loc[own]
    raise UsageError("tail: expected percentiles of latency, as of fio, found none")


def means_of_shares(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean over runs by system and percentile, with its ``share`` of the requests."""
    means = means_by(rows, ["system", "metric"])
    shares = means["metric"].astype(str).map(_SHARE_OF)
    return means.assign(share=shares).sort_values("share")


def draw_tail(means: pd.DataFrame, operation: str, styles: Looks) -> go.Figure:
    """Draw the frame of `means_of_shares`: tenfold rarer is one step to the right."""
    scale = make_scale(means["mean"], "latency", "log")
    lines = [
        _line(str(name), own, styles[str(name)], scale)
        for name, own in means.groupby("system", observed=True, sort=False)
    ]
    said = METRICS[str(means["metric"].iloc[0])].title.partition(",")[0]
    title = OPERATIONS[operation]
    shares = sorted(set(means["share"]))
    return flat_figure(
        lines,
        f"<b>{title.capitalize()}</b> – {said} of the slowest requests",
        CAPTION,
        f"percentiles of {said} of {title} of "
        f"{', '.join(label(str(name)) for name in means['system'].unique())}",
        400,
        xaxis=axis("share of the requests")
        | {"tickvals": [_place(s) for s in shares]}
        | {"ticktext": [f"{100 * s:g} %" for s in shares]},
        yaxis=value_axis(scale) | {"automargin": True},
    )


def _place(share: float) -> float:
    return -math.log10(1 - share)


def _line(name: str, rows: pd.DataFrame, look: Look, scale: Scale) -> go.Scatter:
    return go.Scatter(
        x=[_place(share) for share in rows["share"]],
        y=list(rows["mean"] / scale.factor),
        **look.line(),
        text=[f"{100 * s:g} % of requests" for s in rows["share"]],
        customdata=[f"n = {n}" for n in rows["n"]],
        hovertemplate=f"<b>{label(name)}</b><br>%{{text}} took at most %{{y:.3r}} "
        f"{scale.unit}<br>%{{customdata}}<extra></extra>",
        name=label(name),
    )
