"""One system, one operation → a matrix of file size by record size."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from fsviz.analysis.aggregate import cell_statistics, codes_as_they_come
from fsviz.analysis.cells import refuse_mixed, refuse_varying
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np, pd
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    from fsviz.model.campaign import Data


class CellNumbers(NamedTuple):
    """A cell over its runs: mean, slowest, fastest, number, and where the first is."""

    mean: float
    least: float
    most: float
    n: int
    place: str


@dataclass(frozen=True)
class Grid:
    """The cells of one system and operation.

    Every frame has file sizes [B] as index and record sizes [B] as columns, both
    ascending; a cell that was not measured is missing in all of them. ``mean`` is the
    geometric mean over runs, so that the quotient of two is their ratio.

    Units: `regimes` [B].
    """

    system: str
    operation: str
    metric: str
    mean: pd.DataFrame
    least: pd.DataFrame
    most: pd.DataFrame
    n: pd.DataFrame
    place: pd.DataFrame
    tool: str = ""
    threads: int | None = None
    setting: str = ""
    regimes: Mapping[int, str] = field(default_factory=dict)

    @cached_property
    def shared_n(self) -> int | None:
        """Number of runs behind each cell, if it is the same for all of them."""
        counts = {int(n) for n in self.n.to_numpy(float).ravel() if n == n}
        return counts.pop() if len(counts) == 1 else None

    @cached_property
    def cells(self) -> dict[tuple[int, int], CellNumbers]:
        """What stands in each cell that has a mean, by file and record size [B]."""
        files, records = ([int(size) for size in axis] for axis in self.mean.axes)
        numbers = (
            frame.to_numpy(float).ravel()
            for frame in (self.mean, self.least, self.most, self.n)
        )
        places = self.place.to_numpy().ravel()
        rows = zip(product(files, records), *numbers, places, strict=True)
        return {
            cell: CellNumbers(mean, least, most, int(n), str(place))
            for cell, mean, least, most, n, place in rows
            if mean == mean
        }

    @cached_property
    def measured(self) -> frozenset[tuple[int, int]]:
        """File and record size [B] of each cell that has a mean."""
        return frozenset(self.cells)


def make_grid(
    data: Data,
    *,
    system: str,
    operation: str,
) -> Grid:
    """Arrange the throughput of one system and operation by file and record size."""
    return make_grids(data, systems=[system], operation=operation)[0]


def make_grids(
    data: Data,
    *,
    systems: Sequence[str],
    operation: str,
    metric: str = "throughput",
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
    cells = _cells(rows)
    wide = {name: cells[name].unstack() for name in cells}
    return [
        Grid(system, operation, metric, **_frames_of(wide, system), **methods[system])
        for system in systems
    ]


def _frames_of(
    wide: Mapping[str, pd.DataFrame], system: str
) -> dict[str, pd.DataFrame]:
    """Take the cells of one system, without the sizes that only others have."""
    has_cells = wide["n"].loc[system].notna().any()
    return {name: frame.loc[system].loc[:, has_cells] for name, frame in wide.items()}


def _cells(rows: pd.DataFrame) -> pd.DataFrame:
    """Reduce repeats to cells: geometric mean, range, number, and the first place."""
    keys = ["system", "file_size_bytes", "record_size_bytes"]
    code = codes_as_they_come([rows[name] for name in keys])
    first = np.unique(code, return_index=True)[1]
    value = rows["value"].to_numpy(float)
    statistics = cell_statistics(value, code)
    least = value[statistics.at_low]
    place = rows["source"].astype("string") + ":" + rows["locator"]
    cells = rows.iloc[first][keys].assign(
        # the mean of a run of nothing is nothing; below zero there is none
        mean=np.where(least == 0, 0.0, np.exp(statistics.log_mean)),
        least=least,
        most=value[statistics.at_high],
        n=pd.array(statistics.n, dtype="Int64"),
        place=place.iloc[first],
    )
    return cells.set_index(keys).sort_index()
