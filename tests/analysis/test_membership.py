import numpy as np
import pytest
from program import python

from fsviz.analysis.membership import Membership, of_each_cell


@pytest.fixture
def member():
    """Cell 1 is in two groups, cell 3 in none, group 3 has no cell."""
    return Membership(np.array([0, 1, 1, 2, 4]), np.array([1, 0, 2, 0, 2]), 5, 4)


def test_sums_are_those_of_a_matrix(member):
    matrix = np.zeros((member.cells, member.groups))
    matrix[member.cell, member.group] = 1
    runs = np.random.default_rng(1).normal(size=(3, 5))
    np.testing.assert_allclose(runs @ member, runs @ matrix)
    np.testing.assert_allclose(runs[0] @ member, runs[0] @ matrix)
    cells, groups = np.array([1, 1, 0, 0, 1], bool), np.array([0, 1, 1, 0], bool)
    part = member.of_cells(cells).of_groups(groups)
    np.testing.assert_allclose(
        runs[:, cells] @ part, runs[:, cells] @ matrix[cells][:, groups]
    )
    assert (runs @ of_each_cell(5) == runs).all()
    listed, starts = member.by_group()
    assert (listed.tolist(), starts.tolist()) == ([1, 2, 0, 1, 4], [0, 2, 3, 5])


def test_scipy_is_whole_for_who_asks_for_it():
    code = (
        "from fsviz.model.libraries import special as s; import scipy.special as t;"
        "print(s is t, t.comb(4, 2), s.stdtrit(5, 0.975) == t.stdtrit(5, 0.975))"
    )
    assert python("-c", code).stdout == "False 6.0 True\n"
