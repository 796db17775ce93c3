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
from dataclasses import dataclass, field

from fsviz.model.errors import MalformedRowError, ParseError, quoted
from fsviz.model.runs import STANDS_FOR, Cells, Reading, Run
from fsviz.model.tools import TOOLS
from fsviz.model.units import printed_bounds, size_or_none
from fsviz.readers.document import Document, iso_time, read_parts, reading_of
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
_NUMBER = re.compile(r"\d{1,40}(?:\.\d{0,40})?")
_NONE = ["NA", "NA", "NA"]
_FOLDER = re.compile(r"\s-d\s*=?\s*(\S+)")
_QUOTES = str.maketrans("", "", "\"'")
"""Since 3.0 each word of the command stands in them, first in double ones."""


@dataclass(slots=True)
class _Table:
    """One table of rates: what is stated above it, and its rows with their lines."""

    line: int
    stated: Mapping[str, str]
    rows: list[tuple[int, str]] = field(default_factory=list)

    @property
    def command(self) -> str:
        """The command line, of which the folder may name the system."""
        return self.stated.get("command", "")


def read_mdtest(document: Document) -> Reading:
    """Read each table of rates."""
    path, problems = document.path, list[ParseError]()
    listed = _tables(document.lines)
    tables, runs = read_parts(path, listed, lambda t: _run(path, t, problems), problems)
    folders = [_FOLDER.search(table.command) for table in tables]
    commands = [f"mdtest {folder[1]}/" if folder else "mdtest" for folder in folders]
    starts = [table.line for table in tables]
    systems = systems_above(document.lines, starts, commands)
    return reading_of(document, runs, systems, problems, "a table of rates")


def _tables(lines: Sequence[str]) -> Iterator[_Table]:
    """List the rows below each summary, with what is stated above it."""
    stated: dict[str, str] = {}
    moment = ""
    table: _Table | None = None
    for number, line in enumerate([*lines, ""], 1):
        if table is not None and line.strip(" `"):
            if not _SKIPPED.fullmatch(line.strip()) and line.split()[-3:] != _NONE:
                table.rows.append((number, line))
        elif table is not None:
            yield table
            table = None
        elif started := _STARTED.fullmatch(line.strip()):
            moment = started["moment"]
        elif begin := _BEGIN.fullmatch(line):
            stated = {**begin.groupdict(), "moment": moment}
        elif command := _COMMAND.fullmatch(line):
            stated = {**stated, "command": command["command"].translate(_QUOTES)}
        elif summary := _SUMMARY.fullmatch(line.strip()):
            table = _Table(number, {**stated, **summary.groupdict()})


def _add(path: str, cells: Cells, table: _Table, number: int, line: str) -> None:
    row = _ROW.fullmatch(line)
    texts = row["numbers"].split() if row else []
    name = row["name"].lower().replace(" ", "_") if row else ""
    tasks = table.stated.get("tasks", "")
    expected = ""
    if not tasks:
        expected = "the line with the number of tasks above the table"
    elif len(texts) != 4 or name not in TOOLS["mdtest"].operations:
        expected = "a phase with its maximum, minimum, mean and deviation"
    elif not all(map(_NUMBER.fullmatch, texts)):
        expected = "four numbers"
    elif not float(texts[1]) <= float(texts[2]) <= float(texts[0]):
        expected = "a mean between minimum and maximum"
    if expected:
        raise MalformedRowError(path, number, expected, quoted(line.strip()))
    if mean := float(texts[2]):
        low, high = printed_bounds(texts[2])
        cells.add(
            name,
            "rate",
            mean,
            f"line {number}",
            low=low,
            high=high,
            file_size=_file_size(table.command),
            threads=int(tasks),
        )


def _file_size(command: str) -> int | None:
    """Bytes that each file of a test has (``-w``); files without any have no size."""
    written = re.search(r"(?<!\S)-w[= ]?(\d{1,12}[kKmMgG]?)(?!\S)", command)
    return (size_or_none(written[1]) or None) if written else None


def _run(path: str, table: _Table, problems: list[ParseError]) -> Run:
    cells = Cells()
    for number, line in table.rows:
        try:
            _add(path, cells, table, number, line)
        except ParseError as problem:
            problems.append(problem)
    if not len(cells):
        raise MalformedRowError(path, table.line, "a phase that was run", "none")
    # io500 gives each run a signature of its own for what it writes
    lasting = re.sub(r"(?<!\S)-G[= ]-?\d+", "", table.command)
    words = (word for word in lasting.split()[1:] if "/" not in word)
    is_mean = int(table.stated["n"]) > 1
    return Run(
        tool="mdtest",
        cells=cells,
        configuration=" ".join(words) or "(unknown)",
        tool_version=table.stated.get("version", ""),
        command_line=table.command,
        started=iso_time(table.stated.get("moment", ""), "%m/%d/%Y %H:%M:%S"),
        note="means of runs that are not here" if is_mean else "",
        facts={STANDS_FOR: "mean", "n": table.stated["n"]} if is_mean else {},
    )
