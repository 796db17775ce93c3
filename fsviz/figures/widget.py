"""Linked figures as a widget, for JupyterLab, where no script of a page runs.

The widget brings plotly.js and the same ``linked.js`` as a report, so that pointing and
arrow keys do the same in both.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import anywidget
import traitlets

from fsviz.figures.embed import LINK, plotly_js

if TYPE_CHECKING:
    import plotly.graph_objects as go

_RENDER = (Path(__file__).parent / "widget.js").read_text(encoding="utf-8")


class LinkedFigures(anywidget.AnyWidget):
    """Figures, one below the other, whose panels are linked."""

    _esm = LINK + _RENDER
    library = traitlets.Unicode().tag(sync=True)
    figures = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self) -> None:
        super().__init__(library=plotly_js())

    def show(self, *figures: go.Figure) -> None:
        """Draw these figures instead of the present ones.

        Parameters
        ----------
        *figures : plotly Figure
            As many as before.
        """
        self.figures = [str(figure.to_json()) for figure in figures]
