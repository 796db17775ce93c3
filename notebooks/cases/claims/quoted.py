"""Every number that a publication prints, by its key and with its digits' bounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from fsviz.campaigns.publication import (
    POINTS,
    point_runs,
    rows_of,
    table_runs,
    written_in,
)
from fsviz.model.errors import InconsistentDataError, quoted
from fsviz.model.runs import MISSING, Run
from fsviz.model.table import METRICS
from fsviz.model.units import parse_stated_size
from fsviz.readers.tables.values import UNITS

QUOTES = ("name", "what", "printed", "unit", "place")


@dataclass(frozen=True, slots=True)
class QuotedValue:
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
    path = folder / "points.csv"
    places = dict(rows_of(path, POINTS))
    for run in [*table_runs(folder), *point_runs(folder)]:
        for figure in _of_run(run, places):
            if figure.key in figures:
                unique = "each figure once"
                raise InconsistentDataError(run.source, 1, unique, quoted(figure.key))
            figures[figure.key] = figure
    for line, row in rows_of(folder / "quotes.csv", QUOTES):
        figures[row["name"]] = _quote(folder / "quotes.csv", line, row)
    return figures


def _of_run(run: Run, points: Mapping[int, dict]) -> Iterator[QuotedValue]:
    cells = run.cells
    for at, locator in enumerate(cells.locator):
        line = int(locator.removeprefix("line "))
        key = f"{run.host} {cells.operation[at]}"
        if Path(run.source).name != "points.csv":
            printed, place = "", str(run.facts.get("place", ""))
            key += f" {cells.metric[at]}"
        else:
            row = points[line]
            printed, place = row["printed"], row["place"]
            key += f" {row['file']} {row['record']}"
        unit = METRICS[cells.metric[at]].unit
        numbers = cells.value[at], cells.low[at], cells.high[at]
        yield QuotedValue(key, printed, *numbers, unit, place)


def _quote(path: Path, line: int, row: Mapping[str, str]) -> QuotedValue:
    printed, unit = row["printed"], row["unit"]
    value = low = high = MISSING
    if unit == "size":
        value = low = high = float(parse_stated_size(printed))
        unit = "B"
    elif unit != "text":
        written = written_in(path, line, printed, unit if unit != "1" else "")
        value, low, high = written.value, written.low, written.high
        if unit == "1" and low == low:
            low = high = value  # counts are exact
        unit = METRICS[UNITS[unit.lower()][0]].unit if unit != "1" else unit
    return QuotedValue(row["name"], printed, value, low, high, unit, row["place"])
