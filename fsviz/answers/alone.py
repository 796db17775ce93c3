"""The answer of a page about one system: how fast, where it falls, at which record."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from fsviz.analysis.best import best
from fsviz.analysis.buckets import EDGES, label_rows, regime_edges, summary
from fsviz.analysis.cells import select
from fsviz.analysis.regimes import cliffs
from fsviz.analysis.scaling import with_defaults
from fsviz.answers.words import bucket_words, operation_title
from fsviz.checks.phrases import count
from fsviz.model.errors import UsageError
from fsviz.model.table import MAIN_METRICS
from fsviz.model.tools import title_of
from fsviz.model.units import format_size, format_value

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

_SIZED, _OTHER = 2, 3
"""Operations that a sentence names: with the sizes of their files, and without."""
_AGAIN = ("rewrite", "reread", "sequential_output_rewrite")
"""Named last: they say less of a system than writes and reads do."""
_AS_GOOD = 2
"""Of more record sizes than this, or of half of all, none is worth its name."""


def alone(campaign: Campaign, system: str, tool: str = "") -> str:
    """Say in a sentence a tool how fast the only system is."""
    own = select(campaign, system=[system], tool=[tool] if tool else None)
    edges, table = _edges(own), own.measurements
    alike = table.loc[_has_shared_record(table, edges)]
    found = summary(alike, edges=edges)
    places = {metric: place for place, metric in enumerate(MAIN_METRICS)}
    place = found["metric"].astype(object).map(places)
    test = [found["tool"], found["operation"]]
    found = found.loc[place == place.groupby(test, observed=True).transform("min")]
    fewer = table.loc[table.index.difference(alike.index)]
    records = {
        str(tool): "record sizes that all these files have"
        if len(found) > 1
        else f"records of {format_size(found[0])}"
        for tool in fewer["tool"].unique()
        for found in [alike.loc[alike["tool"] == tool, "record_size_bytes"].unique()]
    }
    sentences = [
        f"{title_of(str(name))}: {_said(own, rows, records.get(str(name), ''))}"
        for name, rows in found.groupby("tool", observed=True, sort=False)
    ]
    return f"{system}, {'. '.join(sentences)}."


def _has_shared_record(table: pd.DataFrame, edges: dict[str, float]) -> pd.Series:
    """Say which rows are of a record size that all size classes of a test have.

    A class that lacks the small records would look fast. True where none is shared.
    """
    test = ["tool", "operation", "metric"]
    named = table.assign(bucket=label_rows(table, "bucket", edges))
    classes = named.groupby(test, observed=True)["bucket"].transform("nunique")
    records = named.groupby([*test, "record_size_bytes"], observed=True, dropna=False)[
        "bucket"
    ].transform("nunique")
    shared = records == classes
    some = shared.groupby([named[name] for name in test], observed=True)
    return shared | ~some.transform("any")


def _edges(own: Campaign) -> dict[str, float]:
    """Divide the file sizes at the client's memory; else as publications do."""
    try:
        return regime_edges(own)
    except UsageError:
        return dict(EDGES)


def _said(own: Campaign, rows: pd.DataFrame, records: str) -> str:
    operations = sorted(rows["operation"].unique(), key=lambda one: one in _AGAIN)
    sized = rows.groupby("operation", observed=True)["bucket"].nunique().max() > 1
    parts = []
    most = _SIZED if sized else _OTHER
    # "1 more below" is no shorter than its name
    for operation in operations[: most + (len(operations) == most + 1)]:
        told = rows.loc[rows["operation"] == operation]
        words = f"{operation_title(operation)} {', '.join(_speeds(told))}"
        parts.append(", ".join([words, *_shape(own, operation)] if sized else [words]))
    left = len(operations) - len(parts)
    runs = rows["n_runs"]
    n = count(int(runs.min()), "run")
    if runs.min() < runs.max():
        n = f"{runs.min()} to {count(int(runs.max()), 'run')}"
    if records:
        n += f"; {records}"
    more = [f"{count(left, 'more operation')} below"] if left else []
    return "; ".join([*parts, *more]) + f" ({n})"


def _speeds(rows: pd.DataFrame) -> Iterator[str]:
    """Say the mean of each size class; a unit once, as long as it stays the same."""
    last = ""
    several = [name for name in _WHERE if rows[name].nunique() > 1]
    settings = rows["setting"].astype(str)
    rows = rows.assign(setting=[with_defaults(one, settings) for one in settings])
    # between the first and the last the figures tell
    for row in rows.iloc[[0, -1] if len(rows) > _MOST else slice(None)].to_dict(
        "records"
    ):
        number, _, unit = _mean(row).rpartition(" ")
        under = [_WHERE[name](row[name]) for name in several]
        yield " ".join(filter(None, [number, unit if unit != last else "", *under]))
        last = unit


_MOST = 4
_WHERE: dict[str, Callable[[Any], str]] = {
    "bucket": bucket_words,
    "threads": lambda number: f"with {count(int(number), 'thread')}",
    "setting": lambda text: f"with {text}" if text else "",
}


def _mean(row: dict[str, Any]) -> str:
    """Write a mean; where runs were too fast to time, the bound that is known."""
    for name, word in (("mean", ""), ("mean_low", "above "), ("mean_high", "below ")):
        if math.isfinite(row[name]):
            return word + format_value(row[name], row["unit"])
    return "not known"


def _shape(own: Campaign, operation: str) -> Iterator[str]:
    """Say where the speed falls, and which record size is the best."""
    some = select(own, operation=[operation])
    found = cliffs(some).sort_values("next_size_bytes")
    for row in found.head(1).to_dict("records"):
        yield f"falls {row['fall']:.1f}× at {format_size(row['next_size_bytes'])}"
    try:
        row = best(some, by="operation").iloc[0]
    except UsageError:
        return
    if len(row["as_good"]) <= min(_AS_GOOD, row["n_records"] / 2 - 1):
        sizes = [row["record_size_bytes"], *sorted(row["as_good"])]
        yield f"best record {' or '.join(map(format_size, sizes))}"
