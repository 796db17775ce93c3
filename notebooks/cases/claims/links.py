"""Throughput against the links that it may have crossed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.analysis.cells import performance
from fsviz.figures.looks import Look, looks
from fsviz.figures.panels.slice import value_axis
from fsviz.figures.style import (
    INK,
    axis,
    flat_figure,
    label,
    make_scale,
    number,
    rows_axis,
)
from fsviz.model.errors import UsageError
from fsviz.model.table import OPERATIONS, measurements_of
from fsviz.model.units import format_size, parse_link_rate

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

CAPTION = (
    "One dot a cell. A vertical line is what a link of so many Gbit/s carries, headers "
    "included: a dot on its right did not come over that link alone."
)


def against_links(data: Data, links: Sequence[str]) -> go.Figure:
    """Draw every throughput as a dot, and the rate of each link as a line."""
    table = performance(measurements_of(data))
    rows = table.loc[(table["metric"] == "throughput") & table["value"].notna()]
    if rows.empty:
        raise UsageError("against_links: expected throughput, found none")
    rates = [parse_link_rate(link) for link in links]
    scale = make_scale([*rows["value"], *rates], "throughput", "log")
    names = [f"{OPERATIONS[o]}, {s}" for o, s in _places(rows)]
    styles = looks(data)
    traces = [
        _dots(rows, place, at, scale, styles[place[1]])
        for at, place in enumerate(_places(rows))
    ]
    lines = [
        {
            "type": "line",
            "x0": rate / scale.factor,
            "x1": rate / scale.factor,
            "y0": 0,
            "y1": 1,
            "yref": "paper",
            "line": {"color": INK, "width": 1, "dash": "dash"},
            "label": {
                # without the unit, which would not fit between lines on a phone
                "text": f"{8 * rate / 1e9:g}",
                "textposition": "end",
                "textangle": 0,
                "yanchor": "bottom",
            },
            "name": link,
        }
        for link, rate in zip(links, rates, strict=True)
    ]
    values = {k: v for k, v in value_axis(scale).items() if k != "title"}
    return flat_figure(
        traces,
        "<b>Throughput</b> – against links [Gbit/s]",
        CAPTION,
        f"throughput of {', '.join(map(label, names))}, and the rates of links",
        max(320, 130 + 40 * len(names)),
        xaxis=axis(scale.title) | values,
        yaxis=rows_axis([label(name) for name in names]),
        shapes=lines,
        showlegend=False,
    )


def _places(rows: pd.DataFrame) -> list[tuple[str, str]]:
    """List operations and systems as they come."""
    places = rows[["operation", "system"]].drop_duplicates().sort_values("operation")
    return [(str(o), str(s)) for o, s in places.itertuples(index=False)]


def _dots(
    rows: pd.DataFrame, place: tuple[str, str], at: int, scale: Scale, look: Look
) -> go.Scatter:
    operation, system = place
    cells = rows.loc[(rows["operation"] == operation) & (rows["system"] == system)]
    sizes = [
        " by ".join(format_size(int(size)) for size in pair if str(size) != "<NA>")
        for pair in cells[["file_size_bytes", "record_size_bytes"]].itertuples(
            index=False
        )
    ]
    return go.Scatter(
        x=list(cells["value"] / scale.factor),
        y=[at] * len(cells),
        mode="markers",
        marker={"color": look.colour, "symbol": look.symbol, "size": 9},
        text=[
            f"<b>{label(system)}</b>, {operation} of {size}<br>{number(x)} {scale.unit}"
            for size, x in zip(sizes, cells["value"] / scale.factor, strict=True)
        ],
        hovertemplate="%{text}<extra></extra>",
        name=f"{operation} {label(system)}",
    )
