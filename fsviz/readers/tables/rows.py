"""Tables that people write: their own results, or timings that somebody published.

::

    system,operation,file size,record size,value,unit,repeat
    nfs-v4.1,read,64 MiB,1 MiB,112.5,MiB/s,1
    nfs-v4.1,read,64 MiB,1 MiB,111.9,MiB/s,2
    smb-3.1.1,read,64 MiB,1 MiB,98.4,MiB/s,1
    smb-3.1.1,read,64 MiB,1 MiB,97.8,MiB/s,2

    | System  | File size (MiB) | Write (MiB/s) | Read (MiB/s) | Time (s) |
    |---------|----------------:|--------------:|-------------:|----------|
    | NFS v4  | 64              | 40            | 112          | 32-35    |

    IOPS;BASE;PATCHED
    random read;253k;261k

=============== ====================================================================
``system``      what was measured; also ``file system``, ``protocol``, ``setup``,
                ``label``, ``share``, ``configuration``, ``kernel``, ``mount``
``operation``   one of fsviz's, such as ``random read`` or ``sequential_stat``; also
                ``test``, ``workload``, ``benchmark``
``value``       the number; its unit in the cell, in the title, or in ``unit``
``read (MB/s)`` a column of its own for an operation, a metric or both: ``IOPS``,
                ``read latency (ms)``, ``time (s)`` of a copy, ``warm time`` of a step
``file size``   such as ``64 MiB``; a bare number is bytes, or the title's unit
``record size`` the same; also ``block size``
``unit``        such as ``MiB/s``, ``op/s``, ``s``, ``ms``, ``%``
``repeat``      1, 2, 3 …; without it, rows of one cell are its repeats as they come;
                or columns ``run 1``, ``run 2``
``threads``     1 if it is left out
``metric``      only where the unit does not tell it, such as ``latency_p99``
``low, high``   bounds of the number
``n, std``      of a mean: such a row stands for runs that are not here
``tool``        such as ``iozone``, whose results it is then compared with
=============== ====================================================================

CSV, TSV, semicolons, Markdown, HTML and the sheets of a workbook will do. Where no
column is a system and the operations stand in the first, each other column is a system.
Without any, headings, sheets or the file name it. A decimal comma is taken where the
table as a whole shows that it is one. ``32-35``, ``<1`` and ``~30`` are read as bounds.

Another column whose texts vary is a setting, which several systems share (``iodepth``),
or says something of each system (``version``), or describes rows because its title says
so (``note``, ``date``, ``change``). One that is neither is refused with its name.

A row with ``n`` or ``std`` is an average: it counts as one number with bounds, never as
runs. A file may have several such tables, and other text around them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import chain

from fsviz.model.errors import (
    AmbiguousValueError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    quoted,
    strange_text,
)
from fsviz.model.runs import MISSING, STANDS_FOR, TABLE, Cells, Note, Reading, Run
from fsviz.model.table import METRICS
from fsviz.model.tools import TOOLS, cuts_digits, tool_of
from fsviz.model.units import parse_size
from fsviz.readers.document import MOST_RUNS, Document, reading_of, too_many_runs
from fsviz.readers.sheets import Sheet, systems_of_sheets
from fsviz.readers.tables.find import Table, explain, tables_of_sheets, tables_of_text
from fsviz.readers.tables.titles import (
    OPERATION,
    RECENT,
    REMARK,
    SETTING,
    SYSTEM,
    VALUE,
    Column,
    is_summary,
    parse_operation,
    split_unit,
)
from fsviz.readers.tables.values import (
    UNITS,
    Written,
    ambiguous_unit,
    decimal_sign,
    parse_written,
    plain,
)

_USUAL = ("iodepth", "queue depth", "qd", "fsync", "sync", "direct")
"""Columns that are settings also where a system has one value: another has another."""
_NUMBERS = (VALUE, "low", "high", "std", "n")
_METRICS_OF = {
    kind: [name for name, one in METRICS.items() if one.unit == METRICS[kind].unit]
    for kind in {kind for kind, _ in UNITS.values()}
}
"""Metrics that a number of each kind may be of."""
_MOST_DIGITS = 15
_Cell = tuple[str, str, str, str, int | None, int | None, int, str]
"""What a number is of: system, tool, operation, metric, sizes, threads, setting."""
_Number = tuple[_Cell, str, str, Written]
"""What it is of, the repeat and the unit that its row states, and what is written."""
_WHAT = (
    "a table with a column system and one such as write (MiB/s), or operation, value "
    "and unit; `fsviz formats --explain table` shows more"
)


@dataclass(slots=True)
class _Group:
    """The numbers of one run."""

    cells: Cells = field(default_factory=Cells)
    facts: dict[str, object] = field(default_factory=dict)
    remarks: dict[str, dict[str, None]] = field(default_factory=dict)


@dataclass(slots=True)
class _Groups:
    """All runs of a file by system, tool and repeat, and the cells that they have."""

    path: str
    made: dict[tuple[str, str, str], _Group] = field(default_factory=dict)
    repeats: dict[_Cell, dict[str, int]] = field(default_factory=dict)
    problems: dict[str, ParseError] = field(default_factory=dict)
    notes: dict[Note, None] = field(default_factory=dict)
    full: str = ""

    def refuse(self, problem: ParseError) -> None:
        """Keep a problem, which a row with several numbers may have in each, once."""
        self.problems.setdefault(str(problem), problem)

    def note(self, place: str, text: str) -> None:
        """Keep a note once."""
        self.notes[Note(self.path, place.removeprefix("line "), text)] = None


@dataclass(slots=True)
class _Row:
    """A row: its texts by the kinds of their columns, and what its table says."""

    table: Table
    columns: Mapping[str, Column]
    texts: Sequence[str]
    sign: str
    settings: Sequence[Column]
    heading: str
    numbers: dict[int, _Number | None] = field(default_factory=dict)

    def text(self, kind: str) -> str:
        """Return the text in the first column of a kind, or nothing."""
        column = self.columns.get(kind)
        return self.texts[column.at] if column is not None else ""


def read_tables(document: Document) -> Reading:
    r"""Read the tables of a text.

    >>> from fsviz.readers.document import decode
    >>> text = "system,time\nNFS v3,32-35\n"
    >>> run, = read_tables(decode("t.csv", text.encode())).runs
    >>> run.system, run.cells.metric, run.cells.low, run.cells.high
    ('NFS v3', ['elapsed'], [32.0], [35.0])
    """
    tables = tables_of_text(document)
    if not tables:
        cause = explain(document) or (1, _WHAT, "no such header")
        raise strange_text(document.path, *cause)
    return _read(document, tables)


def read_beside(document: Document, taken: Collection[int]) -> Reading:
    """Read the tables beside a tool's output that name each system and operation.

    Another one mostly sums that output up: read, it would count each run twice. Those
    whose headers stand on the lines that are taken are the tool's.
    """
    places = {f"line {line}" for line in taken}
    tables = [t for t in tables_of_text(document) if t.place not in places]
    kinds = {SYSTEM, OPERATION, VALUE}
    complete = [t for t in tables if kinds <= {c.kind for c in t.columns}]
    text = "a table beside the output of a tool: not used; --format-hint table reads it"
    notes = tuple(
        Note(document.path, table.place.removeprefix("line "), text)
        for table in tables
        if not kinds <= {c.kind for c in table.columns}
        if any(c.kind == SYSTEM or c.system for c in table.columns)
    )
    if not complete:
        return Reading((), (), notes)
    reading = _read(document, complete)
    return replace(reading, notes=(*reading.notes, *notes))


def read_sheets_of_tables(
    document: Document, sheets: Sequence[Sheet]
) -> Reading | None:
    """Read the tables of a workbook, if it has any; its sheets may name systems."""
    names = systems_of_sheets([sheet.name for sheet in sheets])
    tables = tables_of_sheets(sheets, names)
    return _read(document, tables) if tables else None


def _read(document: Document, tables: Sequence[Table]) -> Reading:
    path = document.path
    groups = _Groups(path)
    _number_in.cache_clear()
    for table in tables:
        try:
            _take_table(groups, table, tables)
        except ParseError as problem:
            groups.refuse(problem)
    problems = list(groups.problems.values())
    if groups.full:
        problems.append(too_many_runs(path, groups.full))
    nothing = MalformedRowError(path, 1, "a row with a number", "none")
    systems = [system for system, _, _ in groups.made]
    runs = [
        Run(
            tool=tool,
            cells=group.cells,
            configuration=TABLE,
            note="means of runs that are not here" if STANDS_FOR in group.facts else "",
            facts={k: "; ".join(texts) for k, texts in group.remarks.items()}
            | group.facts,
        )
        for (_, tool, _), group in groups.made.items()
    ]
    return reading_of(document, runs, systems, problems, nothing, list(groups.notes))


def _take_table(groups: _Groups, table: Table, tables: Sequence[Table]) -> None:
    """Add the numbers of a table to the runs that they belong to."""
    if not table.rows:
        return
    path = groups.path
    numbers = [column for column in table.columns if column.kind == VALUE]
    _refuse_columns(path, table, numbers)
    sign = _sign(path, table)
    settings = _settings(groups, table)
    _note_unit(groups, table)
    # a heading that is no system parts what stands below it from other tables
    heading = table.heading if len(tables) > 1 else ""
    columns = {column.kind: column for column in reversed(table.columns)}
    width = len(table.columns)

    @lru_cache(RECENT)
    def row_of(texts: tuple[str, ...]) -> _Row:
        padded = (*texts, *[""] * (width - len(texts)))
        return _Row(table, columns, padded, sign, settings, heading)

    for place, texts in table.rows:
        if len(groups.problems) == MOST_RUNS:
            groups.full = groups.full or place
            return
        row = row_of(texts)
        if is_summary(name := row.text(SYSTEM) or row.text(OPERATION)):
            groups.note(place, f"{quoted(name)} is made of the other rows: left out")
            continue
        if not numbers[-1].at < len(texts) <= width:
            signs = "with quotes around those with signs"
            way = "formulas as their values" if "!" in place else signs
            expected = f"{width} cells, {way}"
            groups.refuse(TruncatedInputError(path, place, expected, f"{len(texts)}"))
            continue
        for column in numbers:
            try:
                _take(groups, place, row, column)
            except ValueError as error:
                shown = quoted(",".join(texts))
                groups.refuse(MalformedRowError(path, place, str(error), shown))


def _refuse_columns(path: str, table: Table, numbers: Sequence[Column]) -> None:
    """Refuse two columns of the same, and bounds of nobody knows which."""
    keys = [
        (c.operation, c.record, c.metric or _kind(c), c.step, c.repeat, c.system)
        for c in numbers
    ]
    twice = next((c for n, c in enumerate(numbers) if keys[n] in keys[:n]), None)
    if twice is not None:
        other = f"another title than {quoted(twice.title)} for what another column has"
        raise InconsistentDataError(path, table.place, other, "the same twice")
    bounds = [c.title for c in table.columns if c.kind in ("low", "high", "std")]
    if len(numbers) > 1 and bounds:
        alone = f"one column of numbers beside {quoted(bounds[0])}"
        raise InconsistentDataError(path, table.place, alone, f"{len(numbers)}")


def _sign(path: str, table: Table) -> str:
    """Decide which sign stands before the decimals of a table."""
    columns = [column.at for column in table.columns if column.kind in _NUMBERS[:4]]
    cells = [t[at] for _, t in table.rows for at in columns if at < len(t)]
    try:
        return decimal_sign(list(dict.fromkeys(cells)))
    except ValueError as error:
        if table.point and not any("," in cell for cell in cells):
            return table.point
        cause = (path, table.place, str(error), "cells that do not tell")
        raise AmbiguousValueError(*cause) from error


def _note_unit(groups: _Groups, table: Table) -> None:
    """Name the first unit that has two meanings: it is read as the SI defines it."""
    first = table.rows[0][0]
    titles = [(first, c.unit) for c in table.columns if c.unit] or [(first, table.unit)]
    columns = [c.at for c in table.columns if c.kind in (OPERATION, "unit", VALUE)]
    cells = ((p, t[at]) for p, t in table.rows for at in columns if at < len(t))
    for place, text in chain(titles, cells):
        if (unit := ambiguous_unit(text)) is not None:
            name, si, binary = unit
            remark = f"{name} is read as {si:,.0f} B/s, as the SI defines it; "
            remark += f"where {binary:,.0f} is meant, write {name[0]}iB/s"
            groups.note(place, remark)
            return


def _settings(groups: _Groups, table: Table) -> list[Column]:
    """List the further columns that are settings; refuse those that are nothing.

    What has one text for each system is a remark of it. What differs within a system is
    a setting where it can be shared: by another system, or if there is one alone.
    """
    system = [column.at for column in table.columns if column.kind == SYSTEM][:1]
    keys = [c for c in table.columns if c.kind not in (*_NUMBERS, SETTING, REMARK)]
    unnumbered = [c.at for c in keys if c.kind != "repeat"]
    settings = []
    for column in [column for column in table.columns if column.kind == SETTING]:
        texts = _texts_by(table, column, system)
        is_varied = _differs(set().union(*texts))
        if not any(map(_differs, texts)) and not (column.unit and is_varied):
            settings += [column] if column.title.strip().lower() in _USUAL else []
            continue
        differs = any(map(_differs, _texts_by(table, column, [c.at for c in keys])))
        if not differs and any(map(_differs, _texts_by(table, column, unnumbered))):
            continue  # from repeat to repeat, which are numbered
        of_systems = [text for each in texts for text in each]
        is_shared = len(texts) < 2 or len(of_systems) > len(set(of_systems))
        if column.unit or not is_shared:
            expected = (
                f"{quoted(column.title)} in the column of the systems, or titled note "
                f"{column.title}, or as `fsviz formats --explain table` titles columns"
            )
            cause = "texts that vary within each system, of which none is shared"
            if column.unit:
                cause = f"numbers of nobody knows what in {column.unit}"
            raise MalformedRowError(groups.path, table.place, expected, cause)
        settings.append(column)
        if differs:
            text = (
                f"{_name(column)}: differs within cells, so it is a setting; if these "
                "are repeats, number them in a column repeat"
            )
            groups.note(table.rows[0][0], text)
    return sorted(settings, key=_name)


def _texts_by(
    table: Table, column: Column, keys: Sequence[int]
) -> Collection[set[str]]:
    """Collect the texts of a column by those in other columns."""
    texts: dict[tuple[str, ...], set[str]] = {}
    for _, cells in table.rows:
        if column.at < len(cells):
            key = tuple([cells[at] if at < len(cells) else "" for at in keys])
            texts.setdefault(key, set()).add(cells[column.at])
    return texts.values()


def _differs(texts: Collection[str]) -> bool:
    return len(texts) > 1


def _name(column: Column) -> str:
    return column.title.strip().strip("*`").lower()


def _number(row: _Row, column: Column) -> _Number | None:
    """Read a number of a row, or raise `ValueError`."""
    text, unit_of_row = split_unit(row.text(OPERATION))
    unit = row.text("unit") or column.unit or unit_of_row or row.table.unit
    stated = parse_operation(text)
    is_other = stated is not None and not stated[0].endswith(column.operation)
    if is_other or (column.operation and stated is None):
        stated = column.operation, column.record
    system, operation, record = _row_names(row, column, stated)
    # a time of nothing else is one of a copy
    is_copy = operation == "transfer" and not (
        column.operation or OPERATION in row.columns
    )
    tool = row.text("tool").lower() or ("rsync" if is_copy else tool_of(operation))
    if tool not in TOOLS:
        raise ValueError(f"one of the tools {', '.join(TOOLS)}")
    cut = cuts_digits(tool, operation, column.metric) and tool != "iozone"
    written = _number_in(row.texts[column.at], unit, row.sign, cut)
    if written.reason or (written.value == 0 and is_other):
        return None
    metric = row.text("metric") or column.metric or written.kind
    if not written.kind:
        raise ValueError(_NO_UNIT)
    if metric not in (fitting := _METRICS_OF[written.kind]):
        raise ValueError(f"a metric of this unit ({', '.join(fitting)})")
    sizes = [_size(row, "file size"), _size(row, "record size") or record]
    count = row.text("threads") or "1"
    if len(count) > _MOST_DIGITS or not count.isdecimal():
        raise ValueError("a number of threads")
    threads = int(count)
    setting = "; ".join(_setting(row, column))
    cell = (system, tool, operation, metric, sizes[0], sizes[1], threads, setting)
    return cell, column.repeat or row.text("repeat"), unit, written


def _take(groups: _Groups, place: str, row: _Row, column: Column) -> None:
    """Add a number to its run, or raise `ValueError`."""
    if column.at not in row.numbers:
        row.numbers[column.at] = _number(row, column)
    if (number := row.numbers[column.at]) is None:
        return
    cell, repeat, unit, written = number
    repeats = groups.repeats.setdefault(cell, {"": 0})
    repeats[""] += 1
    repeat = repeat or str(repeats[""])
    if repeat in repeats:
        raise ValueError(f"one number for this cell in repeat {repeat}")
    repeats[repeat] = 1
    system, tool, operation, metric, file_size, record_size, threads, setting = cell
    key = (system, tool, repeat)
    if key not in groups.made and len(groups.made) == MOST_RUNS:
        # rows of the runs that there are may follow
        groups.full = groups.full or place
        return
    group = groups.made.setdefault(key, _Group())
    _add_facts(group, row, column)
    low, high = (
        _number_in(text, unit, row.sign).value if (text := row.text(name)) else MISSING
        for name in ("low", "high")
    )
    group.cells.add(
        operation,
        metric,
        written.value,
        place,
        low=written.low if math.isnan(low) else low,
        high=written.high if math.isnan(high) else high,
        file_size=file_size,
        record_size=record_size,
        threads=threads,
        setting=setting,
    )


def _row_names(
    row: _Row, column: Column, stated: tuple[str, int | None] | None
) -> tuple[str, str, int | None]:
    """Name the system and the operation of a number, and its record size [B]."""
    has_system = SYSTEM in row.columns
    system = column.system or row.text(SYSTEM).strip("*`")
    if (has_system and not system) or (stated is None and OPERATION in row.columns):
        raise ValueError("a system and an operation of fsviz")
    if not has_system and not column.system:
        system = row.heading
    if operation := stated or parse_operation(row.heading):
        return system, *operation
    if (column.metric or _kind(column)) in ("elapsed", "cpu"):
        return system, "transfer", None
    title = column.title.strip()
    raise ValueError(f"an operation in the title, as in read {title}, or in a column")


def _kind(column: Column) -> str:
    return UNITS.get(column.unit.lower(), ("",))[0]


def _setting(row: _Row, column: Column) -> Iterator[str]:
    """List what was varied besides sizes and threads."""
    for other in row.settings:
        yield f"{_name(other)}={row.texts[other.at]}"
    if column.step:
        yield f"step={column.step}"
    test = row.columns.get(OPERATION)
    if column.operation and test and not parse_operation(row.text(OPERATION)):
        yield f"{_name(test)}={row.text(OPERATION)}"
    names_other = column.system or SYSTEM in row.columns
    if row.heading and names_other and not parse_operation(row.heading):
        yield row.heading


def _add_facts(group: _Group, row: _Row, column: Column) -> None:
    """Keep what a row says besides numbers."""
    of_mean = {name: text for name in ("n", "std") if (text := row.text(name))}
    if column.of_several or of_mean:
        group.facts |= {STANDS_FOR: "mean", **of_mean}
    for other in row.table.columns:
        is_remark = other.kind == REMARK or other.kind == SETTING
        if is_remark and other not in row.settings and (text := row.texts[other.at]):
            group.remarks.setdefault(other.title, {})[text] = None


_NO_UNIT = "a unit: in the title, as in value (MiB/s), or in a column unit"


def _size(row: _Row, kind: str) -> int | None:
    text, column = row.text(kind).strip(), row.columns.get(kind)
    if column is None or not text:
        return None
    unit = column.unit if text.isdecimal() and column.unit.lower() != "bytes" else ""
    try:
        return parse_size(f"{text} {unit}")
    except ValueError:
        raise ValueError("a size such as 64 MiB") from None


@lru_cache(RECENT)
def _number_in(text: str, unit: str, sign: str, cut: bool = False) -> Written:
    return parse_written(plain(text, sign), unit, cut)
