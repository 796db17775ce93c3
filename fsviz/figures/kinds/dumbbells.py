"""bonnie++: every test a row, every system a dot, joined to show the distance."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from fsviz.analysis.buckets import summary
from fsviz.figures.choosing import choose
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.marks import note_findings
from fsviz.figures.panels.multiples import heading
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import (
    GRID,
    INK,
    axis,
    flat_figure,
    label,
    make_scale,
    number,
    panel_grid,
    rows_axis,
)
from fsviz.model.errors import UsageError
from fsviz.model.names import Names, names_of
from fsviz.model.table import OPERATIONS
from fsviz.model.tools import TOOLS

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

REPEATED = "(mean over runs), its line the 95 % interval over runs"
ONCE = "(one run each, so no interval)"
CAPTION = (
    "One row a test, one dot a system {runs}, on logarithmic axes: equal distances are "
    "equal ratios. Right is better for throughput and rate, left is better for latency "
    "and CPU use. An arrow has runs too quick to time: its mean is more than its tail."
)
FAMILIES = "One hue a protocol, one shape a version."
PANELS = ("throughput", "rate", "latency")
_GAP = 0.11
"""Between two panels, as a part of the figure's width: room for the longest name."""
_LEAST = 280
"""Below this width a panel and the names of its rows cannot be read [px]."""
_TIP = 1.3
"""An arrow ends so many times beyond its tail."""


@takes("system", "marks")
def dumbbells(data: Data, asked: FigureOptions, *, metric: Names = PANELS) -> go.Figure:
    """Draw all tests of bonnie++: a panel for each metric, side by side.

    Parameters
    ----------
    {shared}
    metric : str or sequence of str
        Any of ``throughput``, ``rate``, ``latency`` and ``cpu``.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there are no numbers from bonnie++.
    """
    rows = choose(data, asked)
    means = bonnie_means(rows)
    styles = looks(data)
    figure = draw_dumbbells(means, styles, names_of(metric))
    tests = rows.loc[rows["operation"].isin(list(TOOLS["bonnie++"].operations))]
    return note_findings(figure, asked.marks, tests)


def bonnie_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Mean over runs of each test, system and metric, with its interval or bound."""
    own = rows.loc[(rows["tool"] == "bonnie++")]
    if not own["value"].notna().any():
        raise UsageError("dumbbells: expected numbers of bonnie++, found none")
    frame = summary(own, by="operation")
    frame = frame.rename(columns={"mean_low": "least", "n_runs": "n"})
    frame = frame.loc[frame["mean"].notna() | (frame["least"] > 0)]
    frame = frame.reset_index(drop=True)
    return frame.astype({"system": str, "operation": str, "metric": str})


def draw_dumbbells(
    means: pd.DataFrame, styles: Looks, metrics: Sequence[str] = PANELS
) -> go.Figure:
    """Draw some metrics of the frame of `bonnie_means` that have numbers."""
    names = list(means["system"].unique())
    styles = {name: styles[name] for name in names}
    tests = [
        name for name in TOOLS["bonnie++"].operations if name in set(means["operation"])
    ]
    # a panel that nothing can be drawn in would leave a third of the figure empty
    shown = [m for m in metrics if (means["metric"] == m).any()]
    if not shown:
        raise UsageError(f"dumbbells: expected {' or '.join(metrics)}, found none")
    traces: list = []
    axes: dict = {}
    titles = []
    width = (1 + _GAP) / len(shown)
    for k, metric in enumerate(shown, 1):
        domain = [(k - 1) * width, k * width - _GAP]
        own = means.loc[means["metric"] == metric]
        suffix = str(k) if k > 1 else ""
        drawn, placed = _metric(own, tests, styles, suffix, domain)
        traces += drawn
        axes |= placed
        unit = placed[f"xaxis{suffix}"]["title"]["text"]
        titles.append(heading(unit.removesuffix(", log scale"), domain[0], 1.03))
    measured = means.groupby("metric")["operation"].nunique()[shown]
    height = min(560, 200 + int(measured.max()) * (20 + 14 * len(names)))
    shared = len({hue for hue, _ in styles.values()}) < len(styles)
    drawn_rows = means.loc[means["metric"].isin(shown)]
    repeated = (drawn_rows["n"] > 1).any()
    caption = CAPTION.format(runs=REPEATED if repeated else ONCE)
    figure = flat_figure(
        [*traces, *_keys(styles), *_signs(drawn_rows)],
        "<b>bonnie++</b> – every test",
        f"{caption} {FAMILIES}" if shared else caption,
        f"{', '.join(shown)} of bonnie++ of {', '.join(map(label, names))}",
        height,
        annotations=titles,
        # above: whose dots they are must be seen before the dots
        legend={"orientation": "h", "x": 0, "y": 1.08, "yanchor": "bottom"},
        margin={"l": 20, "r": 20, "t": 90, "b": 20},
        **axes,
    )
    filled = (width - _GAP) / width
    ends = {"ends": 1 + _GAP, "filled": filled, "between": 110}
    panels = panel_grid(len(shown), 1, len(shown), _LEAST, **ends)  # type: ignore[arg-type]
    # below one another, a panel is as high as its tests need
    panels["lines"] = [int(measured[metric]) for metric in shown]
    figure.layout.meta |= {"panels": panels}
    return figure


def _metric(
    own: pd.DataFrame,
    tests: list[str],
    styles: Looks,
    suffix: str,
    domain: list[float],
) -> tuple[list, dict]:
    """One panel: its traces and its axes."""
    metric = str(own["metric"].iloc[0])
    shown = [t for t in tests if t in set(own["operation"])]
    numbers = [*own["mean"], *own["ci_low"], *own["ci_high"]]
    # room for the tail and the tip of an arrow
    numbers += [*(own["least"] / _TIP), *(own["least"] * _TIP)]
    scale = make_scale([v for v in numbers if v > 0], metric, "log")
    values = value_axis(scale) | {"domain": domain, "anchor": f"y{suffix}"}
    if len(values["tickvals"]) > 4:
        values |= {name: values[name][::2] for name in ("tickvals", "ticktext")}
    wording = [_short(OPERATIONS[t]) for t in shown]
    axes = {
        f"xaxis{suffix}": axis(scale.title) | values,
        f"yaxis{suffix}": rows_axis(wording, anchor=f"x{suffix}", showgrid=False),
    }
    return _panel(own, shown, styles, scale, suffix), axes


def _keys(styles: Looks) -> list[go.Scatter]:
    """Name every system in the legend, whichever panels it is in."""
    return [
        go.Scatter(
            x=[None],
            y=[None],
            mode="markers",
            marker={"color": hue, "symbol": shape, "size": 9},
            name=label(name),
            legendgroup=name,
        )
        for name, (hue, shape) in styles.items()
    ]


def _signs(rows: pd.DataFrame) -> list[go.Scatter]:
    """Explain in the legend what is no dot, of what is drawn."""
    signs = [
        ("slowest to fastest system", {"color": GRID, "width": 4}, None),
        ("95 % interval", {"color": INK, "width": 1.5}, None),
        (
            "more than its tail",
            {"color": INK, "width": 2, "dash": "dot"},
            "triangle-right",
        ),
    ]
    return [
        go.Scatter(
            x=[None],
            y=[None],
            mode="lines+markers" if mark else "lines",
            line=line,
            marker={"color": INK, "symbol": mark or "circle", "size": 9},
            hoverinfo="skip",
            name=name,
        )
        for (name, line, mark), is_drawn in zip(
            signs,
            (
                rows["system"].nunique() > 1,
                rows["ci_low"].notna().any(),
                (rows["least"] > 0).any(),
            ),
            strict=True,
        )
        if is_drawn
    ]


def _short(title: str) -> str:
    """Two lines, so that three panels fit side by side."""
    first, _, rest = title.replace("sequential", "seq.").partition(" ")
    return f"{first} {rest}".replace("output ", "out ").replace("input ", "in ")


def _panel(
    own: pd.DataFrame, tests: list[str], styles: Looks, scale: Scale, suffix: str
) -> list:
    place = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}", "showlegend": False}
    own = own.assign(row=[tests.index(t) for t in own["operation"]])
    ends = own.groupby("row")["mean"].agg(["min", "max"]).dropna() / scale.factor
    join = go.Scatter(
        x=[v for low, high in ends.to_numpy() for v in (low, high, None)],
        y=[v for y in ends.index for v in (y, y, None)],
        mode="lines",
        line={"color": GRID, "width": 4},
        hoverinfo="skip",
        name="distance",
        **place,
    )
    drawn = [join]
    for position, (name, look) in enumerate(styles.items()):
        # a little above one another, so that intervals are seen
        off = (position - (len(styles) - 1) / 2) * 0.55 / len(styles)
        rows = own.loc[own["system"] == name]
        drawn += _system(name, rows.assign(y=rows["row"] + off), look, scale, place)
    return drawn + [_values(own, scale, place)] * (len(styles) == 1)


def _values(own: pd.DataFrame, scale: Scale, place: dict) -> go.Scatter:
    """Write the numbers beside the dots of a single system."""
    timed = own.loc[own["mean"] > 0]
    values = timed["mean"] / scale.factor
    return go.Scatter(
        x=list(values),
        y=list(timed["row"]),
        mode="text",
        text=[f"\N{EN SPACE}{number(value)}" for value in values],
        textposition="middle right",
        textfont={"size": 11},
        cliponaxis=False,
        hoverinfo="skip",
        name="values",
        **place,
    )


def _system(
    name: str, rows: pd.DataFrame, look: Look, scale: Scale, place: dict
) -> list[go.Scatter]:
    """One system in one panel: intervals, dots, and arrows for what has no number."""
    hue, shape = look
    factor, unit = scale.factor, scale.unit
    sure = rows.loc[rows["ci_low"].notna()]
    lows = (sure["ci_low"] / factor).clip(lower=scale.low * 0.88)
    timed = rows.loc[rows["mean"] > 0]
    untimed = rows.loc[rows["least"] > 0]
    said = {"legendgroup": name, **place}
    title = f"<b>{label(name)}</b><br>"
    line = go.Scatter(
        x=_segments(lows, sure["ci_high"] / factor),
        y=_segments(sure["y"], sure["y"]),
        mode="lines",
        line={"color": hue, "width": 1.5},
        hoverinfo="skip",
        name=f"interval of {label(name)}",
        **said,
    )
    dots = go.Scatter(
        x=list(timed["mean"] / factor),
        y=list(timed["y"]),
        mode="markers",
        cliponaxis=False,  # one at the end of an axis is not cut in half
        marker={"color": hue, "symbol": shape, "size": 9}
        | {"line": {"color": "#fff", "width": 0.8}},
        text=[_runs(row, factor) for row in timed.itertuples()],
        hovertemplate=f"{title}%{{x:.3r}} {unit}<br>%{{text}}<extra></extra>",
        name=label(name),
        **said,
    )
    tails = untimed["least"] / factor
    arrows = go.Scatter(
        x=_segments(tails, tails * _TIP),
        y=_segments(untimed["y"], untimed["y"]),
        mode="lines+markers",
        line={"color": hue, "width": 2, "dash": "dot"},
        marker={
            "color": hue,
            "size": 9,
            "symbol": ["line-ns-open", "triangle-right", "circle"] * len(untimed),
        },
        text=[f"more than {number(tail)} {unit}" for tail in tails for _ in range(3)],
        hovertemplate=f"{title}%{{text}}<extra></extra>",
        name=f"bounds of {label(name)}",
        **said,
    )
    return [line, dots, arrows]


def _segments(first: pd.Series, last: pd.Series) -> list[float | None]:
    """Pairs of numbers with a gap after each, as plotly draws separate lines."""
    pairs = zip(first, last, strict=True)
    return [v for low, high in pairs for v in (float(low), float(high), None)]


def _runs(row: Any, factor: float) -> str:
    """Say of a dot its interval and number of runs."""
    if row.ci_low != row.ci_low:
        return f"n = {row.n}"
    low, high = number(row.ci_low / factor), number(row.ci_high / factor)
    return f"95 % {low} – {high}, n = {row.n}"
