"""Any metric over any axis, a line a system; without an axis, a strip of its runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import plotly.graph_objects as go

from fsviz.analysis.cells import present
from fsviz.analysis.scaling import along_setting, usual_axis, varied_setting
from fsviz.analysis.tests import interval_of_runs
from fsviz.analysis.time_logs import in_steps
from fsviz.checks.phrases import conditions, count, listing
from fsviz.figures.choosing import choose, note_beside, of_one
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.marks import note_findings
from fsviz.figures.panels.slice import size_axis, value_axis
from fsviz.figures.style import (
    INK,
    Scale,
    ScaleKind,
    axis,
    colour,
    flat_figure,
    group_of,
    label,
    lines_between,
    make_scale,
    number,
    rows_axis,
    symbol,
)
from fsviz.model.errors import UsageError
from fsviz.model.escaping import figure_text
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names, names_of
from fsviz.model.names import choose as choose_names
from fsviz.model.table import MAIN_METRICS, METRICS, OPERATIONS
from fsviz.model.units import format_size

if TYPE_CHECKING:
    from fsviz.model.campaign import Data

COLUMNS = {
    "file_size": "file_size_bytes",
    "record_size": "record_size_bytes",
    "threads": "threads",
}
CAPTIONS = {
    "none": "Small dots are runs, large ones their mean with its 95 % interval. A bar "
    "is the range that the printed text allows; an arrow means more, or less, than "
    "its start.",
    "time": "One mark a run: the geometric mean over its cells. A slope means that "
    "something changed while you measured.",
    "percentile": "At 99 %: of 100 requests, 99 took no longer than this.",
}
LINES = (
    "Means over runs with their 95 % intervals: where these overlap, the order of the "
    "lines may be chance. An arrow means more, or less, than its start."
)
LOGS = (
    "A line is one log of one job; jobs are not added up. Where a line breaks, no I/O "
    "ended in that step."
)
_SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p99_9": 0.999}
_DASHES = {"read": "solid", "write": "dash", "trim": "dot"}
MOST_PANELS, _PANEL, _GAP = 6, 300, 84
"""Panels of a figure; height of one, and between two [px]."""
_FEW_LANES, _LANE, _NARROW = 6, 15, 9
"""Systems whose values are written beside them; heights of a lane [px]."""


@takes("system", "scale", "marks")
def lines(
    data: Data,
    asked: FigureOptions,
    *,
    operation: Names = None,
    metric: Names = None,
    x: str = "",
) -> go.Figure:
    """Draw any metric over any axis, with one line per system.

    Parameters
    ----------
    {shared}
    operation : str or sequence of str, optional
        By default every operation, up to six if there is an axis.
    metric : str or sequence of str, optional
        By default the operation's main metric, and its latency.
    x : str
        Axis: ``file_size``, ``record_size``, ``threads``, ``time``, ``percentile`` (of
        latencies), ``setting``, the name of a setting such as ``iodepth``, or
        ``none`` for a strip with every run. By default the one that varies.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there are no such numbers, or if they do not vary along the axis.
    """
    if isinstance(data, pd.DataFrame) and "time_s" in data:
        return draw_logs(data, asked, operation, metric)
    rows = choose(data, asked)
    if names := choose_names("operation", operation, present(rows, "operation")):
        rows = rows.loc[rows["operation"].isin(names)]
    rows, kind = _along(data, rows, x or usual_axis(rows))
    tests = list(_tests(rows, kind, names_of(metric)))
    if not x and not tests:  # sizes that grow together vary along no axis
        rows, kind = _along(data, rows, "none")
        tests = list(_tests(rows, kind, names_of(metric)))
    if not tests:
        named = ", ".join(names_of(metric)) or "numbers"
        over = f" over {x}" if x else ""
        raise UsageError(f"lines: expected {named}{over}, found none")
    draw = draw_strip if kind == "none" else draw_lines
    figure = draw(tests, kind, looks(data), asked.scale)
    figure = note_beside(figure, " ".join(dict.fromkeys(t.note.strip() for t in tests)))
    return note_findings(figure, asked.marks, pd.concat([test.rows for test in tests]))


class Test(NamedTuple):
    """The rows of one metric of one operation that are drawn, and their one size."""

    operation: str
    metric: str
    size: str
    rows: pd.DataFrame
    note: str = ""
    """What was measured too, and is not drawn."""


class Panel(NamedTuple):
    """A part of a figure: its title, what is drawn, its axes, and its height [px]."""

    title: str
    traces: list[go.Scatter]
    xaxis: dict[str, Any]
    yaxis: dict[str, Any]
    height: int = _PANEL


def stack(panels: list[Panel], title: str, caption: str, alt: str) -> go.Figure:
    """Draw panels one below another; the legend names each system once."""
    whole = sum(panel.height for panel in panels) + _GAP * (len(panels) - 1)
    traces: list[go.Scatter] = []
    axes: dict[str, Any] = {}
    notes, top = [], float(whole)
    for k, panel in enumerate(panels):
        n = f"{k + 1 if k else ''}"
        domain = [max(0.0, (top - panel.height) / whole), top / whole]
        axes[f"xaxis{n}"] = panel.xaxis | {"anchor": f"y{n}", "automargin": True}
        axes[f"yaxis{n}"] = panel.yaxis | {"anchor": f"x{n}", "automargin": True}
        axes[f"yaxis{n}"]["domain"] = domain
        for trace in panel.traces:
            first = all(trace.name != other.name for other in traces)
            trace.showlegend = first and trace.showlegend is not False
            traces.append(trace.update(xaxis=f"x{n}", yaxis=f"y{n}"))
        place = {"x": 0, "y": domain[1], "xref": "paper", "yref": "paper", "yshift": 4}
        look = {"showarrow": False, "xanchor": "left", "yanchor": "bottom"}
        notes.append({"text": panel.title, **place, **look})
        top -= panel.height + _GAP
    alone = len(panels) == 1
    return flat_figure(
        traces,
        panels[0].title if alone else f"<b>{title[:1].upper()}{title[1:]}</b>",
        caption,
        alt,
        whole + 150,
        annotations=[] if alone else notes,
        showlegend=any(trace.showlegend for trace in traces),
        **axes,
    )


def _along(data: Data, rows: pd.DataFrame, kind: str) -> tuple[pd.DataFrame, str]:
    """Add the place of each row on the axis, ``at``; name a setting."""
    if kind == "none":
        return rows.assign(at=0.0), kind
    if kind == "time":
        runs = getattr(data, "runs", pd.DataFrame(columns=["system", "run", "started"]))
        started = runs.set_index(["system", "run"])["started"]
        keys = pd.MultiIndex.from_frame(rows[["system", "run"]].astype(str))
        times = started.reindex(keys).to_numpy()
        if pd.isna(times).any():
            return rows.assign(at=rows["repeat"].astype(float)), "run"
        return rows.assign(at=times), kind
    if kind == "percentile":
        ends = rows["metric"].astype(str).str.extract(r"latency_(p.*)$")[0].map(_SHARES)
        return rows.assign(at=ends).loc[ends.notna()], kind
    if kind in COLUMNS:
        places = rows[COLUMNS[kind]].astype("Float64").astype(float)
        return rows.assign(at=places).loc[places.notna()], kind
    name = varied_setting(rows) if kind == "setting" else kind
    if kind == "setting" and not name:
        return rows.assign(at=rows["setting"].astype(str)), kind
    return along_setting(rows, name), name


def _tests(rows: pd.DataFrame, kind: str, metrics: list[str]) -> Iterator[Test]:
    """Choose what is drawn: of each test and metric, the cells that differ in x."""
    several = rows["operation"].nunique() > 1
    for operation in present(rows, "operation"):
        test = rows.loc[rows["operation"] == operation]
        for metric in metrics or _usual_metrics(test, kind, several):
            ends = _SHARES if kind == "percentile" else ()
            names = [f"{metric}_{end}" for end in ends] or [metric]
            own = test.loc[test["metric"].isin(names)]
            own, note = of_one(
                own.loc[own[["value", "low", "high"]].notna().any(axis=1)], "tool"
            )
            by_run = kind in ("time", "run")
            chosen, size, others = (
                (_levels(own), "", 0) if by_run else _one_cell(own, kind)
            )
            if others:
                note += f" {count(others, 'other size or setting')} not drawn."
            if len(chosen) and (kind == "none" or chosen["at"].nunique() > 1):
                absent = set(present(own, "system")) - set(present(chosen, "system"))
                if absent:
                    note += f" Not measured at this size: {listing(sorted(absent))}."
                yield Test(operation, metric, size, chosen, note)


def _usual_metrics(rows: pd.DataFrame, kind: str, several: bool) -> list[str]:
    there = present(rows, "metric")
    if kind == "percentile":
        return [f for f in ("latency", "completion_latency") if f"{f}_p50" in there][:1]
    main = [name for name in MAIN_METRICS if name in there][:1]
    latency = (
        [] if kind in ("time", "run") or (several and kind == "none") else ["latency"]
    )
    return [name for name in (*main, *latency) if name in there] or there[:1]


def _one_cell(rows: pd.DataFrame, kind: str) -> tuple[pd.DataFrame, str, int]:
    """Keep one tool, size and setting: those that most systems have, at their largest.

    Another size is no repeat of it, and a mean over sizes is of nothing.
    """
    places = ["file_size_bytes", "record_size_bytes", "threads", "setting"]
    places = [name for name in places if name != COLUMNS.get(kind)]
    places = [name for name in places if not (kind == "setting" and name == "setting")]
    if rows.empty:
        return rows, "", 0
    cells = rows.groupby(places, dropna=False, observed=True)
    order = cells.agg(
        systems=("system", "nunique"),
        points=("at", "nunique"),
        number=("value", "size"),
    ).assign(cell=range(cells.ngroups))
    order = order.reset_index().fillna({"file_size_bytes": -1, "record_size_bytes": -1})
    first = ["systems", *(["points"] if kind == "file_size" else ["file_size_bytes"])]
    first += [
        name for name in ("points", "record_size_bytes", "number") if name in order
    ]
    best = order.sort_values(first, ascending=False, kind="stable").iloc[0]
    kept = rows.loc[cells.ngroup() == best["cell"]]
    sizes = [
        f"{name} {format_size(int(best[column]))}"
        for name, column in (
            ("file", "file_size_bytes"),
            ("record", "record_size_bytes"),
        )
        if column in places and pd.notna(best[column]) and best[column] > 0
    ]
    threads = str(kept["threads"].iloc[0]) if kind != "threads" else "1"
    setting = str(kept["setting"].iloc[0]) if kind != "setting" else ""
    under = figure_text(conditions(threads, setting))
    return kept, ", ".join(filter(None, [*sizes, under])), cells.ngroups - 1


def _levels(rows: pd.DataFrame) -> pd.DataFrame:
    """Reduce each run to its geometric mean over the cells that all its runs have."""
    parts = []
    for _, own in rows.loc[rows["value"] > 0].groupby("system", sort=False):
        cell = own.groupby(
            ["file_size_bytes", "record_size_bytes", "threads", "setting"],
            dropna=False,
            observed=True,
        ).ngroup()
        shared = own.groupby(cell)["run"].transform("nunique") == own["run"].nunique()
        cells = own.loc[shared] if shared.any() else own
        levels = np.exp(np.log(cells["value"]).groupby(cells["run"]).mean())
        runs = cells.drop_duplicates("run")
        values = runs["run"].map(levels)
        parts.append(runs.assign(value=values, low=values, high=values))
    return pd.concat(parts) if parts else rows.iloc[:0]


class Point(NamedTuple):
    """A system at one place: mean, interval and number of runs, or what bounds it."""

    at: Any
    mean: float
    low: float
    high: float
    n: int
    bound: str = ""
    """``more`` or ``less`` than the mean is all that is known, or a ``range``."""

    def text(self, scale: Scale) -> str:
        """Write the value, or its bounds."""
        signs = {"more": "> ", "less": "< "}
        if self.bound == "range":
            ends = (number(v / scale.factor) for v in (self.low, self.high))
            return " – ".join(ends)
        return signs.get(self.bound, "") + number(self.mean / scale.factor)

    def hover(self, scale: Scale) -> str:
        """Write the value with its interval and the number of runs."""
        texts = [f"{self.text(scale)} {scale.unit}"]
        if self.low == self.low and not self.bound:
            ends = (number(v / scale.factor) for v in (self.low, self.high))
            texts.append(f"95 % {' – '.join(ends)}")
        return "<br>".join([*texts, f"n = {self.n}"])

    def half(self, scale: Scale) -> tuple[float, float]:
        """Return the interval's lengths above and below the mean [display unit]."""
        if self.bound or self.low != self.low:
            return 0.0, 0.0
        above, below = self.high - self.mean, self.mean - self.low
        return abs(above) / scale.factor, abs(below) / scale.factor


def points_of(rows: pd.DataFrame, metric: str) -> list[Point]:
    """Reduce one system's rows to a point at each place."""
    points = []
    for at, own in rows.groupby("at", sort=True):
        n = own["run"].nunique()
        if own["value"].notna().all() and not _is_range(own).all():
            low, high = interval_of_runs(own, metric)
            points.append(Point(at, float(own["value"].mean()), low, high, n))
            continue
        low, high = own["low"].fillna(0).mean(), own["high"].mean(skipna=False)
        bound = "range" if low > 0 else "less"
        bound = bound if math.isfinite(high) else "more"
        mean = {"more": low, "less": high, "range": (low + high) / 2}[bound]
        points.append(Point(at, float(mean), float(low), float(high), n, bound))
    return points


def _is_range(rows: pd.DataFrame) -> pd.Series:
    """Return which numbers are ranges such as 32-35, whose middle was not measured."""
    middle = (rows["low"] + rows["high"]) / 2
    return (rows["value"] == middle) & (rows["high"] > rows["low"] * 1.05)


def _scale(
    rows: pd.DataFrame, points: list[Point], metric: str, kind: ScaleKind
) -> Scale:
    ends = [*rows["value"], *rows["low"], *rows["high"]]
    ends += [v for p in points for v in (p.mean, p.low, p.high)]
    # intervals may reach down to nothing, which no logarithmic axis shows
    least = rows[["value", "low", "high"]].replace(0, np.nan).min(axis=None) / 2
    return make_scale([v for v in ends if v >= least], metric, kind)


def _value_axis(scale: Scale, metric: str, room: float = 0.0) -> dict[str, Any]:
    """Say on an axis of values which way is better, and leave room for texts."""
    values = value_axis(scale)
    title = values["title"]["text"].replace(", median", "")
    values["title"]["text"] = title + ", lower is better" * (METRICS[metric].better < 0)
    low, high = values["range"]
    return values | {"range": [low, high + (high - low) * room]}


def draw_lines(
    tests: list[Test], kind: str, styles: Looks, scale_kind: ScaleKind
) -> go.Figure:
    """Draw a panel a test, with a line a system."""
    panels = []
    over = _axis_title(kind)
    for test in tests[:MOST_PANELS]:
        metric = str(test.rows["metric"].iloc[0])
        groups = test.rows.groupby("system", sort=False, observed=True)
        curves = {str(name): points_of(own, metric) for name, own in groups}
        points = [point for curve in curves.values() for point in curve]
        scale = _scale(test.rows, points, metric, scale_kind)
        traces = [
            trace
            for name, curve in curves.items()
            for trace in draw_curve(name, curve, kind, styles[name], scale)
        ]
        title = f"{_titled(test.operation, test.size)} – "
        title += f"{_metric_title(test.metric)} over {over}"
        axes = (
            _x_axis(kind, sorted(test.rows["at"].unique())),
            _value_axis(scale, metric),
        )
        panels.append(Panel(title, traces, *axes))
    more = len(tests) - len(panels)
    caption = CAPTIONS.get("time" if kind == "run" else kind, LINES)
    caption += f" {more} more: name an operation to see it." if more else ""
    title = f"{_listed_metrics(tests)} over {over}"
    names = dict.fromkeys(name for test in tests for name in test.rows["system"])
    return stack(panels, title, caption, f"{title} of {listing(names)}")


def _titled(operation: str, size: str) -> str:
    name = OPERATIONS.get(operation, operation).capitalize()
    return f"<b>{name}</b>" + (f", {size}" if size else "")


def _metric_title(metric: str) -> str:
    return METRICS[metric].title if metric in METRICS else metric.replace("_", " ")


def _listed_metrics(tests: list[Test]) -> str:
    return listing(dict.fromkeys(_metric_title(test.metric) for test in tests))


def _axis_title(kind: str) -> str:
    titles = {"percentile": "share of the requests", "time": "start of the run"}
    return titles.get(kind) or label(kind.replace("_", " "))


def _x_axis(kind: str, places: list[Any]) -> dict[str, Any]:
    title = _axis_title(kind)
    if kind in ("file_size", "record_size"):
        return size_axis(title, [int(place) for place in places], 12)
    if kind == "percentile":
        texts = [f"{100 * share:g} %" for share in places]
        return axis(title, tickvals=[_place(kind, p) for p in places], ticktext=texts)
    if kind in ("time", "run") or isinstance(places[0], str):
        return axis(title, **({"dtick": 1} if kind == "run" else {}))
    numbers = axis(title, tickvals=places, ticktext=[f"{p:g}" for p in places])
    if places[0] <= 0:
        return numbers
    ends = [math.log10(places[0]) - 0.1, math.log10(places[-1]) + 0.1]
    return numbers | {"type": "log", "range": ends}


def _place(kind: str, at: Any) -> Any:
    """Place on the axis: doublings of sizes, and tenfold rarer is one step."""
    if kind in ("file_size", "record_size"):
        return math.log2(at)
    return -math.log10(1 - at) if kind == "percentile" else at


def draw_curve(
    name: str, points: list[Point], kind: str, look: Look, scale: Scale
) -> list[go.Scatter]:
    """Draw one system: its line with intervals, and arrows where only a bound is."""
    halves = [point.half(scale) for point in points]
    line = go.Scatter(
        x=[_place(kind, p.at) for p in points],
        y=[None if p.bound else p.mean / scale.factor for p in points],
        **look.line(size=7),
        error_y=_errors(halves, 1, look.pale(0.6)),
        text=[p.hover(scale) for p in points],
        hovertemplate=f"<b>{label(name)}</b><br>%{{text}}<extra></extra>",
        name=label(name),
        legendgroup=group_of(name),
    )
    bounds = [(_place(kind, p.at), p) for p in points if p.bound]
    return [line, *_bounds(name, bounds, look, scale, across=False)]


def _errors(
    halves: list[tuple[float, float]], thickness: int, ink: str
) -> dict[str, Any]:
    above, below = zip(*halves, strict=True) if halves else ((), ())
    ends = {"array": above, "arrayminus": below, "symmetric": False, "color": ink}
    return ends | {"thickness": thickness, "width": 3, "visible": any(above)}


def _bounds(
    name: str,
    bounds: list[tuple[Any, Point]],
    look: Look,
    scale: Scale,
    *,
    across: bool,
) -> list[go.Scatter]:
    """Draw what is only known to be more or less than a number, or in a range."""
    if not bounds:
        return []
    more, less = ("right", "left") if across else ("up", "down")
    shapes = {"more": f"triangle-{more}-open", "less": f"triangle-{less}-open"}
    shapes["range"] = "line-ew-open" if across else "line-ns-open"
    places = [at for at, _ in bounds]
    values = [max(point.mean / scale.factor, scale.low) for _, point in bounds]
    ranges = [
        ((p.high - p.mean) / scale.factor,) * 2 if p.bound == "range" else (0.0, 0.0)
        for _, p in bounds
    ]
    drawn = go.Scatter(
        x=values if across else places,
        y=places if across else values,
        mode="markers",
        marker={"symbol": [shapes[p.bound] for _, p in bounds], "size": 11}
        | {"color": look.colour, "line": {"width": 1.5}},
        text=[point.hover(scale) for _, point in bounds],
        hovertemplate=f"<b>{label(name)}</b><br>%{{text}}<extra></extra>",
        showlegend=False,
        legendgroup=group_of(name),
        name=f"bounds of {label(name)}",
    )
    drawn["error_x" if across else "error_y"] = _errors(ranges, 6, look.pale(0.5))
    return [drawn]


def draw_strip(
    tests: list[Test], _: str, styles: Looks, scale_kind: ScaleKind
) -> go.Figure:
    """Draw every run: a row a test with a lane a system, or a row a system."""
    by_test = len({test.operation for test in tests}) > 1
    panels = []
    for metric in dict.fromkeys(test.metric for test in tests):
        shown = [test for test in tests if test.metric == metric]
        panels.append(_strip(shown, metric, styles, scale_kind, by_test=by_test))
    title = _listed_metrics(tests)
    names = dict.fromkeys(name for test in tests for name in test.rows["system"])
    return stack(panels, title, CAPTIONS["none"], f"{title} of {listing(names)}")


def _strip(
    tests: list[Test],
    metric: str,
    styles: Looks,
    scale_kind: ScaleKind,
    *,
    by_test: bool,
) -> Panel:
    """Draw the panel of one metric."""
    rows = pd.concat([test.rows for test in tests])
    lanes = [name for name in styles if (rows["system"] == name).any()]
    names = [test.operation for test in tests] if by_test else lanes
    few = len(lanes) <= _FEW_LANES or not by_test
    step = 1 / (len(lanes) + 1) if by_test else 0.0
    places = {
        (name, test.operation): names.index(test.operation if by_test else name)
        + (lanes.index(name) - (len(lanes) - 1) / 2) * step
        for name in lanes
        for test in tests
    }
    keys = zip(rows["system"].astype(str), rows["operation"].astype(str), strict=True)
    rows = rows.assign(at=[places[key] for key in keys])
    groups = rows.groupby("system", sort=False, observed=True)
    points = {str(name): points_of(own, metric) for name, own in groups}
    scale = _scale(
        rows, [p for own in points.values() for p in own], metric, scale_kind
    )
    traces = [
        trace.update(showlegend=by_test and trace.showlegend is not False)
        for name in lanes
        for trace in _lane(
            name,
            rows.loc[rows["system"] == name],
            points[name],
            styles[name],
            scale,
            texts=few,
        )
    ]
    sizes = {test.size for test in tests}
    size = sizes.pop() if len(sizes) == 1 else "each at its largest size"
    name = tests[0].operation if len(tests) == 1 else "every test"
    shown = f"{_titled(name, size)} – {_metric_title(metric)}"
    lane = (_LANE if few else _NARROW) * (len(lanes) + 1 if by_test else 2)
    height = 20 + len(names) * lane
    yaxis = rows_axis([OPERATIONS.get(name, name) for name in names], showgrid=False)
    return Panel(shown, traces, _value_axis(scale, metric, 0.12), yaxis, height)


def _lane(
    name: str,
    runs: pd.DataFrame,
    points: list[Point],
    look: Look,
    scale: Scale,
    *,
    texts: bool,
) -> list[go.Scatter]:
    """Draw one system: its means with intervals and values, its runs, their bounds."""
    known = [point for point in points if not point.bound]
    mean = go.Scatter(
        # an empty trace would be missing from the legend
        x=[point.mean / scale.factor for point in known] or (None,),
        y=[point.at for point in known] or (None,),
        mode="markers",
        marker={"color": look.colour, "symbol": look.symbol, "size": 9},
        error_x=_errors([point.half(scale) for point in known], 2, look.colour),
        text=[point.hover(scale) for point in known],
        hovertemplate=f"<b>{label(name)}</b><br>%{{text}}<extra></extra>",
        name=label(name),
        legendgroup=group_of(name),
    )
    common = {"legendgroup": group_of(name), "showlegend": False, "hoverinfo": "skip"}
    dots = go.Scatter(
        x=list(runs["value"].mask(_is_range(runs)) / scale.factor),
        y=list(runs["at"]),
        mode="markers",
        marker={"color": look.pale(0.45), "size": 5},
        name=f"runs of {label(name)}",
        **common,
    )
    wide = runs.loc[(runs["high"] > runs["low"] * 1.02) & (runs["low"] > 0)]
    ends = [
        (r.low / scale.factor, r.high / scale.factor, r.at) for r in wide.itertuples()
    ]
    bars = lines_between(ends, name, "printed ranges", look.pale(0.5))
    farthest = runs.groupby("at")[["value", "low", "high"]].max().max(axis=1)
    values = go.Scatter(
        x=[np.nanmax([p.mean, p.high, farthest[p.at]]) / scale.factor for p in points],
        y=[point.at for point in points],
        mode="text",
        text=[f"\N{EN SPACE}{point.text(scale)}" for point in points],
        textposition="middle right",
        textfont={"size": 10, "color": INK},
        cliponaxis=False,
        name=f"values of {label(name)}",
        **common,
    )
    bounds = [(point.at, point) for point in points if point.bound]
    drawn = [mean, dots, bars, *_bounds(name, bounds, look, scale, across=True)]
    return [*drawn, values] if texts else drawn


def draw_logs(
    data: pd.DataFrame, asked: FigureOptions, operation: Names, metric: Names
) -> go.Figure:
    """Draw what fio logged over the time of its runs."""
    wanted = {"system": asked.system, "operation": operation, "metric": metric}
    for column, named in wanted.items():
        if chosen := choose_names(column, named, list(dict.fromkeys(data[column]))):
            data = data[data[column].isin(chosen)]
    several = data["stem"].nunique() > 1
    data = data.assign(name=data["system"] + (", " + data["stem"] if several else ""))
    styles = {
        n: Look(colour(k), symbol(k)) for k, n in enumerate(data["name"].unique())
    }
    panels = []
    for logs in (("bw", "iops"), ("lat", "clat", "slat")):
        log = next((name for name in logs if (data["log"] == name).any()), "")
        rows = data.loc[data["log"] == log]
        groups = rows.groupby(["name", "operation", "job"], sort=False)
        steps = {key: frame for key, own in groups if len(frame := in_steps(own))}
        if not steps:
            continue
        name = str(rows["metric"].iloc[0])
        scale = make_scale(pd.concat([f["value"] for f in steps.values()]), name)
        traces = [_logged(key, f, styles[key[0]], scale) for key, f in steps.items()]
        title = f"<b>{METRICS[name].title.capitalize()}</b> over time"
        xaxis = axis("time since the job began [s]", rangemode="tozero")
        panels.append(Panel(title, traces, xaxis, _value_axis(scale, name)))
    if not panels:
        raise UsageError("time: expected logs of two steps or more, found shorter ones")
    return stack(panels, "over time", LOGS, f"time logs of {listing(styles)}")


def _logged(
    key: tuple[str, str, int], steps: pd.DataFrame, look: Look, scale: Scale
) -> go.Scatter:
    """Draw one log; a step without I/O breaks its line."""
    late = steps["time_s"].diff() > 1.6 * steps["step_s"]
    gaps = pd.DataFrame({"time_s": steps["time_s"][late]})  # before its index
    both = pd.concat([gaps, steps]).sort_index(kind="stable")
    name = f"{label(key[0])}, {key[1]}s"
    return go.Scatter(
        x=list(both["time_s"]),
        y=[None if v != v else v / scale.factor for v in both["value"]],
        mode="lines",
        line={"width": 1.6, "color": look.colour, "dash": _DASHES[key[1]]},
        hovertemplate=f"<b>{name}</b>, job {key[2]}<br>%{{x:.3r}} s: %{{y:.3r}} "
        f"{scale.unit}<extra></extra>",
        name=name,
        legendgroup=name,
    )
