"""Numbers as authors write them: ranges, bounds, about, plus-minus, words.

====================================  =======  =======  =======
written                               value    low      high
====================================  =======  =======  =======
``33``, ``33 s``                      33       32.5     33.5
``1.2e+03``                           1200     1150     1250
``32-35``, ``32 to 35``, ``32–35 s``  –        32       35
``<1``, ``under 1 s``                 –        0        1
``>600``, ``10+ min``                 –        600      –
``~3``, ``about 3``                   3        –        –
``32 ± 3``                            32       –        –
``32 (30–36)``, ``32 [30, 36]``       32       30       36
``n/a``, ``–``, ``DNF``, nothing      –        –        –
====================================  =======  =======  =======

No midpoint is ever invented. ``1:02`` is refused: it may be minutes or hours.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from fsviz.model.runs import MISSING
from fsviz.model.units import half_last_digit, printed_bounds

UNITS: dict[str, tuple[str, float, float]] = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("elapsed", 1.0, 1.0)),
    **dict.fromkeys(("ms", "msec", "milliseconds"), ("elapsed", 1e-3, 1e-3)),
    **dict.fromkeys(("us", "µs", "μs"), ("elapsed", 1e-6, 1e-6)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("elapsed", 60.0, 60.0)),
    **dict.fromkeys(("h", "hour", "hours"), ("elapsed", 3600.0, 3600.0)),
    "b/s": ("throughput", 1.0, 1.0),
    "kib/s": ("throughput", 1024.0, 1024.0),
    "mib/s": ("throughput", 1024.0**2, 1024.0**2),
    "gib/s": ("throughput", 1024.0**3, 1024.0**3),
    # KB and MB mean powers of 1000 to some authors and of 1024 to others
    "kb/s": ("throughput", 1e3, 1024.0),
    "mb/s": ("throughput", 1e6, 1024.0**2),
    "gb/s": ("throughput", 1e9, 1024.0**3),
    "si kb/s": ("throughput", 1e3, 1e3),
    "si mb/s": ("throughput", 1e6, 1e6),
    "si gb/s": ("throughput", 1e9, 1e9),
    **dict.fromkeys(("kbit/s", "kbps"), ("throughput", 1e3 / 8, 1e3 / 8)),
    **dict.fromkeys(("mbit/s", "mbps"), ("throughput", 1e6 / 8, 1e6 / 8)),
    **dict.fromkeys(("gbit/s", "gbps"), ("throughput", 1e9 / 8, 1e9 / 8)),
    **dict.fromkeys(
        ("iops", "op/s", "ops/s", "files/s", "/s", "ops/sec"), ("rate", 1.0, 1.0)
    ),
    "%": ("cpu", 1.0, 1.0),
}
"""Kind of number and the least and the greatest factor to its base unit, by unit."""

WORDS = frozenset(
    ("n/a", "na", "-", "‐", "‑", "‒", "–", "—", "−", "", "?", "none", "not measured")
) | {"dnf", "failed", "fail", "timeout", "oom", "crash", "crashed", "error"}
_BITS = re.compile(r"\b[kKMG]b/s")
"""Bits to some authors and bytes to others, where ``MB/s`` and ``mb/s`` are bytes."""
_TWOFOLD = re.compile(r"\b[kmg]b/s", re.IGNORECASE)
"""Units whose two factors in `UNITS` differ."""
_BYTES = re.compile(r"\b([kKMG]i?)Bps\b")
_DASH = "-‐‑‒–—−"
_NUMBER = r"\d+(?:\.\d+)?"
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_QUANTITY = rf"({_NUMBER})\s*({_UNIT})?"
_SINGLE = re.compile(rf"({_NUMBER}(?:e[+-]?\d{{1,2}})?)\s*({_UNIT})?")
_RANGE = re.compile(
    rf"(?:between\s+)?{_QUANTITY}\s*(?:[{_DASH}]|\.\.|\bto\b|\band\b)\s*{_QUANTITY}"
)
_LESS = re.compile(rf"(?:<=?|≤|under|below|less than|at most)\s*{_QUANTITY}")
_MORE = re.compile(
    rf"(?:>=?|≥|over|above|more than|at least|timeout \()\s*{_QUANTITY}\)?"
)
_PLUS = re.compile(rf"({_NUMBER})\s*\+\s*({_UNIT})?")
_ABOUT = re.compile(rf"(?:~|≈|ca\.?|circa|about|approx\.?|approximately)\s*{_QUANTITY}")
_SPREAD = re.compile(
    rf"({_NUMBER})\s*({_UNIT})?\s*(?:±|\+/-)\s*({_NUMBER})\s*({_UNIT})?"
)
_WITHIN = re.compile(
    rf"({_NUMBER})\s*({_UNIT})?\s*[(\[]\s*({_NUMBER})\s*(?:[{_DASH}]|,|;|to)\s*"
    rf"({_NUMBER})\s*({_UNIT})?\s*[)\]]"
)
_DURATION = re.compile(
    rf"(?:(\d+)\s*h\s*)?(?:(\d+)\s*(?:m|min)\s*)?(?:({_NUMBER})\s*(?:s|sec)?)?"
)
_CLOCK = re.compile(r"(?:(\d+):)?(\d+):(\d\d(?:\.\d+)?)")
_EMPHASIS = re.compile(r"(\*\*|\*|__|_|`)(.+)\1")
_FOOTNOTE = re.compile(r"(?<=[\da-z%)\]])\s*(\*+|†|‡|[¹²³⁴⁵]+|\[\d\]|\^\d)$")


@dataclass(frozen=True, slots=True)
class Written:
    """A cell of a published table, in base units where a unit is stated."""

    value: float = MISSING
    low: float = MISSING
    high: float = MISSING
    kind: str = ""
    footnote: str = ""
    spread: float = MISSING
    reason: str = ""


def parse_written(text: str, unit: str = "", cut: bool = False) -> Written:
    """Read one cell; its numbers must have a point as their decimal sign.

    >>> cell = parse_written("32–35", "s")
    >>> cell.low, cell.high, cell.value
    (32.0, 35.0, nan)
    >>> parse_written("3.5 s").low
    3.45
    """
    if found := _BITS.search(f"{text} {unit}"):
        clear = f"{found[0][0]}bit/s or {found[0][0]}B/s"
        raise ValueError(f"{clear} instead of {found[0]!r}, which may be either")
    unit = with_slash(unit)
    text = _EMPHASIS.sub(r"\2", with_slash(text).strip()).strip().lower()
    if text in WORDS:
        return Written(reason=text or "empty")
    found = _FOOTNOTE.search(text)
    footnote = found[1] if found else ""
    if found:
        text = text[: found.start()].rstrip()
    for pattern, read in _FORMS:
        match = pattern.fullmatch(text)
        if match is not None and any(match.groups()):
            written = read(match, unit)
            if cut and read is _single and "." not in match[1]:
                written = _cut_off(match, unit, written)
            return _with_footnote(written, footnote)
    raise ValueError("a number, a range or a bound")


def by_si(text: str) -> str:
    """Say of KB, MB and GB a second that they are the powers of 1000 that the SI means.

    BIPM, The International System of Units, 9th edition, section 3: prefixes refer
    strictly to powers of 10.

    >>> parse_written(by_si("32 MB/s")).value
    32000000.0
    """
    return _TWOFOLD.sub(r"SI \g<0>", with_slash(text))


def with_slash(text: str) -> str:
    """Write ``MBps`` as ``MB/s``, before case is lost: ``Mbps`` are bits.

    >>> with_slash("32 MBps"), with_slash("32 Mbps")
    ('32 MB/s', '32 Mbps')
    """
    return _BYTES.sub(r"\1B/s", text)


def _with_footnote(written: Written, footnote: str) -> Written:
    if not footnote:
        return written
    return replace(written, footnote=footnote)


def _scale(unit: str | None, header: str) -> tuple[str, float, float]:
    """The unit of a cell beats the header's, unless it is of another kind."""
    known = UNITS.get(header.lower())
    if header and known is None:
        raise ValueError(f"a known unit instead of {header!r}")
    stated = UNITS[unit] if unit else None
    if stated and known and stated[0] != known[0]:
        raise ValueError(f"a number in {header}, as the header says")
    return stated or known or ("", 1.0, 1.0)


def _cut_off(match: re.Match[str], header: str, written: Written) -> Written:
    """Take an integer in the tool's own unit as one whose digits were cut off.

    A unit that the tool does not print is of the author, who rounds.
    """
    if (match[2] or header).lower() not in _OF_TOOLS:
        return written
    _, least, most = _scale(match[2], header)
    low, high = printed_bounds(match[1], cut=True)
    return replace(written, low=low * least, high=high * most)


_OF_TOOLS = ("kib/s", "kb/s", "op/s", "ops/s", "ops/sec", "/s", "%", "s", "ms", "us")
"""Units in which IOzone and bonnie++ print integers."""


def _single(match: re.Match[str], header: str) -> Written:
    number, unit = match.groups()
    kind, least, most = _scale(unit, header)
    value = float(number)
    below, above = printed_bounds(number)
    low, high = below * least, above * most
    return Written(value * least if least == most else MISSING, low, high, kind)


def _between(match: re.Match[str], header: str) -> Written:
    first, unit, second, last_unit = match.groups()
    kind, least, _ = _scale(unit or last_unit, header)
    _, _, most = _scale(last_unit or unit, header)
    low, high = float(first) * least, float(second) * most
    if low > high:
        raise ValueError("a range from low to high")
    return Written(MISSING, low, high, kind)


def _less(match: re.Match[str], header: str) -> Written:
    kind, _, most = _scale(match[2], header)
    return Written(MISSING, 0.0, float(match[1]) * most, kind)


def _more(match: re.Match[str], header: str) -> Written:
    kind, least, _ = _scale(match[2], header)
    return Written(MISSING, float(match[1]) * least, MISSING, kind)


def _about(match: re.Match[str], header: str) -> Written:
    kind, least, most = _scale(match[2], header)
    if least != most:
        raise ValueError("an approximate number in a unit that is a power of 1024")
    return Written(float(match[1]) * least, kind=kind)


def _plus_minus(match: re.Match[str], header: str) -> Written:
    number, unit, spread, last_unit = match.groups()
    kind, least, most = _scale(unit or last_unit, header)
    if least != most:
        raise ValueError("a mean in a unit that is a power of 1024")
    return Written(float(number) * least, kind=kind, spread=float(spread) * least)


def _within(match: re.Match[str], header: str) -> Written:
    number, unit, first, second, last_unit = match.groups()
    kind, least, most = _scale(unit or last_unit, header)
    value = float(number)
    if not float(first) <= value <= float(second):
        raise ValueError("a number inside its range")
    exact = value * least if least == most else MISSING
    return Written(exact, float(first) * least, float(second) * most, kind)


def _duration(match: re.Match[str], header: str) -> Written:
    _scale("s", header)
    hours, minutes, seconds = match.groups()
    value = float(hours or 0) * 3600 + float(minutes or 0) * 60 + float(seconds or 0)
    half = half_last_digit(seconds) if seconds else (30.0 if minutes else 1800.0)
    return Written(value, max(0.0, value - half), value + half, "elapsed")


def _clock(match: re.Match[str], header: str) -> Written:
    _scale("s", header)
    hours, minutes, seconds = match.groups()
    if hours is None and "." not in seconds:
        raise ValueError("a time that says whether it is minutes or hours")
    value = float(hours or 0) * 3600 + float(minutes) * 60 + float(seconds)
    half = half_last_digit(seconds)
    return Written(value, max(0.0, value - half), value + half, "elapsed")


_FORMS = (
    (_SINGLE, _single),
    (_RANGE, _between),
    (_LESS, _less),
    (_MORE, _more),
    (_PLUS, _more),
    (_ABOUT, _about),
    (_SPREAD, _plus_minus),
    (_WITHIN, _within),
    (_DURATION, _duration),
    (_CLOCK, _clock),
)
