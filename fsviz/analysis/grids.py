"""One system, one operation → a matrix of file size by record size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from fsviz.analysis.aggregate import means_by
from fsviz.analysis.cells import refuse_mixed, refuse_varying
from fsviz.analysis.tests import mean_interval
from fsviz.model.errors import UsageError
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Data


@dataclass(frozen=True)
class Grid:
    """The cells of one system and operation.

    Every frame has file sizes [B] as index and record sizes [B] as columns, both
    ascending; a cell that was not measured is missing in all of them.

    Parameters
    ----------
    mean, ci_low, ci_high : DataFrame of float
        Over the runs [unit]; the interval is missing with one run.
    n : DataFrame of Int64
        Number of runs with a value.
    place : DataFrame of str
        Where the first of them was printed: ``path:locator``.
    tool : str
        What measured them.
    regimes : mapping of int to str
        Regime of each file size [B]; empty where the client's memory is not known.
    """

    system: str
    operation: str
    metric: str
    mean: pd.DataFrame
    ci_low: pd.DataFrame
    ci_high: pd.DataFrame
    n: pd.DataFrame
    place: pd.DataFrame
    tool: str = ""
    regimes: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def shared_n(self) -> int | None:
        """Number of runs behind each cell, if it is the same for all of them."""
        found = {int(n) for n in self.n.to_numpy(float).ravel() if n == n}
        return found.pop() if len(found) == 1 else None


def make_grid(
    data: Data,
    *,
    system: str,
    operation: str,
    metric: str = "throughput",
    confidence: float = 0.95,
) -> Grid:
    """Arrange the cells of one system and operation by file size and record size.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    system, operation, metric : str
        Which cells.
    confidence : float
        Of the interval over runs, between 0 and 1.

    Returns
    -------
    Grid

    Raises
    ------
    UsageError
        If nothing of the kind has a file size and a record size.
    MixedCellError
        If a cell holds runs that are not repeats of one another, or of several tools or
        numbers of threads.
    """
    table = measurements_of(data)
    rows = table.loc[
        (table["system"] == system)
        & (table["operation"] == operation)
        & (table["metric"] == metric)
        & table["child"].isna()
        & table["file_size_bytes"].notna()
        & table["record_size_bytes"].notna()
        & table["value"].notna()
    ]
    if rows.empty:
        raise UsageError(
            f"{system}: no {metric} of {operation} by file and record size"
        )
    refuse_varying(rows, ["tool", "threads"])
    refuse_mixed(rows)
    cells = _cells(rows, metric, confidence)
    return Grid(
        system,
        operation,
        metric,
        **{name: cells[name].unstack() for name in cells},
        tool=str(rows["tool"].iloc[0]),
    )


def _cells(rows: pd.DataFrame, metric: str, confidence: float) -> pd.DataFrame:
    sizes = ["file_size_bytes", "record_size_bytes"]
    places = rows["source"].astype("string") + ":" + rows["locator"]
    cells = means_by(rows, sizes).set_index(sizes).sort_index()
    first = rows[sizes].assign(place=places).drop_duplicates(sizes).set_index(sizes)
    runs = rows.set_index(["run", *sizes])["value"].unstack("run").reindex(cells.index)
    low, high = mean_interval(runs.to_numpy(float).T, metric, confidence)
    return cells.assign(
        place=first["place"], ci_low=low, ci_high=high, n=cells["n"].astype("Int64")
    )
