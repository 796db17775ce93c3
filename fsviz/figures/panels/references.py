"""What the campaign states about its machines, as lines: link, memory."""

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
from fsviz.model.units import format_size, format_value

STROKE = "#b42318"


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
    marks = [
        mark
        for name, system in systems_of(data.systems).items()
        if name in systems
        for mark in _of_system(system, limits)
    ]
    return list(dict.fromkeys(marks))


def _of_system(system: System, limits: Mapping[str, float]) -> list[Reference]:
    marks = []
    payload = system.payload(limits["assumed_mtu"])
    if payload:
        text = f"link payload {format_value(payload, 'B/s')}"
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
    maps = ["", "2"][not pair :]
    levels, sizes = [], []
    for mark in marks:
        if mark.kind == "throughput" and scale.metric_unit == "B/s":
            value = mark.value / scale.factor
            if scale.low <= value <= scale.high:
                levels.append(mark.text)
                for number in "34":
                    _line(figure, value, number, "y", "dash")
        elif mark.kind == "file size" and file_sizes[0] <= mark.value <= file_sizes[-1]:
            sizes.append(mark.text)
            for number in maps:
                _line(figure, _row_edge(mark.value, file_sizes), number, "y", "dot")
            _line(figure, math.log2(mark.value), "4", "x", "dot")
    _name_lines(figure, "┈", sizes, maps[0], -46)
    _name_lines(figure, "╌", levels, "3", -32, 9)
    return figure


def _row_edge(value: float, sizes: Sequence[int]) -> float:
    """Where rows of at least a size [B] begin, in log₂: a line there hides nothing."""
    below = [size for size in sizes if size < value]
    above = next(size for size in sizes if size >= value)
    lower = below[-1] if below else above / 2
    return (math.log2(lower) + math.log2(above)) / 2


def _line(figure: go.Figure, at: float, number: str, axis: str, dash: str) -> None:
    """Draw a limit across a panel, at a place of one of its axes."""
    other = "y" if axis == "x" else "x"
    figure.add_shape(
        type="line",
        line={"color": STROKE, "width": 1.2, "dash": dash},
        **{
            f"{axis}ref": f"{axis}{number}",
            f"{axis}0": at,
            f"{axis}1": at,
            f"{other}ref": f"{other}{number} domain",
            f"{other}0": 0,
            f"{other}1": 1,
        },
    )


def _name_lines(
    figure: go.Figure,
    sign: str,
    texts: Sequence[str],
    number: str,
    below: int,
    size: int = 10,
) -> None:
    """Say below a panel what its lines are: inside they would hide a number."""
    if not texts:
        return
    figure.add_annotation(
        text=f"{sign} {', '.join(dict.fromkeys(texts))}",
        xref=f"x{number} domain",
        yref=f"y{number} domain",
        x=1,
        y=0,
        yshift=below,
        xanchor="right",
        yanchor="top",
        showarrow=False,
        font={"size": size, "color": STROKE},
    )
