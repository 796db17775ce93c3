"""fio: the JSON that it writes with ``--output-format=json``.

::

    {"fio version": "fio-3.33", "global options": {"ioengine": "psync", "size": "8m"},
     "jobs": [{"jobname": "w4", "error": 0, "job options": {"rw": "write", "bs": "4k"},
               "write": {"io_bytes": 8388608, "bw_bytes": 466033777, "runtime": 18,
                         "iops": 113777.8, "total_ios": 2048,
                         "slat_ns": …, "clat_ns": …, "lat_ns": …}, …}]}

- Jobs with the same settings but for operation, sizes and number are one run, a matrix
  like IOzone's. A direction without I/O is absent, not 0.
- ``runtime`` is in whole milliseconds; short jobs are no more exact than that.
- ``lat`` is the whole latency, ``clat`` only that after submission. Percentiles are
  usually of ``clat``; they are taken where submission is at most a hundredth of it.
- Each of ``numjobs`` processes is an entry of its own, or one entry is the sum of all
  (``group_reporting``, which is not among the options that are printed).
- With ``--client``, the entries of the clients stand under ``client_stats``, with their
  host; several clients of one job are like several of its processes.
- fio 2.x prints KiB, KiB/s and microseconds under other names; before 2.14 it did not
  print the options of its jobs, which then cannot be told apart.
- The sum over the processes of one job is added where fio did not print it.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.runs import MISSING, Cells, Reading, Run
from fsviz.model.units import KIB, parse_size
from fsviz.readers.document import MOST_RUNS, Document, parse_json, too_many_runs

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
_SUMS = {"child_throughput": "throughput", "child_rate": "rate"}
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
    file_size: int | None
    threads: int
    error: int
    directions: list[Direction]
    child: int | None = None
    place: str = ""
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
        what = "a job with its options, which fio prints from 2.14 on"
        raise MalformedRowError(path, where, what, "none")
    options = {**shared, **own}
    entry = {**entry, **{way: _in_bytes(entry.get(way)) for way in ("read", "write")}}
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
        place=_place(options),
        notes=notes,
    )


def _in_bytes(numbers: object) -> object:
    """Give the numbers of fio 2.x the names and units of fio 3.x."""
    if not isinstance(numbers, dict) or "bw_bytes" in numbers or "lat" not in numbers:
        return numbers
    converted = {**numbers, "cut": KIB}
    for old, new in (("io_bytes", "io_bytes"), ("bw", "bw_bytes")):
        if isinstance(numbers.get(old), int | float):
            converted[new] = numbers[old] * KIB
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
    try:
        return parse_size(text)
    except ValueError:
        return None  # such as 50%: of a size that fio does not print


def _place(options: Mapping[str, object]) -> str:
    """Directory that a job worked in; empty where its options do not say."""
    if options.get("directory"):
        return str(options["directory"])
    name = str(options.get("filename", ""))
    folder, slash, _ = name.rpartition("/")
    is_device = folder == "/dev" or folder.startswith(_DEVICES)
    return name if is_device else folder or slash


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
    # what fio 2.x cuts off K/s
    cut = _number(path, place, values, "cut") if "cut" in values else 0.0
    found = []
    for metric, name, amount in (
        ("throughput", "bw_bytes", "io_bytes"),
        ("rate", "iops", "total_ios"),
    ):
        value = _number(path, place, values, name)
        if runtime:
            total = _number(path, place, values, amount)
            expected = total * 1000 / runtime
            if abs(value - expected) > cut + 1 + 1e-3 * expected:
                raise InconsistentDataError(
                    path, f"{place}.{name}", f"{amount} over runtime", f"{value:g}"
                )
        # the runtime is printed in whole milliseconds
        low = value * runtime / (runtime + 0.5)
        high = value * runtime / (runtime - 0.5) if runtime else MISSING
        high += cut if metric == "throughput" else 0
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


# One job of fio's JSON to cells.

_START = re.compile(r"^\{", re.MULTILINE)


@dataclass(slots=True)
class _Group:
    """Jobs of one run: the same settings, each cell once."""

    configuration: str
    place: str = ""
    cells: Cells = field(default_factory=Cells)
    places: set[tuple[object, ...]] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    complete: bool = True


@dataclass(slots=True)
class _Groups:
    """The runs of a file, and how many first ones of the same settings hold a cell."""

    made: list[_Group] = field(default_factory=list)
    alike: dict[tuple[str, str], list[_Group]] = field(default_factory=dict)
    held: Counter[tuple[object, ...]] = field(default_factory=Counter)

    def lacking(self, job: Job) -> _Group:
        """Find the first run of a job's settings that lacks its cells, or make one."""
        key, places = (job.configuration, job.place), set(job.places())
        alike = self.alike.setdefault(key, [])
        # a file can hold thousands of runs: those that hold a cell are not asked again
        first = max((self.held[*key, *place] for place in places), default=0)
        for group in islice(alike, first, None):
            if not group.places & places:
                break
        else:
            group = _Group(*key)
            alike.append(group)
            self.made.append(group)
        group.places |= places
        for place in places:
            here = self.held[*key, *place]
            while here < len(alike) and place in alike[here].places:
                here += 1
            self.held[*key, *place] = here
        return group


def read_fio(document: Document) -> Reading:
    """Read fio's JSON output; text before and after it is ignored.

    Parameters
    ----------
    document : Document
        Output of ``fio --output-format=json``.

    Returns
    -------
    Reading
        One run for each set of settings, and an error for each job that failed.

    Raises
    ------
    ParseError
        If nothing can be used.
    """
    output = _json(document)
    version = str(output.get("fio version", ""))
    if not version.startswith(("fio-2.", "fio-3.")):
        known = "fio 2.x or 3.x"
        raise UnsupportedVersionError(document.path, 1, known, quoted(version))
    problems: list[ParseError] = []
    groups = _Groups()
    for part in _jobs(document.path, output):
        if isinstance(part, ParseError):
            problems.append(part)
            continue
        problems += part.problems
        group = groups.lacking(part)
        if len(groups.made) > MOST_RUNS:
            problems.append(too_many_runs(document.path, part.directions[0].locator))
            break
        group.notes += part.notes
        group.complete = group.complete and not part.error
        add_job(group.cells, part)
    made = groups.made[:MOST_RUNS]
    for group in made:
        _add_sums(group.cells)
    several = len({group.place for group in made}) > 1
    runs = [
        Run(
            tool="fio",
            identity=f"{document.digest}-{k}",
            source=document.path,
            cells=group.cells,
            configuration=group.configuration,
            complete=group.complete,
            tool_version=version.removeprefix("fio-"),
            note="; ".join(dict.fromkeys(group.notes)),
            facts={"finished": output.get("time", "")},
            system=group.place if several else "",
        )
        for k, group in enumerate(made, 1)
    ]
    if not runs:
        nothing = MalformedRowError(document.path, "jobs", "a job that did I/O", "none")
        raise problems[0] if problems else nothing
    return Reading(tuple(runs), tuple(problems))


def _json(document: Document) -> Mapping[str, object]:
    start = _START.search(document.text)
    if start is None:
        wanted = "JSON of fio: run it with --output-format=json"
        raise UnsupportedVersionError(document.path, 1, wanted, "fio's text")
    output = parse_json(document, "JSON of fio", start.start())
    if not isinstance(output, dict):
        raise MalformedRowError(document.path, 1, "a JSON object", "something else")
    return output


def _jobs(path: str, output: Mapping[str, object]) -> Iterator[Job | ParseError]:
    shared = output.get("global options")
    jobs = output.get("jobs")
    if jobs is None and isinstance(clients := output.get("client_stats"), list):
        jobs = [entry for entry in clients if not _is_sum(entry)]
    if not isinstance(jobs, list) or not isinstance(shared, dict | None):
        yield MalformedRowError(path, "jobs", "a list of jobs", "none")
        return
    entries = Counter(_key(entry) for entry in jobs)
    seen: Counter[str] = Counter()
    for number, entry in enumerate(jobs):
        where = f"jobs[{number}]"
        try:
            job = read_job(path, where, entry, shared or {})
        except ParseError as problem:
            yield problem
            continue
        key = _key(entry)
        if isinstance(entry, dict) and entry.get("hostname"):
            # the clients of one job work at the same time
            job = replace(job, threads=entries[key])
        if job.threads > 1 and entries[key] == job.threads:
            job = replace(job, child=seen[key])
            seen[key] += 1
        elif entries[key] > 1 and job.threads > 1:
            expected = f"{job.threads} entries of the job, or their sum"
            yield InconsistentDataError(path, where, expected, str(entries[key]))
            continue
        if job.error:
            found = f"error {job.error}"
            job.problems.append(ToolFailureError(path, where, "error 0", found))
        yield job


def _is_sum(entry: object) -> bool:
    return isinstance(entry, dict) and entry.get("jobname") == "All clients"


def _key(entry: object) -> str:
    """What the entries of one job's processes have in common."""
    if not isinstance(entry, dict):
        return ""
    return json.dumps([entry.get("jobname"), entry.get("groupid")])


def _add_sums(cells: Cells) -> None:
    """Add the throughput and rate of all processes of a job, if all of them are there.

    Sums of rates over the same time, as fio itself prints them for its groups.
    """
    whole = {
        (
            cells.operation[i],
            cells.file_size_bytes[i],
            cells.record_size_bytes[i],
            cells.threads[i],
            cells.metric[i],
        )
        for i in range(len(cells))
        if cells.child[i] is None
    }
    parts: dict[tuple, list[int]] = {}
    for i in range(len(cells)):
        metric = _SUMS.get(cells.metric[i])
        if cells.child[i] is not None and metric is not None:
            key = (
                cells.operation[i],
                cells.file_size_bytes[i],
                cells.record_size_bytes[i],
                cells.threads[i],
                metric,
            )
            parts.setdefault(key, []).append(i)
    for key, rows in parts.items():
        operation, file_size, record_size, threads, metric = key
        if key in whole or len(rows) != threads:
            continue
        cells.add(
            operation,
            metric,
            math.fsum(cells.value[i] for i in rows),
            cells.locator[rows[0]],
            low=math.fsum(cells.low[i] for i in rows),
            high=math.fsum(cells.high[i] for i in rows),
            file_size=file_size,
            record_size=record_size,
            threads=threads,
        )
