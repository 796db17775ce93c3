"""One system and operation out of all campaigns of a store: thousands of files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fsviz.campaigns.versions import stated_facts
from fsviz.model.libraries import pd
from fsviz.model.table import MAIN_METRICS
from fsviz.store.generations import described, intact, tool_file
from fsviz.store.manifest import Kept

_SIZES = ("file_size_bytes", "record_size_bytes", "threads")
_NAMES = ("system", "operation", "tool", "run", "metric", "setting")
"""Columns of few words, which are read as numbers of a list of words."""
_NUMBERS = ("value", "low", "high")


@dataclass(frozen=True, slots=True)
class Stored:
    """A campaign of a store, with what it says of itself besides its tables."""

    folder: Path
    tools: tuple[str, ...]
    said: Mapping[str, Any]

    def tools_of(self, system: str, operation: str) -> list[str]:
        """List the tools that measured an operation of a system, or may have."""
        measured = self.said.get("measured")
        if measured is None:  # a store of before lacks it
            return [*self.tools]
        with intact(self.folder):
            return [t for t in self.tools if operation in measured[t].get(system, ())]


def opened(store: Path, held: Mapping[str, Kept]) -> dict[str, Stored]:
    """Read what campaigns say of themselves, and none of their tables."""
    found = {}
    for key, kept in held.items():
        folder = store / key / kept.generation
        found[key] = Stored(folder, tuple(kept.tools), described(folder))
    return found


def speeds(
    held: Mapping[str, Stored], system: str, operation: str, tool: str = ""
) -> pd.DataFrame:
    """Read the speeds of one system and operation out of many campaigns."""
    origin = {}
    for key, stored in held.items():
        with intact(stored.folder):
            tools = stored.tools_of(system, operation)
        for one in (one for one in tools if tool in ("", one)):
            origin[str(tool_file(stored.folder, one))] = key
    if not origin:
        return pd.DataFrame(columns=["key", "tool", "run", "metric", "cell", *_NUMBERS])
    rows = _rows(list(origin), system, operation)
    cells = rows.groupby(["setting", *_SIZES], dropna=False, observed=True).ngroup()
    return pd.DataFrame(
        {
            "key": pd.Categorical(rows["__filename"].map(origin), list(held)),
            **{name: rows[name] for name in ("tool", "run", "metric")},
            "cell": cells,
            **{name: rows[name] for name in _NUMBERS},
        }
    )


def _rows(files: list[str], system: str, operation: str) -> pd.DataFrame:
    """Take the speeds of a system and operation out of many files."""
    import pyarrow as pa
    import pyarrow.dataset as ds

    words = pa.dictionary(pa.int32(), pa.string())
    types = {
        **dict.fromkeys(_NAMES, words),
        **dict.fromkeys([*_SIZES, "child"], pa.int64()),
        **dict.fromkeys(_NUMBERS, pa.float64()),
    }
    asked = (
        (ds.field("system") == system)
        & (ds.field("operation") == operation)
        & ds.field("metric").isin(list(MAIN_METRICS))
        & ds.field("child").is_null()
    )
    form = ds.ParquetFileFormat(dictionary_columns=_NAMES)
    taken = [*_NAMES[2:], *_SIZES, *_NUMBERS, "__filename"]
    try:
        numbers = ds.dataset(files, pa.schema(types), format=form)
        table = numbers.to_table(taken, filter=asked)
    except (pa.ArrowException, OSError):
        for file in files:  # which one is it?
            with intact(Path(file).parent.parent):
                ds.dataset(file, pa.schema(types), format=form).to_table(filter=asked)
        raise
    frame = table.unify_dictionaries().to_pandas()
    if frame["setting"].isna().any():  # stored before there were settings
        frame["setting"] = frame["setting"].astype("object").fillna("")
    return frame


def stated(
    held: Mapping[str, Stored], system: str, tool: str
) -> dict[str, dict[str, str]]:
    """Return each campaign's facts of a system, and the version its tool printed."""
    found = {}
    for key, stored in held.items():
        with intact(stored.folder):
            rows = stored.said["versions"]
            printed = [row[1:] for row in rows if row[:2] == [system, tool]]
            facts = stored.said["stated"].get(system, {})
            found[key] = stated_facts(facts, printed)
    return found
