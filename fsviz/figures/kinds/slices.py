"""One slice of the matrix, all systems, each with the interval of its mean."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import plotly.graph_objects as go

from fsviz.figures.choosing import note_beside
from fsviz.figures.kinds.explorer import grids_of
from fsviz.figures.looks import Look, Looks, looks
from fsviz.figures.options import FigureOptions, takes
from fsviz.figures.panels.marks import note_findings
from fsviz.figures.panels.regions import above, name_above, regions
from fsviz.figures.panels.slice import Over, size_axis, value_axis
from fsviz.figures.style import (
    flat_figure,
    label,
    make_scale,
    rounded,
)
from fsviz.model.errors import UsageError
from fsviz.model.libraries import pd
from fsviz.model.table import METRICS, OPERATIONS, measurements_of
from fsviz.model.units import format_size

if TYPE_CHECKING:
    from fsviz.analysis.grids import Grid
    from fsviz.figures.style import Scale
    from fsviz.model.campaign import Data

CAPTION = (
    "One cut through the matrix. The band is the 95 % interval of the mean over runs: "
    "where bands overlap, the order of the lines may be chance."
)


@takes("operation", "system", "metric", "scale", "marks")
def slice_bands(
    data: Data,
    asked: FigureOptions,
    *,
    size: int | None = None,
    over: Over | None = None,
) -> go.Figure:
    """Draw one slice of every system with interval bands.

    Parameters
    ----------
    {shared}
    size : int, optional
        The fixed size [B]; by default the largest file size or the middle record size.
    over : {'record size', 'file size'}
        Sizes on the x axis; by default record sizes, if there are several.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there is no such operation, system or size.
    """
    grids, beside = grids_of(data, asked)
    records = {size for grid in grids for size in grid.mean}
    over = over or ("record size" if len(records) > 1 else "file size")
    by_record = over == "record size"
    fixed = sorted({s for g in grids for s in (g.mean.index if by_record else g.mean)})
    chosen = size or int(fixed[-1] if by_record else fixed[len(fixed) // 2])
    if chosen not in fixed:
        known = ", ".join(format_size(s) for s in fixed)
        raise UsageError(f"size: expected one of {known}, found {format_size(chosen)}")
    slices = [(g, _rows(g, chosen, by_record)) for g in grids]
    values = [v for _, f in slices for name in f for v in f[name] if v > 0]
    scale = make_scale(values, grids[0].metric, asked.scale)
    figure = note_beside(_draw(slices, scale, over, chosen, looks(data)), beside)
    if asked.marks is None:
        return figure
    column = "file_size_bytes" if by_record else "record_size_bytes"
    places = asked.marks[column]
    here = asked.marks.loc[places.isna() | (places == chosen)]
    rows = measurements_of(data)
    shown = rows["system"].isin([grid.system for grid in grids])
    return note_findings(
        figure, here, rows.loc[shown & (rows["operation"] == asked.operation)]
    )


def _rows(grid: Grid, size: int, by_record: bool) -> pd.DataFrame:
    """Mean and interval of one slice, gaps left out."""
    frames = {"mean": grid.mean, "low": grid.ci_low, "high": grid.ci_high}
    cut = {
        name: (frame if by_record else frame.T).reindex([size]).iloc[0]
        for name, frame in frames.items()
    }
    return pd.DataFrame(cut).dropna(subset="mean")


def _draw(
    slices: list[tuple[Grid, pd.DataFrame]],
    scale: Scale,
    over: str,
    size: int,
    styles: Looks,
) -> go.Figure:
    traces: list = []
    for grid, rows in slices:
        traces += _band(grid, rows, scale, styles[grid.system])
    first = slices[0][0]
    sizes = sorted({int(s) for _, rows in slices for s in rows.index})
    other = "file" if over == "record size" else "record"
    where = f"{other} of {format_size(size)}"
    found = regions([grid for grid, _ in slices])
    if other == "file":
        where += "".join({f" ({r.regime})" for r in found if r.holds(size)})
    title = OPERATIONS[first.operation].capitalize()
    names = ", ".join(label(grid.system) for grid, _ in slices)
    figure = flat_figure(
        traces,
        f"<b>{title}</b> – over {over}, {where}",
        CAPTION,
        f"{OPERATIONS[first.operation]} {METRICS[first.metric].title} over {over} at "
        f"a {where} of {names}, with 95 % intervals",
        460,
        xaxis=size_axis(over, sizes, 14)
        | {"automargin": True, "tickangle": 0, "title": {"text": over, "standoff": 16}},
        yaxis=value_axis(scale) | {"automargin": True},
    )
    for region in found if other == "record" else ():
        figure.add_shape(above(region, "x", "y"))
        figure.add_annotation(name_above(region, found, "x", "y"))
    return figure


def _band(grid: Grid, rows: pd.DataFrame, scale: Scale, look: Look) -> list:
    x = [math.log2(s) for s in rows.index]
    sure = rows.dropna()
    floor = scale.low * 0.85 if scale.log else -math.inf
    low = [max(floor, v / scale.factor) for v in sure["low"]]
    high = [v / scale.factor for v in sure["high"]]
    edge = [math.log2(s) for s in sure.index]
    band = go.Scatter(
        x=edge + edge[::-1],
        y=[rounded(v) for v in high + low[::-1]],
        fill="toself",
        fillcolor=look.pale(),
        line={"width": 0},
        mode="lines",
        hoverinfo="skip",
        showlegend=False,
        legendgroup=grid.system,
        name="95 % interval",
    )
    texts = [
        f"{format_size(int(s))}<br>95 % {r.low / scale.factor:.3g} – "
        f"{r.high / scale.factor:.3g}"
        for s, r in zip(rows.index, rows.itertuples(), strict=True)
    ]
    line = go.Scatter(
        x=x,
        y=[rounded(v / scale.factor) for v in rows["mean"]],
        text=texts,
        **look.line(size=7),
        hovertemplate=f"<b>{label(grid.system)}</b> %{{text}}<br>%{{y:.3r}} "
        f"{scale.unit}<extra></extra>",
        name=label(grid.system),
        legendgroup=grid.system,
    )
    return [band, line]
