"""Any metric over any axis, a line a system; without an axis, a strip of its runs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import plotly.graph_objects as go

from fsviz.analysis.cells import present, select
from fsviz.analysis.scaling import along_setting, usual_axis, varied_setting
from fsviz.analysis.tests import geometric_mean, interval_of_runs
from fsviz.checks.phrases import conditions, count, listing
from fsviz.figures import style
from fsviz.figures._logs import draw_logs
from fsviz.figures.choosing import choose, note_beside, rows_of_method
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.curve import Point, draw_curve, draw_marks
from fsviz.figures.panels.references import STROKE, references
from fsviz.figures.panels.slice import directed_axis, size_axis
from fsviz.figures.panels.stack import MOST_PANELS, Panel, stack
from fsviz.figures.style import Scale, ScaleKind, group_of, label, make_scale
from fsviz.model.errors import UsageError
from fsviz.model.escaping import figure_text
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names, names_of
from fsviz.model.table import MAIN_METRICS, METRICS, OPERATIONS
from fsviz.model.units import format_size

if TYPE_CHECKING:
    from fsviz.model.campaign import Data

COLUMNS = {
    "file_size": "file_size_bytes",
    "record_size": "record_size_bytes",
    "threads": "threads",
}
_SIZED = tuple(COLUMNS)[:2]
_CELL = [*COLUMNS.values(), "setting"]
_BOUNDS = ["value", "low", "high"]
_RUNS = ("time", "run")  # axes with a mark a run
CAPTIONS = {
    "none": "Small dots are runs, large ones geometric means with 95 % intervals.",
    "once": "One mark a system and test: single repeats are not given.",
    "time": "One mark a run: the geometric mean over its cells. A slope means that "
    "something changed while you measured.",
    "percentile": "At 99 %: of 100 requests, 99 took no longer than this. Geometric "
    "means over runs with their 95 % intervals.",
    "": "Geometric means over runs with their 95 % intervals: where these overlap, the "
    "order of the lines may be chance.",
    "range": "A bar without a dot is a printed range.",
    "bound": "An arrow means more, or less.",
    "ideal": " Dotted: as much again for each thread.",
    "slowest": " Bars reach from the slowest child to the fastest.",
}
_SLOWEST, _FASTEST = "min_child_throughput", "max_child_throughput"
_SHARES = {"p50": 0.5, "p95": 0.95, "p99": 0.99, "p99_9": 0.999}
# systems whose values are written beside them; heights of lanes and of a row [px]
_FEW_LANES, _LANE, _NARROW, _ROW = 6, 15, 9, 22


@takes("system", "scale")
def lines(
    data: Data,
    options: FigureOptions,
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
        return draw_logs(data, options, operation, metric)
    rows = select(choose(data, options), operation=operation)
    for name in (x or usual_axis(rows), *([] if x else ["none"])):
        placed, axis = _along(data, rows, name)
        if tests := list(_tests(placed, axis, names_of(metric))):
            break  # sizes that grow together vary along no axis
    else:
        over = f" over {x}" if x else ""
        expected = ", ".join(names_of(metric)) or "numbers"
        raise UsageError(f"lines: expected {expected}{over}, found none")
    draw = draw_strip if axis == "none" else draw_lines
    figure = draw(data, tests, axis, options.scale)
    rows = pd.concat([test.rows for test in tests])
    bare = rows["value"].isna() & (rows["metric"] != _SLOWEST)
    closed = (rows["low"] > 0) & np.isfinite(rows["high"])
    ranges = _is_range(rows) | (bare & closed)
    signs = {"range": ranges.any(), "bound": (bare & ~closed).any()}
    notes = [CAPTIONS[sign] for sign, drawn in signs.items() if drawn]
    notes += [test.note.strip() for test in tests]
    return note_beside(figure, " ".join(dict.fromkeys(filter(None, notes))))


class Test(NamedTuple):
    """The rows of one metric of one operation that are drawn, and their one size."""

    operation: str
    metric: str
    size: str
    rows: pd.DataFrame
    note: str = ""
    """What was measured too, and is not drawn."""

    @property
    def quantity(self) -> str:
        """The metric in words."""
        name = self.metric
        return METRICS[name].title if name in METRICS else name.replace("_", " ")


def _along(data: Data, rows: pd.DataFrame, axis: str) -> tuple[pd.DataFrame, str]:
    """Add the place of each row on the axis, ``at``; name a setting."""
    if axis == "none":
        return rows.assign(at=0.0), axis
    if axis == "time":
        runs = getattr(data, "runs", pd.DataFrame(columns=["system", "run", "started"]))
        started = runs.set_index(["system", "run"])["started"]
        keys = pd.MultiIndex.from_frame(rows[["system", "run"]].astype(str))
        times = started.reindex(keys).to_numpy()
        if pd.isna(times).any():
            return rows.assign(at=rows["repeat"].astype(float)), "run"
        return rows.assign(at=times), axis
    if axis == "percentile":
        ends = rows["metric"].astype(str).str.extract(r"latency_(p.*)$")[0].map(_SHARES)
        # tenfold rarer is one step
        return rows.assign(at=-np.log10(1 - ends)).loc[ends.notna()], axis
    if axis in COLUMNS:
        places = rows[COLUMNS[axis]].astype("Float64").astype(float)
        at = np.log2(places) if axis in _SIZED else places
        return rows.assign(at=at).loc[places.notna()], axis
    name = varied_setting(rows) if axis == "setting" else axis
    if not name:
        return rows.assign(at=rows["setting"].astype(str)), axis
    return along_setting(rows, name), name


def _tests(rows: pd.DataFrame, axis: str, metrics: list[str]) -> Iterator[Test]:
    """Choose what is drawn: of each test and metric, the cells that differ in x."""
    several_tests = rows["operation"].nunique() > 1
    for operation in present(rows, "operation"):
        test = rows.loc[rows["operation"] == operation]
        for metric in metrics or _usual_metrics(test, axis, several_tests):
            names = [f"{metric}_{end}" for end in _SHARES if axis == "percentile"]
            measured = test.loc[test["metric"].isin(names or [metric])]
            measured = measured.loc[measured[_BOUNDS].notna().any(axis=1)]
            measured, note = rows_of_method(measured, "tool")
            if axis in _RUNS:
                drawn, size = _levels(measured), ""
            else:
                drawn, size, cells = _largest_cell(measured, axis)
                if cells > 1:
                    more = count(cells - 1, "more combination")
                    note += f" {more} of sizes and settings not drawn."
            if drawn.empty or (axis != "none" and drawn["at"].nunique() < 2):
                continue
            of_tool = rows.loc[rows["tool"].isin(drawn["tool"]), "system"]
            if absent := set(of_tool) - set(drawn["system"]):
                where = f"{OPERATIONS.get(operation, operation)} {size}".strip()
                note += f" Not measured at {where}: {listing(sorted(absent))}."
            if metric == _SLOWEST:
                drawn = _to_fastest(drawn, test.loc[test["metric"] == _FASTEST])
            yield Test(operation, metric, size, drawn, note)


def _to_fastest(slowest: pd.DataFrame, fastest: pd.DataFrame) -> pd.DataFrame:
    """Make a range of each run's slowest and fastest process."""
    keys = ["system", "run", "at", "file_size_bytes", "record_size_bytes", "setting"]
    pairs = slowest.merge(fastest[[*keys, "value"]], on=keys, suffixes=("", "_most"))
    return pairs.assign(value=np.nan, low=pairs["value"], high=pairs["value_most"])


def _usual_metrics(rows: pd.DataFrame, axis: str, several_tests: bool) -> list[str]:
    measured = present(rows, "metric")
    if axis == "percentile":
        latencies = ("latency", "completion_latency")
        return [name for name in latencies if f"{name}_p50" in measured][:1]
    metrics = [name for name in MAIN_METRICS if name in measured][:1]
    if axis not in _RUNS and not (several_tests and axis == "none"):
        metrics.append("latency")
    if axis == "threads" and not several_tests:
        metrics.append(_SLOWEST)
    return [name for name in metrics if name in measured] or measured[:1]


def _largest_cell(rows: pd.DataFrame, axis: str) -> tuple[pd.DataFrame, str, int]:
    """Choose the size and setting that most systems have, at their largest; count all.

    Another size is no repeat of it, and a mean over sizes is of nothing.
    """
    if rows.empty:
        return rows, "", 0
    places = [n for n in _CELL if n != COLUMNS.get(axis, axis)]
    cells = rows.groupby(places, dropna=False, observed=True)
    order = cells.agg(
        systems=("system", "nunique"), points=("at", "nunique"), n=("value", "size")
    ).assign(cell=range(cells.ngroups))
    order = order.reset_index().fillna({"file_size_bytes": -1, "record_size_bytes": -1})
    keys = ["systems", "points" if axis == "file_size" else "file_size_bytes"]
    keys += [n for n in ("points", "record_size_bytes", "n") if n in order]
    largest = order.sort_values(keys, ascending=False, kind="stable").iloc[0]
    chosen = rows.loc[cells.ngroup() == largest["cell"]]
    sizes = [
        f"{name.partition('_')[0]} {format_size(int(largest[COLUMNS[name]]))}"
        for name in _SIZED
        if COLUMNS[name] in places and largest[COLUMNS[name]] > 0
    ]
    usual = {"threads": 1, "setting": ""} | chosen.iloc[0][places].to_dict()
    under = figure_text(conditions(usual["threads"], usual["setting"]))
    return chosen, ", ".join(filter(None, [*sizes, under])), cells.ngroups


def _levels(rows: pd.DataFrame) -> pd.DataFrame:
    """Reduce each run to its geometric mean over the cells that all its runs have."""
    levels = [rows.iloc[:0]]
    for _, runs in rows.loc[rows["value"] > 0].groupby("system", sort=False):
        cell = runs.groupby(_CELL, dropna=False, observed=True).ngroup()
        shared = runs.groupby(cell)["run"].transform("nunique") == runs["run"].nunique()
        cells = runs.loc[shared] if shared.any() else runs
        value = cells.groupby("run")["value"].transform(geometric_mean)
        level = cells.assign(value=value, low=value, high=value)
        levels.append(level.drop_duplicates("run"))
    return pd.concat(levels)


def _point(at: Any, rows: pd.DataFrame) -> Point:
    """Reduce one system's rows at one place."""
    n = rows["run"].nunique()
    if rows["value"].notna().all() and not _is_range(rows).all():
        return Point(at, geometric_mean(rows["value"]), *interval_of_runs(rows), n)
    low, high = geometric_mean(rows["low"].fillna(0)), geometric_mean(rows["high"])
    bound = ("range" if low > 0 else "less") if math.isfinite(high) else "more"
    mean = {"more": low, "less": high, "range": (low + high) / 2}[bound]
    return Point(at, mean, low, high, n, bound)


def _is_range(rows: pd.DataFrame) -> pd.Series:
    """Return which numbers are ranges such as 32-35, whose middle was not measured."""
    middle = (rows["low"] + rows["high"]) / 2
    return (rows["value"] == middle) & (rows["high"] > rows["low"] * 1.05)


def _curves(
    rows: pd.DataFrame, metric: str, kind: ScaleKind
) -> tuple[dict[str, list[Point]], Scale]:
    """Reduce the rows of each system to points, and find a scale for them all."""
    curves: dict[str, list[Point]] = {}
    for (name, at), cell in rows.groupby(["system", "at"], observed=True):
        curves.setdefault(str(name), []).append(_point(at, cell))
    ends = rows[_BOUNDS].to_numpy(float).ravel().tolist()
    ends += [v for c in curves.values() for p in c for v in (p.mean, p.low, p.high)]
    # intervals may reach down to nothing, which no logarithmic axis shows
    least = rows[_BOUNDS].replace(0, np.nan).min(axis=None) / 2
    curves = {name: curves[name] for name in present(rows, "system")}
    return curves, make_scale([v for v in ends if v >= least], metric, kind)


def draw_lines(
    data: Data, tests: list[Test], axis: str, scale_kind: ScaleKind
) -> go.Figure:
    """Draw a panel a test, with a line a system."""
    styles = looks(data)
    over = _axis_title(axis)
    panels = []
    for test in tests[:MOST_PANELS]:
        metric = str(test.rows["metric"].iloc[0])
        curves, scale = _curves(test.rows, metric, scale_kind)
        places = sorted(test.rows["at"].unique())
        traces = [draw_curve(n, c, styles[n], scale) for n, c in curves.items()]
        if axis == "threads" and metric in MAIN_METRICS:
            traces += [_ideal(c, styles[n], scale) for n, c in curves.items()]
        traces += _reference_lines(data, list(curves), axis, places, scale)
        title = f"{_titled(test.operation, test.size)} – {test.quantity} over {over}"
        axes = _x_axis(axis, places), directed_axis(scale, metric)
        panels.append(Panel(title, traces, *axes))
    caption = CAPTIONS.get("time" if axis == "run" else axis, CAPTIONS[""])
    caption += CAPTIONS["ideal"] if axis == "threads" else ""
    caption += CAPTIONS["slowest"] if _SLOWEST in (t.metric for t in tests) else ""
    if more := len(tests) - len(panels):
        caption += f" {more} more: name an operation to see it."
    title = f"{listing(dict.fromkeys(t.quantity for t in tests))} over {over}"
    return stack(panels, title, caption)


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


def _reference_lines(
    data: Data, systems: list[str], axis: str, places: list[Any], scale: Scale
) -> Iterator[go.Scatter]:
    """Draw memory, cache and link of the machines, where they lie within the axes."""
    for mark in references(data, systems):
        value, side = mark.value / scale.factor, "right"
        if mark.kind == "throughput":
            shown = scale.metric_unit == "B/s" and scale.low <= value <= scale.high
            x, y = [places[0], places[-1]], [value, value]
        else:
            at = math.log2(mark.value)
            shown = axis == "file_size" and places[0] < at < places[-1]
            x, y = [at, at], [scale.high, scale.low]
            side = "left" if shown and at > sum(places) / len(places) else "right"
        if shown:
            yield go.Scatter(
                x=x,
                y=y,
                mode="lines+text",
                text=[f"\N{EN SPACE}{mark.text}\N{EN SPACE}", ""],
                textposition=f"top {side}",
                textfont={"size": 11, "color": STROKE},
                line={"color": STROKE, "width": 1.2, "dash": "dot"},
                hoverinfo="skip",
                showlegend=False,
                name="reference",
            )


def _titled(operation: str, size: str) -> str:
    name = OPERATIONS.get(operation, operation).capitalize()
    return f"<b>{name}</b>" + (f", {size}" if size else "")


def _axis_title(axis: str) -> str:
    titles = {"percentile": "share of the requests", "time": "start of the run"}
    return titles.get(axis) or label(axis.replace("_", " "))


def _x_axis(axis: str, places: list[Any]) -> dict[str, Any]:
    title = _axis_title(axis)
    if axis in _SIZED:
        return size_axis(title, [round(2**place) for place in places], 12)
    if axis == "percentile":
        shares = [f"{100 - 10 ** (2 - place):g} %" for place in places]
        return style.axis(title, tickvals=places, ticktext=shares)
    if axis in _RUNS or isinstance(places[0], str):
        return style.axis(title, **({"dtick": 1} if axis == "run" else {}))
    numbers = style.axis(title, tickvals=places, ticktext=[f"{p:g}" for p in places])
    if places[0] <= 0:
        return numbers
    ends = [math.log10(places[0]) - 0.1, math.log10(places[-1]) + 0.1]
    return numbers | {"type": "log", "range": ends}


def draw_strip(data: Data, tests: list[Test], _: str, kind: ScaleKind) -> go.Figure:
    """Draw every run: a row a test with a lane a system, or a row a system."""
    by_test = len({test.operation for test in tests}) > 1
    # a row of bounds alone compares nothing
    drawn = [test for test in tests if test.rows["value"].notna().any()] or tests
    panels = [
        _strip([t for t in drawn if t.metric == metric], looks(data), kind, by_test)
        for metric in dict.fromkeys(test.metric for test in drawn)
    ]
    repeated = any(t.rows.duplicated(["system", "metric"]).any() for t in drawn)
    caption = CAPTIONS["none" if repeated else "once"]
    if bounded := len(tests) - len(drawn):
        bounds = f"{count(bounded, 'test')} of which only bounds are known"
        caption += f" Not drawn: {bounds}."
    return stack(panels, listing(dict.fromkeys(t.quantity for t in drawn)), caption)


def _strip(
    tests: list[Test], styles: Looks, scale_kind: ScaleKind, by_test: bool
) -> Panel:
    """Draw the panel of one metric."""
    rows = pd.concat([test.rows for test in tests])
    systems, operations = rows["system"].astype(str), rows["operation"].astype(str)
    lanes = [name for name in styles if (systems == name).any()]
    names = [test.operation for test in tests] if by_test else lanes
    at = (operations if by_test else systems).map(names.index).astype(float)
    if by_test:
        at += (systems.map(lanes.index) - (len(lanes) - 1) / 2) / (len(lanes) + 1)
    rows = rows.assign(at=at)
    curves, scale = _curves(rows, tests[0].metric, scale_kind)
    few = len(lanes) <= _FEW_LANES or not by_test
    traces: list[go.Scatter] = []
    for name in lanes:
        runs = rows.loc[systems == name]
        lane = _lane(name, runs, curves[name], styles[name], scale)
        traces += lane if few else lane[:2]
    for trace in traces:
        trace.showlegend = by_test and trace.showlegend is not False
    sizes = {test.size for test in tests}
    size = sizes.pop() if len(sizes) == 1 else "each at its largest size"
    name = tests[0].operation if len(tests) == 1 else f"{len(tests)} tests"
    height = (_LANE if few else _NARROW) * (len(lanes) + 1) if by_test else _ROW
    return Panel(
        f"{_titled(name, size)} – {tests[0].quantity}",
        traces,
        directed_axis(scale, tests[0].metric, room=0.2),
        style.rows_axis([OPERATIONS.get(n, n) for n in names], showgrid=False),
        20 + len(names) * height,
    )


def _lane(
    name: str, runs: pd.DataFrame, points: list[Point], look: Look, scale: Scale
) -> list[go.Scatter]:
    """Draw one system: its means with intervals, its runs, and their values."""
    bar = {"thickness": 2, "color": look.colour}
    # the legend shows the first one's shape, which is not to be an arrow
    points = sorted(points, key=lambda point: bool(point.bound))
    mean = draw_marks(name, points, look, scale, "y", bar)
    common = {"legendgroup": group_of(name), "showlegend": False, "hoverinfo": "skip"}
    dots = go.Scatter(
        x=list(runs["value"].mask(_is_range(runs)) / scale.factor),
        y=list(runs["at"]),
        mode="markers",
        marker={"color": look.pale(0.45), "size": 5},
        name=f"runs of {label(name)}",
        **common,
    )
    farthest = runs.groupby("at")[_BOUNDS].max().max(axis=1)
    values = go.Scatter(
        x=[np.nanmax([p.mean, p.high, farthest[p.at]]) / scale.factor for p in points],
        y=[point.at for point in points],
        mode="text",
        text=[f"\N{EN SPACE}{point.named(scale)}" for point in points],
        textposition="middle right",
        textfont={"size": 10, "color": style.INK},
        cliponaxis=False,
        name=f"values of {label(name)}",
        **common,
    )
    return [mean, dots, values]
