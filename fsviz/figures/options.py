"""What figures are asked for: the keywords that kinds share, documented once."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypedDict, Unpack, cast

from fsviz.model.errors import UsageError
from fsviz.model.names import keywords_of, names_of

if TYPE_CHECKING:
    import plotly.graph_objects as go

    from fsviz.answers.comparison import Comparison
    from fsviz.checks.findings import Examination
    from fsviz.figures.style import ScaleKind
    from fsviz.model.campaign import Data
    from fsviz.model.names import Names


@dataclass(frozen=True, kw_only=True, slots=True)
class FigureOptions:
    """The shared keywords; `DESCRIPTIONS` says what each means."""

    operation: str = ""
    system: Names = None
    baseline: str | None = None
    metric: str | None = None
    scale: ScaleKind = "auto"
    comparison: Comparison | None = None
    examination: Examination | None = None


DESCRIPTIONS = {
    "data": "Campaign or DataFrame\n"
    "A campaign, or its measurements in the form of the tidy table.",
    "operation": "str\nCanonical name, such as ``random_read``.",
    "system": "str or sequence of str, optional\n"
    "Systems to draw; by default all that have such numbers.",
    "baseline": "str, optional\n"
    "System to compare the others with; by default the campaign's, else the first.",
    "metric": "str, optional\n"
    "By default ``throughput`` if cells have a file size and a record size, otherwise\n"
    "the operation's main metric.",
    "scale": "{'auto', 'linear', 'log'}\n"
    "Scale of values, and of colours if there are any; the same for all systems.",
    "comparison": "Comparison, optional\n"
    "The comparison with the baseline, if it is known: ``fsviz.compare(campaign)``.",
    "examination": "Examination, optional\n"
    "What the rules find, if it is known: ``fsviz.run_checks(campaign)``.",
}
"""Type of each shared parameter, then its meaning in lines that fit a docstring."""

_SHARED = inspect.signature(FigureOptions).parameters


class FigureKeywords(TypedDict, total=False):
    """What some kind takes besides an operation, for who checks types."""

    system: Names
    baseline: str | None
    metric: Names
    scale: ScaleKind
    comparison: Comparison | None
    cliffs: bool
    edges: Mapping[str, float]
    examination: Examination | None
    maps: bool
    tool: str
    x: str


class FigureFunction(Protocol):
    """A kind of figure: a function of a campaign and of the keywords that it takes.

    ``takes_operation``: it draws one operation, which must be named.
    """

    __name__: str
    takes: tuple[str, ...]
    takes_operation: bool

    def __call__(
        self, data: Data, *, operation: Names = ..., **options: Unpack[FigureKeywords]
    ) -> go.Figure:
        """Draw."""


def takes(*names: str) -> Callable[[Callable[..., go.Figure]], FigureFunction]:
    """Give a function of data and `FigureOptions` the keywords that its kind takes."""

    def decorate(draw: Callable[..., go.Figure]) -> FigureFunction:
        first, _, *special = inspect.signature(draw).parameters.values()
        shared = [_SHARED[name] for name in names]
        keywords = (*names, *(parameter.name for parameter in special))

        @functools.wraps(draw)
        def drawn(data: Data, **given: Any) -> go.Figure:
            given = keywords_of(draw.__name__, keywords, given)
            if "operation" in names:
                given["operation"] = _single_operation(
                    draw.__name__, given.get("operation")
                )
            options = {name: given.pop(name) for name in names if name in given}
            return draw(data, FigureOptions(**options), **given)

        function = cast("Any", drawn)
        function.takes = keywords
        function.takes_operation = "operation" in names
        function.__signature__ = inspect.Signature(
            [first, *map(_required, shared), *special], return_annotation="go.Figure"
        )
        function.__doc__ = _documented(draw, names)
        return cast("FigureFunction", function)

    return decorate


def _single_operation(kind: str, operation: Names) -> str:
    """Take the one operation that a figure is of, whether or not it is in a list."""
    named = names_of(operation)
    if len(named) != 1:
        operations = ", ".join(named) or "none"
        raise UsageError(f"{kind}: expected operation=NAME, found {operations}")
    return named[0]


def _required(parameter: inspect.Parameter) -> inspect.Parameter:
    """Show an operation as what it is: nothing can be drawn without one."""
    named = parameter.name == "operation"
    return parameter.replace(default=inspect.Parameter.empty) if named else parameter


def _documented(draw: Callable[..., go.Figure], names: tuple[str, ...]) -> str:
    lines = []
    for name in ("data", *names):
        kind, *meaning = DESCRIPTIONS[name].split("\n")
        lines += [f"{name} : {kind}", *(f"    {line}" for line in meaning)]
    # python -OO keeps no docstrings
    return (inspect.getdoc(draw) or "").replace("{shared}", "\n".join(lines))
