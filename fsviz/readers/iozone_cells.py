"""From IOzone's printed numbers to cells in base units.

A printed kB/s is a floor of KiB/s, so the truth lies between v and v + 1 KiB/s; the
same goes for operations per second (``-O``) and microseconds per operation (``-N``).

* 0 kB/s or 0 operations per second means that nothing was measured: no cell.
* 0 µs means less than 1 µs: a cell without value, between 0 and 1 µs.
* A test that took less than 1 µs is divided by the resolution of the clock instead.
  Such a number is what was reached at least: its ``high`` is NaN, no bound known.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, compress

import numpy as np

from fsviz.runs import MISSING, Cells
from fsviz.units import KIB

_MICROSECOND = 1e-6
_NEVER_ZERO = ("throughput", "rate")


def add_grid(
    cells: Cells,
    operations: Sequence[str],
    files: Sequence[int],
    records: Sequence[int],
    numbers: Sequence[int],
    locators: Sequence[str],
    *,
    metric: str,
    time_resolution: float,
) -> None:
    """Append the rows of a table.

    Parameters
    ----------
    cells : Cells
        What to append to.
    operations : sequence of str
        One for each number of a row.
    files, records : sequence of int
        File and record size of each row [kB].
    numbers : sequence of int
        What was printed, all rows one after the other [kB/s, op/s or µs].
    locators : sequence of str
        Place of each row, or of each number.
    metric : str
        ``throughput``, ``rate`` or ``latency``.
    time_resolution : float
        Resolution of the clock [s].
    """
    width, rows = len(operations), len(files)
    file_sizes = _repeated([kilobytes * KIB for kilobytes in files], width)
    record_sizes = _repeated([kilobytes * KIB for kilobytes in records], width)
    places = locators if len(locators) == len(numbers) else _repeated(locators, width)
    value, low, high = _bounds(numbers, metric)
    if metric in _NEVER_ZERO:
        _open_the_timer_floor(
            numbers, file_sizes, record_sizes, high, metric, time_resolution
        )
    columns: list[tuple[list, Sequence]] = [
        (cells.operation, list(operations) * rows),
        (cells.file_size_bytes, file_sizes),
        (cells.record_size_bytes, record_sizes),
        (cells.threads, [1] * len(numbers)),
        (cells.child, [None] * len(numbers)),
        (cells.metric, [metric] * len(numbers)),
        (cells.value, value),
        (cells.low, low),
        (cells.high, high),
        (cells.locator, places),
    ]
    measured = metric not in _NEVER_ZERO or 0 not in numbers
    for column, new in columns:
        column.extend(new if measured else compress(new, numbers))


def _bounds(
    numbers: Sequence[int], metric: str
) -> tuple[list[float], list[float], list[float]]:
    printed = np.array(numbers, dtype=float)
    unit = {"throughput": float(KIB), "rate": 1.0, "latency": _MICROSECOND}[metric]
    low = printed * unit
    value = np.where(printed == 0, MISSING, low) if metric == "latency" else low
    return value.tolist(), low.tolist(), ((printed + 1) * unit).tolist()


def _open_the_timer_floor(
    numbers: Sequence[int],
    file_sizes: Sequence[int],
    record_sizes: Sequence[int],
    high: list[float],
    metric: str,
    time_resolution: float,
) -> None:
    """Forget the upper bound of numbers that the clock could not resolve."""
    largest = max(numbers)
    per_file = KIB if metric == "throughput" else max(record_sizes)
    if largest < int(min(file_sizes) / per_file / time_resolution):
        return
    for index, number in enumerate(numbers):
        amount = file_sizes[index] / (
            KIB if metric == "throughput" else record_sizes[index]
        )
        # IOzone's own division truncates, so one below the quotient counts as well.
        if number >= int(amount / time_resolution) - 1:
            high[index] = MISSING


def _repeated(values: Sequence, times: int) -> list:
    return list(chain.from_iterable([value] * times for value in values))
