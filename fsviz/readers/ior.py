"""IOR: the table with a row for each test that it prints while it runs.

::

    IOR-3.3.0: MPI Coordinated Test of Parallel I/O
    Began               : Sat Apr 24 00:33:59 2021
    Command line        : ./ior -t 16mb -b 128m -o /mnt/beegfs/testfile
    api                 : POSIX
    ordering in a file  : sequential
    tasks               : 48
    xfersize            : 16 MiB
    aggregate filesize  : 6 GiB

    access    bw(MiB/s)  IOPS       Latency(s)  block(KiB) xfer(KiB)  …  iter
    ------    ---------  ----       ----------  ---------- ---------  …  ----
    write     170.54     10.66      0.685945    131072     16384      …  0

- Each ``iter`` is a run: ``-i 4`` repeats the test four times. ``bw`` is all bytes over
  the time from the first ``open`` to the last ``close``. ``IOPS`` and ``Latency`` are
  of other times, and not read (``PrintReducedResult`` of ``ior-output.c``,
  ``ReduceIterResults`` of ``ior.c``).
- Sizes below 1 MiB are written ``262144 bytes`` (``HumanReadable`` of ``utilities.c``).
- Before 3.3, the tasks are written ``clients            = 48 (24 per node)``. The tests
  of one script (``-f``) have their own lists, and one header above the first's rows
  (``darshan-test/2.x/perf/350892.output`` of darshan-hpc/darshan).
- Where a test moved less than its options ask for, as with a deadline (``-D``), IOR
  warns that it uses the bytes that it moved (``ior.c``). They differ from run to run,
  so the size of the file is missing then.
- A file for each task (``-F``) is another test than one that all share, and so a
  setting: ``access=file-per-process``.
- ``remove`` and tests that were not made have ``-`` or no row.
- ``-O summaryFormat=JSON`` prints the same with four decimals; a repetition begins
  where an access occurs again. ``summaryFormat=CSV`` does not say in which order the
  offsets were, nor how large the file was, and is refused.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from fsviz.model.errors import (
    MalformedRowError,
    ParseError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.runs import Cells, Reading, Run
from fsviz.model.units import MIB, printed_bounds, size_or_none
from fsviz.readers.document import (
    MOST_RUNS,
    Document,
    iso_time,
    json_objects,
    reading_of,
    too_many_runs,
)
from fsviz.readers.labels import systems_above

_BEGIN = re.compile(r"IOR-(?P<version>\d[\w.+-]{0,20}): MPI Coordinated Test.*")
_STATED = re.compile(r"\s*(?P<name>[A-Za-z][A-Za-z ]{1,24}?) *[:=] (?P<value>.*\S)\s*")
_HEADER = re.compile(r"access +bw\(MiB/s\) .*")
_ROW = re.compile(
    r"(?P<access>write|read) +(?P<rate>\d{1,12}(?:\.\d{1,6})?)(?: +\S+){2,12}\s*"
)
_JSON = re.compile(r'^[ \t]*\{\s*"Version": "\d[^"]{0,20}",\s*"Began":', re.MULTILINE)
_WARNING = re.compile(r"^WARNING: .*$", re.MULTILINE)
_MOVED = "WARNING: Using actual aggregate bytes moved"
_SHARED = "single-shared-file"
"""What IOR writes without ``-F``."""
_CSV = "access,bw(MiB/s),"
_TASKS = re.compile(r"(\d{1,9})(?: \(\d+ per node\))?")
_PATTERNS = {
    **dict.fromkeys(("sequential", "sequential offsets"), ""),
    **dict.fromkeys(("random", "random offsets"), "random_"),
}


Row = tuple[Mapping[str, str], str, str]
"""What is stated of a row, its place, and its text."""


def read_ior(document: Document) -> Reading:
    """Read each iteration of each table."""
    path, problems = document.path, list[ParseError]()
    runs: dict[tuple[str, str], Run] = {}
    for stated, place, line in (*_rows(document.lines), *_json_rows(document)):
        key = stated["line"], line.split()[-1]
        if key not in runs and len(runs) == MOST_RUNS:
            problems.append(too_many_runs(path, place))
            break
        try:
            run = runs.get(key) or _run(stated)
            _add(path, run.cells, stated, place, line)
            runs[key] = run
        except ParseError as problem:
            problems.append(problem)
    for number, line in enumerate(document.lines, 1):
        if line.startswith(_CSV):
            form = "JSON or text, which say how large files are and where they are read"
            summary = "a CSV summary, which does not"
            problems.append(UnsupportedVersionError(path, number, form, summary))
    starts = [int(line) if line.isdecimal() else 1 for line, _ in runs]
    commands = [f"ior {run.facts['path']}" for run in runs.values()]
    systems = systems_above(document.lines, starts, commands)
    return reading_of(document, runs.values(), systems, problems, "a row of results")


def _rows(lines: Sequence[str]) -> Iterator[Row]:
    """List the rows of results, each with what is stated above its table."""
    stated: dict[str, str] = {}
    inside: bool | None = False  # None: of a test whose rows did not begin
    columns, warning = 0, dict[str, str]()
    for number, line in enumerate(lines, 1):
        is_row = line.startswith(("write ", "read "))
        if begin := _BEGIN.fullmatch(line):
            stated, inside = {"version": begin["version"], "line": str(number)}, None
        elif _HEADER.fullmatch(line):
            inside, columns = bool(stated), len(line.split())
        elif line.startswith(("Max Write:", "Max Read:", "Summary of all tests")):
            inside = False
        elif is_row and (inside or (inside is None and len(line.split()) == columns)):
            inside = True
            yield {**stated, **warning}, f"line {number}", line
            warning = {}
        elif line.startswith(_MOVED):
            warning = {"moved": line}
        elif stated and (match := _STATED.fullmatch(line)):
            stated[match["name"].lower()] = match["value"]


def _json_rows(document: Document) -> Iterator[Row]:
    """List the results of JSON as rows of a table, with their places."""
    if not _JSON.search(document.text):
        return
    # what it warns of stands between the results
    plain = replace(document, text=_WARNING.sub("", document.text))
    objects = json_objects(plain, "JSON of IOR", "Version")
    for number, output in enumerate(objects):
        where = f"outputs[{number}]." if number else ""
        names = ("Version", "Began", "Command line")
        shared = {name.lower(): _text(output, name) for name in names}
        shared["moved"] = _MOVED if _MOVED in document.text else ""
        for place, test in _each(output, "tests"):
            options = test.get("Options")
            items = options.items() if isinstance(options, dict) else ()
            stated = shared | {"line": f"{where}{place}"}
            stated |= {str(name): str(value) for name, value in items}
            count: Counter[str] = Counter()
            for row, result in _each(test, "Results"):
                access, rate = _text(result, "access"), result.get("bwMiB")
                if access in ("write", "read") and isinstance(rate, int | float):
                    line = f"{access} {rate:.4f} - - {count[access]}"
                    count[access] += 1
                    yield stated, f"{where}{place}.{row}", line


def _text(values: object, name: str) -> str:
    return str(values.get(name, "")) if isinstance(values, dict) else ""


def _each(values: object, name: str) -> Iterator[tuple[str, dict]]:
    """List the objects of a list with their places; 3.3 has a list a repetition."""
    items = values.get(name) if isinstance(values, dict) else None
    for number, item in enumerate(items if isinstance(items, list) else []):
        place = f"{name}[{number}]"
        if isinstance(item, list):
            yield from _each({place: item}, place)
        elif isinstance(item, dict):
            yield place, item


def _add(
    path: str, cells: Cells, stated: Mapping[str, str], place: str, line: str
) -> None:
    row = _ROW.fullmatch(line)
    tasks = _TASKS.fullmatch(stated.get("tasks", stated.get("clients", "")))
    order = stated.get("ordering in a file", stated.get("ordering", ""))
    if row is None or not float(row["rate"]):
        raise MalformedRowError(path, place, "a row of IOR", quoted(line.strip()))
    if tasks is None or order not in _PATTERNS:
        above = "the number of tasks, and offsets in a known order, above the table"
        raise MalformedRowError(path, place, above, quoted(order or "no order"))
    low, high = printed_bounds(row["rate"])
    access = stated.get("access", "")
    cells.add(
        f"{_PATTERNS[order]}{row['access']}",
        "throughput",
        float(row["rate"]) * MIB,
        place,
        low=low * MIB,
        high=high * MIB,
        file_size=_bytes_of_all(stated, int(tasks[1])),
        record_size=_size(stated, "xfersize"),
        threads=int(tasks[1]),
        setting="" if access in ("", _SHARED) else f"access={access}",
    )


def _size(stated: Mapping[str, str], name: str) -> int | None:
    return size_or_none(stated.get(name, "").removesuffix(" bytes"))


def _bytes_of_all(stated: Mapping[str, str], tasks: int) -> int | None:
    """Bytes of all files; ``1.50 GiB`` is rounded, what it is made of seldom."""
    if stated.get("moved"):
        return None
    block, segments = _size(stated, "blocksize"), stated.get("segments", "")
    if block and re.fullmatch(r"\d{1,9}", segments):
        return block * int(segments) * tasks
    return _size(stated, "aggregate filesize")


def _run(stated: Mapping[str, str]) -> Run:
    names = ("api", "access", "type", "blocksize")
    began = stated.get("began", stated.get("run began", ""))
    return Run(
        tool="ior",
        configuration="; ".join(stated[name] for name in names if name in stated),
        tool_version=stated["version"],
        command_line=stated.get("command line", stated.get("command line used", "")),
        started=iso_time(began, "%a %b %d %H:%M:%S %Y"),
        facts={"path": stated.get("test filename", "")},
    )
