"""dd: the line with the bytes and the seconds with which it ends.

::

    $ dd if=/dev/zero of=/mnt/nfs/blob bs=1M count=1024 conv=fdatasync
    1024+0 records in
    1024+0 records out
    1073741824 bytes (1.1 GB, 1.0 GiB) copied, 2.37104 s, 453 MB/s

    1048576000 bytes transferred in 2.106246 secs (497841182 bytes/sec)      BSD, macOS
    104857600 bytes (100.0MB) copied, 0.418340 seconds, 239.0MB/s            busybox

- Bytes over seconds are more exact than the rate, which has two or three digits, and
  must agree with it (GNU: ``print_xfer_stats`` of ``dd.c``; BSD: ``summary`` of
  ``misc.c``). Words and decimal signs are those of the user's language.
- What was done stands only in the command: from ``/dev/zero`` it is a write, to
  ``/dev/null`` a read, else a transfer. ``conv``, ``oflag`` and ``iflag`` tell runs
  apart, for ``fdatasync`` and ``direct`` change what is measured.
- ``status=progress`` prints such a line again and again, and the number of records
  above the last one, which counts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    quoted,
)
from fsviz.model.runs import Cells, Note, Reading, Run
from fsviz.model.units import half_last_digit
from fsviz.readers.document import Document, read_parts, reading_of
from fsviz.readers.labels import systems_above

COPIED = re.compile(
    r"[ \t]*+(?P<bytes>\d{1,15}) ?[^\W\d]{1,20} ?"
    r"(?:(?:\([^()\n]{1,40}\) ?)?[^\W\d]{1,20} ?[,，] ?"
    r"(?P<seconds>\d{1,9}(?:[.,]\d{1,9})?(?:e[-+]\d\d)?) [^\W\d]{1,10}[,，] ?"
    r"(?:(?P<rate>\d{1,9}(?:[.,]\d{1,9})?) ?(?P<power>[kKMGT]?)|Infinity )B/s"
    r"|transferred in (?P<time>\d{1,9}(?:[.,]\d{1,9})?) secs? "
    r"\((?P<bare>\d{1,15}) bytes/sec\))[ \t]*"
)
_RECORDS = re.compile(r"[ \t]*+\d+\+\d+ \D+")
_COMMAND = re.compile(
    r"(?:^|[\s;|&(])dd\s+(?:\w+=[^\s|;&)]+\s*)+"
    r"(?:(?:\|[^;&]{0,80}?)?(?<!\d)>\s*[^\s|;&)]+)?"
)
_OPERAND = re.compile(r"\b(if|of|bs|conv|oflag|iflag)=(\S+)")
_INTO = re.compile(r"(?<!\d)>\s*")
_BLOCK = re.compile(r"(\d{1,9})(?:([kKmMgG])(B?)|())")
_FAILED = re.compile(r"[ \t]*+dd: .*: .*")
_ZEROS = ("/dev/zero", "/dev/urandom", "/dev/random")
_AGREES = 0.08
"""Two digits leave 5 %, and busybox's GB are 2**30 bytes. GNU has no unit below kB."""


@dataclass(slots=True)
class _Result:
    """One such line, and what stands above it."""

    line: int
    match: re.Match[str]
    command: str
    failure: str
    operands: dict[str, str]

    @property
    def target(self) -> str:
        """What was measured: where it wrote, or where it read."""
        names = [self.operands.get(name, "") for name in ("of", "if")]
        return next((n for n in names if n and not n.startswith("/dev/")), "")


def read_dd(document: Document) -> Reading:
    """Read each result of dd."""
    problems: list[ParseError] = []
    path, listed = document.path, _results(document.lines)
    results, runs = read_parts(path, listed, lambda r: _run(path, r), problems)
    starts = [result.line for result in results]
    targets = [f"dd {result.target}" for result in results]
    systems = systems_above(document.lines, starts, targets)
    bare = [result.line for result in results if not result.command][:1]
    remark = (
        "no dd command above it: nobody knows what it read and wrote; this keeps it: "
        '(echo "$ dd …"; dd …) 2>&1 | tee LOG'
    )
    notes = [Note(path, line, remark) for line in bare]
    return reading_of(document, runs, systems, problems, "a result of dd", notes)


def _run(path: str, result: _Result) -> Run:
    operands = sorted(result.operands.items())
    named = [f"{n}={v}" for n, v in operands if n in ("conv", "iflag", "oflag")]
    return Run(
        tool="dd",
        cells=_cells(path, result),
        configuration=" ".join(named) or "(default)",
        complete=not result.failure,
        command_line=result.command,
        note=result.failure,
    )


def _results(lines: Sequence[str]) -> Iterator[_Result]:
    """Find the last state of each dd: other text follows, or its records are above.

    What stands right above the records is progress.
    """
    command = failure = ""
    states: list[tuple[int, re.Match[str]]] = []
    is_counted = False
    for number, line in enumerate([*lines, ""], 1):
        match = COPIED.search(line) if "/s" in line else None
        if match:
            states = [*([] if is_counted else states), (number, match)]
        has_records = _RECORDS.fullmatch(line) is not None
        failed = _FAILED.fullmatch(line)
        if (match and is_counted) or not (match or has_records or failed):
            for at, state in states:
                # of two targets the first, for what follows is a log
                words = _OPERAND.findall(_INTO.sub(" of=", command))
                operands = dict(reversed(words))
                yield _Result(at, state, command, failure, operands)
                command = failure = ""
            states = []
        if typed := _COMMAND.search(line):
            command = typed[0].strip(" \t;|&(")
        elif failed:
            failure = line.strip()
        is_counted = has_records


def _cells(path: str, result: _Result) -> Cells:
    match = result.match
    text = (match["seconds"] or match["time"]).replace(",", ".")
    amount, seconds = int(match["bytes"]), float(text)
    printed = quoted(match.string.strip())
    if match[0] != match.string:
        expected = "a result of dd on a line by itself"
        raise MalformedRowError(path, result.line, expected, printed)
    if not amount or not seconds:
        expected = "bytes, and a time above 0"
        raise MalformedRowError(path, result.line, expected, printed)
    half = half_last_digit(text) if "e" not in text else 0.0
    rate = (match["rate"] or match["bare"] or "0").replace(",", ".")
    unit = 1000 ** ("kmgt".find((match["power"] or "?").lower()) + 1)
    off = unit * max(_AGREES * float(rate), half_last_digit(rate))
    if abs(unit * float(rate) - amount / seconds) > off:
        expected = "bytes over seconds as the rate"
        raise InconsistentDataError(path, result.line, expected, printed)
    cells = Cells()
    cells.add(
        _operation(result.operands),
        "throughput",
        amount / seconds,
        f"line {result.line}",
        low=amount / (seconds + half),
        high=amount / (seconds - half) if seconds > half else float("inf"),
        file_size=amount,
        record_size=_block(result.operands.get("bs", "")),
    )
    return cells


def _operation(operands: dict[str, str]) -> str:
    if operands.get("if") in _ZEROS:
        return "write"
    return "read" if operands.get("of") == "/dev/null" else "transfer"


def _block(text: str) -> int | None:
    """Read a block size: MB are 10**6 bytes, M are 2**20 (the manual of dd)."""
    match = _BLOCK.fullmatch(text)
    if match is None:
        return None
    power = "kmg".find((match[2] or "?").lower()) + 1
    return int(match[1]) * (1000 if match[3] else 1024) ** power
