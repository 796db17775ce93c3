"""One system and operation over the campaigns of a store, with its levels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.answers.history import conclude_history, step_words
from fsviz.campaigns.versions import describe_changes
from fsviz.figures.style import INK, axis, colour, flat_figure, label
from fsviz.model.escaping import figure_text
from fsviz.model.libraries import np
from fsviz.model.table import OPERATIONS
from fsviz.model.units import display_scale

if TYPE_CHECKING:
    import pandas as pd

CAPTION = (
    "One dot a campaign: the geometric mean over its cells; bars are 95 % intervals "
    "over its runs. Lines are levels; a dotted line is a change that shuffled "
    "campaigns make in less than 1 of 100 histories. Triangles on the axis: a stated "
    "fact changed."
)
_LIMITS = " A dot that is a triangle is a limit: runs were too fast to time."


def history_figure(frame: pd.DataFrame, system: str, operation: str) -> go.Figure:
    """Draw one history of a system and operation over the campaigns of a store.

    Parameters
    ----------
    frame : DataFrame
        As `fsviz.store.history.history` returns it.
    system, operation : str
        The system and operation of the history.

    Returns
    -------
    plotly Figure
        The campaigns are in order of time, at equal distances.
    """
    known = frame["value"].fillna(frame["value_low"]).fillna(frame["value_high"])
    factor, unit = display_scale(str(frame["unit"].iloc[0]), float(known.median()))
    shown = frame.assign(
        value=known / factor,
        **{name: frame[name] / factor for name in ("ci_low", "ci_high")},
        symbol=[_symbol(row) for row in frame.to_dict("records")],
        text=[_hover(row) for row in frame.to_dict("records")],
    )
    places = list(range(len(shown)))
    return flat_figure(
        [*_levels(shown), _dots(shown, places), _facts(shown, places)],
        f"<b>{OPERATIONS[operation].capitalize()}</b> – {label(system)} over time",
        CAPTION + (_LIMITS if frame["value"].isna().any() else ""),
        figure_text(conclude_history(frame, system, operation)),
        440,
        xaxis=axis("campaign", **_ticks(shown)),
        yaxis=axis(f"geometric mean [{unit}]", rangemode="tozero"),
        shapes=[_border(place) for place in _borders(shown)],
        annotations=[_said(shown.loc[place], place) for place in _borders(shown)],
        showlegend=False,
    )


def _said(row: pd.Series, place: int) -> dict:
    return {
        "x": place - 0.5,
        "y": 1,
        "yref": "paper",
        "yanchor": "bottom",
        "text": step_words(row.to_dict()),
        "showarrow": False,
    }


def _hover(row: dict) -> str:
    changed = describe_changes(row["facts"])
    parts = [str(row["key"]), str(row["began"])[:10], f"{row['n_runs']} runs", changed]
    return "<br>".join(figure_text(part) for part in parts if part)


def _symbol(row: dict) -> str:
    return (
        "triangle-up"
        if row["value_low"] > 0
        else ("triangle-down" if row["value_high"] > 0 else "circle")
    )


def _dots(shown: pd.DataFrame, places: list[int]) -> go.Scatter:
    up = (shown["ci_high"] - shown["value"]).fillna(0)
    down = (shown["value"] - shown["ci_low"]).fillna(0)
    return go.Scatter(
        x=places,
        y=shown["value"],
        mode="markers",
        marker={"color": colour(0), "size": 7, "symbol": list(shown["symbol"])},
        error_y={"array": up, "arrayminus": down, "thickness": 1, "width": 0},
        text=shown["text"],
        hovertemplate="%{text}<br>%{y:.4g}<extra></extra>",
    )


def _levels(shown: pd.DataFrame) -> list[go.Scatter]:
    lines = []
    # a drift is a slant about the mean; without one the ends are level
    slant = float(np.sqrt(shown["drift"].fillna(1).iloc[0]))
    for _, part in shown.groupby("level"):
        mean = float(np.exp(np.log(part["value"]).mean()))
        lines.append(
            go.Scatter(
                x=[part.index[0] - 0.4, part.index[-1] + 0.4],
                y=[mean / slant, mean * slant],
                mode="lines",
                line={"color": colour(1), "width": 3},
                hoverinfo="skip",
            )
        )
    return lines


def _facts(shown: pd.DataFrame, places: list[int]) -> go.Scatter:
    changed = [
        place for place, facts in zip(places, shown["facts"], strict=True) if facts
    ]
    return go.Scatter(
        x=changed,
        y=[0] * len(changed),
        mode="markers",
        marker={"symbol": "triangle-up", "color": INK, "size": 10},
        text=[shown["text"].iloc[place] for place in changed],
        hovertemplate="%{text}<extra></extra>",
        cliponaxis=False,
    )


def _borders(shown: pd.DataFrame) -> list[int]:
    return [place for place, word in enumerate(shown["verdict"]) if word]


def _border(place: int) -> dict:
    return {
        "type": "line",
        "x0": place - 0.5,
        "x1": place - 0.5,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": INK, "dash": "dot", "width": 1},
    }


def _ticks(shown: pd.DataFrame) -> dict:
    """Name at most a dozen campaigns, by their date where there is one."""
    step = max(1, -(-len(shown) // 12))
    chosen = shown.iloc[::step]
    names = [
        str(began)[:10] or str(key)
        for began, key in zip(chosen["began"], chosen["key"], strict=True)
    ]
    return {
        "tickmode": "array",
        "tickvals": [int(place) for place in chosen.index],
        "ticktext": [label(name) for name in names],
        "range": [-0.7, len(shown) - 0.3],
    }
