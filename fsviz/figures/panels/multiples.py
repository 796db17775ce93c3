"""Where the panels of the explorer stand: axes, legends, headings, menus."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsviz.figures.panels.heatmap import colour_axis
from fsviz.figures.panels.slice import size_axis, value_axis, with_room
from fsviz.figures.panels.surface import CAMERAS, scene
from fsviz.figures.style import GRID, INK, label

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid
    from fsviz.figures.style import Scale

MOST_FILES, MOST_RECORDS = 16, 13
"""So many tick labels fit at the heatmap."""
_SCENE = {"x": [0.0, 0.45], "y": [0.47, 1.0]}
_HEATMAP = ([0.55, 0.9], [0.525, 0.975])
_OVER_RECORD = ([0.055, 0.385], [0.075, 0.355])
_OVER_FILE = ([0.55, 0.88], [0.075, 0.355])


def panels(scale: Scale, file_sizes: list[int], record_sizes: list[int]) -> dict:
    """Axes, colour scale and legends of the four panels.

    Units: `file_sizes, record_sizes` [B].
    """
    plain = {"gridcolor": "rgba(0,0,0,0)"}
    file_axis = size_axis("file size", file_sizes, at_most=MOST_FILES)
    file_axis |= {"tickangle": 0, "title": {"text": "file size", "standoff": 4}}
    return {
        "scene": scene(scale, file_sizes, record_sizes) | {"domain": _SCENE},
        "xaxis": size_axis("record size", record_sizes, MOST_RECORDS, upright=True)
        | plain
        | {"domain": _HEATMAP[0], "anchor": "y"},
        "yaxis": file_axis | plain | {"domain": _HEATMAP[1], "anchor": "x"},
        "xaxis2": with_room(size_axis("record size", record_sizes, upright=True))
        | {"domain": _OVER_RECORD[0], "anchor": "y2"},
        "yaxis2": value_axis(scale) | {"domain": _OVER_RECORD[1], "anchor": "x2"},
        "xaxis3": with_room(size_axis("file size", file_sizes, upright=True))
        | {"domain": _OVER_FILE[0], "anchor": "y3"},
        "yaxis3": value_axis(scale)
        | {"domain": _OVER_FILE[1], "anchor": "x3", "matches": "y2"},
        "coloraxis": colour_axis(scale, x=0.905, y=0.75, length=0.48),
        "legend": _legend("file size", 0.39),
        "legend2": _legend("record size", 0.885),
    }


def _legend(title: str, x: float) -> dict:
    return {
        "title": {"text": title, "font": {"size": 11}},
        "x": x,
        "y": 0.375,
        "yanchor": "top",
        "font": {"size": 11},
        "tracegroupgap": 0,
        "itemwidth": 30,
        "bgcolor": "rgba(255,255,255,0.8)",
    }


def headings(unit: str) -> list[dict]:
    """Say over each panel what it is good for."""
    texts = (
        ("The shape: surface", 0.01, 1.02),
        (f"The place: heatmap [{unit}]", 0.55, 1.02),
        ("The number: over record size", 0.055, 0.405),
        ("The number: over file size", 0.55, 0.405),
    )
    return [heading(text, x, y) for text, x, y in texts]


def heading(text: str, x: float, y: float, anchor: str = "left") -> dict:
    """One heading as a plotly annotation, placed in parts of the figure."""
    return {
        "text": f"<b>{text}</b>",
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": anchor,
        "yanchor": "middle",
        "showarrow": False,
        "font": {"size": 12, "color": INK},
    }


def system_menu(grids: Sequence[Grid], titles: Sequence[str]) -> dict:
    """A menu that shows the traces of one system and hides the others.

    Traces must be ordered by kind, then by system: plotly repeats a list that is
    shorter than the traces, so one entry a system is enough.
    """
    buttons = [
        {
            "label": label(grid.system),
            "method": "update",
            "args": [
                {"visible": [other is grid for other in grids]},
                {"title.text": title},
            ],
        }
        for grid, title in zip(grids, titles, strict=True)
    ]
    return {
        "buttons": buttons,
        "x": 0.55,
        "xanchor": "left",
        "y": 1.09,
        "yanchor": "top",
        "bgcolor": "#ffffff",
        "bordercolor": GRID,
        "pad": {"t": 0, "b": 0},
    }


def camera_buttons(scenes: Sequence[str], x: float, y: float) -> list[dict]:
    """Buttons that turn all scenes to the same point of view."""
    buttons = [
        {
            "label": name,
            "method": "relayout",
            "args": [_view(name, scenes)],
        }
        for name in CAMERAS
    ]
    return [
        {
            "type": "buttons",
            "direction": "right",
            "showactive": False,
            "buttons": buttons,
            "x": x,
            "xanchor": "left",
            "y": y,
            "yanchor": "middle",
            "font": {"size": 11},
            "bgcolor": "#ffffff",
            "bordercolor": GRID,
            "pad": {"t": 0, "b": 0, "l": 0, "r": 0},
        }
    ]


def _view(name: str, scenes: Sequence[str]) -> dict:
    """Seen from above, the axis of values is a point; its labels would pile up."""
    turned = {f"{scene}.camera": CAMERAS[name] for scene in scenes}
    return turned | {f"{scene}.zaxis.visible": name != "top" for scene in scenes}
