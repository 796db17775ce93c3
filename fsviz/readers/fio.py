"""fio: the JSON that it writes with ``--output-format=json``, or its normal text.

::

    {"fio version": "fio-3.33", "global options": {"ioengine": "psync", "size": "8m"},
     "jobs": [{"jobname": "w4", "error": 0, "job options": {"rw": "write", "bs": "4k"},
               "write": {"io_bytes": 8388608, "bw_bytes": 466033777, "runtime": 18,
                         "iops": 113777.8, "total_ios": 2048,
                         "slat_ns": …, "clat_ns": …, "lat_ns": …}, …}]}

- Jobs with the same options but for operation, sizes, number and settings such as
  ``iodepth`` are one run, a matrix like IOzone's. A direction without I/O is absent.
- ``runtime`` is in whole milliseconds; short jobs are no more exact than that.
- ``lat`` is the whole latency, ``clat`` only that after submission. Percentiles are
  usually of ``clat`` (``lat_percentiles`` asks for the others), and named after it.
- Each of ``numjobs`` processes is an entry of its own, or one entry is the sum of all
  (``group_reporting``, which is not among the options that are printed).
- With ``--client``, the entries of the clients stand under ``client_stats``, with their
  host; several clients of one job are like several of its processes.
- A file that fio was told to add to has one output after another. Those of
  ``--status-interval`` are states of one run, of which the last counts.
- Jobs of one group ran at the same time: a stone wall begins a new group. Those that do
  the same are processes of one job; what other jobs did at the same time is a setting.
- With ``group_reporting``, a group of unlike jobs has one entry: the name of its first
  job, the options of its last. Both directions are read; how many processes there were
  is not known, nor whether what the options do not describe was random.
- fio 2.x prints KiB, KiB/s and microseconds under other names; before 2.3 it did not
  print the options of its jobs, so nothing says what they did, and they are refused.
- ``time`` and ``timestamp`` are those of printing (``__show_run_stats`` of ``stat.c``),
  ``elapsed`` the seconds since fio began, rounded up, and so its start is known. The
  text has the time of printing too, and the running times of the groups.
- The sum over the processes of one job is added where fio did not print it.
"""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import islice

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TooManyRunsError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.escaping import printable
from fsviz.model.runs import LASTED, SHORTEST, Cells, Note, Reading, Run
from fsviz.readers._fio_job import WAYS, Job, add_job, as_float, read_job
from fsviz.readers._fio_text import outputs_of_text
from fsviz.readers.document import (
    LONGEST_TEXT,
    MOST_RUNS,
    Document,
    iso_time,
    json_objects,
    reading_of,
    too_many_runs,
)
from fsviz.readers.labels import systems_above, without_repeats

MOST_JOBS = 2 * MOST_RUNS
"""Of one invocation; several may be one run."""
_MOST_AT_ONCE = 20
_NAMING = ("jobname", "groupid", "job options")
_TERSE = re.compile(r"[2345];fio-\d")
"""A line of ``--minimal`` (``show_thread_status_terse_all`` of ``stat.c``)."""
_SUMS = {"child_throughput": "throughput", "child_rate": "rate"}


@dataclass(slots=True)
class _Group:
    """Jobs of one run: the same settings, each cell once."""

    configuration: str
    place: str = ""
    names: list[str] = field(default_factory=list)
    cells: Cells = field(default_factory=Cells)
    places: set[tuple[object, ...]] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    complete: bool = True
    shortest: float = math.inf


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
    """Read fio's JSON output; text before, between and behind is ignored."""
    path = document.path
    outputs, problems = _outputs(document)
    runs: list[Run] = []
    notes: list[Note] = []
    for where, output in outputs:
        version = str(output.get("fio version", ""))
        if not version.startswith(("fio-2.", "fio-3.")):
            place, shown = where.rstrip(".") or 1, quoted(version)
            unknown = UnsupportedVersionError(path, place, "fio 2.x or 3.x", shown)
            problems.append(unknown)
            continue
        groups = _grouped(path, where, output, problems, notes)
        runs += [_run(output, group, len(groups) == 1) for group in groups]
        if len(runs) > MOST_RUNS:
            problems.append(too_many_runs(path, runs[MOST_RUNS].cells.locator[0]))
            break
    nothing = MalformedRowError(path, "jobs", "a job that did I/O", "none")
    runs = runs[:MOST_RUNS]
    # by their directories, else by what stands above them
    systems = [run.system for run in runs]
    if len(set(systems)) < 2:
        places = [run.cells.locator[0].removeprefix("line ") for run in runs]
        starts = [int(place) if place.isdecimal() else 1 for place in places]
        systems = systems_above(document.lines, starts)
    return reading_of(document, runs, systems, problems, nothing, notes)


def _grouped(
    path: str,
    where: str,
    output: Mapping[str, object],
    problems: list[ParseError],
    notes: list[Note],
) -> list[_Group]:
    """Bring the jobs of one invocation together to runs, at most one too many."""
    groups = _Groups()
    for part in _jobs(path, where, output):
        if isinstance(part, ParseError):
            problems.append(part)
            continue
        problems += part.problems
        group = groups.lacking(part)
        group.names.append(part.name)
        group.notes += part.notes
        group.complete = group.complete and not part.error
        group.shortest = min(group.shortest, part.shortest)
        add_job(group.cells, part)
        if len(groups.made) > MOST_RUNS:
            break
    for (_, place), alike in groups.alike.items():
        if not place:
            notes += _name_alike(path, alike)
    for group in groups.made:
        _add_sums(group.cells)
    return groups.made


def _name_alike(path: str, alike: Sequence[_Group]) -> Iterator[Note]:
    """Name runs that did the same by their jobs; note those that are only numbered.

    fio's text does not say in which directory a job worked; its name mostly does.
    """
    names = [_shared_words(group.names) for group in alike]
    counted = [_numbered(name) for name in names]
    labels = without_repeats(counted)
    if all(labels) and len(set(labels)) > 1:
        for group, *texts in zip(alike, names, counted, labels, strict=True):
            name, numbered, label = texts
            group.place = name if label == numbered else label
    pooled: dict[str, list[str]] = {}
    for group, name in zip(alike, names, strict=True):
        pooled.setdefault(group.place, []).append(name)
    for group in alike:
        if len(jobs := list(dict.fromkeys(pooled.pop(group.place, [])))) > 1:
            more = f" and {len(jobs) - 3} more" if jobs[3:] else ""
            text = (
                f"{printable(', '.join(jobs[:3]) + more)} count as repeats of one job; "
                "if they are several systems, give each a file of its own"
            )
            yield Note(path, group.cells.locator[0].removeprefix("line "), text)


def _shared_words(names: Sequence[str]) -> str:
    """Return the words that all jobs of a run have in their names."""
    if len(set(names)) == 1:
        return names[0]
    words = [re.findall(r"[^\W_]+", name) for name in names]
    return " ".join(word for word in words[0] if all(word in name for name in words))


def _numbered(name: str) -> str:
    """Write the number at the end of a job's name as that of a repeat is written."""
    base = name.rstrip("0123456789")
    number, base = name[len(base) :], base.rstrip(" -_.#")
    # job1 is the name that a job has where nobody thought of one
    base = "run" if base == "job" else base
    return f"{base} {number}" if number and base else name


def _run(output: Mapping[str, object], group: _Group, alone: bool) -> Run:
    """Make a run; of several in one output nobody knows which began when."""
    started, lasted = _moment(output) if alone else ("", 0.0)
    return Run(
        tool="fio",
        cells=group.cells,
        configuration=group.configuration,
        complete=group.complete,
        tool_version=str(output["fio version"]).removeprefix("fio-"),
        note="; ".join(dict.fromkeys(group.notes)),
        started=started,
        facts={SHORTEST: group.shortest / 1000} | ({LASTED: lasted} if lasted else {}),
        system=group.place,
    )


def _entries(output: Mapping[str, object]) -> list[dict]:
    jobs = output.get("jobs")
    return [e for e in jobs if isinstance(e, dict)] if isinstance(jobs, list) else []


def _moment(output: Mapping[str, object]) -> tuple[str, float]:
    """Return the local time at which fio began, and how long it ran at least [s].

    The time is at most two seconds early; it is empty if the output does not say.
    """
    entries = _entries(output)
    elapsed = [as_float(job["elapsed"]) for job in entries if "elapsed" in job]
    lasted = max(elapsed) if elapsed else math.ceil(_busy(entries))
    ended = iso_time(str(output.get("time", "")), "%a %b %d %H:%M:%S %Y")
    try:
        began = datetime.fromisoformat(ended) - timedelta(seconds=lasted)
    except (ValueError, OverflowError):
        return "", 0.0
    return (began.isoformat(), lasted - 1) if lasted > 0 else ("", 0.0)


def _busy(entries: Sequence[Mapping[str, object]]) -> float:
    """How long the jobs of a text ran [s]: groups follow one another."""
    groups: dict[object, float] = {}
    for job in entries:
        ways = [n for way in WAYS if isinstance(n := job.get(way), dict)]
        group = job.get("groupid")
        times = [as_float(way.get("runtime")) for way in ways]
        groups[group] = max(groups.get(group, 0.0), *times, 0.0)
    return math.fsum(groups.values()) / 1000


def _outputs(
    document: Document,
) -> tuple[list[tuple[str, Mapping[str, object]]], list[ParseError]]:
    """List the outputs of a file with the prefix of their places.

    With ``--status-interval`` fio prints its output again and again while the jobs go
    on; only the last state counts.
    """
    problems: list[ParseError] = []
    outputs: list[tuple[str, Mapping[str, object]]] = []
    objects = json_objects(document, "JSON of fio", "fio version")
    try:
        for number, output in enumerate(objects):
            if isinstance(output, dict):
                if outputs and _goes_on(outputs[-1][1], output):
                    outputs.pop()
                outputs.append((f"outputs[{number}]." if number else "", output))
    except ParseError as problem:
        problems.append(problem)
    if not outputs and not problems:
        outputs = [("", output) for output in outputs_of_text(document)]
    problems += _terse(document, [output for _, output in outputs])
    return outputs, problems


def _terse(
    document: Document, outputs: Sequence[Mapping[str, object]]
) -> Iterator[ParseError]:
    """Refuse terse lines, unless their jobs stand in another form beside them."""
    names = {str(job.get("jobname")) for output in outputs for job in _entries(output)}
    for line, text in enumerate(document.lines, 1):
        if _TERSE.match(text) and f"{text};;".split(";")[2] not in names:
            form = "JSON or normal text, which name the pattern and the block size"
            terse = "terse output, which does not"
            yield UnsupportedVersionError(document.path, line, form, terse)
            return


def _goes_on(before: Mapping[str, object], after: Mapping[str, object]) -> bool:
    """Tell whether an output is a later state of the same jobs, not another run.

    Their work and running time grow with the clock; what runs again starts from 0.
    """
    (jobs, at, moved, busy), (same, later, more, longer) = _state(before), _state(after)
    if jobs == same:
        return True
    alike = [[job.get(n) for n in _NAMING] for job in jobs] == [
        [job.get(n) for n in _NAMING] for job in same
    ]
    return alike and more > moved and 2 * (longer - busy) > later - at >= 0


def _state(output: Mapping[str, object]) -> tuple[list[dict], float, float, float]:
    """What an output says: its jobs, its time [ms], bytes moved and time running [ms].

    Without what changes where nothing happens.
    """
    jobs = [
        {name: value for name, value in job.items() if name not in ("eta", "elapsed")}
        for job in _entries(output)
    ]
    ways = [job[way] for job in jobs for way in WAYS if isinstance(job.get(way), dict)]
    seconds = as_float(output.get("timestamp")) * 1000
    moment = as_float(output.get("timestamp_ms", seconds))
    moved, busy = (
        math.fsum(as_float(way.get(name)) for way in ways)
        for name in ("io_bytes", "runtime")
    )
    return jobs, moment, moved, busy


def _jobs(
    path: str, prefix: str, output: Mapping[str, object]
) -> Iterator[Job | ParseError]:
    shared = output.get("global options")
    jobs = output.get("jobs")
    if jobs is None and isinstance(clients := output.get("client_stats"), list):
        jobs = [entry for entry in clients if not _is_sum(entry)] or clients
    if not isinstance(jobs, list) or not isinstance(shared, dict | None):
        yield MalformedRowError(path, f"{prefix}jobs", "a list of jobs", "none")
        return
    if (length := len(str(shared))) > LONGEST_TEXT:
        expected = f"global options of at most {LONGEST_TEXT} characters"
        yield MalformedRowError(path, f"{prefix}global options", expected, str(length))
        return
    if len(jobs) > MOST_JOBS:
        place, expected = f"{prefix}jobs[{MOST_JOBS}]", f"at most {MOST_JOBS} jobs"
        yield TooManyRunsError(path, place, expected, "more, which are left out")
    entries = [e if isinstance(e, dict) else {} for e in jobs[:MOST_JOBS]]
    counts = Counter(map(_key, entries))
    names = {str(entry.get("jobname")) for entry in entries}
    read_before: Counter[str] = Counter()
    read: list[Job | ParseError] = []
    groups: dict[object, list[int]] = {}
    for number, entry in enumerate(entries):
        where = str(entry.get("line", f"{prefix}jobs[{number}]"))
        try:
            job = read_job(path, where, entry, shared or {}, names)
        except ParseError as problem:
            read.append(problem)
            continue
        key = _key(entry)
        if entry.get("hostname"):
            # the clients of one job work at the same time
            job = replace(job, threads=counts[key])
        else:
            groups.setdefault(entry.get("groupid"), []).append(number)
        if job.threads and counts[key] == job.threads > 1:
            job = replace(job, child=read_before[key])
            read_before[key] += 1
        elif counts[key] > 1 and job.threads and job.threads > 1:
            expected = f"{job.threads} entries of the job, or their sum"
            several = InconsistentDataError(path, where, expected, str(counts[key]))
            read.append(several)
            continue
        if job.error:
            failure = ToolFailureError(path, where, "error 0", f"error {job.error}")
            job.problems.append(failure)
        read.append(job)
    for members in groups.values():
        _join_processes(read, members)
    yield from read


def _join_processes(read: list[Job | ParseError], members: Sequence[int]) -> None:
    """Make alike jobs of one group the processes of one job.

    A stone wall, at which a job waits for those before it, begins a new group (fio's
    documentation, ``stonewall``); what other jobs of a group did is a setting.
    """
    jobs = {at: job for at in members if isinstance(job := read[at], Job)}
    alike: dict[tuple[object, ...], list[int]] = {}
    for at, job in jobs.items():
        alike.setdefault((job.configuration, job.place, *job.work()), []).append(at)
    counts = Counter(f"{w[0]}:{w[2]}" for job in jobs.values() for w in job.work())
    work = [f"{n}*{what}" if n > 1 else what for what, n in sorted(counts.items())]
    work[_MOST_AT_ONCE:] = [f"{len(work[_MOST_AT_ONCE:])} more"] * (
        len(work) > _MOST_AT_ONCE
    )
    for processes in alike.values():
        # an entry of several processes is the sum of all of them
        single = all(
            jobs[at].threads == 1 or jobs[at].child is not None for at in processes
        )
        count = len(processes) + len(members) - len(jobs)
        for child, at in enumerate(processes):
            job = jobs[at]
            if single and count > 1:
                job = replace(job, threads=count, child=child)
            if len(alike) > 1:
                together = f"{job.configuration} at_once={'+'.join(work)}"
                remark = "several jobs ran at the same time, without stonewall"
                job = replace(job, configuration=together, notes=[*job.notes, remark])
            read[at] = job


def _is_sum(entry: object) -> bool:
    return isinstance(entry, dict) and entry.get("jobname") == "All clients"


def _key(entry: Mapping[str, object]) -> str:
    """What the entries of one job's processes have in common."""
    return json.dumps([entry.get("jobname"), entry.get("groupid")])


def _add_sums(cells: Cells) -> None:
    """Add the throughput and rate of all processes of a job, if all of them are there.

    Sums of rates over the same time, as fio itself prints them for its groups.
    """
    sums = set()
    parts: dict[tuple, list[int]] = {}
    for at, (*cell, child, metric) in enumerate(cells.keys()):
        if child is None:
            sums.add((*cell, metric))
        elif metric in _SUMS:
            parts.setdefault((*cell, _SUMS[metric]), []).append(at)
    for key, rows in parts.items():
        operation, file_size, record_size, threads, setting, metric = key
        if key in sums or len(rows) != threads:
            continue
        value, low, high = (
            math.fsum(column[at] for at in rows)
            for column in (cells.value, cells.low, cells.high)
        )
        cells.add(
            operation,
            metric,
            value,
            cells.locator[rows[0]],
            low=low,
            high=high,
            file_size=file_size,
            record_size=record_size,
            threads=threads,
            setting=setting,
        )
