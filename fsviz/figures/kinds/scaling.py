"""Over threads or over a setting: whether twice as many do twice as much."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.aggregate import means_by
from fsviz.analysis.scaling import along_setting, varied_setting
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
    "Filled: what the threads report together; hollow: what the parent saw over the "
    "whole time, stragglers included. The dashed line is ideal: each thread adds as "
    "much as the first. A gap between filled and hollow means threads did not overlap."
)
_ALONG = "Means over the runs of each system; n is in the text of each point."
_SPEEDS = ("rate", "throughput")
_LATER = ("latency",)
_GAP = 0.06
_SEEN = {"throughput": "the threads", "parent_throughput": "the parent"}


@takes("operation", "system", "marks")
def scaling(data: Data, asked: FigureOptions) -> go.Figure:
    """Draw throughput over the number of threads, or speed and latency over a setting.

    Where a setting such as ``iodepth`` has several numbers, that is the axis, with a
    line a system; else the threads of throughput mode are, with the ideal line.

    Parameters
    ----------
    {shared}

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If nothing was measured in throughput mode, or with several settings.
    """
    rows = choose(data, asked)
    if name := varied_setting(rows):
        along = along_setting(rows, name)
        own, beside = of_one(along, "tool", *SIZES, "setting")
        figure = draw_along(means_along(own), name, asked.operation, looks(data))
    else:
        own, beside = of_one(rows, "tool", "setting")
        figure = draw_scaling(scaling_means(own), asked.operation, looks(data))
    return note_findings(note_beside(figure, beside), asked.marks, own)


def means_along(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean over runs by system, metric and number of a setting: speed, then latency."""
    found = set(rows["metric"].astype(str))
    shown = [m for m in _SPEEDS if m in found][:1] + [m for m in _LATER if m in found]
    own = rows.loc[rows["metric"].isin(shown)]
    return means_by(own, ["system", "metric", "at"]).sort_values("at")


def draw_along(
    means: pd.DataFrame, setting: str, operation: str, styles: Looks
) -> go.Figure:
    """Draw the frame of `means_along`: a panel a metric, a line a system."""
    names = list(means["system"].unique())
    metrics = [m for m in (*_SPEEDS, *_LATER) if (means["metric"] == m).any()]
    height = (1 - _GAP * (len(metrics) - 1)) / len(metrics)
    traces, axes = [], {}
    for panel, metric in enumerate(metrics):
        own = means.loc[means["metric"] == metric]
        scale = make_scale(own["mean"], metric)
        axis_name = f"y{panel + 1}" if panel else "y"
        for system, rows in own.groupby("system", observed=True, sort=False):
            line = _along(str(system), setting, rows, styles[str(system)], scale)
            traces.append(line.update(yaxis=axis_name, showlegend=not panel))
        top = 1 - panel * (height + _GAP)
        axes[f"yaxis{panel + 1 if panel else ''}"] = value_axis(scale) | {
            "automargin": True,
            "domain": [max(0.0, top - height), top],
        }
    numbers = sorted(set(means["at"]))
    title = OPERATIONS[operation]
    said = " and ".join(METRICS[m].title for m in metrics)
    return flat_figure(
        traces,
        f"<b>{title.capitalize()}</b> – {said} over {label(setting)}",
        _ALONG,
        f"{said} of {title} over {label(setting)} of {', '.join(map(label, names))}",
        280 * len(metrics) + 120,
        xaxis=axis(label(setting), type="log" if numbers[0] > 0 else "linear")
        | {"tickvals": numbers, "ticktext": [f"{n:g}" for n in numbers]}
        | {"anchor": f"y{len(metrics)}" if len(metrics) > 1 else "y"},
        **axes,
    )


def _along(
    name: str, setting: str, rows: pd.DataFrame, look: Look, scale: Scale
) -> go.Scatter:
    return go.Scatter(
        x=list(rows["at"]),
        y=list(rows["mean"] / scale.factor),
        **look.line(),
        text=[f"n = {n}" for n in rows["n"]],
        hovertemplate=f"<b>{label(name)}</b><br>{label(setting)} %{{x}}: "
        f"%{{y:.3r}} {scale.unit}<br>%{{text}}<extra></extra>",
        name=label(name),
        legendgroup=name,
    )


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
        **look.line("" if whole else "-open"),
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
