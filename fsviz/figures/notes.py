"""What ``fsviz check`` found about a figure, in words below it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from fsviz.figures.marks import SEVERITIES, Found, Marks, about
from fsviz.model.errors import printable

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

MARKED, EVERYWHERE, BEYOND = "Marked cells", "All cells", "Beyond single cells"
LEGEND = (
    "A black corner marks a cell in which fsviz check found an error, a white one a "
    "warning; point at it for the rule."
)
_MOST = 3
"""Systems that a note names."""


def note_marks(figure: go.Figure, found: Mapping[str, Marks]) -> go.Figure:
    """Say below a figure what its marks mean, and what is not marked in cells.

    Parameters
    ----------
    figure : plotly Figure
        Changed in place: its caption, and ``findings`` in ``layout.meta``.
    found : mapping of str to Marks
        By system.

    Returns
    -------
    plotly Figure
        The same.
    """
    places = {
        MARKED: lambda m: [f for some in m.cells.values() for f in some],
        EVERYWHERE: lambda m: m.everywhere,
        BEYOND: lambda m: m.beyond,
    }
    notes = [
        entry
        for where, kinds in places.items()
        for entry in _notes(where, {name: kinds(m) for name, m in found.items()})
    ]
    if any(m.cells for m in found.values()):
        caption = f"{figure.layout.meta['caption']} {LEGEND}"
        figure.layout.meta |= {"caption": caption}
    return _note(figure, notes)


def note_findings(
    figure: go.Figure, marks: pd.DataFrame | None, rows: pd.DataFrame
) -> go.Figure:
    """Say below a figure without a map which findings concern it.

    Parameters
    ----------
    figure : plotly Figure
        Changed in place.
    marks : DataFrame or None
        As for `marks_of`.
    rows : DataFrame
        The rows of the tidy table that it shows.

    Returns
    -------
    plotly Figure
        The same.
    """
    if marks is None:
        return figure
    shown = {
        name: list(map(str, rows[name].unique()))
        for name in ("system", "operation", "tool")
    }
    systems = shown.pop("system")
    some = about(marks, systems, **shown)
    found: dict[str, list[Found]] = {name: [] for name in systems}
    columns = some[["system", "severity", "rule"]].drop_duplicates()
    for system, severity, rule in columns.itertuples(index=False):
        for name in [system] if isinstance(system, str) else systems:
            found[name].append((severity, rule))
    return _note(figure, _notes("Findings", found))


def _notes(where: str, found: Mapping[str, Iterable[Found]]) -> list[dict]:
    """One entry a rule, errors first; systems are named where it is not all of them."""
    systems: dict[Found, list[str]] = {}
    for name, kinds in found.items():
        for kind in dict.fromkeys(kinds):
            systems.setdefault(kind, []).append(name)
    ordered = sorted(systems, key=lambda kind: SEVERITIES.index(kind[0]))
    return [
        {
            "where": where,
            "rule": rule,
            "severity": severity,
            "of": _names(systems[severity, rule], len(found)),
        }
        for severity, rule in ordered
    ]


def _names(systems: Sequence[str], total: int) -> str:
    if len(systems) == total:
        return ""
    named = [printable(name) for name in systems]
    if len(named) > _MOST:
        named = [*named[: _MOST - 1], f"{len(named) - _MOST + 1} more"]
    return ", ".join(named)


def _note(figure: go.Figure, notes: list[dict]) -> go.Figure:
    if notes:
        figure.layout.meta |= {"findings": notes}
    return figure
