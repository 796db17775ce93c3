"""Runs and cells as the rules see them, quick for many runs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.analysis.aggregate import cell_statistics
from fsviz.model.libraries import np, pd
from fsviz.model.table import CELL

if TYPE_CHECKING:
    from numpy.typing import NDArray

STEADY = ("throughput", "rate", "elapsed")
"""Metrics that should repeat; a largest latency or a CPU share need not."""


def total_bytes(cells: pd.DataFrame) -> pd.Series:
    """Say how much data the cells touch [B]: each process has a file of its own."""
    return cells["file_size_bytes"].astype("float64") * cells["threads"].fillna(
        1
    ).astype("float64")


def positions(runs: pd.DataFrame, table: pd.DataFrame) -> NDArray[np.int64]:
    """Find the row of `runs` that each measurement belongs to."""
    keys = ["campaign", "system", "run"]
    named = pd.MultiIndex.from_frame(runs[keys])
    return named.get_indexer(pd.MultiIndex.from_frame(table[keys]))


def levels_of(
    rows: pd.DataFrame, cell: NDArray[np.int64], is_complete: NDArray[np.bool_]
) -> pd.DataFrame:
    """Reduce each run to one level a test."""
    value = rows["value"].to_numpy()
    usable = (
        rows["metric"].isin(STEADY).to_numpy(bool) & (value > 0) & is_complete[cell]
    )
    table = pd.DataFrame(
        {
            "at": rows["at"].to_numpy()[usable],
            "operation": rows["operation"].cat.codes.to_numpy()[usable],
            "log": np.log(value[usable]),
        }
    )
    wide = table.groupby(["at", "operation"])["log"].mean().unstack()
    names = rows["operation"].cat.categories
    return wide.set_axis([names[code] for code in wide.columns], axis="columns")


def aggregate(rows: pd.DataFrame, cell: NDArray[np.int64]) -> pd.DataFrame:
    """Reduce rows to cells, as `fsviz.checks.case.Case.cells` describes them."""
    value = rows["value"].to_numpy()
    statistics = cell_statistics(value, cell)
    cells = rows[["system", "tool", *CELL, "group"]].iloc[statistics.at_low]
    return cells.reset_index(drop=True).assign(
        **statistics._asdict(),
        low=value[statistics.at_low],
        high=value[statistics.at_high],
    )
