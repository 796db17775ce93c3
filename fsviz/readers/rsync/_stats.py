"""What rsync prints at the end: the block of ``--stats`` and the two summary lines.

::

    Number of files: 1,971 (reg: 1,800, dir: 171)
    Number of regular files transferred: 1,800
    Total file size: 19,549,120 bytes
    Total transferred file size: 19,549,120 bytes
    …
    sent 19,665,246 bytes  received 35,698 bytes  3,030,914.46 bytes/sec
    total size is 19,549,120  speedup is 0.99

- The ``bytes/sec`` is no measurement: rsync divides by whole seconds plus a half.
- "Total file size" is the whole tree; what moved is "Total transferred file size".
- Where the locale's decimal sign is a comma, numbers are grouped by points.
- ``-h`` prints ``16.55M`` in powers of 1000, ``-hh`` in powers of 1024; the text does
  not tell which, so such a number is an interval.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from fsviz.model.errors import (
    AmbiguousValueError,
    InconsistentDataError,
    MalformedRowError,
    quoted,
)
from fsviz.model.runs import MISSING
from fsviz.model.units import half_last_digit

_N = r"\d[\d.,]*[KMGTP]?"
_COUNT = re.compile(rf"({_N})(?: \(([a-z]+: {_N}(?:, [a-z]+: {_N})*)\))?")
_BYTES = re.compile(rf"({_N})(?: bytes| B)()")
# some lines have no unit
_BARE = re.compile(rf"({_N})(?: bytes| B)?()")
_TIME = re.compile(r"(\d[\d.,]*) seconds()")
_LABELS: dict[str, tuple[str, re.Pattern[str]]] = {
    "Number of files": ("files", _COUNT),
    "Number of created files": ("created_files", _COUNT),
    "Number of deleted files": ("deleted_files", _COUNT),
    "Number of regular files transferred": ("transferred_files", _COUNT),
    "Number of files transferred": ("transferred_files", _COUNT),
    "Total file size": ("total_bytes", _BYTES),
    "Total transferred file size": ("transferred_bytes", _BYTES),
    "Literal data": ("literal_bytes", _BYTES),
    "Unmatched data": ("literal_bytes", _BYTES),
    "Matched data": ("matched_bytes", _BYTES),
    "File list size": ("file_list_bytes", _BARE),
    "File list generation time": ("file_list_generation_seconds", _TIME),
    "File list transfer time": ("file_list_transfer_seconds", _TIME),
    "Total bytes sent": ("sent_bytes", _BARE),
    "Total bytes received": ("received_bytes", _BARE),
    "Total bytes written": ("sent_bytes", _BARE),
    "Total bytes read": ("received_bytes", _BARE),
    "Total sent": ("sent_bytes", _BARE),
    "Total received": ("received_bytes", _BARE),
}
_SENT = re.compile(
    # up to 2.6.2 wrote and read
    rf"(?:sent|wrote) ({_N}) bytes  (?:received|read) ({_N}) bytes  "
    rf"(?:({_N}|UNKNOWN) bytes/sec|total size ({_N}))"
)
_FIRST = (
    *("Number of files: ", "Number of regular files transferred: "),
    *("Total file size: ", "Total transferred file size: "),
)
"""How a block of ``--stats`` begins, also where its first lines were not kept."""
_SUMMARY = ("sent ", "wrote ")
_TOTAL = re.compile(rf"total size is ({_N})  speedup is (\d[\d.,]*)((?: \([A-Z ]+\))?)")
_WITH_DECIMALS = ("speedup", "file_list_generation_seconds", "bytes_per_second")
_POWERS = " KMGTP"


@dataclass(frozen=True, slots=True)
class Amount:
    """A number as printed: an interval where only ``16.55M`` is."""

    value: float
    low: float
    high: float
    text: str
    line: int

    def stated(self) -> int | float | str:
        """The number as it goes into the facts: the text where it is not exact."""
        if self.value != self.value:
            return self.text
        return int(self.value) if self.value.is_integer() else self.value


@dataclass(slots=True)
class Report:
    """One end-of-run report, number by number."""

    line: int
    last_line: int = 0
    texts: list[tuple[str, str, int]] = field(default_factory=list)
    kinds: list[tuple[str, str, int]] = field(default_factory=list)
    mode: str = ""
    summed: bool = False
    finished: bool = False
    amounts: dict[str, Amount] = field(default_factory=dict)


def find_report(path: str, lines: Sequence[str], index: int) -> Report | None:
    """Read the report that starts at a line, if one does."""
    is_first = not index or lines[index - 1].partition(": ")[0] not in _LABELS
    first = _FIRST if is_first else _FIRST[:1]  # behind a damaged line nothing begins
    if not lines[index].startswith((*first, *_SUMMARY)):
        return None
    if lines[index].startswith(_SUMMARY) and not _SENT.fullmatch(lines[index]):
        if re.match(r"(?:sent|wrote) \d", lines[index]):
            expected = "the summary of rsync, sent N bytes  received N bytes"
            raise MalformedRowError(path, index + 1, expected, quoted(lines[index]))
        return None
    report = Report(index + 1)
    for at in range(index, len(lines)):
        line = lines[at].rstrip()
        if not line:
            continue
        is_another = report.texts and line.startswith("Number of files: ")
        is_another = is_another or (report.summed and line.startswith(_SUMMARY))
        if is_another or not _add_line(path, at + 1, line, report):
            break
        report.last_line = at + 1
        if report.finished:
            break
    if not report.last_line:
        expected, shown = "a line of rsync's report", quoted(lines[index])
        raise MalformedRowError(path, index + 1, expected, shown)
    resolve(path, report)
    return report


def _add_line(path: str, number: int, line: str, report: Report) -> bool:
    label, _, text = line.partition(": ")
    if text and label in _LABELS:
        name, pattern = _LABELS[label]
        match = pattern.fullmatch(text)
        if match is None:
            expected = f"a number after {label}:"
            raise MalformedRowError(path, number, expected, quoted(text))
        report.texts.append((name, match[1], number))
        if match[2]:
            report.kinds.append((name, match[2], number))
        return True
    names: tuple[str, ...] = ()
    if line.startswith(_SUMMARY):
        match = _SENT.fullmatch(line)
        report.summed = True
        names = ("sent_bytes", "received_bytes", "bytes_per_second", "total_bytes")
    elif line.startswith("total size is "):
        match = _TOTAL.fullmatch(line)
        names = ("total_bytes", "speedup")
        report.mode = match[3].strip(" ()") if match else ""
    else:
        return False
    if match is None:
        raise MalformedRowError(path, number, "the summary of rsync", quoted(line))
    for name, text in zip(names, match.groups(), strict=False):
        if text and text != "UNKNOWN":
            report.texts.append((name, text, number))
    report.finished = "speedup" in names or match.groups()[-1] is not None
    return True


def resolve(path: str, report: Report, sign: str = "") -> None:
    """Turn the texts of a report into numbers, all with the same decimal sign."""
    sign = sign or _decimal_sign(path, report)
    for name, text, line in report.texts:
        amount = _amount(path, line, text, sign)
        before = report.amounts.setdefault(name, amount)
        if before.text != text:
            expected = f"{quoted(before.text)} as on line {before.line}"
            raise InconsistentDataError(path, line, expected, quoted(text))
    for name, text, line in report.kinds:
        parts = dict(part.split(": ") for part in text.split(", "))
        counts = {k: _amount(path, line, v, sign) for k, v in parts.items()}
        total = sum(c.value for c in counts.values())
        if total != report.amounts[name].value:
            count = quoted(report.amounts[name].text)
            expected = f"kinds of files that add up to {count}"
            raise InconsistentDataError(path, line, expected, f"{total:g}")
        report.amounts |= {f"{name}_{kind}": count for kind, count in counts.items()}


def _decimal_sign(path: str, report: Report) -> str:
    """The one sign that stands before the decimals; empty if nothing shows it."""
    signs: dict[str, int] = {}
    for name, text, line in report.texts:
        human = text[-1] in _POWERS
        if name in _WITH_DECIMALS or name == "file_list_transfer_seconds" or human:
            last = max(text.rfind("."), text.rfind(","))
            if last >= 0:
                signs.setdefault(text[last], line)
        else:
            for grouping, decimal in ((",", "."), (".", ",")):
                if text.count(grouping) > 1:
                    signs.setdefault(decimal, line)
    if len(signs) > 1:
        where = " and ".join(f"{s!r} on line {n}" for s, n in signs.items())
        raise InconsistentDataError(path, report.line, "one decimal sign", where)
    return next(iter(signs), "")


def _amount(path: str, line: int, text: str, sign: str) -> Amount:
    if text.isdigit():
        return Amount(float(text), float(text), float(text), text, line)
    if not sign:
        expected = "a number whose decimal sign is known"
        raise AmbiguousValueError(path, line, expected, quoted(text))
    grouping = re.escape("," if sign == "." else ".")
    pattern = (
        rf"(\d{{1,3}}(?:{grouping}\d{{3}})+|\d+)(?:{re.escape(sign)}(\d+))?([KMGTP]?)"
    )
    match = re.fullmatch(pattern, text)
    if match is None:
        raise MalformedRowError(path, line, "a number grouped by threes", quoted(text))
    digits = re.sub(grouping, "", match[1])
    number = float(f"{digits}.{match[2] or 0}")
    if not match[3]:
        return Amount(number, number, number, text, line)
    half = half_last_digit(f"{digits}.{match[2] or ''}")
    power = _POWERS.index(match[3])
    # -h divides by 1000, -hh by 1024, and nothing tells which it was
    low, high = (number - half) * 1000.0**power, (number + half) * 1024.0**power
    return Amount(MISSING, low, high, text, line)


# rsync's ``--info=progress2``: one line that counts up, rewritten with ``\r``.
#
# ::
#
#          16,546,880 100%   20.15MB/s    0:00:00 (xfr#1800, to-chk=0/1861)
#
# Only its last state says something about the whole copy, and only about the amount: it
# shows whole seconds. ``--progress`` looks alike, but starts again at 0 for each file
# and names the files in between, so it is left alone.

_UPDATE = re.compile(
    r"\s*(\d[\d.,]*[KMGTP]?)\s+\d+%\s+\d+([.,])\d\d[kMG]B/s\s+\d+:\d\d:\d\d"
    r"(?: \(xfr#(\d+), (?:to|ir)-chk=(\d+)/(\d+)\))?\s*"
)


def find_progress(path: str, lines: Sequence[str]) -> Report | None:
    """Take the last state of ``progress2``, if a file holds nothing else."""
    last = None
    for number, line in enumerate(lines, 1):
        match = _UPDATE.fullmatch(line)
        if match is not None:
            last = (number, match)
        elif line.strip() and last is not None:
            return None
    if last is None or last[1][3] is None:
        return None
    number, match = last
    report = Report(number, number)
    report.texts = [
        ("transferred_bytes", match[1], number),
        ("transferred_files", match[3], number),
        ("files", match[5], number),
    ]
    report.finished = match[4] == "0"
    resolve(path, report, match[2])
    return report
