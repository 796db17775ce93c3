"""Data arranged once for several comparisons, which differ in what a row is."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fsviz.analysis.buckets import By, group_cells
from fsviz.analysis.cells import (
    Matrix,
    SystemRuns,
    matrices,
    performance,
    refuse_mixed,
    system_runs,
    with_cpu_cost,
)
from fsviz.analysis.regimes import cliffs_of, limits_of, steps
from fsviz.model.campaign import Campaign, Data
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


class Sides:
    """The systems of one tool's matrix, each taken out of it once.

    Parameters
    ----------
    matrix : Matrix
        Of one tool.
    """

    def __init__(self, matrix: Matrix) -> None:
        self.matrix = matrix
        self._known: dict[str, SystemRuns] = {}
        self._groups: dict[tuple[object, ...], tuple[pd.DataFrame, Any]] = {}

    def __getitem__(self, system: str) -> SystemRuns:
        if system not in self._known:
            self._known[system] = system_runs(self.matrix, system)
        return self._known[system]

    def groups(
        self, cells: NDArray[np.bool_], by: By, edges: Mapping[str, float]
    ) -> tuple[pd.DataFrame, Any]:
        """Group some cells as `group_cells` does; most pairs have the same."""
        key = (cells.tobytes(), by, *edges.items())
        if key not in self._groups:
            own = self.matrix.cells.loc[cells].reset_index(drop=True)
            self._groups[key] = group_cells(own, by, edges)
        return self._groups[key]


class Arranged:
    """Data arranged once for several comparisons, which differ in what a row is.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    """

    def __init__(self, data: Data) -> None:
        self._data = data
        self.measurements = measurements_of(data)

    @cached_property
    def table(self) -> pd.DataFrame:
        """What is compared: performance, and the CPU cost that it comes at.

        Raises
        ------
        MixedCellError
            If a cell holds runs that are not repeats of one another.
        """
        refuse_mixed(performance(self.measurements))
        return with_cpu_cost(performance(self.measurements), self.measurements)

    @cached_property
    def tools(self) -> list[Sides]:
        """The numbers of each tool."""
        runs = self._data.runs if isinstance(self._data, Campaign) else None
        return [Sides(matrix) for matrix in matrices(self.table, runs)]

    @cached_property
    def steps(self) -> pd.DataFrame:
        """What `fsviz.analysis.regimes.steps` finds."""
        return steps(self.measurements)

    @cached_property
    def cliffs(self) -> pd.DataFrame:
        """What `fsviz.analysis.regimes.cliffs` finds."""
        return cliffs_of(self.steps, limits_of(self._data)["cliff_ratio"])


def arranged_of(data: Data, known: Arranged | None) -> Arranged:
    """Arrange data, unless they are what has been arranged."""
    if known is None or known.measurements is not measurements_of(data):
        return Arranged(data)
    return known
