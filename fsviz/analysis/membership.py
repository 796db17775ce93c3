"""Which cell belongs to which group, for sums over groups."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from fsviz.model.libraries import sparse


class Membership(sparse.csr_array):
    """A sparse array of shape (cells, groups), 1 where a cell belongs to a group.

    ``values @ membership`` sums over groups as for any sparse array, but scipy
    transposes it for each product (``_rmatmul_dispatch`` of ``scipy/sparse/_base.py``),
    which takes longer than the product; here it is done once.
    """

    @cached_property
    def _cells_of(self) -> Any:
        return sparse.csr_array(self.T)

    def __rmatmul__(self, values: ArrayLike) -> NDArray[Any]:
        """Sum values of shape (cells,) or (runs, cells) over each group."""
        return (self._cells_of @ np.transpose(values)).T
