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
_BINARY_PREFIXES = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")
_SIZE = re.compile(r"(\d+)\s*([kKmMgGtT]?)(?:i?[bB])?")
_STATED_SIZE = re.compile(
    r"(?<![\w.,])(\d+(?:\.\d+)?)\s*([kKmMgGtT])(?:i?[bB](?:ytes?)?)?(?![\w/])"
)
_LINK = re.compile(
    r"(?:(\d+)\s*[x×]\s*)?(\d+(?:\.\d+)?)\s*"
    r"([kKmMgGtT])\s*(?:b(?:it|ps|/s)|bE\b|BASE|igabit\b)",
)
_DECIMAL = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}


def parse_size(text: str) -> int:
    """Read a size with a binary suffix.

    Parameters
    ----------
    text : str
        Such as ``64k``, ``8m``, ``1 GiB`` or ``4096``.

    Returns
    -------
    int
        Size [B].

    Raises
    ------
    ValueError
        If the text is not a size.

    Examples
    --------
    >>> parse_size("64k"), parse_size("1 GiB"), parse_size("512")
    (65536, 1073741824, 512)
    """
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"expected a size such as 64k or 1 GiB, found {text!r}")
    return int(match[1]) * _SIZE_UNITS[match[2].lower()]


def parse_stated_size(text: str) -> int:
    """Read the first size that a person's sentence states, prefixes taken as binary.

    Parameters
    ----------
    text : str
        Such as ``1536 MiB``, ``8 GB of DDR4`` or ``1.5 GiB (cgroup)``.

    Returns
    -------
    int
        Size [B].

    Raises
    ------
    ValueError
        If the text states no size.

    Examples
    --------
    >>> parse_stated_size("1536 MiB") // MIB, parse_stated_size("8 GB of DDR4") // GIB
    (1536, 8)
    """
    match = _STATED_SIZE.search(text)
    if match is None:
        raise ValueError(f"expected a size such as 8 GiB, found {text!r}")
    return round(float(match[1]) * _SIZE_UNITS[match[2].lower()])


def parse_link_rate(text: str) -> float:
    """Read the rate of a network link; its prefixes are decimal.

    Parameters
    ----------
    text : str
        Such as ``1 Gbit/s``, ``10GbE``, ``100 Mbps``, ``2 x 10 Gbit/s`` or
        ``Gigabit Ethernet``.

    Returns
    -------
    float
        Rate [B/s].

    Raises
    ------
    ValueError
        If the text states no rate.

    Examples
    --------
    >>> parse_link_rate("1 Gbit/s"), parse_link_rate("2 x 10GbE")
    (125000000.0, 2500000000.0)
    >>> parse_link_rate("1000BASE-T"), parse_link_rate("Gigabit Ethernet")
    (125000000.0, 125000000.0)
    """
    if match := _LINK.search(text):
        times, number, prefix = match.groups()
        return int(times or 1) * float(number) * _DECIMAL[prefix.lower()] / 8
    if match := re.search(r"\b(\d+)BASE", text, re.IGNORECASE):
        return int(match[1]) * 1e6 / 8
    if match := re.search(r"\b(giga|mega)bit\b", text, re.IGNORECASE):
        return _DECIMAL[match[1][0].lower()] / 8
    raise ValueError(f"expected a rate such as 1 Gbit/s, found {text!r}")


def half_last_digit(number: str) -> float:
    """Half a unit of the last digit that is printed, the rounding error of the text.

    Examples
    --------
    >>> half_last_digit("3.20"), half_last_digit("33")
    (0.005, 0.5)
    """
    _, _, decimals = number.partition(".")
    return 0.5 / 10 ** len(decimals)


def format_size(size: float) -> str:
    """Write a size [B] with the largest binary prefix that keeps it short.

    Examples
    --------
    >>> format_size(65536), format_size(1 << 30), format_size(5)
    ('64 KiB', '1 GiB', '5 B')
    """
    return _scaled(size, "")


def format_throughput(rate: float) -> str:
    """Write a throughput [B/s] with a binary prefix and three significant digits.

    Examples
    --------
    >>> format_throughput(104_857_600.0), format_throughput(2048.0)
    ('100 MiB/s', '2 KiB/s')
    """
    return _scaled(rate, "/s")


def _scaled(number: float, suffix: str) -> str:
    if not math.isfinite(number):
        return "–"
    index = 0
    while abs(number) >= 1024 and index < len(_BINARY_PREFIXES) - 1:
        number, index = number / 1024, index + 1
    return f"{significant(number)} {_BINARY_PREFIXES[index]}{suffix}"


def significant(number: float, digits: int = 3) -> str:
    """Write a number with so many significant digits, never in scientific notation.

    Examples
    --------
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
