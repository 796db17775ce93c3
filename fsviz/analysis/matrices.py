"""One tool's numbers as a matrix of runs by cells, which is what statistics need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fsviz.model.table import CELL

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Matrix:
    """Every number of one tool: runs down, cells across.

    Parameters
    ----------
    tool : str
        Its name.
    runs : DataFrame
        ``system`` and ``run`` of each row.
    cells : DataFrame
        The columns of `fsviz.model.table.CELL` for each column.
    value, low, high : ndarray, shape (runs, cells)
        Measured values above 0 and what the printed text allows [base units]; NaN
        where there is none.
    censored : ndarray of bool, shape (runs, cells)
        Measured, but without a value to compare: a bound only (``+++++``, ``<1``), or
        a value that is not above 0.
    """

    tool: str
    runs: pd.DataFrame
    cells: pd.DataFrame
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    censored: NDArray[np.bool_]

    def rows(self, system: str) -> NDArray[np.bool_]:
        """Say which rows are runs of a system."""
        return (self.runs["system"] == system).to_numpy(bool)


def matrices(table: pd.DataFrame) -> Iterator[Matrix]:
    """Arrange the numbers of each tool.

    Parameters
    ----------
    table : DataFrame
        Measurements, only repeats in each cell.

    Yields
    ------
    Matrix
        One a tool, in the order in which the tools come.
    """
    tools = table["tool"].unique()
    for tool in tools:
        rows = table if len(tools) == 1 else table.loc[table["tool"] == tool]
        yield _matrix(str(tool), rows)


def _matrix(tool: str, rows: pd.DataFrame) -> Matrix:
    import numpy as np

    run, runs = _code(rows, ("system", "run"))
    cell, cells = _code(rows, CELL)
    shape = (len(runs), len(cells))

    def spread(name: str) -> NDArray[np.float64]:
        matrix = np.full(shape, np.nan)
        matrix[run, cell] = rows[name].to_numpy(float, na_value=np.nan)
        return matrix

    value, low, high = spread("value"), spread("low"), spread("high")
    usable = np.isfinite(value) & (value > 0)
    known = np.isfinite(low) | np.isfinite(high) | np.isfinite(value)
    return Matrix(
        tool=tool,
        runs=runs.astype("string"),
        cells=cells,
        value=np.where(usable, value, np.nan),
        low=low,
        high=high,
        censored=known & ~usable,
    )


def _code(
    rows: pd.DataFrame, columns: Sequence[str]
) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """Number the distinct combinations of some columns in the order they come."""
    import numpy as np
    import pandas as pd

    code = np.zeros(len(rows), dtype="int64")
    for name in columns:
        part, known = pd.factorize(rows[name], use_na_sentinel=True)
        # a missing size is a size of its own; numbering anew keeps the codes small
        code, _ = pd.factorize(code * (len(known) + 1) + part + 1)
    _, first = np.unique(code, return_index=True)
    return code, rows.iloc[first][list(columns)].reset_index(drop=True)
