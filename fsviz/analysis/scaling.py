"""Throughput mode: what more threads bring, and whether they share it fairly."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fsviz.analysis.cells import in_order, performance, present, refuse_mixed, select
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np
from fsviz.model.names import Names
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Data

_SIZES = ["file_size_bytes", "record_size_bytes", "setting"]
_CURVE = ["system", "tool", "operation", *_SIZES]
COLUMNS = (
    *_CURVE,
    "threads",
    "n_runs",
    "throughput",
    "speedup",
    "efficiency",
    "straggler_ratio",
)


def _of_operation(data: Data, operation: str) -> pd.DataFrame:
    """Take the rows of an operation, by default of the first."""
    table = measurements_of(data)
    first = next(iter(present(table, "operation")), "")
    return table.loc[table["operation"] == (operation or first)]


def over_threads(rows: pd.DataFrame) -> bool:
    """Say whether a cell was measured with several numbers of threads.

    No matrix of file size by record size can hold such cells; `scaling` compares them.
    """
    rows = rows.loc[rows["metric"] == "throughput"]
    cells = rows.groupby([*_CURVE], observed=True, dropna=False)["threads"]
    return bool((cells.nunique() > 1).any())


def sizes_of_cells(data: Data) -> pd.DataFrame:
    """List the file sizes, record sizes, threads and settings that have numbers."""
    table = measurements_of(data)
    rows = table.loc[(table["metric"] == "throughput") & table["value"].notna()]
    rows = rows.loc[rows["record_size_bytes"].notna()]
    return rows[[*_SIZES, "threads"]].drop_duplicates()


def usual_axis(data: Data) -> str:
    """Name the axis along which the measurements of an operation vary.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.

    Returns
    -------
    str
        The name of a setting, ``threads``, ``record_size`` or ``file_size``; ``none``
        if an operation was measured at one size, or at no stated one.
    """
    rows = measurements_of(data)
    if name := varied_setting(rows):
        return name
    if over_threads(rows):
        return "threads"
    sizes = sizes_of_cells(rows)[["file_size_bytes", "record_size_bytes"]].dropna()
    if len(sizes) < 2:
        return "none"
    has_records = sizes["record_size_bytes"].nunique() > 1
    return "record_size" if has_records else "file_size"


def usual_kind(data: Data, operation: str = "") -> str:
    """Name the kind of figure that fits the measurements of an operation best.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    operation : str
        By default the first; all operations if they were measured at one size only.

    Returns
    -------
    str
        ``explorer`` for a matrix of sizes, else ``lines``.
    """
    rows = _of_operation(data, operation)
    if usual_axis(rows) not in ("record_size", "file_size"):
        return "lines"
    sizes = sizes_of_cells(rows)[["file_size_bytes", "record_size_bytes"]].dropna()
    return "lines" if (sizes.nunique() == 1).any() else "explorer"


_WITHOUT = {"iodepth": 1.0}
"""What holds where a setting is not stated (fio's documentation, ``iodepth``)."""
_NUMBER = re.compile(r"\d{1,15}(?:\.\d+)?")


def varied_setting(rows: pd.DataFrame) -> str:
    """Name the setting with the most different numbers; empty if none has two."""
    numbers: dict[str, set[float]] = {}
    for setting in map(str, rows["setting"].unique()):
        for name, text in _parts(setting).items():
            if _NUMBER.fullmatch(text):
                numbers.setdefault(name, set()).add(float(text))
    for name in numbers.keys() & _WITHOUT.keys():
        if any(name not in _parts(str(s)) for s in rows["setting"].unique()):
            numbers[name].add(_WITHOUT[name])
    best = max(numbers, key=lambda name: len(numbers[name]), default="")
    return best if best and len(numbers[best]) > 1 else ""


def along_setting(rows: pd.DataFrame, name: str) -> pd.DataFrame:
    """Part a setting's number, ``at``, from the other settings of each row.

    Rows that do not state it are left out, but for those of a known default.
    """
    parts_of = {setting: _parts(str(setting)) for setting in rows["setting"].unique()}
    at, remainder = {}, {}
    for setting, parts in parts_of.items():
        text = parts.pop(name, "")
        stated = _NUMBER.fullmatch(text) is not None
        at[setting] = float(text) if stated else _WITHOUT.get(name)
        remainder[setting] = "; ".join(f"{k}={v}" for k, v in parts.items())
    position = rows["setting"].map(at).astype("float64")
    setting = rows["setting"].map(remainder).astype("string")
    return rows.assign(at=position, setting=setting).loc[position.notna()]


def _parts(setting: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in setting.split("; ") if part)
    return {name: text for name, _, text in pairs}


def scaling(data: Data, *, operation: Names = None) -> pd.DataFrame:
    """Calculate how throughput grows with the number of threads.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    operation : str, iterable of str or None
        Operations to include; by default every operation.

    Returns
    -------
    DataFrame
        One row per system, operation, pair of sizes and number of threads, if several
        numbers of threads were measured or the tool reports the throughput of single
        children. ``throughput`` [B/s] is of all threads together, a geometric mean over
        ``n_runs`` runs. ``speedup`` is relative to the fewest threads, and
        ``efficiency`` = speed-up ÷ growth in threads. ``straggler_ratio`` = slowest
        child ÷ fastest (geometric means over runs).

    Raises
    ------
    UsageError
        If nothing was measured with several threads.
    MixedCellError
        If a cell contains runs that are not repeats of each other.
    """
    table = select(measurements_of(data), operation=operation)
    rows = performance(table)
    refuse_mixed(rows)
    cells = _geometric_means(rows, "throughput", "throughput", "n_runs")
    slowest = _geometric_means(rows, "min_child_throughput", "slowest")
    fastest = _geometric_means(rows, "max_child_throughput", "fastest")
    frame = cells.merge(slowest, how="left").merge(fastest, how="left")
    frame["straggler_ratio"] = frame["slowest"] / frame["fastest"]
    curves = frame.groupby(_CURVE, dropna=False, observed=True)["threads"]
    frame = frame.loc[(curves.transform("nunique") > 1) | frame["slowest"].notna()]
    if frame.empty:
        raise UsageError(
            "scaling: expected measurements with several threads (iozone -t), found "
            "none"
        )
    return _relative(frame, present(table, "system"))


def _geometric_means(
    rows: pd.DataFrame, metric: str, name: str, count: str = ""
) -> pd.DataFrame:
    usable = (rows["metric"] == metric) & (rows["value"] > 0) & rows["threads"].notna()
    positive = rows.loc[usable, [*_CURVE, "threads"]]
    positive = positive.assign(log=np.log(rows.loc[usable, "value"].to_numpy(float)))
    grouped = positive.groupby([*_CURVE, "threads"], dropna=False, observed=True)["log"]
    frame = grouped.agg(["mean", "count"]).reset_index()
    frame[name] = np.exp(frame.pop("mean"))
    counts = frame.pop("count")
    return frame.assign(**{count: counts}) if count else frame


def _relative(frame: pd.DataFrame, systems: list[str]) -> pd.DataFrame:
    sizes = ["file_size_bytes", "record_size_bytes"]
    order = ["tool", "operation", *sizes, "system", "threads"]
    frame = in_order(frame, order, {"system": systems})
    curve = frame.groupby(_CURVE, dropna=False, observed=True, sort=False)
    first = curve[["throughput", "threads"]].transform("first")
    frame["speedup"] = frame["throughput"] / first["throughput"]
    growth = (frame["threads"] / first["threads"]).astype(float)
    frame["efficiency"] = frame["speedup"] / growth
    return frame[list(COLUMNS)]
