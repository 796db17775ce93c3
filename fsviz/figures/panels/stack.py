"""Panels one below another, with one legend."""

from __future__ import annotations

from typing import Any, NamedTuple

import plotly.graph_objects as go

from fsviz.checks.phrases import listing
from fsviz.figures.style import flat_figure, group_of

MOST_PANELS = 6
_PANEL, _GAP = 300, 84
"""Height of a panel, and between two [px]."""


class Panel(NamedTuple):
    """A part of a figure: its title, what is drawn, its axes, and its height [px]."""

    title: str
    traces: list[go.Scatter]
    xaxis: dict[str, Any]
    yaxis: dict[str, Any]
    height: int = _PANEL


def stack(panels: list[Panel], title: str, caption: str) -> go.Figure:
    """Draw panels one below another; the legend names each system once."""
    total = sum(panel.height for panel in panels) + _GAP * (len(panels) - 1)
    above = {"x": 0, "xref": "paper", "yref": "paper", "yshift": 4, "showarrow": False}
    more: dict[str, Any] = {"annotations": [], "showlegend": False}
    traces: list[go.Scatter] = []
    top = total
    for k, panel in enumerate(panels):
        n = f"{k + 1 if k else ''}"
        domain = [max(0.0, (top - panel.height) / total), top / total]
        more[f"xaxis{n}"] = panel.xaxis | {"anchor": f"y{n}", "automargin": True}
        more[f"yaxis{n}"] = panel.yaxis | {"anchor": f"x{n}", "automargin": True}
        more[f"yaxis{n}"]["domain"] = domain
        for trace in panel.traces:
            first = all(trace.name != other.name for other in traces)
            trace.showlegend = first and trace.showlegend is not False
            more["showlegend"] |= trace.showlegend
            traces.append(trace.update(xaxis=f"x{n}", yaxis=f"y{n}"))
        place = {"y": domain[1], "xanchor": "left", "yanchor": "bottom"}
        more["annotations"].append({"text": panel.title, **above, **place})
        top -= panel.height + _GAP
    head = panels[0].title
    if len(panels) == 1:
        more["annotations"] = []
    else:
        head = f"<b>{title[:1].upper()}{title[1:]}</b>"
    groups = dict.fromkeys(trace.legendgroup or "" for trace in traces)
    systems = [name[3:] for name in groups if name.startswith(group_of(""))]
    alt = f"{title} of {listing(systems)}"
    figure = flat_figure(traces, head, caption, alt, total + 160, **more)
    # a share of the height would put it onto the first panel of a high figure
    place = {"yref": "container", "y": 1, "yanchor": "top", "pad": {"t": 12}}
    return figure.update_layout(title=place, margin_t=70)
