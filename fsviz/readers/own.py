"""The tables that fsviz itself wrote: ``fsviz read`` as CSV, JSON or Parquet.

They have one row a number, with its system and repeat. What else is known of a run,
such as its options, they do not have: runs of one system and tool with the same number
of repeat are taken for runs of other configurations, as they were.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from fsviz.model.errors import MalformedRowError, quoted
from fsviz.model.runs import MISSING, Cells, Reading, Run
from fsviz.model.table import COLUMNS, METRICS, OPERATIONS
from fsviz.model.tools import TOOLS
from fsviz.readers.document import Document, digest, parse_json

if TYPE_CHECKING:
    from pyarrow import Array
    from pyarrow.parquet import ParquetFile

MOST_ROWS = 1_000_000
LARGEST = 2**28
"""Of Parquet, in bytes."""
_INTEGERS = ("file_size_bytes", "record_size_bytes", "threads", "child")
_LATER = {"setting"}
"""Columns that tables of before lack."""
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
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        stated = pq.ParquetFile(io.BytesIO(data))
        _refuse_too_much(path, stated)
        names = [name for name in COLUMNS if name in stated.schema_arrow.names]
        file = pq.ParquetFile(io.BytesIO(data), read_dictionary=names)
        return _reading(path, digest(data), _numbered(_rows_of(file, names)))
    except (pa.ArrowException, OSError) as error:
        raise MalformedRowError(path, 1, "Parquet", quoted(str(error))) from error


def _refuse_too_much(path: str, file: ParquetFile) -> None:
    """Look at what Parquet says of itself: a few bytes may stand for a billion rows."""
    lacking = set(COLUMNS) - set(file.schema_arrow.names) - _LATER
    own = (field for field in file.schema_arrow if field.name in COLUMNS)
    nested = [field.name for field in own if field.type.num_fields]
    groups = range(file.metadata.num_row_groups)
    size = sum(file.metadata.row_group(n).total_byte_size for n in groups)
    for bad, expected, found in (
        (lacking, "the columns of fsviz read", quoted(", ".join(file.schema.names))),
        (nested, "one number or text in a cell", f"lists as {', '.join(nested)}"),
        (file.metadata.num_rows > MOST_ROWS, f"at most {MOST_ROWS} rows", "more"),
        (size > LARGEST, f"at most {LARGEST} bytes unpacked", f"{size} bytes"),
    ):
        if bad:
            raise MalformedRowError(path, 1, expected, found)


def _rows_of(file: ParquetFile, names: list[str]) -> Iterator[dict[str, object]]:
    """List the rows; a text that comes again and again is held once."""
    for batch in file.iter_batches(batch_size=10_000, columns=names):
        columns = [_values_of(batch.column(name)) for name in names]
        for cells in zip(*columns, strict=True):
            yield dict(zip(names, cells, strict=True))


def _values_of(column: Array) -> list[object]:
    if not hasattr(column, "dictionary"):
        return column.to_pylist()
    texts = column.dictionary.to_pylist()
    return [None if n is None else texts[n] for n in column.indices.to_pylist()]


def _numbered(rows: Iterable[object]) -> Rows:
    return ((f"row {number}", row) for number, row in enumerate(rows, 1))


def _reading(path: str, content: str, rows: Rows) -> Reading:
    runs: dict[tuple[str, ...], tuple[int, Run]] = {}
    for place, given in rows:
        if not isinstance(given, Mapping) or set(COLUMNS) - set(given) - _LATER:
            names = list(given) if isinstance(given, Mapping) else [given]
            found = quoted(", ".join(map(str, names)))
            raise MalformedRowError(path, place, "the columns of fsviz read", found)
        # a cell may hold whatever JSON and Parquet can
        row = {n: "" if (v := given.get(n)) is None else str(v) for n in COLUMNS}
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
        setting=row["setting"],
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
