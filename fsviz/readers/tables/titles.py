"""What the columns of a table are, by their titles.

`columns_of` understands a header: which column names systems, which holds numbers, of
which operation and metric and in which unit, which are sizes, threads or repeats, which
only describe. A table with one column a system has an operation in each row instead.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from fsviz.model.table import OPERATIONS
from fsviz.model.units import parse_size
from fsviz.readers.tables.values import UNITS, with_slash

RECENT = 256
"""Texts and lines of which is remembered what they say: tables repeat most."""
SYSTEM, OPERATION, VALUE, SETTING, REMARK = (
    *("system", "operation", "value", "setting", "remark"),
)
_UNIT = re.compile(r"(?P<words>[^()\[\]]*)[(\[](?P<unit>[^()\[\]]*)[)\]]")
_KINDS = {
    **{name: name for name in (SYSTEM, OPERATION, "unit", "repeat", "threads")},
    **{name: name for name in ("metric", "low", "high", "n", "std", "tool")},
    **dict.fromkeys(("file system", "filesystem", "fs", "protocol", "setup"), SYSTEM),
    **dict.fromkeys(("label", "share", "configuration", "config", "kernel"), SYSTEM),
    **dict.fromkeys(("mount", "mount point"), SYSTEM),
    **dict.fromkeys(("units", "scale"), "unit"),
    **dict.fromkeys(
        ("access", "op", "test", "workload", "benchmark", "phase"), OPERATION
    ),
    **dict.fromkeys(("file size", "filesize", "size"), "file size"),
    **dict.fromkeys(("record size", "recordsize", "record", "reclen"), "record size"),
    **dict.fromkeys(("block size", "blocksize", "bs", "chunk size"), "record size"),
    **dict.fromkeys(("run", "rep"), "repeat"),
    **dict.fromkeys(("numjobs", "jobs", "processes", "clients"), "threads"),
    "concurrency": "threads",
    **dict.fromkeys(("stddev", "sd", "standard deviation"), "std"),
    **dict.fromkeys(("note", "notes", "comment", "comments", "remark"), REMARK),
    **dict.fromkeys(("remarks", "file", "source", "date", "timestamp"), REMARK),
    **dict.fromkeys(("started", "start", "end", "host", "user", "place"), REMARK),
    # made of the numbers beside them
    **dict.fromkeys(("change", "diff", "difference", "delta", "ratio"), REMARK),
    **dict.fromkeys(("speedup", "gain", "improvement", "%", "δ", "+/-"), REMARK),
}
"""What a column is by its title, in the order in which one of two is taken."""
_OURS = ("bucket", "n cells", "ci low")
"""Columns of the answers that fsviz prints."""
_VALUES = {
    **dict.fromkeys(("value", "result", "speed"), ""),
    **dict.fromkeys(("mean", "average", "avg"), "mean"),
}
"""Titles of numbers that say neither the operation nor the metric."""
_METRICS = {
    **dict.fromkeys(("time", "elapsed", "duration"), "elapsed"),
    **dict.fromkeys(("throughput", "bandwidth", "bw"), "throughput"),
    **dict.fromkeys(("rate", "iops"), "rate"),
    "cpu": "cpu",
}
_USUAL_UNITS = {"iops": "IOPS", "cpu": "%"} | dict.fromkeys(
    ("elapsed", "time", "duration"), "s"
)
_REPEAT = re.compile(
    r"\b(?:run|rep|repeat|trial|iteration|round)[ #]{0,3}(?P<n>\d{1,4})$"
)
_RECORD = re.compile(r"\(?\b(\d{1,4} ?[km])(?:i?b)?\b\)?")
"""Of an operation: before it, behind it or in its name."""
_SUMMARIES = frozenset(
    ("average", "avg", "mean", "median", "total", "totals", "sum", "overall", "winner")
) | {name for name, kind in _KINDS.items() if kind == REMARK}
_WAYS = re.compile(
    r"(?:(?P<how>seq|sequential|initial|rand|random|reverse|backwards?) ?)?"
    r"(?P<way>read|write|re ?write|re ?read)(?:er|s)?"
)
_LATENCY = re.compile(
    r"\b(?:(?:avg|average|mean) )?(?:lat|latency)\b(?: (?:avg|average|mean)\b)?"
    r"|\bp?(?P<share>50|95|99|99[. ]9)(?:th)?(?: percentile)?(?: lat(?:ency)?)?$"
)
_HOW = {"rand": "random ", "reve": "backward ", "back": "backward "}


@dataclass(frozen=True, slots=True)
class Column:
    """What a column holds: its kind, and of a number what the title says of it."""

    at: int
    title: str
    kind: str
    unit: str = ""
    operation: str = ""
    record: int | None = None
    metric: str = ""
    step: str = ""
    system: str = ""
    repeat: str = ""
    of_several: str = ""


def columns_of(titles: Sequence[str]) -> list[Column]:
    """Understand a header; of another line there are none.

    >>> [c.kind for c in columns_of(["system", "size (MiB)", "write (MB/s)", "note"])]
    ['system', 'file size', 'value', 'remark']
    >>> [c.system for c in columns_of(["test", "BASE", "PATCHED"])]
    ['', 'BASE', 'PATCHED']
    """
    if titles and is_unit(titles[0]):
        return _by_systems([_column(at, text) for at, text in enumerate(titles)])
    columns = _each_once([_column(at, text) for at, text in enumerate(titles)])
    columns = _with_system(columns)
    kinds = {column.kind for column in columns}
    numbers = [column for column in columns if column.kind == VALUE]
    # a share of a processor is no result alone, and what fsviz prints is no source
    is_share = numbers and all(column.metric == "cpu" for column in numbers)
    if is_share or any(_words(t).lower().replace("_", " ") in _OURS for t in titles):
        return []
    if numbers and (SYSTEM in kinds or OPERATION in kinds):
        of_what = any(c.operation or c.unit or c.metric == "elapsed" for c in numbers)
        return columns if OPERATION in kinds or of_what else []
    return [] if numbers or SYSTEM in kinds else _by_systems(columns)


def _with_system(columns: list[Column]) -> list[Column]:
    """Take the first column for the systems beside operations in the others."""
    kinds = {column.kind for column in columns}
    has_operations = any(c.operation and c.unit for c in columns)
    # a row has numbers
    has_operations &= all(re.search(r"[^\W\d]", c.title) for c in columns[1:])
    if kinds & {SYSTEM, OPERATION} or not has_operations or columns[0].kind != SETTING:
        return columns
    return [replace(columns[0], kind=SYSTEM, unit=""), *columns[1:]]


def _by_systems(columns: list[Column]) -> list[Column]:
    """Take the columns of a table with one column a system, which titles do not tell.

    The operations stand in a column of that name or in the first, whose title is empty
    or the unit of all numbers.
    """
    first = columns[0]
    unit = first.title.strip("*` ") if is_unit(first.title) else ""
    if not any(column.kind == OPERATION for column in columns):
        if first.title.strip() and not unit:
            return []
        columns = [replace(first, kind=OPERATION), *columns[1:]]
    made = [
        replace(column, kind=VALUE, system=words, unit=column.unit or unit, metric="")
        if column.kind == SETTING and (words := _words(column.title))
        else column
        for column in columns
    ]
    return made if sum(column.kind == VALUE for column in made) > 1 else []


def _words(title: str) -> str:
    return split_unit(title.strip().strip("*`"))[0]


@lru_cache(RECENT)
def split_unit(text: str) -> tuple[str, str]:
    """Take the unit off a title or an operation.

    >>> split_unit("write (MiB/s)"), split_unit("read, MB/s"), split_unit("IOPS")
    (('write', 'MiB/s'), ('read', 'MB/s'), ('', 'IOPS'))
    """
    text = with_slash(text.strip())
    if match := _UNIT.fullmatch(text):
        return match["words"].strip(" ,"), match["unit"].strip()
    words, _, last = text.rpartition(" ")
    if not is_unit(last) or text == "%":
        return text, ""
    words = words.strip(" ,")
    return words.removesuffix(" in").strip(" ,"), last


def _each_once(columns: list[Column]) -> list[Column]:
    """Take of several columns of one kind the first; ``system`` itself comes first."""
    chosen: dict[str, Column] = {}
    for column in columns:
        is_word = column.title.strip("*` ").lower() == column.kind
        if column.kind not in chosen or is_word:
            chosen[column.kind] = column
    alone = (VALUE, SETTING, REMARK)
    explicit = any(c.kind == VALUE == _words(c.title).lower() for c in columns)
    operations = {c.operation for c in columns if c.operation}
    no_time = all(c.metric != "elapsed" or c.operation for c in columns)
    has_repeats = any(column.repeat for column in columns)
    made = []
    for column in columns:
        is_share = column.metric == "cpu" and not column.operation
        is_delay = column.metric.startswith("latency") and not column.operation
        if (is_share or is_delay) and OPERATION not in chosen and len(operations) == 1:
            column = replace(column, operation=min(operations))  # noqa: PLW2901
        elif (is_share and OPERATION not in chosen and no_time) or (
            column.of_several and has_repeats
        ):
            column = Column(column.at, column.title, REMARK)  # noqa: PLW2901
        if column.kind not in alone and chosen[column.kind] is not column:
            column = Column(column.at, column.title, SETTING)  # noqa: PLW2901
        is_named = column.operation or _words(column.title).lower() == VALUE
        if explicit and column.kind == VALUE and not is_named:
            kind = REMARK if column.metric == "elapsed" else SETTING
            column = Column(column.at, column.title, kind)  # noqa: PLW2901
        made.append(column)
    return made


@lru_cache(RECENT)
def _column(at: int, title: str) -> Column:
    text = with_slash(title.strip().strip("*`").strip())
    words, unit = split_unit(text)
    name = words.lower().replace("_", " ").strip()
    if (kind := _KINDS.get(name.removesuffix(" bytes"))) and kind != REMARK:
        return Column(at, title, kind, unit)
    if kind or name.split(" ")[0] in ("note", "comment"):
        return Column(at, title, REMARK)
    return _number(at, title, name, unit)


def _number(at: int, title: str, name: str, unit: str) -> Column:
    """Understand a title as that of numbers, else as that of a setting."""
    repeat = ""
    if match := _REPEAT.search(name):
        name, repeat = name[: match.start()].strip(), match["n"]
    of_several = _VALUES.get(name, "")
    before, _, word = name.rpartition(" ")
    known = UNITS.get(unit.lower(), ("",))[0]
    metric = _METRICS.get(word, "")
    is_latency = _LATENCY.search(name) is not None and (
        known == "elapsed" or (not known and "lat" in name)
    )
    if is_latency:
        share = next((m["share"] for m in _LATENCY.finditer(name) if m["share"]), "")
        metric = f"latency_p{re.sub('[. ]', '_', share)}" if share else "latency"
        name = " ".join(_LATENCY.sub(" ", name).split())
    elif metric:
        unit, name = unit or _USUAL_UNITS.get(word, ""), before
        known = UNITS.get(unit.lower(), ("",))[0]
    operation, record = parse_operation(name) or ("", None)
    is_number = operation or metric or name in _VALUES or (repeat and not name)
    if not is_number and not (known and not name):
        return Column(at, title, SETTING, unit if known else "")
    # a step of a copy, such as warm
    step = "" if operation or name in _VALUES else name
    if step and metric != "elapsed":
        return Column(at, title, SETTING)
    of_what = (operation, record, metric, step)
    return Column(at, title, VALUE, unit, *of_what, "", repeat, of_several)


def is_column_title(title: str) -> bool:
    """Tell whether a title says of itself what its column is."""
    return _words(title).lower().replace("_", " ") in _KINDS


@lru_cache(RECENT)
def is_summary(text: str) -> bool:
    """Tell whether the name of a row says that its numbers are made of others.

    >>> is_summary("**Total**"), is_summary("NFS")
    (True, False)
    """
    return _words(text).lower().rstrip(":") in _SUMMARIES


@lru_cache(RECENT)
def is_unit(text: str) -> bool:
    """Tell whether a text is a unit alone."""
    return with_slash(text.strip("*` ()[]")).lower() in UNITS


@lru_cache(RECENT)
def parse_operation(text: str) -> tuple[str, int | None] | None:
    """Read an operation as people write it, with a record size in it.

    >>> parse_operation("4k random read"), parse_operation("Seq. write")
    (('random_read', 4096), ('write', None))
    >>> parse_operation("random 4K read"), parse_operation("price")
    (('random_read', 4096), None)
    """
    text = re.split(r" - |: ", text)[-1]
    name = re.sub(r"[ _.-]+", " ", text.strip().strip("*`").lower())
    if name.replace(" ", "_") in OPERATIONS:
        return name.replace(" ", "_"), None
    record = None
    if size := _RECORD.search(name):
        record = parse_size(size[1])
        name = " ".join(f"{name[: size.start()]} {name[size.end() :]}".split())
    if (way := _WAYS.fullmatch(name)) is not None:
        how = _HOW.get((way["how"] or "")[:4], "")
        name = how + way["way"].replace(" ", "")
    name = name.replace(" ", "_")
    return (name, record) if name in OPERATIONS else None


MEMORIES = (split_unit, _column, is_summary, is_unit, parse_operation)
