"""Headings over panels, and buttons that turn surfaces."""

from __future__ import annotations

from collections.abc import Sequence

from fsviz.figures.panels.surface import CAMERAS
from fsviz.figures.style import GRID, INK


def heading(text: str, x: float, y: float) -> dict:
    """One heading as a plotly annotation, placed in parts of the figure."""
    return {
        "text": f"<b>{text}</b>",
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "xanchor": "left",
        "yanchor": "middle",
        "showarrow": False,
        "font": {"size": 12, "color": INK},
    }


def camera_buttons(scenes: Sequence[str], x: float, y: float) -> list[dict]:
    """Buttons that turn all scenes to the same point of view."""
    buttons = [
        {"label": name, "method": "relayout", "args": [_view(name, scenes)]}
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
