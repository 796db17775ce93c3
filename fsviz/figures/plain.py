"""What the flat figures share: one colour and one symbol a system, and their frame."""

from __future__ import annotations

import plotly.graph_objects as go

from fsviz.figures.style import GRID, INK, label, layout

# Okabe & Ito 2008, told apart by the colour-blind; symbols tell them apart in grey
_COLOURS = (
    "#0072b2",
    "#d55e00",
    "#009e73",
    "#cc79a7",
    "#56b4e9",
    "#e69f00",
    "#000000",
    "#7f7f7f",
)
_SYMBOLS = (
    "circle",
    "square",
    "diamond",
    "triangle-up",
    "x",
    "triangle-down",
    "star",
    "cross",
)


def colour(position: int) -> str:
    """Colour of a system, by its place in the campaign."""
    return _COLOURS[position % len(_COLOURS)]


def symbol(position: int) -> str:
    """Symbol of a system; from the ninth on it is hollow."""
    hollow = "-open" if position // len(_SYMBOLS) % 2 else ""
    return _SYMBOLS[position % len(_SYMBOLS)] + hollow


def pale(position: int, opacity: float = 0.16) -> str:
    """The same colour, to be laid under a line."""
    text = colour(position)
    red, green, blue = (int(text[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red},{green},{blue},{opacity})"


def axis(title: str, **more: object) -> dict:
    """A plain axis with a title that states the unit."""
    return {
        "title": {"text": title, "standoff": 8},
        "gridcolor": GRID,
        "linecolor": INK,
        "showline": True,
        "zeroline": False,
        "automargin": True,
        "tickfont": {"size": 11},
        **more,
    }


def rows_axis(names: list[str], **more: object) -> dict:
    """An axis with one row a name, the first on top."""
    return axis(
        "",
        tickmode="array",
        tickvals=list(range(len(names))),
        ticktext=[label(name) for name in names],
        range=[len(names) - 0.4, -0.6],
        **more,
    )


def flat_figure(
    traces: list, title: str, caption: str, alt: str, height: int, **more: object
) -> go.Figure:
    """Put traces into the frame that all flat figures share."""
    figure = go.Figure(data=traces)
    legend = {"orientation": "v", "x": 1.01, "y": 1, "font": {"size": 11}}
    figure.update_layout(**layout(title, caption, alt, height))
    figure.update_layout(
        margin={"l": 20, "r": 20, "t": 60, "b": 20}, legend=legend, hovermode="closest"
    )
    figure.update_layout(**more)
    return figure
