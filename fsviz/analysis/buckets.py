"""Small, medium, large and very large files: what each bucket says, and how surely.

The unit of replication is the run, never the cell: the cells of one run share caches,
time and layout. Definitions are those of the project's "honest numbers".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from fsviz.analysis.cells import WHERE, performance, present, refuse_mixed
from fsviz.table import METRICS, OPERATIONS, measurements_of
from fsviz.units import KIB, MIB

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

_GROUP = ["system", "tool", "operation", "metric", "bucket"]
COLUMNS = (
    *_GROUP,
    "n_runs",
    "n_runs_partial",
    "n_cells",
    "mean",
    "std_cells",
    "std_runs",
    "median",
    "ci_low",
    "ci_high",
    "unit",
)


def summary(
    data: object,
    *,
    edges: Mapping[str, float] = EDGES,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Summarise each system and operation by file-size bucket.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.
    confidence : float
        Of the interval, between 0 and 1.

    Returns
    -------
    DataFrame
        One row a system, operation, metric and bucket: ``n_runs`` runs with a value, of
        which ``n_runs_partial`` lack some of the bucket's cells;
        ``n_cells``; ``mean``, ``std_cells`` and ``median`` over the cell means [unit];
        ``std_runs`` and the t interval ``ci_low``, ``ci_high`` over the means of the
        runs that have every cell [unit], missing with fewer than two of them.

    Raises
    ------
    MixedCellError
        If a cell holds runs that are not repeats of one another.

    Notes
    -----
    Runs as the unit: Kalibera & Jones 2013; Hoefler & Belli 2015. A mean over cells is
    what publications print; its ``std_cells`` says how much the matrix varies, not how
    repeatable it is.
    """
    table = performance(measurements_of(data))
    refuse_mixed(table)
    table = table.assign(bucket=bucket_of(table["file_size_bytes"], edges))
    cells = _over_cells(table)
    runs = _over_runs(table, cells, confidence)
    result = cells.join(runs).reset_index()
    result["unit"] = [METRICS[name].unit for name in result["metric"]]
    return _in_order(result, present(table, "system"), [*edges, ALL])


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


def _over_cells(table: pd.DataFrame) -> pd.DataFrame:
    sizes = [name for name in WHERE if name not in _GROUP]
    means = table.groupby([*_GROUP, *sizes], dropna=False, observed=True)[
        "value"
    ].mean()
    grouped = means.groupby(_GROUP, observed=True)
    return grouped.agg(n_cells="count", mean="mean", std_cells="std", median="median")


def _over_runs(
    table: pd.DataFrame, cells: pd.DataFrame, confidence: float
) -> pd.DataFrame:
    from scipy import stats

    runs = table.groupby([*_GROUP, "run"], observed=True)["value"].agg(
        ["mean", "count"]
    )
    expected = cells["n_cells"].reindex(runs.index.droplevel("run")).to_numpy()
    whole = runs.loc[(runs["count"].to_numpy() == expected) & (expected > 0), "mean"]
    over = whole.groupby(_GROUP, observed=True).agg(["count", "mean", "std"])
    over = over.reindex(cells.index)
    n = over["count"].fillna(0)
    half = stats.t.ppf((1 + confidence) / 2, n - 1) * over["std"] / n**0.5
    seen = runs.groupby(_GROUP, observed=True)["count"]
    with_value = seen.agg(lambda counts: (counts > 0).sum()).reindex(cells.index)
    partial = seen.size().reindex(cells.index) - n
    return over.assign(
        n_runs=with_value.astype("int64"),
        n_runs_partial=partial.astype("int64"),
        std_runs=over["std"],
        ci_low=over["mean"] - half,
        ci_high=over["mean"] + half,
    )[["n_runs", "n_runs_partial", "std_runs", "ci_low", "ci_high"]]


def _in_order(
    result: pd.DataFrame, systems: list[str], buckets: list[str]
) -> pd.DataFrame:
    """Sort as people read: systems as given, operations as printed, buckets by size."""
    order = {
        "system": systems,
        "operation": list(OPERATIONS),
        "metric": list(METRICS),
        "bucket": buckets,
    }
    ranks = {
        name: result[name].map({value: i for i, value in enumerate(values)}).astype(int)
        for name, values in order.items()
    }
    rank = result.assign(**ranks).sort_values(
        ["operation", "metric", "bucket", "system"], kind="stable"
    )
    return result.loc[rank.index, list(COLUMNS)].reset_index(drop=True)
