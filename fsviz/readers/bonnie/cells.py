"""From the texts of bonnie++'s cells to numbers; and what a run was asked to do."""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass

from fsviz.model.errors import MalformedRowError, quoted
from fsviz.model.runs import MISSING, Cells
from fsviz.model.tools import TOOLS, cuts_digits
from fsviz.model.units import KIB, parse_size, printed_bounds

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

    def least(self, operation: str) -> float:
        """The rate that a test of less than half a second had at least [base unit]."""
        if operation in FILE_OPERATIONS:
            amount = None if self.files is None else self.files * 1024
        elif operation == "random_seeks":
            amount = self.seeks
        else:
            amount = self.size
        return MISSING if amount is None else amount / SHORTEST


def chunk_size(path: str, line: int, text: str) -> int:
    """Read a chunk [B]: a power of two from 256 to 1 MiB (``-s`` in bonnie++(8))."""
    chunk = parse_size(text)
    if chunk.bit_count() != 1 or not 256 <= chunk <= KIB**2:
        expected = "a chunk that is a power of two, from 256 to 1024k"
        raise MalformedRowError(path, line, expected, quoted(text))
    return chunk


@dataclass(frozen=True, slots=True)
class Test:
    """One test of a run: where its numbers stand, and where they go."""

    cells: Cells
    path: str
    line: int
    operation: str
    setup: Setup

    def add_rate(self, text: str, scaled: bool = False, partial: bool = False) -> None:
        """Add a rate: K/sec, such as ``1.8g`` where scaled, or operations per second.

        A partial test used a part of the file, so ``+++++`` does not bound its rate.
        """
        is_throughput = self.operation in IO_OPERATIONS[:-1]
        metric, unit = ("throughput", KIB) if is_throughput else ("rate", 1)
        if not text:
            return
        if text == TOO_FAST:
            least = MISSING if partial else self.setup.least(self.operation)
            low = 1 / SHORTEST if math.isnan(least) else least
            self._add(metric, MISSING, low, MISSING)
        elif scaled and is_throughput:
            match = self._match(_SCALED, text, "the rate of {} such as 930m")
            unit = _SCALES[match[2]]
            # besides seeks, only MiB/s and GiB/s of the console are rounded
            self._add_printed(metric, match[1], unit, unit == KIB)
        else:
            pattern = _SEEK_RATE if self.operation == "random_seeks" else _INTEGER
            self._match(pattern, text, "the rate of {}")
            is_cut = cuts_digits("bonnie++", self.operation, metric)
            self._add_printed(metric, text, unit, is_cut)

    def add_cpu(self, text: str) -> None:
        """Add the CPU use of a test [%], unless it was too fast or did not run."""
        if text not in ("", "+++"):
            self._match(_INTEGER, text, "the CPU use of {} in %")
            self._add_printed("cpu", text, 1, True)

    def add_latency(self, text: str) -> None:
        """Add the longest that one call took [s]."""
        if text:
            match = self._match(_LATENCY, text, "the latency of {} such as 112ms")
            # bonnie++ cuts the decimals off, so the truth is never below
            self._add_printed("latency", match[1], _LATENCY_UNITS[match[2]], True)

    def _match(
        self, pattern: re.Pattern[str], text: str, expected: str
    ) -> re.Match[str]:
        if (match := pattern.fullmatch(text)) is None:
            expected = expected.format(self.operation)
            raise MalformedRowError(self.path, self.line, expected, quoted(text))
        return match

    def _add_printed(self, metric: str, text: str, unit: float, cut: bool) -> None:
        """Add a number with the interval that its digits allow."""
        value = float(text)
        low, high = printed_bounds(text, cut)
        if value == 0 and metric in ("throughput", "rate"):
            value = MISSING  # too small for a digit: something was done in that time
        self._add(metric, value * unit, low * unit, high * unit)

    def _add(self, metric: str, value: float, low: float, high: float) -> None:
        is_io = self.operation in IO_OPERATIONS
        self.cells.add(
            self.operation,
            metric,
            value,
            f"line {self.line}",
            low=low,
            high=high,
            file_size=self.setup.size if is_io else None,
            record_size=self.setup.chunk if is_io else None,
            threads=self.setup.threads,
        )
