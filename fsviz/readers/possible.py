"""What no benchmark can have measured: refused for every reader, before any table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, TypeAlias

from fsviz.model.errors import (
    InconsistentDataError,
    ParseError,
    nothing_usable,
)
from fsviz.model.libraries import np
from fsviz.model.runs import Reading, Run
from fsviz.model.units import TOO_LARGE

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers: TypeAlias = npt.NDArray[np.float64]
    Flags: TypeAlias = npt.NDArray[np.bool_]

LEAST = 1 / TOO_LARGE
"""What is smaller, and not 0, makes ratios without end."""
MOST_PROCESSES = 2**22
"""Linux numbers no more at once (``PID_MAX_LIMIT``)."""
LONGEST_NAME = 1_000
"""Characters, where the tables would hold more than `ALL_NAMES` of them."""
ALL_NAMES = 2**26
_WHOLE = {
    "file_size_bytes": ("a file size from 1 to below 2⁶³", 1, TOO_LARGE),
    "record_size_bytes": ("a record size from 1 to below 2⁶³", 1, TOO_LARGE),
    "threads": ("a number of processes from 1 to below 2²²", 1, MOST_PROCESSES),
    "child": ("the number of a process from 0 to below 2²²", 0, MOST_PROCESSES),
}

_NUMBERS = ("value", "low", "high")


def without_impossible(reading: Reading) -> Reading:
    """Set the runs aside that hold an impossible number; raise if none is left."""
    if _all_possible(reading.runs):
        return reading
    longest = LONGEST_NAME if _too_long(reading.runs) else ALL_NAMES
    problems = {r.identity: next(_impossible(r, longest), None) for r in reading.runs}
    refused = tuple(filter(None, problems.values()))
    kept = tuple(run for run in reading.runs if problems[run.identity] is None)
    if not kept:
        raise nothing_usable(refused)
    return replace(reading, runs=kept, problems=(*reading.problems, *refused))


def _too_long(runs: Sequence[Run]) -> bool:
    """Tell whether names fill the memory: each number of a system has its name."""
    return sum(len(run.system) * len(run.cells) for run in runs) > ALL_NAMES


def _all_possible(runs: Sequence[Run]) -> bool:
    """Tell it of all runs at once: a file may have thousands of short ones."""
    if _too_long(runs):
        return False
    for name, (_, least, most) in _WHOLE.items():
        sizes = set().union(*(getattr(run.cells, name) for run in runs))
        if any(n is not None and not least <= n < most for n in sizes):
            return False
    columns = (getattr(run.cells, name) for name in _NUMBERS for run in runs)
    numbers = np.fromiter(chain.from_iterable(columns), float)
    numbers = numbers.reshape(len(_NUMBERS), -1)
    return not (_out_of_range(numbers) | _outside(*numbers)).any()


def _out_of_range(numbers: Numbers) -> Flags:
    # NaN, which is unknown, compares false
    return (numbers < LEAST) & (numbers != 0) | (numbers >= TOO_LARGE)


def _outside(value: Numbers, low: Numbers, high: Numbers) -> Flags:
    return (low > high) | (value < low) | (value > high)


def _impossible(run: Run, longest: int) -> Iterator[ParseError]:
    cells = run.cells
    if (length := len(run.system)) > longest:
        expected = f"a system's name of at most {longest} characters"
        yield _refused(run, 0, expected, str(length))
    for name, (what, least, most) in _WHOLE.items():
        for at, number in enumerate(getattr(cells, name)):
            if number is not None and not least <= number < most:
                yield _refused(run, at, what, f"{number:.6g}")
    value, low, high = numbers = np.array([getattr(cells, n) for n in _NUMBERS])
    for column, at in np.argwhere(_out_of_range(numbers)).tolist():
        found = f"{numbers[column, at]:g} as {_NUMBERS[column]}"
        yield _refused(run, at, "a number from 0 to below 2⁶³", found)
    for at in np.flatnonzero(_outside(value, low, high)).tolist():
        found = f"{value[at]:g} between {low[at]:g} and {high[at]:g}"
        yield _refused(run, at, "a number between its bounds", found)


def _refused(run: Run, at: int, expected: str, found: str) -> ParseError:
    return InconsistentDataError(run.source, run.cells.locator[at], expected, found)
