"""Marks of an examination → the rows of a table of cells that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.model.table import CELL

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

PLACE = ["tool", *CELL]
"""What makes a cell, whichever system measured it."""

TYPES = dict.fromkeys(["system", "tool", "operation", "metric"], "string") | {
    name: "Int64" for name in CELL if name not in ("operation", "metric")
}
"""Types of these columns that compare whatever the table's are."""

_KEPT = ["rule", "severity", "against"]


def number_cells(
    table: pd.DataFrame, columns: list[str]
) -> tuple[NDArray[np.int64], pd.DataFrame]:
    """Number the distinct rows of some columns.

    Parameters
    ----------
    table : DataFrame
        Measurements or cells.
    columns : list of str
        ``system`` and columns of `PLACE`.

    Returns
    -------
    ndarray of int, shape (rows of table,)
        The number of each row.
    DataFrame
        The distinct rows, by number.
    """
    few = table[columns].astype({name: TYPES[name] for name in columns})
    rows = few.drop_duplicates().reset_index(drop=True)
    numbered = rows.assign(number=range(len(rows)))
    at = few.merge(numbered, on=columns, how="left")["number"]
    return at.to_numpy("int64"), rows


def marked_rows(cells: pd.DataFrame, marks: pd.DataFrame) -> pd.DataFrame:
    """Find the cells that marks are about.

    Parameters
    ----------
    cells : DataFrame
        ``system`` and the columns of `PLACE`, as `number_cells` lists them.
    marks : DataFrame
        Of an `fsviz.checks.Examination`; what a mark lacks fits any.

    Returns
    -------
    DataFrame
        ``row`` (position in cells), ``rule``, ``severity`` and ``against``.
    """
    import pandas as pd

    names = ["system", *PLACE]
    numbered = cells[names].assign(row=range(len(cells)))
    parts = [numbered.head(0)[["row"]].assign(**dict.fromkeys(_KEPT, ""))]
    given = marks[names].notna()
    for pattern in given.drop_duplicates().itertuples(index=False):
        on = [name for name, there in zip(names, pattern, strict=True) if there]
        rows = marks.loc[(given == list(pattern)).all(axis=1), [*on, *_KEPT]]
        some = rows.drop_duplicates().astype({name: TYPES[name] for name in on})
        parts.append(numbered.merge(some, on=on)[["row", *_KEPT]])
    return pd.concat(parts, ignore_index=True).astype({"row": "int64"})
