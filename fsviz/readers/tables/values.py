"""Numbers as authors write them: ranges, bounds, about, plus-minus, words.

====================================  =======  =======  =======
written                               value    low      high
====================================  =======  =======  =======
``33``, ``33 s``                      33       32.5     33.5
``253k IOPS``                         253000   252500   253500
``1.2e+03``                           1200     1150     1250
``32-35``, ``32 to 35``, ``32–35 s``  –        32       35
``<1``, ``under 1 s``                 –        0        1
``>600``, ``10+ min``                 –        600      –
``~3``, ``about 3``                   3        –        –
``32 ± 3``                            32       –        –
``32 (30–36)``, ``32 [30, 36]``       32       30       36
``n/a``, ``–``, ``DNF``, nothing      –        –        –
====================================  =======  =======  =======

No midpoint is ever invented. ``1:02`` is refused: it may be minutes or hours. MB and kB
are powers of 10, as the SI has it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fsviz.model.runs import MISSING
from fsviz.model.units import half_last_digit, printed_bounds

UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds"), ("elapsed", 1.0)),
    **dict.fromkeys(("ms", "msec", "milliseconds"), ("elapsed", 1e-3)),
    **dict.fromkeys(("us", "µs", "μs"), ("elapsed", 1e-6)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), ("elapsed", 60.0)),
    **dict.fromkeys(("h", "hour", "hours"), ("elapsed", 3600.0)),
    "b/s": ("throughput", 1.0),
    "kib/s": ("throughput", 1024.0),
    "mib/s": ("throughput", 1024.0**2),
    "gib/s": ("throughput", 1024.0**3),
    # BIPM, The International System of Units, 9th edition, section 3: prefixes refer
    # strictly to powers of 10; `ambiguous_unit` tells what some authors mean
    "kb/s": ("throughput", 1e3),
    "mb/s": ("throughput", 1e6),
    "gb/s": ("throughput", 1e9),
    **dict.fromkeys(("kbit/s", "kbps"), ("throughput", 1e3 / 8)),
    **dict.fromkeys(("mbit/s", "mbps"), ("throughput", 1e6 / 8)),
    **dict.fromkeys(("gbit/s", "gbps"), ("throughput", 1e9 / 8)),
    **dict.fromkeys(
        ("iops", "io/s", "op/s", "ops/s", "files/s", "/s", "ops/sec", "files/sec"),
        ("rate", 1.0),
    ),
    "kiops": ("rate", 1e3),
    "%": ("cpu", 1.0),
}
"""Kind of number and the factor to its base unit, by unit."""

WORDS = frozenset(
    ("n/a", "na", "-", "‐", "‑", "‒", "–", "—", "−", "", "?", "none", "not measured")
) | {"dnf", "failed", "fail", "timeout", "oom", "crash", "crashed", "error"}
_BITS = re.compile(r"\b[kKMG]b/s")
"""Bits to some authors and bytes to others, where ``MB/s`` and ``mb/s`` are bytes."""
_TWOFOLD = re.compile(r"\b([kKMG])B/s")
_BYTES = re.compile(
    r"\b([kKMG]i?)(?:Bps|B/sec|[bB]ytes?/s(?:ec)?|[bB]ytes? per second)\b"
)
_THOUSANDS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) ?([kKM])(?![\w/])")
"""A count as tools shorten it."""
_POWERS = {"k": 3, "K": 3, "M": 6}
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
    """A cell of a table, in base units where a unit is stated."""

    value: float = MISSING
    low: float = MISSING
    high: float = MISSING
    kind: str = ""
    reason: str = ""


def parse_written(text: str, unit: str = "", cut: bool = False) -> Written:
    """Read one cell; its numbers must have a point as their decimal sign.

    >>> cell = parse_written("32–35", "s")
    >>> cell.low, cell.high, cell.value
    (32.0, 35.0, nan)
    >>> parse_written("3.5 s").low, parse_written("253k", "IOPS").value
    (3.45, 253000.0)
    """
    if found := _BITS.search(f"{text} {unit}"):
        clear = f"{found[0][0]}bit/s or {found[0][0]}B/s"
        raise ValueError(f"{clear} instead of {found[0]!r}, which may be either")
    unit = with_slash(unit)
    text = _EMPHASIS.sub(r"\2", with_slash(text).strip()).strip()
    if UNITS.get(unit.lower(), ("rate",))[0] == "rate":
        text = _THOUSANDS.sub(lambda m: f"{m[1]}e{_POWERS[m[2]]}", text)
    text = text.lower()
    if text in WORDS:
        return Written(reason=text or "empty")
    text = _FOOTNOTE.sub("", text)
    for pattern, read in _FORMS:
        match = pattern.fullmatch(text)
        if match is not None and any(match.groups()):
            if cut and read is _single and "." not in match[1]:
                return _cut_off(match, unit)
            return read(match, unit)
    raise ValueError("a number, a range or a bound")


def ambiguous_unit(text: str) -> tuple[str, float, float] | None:
    """Find a unit that is a power of 1000 to the SI and of 1024 to some authors [B/s].

    >>> ambiguous_unit("32 MB/s"), ambiguous_unit("32 MiB/s")
    (('MB/s', 1000000.0, 1048576.0), None)
    """
    match = _TWOFOLD.search(with_slash(text))
    if match is None:
        return None
    (_, si), (_, binary) = UNITS[match[0].lower()], UNITS[f"{match[1].lower()}ib/s"]
    return match[0], si, binary


def with_slash(text: str) -> str:
    """Write ``MBps`` as ``MB/s``, before case is lost: ``Mbps`` are bits.

    >>> with_slash("32 MBps"), with_slash("32 Mbps"), with_slash("5 MBytes/sec")
    ('32 MB/s', '32 Mbps', '5 MB/s')
    """
    return _BYTES.sub(r"\1B/s", text)


def _scale(unit: str | None, header: str) -> tuple[str, float]:
    """The unit of a cell beats the header's, unless it is of another kind."""
    known = UNITS.get(header.lower())
    if header and known is None:
        raise ValueError(f"a known unit instead of {header!r}")
    stated = UNITS[unit] if unit else None
    if stated and known and stated[0] != known[0]:
        raise ValueError(f"a number in {header}, as the header says")
    return stated or known or ("", 1.0)


def _cut_off(match: re.Match[str], header: str) -> Written:
    """Take an integer in the tool's own unit as one whose digits were cut off.

    A unit that the tool does not print is of the author, who rounds.
    """
    written = _single(match, header)
    if (match[2] or header).lower() not in _OF_TOOLS:
        return written
    _, factor = _scale(match[2], header)
    low, high = printed_bounds(match[1], cut=True)
    return Written(written.value, low * factor, high * factor, written.kind)


_OF_TOOLS = ("kib/s", "kb/s", "op/s", "ops/s", "ops/sec", "/s", "%", "s", "ms", "us")
"""Units in which IOzone and bonnie++ print integers."""


def _single(match: re.Match[str], header: str) -> Written:
    number, unit = match.groups()
    kind, factor = _scale(unit, header)
    low, high = printed_bounds(number)
    return Written(float(number) * factor, low * factor, high * factor, kind)


def _between(match: re.Match[str], header: str) -> Written:
    first, unit, second, last_unit = match.groups()
    kind, least = _scale(unit or last_unit, header)
    _, most = _scale(last_unit or unit, header)
    low, high = float(first) * least, float(second) * most
    if low > high:
        raise ValueError("a range from low to high")
    return Written(MISSING, low, high, kind)


def _less(match: re.Match[str], header: str) -> Written:
    kind, factor = _scale(match[2], header)
    return Written(MISSING, 0.0, float(match[1]) * factor, kind)


def _more(match: re.Match[str], header: str) -> Written:
    kind, factor = _scale(match[2], header)
    return Written(MISSING, float(match[1]) * factor, MISSING, kind)


def _about(match: re.Match[str], header: str) -> Written:
    kind, factor = _scale(match[2], header)
    return Written(float(match[1]) * factor, kind=kind)


def _plus_minus(match: re.Match[str], header: str) -> Written:
    number, unit, _, last_unit = match.groups()
    kind, factor = _scale(unit or last_unit, header)
    return Written(float(number) * factor, kind=kind)


def _within(match: re.Match[str], header: str) -> Written:
    number, unit, first, second, last_unit = match.groups()
    kind, factor = _scale(unit or last_unit, header)
    value, low, high = float(number), float(first), float(second)
    if not low <= value <= high:
        raise ValueError("a number inside its range")
    return Written(value * factor, low * factor, high * factor, kind)


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


# Which sign stands before the decimals of a published table: point or comma.
#
# One sign with three digits after it, as in ``1.234``, does not tell; another cell of
# the same table has to. Blanks, apostrophes and underscores between digits are
# grouping.

_TOKEN = re.compile(r"\d[\d.,'’_]*\d|\d")
_GROUPED = re.compile(r"(?<=\d)[ '’_](?=\d{3}(?!\d))")


def decimal_sign(texts: Sequence[str]) -> str:
    """Decide once for a table which sign stands before the decimals.

    >>> decimal_sign(["1.234", "3,2"]), decimal_sign(["3.2"]), decimal_sign(["1.234e5"])
    (',', '.', '.')
    """
    signs: set[str] = set()
    unclear = ""
    for text in texts:
        for found in _TOKEN.finditer(whole := text.replace("..", "–")):
            token, power = found[0], whole[found.end() : found.end() + 1] in ("e", "E")
            # before a power of ten no digits are grouped
            sign = token[1:2] if power and not token[1:2].isdigit() else _sign_of(token)
            signs.add(sign)
            unclear = unclear or (token if sign == "?" else "")
    signs -= {"", "?"}
    if len(signs) > 1:
        raise ValueError("one decimal sign in the whole table")
    if not signs and unclear:
        raise ValueError(f"a number whose decimal sign is known instead of {unclear!r}")
    return signs.pop() if signs else "."


def _sign_of(token: str) -> str:
    """The decimal sign of a token; empty if it has none, ``?`` if it cannot be told."""
    used = [c for c in token if c in ".,"]
    if not used:
        return ""
    other = {".": ",", ",": "."}
    if len(set(used)) == 2:
        return used[-1]
    if len(used) > 1:
        return other[used[0]]
    whole, _, decimals = token.partition(used[0])
    if len(decimals) != 3 or whole == "0":
        return used[0]
    return "?"


def plain(text: str, sign: str) -> str:
    """Rewrite the numbers of a cell without grouping and with a decimal point.

    >>> plain("1.234,5 s – 2 000", ",")
    '1234.5 s – 2000'
    """
    text = _GROUPED.sub("", text.replace("..", "–"))
    grouping = "," if sign == "." else "."

    def rewrite(match: re.Match[str]) -> str:
        token = match[0]
        if grouping in token and not re.fullmatch(
            rf"\d{{1,3}}(?:{re.escape(grouping)}\d{{3}})+(?:{re.escape(sign)}\d+)?",
            token,
        ):
            raise ValueError("numbers grouped by threes")
        return token.replace(grouping, "").replace(sign, ".")

    return _TOKEN.sub(rewrite, text)
