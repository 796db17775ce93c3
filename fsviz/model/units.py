"""Text to number and back.

Sizes are bytes, times are seconds, rates are bytes per second. IOzone and bonnie++
print KiB under the name of kB, KB or K; that is undone in the readers, nowhere else.
"""

from __future__ import annotations

import math
import re

KIB = 1024
MIB = 1024**2
GIB = 1024**3

_SIZE_UNITS = {"": 1, "k": KIB, "m": MIB, "g": GIB, "t": 1024**4}
TOO_LARGE = 2**63
"""What a column of whole numbers cannot hold."""
_MOST_DIGITS = 15
_SIZE = re.compile(r"(\d+)\s*([kKmMgGtT]?)(?:i?[bB])?")
MINUS = r"((?<!\w)[-−])?"
"""Before a number that must not be negative: in ``4-8`` the mark is none."""
_STATED_SIZE = re.compile(
    MINUS + r"(?<![\w.,])(\d+(?:\.\d+)?)\s*([kKmMgGtT])(?:i?[bB](?:ytes?)?)?(?![\w/])"
)
_LINK = re.compile(
    MINUS + r"(?:(\d+)\s*[x×]\s*)?(\d+(?:\.\d+)?)\s*"
    r"([kKmMgGtT])\s*(?:b(?:it|ps|/s)|bE\b|BASE|igabit\b)",
)
_BASE = re.compile(MINUS + r"\b(\d{1,9})BASE", re.IGNORECASE)
_DECIMAL = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}


def parse_size(text: str) -> int:
    """Read a size with a binary suffix [B].

    >>> parse_size("64k"), parse_size("1 GiB"), parse_size("512")
    (65536, 1073741824, 512)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"expected a size such as 64k or 1 GiB, found {text!r}")
    # as text first: Python refuses to make an int of more than 4300 digits
    if len(match[1]) > _MOST_DIGITS:
        raise ValueError(f"expected a size below 8 EiB, found {text!r}")
    return int(match[1]) * _SIZE_UNITS[match[2].lower()]


def size_or_none(text: str) -> int | None:
    """Read a size of which it is known only that it may be one [B].

    >>> size_or_none("64k"), size_or_none("many")
    (65536, None)
    """
    try:
        return parse_size(text)
    except ValueError:
        return None


def parse_stated_size(text: str) -> int:
    """Read the first size that a person's sentence states, prefixes taken as binary.

    >>> parse_stated_size("1536 MiB") // MIB, parse_stated_size("8 GB of DDR4") // GIB
    (1536, 8)
    """
    match = _STATED_SIZE.search(text)
    if match is None:
        raise ValueError(f"expected a size such as 8 GiB, found {text!r}")
    size = float(match[2]) * _SIZE_UNITS[match[3].lower()]
    if match[1] or not 1 <= size < TOO_LARGE:
        raise ValueError(f"expected a size from 1 B to 8 EiB, found {text!r}")
    return round(size)


def parse_link_rate(text: str) -> float:
    """Read the rate of a network link; its prefixes are decimal [B/s].

    >>> parse_link_rate("1 Gbit/s"), parse_link_rate("2 x 10GbE")
    (125000000.0, 2500000000.0)
    >>> parse_link_rate("1000BASE-T"), parse_link_rate("Gigabit Ethernet")
    (125000000.0, 125000000.0)
    """
    if match := _LINK.search(text):
        minus, times, number, prefix = match.groups()
        rate = float(times or 1) * float(number) * _DECIMAL[prefix.lower()] / 8
    elif match := _BASE.search(text):
        minus, rate = match[1], int(match[2]) * 1e6 / 8
    elif match := re.search(r"\b(giga|mega)bit\b", text, re.IGNORECASE):
        minus, rate = None, _DECIMAL[match[1][0].lower()] / 8
    else:
        raise ValueError(f"expected a rate such as 1 Gbit/s, found {text!r}")
    if minus or not 1 <= rate < TOO_LARGE:
        raise ValueError(f"expected a rate that a link has, found {text!r}")
    return rate


def parse_duration(text: str) -> float:
    """Read a time as people write it [s].

    >>> parse_duration("30m"), parse_duration("1h30m"), parse_duration("45")
    (1800.0, 5400.0, 45.0)
    """
    match = re.fullmatch(
        r"(?:(\d{1,6})h)?(?:(\d{1,6})m)?(?:(\d{1,9}(?:\.\d+)?)s?)?", text.strip()
    )
    hours, minutes, seconds = (
        (float(x or 0) for x in match.groups()) if match else 3 * [0.0]
    )
    if not (total := 3600 * hours + 60 * minutes + seconds):
        raise ValueError(f"expected a time such as 30m or 1h30m, found {text!r}")
    return total


def half_last_digit(number: str) -> float:
    """Half a unit of the last digit that is printed, the rounding error of the text.

    >>> half_last_digit("3.20"), half_last_digit("33"), half_last_digit("1.2e+03")
    (0.005, 0.5, 50.0)
    """
    digits, _, exponent = number.lower().partition("e")
    _, _, decimals = digits.partition(".")
    return float(f"5e{int(exponent or 0) - len(decimals) - 1}")


def printed_bounds(number: str, cut: bool = False) -> tuple[float, float]:
    """Say between which numbers the truth lies, as far as the printed digits tell.

    >>> printed_bounds("2"), printed_bounds("2", cut=True)
    ((1.5, 2.5), (2.0, 3.0))
    """
    value, half = float(number), half_last_digit(number)
    return (value, value + 2 * half) if cut else (max(0.0, value - half), value + half)


def format_size(size: float) -> str:
    """Write a size [B] with the largest binary prefix that keeps it short.

    >>> format_size(65536), format_size(1 << 30), format_size(5)
    ('64 KiB', '1 GiB', '5 B')
    """
    return format_value(size, "B")


def display_scale(unit: str, value: float) -> tuple[float, str]:
    """Choose the unit in which a number is shown: the one scale of texts and figures.

    >>> display_scale("B/s", 3 * 1024**3)
    (1073741824.0, 'GiB/s')
    >>> display_scale("s", 0.0012), display_scale("op/s", 5.0)
    ((0.001, 'ms'), (1.0, 'op/s'))
    """
    scales = _DISPLAY.get(unit, ((1.0, unit),))
    fitting = (scale for scale in scales if abs(value) >= scale[0])
    return next(fitting, scales[-1])


_BINARY = (
    *((1024.0**power, f"{' KMGTP'[power]}iB") for power in (5, 4, 3, 2, 1)),
    (1.0, "B"),
)
_DISPLAY: dict[str, tuple[tuple[float, str], ...]] = {
    "B": _BINARY,
    "B/s": tuple((factor, f"{name}/s") for factor, name in _BINARY),
    "s": ((1.0, "s"), (1e-3, "ms"), (1e-6, "µs")),
    "s/B": ((1.0 / GIB, "s/GiB"),),
}
"""Display units, the largest first; any other unit is shown as it is."""


def format_value(value: float, unit: str) -> str:
    """Write one number with its unit, scaled for reading.

    >>> format_value(104857600.0, "B/s"), format_value(0.0012, "s")
    ('100 MiB/s', '1.2 ms')
    """
    if not math.isfinite(value):
        return "–"
    factor, name = display_scale(unit, value)
    number = value / factor
    shown = f"{number:,.0f}" if abs(number) >= 1024 else significant(number)
    return f"{shown} {name}"


def significant(number: float, digits: int = 3) -> str:
    """Write a number with so many significant digits, never in scientific notation.

    >>> significant(1023.6), significant(0.012345), significant(97.5)
    ('1024', '0.0123', '97.5')
    """
    if not math.isfinite(number):
        return "–"
    if number == 0:
        return "0"
    decimals = max(0, digits - 1 - math.floor(math.log10(abs(number))))
    text = f"{number:.{decimals}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def format_times(factor: float, down: bool = False) -> str:
    """Write how many times as people say it: two digits, from 10 on whole numbers.

    >>> [format_times(f) for f in (1.036, 1.68, 9.96, 16.3, 2345.6)]
    ['1.04', '1.7', '10', '16', '2,346']
    >>> format_times(1.69, down=True)
    '1.6'
    """
    if not math.isfinite(factor):
        return "–"
    decimals = 2 if factor < 1.095 else 1 if factor < 9.95 else 0
    if down:
        # a hair more, because 1 ÷ (1 ÷ 3) need not be 3
        scale = 10.0**decimals
        factor = math.floor(factor * scale * (1 + 1e-12)) / scale
    return f"{factor:,.{decimals}f}"
