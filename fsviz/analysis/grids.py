"""One system, one operation → a matrix of file size by record size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fsviz.analysis.aggregate import means_by
from fsviz.analysis.cells import refuse_mixed, refuse_varying
from fsviz.analysis.tests import mean_interval
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np, pd
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    from fsviz.model.campaign import Data


@dataclass(frozen=True)
class Grid:
    """The cells of one system and operation.

    Every frame has file sizes [B] as index and record sizes [B] as columns, both
    ascending; a cell that was not measured is missing in all of them.

    Units: `regimes` [B].
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
    threads: int | None = None
    setting: str = ""
    regimes: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def shared_n(self) -> int | None:
        """Number of runs behind each cell, if it is the same for all of them."""
        found = {int(n) for n in self.n.to_numpy(float).ravel() if n == n}
        return found.pop() if len(found) == 1 else None

    @cached_property
    def measured(self) -> frozenset[tuple[int, int]]:
        """File and record size [B] of each cell that has a mean."""
        files, records = ([int(size) for size in axis] for axis in self.mean.axes)
        return frozenset(
            (file, record)
            for file, row in zip(files, self.mean.to_numpy(float), strict=True)
            for record, value in zip(records, row, strict=True)
            if value == value
        )


def make_grid(
    data: Data,
    *,
    system: str,
    operation: str,
    metric: str = "throughput",
    confidence: float = 0.95,
) -> Grid:
    """Arrange the cells of one system and operation by file size and record size."""
    return make_grids(
        data,
        systems=[system],
        operation=operation,
        metric=metric,
        confidence=confidence,
    )[0]


def make_grids(
    data: Data,
    *,
    systems: Sequence[str],
    operation: str,
    metric: str = "throughput",
    confidence: float = 0.95,
) -> list[Grid]:
    """Arrange the cells of several systems, each as `make_grid` does."""
    table = measurements_of(data)
    rows = table.loc[
        table["system"].isin(list(systems))
        & (table["operation"] == operation)
        & (table["metric"] == metric)
        & table["child"].isna()
        & table["file_size_bytes"].notna()
        & table["record_size_bytes"].notna()
        & table["value"].notna()
    ]
    stated = rows[["system", "tool", "threads", "setting"]].drop_duplicates()
    methods: dict[str, dict[str, Any]] = {
        str(row.system): {
            "tool": str(row.tool),
            "threads": None if pd.isna(row.threads) else row.threads,
            "setting": str(row.setting),
        }
        for row in stated.itertuples()
    }
    for system in systems:
        if system not in methods:
            raise UsageError(
                f"{system}: no {metric} of {operation} by file and record size"
            )
    for system in stated.loc[stated["system"].duplicated(), "system"]:
        refuse_varying(
            rows.loc[rows["system"] == system], ["tool", "threads", "setting"]
        )
    refuse_mixed(rows)
    cells = _cells(rows, metric, confidence)
    wide = {name: cells[name].unstack() for name in cells}
    return [
        Grid(system, operation, metric, **_own(wide, system), **methods[system])
        for system in systems
    ]


def _own(wide: Mapping[str, pd.DataFrame], system: str) -> dict[str, pd.DataFrame]:
    """Take the cells of one system, without the sizes that only others have."""
    there = wide["n"].loc[system].notna().any()
    return {name: frame.loc[system].loc[:, there] for name, frame in wide.items()}


def _cells(rows: pd.DataFrame, metric: str, confidence: float) -> pd.DataFrame:
    keys = ["system", "file_size_bytes", "record_size_bytes"]
    places = rows["source"].astype("string") + ":" + rows["locator"]
    cells = means_by(rows, keys).set_index(keys).sort_index()
    first = rows[keys].assign(place=places).drop_duplicates(keys).set_index(keys)
    runs = rows.set_index(["run", *keys])["value"].unstack("run").reindex(cells.index)
    ends = [
        # without the runs of others, on which the last digit of a sum may depend
        mean_interval(
            own.dropna(axis=1, how="all").to_numpy(float).T, metric, confidence
        )
        for _, own in runs.groupby(level="system", sort=False)
    ]
    low, high = np.concatenate(ends, axis=1)
    return cells.assign(
        place=first["place"], ci_low=low, ci_high=high, n=cells["n"].astype("Int64")
    )
