"""The tables that fsviz itself wrote: ``fsviz read`` as CSV, JSON or Parquet.

They have one row a number, with its system and repeat. What else is known of a run,
such as its options, they do not have: runs of one system and tool with the same number
of repeat are taken for runs of other configurations, as they were.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping

from fsviz.model.errors import MalformedRowError, quoted
from fsviz.model.runs import MISSING, Cells, Reading, Run
from fsviz.model.table import COLUMNS, METRICS, OPERATIONS, TOOLS
from fsviz.readers.document import Document, digest, parse_json

_INTEGERS = ("file_size_bytes", "record_size_bytes", "threads", "child")


def read_own(document: Document) -> Reading:
    """Read a table that fsviz wrote as CSV or JSON."""
    if document.text.lstrip().startswith("["):
        found = parse_json(document, "JSON that fsviz wrote")
        rows = found if isinstance(found, list) else []
    else:
        rows = list(csv.DictReader(io.StringIO(document.text)))
    return _reading(document.path, document.digest, rows)


def read_own_parquet(path: str, data: bytes) -> Reading:
    """Read a table that fsviz wrote as Parquet."""
    import pandas as pd
    import pyarrow as pa

    try:
        frame = pd.read_parquet(io.BytesIO(data))
    except (pa.ArrowException, OSError, ValueError) as error:
        raise MalformedRowError(path, 1, "Parquet", quoted(str(error))) from error
    frame = frame.astype(object).where(frame.notna(), None)
    return _reading(path, digest(data), frame.to_dict("records"))


def _reading(path: str, content: str, rows: Iterable[Mapping[str, object]]) -> Reading:
    runs: dict[tuple[str, ...], tuple[int, Run]] = {}
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping) or set(COLUMNS) - set(row):
            found = quoted(", ".join(map(str, row))) if row else "none"
            raise MalformedRowError(
                path, number + 1, "the columns of fsviz read", found
            )
        key = tuple(str(row[name] or "") for name in ("system", "tool", "run"))
        if key not in runs:
            run = _run(path, number, f"{content}-{len(runs) + 1}", row)
            runs[key] = (_integer(path, number, row, "repeat") or 1, run)
        _add(path, number, runs[key][1].cells, row)
    if not runs:
        raise MalformedRowError(path, 1, "a row that fsviz wrote", "none")
    return Reading(tuple(_configured(runs.values())))


def _configured(runs: Iterable[tuple[int, Run]]) -> Iterable[Run]:
    """Tell configurations apart by numbers of repeats that come again."""
    from dataclasses import replace

    last: dict[tuple[str, str], tuple[int, int]] = {}
    for repeat, run in runs:
        key = (run.system, run.tool)
        before, configuration = last.get(key, (0, 1))
        configuration += repeat <= before
        last[key] = (repeat, configuration)
        yield replace(run, configuration=f"configuration {configuration} of a table")


def _run(path: str, number: int, identity: str, row: Mapping[str, object]) -> Run:
    if row["tool"] not in TOOLS:
        found = quoted(str(row["tool"]))
        raise MalformedRowError(path, number + 1, "a tool", found)
    return Run(
        tool=str(row["tool"]),
        identity=identity,
        source=path,
        cells=Cells(),
        system=str(row["system"] or ""),
    )


def _add(path: str, number: int, cells: Cells, row: Mapping[str, object]) -> None:
    operation, metric = str(row["operation"]), str(row["metric"])
    if operation not in OPERATIONS or metric not in METRICS:
        found = quoted(f"{operation}, {metric}")
        raise MalformedRowError(path, number + 1, "an operation and a metric", found)
    if row["unit"] != METRICS[metric].unit:
        wanted = f"the unit {METRICS[metric].unit}"
        raise MalformedRowError(path, number + 1, wanted, quoted(str(row["unit"])))
    values = [_number(path, number, row, name) for name in ("value", "low", "high")]
    sizes = [_integer(path, number, row, name) for name in _INTEGERS]
    cells.add(
        operation,
        metric,
        values[0],
        f"{row['locator']} of {row['source']}",
        low=values[1],
        high=values[2],
        file_size=sizes[0],
        record_size=sizes[1],
        threads=sizes[2],
        child=sizes[3],
    )


def _number(path: str, number: int, row: Mapping[str, object], name: str) -> float:
    value = row[name]
    if value is None or value == "":
        return MISSING
    try:
        return float(str(value))
    except ValueError as error:
        found = quoted(str(value))
        raise MalformedRowError(
            path, number + 1, f"a number as {name}", found
        ) from error


def _integer(
    path: str, number: int, row: Mapping[str, object], name: str
) -> int | None:
    value = _number(path, number, row, name)
    return None if value != value else int(value)
