"""The comparison at first sight: one row an operation, one row a tool."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fsviz.analysis.buckets import ALL, EDGES, By, regime_edges
from fsviz.analysis.cells import present
from fsviz.analysis.verdicts import directions, numbered
from fsviz.checks.compared import compare, compare_each
from fsviz.checks.engine import run_checks
from fsviz.model.campaign import Campaign, Data, baseline_of
from fsviz.model.errors import UsageError
from fsviz.model.names import Names
from fsviz.model.table import MAIN_METRICS, METRICS, measurements_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.checks.findings import Examination

SECTION = ["tool", "threads"]
"""What the operations of one part of an overview share."""

COLUMNS = (
    *("tool", "threads", "operation", "metric", "baseline", "candidate"),
    *("verdict", "scope", "disqualified_by", "advice", "caveats"),
    *("ratio", "ci_low", "ci_high", "bound_low", "bound_high"),
    *("speed", "speed_low", "speed_high"),
    *("n_baseline", "n_candidate", "numbers", "cells", "wins", "losses"),
)


def overview(
    data: Data,
    baseline: str | None = None,
    candidates: Names = None,
    operations: Names = None,
    examination: Examination | None = None,
) -> pd.DataFrame:
    """Say of each operation, and of each tool, how much faster each candidate is."""
    import pandas as pd

    first = reference(data, baseline)
    asked: dict[str, Any] = {"candidates": candidates, "operations": operations}
    if examination is None and isinstance(data, Campaign):
        examination = run_checks(data, baseline=first)
    asked["examination"] = examination
    both: list[By] = ["operation", "tool"]
    rows, wholes = compare_each(data, both, baseline=first, **asked)
    rows = rows.loc[_is_main(rows)]
    known = rows[[*SECTION, "metric"]].drop_duplicates()
    wholes = wholes.merge(known, on=[*SECTION, "metric"])
    frame = _with_speed(pd.concat([rows, wholes], ignore_index=True))
    frame["numbers"] = numbered(frame)
    return _with_wins(frame)[list(COLUMNS)]


def by_bucket(
    data: Data,
    baseline: str | None = None,
    candidates: Names = None,
    operations: Names = None,
    examination: Examination | None = None,
) -> pd.DataFrame:
    """Say of each operation and size bucket how much faster each candidate is."""
    asked: dict[str, Any] = {"candidates": candidates, "operations": operations}
    try:
        edges = regime_edges(data)
    except UsageError:  # not stated, or not the same
        edges = dict(EDGES)
    rows = compare(
        data,
        baseline=reference(data, baseline),
        by="bucket",
        edges=edges,
        examination=examination,
        **asked,
    )
    return _with_speed(rows.loc[_is_main(rows)])


def reference(data: Data, baseline: str | None = None) -> str | None:
    """Name the system to compare with: the one asked for, the campaign's, the first."""
    named = baseline or baseline_of(data)
    return named or next(iter(present(measurements_of(data), "system")), None)


def _is_main(rows: pd.DataFrame) -> pd.Series:
    """Keep one metric of each operation: a main one if there is any."""
    order = [*MAIN_METRICS, *(name for name in METRICS if name not in MAIN_METRICS)]
    rank = rows["metric"].astype(str).map({name: n for n, name in enumerate(order)})
    keys = [rows["tool"].astype(str), rows["operation"].astype(str)]
    return rank == rank.groupby(keys).transform("min")


def _with_speed(frame: pd.DataFrame) -> pd.DataFrame:
    """Turn ratios so that above 1 means faster."""
    import numpy as np

    more = directions(frame) > 0
    ratio, low, high, least, most = (
        frame[name].to_numpy(float)
        for name in ("geomean_ratio", "ci_low", "ci_high", "bound_low", "bound_high")
    )
    bounded = np.isnan(ratio)
    low, high = np.where(bounded, least, low), np.where(bounded, most, high)
    with np.errstate(divide="ignore"):
        turned = {
            "speed": np.where(more, ratio, 1 / ratio),
            "speed_low": np.where(more, low, 1 / high),
            "speed_high": np.where(more, high, 1 / low),
        }
    return frame.assign(ratio=ratio, **turned)


def _with_wins(frame: pd.DataFrame) -> pd.DataFrame:
    """Count the operations of each tool in which a candidate is faster and slower."""
    single = frame["operation"] != ALL
    keys = [*SECTION, "candidate"]
    for name, verdict in (("wins", "faster"), ("losses", "slower")):
        there = (frame["verdict"] == verdict) & single
        grouped = there.groupby([frame[k] for k in keys], dropna=False, observed=True)
        frame = frame.assign(**{name: grouped.transform("sum").astype("int64")})
    return frame
