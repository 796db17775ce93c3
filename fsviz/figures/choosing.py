"""Which rows of the tidy table a figure shows, or a refusal that says what exists."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fsviz.analysis.cells import performance, present, select
from fsviz.model.errors import UsageError
from fsviz.model.table import MAIN_METRICS, measurements_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.figures.options import FigureOptions
    from fsviz.model.campaign import Data


def choose(data: Data, asked: FigureOptions, metric: str | None = None) -> pd.DataFrame:
    """Keep what one figure shows.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    asked : FigureOptions
        Which operation and systems; without them all.
    metric : str or None
        None keeps all.

    Returns
    -------
    DataFrame
        Rows of the tidy table, without those of single children.

    Raises
    ------
    UsageError
        If nothing is left; it says what there is.
    """
    table = select(
        performance(measurements_of(data)),
        systems=asked.systems,
        operations=asked.operation or None,
    )
    rows = table if metric is None else table.loc[table["metric"] == metric]
    if rows.empty:
        known = ", ".join(map(str, table["metric"].unique())) or "nothing"
        what = " of ".join(filter(None, (metric, asked.operation))) or "measurements"
        raise UsageError(f"{what}: expected some numbers, found only {known}")
    return rows


def metric_of(data: Data, asked: FigureOptions) -> str:
    """Choose the metric that was asked for, or that an operation is about."""
    if asked.metric:
        return asked.metric
    found = present(choose(data, replace(asked, systems=None)), "metric")
    return next((name for name in MAIN_METRICS if name in found), found[0])
