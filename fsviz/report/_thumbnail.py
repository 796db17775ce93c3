"""A small picture for the index: the heatmap of one operation, as plain SVG."""

from __future__ import annotations

import html
import math
from contextlib import suppress
from typing import TYPE_CHECKING

from fsviz.analysis.aggregate import means_by
from fsviz.analysis.grids import make_grid
from fsviz.model.errors import UsageError
from fsviz.model.table import METRICS

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

WIDTH, HEIGHT = 120, 80
_DARK, _LIGHT = (68, 1, 84), (253, 231, 37)
"""Ends of the colour scale of the reports."""


def thumbnail(campaign: Campaign, tool: str) -> str:
    """Draw the cells or, where a tool has no matrix, the systems; of one, nothing."""
    table = campaign.measurements
    rows = table.loc[(table["tool"] == tool) if tool else table["value"].notna()]
    rows = rows.loc[rows["value"].notna()]
    if rows.empty:
        return ""
    first = rows.iloc[0]
    one = rows["threads"].isna() | (rows["threads"] == first["threads"])
    one &= rows["setting"] == first["setting"]
    own = rows.loc[(rows["tool"] == first["tool"]) & one]
    system, operation = str(first["system"]), str(first["operation"])
    with suppress(UsageError):  # no sizes
        mean = make_grid(own, system=system, operation=operation).mean
        if mean.size > 1:  # one cell alone is no picture
            return _matrix(mean, system, operation)
    return _bars(own, operation, str(first["metric"]))


def _matrix(mean: pd.DataFrame, system: str, operation: str) -> str:
    low, high = math.log(mean.min().min()), math.log(mean.max().max())
    across, down = WIDTH / mean.shape[1], HEIGHT / mean.shape[0]
    boxes = [
        _box(x * across, HEIGHT - (y + 1) * down, across, down, low, math.log(v), high)
        for y, row in enumerate(mean.to_numpy())
        for x, v in enumerate(row)
        if v == v and v > 0
    ]
    return _svg(f"{operation} of {system}, by file size and record size", boxes)


def _bars(rows: pd.DataFrame, operation: str, metric: str) -> str:
    chosen = rows.loc[(rows["operation"] == operation) & (rows["metric"] == metric)]
    means = means_by(chosen, ["system"])["mean"]
    if len(means) < 2:  # nor is one bar
        return ""
    down, top = HEIGHT / len(means), means.max() or 1.0
    boxes = [
        _box(0, i * down, WIDTH * value / top, down, 0, value, top)
        for i, value in enumerate(means)
    ]
    return _svg(f"{METRICS[metric].title} of {operation}, by system", boxes)


def _box(
    x: float, y: float, wide: float, high: float, least: float, here: float, most: float
) -> str:
    share = (here - least) / (most - least) if most > least else 1.0
    red, green, blue = (
        round(a + (b - a) * share) for a, b in zip(_DARK, _LIGHT, strict=True)
    )
    place = f'x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{high:.1f}"'
    return f'<rect {place} fill="rgb({red},{green},{blue})" stroke="#fff"/>'


def _svg(title: str, boxes: list[str]) -> str:
    return (
        # an image of its own needs the name space: https://www.w3.org/TR/SVG2/struct.html
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        f'width="{WIDTH}" height="{HEIGHT}" '
        f'role="img"><title>{html.escape(title)}</title>{"".join(boxes)}</svg>'
    )
