"""One job of fio: an entry of ``jobs`` of its JSON, its options and its numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TruncatedInputError,
    quoted,
)
from fsviz.model.runs import MISSING, Cells
from fsviz.model.units import KIB, size_or_none
from fsviz.readers._fio_text import WAYS, with_amounts

_OPERATIONS = {
    ("read", "read"): "read",
    ("write", "write"): "write",
    ("randread", "read"): "random_read",
    ("randwrite", "write"): "random_write",
    **{(rw, way): f"mixed_{way}" for rw in ("rw", "readwrite") for way in WAYS},
    **{("randrw", way): f"mixed_random_{way}" for way in WAYS},
}
_PERCENTILES = {
    "p50": "50.000000",
    "p95": "95.000000",
    "p99": "99.000000",
    "p99_9": "99.900000",
}
_TIMES = {"lat_ns": "latency", "clat_ns": "completion_latency"}
_DEFAULT_BLOCK = "4k"
_NOT_SETTINGS = frozenset(
    ("name", "description", "rw", "readwrite", "bs", "blocksize", "size", "numjobs")
) | frozenset(
    ("directory", "filename", "group_reporting", "stonewall", "thread", "new_group")
)
_LOGS = re.compile(r"write_\w+_log|log_\w+|\w*percentile\w*|per_job_logs")
"""Options that say what fio writes down; logs are named after systems."""
_SETTINGS = {
    "iodepth": ("1",),
    "sync": ("0", "none"),
    "fsync": ("0",),
    "fdatasync": ("0",),
    "rwmixread": ("50",),
}
"""Options of a cell, not of a run, and what fio takes without them (its manual)."""
_OTHER_BLOCK = 0.01
_OTHER_WAY = {"read": "write", "write": "read"}
_SUM = (
    "the sum of several jobs (group_reporting) with the options of one: how many "
    "there were, and whether all were sequential or random, is not printed"
)
_DEVICES = ("/dev/disk", "/dev/mapper")


@dataclass(frozen=True, slots=True)
class Direction:
    """What a job did in one direction: an operation and its numbers, base units."""

    operation: str
    record_size: int | None
    locator: str
    numbers: list[tuple[str, float, float, float]]


@dataclass(frozen=True, slots=True)
class Job:
    """One entry of ``jobs``."""

    configuration: str
    setting: str
    file_size: int | None
    threads: int | None
    error: int
    directions: list[Direction]
    child: int | None = None
    name: str = ""
    place: str = ""
    shortest: float = 0.0
    notes: list[str] = field(default_factory=list)
    problems: list[ParseError] = field(default_factory=list)

    def work(self) -> Iterator[tuple[str, int | None, int | None, str]]:
        """What the job did: operation, sizes [B] [B] and setting of each direction."""
        for way in self.directions:
            yield way.operation, self.file_size, way.record_size, self.setting

    def places(self) -> Iterator[tuple[object, ...]]:
        """What no two jobs of one run may share."""
        return ((*way, self.threads, self.child) for way in self.work())


Ways = dict[str, dict[str, object]]
"""The numbers of each direction of an entry, none where it has none."""


def read_job(
    path: str,
    where: str,
    entry: Mapping[str, object],
    shared: Mapping[str, object],
    names: Collection[str],
) -> Job:
    """Read one entry of ``jobs``, which have these names."""
    stated = entry.get("job options")
    ways: Ways = {way: _numbers_of(entry, way) for way in (*WAYS, "trim", "mixed")}
    has_ways = any(ways[w].get("io_bytes") or ways[w].get("printed") for w in WAYS)
    if ways["mixed"].get("io_bytes") and not has_ways:
        expected = "reads and writes apart (unified_rw_reporting=none)"
        raise MalformedRowError(path, where, expected, "their sum alone")
    if not isinstance(stated, dict):
        expected = "a job with its options, which fio prints from 2.3 on"
        if where.isdecimal():
            expected = "a line above with the job's rw, bs and iodepth"
        raise MalformedRowError(path, where, expected, "none")
    options = {**shared, **stated}
    for way in WAYS:
        if "line" in entry:
            ways[way] = with_amounts(ways[way], _block(options, way))
        ways[way] = _in_bytes(ways[way])
    active = [way for way in (*WAYS, "trim") if ways[way].get("io_bytes")]
    rw = str(options.get("rw", options.get("readwrite", "read"))).partition(":")[0]
    # of a text, which lacks the line of the operations that were issued
    is_rounded = any(as_float(ways[way].get("off")) > 0 for way in active)
    renamed = "name" in options and str(options["name"]) not in names
    only = [way for way in WAYS if (rw, way) in _OPERATIONS]
    others = {*active} - {*only, "trim"}
    # group_reporting's sum of unlike jobs has the name of the first and the options of
    # the last, which has no entry; a text states all processes, but not verify
    is_sum = renamed or (bool(only and others) and "verify" not in options)
    if "line" in entry:
        is_sum = renamed and (is_rounded or bool(others))
    if is_sum and is_rounded:
        expected = "the operations issued by a sum of jobs"
        raise TruncatedInputError(path, where, expected, "none")
    notes = [_SUM] if is_sum else []
    directions = list(_directions(path, where, ways, options, rw, notes))
    if directions and len(active) == 1 and ("usr_cpu" in entry or "line" not in entry):
        directions[0].numbers.append(_cpu(path, where, entry))
    error = int(_number(path, where, entry, "error")) if "error" in entry else 0
    if not directions and error:
        raise ToolFailureError(path, where, "a job that did I/O", f"error {error}")
    if not directions:
        raise MalformedRowError(path, where, "a job that did I/O", "none")
    return Job(
        configuration=_configuration(options),
        setting=_setting(options),
        file_size=_size(str(options.get("size", ""))),
        threads=None if is_sum else _threads(path, where, options),
        error=error,
        directions=directions,
        name=str(entry.get("jobname", "")),
        place=_place(options),
        shortest=min(as_float(ways[way].get("runtime")) for way in active),
        notes=notes,
        problems=_damaged(path, where, entry),
    )


def _numbers_of(entry: Mapping[str, object], way: str) -> dict[str, object]:
    numbers = entry.get(way)
    return numbers if isinstance(numbers, dict) else {}


def _directions(
    path: str,
    where: str,
    ways: Ways,
    options: Mapping[str, object],
    rw: str,
    notes: list[str],
) -> Iterator[Direction]:
    """List the directions in which an entry did I/O; what is left out is noted."""
    for way in WAYS:
        numbers, place = ways[way], f"{where}.{way}"
        if "bw_bytes" in numbers:
            _number(path, place, numbers, "io_bytes")
        if "runtime" in numbers and "io_bytes" not in numbers:
            expected = "a time, one block size and the operations issued"
            raise MalformedRowError(path, where, expected, "not all of them")
        if not numbers.get("io_bytes"):
            continue
        place = f"line {where}" if where.isdecimal() else place
        operation = _OPERATIONS.get((rw, way))
        block = _block(options, way)
        if operation is None and (rw, _OTHER_WAY[way]) in _OPERATIONS:
            if _SUM not in notes:
                notes.append("it read back what it wrote (verify), which is left out")
                continue
            operation, block = way, _mean_block(numbers)
        if operation is None:
            raise MalformedRowError(path, place, "rw of a known kind", quoted(rw))
        _check_blocks(path, place, numbers, block)
        yield Direction(operation, block, place, _numbers(path, place, numbers))


def _damaged(path: str, where: str, entry: Mapping[str, object]) -> list[ParseError]:
    """Complain of lines of a text that begin as numbers do and hold none."""
    lines = entry.get("damaged") if where.isdecimal() else None
    expected = "a line of numbers as fio prints it"
    return [
        MalformedRowError(path, number, expected, quoted(line))
        for number, line in (lines if isinstance(lines, list) else [])
    ]


def _mean_block(numbers: Mapping[str, object]) -> int | None:
    """Block size [B] of a direction that no options describe; None if it varied."""
    operations = as_float(numbers.get("total_ios"))
    mean = as_float(numbers.get("io_bytes")) / operations if operations else 0.5
    return int(mean) if mean.is_integer() else None


def _check_blocks(
    path: str, place: str, numbers: Mapping[str, object], block: int | None
) -> None:
    """Refuse the sum of jobs with other block sizes, which ``group_reporting`` makes.

    It has the name and the options of only one of them.
    """
    names = ("io_bytes", "total_ios", "short_ios")
    moved, operations, short = (as_float(numbers.get(name)) for name in names)
    if block is None or not operations or short:
        return
    # the last block may be a part, and fio 2.x cuts off what is below a KiB
    size = block * operations
    if abs(moved - size) > block + KIB + _OTHER_BLOCK * size:
        expected = f"blocks of {block} bytes as in the options"
        mean = f"{moved / operations:.0f} bytes on average"
        raise InconsistentDataError(path, place, expected, mean)


def _in_bytes(numbers: dict[str, object]) -> dict[str, object]:
    """Give the numbers of fio 2.x the names and units of fio 3.x."""
    if "bw_bytes" in numbers or "lat" not in numbers:
        return numbers
    converted = {**numbers, "cut": KIB}
    for name, new_name in (("io_bytes", "io_bytes"), ("bw", "bw_bytes")):
        number = numbers.get(name)
        if isinstance(number, int | float):
            converted[new_name] = number * KIB
    for name in ("lat", "slat", "clat"):
        converted[f"{name}_ns"] = _times_1000(numbers.get(name))
    return converted


def _times_1000(values: object) -> object:
    """Turn microseconds into nanoseconds, also those of percentiles."""
    if isinstance(values, dict):
        return {name: _times_1000(value) for name, value in values.items()}
    return values * 1000 if isinstance(values, int | float) else values


def add_job(cells: Cells, job: Job) -> None:
    """Add the numbers of a job to the cells of its run."""
    of_child = ("throughput", "rate") if job.child is not None else ()
    for way in job.directions:
        for metric, value, low, high in way.numbers:
            cells.add(
                way.operation,
                f"child_{metric}" if metric in of_child else metric,
                value,
                way.locator,
                low=low,
                high=high,
                file_size=job.file_size,
                record_size=way.record_size,
                threads=job.threads,
                setting=job.setting,
                child=job.child,
            )


def _threads(path: str, where: str, options: Mapping[str, object]) -> int:
    text = str(options.get("numjobs", "1"))
    if not re.fullmatch("[0-9]{1,9}", text) or int(text) < 1:
        raise MalformedRowError(path, where, "a number of jobs", quoted(text))
    return int(text)


def _block(options: Mapping[str, object], way: str) -> int | None:
    """The block size of a direction [B]; None where it varies."""
    if "bsrange" in options or "bssplit" in options:
        return None
    sizes = str(options.get("bs", options.get("blocksize", _DEFAULT_BLOCK))).split(",")
    return _size(sizes[min(len(sizes) - 1, 1 if way == "write" else 0)])


def _size(text: str) -> int | None:
    # 0 is all that there is, and 50% of a size that fio does not print
    return size_or_none(text) or None


def _place(options: Mapping[str, object]) -> str:
    """Directory that a job worked in; empty where its options do not say."""
    if options.get("directory"):
        return str(options["directory"])
    name = str(options.get("filename", ""))
    folder, slash, _ = name.rpartition("/")
    is_device = folder == "/dev" or folder.startswith(_DEVICES)
    return name if is_device else folder or slash


def _setting(options: Mapping[str, object]) -> str:
    stated = {name: str(options.get(name, "")) for name in sorted(_SETTINGS)}
    return "; ".join(
        f"{name}={text}"
        for name, text in stated.items()
        if text not in ("", *_SETTINGS[name])
    )


def _configuration(options: Mapping[str, object]) -> str:
    named = [
        f"{name}={value}" if value else name
        for name, value in sorted((k, str(v)) for k, v in options.items())
        if name not in (*_NOT_SETTINGS, *_SETTINGS) and not _LOGS.fullmatch(name)
        if "/" not in value
    ]
    return " ".join(named) or "(default)"


def _number(path: str, place: str, values: Mapping[str, object], name: str) -> float:
    number = values.get(name)
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_number or not math.isfinite(number) or number < 0:  # type: ignore[arg-type,operator]
        found = quoted(str(number))
        raise MalformedRowError(path, f"{place}.{name}", "a number from 0 on", found)
    return float(number)  # type: ignore[arg-type]


def _numbers(
    path: str, place: str, values: Mapping[str, object]
) -> list[tuple[str, float, float, float]]:
    runtime = _number(path, place, values, "runtime")
    # of an amount that is quoted without the number of operations
    off = as_float(values.get("off"))
    # what fio 2.x cuts off K/s
    cut = as_float(values.get("cut"))
    numbers = []
    for metric, name, amount in (
        ("throughput", "bw_bytes", "io_bytes"),
        ("rate", "iops", "total_ios"),
    ):
        value = _number(path, place, values, name)
        if runtime:
            quotient = _number(path, place, values, amount) * 1000 / runtime
            if abs(value - quotient) > cut + 1 + 1e-3 * quotient:
                expected = f"{amount} over runtime"
                at = f"{place}.{name}"
                raise InconsistentDataError(path, at, expected, f"{value:g}")
        # the runtime is printed in whole milliseconds
        low = value * (1 - off) * runtime / (runtime + 0.5)
        high = value * (1 + off) * runtime / (runtime - 0.5) if runtime else MISSING
        high += cut if metric == "throughput" else 0
        numbers.append((metric, value, low, high))
    return numbers + _latencies(path, place, values)


def _latencies(
    path: str, place: str, values: Mapping[str, object]
) -> list[tuple[str, float, float, float]]:
    # a text has none with gtod_reduce, where JSON has zeros
    latency = values.get("lat_ns", {"mean": 0} if "printed" in values else None)
    if not isinstance(latency, dict):
        raise MalformedRowError(path, f"{place}.lat_ns", "latencies", "none")
    mean = _number(path, f"{place}.lat_ns", latency, "mean")
    if not mean:
        return []
    off = as_float(latency.get("off"))  # of a text, which has two decimals
    numbers = [("latency", mean * 1e-9, (mean - off) * 1e-9, (mean + off) * 1e-9)]
    for kind, metric in _TIMES.items():
        percentiles = _numbers_of(_numbers_of(values, kind), "percentile")
        for suffix, name in _PERCENTILES.items():
            if name in percentiles:
                value = _number(path, f"{place}.{kind}", percentiles, name) * 1e-9
                # fio counts latencies in classes; where in one is unknown
                numbers.append((f"{metric}_{suffix}", value, MISSING, MISSING))
    return numbers


def _cpu(
    path: str, where: str, entry: Mapping[str, object]
) -> tuple[str, float, float, float]:
    share = sum(_number(path, where, entry, name) for name in ("usr_cpu", "sys_cpu"))
    off = as_float(entry.get("cpu_off"))  # of a text, which has two decimals
    return "cpu", share, max(0.0, share - off), share + off


def as_float(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
