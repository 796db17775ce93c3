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
Place = int | str
Rows = Iterable[tuple[Place, object]]


def read_own(document: Document) -> Reading:
    """Read a table that fsviz wrote as CSV or JSON."""
    if document.text.lstrip().startswith("["):
        found = parse_json(document, "JSON that fsviz wrote")
        listed = found if isinstance(found, list) else []
        rows = _numbered(listed)
    else:
        table = csv.DictReader(io.StringIO(document.text))
        rows = ((table.line_num, row) for row in table)
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
    return _reading(path, digest(data), _numbered(frame.to_dict("records")))


def _numbered(rows: Iterable[object]) -> Rows:
    return ((f"row {number}", row) for number, row in enumerate(rows, 1))


def _reading(path: str, content: str, rows: Rows) -> Reading:
    runs: dict[tuple[str, ...], tuple[int, Run]] = {}
    for place, given in rows:
        if not isinstance(given, Mapping) or set(COLUMNS) - set(given):
            names = list(given) if isinstance(given, Mapping) else [given]
            found = quoted(", ".join(map(str, names)))
            raise MalformedRowError(path, place, "the columns of fsviz read", found)
        # a cell may hold whatever JSON and Parquet can
        row = {n: "" if given[n] is None else str(given[n]) for n in COLUMNS}
        key = (row["system"], row["tool"], row["run"])
        if key not in runs:
            run = _run(path, place, f"{content}-{len(runs) + 1}", row)
            runs[key] = (_integer(path, place, row, "repeat") or 1, run)
        _add(path, place, runs[key][1].cells, row)
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


def _run(path: str, place: Place, identity: str, row: Mapping[str, str]) -> Run:
    if row["tool"] not in TOOLS:
        raise MalformedRowError(path, place, "a tool", quoted(row["tool"]))
    return Run(
        tool=row["tool"],
        identity=identity,
        source=path,
        cells=Cells(),
        system=row["system"],
    )


def _add(path: str, place: Place, cells: Cells, row: Mapping[str, str]) -> None:
    operation, metric = row["operation"], row["metric"]
    if operation not in OPERATIONS or metric not in METRICS:
        found = quoted(f"{operation}, {metric}")
        raise MalformedRowError(path, place, "an operation and a metric", found)
    if row["unit"] != METRICS[metric].unit:
        wanted = f"the unit {METRICS[metric].unit}"
        raise MalformedRowError(path, place, wanted, quoted(row["unit"]))
    values = [_number(path, place, row, name) for name in ("value", "low", "high")]
    sizes = [_integer(path, place, row, name) for name in _INTEGERS]
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


def _number(path: str, place: Place, row: Mapping[str, str], name: str) -> float:
    try:
        return float(row[name] or MISSING)
    except ValueError:
        raise _refused(path, place, row, name, "a number") from None


def _integer(path: str, place: Place, row: Mapping[str, str], name: str) -> int | None:
    value = _number(path, place, row, name)
    if value == value and not value.is_integer():
        raise _refused(path, place, row, name, "a whole number")
    return None if value != value else int(value)


def _refused(
    path: str, place: Place, row: Mapping[str, str], name: str, what: str
) -> MalformedRowError:
    return MalformedRowError(path, place, f"{what} as {name}", quoted(row[name]))
