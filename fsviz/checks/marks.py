"""Marks of an examination → the rows of a table of cells that they are about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.analysis.arrangement import PLACE, equal_rows
from fsviz.model.libraries import np

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray


def marked_rows(
    cells: pd.DataFrame, marks: pd.DataFrame
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the cells that marks are about."""
    names = ["system", *PLACE]
    given = marks[names].notna()
    pairs = [(np.empty(0, np.int64), np.empty(0, np.int64))]
    for pattern in given.drop_duplicates().itertuples(index=False):
        on = [name for name, is_named in zip(names, pattern, strict=True) if is_named]
        marks_of_pattern = np.flatnonzero((given == list(pattern)).all(axis=1))
        row, mark = equal_rows(cells, marks.iloc[marks_of_pattern], on)
        pairs.append((row, marks_of_pattern[mark]))
    rows, numbers = (np.concatenate(part) for part in zip(*pairs, strict=True))
    return rows, numbers
