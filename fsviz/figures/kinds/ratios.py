"""By how much: each system's ratio to the reference with its interval, by operation."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from fsviz.analysis.answers import DIFFERENT, NOT_COMPARABLE, SAME, directions
from fsviz.analysis.buckets import ALL, EDGES, regime_edges
from fsviz.answers.comparison import Comparison, compare
from fsviz.answers.words import (
    BUCKET_WORDS,
    WORDS,
    range_words,
    times_mark,
    times_words,
)
from fsviz.checks.phrases import conditions
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.style import (
    INK,
    SHORT_LABEL,
    axis,
    flat_figure,
    group_of,
    label,
    lines_between,
)
from fsviz.model.errors import UsageError
from fsviz.model.escaping import figure_text
from fsviz.model.libraries import np
from fsviz.model.names import Names
from fsviz.model.table import OPERATIONS
from fsviz.model.tools import title_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Data

_MOST_TICKS = 14
_POINT, _BETWEEN, _NAME = 13, 10, 24
"""Height of a system's point, of the gap between rows, of a name beside them [px]."""
_MANY = 4
"""Systems beside the reference for whose size classes there is no room."""
CAPTION = (
    "Right of the line is faster, left of it slower.",
    "Bars are 95 % intervals over runs.",
    "Filled: there is an answer.",
    "Hollow: may be chance, or too few runs.",
    "A cross: not comparable, see below.",
    "An arrow: only that end is known; the truth lies as far or farther.",
)


_ANSWERED = [*DIFFERENT, SAME]


@takes("system", "baseline", "comparison")
def ratios(data: Data, options: FigureOptions, *, operation: Names = None) -> go.Figure:
    """Draw how many times faster each system is than the baseline.

    Parameters
    ----------
    {shared}
    operation : str or sequence of str, optional
        By default every operation.

    Returns
    -------
    plotly Figure
        One row per operation and size class. If the client's memory is stated, it
        determines the classes, as with ``--buckets regimes``.

    Raises
    ------
    UsageError
        If there is nothing to compare.
    """
    comparison = options.comparison
    if comparison is None:
        names = [name for name in options.system or () if name != options.baseline]
        comparison = compare(
            data,
            baseline=options.baseline,
            candidate=names or None,
            operation=operation,
        )
    return draw_ratios(sized_rows(comparison), looks(comparison.data))


def sized_rows(comparison: Comparison) -> pd.DataFrame:
    """Return the size classes of each operation, with speeds."""
    try:
        edges = regime_edges(comparison.data)
    except UsageError:  # not stated, or not the same
        edges = dict(EDGES)
    rows = comparison.by("bucket", edges)
    main = {(a.tool, a.operation, a.metric) for a in comparison.answers}
    keys = zip(rows["tool"], rows["operation"], rows["metric"], strict=True)
    rows = rows.loc[[tuple(map(str, key)) in main for key in keys]]
    more = directions(rows) > 0
    ratio, low, high, least, most = (
        rows[name].to_numpy(float)
        for name in ("ratio", "ci_low", "ci_high", "bound_low", "bound_high")
    )
    bounded = np.isnan(ratio)
    low, high = np.where(bounded, least, low), np.where(bounded, most, high)
    with np.errstate(divide="ignore"):
        return rows.assign(
            speed=np.where(more, ratio, 1 / ratio),
            speed_low=np.where(more, low, 1 / high),
            speed_high=np.where(more, high, 1 / low),
        )


_TOP = 70
"""Room for the title and the factors above the rows [px]."""
_SPEEDS = ["speed", "speed_low", "speed_high"]
_ROW = ("tool", "operation", "bucket", "threads", "setting")
"""What has a row of its own."""


def draw_ratios(frame: pd.DataFrame, styles: Looks) -> go.Figure:
    """Draw the rows of size classes."""
    place = [_place(row) for row in frame[_SPEEDS].to_dict("records")]
    frame = frame.assign(place=place, threads=frame["threads"].astype(str))
    shown = _smallest_parts(frame.loc[frame["place"].notna()])
    if shown.empty:
        raise UsageError("ratios: expected a number that two systems share, found none")
    places = shown[list(_ROW)].drop_duplicates()
    rows = list(places.itertuples(index=False, name=None))
    candidates = {*shown["candidate"]}
    names = [name for name in styles if name in candidates]
    # all at once: to take them out system by system costs ten times as much
    by_candidate: dict[str, list[dict]] = {name: [] for name in names}
    for row in shown.to_dict("records"):
        by_candidate[row["candidate"]].append(row)
    reference = str(frame["baseline"].iloc[0])
    inner = len(rows) * (len(names) * _POINT + _BETWEEN)
    height = max(inner, len(names) * _NAME) + _TOP + 20
    figure = flat_figure(
        [
            trace
            for name in names
            for trace in _system(by_candidate[name], name, names, rows, styles[name])
        ],
        f"<b>By how much</b> – times as fast as {label(reference, SHORT_LABEL)}",
        _caption(shown),
        f"{figure_text(_counts(shown))} Each system's ratio to {label(reference)} with "
        "its interval, by operation.",
        height,
        xaxis=_across(shown),
        yaxis=_down(rows),
        shapes=[_line_at_equal()],
        margin={"l": 20, "r": 20, "t": _TOP, "b": 20},
    )
    # of a figure this high, a share of the height would stand among the factors
    pixels = {"y": 1, "yref": "container", "yanchor": "top", "pad": {"t": 12}}
    figure.update_layout(title=pixels)
    return figure


def _caption(shown: pd.DataFrame) -> str:
    """Explain the signs that are drawn, and no other."""
    ends = [_ends(row) for row in shown[_SPEEDS].to_dict("records")]
    answered, barred = (
        shown["answer"].isin(names) for names in (_ANSWERED, [NOT_COMPARABLE])
    )
    drawn = (
        *(True, any(low > 0 and high < math.inf for low, high in ends)),
        *(answered.any(), (~answered & ~barred).any(), barred.any()),
        shown["speed"].isna().any(),
    )
    return " ".join(
        text for text, is_drawn in zip(CAPTION, drawn, strict=True) if is_drawn
    )


def _smallest_parts(frame: pd.DataFrame) -> pd.DataFrame:
    """Leave out the mean over all sizes where the size classes are there.

    Of many systems it is the classes that are left out: a screen has no room for them.
    """
    place = [name for name in _ROW if name != "bucket"]
    buckets = frame.groupby(place, observed=True)["bucket"].transform("nunique")
    is_whole = frame["bucket"] == ALL
    chosen = is_whole if frame["candidate"].nunique() > _MANY else ~is_whole
    return frame.loc[chosen | (buckets == 1)]


def _place(row: Mapping[str, Any]) -> float:
    """Give the ratio of a row or, where a number is only bounded, its known end.

    None where that end leaves open which is faster: it may be as far as you like.
    """
    if row["speed"] == row["speed"]:
        return float(row["speed"])
    low, high = _ends(row)
    return low if 1 < low < math.inf else high if 0 < high < 1 else math.nan


def _ends(row: Mapping[str, Any]) -> tuple[float, float]:
    """Give the ends of the interval; 0 and infinity where one is not known."""
    low, high = float(row["speed_low"]), float(row["speed_high"])
    return 0.0 if math.isnan(low) else low, math.inf if math.isnan(high) else high


def _counts(shown: pd.DataFrame) -> str:
    """Count the answers, for the alternative text."""
    counts = shown["answer"].value_counts()
    counted = {word: counts.get(word, 0) for word in WORDS}
    shown_words = [word for word in counted if counted[word] or word in _ANSWERED]
    return ", ".join(f"{counted[word]} {WORDS[word]}" for word in shown_words) + "."


def _system(
    ratios: Sequence[Mapping[str, Any]],
    name: str,
    names: list[str],
    rows: list[tuple[str, ...]],
    look: Look,
) -> list[go.Scatter]:
    """Draw one system: its intervals, then its points."""
    step = 1 / (len(names) + _BETWEEN / _POINT)
    off = (names.index(name) - (len(names) - 1) / 2) * step
    heights = [rows.index(tuple(r[key] for key in _ROW)) + off for r in ratios]
    ends = [(*_ends(row), at) for row, at in zip(ratios, heights, strict=True)]
    bounded = [pair for pair in ends if pair[0] > 0 and pair[1] < math.inf]
    line = lines_between(bounded, name, "interval", look.colour)
    fills = [_fill(row, look) for row in ratios]
    points = go.Scatter(
        x=[row["place"] for row in ratios],
        y=heights,
        mode="markers",
        marker={
            "symbol": [_symbol(row, look) for row in ratios],
            "size": 8,
            "color": fills,
            "line": {"color": look.colour, "width": 1.6},
        },
        customdata=[_hover(row) for row in ratios],
        hovertemplate="%{customdata}<extra></extra>",
        legendgroup=group_of(name),
        showlegend=False,
        name=f"ratios of {label(name)}",
    )
    return [line, points, _key(name, look, max(fills, key=look.colour.__eq__))]


def _key(name: str, look: Look, fill: str) -> go.Scatter:
    """Name a system in the legend, filled where any of its points is."""
    return go.Scatter(
        x=[None],
        y=[None],
        mode="markers",
        marker={"symbol": look.symbol, "size": 8, "color": fill}
        | {"line": {"color": look.colour, "width": 1.6}},
        legendgroup=group_of(name),
        name=label(name, SHORT_LABEL),
    )


def _symbol(row: Mapping[str, Any], look: Look) -> str:
    if row["speed"] != row["speed"]:
        return "arrow-right" if _ends(row)[0] > 0 else "arrow-left"
    return "x-thin" if row["answer"] == NOT_COMPARABLE else look.symbol


def _fill(row: Mapping[str, object], look: Look) -> str:
    # an open shape has no other colour than that of its line
    seen = row["answer"] in _ANSWERED or look.symbol.endswith("-open")
    return look.colour if seen else "#fff"


def _hover(row: Mapping[str, Any]) -> str:
    low, high = _ends(row)
    has_ratio = row["speed"] == row["speed"]
    title = _row_title(*(str(row[key]) for key in _ROW))
    words = [
        f"<b>{label(str(row['candidate']))}</b>, {title}",
        (times_words(float(row["speed"])) if has_ratio else range_words(low, high))
        + ("" if row["answer"] in DIFFERENT else f", {WORDS[str(row['answer'])]}"),
    ]
    if has_ratio and low > 0 and high < math.inf:
        words.append(f"95 % {range_words(low, high)}")
    words.append(f"n = {row['n_baseline']} and {row['n_candidate']}")
    beside = [*row["scope"], *([str(row["rule"])] if row["rule"] else [])]
    words += [figure_text(", ".join(beside))] if beside else []
    return "<br>".join(words)


def _row_title(tool: str, operation: str, bucket: str, *under: str) -> str:
    title = OPERATIONS.get(operation, operation).replace("sequential", "seq.")
    if tool:
        title = f"{title_of(tool)} {title}"
    size = "" if bucket == ALL else BUCKET_WORDS.get(bucket, bucket)
    return figure_text(", ".join(filter(None, (title, size, conditions(*under)))))


def _across(shown: pd.DataFrame) -> dict:
    ends = shown[["place", "speed_low", "speed_high"]].to_numpy(float).ravel()
    ends = [end for end in ends if end > 0 and math.isfinite(end)]
    low, high = min(*ends, 1 / 1.4) / 1.05, max(*ends, 1.4) * 1.05
    first, last = math.ceil(math.log2(low)), math.floor(math.log2(high))
    step = math.ceil((last - first) / _MOST_TICKS)
    ticks = [2.0**k for k in range(first, last + 1) if k % max(step, 1) == 0]
    # on a narrow screen there is room for one mark in each doubling
    if high / low <= 6:
        ticks = sorted([*ticks, 1 / 1.4, 1.4])
    return axis("", type="log") | {
        "range": [math.log10(low), math.log10(high)],
        "tickvals": ticks,
        "ticktext": [times_mark(t) for t in ticks],
        "tickangle": 0,
        "side": "top",
    }


def _down(rows: list[tuple[str, ...]]) -> dict:
    sized = [(tool, operation, *under) for tool, operation, _, *under in rows]
    several_tools = len({tool for tool, *_ in rows}) > 1
    titles = [
        _row_title(
            tool if several_tools else "",
            test,
            bucket if sized.count((tool, test, *under)) > 1 else ALL,
            *under,
        )
        for tool, test, bucket, *under in rows
    ]
    return axis(
        "",
        tickvals=list(range(len(rows))),
        ticktext=titles,
        range=[len(rows) - 0.4, -0.6],
        showgrid=True,
    )


def _line_at_equal() -> dict:
    return {
        "type": "line",
        "x0": 1,
        "x1": 1,
        "y0": 0,
        "y1": 1,
        "yref": "paper",
        "line": {"color": INK, "width": 1.5},
    }
