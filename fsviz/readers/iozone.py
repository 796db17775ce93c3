"""IOzone's text output: every run in a file, in any of the tool's modes.

A file may hold several runs, whole outputs or only their tables. Each run is read by
the reader of its part: `iozone_banner` the settings, `iozone_table` the table of
automatic and single mode.

A run that stopped early keeps its complete rows and is marked ``complete=False``. A run
whose measurements the tool itself declares invalid (``-V``, ``-+d``) is refused.
"""

from __future__ import annotations

from dataclasses import dataclass

from fsviz.errors import (
    InvalidModeError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TruncatedInputError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.readers.document import Document
from fsviz.readers.iozone_banner import Banner, read_banner
from fsviz.readers.iozone_cells import add_grid
from fsviz.readers.iozone_table import FAILURE, Table, is_header, read_table
from fsviz.runs import Cells, Reading, Run

_BANNER = "Iozone: Performance Test of File I/O"
_THROUGHPUT = "Children see throughput for"
_COMPLETE = "iozone test complete"
_ALL_TESTS = frozenset(range(11))


@dataclass(slots=True)
class _Segment:
    """One run's lines, as line numbers from 1."""

    first: int
    last: int = 0
    banner: bool = False
    header: int | None = None
    throughput: int | None = None


def read_iozone(document: Document) -> Reading:
    r"""Read all runs of an IOzone text output.

    Parameters
    ----------
    document : Document
        The file.

    Returns
    -------
    Reading
        The runs, and a located error for each part that is not usable.

    Raises
    ------
    ParseError
        If nothing of the file is usable.

    Examples
    --------
    >>> from fsviz.readers.document import decode
    >>> document = decode("t.txt", (
    ...     b"     kB  reclen    write  rewrite    read    reread\n"
    ...     b"     64       4  1421755  3588436  7100397  1828508\n"))
    >>> cells = read_iozone(document).runs[0].cells
    >>> cells.operation[0], cells.value[0] / 1024, cells.locator[0]
    ('write', 1421755.0, 'line 2')
    """
    runs: list[Run] = []
    problems: list[ParseError] = []
    for position, segment in enumerate(_segments(document), 1):
        try:
            run = _read_run(document, segment, position, problems)
        except ParseError as problem:
            problems.append(problem)
        else:
            if len(run.cells):
                runs.append(run)
    if not runs:
        raise _main_problem(document, problems)
    return Reading(tuple(runs), tuple(problems))


def _main_problem(document: Document, problems: list[ParseError]) -> ParseError:
    if problems:
        return problems[0]
    return TruncatedInputError(
        document.path, len(document.lines), "results", "none in the whole file"
    )


def _segments(document: Document) -> list[_Segment]:
    """Split a file into runs: at each banner, and at each table without one."""
    segments = [_Segment(1)]
    for line, kind in _marks(document):
        current = segments[-1]
        if _starts_run(current, kind):
            segments.append(_Segment(line))
        current = segments[-1]
        if kind == "banner":
            current.banner, current.first = True, line
        elif kind == "header":
            current.header = line
        elif current.throughput is None:
            current.throughput = line
    for segment, after in zip(segments, [*segments[1:], None], strict=True):
        segment.last = after.first - 1 if after else len(document.lines)
    return segments


def _starts_run(current: _Segment, kind: str) -> bool:
    if kind == "throughput":
        return current.header is not None
    used = current.header is not None or current.throughput is not None
    return used or (kind == "banner" and current.banner)


def _marks(document: Document) -> list[tuple[int, str]]:
    """Find the lines that begin something: plain searches, as files can be long."""
    marks = [(line, "banner") for line in _lines_with(document, _BANNER)]
    marks += [
        (line, "header")
        for line in _lines_with(document, "reclen")
        if is_header(document.lines[line - 1])
    ]
    marks += [(line, "throughput") for line in _lines_with(document, _THROUGHPUT)]
    return sorted(marks)


def _lines_with(document: Document, text: str) -> list[int]:
    found, line, start = [], 1, 0
    at = document.text.find(text)
    while at >= 0:
        line += document.text.count("\n", start, at)
        found.append(line)
        start, at = at, document.text.find(text, at + 1)
    return found


def _read_run(
    document: Document, segment: _Segment, position: int, problems: list[ParseError]
) -> Run:
    body = segment.header or segment.throughput or segment.last + 1
    banner = read_banner(document.lines[segment.first - 1 : body - 1], segment.first)
    _refuse_invalid(document, segment, banner)
    if segment.header is None:
        raise _no_table(document, segment)
    known = "command_line" in banner.stated
    tests = banner.options.tests or _ALL_TESTS if known else None
    table = read_table(document, segment.header, segment.last, tests)
    problems.extend(table.problems)
    cells = Cells()
    if table.lines:
        add_grid(
            cells,
            table.operations,
            table.files,
            table.records,
            table.numbers,
            [f"line {number}" for number in table.lines],
            metric=banner.metric,
            time_resolution=banner.time_resolution,
        )
    ending = _ending(document, segment, table)
    if ending is not None and (segment.banner or not len(cells)):
        problems.append(ending)
    return Run(
        tool="iozone",
        identity=f"{document.digest}-{position}",
        source=document.path,
        cells=cells,
        configuration=_configuration(banner, table),
        complete=ending is None,
        tool_version=banner.stated.get("version", ""),
        command_line=banner.stated.get("command_line", ""),
        started=banner.started,
        host=banner.host,
        note=_note(ending, segment, table),
        facts=banner.facts,
    )


def _refuse_invalid(document: Document, segment: _Segment, banner: Banner) -> None:
    if banner.invalid is not None:
        raise InvalidModeError(
            document.path,
            banner.invalid or segment.first,
            "measurements that IOzone itself calls valid",
            "verify or diagnostic mode (-V, -+d, -+X)",
        )


def _no_table(document: Document, segment: _Segment) -> ParseError:
    """Say why a run has no table: it failed, or stopped before."""
    failed = _failure(document, segment)
    if failed is not None:
        return failed
    if segment.throughput is not None:
        return UnsupportedVersionError(
            document.path, segment.throughput, "a result table", "throughput mode"
        )
    return TruncatedInputError(
        document.path, segment.last, "a result table", "the end of the run"
    )


def _failure(document: Document, segment: _Segment) -> ToolFailureError | None:
    start = segment.header or segment.first
    for number in range(start, segment.last + 1):
        line = document.lines[number - 1]
        if FAILURE.match(line):
            return ToolFailureError(
                document.path, number, f'"{_COMPLETE}."', quoted(line.strip())
            )
    return None


def _ending(document: Document, segment: _Segment, table: Table) -> ParseError | None:
    """Say why a run is not complete, None if it is."""
    failed = _failure(document, segment)
    if failed is not None:
        return failed
    after = document.lines[(segment.header or segment.first) : segment.last]
    if not any(_COMPLETE in line for line in after):
        line = table.cut_short or segment.last
        found = "a row cut short" if table.cut_short else "the end of the run"
        return TruncatedInputError(document.path, line, f'"{_COMPLETE}."', found)
    if table.cut_short is not None:
        row = document.lines[table.cut_short - 1].strip()
        return MalformedRowError(
            document.path, table.cut_short, "a whole row", quoted(row)
        )
    return None


def _configuration(banner: Banner, table: Table) -> str:
    """Name what was asked for; without a command line, what was measured."""
    if "command_line" in banner.stated:
        return banner.options.configuration or "(default)"
    sizes = sorted(set(table.files))
    records = sorted(set(table.records))
    return (
        f"unknown options: {' '.join(table.operations)}; files {sizes} kB, "
        f"records {records} kB"
    )


def _note(ending: ParseError | None, segment: _Segment, table: Table) -> str:
    if ending is None:
        return ""
    if not segment.banner:
        return "only the table was published: the end mark is missing"
    kept = f"{len(table.lines)} complete rows kept"
    if isinstance(ending, ToolFailureError):
        return f"IOzone reported {ending.found} in line {ending.line}; {kept}"
    return f"stops early in line {ending.line}; {kept}"
