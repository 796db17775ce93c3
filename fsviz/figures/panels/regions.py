"""Which file sizes the client's memory could answer, as strips beside the axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from fsviz.figures.style import edges_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from fsviz.analysis.grids import Grid

_SHADES = {"cache": "#cbd2d9", "transition": "#8592a0", "storage": "#3a4653"}
"""Light to dark, so that the strips read in grey."""
RIGHT = 0.85
"""Where the panels end that have a strip, in parts of the figure."""
_NARROW = 1.7
"""Doublings of the file size; the name of a narrower region needs room beside it."""
SENTENCE = (
    "Strips beside the file sizes: the client's RAM could hold all of the file "
    "(cache), some of it (transition) or too little to matter (storage)."
)


@dataclass(frozen=True, slots=True)
class Region:
    """File sizes of one regime, from edge to edge [log₂ B]."""

    regime: str
    low: float
    high: float

    def holds(self, size: int) -> bool:
        """Say whether a file size [B] is in the region."""
        return self.low < math.log2(size) < self.high


def regions(grids: Sequence[Grid]) -> list[Region]:
    """Part the file sizes by regime, where all systems agree on it."""
    labels: dict[int, str] = {}
    for grid in grids:
        for size in map(int, grid.mean.index):
            regime = grid.regimes.get(size, "")
            if not regime or labels.setdefault(size, regime) != regime:
                return []
    sizes = sorted(labels)
    edges = edges_of(sizes)
    found = []
    for regime, run in groupby(range(len(sizes)), lambda k: labels[sizes[k]]):
        places = list(run)
        found.append(Region(regime, edges[places[0]][0], edges[places[-1]][1]))
    return found


def draw_regions(figure: go.Figure, found: Sequence[Region]) -> go.Figure:
    """Draw the strips of an explorer: right of its heatmap, over its last slices."""
    if not found:
        return figure
    for name in ("xaxis", "xaxis3"):
        left, _ = figure.layout[name].domain
        figure.layout[name].domain = (left, RIGHT)
    for region in found:
        figure.add_shape(beside(region, "x", "y"))
        figure.add_annotation(_name_beside(region))
        figure.add_shape(above(region, "x3", "y3"))
        figure.add_annotation(name_above(region, found, "x3", "y3"))
    figure.layout.meta |= {"caption": f"{figure.layout.meta['caption']} {SENTENCE}"}
    return figure


def beside(region: Region, x: str, y: str) -> dict:
    """A piece of the strip right of a heatmap."""
    across = {"xref": f"{x} domain", "x0": 1.01, "x1": 1.025}
    along = {"yref": y, "y0": region.low + 0.06, "y1": region.high - 0.06}
    return _strip(region) | across | along


def above(region: Region, x: str, y: str) -> dict:
    """A piece of the strip over a panel whose x axis shows file sizes."""
    across = {"yref": f"{y} domain", "y0": 1.012, "y1": 1.032}
    along = {"xref": x, "x0": region.low + 0.04, "x1": region.high - 0.04}
    return _strip(region) | across | along


def _strip(region: Region) -> dict:
    shade = _SHADES[region.regime]
    return {
        "type": "rect",
        "fillcolor": shade,
        "line": {"width": 0},
        "name": f"regime {region.regime}",
    }


def _name(region: Region) -> dict:
    return {
        "text": region.regime,
        "showarrow": False,
        "font": {"size": 11},
    }


def _name_beside(region: Region) -> dict:
    middle = (region.low + region.high) / 2
    return _name(region) | {
        "xref": "x domain",
        "yref": "y",
        "x": 1.03,
        "y": middle,
        "xanchor": "left",
        "yanchor": "middle",
    }


_GAP = 0.25
"""Between two names beside one another [doublings]."""


def name_above(region: Region, found: Sequence[Region], x: str, y: str) -> dict:
    """The name of a region over a panel; a narrow one's takes room at its free side."""
    place, anchor = (region.low + region.high) / 2, "center"
    if region.high - region.low < _NARROW and len(found) > 1:
        last = region is found[-1]
        place, anchor = (region.low + _GAP, "left") if last else (region.high, "right")
    return _name(region) | {
        "xref": x,
        "yref": f"{y} domain",
        "x": place,
        "y": 1.03,
        "xanchor": anchor,
        "yanchor": "bottom",
    }
