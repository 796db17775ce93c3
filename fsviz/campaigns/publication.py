"""A publication's figures: a folder under ``data/published`` → runs.

========================  ==========================================================
``citation.toml``         who published what; its presence marks such a folder
``campaign.toml``         the facts that the text states about the systems
``points.csv``            single points of IOzone: ``system operation file record …``
``commands.csv``          the command lines that the text prints
``quotes.csv``            every other number, each with a name: `claims.quoted`
``claims.csv``            what the authors conclude: `notebooks/cases/claims`
any other ``*.csv``       a table of the text, for `fsviz.readers.tables.rows`
========================  ==========================================================

Every row has a column ``place``: the line of the text where it is printed.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from fsviz.model.errors import MalformedRowError, quoted
from fsviz.model.runs import MISSING, STANDS_FOR, Cells, Reading, Run
from fsviz.model.table import OPERATIONS
from fsviz.model.tools import TOOLS, cuts_digits
from fsviz.model.units import KIB, parse_size
from fsviz.readers.document import decode
from fsviz.readers.formats import read_file
from fsviz.readers.impossible import without_impossible
from fsviz.readers.iozone.options import parse_options
from fsviz.readers.tables.values import Written, ambiguous_unit, parse_written

_OURS = ("points.csv", "commands.csv", "quotes.csv", "claims.csv")
_ROUNDED = re.compile(r"\d*?[1-9](0{4,})")
_EVERY = "*"


def rows_of(path: Path, columns: tuple[str, ...]) -> Iterator[tuple[int, dict]]:
    """Read one of our own tables, each row with its line."""
    if not path.is_file():
        return
    text = decode(str(path), path.read_bytes()).text
    reader = csv.reader(io.StringIO(text))
    for cells in reader:
        line = reader.line_num
        if len(cells) != len(columns) or (line == 1 and tuple(cells) != columns):
            expected = f"the columns {', '.join(columns)}"
            raise MalformedRowError(str(path), line, expected, quoted(",".join(cells)))
        if line > 1:
            yield line, dict(zip(columns, cells, strict=True))


POINTS = ("system", "operation", "file", "record", "printed", "unit", "place")
COMMANDS = ("system", "tool", "command", "place", "note")


def read_publication(folder: Path) -> dict[str, list[Run]]:
    """Read what a publication measured."""
    runs = [*table_runs(folder), *point_runs(folder)]
    runs_of_system: dict[str, list[Run]] = {}
    for run in _with_commands(folder, runs):
        runs_of_system.setdefault(run.host, []).append(run)
    return runs_of_system


def table_runs(folder: Path) -> Iterator[Run]:
    """Read the tables of the text."""
    for path in sorted(folder.glob("*.csv")):
        if path.name in _OURS:
            continue
        reading = read_file(str(path))
        if reading.problems:
            raise reading.problems[0]
        for run in reading.runs:
            yield _published(run, run.system)


def point_runs(folder: Path) -> Iterator[Run]:
    """Make one run of IOzone for each system: its points are of one matrix."""
    path = folder / "points.csv"
    cells: dict[str, Cells] = {}
    for line, row in rows_of(path, POINTS):
        if row["operation"] not in OPERATIONS:
            operation = quoted(row["operation"])
            raise MalformedRowError(str(path), line, "an operation", operation)
        cut = cuts_digits("iozone", row["operation"], "throughput")
        written = written_in(path, line, row["printed"], row["unit"], cut)
        cells.setdefault(row["system"], Cells()).add(
            row["operation"],
            "throughput",
            written.value,
            f"line {line}",
            low=written.low,
            high=written.high,
            file_size=_size(path, line, row["file"]),
            record_size=_size(path, line, row["record"]),
        )
    runs = tuple(_run(path, system, "iozone", c) for system, c in cells.items())
    for problem in without_impossible(Reading(runs)).problems:
        raise problem
    yield from runs


def _size(path: Path, line: int, text: str) -> int:
    try:
        return parse_size(text)
    except ValueError:
        expected = "a size such as 64m"
        raise MalformedRowError(str(path), line, expected, quoted(text)) from None


def _run(path: Path, system: str, tool: str, cells: Cells, extra: str = "") -> Run:
    name = hashlib.sha256(f"{path.name}\0{system}\0{extra}".encode()).hexdigest()[:12]
    return _published(Run(tool, f"{name}-1", str(path), cells), system)


def _published(run: Run, system: str) -> Run:
    run = replace(run, host=system, facts={**run.facts, STANDS_FOR: "published"})
    return replace(run, configuration="published", note="a published figure")


def _with_commands(folder: Path, runs: list[Run]) -> Iterator[Run]:
    """Give each run its command line; one that printed no figures is a run as well."""
    path = folder / "commands.csv"
    waiting = list(runs)
    for line, row in rows_of(path, COMMANDS):
        if row["tool"] not in TOOLS:
            raise MalformedRowError(str(path), line, "a tool", quoted(row["tool"]))
        matching = [
            run
            for run in waiting
            if run.tool == row["tool"] and row["system"] in (run.host, _EVERY)
        ]
        waiting = [run for run in waiting if run not in matching]
        if not matching and row["system"] != _EVERY:
            matching = [_run(path, row["system"], row["tool"], Cells(), row["command"])]
        for run in matching:
            configuration = run.configuration
            if run.tool == "iozone":
                configuration = parse_options(row["command"]).configuration
            command = row["command"]
            yield replace(run, command_line=command, configuration=configuration)
    yield from waiting


def written_in(
    path: Path, line: int, printed: str, unit: str, cut: bool = False
) -> Written:
    """Read a printed number: rounded thousands are bounds, as an ambiguous unit is."""
    try:
        written = parse_written(printed, unit.lower(), cut)
    except ValueError as error:
        raise MalformedRowError(str(path), line, str(error), quoted(printed)) from error
    if (two := ambiguous_unit(unit)) is not None:
        # the author may mean either: from the one to the other
        _, si, binary = two
        return replace(written, value=MISSING, high=written.high / si * binary)
    match = _ROUNDED.fullmatch(printed)
    if match is None:
        return written
    half = 10 ** len(match[1]) / 2 * (KIB if unit == "KiB/s" else 1)
    return replace(written, low=written.value - half, high=written.value + half)
