"""Which cell belongs to which group, for sums over groups."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from fsviz.model.libraries import np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True)
class Membership:
    """Pairs of a cell and a group that it belongs to; a cell may have several.

    ``values @ membership`` sums values of shape (cells,) or (runs, cells) over each
    group. It is not one of scipy's sparse arrays, as importing these takes as long as
    all sums of a usual campaign.
    """

    cell: NDArray[np.int64]
    group: NDArray[np.int64]
    cells: int
    groups: int

    __array_ufunc__: ClassVar[None] = None
    """Leaves ``@`` after an array to this class."""

    def __rmatmul__(self, values: ArrayLike) -> NDArray[np.float64]:
        """Sum over the cells of each group."""
        table = np.asarray(values, float)
        runs = table.reshape(-1, self.cells)
        groups = self.group + self.groups * np.arange(len(runs))[:, None]
        values = runs[:, self.cell]
        sums = np.bincount(groups.ravel(), values.ravel(), len(runs) * self.groups)
        return sums.astype(float).reshape(*table.shape[:-1], self.groups)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of cells of each group."""
        return np.bincount(self.group, minlength=self.groups)

    def by_group(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """List the cells group by group, and where those of each begin."""
        ends = self.sizes.cumsum()
        return self.cell[self.group.argsort(kind="stable")], ends - self.sizes

    def of_pairs(self, pairs: NDArray[np.bool_]) -> Membership:
        """Keep some pairs."""
        return replace(self, cell=self.cell[pairs], group=self.group[pairs])

    def of_cells(self, cells: NDArray[np.bool_]) -> Membership:
        """Keep some cells, and number them anew."""
        part = self.of_pairs(cells[self.cell])
        cell = cells.cumsum()[part.cell] - 1
        return Membership(cell, part.group, int(cells.sum()), self.groups)

    def of_groups(self, groups: NDArray[np.bool_]) -> Membership:
        """Keep some groups, and number them anew."""
        part = self.of_pairs(groups[self.group])
        group = groups.cumsum()[part.group] - 1
        return Membership(part.cell, group, self.cells, int(groups.sum()))


def of_each_cell(cells: int) -> Membership:
    """Put each cell into a group of its own."""
    numbers = np.arange(cells)
    return Membership(numbers, numbers, cells, cells)
