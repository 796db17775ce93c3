"""Linked figures as a widget, for JupyterLab, where no script of a page runs.

The widget brings plotly.js and the same ``linked.js`` as a report, so that pointing and
arrow keys do the same in both.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets
import traitlets

from fsviz.analysis.buckets import ALL, EDGES, bucket_of
from fsviz.analysis.cells import present
from fsviz.analysis.regimes import REGIMES, in_regime
from fsviz.campaigns.load import load
from fsviz.checks.compared import compare
from fsviz.checks.engine import Examiner
from fsviz.checks.headline import headline
from fsviz.checks.marks import cell_marks
from fsviz.checks.overview import overview
from fsviz.figures.export import LINK, plotly_js
from fsviz.figures.kinds.buckets import buckets
from fsviz.figures.kinds.explorer import explorer
from fsviz.figures.kinds.maps import maps
from fsviz.model.errors import FsvizError
from fsviz.model.escaping import html_text
from fsviz.model.table import OPERATIONS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd
    import plotly.graph_objects as go

    from fsviz.model.campaign import Campaign

_RENDER = (Path(__file__).parent / "js/widget.js").read_text(encoding="utf-8")


class LinkedFigures(anywidget.AnyWidget):
    """Figures, one below the other, whose panels are linked."""

    _esm = LINK + _RENDER
    library = traitlets.Unicode().tag(sync=True)
    figures = traitlets.List(traitlets.Unicode()).tag(sync=True)

    def __init__(self) -> None:
        super().__init__(library=plotly_js())

    def show(self, *figures: go.Figure | str) -> None:
        """Draw these figures instead of the present ones.

        Parameters
        ----------
        *figures : plotly Figure or str
            A figure, or its JSON; one that stands there already is not drawn again.
            For one that is still being made, `PENDING`: what stands there turns pale.
            What was drawn below the last of them goes.
        """
        self.figures = [
            one if isinstance(one, str) else str(one.to_json()) for one in figures
        ]


PENDING = ""
"""In the place of a figure that is being made."""


# Controls that choose what the explorer shows, for ``notebooks/explore.ipynb``.


def explore(campaigns: Sequence[str]) -> ipywidgets.VBox:
    """Show the explorer with controls for everything that it can show.

    Parameters
    ----------
    campaigns : sequence of str
        Sources to choose from, as `fsviz.load` takes them.

    Returns
    -------
    ipywidgets.VBox
        Campaign, systems, operation, metric, size buckets, regime and the system to
        compare with; the answer in words, the explorer, maps of the ratios and the
        bucket means follow.
    """
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
    }
    board = _Board(controls)
    for name, control in controls.items():
        control.observe(lambda _, name=name: board.follow(name), names="value")
    board.follow("campaign")
    row = ipywidgets.HBox(list(controls.values()))
    row.layout.flex_flow = "row wrap"
    return ipywidgets.VBox([row, board.message, board.answer, board.figures])


_KEPT = 32
"""Figures that are kept, each of about half a megabyte."""


class _Board:
    """The loaded campaign, and what follows the controls: words and figures."""

    def __init__(self, controls: dict[str, Any]) -> None:
        self.controls = controls
        self.figures = LinkedFigures()
        # not labels: they cut what is longer than the window is wide
        self.message = ipywidgets.HTML()
        self.answer = ipywidgets.HTML()
        self.busy = False

    def follow(self, changed: str) -> None:
        """Offer what there is after a change, then draw once."""
        if self.busy:
            return
        self.busy = True
        try:
            if changed == "campaign":
                self.campaign = load(self.controls["campaign"].value)
                self.examined = Examiner(self.campaign)
                self.known: dict[str, pd.DataFrame | None] = {}
                self.cells: dict[tuple, pd.DataFrame] = {}
                self.examiners: dict[tuple, Examiner] = {}
                self.drawn: dict[tuple, str] = {}
                self._offer()
            self._draw()
            self.message.value = ""
        except FsvizError as error:
            self.message.value = html_text(str(error))
            self.figures.show(*filter(None, self.figures.figures))
        finally:
            self.busy = False

    def _offer(self) -> None:
        """Offer what the campaign has; what was chosen stays where it has that too."""
        sized = self._sized()
        for column in ("operation", "metric"):
            found, control = present(sized, column), self.controls[column]
            before = control.value
            control.options = found
            control.value = before if before in found else found[0]
        names = present(sized, "system")
        self.controls["systems"].options = names
        self.controls["systems"].value = names
        first = self.campaign.baseline
        self.controls["reference"].options = names
        self.controls["reference"].value = first if first in names else names[0]

    def _sized(self) -> pd.DataFrame:
        table = self.campaign.measurements
        return table.dropna(subset=["record_size_bytes", "value"])

    def _draw(self) -> None:
        chosen = {name: control.value for name, control in self.controls.items()}
        rows = self._sized()
        inside = bucket_of(rows["file_size_bytes"]).isin(list(chosen["buckets"]))
        shown = replace(self.campaign, measurements=rows.loc[inside], whole=None)
        if inside.any():
            shown = in_regime(shown, chosen["regime"])
        what = {
            "operation": chosen["operation"],
            "metric": chosen["metric"],
            "systems": chosen["systems"],
        }
        marks = cell_marks(self.examined())
        sizes = (tuple(chosen["buckets"]), chosen["regime"])
        reference, names = str(chosen["reference"]), what["systems"]
        compared = len({reference, *names}) > 1
        key = (*what.values(), *sizes)
        # what can be shown is shown: the maps take as long as all else
        above = self._kept(explorer, key, shown, what | {"marks": marks})
        self.figures.show(above, *[PENDING] * (1 + compared))
        said = self._answer(reference, str(chosen["operation"]))
        self.answer.value = html_text(said)
        below = self._kept(buckets, key, shown, what)
        between = []
        if compared:
            among = {"systems": [reference, *(n for n in names if n != reference)]}
            told = what | among | {"baseline": reference, "marks": marks}
            known = self._cells(shown, reference, sizes)
            between.append(maps(shown, **told, comparison=known))
        self.figures.show(above, *between, below)

    def _kept(
        self,
        draw: Callable[..., go.Figure],
        key: tuple,
        shown: Campaign,
        what: dict[str, Any],
    ) -> str:
        """Draw what another reference changes nothing in, or have it drawn already."""
        key = (draw, *key)
        if key not in self.drawn:
            if len(self.drawn) >= _KEPT:
                self.drawn.pop(next(iter(self.drawn)))
            self.drawn[key] = str(draw(shown, **what).to_json())
        return self.drawn[key]

    def _cells(self, shown: Campaign, reference: str, sizes: tuple) -> pd.DataFrame:
        """Compare the cells of these sizes, once for all operations and systems."""
        key = (reference, *sizes)
        if key not in self.cells:
            # most of what is found is the same whatever the reference
            examined = self.examiners.setdefault(sizes, Examiner(shown))
            found = examined(reference)
            self.cells[key] = compare(
                shown, baseline=reference, examination=found, cells=True
            )
        return self.cells[key]

    def _answer(self, reference: str, operation: str) -> str:
        """Say how each system compares at an operation, over all sizes."""
        if reference not in self.known:
            try:
                # of every operation at once: it takes no longer than of one
                found = self.examined(reference)
                self.known[reference] = overview(
                    self.campaign, reference, examination=found
                )
            except FsvizError:
                self.known[reference] = None  # one system
        frame = self.known[reference]
        if frame is None:
            return ""
        own = frame.loc[frame["operation"] == operation].assign(operation=ALL)
        words = OPERATIONS[operation].capitalize()
        return f"{words}, all sizes: {headline(own)}" if len(own) else ""
