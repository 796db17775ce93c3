"""Small, medium, large and very large files: what each bucket says, and how surely.

The unit of replication is the run, never the cell: the cells of one run share caches,
time and layout. Definitions are those of the project's "honest numbers".
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, Literal, get_args

from fsviz.analysis.aggregate import codes_as_they_come, means_by
from fsviz.analysis.cells import (
    WHERE,
    compared,
    in_order,
    present,
    select,
)
from fsviz.analysis.membership import Membership
from fsviz.analysis.regimes import memory_of
from fsviz.analysis.tests import mean_interval
from fsviz.model.campaign import Campaign, Data
from fsviz.model.errors import UsageError, quoted
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names, choose, unknown
from fsviz.model.runs import facts_of_run
from fsviz.model.table import METRICS, measurements_of
from fsviz.model.units import KIB, MIB, format_size, parse_size

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
BY: tuple[By, ...] = get_args(By)
GROUP = ["operation", "metric", "threads", "setting", "bucket"]
"""What the cells of one row share; those of other threads or settings never mix in."""


def bucket_of(sizes: pd.Series, edges: Mapping[str, float] = EDGES) -> pd.Series:
    """Name the bucket of each file size.

    Units: `sizes` [B], `edges` [B].

    >>> import pandas as pd
    >>> list(bucket_of(pd.Series([524288, 524289, 2**30, None], dtype="Int64")))
    ['small', 'medium', 'very_large', 'all']
    """
    position = np.searchsorted(
        np.fromiter(edges.values(), float), sizes.to_numpy(float, na_value=0.0)
    )
    names = np.array(list(edges))[np.minimum(position, len(edges) - 1)]
    named = pd.Series(names, index=sizes.index)
    return named.mask(sizes.isna(), ALL)


def group_cells(
    cells: pd.DataFrame, by: By = "bucket", edges: Mapping[str, float] = EDGES
) -> tuple[pd.DataFrame, Membership]:
    """Put cells into groups; with buckets, also all sizes of an operation together.

    Units: `edges` [B].
    """
    check_by(by, BY)
    bucket = label_rows(cells, by, edges)
    labelled = cells[["operation", "metric", "threads", "setting"]].assign(
        bucket=bucket, rank=rank_rows(cells, bucket, by, edges)
    )
    if by == "tool":
        labelled["operation"] = ALL
    column = np.arange(len(cells))
    if by == "bucket":
        in_many = _spans_buckets(labelled)
        all_sizes = labelled.loc[in_many].assign(bucket=ALL, rank=np.inf)
        labelled = pd.concat([labelled, all_sizes], ignore_index=True)
        column = np.concatenate([column, column[in_many]])
    numbers = codes_as_they_come([labelled[name] for name in GROUP])
    first = np.unique(numbers, return_index=True)[1]
    groups = labelled.iloc[first].reset_index(drop=True)
    # sums begin with the first cell
    order = column.argsort(kind="stable")
    return groups, Membership(column[order], numbers[order], len(cells), len(groups))


def check_by(by: str, choices: tuple[str, ...]) -> None:
    """Check what a row is to speak for."""
    if by not in choices:
        raise unknown("by", by, choices)


def label_rows(
    cells: pd.DataFrame, by: By, edges: Mapping[str, float]
) -> pd.Series | str:
    """Name the bucket or the size of each row, or ``all``."""
    if by == "bucket":
        return bucket_of(cells["file_size_bytes"], edges)
    if by in ("file_size", "record_size"):
        number, sizes = pd.factorize(cells[f"{by}_bytes"])
        # what has no size is -1, the last
        names = np.array([*map(format_size, sizes.tolist()), ALL])
        return pd.Series(names[number], index=cells.index)
    return ALL


def rank_rows(
    cells: pd.DataFrame, bucket: pd.Series | str, by: By, edges: Mapping[str, float]
) -> Any:
    """Say by what the rows that `label_rows` has named are to be sorted."""
    if by == "bucket":
        position = {name: float(i) for i, name in enumerate(edges)}
        return pd.Series(bucket).map(position).fillna(np.inf)
    if by in ("file_size", "record_size"):
        return cells[f"{by}_bytes"].astype("Float64").fillna(np.inf)
    return np.inf


def _spans_buckets(labelled: pd.DataFrame) -> Any:
    """Say which cells are of an operation that has several buckets."""
    keys = ["operation", "metric", "threads", "setting"]
    grouped = labelled.groupby(keys, dropna=False, observed=True)["bucket"]
    return (grouped.transform("nunique") > 1).to_numpy() & (
        labelled["bucket"] != ALL
    ).to_numpy()


SummaryBy = Literal["bucket", "operation", "file_size", "record_size"]
SUMMARY_BY: tuple[SummaryBy, ...] = get_args(SummaryBy)
_GROUP = ["system", "tool", *GROUP]
COLUMNS = (
    "system",
    "tool",
    "operation",
    "metric",
    "bucket",
    "n_runs",
    "n_runs_partial",
    "n_runs_bounded",
    "n_cells",
    "mean",
    "mean_low",
    "mean_high",
    "std_cells",
    "std_runs",
    "median",
    "ci_low",
    "ci_high",
    "unit",
    "threads",
    "setting",
)


def summary(
    data: Data,
    *,
    operation: Names = None,
    metric: Names = None,
    by: SummaryBy = "bucket",
    edges: Mapping[str, float] = EDGES,
) -> pd.DataFrame:
    """Summarise each system and operation by file-size bucket.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    operation : str, iterable of str or None
        Operations to include; by default every operation.
    metric : str, iterable of str or None
        Metrics to include, such as ``throughput`` or ``cpu``; by default all.
    by : {'bucket', 'operation', 'file_size', 'record_size'}
        What one row covers; ``operation`` combines all sizes.
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.

    Returns
    -------
    DataFrame
        One row per system, operation, metric, bucket, threads and setting. ``n_runs``
        counts the runs that measured something there, ``n_runs_partial`` those that
        lack some of the bucket's cells, and ``n_runs_bounded`` those that have a bound
        such as ``+++++`` instead of a number in a cell.
        ``n_cells`` counts the cells. ``mean``, ``std_cells`` and ``median`` are over
        the cell means [unit]; with one cell, the median is over the runs. ``std_runs``
        and the interval ``ci_low``, ``ci_high`` are over the runs' means [unit] and
        missing with fewer than two runs that have all cells. It is a t interval, on
        logarithms for times (`fsviz.analysis.tests.mean_interval`). If a run has a
        bound, the mean lies between ``mean_low`` and ``mean_high`` [unit]; an open end
        is missing. Then ``mean``, both deviations and the interval are
        missing, because the other, slower runs alone would give wrong ones. The median
        stays if the order of the runs determines it.

    Raises
    ------
    MixedCellError
        If a cell contains runs that are not repeats of each other.

    Notes
    -----
    Runs as the unit: Kalibera & Jones 2013; Hoefler & Belli 2015. Publications print a
    mean over cells. Its ``std_cells`` shows how much the matrix varies, not how
    repeatable the mean is.
    """
    table, cells = _grouped(data, operation, metric, by, edges)
    over_runs = _over_runs(table, cells)
    return _labelled(table, cells.join(over_runs))[list(COLUMNS)]


def _grouped(
    data: Data,
    operation: Names,
    metric: Names,
    by: SummaryBy,
    edges: Mapping[str, float],
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Give each number its ``group``, and each group its means over cells."""
    check_by(by, SUMMARY_BY)
    chosen = select(measurements_of(data), operation=operation)
    table = compared(chosen)
    if names := choose("metric", metric, present(table, "metric")):
        table = table.loc[table["metric"].isin(names)]
    bucket = label_rows(table, by, edges)
    table = table.assign(bucket=bucket, rank=rank_rows(table, bucket, by, edges))
    group = table.groupby(_GROUP, dropna=False, observed=True, sort=False).ngroup()
    table = table.assign(group=group)
    return table, _over_cells(table)


def _labelled(table: pd.DataFrame, groups: pd.DataFrame) -> pd.DataFrame:
    """Say of each group what it is of, in the order of a summary."""
    labels = table.drop_duplicates("group").set_index("group")[[*_GROUP, "rank"]]
    result = labels.join(groups)
    result["unit"] = [METRICS[str(name)].unit for name in result["metric"]]
    order = ["operation", "metric", "threads", "setting", "rank", "system"]
    return in_order(result, order, {"system": present(table, "system")})


def _over_cells(table: pd.DataFrame) -> pd.DataFrame:
    cells = means_by(table, ["group", *_SIZES])
    grouped = cells.groupby("group")["mean"]
    groups = grouped.agg(n_cells="count", mean="mean", std_cells="std", median="median")
    # a group without any value stays, with no cells
    groups = groups.reindex(table["group"].unique())
    groups = groups.assign(n_cells=groups["n_cells"].fillna(0).astype("int64"))
    # the median of one cell would be its mean once more
    alone = table.loc[table["group"].isin(groups.index[groups["n_cells"] == 1])]
    groups.update(alone.groupby("group")["value"].median().rename("median"))
    groups = groups.assign(mean_low=np.nan, mean_high=np.nan)
    bounded = table["group"].isin(table.loc[_is_bounded(table), "group"])
    bounds = _bounds_of_means(table.loc[bounded])
    groups.loc[bounds.index, bounds.columns] = bounds
    return groups.astype({"n_cells": "int64"})


_SIZES = [name for name in WHERE if name not in _GROUP]


def _is_bounded(rows: pd.DataFrame) -> pd.Series:
    """Return a mask of rows that have a bound instead of a number."""
    return rows["value"].isna() & (rows["low"].notna() | rows["high"].notna())


def _bounds_of_means(rows: pd.DataFrame) -> pd.DataFrame:
    """Bound the means and the medians of groups in which a run has no number."""
    ends, medians = [], []
    for name, open_end in (("low", 0.0), ("high", np.inf)):
        end = rows["value"].where(~_is_bounded(rows), rows[name].fillna(open_end))
        filled = rows.assign(value=end)
        cells = filled.groupby(["group", *_SIZES], dropna=False, observed=True)
        means = cells["value"].mean().dropna().groupby("group")
        limits = means.agg(n_cells="count", mean="mean", median="median")
        over_runs = filled.groupby("group")["value"].median()
        medians.append(limits["median"].where(limits["n_cells"] > 1, over_runs))
        ends.append(limits)
    low, high = ends
    return pd.DataFrame(
        {
            "n_cells": low["n_cells"],
            "mean": np.nan,
            "std_cells": np.nan,
            "median": medians[0].where(medians[0] == medians[1]),
            "mean_low": low["mean"],
            "mean_high": high["mean"].where(np.isfinite(high["mean"])),
        }
    )


def _over_runs(table: pd.DataFrame, cells: pd.DataFrame) -> pd.DataFrame:
    bounded = _is_bounded(table)
    seen = table["value"].notna() | bounded
    runs = (
        table.assign(seen=seen, bounded=bounded)
        .groupby(["group", "run"], observed=True)
        .agg(mean=("value", "mean"), count=("seen", "sum"), bounded=("bounded", "any"))
    )
    expected = cells["n_cells"].reindex(runs.index.droplevel("run")).to_numpy()
    complete = (runs["count"].to_numpy() == expected) & (expected > 0)
    means = runs["mean"].where(complete)
    limited = runs.groupby("group")["bounded"].any()
    # without the runs that were too fast to time it is the spread of the slow ones
    means = means.mask(means.index.get_level_values("group").map(limited))
    metric = table.drop_duplicates("group").set_index("group")["metric"]
    over = _spread(means, metric).reindex(cells.index)
    counts = runs.assign(has_numbers=runs["count"] > 0, lacks=~complete).groupby(
        "group"
    )
    return over.assign(
        n_runs=counts["has_numbers"].sum().astype("int64"),
        n_runs_partial=counts["lacks"].sum().astype("int64"),
        n_runs_bounded=counts["bounded"].sum().astype("int64"),
    )[["n_runs", *_COUNTED, "std_runs", "ci_low", "ci_high"]]


_COUNTED = ["n_runs_partial", "n_runs_bounded"]


def _spread(means: pd.Series, metric: pd.Series) -> pd.DataFrame:
    """Standard deviation and interval of each group's runs: what is alike at once."""
    runs = means.dropna().rename("mean").reset_index().sort_values("group")
    runs["metric"] = runs["group"].map(metric).astype(str)
    runs["n"] = runs.groupby("group")["mean"].transform("size")
    parts = [pd.DataFrame(columns=["std_runs", "ci_low", "ci_high"], dtype=float)]
    for (name, n), alike in runs.groupby(["metric", "n"]):
        values = alike["mean"].to_numpy(float).reshape(-1, n).T
        low, high = mean_interval(values, name)
        std = values.std(axis=0, ddof=1) if n > 1 else float("nan")
        columns = {"std_runs": std, "ci_low": low, "ci_high": high}
        parts.append(pd.DataFrame(columns, index=alike["group"].iloc[::n]))
    return pd.concat(parts[1:] or parts)


def edges_of(data: Data, text: str) -> dict[str, float]:
    """Turn a text into bucket edges [B].

    >>> edges_of(None, "64k,1m")
    {'to 64 KiB': 65536.0, 'to 1 MiB': 1048576.0, 'over 1 MiB': inf}
    """
    if not text:
        return dict(EDGES)
    if text == "regimes":
        return regime_edges(data)
    try:
        sizes = [parse_size(part) for part in text.split(",")]
    except ValueError:
        sizes = []
    if not sizes or any(low >= high for low, high in pairwise([0, *sizes])):
        raise UsageError(
            "buckets: expected ascending sizes such as 64k,1m or the word regimes, "
            f"found {quoted(text)}"
        )
    names = {f"to {format_size(size)}": float(size) for size in sizes}
    return {**names, f"over {format_size(sizes[-1])}": float("inf")}


def regime_edges(data: Data) -> dict[str, float]:
    """Take the edges of the buckets from the machine [B]."""
    memory = set(memory_of(data).values())
    if len(memory) != 1:
        stated = " and ".join(format_size(size) for size in sorted(memory)) or "none"
        raise UsageError(
            "buckets: regimes: expected one client_ram for all systems in "
            f"campaign.toml, found {stated}; or give the edges, such as 1m,256m"
        )
    ram = float(memory.pop())
    cache = _stated_cache(data)
    inner = {"cpu_cache": float(cache)} if cache and cache < ram else {}
    # a file of exactly the memory does not fit beside the system: see REGIMES
    return {**inner, "memory": ram - 1, "beyond_memory": float("inf")}


def _stated_cache(data: Data) -> int | None:
    """Smallest processor cache that IOzone's banners state."""
    texts = data.runs["facts"] if isinstance(data, Campaign) else ()
    facts = [facts_of_run(text) for text in texts]
    sizes = [fact["cache_size_bytes"] for fact in facts if "cache_size_bytes" in fact]
    return min(sizes, default=None)
