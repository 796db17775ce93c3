"""Many numbers of few cells → one row a cell: the only arithmetic for a cell's numbers.

Comparison, heatmaps, figures and rules all reduce repeats to cells here, so that a cell
has one mean wherever it is shown.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from fsviz.model.libraries import np, pd

if TYPE_CHECKING:
    from numpy.typing import NDArray


def codes(columns: Sequence[pd.Series]) -> NDArray[np.int64]:
    """Number the distinct rows of some columns from 0, in order of their values."""
    combined, size = np.zeros(len(columns[0]), np.int64), 1
    for column in columns:
        code, number = _code(column)
        combined, size = _closed_up(combined * number + code, size * number)
    return combined


def codes_as_they_come(columns: Sequence[pd.Series]) -> NDArray[np.int64]:
    """Number the distinct rows of some columns from 0, in the order they come."""
    return pd.factorize(codes(columns))[0].astype(np.int64)


def number_rows(
    table: pd.DataFrame, columns: Sequence[str]
) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """Number the distinct rows of some columns in the order they come; list them."""
    code = codes_as_they_come([table[name] for name in columns])
    first = np.unique(code, return_index=True)[1]
    return code, table[list(columns)].iloc[first].reset_index(drop=True)


def _closed_up(code: NDArray[np.int64], size: int) -> tuple[NDArray[np.int64], int]:
    """Number codes below a size anew, in their order and without gaps."""
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
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy().astype(np.int64)
        return _closed_up(codes + 1, len(column.cat.categories) + 1)
    if pd.api.types.is_numeric_dtype(column.dtype):
        numbers = column.to_numpy(dtype=np.int64, na_value=-1)
        codes, values = pd.factorize(numbers, sort=True)
        return codes.astype(np.int64), len(values)
    codes, values = pd.factorize(column, sort=False)
    return codes.astype(np.int64) + 1, len(values) + 1


def cell_means(
    value: NDArray[np.float64], cell: NDArray[np.int64], size: int
) -> NDArray[np.float64]:
    """Mean of each cell's numbers.

    >>> import numpy as np
    >>> cell_means(np.array([1.0, 3.0, 5.0]), np.array([0, 0, 2]), 3).tolist()
    [2.0, nan, 5.0]
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        total = np.bincount(cell, value, size)
        mean = total / np.bincount(cell, minlength=size)
    return np.where(total < np.inf, mean, np.nan)


class CellStatistics(NamedTuple):
    """What the numbers of each cell say, each an array of shape (cells,).

    ``std`` is missing with one number, ``log_mean`` (of the logarithms) where a number
    is not above 0. ``at_low`` is the first row of the smallest value, ``at_high`` the
    last of the largest.
    """

    n: NDArray[np.int64]
    mean: NDArray[np.float64]
    std: NDArray[np.float64]
    log_mean: NDArray[np.float64]
    at_low: NDArray[np.int64]
    at_high: NDArray[np.int64]


def cell_statistics(
    value: NDArray[np.float64], cell: NDArray[np.int64]
) -> CellStatistics:
    """Reduce numbers to cells."""
    n = np.bincount(cell)
    logs = np.log(np.where(value > 0, value, np.nan))
    mean, log_mean = (cell_means(numbers, cell, len(n)) for numbers in (value, logs))
    freedom = np.where(n > 1, n - 1, np.nan)
    squares = np.bincount(cell, (value - mean[cell]) ** 2, len(n))
    extremes = _extremes(value, cell, len(n))
    return CellStatistics(n, mean, np.sqrt(squares / freedom), log_mean, *extremes)


def _extremes(
    value: NDArray[np.float64], cell: NDArray[np.int64], size: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the first row of each cell's smallest value, and the last of its largest."""
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


def means_by(rows: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Mean of the numbers that share some columns."""
    rows = rows.loc[rows["value"].notna()]
    if rows.empty:
        return rows[list(keys)].assign(mean=np.empty(0), n=np.empty(0, np.int64))
    code, cells = number_rows(rows, keys)
    values = rows["value"].to_numpy(float)
    n = np.bincount(code)
    return cells.assign(mean=cell_means(values, code, len(n)), n=n)
