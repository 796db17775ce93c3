"""The tidy table: one row, one measured number.

This page is the vocabulary of the project. Columns, operations and metrics have these
names everywhere; units are converted to the metric's base unit once, in the reader.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from fsviz.model.errors import InconsistentDataError, UsageError
from fsviz.model.libraries import pd
from fsviz.model.tools import TOOLS

COLUMNS: dict[str, str] = {
    "campaign": "string",
    "system": "string",
    "tool": "category",
    "run": "string",
    "repeat": "Int64",
    "operation": "category",
    "file_size_bytes": "Int64",
    "record_size_bytes": "Int64",
    "threads": "Int64",
    "setting": "string",
    "child": "Int64",
    "metric": "category",
    "value": "float64",
    "low": "float64",
    "high": "float64",
    "unit": "category",
    "source": "category",
    "locator": "string",
}
"""Columns of the measurements table, in order, with their pandas dtypes."""

_PRINTED = ("value", "low", "high", "unit", "source", "locator")
KEY = tuple(name for name in COLUMNS if name not in _PRINTED)
"""What makes a row unique: all but what was printed, and where."""

SECTION = ("tool", "threads", "setting")
"""What the rows of a comparison share that have a mean, and a sentence, together."""

PLACE = (*SECTION, "operation", "metric", "candidate")
"""What tells the rows of a comparison apart, whatever sizes they pool."""

SIZES = ("file_size_bytes", "record_size_bytes", "threads")
"""How large a test was."""

CELL = ("operation", *SIZES, "setting", "metric")
"""What makes a cell: the thing that is measured again in every repeat.

``setting`` is what else was varied on purpose, such as ``iodepth=8; sync=1``.
"""


def plain_rows(frame: pd.DataFrame, names: Sequence[str]) -> Iterator[tuple[Any, ...]]:
    """Go through some columns row by row, in plain Python values.

    A dozen times as quick as ``to_dict`` and ``itertuples``, which box each value.
    """
    return zip(*(frame[name].tolist() for name in names), strict=True)


RUN_COLUMNS: dict[str, str] = {
    "campaign": "string",
    "system": "string",
    "tool": "category",
    "run": "string",
    "repeat": "Int64",
    "configuration": "string",
    "tool_version": "string",
    "command_line": "string",
    "started": "datetime64[ms]",
    "host": "string",
    "complete": "boolean",
    "note": "string",
    "source": "string",
    "sources": "object",
    "facts": "string",
}
"""Columns of the runs table.

``sources`` lists the files of the run, ``source`` is the first of them; ``facts`` is a
JSON object with everything else, see `fsviz.model.runs.Run`.
"""


@dataclass(frozen=True, slots=True)
class Metric:
    """A kind of number: its base unit and which way is better."""

    unit: str
    better: int
    title: str


METRICS: dict[str, Metric] = {
    "throughput": Metric("B/s", +1, "throughput"),
    "rate": Metric("op/s", +1, "operations per second"),
    "latency": Metric("s", -1, "latency"),
    "latency_p50": Metric("s", -1, "latency, median"),
    "latency_p95": Metric("s", -1, "latency, 95th percentile"),
    "latency_p99": Metric("s", -1, "latency, 99th percentile"),
    "latency_p99_9": Metric("s", -1, "latency, 99.9th percentile"),
    # of completion alone, without the time of submission
    "completion_latency_p50": Metric("s", -1, "completion latency, median"),
    "completion_latency_p95": Metric("s", -1, "completion latency, 95th percentile"),
    "completion_latency_p99": Metric("s", -1, "completion latency, 99th percentile"),
    "completion_latency_p99_9": Metric(
        "s", -1, "completion latency, 99.9th percentile"
    ),
    "cpu": Metric("%", -1, "CPU use"),
    # derived, where a run has both: CPU time for each byte moved
    "cpu_cost": Metric("s/B", -1, "CPU time per byte"),
    "elapsed": Metric("s", -1, "elapsed time"),
    "size": Metric("B", 0, "amount of data"),
    "count": Metric("1", 0, "number of items"),
    # IOzone throughput mode: what the parent saw, and the spread over the children
    "parent_throughput": Metric("B/s", +1, "throughput seen by the parent"),
    "child_throughput": Metric("B/s", +1, "throughput of one child"),
    "min_child_throughput": Metric("B/s", +1, "throughput of the slowest child"),
    "max_child_throughput": Metric("B/s", +1, "throughput of the fastest child"),
    "mean_child_throughput": Metric("B/s", +1, "mean throughput of the children"),
    "parent_rate": Metric("op/s", +1, "operations per second seen by the parent"),
    "child_rate": Metric("op/s", +1, "operations per second of one child"),
    "min_child_rate": Metric("op/s", +1, "operations per second, slowest child"),
    "max_child_rate": Metric("op/s", +1, "operations per second, fastest child"),
    "mean_child_rate": Metric("op/s", +1, "mean operations per second of a child"),
    "child_size": Metric("B", 0, "amount of data moved by one child"),
    "min_child_size": Metric("B", 0, "least amount of data moved by a child"),
}
"""Every metric: base unit, direction of better (+1 up, -1 down, 0 neither), title."""

MAIN_METRICS = ("throughput", "rate", "elapsed")
"""Metrics that answer "which is faster", the first that there is; the others have
tables of their own."""


OPERATIONS: dict[str, str] = {
    operation: title
    for tool in TOOLS.values()
    for operation, title in tool.operations.items()
}
"""Canonical operation names in the order in which tools print them, with titles."""


def categories() -> dict[str, list[str]]:
    """List the fixed categories of the categorical columns that have them."""
    return {
        "tool": list(TOOLS),
        "operation": list(OPERATIONS),
        "metric": list(METRICS),
        "unit": sorted({m.unit for m in METRICS.values()}),
    }


def typed(frame: pd.DataFrame) -> pd.DataFrame:
    """Give the tidy table's columns their types."""
    names_of = categories()
    columns = {}
    for name, dtype in COLUMNS.items():
        column = frame[name]
        if dtype == "category":
            categorical = column.astype("category").cat.remove_unused_categories().cat
            values = names_of.get(name) or sorted(categorical.categories)
            columns[name] = categorical.set_categories(values)
        else:
            columns[name] = column.astype(dtype)
    return pd.DataFrame(columns)


def measurements_of(data: object) -> pd.DataFrame:
    """Take the measurements out of a campaign, or a frame as it is."""
    frame = getattr(data, "measurements", data)
    absent = set(COLUMNS) - set(getattr(frame, "columns", ()))
    if absent:
        names = ", ".join(sorted(absent))
        raise UsageError(
            f"expected a campaign or a measurements frame, found a "
            f"{type(data).__name__} without the columns {names}"
        )
    return frame


def validate(measurements: pd.DataFrame) -> pd.DataFrame:
    """Check a measurements frame against this page."""
    for name, dtype in COLUMNS.items():
        dtype_name = (
            str(measurements[name].dtype) if name in measurements else "no such column"
        )
        if dtype_name != dtype:
            raise InconsistentDataError(
                "measurements", name, f"a column of type {dtype}", dtype_name
            )
    twice = measurements.duplicated(subset=list(KEY), keep=False)
    if twice.any():
        _refuse_duplicate(measurements.loc[twice])
    return measurements


def _refuse_duplicate(rows: pd.DataFrame) -> None:
    first = rows.iloc[0]
    same = (rows[list(KEY)].astype("string") == first[list(KEY)].astype("string")) | (
        rows[list(KEY)].isna() & first[list(KEY)].isna()
    )
    second = rows.loc[same.all(axis=1)].iloc[1]
    raise InconsistentDataError(
        str(second["source"]),
        str(second["locator"]).removeprefix("line "),
        f"each number once ({first['operation']}, {first['metric']})",
        f"it already at {first['source']}:{first['locator']}",
    )
