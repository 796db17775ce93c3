"""One system and operation out of all campaigns of a store: thousands of files."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from fsviz.campaigns.versions import stated_facts
from fsviz.model.table import MAIN_METRICS
from fsviz.store.generations import described, intact, tool_file
from fsviz.store.manifest import Kept

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa
    import pyarrow.parquet as pq
    from numpy.typing import NDArray

_SIZES = ("file_size_bytes", "record_size_bytes", "threads")
_NAMES = ("system", "operation", "tool", "run", "metric", "setting")
"""Columns of few words, which are read as numbers of a list of words."""
_NUMBERS = ("value", "low", "high")
_TAKEN = ("tool", "run", "metric", "setting", *_SIZES, *_NUMBERS)


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
    import numpy as np
    import pandas as pd
    import pyarrow as pa

    places, files = [], []
    for place, stored in enumerate(held.values()):
        with intact(stored.folder):
            tools = stored.tools_of(system, operation)
        for one in (one for one in tools if tool in ("", one)):
            places.append(place)
            files.append(tool_file(stored.folder, one))
    if not files:
        return pd.DataFrame(columns=["key", "tool", "run", "metric", "cell", *_NUMBERS])
    read = partial(_read, system=system, operation=operation)
    several = [files[k : k + _AT_ONCE] for k in range(0, len(files), _AT_ONCE)]
    # Arrow lets go of Python's lock while it reads
    with ThreadPoolExecutor(pa.cpu_count()) as pool:
        parts = list(pool.map(read, several))
    table = pa.concat_tables([part for part, _ in parts]).unify_dictionaries()
    plain = table.select(["tool", "run", "metric"]).replace_schema_metadata()
    # without what the file says of pandas' types: categories stay such
    words = [*plain.to_pandas().items()]
    # numbers of the keys, and no word a row
    origin = np.repeat(places, np.concatenate([rows for _, rows in parts]))
    return pd.DataFrame(
        {
            "key": pd.Categorical.from_codes(origin, categories=list(held)),
            **{str(name): column for name, column in words},
            "cell": _numbered([_codes(table["setting"]), *(table[n] for n in _SIZES)]),
            **{name: table[name].to_numpy() for name in _NUMBERS},
        }
    )


_AT_ONCE = 32
"""Files whose rows are chosen together: a few rows cost as much as many."""


def _read(
    files: Sequence[Path], system: str, operation: str
) -> tuple[pa.Table, NDArray[np.intp]]:
    """Take the speeds out of some files, and say how many each has."""
    import numpy as np
    import pyarrow as pa

    parts = [_read_operation(path, operation) for path in files]
    table = pa.concat_tables(parts).unify_dictionaries().combine_chunks()
    asked = {"system": [system], "operation": [operation], "metric": MAIN_METRICS}
    # numbers: truth values go by way of a list of Python's
    wanted = table["child"].is_null().cast(pa.int8()).to_numpy().astype(bool)
    for name, words in asked.items():
        wanted = wanted & _is_one_of(table[name], words)
    file = np.repeat(np.arange(len(parts)), [part.num_rows for part in parts])
    kept = table.select(list(_TAKEN)).take(pa.array(np.flatnonzero(wanted)))
    return kept, np.bincount(file[wanted], minlength=len(parts))


def _read_operation(path: Path, operation: str) -> pa.Table:
    """Read the parts of a file that may have an operation."""
    import pyarrow as pa

    names = [*_NAMES, *_SIZES, *_NUMBERS, "child"]
    with intact(path.parent.parent), path.open("rb") as file:
        opened = _opened(file)
        # pyarrow 18 cannot read no row group, and takes some words as plain text
        groups = _with(opened, operation) or [0]
        table = opened.read_row_groups(groups, names, use_threads=False)
    if "setting" not in table.column_names:
        table = table.append_column("setting", pa.array([""] * len(table)))
    return _with_lists_of_words(table)


def _opened(file: BinaryIO) -> pq.ParquetFile:
    """Open a file of numbers; one that was stored before settings has none."""
    import pyarrow.parquet as pq

    try:
        return pq.ParquetFile(file, read_dictionary=list(_NAMES), pre_buffer=False)
    except KeyError:
        return pq.ParquetFile(file, read_dictionary=list(_NAMES[:-1]), pre_buffer=False)


def _with(file: pq.ParquetFile, operation: str) -> list[int]:
    """List the row groups that may have an operation."""
    column = file.schema_arrow.names.index("operation")
    stated = [
        file.metadata.row_group(group).column(column).statistics
        for group in range(file.num_row_groups)
    ]
    return [
        group
        for group, words in enumerate(stated)
        if not (words and words.has_min_max)
        or str(words.min) <= operation <= str(words.max)
    ]


def _with_lists_of_words(table: pa.Table) -> pa.Table:
    """Make numbers of a list of words of the columns that are plain text."""
    import pyarrow as pa

    for place, name in enumerate(table.column_names):
        column = table[name]
        if name in _NAMES and not pa.types.is_dictionary(column.type):
            table = table.set_column(place, name, column.dictionary_encode())
    return table


def _is_one_of(column: pa.ChunkedArray, words: Collection[str]) -> NDArray[np.bool_]:
    """Compare the words of a column once each, not once a row."""
    import numpy as np

    parts = [
        np.array([word in words for word in part.dictionary.to_pylist()], bool)[
            part.indices.to_numpy()
        ]
        for part in column.chunks
    ]
    return np.concatenate([*parts, np.zeros(0, bool)])


def _codes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Take the numbers of words, whose lists are the same in all parts."""
    import pyarrow as pa

    parts = [part.indices.cast(pa.int64()) for part in column.chunks]
    return pa.chunked_array(parts, pa.int64())


def _numbered(columns: list[pa.ChunkedArray]) -> NDArray[np.int64]:
    """Number rows that are equal in all columns, the smallest first, missing last."""
    import numpy as np
    import pandas as pd

    most = np.iinfo(np.int64).max
    numbers = np.zeros(len(columns[0]), np.int64)
    for column in columns:
        codes, found = pd.factorize(column.fill_null(most).to_numpy(), sort=True)
        numbers = numbers * len(found) + codes
    return pd.factorize(numbers, sort=True)[0].astype(np.int64)


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
