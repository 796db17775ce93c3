"""Intervals hold what they say: the short form of benchmarks/coverage.py."""

import importlib.util

import pytest


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
