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
from itertools import compress

import numpy as np
import numpy.typing as npt

from fsviz.model.runs import MISSING, Cells
from fsviz.model.units import KIB

_UNITS = {"throughput": float(KIB), "rate": 1.0, "latency": 1e-6}

Numbers = npt.NDArray[np.float64]


def add_grid(
    cells: Cells,
    operations: Sequence[str],
    files: Sequence[int],
    records: Sequence[int],
    numbers: npt.ArrayLike,
    places: Sequence[str],
    *,
    metric: str,
    time_resolution: float,
) -> None:
    """Append the rows of a table.

    Units: `time_resolution` [s].
    """
    width, rows = len(operations), len(files)
    printed = np.asarray(numbers, dtype=float).reshape(rows, width)
    unit = _UNITS[metric]
    low, high = printed * unit, (printed + 1) * unit
    value = np.where(printed == 0, MISSING, low) if metric == "latency" else low
    if metric != "latency":
        amounts = np.array(files) / (np.array(records) if metric == "rate" else 1)
        high[_at_timer_floor(printed, amounts, time_resolution)] = MISSING
    size, least = printed.size, low.ravel().tolist()
    columns: dict[str, list] = {
        "operation": [*operations] * rows,
        "file_size_bytes": _each([file * KIB for file in files], width),
        "record_size_bytes": _each([record * KIB for record in records], width),
        "threads": [1] * size,
        "setting": [""] * size,
        "child": [None] * size,
        "metric": [metric] * size,
        "value": least if value is low else value.ravel().tolist(),
        "low": least,
        "high": high.ravel().tolist(),
        "locator": _each(places, width),
    }
    shown = printed.ravel() > 0
    all_shown = metric == "latency" or bool(shown.all())
    for name, column in columns.items():
        getattr(cells, name).extend(column if all_shown else compress(column, shown))


def _each(values: Sequence[object], times: int) -> list:
    column: list = [None] * (len(values) * times)
    for at in range(times):
        column[at::times] = values
    return column


def _at_timer_floor(
    printed: Numbers, amounts: Numbers, time_resolution: float
) -> npt.NDArray[np.bool_]:
    """Find the numbers that the clock could not resolve, by what each row is over."""
    # IOzone's own division truncates, so one below the quotient counts as well.
    return printed >= (np.floor(amounts / time_resolution) - 1)[:, np.newaxis]
