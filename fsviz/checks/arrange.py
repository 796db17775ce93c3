"""Numbers into cells: the arithmetic that the rules share, quick for many runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsviz.table import CELL

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

    combined: NDArray[np.int64] | None = None
    for column in columns:
        codes = _code(column)
        if combined is None:
            combined = codes
        else:
            combined = combined * (int(codes.max(initial=0)) + 1) + codes
            _, combined = np.unique(combined, return_inverse=True)
    assert combined is not None  # noqa: S101 - no caller passes no column
    return np.unique(combined, return_inverse=True)[1].astype(np.int64)


def _code(column: pd.Series) -> NDArray[np.int64]:
    import numpy as np
    import pandas as pd

    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy().astype(np.int64) + 1
    if pd.api.types.is_numeric_dtype(column.dtype):
        numbers = column.to_numpy(dtype=np.int64, na_value=-1)
        return np.unique(numbers, return_inverse=True)[1].astype(np.int64)
    return pd.factorize(column, sort=False)[0].astype(np.int64) + 1


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
    # by value within the cell, so that its first and last row are its extremes
    order = np.lexsort((value, cell))
    ordered = cell[order]
    start = np.flatnonzero(np.diff(ordered, prepend=-1))
    n = np.diff(np.append(start, len(order)))
    last = start + n - 1
    mean = np.bincount(cell, value, len(n)) / n
    squares = np.bincount(cell, (value - mean[cell]) ** 2, len(n))
    with np.errstate(invalid="ignore", divide="ignore"):
        std = np.sqrt(squares / np.where(n > 1, n - 1, np.nan))
    logs = np.log(np.where(value > 0, value, np.nan))
    log_mean = np.bincount(cell, logs, len(n)) / n
    log_squares = np.bincount(cell, (logs - log_mean[cell]) ** 2, len(n))
    names = ["system", "tool", *CELL, "group"]
    cells = rows.iloc[order[start]][names].reset_index(drop=True)
    return cells.assign(
        n=n,
        mean=mean,
        std=std,
        log_mean=log_mean,
        log_var=log_squares / np.where(n > 1, n - 1, np.nan),
        inverse=np.bincount(cell, 1 / np.where(value > 0, value, np.nan), len(n)) / n,
        low=value[order[start]],
        high=value[order[last]],
        at_low=order[start],
        at_high=order[last],
    )
