"""The answer at first sight: systems × operations, each cell how many times."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.buckets import ALL
from fsviz.analysis.cells import present
from fsviz.analysis.verdicts import DIFFERENT
from fsviz.answers.about import Scopes, place_scopes
from fsviz.answers.headline import headline as brief
from fsviz.answers.matrix import candidates_of, columns_of, legend, won_and_lost
from fsviz.answers.matrix import overview as look
from fsviz.answers.statement import Statement, statements
from fsviz.answers.words import COLOURS, in_two_lines, range_words
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.ratio import axis_end
from fsviz.figures.style import INK, flat_figure, label, readable_on, rounded, shade
from fsviz.model.escaping import figure_text
from fsviz.model.libraries import pd
from fsviz.model.names import choose
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    from fsviz.model.campaign import Data

_ROW, _HEAD, _TOP, _BOTTOM, _GAP = 24, 52, 40, 4, 10
_LETTER = 9
"""Width of a bold letter [px]."""

METRIC_TITLES = {"throughput": "throughput", "rate": "rate", "elapsed": "time"}
"""What a column of means is about, where the metric's name is another."""


@takes("system", "baseline", "marks")
def overview(
    data: Data,
    asked: FigureOptions,
    *,
    frame: pd.DataFrame | None = None,
    headline: str = "",
) -> go.Figure:
    """Draw how many times faster or slower each system is at each operation.

    Parameters
    ----------
    {shared}
    frame : DataFrame, optional
        As `fsviz.answers.matrix.overview` returns it, if it is known.
    headline : str
        What the alternative text says; by default made from the frame.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there is nothing to compare.
    """
    if frame is None:
        names = choose("system", asked.system, present(measurements_of(data), "system"))
        others = [name for name in names if name != asked.baseline] if names else None
        frame = look(data, asked.baseline, others)
    return draw_overview(frame, headline or brief(frame))


def draw_overview(frame: pd.DataFrame, headline: str) -> go.Figure:
    """Draw the frame of an overview, one panel a tool."""
    said = statements(frame)
    scopes = place_scopes(said)
    parts: dict[str, list[Statement]] = {}
    for one in said:
        if one.is_measured:
            title = f"{one.section} {scopes.of_tool(one.section)}".strip()
            parts.setdefault(figure_text(title), []).append(one)
    panels = list(parts.items())
    inside = sum(_height(rows) + _HEAD + _GAP for _, rows in panels)
    end = colour_end(said)
    traces, notes, axes = _stack(panels, inside, scopes, end)
    longest = max((len(title) for title, _ in panels), default=0)
    first = label(str(frame["baseline"].iloc[0]))
    marks = legend(said, scopes)
    return flat_figure(
        traces,
        f"<b>At first sight</b> – each system against {first}",
        f"{marks}. The mean is geometric, over the cells of all operations. "
        f"{colours_end(end)}.",
        f"{figure_text(headline)} A matrix of {len(set(frame['candidate']))} systems "
        f"by operations against {first}.",
        _TOP + inside + _BOTTOM,
        annotations=notes,
        coloraxis={
            "colorscale": COLOURS,
            "cmin": -end,
            "cmax": end,
            "showscale": False,
        },
        # names of tools stand left of the titles, whatever room the systems need
        margin={
            "l": 20 + _LETTER * longest,
            "r": 10,
            "t": _TOP,
            "b": _BOTTOM,
        },
        **axes,
    )


def _height(rows: Sequence[Statement]) -> int:
    """Height of a panel's cells [px]."""
    return _ROW * len(candidates_of(rows))


def _stack(
    panels: Sequence[tuple[str, Sequence[Statement]]],
    inside: int,
    scopes: Scopes,
    end: float,
) -> tuple[list, list[dict], dict[str, dict]]:
    """Draw panels from top to bottom; return their traces, headings and axes."""
    widest = max((len(columns_of(rows)) for _, rows in panels), default=1)
    traces: list = []
    notes: list[dict] = []
    axes: dict[str, dict] = {}
    top = 1.0
    for n, (title, rows) in enumerate(panels, 1):
        suffix = "" if n == 1 else str(n)
        top -= _HEAD / inside
        bottom = top - _height(rows) / inside
        place = (max(0.0, bottom), top)
        drawn, own = _panel(rows, suffix, place, widest, scopes, end)
        traces += drawn
        axes |= own
        notes.append(_heading(title, top))
        top = bottom - _GAP / inside
    return traces, notes, axes


def _panel(
    rows: Sequence[Statement],
    suffix: str,
    domain: tuple[float, float],
    widest: int,
    scopes: Scopes,
    end: float,
) -> tuple[list, dict]:
    """One tool: a heatmap, and its axes, cells as wide as in the widest panel."""
    keys = columns_of(rows)
    names = candidates_of(rows)
    records = {(one.candidate, one.operation, one.metric): one for one in rows}
    cells = [[records.get((name, *key)) for key in keys] for name in names]
    place = {"xaxis": f"x{suffix}", "yaxis": f"y{suffix}"}
    several = len({key for key in keys if key[0] != ALL}) > 1
    traces = [
        go.Heatmap(
            z=[[_colour(cell, end) for cell in line] for line in cells],
            customdata=[[_hover(cell) for cell in line] for line in cells],
            hovertemplate="%{customdata}<extra></extra>",
            coloraxis="coloraxis",
            xgap=2,
            ygap=2,
            name="overview",
            **place,
        ),
        _texts(cells, several, place, scopes, end),
    ]
    titles = [_title(key, rows[0].section, scopes) for key in keys]
    titles += ["won /<br>lost"] if several else []
    plain = {"showgrid": False, "zeroline": False, "ticks": "", "fixedrange": True}
    across = {
        **plain,
        "side": "top",
        "tickvals": list(range(len(titles))),
        "ticktext": titles,
        "tickangle": 0,
        "domain": [0.0, len(titles) / (widest + 1)],
        "range": [-0.5, len(titles) - 0.5],
        "anchor": f"y{suffix}",
        "tickfont": {"size": 11},
    }
    down = {
        **plain,
        "tickvals": list(range(len(names))),
        "ticktext": [label(str(name)) for name in names],
        "range": [len(names) - 0.5, -0.5],
        "domain": list(domain),
        "anchor": f"x{suffix}",
        "automargin": True,
    }
    return traces, {f"xaxis{suffix}": across, f"yaxis{suffix}": down}


def _texts(
    cells: list[list[Statement | None]],
    several: bool,
    place: dict,
    scopes: Scopes,
    end: float,
) -> go.Scatter:
    """Write each cell in the ink that its own colour needs, then wins and losses."""
    written = [
        (x, y, _text(cell, scopes), _colour(cell, end) or 0.0)
        for y, line in enumerate(cells)
        for x, cell in enumerate(line)
        if cell is not None
    ]
    for y, line in enumerate(cells):
        own = [cell for cell in line if cell is not None]
        if several and own and (counts := won_and_lost(own, own[0].candidate)):
            written.append((len(line), y, " / ".join(map(str, counts)), 0.0))
    across, down, text, shades = zip(*written, strict=True)
    shares = [(shade + end) / (2 * end) for shade in shades]
    return go.Scatter(
        x=across,
        y=down,
        text=text,
        mode="text",
        textfont={"color": readable_on(shares, COLOURS), "size": 11},
        hoverinfo="skip",
        showlegend=False,
        name="texts",
        **place,
    )


def _heading(title: str, top: float) -> dict:
    return {
        "text": f"<b>{label(title)}</b>",
        "x": 0,
        "xref": "paper",
        "xanchor": "right",
        "xshift": -6,
        "y": top,
        "yref": "paper",
        "yanchor": "bottom",
        "yshift": 8,
        "showarrow": False,
        "font": {"color": INK},
    }


def _title(key: tuple[str, str], section: str, scopes: Scopes) -> str:
    operation, metric = key
    words = (
        ("mean", METRIC_TITLES.get(metric, metric))
        if operation == ALL
        else in_two_lines(operation)
    )
    lines = (*words, scopes.of_column((section, *key)))
    return "<br>".join(filter(None, map(figure_text, lines)))


def _colour(one: Statement | None, end: float) -> float | None:
    """log₂ of the speed where there is an answer, else neutral."""
    if one is None or not one.is_measured:
        return None
    if one.answer not in DIFFERENT:
        return 0.0
    speed = one.factor if one.verdict == "faster" else 1 / one.factor
    return rounded(max(-end, min(end, math.log2(speed))))


def colour_end(said: Iterable[Statement]) -> float:
    """Choose where the colours of some cells end [log₂], as maps do."""
    shown = (one for one in said if one.is_measured and not one.is_split)
    known = [(one.candidate, one.factor) for one in shown]
    return axis_end(pd.DataFrame(known, columns=["candidate", "ratio"]))


def colours_end(end: float) -> str:
    """Say where colours end."""
    return f"Colours are strongest from {2**end:.3g}× on"


def cell_colours(one: Statement, end: float) -> tuple[str, str] | None:
    """Choose ground and ink of a cell; None where there is no answer."""
    if not one.is_measured or one.answer not in DIFFERENT:
        return None
    share = ((_colour(one, end) or 0.0) + end) / (2 * end)
    return shade(share, COLOURS)


def _text(one: Statement, scopes: Scopes) -> str:
    """The cell's text, with a space after the mark."""
    text = figure_text(one.cell + one.strip + scopes.letters(one))
    return f"{text[:1]} {text[1:]}".strip()


def _hover(one: Statement | None) -> str:
    """All that is known of a cell, in words."""
    if one is None or not one.is_measured:
        return "not measured"
    interval = "" if one.interval is None else f"95 % {range_words(*one.interval)}"
    about = figure_text(", ".join(one.scope))
    held = figure_text(", ".join(one.disqualified_by))
    lines = [
        f"<b>{label(one.candidate)}</b>, {figure_text(one.operation)}",
        figure_text(one.words),
        interval if one.speed > 0 else "",
        f"about: {about}" if about else "",
        f"because of {held}" if held else "",
        f"{one.cells} cells, runs {one.n_baseline} + {one.n_candidate}",
    ]
    return "<br>".join(filter(None, lines))
