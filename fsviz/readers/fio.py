"""fio: the JSON that versions 3.x write with ``--output-format=json``.

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
- fio 2.x has other units under other names; it is refused.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.runs import Cells, Reading, Run
from fsviz.readers.document import Document
from fsviz.readers.fio_jobs import Job, add_job, read_job

_START = re.compile(r"^\{", re.MULTILINE)


@dataclass(slots=True)
class _Group:
    """Jobs of one run: the same settings, each cell once."""

    configuration: str
    cells: Cells = field(default_factory=Cells)
    places: set[tuple[object, ...]] = field(default_factory=set)
    notes: list[str] = field(default_factory=list)
    complete: bool = True


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
    if not version.startswith("fio-3."):
        raise UnsupportedVersionError(document.path, 1, "fio 3.x", quoted(version))
    problems: list[ParseError] = []
    groups: list[_Group] = []
    for part in _jobs(document.path, output):
        if isinstance(part, ParseError):
            problems.append(part)
            continue
        problems += part.problems
        _put(groups, part)
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
        )
        for k, group in enumerate(groups, 1)
    ]
    if not runs:
        nothing = MalformedRowError(document.path, "jobs", "a job that did I/O", "none")
        raise problems[0] if problems else nothing
    return Reading(tuple(runs), tuple(problems))


def _json(document: Document) -> Mapping[str, object]:
    start = _START.search(document.text)
    if start is None:
        raise MalformedRowError(document.path, 1, "JSON of fio", "none")
    try:
        output, _ = json.JSONDecoder().raw_decode(document.text, start.start())
    except json.JSONDecodeError as error:
        raise MalformedRowError(
            document.path, error.lineno, "JSON of fio", error.msg
        ) from error
    if not isinstance(output, dict):
        raise MalformedRowError(document.path, 1, "a JSON object", "something else")
    return output


def _jobs(path: str, output: Mapping[str, object]) -> Iterator[Job | ParseError]:
    shared = output.get("global options")
    jobs = output.get("jobs")
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


def _key(entry: object) -> str:
    """What the entries of one job's processes have in common."""
    if not isinstance(entry, dict):
        return ""
    return json.dumps([entry.get("jobname"), entry.get("groupid")])


def _put(groups: list[_Group], job: Job) -> None:
    """Add a job to the first run of its settings that lacks its cells."""
    for group in groups:
        same = group.configuration == job.configuration
        if same and not group.places & set(job.places()):
            break
    else:
        group = _Group(job.configuration)
        groups.append(group)
    group.places |= set(job.places())
    group.notes += job.notes
    group.complete = group.complete and not job.error
    add_job(group.cells, job)
