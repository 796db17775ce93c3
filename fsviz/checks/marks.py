"""Marks of an examination → the rows of a table of cells that they are about."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from fsviz.analysis.aggregate import codes_as_they_come
from fsviz.checks.findings import LISTS, MARKS, Examination
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

_KEPT = {
    "finding": "int64",
    "rule": "string",
    "severity": "string",
    "against": "string",
    "disqualifies": "bool",
    "scope": "string",
}
"""What a mark says, with its types."""


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
    import numpy as np

    number = codes_as_they_come([table[name] for name in columns])
    first = np.unique(number, return_index=True)[1]
    rows = table[columns].iloc[first].reset_index(drop=True)
    return number, rows.astype({name: TYPES[name] for name in columns})


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
        ``row`` (position in cells), and of the mark ``finding``, ``rule``,
        ``severity``, ``against``, ``disqualifies`` and ``scope``.
    """
    import pandas as pd

    names = ["system", *PLACE]
    numbered = cells[names].assign(row=range(len(cells)))
    parts = [numbered.head(0)[["row"]].join(marks.head(0)[[*_KEPT]])]
    given = marks[names].notna()
    for pattern in given.drop_duplicates().itertuples(index=False):
        on = [name for name, there in zip(names, pattern, strict=True) if there]
        rows = marks.loc[(given == list(pattern)).all(axis=1), [*on, *_KEPT]]
        some = rows.drop_duplicates().astype({name: TYPES[name] for name in on})
        parts.append(numbered.merge(some, on=on)[["row", *_KEPT]])
    return pd.concat(parts, ignore_index=True).astype({"row": "int64", **_KEPT})


# What a figure shows of an examination: errors and warnings, with their places.

SHOWN = ("error", "warning")
"""Severities that a figure shows; what is for information stands in the list only."""

NOT_OF_CELLS = (
    *("cache-regime", "cache-cliff", "unmatched-cells", "means-disagree"),
    "not-interleaved",
)
"""Rules about averages over cells, or about the order of runs: none of their cells is
at fault by itself."""


def cell_marks(examination: Examination) -> pd.DataFrame:
    """List what figures are to mark, as a frame.

    Parameters
    ----------
    examination : Examination
        As `fsviz.run_checks` returns it.

    Returns
    -------
    DataFrame
        Columns of `fsviz.checks.findings.MARKS`, errors and warnings only, and
        ``cell``: whether the finding is about these cells one by one. A finding
        without cells has one row a system and operation. What is missing stands for
        any.
    """
    import pandas as pd

    marks = examination.marks
    about_cells = ~marks["rule"].isin(NOT_OF_CELLS)
    shown = marks.assign(cell=about_cells).loc[marks["severity"].isin(SHOWN)]
    with_cells = set(marks["finding"])
    rows = []
    for number, finding in examination.findings.iterrows():
        if finding["severity"] not in SHOWN or number in with_cells:
            continue
        names = [finding[column] or [None] for column in LISTS]
        rows += [
            {
                "finding": number,
                "rule": finding["rule"],
                "severity": finding["severity"],
                "system": system,
                "operation": operation,
                "tool": tool,
                "against": "",
                "disqualifies": False,
                "scope": "",
                "cell": False,
            }
            for system, operation, tool in product(*names)
        ]
    whole = pd.DataFrame(rows, columns=[*MARKS, "cell"])
    whole = whole.astype(shown.dtypes.to_dict())
    return pd.concat([shown, whole], ignore_index=True)
