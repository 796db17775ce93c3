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
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from fsviz.model.errors import (
    DeclaredInvalidError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TruncatedInputError,
    nothing_usable,
    quoted,
)
from fsviz.model.runs import ENDING, FOREIGN, Cells, Note, Reading, Run
from fsviz.model.units import KIB
from fsviz.readers.document import MOST_RUNS, Document, too_many_runs
from fsviz.readers.iozone.banner import Banner, pasted_command, read_banner
from fsviz.readers.iozone.cells import add_grid
from fsviz.readers.iozone.reports import (
    Report,
    add_reports,
    after_repeats,
    compare,
    describe,
    lacking_rows,
    read_reports,
    without_repeats,
    without_tool_bugs,
)
from fsviz.readers.iozone.table import (
    FAILURE,
    Table,
    count_foreign,
    looks_like_row,
    read_table,
)
from fsviz.readers.iozone.throughput import (
    Block,
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
    if "-reclen" in document.text:
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
            run = _read_run(
                document, segment, f"{document.digest}-{position}", problems
            )
        except ParseError as problem:
            problems.append(problem)
        else:
            runs.extend([run] if len(run.cells) else [])
            starts.extend([segment.body] if len(run.cells) else [])
    if not runs:
        end, none = len(document.lines), "none in the whole file"
        nothing = TruncatedInputError(document.path, end, "results", none)
        raise nothing_usable(problems or [nothing])
    systems = systems_above(document.lines, starts, [run.command_line for run in runs])
    runs = [replace(run, system=s) for run, s in zip(runs, systems, strict=True)]
    notes = [*_left_out(document, runs), *_without_banner(document, segments)]
    return Reading(tuple(runs), tuple(problems), tuple(notes))


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


def _read_run(
    document: Document, segment: Segment, identity: str, problems: list[ParseError]
) -> Run:
    lines = document.lines[segment.start - 1 : segment.body - 1]
    banner = read_banner(lines, segment.start)
    _check_mode(document, segment, banner)
    cells = Cells()
    if segment.header is not None:
        ending, measured = _read_table(document, segment, banner, cells, problems)
    elif segment.throughput is not None:
        ending, measured = _read_throughput(document, segment, banner, cells, problems)
    elif segment.report is not None:
        ending, measured = _read_excel(document, segment, banner, cells, problems)
    elif segment.throughput_report is not None and not find_failure(document, segment):
        ending, measured = _read_report_alone(document, segment, banner, cells)
    else:
        raise _no_results(document, segment)
    # an excerpt may stand in a text that says "interrupted" of something else
    sure = segment.banner or not len(cells) or ending.kind != "failed"
    if ending.problem is not None and sure:
        problems.append(ending.problem)
    problems.extend(_after_the_end(document, segment))
    cells.setting = banner.options.settings(cells.operation)
    return Run(
        tool="iozone",
        identity=identity,
        source=document.path,
        cells=cells,
        configuration=_configuration(banner, measured),
        complete=ending.complete,
        tool_version=banner.stated.get("version", ""),
        command_line=banner.stated.get("command_line", ""),
        started=banner.started,
        host=banner.host,
        note=ending.note,
        facts={**banner.facts, **ending.facts},
    )


def _after_the_end(document: Document, segment: Segment) -> Iterator[ParseError]:
    """Name the first result behind the end mark of a run, where none belongs."""
    looks = looks_like_row if segment.header is not None else is_result_of_a_block
    for number in range((segment.complete or segment.last) + 1, segment.last + 1):
        line = document.lines[number - 1]
        # most are of the reports that repeat the table
        if line[:1] != '"' and looks(line):
            expected = "no result behind the end of its run"
            found = quoted(line.strip())
            yield InconsistentDataError(document.path, number, expected, found)
            return


def _check_mode(document: Document, segment: Segment, banner: Banner) -> None:
    """Refuse what the tool calls invalid, and a unit that is stated in two ways."""
    if "output_unit" in banner.stated and banner.metric != "throughput":
        raise InconsistentDataError(
            document.path,
            segment.first,
            f"one unit in the banner, {banner.facts['output_unit']} by its mode",
            f'"Output is in {banner.stated["output_unit"]}"',
        )
    if banner.invalid is not None:
        raise DeclaredInvalidError(
            document.path,
            banner.invalid or segment.first,
            "measurements that IOzone itself calls valid",
            "verify or diagnostic mode (-V, -+d, -+X)",
        )


def _no_results(document: Document, segment: Segment) -> ParseError:
    """Say why a run has no results: it failed, or stopped before, or not enough."""
    failed = find_failure(document, segment)
    if failed is not None:
        return failed
    return TruncatedInputError(
        document.path, segment.last, "results", "the end of the run"
    )


def _read_table(
    document: Document,
    segment: Segment,
    banner: Banner,
    cells: Cells,
    problems: list[ParseError],
) -> tuple[Ending, str]:
    known = "command_line" in banner.stated
    tests = banner.options.tests or _ALL_TESTS if known else None
    end = segment.last if segment.report is None else segment.report - 1
    table = read_table(document, segment.header or 0, end, tests)
    sized = known and banner.options.sizes_known
    own = sized and not banner.pasted
    if own and (foreign := count_foreign(table, *banner.options.asked)):
        banner.facts[FOREIGN] = foreign
    problems.extend(table.problems)
    if table.lines:
        # they stand for tests without a result; -+n prints them always
        usual = banner.metric == "latency" or banner.facts.get("no_retest")
        if not usual and (zeros := int((table.numbers == 0).sum())):
            banner.facts[ZEROS] = zeros
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
    if segment.report is not None:
        _use_excel(document, segment, banner, table, cells, problems)
    if sized:
        _note_lacking(segment, banner, table)
    ending = read_ending(
        document, segment, f"{len(table.lines)} complete rows kept", table.cut_short
    )
    if known:
        return ending, ""
    return ending, _described(table.operations, table.files, table.records)


def _note_lacking(segment: Segment, banner: Banner, table: Table) -> None:
    """Count the sizes that a run without a fault should have measured."""
    ended = segment.complete is not None and segment.failed is None
    if ended and table.cut_short is None and not table.problems:
        pairs = zip(table.files, table.records, strict=True)
        measured = {(file * KIB, record * KIB) for file, record in pairs}
        if lacking := banner.options.grid - measured:
            banner.facts[LACKING] = len(lacking)


def _use_excel(
    document: Document,
    segment: Segment,
    banner: Banner,
    table: Table,
    cells: Cells,
    problems: list[ParseError],
) -> None:
    """Check the table; take from the section what the table does not have."""
    first = segment.report or 0
    whole = bool(table.lines) and not table.problems
    if whole:
        first = after_repeats(document, first, segment.last, table)
        if first > segment.last:
            return
    reports, malformed = read_reports(document, first, segment.last)
    problems.extend(malformed)
    if whole:
        reports = without_repeats(reports, table)
    usable = without_tool_bugs(reports)
    problems.extend(compare(document, usable, table))
    known = set(zip(table.files, table.records, strict=True))
    if whole and segment.complete is not None:
        problems.extend(lacking_rows(document.path, usable, table.files))
    if whole:
        # a report with one of IOzone's bugs adds nothing to a table that is whole
        ids = {id(report) for report in usable}
        reports = [
            report
            for report in reports
            if report.cpu or (id(report) in ids and _adds_cells(report, known))
        ]
        doubtful = [_lacking_a_size(document, report, known) for report in reports]
        problems.extend(filter(None, doubtful))
        pairs = zip(reports, doubtful, strict=True)
        reports = [report for report, problem in pairs if problem is None]
    ended = segment.complete is not None
    problems.extend(
        add_reports(document.path, cells, reports, banner, known, whole=ended)
    )


def _adds_cells(report: Report, known: Collection[tuple[int, int]]) -> bool:
    """Whether a report has numbers of sizes that the table lacks."""
    return any(
        number and (file, record) not in known
        for file, record, number, _ in report.cells()
    )


def _lacking_a_size(
    document: Document, report: Report, known: Collection[tuple[int, int]]
) -> ParseError | None:
    """Doubt a report that has other record sizes instead of those of the table."""
    files = {file for file, *_ in report.rows}
    lacking = {record for file, record in known if file in files} - {*report.records}
    if report.cpu or not lacking:
        return None
    return InconsistentDataError(
        document.path,
        report.place,
        f"the record sizes of the table in the report of {report.operation}",
        f"none of {', '.join(map(str, sorted(lacking)))} kB",
    )


def _read_throughput(
    document: Document,
    segment: Segment,
    banner: Banner,
    cells: Cells,
    problems: list[ParseError],
) -> tuple[Ending, str]:
    failed = find_failure(document, segment)
    # After a failure IOzone goes on, with the failed child counted as 0.
    last = segment.last if failed is None else int(failed.line) - 1
    ends = (segment.complete, segment.throughput_report)
    last = min([last, *(end - 1 for end in ends if end is not None)])
    blocks, malformed = read_blocks(
        document,
        segment.start,
        last,
        _sizes(banner),
        banner.options.threads,
        whole=segment.complete is not None and failed is None,
    )
    problems.extend(malformed)
    for block in blocks:
        block.add_to(cells)
    if minima := sum(len(block.minima_dropped) for block in blocks):
        banner.facts[MINIMA] = minima
    if segment.throughput_report is not None:
        reports = read_throughput_reports(
            document, segment.throughput_report, segment.last
        )
        problems.extend(compare_blocks(document, reports, blocks))
    ending = read_ending(document, segment, f"{len(blocks)} blocks kept", None)
    return ending, _described_blocks(blocks)


def _read_report_alone(
    document: Document, segment: Segment, banner: Banner, cells: Cells
) -> tuple[Ending, str]:
    """Read what ``-R`` prints of throughput; without a command, of one column each."""
    first = segment.throughput_report or 0
    reports = read_throughput_reports(document, first, segment.last)
    threads = banner.options.threads or [None]
    add_throughput_reports(document.path, cells, reports, threads, _sizes(banner)[0])
    ending = read_ending(document, segment, f"{len(reports)} reports kept", None)
    return ending, f"{' '.join(dict.fromkeys(cells.operation))} in a report"


def _sizes(banner: Banner) -> tuple[int | None, int | None]:
    """File and record size [B] of the command line, as far as it gives one of each."""
    if "+k" in banner.options:
        return None, None
    try:
        files, records = banner.options.sizes("s"), banner.options.sizes("r")
    except ValueError:
        return None, None
    return (
        files[0] if len(files) == 1 else None,
        records[0] if len(records) == 1 else None,
    )


def _read_excel(
    document: Document,
    segment: Segment,
    banner: Banner,
    cells: Cells,
    problems: list[ParseError],
) -> tuple[Ending, str]:
    reports, malformed = read_reports(document, segment.report or 0, segment.last)
    problems.extend(malformed)
    whole = segment.complete is not None
    problems.extend(add_reports(document.path, cells, reports, banner, whole=whole))
    ending = read_ending(document, segment, f"{len(reports)} reports kept", None)
    return ending, describe(reports)


def _described(
    operations: Sequence[str], files: Iterable[int], records: Iterable[int]
) -> str:
    sizes, lengths = sorted(set(files)), sorted(set(records))
    return f"{' '.join(operations)}; files {sizes} kB, records {lengths} kB"


def _described_blocks(blocks: Sequence[Block]) -> str:
    return "; ".join(
        f"{b.operation} with {b.threads} of {b.file} B in {b.record} B" for b in blocks
    )


def _configuration(banner: Banner, measured: str) -> str:
    """Name what was asked for; without a command line, what was measured."""
    if "command_line" in banner.stated:
        return banner.options.configuration or "(default)"
    return f"unknown options: {measured}"


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
        before = segments[-1]
        if _starts_run(before, kind, document.lines[line - 1]):
            segments.append(Segment(line, start=before.complete or before.body))
        elif kind == "throughput" and (first := _begins_again(document, before, line)):
            segments.append(Segment(first, start=first))
        _note(segments[-1], line, kind, document.lines[line - 1])
    failing = _FAILURES if document.may_hold(_FAILURES) else ()
    lines = {n for words in failing for n in _lines_with(document, words)}
    failures = sorted(n for n in lines if FAILURE.match(document.lines[n - 1]))
    for segment, after in zip(segments, [*segments[1:], None], strict=True):
        segment.last = after.first - 1 if after else len(document.lines)
        at = bisect_left(failures, segment.first)
        if at < len(failures) and failures[at] <= segment.last:
            segment.failed = failures[at]
    return [s for s in segments if s.banner or s.body <= s.last]


def _marks(document: Document) -> list[tuple[int, str]]:
    """Find the lines that begin something: plain searches, as files can be long."""
    marks = []
    for text, kind in _SEARCHES.items():
        marks += [
            (line, kind)
            for line in _lines_with(document, text)
            if kind != "header" or _HEADER.search(document.lines[line - 1])
        ]
    return sorted(marks)


def _lines_with(document: Document, text: str) -> list[int]:
    if not document.may_hold((text,)):
        return []
    # a word without blanks, of which tables are full, is found quicker
    word = max(text.split(), key=len)
    found, line, start = [], 1, 0
    at = document.text.find(word)
    while at >= 0:
        line += document.text.count("\n", start, at)
        if text in document.lines[line - 1]:
            found.append(line)
        # one line counts once, however often the words stand in it
        end = document.text.find("\n", at)
        start, at = at, document.text.find(word, end) if end >= 0 else -1
    return found


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
    found = quoted(document.lines[segment.failed - 1].strip())
    return ToolFailureError(document.path, segment.failed, f'"{COMPLETE}."', found)


def read_ending(
    document: Document, segment: Segment, kept: str, cut_short: int | None
) -> Ending:
    """Tell how a run ended."""
    failed = find_failure(document, segment)
    if failed is not None:
        note = f"IOzone reported {failed.found} in line {failed.line}; {kept}"
        return Ending(False, note, failed, "failed")
    if segment.complete is None:
        return _stopped(document, segment, kept, cut_short)
    if cut_short is None:
        return Ending(True)
    row = document.lines[cut_short - 1].strip()
    broken = MalformedRowError(document.path, cut_short, "a whole row", quoted(row))
    return Ending(True, f"a broken row in line {cut_short}; {kept}", broken)


def _stopped(
    document: Document, segment: Segment, kept: str, cut_short: int | None
) -> Ending:
    if cut_short is None and not segment.banner:
        note = f"an excerpt: no end mark of the run; {kept}"
        return Ending(False, note, kind="excerpt")
    line = cut_short or segment.last
    found = "a row cut short" if cut_short else "the end of the run"
    expected = f'"{COMPLETE}."' if segment.banner else "a whole row"
    problem = TruncatedInputError(document.path, line, expected, found)
    return Ending(False, f"stops early in line {line}; {kept}", problem, "early")
