"""Small, medium, large and very large files: what each bucket says, and how surely.

The unit of replication is the run, never the cell: the cells of one run share caches,
time and layout. Definitions are those of the project's "honest numbers".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from fsviz.analysis.cells import (
    WHERE,
    performance,
    present,
    refuse_mixed,
    select,
)
from fsviz.analysis.costs import with_cpu_cost
from fsviz.analysis.groupings import (
    ALL,
    EDGES,
    By,
    bucket_of,
    check_by,
    label_rows,
    rank_rows,
)
from fsviz.analysis.orders import in_order
from fsviz.model.table import METRICS, measurements_of

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["ALL", "EDGES", "bucket_of", "summary"]

SUMMARY_BY = ("bucket", "operation", "file_size", "record_size")
_GROUP = ["system", "tool", "operation", "metric", "threads", "bucket"]
COLUMNS = (
    "system",
    "tool",
    "operation",
    "metric",
    "bucket",
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
    "threads",
)


def summary(
    data: object,
    *,
    operations: Sequence[str] | None = None,
    by: By = "bucket",
    edges: Mapping[str, float] = EDGES,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Summarise each system and operation by file-size bucket.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    operations : sequence of str or None
        Which; by default every operation.
    by : {'bucket', 'operation', 'file_size', 'record_size'}
        What a row speaks for; ``operation`` takes all sizes together.
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.
    confidence : float
        Of the interval, between 0 and 1.

    Returns
    -------
    DataFrame
        One row a system, operation, metric, bucket and number of threads: ``n_runs``
        runs with a value, of which ``n_runs_partial`` lack some of the bucket's cells;
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
    check_by(by, SUMMARY_BY)
    chosen = select(measurements_of(data), operations=list(operations or ()))
    refuse_mixed(performance(chosen))
    table = with_cpu_cost(performance(chosen), chosen)
    bucket = label_rows(table, by, edges)
    table = table.assign(bucket=bucket, rank=rank_rows(table, bucket, by, edges))
    group = table.groupby(_GROUP, dropna=False, observed=True, sort=False).ngroup()
    table = table.assign(group=group)
    labels = table.drop_duplicates("group").set_index("group")[[*_GROUP, "rank"]]
    cells = _over_cells(table)
    result = labels.join(cells).join(_over_runs(table, cells, confidence))
    result["unit"] = [METRICS[str(name)].unit for name in result["metric"]]
    order = ["operation", "metric", "threads", "rank", "system"]
    systems = {"system": present(table, "system")}
    return in_order(result, order, systems)[list(COLUMNS)]


def _over_cells(table: pd.DataFrame) -> pd.DataFrame:
    sizes = [name for name in WHERE if name not in _GROUP]
    by_cell = table.groupby(["group", *sizes], dropna=False, observed=True)
    grouped = by_cell["value"].mean().groupby("group")
    return grouped.agg(n_cells="count", mean="mean", std_cells="std", median="median")


def _over_runs(
    table: pd.DataFrame, cells: pd.DataFrame, confidence: float
) -> pd.DataFrame:
    from scipy import stats

    runs = table.groupby(["group", "run"], observed=True)["value"].agg(
        ["mean", "count"]
    )
    expected = cells["n_cells"].reindex(runs.index.droplevel("run")).to_numpy()
    whole = runs.loc[(runs["count"].to_numpy() == expected) & (expected > 0), "mean"]
    over = whole.groupby("group").agg(["count", "mean", "std"]).reindex(cells.index)
    n = over["count"].fillna(0)
    half = stats.t.ppf((1 + confidence) / 2, n - 1) * over["std"] / n**0.5
    seen = runs.assign(there=runs["count"] > 0).groupby("group")["there"]
    return over.assign(
        n_runs=seen.sum().astype("int64"),
        n_runs_partial=(seen.size() - n).astype("int64"),
        std_runs=over["std"],
        ci_low=over["mean"] - half,
        ci_high=over["mean"] + half,
    )[["n_runs", "n_runs_partial", "std_runs", "ci_low", "ci_high"]]
