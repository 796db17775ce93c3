"""mdtest: the table of operations a second with which it ends.

::

    -- started at 11/09/2018 19:51:49 --
    mdtest-1.9.3 was launched with 64 total task(s) on 64 node(s)
    Command line used: /opt/bin/mdtest -C -F -d /mnt/beegfs/easy -n 33800 -u -L
    64 tasks, 2163200 files

    SUMMARY: (of 1 iterations)
       Operation                      Max            Min           Mean        Std Dev
       ---------                      ---            ---           ----        -------
       File creation     :       4560.893       4560.893       4560.893          0.000
       File stat         :          0.000          0.000          0.000          0.000

- A phase that was not run has 0.000 (``summarize_results_rank0`` of ``mdtest.c``), and
  is missing here. Rates are those of all tasks together.
- One table is one run. With ``-i 3`` it has means of three iterations, which are not
  printed: such a number stands for a mean, never for three runs.
- What has ``SUMMARY time`` above it are seconds of the same phases, and not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from fsviz.model.errors import (
    MalformedRowError,
    ParseError,
    quoted,
)
from fsviz.model.runs import STANDS_FOR, Cells, Reading, Run
from fsviz.model.tools import TOOLS
from fsviz.model.units import printed_bounds, size_or_none
from fsviz.readers.document import MOST_RUNS, Document, reading_of, too_many_runs
from fsviz.readers.labels import systems_above

_BEGIN = re.compile(
    r"mdtest-(?P<version>\d[\w.+-]{0,20}) was launched with (?P<tasks>\d{1,9}) total "
    r"task\(s\).*"
)
_COMMAND = re.compile(r"Command line used: *(?P<command>.*\S)\s*")
_STARTED = re.compile(r"-- started at (?P<moment>\d\d/\d\d/\d{4} \d\d:\d\d:\d\d) --")
_SUMMARY = re.compile(
    r"SUMMARY(?P<rate>(?: rate(?: \(in ops/sec\))?)?): \(of (?P<n>\d{1,9}) iterations\)"
)
_ROW = re.compile(r"\s+(?P<name>[A-Z][A-Za-z ]{3,30}?)\s*:?\s+(?P<numbers>\d\S*.*)")
_SKIPPED = re.compile(
    r"Operation\b.*|[- ]*|V-\d+:.*|-- finished at .* --|File create \(stonewall\).*"
)
"""What stands between phases: the header, what ``-v`` adds, the rate up to the stone
wall of ``-W``, of which the whole phase is the row above, and the last line."""
_NONE = ["NA", "NA", "NA"]
_FOLDER = re.compile(r"\s-d\s*=?\s*(\S+)")
_QUOTES = str.maketrans("", "", "'")
"""Since 3.0 each word of the command stands in them."""


def read_mdtest(document: Document) -> Reading:
    """Read each table of rates."""
    runs: list[Run] = []
    problems: list[ParseError] = []
    commands: list[str] = []
    starts: list[int] = []
    for stated, number, rows in _tables(document.lines):
        if len(runs) == MOST_RUNS:
            problems.append(too_many_runs(document.path, number))
            break
        cells = Cells()
        for at, line in rows:
            try:
                _add(document.path, cells, stated, at, line)
            except ParseError as problem:
                problems.append(problem)
        if not len(cells):
            what = "a phase that was run"
            problems.append(MalformedRowError(document.path, number, what, "none"))
            continue
        folder = _FOLDER.search(stated.get("command", ""))
        commands.append(f"mdtest {folder[1]}/" if folder else "mdtest")
        starts.append(number)
        runs.append(_run(document, stated, cells))
    systems = systems_above(document.lines, starts, commands)
    return reading_of(document, runs, systems, problems, "a table of rates")


Table = tuple[Mapping[str, str], int, list[tuple[int, str]]]


def _tables(lines: Sequence[str]) -> Iterator[Table]:
    """List the rows below each summary, with what is stated above it."""
    stated: dict[str, str] = {}
    moment = ""
    number = 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if started := _STARTED.fullmatch(line.strip()):
            moment = started["moment"]
        elif begin := _BEGIN.fullmatch(line):
            stated = {**begin.groupdict(), "moment": moment}
        elif command := _COMMAND.fullmatch(line):
            stated = {**stated, "command": command["command"].translate(_QUOTES)}
        elif summary := _SUMMARY.fullmatch(line.strip()):
            first, rows = number, []
            while number < len(lines) and lines[number].strip(" `"):
                number += 1
                row = lines[number - 1]
                if not _SKIPPED.fullmatch(row.strip()) and row.split()[-3:] != _NONE:
                    rows.append((number, row))
            yield {**stated, **summary.groupdict()}, first, rows


def _add(
    path: str, cells: Cells, stated: Mapping[str, str], number: int, line: str
) -> None:
    row = _ROW.fullmatch(line)
    texts = row["numbers"].split() if row else []
    name = row["name"].lower().replace(" ", "_") if row else ""
    tasks = stated.get("tasks", "")
    if len(texts) != 4 or name not in TOOLS["mdtest"].operations or not tasks:
        what = "a phase with its maximum, minimum, mean and deviation"
        if not tasks:
            what = "the line with the number of tasks above the table"
        raise MalformedRowError(path, number, what, quoted(line.strip()))
    try:
        most, least, mean, _ = map(float, texts)
    except ValueError:
        what, found = "four numbers", quoted(line.strip())
        raise MalformedRowError(path, number, what, found) from None
    if not 0 <= least <= mean <= most < float("inf"):
        what = "a mean between minimum and maximum"
        raise MalformedRowError(path, number, what, quoted(line.strip()))
    if mean:
        low, high = printed_bounds(texts[2])
        cells.add(
            name,
            "rate",
            mean,
            f"line {number}",
            low=low,
            high=high,
            file_size=_file_size(stated.get("command", "")),
            threads=int(tasks),
        )


def _file_size(command: str) -> int | None:
    """Bytes that each file of a test has (``-w``); files without any have no size."""
    written = re.search(r"(?<!\S)-w[= ]?(\d{1,12}[kKmMgG]?)(?!\S)", command)
    return (size_or_none(written[1]) or None) if written else None


def _run(document: Document, stated: Mapping[str, str], cells: Cells) -> Run:
    command = stated.get("command", "")
    # io500 gives each run a signature of its own for what it writes
    lasting = re.sub(r"(?<!\S)-G[= ]-?\d+", "", command)
    words = (word for word in lasting.split()[1:] if "/" not in word)
    several = int(stated["n"]) > 1
    try:
        moment = datetime.strptime(stated.get("moment", ""), "%m/%d/%Y %H:%M:%S")
        started = moment.isoformat()
    except ValueError:
        started = ""
    return Run(
        tool="mdtest",
        identity="",
        source=document.path,
        cells=cells,
        configuration=" ".join(words) or "(unknown)",
        tool_version=stated.get("version", ""),
        command_line=command,
        started=started,
        note="means of runs that are not here" if several else "",
        facts={STANDS_FOR: "mean", "n": stated["n"]} if several else {},
    )
