"""What printed text allows: ranges as bars, "less than" as an arrow, not as a point."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.tests import interval_of_runs
from fsviz.checks.phrases import count
from fsviz.figures.choosing import choose, metric_of, note_beside, of_one
from fsviz.figures.looks import Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.marks import note_findings
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import (
    axis,
    flat_figure,
    label,
    make_scale,
    number,
    rows_axis,
)
from fsviz.model.table import METRICS, OPERATIONS
from fsviz.model.units import format_size

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

CAPTION = (
    "One bar for each printed number, as wide as the text leaves open: 32-35 is a "
    "range, not a measured 33.5. An arrow means less (or more) than its tail; how much "
    "is not known."
)
MEANS = "The pale bar below a system's runs is the 95 % interval of their mean."
_TIP = 1.15
"""An arrow to the right ends so many times beyond its tail."""


@takes("operation", "system", "metric", "scale", "marks")
def intervals(data: Data, asked: FigureOptions) -> go.Figure:
    """Draw every printed number with the bounds that its text allows.

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
    every, beside = of_one(choose(data, asked, metric), "tool")
    rows, sizes = _of_one_size(every)
    beside = " ".join(filter(None, (beside, sizes)))
    ends = [*rows["value"], *rows["low"], *rows["high"], *(_open(rows) * _TIP)]
    ends += [
        end for _, low, high in mean_intervals(rows, metric) for end in (low, high)
    ]
    positive = [v for v in ends if v == v and v > 0]
    figure = draw_intervals(
        rows, make_scale(positive, metric, asked.scale), metric, looks(data)
    )
    return note_findings(note_beside(figure, beside), asked.marks, rows)


def _of_one_size(rows: pd.DataFrame) -> tuple[pd.DataFrame, str]:
    """Keep the largest file that most systems have: another size is no repeat of it."""
    places = ["file_size_bytes", "record_size_bytes"]
    systems = rows.groupby(places, observed=True)["system"].nunique()
    if len(systems) < 2:
        return rows, ""
    # sorted: the last is the largest file with its largest record
    file, record = systems.index[systems == systems.max()][-1]
    kept = (rows[places[0]] == file) & (rows[places[1]] == record)
    said = f"file {format_size(int(file))}, record {format_size(int(record))}"
    others = count(len(systems) - 1, "other size")
    return rows.loc[kept.fillna(value=False)], f"Only of {said}; {others} not shown."


def draw_intervals(
    rows: pd.DataFrame, scale: Scale, metric: str, styles: Looks
) -> go.Figure:
    """Draw rows of the tidy table, one operation and metric."""
    names = list(rows["system"].unique())
    bars: list = []
    dots: list = []
    arrows: list = []
    for position, (_, own) in enumerate(rows.groupby("system", sort=False)):
        step = 0.7 / max(len(own), 1)
        for k, row in enumerate(own.itertuples()):
            y = position + (k - (len(own) - 1) / 2) * step
            kind = bars if row.low == row.low and row.high == row.high else arrows
            if row.value != row.value and (row.low == 0 or kind is arrows):
                kind = arrows
            kind.append((row, y))
            if row.value == row.value:
                dots.append((row, y))
    title = OPERATIONS[str(rows["operation"].iloc[0])]
    values = value_axis(scale)
    means = mean_intervals(rows, metric)
    drawn = [
        *_bars(bars, scale, styles),
        _dots(dots, scale),
        *_arrows(arrows, scale, styles),
    ]
    return flat_figure(
        [*_mean_bars(means, names, scale, styles), *drawn],
        f"<b>{title.capitalize()}</b> – {METRICS[metric].title}, as printed",
        f"{CAPTION} {MEANS}" if means else CAPTION,
        f"{METRICS[metric].title} of {title} of {', '.join(map(label, names))}, each "
        "run as the interval that its text allows",
        max(320, 110 + 34 * len(names)),
        xaxis=axis(scale.title) | {k: v for k, v in values.items() if k != "title"},
        yaxis=rows_axis(names),
        showlegend=False,
    )


def _open(rows: pd.DataFrame) -> pd.Series:
    """What is known only to be more than this."""
    return rows.loc[rows["value"].isna() & rows["high"].isna(), "low"]


def mean_intervals(rows: pd.DataFrame, metric: str) -> list[tuple[str, float, float]]:
    """Give the interval of the mean of each system whose runs have one number each."""
    found = []
    for name, own in rows.groupby("system", sort=False, observed=True):
        low, high = interval_of_runs(own, metric)
        if low == low:
            found.append((str(name), low, high))
    return found


def _mean_bars(
    means: list[tuple[str, float, float]], names: list[str], scale: Scale, styles: Looks
) -> list[go.Scatter]:
    """Draw the intervals of means, below the runs."""
    return [
        go.Scatter(
            x=[_shown(low, scale), _shown(high, scale)],
            y=[names.index(name)] * 2,
            mode="lines",
            line={"color": styles[name].pale(0.3), "width": 14},
            text=[_mean_text(name, low, high, scale)] * 2,
            hovertemplate="%{text}<extra></extra>",
            name="interval of the mean",
        )
        for name, low, high in means
    ]


def _mean_text(name: str, low: float, high: float, scale: Scale) -> str:
    ends = f"{number(low / scale.factor)} – {number(high / scale.factor)} {scale.unit}"
    return f"<b>{label(name)}</b><br>95 % of the mean {ends}"


def _bars(found: list, scale: Scale, styles: Looks) -> list[go.Scatter]:
    drawn: dict[str, tuple[list, list]] = {}
    for row, at in found:
        x, y = drawn.setdefault(str(row.system), ([], []))
        x += [_shown(row.low, scale), _shown(row.high, scale), None]
        y += [at, at, None]
    return [
        go.Scatter(
            x=x,
            y=y,
            mode="lines",
            line={"color": styles[name].colour, "width": 5},
            hoverinfo="skip",
            name="as printed",
        )
        for name, (x, y) in drawn.items()
    ]


def _dots(found: list, scale: Scale) -> go.Scatter:
    return go.Scatter(
        x=[row.value / scale.factor for row, _ in found],
        y=[at for _, at in found],
        mode="markers",
        marker={"color": "#fff", "size": 5, "line": {"color": "#1f2933", "width": 1.2}},
        text=[
            f"<b>{label(row.system)}</b>, run {row.repeat}<br>"
            f"{number(row.value / scale.factor)} {scale.unit}"
            for row, _ in found
        ],
        hovertemplate="%{text}<extra></extra>",
        name="value",
    )


def _arrows(found: list, scale: Scale, styles: Looks) -> list[go.Scatter]:
    """An arrow to the left from a known top, to the right from a known bottom."""
    traces = []
    for row, at in found:
        top = row.high == row.high
        tail = _shown(row.high if top else row.low, scale)
        tip = _shown(0.0, scale) if top else tail * _TIP
        sign = "less" if top else "more"
        traces.append(
            go.Scatter(
                x=[tail, tip],
                y=[at, at],
                mode="lines+markers",
                line={"color": styles[str(row.system)].colour, "width": 2}
                | {"dash": "dot"},
                marker={
                    "symbol": [
                        "line-ns-open",
                        "triangle-left" if top else "triangle-right",
                    ],
                    "size": 10,
                    "color": styles[str(row.system)].colour,
                },
                text=[f"{label(row.system)}: {sign} than {number(tail)} {scale.unit}"]
                * 2,
                hovertemplate="%{text}<extra></extra>",
                name=f"{sign} than",
            )
        )
    return traces


def _shown(value: float, scale: Scale) -> float:
    """On a logarithmic axis the lowest place stands for zero."""
    shown = value / scale.factor
    return max(shown, scale.low * 0.88) if scale.log or math.isnan(shown) else shown
