"""elbencho: the table of phases that it prints, and its CSV and JSON files.

::

    $ elbencho -w --direct -b 1m -s 16g -t 96 /mnt/storage/file[1-256]
    OPERATION   RESULT TYPE         FIRST DONE   LAST DONE
    =========== ================    ==========   =========
    WRITE       Elapsed time     :    2m3.241s    2m5.755s
                IOPS             :       33395       33352
                Throughput MiB/s :       33395       33352
                Total MiB        :     4115703     4194304

- ``LAST DONE`` is all that was done over all the time, and is read; ``FIRST DONE`` ends
  with the first thread (``docs/result-columns-explanation.md``). Numbers are cut off:
  whole ones divided (``Statistics::printPhaseResultsToStream``, ``Statistics.cpp``).
- A header begins an invocation, which is a run. Threads, blocks and ``--rand`` stand
  only in its command; without it they are missing, and a note says so. The size of a
  file is then all that was moved over the files, so that a sweep of sizes is one.
- ``Files/s`` of ``WRITE`` and ``READ`` follow from the throughput, and are not read.
- ``--csvfile`` and ``--jsonfile`` have a line for each phase, with all that the command
  says. Phases of one command are a run, until one occurs again. Threads are those of
  each host. Latencies are cut off to whole microseconds (``LatencyHistogram.h``).
- The queue depth, ``--iodepth``, is a setting.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from fsviz.model.errors import MalformedRowError, ParseError, quoted
from fsviz.model.runs import Cells, Note, Reading, Run
from fsviz.model.units import MIB, printed_bounds, size_or_none
from fsviz.readers.document import (
    Document,
    iso_time,
    parse_json,
    read_parts,
    reading_of,
)
from fsviz.readers.labels import systems_above

_HEADER = re.compile(r"OPERATION +RESULT TYPE +FIRST DONE +LAST DONE\s*")
_ROW = re.compile(
    r"(?P<phase>[A-Z]*) +(?P<kind>[A-Z][A-Za-z/ ]{1,24}?) *: +(?P<first>\S+) +"
    r"(?P<last>\S+)\s*"
)
_COMMAND = re.compile(r"(?:^|[\s;|&(/])(?P<command>elbencho\s+\S.{0,9999})")
_OPTION = re.compile(
    r"\s(?:-(?P<short>[bst])[\s=]*|--(?P<long>block|size|threads|iodepth)[\s=]+)"
    r"(?P<value>\w+)"
)
_HOSTS = re.compile(r"\s--hosts(?P<file>(?:file)?)[\s=]+(?P<names>\S+)")
_CSV = "ISO date,label,path type,"
_JSON = '{"phase_type":'
_DATE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")
_FIELDS = {
    "phase_type": "operation",
    "iso_start_date": "ISO date",
    "label": "label",
    "hosts": "hosts",
    "threads": "threads",
    "file_size": "file size",
    "block_size": "block size",
    "random_offsets": "random",
    "io_depth": "IO depth",
    "version": "version",
    "command": "command",
    "iops": "IOPS [last]",
    "bytes/s": "",
    "MiB/s": "MiB/s [last]",
    "entries/s": "entries/s [last]",
    "avg_us": "IO lat us [avg]",
}
"""What is read of a line of JSON, and the same column of CSV."""
_END = "OPERATION RESULT TYPE FIRST DONE LAST DONE"
"""A header below the last line, which ends the last table as others do."""
_UNITS = {"Throughput MiB/s": MIB, "Throughput MB/s": 10**6}
_PHASES = {
    ("MKDIRS", "Dirs/s"): "directory_creation",
    ("RMDIRS", "Dirs/s"): "directory_removal",
    ("STAT", "Files/s"): "file_stat",
    ("RMFILES", "Files/s"): "file_removal",
}
_IO = ("READ", "WRITE")
_SPEEDS = (
    ("iops", "rate", 1.0),
    ("bytes/s", "throughput", 1.0),
    ("MiB/s", "throughput", float(MIB)),
    ("avg_us", "latency", 1e-6),
)
_ENTRIES = (("entries/s", "rate", 1.0),)
"""Speeds of a phase, with metric and unit [base unit]."""
_MEASURED = {*_IO, *(phase for phase, _ in _PHASES)}
"""Phases that come once in a run; others, such as SYNC, stand between them."""


@dataclass(slots=True)
class _Part:
    """One invocation: where its table begins, its command and its numbers.

    ``mixed`` says that services printed below one header: which block is the total of
    all is not told.
    """

    line: int
    command: str
    cells: Cells = field(default_factory=Cells)
    totals: dict[str, int] = field(default_factory=dict)
    stated: dict[str, str] = field(default_factory=dict)
    mixed: bool = False

    def size(self) -> int | None:
        """Bytes of a file: stated, or on average; of a phase without files, of all."""
        moved = self.totals.get("Total MiB", 0) * MIB
        files = self.totals.get("Total files", 1) or 1
        least, most = moved // files, (moved + MIB) // files  # the total is cut off
        each = max(1 << max(most.bit_length() - 1, 0), least)
        return size_or_none(self.options().get("s", "")) or (each if moved else None)

    def options(self) -> dict[str, str]:
        """Block size, file size and threads, as the command states them."""
        matches = _OPTION.finditer(self.command)
        return {(m["short"] or m["long"][0]): m["value"] for m in matches}

    def threads(self) -> int | None:
        """Threads of all hosts, if the command has the number of both."""
        text, hosts = self.options().get("t", ""), _HOSTS.search(self.command)
        if not text.isdecimal() or (hosts and (hosts["file"] or "[" in hosts["names"])):
            return None
        names = hosts["names"].split(",") if hosts else [""]
        return int(text) * max(1, sum(map(bool, names)))


def read_elbencho(document: Document) -> Reading:
    """Read each table."""
    path, problems = document.path, list[ParseError]()
    made = chain(_parts(path, document.lines, problems), _of_files(document, problems))
    usable = (part for part in made if len(part.cells) and not part.mixed)
    parts, runs = read_parts(path, usable, _run, problems)
    systems = [part.stated.get("label", "") for part in parts]
    if not all(systems):
        starts = [part.line for part in parts]
        commands = [part.command for part in parts]
        systems = systems_above(document.lines, starts, commands)
    bare = [part.line for part in parts if not part.command][:1]
    remark = "no elbencho command above it: threads, sizes and --rand are not known"
    notes = [Note(path, line, remark) for line in bare]
    nothing = "a phase with its throughput"
    return reading_of(document, runs, systems, problems, nothing, notes)


def _run(part: _Part) -> Run:
    # a local time without its zone, as other tools print theirs
    moment = part.stated.get("iso_start_date", "")[:19]
    # options without places and what is a part of the cell
    words = _OPTION.sub(" ", f" {part.command}").split()[1:]
    options = [word for word in words if word.startswith("-") and "/" not in word]
    return Run(
        tool="elbencho",
        cells=part.cells,
        configuration=" ".join(options) or "(unknown)",
        tool_version=part.stated.get("version", ""),
        command_line=part.command,
        started=iso_time(moment, "%Y-%m-%dT%H:%M:%S"),
    )


def _parts(
    path: str, lines: Sequence[str], problems: list[ParseError]
) -> Iterator[_Part]:
    part: _Part | None = None
    command = phase = ""
    for number, line in enumerate([*lines, _END], 1):
        if _HEADER.fullmatch(line):
            if part is not None:
                part.cells.file_size_bytes = [part.size()] * len(part.cells)
                yield part
            part, command, phase = _Part(number, command), "", ""
        elif part is not None and (row := _ROW.fullmatch(line)):
            phase = row["phase"] or phase
            try:
                _add(path, part, phase, number, row)
            except ParseError as problem:
                problems.append(problem)
        # --resfile has each word of the command in quotation marks
        elif typed := _COMMAND.search(line.replace('"', "")):
            command = typed["command"].strip()


def _add(path: str, part: _Part, phase: str, number: int, row: re.Match[str]) -> None:
    """Add a row that is a speed; others are amounts, times, or follow from these."""
    kind, text = row["kind"], row["last"]
    is_io = phase in _IO
    if is_io and kind in ("Total MiB", "Total files") and text.isdecimal():
        part.totals[kind] = int(text)
    is_speed = kind in (*_UNITS, "IOPS") if is_io else (phase, kind) in _PHASES
    if part.mixed or not is_speed:
        return
    operation = _operation(phase, " --rand" in part.command)
    metric = "throughput" if kind in _UNITS else "rate"
    if (operation, metric) in zip(part.cells.operation, part.cells.metric, strict=True):
        part.mixed = True
        expected = f"{phase} once below a header"
        again = "it again: services print where only the one that asks them should"
        raise MalformedRowError(path, number, expected, again)
    options = part.options()
    part.cells.add(
        operation,
        metric,
        **_printed(path, number, text, _UNITS.get(kind, 1)),
        record_size=size_or_none(options.get("b", "")) if is_io else None,
        threads=part.threads(),
        setting=_depth(options.get("i", "")) if is_io else "",
    )


def _operation(phase: str, is_random: bool) -> str:
    if phase in _IO:
        return f"{'random_' if is_random else ''}{phase.lower()}"
    return next((name for (p, _), name in _PHASES.items() if p == phase), "")


def _depth(text: str) -> str:
    return "" if text in ("", "1") else f"iodepth={text}"


def _printed(path: str, line: int, text: str, scale: float) -> dict[str, Any]:
    """A number in its base unit, where it was printed, and its bounds."""
    if not re.fullmatch(r"\d{1,15}", text):
        raise MalformedRowError(path, line, "a whole number", quoted(text))
    low, high = (bound * scale for bound in printed_bounds(text, cut=True))
    value = int(text) * scale
    return {"value": value, "locator": f"line {line}", "low": low, "high": high}


def _of_files(document: Document, problems: list[ParseError]) -> Iterator[_Part]:
    """Bring the phases of CSV and JSON together to runs."""
    part: _Part | None = None
    for number, row in _phases(document, problems):
        command, phase = row["command"].replace('"', "").strip(), row["phase_type"]
        if part is None or part.command != command or phase in part.totals:
            if part is not None:
                yield part
            part = _Part(number, command, stated=row)
        if phase in _MEASURED:
            part.totals[phase] = number
        try:
            _add_phase(document.path, part.cells, number, row)
        except ParseError as problem:
            problems.append(problem)
    if part is not None:
        yield part


def _phases(
    document: Document, problems: list[ParseError]
) -> Iterator[tuple[int, dict[str, str]]]:
    """List each phase of CSV and JSON by the names of JSON, with its line."""
    titles: list[str] = []
    for number, line in enumerate(document.lines, 1):
        if line.startswith(_CSV):
            titles = line.split(",")
        elif line.startswith(_JSON):
            try:
                phase = parse_json(replace(document, text=line), "JSON of a phase")
            except ParseError as fault:
                cause = fault.expected, fault.found
                problems.append(MalformedRowError(document.path, number, *cause))
                continue
            yield number, dict.fromkeys(_FIELDS, "") | dict(_texts(phase))
        elif titles and _DATE.match(line):
            # the command is last, and has commas and quotation marks of its own
            texts = dict(zip(titles, line.split(",", len(titles) - 1), strict=False))
            yield number, {n: texts.get(title, "") for n, title in _FIELDS.items()}


def _texts(values: object) -> Iterator[tuple[str, str]]:
    """List what a phase says, but for what ended with the first thread."""
    for name, value in values.items() if isinstance(values, dict) else ():
        if isinstance(value, dict) and name not in ("first_done", "entries"):
            yield from _texts(value)
        elif isinstance(value, str):
            yield name, value


def _add_phase(path: str, cells: Cells, line: int, row: Mapping[str, str]) -> None:
    phase = row["phase_type"]
    operation = _operation(phase, row["random_offsets"] in ("1", "true"))
    if not operation:
        if row["iops"] or row["entries/s"]:
            expected = "a phase of a known kind"
            raise MalformedRowError(path, line, expected, quoted(phase))
        return
    sizes = [row[name] for name in ("file_size", "block_size", "threads", "hosts")]
    file, record, threads, hosts = (int(n) if n.isdecimal() else None for n in sizes)
    for name, metric, scale in _SPEEDS if phase in _IO else _ENTRIES:
        if text := row[name]:
            cells.add(
                operation,
                metric,
                **_printed(path, line, text, scale),
                file_size=file,
                record_size=record if phase in _IO else None,
                threads=threads * (hosts or 1) if threads else None,
                setting=_depth(row["io_depth"]) if phase in _IO else "",
            )
