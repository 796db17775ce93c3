"""Linked figures as a widget, for JupyterLab, where no script of a page runs.

The widget brings plotly.js and a report's own ``linked.js`` and ``stack.js``, so that
pointing, arrow keys and narrow windows do the same in both.
"""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, get_args

import anywidget
import ipywidgets
import traitlets

from fsviz.analysis.buckets import EDGES
from fsviz.analysis.cells import present
from fsviz.analysis.regimes import REGIMES
from fsviz.figures._explore_notebook import Choice, Explored, Scale
from fsviz.figures.export import LINK, STACK, plotly_js
from fsviz.model.errors import FsvizError
from fsviz.model.escaping import html_text
from fsviz.store.load import load

if TYPE_CHECKING:
    from collections.abc import Sequence

    import plotly.graph_objects as go

_RENDER = (Path(__file__).parent / "js/widget.js").read_text(encoding="utf-8")


class LinkedFigures(anywidget.AnyWidget):
    """Figures, one below the other, whose panels are linked."""

    _esm = LINK + STACK + _RENDER
    library = traitlets.Unicode().tag(sync=True)
    figures = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self) -> None:
        super().__init__(library=plotly_js())

    def show(self, *figures: go.Figure | str) -> None:
        """Draw these figures instead of the present ones."""
        self.figures = [
            figure if isinstance(figure, str) else str(figure.to_json())
            for figure in figures
        ]


PENDING = ""
"""In the place of a figure that is being made."""


# Controls that choose what the explorer shows, for ``notebooks/explore.ipynb``.


def explore(campaigns: Sequence[str]) -> ipywidgets.VBox:
    """Show the explorer with controls for everything that it can show."""
    controls: dict[str, Any] = {
        "campaign": ipywidgets.Dropdown(
            options=list(campaigns), description="Campaign"
        ),
        "systems": ipywidgets.SelectMultiple(description="Systems", rows=5),
        "operation": ipywidgets.Dropdown(description="Operation"),
        "metric": ipywidgets.Dropdown(description="Metric"),
        "buckets": ipywidgets.SelectMultiple(
            options=list(EDGES), value=list(EDGES), description="Buckets", rows=4
        ),
        "regime": ipywidgets.Dropdown(
            options=[("all", ""), *((name, name) for name in REGIMES)],
            description="Regime",
        ),
        "reference": ipywidgets.Dropdown(description="Against"),
        "scale": ipywidgets.Dropdown(options=get_args(Scale), description="Scale"),
    }
    board = _Board(controls)
    for name, control in controls.items():
        control.observe(lambda _, name=name: board.follow(name), names="value")
    board.follow("campaign")
    hint = ipywidgets.HTML("hold Ctrl, ⌘ or Shift", description="Several")
    row = ipywidgets.HBox([*controls.values(), hint])
    row.layout.flex_flow = "row wrap"
    return ipywidgets.VBox([row, board.message, board.answer, board.figures])


_OFFERED = {
    "operation": "operation",
    "metric": "metric",
    "systems": "system",
    "reference": "system",
}
"""Controls that offer what a campaign has, and the column that has it."""

_REST, _PAUSE = 1.0, 0.02
"""After a choice, before what may be chosen next is drawn; between two figures [s]."""


class _Board:
    """The campaign that is explored, and what follows the controls."""

    def __init__(self, controls: dict[str, Any]) -> None:
        self.controls = controls
        self.figures = LinkedFigures()
        # not labels: they cut what is longer than the window is wide
        self.message = ipywidgets.HTML()
        self.answer = ipywidgets.HTML()
        self.explored: Explored | None = None
        self.known: dict[str, Explored] = {}
        self.busy = False
        self.scaled = False
        # JupyterLab may run a cell and the controls in two threads (subshells)
        self.drawing = threading.Lock()
        self.turn = 0

    def follow(self, changed: str) -> None:
        """Offer what there is after a change, then draw once."""
        if self.busy:
            return
        self.busy = True
        self.turn += 1
        try:
            with self.drawing:
                if changed == "campaign":
                    self._take(self.controls["campaign"].value)
                if self.explored:
                    self._draw(self.explored)
                    self.message.value = ""
                    self._look_ahead(self.explored)
        except FsvizError as error:
            self.message.value = html_text(str(error))
            self.figures.show(*filter(None, self.figures.figures))
        finally:
            self.busy = False

    def _take(self, source: str) -> None:
        self.explored = None
        try:
            self.explored = self._read(source)
        except FsvizError:
            # nothing of another campaign stands under the name of this one
            self.answer.value = ""
            self.figures.show()
            raise
        opened = self._first_choice(self.explored)
        for name, column in _OFFERED.items():
            control = self.controls[name]
            control.options = present(self.explored.rows, column)
            control.value = opened[name]
        if not self.scaled:
            # it opens as figures choose it, and only its reader changes it after that
            self.controls["scale"].value = self.explored.scale(opened)
            self.scaled = True

    def _read(self, source: str) -> Explored:
        """Read a campaign once; the cell that is run again reads it again."""
        if source not in self.known:
            self.known[source] = Explored(source, load(source))
        return self.known[source]

    def _first_choice(self, explored: Explored) -> dict[str, Any]:
        """Say what is chosen when a campaign opens: what is now, where it has that."""
        offered = {n: present(explored.rows, column) for n, column in _OFFERED.items()}
        values = {name: self.controls[name].value for name in ("operation", "metric")}
        values["reference"] = explored.campaign.baseline
        first = {
            name: value if value in offered[name] else offered[name][0]
            for name, value in values.items()
        }
        return first | {"systems": tuple(offered["systems"])}

    def _chosen(self, explored: Explored, **other: Any) -> Choice:
        values = {
            name: control.value for name, control in self.controls.items()
        } | other
        sizes = (tuple(values["buckets"]), values["regime"])
        names = ("operation", "metric", "systems", "reference", "scale")
        return explored.choice(sizes=sizes, **{name: values[name] for name in names})

    def _draw(self, explored: Explored) -> None:
        chosen = self._chosen(explored)
        if not explored.is_drawn(chosen):
            # what can be shown is shown
            above = explored.explorer(chosen)
            self.figures.show(above, PENDING)
        self.answer.value = html_text(explored.answer(chosen))
        self.figures.show(*(draw(chosen) for draw in explored.parts))

    def _look_ahead(self, explored: Explored) -> None:
        """Draw what is likely chosen next, while nothing is chosen."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # not in a kernel, so nothing will be chosen
        # a loop forgets a task that nobody else holds
        self.ahead = loop.create_task(self._draw_next(explored, self.turn))

    async def _draw_next(self, explored: Explored, turn: int) -> None:
        await asyncio.sleep(_REST)
        if turn != self.turn:
            return
        offered = (self.controls[name].options for name in ("operation", "reference"))
        for other in explored.likely(self._chosen(explored), *offered):
            if turn != self.turn:
                return
            await self._draw_ahead(explored, other, turn)
        for source in self.controls["campaign"].options:
            if turn != self.turn:
                return
            with suppress(FsvizError):  # it is said when it is chosen
                loaded = await asyncio.to_thread(self._read, source)
                first = self._chosen(loaded, **self._first_choice(loaded))
                await self._draw_ahead(loaded, first, turn)

    async def _draw_ahead(self, explored: Explored, other: Choice, turn: int) -> None:
        for draw in explored.steps(other):
            await asyncio.sleep(_PAUSE)
            with self.drawing:
                if turn != self.turn:
                    return
                try:
                    draw(other)
                except FsvizError:
                    return  # it is said when it is chosen
