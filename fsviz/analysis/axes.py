"""Along what the numbers of an operation vary: threads, sizes or a setting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fsviz.analysis.cells import present
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Data

_SIZES = ["file_size_bytes", "record_size_bytes", "setting"]


def _over_threads(rows: pd.DataFrame) -> bool:
    """Say whether a cell was measured with several numbers of threads.

    No matrix of file size by record size can hold such cells.
    """
    rows = rows.loc[rows["metric"] == "throughput"]
    cell = ["system", "tool", "operation", *_SIZES]
    cells = rows.groupby(cell, observed=True, dropna=False)["threads"]
    return bool((cells.nunique() > 1).any())


def _sizes_of_cells(rows: pd.DataFrame) -> pd.DataFrame:
    """List file and record sizes that have numbers, for all threads and settings."""
    rows = rows.loc[(rows["metric"] == "throughput") & rows["value"].notna()]
    return rows[[*_SIZES, "threads"]].drop_duplicates()[_SIZES[:2]].dropna()


def usual_axis(rows: pd.DataFrame) -> str:
    """Name the axis along which the measurements of an operation vary.

    Parameters
    ----------
    rows : DataFrame
        Measurements.

    Returns
    -------
    str
        The name of a setting, ``threads``, ``record_size`` or ``file_size``; ``none``
        if an operation was measured at one size, or at no stated one.
    """
    if name := varied_setting(rows):
        return name
    if _over_threads(rows):
        return "threads"
    sizes = _sizes_of_cells(rows)
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
    table = measurements_of(data)
    first = next(iter(present(table, "operation")), "")
    rows = table.loc[table["operation"] == (operation or first)]
    if usual_axis(rows) not in ("record_size", "file_size"):
        return "lines"
    one = (_sizes_of_cells(rows).nunique() == 1).any()
    return "lines" if one else "explorer"


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
