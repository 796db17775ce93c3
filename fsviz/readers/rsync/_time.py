"""What the time commands print: bash, dash, zsh, csh, ksh, BusyBox, GNU and BSD time.

::

    real  0m6.869s    user  0m0.990s    sys  0m0.070s            bash, one a line
    real  0m 6.86s    user  0m 0.99s    sys  0m 0.07s            BusyBox
    real 6.87         user 0.99         sys 0.07                 -p, one a line
    rsync -a src/ dst/  0.99s user 0.07s system 15% cpu 1:06.87 total           zsh
    0.99user 0.07system 0:06.87elapsed 15%CPU (0avgtext+0avgdata …              GNU time
            6.87 real         0.99 user         0.07 sys                        BSD time
    0.990u 0.070s 0:06.87 15.4%  0+0k 0+1936io 0pf+0w                      csh, tcsh
        0m6.87s real     0m0.99s user     0m0.07s system              OpenBSD, mksh

Which decimal sign is used depends on the locale of bash and zsh. ``a:b`` is minutes and
seconds, ``a:b:c`` hours, minutes and seconds. A printed number is a rounded one: the
truth is within half a unit of its last digit.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    quoted,
)
from fsviz.model.runs import MISSING
from fsviz.model.units import half_last_digit, printed_bounds

_NUMBER = r"\d{1,9}(?:[.,]\d{1,9})?"
_CLOCK = r"(?:\d{1,5}:)?\d{1,5}:\d\d(?:[.,]\d{1,9})?"
_MINUTES = rf"(?:\d{{1,7}}m)?{_NUMBER}s"
_BASH = re.compile(rf"(?:(\d{{1,5}})h)?(?:(\d{{1,7}})m)?({_NUMBER})s")
_PLAIN = re.compile(_NUMBER)
_HUNDREDTHS = re.compile(r".*[.,]\d\d")
_SECONDS = re.compile(r"\d{1,9}[.,]\d\d")
_VERBOSE_CLOCK = re.compile(r"\d{1,5}:\d\d:\d\d|\d{1,5}:\d\d[.,]\d\d")
_BLOCK = re.compile(r"(real|user|sys)\s+((?:\d{1,5}h )?(?:\d{1,7}m )?\d\S*)")
_BLOCK_START = re.compile(r"(?:real|user|sys)\s+\d")
_USER, _SYSTEM = rf"(?P<user>{_NUMBER})", rf"(?P<system>{_NUMBER})"
_CUT = (0.0, 2.0)
"""GNU time divides integers, so digits are cut off (summarize in time.c of 1.9)."""
_EITHER = (1.0, 2.0)
"""``time -p`` of a shell may round; GNU's looks the same and cuts digits off. Which of
the two csh and ksh do is not known here, so both are allowed for."""
_ROUNDED = (1.0, 1.0)
_ONE_LINE = (
    (  # zsh
        re.compile(
            rf"(?P<command>(?:.*?\S)??)\s*+{_USER}s user {_SYSTEM}s system \d+% cpu "
            rf"(?P<elapsed>{_CLOCK}|{_NUMBER}) total"
        ),
        _ROUNDED,
    ),
    (  # GNU
        re.compile(
            rf"{_USER}user {_SYSTEM}system (?P<elapsed>{_CLOCK})elapsed "
            r"(?:\d+|\?)%CPU\b.*"
        ),
        _CUT,
    ),
    (  # csh
        re.compile(
            rf"{_USER}u {_SYSTEM}s (?P<elapsed>{_CLOCK}) \d{{1,6}}(?:[.,]\d+)?%\s+"
            r"\d+\+\d+k \d+\+\d+io \d+pf\+\d+w"
        ),
        _EITHER,
    ),
    (  # ksh
        re.compile(
            rf"(?P<elapsed>{_MINUTES}) real\s+(?P<user>{_MINUTES}) user\s+"
            rf"(?P<system>{_MINUTES}) sys(?:tem)?"
        ),
        _EITHER,
    ),
    (  # BSD
        re.compile(rf"(?P<elapsed>{_NUMBER}) real\s+{_USER} user\s+{_SYSTEM} sys"),
        _ROUNDED,
    ),
)
"""What some print in one line, and by how much of half a digit it may be off."""
_VERBOSE = {
    "Command being timed": "command",
    "User time (seconds)": "user",
    "System time (seconds)": "system",
    "Elapsed (wall clock) time (h:mm:ss or m:ss)": "elapsed",
    "Exit status": "status",
}
_LOOKS_LIKE_ONE_LINE = re.compile(r"\d(?:s user |user |\s+real\s).*\d.*sys")


_FISH = re.compile(rf"(?:Executed in|(usr|sys) time)\s+({_NUMBER}) (\w+)")
"""fish: ``Executed in   17.66 secs``, then ``usr time`` and ``sys time``."""
_FISH_UNITS = {"micros": 1e-6, "millis": 1e-3, "secs": 1, "mins": 60, "hours": 3600}
_HINT = re.compile(r"real|Executed in|[Uu]ser|sys|Elapsed|Command being|pf\+")
_LONGEST_LINE = 4096


@dataclass(frozen=True, slots=True)
class Printed:
    """A rounded number and the interval that its digits allow [s]."""

    value: float
    low: float
    high: float


@dataclass(slots=True)
class Timing:
    """One timed command: its clock and processor times, and where they stand."""

    line: int
    elapsed: Printed
    user: Printed | None = None
    system: Printed | None = None
    command: str = ""
    status: int = 0
    last_line: int = 0
    problem: ParseError | None = None


def cpu_share(timing: Timing) -> Printed | None:
    """Processor time over elapsed time [%], as an interval that the rounding allows.

    >>> exact = [Printed(x, x, x) for x in (2.0, 0.5, 0.5)]
    >>> cpu_share(Timing(1, *exact)).value
    50.0
    """
    elapsed, user, system = timing.elapsed, timing.user, timing.system
    if user is None or system is None or elapsed.value == 0:
        return None
    return Printed(
        100 * (user.value + system.value) / elapsed.value,
        100 * (user.low + system.low) / elapsed.high,
        100 * (user.high + system.high) / elapsed.low if elapsed.low > 0 else MISSING,
    )


def find_timing(path: str, lines: Sequence[str], index: int) -> Timing | None:
    """Read the timing that starts at a line, if one does."""
    line = _plain(lines[index])
    if len(line) > _LONGEST_LINE or not _HINT.search(line):
        return None
    if _BLOCK_START.match(line):
        return _read_block(path, lines, index)
    if (match := _FISH.match(line)) and match[1] is None:
        return _read_fish(match, lines, index)
    for pattern, digits in _ONE_LINE:
        if match := pattern.fullmatch(line):
            texts = match.groupdict("")
            elapsed, user, system = (
                parse_clock(texts[name].rstrip("s").replace("m", ":"), *digits)
                for name in ("elapsed", "user", "system")
            )
            command, last = texts.get("command", ""), index + 1
            return Timing(index + 1, elapsed, user, system, command, last_line=last)
    label = line.partition(": ")[0]
    if _VERBOSE.get(label) in ("command", "user", "elapsed"):
        return _read_verbose(path, lines, index)
    if _LOOKS_LIKE_ONE_LINE.search(line):
        raise MalformedRowError(path, index + 1, "the output of time", quoted(line))
    return None


def _plain(line: str) -> str:
    """Undo the bold print of a forum or of Markdown."""
    return line.strip().replace("**", "")


def _read_block(path: str, lines: Sequence[str], index: int) -> Timing:
    """Read ``real``, ``user`` and ``sys``, one a line; the last two may be absent.

    One of these two that is cut short is named, and the time above it is read.
    """
    times: dict[str, Printed] = {}
    first, last = "", index
    problem: ParseError | None = None
    for at, name in enumerate(("real", "user", "sys"), index):
        line = _plain(lines[at]) if at < len(lines) else ""
        is_begun = bool(line) and name.startswith(line)
        is_next = times and line.startswith("real")
        if is_next or not (_BLOCK_START.match(line) or (times and is_begun)):
            break
        last = at
        match = _BLOCK.fullmatch(line)
        try:
            if match is None or match[1] != name:
                expected = f"the {name} line of time"
                raise MalformedRowError(path, at + 1, expected, quoted(line))
            first = first or match[2]
            if not _is_alike(match[2], first):
                expected = f"a time written as {first}"
                raise InconsistentDataError(path, at + 1, expected, quoted(line))
            times[name] = _seconds(path, at + 1, match[2])
        except ParseError as error:
            if not times:
                raise
            problem = problem or error
    return Timing(
        index + 1,
        times["real"],
        times.get("user"),
        times.get("sys"),
        last_line=last + 1,
        problem=problem,
    )


def _read_fish(match: re.Match[str], lines: Sequence[str], index: int) -> Timing:
    times = [_fish_time(match)]
    for line, name in zip(lines[index + 1 : index + 3], ("usr", "sys"), strict=False):
        below = _FISH.match(line.strip())
        if below is None or below[1] != name:
            break
        times.append(_fish_time(below))
    user, system = [*times, None, None][1:3]
    return Timing(index + 1, times[0], user, system, last_line=index + len(times))


def _fish_time(match: re.Match[str]) -> Printed:
    numbers = float(match[2]), *printed_bounds(match[2])
    return Printed(*(number * _FISH_UNITS.get(match[3], 1) for number in numbers))


def _is_alike(text: str, first: str) -> bool:
    """Tell whether two times end alike: in an s, else after as many decimals."""
    if first.endswith("s") or text.endswith("s"):
        return text[-1] == first[-1]
    decimals = (each.replace(",", ".").partition(".")[2] for each in (text, first))
    return len(set(map(len, decimals))) == 1


def _seconds(path: str, line: int, text: str) -> Printed:
    match = _BASH.fullmatch(text.replace(" ", ""))
    if match is not None:
        hours, minutes, seconds = match.groups()
        more = int(hours or 0) * 3600 + int(minutes or 0) * 60
        # bash prints thousandths and rounds; ksh and BusyBox print less
        either = re.fullmatch(r"\d+(?:[.,]\d\d)?", seconds)
        return _printed(seconds, more, *(_EITHER if either else ()))
    if _PLAIN.fullmatch(text) or re.fullmatch(_CLOCK, text):
        either = _HUNDREDTHS.fullmatch(text)
        return parse_clock(text, *(_EITHER if either else ()))
    raise MalformedRowError(path, line, "a time such as 0m3.2s or 3.20", quoted(text))


def parse_clock(text: str, below: float = 1.0, above: float = 1.0) -> Printed:
    """Read ``s.ss``, ``m:ss.ss`` or ``h:mm:ss`` with a point or a comma.

    >>> parse_clock("1:02:15.5")
    Printed(value=3735.5, low=3735.45, high=3735.55)
    """
    *larger, seconds = text.split(":")
    minutes = 0
    for part in larger:
        minutes = minutes * 60 + int(part)
    return _printed(seconds, minutes * 60, below, above)


def _printed(
    seconds: str, more: int, below: float = 1.0, above: float = 1.0
) -> Printed:
    seconds = seconds.replace(",", ".")
    value, half = more + float(seconds), half_last_digit(seconds)
    return Printed(value, max(0.0, value - below * half), value + above * half)


def _read_verbose(path: str, lines: Sequence[str], index: int) -> Timing:
    """Read what GNU ``time -v`` prints, or just its line about elapsed time."""
    texts: dict[str, str] = {}
    where, last = index, index
    problem: ParseError | None = None
    for at in range(index, min(index + 30, len(lines))):
        label, _, text = lines[at].strip().partition(": ")
        name = _VERBOSE.get(label, "")
        # the line that began these begins the next
        if not text or name == next(iter(texts), None):
            break
        if name in texts:
            expected = f"one line of {label} of each command"
            problem = problem or InconsistentDataError(path, at + 1, expected, "two")
            continue
        if name == "elapsed":
            where = at
        if name:
            texts[name] = text
        last = at
        if name == "status":
            break
    clock = texts.get("elapsed", "")
    if not _VERBOSE_CLOCK.fullmatch(clock):
        expected = "an elapsed time such as 0:06.87"
        raise MalformedRowError(path, where + 1, expected, quoted(clock))
    times = {}
    for name in sorted({"user", "system"} & texts.keys()):
        if not _SECONDS.fullmatch(texts[name]):
            expected = f"a {name} time in seconds"
            raise MalformedRowError(path, index + 1, expected, quoted(texts[name]))
        times[name] = parse_clock(texts[name], *_CUT)
    return Timing(
        where + 1,
        parse_clock(clock, *_CUT),
        times.get("user"),
        times.get("system"),
        texts.get("command", "").strip('"'),
        int(texts["status"]) if texts.get("status", "").isdigit() else 0,
        last + 1,
        problem,
    )
