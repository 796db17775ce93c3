"""A store: one Parquet file a campaign, and a list of the campaigns that it holds.

    STORE/NAME.parquet    the measurements; in its footer, as JSON, what they were read
                          from (`Stored`), and the tables of runs, systems and files
    STORE/_fsviz.json     the names of the campaigns, each with its folder

A file appears whole, by a rename, so that a store is never half of one. Readers of
Parquet take the folder as one table: they skip names that begin with ``_``.
"""

from __future__ import annotations

import base64
import io
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, TypeAdapter

from fsviz.campaigns.sources import STORE, is_address
from fsviz.model import errors
from fsviz.model.campaign import Campaign, Looks
from fsviz.model.errors import FsvizError, ParseError, UsageError
from fsviz.model.escaping import printable
from fsviz.model.libraries import pd
from fsviz.model.runs import Note, facts_of_run
from fsviz.model.table import COLUMNS, RUN_COLUMNS, typed, validate
from fsviz.model.writing import write_file
from fsviz.store.inventory import FileState

if TYPE_CHECKING:
    import pyarrow.parquet as pq

FORMAT = 3
_FOOTER = "fsviz"
_TABLES = ("runs", "systems", "files")
_CATEGORIES = [name for name, kind in COLUMNS.items() if kind == "category"]
_ALWAYS = ["campaign", "system", "tool", "run", "source", "operation", "metric", "unit"]
"""Columns that no row lacks."""


class Stored(BaseModel):
    """What the footer states of a campaign; ``folder`` is where its files were."""

    model_config = ConfigDict(strict=True, extra="forbid")

    format: int = FORMAT
    readings: int
    folder: str
    listed: int
    sources: dict[str, FileState]
    date: str
    name: str
    title: str
    baseline: str | None
    question: str
    started: str
    ended: str
    problems: list[tuple[str, str, int | str, str, str]]
    notes: tuple[Note, ...]
    thresholds: dict[str, float]
    compared: tuple[str, ...]
    looks: Looks | None


_FACTS = Stored.model_fields.keys() & Campaign.__annotations__.keys() - {"problems"}
"""What the footer states as the campaign has it."""


def path_of(store: str, name: str) -> str:
    """Return the path, or address, of a campaign's file."""
    return f"{store.rstrip('/')}/{name}.parquet"


def write_campaign(place: str, campaign: Campaign, **facts: Any) -> None:
    """Write a campaign; ``facts`` are the fields of `Stored` that it does not have."""
    problems = [(type(p).__name__, *p.args) for p in campaign.problems]
    shared = {name: getattr(campaign, name) for name in _FACTS}
    stored = Stored(problems=problems, **shared, **facts)
    footer = {_FOOTER: stored.model_dump_json()}
    for name in _TABLES:
        if (frame := getattr(campaign, name)) is not None:
            footer[f"{_FOOTER}.{name}"] = base64.b64encode(_packed(frame)).decode()
    # categories have other codes in each campaign; as texts, all files are one table
    texts = campaign.measurements.astype(dict.fromkeys(_CATEGORIES, "string"))
    put(place, _packed(texts, footer))


def _packed(frame: pd.DataFrame, footer: Mapping[str, str] | None = None) -> bytes:
    """Return a frame as Parquet; numbers are split into bytes: that packs them best."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_pandas(frame, preserve_index=False)
    table = table.replace_schema_metadata({**table.schema.metadata, **(footer or {})})
    floats = list(frame.select_dtypes("float64"))
    options = {"use_byte_stream_split": floats, "write_page_checksum": True}
    options["use_dictionary"] = [name for name in frame if name not in floats]
    content = io.BytesIO()
    pq.write_table(table, content, compression="zstd", **options)
    return content.getvalue()


def read_campaign(place: str) -> Campaign:
    """Read a stored campaign from its file, here or at an address."""
    with opened(place) as (file, stored):
        footer = file.schema_arrow.metadata
        tables = {
            # pandas' own reader would load what folders of files need
            name: type(file)(io.BytesIO(base64.b64decode(text))).read().to_pandas()
            for name in _TABLES
            if (text := footer.get(f"{_FOOTER}.{name}".encode()))
        }
        measurements = validate(typed(file.read().to_pandas()))
        runs = tables["runs"].astype(RUN_COLUMNS)
        runs["sources"] = runs["sources"].map(tuple)
        _refuse_strays(measurements, runs)
        return Campaign(
            measurements=measurements,
            runs=runs,
            systems=tables["systems"].astype({"system": "string"}),
            files=tables.get("files"),
            problems=tuple(_problem(*fields) for fields in stored.problems),
            **{name: getattr(stored, name) for name in _FACTS},
        )


@contextmanager
def opened(place: str) -> Iterator[tuple[pq.ParquetFile, Stored]]:
    """Open a campaign's file with its footer; raise a located error for a bad one."""
    with _located(place, "a stored campaign"), _file_at(place) as content:
        import pyarrow.parquet as pq  # not before something is stored: it takes long

        file = pq.ParquetFile(
            content, read_dictionary=_CATEGORIES, page_checksum_verification=True
        )
        text = file.schema_arrow.metadata[_FOOTER.encode()]
        _expect_format(place, json.loads(text)["format"])
        yield file, Stored.model_validate_json(text)


def folder_of(place: str) -> str:
    """Return the folder that a campaign's file was read from; empty if damaged."""
    try:
        with opened(place) as (_, stored):
            return stored.folder
    except ParseError:
        return ""


def campaigns_of(store: str) -> dict[str, str]:
    """Read which campaigns a store holds, and the folder of each."""
    place = f"{store.rstrip('/')}/{STORE}"
    with _located(place, "the list of a store"):
        with _file_at(place) as file:
            stated = json.loads(file.read())
        _expect_format(place, stated["format"])
        names = TypeAdapter(dict[str, str]).validate_python(stated["campaigns"])
        if any(re.search(r"[/\\\0]", name) for name in names):
            raise ValueError("a name that is a path")
        return names


def write_list(store: str, campaigns: Mapping[str, str]) -> None:
    """Write which campaigns a store holds."""
    stated = {"format": FORMAT, "campaigns": dict(sorted(campaigns.items()))}
    text = json.dumps(stated, ensure_ascii=False, indent=1)
    put(f"{store.rstrip('/')}/{STORE}", text.encode())


def put(place: str, content: bytes) -> None:
    """Write a file of a store in one step; object stores replace an object so."""
    if not is_address(place):
        write_file(Path(place), content, durable=True)
        return
    with _located(place, "a place to write"), _file_at(place, "wb") as file:
        file.write(content)


def _file_at(place: str, mode: str = "rb") -> Any:
    """Open a path or an address."""
    if not is_address(place):
        return Path(place).open(mode)
    try:
        import fsspec

        return fsspec.open(place, mode)
    except (ImportError, ValueError) as error:
        raise UsageError(
            f"{place}: expected an address that fsspec knows (pip install "
            f"'fsviz[remote]'), found {printable(str(error))}"
        ) from error


@contextmanager
def _located(place: str, expected: str) -> Iterator[None]:
    """Turn whatever is wrong with a file of a store into one line."""
    try:
        yield
    except (FsvizError, MemoryError):
        raise
    except Exception as error:
        # pyarrow, pandas, pydantic and fsspec each have errors of their own
        absent = isinstance(error, FileNotFoundError)
        if isinstance(error, OSError) and error.errno and not absent:
            fault = error.strerror
            raise UsageError(f"{place}: expected {expected}, found {fault}") from error
        fault = "none; ingest again" if absent else "a damaged one; ingest again"
        raise ParseError(place, 1, expected, fault) from error


def _expect_format(place: str, stated: int) -> None:
    if stated > FORMAT:
        raise UsageError(
            f"{place}:1: expected a store of format {FORMAT}, found format {stated}, "
            "written by a newer fsviz; upgrade"
        )
    if stated < FORMAT:
        raise ValueError(stated)


def _refuse_strays(measurements: pd.DataFrame, runs: pd.DataFrame) -> None:
    """Raise ValueError if a number lacks a name or its run, or a run is there twice."""
    keys = ["campaign", "system", "run"]
    texts = dict.fromkeys([*keys, "tool"], "string") | {"repeat": "Int64"}
    used = measurements[list(texts)].drop_duplicates().astype(texts)
    matching = used.merge(runs[list(texts)].astype(texts))
    unnamed = measurements[_ALWAYS].isna().any(axis=None)
    if unnamed or runs.duplicated(keys).any() or len(matching) != len(used):
        raise ValueError("runs")
    runs["facts"].map(facts_of_run)


def _problem(kind: str, *fields: Any) -> ParseError:
    """Make a stored problem again; one of an unknown kind is a problem all the same."""
    error = getattr(errors, kind, ParseError)
    subclass = isinstance(error, type) and issubclass(error, ParseError)
    return error(*fields) if subclass else ParseError(*fields)
