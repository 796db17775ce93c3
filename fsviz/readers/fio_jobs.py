"""One job of fio's JSON to cells."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    quoted,
)
from fsviz.model.runs import MISSING, Cells
from fsviz.model.units import parse_size

_OPERATIONS = {
    ("read", "read"): "read",
    ("write", "write"): "write",
    ("randread", "read"): "random_read",
    ("randwrite", "write"): "random_write",
    **{
        (rw, way): f"mixed_{way}"
        for rw in ("rw", "readwrite")
        for way in ("read", "write")
    },
    **{("randrw", way): f"mixed_random_{way}" for way in ("read", "write")},
}
_PERCENTILES = {
    "latency_p50": "50.000000",
    "latency_p95": "95.000000",
    "latency_p99": "99.000000",
    "latency_p99_9": "99.900000",
}
_DEFAULT_BLOCK = "4k"
_NOT_SETTINGS = frozenset(
    ("name", "description", "rw", "readwrite", "bs", "blocksize", "size", "numjobs")
) | frozenset(
    ("directory", "filename", "group_reporting", "stonewall", "thread", "new_group")
)
_NEGLIGIBLE = 0.01


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
    file_size: int | None
    threads: int
    error: int
    directions: list[Direction]
    child: int | None = None
    notes: list[str] = field(default_factory=list)
    problems: list[ParseError] = field(default_factory=list)

    def places(self) -> Iterator[tuple[object, ...]]:
        """What no two jobs of one run may share."""
        for way in self.directions:
            yield (
                way.operation,
                self.file_size,
                way.record_size,
                self.threads,
                self.child,
            )


def read_job(path: str, where: str, entry: object, shared: Mapping[str, object]) -> Job:
    """Read one entry of ``jobs``.

    Parameters
    ----------
    path, where : str
        The file, and the place in it such as ``jobs[0]``.
    entry : object
        What stands there.
    shared : mapping
        The global options.

    Returns
    -------
    Job

    Raises
    ------
    ParseError
        If it is not a job, did no I/O, or its numbers contradict each other.
    """
    own = entry.get("job options") if isinstance(entry, dict) else None
    if not isinstance(entry, dict) or not isinstance(own, dict):
        raise MalformedRowError(path, where, "a job with its options", "none")
    options = {**shared, **own}
    rw = str(options.get("rw", options.get("readwrite", "read"))).partition(":")[0]
    threads = _threads(path, where, options)
    notes: list[str] = []
    directions = []
    for way in ("read", "write"):
        numbers = entry.get(way)
        if not isinstance(numbers, dict) or not numbers.get("io_bytes"):
            continue
        place = f"{where}.{way}"
        operation = _OPERATIONS.get((rw, way))
        if operation is None:
            raise MalformedRowError(path, place, "rw of a known kind", quoted(rw))
        found = _numbers(path, place, numbers, notes)
        if len(_active(entry)) == 1:
            found += _cpu(path, where, entry)
        directions.append(Direction(operation, _block(options, way), place, found))
    error = int(_number(path, where, entry, "error")) if "error" in entry else 0
    if not directions and error:
        raise ToolFailureError(path, where, "a job that did I/O", f"error {error}")
    if not directions:
        raise MalformedRowError(path, where, "a job that did I/O", "none")
    return Job(
        configuration=_configuration(options),
        file_size=_size(str(options.get("size", ""))),
        threads=threads,
        error=error,
        directions=directions,
        notes=notes,
    )


def add_job(cells: Cells, job: Job) -> None:
    """Add the numbers of a job to the cells of its run."""
    for way in job.directions:
        for metric, value, low, high in way.numbers:
            own = job.child is not None and metric in ("throughput", "rate")
            cells.add(
                way.operation,
                f"child_{metric}" if own else metric,
                value,
                way.locator,
                low=low,
                high=high,
                file_size=job.file_size,
                record_size=way.record_size,
                threads=job.threads,
                child=job.child,
            )


def _active(entry: Mapping[str, object]) -> list[str]:
    ways = ("read", "write", "trim")
    numbers = {way: entry.get(way) for way in ways}
    return [w for w, n in numbers.items() if isinstance(n, dict) and n.get("io_bytes")]


def _threads(path: str, where: str, options: Mapping[str, object]) -> int:
    text = str(options.get("numjobs", "1"))
    if not text.isdigit() or int(text) < 1:
        raise MalformedRowError(path, where, "a number of jobs", quoted(text))
    return int(text)


def _block(options: Mapping[str, object], way: str) -> int | None:
    """The block size of a direction [B]; None where it varies."""
    if "bsrange" in options or "bssplit" in options:
        return None
    sizes = str(options.get("bs", options.get("blocksize", _DEFAULT_BLOCK))).split(",")
    return _size(sizes[min(len(sizes) - 1, 1 if way == "write" else 0)])


def _size(text: str) -> int | None:
    try:
        return parse_size(text)
    except ValueError:
        return None  # such as 50%: of a size that fio does not print


def _configuration(options: Mapping[str, object]) -> str:
    settings = {k: str(v) for k, v in options.items() if k not in _NOT_SETTINGS}
    return " ".join(
        f"{k}={v}" if v else k for k, v in sorted(settings.items()) if "/" not in v
    )


def _number(path: str, place: str, values: Mapping[str, object], name: str) -> float:
    number = values.get(name)
    is_number = isinstance(number, int | float) and not isinstance(number, bool)
    if not is_number or not math.isfinite(number) or number < 0:  # type: ignore[arg-type,operator]
        found = quoted(str(number))
        raise MalformedRowError(path, f"{place}.{name}", "a number from 0 on", found)
    return float(number)  # type: ignore[arg-type]


def _numbers(
    path: str, place: str, values: Mapping[str, object], notes: list[str]
) -> list[tuple[str, float, float, float]]:
    runtime = _number(path, place, values, "runtime")
    found = []
    for metric, name, amount in (
        ("throughput", "bw_bytes", "io_bytes"),
        ("rate", "iops", "total_ios"),
    ):
        value = _number(path, place, values, name)
        if runtime:
            total = _number(path, place, values, amount)
            expected = total * 1000 / runtime
            if abs(value - expected) > 1 + 1e-3 * expected:
                raise InconsistentDataError(
                    path, f"{place}.{name}", f"{amount} over runtime", f"{value:g}"
                )
        # the runtime is printed in whole milliseconds
        low = value * runtime / (runtime + 0.5)
        high = value * runtime / (runtime - 0.5) if runtime else MISSING
        found.append((metric, value, low, high))
    return found + _latencies(path, place, values, notes)


def _latencies(
    path: str, place: str, values: Mapping[str, object], notes: list[str]
) -> list[tuple[str, float, float, float]]:
    whole, submission = values.get("lat_ns"), values.get("slat_ns")
    if not isinstance(whole, dict):
        raise MalformedRowError(path, f"{place}.lat_ns", "latencies", "none")
    mean = _number(path, f"{place}.lat_ns", whole, "mean")
    found = [("latency", mean * 1e-9, mean * 1e-9, mean * 1e-9)]
    percentiles = whole.get("percentile")
    if not isinstance(percentiles, dict):
        completion = values.get("clat_ns")
        percentiles = (
            completion.get("percentile") if isinstance(completion, dict) else None
        )
        before = submission.get("mean", 0) if isinstance(submission, dict) else 0
        if isinstance(percentiles, dict) and before > _NEGLIGIBLE * mean:
            notes.append("percentiles left out: they lack the time of submission")
            return found
    for metric, name in _PERCENTILES.items():
        if isinstance(percentiles, dict) and name in percentiles:
            value = _number(path, place, percentiles, name) * 1e-9
            # fio counts latencies in classes; where in its class one lies is unknown
            found.append((metric, value, MISSING, MISSING))
    return found


def _cpu(
    path: str, where: str, entry: Mapping[str, object]
) -> list[tuple[str, float, float, float]]:
    share = sum(_number(path, where, entry, name) for name in ("usr_cpu", "sys_cpu"))
    return [("cpu", share, share, share)]
