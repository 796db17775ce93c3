"""Every kind of figure by its name, for the command line and the gallery."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from fsviz.analysis.cells import present
from fsviz.errors import UsageError
from fsviz.table import measurements_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

KINDS: dict[str, str] = {
    "explorer": "fsviz.figures.explorer:explorer",
    "versus": "fsviz.figures.versus:versus",
    "buckets": "fsviz.figures.buckets:buckets",
    "slices": "fsviz.figures.bands:slice_bands",
    "intervals": "fsviz.figures.intervals:intervals",
    "dumbbells": "fsviz.figures.dumbbells:dumbbells",
    "scaling": "fsviz.figures.scaling:scaling",
    "cpu": "fsviz.figures.costs:cpu",
    "strips": "fsviz.figures.strips:strips",
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
        What else the kind takes, such as ``systems`` or ``metric``.

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
        return draw(data, **more)
    if operation is not None:
        return draw(data, operation=operation, **more)
    return _first(draw, data, more)


def _first(draw: Callable[..., go.Figure], data: object, more: dict) -> go.Figure:
    refusal = UsageError("expected some measurements, found none")
    for operation in present(measurements_of(data), "operation"):
        try:
            return draw(data, operation=operation, **more)
        except UsageError as error:
            refusal = error
    raise refusal
