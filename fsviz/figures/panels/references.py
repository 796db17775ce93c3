"""What the campaign states about its machines, as lines and planes: link, memory."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import plotly.graph_objects as go

from fsviz.analysis.regimes import limits_of
from fsviz.figures.style import Scale
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


def draw_references(
    figure: go.Figure,
    marks: Sequence[Reference],
    scale: Scale,
    file_sizes: list[int],
    *,
    pair: bool,
) -> go.Figure:
    """Add the limits that fall inside the ranges of an explorer's panels.

    Units: `file_sizes` [B].
    """
    named = []
    for mark in marks:
        if mark.kind == "throughput" and scale.metric_unit == "B/s":
            value = mark.value / scale.factor
            if scale.low <= value <= scale.high:
                for number in "34":
                    _level(figure, value, mark.text, number)
        elif mark.kind == "file size" and file_sizes[0] <= mark.value <= file_sizes[-1]:
            edge = _row_edge(mark.value, file_sizes)
            for number in ("", "2")[not pair :]:
                _across(figure, edge, number)
            _upright(figure, math.log2(mark.value))
            named.append(mark.text)
    if named:
        _name_lines(figure, named, "" if pair else "2")
    return figure


def _row_edge(value: float, sizes: Sequence[int]) -> float:
    """Where rows of at least a size [B] begin, in log₂: a line there hides nothing."""
    below = [size for size in sizes if size < value]
    above = next(size for size in sizes if size >= value)
    lower = below[-1] if below else above / 2
    return (math.log2(lower) + math.log2(above)) / 2


_DOTTED = {"color": _STROKE, "width": 1.2, "dash": "dot"}


def _level(figure: go.Figure, value: float, text: str, number: str) -> None:
    """Draw a throughput into a slice."""
    figure.add_shape(
        type="line",
        xref=f"x{number} domain",
        yref=f"y{number}",
        x0=0,
        x1=1,
        y0=value,
        y1=value,
        line=_DOTTED | {"dash": "dash"},
        label={
            "text": text,
            "font": {"size": 10, "color": _STROKE},
            "textposition": "start",
            "yanchor": "bottom",
        },
    )


def _across(figure: go.Figure, place: float, number: str) -> None:
    """Draw a file size into a map."""
    figure.add_shape(
        type="line",
        xref=f"x{number} domain",
        yref=f"y{number}",
        x0=0,
        x1=1,
        y0=place,
        y1=place,
        line=_DOTTED,
    )


def _upright(figure: go.Figure, place: float) -> None:
    """Draw a file size into the slice over it."""
    figure.add_shape(
        type="line",
        xref="x4",
        yref="y4 domain",
        x0=place,
        x1=place,
        y0=0,
        y1=1,
        line=_DOTTED,
    )


def _name_lines(figure: go.Figure, texts: Sequence[str], number: str) -> None:
    """Say below a map what its dotted lines are: beside one it would hide a number."""
    figure.add_annotation(
        text=f"┈ {', '.join(dict.fromkeys(texts))}",
        xref=f"x{number} domain",
        yref=f"y{number} domain",
        x=1,
        y=0,
        yshift=-31,
        xanchor="right",
        yanchor="top",
        showarrow=False,
        font={"size": 10, "color": _STROKE},
    )
