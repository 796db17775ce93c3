"""What no benchmark can have measured: refused for every reader, before any table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from fsviz.model.errors import InconsistentDataError, ParseError
from fsviz.model.runs import Reading, Run
from fsviz.model.units import TOO_LARGE

LEAST = 1 / TOO_LARGE
"""What is smaller, and not 0, makes ratios without end."""
MOST_PROCESSES = 2**22
"""Linux numbers no more at once (``PID_MAX_LIMIT``)."""
_WHOLE = {
    "file_size_bytes": ("a file size from 1 to below 2⁶³", 1, TOO_LARGE),
    "record_size_bytes": ("a record size from 1 to below 2⁶³", 1, TOO_LARGE),
    "threads": ("a number of processes from 1 to below 2²²", 1, MOST_PROCESSES),
    "child": ("the number of a process from 0 to below 2²²", 0, MOST_PROCESSES),
}


def without_impossible(reading: Reading) -> Reading:
    """Set the runs aside that hold an impossible number; raise if none is left."""
    problems = {run.identity: next(_impossible(run), None) for run in reading.runs}
    refused = tuple(filter(None, problems.values()))
    if not refused:
        return reading
    kept = tuple(run for run in reading.runs if problems[run.identity] is None)
    if not kept:
        raise refused[0]
    return replace(reading, runs=kept, problems=(*reading.problems, *refused))


def _impossible(run: Run) -> Iterator[ParseError]:
    cells = run.cells
    for name, (what, least, most) in _WHOLE.items():
        numbers = getattr(cells, name)
        # a run has few sizes
        for bad in (n for n in set(numbers) if not (n is None or least <= n < most)):
            yield _refused(run, numbers.index(bad), what, f"{bad:.6g}")
    yield from _impossible_values(run)


def _impossible_values(run: Run) -> Iterator[ParseError]:
    import numpy as np

    cells = run.cells
    value, low, high = numbers = np.array([cells.value, cells.low, cells.high])
    # NaN, which is unknown, compares false
    bad = (numbers < LEAST) & (numbers != 0) | (numbers >= TOO_LARGE)
    for column, at in np.argwhere(bad).tolist():
        expected = "a number from 0 to below 2⁶³"
        found = f"{numbers[column, at]:g} as {('value', 'low', 'high')[column]}"
        yield _refused(run, at, expected, found)
    outside = (low > high) | (value < low) | (value > high)
    for at in np.flatnonzero(outside).tolist():
        found = f"{value[at]:g} between {low[at]:g} and {high[at]:g}"
        yield _refused(run, at, "a number between its bounds", found)


def _refused(run: Run, at: int, expected: str, found: str) -> ParseError:
    return InconsistentDataError(run.source, run.cells.locator[at], expected, found)
