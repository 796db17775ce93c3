"""hyperfine around rsync: its JSON export, run by run; its tables, means only.

::

    {"results": [{"command": "rsync -a src/ dst/", "mean": 0.2505, …,
                  "times": [0.2410, 0.2179, 0.2926], "exit_codes": [0, 0, 0]}]}

hyperfine 2 writes the same as ``measurements`` of ``time_wall_clock``, beside memory,
which is not read (its ``schema_version`` is 2).

Each element of ``times`` is one run. The CSV, Markdown and console forms print a mean
over runs: that is one number, and a note says what it is. The spread that stands beside
it is a fact, not a bound. Times of commands that are not rsync are refused.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from fsviz.model.errors import (
    InconsistentDataError,
    InvalidModeError,
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TruncatedInputError,
    nothing_usable,
    quoted,
)
from fsviz.model.runs import MISSING, STANDS_FOR, Cells, Reading, Run
from fsviz.model.units import half_last_digit
from fsviz.readers.document import (
    LONGEST_TEXT,
    MOST_RUNS,
    Document,
    json_objects,
    too_many_runs,
)
from fsviz.readers.labels import headings, told_apart
from fsviz.readers.rsync.commands import configuration_of, is_copy, tool_of
from fsviz.readers.rsync.text import add_times
from fsviz.readers.rsync.time import Printed, Timing

_UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "μs": 1e-6, "us": 1e-6}
_CSV = "command,mean,stddev,median,user,system,min,max"
_COLUMNS = _CSV.split(",")
_N = r"(\d+(?:\.\d+)?)"
_U = r"(s|ms|µs|μs|us)"
_MARKDOWN = re.compile(
    rf"\s*+\|?\s*+Command[^|]*+\|\s*+Mean (?:Wall Time )?\[{_U}\]\s*+\|"
)
_ANY_MARKDOWN = re.compile(
    r"(?:[^`|]*+\|)+?\s*+Mean (?:[A-Z][A-Za-z ]{1,24} )?\[[^\]|]{1,9}\]\s*+\|"
)
_BENCHMARK = re.compile(r"\s*Benchmark #?(\d+): (.+)")
_TIME_START = re.compile(
    r"\s*Time \((?:mean (?:±|\+/-) (?:σ|stddev|s)|abs (?:≡|=+))\):"
)
# one run has neither a spread nor a range
_TIME = re.compile(
    rf"\s*Time \((mean|abs) .*?\):\s+{_N} {_U}(?:\s+(?:±|\+/-)\s+{_N} {_U})?"
    rf"(?:\s+\[User: {_N} {_U}, System: {_N} {_U}\])?\s*"
)
_RANGE = re.compile(
    rf"\s*Range \(min .*?\):\s+{_N} {_U}\s+(?:…|\.\.\.?)\s+{_N} {_U}"
    r"(?:\s+(\d{1,9}) runs)?\s*"
)
_WALL = "time_wall_clock"
_CSV_2 = re.compile(rf"command,(?:\w+,)*{_WALL}_unit,{_WALL}_mean,.*")
_WALL_START = re.compile(r"\s+Wall Time\s+\d")
_WALL_TIME = re.compile(
    rf"\s+Wall Time\s+{_N} {_U}(?:\s+(?:±|\+/-)\s+{_N} {_U}\s+{_N} {_U}\s+"
    rf"(?:…|\.\.\.?)\s+{_N} {_U})?(?:\s+[+-]\d\S*%.*)?\s*"
)
_RUNS = re.compile(r"(.+) \((\d{1,9}) runs?\)")
_IGNORED = "Ignoring non-zero exit code"
_WARNINGS = 10
"""Lines below a result that may hold its warnings."""
_MEAN = re.compile(rf"{_N}(?:\s*(?:±|\+/-)\s*{_N})?")
_SEPARATOR = re.compile(r"[\s:|+-]+")
_CUT_ROW = re.compile(r"\s*`(?!``)")


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean time of one command over some runs [s].

    ``section`` is the line on which the table or the console text of its invocation
    begins. ``failed`` is the line that says that a command failed (``-i``).
    """

    line: int
    section: int
    command: str
    elapsed: Printed
    user: Printed | None = None
    system: Printed | None = None
    runs: int | None = None
    facts: dict[str, object] = field(default_factory=dict)
    failed: int | None = None


def find_means(path: str, lines: Sequence[str]) -> Iterator[Mean | ParseError]:
    """Find every mean that hyperfine printed."""
    command, index, section, open_since = "", 0, 1, 0
    while index < len(lines):
        line = lines[index]
        benchmark = _BENCHMARK.fullmatch(line)
        if benchmark:
            if open_since:
                yield _without_time(path, open_since)
            command, open_since = benchmark[2].strip(), index + 1
            section = index + 1 if benchmark[1] == "1" else section
        try:
            if line.startswith(_CSV):
                index = yield from _read_csv(path, lines, index)
                continue
            if _CSV_2.fullmatch(line):
                index = yield from _read_csv(path, lines, index)
                continue
            if _MARKDOWN.match(line):
                index = yield from _read_markdown(path, lines, index)
                continue
            if _ANY_MARKDOWN.match(line):
                what = "a table whose columns begin with Command and Mean [s], [ms]"
                yield MalformedRowError(path, index + 1, what, quoted(line.strip()))
            if _TIME_START.match(line):
                open_since = 0
                yield _read_console(path, lines, index, section, command)
            elif _WALL_START.match(line) and open_since:
                open_since = 0
                yield _read_wall_time(path, lines, index, section, command)
        except ParseError as problem:
            yield problem
        index += 1
    if open_since:
        yield _without_time(path, open_since)


def _without_time(path: str, line: int) -> ParseError:
    what = "the time of this benchmark"
    return TruncatedInputError(path, line, what, "none before the next or the end")


def _begins_another(line: str) -> bool:
    """Whether a line ends a table: a header, console text or the end of a quote."""
    return (
        line.startswith((_CSV, "```"))
        or _CSV_2.fullmatch(line) is not None
        or _MARKDOWN.match(line) is not None
        or _BENCHMARK.fullmatch(line) is not None
    )


def _read_csv(
    path: str, lines: Sequence[str], index: int
) -> Generator[Mean | ParseError, None, int]:
    names = next(csv.reader([lines[index]]))
    prefix = f"{_WALL}_" if _CSV_2.fullmatch(lines[index]) else ""
    statistics = ("mean", "stddev", "median", "min", "max")
    needed = [prefix + name for name in statistics] if prefix else _COLUMNS
    if lacking := [name for name in needed if names.count(name) != 1]:
        what = f"a header with one column {lacking[0]}"
        raise MalformedRowError(path, index + 1, what, quoted(lines[index]))
    for at in range(index + 1, len(lines)):
        if not lines[at].strip():
            continue
        if _begins_another(lines[at]):
            return at
        fields = next(csv.reader([lines[at]]))
        if len(fields) != len(names):
            what = f"{len(names)} fields"
            yield TruncatedInputError(path, at + 1, what, str(len(fields)))
            continue
        row = dict(zip(names, fields, strict=True))
        scale = _UNITS.get(row[f"{prefix}unit"], MISSING) if prefix else 1.0
        try:
            yield Mean(
                at + 1,
                index + 1,
                row["command"],
                _exact(path, at + 1, row[f"{prefix}mean"], scale),
                None if prefix else _exact(path, at + 1, row["user"]),
                None if prefix else _exact(path, at + 1, row["system"]),
                facts={
                    name: _exact(path, at + 1, row[prefix + name], scale).value
                    for name in ("stddev", "median", "min", "max")
                    if row[prefix + name]
                },
            )
        except ParseError as problem:
            yield problem
    return len(lines)


def _exact(path: str, line: int, text: str, scale: float = 1.0) -> Printed:
    if not re.fullmatch(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", text) or scale != scale:
        raise MalformedRowError(path, line, "a number of seconds", quoted(text))
    value = float(text) * scale
    return Printed(value, value, value)


def _scaled(number: str, unit: str) -> Printed:
    value, half, scale = float(number), half_last_digit(number), _UNITS[unit]
    low, high = max(0.0, value - half) * scale, (value + half) * scale
    return Printed(value * scale, low, high)


def _read_markdown(
    path: str, lines: Sequence[str], index: int
) -> Generator[Mean | ParseError, None, int]:
    header = _MARKDOWN.match(lines[index])
    unit = header[1] if header else "s"
    at, wanted = index + 1, len(_cells_of(lines[index]))
    while at < len(lines) and "|" in lines[at] and not _ANY_MARKDOWN.match(lines[at]):
        cells = _cells_of(lines[at])
        match = _MEAN.fullmatch(cells[1] if len(cells) > 1 else "")
        if len(cells) < wanted:
            found = f"{len(cells)}: {quoted(lines[at].strip())}"
            yield TruncatedInputError(path, at + 1, f"{wanted} cells", found)
        elif _SEPARATOR.fullmatch(lines[at]):
            pass
        elif match is None:
            yield MalformedRowError(
                path, at + 1, "a mean such as 289.4 ± 51.4", quoted(lines[at].strip())
            )
        else:
            facts: dict[str, object] = {}
            if match[2]:
                facts["stddev"] = _scaled(match[2], unit).value
            yield Mean(
                at + 1,
                index + 1,
                cells[0].strip("`= "),
                _scaled(match[1], unit),
                facts=facts,
            )
        at += 1
    if at < len(lines) and _CUT_ROW.match(lines[at]):
        found = quoted(lines[at].strip())
        yield TruncatedInputError(path, at + 1, f"{wanted} cells", found)
    return at


def _cells_of(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _read_console(
    path: str, lines: Sequence[str], index: int, section: int, command: str
) -> Mean:
    match = _TIME.fullmatch(lines[index])
    one = match is not None and match[1] == "abs"
    if match is None or one != (match[4] is None):
        what = "a mean such as 289.4 ms ± 51.4 ms"
        raise MalformedRowError(path, index + 1, what, quoted(lines[index].strip()))
    spread = _RANGE.fullmatch(lines[index + 1]) if index + 1 < len(lines) else None
    facts: dict[str, object] = {}
    if match[4]:
        facts["stddev"] = _scaled(match[4], match[5]).value
    if spread:
        facts["min"] = _scaled(spread[1], spread[2]).value
        facts["max"] = _scaled(spread[3], spread[4]).value
    return Mean(
        index + 1,
        section,
        command,
        _scaled(match[2], match[3]),
        _scaled(match[6], match[7]) if match[6] else None,
        _scaled(match[8], match[9]) if match[8] else None,
        1 if one else int(spread[5]) if spread and spread[5] else None,
        facts,
        _failed(lines, index),
    )


def _read_wall_time(
    path: str, lines: Sequence[str], index: int, section: int, command: str
) -> Mean:
    """Read the console text of hyperfine 2, which has the runs beside the command."""
    match, own = _WALL_TIME.fullmatch(lines[index]), _RUNS.fullmatch(command)
    if match is None or own is None or (own[2] == "1") != (match[3] is None):
        what = "a wall time such as 4.2 ms ± 1.9 ms, of a command with its runs"
        raise MalformedRowError(path, index + 1, what, quoted(lines[index].strip()))
    names = ("stddev", "min", "max") if match[3] else ()
    pairs = zip(names, match.groups()[2::2], match.groups()[3::2], strict=False)
    return Mean(
        index + 1,
        section,
        own[1],
        _scaled(match[1], match[2]),
        runs=int(own[2]),
        facts={name: _scaled(*printed).value for name, *printed in pairs},
        failed=_failed(lines, index),
    )


def _failed(lines: Sequence[str], index: int) -> int | None:
    """Find the line below a result on which hyperfine says that a command failed."""
    for at in range(index + 1, min(index + _WARNINGS, len(lines))):
        if _IGNORED in lines[at]:
            return at + 1
        if _BENCHMARK.fullmatch(lines[at]):
            break
    return None


# The forms of hyperfine's output that print means: CSV, Markdown, console.
#
# ::
#
#     command,mean,stddev,median,user,system,min,max
#     rsync -a src/ dst/,0.28937,0.0513,0.27378,0.0136,0.1778,0.2470,0.3766
#
#     | Command | Mean [ms] | Min [ms] | Max [ms] | Relative |
#     | `rsync -a src/ dst/` | 289.4 ± 51.4 | 247.0 | 376.6 | 1.25 ± 0.23 |
#
#     Benchmark 1: rsync -a src/ dst/
#       Time (mean ± σ):     289.4 ms ±  51.4 ms    [User: 13.7 ms, System: 177.9 ms]
#       Range (min … max):   247.0 ms … 376.6 ms    5 runs

_CLOSE = 1e-9


def read_hyperfine(document: Document) -> Reading:
    """Read what hyperfine exported or printed about rsync.

    >>> from fsviz.readers.document import decode
    >>> text = b'{"results": [{"command": "rsync -a a/ b/", "times": [0.25, 0.5]}]}'
    >>> runs = read_hyperfine(decode("h.json", text)).runs
    >>> [run.cells.value for run in runs], runs[0].configuration
    ([[0.25], [0.5]], 'rsync -a')
    """
    exported = ((1, part) for part in _from_json(document))
    parts = chain(exported, _from_tables(document))
    found = list(islice(parts, MOST_RUNS))
    for _, part in islice(parts, 1):
        found.append((1, too_many_runs(document.path, _place(part))))
    runs = [part for _, part in found if isinstance(part, Run)]
    problems = [part for _, part in found if isinstance(part, ParseError)]
    if not runs:
        nothing = MalformedRowError(document.path, 1, "a result of hyperfine", "none")
        raise nothing_usable(problems or [nothing])
    sections = [line for line, part in found if isinstance(part, Run)]
    labels = _section_labels(document, sections)
    numbered = [
        replace(
            run, identity=f"{document.digest}-{k}", system=" ".join(filter(None, own))
        )
        for k, (run, *own) in enumerate(
            zip(runs, labels, _systems(runs, labels), strict=True), 1
        )
    ]
    return Reading(tuple(numbered), tuple(problems))


def _place(part: Run | ParseError) -> int | str:
    if isinstance(part, ParseError):
        return part.line
    return part.cells.locator[0]


def _section_labels(document: Document, sections: Sequence[int]) -> list[str]:
    """Name each run by the heading above its table, where headings tell these apart."""
    starts = sorted(set(sections))
    named = dict(zip(starts, headings(document.lines, starts), strict=True))
    return [named[line] for line in sections]


def _systems(runs: Sequence[Run], labels: Sequence[str]) -> list[str]:
    """Name what was timed where a file, or what stands below a heading, has several."""
    parameters = [run.facts.get("parameters") for run in runs]
    if all(isinstance(own, dict) and own for own in parameters):
        texts = [
            " ".join(f"{name}={value}" for name, value in own.items())
            for own in parameters
            if isinstance(own, dict)
        ]
        if len(set(texts)) > 1:
            return texts
    named = [""] * len(runs)
    for label in dict.fromkeys(labels):
        places = [n for n, own in enumerate(labels) if own == label]
        below = told_apart([runs[n].command_line for n in places])
        for n, name in zip(places, below, strict=True):
            named[n] = name
    return named


def _from_json(document: Document) -> Iterator[Run | ParseError]:
    try:
        exports = (
            json_objects(document, "JSON", key) for key in ("results", "schema_version")
        )
        for number, export in enumerate(chain.from_iterable(exports)):
            prefix = f"exports[{number}]." if number else ""
            yield from _exported(document, export, prefix)
    except ParseError as problem:
        yield problem


def _exported(
    document: Document, export: object, prefix: str
) -> Iterator[Run | ParseError]:
    """Read one export; several may follow one another in a file."""
    path = document.path
    if not isinstance(export, dict) or "results" not in export:
        raise MalformedRowError(path, 1, 'an object with "results"', "none")
    results = export["results"]
    if not isinstance(results, list):
        where = f"{prefix}results"
        raise MalformedRowError(path, where, "a list", type(results).__name__)
    for number, result in enumerate(results):
        where = f"{prefix}results[{number}]"
        try:
            yield from _runs_of(document, where, result)
        except ParseError as problem:
            yield problem


def _runs_of(
    document: Document, where: str, result: object
) -> Iterator[Run | ParseError]:
    path = document.path
    if not isinstance(result, dict) or not isinstance(result.get("command"), str):
        raise MalformedRowError(path, where, "a command and its times", "neither")
    command, result = result["command"], _as_before(result)
    _refuse_another_command(path, where, command)
    if (length := len(str(result.get("parameters")))) > LONGEST_TEXT:
        expected = f"parameters of at most {LONGEST_TEXT} characters"
        raise MalformedRowError(path, where, expected, str(length))
    times = _times(path, where, result)
    codes = result.get("exit_codes") or [0] * len(times)
    if not isinstance(codes, list) or len(codes) != len(times):
        raise InconsistentDataError(
            path, where, f"{len(times)} exit codes", quoted(str(codes))
        )
    for k, (seconds, code) in enumerate(zip(times, codes, strict=True)):
        locator = f"{where}.times[{k}]"
        cells = Cells()
        cells.add("transfer", "elapsed", seconds, locator, low=seconds, high=seconds)
        note = "" if code == 0 else f"exit status {code}"
        yield _run(document, command, cells, _facts(result), note, code == 0)
        if code != 0:
            status = "an unknown exit status" if code is None else note
            yield ToolFailureError(path, locator, "a complete copy", status)


def _as_before(result: Mapping[str, object]) -> Mapping[str, object]:
    """Give what hyperfine 2 exports the names of hyperfine 1."""
    runs = result.get("measurements")
    if not isinstance(runs, list) or "times" in result:
        return result
    summary = result.get("summary")
    parameters = result.get("parameters")
    named = parameters.items() if isinstance(parameters, dict) else ()
    return {
        "command": result["command"],
        "times": [_value_of(run, _WALL, "value") for run in runs],
        "exit_codes": [_value_of(run, "exit_code") for run in runs],
        "mean": _value_of(summary, _WALL, "mean"),
        "user": _value_of(summary, "time_user", "mean"),
        "system": _value_of(summary, "time_system", "mean"),
        "parameters": {name: _value_of(own, "value") for name, own in named},
    }


def _value_of(values: object, *names: str) -> object:
    for name in names:
        values = values.get(name) if isinstance(values, dict) else None
    return values


def _times(path: str, where: str, result: Mapping[str, object]) -> list[float]:
    times = result.get("times")
    if not isinstance(times, list) or not times:
        raise MalformedRowError(path, where, "times of its runs", quoted(str(times)))
    for k, seconds in enumerate(times):
        number = isinstance(seconds, int | float) and not isinstance(seconds, bool)
        if not number or not math.isfinite(seconds) or seconds < 0:
            raise MalformedRowError(
                path, f"{where}.times[{k}]", "seconds", quoted(str(seconds))
            )
    mean = result.get("mean")
    if isinstance(mean, int | float) and not math.isclose(
        mean, math.fsum(times) / len(times), rel_tol=_CLOSE
    ):
        raise InconsistentDataError(
            path, where, f"times with the mean {mean:g}", "another mean"
        )
    return [float(seconds) for seconds in times]


def _refuse_another_command(path: str, where: int | str, command: str) -> None:
    if not is_copy(command):
        raise InvalidModeError(path, where, "a timed copy", quoted(command))


def _facts(result: Mapping[str, object]) -> dict[str, object]:
    facts: dict[str, object] = {"form": "hyperfine"}
    if isinstance(result.get("mean"), int | float):
        facts["mean_seconds"] = result["mean"]
    parameters = result.get("parameters")
    if isinstance(parameters, dict):
        facts["parameters"] = parameters
    for name in ("user", "system"):
        if isinstance(result.get(name), int | float):
            facts[f"mean_{name}_seconds"] = result[name]
    return facts


def _run(
    document: Document,
    command: str,
    cells: Cells,
    facts: Mapping[str, object],
    note: str,
    complete: bool = True,
) -> Run:
    return Run(
        tool=tool_of(command),
        identity="",
        source=document.path,
        cells=cells,
        configuration=configuration_of(command),
        complete=complete,
        command_line=command,
        note=note,
        facts=facts,
    )


def _from_tables(document: Document) -> Iterator[tuple[int, Run | ParseError]]:
    """Read the means; each comes with the line on which its table begins."""
    for mean in find_means(document.path, document.lines):
        if isinstance(mean, ParseError):
            yield 1, mean
            continue
        try:
            _refuse_another_command(document.path, mean.line, mean.command)
        except InvalidModeError as problem:
            yield mean.section, problem
            continue
        runs = f"{mean.runs} runs" if mean.runs else "an unknown number of runs"
        cells = Cells()
        timing = Timing(mean.line, mean.elapsed, mean.user, mean.system)
        add_times(cells, f"line {mean.line}", timing)
        facts = {"form": "hyperfine", **mean.facts, STANDS_FOR: "mean"}
        note = "the time of one run" if mean.runs == 1 else f"the mean of {runs}"
        whole = mean.failed is None
        yield mean.section, _run(document, mean.command, cells, facts, note, whole)
        if mean.failed is not None:
            status = "a non-zero exit code that was ignored"
            yield (
                mean.section,
                ToolFailureError(document.path, mean.failed, "a complete copy", status),
            )
