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
_OF_BYTES = r"(?:Bps|B/sec|[bB]ytes?/s(?:ec)?|[bB]ytes? per second)\b"
_BYTES = re.compile(rf"\b([kKMG]i?){_OF_BYTES}")
_TWOFOLD = re.compile(rf"\b([kKMG])(?:B/s|{_OF_BYTES})")
_THOUSANDS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?) ?([kKM])(?![\w/])")
"""A count as tools shorten it."""
_POWERS = {"k": 3, "K": 3, "M": 6}
_DASH = "-‐‑‒–—−"
_NUMBER = r"\d+(?:\.\d+)?"
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_LOW, _HIGH, _VALUE = (
    rf"(?P<{name}>{_NUMBER})\s*" for name in ("low", "high", "value")
)
_OF_FIRST, _OF_LAST = rf"(?P<unit>{_UNIT})?\s*", rf"(?P<last>{_UNIT})?\s*"
_TO = rf"(?:[{_DASH}]|\.\.|\bto\b|\band\b)"
_QUANTITIES = tuple(
    re.compile(form)
    for form in (
        rf"(?P<exact>{_NUMBER}(?:e[+-]?\d{{1,2}})?)\s*{_OF_FIRST}",
        rf"(?:between\s+)?{_LOW}{_OF_FIRST}{_TO}\s*{_HIGH}{_OF_LAST}",
        rf"(?:<=?|≤|under|below|less than|at most)\s*{_HIGH}{_OF_FIRST}",
        rf"(?:>=?|≥|over|above|more than|at least|timeout \()\s*{_LOW}{_OF_FIRST}\)?",
        rf"{_LOW}\+\s*{_OF_FIRST}",
        rf"(?:~|≈|ca\.?|circa|about|approx\.?|approximately)\s*{_VALUE}{_OF_FIRST}",
        rf"{_VALUE}{_OF_FIRST}(?:±|\+/-)\s*{_NUMBER}\s*{_OF_LAST}",
        rf"{_VALUE}{_OF_FIRST}[(\[]\s*{_LOW}(?:[{_DASH}]|,|;|to)\s*{_HIGH}{_OF_LAST}[)\]]",
    )
)
"""A number, a range, a bound, about a number, with its spread, within a range."""
_DURATIONS = (
    re.compile(
        rf"(?:(\d+)\s*h\s*)?(?:(\d+)\s*(?:m|min)\s*)?(?:({_NUMBER})\s*(?:s|sec)?)?"
    ),
    re.compile(r"(?:(\d+):)?(\d+):(\d\d(?:\.\d+)?)"),
)
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
    if match := _BITS.search(f"{text} {unit}"):
        clear = f"{match[0][0]}bit/s or {match[0][0]}B/s"
        raise ValueError(f"{clear} instead of {match[0]!r}, which may be either")
    unit = with_slash(unit)
    text = _EMPHASIS.sub(r"\2", with_slash(text).strip()).strip()
    if UNITS.get(unit.lower(), ("rate",))[0] == "rate":
        text = _THOUSANDS.sub(lambda m: f"{m[1]}e{_POWERS[m[2]]}", text)
    text = text.lower()
    if text in WORDS:
        return Written(reason=text or "empty")
    text = _FOOTNOTE.sub("", text)
    for pattern in _QUANTITIES:
        if match := pattern.fullmatch(text):
            return _quantity(match.groupdict(), unit, cut)
    for pattern in _DURATIONS:
        if (match := pattern.fullmatch(text)) and any(match.groups()):
            return _duration(match, unit)
    raise ValueError("a number, a range or a bound")


def ambiguous_unit(text: str) -> tuple[str, float, float] | None:
    """Find a unit that is a power of 1000 to the SI and of 1024 to some authors [B/s].

    >>> ambiguous_unit("32 MB/s"), ambiguous_unit("32 MiB/s")
    (('MB/s', 1000000.0, 1048576.0), None)
    """
    match = _TWOFOLD.search(text)
    if match is None:
        return None
    prefix = match[1].lower()
    return f"{match[1]}B/s", UNITS[f"{prefix}b/s"][1], UNITS[f"{prefix}ib/s"][1]


def with_slash(text: str) -> str:
    """Write ``MBps`` as ``MB/s``, before case is lost: ``Mbps`` are bits.

    >>> with_slash("32 MBps"), with_slash("32 Mbps"), with_slash("5 MBytes/sec")
    ('32 MB/s', '32 Mbps', '5 MB/s')
    """
    return _BYTES.sub(r"\1B/s", text)


def _scale(unit: str | None, header: str) -> tuple[str, float]:
    """The unit of a cell beats the header's, unless it is of another kind."""
    of_header = UNITS.get(header.lower())
    if header and of_header is None:
        raise ValueError(f"a known unit instead of {header!r}")
    of_cell = UNITS[unit] if unit else None
    if of_cell and of_header and of_cell[0] != of_header[0]:
        raise ValueError(f"a number in {header}, as the header says")
    return of_cell or of_header or ("", 1.0)


_OF_TOOLS = ("kib/s", "kb/s", "op/s", "ops/s", "ops/sec", "/s", "%", "s", "ms", "us")
"""Units in which IOzone and bonnie++ print integers; in others an author rounds."""


def _quantity(texts: dict[str, str | None], header: str, cut: bool) -> Written:
    """Scale a number and its bounds, as far as they are there.

    An integer in the tool's own unit is one whose digits were cut off.
    """
    unit, last = texts["unit"], texts.get("last")
    kind, factor = _scale(unit or last, header)
    if exact := texts.get("exact"):
        is_cut = cut and "." not in exact and (unit or header).lower() in _OF_TOOLS
        low, high = printed_bounds(exact, is_cut)
        return Written(float(exact) * factor, low * factor, high * factor, kind)
    value, low, high = (
        float(texts.get(name) or MISSING) * factor for name in ("value", "low", "high")
    )
    if "high" in texts and "low" not in texts:
        low = 0.0
    if "high" in texts:
        high = float(texts["high"] or MISSING) * _scale(last or unit, header)[1]
    if low > high:
        raise ValueError("a range from low to high")
    if value < low or value > high:
        raise ValueError("a number inside its range")
    return Written(value, low, high, kind)


def _duration(match: re.Match[str], header: str) -> Written:
    _scale("s", header)
    hours, minutes, seconds = match.groups()
    if ":" in match[0] and hours is None and "." not in seconds:
        raise ValueError("a time that says whether it is minutes or hours")
    value = float(hours or 0) * 3600 + float(minutes or 0) * 60 + float(seconds or 0)
    half = half_last_digit(seconds) if seconds else (30.0 if minutes else 1800.0)
    return Written(value, max(0.0, value - half), value + half, "elapsed")


# Which sign stands before the decimals of a published table: point or comma.
#
# One sign with three digits after it, as in ``1.234``, does not tell; another cell of
# the same table has to. Blanks, apostrophes and underscores between digits are
# grouping.

_TOKEN = re.compile(r"\d[\d.,'’_]*\d|\d")
_SIGN = re.compile(r"\d[.,'’_]")
_GROUPED = re.compile(r"(?<=\d)[ '’_](?=\d{3}(?!\d))")


def decimal_sign(texts: Sequence[str]) -> str:
    """Decide once for a table which sign stands before the decimals.

    >>> decimal_sign(["1.234", "3,2"]), decimal_sign(["3.2"]), decimal_sign(["1.234e5"])
    (',', '.', '.')
    """
    signs: dict[str, str] = {}
    for text in filter(_SIGN.search, texts):
        for match in _TOKEN.finditer(plain_range := text.replace("..", "–")):
            token, end = match[0], match.end()
            is_power = plain_range[end : end + 1] in ("e", "E")
            # before a power of ten no digits are grouped
            is_sign = is_power and not token[1:2].isdigit()
            sign = token[1:2] if is_sign else _sign_of(token)
            signs.setdefault(sign, token)
    signs.pop("", "")
    unclear = signs.pop("?", "")
    if len(signs) > 1:
        raise ValueError("one decimal sign in the whole table")
    if not signs and unclear:
        raise ValueError(f"a number whose decimal sign is known instead of {unclear!r}")
    return next(iter(signs), ".")


def _sign_of(token: str) -> str:
    """The decimal sign of a token; empty if it has none, ``?`` if it cannot be told."""
    used = [c for c in token if c in ".,"]
    if len(set(used)) == 2:
        return used[-1]
    if len(used) > 1:
        return "," if used[0] == "." else "."
    integer, sign, decimals = token.partition(used[0] if used else ".")
    return "?" if sign and len(decimals) == 3 and integer != "0" else sign


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
