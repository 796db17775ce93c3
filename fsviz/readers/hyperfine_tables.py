"""The forms of hyperfine's output that print means: CSV, Markdown, console.

::

    command,mean,stddev,median,user,system,min,max
    rsync -a src/ dst/,0.28937,0.0513,0.27378,0.0136,0.1778,0.2470,0.3766

    | Command | Mean [ms] | Min [ms] | Max [ms] | Relative |
    | `rsync -a src/ dst/` | 289.4 ± 51.4 | 247.0 | 376.6 | 1.25 ± 0.23 |

    Benchmark 1: rsync -a src/ dst/
      Time (mean ± σ):     289.4 ms ±  51.4 ms    [User: 13.7 ms, System: 177.9 ms]
      Range (min … max):   247.0 ms … 376.6 ms    5 runs
"""

from __future__ import annotations

import csv
import re
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field

from fsviz.model.errors import (
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    quoted,
)
from fsviz.model.units import half_last_digit
from fsviz.readers.timings import Printed

_UNITS = {"s": 1.0, "ms": 1e-3, "µs": 1e-6, "μs": 1e-6, "us": 1e-6}
_CSV = "command,mean,stddev,median,user,system,min,max"
_N = r"(\d+(?:\.\d+)?)"
_U = r"(s|ms|µs|μs|us)"
_MARKDOWN = re.compile(rf"\s*\|?\s*Command[^|]*\|\s*Mean \[{_U}\]\s*\|")
_BENCHMARK = re.compile(r"\s*Benchmark #?\d+: (.+)")
_TIME_START = re.compile(r"\s*Time \(mean (?:±|\+/-) (?:σ|stddev|s)\):")
_TIME = re.compile(
    rf"\s*Time \(mean .*?\):\s+{_N} {_U}\s+(?:±|\+/-)\s+{_N} {_U}"
    rf"(?:\s+\[User: {_N} {_U}, System: {_N} {_U}\])?\s*"
)
_RANGE = re.compile(
    rf"\s*Range \(min .*?\):\s+{_N} {_U}\s+(?:…|\.\.\.?)\s+{_N} {_U}"
    r"(?:\s+(\d+) runs)?\s*"
)
_MEAN = re.compile(rf"{_N}(?:\s*(?:±|\+/-)\s*{_N})?")
_SEPARATOR = re.compile(r"[\s:|-]+")


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean time of one command over some runs [s]."""

    line: int
    command: str
    elapsed: Printed
    user: Printed | None = None
    system: Printed | None = None
    runs: int | None = None
    facts: dict[str, object] = field(default_factory=dict)


def find_means(path: str, lines: Sequence[str]) -> Iterator[Mean | ParseError]:
    """Find every mean that hyperfine printed.

    Parameters
    ----------
    path : str
        The file, for messages.
    lines : sequence of str
        All its lines.

    Yields
    ------
    Mean or ParseError
        Each in turn, or what is wrong with it.
    """
    command, index = "", 0
    while index < len(lines):
        line = lines[index]
        benchmark = _BENCHMARK.fullmatch(line)
        command = benchmark[1].strip() if benchmark else command
        try:
            if line.startswith(_CSV):
                yield from _read_csv(path, lines, index)
                return
            if _MARKDOWN.match(line):
                index = yield from _read_markdown(path, lines, index)
                continue
            if _TIME_START.match(line):
                yield _read_console(path, lines, index, command)
        except ParseError as problem:
            yield problem
        index += 1


def _read_csv(
    path: str, lines: Sequence[str], index: int
) -> Iterator[Mean | ParseError]:
    names = next(csv.reader([lines[index]]))
    for at in range(index + 1, len(lines)):
        if not lines[at].strip():
            continue
        fields = next(csv.reader([lines[at]]))
        if len(fields) != len(names):
            what = f"{len(names)} fields"
            yield TruncatedInputError(path, at + 1, what, str(len(fields)))
            continue
        row = dict(zip(names, fields, strict=True))
        try:
            yield Mean(
                at + 1,
                row["command"],
                _exact(path, at + 1, row["mean"]),
                _exact(path, at + 1, row["user"]),
                _exact(path, at + 1, row["system"]),
                facts={
                    name: _exact(path, at + 1, row[name]).value
                    for name in ("stddev", "median", "min", "max")
                    if row[name]
                },
            )
        except ParseError as problem:
            yield problem


def _exact(path: str, line: int, text: str) -> Printed:
    if not re.fullmatch(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?", text):
        raise MalformedRowError(path, line, "a number of seconds", quoted(text))
    value = float(text)
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
    at = index + 1
    while at < len(lines) and "|" in lines[at]:
        cells = [cell.strip() for cell in lines[at].strip().strip("|").split("|")]
        match = _MEAN.fullmatch(cells[1] if len(cells) > 1 else "")
        if _SEPARATOR.fullmatch(lines[at]):
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
                cells[0].strip("` "),
                _scaled(match[1], unit),
                facts=facts,
            )
        at += 1
    return at


def _read_console(path: str, lines: Sequence[str], index: int, command: str) -> Mean:
    match = _TIME.fullmatch(lines[index])
    if match is None:
        what = "a mean such as 289.4 ms ± 51.4 ms"
        raise MalformedRowError(path, index + 1, what, quoted(lines[index].strip()))
    spread = _RANGE.fullmatch(lines[index + 1]) if index + 1 < len(lines) else None
    facts: dict[str, object] = {"stddev": _scaled(match[3], match[4]).value}
    if spread:
        facts["min"] = _scaled(spread[1], spread[2]).value
        facts["max"] = _scaled(spread[3], spread[4]).value
    return Mean(
        index + 1,
        command,
        _scaled(match[1], match[2]),
        _scaled(match[5], match[6]) if match[5] else None,
        _scaled(match[7], match[8]) if match[7] else None,
        int(spread[5]) if spread and spread[5] else None,
        facts,
    )
