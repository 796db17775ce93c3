"""One system's rows of a matrix, and what its cells say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from fsviz.analysis.matrices import Matrix


@dataclass(frozen=True)
class Side:
    """One system's runs, shape (runs, cells), and what its cells say, shape (cells,).

    ``run_low`` and ``run_high`` are the logarithms of the printed bounds, ``low`` and
    ``high`` those of each cell's mean; ``mean`` is its mean value, ``time`` the mean
    time that it took [s].
    """

    logs: NDArray[np.float64]
    censored: NDArray[np.bool_]
    run_low: NDArray[np.float64]
    run_high: NDArray[np.float64]
    measured: NDArray[np.bool_]
    seen: NDArray[np.bool_]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    mean: NDArray[np.float64]
    time: NDArray[np.float64]


def side(matrix: Matrix, system: str) -> Side:
    """Take one system's runs out of a matrix."""
    import numpy as np

    rows = matrix.rows(system)
    value, censored = matrix.value[rows], matrix.censored[rows]
    there = np.isfinite(value)
    with np.errstate(divide="ignore", invalid="ignore"):
        low, high = np.log(matrix.low[rows]), np.log(matrix.high[rows])
    return Side(
        logs=np.log(value),
        censored=censored,
        run_low=low,
        run_high=high,
        measured=np.any(there, axis=0),
        seen=np.any(there | censored, axis=0),
        low=mean_over_runs(low, there | censored),
        high=mean_over_runs(high, there | censored),
        mean=mean_over_runs(value, there),
        time=_cell_times(value, there, matrix.cells),
    )


def mean_over_runs(
    numbers: NDArray[np.float64], where: NDArray[np.bool_]
) -> NDArray[np.float64]:
    """Mean over runs; unknown as soon as one of them is."""
    import numpy as np

    n = where.sum(axis=0)
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.where(where, numbers, 0.0).sum(axis=0)
    return np.where(total < np.inf, total, np.nan) / np.where(n > 0, n, np.nan)


def _cell_times(
    value: NDArray[np.float64], there: NDArray[np.bool_], cells: pd.DataFrame
) -> NDArray[np.float64]:
    """Mean over runs of file size ÷ throughput; an elapsed time is one already."""
    import numpy as np

    size = cells["file_size_bytes"].to_numpy(float, na_value=np.nan)
    metric = cells["metric"].astype(str).to_numpy()
    with np.errstate(over="ignore"):
        slowness = 1 / value
    moved = np.where(
        metric == "throughput", size * mean_over_runs(slowness, there), np.nan
    )
    return np.where(metric == "elapsed", mean_over_runs(value, there), moved)
