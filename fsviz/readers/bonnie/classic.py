"""The first Bonnie, by Tim Bray: one table, one row a run.

::

                  -------Sequential Output-------- ---Sequential Input-- --Random--
                  -Per Char- --Block--- -Rewrite-- -Per Char- --Block--- --Seeks---
    Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU  /sec %CPU
    host      100  5263 97.6 40912 62.4 12034 38.1  6514 98.2 88211 70.5 412.5  9.2

Its tests are those of bonnie++, but it makes 4000 seeks by three processes, a tenth of
which write. The chunk is not printed; it is 16 KiB unless somebody changed the source.
``K`` is 1024 bytes, and K/sec is cut to a whole number; the others are rounded to a
tenth. It prints a rate however short the test was. Version 1.2 can use several files,
which it prints as ``2*1024``. (Bonnie.c, ``report``, ``Seeks``, ``Chunk``.)
"""

from __future__ import annotations

import re

from fsviz.model.errors import (
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    quoted,
)
from fsviz.model.runs import Cells, Reading, Run
from fsviz.model.units import KIB, MIB, half_last_digit
from fsviz.readers.bonnie.cells import IO_OPERATIONS
from fsviz.readers.document import MOST_RUNS, Document, reading_of, too_many_runs

HEADER = re.compile(
    r"(?:[A-Z]{2}> )?[\s>*]*Machine\s+MB(?:\s+K/sec\s+%CPU){5}\s+/sec\s+%CPU\s*"
)
_ROW = re.compile(
    r"(?:[A-Z]{2}> )?[\s>*]*+(?P<machine>\S(?:.*?\S)??)??\s*+"
    r"(?:\b(?P<files>\d{1,3})\*\s*)?"
    r"(?P<size>\b\d{1,7})\s+"
    r"(?P<numbers>\d+\s+[\d.]+(?:\s+[\d.]+\s+[\d.]+){5})\s*"
)
_WHOLE = re.compile(r"\d{1,12}")
_TENTH = re.compile(r"\d{1,12}\.\d")


def read_classic(document: Document) -> Reading:
    r"""Read the tables of the first Bonnie."""
    runs: list[Run] = []
    problems: list[ParseError] = []
    for index, line in enumerate(document.lines):
        if HEADER.fullmatch(line):
            if len(runs) + len(problems) >= MOST_RUNS:
                problems.append(too_many_runs(document.path, index + 1))
                break
            found, bad = _read_rows(document, index + 1)
            runs += found
            problems += bad
    nothing = TruncatedInputError(document.path, 1, "a table of Bonnie", "none")
    machines = [run.host for run in runs]
    systems = machines if len(set(machines)) > 1 else ["" for _ in machines]
    return reading_of(document, runs, systems, problems, nothing)


def _read_rows(document: Document, index: int) -> tuple[list[Run], list[ParseError]]:
    runs: list[Run] = []
    at = index
    while at < len(document.lines) and document.lines[at].strip():
        match = _ROW.fullmatch(document.lines[at])
        if match is None:
            break
        try:
            runs.append(_run(document, at + 1, match))
        except ParseError as problem:
            return runs, [problem]
        at += 1
    if runs:
        return runs, []
    number = min(at + 1, len(document.lines))
    found = quoted(document.lines[number - 1].strip())
    return [], [MalformedRowError(document.path, number, "a row of Bonnie", found)]


def _run(document: Document, line: int, match: re.Match[str]) -> Run:
    texts = match["numbers"].split()
    size = int(match["size"]) * int(match["files"] or 1) * MIB
    cells = Cells()
    for operation, rate, cpu in zip(
        IO_OPERATIONS, texts[::2], texts[1::2], strict=True
    ):
        seeks = operation == "random_seeks"
        pattern = _TENTH if seeks else _WHOLE
        for text, shape, what in (
            (rate, pattern, f"the rate of {operation}"),
            (cpu, _TENTH, f"the CPU use of {operation} with one decimal"),
        ):
            if shape.fullmatch(text) is None:
                raise MalformedRowError(document.path, line, what, quoted(text))
        place = {"locator": f"line {line}", "file_size": size}
        value, half = float(rate), half_last_digit(rate)
        if seeks:
            bounds = {"low": max(0.0, value - half), "high": value + half}
            cells.add(operation, "rate", value, **place, **bounds)  # type: ignore[arg-type]
        else:
            bounds = {"low": value * KIB, "high": (value + 1) * KIB}
            cells.add(operation, "throughput", value * KIB, **place, **bounds)  # type: ignore[arg-type]
        share, half = float(cpu), half_last_digit(cpu)
        bounds = {"low": max(0.0, share - half), "high": share + half}
        cells.add(operation, "cpu", share, **place, **bounds)  # type: ignore[arg-type]
    return Run(
        tool="bonnie",
        identity="",
        source=document.path,
        cells=cells,
        configuration=f"size={size} files={match['files'] or 1}",
        host=(match["machine"] or "").strip(),
    )
