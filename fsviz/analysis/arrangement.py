"""Data arranged once for several comparisons, which differ in what a row is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from fsviz.analysis.aggregate import codes, codes_as_they_come, number_rows
from fsviz.analysis.buckets import By, group_cells
from fsviz.analysis.cells import (
    Matrix,
    SystemRuns,
    compared,
    matrices,
    present,
    system_runs,
)
from fsviz.analysis.regimes import cliffs_of, limits_of, steps
from fsviz.model.campaign import Campaign, Data
from fsviz.model.libraries import np, pd
from fsviz.model.table import CELL, SIZES, measurements_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fsviz.analysis.membership import Membership


PLACE = ["tool", *CELL]
"""What makes a cell, whichever system measured it."""

TYPES = dict.fromkeys(["system", "tool", *CELL, "bucket"], "string") | dict.fromkeys(
    SIZES, "Int64"
)
"""Types of these columns that compare whatever the table's are."""


def equal_rows(
    upper: pd.DataFrame, lower: pd.DataFrame, columns: Sequence[str]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Find the rows of two tables that agree in some columns.

    >>> import pandas as pd
    >>> one = pd.DataFrame({"tool": ["fio", "rsync"], "threads": [1, None]})
    >>> pairs = equal_rows(one, one.iloc[[1, 1, 0]], ["tool", "threads"])
    >>> [positions.tolist() for positions in pairs]
    [[0, 1, 1], [2, 0, 1]]
    """
    both = [_both(upper[name], lower[name]) for name in columns]
    number = codes(both) if columns else np.zeros(len(upper) + len(lower), np.int64)
    left, right = np.split(number, [len(upper)])
    by_number = np.argsort(right, kind="stable")
    first, end = (
        np.searchsorted(right[by_number], left, side) for side in ("left", "right")
    )
    count = end - first
    at = np.repeat(np.arange(len(left)), count)
    # of the rows that equal one of the left, the first, second and so on
    nth = np.arange(len(at)) - np.repeat(np.cumsum(count) - count, count)
    return at, by_number[np.repeat(first, count) + nth]


def _both(upper: pd.Series, lower: pd.Series) -> pd.Series:
    """Put two columns below one another: texts as numbers, which compare far quicker.

    Each distinct text is looked at once, whether the columns are categories or not.
    """
    if upper.name in SIZES:
        sizes = [part.astype("Int64").fillna(-1) for part in (upper, lower)]
        return pd.Series(np.concatenate([s.to_numpy(np.int64) for s in sizes]))
    number_of: dict[str, int] = {}
    numbers = []
    for part in (upper, lower):
        if isinstance(part.dtype, pd.CategoricalDtype):
            code, words = part.cat.codes.to_numpy(), part.cat.categories
        else:
            code, words = pd.factorize(part)
        of_word = [number_of.setdefault(str(word), len(number_of)) for word in words]
        numbers.append(np.array([*of_word, -1])[code])
    return pd.Series(np.concatenate(numbers))


class Sides:
    """The systems of one tool's matrix, each taken out of it once."""

    def __init__(self, matrix: Matrix, systems: Sequence[str]) -> None:
        self.matrix, self.systems = matrix, systems
        self._runs: dict[str, SystemRuns] = {}
        self._groups: dict[tuple[object, ...], tuple[pd.DataFrame, Membership]] = {}

    def candidates_against(self, baseline: str) -> list[str]:
        """List the other systems, as they come."""
        return [name for name in self.systems if name != baseline]

    def __getitem__(self, system: str) -> SystemRuns:
        if system not in self._runs:
            self._runs[system] = system_runs(self.matrix, system)
        return self._runs[system]

    def groups(
        self, cells: NDArray[np.bool_], by: By, edges: Mapping[str, float]
    ) -> tuple[pd.DataFrame, Membership]:
        """Group some cells as `group_cells` does; most pairs have the same."""
        key = (cells.tobytes(), by, *edges.items())
        if key not in self._groups:
            self._groups[key] = self._group(cells, by, edges)
        return self._groups[key]

    def _group(
        self, cells: NDArray[np.bool_], by: By, edges: Mapping[str, float]
    ) -> tuple[pd.DataFrame, Membership]:
        """Take them out of the groups of all cells, which are made once."""
        if by == "bucket" or cells.all():
            # whether all sizes have a row of their own depends on which there are
            in_group = self.matrix.cells.loc[cells].reset_index(drop=True)
            return group_cells(in_group, by, edges)
        groups, member = self.groups(np.ones_like(cells), by, edges)
        in_group = member.of_cells(cells)
        filled = in_group.sizes > 0
        rows = groups.loc[filled].reset_index(drop=True)
        return rows, in_group.of_groups(filled)


class Groups(NamedTuple):
    """The rows of a comparison of one pair, and the cells that each speaks for."""

    rows: pd.DataFrame
    cell: NDArray[np.int64]
    row: NDArray[np.int64]


def _grouped(places: pd.DataFrame, by: By, edges: Mapping[str, float]) -> Groups:
    rows, cells, at, before = [], [], [], 0
    for tool, of_tool in places.groupby("tool", sort=False):
        groups, member = group_cells(of_tool.reset_index(drop=True), by, edges)
        cells.append(of_tool["cell"].to_numpy()[member.cell])
        at.append(member.group + before)
        before += len(groups)
        rows.append(groups.drop(columns="rank").assign(tool=tool))
    return Groups(
        pd.concat(rows, ignore_index=True), np.concatenate(cells), np.concatenate(at)
    )


class Arranged:
    """Data arranged once for several comparisons, which differ in what a row is."""

    def __init__(self, data: Data) -> None:
        self._data = data
        self._groups: dict[tuple[object, ...], Groups] = {}
        self.measurements = measurements_of(data)

    @cached_property
    def systems(self) -> list[str]:
        """Every system, as they come."""
        return present(self.measurements, "system")

    @cached_property
    def table(self) -> pd.DataFrame:
        """What is compared: performance, and the CPU cost that it comes at."""
        return compared(self.measurements)

    @cached_property
    def tools(self) -> list[Sides]:
        """The numbers of each tool."""
        runs = self._data.runs if isinstance(self._data, Campaign) else None
        return [Sides(matrix, self.systems) for matrix in matrices(self.table, runs)]

    @cached_property
    def cells(self) -> pd.DataFrame:
        """Every cell of every system, and its number ``cell`` in all of them."""
        _, cells = number_rows(self.table, ["system", *PLACE])
        cells = cells.astype({name: TYPES[name] for name in cells})
        return cells.assign(cell=codes_as_they_come([cells[name] for name in PLACE]))

    @cached_property
    def places(self) -> pd.DataFrame:
        """The columns of `PLACE` of each ``cell``, by its number."""
        return self.cells[["cell", *PLACE]].drop_duplicates("cell", ignore_index=True)

    def groups(self, by: By, edges: Mapping[str, float]) -> Groups:
        """Say in which rows of a comparison each cell of all systems counts."""
        key = (by, *edges.items())
        if key not in self._groups:
            self._groups[key] = _grouped(self.places, by, edges)
        return self._groups[key]

    @cached_property
    def steps(self) -> pd.DataFrame:
        """What `fsviz.analysis.regimes.steps` finds."""
        return steps(self.measurements)

    @cached_property
    def cliffs(self) -> pd.DataFrame:
        """What `fsviz.analysis.regimes.cliffs` finds."""
        return cliffs_of(self.steps, limits_of(self._data)["cliff_ratio"])
