"""Numbers into cells: the arithmetic that the rules share, quick for many runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsviz.model.table import CELL

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

STEADY = ("throughput", "rate", "elapsed")
"""Metrics that should repeat; a largest latency or a CPU share need not."""


def total_bytes(cells: pd.DataFrame) -> pd.Series:
    """Say how much data the cells touch [B]: each process has a file of its own."""
    return cells["file_size_bytes"].astype("float64") * cells["threads"].fillna(
        1
    ).astype("float64")


def codes(columns: Sequence[pd.Series]) -> NDArray[np.int64]:
    """Number the distinct rows of some columns from 0, in order of their values."""
    import numpy as np

    combined, size = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        code, number = _code(column)
        combined, size = _closed_up(combined * number + code, size * number)
    return combined


def _closed_up(code: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], int]:
    """Number codes below a size anew, in their order and without gaps."""
    import numpy as np

    if size > _ROOM + 8 * len(code):
        distinct, inverse = np.unique(code, return_inverse=True)
        return inverse.astype(np.int64), len(distinct)
    occurs = np.zeros(size, np.bool_)
    occurs[code] = True
    number = np.cumsum(occurs) - 1
    return number[code], int(occurs.sum())


_ROOM = 1 << 16
"""A table of what occurs, of this size and more for many rows, beats sorting."""


def _code(column: pd.Series) -> tuple[NDArray[np.int64], int]:
    """Number the values of a column from 0, and say how many there are."""
    import numpy as np
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy().astype(np.int64)
        return _closed_up(codes + 1, len(column.cat.categories) + 1)
    if pd.api.types.is_numeric_dtype(column.dtype):
        numbers = column.to_numpy(dtype=np.int64, na_value=-1)
        codes, values = pd.factorize(numbers, sort=True)
        return codes.astype(np.int64), len(values)
    codes, values = pd.factorize(column, sort=False)
    return codes.astype(np.int64) + 1, len(values) + 1


def positions(runs: pd.DataFrame, table: pd.DataFrame) -> NDArray[np.int64]:
    """Find the row of `runs` that each measurement belongs to."""
    import numpy as np
    import pandas as pd

    if table.empty:
        return np.empty(0, np.int64)
    keys = ("campaign", "system", "run")
    known = {key: i for i, key in enumerate(zip(*(runs[k] for k in keys), strict=True))}
    parts = [pd.factorize(table[k], use_na_sentinel=False) for k in keys]
    code = np.zeros(len(table), np.int64)
    for codes, values in parts:
        code = code * len(values) + codes
    distinct, first, inverse = np.unique(code, return_index=True, return_inverse=True)
    position = np.empty(len(distinct), np.int64)
    for i, row in enumerate(first):
        position[i] = known[tuple(v[c[row]] for c, v in parts)]
    return position[inverse]


def levels_of(
    rows: pd.DataFrame, cell: NDArray[np.int64], whole: NDArray[np.bool_]
) -> pd.DataFrame:
    """Reduce each run to one level a test.

    Parameters
    ----------
    rows : DataFrame
        Measured numbers, with their run as ``at``.
    cell : ndarray, shape (rows,)
        Number of the cell of each row.
    whole : ndarray of bool, shape (cells,)
        Cells that all runs have.

    Returns
    -------
    DataFrame
        One row a run, one column a test: mean logarithm over its whole cells.
    """
    import numpy as np
    import pandas as pd

    value = rows["value"].to_numpy()
    wanted = rows["metric"].isin(STEADY).to_numpy(bool) & (value > 0) & whole[cell]
    table = pd.DataFrame(
        {
            "at": rows["at"].to_numpy()[wanted],
            "operation": rows["operation"].cat.codes.to_numpy()[wanted],
            "log": np.log(value[wanted]),
        }
    )
    wide = table.groupby(["at", "operation"])["log"].mean().unstack()
    names = rows["operation"].cat.categories
    return wide.set_axis([names[code] for code in wide.columns], axis="columns")


def aggregate(rows: pd.DataFrame, cell: NDArray[np.int64]) -> pd.DataFrame:
    """Reduce rows to cells, as `fsviz.checks.case.Case.cells` describes them."""
    import numpy as np

    value = rows["value"].to_numpy()
    n = np.bincount(cell)
    at_low, at_high = _extremes(value, cell, len(n))
    mean = np.bincount(cell, value, len(n)) / n
    squares = np.bincount(cell, (value - mean[cell]) ** 2, len(n))
    positive = np.where(value > 0, value, np.nan)
    logs = np.log(positive)
    log_mean = np.bincount(cell, logs, len(n)) / n
    log_squares = np.bincount(cell, (logs - log_mean[cell]) ** 2, len(n))
    others = np.where(n > 1, n - 1, np.nan)
    cells = rows[["system", "tool", *CELL, "group"]].iloc[at_low]
    return cells.reset_index(drop=True).assign(
        n=n,
        mean=mean,
        std=np.sqrt(squares / others),
        log_mean=log_mean,
        log_var=log_squares / others,
        inverse=np.bincount(cell, 1 / positive, len(n)) / n,
        low=value[at_low],
        high=value[at_high],
        at_low=at_low,
        at_high=at_high,
    )


def _extremes(
    value: NDArray[np.float64], cell: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the first row of each cell's smallest value, and the last of its largest."""
    import numpy as np

    low, high = np.full(size, np.inf), np.full(size, -np.inf)
    np.minimum.at(low, cell, value)
    np.maximum.at(high, cell, value)
    at_low, at_high = np.zeros(size, np.int64), np.zeros(size, np.int64)
    # of several rows for one cell, the last that is written stays
    lowest = np.flatnonzero(value == low[cell])[::-1]
    highest = np.flatnonzero(value == high[cell])
    at_low[cell[lowest]] = lowest
    at_high[cell[highest]] = highest
    return at_low, at_high
