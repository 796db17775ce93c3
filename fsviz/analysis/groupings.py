"""Which cells a row of a table speaks for: a bucket, an operation, a size, a tool."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

from fsviz.model.errors import UsageError
from fsviz.model.units import KIB, MIB, format_size

if TYPE_CHECKING:
    import pandas as pd

EDGES: dict[str, float] = {
    "small": 512 * KIB,
    "medium": 16 * MIB,
    "large": 512 * MIB,
    "very_large": float("inf"),
}
"""Largest file size [B] of each bucket: the published classes with the gaps closed."""

ALL = "all"
"""The bucket of numbers that have no file size."""

By = Literal["bucket", "operation", "tool", "file_size", "record_size"]
BY: tuple[By, ...] = ("bucket", "operation", "tool", "file_size", "record_size")
GROUP = ["operation", "metric", "threads", "bucket"]
"""What the cells of one row share. Cells of other threads are never averaged in."""


def bucket_of(sizes: pd.Series, edges: Mapping[str, float] = EDGES) -> pd.Series:
    """Name the bucket of each file size.

    Parameters
    ----------
    sizes : Series of Int64, shape (n,)
        File sizes [B]; missing goes to the bucket ``all``.
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.

    Returns
    -------
    Series of str, shape (n,)

    Examples
    --------
    >>> import pandas as pd
    >>> list(bucket_of(pd.Series([524288, 524289, 2**30, None], dtype="Int64")))
    ['small', 'medium', 'very_large', 'all']
    """
    import numpy as np
    import pandas as pd

    position = np.searchsorted(
        np.fromiter(edges.values(), float), sizes.to_numpy(float, na_value=0.0)
    )
    names = np.array(list(edges))[np.minimum(position, len(edges) - 1)]
    named = pd.Series(names, index=sizes.index)
    return named.mask(sizes.isna(), ALL)


def group_cells(
    cells: pd.DataFrame, by: By = "bucket", edges: Mapping[str, float] = EDGES
) -> tuple[pd.DataFrame, Any]:
    """Put cells into groups; with buckets, also all sizes of an operation together.

    Parameters
    ----------
    cells : DataFrame
        The columns of `fsviz.model.table.CELL`.
    by : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
        What a group is; ``operation`` takes all sizes together, ``tool`` also all
        operations.
    edges : mapping of str to float
        Largest file size [B] of each bucket.

    Returns
    -------
    groups : DataFrame
        The columns of `GROUP`, one row a group, and ``rank``, by which to sort buckets.
    member : scipy sparse array, shape (cells, groups)
        1 where a cell belongs to a group.

    Raises
    ------
    UsageError
        If ``by`` is none of these.
    """
    import numpy as np
    import pandas as pd
    from scipy import sparse

    check_by(by, BY)
    bucket = label_rows(cells, by, edges)
    labelled = cells[["operation", "metric", "threads"]].assign(
        bucket=bucket, rank=rank_rows(cells, bucket, by, edges)
    )
    if by == "tool":
        labelled["operation"] = ALL
    column = np.arange(len(cells))
    if by == "bucket":
        several = _spans_buckets(labelled)
        whole = labelled.loc[several].assign(bucket=ALL, rank=np.inf)
        labelled = pd.concat([labelled, whole], ignore_index=True)
        column = np.concatenate([column, column[several]])
    numbers = labelled.groupby(GROUP, dropna=False, observed=True, sort=False).ngroup()
    groups = labelled.drop_duplicates(GROUP).reset_index(drop=True)
    ones = np.ones(len(column))
    shape = (len(cells), len(groups))
    return groups, sparse.csr_array((ones, (column, numbers)), shape=shape)


def check_by(by: str, known: tuple[str, ...]) -> None:
    """Check what a row is to speak for.

    Raises
    ------
    UsageError
        If it is none of those known.
    """
    if by not in known:
        raise UsageError(f"by: expected one of {', '.join(known)}, found {by}")


def label_rows(
    cells: pd.DataFrame, by: By, edges: Mapping[str, float]
) -> pd.Series | str:
    """Name the bucket or the size of each row, or ``all``."""
    if by == "bucket":
        return bucket_of(cells["file_size_bytes"], edges)
    if by in ("file_size", "record_size"):
        sizes = cells[f"{by}_bytes"]
        return sizes.map(_size_name, na_action=None)
    return ALL


def _size_name(size: object) -> str:
    return format_size(size) if isinstance(size, int) else ALL


def rank_rows(
    cells: pd.DataFrame, bucket: pd.Series | str, by: By, edges: Mapping[str, float]
) -> Any:
    """Say by what the rows that `label_rows` has named are to be sorted."""
    import numpy as np
    import pandas as pd

    if by == "bucket":
        position = {name: float(i) for i, name in enumerate(edges)}
        return pd.Series(bucket).map(position).fillna(np.inf)
    if by in ("file_size", "record_size"):
        return cells[f"{by}_bytes"].astype("Float64").fillna(np.inf)
    return np.inf


def _spans_buckets(labelled: pd.DataFrame) -> Any:
    """Say which cells are of an operation that has several buckets."""
    keys = ["operation", "metric", "threads"]
    grouped = labelled.groupby(keys, dropna=False, observed=True)["bucket"]
    return (grouped.transform("nunique") > 1).to_numpy() & (
        labelled["bucket"] != ALL
    ).to_numpy()
