"""A campaign as Parquet: read once, loaded quickly ever after.

store/<campaign>/<generation>/measurements/tool=<tool>.parquet
runs.parquet systems.parquet
inputs.parquet placed.parquet campaign.json
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsviz.analysis.cells import present
from fsviz.campaigns.mixed import mixed_problems
from fsviz.campaigns.versions import TOOL_VERSION, stated_facts
from fsviz.model import errors
from fsviz.model.campaign import Campaign, Looks
from fsviz.model.errors import (
    FsvizError,
    ParseError,
    UsageError,
)
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names, choose
from fsviz.model.runs import Note, facts_of_run
from fsviz.model.table import RUN_COLUMNS, typed
from fsviz.model.writing import replacing
from fsviz.store.inventory import FileState, Inventory
from fsviz.store.manifest import FACTS, manifest

if TYPE_CHECKING:
    import pyarrow as pa

LEAST_ROWS, MOST_ROWS = 4_000, 100_000
"""Of a row group: a small one costs more to find than to read, a large one memory."""

_SAID: Mapping[type, Sequence[str]] = {
    str: ("name", "title", "question", "started", "ended"),
    list: ("problems", "notes", "compared", "versions"),
    dict: ("thresholds", "names", "stated"),
}
_MEASUREMENTS = "measurements"
_CHOOSABLE = ("system", "operation", "tool")


def write_generation(
    campaign: Campaign, root: str, inputs: Inventory, folder: Path
) -> None:
    """Write all that is known of a campaign into a folder."""
    (folder / _MEASUREMENTS).mkdir()
    rows = _encoded(campaign.measurements)
    for tool, part in rows.groupby("tool", observed=True, sort=True):
        ordered = part.sort_values(["operation", "system", "row"])
        _write(ordered, tool_file(folder, tool), _groups(ordered["operation"]))
    _write(campaign.runs, folder / "runs.parquet")
    _write(campaign.systems, folder / "systems.parquet")
    _write(_input_frame(campaign, root, inputs), folder / "inputs.parquet")
    if campaign.files is not None:
        _write(campaign.files, folder / "placed.parquet")
    facts = {
        "name": campaign.name,
        "title": campaign.title,
        "baseline": campaign.baseline,
        "problems": [
            (type(p).__name__, p.path, p.line, p.expected, p.found)
            for p in campaign.problems
        ],
        "notes": [(note.path, note.line, note.text) for note in campaign.notes],
        "thresholds": dict(campaign.thresholds),
        "compared": list(campaign.compared),
        "question": campaign.question,
        "started": campaign.started,
        "ended": campaign.ended,
        "looks": campaign.looks and asdict(campaign.looks),
        "names": {name: present(campaign.measurements, name) for name in _CHOOSABLE},
        "stated": _stated(campaign),
        "versions": _versions(campaign),
        "measured": _measured(campaign.measurements),
    }
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    with replacing(folder / FACTS) as file:
        file.write(text.encode())


def _stated(campaign: Campaign) -> dict[str, dict[str, str]]:
    """List the facts of each system in words: a history reads no table for them."""
    rows = campaign.systems.to_dict("records")
    # of a system named twice the first row counts
    return {row["system"]: stated_facts(row, ()) for row in reversed(rows)}


def _versions(campaign: Campaign) -> list[tuple[str, str, str]]:
    """List which version of which tool each system was measured with."""
    rows = campaign.runs[["system", "tool", TOOL_VERSION]].dropna().drop_duplicates()
    return sorted((str(s), str(t), str(v)) for s, t, v in rows.itertuples(index=False))


def _measured(measurements: pd.DataFrame) -> dict[str, dict[str, list[str]]]:
    """List the operations of each tool and system: a history opens no other table."""
    names = ["tool", "system", "operation"]
    found: dict[str, dict[str, list[str]]] = {}
    for tool, system, operation in sorted(
        measurements[names].drop_duplicates().astype(str).itertuples(index=False)
    ):
        found.setdefault(tool, {}).setdefault(system, []).append(operation)
    return found


def _groups(operation: pd.Series) -> list[int]:
    """Say where row groups begin: with an operation, so that one is read by itself."""
    codes = operation.cat.codes.to_numpy()
    begins = [0]
    for place in np.flatnonzero(np.diff(codes)) + 1:
        if place - begins[-1] >= LEAST_ROWS:
            begins.append(int(place))
    return begins


def _write(frame: pd.DataFrame, path: Path, begins: Sequence[int] = (0,)) -> None:
    """Write a frame; numbers are split into bytes, which packs them best."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    floats = [name for name in frame if frame[name].dtype == "float64"]
    table = pa.Table.from_pandas(frame, preserve_index=False)
    options = {
        "compression": "zstd",
        "use_dictionary": [n for n in frame if n not in (*floats, "row")],
        "use_byte_stream_split": floats,
        "column_encoding": {"row": "DELTA_BINARY_PACKED"} if "row" in frame else None,
    }
    with replacing(path) as file, pq.ParquetWriter(file, table.schema, **options) as to:
        for begin, end in pairwise([*begins, len(frame)]):
            to.write_table(table.slice(begin, end - begin), MOST_ROWS)


def _encoded(measurements: pd.DataFrame) -> pd.DataFrame:
    """Keep bounds as distances from the value, which are few, where that is exact.

    A tool that cuts digits off has the same two distances at every number.
    """
    value = measurements["value"]
    columns: dict[str, object] = {"row": np.arange(len(measurements), dtype="int64")}
    with np.errstate(invalid="ignore", over="ignore"):
        for bound, distance, sign in (("low", "below", -1), ("high", "above", 1)):
            true = measurements[bound]
            apart = (true - value) * sign
            exact = value + apart * sign == true
            columns[distance] = apart.where(exact)
            columns[bound] = true.mask(exact)
    return measurements.assign(**columns)


def _decoded(table: pa.Table) -> pd.DataFrame:
    frame = table.to_pandas()
    if not frame["row"].is_monotonic_increasing:
        frame = frame.sort_values("row", ignore_index=True)
    frame["low"] = frame["low"].fillna(frame["value"] - frame["below"])
    frame["high"] = frame["high"].fillna(frame["value"] + frame["above"])
    if "setting" not in frame:  # a store of before
        frame["setting"] = ""
    return _without_gaps(typed(frame), _ALWAYS - {"complete", "facts"})


_ALWAYS = frozenset(
    ("campaign", "system", "tool", "run", "source", "operation", "metric", "unit")
) | {"complete", "facts"}
"""Columns of measurements and runs that no row lacks."""


def _input_frame(campaign: Campaign, root: str, inputs: Inventory) -> pd.DataFrame:
    """One row a file: its content, what it is, how much was taken and complained of."""

    def inside(path: str) -> str:
        return os.path.relpath(path, root)

    forms: dict[str, str] = {}
    numbers: dict[str, int] = {}
    complaints: dict[str, int] = {}
    if campaign.files is not None:
        columns = ("source", "format", "numbers")
        for source, form, count in campaign.files[list(columns)].itertuples(
            index=False
        ):
            forms[inside(source)] = form
            numbers[inside(source)] = numbers.get(inside(source), 0) + count
    for problem in campaign.problems:
        name = inside(problem.path)
        complaints[name] = complaints.get(name, 0) + 1
    rows = [
        (
            *(name, *state.listed, state.digest),
            *(forms.get(name, ""), numbers.get(name, 0), complaints.get(name, 0)),
        )
        for name, state in inputs.items()
    ]
    names = ["path", "size", "modified", "digest", "format", "numbers", "complaints"]
    return pd.DataFrame(rows, columns=names)


def inputs_of(folder: Path) -> dict[str, FileState]:
    """List the files that a generation was read from."""
    import pyarrow.parquet as pq

    names = ["path", "size", "modified", "digest"]
    with intact(folder):
        table = pq.ParquetFile(folder / "inputs.parquet").read(names).to_pydict()
        rows = zip(*(table[name] for name in names), strict=True)
        return {str(path): FileState(*state) for path, *state in rows}


def read_generation(
    folder: Path,
    *,
    system: Names = None,
    operation: Names = None,
    tool: Names = None,
) -> Campaign:
    """Load a stored campaign, or some of its numbers without reading the others."""
    wanted = dict(zip(_CHOOSABLE, (system, operation, tool), strict=True))
    with intact(folder):
        return _read(folder, wanted)


@contextmanager
def intact(folder: Path) -> Iterator[None]:
    """Say in one line if the files of a generation cannot be read."""
    try:
        yield
    except (FsvizError, MemoryError):
        raise
    except FileNotFoundError as error:
        raise UsageError(
            f"{folder}:1: expected the files of a stored campaign, found none; ingest "
            "again"
        ) from error
    except Exception as error:
        # whatever pandas or pyarrow make of a table with other columns or types
        raise ParseError(
            str(folder), 1, "the files of a stored campaign", "damaged ones"
        ) from error


def described(folder: Path) -> dict[str, Any]:
    """Read what a generation says of itself besides its tables."""
    with intact(folder):
        said: dict[str, Any] = json.loads((folder / FACTS).read_bytes())
        for kind, names in _SAID.items():
            for name in names:
                if not isinstance(said[name], kind):
                    raise TypeError(name)
        if not isinstance(said["baseline"], str | None):
            raise TypeError("baseline")
        if not all(isinstance(name, str) for name in said["compared"]):
            raise TypeError("compared")
        _looks(said.get("looks"))
        return said


def _read(folder: Path, wanted: Mapping[str, Names]) -> Campaign:
    facts = described(folder)
    chosen = {
        column: names
        for column, given in wanted.items()
        if (names := choose(column, given, facts["names"][column]))
    }
    runs = _frame(folder / "runs.parquet", RUN_COLUMNS)
    runs["sources"] = runs["sources"].map(tuple)
    for text in runs["facts"]:
        facts_of_run(text)
    placed = folder / "placed.parquet"
    measurements = _numbers(folder, chosen)
    _refuse_strays(measurements, runs)
    return Campaign(
        name=facts["name"],
        title=facts["title"],
        baseline=facts["baseline"],
        measurements=measurements,
        runs=runs,
        systems=_frame(folder / "systems.parquet", {"system": "string"}),
        problems=tuple(_problem(*fields) for fields in facts["problems"]),
        notes=tuple(Note(*fields) for fields in facts["notes"]),
        files=_frame(placed, {}) if placed.is_file() else None,
        thresholds=facts["thresholds"],
        compared=tuple(facts["compared"]),
        looks=_looks(facts.get("looks")),
        **{name: facts[name] for name in ("question", "started", "ended")},
    )


def _looks(stated: dict[str, Any] | None) -> Looks | None:
    """Read the looks again; a store of an older fsviz has none."""
    if not stated:
        return None
    return Looks(stated["planned"], tuple(stated["taken"]), stated["closed"])


def _refuse_strays(measurements: pd.DataFrame, runs: pd.DataFrame) -> None:
    """Raise ValueError if a number's run is not in the table, or is there twice."""
    keys = ["campaign", "system", "run"]
    if runs.duplicated(keys).any():
        raise ValueError("runs")
    shared = [*keys, "tool", "repeat"]
    used = measurements[shared].drop_duplicates().astype({"tool": "string"})
    known = runs[shared].astype({"tool": "string"})
    if len(used.merge(known)) != len(used):
        raise ValueError("run")


def _frame(path: Path, types: Mapping[str, str]) -> pd.DataFrame:
    """Read a Parquet file; what reads several at once takes long to import."""
    import pyarrow.parquet as pq

    frame = pq.ParquetFile(path).read().to_pandas().astype(dict(types))
    return _without_gaps(frame, types)


def _without_gaps(frame: pd.DataFrame, names: Iterable[str]) -> pd.DataFrame:
    """Raise ValueError where a name that every row has is missing."""
    for name in set(names) & _ALWAYS:
        if frame[name].isna().any():
            raise ValueError(name)
    return frame


def _numbers(folder: Path, chosen: Mapping[str, Sequence[str]]) -> pd.DataFrame:
    import pyarrow as pa
    import pyarrow.parquet as pq

    tools = chosen.get("tool")
    filters = [(k, "in", list(v)) for k, v in chosen.items() if k != "tool"] or None
    tables = []
    for path in measurement_files(folder):
        tool = path.stem.removeprefix("tool=")
        if tools is None or tool in tools:
            # one file, not a data set: its folder's name is no column
            with path.open("rb") as file:
                whole = pq.ParquetFile(file).read
                tables.append(
                    pq.read_table(file, filters=filters) if filters else whole()
                )
    return _decoded(pa.concat_tables(tables).unify_dictionaries())


def tool_file(folder: Path, tool: str) -> Path:
    """Name the Parquet file of a generation's numbers by one tool."""
    return folder / _MEASUREMENTS / f"tool={tool}.parquet"


def measurement_files(folder: Path) -> list[Path]:
    """List the Parquet files of a generation's numbers, one a tool."""
    return sorted((folder / _MEASUREMENTS).glob("tool=*.parquet"))


def parquet_files(store: Path | str, table: str = _MEASUREMENTS) -> list[str]:
    """List the Parquet files that make up one table of a whole store.

    For DuckDB and others that read Parquet. A folder of the store may hold files that
    are not, or no longer, part of it; the manifest says which are.
    """
    tables = (_MEASUREMENTS, "runs", "systems", "inputs")
    if table not in tables:
        raise UsageError(f"expected one of {', '.join(tables)}, found {table}")
    found: list[Path] = []
    for key, kept in manifest(Path(store)).items():
        folder = Path(store) / key / kept.generation
        if table == _MEASUREMENTS:
            found += measurement_files(folder)
        else:
            found.append(folder / f"{table}.parquet")
    return [str(path) for path in found]


def failures(store: Path) -> Iterable[ParseError]:
    """List what could not be used, of all campaigns of a store."""
    for key, kept in manifest(store).items():
        folder = store / key / kept.generation
        with intact(folder):
            if kept.complaints:
                for fields in described(folder)["problems"]:
                    yield _problem(*fields)
            if kept.mixed:
                yield from mixed_problems(_read(folder, {}))


def _problem(kind: str, *fields: Any) -> ParseError:
    """Make a stored problem again; one of an unknown kind is a problem all the same."""
    found = getattr(errors, kind, ParseError)
    return found(*fields) if issubclass(found, ParseError) else ParseError(*fields)
