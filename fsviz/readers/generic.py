"""A table of one's own: any results, in columns with these names.

::

    system,operation,file size,record size,value,unit,repeat
    nfs-v4.1,read,64 MiB,1 MiB,112.5,MiB/s,1
    nfs-v4.1,read,64 MiB,1 MiB,111.9,MiB/s,2
    smb-3.1.1,read,64 MiB,1 MiB,98.4,MiB/s,1
    smb-3.1.1,read,64 MiB,1 MiB,97.8,MiB/s,2

=============== ====================================================================
``system``      what was measured
``operation``   one of fsviz's, such as ``random read`` or ``sequential_stat``
``value``       the number; its unit in the cell, in the title, or in ``unit``; or
                columns such as ``throughput (MiB/s)``, ``latency (ms)``, ``IOPS``
``file size``   such as ``64 MiB``; a bare number is bytes, or the title's unit
``record size`` the same
``unit``        such as ``MiB/s``, ``op/s``, ``s``, ``ms``, ``%``
``repeat``      1, 2, 3 …; without it, rows of one cell are its repeats as they come
``threads``     1 if it is left out
``metric``      only where the unit does not tell it, such as ``latency_p99``
``low, high``   bounds of the number
``n, std``      of a mean: such a row stands for runs that are not here
``tool``        such as ``iozone``, whose results it is then compared with
=============== ====================================================================

Separators are commas, semicolons or tabs; a sheet of a workbook will do. A decimal
comma is taken where the table as a whole shows that it is one. Another column is a
setting where it varies within a cell, unless its title says that it describes a row
(``note``, ``date``). ``iodepth``, ``queue depth``, ``sync``, ``fsync`` and ``direct``
are settings too where a system has one value. All other columns are left alone.

A row with ``n`` or ``std`` is an average: it counts as one number with bounds, never as
runs. A file may have several such tables, and other text around them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fsviz.model.errors import (
    MalformedRowError,
    ParseError,
    nothing_usable,
    quoted,
)
from fsviz.model.runs import MISSING, STANDS_FOR, TABLE, Cells, Note, Reading, Run
from fsviz.model.table import (
    METRICS,
    OPERATIONS,
)
from fsviz.model.tools import TOOLS, tool_of
from fsviz.model.units import parse_size
from fsviz.readers.document import MOST_RUNS, Document, too_many_runs
from fsviz.readers.published.table import (
    decimal_sign,
    plain,
    refuse_wide,
    split_row,
)
from fsviz.readers.published.values import UNITS, Written, by_si, parse_written

_TITLE = re.compile(
    r"(?P<name>(?:[^()\[\]]*[^()\[\]\s])?)\s*+(?:[(\[](?P<unit>[^()\[\]]*)[)\]])?\s*+"
)
_NAMES = {
    **{
        name: name
        for name in (
            *("system", "operation", "value", "unit", "repeat", "threads", "metric"),
            *("low", "high", "n", "std", "tool"),
        )
    },
    **dict.fromkeys(("file size", "filesize", "size"), "file size"),
    **dict.fromkeys(
        ("record size", "recordsize", "record", "block size", "blocksize", "bs"),
        "record size",
    ),
    **dict.fromkeys(("run", "rep"), "repeat"),
    **dict.fromkeys(("numjobs", "jobs", "processes"), "threads"),
    **dict.fromkeys(("stddev", "sd", "standard deviation"), "std"),
}
_REMARKS = frozenset(
    ("note", "notes", "comment", "comments", "remark", "remarks", "file", "source")
) | frozenset(("date", "time", "timestamp", "started", "start", "end", "host", "user"))
"""Columns that describe a row, and vary without being varied."""
_FURTHER = "setting "
"""Begins the names of columns that are none of ours."""
_USUAL = ("iodepth", "queue depth", "qd", "fsync", "sync", "direct")
"""Columns that are settings also where a system has one value: another has another."""
_NEEDED = ("system", "operation", "value")
_MEASURES = {
    "throughput": ("", ""),
    "bandwidth": ("", ""),
    "latency": ("", "latency"),
    "iops": ("IOPS", ""),
}
"""What columns of numbers are called where none is called value: unit and metric, where
the name tells them."""
_NUMBERS = ("value", "low", "high", "std")
_MEASURED = "measured"
"""Beside ``value`` where its column has another name: the metric that it tells."""
_METRICS_OF = {
    kind: [name for name, one in METRICS.items() if one.unit == METRICS[kind].unit]
    for kind in {kind for kind, *_ in UNITS.values()}
}
"""Metrics that a number of each kind may be of."""
_MOST_DIGITS = 15

Titles = Mapping[str, tuple[int, str]]
"""Position and unit of each column, by its name."""

Row = tuple[str, Sequence[str]]
"""A place such as ``line 3`` or ``Sheet!A3``, and the texts of the cells."""

Table = tuple[Titles, Sequence[Row], str]
"""Titles and rows, and the decimal sign where the numbers do not tell; else empty."""


@dataclass(slots=True)
class _Group:
    """The rows of one run."""

    cells: Cells = field(default_factory=Cells)
    facts: dict[str, object] = field(default_factory=dict)


def titles_of(texts: Sequence[str]) -> list[Titles]:
    """Understand a header: once for each column of numbers; empty if it is none.

    >>> titles_of(["System", "Operation", "Value (MiB/s)", "note"])[0]["value"]
    (2, 'MiB/s')
    >>> [t["value"] for t in titles_of(["system", "operation", "IOPS", "latency (ms)"])]
    [(2, 'IOPS'), (3, 'ms')]
    """
    found = _named(texts)
    further = {n.removeprefix(_FURTHER): own for n, own in found.items()}
    measures = {name: own for name, own in further.items() if name in _MEASURES}
    if "value" in found or not measures:
        return [found] if all(name in found for name in _NEEDED) else []
    shared = {
        n: at for n, at in found.items() if n.removeprefix(_FURTHER) not in measures
    }
    if any(name not in shared for name in _NEEDED[:2]):
        return []
    if len(measures) > 1 and any(name in shared for name in _NUMBERS):
        return []  # bounds of which of them?
    return [
        {**shared, "value": (at, unit or own), _MEASURED: (at, metric)}
        for name, (at, unit) in measures.items()
        for own, metric in [_MEASURES[name]]
    ]


def _named(texts: Sequence[str]) -> dict[str, tuple[int, str]]:
    """Find the name of each column, its position and its unit."""
    found: dict[str, tuple[int, str]] = {}
    for at, text in enumerate(texts):
        match = _TITLE.fullmatch(text.strip().strip("*`"))
        words = match["name"].lower().replace("_", " ") if match else ""
        name = _NAMES.get(words.removesuffix(" bytes"))
        if name is None and words and words not in _REMARKS:
            name = _FURTHER + words
        if name is not None and name not in found:
            found[name] = (at, (match["unit"] or "").strip() if match else "")
    return found


def read_generic(document: Document) -> Reading:
    """Read such a table from text."""
    refuse_wide(document)
    tables = list(_tables(document.lines))
    if not tables:
        columns = f"the columns {', '.join(_NEEDED)}"
        raise MalformedRowError(document.path, 1, columns, "none")
    return read_rows(document.path, document.digest, tables)


def _tables(lines: Sequence[str]) -> Iterator[Table]:
    """Find each header and the rows under it."""
    every, separator, rows, apart = list[Titles](), "", list[Row](), False
    for number, line in enumerate(lines, 1):
        if header := _header(line):
            yield from ((titles, rows, _POINT.get(separator, "")) for titles in every)
            (every, separator), rows, apart = header, [], False
        elif not line.strip():
            apart = True
        elif every and not line.startswith("#"):
            texts = split_row(line, separator)
            if not apart or _has_operation(texts, every[0]):
                rows.append((f"line {number}", texts))
    yield from ((titles, rows, _POINT.get(separator, "")) for titles in every)


_POINT = {",": "."}
"""Where commas part the cells, no comma stands before decimals."""


def _header(line: str) -> tuple[list[Titles], str] | None:
    if "operation" not in line.lower():
        return None
    for separator in "\t;,":
        every = titles_of(split_row(line, separator)) if separator in line else []
        if every:
            return every, separator
    return None


def _has_operation(texts: Sequence[str], titles: Titles) -> bool:
    at = titles["operation"][0]
    return at < len(texts) and _operation(texts[at]) in OPERATIONS


def _operation(text: str) -> str:
    return re.sub(r"[ -]+", "_", text.strip().lower())


def read_rows(path: str, content: str, tables: Sequence[Table]) -> Reading:
    """Read the rows under each header."""
    groups: dict[tuple[str, str, str], _Group] = {}
    seen: dict[tuple[object, ...], int] = {}
    refused: dict[str, ParseError] = {}
    beyond = ""
    notes: list[Note] = []
    for place, texts, titles, sign, varied in _signed(path, tables, notes):
        if len(refused) == MOST_RUNS:
            beyond = place
            break
        row = {
            name: texts[at] if at < len(texts) else ""
            for name, (at, _) in titles.items()
        }
        try:
            row["setting"] = "; ".join(f"{n}={row[_FURTHER + n]}" for n in varied)
            _take(groups, seen, place, row, titles, sign)
        except _FullError:
            beyond = beyond or place
        except ValueError as error:
            found = quoted(",".join(texts))
            # a row with a number of each metric may be wrong in all of them
            known = MalformedRowError(path, place, str(error), found)
            refused.setdefault(str(known), known)
    problems = [*refused.values()]
    if beyond:
        problems.append(too_many_runs(path, beyond))
    if not groups:
        nothing = MalformedRowError(path, 1, "a row with a number", "none")
        raise nothing_usable(problems or [nothing])
    runs = [
        Run(
            tool=tool,
            identity=f"{content}-{k}",
            source=path,
            cells=group.cells,
            configuration=TABLE,
            note="means of runs that are not here" if group.facts else "",
            facts=group.facts,
            system=system,
        )
        for k, ((system, tool, _), group) in enumerate(groups.items(), 1)
    ]
    return Reading(tuple(runs), tuple(problems), tuple(notes))


class _FullError(Exception):
    """There are as many runs as are read of one file; rows of theirs may follow."""


def _signed(
    path: str, tables: Sequence[Table], notes: list[Note]
) -> Iterator[tuple[str, Sequence[str], Titles, str, list[str]]]:
    """List the rows of all tables, each with what its own table says of all rows."""
    for titles, rows, usual in tables:
        sign = _sign(path, titles, rows, usual)
        notes += _unsure(path, titles, rows)
        varied = _varied(titles, [texts for _, texts in rows])
        if varied:
            said = (
                f"{', '.join(varied)}: differs within cells, so it is a setting; if "
                "these are repeats, number them in a column repeat"
            )
            note = Note(path, rows[0][0].removeprefix("line "), said)
            notes += [note] if note not in notes else []
        varied = sorted({*varied, *_stated(titles, rows)})
        for place, texts in rows:
            yield place, texts, titles, sign, varied


def _unsure(path: str, titles: Titles, rows: Sequence[Row]) -> Iterator[Note]:
    """Name the first unit that has two meanings: it is read as the SI defines it."""
    at, unit = titles["value"]
    at = titles.get("unit", (at, ""))[0]
    for place, texts in rows:
        own = texts[at] if "unit" in titles and at < len(texts) else unit
        _, least, most = UNITS.get(own.strip().lower(), ("", 1.0, 1.0))
        if least != most:
            said = (
                f"{own.strip()} is read as {least:,.0f} B/s, as the SI defines it; "
                f"where {most:,.0f} is meant, write {own.strip()[0]}iB/s"
            )
            yield Note(path, place.removeprefix("line "), said)
            return


def _varied(titles: Titles, rows: Sequence[Sequence[str]]) -> list[str]:
    """List the further columns that differ among the rows of one cell and repeat."""
    further = {n: at for n, (at, _) in titles.items() if n.startswith(_FURTHER)}
    if not further:
        return []
    no_place = (*further, *_NUMBERS, _MEASURED, "n")
    cell = [at for name, (at, _) in titles.items() if name not in no_place]

    def text(row: Sequence[str], at: int) -> str:
        return row[at].strip() if at < len(row) else ""

    first: dict[tuple[str, ...], Sequence[str]] = {}
    found: set[str] = set()
    for row in rows:
        other = first.setdefault(tuple(text(row, at) for at in cell), row)
        found |= {n for n, at in further.items() if text(row, at) != text(other, at)}
    return sorted(name.removeprefix(_FURTHER) for name in found)


def _stated(titles: Titles, rows: Sequence[Row]) -> list[str]:
    """List the usual settings of which each system has one value."""
    of_system = titles["system"][0]
    columns = {n: titles[_FURTHER + n][0] for n in _USUAL if _FURTHER + n in titles}
    found = []
    for name, at in columns.items():
        width = max(at, of_system)
        own = {(t[of_system], t[at].strip()) for _, t in rows if len(t) > width}
        if len(own) == len({system for system, _ in own}):
            found.append(name)
    return found


def _sign(path: str, titles: Titles, rows: Sequence[Row], usual: str) -> str:
    columns = [titles[name][0] for name in _NUMBERS if name in titles]
    texts = [texts[at] for _, texts in rows for at in columns if at < len(texts)]
    try:
        return decimal_sign(texts)
    except ValueError as error:
        if usual and not any("," in text for text in texts):
            return usual
        found = "cells that do not tell"
        raise MalformedRowError(path, rows[0][0], str(error), found) from error


def _take(
    groups: dict[tuple[str, str, str], _Group],
    seen: dict[tuple[object, ...], int],
    place: str,
    row: Mapping[str, str],
    titles: Titles,
    sign: str,
) -> None:
    """Add a row to the run that it belongs to, or raise `ValueError`."""
    operation = _operation(row["operation"])
    if not row["system"] or operation not in OPERATIONS:
        raise ValueError("a system and an operation of fsviz")
    tool = row.get("tool", "").lower() or tool_of(operation)
    if tool not in TOOLS:
        raise ValueError(f"one of the tools {', '.join(TOOLS)}")
    unit = row.get("unit") or titles["value"][1]
    written = _written(row["value"], unit, sign)
    if written.reason:
        return
    named = titles.get(_MEASURED, (0, ""))[1]
    metric = row.get("metric") or named or written.kind
    if not written.kind:
        raise ValueError(_NO_UNIT)
    if metric not in (fitting := _METRICS_OF[written.kind]):
        raise ValueError(f"a metric of this unit ({', '.join(fitting)})")
    sizes = [
        _size(row.get(name, ""), titles.get(name))
        for name in ("file size", "record size")
    ]
    threads = _count(row.get("threads") or "1")
    cell = (row["system"], tool, operation, metric, *sizes, threads, row["setting"])
    seen[cell] = seen.get(cell, 0) + 1
    repeat = row.get("repeat") or str(seen[cell])
    seen[cell, repeat] = seen.get((cell, repeat), 0) + 1
    if seen[cell, repeat] > 1:
        raise ValueError(f"one number for this cell in repeat {repeat}")
    is_mean = any(row.get(name) for name in ("n", "std"))
    key = (row["system"], tool, repeat)
    if key not in groups and len(groups) == MOST_RUNS:
        raise _FullError
    group = groups.setdefault(key, _Group())
    if is_mean:
        group.facts[STANDS_FOR] = "mean"
        group.facts.update({x: row[x] for x in ("n", "std") if row.get(x)})
    low, high = (_bound(row.get(name, ""), unit, sign) for name in ("low", "high"))
    group.cells.add(
        operation,
        metric,
        written.value,
        place,
        low=written.low if math.isnan(low) else low,
        high=written.high if math.isnan(high) else high,
        file_size=sizes[0],
        record_size=sizes[1],
        threads=threads,
        setting=row["setting"],
    )


_NO_UNIT = "a unit: in the title, as in value (MiB/s), or in a column unit"


def _count(text: str) -> int:
    if len(text) > _MOST_DIGITS or not text.isdecimal():
        raise ValueError("a number of threads")
    return int(text)


def _size(text: str, title: tuple[int, str] | None) -> int | None:
    if not text.strip():
        return None
    unit = title[1] if title is not None and text.strip().isdecimal() else ""
    try:
        return parse_size(
            f"{text} {unit}" if unit and unit.lower() != "bytes" else text
        )
    except ValueError:
        raise ValueError("a size such as 64 MiB") from None


def _bound(text: str, unit: str, sign: str) -> float:
    return _written(text, unit, sign).value if text else MISSING


def _written(text: str, unit: str, sign: str) -> Written:
    """Read a number; `_unsure` says how a unit of two meanings is taken."""
    return parse_written(by_si(plain(text, sign)), by_si(unit))
