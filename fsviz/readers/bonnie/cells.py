"""From the texts of bonnie++'s cells to numbers; and what a run was asked to do."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import TypedDict

from fsviz.model.errors import MalformedRowError, quoted
from fsviz.model.runs import MISSING, Cells
from fsviz.model.tools import TOOLS, cuts_digits
from fsviz.model.units import KIB, printed_bounds

OPERATIONS = tuple(TOOLS["bonnie++"].operations)
"""The twelve tests in the order of the columns: six of I/O, six of files."""

IO_OPERATIONS = OPERATIONS[:6]
FILE_OPERATIONS = OPERATIONS[6:]
SHORTEST = 0.5
"""Seconds; bonnie++ prints ``+++++`` for a test that took less (``MinTime``)."""

TOO_FAST = "+++++"
_INTEGER = re.compile(r"\d{1,15}")
_SEEK_RATE = re.compile(r"\d{1,15}(?:\.\d)?")
_SCALED = re.compile(r"(\d{1,4}(?:\.\d)?)([kmg])")
_SCALES = {"k": KIB, "m": KIB**2, "g": KIB**3}
_LATENCY = re.compile(r"(\d{1,15})(us|ms|s)")
_LATENCY_UNITS = {"us": 1e-6, "ms": 1e-3, "s": 1.0}
Place = tuple[str, int]
"""Path and line, for messages."""


class Where(TypedDict):
    """The place of a number: what all metrics of one test share."""

    locator: str
    file_size: int | None
    record_size: int | None
    threads: int


@dataclass(frozen=True, slots=True)
class Setup:
    """What a run was asked to do."""

    size: int | None
    chunk: int | None
    threads: int
    seeks: int | None
    seek_processes: int | None
    files: int | None
    max_size: str
    min_size: str
    directories: str

    def describe(self, ran: Collection[str]) -> str:
        """State everything that a repeat must share, as one line of text."""
        parts = []
        if self.size is not None:
            parts.append(f"size={self.size}")
            parts.append(f"chunk={'unknown' if self.chunk is None else self.chunk}")
            if self.seeks is not None:
                parts.append(f"seeks={self.seeks}/{self.seek_processes}")
            parts += [f"without={op}" for op in IO_OPERATIONS if op not in ran]
        if self.files is not None:
            parts.append(f"files={self.files * 1024}")
            sizes = ":".join(s for s in (self.max_size, self.min_size) if s)
            parts += [f"file_sizes={sizes}"] if sizes else []
            parts += [f"directories={self.directories}"] if self.directories else []
            parts += [f"without={op}" for op in FILE_OPERATIONS if op not in ran]
        return " ".join([*parts, f"threads={self.threads}"])

    def where(self, operation: str, line: int) -> Where:
        """The columns that all metrics of one test share."""
        is_io = operation in IO_OPERATIONS
        return {
            "locator": f"line {line}",
            "file_size": self.size if is_io else None,
            "record_size": self.chunk if is_io else None,
            "threads": self.threads,
        }

    def least(self, operation: str) -> float:
        """The rate that a test of less than half a second had at least [base unit]."""
        if operation in FILE_OPERATIONS:
            amount = None if self.files is None else self.files * 1024
        elif operation == "random_seeks":
            amount = self.seeks
        else:
            amount = self.size
        return MISSING if amount is None else amount / SHORTEST


def add_rate(
    cells: Cells, place: Place, text: str, operation: str, least: float, where: Where
) -> None:
    """Add a rate as the CSV prints it: K/sec, or operations per second."""
    if not text:
        return
    is_throughput = operation in IO_OPERATIONS[:-1]
    metric, unit = ("throughput", KIB) if is_throughput else ("rate", 1)
    if text == TOO_FAST:
        low = 1 / SHORTEST if math.isnan(least) else least
        cells.add(operation, metric, MISSING, low=low, **where)
        return
    pattern = _SEEK_RATE if operation == "random_seeks" else _INTEGER
    if pattern.fullmatch(text) is None:
        raise MalformedRowError(*place, f"the rate of {operation}", quoted(text))
    cut = cuts_digits("bonnie++", operation, metric)
    _add_printed(cells, operation, metric, text, unit, cut, where)


def add_scaled_rate(
    cells: Cells, place: Place, text: str, operation: str, least: float, where: Where
) -> None:
    """Add a throughput as the console table of 1.98 and later prints it: ``1.8g``.

    Same parameters and errors as `add_rate`.
    """
    if not text or text == TOO_FAST or operation not in IO_OPERATIONS[:-1]:
        add_rate(cells, place, text, operation, least, where)
        return
    match = _SCALED.fullmatch(text)
    if match is None:
        what = f"the rate of {operation} such as 930m"
        raise MalformedRowError(*place, what, quoted(text))
    unit = _SCALES[match[2]]
    _add_printed(cells, operation, "throughput", match[1], unit, unit == KIB, where)


def _add_printed(
    cells: Cells,
    operation: str,
    metric: str,
    text: str,
    unit: int,
    cut: bool,
    where: Where,
) -> None:
    """Add a number with the interval that its digits allow.

    Besides seeks, only MiB/s and GiB/s on the console of 1.98 and later are rounded.
    """
    value = float(text)
    low, high = printed_bounds(text, cut)
    if value == 0 and metric != "cpu":
        value = MISSING  # too small for a digit: something was done in that time
    cells.add(
        operation, metric, value * unit, low=low * unit, high=high * unit, **where
    )


def add_cpu(
    cells: Cells, place: Place, text: str, operation: str, where: Where
) -> None:
    """Add the CPU use of a test [%], unless the test was too fast or did not run.

    Same parameters and errors as `add_rate`.
    """
    if text in ("", "+++"):
        return
    if _INTEGER.fullmatch(text) is None:
        what = f"the CPU use of {operation} in %"
        raise MalformedRowError(*place, what, quoted(text))
    _add_printed(cells, operation, "cpu", text, 1, True, where)


def add_latency(
    cells: Cells, place: Place, text: str, operation: str, where: Where
) -> None:
    """Add the longest that one call took [s].

    Same parameters and errors as `add_rate`.
    """
    if not text:
        return
    match = _LATENCY.fullmatch(text)
    if match is None:
        what = f"the latency of {operation} such as 112ms"
        raise MalformedRowError(*place, what, quoted(text))
    # bonnie++ cuts the decimals off, so the truth is never below what it prints
    number, unit = int(match[1]), _LATENCY_UNITS[match[2]]
    low, high = number * unit, (number + 1) * unit
    cells.add(operation, "latency", low, low=low, high=high, **where)
