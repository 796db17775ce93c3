"""Error spent over looks: against published boundaries, and against drawing it."""

from dataclasses import replace

import numpy as np
import pytest
from compared import compare
from scipy import stats

import fsviz
from fsviz.analysis.looks import SPENT, level, power_of_more, strictness
from fsviz.analysis.tests import FEWEST, paired
from fsviz.model.campaign import Looks
from tests.simulated import campaign, usual

# R package ldbounds 2.0, ldBounds(1:5/5, alpha = 0.05, sides = 2): the program of
# Lan & DeMets, Reboussin et al., Controlled Clinical Trials 21 (2000) 190–207
PUBLISHED = [4.8769, 3.3569, 2.6803, 2.2898, 2.0310]


def edge(two_sided: float) -> float:
    return float(stats.norm.isf(two_sided / 2))


@pytest.mark.parametrize("looks", range(1, 6))
def test_boundaries_are_those_that_are_published(looks):
    found = edge(level(range(1, looks + 1), 5, error=0.05))
    assert found == pytest.approx(PUBLISHED[looks - 1], abs=2e-4)


def test_a_single_look_at_the_end_is_a_single_test():
    assert level([9], 9) == pytest.approx(SPENT, rel=1e-6)
    assert level([4], 9, closed=True) == pytest.approx(SPENT, rel=1e-6)


def test_all_looks_together_err_as_often_as_a_single_test():
    rng = np.random.default_rng(1)
    taken = list(range(FEWEST, 9))
    sums = rng.normal(size=(200_000, 8)).cumsum(axis=1)
    crossed = np.zeros(len(sums), bool)
    for k, rounds in enumerate(taken, 1):
        z = np.abs(sums[:, rounds - 1]) / np.sqrt(rounds)
        crossed |= z > edge(level(taken[:k], 8))
    assert crossed.mean() == pytest.approx(SPENT, abs=0.002)


def test_t_tests_at_these_levels_err_in_no_more_than_one_in_twenty():
    rng = np.random.default_rng(4)
    drawn = rng.normal(size=(100_000, 10))
    crossed = np.zeros(len(drawn), bool)
    for k in range(FEWEST, 11):
        p = stats.ttest_1samp(drawn[:, :k], 0, axis=1).pvalue
        crossed |= p < level(range(FEWEST, k + 1), 10)
    assert crossed.mean() == pytest.approx(0.044, abs=0.002)


@pytest.mark.parametrize("closed", [False, True])
def test_closing_spends_what_is_left_and_nothing_more(closed):
    rng = np.random.default_rng(2)
    sums = rng.normal(size=(200_000, 5)).cumsum(axis=1)
    first = np.abs(sums[:, 2]) / np.sqrt(3) > edge(level([3], 12))
    last = np.abs(sums[:, 4]) / np.sqrt(5) > edge(level([3, 5], 12, closed))
    share = float((first | last).mean())
    z = stats.norm.isf(SPENT / 4)
    expected = SPENT if closed else 2 * 2 * stats.norm.sf(z / np.sqrt(5 / 12))
    assert share == pytest.approx(expected, abs=0.002)


def test_power_of_more_rounds_is_that_of_drawing_them():
    rng = np.random.default_rng(3)
    looks = Looks(12, (3, 4, 5, 6))
    first = np.log(1.04) + rng.normal(0, 0.05, 6)
    first += np.log(1.04) - first.mean()
    zeros = np.zeros((6, 1))
    now = paired(zeros, first[:, None], level(looks.taken, 12))
    told = power_of_more(now.ratio[0], now.low[0], now.high[0], looks)
    n = 100_000
    # what the rounds so far leave open: the mean is normal around theirs
    mean = first.mean() + rng.normal(0, first.std(ddof=1) / np.sqrt(6), n)
    more = rng.normal(mean, first.std(ddof=1) / np.sqrt(6))
    whole = (first.mean() + more) / 2
    final = level((3, 4, 5, 6, 12), 12)
    half = stats.t.isf(final / 2, 11) * first.std(ddof=1) / np.sqrt(12)
    decided = (np.abs(whole) > half) | (np.abs(whole) + half < np.log(1.05))
    assert told == pytest.approx(decided.mean(), abs=0.005)


def test_what_has_no_number_yet_is_not_given_up():
    assert power_of_more(float("nan"), float("nan"), float("nan"), Looks(9, (3,))) == 1


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    def double(_system, _operation, _size):
        return 1.1

    folder = tmp_path_factory.mktemp("looks") / "lab"
    return fsviz.load(campaign(folder, {"a": usual, "b": double}, runs=6, sd=0.01))


@pytest.mark.slow
def test_compare_uses_the_boundary_of_the_last_look(measured):
    single = compare(measured, by="tool").iloc[0]
    looks = Looks(10, (3, 4, 5, 6))
    seen = compare(replace(measured, looks=looks), by="tool").iloc[0]
    assert seen["p_value"] == pytest.approx(
        single["p_value"] * 0.05 / level((3, 4, 5, 6), 10)
    )
    # the repeated interval, by the formula of a paired t interval
    error = np.log(single["ci_high"] / single["ci_low"]) / 2 / stats.t.ppf(0.975, 5)
    half = stats.t.isf(level((3, 4, 5, 6), 10) / 2, 5) * error
    assert np.log(seen["ci_high"] / seen["ci_low"]) / 2 == pytest.approx(half, rel=1e-3)
    assert (single["answer"], seen["answer"]) == ("faster", "faster")
    assert seen["paired"]


def test_an_early_look_needs_more_than_a_single_test(measured):
    early = replace(measured, looks=Looks(100, (6,)))
    assert compare(early, by="tool")["answer"].tolist() == ["inconclusive"]
    assert strictness(early) < 1e-9
    assert strictness(measured) == 1
