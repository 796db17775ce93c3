"""A cell is what is measured again in every repeat; only repeats may share one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from fsviz.model.errors import MixedCellError, UsageError, printable
from fsviz.model.table import CELL, METRICS, OPERATIONS, measurements_of
from fsviz.model.units import format_size

if TYPE_CHECKING:
    import pandas as pd

Data = TypeVar("Data")

WHERE = ("system", "tool", *CELL, "child")
"""What makes a cell of one system."""


def performance(measurements: pd.DataFrame) -> pd.DataFrame:
    """Keep the numbers that say how fast something is, of whole runs.

    Amounts of data and counts say what was asked for; the numbers of single children
    are parts of their run's.

    Parameters
    ----------
    measurements : DataFrame
        The tidy table.

    Returns
    -------
    DataFrame
        Its rows whose metric has a better direction and that are not one child's.
    """
    directed = [name for name, metric in METRICS.items() if metric.better]
    wanted = measurements["metric"].isin(directed) & measurements["child"].isna()
    return measurements.loc[wanted]


def refuse_mixed(measurements: pd.DataFrame) -> None:
    """Check that the numbers of each cell are repeats of one another.

    Parameters
    ----------
    measurements : DataFrame
        The tidy table.

    Raises
    ------
    MixedCellError
        If a number is not in its metric's unit, or two runs have the same repeat number
        in one cell, which happens when they differ in campaign or configuration; it
        names one cell, what varies and both places.
    """
    _refuse_units(measurements)
    key = [*WHERE, "repeat"]
    twice = measurements.duplicated(subset=key, keep=False)
    if not twice.any():
        return
    rows = measurements.loc[twice]
    first = rows.iloc[0]
    same = rows[key].fillna(-1).astype(str) == first[key].fillna(-1).astype(str)
    second = rows.loc[same.all(axis=1)].iloc[1]
    varies = "campaign" if first["campaign"] != second["campaign"] else "configuration"
    raise MixedCellError(
        f"{_describe(first)} mixes runs that differ in {varies}: "
        f"{printable(str(first['source']))} and {printable(str(second['source']))}; "
        "give each its own label (label=path) or [[system]] in campaign.toml"
    )


def _refuse_units(measurements: pd.DataFrame) -> None:
    pairs = measurements[["metric", "unit"]].drop_duplicates()
    for metric, unit in pairs.itertuples(index=False):
        wanted = METRICS[str(metric)].unit
        if unit != wanted:
            wrong = (measurements["metric"] == metric) & (measurements["unit"] == unit)
            first = measurements.loc[wrong].iloc[0]
            raise MixedCellError(
                f"{_describe(first)} mixes numbers that differ in unit: expected "
                f"{wanted}, found {printable(str(unit))} at "
                f"{printable(str(first['source']))}:{printable(str(first['locator']))}"
            )


def refuse_varying(rows: pd.DataFrame, columns: Sequence[str]) -> None:
    """Check that columns which a cell does not tell apart have one value.

    Parameters
    ----------
    rows : DataFrame
        Measurements that are to share cells of file size by record size.
    columns : sequence of str
        Such as ``tool`` and ``threads``.

    Raises
    ------
    MixedCellError
        Naming the column that varies, and its values.
    """
    for name in columns:
        values = [printable(str(value)) for value in rows[name].unique()]
        if len(values) > 1:
            raise MixedCellError(
                f"{_describe(rows.iloc[0])} varies in {name} ({', '.join(values)}); "
                "select one"
            )


def _describe(row: pd.Series) -> str:
    system = printable(str(row["system"]))
    return f"{system}: {row['operation']} of {describe_sizes(row)}"


def describe_sizes(row: pd.Series) -> str:
    """Say which file and record size a row has, such as ``64 KiB by 4 KiB``."""
    import pandas as pd

    sizes = [row["file_size_bytes"], row["record_size_bytes"]]
    shown = [format_size(int(size)) for size in sizes if pd.notna(size)]
    return " by ".join(shown) or "no stated size"


def select(
    data: Data,
    *,
    systems: list[str] | None = None,
    operations: list[str] | None = None,
    tools: list[str] | None = None,
) -> Data:
    """Keep some systems, operations and tools.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, whose facts and runs stay as they are, or its measurements.
    systems, operations, tools : list of str or None
        Names to keep; None or an empty list keeps all.

    Returns
    -------
    Campaign or DataFrame
        What was given.

    Raises
    ------
    UsageError
        If a name is not in the table; it lists those that are.
    """
    measurements = table = measurements_of(data)
    wanted = {"system": systems, "operation": operations, "tool": tools}
    for column, names in wanted.items():
        if not names:
            continue
        known = present(measurements, column)
        for name in names:
            if name not in known:
                raise UsageError(
                    f"{column}: expected one of {', '.join(map(printable, known))}, "
                    f"found {printable(name)}"
                )
        measurements = measurements.loc[measurements[column].isin(names)]
    if data is table:
        return measurements
    return replace(data, measurements=measurements)  # type: ignore[type-var]


def present(measurements: pd.DataFrame, column: str) -> list[str]:
    """List systems as they come, or operations in the order tools print them."""
    found = [str(name) for name in measurements[column].unique()]
    if column == "operation":
        return [name for name in OPERATIONS if name in found]
    return found
