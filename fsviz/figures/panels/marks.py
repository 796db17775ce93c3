"""What ``fsviz check`` found, marked where it is: in cells, and in words below.

A mark's row names a rule, its severity and a place; what the place lacks stands for
any. A finding about every cell of a system is said once instead of drawn everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, reduce
from itertools import chain, product, repeat
from operator import and_
from typing import TYPE_CHECKING, Any

import plotly.graph_objects as go

from fsviz.checks.phrases import count
from fsviz.figures.style import edges_of
from fsviz.model.errors import printable

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from fsviz.analysis.grids import Grid

Cell = tuple[int, int]
"""File size and record size [B]."""
Found = tuple[str, str]
"""Severity and rule."""
Place = tuple[float, float]
"""File size and record size [B] that a mark names; NaN fits any."""
Places = dict[tuple[str, str, str], list[tuple[int, Found, Place | None]]]
"""Findings by system, tool and pair, each empty where a mark names none: a number, to
keep their order, what it is, and where; without a place it is beyond single cells."""

SEVERITIES = ("error", "warning")
_CORNER = {
    "symbol": "triangle-ne",
    "color": "#000000",
    "line": {"color": "#ffffff", "width": 1.5},
}
"""It leaves the number readable, and any colour shows it. Errors alone have one: where
most cells have a warning, corners would hide what differs."""


_FEW = 5
"""Cells that are too few to set a scale of colours."""


@dataclass
class Marks:
    """Findings about the cells of one map: those of some, of all, and of none alone."""

    cells: dict[Cell, list[Found]] = field(default_factory=dict)
    everywhere: list[Found] = field(default_factory=list)
    beyond: list[Found] = field(default_factory=list)

    def text(self, cell: Cell) -> str:
        """Name the rules at a cell, by severity: ``error: too-short; warning: …``."""
        return _named(tuple(self.cells.get(cell, ())))

    def worst(self, severity: str) -> list[Cell]:
        """List the cells whose gravest finding has this severity."""
        gravest = {
            cell: min((s for s, _ in found), key=SEVERITIES.index)
            for cell, found in self.cells.items()
        }
        return [cell for cell, found in gravest.items() if found == severity]


@lru_cache(maxsize=1000)
def _named(found: tuple[Found, ...]) -> str:
    """Name rules by severity; many cells have the same, and each is asked for often."""
    parts = [
        f"{severity}: {', '.join(dict.fromkeys(rules))}"
        for severity in SEVERITIES
        if (rules := [rule for s, rule in found if s == severity])
    ]
    return "; ".join(parts)


def unmarked_values(grids: Sequence[Grid], found: Mapping[str, Marks]) -> list[float]:
    """List the means of the cells in which no error was found.

    A cell that was over before the clock could tell may show ten times the speed of all
    others, and would leave them one colour.
    """
    every: list[float] = []
    kept: list[float] = []
    for grid in grids:
        wrong = set(found.get(grid.system, Marks()).worst("error"))
        for size, row in grid.mean.iterrows():
            for record, value in row.items():
                every.append(float(value))
                if (int(size), int(record)) not in wrong:
                    kept.append(float(value))
    return kept if sum(v == v for v in kept) >= _FEW else every


def places_of(marks: pd.DataFrame | None, operation: str, metric: str) -> Places:
    """Take marks about an operation apart, once for all systems and pairs."""
    if marks is None or marks.empty:
        return {}
    rows = marks.loc[_fits(marks, operation=[operation], metric=[metric])]
    words = ["system", "tool", "against", "severity", "rule"]
    texts: Any = rows[words].astype("string").fillna("").itertuples(False, None)
    sizes = rows[["file_size_bytes", "record_size_bytes"]]
    places = map(tuple, sizes.to_numpy(float, na_value=math.nan).tolist())
    of_cells = rows["cell"] if "cell" in rows else repeat(True)
    every = zip(texts, places, of_cells, strict=False)
    found: Places = {}
    for number, (text, place, single) in enumerate(every):
        told = number, text[3:], place if single else None
        found.setdefault(text[:3], []).append(told)
    return found


def marks_of(places: Places, grid: Grid, reference: Grid | None = None) -> Marks:
    """Sort the findings about the cells of a grid, or of its ratio to another."""
    found = Marks()
    measured = grid.measured
    systems, pairs = ["", grid.system], [""]
    if reference is not None:
        measured &= reference.measured
        systems.append(reference.system)
        pairs.append(reference.system)
    rows = [places.get(key, ()) for key in product(systems, {"", grid.tool}, pairs)]
    kinds: dict[Found, set[Place | None]] = {}
    for _, kind, place in sorted(chain.from_iterable(rows)):
        kinds.setdefault(kind, set()).add(place)
    for kind, named in kinds.items():
        own = {place for place in named if place is not None}
        if len(own) < len(named):
            found.beyond.append(kind)
        covered = _covered(own, measured)
        if covered and covered == measured:
            found.everywhere.append(kind)
            continue
        for cell in sorted(covered):
            found.cells.setdefault(cell, []).append(kind)
    return found


def about(
    marks: pd.DataFrame, systems: Sequence[str], **others: Sequence[str]
) -> pd.DataFrame:
    """Take the marks about some systems, operations …; what is missing fits any."""
    wanted = marks["against"].isin(["", *(systems if len(systems) > 1 else ())])
    return marks.loc[wanted & _fits(marks, system=systems, **others)]


def _fits(marks: pd.DataFrame, **wanted: Sequence[str]) -> pd.Series:
    """Return a mask of the marks about some names; what is missing fits any."""
    masks = (marks[name].isna() | marks[name].isin([*n]) for name, n in wanted.items())
    return reduce(and_, masks)


def _covered(places: set[Place], measured: frozenset[Cell]) -> set[Cell]:
    covered = set(measured & places)
    for file, record in places:
        if file != file or record != record:
            covered |= {
                (f, r)
                for f, r in measured
                if (file != file or file == f) and (record != record or record == r)
            }
    return covered


def mark_traces(
    found: Marks,
    file_sizes: Sequence[int],
    record_sizes: Sequence[int],
    narrow: bool = False,
) -> list[go.Scatter]:
    """Draw a symbol into the corner of each marked cell.

    Units: `file_sizes, record_sizes` [B].
    """
    tops = dict(zip(file_sizes, edges_of(file_sizes), strict=True))
    sides = dict(zip(record_sizes, edges_of(record_sizes), strict=True))
    cells = found.worst("error")
    # a corner is as far from its cell's edges, in pixels, however many cells
    return [
        go.Scatter(
            x=[_at(sides[r], 1 - 0.0085 * len(record_sizes)) for _, r in cells],
            y=[_at(tops[f], 1 - 0.012 * len(file_sizes)) for f, _ in cells],
            mode="markers",
            marker=_CORNER | {"size": 7 if narrow else 9},
            hoverinfo="skip",
            showlegend=False,
            name="error of fsviz check",
        )
    ]


def make_room(traces: Iterable[go.Scatter]) -> None:
    """Move the numbers of a map a little to the left, out of the marked corners."""
    for trace in traces:
        if isinstance(trace, go.Scatter) and trace.mode == "text":
            trace.x = [round(x - 0.06, 2) for x in trace.x]


def _at(edges: tuple[float, float], share: float) -> float:
    low, high = edges
    return round(low + share * (high - low), 2)


# What ``fsviz check`` found about a figure, in words below it.

MARKED, EVERYWHERE, BEYOND = "Marked cells", "All cells", "Beyond single cells"
LEGEND = "A black corner marks a cell in which fsviz check found an error."
_MOST = 3
"""Systems that a note names."""


def note_marks(figure: go.Figure, found: Mapping[str, Marks]) -> go.Figure:
    """Say below a figure what its marks mean, and what is not marked in cells."""
    figure.layout.meta |= notes_of(figure.layout.meta["caption"], found)
    return figure


def notes_of(caption: str, found: Mapping[str, Marks]) -> dict[str, object]:
    """Give the caption of a figure with these marks, and the findings about it."""
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
    said = [caption]
    if any(m.worst("error") for m in found.values()):
        said.append(LEGEND)
    warned = sum(len(m.worst("warning")) for m in found.values())
    if warned:
        said.append(f"Warnings ({count(warned, 'cell')}) are marked on demand.")
    return {"caption": " ".join(said)} | ({"findings": notes} if notes else {})


def note_findings(
    figure: go.Figure, marks: pd.DataFrame | None, rows: pd.DataFrame
) -> go.Figure:
    """Say below a figure without a map which findings concern it."""
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
