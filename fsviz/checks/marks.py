"""Marks of an examination → the rows of a table of cells that they are about."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from fsviz.analysis.arrangement import PLACE, equal_rows
from fsviz.checks.findings import LISTS, MARKS, Examination
from fsviz.model.libraries import np, pd

if TYPE_CHECKING:
    from numpy.typing import NDArray


def marked_rows(
    cells: pd.DataFrame, marks: pd.DataFrame
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the cells that marks are about."""
    names = ["system", *PLACE]
    given = marks[names].notna()
    found = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for pattern in given.drop_duplicates().itertuples(index=False):
        on = [name for name, there in zip(names, pattern, strict=True) if there]
        own = np.flatnonzero((given == list(pattern)).all(axis=1))
        row, mark = equal_rows(cells, marks.iloc[own], on)
        found.append((row, own[mark]))
    rows, numbers = (np.concatenate(part) for part in zip(*found, strict=True))
    return rows, numbers


# What a figure shows of an examination: errors and warnings, with their places.

SHOWN = ("error", "warning")
"""Severities that a figure shows; what is for information stands in the list only."""

NOT_OF_CELLS = (*("cache-regime", "cache-cliff", "unmatched-cells", "not-interleaved"),)
"""Rules about averages over cells, or about the order of runs: none of their cells is
at fault by itself."""


def cell_marks(examination: Examination) -> pd.DataFrame:
    """Return a table of the findings that figures mark.

    Parameters
    ----------
    examination : Examination
        As `fsviz.run_checks` returns it.

    Returns
    -------
    DataFrame
        Columns of `fsviz.checks.findings.MARKS`, errors and warnings only, and
        ``cell``: whether the finding is about individual cells. A finding without
        cells has one row per system and operation. A missing value means any.
    """
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
