"""Every kind of figure by its name, for the command line and the gallery."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any, Unpack, cast

from fsviz.analysis.cells import present
from fsviz.figures.kinds import KINDS
from fsviz.model.errors import UsageError
from fsviz.model.names import choose, keywords_of, unknown
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from fsviz.figures.options import FigureFunction, FigureKeywords
    from fsviz.model.campaign import Data


def plot(
    data: Data,
    kind: str,
    operation: str | None = None,
    **more: Unpack[FigureKeywords],
) -> go.Figure:
    """Draw a figure of a named kind.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    kind : str
        One of `fsviz.figures.kinds.KINDS`.
    operation : str, optional
        Operation to draw; by default the first that the kind can draw.
    **more
        Other keywords of the kind, such as ``system`` or ``metric``: see the
        kind's function.

    Returns
    -------
    plotly Figure

    Raises
    ------
    UsageError
        If the kind is unknown, has nothing to draw, or does not take a keyword.
    """
    if kind not in KINDS:
        raise unknown("kind", kind, KINDS)
    draw = function_of(kind)
    options = keywords_of(kind, draw.takes, more)
    operation = options.pop("operation", operation)
    # else the first operation would be blamed
    choose("system", options.get("system"), present(measurements_of(data), "system"))
    if operation is not None:
        return draw(data, operation=operation, **options)
    return (
        _first(draw, data, options) if draw.takes_operation else draw(data, **options)
    )


def function_of(kind: str) -> FigureFunction:
    """Find the function that draws a kind."""
    # imported when it is drawn
    module = importlib.import_module(f"fsviz.figures.kinds.{kind}")
    return cast("FigureFunction", getattr(module, kind))


def _first(draw: FigureFunction, data: Data, options: dict[str, Any]) -> go.Figure:
    refusals = []
    for operation in present(measurements_of(data), "operation"):
        try:
            return draw(data, operation=operation, **options)
        except UsageError as error:
            refusals.append(error)
    # the first operation is what the tool is first of all about
    raise refusals[0] if refusals else UsageError("expected some measurements")
