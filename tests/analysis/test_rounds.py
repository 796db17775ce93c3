"""Systems that took turns are compared round by round."""

from __future__ import annotations

import math

import numpy as np
import pytest
from compared import compare
from scipy import stats
from test_properties import campaign, values

from fsviz.analysis.drift import order_of
from fsviz.analysis.tests import paired, take_turns, welch
from fsviz.analysis.tests import sample as of


def minutes(*numbers):
    return np.array(numbers, "datetime64[m]")


@pytest.mark.parametrize(
    "one, other, expected",
    [
        ((0, 2, 4), (1, 3, 5), True),
        ((0, 3, 4), (1, 2, 5), True),  # in each round in another order
        ((0, 2, 4, 6), (1, 3, 5), True),  # the last round is not complete
        ((0, 1, 2), (3, 4, 5), False),
        ((0, 2, 3), (1, 4, 5), False),
        ((0, 1, 4), (2, 3, 5), False),
        ((0, 4, 8, 12), (1, 5), False),
        ((0, 2), (0, 2), True),  # started at once, round by round
        ((0,), (1,), False),
    ],
)
def test_round_k_lies_between_the_rounds_before_and_after(one, other, expected):
    assert take_turns(minutes(*one), minutes(*other)) is expected
    assert take_turns(minutes(*other), minutes(*one)) is expected


def test_without_a_time_nobody_took_turns():
    unknown = minutes(0, 2, 4)
    unknown[2] = np.datetime64("NaT", "s")
    assert not take_turns(unknown, minutes(1, 3, 5))


def test_rounds_are_compared_as_scipy_does():
    a, b = values(1, 6)[:, 0, :1], values(2, 6, 0.1)[:, 0, :1]
    drift = np.exp(0.2 * np.arange(6))[:, None]
    systems = {"a": (a * drift)[:, None], "b": (b * drift)[:, None]}
    (got,) = compare(campaign(systems, "taking turns")).to_dict("records")
    wanted = stats.ttest_rel(np.log(b), np.log(a))
    low, high = wanted.confidence_interval()
    assert got["paired"]
    assert got["p_value"] == pytest.approx(wanted.pvalue[0])
    # in the same order every round the slot between the systems counts
    assert got["p_value"] < got["q_value"] < 0.05
    assert got["ci_low"] == pytest.approx(math.exp(low[0]))
    assert got["ci_high"] == pytest.approx(math.exp(high[0]))
    # the same numbers one after the other
    (got,) = compare(campaign(systems, "one after another")).to_dict("records")
    apart = stats.ttest_ind(np.log(b * drift), np.log(a * drift), equal_var=False)
    assert not got["paired"]
    assert got["p_value"] == pytest.approx(apart.pvalue[0])


def test_what_drift_moved_is_the_slope_that_least_squares_finds():
    """Two systems' logarithms over time: a level for each, one slope for both."""
    hours = np.array([0, 3, 4, 8, 1, 2, 6, 9])
    times = np.datetime64("2026-01-01") + hours.astype("timedelta64[h]")
    levels = 0.02 * hours[:, None] + np.random.default_rng(3).normal(0, 0.1, (8, 1))
    found = order_of(np.split(times, 2), np.split(levels, 2))
    x = hours / 9
    design = np.column_stack([np.repeat([1, 0], 4), np.repeat([0, 1], 4), x])
    fitted, left, *_ = np.linalg.lstsq(design, levels[:, 0], rcond=None)
    error = math.sqrt(left[0] / 5 * np.linalg.inv(design.T @ design)[2, 2])
    apart = x[4:].mean() - x[:4].mean()
    assert found.moved == pytest.approx(fitted[2] * apart)
    assert found.error == pytest.approx(stats.t.ppf(0.975, 5) * error * apart)


def test_a_round_without_the_cell_leaves_the_other_rounds():
    systems = {"a": values(1, 5)[:, :2, :1], "b": values(2, 5)[:, :2, :1]}
    systems["a"][1, 0] = math.nan
    got = compare(campaign(systems, "taking turns"), cells=True).iloc[0]
    assert got["paired"]
    assert (got["n_baseline"], got["n_candidate"]) == (4, 4)
    apart = np.log(systems["b"] / systems["a"])[[0, 2, 3, 4], 0, 0]
    assert got["p_value"] == pytest.approx(stats.ttest_1samp(apart, 0).pvalue)


def test_what_does_not_vary_is_tested_by_permutation():
    same = np.log(np.full((5, 1), 7.0))
    for result in (paired(same, same + 1), welch(of(same), of(same + 1))):
        assert result.p.tolist() == pytest.approx([2 / math.comb(10, 5)])
        assert result.low.tolist() == result.high.tolist() == [pytest.approx(math.e)]
    assert paired(same, same).p.tolist() == [1.0]
    varying = np.log(np.arange(1, 6.0))[:, None]
    assert paired(varying, varying + 1).p.tolist() == [2 * 0.5**5]
