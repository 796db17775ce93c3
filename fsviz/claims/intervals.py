"""Intervals of printed numbers, and what is left of them in ratios and differences."""

from __future__ import annotations

import math
from typing import NamedTuple

from fsviz.campaigns.publication import Figure
from fsviz.model.units import significant

_DIGITS = 5


class Bounds(NamedTuple):
    """What a number may be: lowest, highest, and as printed (missing for a range)."""

    low: float
    high: float
    value: float


def bounds_of(figure: Figure) -> Bounds:
    """Take the bounds of a figure; a number of unknown precision bounds itself."""
    low, high = (
        figure.value if math.isnan(end) else end for end in (figure.low, figure.high)
    )
    return Bounds(low, math.inf if math.isnan(high) else high, figure.value)


def ratio(one: Bounds, other: Bounds) -> Bounds:
    """Divide: low ÷ high … high ÷ low.

    Examples
    --------
    >>> found = ratio(Bounds(347, 348, 347), Bounds(2, 3, 2))
    >>> round(found.low, 1), round(found.high, 1), found.value
    (115.7, 174.0, 173.5)
    >>> ratio(Bounds(32, 36, math.nan), Bounds(0, 1, math.nan)).high
    inf
    """
    high = one.high / other.low if other.low else math.inf
    return Bounds(one.low / other.high, high, one.value / other.value)


def gain(one: Bounds, other: Bounds) -> Bounds:
    """Say how many per cent one is above the other.

    Examples
    --------
    >>> round(gain(Bounds(139, 139, 139), Bounds(100, 100, 100)).value)
    39
    """
    low, high, value = ratio(one, other)
    return Bounds(*(100 * (end - 1) for end in (low, high, value)))


def difference(one: Bounds, other: Bounds) -> Bounds:
    """Say how far apart two numbers are, whichever is larger.

    Examples
    --------
    >>> [round(n, 2) for n in difference(Bounds(1, 3, 2), Bounds(7, 9, 8))]
    [4, 8, 6]
    """
    ends = one.low - other.high, one.high - other.low
    low, high = sorted(map(abs, ends))
    if ends[0] <= 0 <= ends[1]:
        low = 0.0
    return Bounds(low, high, abs(one.value - other.value))


def written(bounds: Bounds, unit: str) -> str:
    """Write bounds with five digits, and the number as printed before them.

    Examples
    --------
    >>> written(Bounds(115.667, 174, 173.5), "times")
    '173.5 times, anything from 115.67 to 174'
    >>> written(Bounds(32.0, math.inf, math.nan), "times"), written(
    ...     Bounds(8.0, 12.0, math.nan), "times")
    ('32 times or more', '8 to 12 times')
    """
    low, high = (significant(end, _DIGITS) for end in (bounds.low, bounds.high))
    if math.isinf(bounds.high):
        return f"{low} {unit} or more"
    if math.isnan(bounds.value):
        return f"{low} to {high} {unit}"
    value = significant(bounds.value, _DIGITS)
    if low == value == high:
        return f"{value} {unit}"
    return f"{value} {unit}, anything from {low} to {high}"
