"""What no benchmark can have measured: refused for every reader, before any table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import itemgetter
from typing import Any

from fsviz.model.errors import InconsistentDataError, ParseError, nothing_usable
from fsviz.model.libraries import np
from fsviz.model.runs import Reading, Run
from fsviz.model.units import TOO_LARGE

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
    problems: dict[int, ParseError] = {}
    for at, problem in _impossible(reading.runs):
        problems.setdefault(at, problem)
    if not problems:
        return reading
    refused = tuple(
        problem for _, problem in sorted(problems.items(), key=itemgetter(0))
    )
    runs = tuple(run for at, run in enumerate(reading.runs) if at not in problems)
    if not runs:
        raise nothing_usable(refused)
    return replace(reading, runs=runs, problems=(*reading.problems, *refused))


def _impossible(runs: Sequence[Run]) -> Iterator[tuple[int, ParseError]]:
    """List what is impossible, with the number of its run.

    A file may have thousands of short runs, so all are looked at together.
    """
    # each number of a system has its name, and names may fill the memory
    letters = sum(len(run.system) * len(run.cells) for run in runs)
    longest = LONGEST_NAME if letters > ALL_NAMES else ALL_NAMES
    for at, run in enumerate(runs):
        if (length := len(run.system)) > longest:
            expected = f"a system's name of at most {longest} characters"
            yield at, _refused(run, 0, expected, str(length))
    for name, (expected, least, most) in _WHOLE.items():
        columns = [getattr(run.cells, name) for run in runs]
        numbers = set().union(*map(_distinct, columns)) - {None}
        bad = {n for n in numbers if not least <= n < most}
        for at, column in enumerate(columns) if bad else ():
            for row, number in enumerate(column):
                if number in bad:
                    yield at, _refused(runs[at], row, expected, f"{number:.6g}")
    parts = [[getattr(run.cells, name) for run in runs] for name in _NUMBERS]
    table = np.empty((len(_NUMBERS), sum(map(len, parts[0]))))
    for at, lists in enumerate(parts):
        # most lower bounds are the values
        is_same = at == 1 and lists == parts[0]
        cells = chain.from_iterable(lists)
        table[at] = table[0] if is_same else np.fromiter(cells, float, len(table[at]))
    value, low, high = table
    # NaN, which is unknown, compares false
    is_out = (table < LEAST) & (table != 0) | (table >= TOO_LARGE)
    is_outside = (low > high) | (value < low) | (value > high)
    for row in np.flatnonzero(is_out.any(axis=0) | is_outside).tolist():
        starts = np.cumsum([0, *(len(run.cells) for run in runs)])
        at = int(np.searchsorted(starts, row, side="right")) - 1
        expected = "a number between its bounds"
        shown = f"{value[row]:g} between {low[row]:g} and {high[row]:g}"
        for column in np.flatnonzero(is_out[:, row]).tolist():
            expected = "a number from 0 to below 2⁶³"
            shown = f"{table[column, row]:g} as {_NUMBERS[column]}"
            break
        yield at, _refused(runs[at], row - int(starts[at]), expected, shown)


def _distinct(column: list[Any]) -> list[Any]:
    """Leave one of numbers that are all the same, as most numbers of processes are."""
    # most others differ at their ends
    is_one = bool(column) and column[0] == column[-1]
    is_one = is_one and column.count(column[0]) == len(column)
    return column[:1] if is_one else column


def _refused(run: Run, row: int, expected: str, found: str) -> ParseError:
    return InconsistentDataError(run.source, run.cells.locator[row], expected, found)
