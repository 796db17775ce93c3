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
    file = np.repeat(np.asarray(files, dtype=np.int64) * KIB, width)
    record = np.repeat(np.asarray(records, dtype=np.int64) * KIB, width)
    value, low, high = _bounds(printed.ravel(), metric)
    if metric != "latency":
        high[
            _at_timer_floor(printed.ravel(), file, record, metric, time_resolution)
        ] = MISSING
    shown = printed.ravel() > 0 if metric != "latency" else np.ones(printed.size, bool)
    count = int(shown.sum())
    names: Sequence[str] = list(operations) * rows
    where: Sequence[str] = list(chain.from_iterable([[p] * width for p in places]))
    if count < printed.size:
        names = list(compress(names, shown))
        where = list(compress(where, shown))
        file, record = file[shown], record[shown]
        value, low, high = value[shown], low[shown], high[shown]
    cells.operation.extend(names)
    cells.file_size_bytes.extend(file.tolist())
    cells.record_size_bytes.extend(record.tolist())
    cells.threads.extend([1] * count)
    cells.setting.extend([""] * count)
    cells.child.extend([None] * count)
    cells.metric.extend([metric] * count)
    cells.value.extend(value.tolist())
    cells.low.extend(low.tolist())
    cells.high.extend(high.tolist())
    cells.locator.extend(where)


def _bounds(printed: Numbers, metric: str) -> tuple[Numbers, Numbers, Numbers]:
    unit = _UNITS[metric]
    low = printed * unit
    value = np.where(printed == 0, MISSING, low) if metric == "latency" else low
    return value, low, (printed + 1) * unit


def _at_timer_floor(
    printed: Numbers,
    file: npt.NDArray[np.int64],
    record: npt.NDArray[np.int64],
    metric: str,
    time_resolution: float,
) -> npt.NDArray[np.bool_]:
    """Find the numbers that the clock could not resolve."""
    amount = file / (KIB if metric == "throughput" else record)
    # IOzone's own division truncates, so one below the quotient counts as well.
    return printed >= np.floor(amount / time_resolution) - 1
