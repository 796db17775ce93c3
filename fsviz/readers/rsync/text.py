"""rsync: how long a copy took (the output of ``time``) and what it moved (``--stats``).

Both may stand in one file or each in a file of its own. How they look is described in
`fsviz.readers.rsync._time` and `fsviz.readers.rsync._stats`. A report and the
timing next to it are one run; rsync's own ``bytes/sec`` is never a measurement.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fsviz.model.errors import (
    InvalidModeError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TooManyRunsError,
    TruncatedInputError,
    quoted,
)
from fsviz.model.runs import Cells, Note, Reading, Run
from fsviz.model.units import significant
from fsviz.readers.document import MOST_RUNS, Document, reading_of, too_many_runs
from fsviz.readers.labels import command_in, differing_words, headings_above
from fsviz.readers.rsync._stats import Report, find_progress, find_report
from fsviz.readers.rsync._time import Timing, cpu_share, find_timing
from fsviz.readers.rsync.commands import (
    configuration_of,
    is_copy,
    prompted_command,
    tool_of,
)

_LOG_PREFIX = re.compile(
    r"^(\d{4})/(\d\d)/(\d\d) (\d\d:\d\d:\d\d) \[(?P<process>\d+)\] "
)
_REST = re.compile(r"\s*(?:user|sys)\s+\S")
_FAILURE = re.compile(
    r"rsync (?:error|warning): .*\(code (\d+)\)"
    r"|Command exited with non-zero status (\d+)|Command terminated by signal (\d+)"
)


@dataclass(frozen=True, slots=True)
class _Failure:
    """A line that says that rsync did not succeed."""

    line: int
    text: str


class _Typed(str):
    """A command without ``time`` above a timing."""

    __slots__ = ()


@dataclass(slots=True)
class _Invocation:
    """One run of rsync: its report, its timing, or both."""

    report: Report | None = None
    timing: Timing | None = None
    command: str = ""
    failure: _Failure | None = None


def read_rsync(document: Document) -> Reading:
    r"""Read timings and statistics of rsync.

    >>> from fsviz.readers.document import decode
    >>> text = b"real\t0m6.869s\nuser\t0m0.990s\nsys\t0m0.070s\n"
    >>> run, = read_rsync(decode("rep1.time.txt", text)).runs
    >>> run.cells.metric, run.cells.value[0]
    (['elapsed', 'cpu'], 6.869)
    """
    runs: list[Run] = []
    problems: list[ParseError] = []
    parts: list[_Invocation] = []
    path = document.path
    for part in _invocations(path, document.lines):
        if isinstance(part, ParseError):
            problems.append(part)
            continue
        try:
            runs.append(_run(path, part))
            parts.append(part)
            problems += _shortcomings(path, part)
        except ParseError as problem:
            problems.append(problem)
    if not runs and not problems:
        report = find_progress(path, document.lines)
        if report is not None:
            parts.append(_Invocation(report))
            runs.append(_run(path, parts[0]))
            problems += _shortcomings(path, parts[0])
    runs = _with_systems(document, runs, parts)
    nothing = "the output of time or of rsync --stats"
    return reading_of(document, runs, [run.system for run in runs], problems, nothing)


def _with_systems(
    document: Document, runs: list[Run], parts: Sequence[_Invocation]
) -> list[Run]:
    """Say of each run of a file what was timed, where it is not always the same.

    Its headings do, and the words in which the commands differ.
    """
    headings = headings_above(document.lines, [_first_line(part) for part in parts])
    commands = differing_words([part.command for part in parts])
    starts = _starts(document.lines, parts)
    path = document.path
    return [
        replace(run, source=path, system=" ".join(filter(None, names)), started=started)
        for run, started, *names in zip(runs, starts, headings, commands, strict=True)
    ]


def read_beside(document: Document, ended: re.Pattern[str] | None = None) -> Reading:
    """Read the copies in a text that has another tool's output as well.

    A time is taken only with rsync's report or with a command that copies; another one
    is that of the tool, and a note names it. Where a line ends the tool's output, a
    time that no command stands above is the tool's right below that line only.
    """
    parts: list[_Invocation] = []
    runs: list[Run] = []
    notes: list[Note] = []
    problems: list[ParseError] = []
    for part in _invocations(document.path, document.lines):
        if isinstance(part, TooManyRunsError) or (
            ended is not None and isinstance(part, ParseError)
        ):
            problems.append(part)
        if isinstance(part, ParseError):
            continue
        is_own = part.report is not None or is_copy(part.command)
        if ended is not None and not part.command:
            above = document.lines[: _first_line(part) - 1]
            is_own |= not ended.search(next(filter(str.strip, above[::-1]), ""))
        text = "a time that no command says is a copy's, beside another tool's output"
        if is_own:
            try:
                runs.append(_run(document.path, part))
                parts.append(part)
                continue
            except ParseError as problem:
                text = f"expected {problem.expected}, found {problem.found}"
        notes.append(Note(document.path, _first_line(part), f"{text}: not used"))
    runs = _with_systems(document, runs, parts)
    return Reading(tuple(runs), tuple(problems), tuple(notes))


def _first_line(part: _Invocation) -> int:
    if part.timing is not None:
        return part.timing.line
    return part.report.line if part.report is not None else 1


_Event = Report | Timing | ParseError | _Failure | _Typed | str


def _invocations(path: str, lines: Sequence[str]) -> Iterator[_Invocation | ParseError]:
    """Put together what belongs to one run of rsync, in the order of the file."""
    events = list(_events(path, lines))
    order = "".join({Report: "R", Timing: "T"}.get(type(event), "") for event in events)
    # `time` prints after rsync, but the two may have been pasted the other way round
    timing_first = re.fullmatch("(?:TR)+", order) is not None
    current, typed = _Invocation(), ""
    for event in events:
        if isinstance(event, _Typed):
            typed = event
            continue
        if _belongs_to_the_next(event, current, timing_first):
            yield from _closed(path, current)
            current = _Invocation()
        if isinstance(event, Report | Timing):
            current.command = current.command or (typed if is_copy(typed) else "")
            typed = ""
        if isinstance(event, ParseError):
            yield event
        elif isinstance(event, Report):
            current.report = event
        elif isinstance(event, Timing):
            current.timing = event
            current.command = event.command or current.command
        elif isinstance(event, str):
            current.command = event
        else:
            current.failure = current.failure or event
    yield from _closed(path, current)


def _belongs_to_the_next(
    event: _Event, current: _Invocation, timing_first: bool
) -> bool:
    if isinstance(event, Report):
        return current.report is not None or (
            current.timing is not None and not timing_first
        )
    if isinstance(event, Timing | _Failure):
        return current.timing is not None
    return current.report is not None or current.timing is not None


def _events(path: str, lines: Sequence[str]) -> Iterator[_Event]:
    # Markdown and forums indent what they quote
    lines = [_LOG_PREFIX.sub("", line.lstrip(" \t")) for line in lines]
    index = blocks = 0
    while index < len(lines):
        if blocks == MOST_RUNS:
            yield too_many_runs(path, index + 1)
            return
        line = lines[index]
        index += 1
        if not line:
            continue
        if _FAILURE.search(line):
            yield _Failure(index, line.strip())
        if command := prompted_command(line) if "time" in line[:1000] else "":
            yield command
        elif typed := command_in(line):
            yield _Typed(typed)
        try:
            block = find_report(path, lines, index - 1) or find_timing(
                path, lines, index - 1
            )
        except ParseError as error:
            blocks += 1
            yield error
            # the rest of a bad block is not another bad block
            index = int(error.line)
            while index < len(lines) and _REST.match(lines[index]):
                index += 1
            continue
        if block is not None:
            blocks += 1
            yield block
            if isinstance(block, Timing) and block.problem is not None:
                yield block.problem
            index = max(index, block.last_line)


def _closed(path: str, part: _Invocation) -> Iterator[_Invocation | ParseError]:
    if part.report is not None or part.timing is not None:
        yield part
    elif part.failure is not None:
        yield ToolFailureError(
            path, part.failure.line, "a measurement", quoted(part.failure.text)
        )


def _run(path: str, part: _Invocation) -> Run:
    _refuse_other_commands(path, part)
    cells = Cells()
    facts: dict[str, object] = {}
    if part.timing is not None:
        add_timing(cells, facts, part.timing)
    if part.report is not None:
        add_report(cells, facts, part.report)
    if not cells.value and part.report is not None:
        expected = "a time or the amount that was transferred"
        alone = "rsync's summary alone, whose bytes/sec is no measurement"
        raise MalformedRowError(path, part.report.line, expected, alone)
    unfinished = part.report is not None and not part.report.finished
    failure = _failure_of(part)
    return Run(
        tool=tool_of(part.command),
        cells=cells,
        configuration=_configuration(part),
        complete=not failure and not unfinished,
        command_line=part.command,
        note="; ".join(filter(None, (failure, "cut short" if unfinished else ""))),
        facts=facts,
    )


def _starts(lines: Sequence[str], parts: Sequence[_Invocation]) -> list[str]:
    """When a log file says that each run began: at the first line of its process."""
    begun: dict[str, str] = {}
    for match in filter(None, map(_LOG_PREFIX.match, lines)):
        moment = f"{match[1]}-{match[2]}-{match[3]}T{match[4]}"
        begun.setdefault(match["process"], moment)
    reports = (part.report for part in parts)
    matches = (r and _LOG_PREFIX.match(lines[r.line - 1]) for r in reports)
    return [begun[match["process"]] if match else "" for match in matches]


def _refuse_other_commands(path: str, part: _Invocation) -> None:
    if part.command and not is_copy(part.command):
        line = part.timing.line if part.timing is not None else 1
        raise InvalidModeError(path, line, "a timed copy", quoted(part.command))
    if part.report is not None and part.report.mode:
        mode = part.report.mode.lower()
        raise InvalidModeError(
            path, part.report.last_line, "a copy", f"a {mode}, which copies nothing"
        )


def _configuration(part: _Invocation) -> str:
    options = configuration_of(part.command)
    if part.report is None:
        return options
    amounts = {name: a.stated() for name, a in part.report.amounts.items()}
    if "transferred_files" in amounts:
        moved = (
            f"{amounts.get('files', '?')} files, {amounts['transferred_files']} "
            f"transferred, {amounts.get('transferred_bytes', '?')} B"
        )
    else:
        # Only the ratio of size to traffic tells a first copy from one with no changes
        speedup = significant(float(amounts.get("speedup", 0)), 2)
        moved = f"{amounts.get('total_bytes', '?')} B, speedup about {speedup}"
    return "; ".join(filter(None, (options, moved)))


def _failure_of(part: _Invocation) -> str:
    if part.failure is not None:
        return part.failure.text
    if part.timing is not None and part.timing.status:
        return f"exit status {part.timing.status}"
    return ""


def _shortcomings(path: str, part: _Invocation) -> Iterator[ParseError]:
    """What is wrong with a run whose numbers are usable all the same."""
    if failure := _failure_of(part):
        last = part.timing.last_line if part.timing is not None else 1
        line = part.failure.line if part.failure is not None else last
        yield ToolFailureError(path, line, "a complete copy", quoted(failure))
    if part.report is not None and not part.report.finished:
        expected, line = "the line 'total size is' of rsync", part.report.last_line
        yield TruncatedInputError(path, line, expected, "the end of its report")


# From the texts of rsync and time to cells of the tidy table.


def add_timing(cells: Cells, facts: dict[str, object], timing: Timing) -> None:
    """Add elapsed time [s] and CPU use [%]; user and system time are facts."""
    for metric, number in (("elapsed", timing.elapsed), ("cpu", cpu_share(timing))):
        if number is not None:
            low, high, place = number.low, number.high, f"line {timing.line}"
            cells.add("transfer", metric, number.value, place, low=low, high=high)
    for name in ("user", "system"):
        printed = getattr(timing, name)
        if printed is not None:
            facts[f"{name}_seconds"] = printed.value


def add_report(cells: Cells, facts: dict[str, object], report: Report) -> None:
    """Add the amount [B] and the number of files that were transferred."""
    for name, metric in (("transferred_bytes", "size"), ("transferred_files", "count")):
        amount = report.amounts.get(name)
        if amount is not None:
            cells.add(
                "transfer",
                metric,
                amount.value,
                f"line {amount.line}",
                low=amount.low,
                high=amount.high,
            )
    facts.update({name: a.stated() for name, a in report.amounts.items()})
