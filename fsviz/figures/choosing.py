"""Which rows of the tidy table a figure shows, or a refusal that says what exists."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from fsviz.analysis.cells import performance, present, select
from fsviz.checks.phrases import conditions, listing
from fsviz.model.errors import UsageError
from fsviz.model.escaping import figure_text
from fsviz.model.table import MAIN_METRICS, SIZES, measurements_of

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from fsviz.figures.options import FigureOptions
    from fsviz.model.campaign import Data


def choose(
    data: Data, options: FigureOptions, metric: str | None = None
) -> pd.DataFrame:
    """Keep what one figure shows."""
    table = select(
        performance(measurements_of(data)),
        system=options.system,
        operation=options.operation or None,
    )
    rows = table if metric is None else table.loc[table["metric"] == metric]
    if rows.empty:
        metrics = ", ".join(map(str, table["metric"].unique())) or "nothing"
        what = " of ".join(filter(None, (metric, options.operation))) or "measurements"
        raise UsageError(f"{what}: expected some numbers, found only {metrics}")
    return rows


def metric_of(data: Data, options: FigureOptions) -> str:
    """Choose the metric that was asked for, or that an operation is about."""
    if options.metric:
        return options.metric
    metrics = present(choose(data, replace(options, system=None)), "metric")
    return next((name for name in MAIN_METRICS if name in metrics), metrics[0])


def rows_of_method(rows: pd.DataFrame, *columns: str) -> tuple[pd.DataFrame, str]:
    """Keep of each system what one tool measured: a mean over several is of nothing."""
    methods = rows.groupby(list(columns), observed=True, dropna=False, sort=False)
    number = methods.ngroup().rename("method")
    cells = rows[["system", *SIZES, "setting"]].assign(method=number).drop_duplicates()
    counts = cells.groupby("method")["system"].agg(["nunique", "size"])
    order = counts.sort_values(["nunique", "size"], ascending=False, kind="stable")
    place = number.map({method: at for at, method in enumerate(order.index)})
    usual = place == place.groupby(rows["system"].astype(str)).transform("min")
    if usual.all():
        return rows, ""
    shown, excluded = (
        listing(tool_title(group) for _, group in part.groupby(number, sort=False))
        for part in (rows.loc[usual], rows.loc[~usual])
    )
    return rows.loc[
        usual
    ], f"Measured by {shown}; by {excluded} too, which is not shown."


def note_beside(figure: go.Figure, note: str) -> go.Figure:
    """Say below a figure what `rows_of_method` left out; the figure is changed."""
    if note:
        caption = figure.layout.meta["caption"]
        figure.layout.meta |= {"caption": f"{caption} {note}"}
    return figure


def tool_title(rows: pd.DataFrame) -> str:
    """Name the tool of some rows, with its threads and setting."""
    first = rows.iloc[0]
    under = figure_text(conditions(first["threads"], first["setting"]))
    return ", ".join(filter(None, (str(first["tool"]), under)))
