"""Intervals of printed numbers, and of their ratios."""

from __future__ import annotations

import math
from typing import NamedTuple

from claims.quoted import QuotedValue
from fsviz.model.units import significant

DIGITS = 5
"""The most that a ratio is written with."""


class Bounds(NamedTuple):
    """What a number may be: lowest, highest, and as printed (missing for a range)."""

    low: float
    high: float
    value: float


def bounds_of(figure: QuotedValue) -> Bounds:
    """Return the bounds of a figure; a number of unknown precision is its own bounds.

    >>> bounds_of(QuotedValue("", "32-35", math.nan, 32.0, 35.0, "s", ""))
    Bounds(low=32.0, high=35.0, value=nan)
    """
    low, high = (
        figure.value if math.isnan(end) else end for end in (figure.low, figure.high)
    )
    return Bounds(low, math.inf if math.isnan(high) else high, figure.value)


def digits_of(*figures: QuotedValue) -> int:
    """Digits that a ratio of printed numbers carries: one more than the longest has.

    >>> digits_of(QuotedValue("", "347", 347.0, 347.0, 348.0, "B/s", ""),
    ...     QuotedValue("", "2", 2.0, 2.0, 3.0, "B/s", ""))
    4
    >>> digits_of(QuotedValue("", "32-35", math.nan, 32.0, 35.0, "s", ""))
    3
    """
    return min(1 + max(map(_digits, figures)), DIGITS)


def _digits(figure: QuotedValue) -> int:
    """Digits of a number, by its bounds; of a range, those of its ends."""
    width = figure.high - figure.low
    if math.isfinite(figure.value):
        known = math.isfinite(width) and width > 0
        return math.floor(math.log10(figure.value / width)) + 1 if known else DIGITS
    ends = [end for end in (figure.low, figure.high) if math.isfinite(end)]
    return max((len(f"{end:g}".replace(".", "")) for end in ends), default=DIGITS)


def ratio(one: Bounds, other: Bounds) -> Bounds:
    """Divide: low ÷ high … high ÷ low.

    >>> times = ratio(Bounds(347, 348, 347), Bounds(2, 3, 2))
    >>> round(times.low, 1), round(times.high, 1), times.value
    (115.7, 174.0, 173.5)
    >>> ratio(Bounds(32, 36, math.nan), Bounds(0, 1, math.nan)).high
    inf
    """
    high = one.high / other.low if other.low else math.inf
    return Bounds(one.low / other.high, high, one.value / other.value)


def gain(times: Bounds) -> Bounds:
    """Say how many per cent more a ratio is.

    >>> round(gain(Bounds(1.39, 1.39, 1.39)).value)
    39
    """
    return Bounds(*(100 * (end - 1) for end in times))


def written(bounds: Bounds, unit: str, digits: int = DIGITS) -> str:
    """Write bounds, and the number as printed before them.

    >>> written(Bounds(115.667, 174, 173.5), "times", 4)
    '173.5 times, anything from 115.7 to 174'
    >>> written(Bounds(31.5, math.inf, math.nan), "times"), written(
    ...     Bounds(7.0, 14.6, math.nan), "times")
    ('31.5 times or more', '7 to 14.6 times')
    """
    low, high = (significant(end, digits) for end in (bounds.low, bounds.high))
    if math.isinf(bounds.high):
        return f"{low} {unit} or more"
    if math.isnan(bounds.value):
        return f"{low} to {high} {unit}"
    value = significant(bounds.value, digits)
    if low == value == high:
        return f"{value} {unit}"
    return f"{value} {unit}, anything from {low} to {high}"
