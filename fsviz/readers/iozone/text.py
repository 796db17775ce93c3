"""IOzone's text output: every run in a file, in any of the tool's modes.

A file may hold several runs, whole outputs or only parts of them. Each part of a run
has its reader: `fsviz.readers.iozone.banner` the settings, ``table`` the table of
automatic and single mode, ``throughput`` the blocks of throughput mode, ``reports``
what ``-R`` adds.

The Excel section repeats the table and so checks it; where there is no usable table it
is the source. A run that stopped early keeps its complete rows and is marked
``complete=False``. A run whose measurements the tool itself declares invalid (``-V``,
``-+d``) is refused. With ``-I``, the tests of the C library's files, which go through
the page cache all the same, have the setting ``buffered=1``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TruncatedInputError,
    quoted,
)
from fsviz.model.runs import ENDING, FOREIGN, Cells, Note, Reading, Run
from fsviz.model.units import KIB
from fsviz.readers.document import MOST_RUNS, Document, reading_of, too_many_runs
from fsviz.readers.iozone.banner import (
    Banner,
    pasted_command,
    read_banner,
    refuse_invalid,
)
from fsviz.readers.iozone.cells import add_grid
from fsviz.readers.iozone.reports import (
    Report,
    add_reports,
    behind_repeated,
    compare,
    describe,
    lacking_rows,
    read_reports,
    without_tool_bugs,
)
from fsviz.readers.iozone.table import FAILURE, Table, looks_like_row, read_table
from fsviz.readers.iozone.throughput import (
    add_throughput_reports,
    compare_blocks,
    is_of_a_block,
    is_result_of_a_block,
    read_blocks,
    read_throughput_reports,
)
from fsviz.readers.labels import systems_above

ZEROS = "printed_zeros"
"""Fact: how many numbers of a run's table are 0, which is no measurement."""
MINIMA = "minima_dropped"
"""Fact: how many minima over processes exceed the mean, or are of one without data."""
LACKING = "lacking_sizes"
"""Fact: how many sizes of the command line a run that ended well has no row of."""
_LEFT_OUT = {
    FOREIGN: "rows of this table are of sizes that the command line does not name",
    LACKING: "of the sizes in the command line are not in this table",
    ZEROS: "printed as 0 in this table: not measured, left out",
    MINIMA: "minima of processes left out: one moved nothing, or they exceed the mean",
}
_ALL_TESTS = frozenset(range(11))


def read_iozone(document: Document) -> Reading:
    r"""Read all runs of an IOzone text output.

    >>> from fsviz.readers.document import decode
    >>> document = decode("t.txt", (
    ...     b"     kB  reclen    write  rewrite    read    reread\n"
    ...     b"     64       4  1421755  3588436  7100397  1828508\n"))
    >>> cells = read_iozone(document).runs[0].cells
    >>> cells.operation[0], cells.value[0] / 1024, cells.locator[0]
    ('write', 1421755.0, 'line 2')
    """
    if document.may_hold(("-reclen",)):
        # a forum drew lines between the words of the header
        lines = [_undashed(line) for line in document.lines]
        document = replace(document, lines=lines, text="\n".join(lines))
    runs: list[Run] = []
    starts: list[int] = []
    segments = split_runs(document)
    problems: list[ParseError] = [
        too_many_runs(document.path, segment.first)
        for segment in segments[MOST_RUNS : MOST_RUNS + 1]
    ]
    for position, segment in enumerate(segments[:MOST_RUNS], 1):
        try:
            run = _read_run(document, segment, position, problems)
        except ParseError as problem:
            problems.append(problem)
            continue
        if len(run.cells):
            runs.append(run)
            starts.append(segment.body)
    if not runs and not problems:
        place, nothing = len(document.lines), "none in the whole file"
        none = TruncatedInputError(document.path, place, "results", nothing)
        problems.append(none)
    systems = systems_above(document.lines, starts, [run.command_line for run in runs])
    notes = [*_left_out(document, runs), *_without_banner(document, segments)]
    return reading_of(document, runs, systems, problems, "results", notes)


def _undashed(line: str) -> str:
    return re.sub(r"[ -]+", " ", line) if "-reclen" in line else line


def _without_banner(document: Document, segments: Sequence[Segment]) -> Iterator[Note]:
    """Note blocks behind the end of a run, as a stray end mark leaves them."""
    for before, segment in pairwise(segments):
        ended = before.banner and before.throughput and before.complete
        if ended and segment.throughput and not segment.banner:
            text = "blocks without a banner behind the end of a run: taken for another"
            yield Note(document.path, segment.first, text)


def _left_out(document: Document, runs: Sequence[Run]) -> Iterator[Note]:
    for run in runs:
        for fact, words in _LEFT_OUT.items():
            if count := run.facts.get(fact):
                line = run.cells.locator[0].removeprefix("line ")
                yield Note(document.path, line, f"{count} {words}")


@dataclass(slots=True)
class _Part:
    """One run as it is read: where it stands, its settings, its numbers, its faults."""

    document: Document
    segment: Segment
    banner: Banner
    problems: list[ParseError]
    cells: Cells = field(default_factory=Cells)

    @property
    def path(self) -> str:
        """The file, for messages."""
        return self.document.path

    def ending(self, result: str, cut_short: int | None = None) -> Ending:
        """Tell how the run ended, and what it leaves."""
        return read_ending(self.document, self.segment, result, cut_short)


def _read_run(
    document: Document, segment: Segment, position: int, problems: list[ParseError]
) -> Run:
    lines = document.lines[segment.start - 1 : segment.body - 1]
    banner = read_banner(lines, segment.start)
    part = _Part(document, segment, banner, problems)
    _check_mode(part)
    if segment.header is not None:
        ending, measured = _read_table(part)
    elif segment.throughput is not None:
        ending, measured = _read_throughput(part)
    elif segment.report is not None:
        ending, measured = _read_excel(part)
    elif failure := find_failure(document, segment):
        raise failure
    elif segment.throughput_report is not None:
        ending, measured = _read_report_alone(part)
    else:
        found = "the end of the run"
        raise TruncatedInputError(part.path, segment.last, "results", found)
    # an excerpt may stand in a text that says "interrupted" of something else
    is_sure = segment.banner or not len(part.cells) or ending.kind != "failed"
    if ending.problem is not None and is_sure:
        problems.append(ending.problem)
    problems.extend(_after_the_end(document, segment))
    part.cells.setting = banner.options.settings(part.cells.operation)
    command = banner.stated.get("command_line")
    asked = banner.options.configuration or "(default)"
    return Run(
        tool="iozone",
        identity=f"{document.digest}-{position}",
        cells=part.cells,
        configuration=f"unknown options: {measured}" if command is None else asked,
        complete=ending.complete,
        tool_version=banner.stated.get("version", ""),
        command_line=command or "",
        started=banner.started,
        host=banner.host,
        note=ending.note,
        facts={**banner.facts, **ending.facts},
    )


def _after_the_end(document: Document, segment: Segment) -> Iterator[ParseError]:
    """Name the first result behind the end mark of a run, where none belongs."""
    is_result = looks_like_row if segment.header is not None else is_result_of_a_block
    for number in range((segment.complete or segment.last) + 1, segment.last + 1):
        line = document.lines[number - 1]
        # most are of the reports that repeat the table, or empty
        if line and line[0] != '"' and is_result(line):
            expected, row = "no result behind the end of its run", quoted(line.strip())
            yield InconsistentDataError(document.path, number, expected, row)
            return


def _check_mode(part: _Part) -> None:
    """Refuse what the tool calls invalid, and a unit that is stated in two ways."""
    banner, first = part.banner, part.segment.first
    if "output_unit" in banner.stated and banner.metric != "throughput":
        unit = banner.facts["output_unit"]
        expected = f"one unit in the banner, {unit} by its mode"
        line = f'"Output is in {banner.stated["output_unit"]}"'
        raise InconsistentDataError(part.path, first, expected, line)
    refuse_invalid(part.path, first, banner)


def _read_table(part: _Part) -> tuple[Ending, str]:
    segment, banner, options = part.segment, part.banner, part.banner.options
    has_command = "command_line" in banner.stated
    tests = options.tests or _ALL_TESTS if has_command else None
    end = segment.last if segment.report is None else segment.report - 1
    table = read_table(part.document, segment.header or 0, end, tests)
    lacking: frozenset[tuple[int, int]] = frozenset()
    if has_command and options.has_plain_sizes:
        pairs = zip(table.files, table.records, strict=True)
        sizes = {(file * KIB, record * KIB) for file, record in pairs}
        if sizes != (grid := options.grid):
            files, records = options.sizes_to_measure
            lacking, others = grid - sizes, sizes - grid
            foreign = sum(f not in files or r not in records for f, r in others)
            named = foreign and not banner.pasted
            banner.facts.update({FOREIGN: foreign} if named else {})
    part.problems.extend(table.problems)
    if table.lines:
        # they stand for tests without a result; -+n prints them always
        is_usual = banner.metric == "latency" or banner.facts.get("no_retest")
        if not is_usual and not table.numbers.all():
            banner.facts[ZEROS] = int((table.numbers == 0).sum())
        add_grid(
            part.cells,
            table.operations,
            table.files,
            table.records,
            table.numbers,
            [f"line {number}" for number in table.lines],
            metric=banner.metric,
            time_resolution=banner.time_resolution,
        )
    if segment.report is not None:
        _use_excel(part, table, segment.report)
    # of a run without a fault
    ended = segment.complete is not None and segment.failed is None
    if lacking and ended and table.cut_short is None and not table.problems:
        banner.facts[LACKING] = len(lacking)
    ending = part.ending(f"{len(table.lines)} complete rows kept", table.cut_short)
    if has_command:
        return ending, ""
    measured = f"{' '.join(table.operations)}; files {sorted(set(table.files))} kB, "
    return ending, f"{measured}records {sorted(set(table.records))} kB"


def _use_excel(part: _Part, table: Table, first: int) -> None:
    """Check the table; take from the section what the table does not have."""
    document, last = part.document, part.segment.last
    is_sound = bool(table.lines) and not table.problems
    if is_sound:
        first = behind_repeated(document, first, last, table)
    if first > last:
        return
    reports, malformed = read_reports(document, first, last)
    part.problems.extend(malformed)
    usable = without_tool_bugs(reports)
    differing, longer = compare(document, usable, table)
    part.problems.extend(differing)
    sizes = set(zip(table.files, table.records, strict=True))
    ended = part.segment.complete is not None
    if is_sound:
        # a report with one of IOzone's bugs adds nothing to a table that is whole
        usable = [r for r in usable if r.cpu or r in longer]
        lacking = lacking_rows(part.path, usable, table.files) if ended else ()
        part.problems.extend(lacking)
        doubts = [_lacking_a_size(part.path, report, sizes) for report in usable]
        part.problems.extend(filter(None, doubts))
        ids = {id(r) for r, doubt in zip(usable, doubts, strict=True) if doubt is None}
        reports = [report for report in reports if report.cpu or id(report) in ids]
    faults = add_reports(
        part.path, part.cells, reports, part.banner, sizes, whole=ended
    )
    part.problems.extend(faults)


def _lacking_a_size(
    path: str, report: Report, sizes: Collection[tuple[int, int]]
) -> ParseError | None:
    """Doubt a report that has other record sizes instead of those of the table."""
    if report.cpu:
        return None
    files = {file for file, *_ in report.rows}
    lacking = {record for file, record in sizes if file in files} - {*report.records}
    if not lacking:
        return None
    expected = f"the record sizes of the table in the report of {report.operation}"
    none = f"none of {', '.join(map(str, sorted(lacking)))} kB"
    return InconsistentDataError(path, report.place, expected, none)


def _read_throughput(part: _Part) -> tuple[Ending, str]:
    document, segment, banner = part.document, part.segment, part.banner
    failure = find_failure(document, segment)
    # After a failure IOzone goes on, with the failed child counted as 0.
    last = segment.last if failure is None else int(failure.line) - 1
    ends = (segment.complete, segment.throughput_report)
    last = min([last, *(end - 1 for end in ends if end is not None)])
    is_whole = segment.complete is not None and failure is None
    threads = banner.options.threads
    blocks, malformed = read_blocks(
        document, segment.start, last, _sizes(banner), threads, whole=is_whole
    )
    part.problems.extend(malformed)
    for block in blocks:
        block.add_to(part.cells)
    if minima := sum(len(block.minima_dropped) for block in blocks):
        banner.facts[MINIMA] = minima
    if segment.throughput_report is not None:
        first = segment.throughput_report
        reports = read_throughput_reports(document, first, segment.last)
        part.problems.extend(compare_blocks(document, reports, blocks))
    measured = (
        f"{b.operation} with {b.threads} of {b.file} B in {b.record} B" for b in blocks
    )
    return part.ending(f"{len(blocks)} blocks kept"), "; ".join(measured)


def _read_report_alone(part: _Part) -> tuple[Ending, str]:
    """Read what ``-R`` prints of throughput; without a command, of one column each."""
    first, banner = part.segment.throughput_report or 0, part.banner
    reports = read_throughput_reports(part.document, first, part.segment.last)
    threads = banner.options.threads or [None]
    file = _sizes(banner)[0]
    add_throughput_reports(part.path, part.cells, reports, threads, file)
    tests = " ".join(dict.fromkeys(part.cells.operation))
    return part.ending(f"{len(reports)} reports kept"), f"{tests} in a report"


def _sizes(banner: Banner) -> tuple[int | None, int | None]:
    """File and record size [B] of the command line, as far as it gives one of each."""
    return banner.options.only_size("s"), banner.options.only_size("r")


def _read_excel(part: _Part) -> tuple[Ending, str]:
    segment = part.segment
    reports, malformed = read_reports(part.document, segment.report or 0, segment.last)
    part.problems.extend(malformed)
    ended = segment.complete is not None
    faults = add_reports(part.path, part.cells, reports, part.banner, whole=ended)
    part.problems.extend(faults)
    return part.ending(f"{len(reports)} reports kept"), describe(reports)


# Where the runs of an IOzone text begin and end, and which parts each one has.
#
# A run begins at its banner. People also publish only tables, only throughput blocks or
# only the Excel section; without a banner a run begins where a part comes that the run
# before already has.

BANNER = "Iozone: Performance Test of File I/O"
COMPLETE = "iozone test complete"
_HEADER = re.compile(r"\b[kK]B\s+reclen\s+write\b")
_FAILURES = ("Error", "Can not", "interrupted", "failed", "too small", "not supported")
"""One of these is in every line with which IOzone reports a failure."""
_SEARCHES = {
    BANNER: "banner",
    "reclen": "header",
    "Children see throughput for": "throughput",
    ' report"': "report",
    '"Throughput report Y-axis': "throughput_report",
    COMPLETE: "complete",
}


@dataclass(slots=True)
class Segment:
    """One run's lines, as line numbers from 1; None for a part that it has not."""

    first: int
    last: int = 0
    start: int = 1
    banner: bool = False
    header: int | None = None
    throughput: int | None = None
    report: int | None = None
    throughput_report: int | None = None
    complete: int | None = None
    failed: int | None = None
    latest: int = 0
    labels: set[str] = field(default_factory=set)

    @property
    def body(self) -> int:
        """First line of its results, or the line after its last."""
        parts = (self.header, self.throughput, self.report, self.throughput_report)
        return min((part for part in parts if part is not None), default=self.last + 1)


def split_runs(document: Document) -> list[Segment]:
    """Split a file into runs."""
    segments = [Segment(1)]
    for line, kind in _marks(document):
        before, text = segments[-1], document.lines[line - 1]
        if _starts_run(before, kind, text):
            segments.append(Segment(line, start=before.complete or before.body))
        elif kind == "throughput" and (first := _begins_again(document, before, line)):
            segments.append(Segment(first, start=first))
        _note(segments[-1], line, kind, text)
    lines = document.telling if document.may_hold(_FAILURES) else ()
    failures = [number for number, line in lines if FAILURE.match(line)]
    for segment, after in zip(segments, [*segments[1:], None], strict=True):
        segment.last = after.first - 1 if after else len(document.lines)
        at = bisect_left(failures, segment.first)
        if at < len(failures) and failures[at] <= segment.last:
            segment.failed = failures[at]
    return [s for s in segments if s.banner or s.body <= s.last]


def _marks(document: Document) -> list[tuple[int, str]]:
    """Find the lines that begin something."""
    searches = [
        (text, kind) for text, kind in _SEARCHES.items() if document.may_hold((text,))
    ]
    lines = list(document.telling)
    return sorted(
        [
            (number, kind)
            for text, kind in searches
            for number, line in lines
            if text in line and (kind != "header" or _HEADER.search(line))
        ]
    )


def _starts_run(current: Segment, kind: str, text: str) -> bool:
    blocks = current.throughput is not None
    reports = current.report is not None
    if kind == "banner":
        return current.banner or current.header is not None or blocks or reports
    if kind == "header":
        return current.header is not None or blocks or reports
    if kind == "throughput":
        ended = current.complete is not None and blocks
        return current.header is not None or reports or ended
    if kind == "report":
        return blocks or text.strip().lower() in current.labels
    return False


def _begins_again(document: Document, current: Segment, line: int) -> int:
    """Find the line at which another run begins before a block of throughput mode.

    0 if there is none: one run measures each test once with each number of processes,
    and prints nothing else between its blocks.
    """
    if current.throughput is None:
        return 0
    between = document.lines[current.latest : line - 1]
    foreign = [k for k, text in enumerate(between) if not is_of_a_block(text)]
    again = _measured(document.lines[line - 1]) in current.labels
    if foreign and (again or any(pasted_command(between[k]) for k in foreign)):
        return current.latest + 1 + foreign[0]
    return 0


def _measured(text: str) -> str:
    return " ".join(text.partition("=")[0].split())


def _note(segment: Segment, line: int, kind: str, text: str) -> None:
    if kind == "banner":
        segment.banner, segment.first, segment.start = True, line, line
    elif getattr(segment, kind) is None:
        setattr(segment, kind, line)
    if kind == "report":
        segment.labels.add(text.strip().lower())
    if kind == "throughput":
        segment.latest = line
        segment.labels.add(_measured(text))


# How an IOzone run ended: done, failed, interrupted, or the text just stops.


@dataclass(frozen=True, slots=True)
class Ending:
    """Whether a run is complete, what the user should know, and the located error."""

    complete: bool
    note: str = ""
    problem: ParseError | None = None
    kind: str = ""

    @property
    def facts(self) -> dict[str, object]:
        """The kind of an ending that is none, as a fact of the run."""
        return {ENDING: self.kind} if self.kind else {}


def find_failure(document: Document, segment: Segment) -> ToolFailureError | None:
    """Make an error of the first line of a run with which IOzone reports a failure."""
    if segment.failed is None:
        return None
    line = quoted(document.lines[segment.failed - 1].strip())
    return ToolFailureError(document.path, segment.failed, f'"{COMPLETE}."', line)


def read_ending(
    document: Document, segment: Segment, result: str, cut_short: int | None
) -> Ending:
    """Tell how a run ended, of which this is the result."""
    if failure := find_failure(document, segment):
        note = f"IOzone reported {failure.found} in line {failure.line}; {result}"
        return Ending(False, note, failure, "failed")
    if segment.complete is None and cut_short is None and not segment.banner:
        note = f"an excerpt: no end mark of the run; {result}"
        return Ending(False, note, kind="excerpt")
    if segment.complete is None:
        line = cut_short or segment.last
        end = "a row cut short" if cut_short else "the end of the run"
        expected = f'"{COMPLETE}."' if segment.banner else "a whole row"
        problem = TruncatedInputError(document.path, line, expected, end)
        return Ending(False, f"stops early in line {line}; {result}", problem, "early")
    if cut_short is None:
        return Ending(True)
    row = quoted(document.lines[cut_short - 1].strip())
    broken = MalformedRowError(document.path, cut_short, "a whole row", row)
    return Ending(True, f"a broken row in line {cut_short}; {result}", broken)
