"""Slips that have nothing to do with the question: quotes, commas, units, brackets."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from numbers import Real
from typing import TYPE_CHECKING

from fsviz.model.errors import printable

if TYPE_CHECKING:
    from IPython.core.interactiveshell import ExecutionResult

_SCALES = (1000.0, 1024.0)
_POWERS = (1, 2, 3)
_BITS = 8.0
_UNITS = ("B", "iB", "/s", "ms")
"""A unit with this ending has neighbours at a factor of 1000, 1024 or 8."""
_NUMBER = re.compile(r"[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?", re.IGNORECASE)
_LONGEST = 30
"""Characters of an answer that a hint repeats."""


def read_number(answer: object) -> float | None:
    """Take an answer as a number if it is one, and no truth value."""
    if isinstance(answer, bool) or not isinstance(answer, Real):
        return None
    try:
        return float(answer)
    except OverflowError:
        return math.inf


def hint_on_form(answer: object, wanted: str) -> str:
    """Say why an answer is no number.

    >>> hint_on_form("0,5", "a number")
    'Write a point for the decimals, and no quotes.'
    >>> hint_on_form((0, 5), "a number")
    'A comma makes two values of it. For decimals, write a point.'
    """
    if isinstance(answer, str):
        return _hint_on_text(answer.strip(), wanted)
    if isinstance(answer, tuple) and len(answer) == 2:
        return "A comma makes two values of it. For decimals, write a point."
    if callable(answer):
        return "That is a function. Call it: write () behind its name."
    if hasattr(answer, "shape") or isinstance(answer, list | tuple | set | dict):
        return f"That is a whole list or table. Take one value out of it: {wanted}."
    return f"Give {wanted} alone: no quotes, no unit, a point for the decimals."


def _hint_on_text(text: str, wanted: str) -> str:
    if _NUMBER.fullmatch(text):
        return f"Leave the quotes out: {printable(text[:_LONGEST])} is then a number."
    if _NUMBER.fullmatch(text.replace(",", ".")):
        return "Write a point for the decimals, and no quotes."
    if re.match(r"[-+]?[\d.,]+\s*\D", text):
        return f"Leave unit and quotes out: give {wanted} alone."
    return f"Give {wanted}, in digits and without quotes."


def in_another_unit(
    number: float, right: float, unit: str, close: Callable[[float, float], bool]
) -> bool:
    """Return whether a number would be right in a neighbouring unit.

    >>> from math import isclose
    >>> in_another_unit(0.5, 512, "KiB", isclose), in_another_unit(4, 8, "KiB", isclose)
    (True, False)
    """
    if not unit.endswith(_UNITS):
        return False
    factors = [scale**power for scale in _SCALES for power in _POWERS]
    if unit.endswith("/s"):
        factors.append(_BITS)
    return any(close(number, right * f) or close(number, right / f) for f in factors)


def failed_before() -> str:
    """Say what went wrong in the cell that ran before this one."""
    from IPython.core.getipython import get_ipython

    shell = get_ipython()
    if shell is None or shell.last_execution_succeeded:
        return ""
    return _hint_on_error(shell.last_execution_result)


def _hint_on_error(result: ExecutionResult | None) -> str:
    error = result and (result.error_before_exec or result.error_in_exec)
    begin = "The cell that ran before ended with an error, so there is no new answer."
    if isinstance(error, NameError):
        return (
            f"{begin} Python knows no {printable(str(error.name))}: put a name or a "
            "text in quotes."
        )
    if isinstance(error, SyntaxError):
        return (
            f"{begin} Python cannot read it. Write a number alone, without its unit, "
            "and with a point for the decimals. Put a text in quotes. Close every "
            "quote and bracket that you open."
        )
    return f"{begin} Read the last line of the error. Then correct the cell and run it."
