"""Intervals hold what they say: the short form of benchmarks/coverage.py."""

import importlib.util
from types import SimpleNamespace

import numpy as np
import pytest
from fsviz.analysis.gaps import levels_of
from scipy import sparse

from fsviz.analysis.tests import sample, welch


@pytest.fixture(scope="module")
def coverage(root):
    path = root / "benchmarks/coverage.py"
    spec = importlib.util.spec_from_file_location("coverage_benchmark", path)
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(__import__("sys").modules, spec.name, module)
        spec.loader.exec_module(module)
        yield module


@pytest.mark.slow
@pytest.mark.parametrize("runs", [3, 5, 10])
def test_intervals_hold_the_true_ratio(coverage, runs):
    world = coverage.WORLDS[0]
    got = coverage.simulate(world, runs, tables=1, groups=1000)
    assert 0.93 <= got["coverage"] <= 0.97
    # what makes it honest: the same numbers pooled over cells would be wrong by half
    assert got["pooled"] < 0.7


def test_without_a_difference_few_verdicts_claim_one(coverage):
    got = coverage.simulate(coverage.WORLDS[3], 5, tables=1, groups=500)
    assert got["claimed"] <= 0.05


def test_a_real_difference_is_found(coverage):
    got = coverage.simulate(coverage.WORLDS[0], 10, tables=1, groups=200)
    assert got["claimed"] > 0.95


def test_intervals_hold_where_the_cell_that_varies_most_lacks_runs():
    rng = np.random.default_rng(1)
    member, matched = sparse.csr_array(np.ones((8, 1))), np.ones(8, bool)
    scatter = np.array([0.01] * 7 + [0.3])
    held = 0
    for _ in range(1000):
        logs = rng.normal(0, 0.01, (2, 5, 1)) + rng.normal(0, scatter, (2, 5, 8))
        logs[:, 3:, 7] = np.nan
        sides = (SimpleNamespace(logs=own) for own in logs)
        got = welch(*(sample(*levels_of(one, matched, member)) for one in sides))
        held += bool(got.low[0] <= 1 <= got.high[0])
    # as if all five runs had the cell, it was 780
    assert held >= 940
