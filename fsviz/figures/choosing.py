"""Which rows of the tidy table a figure shows, or a refusal that says what exists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.analysis.cells import Names, performance, present, select
from fsviz.model.errors import UsageError
from fsviz.model.table import MAIN_METRICS, measurements_of

if TYPE_CHECKING:
    import pandas as pd


def choose(
    data: object,
    operation: str | None = None,
    metric: str | None = None,
    systems: Names = None,
) -> pd.DataFrame:
    """Keep what one figure shows.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    operation, metric : str or None
        None keeps all.
    systems : str, sequence of str or None
        One, some, or all.

    Returns
    -------
    DataFrame
        Rows of the tidy table, without those of single children.

    Raises
    ------
    UsageError
        If nothing is left; it says what there is.
    """
    wanted = [operation] if operation else None
    table = select(
        performance(measurements_of(data)),
        systems=systems,
        operations=wanted,
    )
    rows = table if metric is None else table.loc[table["metric"] == metric]
    if rows.empty:
        known = ", ".join(map(str, table["metric"].unique())) or "nothing"
        what = " of ".join(filter(None, (metric, operation))) or "measurements"
        raise UsageError(f"{what}: expected some numbers, found only {known}")
    return rows


def metric_of(data: object, operation: str) -> str:
    """Choose the metric that an operation is first of all about."""
    found = present(choose(data, operation), "metric")
    return next((name for name in MAIN_METRICS if name in found), found[0])
