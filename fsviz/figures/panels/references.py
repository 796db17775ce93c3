"""What the campaign states about its machines, as lines and planes: link, memory."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from fsviz.analysis.regimes import cliffs, limits_of
from fsviz.figures.style import Scale, label, rounded
from fsviz.model.campaign import Campaign, Data
from fsviz.model.facts import System, systems_of
from fsviz.model.units import format_size, format_throughput

_STROKE = "#b42318"


@dataclass(frozen=True, slots=True)
class Reference:
    """A stated limit: a throughput [B/s] or a file size [B], and what it is."""

    kind: Literal["throughput", "file size"]
    value: float
    text: str
    end: Literal["start", "end"] = "end"
    """Of its line in the slices, where the text stands: below or above."""


def references(data: Data, systems: Sequence[str]) -> list[Reference]:
    """Collect the limits that a campaign states about some of its systems."""
    if not isinstance(data, Campaign):
        return []
    limits = limits_of(data)
    found = [
        mark
        for name, system in systems_of(data.systems).items()
        if name in systems
        for mark in _of_system(system, limits)
    ]
    return list(dict.fromkeys(found))


def _of_system(system: System, limits: Mapping[str, float]) -> list[Reference]:
    marks = []
    payload = system.payload(limits["assumed_mtu"])
    if payload:
        text = f"payload of the link: {format_throughput(payload)}"
        marks.append(Reference("throughput", payload, text))
    multiple = limits["storage_multiple"]
    memory = system.ram or 0
    for times, name in ((1, "RAM"), (multiple, f"{multiple:g} × RAM")) * bool(memory):
        text = f"{name} {format_size(times * memory)}"
        marks.append(Reference("file size", times * memory, text))
    if system.cpu_cache:
        text = f"CPU cache {format_size(system.cpu_cache)}"
        marks.append(Reference("file size", system.cpu_cache, text))
    return marks


def cliff_marks(
    data: Data, operation: str, metric: str, systems: Sequence[str]
) -> list[Reference]:
    """Mark the file sizes between which throughput falls by half or more [B]."""
    found = cliffs(data)
    found = found.loc[
        (found["operation"] == operation)
        & (found["metric"] == metric)
        & found["system"].isin(list(systems))
    ]
    marks = []
    for (low, high), rows in found.groupby(["file_size_bytes", "next_size_bytes"]):
        found_in = [label(str(name)) for name in rows["system"].unique()]
        # along a line of a panel, which is as long as two names
        names = ", ".join(found_in) if len(found_in) < 3 else f"{len(found_in)} systems"
        place = math.sqrt(float(low) * float(high))
        # what falls there is above its lower end; limits stand at the upper
        marks.append(Reference("file size", place, f"cliff: {names}", "start"))
    return marks


def draw_references(
    figure: go.Figure,
    marks: Sequence[Reference],
    scale: Scale,
    file_sizes: list[int],
    record_sizes: list[int],
    stated: Sequence[Sequence[Reference]],
) -> go.Figure:
    """Add the limits that fall inside the ranges of an explorer's panels.

    Units: `file_sizes, record_sizes` [B].
    """
    ends = [(math.log2(s[0]), math.log2(s[-1])) for s in (record_sizes, file_sizes)]
    for mark in marks:
        if mark.kind == "throughput" and scale.metric_unit == "B/s":
            value = mark.value / scale.factor
            if scale.low <= value <= scale.high:
                _limit(figure, value, mark.text, ends, [mark in own for own in stated])
        elif mark.kind == "file size" and file_sizes[0] <= mark.value <= file_sizes[-1]:
            _size_line_between_rows(figure, _row_edge(mark.value, file_sizes))
            _size_line(figure, mark)
    return figure


def _row_edge(value: float, sizes: Sequence[int]) -> float:
    """Where rows of at least a size [B] begin, in log₂: a line there hides nothing."""
    below = [size for size in sizes if size < value]
    above = next(size for size in sizes if size >= value)
    lower = below[-1] if below else above / 2
    return (math.log2(lower) + math.log2(above)) / 2


def _plane(value: float, ends: list[tuple[float, float]]) -> go.Mesh3d:
    (x0, x1), (y0, y1) = ends
    return go.Mesh3d(
        x=[x0, x1, x1, x0],
        y=[y0, y0, y1, y1],
        z=[rounded(value)] * 4,
        i=[0, 0],
        j=[1, 2],
        k=[2, 3],
        color=_STROKE,
        opacity=0.18,
        hoverinfo="skip",
        showscale=False,
        name="reference",
    )


def _limit(
    figure: go.Figure,
    value: float,
    text: str,
    ends: list[tuple[float, float]],
    states: Sequence[bool],
) -> None:
    """Add by kind, then by system, so that the menu's answer repeats here too."""
    kinds = [_plane(value, ends), *_lines(value, text, ends)]
    for trace in kinds:
        for position, states_it in enumerate(states):
            own = copy(trace) if states_it else go.Scatter(x=[], y=[], showlegend=False)
            own.update(meta={"system": position}, visible=position == 0)
            figure.add_trace(own)


def _lines(
    value: float, text: str, ends: list[tuple[float, float]]
) -> list[go.Scatter]:
    """Draw a throughput over record size and over file size."""
    return [
        go.Scatter(
            x=[low - 0.5, high + 0.5],
            y=[rounded(value)] * 2,
            text=[text, ""],
            textposition="top right",
            textfont={"size": 11, "color": _STROKE},
            mode="lines+text",
            line={"color": _STROKE, "width": 1.2, "dash": "dash"},
            hoverinfo="skip",
            showlegend=False,
            cliponaxis=True,
            name="reference",
            xaxis=f"x{number}",
            yaxis=f"y{number}",
        )
        for number, (low, high) in enumerate(ends, 2)
    ]


_DOTTED = {"color": _STROKE, "width": 1.2, "dash": "dot"}


def _size_line_between_rows(figure: go.Figure, place: float) -> None:
    """Draw a file size into the heatmap."""
    figure.add_shape(
        type="line",
        xref="x domain",
        yref="y",
        x0=0,
        x1=1,
        y0=place,
        y1=place,
        line=_DOTTED,
    )


def _size_line(figure: go.Figure, mark: Reference) -> None:
    """Draw a file size into the slices over it."""
    # along the line: RAM and three times RAM lie too close for level labels
    place = math.log2(mark.value)
    figure.add_shape(
        type="line",
        xref="x3",
        yref="y3 domain",
        x0=place,
        x1=place,
        y0=0,
        y1=1,
        line=_DOTTED,
        label={
            "text": mark.text,
            "font": {"size": 11, "color": _STROKE},
            "textposition": mark.end,
            "xanchor": "left" if mark.end == "start" else "right",
        },
    )
