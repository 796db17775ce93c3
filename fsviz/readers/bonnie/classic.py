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
from collections.abc import Iterator
from dataclasses import dataclass

from fsviz.model.errors import (
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    quoted,
)
from fsviz.model.runs import Cells, Reading, Run
from fsviz.model.units import KIB, MIB, printed_bounds
from fsviz.readers.bonnie.cells import IO_OPERATIONS
from fsviz.readers.document import Document, read_parts, reading_of

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
    problems: list[ParseError] = []
    rows = _rows(document, problems)
    path = document.path
    _, runs = read_parts(path, rows, lambda row: _run(path, row), problems)
    nothing = TruncatedInputError(path, 1, "a table of Bonnie", "none")
    machines = [run.host for run in runs]
    systems = machines if len(set(machines)) > 1 else ["" for _ in machines]
    return reading_of(document, runs, systems, problems, nothing)


@dataclass(frozen=True, slots=True)
class _Row:
    line: int
    match: re.Match[str]


def _rows(document: Document, problems: list[ParseError]) -> Iterator[_Row]:
    """List the rows below each header, of which one at least must stand there."""
    above = ""
    for number, line in enumerate([*document.lines, ""], 1):
        if HEADER.fullmatch(line):
            above = "header"
        elif above and (match := _ROW.fullmatch(line)):
            above = "row"
            yield _Row(number, match)
        else:
            if above == "header":
                expected, place = "a row of Bonnie", min(number, len(document.lines))
                shown = quoted(line.strip())
                bad = MalformedRowError(document.path, place, expected, shown)
                problems.append(bad)
            above = ""


def _run(path: str, row: _Row) -> Run:
    match, line = row.match, row.line
    texts = match["numbers"].split()
    size = int(match["size"]) * int(match["files"] or 1) * MIB
    cells = Cells()
    for operation, *numbers in zip(IO_OPERATIONS, texts[::2], texts[1::2], strict=True):
        is_seeks = operation == "random_seeks"
        shapes = (_TENTH if is_seeks else _WHOLE, _TENTH)
        names = (f"the rate of {operation}", f"the CPU use of {operation}, one decimal")
        metrics = ("rate" if is_seeks else "throughput", "cpu")
        columns = zip(numbers, shapes, names, metrics, strict=True)
        for text, shape, expected, metric in columns:
            if shape.fullmatch(text) is None:
                raise MalformedRowError(path, line, expected, quoted(text))
            unit = KIB if metric == "throughput" else 1
            low, high = printed_bounds(text, cut=metric == "throughput")
            cells.add(
                operation,
                metric,
                float(text) * unit,
                f"line {line}",
                low=low * unit,
                high=high * unit,
                file_size=size,
            )
    return Run(
        tool="bonnie",
        cells=cells,
        configuration=f"size={size} files={match['files'] or 1}",
        host=(match["machine"] or "").strip(),
    )
