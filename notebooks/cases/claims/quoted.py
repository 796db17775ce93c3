"""Every number that a publication prints, by its key and with its digits' bounds."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from fsviz.campaigns import publication
from fsviz.model.errors import InconsistentDataError, quoted
from fsviz.model.runs import MISSING, Run
from fsviz.model.table import METRICS
from fsviz.model.units import parse_stated_size
from fsviz.readers.tables.values import UNITS

QUOTES = ("name", "what", "printed", "unit", "place")


class QuotedValue(NamedTuple):
    """A number that a publication prints."""

    key: str
    printed: str
    value: float
    low: float
    high: float
    unit: str
    place: str


def quoted_values(folder: Path) -> dict[str, QuotedValue]:
    """Collect every number of a publication by its key."""
    figures: dict[str, QuotedValue] = {}
    rows = publication.rows_of(folder / "points.csv", publication.POINTS)
    points = {f"line {line}": row for line, row in rows}
    for run in publication.table_runs(folder):
        _add(figures, run, {})
    for run in publication.point_runs(folder):
        _add(figures, run, points)
    path = folder / "quotes.csv"
    for line, row in publication.rows_of(path, QUOTES):
        figures[row["name"]] = _quote(path, line, row)
    return figures


def _add(
    figures: dict[str, QuotedValue], run: Run, points: Mapping[str, Mapping[str, str]]
) -> None:
    """Add a run's numbers: of a table, or of points by their line."""
    cells = run.cells
    for at, locator in enumerate(cells.locator):
        row = points.get(locator) or {"place": str(run.facts.get("place", ""))}
        cell = f"{row['file']} {row['record']}" if points else cells.metric[at]
        key = f"{run.host} {cells.operation[at]} {cell}"
        if key in figures:
            raise InconsistentDataError(run.source, 1, "each figure once", quoted(key))
        numbers = cells.value[at], cells.low[at], cells.high[at]
        unit = METRICS[cells.metric[at]].unit
        printed = row.get("printed", "")
        figures[key] = QuotedValue(key, printed, *numbers, unit, row["place"])


def _quote(path: Path, line: int, row: Mapping[str, str]) -> QuotedValue:
    """Read a number of ``quotes.csv``; a count is exact, a text is none."""
    printed, unit = row["printed"], row["unit"]
    value = low = high = MISSING
    if unit == "size":
        value = low = high = float(parse_stated_size(printed))
        unit = "B"
    elif unit != "text":
        stated = unit if unit != "1" else ""
        written = publication.written_in(path, line, printed, stated)
        value, low, high = written.value, written.low, written.high
        if unit != "1":
            unit = METRICS[UNITS[unit.lower()][0]].unit
        elif low == low:
            low = high = value
    return QuotedValue(row["name"], printed, value, low, high, unit, row["place"])
