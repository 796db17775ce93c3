"""The page that ``bon_csv2html`` makes of CSV rows: a row of numbers, one of latencies.

2.00a writes throughput in MiB/s, rounded, but per-char rates in KiB/s under the same
title, and 0 for ``+++++``, whose CPU use is still ``+++``. It leaves out the chunk and
the number of seeks. What it calls the chunk size of files are directories, as in the
rows.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fsviz.model.errors import MalformedRowError, ParseError, TruncatedInputError
from fsviz.model.runs import Run
from fsviz.readers.bonnie.cells import TOO_FAST
from fsviz.readers.bonnie.csv import read_row
from fsviz.readers.document import MOST_RUNS, Document, too_many_runs
from fsviz.readers.pages import rows_of_page

PAGE = "<title>Bonnie++ Benchmark results</title>"
_FILES = ("Num Files", "Max Size", "Min Size", "Num Dirs", "Chunk Size")
_UNTITLED = 13
"""Columns beyond the titles: eleven of these stand above two, and none above seeks."""
_VERSION = "Version "


def read_page(document: Document) -> tuple[list[tuple[int, Run]], list[ParseError]]:
    """Read each run of a page as its CSV row is read."""
    runs: list[tuple[int, Run]] = []
    problems: list[ParseError] = []
    is_scaled = "M/sec" in document.text
    for line, version, titles, row, below in _rows(document):
        if len(runs) + len(problems) >= MOST_RUNS:
            problems.append(too_many_runs(document.path, line))
            break
        try:
            if len(row) != (width := len(titles) + _UNTITLED):
                expected, count = f"{width} cells", f"{len(row)} cells"
                raise MalformedRowError(document.path, line, expected, count)
            fields = _fields(version, titles, row, below, is_scaled)
            runs.append((line, read_row(document, line, fields, is_scaled)))
        except ParseError as problem:
            problems.append(problem)
    if "</html>" not in document.text.lower():
        last = len(document.lines)
        end = TruncatedInputError(document.path, last, "</html>", "the end of the file")
        problems.append(end)
    return runs, problems


_Cells = Sequence[str]


def _rows(document: Document) -> Iterator[tuple[int, str, _Cells, _Cells, _Cells]]:
    """List the rows: line, version, the titles above, and the latencies below."""
    titles: _Cells = ()
    row: _Cells = ()
    version, line = "", 0
    for place, cells in rows_of_page(document.text):
        if cells and cells[0].startswith(_VERSION):
            version = cells[0].removeprefix(_VERSION)
        elif {"Per Char", "Num Files", "Create"} <= {*cells}:
            titles = cells
        elif cells and cells[0] and titles:
            is_below = cells[0] == "Latency"
            if line:
                yield line, version, titles, row, cells if is_below else ()
            row, line = cells, 0 if is_below else int(place.removeprefix("line "))
    if line:
        yield line, version, titles, row, ()


def _fields(
    version: str, titles: _Cells, row: _Cells, below: _Cells, is_scaled: bool
) -> list[str]:
    """Give a run the fields that its CSV row has in format 1.98."""
    io, files = titles.index("Per Char"), titles.index("Num Files")
    stated = dict(zip(titles, row[:io], strict=False))
    at = io + 12
    tests = row[at + titles.index("Create") - files :]
    counts = dict(zip(titles[files:], row[at:], strict=False))
    about = [stated.get("Concurrency", "1"), "", stated.get("Size", ""), "", "", ""]
    speeds = _as_printed(row[io:at]) if is_scaled else row[io:at]
    fields = ["1.98", version, row[0], *about, *speeds]
    fields += [*(counts.get(name, "") for name in _FILES), *tests]
    # between the two sixes of latencies stands what fills up the columns
    return [*fields, *([*below[1:7], *below[-6:]] if len(below) > 12 else [""] * 12)]


def _as_printed(speeds: Sequence[str]) -> list[str]:
    """Write speeds with their units, as the console does; the last are seeks."""
    texts = list(speeds)
    for at in range(0, 10, 2):
        rate, cpu = texts[at : at + 2]
        if rate == "0" and cpu in ("", "+++"):
            texts[at] = TOO_FAST if cpu else ""
        elif rate.isdigit():
            texts[at] = rate + ("k" if at in (0, 6) else "m")
    return texts
