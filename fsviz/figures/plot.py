"""Every kind of figure by its name, for the command line and the gallery."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from fsviz.analysis.cells import present
from fsviz.figures.choosing import choose
from fsviz.figures.panels.marks import note_findings
from fsviz.model.errors import UsageError
from fsviz.model.table import BONNIE_OPERATIONS, measurements_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

KINDS: dict[str, str] = {
    "explorer": "fsviz.figures.kinds.explorer:explorer",
    "versus": "fsviz.figures.kinds.versus:versus",
    "buckets": "fsviz.figures.kinds.buckets:buckets",
    "slices": "fsviz.figures.kinds.slices:slice_bands",
    "intervals": "fsviz.figures.kinds.intervals:intervals",
    "dumbbells": "fsviz.figures.kinds.dumbbells:dumbbells",
    "scaling": "fsviz.figures.kinds.scaling:scaling",
    "overview": "fsviz.figures.kinds.overview:overview",
    "cpu": "fsviz.figures.kinds.cpu:cpu",
    "strips": "fsviz.figures.kinds.strips:strips",
}
"""Name of the kind and where its function is."""


def plot(
    data: object, kind: str, operation: str | None = None, **more: object
) -> go.Figure:
    """Draw a figure of a named kind.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    kind : str
        One of `KINDS`.
    operation : str, optional
        By default the first that the kind can draw.
    **more
        What else the kind takes, such as ``systems`` or ``metric``; and ``marks``, as
        ``fsviz.marked(fsviz.examine(campaign))`` lists findings.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If there is no such kind, or it has nothing to draw.
    """
    if kind not in KINDS:
        raise UsageError(f"kind: expected one of {', '.join(KINDS)}, found {kind}")
    module, _, name = KINDS[kind].partition(":")
    draw = cast(
        "Callable[..., go.Figure]", getattr(importlib.import_module(module), name)
    )
    if "operation" not in inspect.signature(draw).parameters:
        return _drawn(draw, data, None, more)
    if operation is not None:
        return _drawn(draw, data, operation, more)
    return _first(draw, data, more)


def _first(draw: Callable[..., go.Figure], data: object, more: dict) -> go.Figure:
    refusals = []
    for operation in present(measurements_of(data), "operation"):
        try:
            return _drawn(draw, data, operation, more)
        except UsageError as error:
            refusals.append(error)
    # the first operation is what the tool is first of all about
    raise refusals[0] if refusals else UsageError("expected some measurements")


def _drawn(
    draw: Callable[..., go.Figure], data: object, operation: str | None, more: dict
) -> go.Figure:
    """Draw; where the kind has no place for marks, name the findings below it.

    Without an operation it is bonnie++'s, all of whose tests stand in one figure.
    """
    what = {"operation": operation} if operation else {}
    if "marks" in inspect.signature(draw).parameters:
        return draw(data, **what, **more)
    others = {name: value for name, value in more.items() if name != "marks"}
    figure = draw(data, **what, **others)
    rows = choose(data, operation, others.get("metric"), others.get("systems"))
    if operation is None:
        rows = rows.loc[rows["operation"].isin(list(BONNIE_OPERATIONS))]
    return note_findings(figure, more.get("marks"), rows)
