"""Which record size is the best, over the file sizes that all records share."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Literal, get_args

from fsviz.analysis.answers import ALPHA, BAND
from fsviz.analysis.buckets import EDGES, GROUP, check_by, label_rows, rank_rows
from fsviz.analysis.cells import in_order, performance, present, refuse_mixed, select
from fsviz.analysis.tests import Result, paired
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names
from fsviz.model.table import METRICS, measurements_of

if TYPE_CHECKING:
    from fsviz.model.campaign import Data

BestBy = Literal["file_size", "bucket", "operation"]
BEST_BY: tuple[BestBy, ...] = get_args(BestBy)

_GROUP = ["system", "tool", *GROUP]
COLUMNS = (
    *_GROUP,
    "n_runs",
    "n_sizes",
    "n_records",
    "record_size_bytes",
    "mean",
    "second_record_size_bytes",
    "ratio",
    "ci_low",
    "ci_high",
    "as_good",
    "unit",
)
_USED = ("rank", "run", "repeat", "file_size_bytes", "record_size_bytes", "value")
_RUNS = 3
"""Fewer runs, and nothing is tested."""


def best(
    data: Data,
    *,
    operation: Names = None,
    system: Names = None,
    by: BestBy = "file_size",
    edges: Mapping[str, float] = EDGES,
) -> pd.DataFrame:
    """Return the best record size, and the record sizes that are as good.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    operation, system : str, iterable of str or None
        Names to include; by default all.
    by : {'file_size', 'bucket', 'operation'}
        What one row covers. A bucket or an operation uses only file sizes that were
        measured with every record size, for other means would compare files.
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.

    Returns
    -------
    DataFrame
        One row per system, operation, metric, number of threads and group of file
        sizes (``n_sizes`` sizes). ``record_size_bytes`` [B] is the best record size by
        ``mean``, the geometric mean over runs and sizes. ``ratio`` = best ÷ second,
        calculated within each run. Its interval holds for all pairs of the
        ``n_records`` at once (Bonferroni) and is missing with fewer than 3 runs.
        ``as_good`` lists the other records [B] that are within 5 % or are not shown to
        be worse; with fewer than 3 runs, only the records within 5 %.

    Raises
    ------
    UsageError
        If nothing was measured with two record sizes.
    MixedCellError
        If a cell contains runs that are not repeats of each other.
    """
    check_by(by, BEST_BY)
    table = measurements_of(data)
    rows = performance(select(table, operation=operation, system=system))
    refuse_mixed(rows)
    rows = rows.loc[rows["record_size_bytes"].notna() & (rows["value"] > 0)]
    bucket = label_rows(rows, by, edges)
    rows = rows.assign(bucket=bucket, rank=rank_rows(rows, bucket, by, edges))
    rows = rows[[*_GROUP, *_USED]]
    groups = rows.groupby(_GROUP, dropna=False, observed=True, sort=False)
    keyed = ((dict(zip(_GROUP, key, strict=True)), group) for key, group in groups)
    records = [answer for key, group in keyed for answer in _of_group(key, group)]
    if not records:
        expected = "two record sizes or more of one file size, as columns say"
        raise UsageError(f"best: expected {expected}, found none")
    systems_as_they_come = {"system": present(table, "system")}
    order = ["tool", "operation", "metric", "threads", "setting", "rank", "system"]
    frame = in_order(pd.DataFrame(records), order, systems_as_they_come)
    sizes = ["record_size_bytes", "second_record_size_bytes"]
    return frame[list(COLUMNS)].astype(dict.fromkeys(sizes, "Int64"))


def _of_group(key: dict[str, object], group: pd.DataFrame) -> Iterator[dict]:
    logs = _logs(group)
    if logs.shape[1] < 2 or logs.empty:
        return
    sign = METRICS[str(key["metric"])].better
    mean = logs.mean(axis=0) * sign
    records = list(mean.sort_values(ascending=False, kind="stable").index)
    first, *further = records
    # each pair of records is a test, because the best is chosen by looking at all
    tests = len(records) * (len(records) - 1) / 2
    with np.errstate(invalid="ignore"):
        result = paired(
            logs[further].to_numpy(),
            logs[[first] * len(further)].to_numpy(),
            ALPHA / tests,
        )
    tested = len(logs) >= _RUNS
    missing = math.nan
    yield {
        **key,
        "rank": group["rank"].iloc[0],
        "n_runs": len(logs),
        "n_sizes": _shared_files(group)["file_size_bytes"].nunique(),
        "n_records": len(records),
        "record_size_bytes": first,
        "mean": float(np.exp(logs[first].mean())),
        "second_record_size_bytes": further[0],
        "ratio": float(result.ratio[0]),
        "ci_low": float(result.low[0]) if tested else missing,
        "ci_high": float(result.high[0]) if tested else missing,
        "as_good": [int(r) for r in np.array(further)[_as_good(result, sign, tested)]],
        "unit": METRICS[str(key["metric"])].unit,
    }


def _as_good(result: Result, sign: int, tested: bool) -> Any:
    """Say which of the others are not shown to be worse by more than the band."""
    times = result.ratio if sign > 0 else 1 / result.ratio
    near = times < BAND[1]
    if not tested:
        return near
    low = result.low if sign > 0 else 1 / result.high
    return near | ~(low > 1)


def _shared_files(group: pd.DataFrame) -> pd.DataFrame:
    """Keep the file sizes that were measured with every record size of a group."""
    records = group["record_size_bytes"].nunique()
    files = group.groupby("file_size_bytes", dropna=False)["record_size_bytes"]
    return group.loc[files.transform("nunique") == records]


def _logs(group: pd.DataFrame) -> pd.DataFrame:
    """Reduce each run to one number a record size; a run that lacks a cell is out."""
    shared = _shared_files(group)
    keys = ["run", "repeat", "file_size_bytes", "record_size_bytes"]
    cells = shared[keys].assign(log=np.log(shared["value"].to_numpy(float)))
    complete = cells.set_index(keys)["log"].unstack().dropna()
    runs = complete.groupby(level=["run", "repeat"])
    return runs.mean().loc[runs.size() == shared["file_size_bytes"].nunique()]
