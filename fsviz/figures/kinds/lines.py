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
from fsviz.figures import style
from fsviz.figures.choosing import choose, note_beside, of_one
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.references import references
from fsviz.figures.panels.slice import size_axis, value_axis
from fsviz.figures.panels.stack import Panel, stack
from fsviz.figures.style import Scale, ScaleKind, group_of, label, make_scale, number
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
    "": "Means over runs with their 95 % intervals: where these overlap, the order of "
    "the lines may be chance. An arrow means more, or less, than its start.",
    "ideal": " Dotted: as much again for each thread.",
    "slowest": " Of the slowest child, a bar reaches up to the fastest.",
    "logs": "A line is one log of one job; jobs are not added up. Where a line breaks, "
    "no I/O ended in that step.",
}
_SLOWEST, _FASTEST = "min_child_throughput", "max_child_throughput"
_SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p99_9": 0.999}
_DASHES = {"read": "solid", "write": "dash", "trim": "dot"}
_STATED = "#b42318"
"""Colour of what the campaign states, as in the explorer."""
MOST_PANELS = 6
_FEW_LANES, _LANE, _NARROW = 6, 15, 9
"""Systems whose values are written beside them; heights of a lane [px]."""


@takes("system", "scale")
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
    for axis in (x or usual_axis(rows), *([] if x else ["none"])):
        placed, kind = _along(data, rows, axis)
        if tests := list(_tests(placed, kind, names_of(metric))):
            break  # sizes that grow together vary along no axis
    else:
        named = ", ".join(names_of(metric)) or "numbers"
        over = f" over {x}" if x else ""
        raise UsageError(f"lines: expected {named}{over}, found none")
    styles = looks(data)
    if kind == "none":
        figure = draw_strip(tests, styles, asked.scale)
    else:
        figure = draw_lines(data, tests, kind, styles, asked.scale)
    return note_beside(figure, " ".join(dict.fromkeys(t.note.strip() for t in tests)))


class Test(NamedTuple):
    """The rows of one metric of one operation that are drawn, and their one size."""

    operation: str
    metric: str
    size: str
    rows: pd.DataFrame
    note: str = ""
    """What was measured too, and is not drawn."""


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
            names = [f"{metric}_{end}" for end in _SHARES if kind == "percentile"]
            own = test.loc[test["metric"].isin(names or [metric])]
            own = own.loc[own[["value", "low", "high"]].notna().any(axis=1)]
            own, note = of_one(own, "tool")
            if kind in ("time", "run"):
                chosen, size = _levels(own), ""
            else:
                chosen, size, others = _cell(own, kind)
                if others:
                    more = count(others, "more combination")
                    note += f" {more} of sizes and settings not drawn."
            if len(chosen) and (kind == "none" or chosen["at"].nunique() > 1):
                absent = set(present(own, "system")) - set(present(chosen, "system"))
                if absent:
                    note += f" Not measured at this size: {listing(sorted(absent))}."
                if metric == _SLOWEST:
                    fastest = test.loc[test["metric"] == _FASTEST]
                    chosen = _up_to(chosen, fastest)
                yield Test(operation, metric, size, chosen, note)


def _up_to(slowest: pd.DataFrame, fastest: pd.DataFrame) -> pd.DataFrame:
    """Let the bound of each run's slowest process be its fastest."""
    keys = ["system", "run", "at", *COLUMNS.values(), "setting"]
    keys = [name for name in keys if name != "threads"]
    high = fastest[[*keys, "value"]].rename(columns={"value": "fastest"})
    return slowest.merge(high, how="left").assign(high=lambda rows: rows["fastest"])


def _usual_metrics(rows: pd.DataFrame, kind: str, several: bool) -> list[str]:
    there = present(rows, "metric")
    if kind == "percentile":
        return [f for f in ("latency", "completion_latency") if f"{f}_p50" in there][:1]
    main = [name for name in MAIN_METRICS if name in there][:1]
    if kind not in ("time", "run") and not (several and kind == "none"):
        main += [name for name in ("latency",) if name in there]
    if kind == "threads" and not several:
        main += [name for name in (_SLOWEST,) if name in there]
    return main or there[:1]


def _cell(rows: pd.DataFrame, kind: str) -> tuple[pd.DataFrame, str, int]:
    """Keep one tool, size and setting: those that most systems have, at their largest.

    Another size is no repeat of it, and a mean over sizes is of nothing.
    """
    if rows.empty:
        return rows, "", 0
    places = [n for n in (*COLUMNS.values(), "setting") if n != COLUMNS.get(kind, kind)]
    cells = rows.groupby(places, dropna=False, observed=True)
    order = cells.agg(
        systems=("system", "nunique"),
        points=("at", "nunique"),
        number=("value", "size"),
    ).assign(cell=range(cells.ngroups))
    order = order.reset_index().fillna({"file_size_bytes": -1, "record_size_bytes": -1})
    first = ["systems", "points" if kind == "file_size" else "file_size_bytes"]
    first += [n for n in ("points", "record_size_bytes", "number") if n in order]
    best = order.sort_values(first, ascending=False, kind="stable").iloc[0]
    chosen = rows.loc[cells.ngroup() == best["cell"]]
    sizes = [
        f"{name} {format_size(int(best[column]))}"
        for name, column in zip(("file", "record"), COLUMNS.values(), strict=False)
        if column in places and best[column] > 0
    ]
    usual = {"threads": 1, "setting": ""} | chosen.iloc[0][places].to_dict()
    under = conditions(usual["threads"], usual["setting"])
    texts = [*sizes, figure_text(under)]
    return chosen, ", ".join(filter(None, texts)), cells.ngroups - 1


def _levels(rows: pd.DataFrame) -> pd.DataFrame:
    """Reduce each run to its geometric mean over the cells that all its runs have."""
    parts = [rows.iloc[:0]]
    for _, own in rows.loc[rows["value"] > 0].groupby("system", sort=False):
        cell = own.groupby([*COLUMNS.values(), "setting"], dropna=False, observed=True)
        runs_of_cell = own.groupby(cell.ngroup())["run"].transform("nunique")
        shared = runs_of_cell == own["run"].nunique()
        cells = own.loc[shared] if shared.any() else own
        levels = np.exp(np.log(cells["value"]).groupby(cells["run"]).mean())
        runs = cells.drop_duplicates("run")
        values = runs["run"].map(levels)
        parts.append(runs.assign(value=values, low=values, high=values))
    return pd.concat(parts)


class Point(NamedTuple):
    """A system at one place: mean, interval and number of runs, or what bounds it."""

    at: Any
    mean: float
    low: float
    high: float
    n: int
    bound: str = ""
    """``more`` or ``less`` than the mean is all that is known, or a ``range``."""
    ends: str = "95 %"
    """What reaches from ``low`` to ``high``."""

    def between(self, scale: Scale) -> str:
        """Write both ends."""
        return " – ".join(number(v / scale.factor) for v in (self.low, self.high))

    def text(self, scale: Scale) -> str:
        """Write the value, or its bounds."""
        if self.bound == "range":
            return self.between(scale)
        sign = {"more": "> ", "less": "< "}.get(self.bound, "")
        return sign + number(self.mean / scale.factor)

    def hover(self, scale: Scale) -> str:
        """Write the value with its interval and the number of runs."""
        known = self.low == self.low and not self.bound
        interval = f"<br>{self.ends} {self.between(scale)}" if known else ""
        return f"{self.text(scale)} {scale.unit}{interval}<br>n = {self.n}"

    def half(self, scale: Scale) -> tuple[float, float]:
        """Return the interval's lengths above and below the mean [display unit]."""
        if self.bound in ("more", "less") or self.low != self.low:
            return 0.0, 0.0
        above, below = self.high - self.mean, self.mean - self.low
        return abs(above) / scale.factor, abs(below) / scale.factor


def points_of(rows: pd.DataFrame, metric: str) -> list[Point]:
    """Reduce one system's rows to a point at each place."""
    return [_point(at, own, metric) for at, own in rows.groupby("at", sort=True)]


def _point(at: Any, rows: pd.DataFrame, metric: str) -> Point:
    n, mean = rows["run"].nunique(), float(rows["value"].mean())
    if metric == _SLOWEST and rows["high"].notna().all():
        return Point(
            at, mean, mean, float(rows["high"].mean()), n, "", "to the fastest"
        )
    if rows["value"].notna().all() and not _is_range(rows).all():
        return Point(at, mean, *interval_of_runs(rows, metric), n)
    low, high = rows["low"].fillna(0).mean(), rows["high"].mean(skipna=False)
    bound = "range" if low > 0 else "less"
    bound = bound if math.isfinite(high) else "more"
    mean = {"more": low, "less": high, "range": (low + high) / 2}[bound]
    return Point(at, float(mean), float(low), float(high), n, bound)


def _is_range(rows: pd.DataFrame) -> pd.Series:
    """Return which numbers are ranges such as 32-35, whose middle was not measured."""
    middle = (rows["low"] + rows["high"]) / 2
    return (rows["value"] == middle) & (rows["high"] > rows["low"] * 1.05)


def _curves(
    rows: pd.DataFrame, metric: str, kind: ScaleKind
) -> tuple[dict[str, list[Point]], Scale]:
    """Reduce the rows of each system to points, and find a scale for them all."""
    groups = rows.groupby("system", sort=False, observed=True)
    curves = {str(name): points_of(own, metric) for name, own in groups}
    ends = [*rows["value"], *rows["low"], *rows["high"]]
    ends += [v for c in curves.values() for p in c for v in (p.mean, p.low, p.high)]
    # intervals may reach down to nothing, which no logarithmic axis shows
    least = rows[["value", "low", "high"]].replace(0, np.nan).min(axis=None) / 2
    return curves, make_scale([v for v in ends if v >= least], metric, kind)


def _value_axis(scale: Scale, metric: str, room: float = 0.0) -> dict[str, Any]:
    """Say on an axis of values which way is better, and leave room for texts."""
    values = value_axis(scale)
    title = values["title"]["text"].replace(", median", "")
    values["title"]["text"] = title + ", lower is better" * (METRICS[metric].better < 0)
    low, high = values["range"]
    return values | {"range": [low, high + (high - low) * room]}


def draw_lines(
    data: Data, tests: list[Test], kind: str, styles: Looks, scale_kind: ScaleKind
) -> go.Figure:
    """Draw a panel a test, with a line a system."""
    panels = []
    over = _axis_title(kind)
    for test in tests[:MOST_PANELS]:
        metric = str(test.rows["metric"].iloc[0])
        curves, scale = _curves(test.rows, metric, scale_kind)
        places = sorted(test.rows["at"].unique())
        traces = [draw_curve(n, c, kind, styles[n], scale) for n, c in curves.items()]
        if kind == "threads" and metric in MAIN_METRICS:
            traces += [_ideal(c, styles[n], scale) for n, c in curves.items()]
        traces += _stated(data, list(curves), kind, places, scale)
        title = f"{_titled(test.operation, test.size)} – "
        title += f"{_metric_title(test.metric)} over {over}"
        axes = _x_axis(kind, places), _value_axis(scale, metric)
        panels.append(Panel(title, traces, *axes))
    more = len(tests) - len(panels)
    caption = CAPTIONS.get("time" if kind == "run" else kind, CAPTIONS[""])
    caption += CAPTIONS["ideal"] if kind == "threads" else ""
    caption += CAPTIONS["slowest"] if _SLOWEST in (t.metric for t in tests) else ""
    caption += f" {more} more: name an operation to see it." if more else ""
    metrics, systems = _summary(tests)
    title = f"{metrics} over {over}"
    return stack(panels, title, caption, f"{title} of {systems}")


def _ideal(points: list[Point], look: Look, scale: Scale) -> go.Scatter:
    """Draw what each thread would add if it brought as much as the fewest do."""
    each = points[0].mean / points[0].at / scale.factor
    return go.Scatter(
        x=[point.at for point in points],
        y=[point.at * each for point in points],
        mode="lines",
        line={"color": look.pale(0.7), "width": 1.5, "dash": "dot"},
        hoverinfo="skip",
        name="ideal",
        legendgroup="ideal",
    )


def _stated(
    data: Data, systems: list[str], kind: str, places: list[Any], scale: Scale
) -> Iterator[go.Scatter]:
    """Draw memory, cache and link of the machines, where they lie within the axes."""
    for mark in references(data, systems):
        value = mark.value / scale.factor
        if mark.kind == "throughput":
            shown = scale.metric_unit == "B/s" and scale.low <= value <= scale.high
            x, y = [_place(kind, places[0]), _place(kind, places[-1])], [value, value]
        else:
            shown = kind == "file_size" and places[0] < mark.value < places[-1]
            x, y = [math.log2(mark.value)] * 2, [scale.high, scale.low]
        if shown:
            yield go.Scatter(
                x=x,
                y=y,
                mode="lines+text",
                text=[f"\N{EN SPACE}{mark.text}", ""],
                textposition="top right",
                textfont={"size": 11, "color": _STATED},
                line={"color": _STATED, "width": 1.2, "dash": "dot"},
                hoverinfo="skip",
                showlegend=False,
                name="reference",
            )


def _titled(operation: str, size: str) -> str:
    name = OPERATIONS.get(operation, operation).capitalize()
    return f"<b>{name}</b>" + (f", {size}" if size else "")


def _metric_title(metric: str) -> str:
    return METRICS[metric].title if metric in METRICS else metric.replace("_", " ")


def _summary(tests: list[Test]) -> tuple[str, str]:
    """Name the metrics and the systems of a figure."""
    systems = dict.fromkeys(name for test in tests for name in test.rows["system"])
    metrics = dict.fromkeys(_metric_title(test.metric) for test in tests)
    return listing(metrics), listing(systems)


def _axis_title(kind: str) -> str:
    titles = {"percentile": "share of the requests", "time": "start of the run"}
    return titles.get(kind) or label(kind.replace("_", " "))


def _x_axis(kind: str, places: list[Any]) -> dict[str, Any]:
    title = _axis_title(kind)
    if kind in ("file_size", "record_size"):
        return size_axis(title, [int(place) for place in places], 12)
    if kind == "percentile":
        ticks = {"tickvals": [_place(kind, share) for share in places]}
        return style.axis(title, ticktext=[f"{100 * s:g} %" for s in places], **ticks)
    if kind in ("time", "run") or isinstance(places[0], str):
        return style.axis(title, **({"dtick": 1} if kind == "run" else {}))
    numbers = style.axis(title, tickvals=places, ticktext=[f"{p:g}" for p in places])
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
) -> go.Scatter:
    """Draw one system: its line with intervals, and arrows where only a bound is."""
    points = [point._replace(at=_place(kind, point.at)) for point in points]
    line = {"color": look.colour, "width": 2}
    bar = {"thickness": 1, "color": look.pale(0.6)}
    return _marks(name, points, look, scale, "x", bar, mode="lines+markers", line=line)


def _marks(
    name: str,
    points: list[Point],
    look: Look,
    scale: Scale,
    along: str,
    bar: dict[str, Any],
    **more: Any,
) -> go.Scatter:
    """Draw means with their intervals along ``x`` or ``y``, or what bounds them."""
    value, arrows = ("y", "up down") if along == "x" else ("x", "right left")
    shapes = [f"triangle-{way}-open" for way in arrows.split()]
    symbols = {"": look.symbol, "range": f"line-{'ew' if along == 'x' else 'ns'}-open"}
    symbols |= dict(zip(("more", "less"), shapes, strict=True))
    above, below = zip(*(point.half(scale) for point in points), strict=True)
    ends = {"array": above, "arrayminus": below, "symmetric": False, "width": 3}
    return go.Scatter(
        {
            along: [point.at for point in points],
            value: [max(point.mean / scale.factor, scale.low) for point in points],
            f"error_{value}": bar | ends | {"visible": any(above)},
        },
        marker={
            "color": look.colour,
            "symbol": [symbols[point.bound] for point in points],
            "size": 9,
            "line": {"width": 1.5, "color": look.colour},
        },
        text=[point.hover(scale) for point in points],
        hovertemplate=f"<b>{label(name)}</b><br>%{{text}}<extra></extra>",
        name=label(name),
        legendgroup=group_of(name),
        **more,
    )


def draw_strip(tests: list[Test], styles: Looks, kind: ScaleKind) -> go.Figure:
    """Draw every run: a row a test with a lane a system, or a row a system."""
    by_test = len({test.operation for test in tests}) > 1
    # a row of bounds alone compares nothing
    drawn = [test for test in tests if test.rows["value"].notna().any()] or tests
    panels = [
        _strip([t for t in drawn if t.metric == metric], styles, kind, by_test)
        for metric in dict.fromkeys(test.metric for test in drawn)
    ]
    title, systems = _summary(drawn)
    caption = CAPTIONS["none"]
    if bounded := len(tests) - len(drawn):
        caption += (
            f" Not drawn: {count(bounded, 'test')} of which only bounds are known."
        )
    return stack(panels, title, caption, f"{title} of {systems}")


def _strip(
    tests: list[Test], styles: Looks, scale_kind: ScaleKind, by_test: bool
) -> Panel:
    """Draw the panel of one metric."""
    metric = tests[0].metric
    rows = pd.concat([test.rows for test in tests])
    lanes = [name for name in styles if (rows["system"] == name).any()]
    names = [test.operation for test in tests] if by_test else lanes
    few = len(lanes) <= _FEW_LANES or not by_test
    systems, operations = rows["system"].astype(str), rows["operation"].astype(str)
    at = (operations if by_test else systems).map(names.index).astype(float)
    if by_test:
        at += (systems.map(lanes.index) - (len(lanes) - 1) / 2) / (len(lanes) + 1)
    rows = rows.assign(at=at)
    curves, scale = _curves(rows, metric, scale_kind)
    traces = [
        trace.update(showlegend=by_test and trace.showlegend is not False)
        for name in lanes
        for trace in _lane(
            name, rows.loc[systems == name], curves[name], styles[name], scale
        )
        if few or not trace.name.startswith("values of ")
    ]
    sizes = {test.size for test in tests}
    size = sizes.pop() if len(sizes) == 1 else "each at its largest size"
    name = tests[0].operation if len(tests) == 1 else f"{len(tests)} tests"
    title = _titled(name, size)
    lane = (_LANE if few else _NARROW) * (len(lanes) + 1 if by_test else 2)
    titles = [OPERATIONS.get(name, name) for name in names]
    return Panel(
        f"{title} – {_metric_title(metric)} [{scale.unit}]",
        traces,
        _value_axis(scale, metric, 0.12),
        style.rows_axis(titles, showgrid=False),
        20 + len(names) * lane,
    )


def _lane(
    name: str, runs: pd.DataFrame, points: list[Point], look: Look, scale: Scale
) -> list[go.Scatter]:
    """Draw one system: its means with intervals, its runs, and their values."""
    bar = {"thickness": 2, "color": look.colour}
    # the legend shows the first one's shape, which is not to be an arrow
    points = sorted(points, key=lambda point: bool(point.bound))
    mean = _marks(name, points, look, scale, "y", bar, mode="markers")
    common = {"legendgroup": group_of(name), "showlegend": False, "hoverinfo": "skip"}
    dots = go.Scatter(
        x=list(runs["value"].mask(_is_range(runs)) / scale.factor),
        y=list(runs["at"]),
        mode="markers",
        marker={"color": look.pale(0.45), "size": 5},
        name=f"runs of {label(name)}",
        **common,
    )
    farthest = runs.groupby("at")[["value", "low", "high"]].max().max(axis=1)
    values = go.Scatter(
        x=[np.nanmax([p.mean, p.high, farthest[p.at]]) / scale.factor for p in points],
        y=[point.at for point in points],
        mode="text",
        # without the word it would be taken for the value of the run beside it
        text=[f"\N{EN SPACE}{'mean ' * (not p.bound)}{p.text(scale)}" for p in points],
        textposition="middle right",
        textfont={"size": 10, "color": style.INK},
        cliponaxis=False,
        name=f"values of {label(name)}",
        **common,
    )
    return [mean, dots, values]


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
    names = list(data["name"].unique())
    styles = {n: Look(style.colour(k), style.symbol(k)) for k, n in enumerate(names)}
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
        xaxis = style.axis("time since the job began [s]", rangemode="tozero")
        panels.append(Panel(title, traces, xaxis, _value_axis(scale, name)))
    if not panels:
        raise UsageError("time: expected logs of two steps or more, found shorter ones")
    return stack(
        panels, "over time", CAPTIONS["logs"], f"time logs of {listing(names)}"
    )


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
        legendgroup=group_of(name),
    )
