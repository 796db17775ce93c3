"""Ranks, t tests and verdicts at their edges: ties, no spread, few runs, equal ends."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
import pytest
from frames import made, measurements
from scipy import stats

from fsviz.analysis._ranks import by_ranks, by_signed_ranks
from fsviz.analysis.comparison import compare
from fsviz.analysis.tests import (
    control,
    interval_of_runs,
    mean_interval,
    paired,
    sample,
    take_turns,
    welch,
)
from fsviz.analysis.verdicts import disagreements, numbered, verdicts

NAN = math.nan


def column(*numbers):
    return np.log(np.array(numbers, float))[:, None]


# Mann and Whitney, Wilcoxon


@pytest.mark.parametrize(
    "a, b, method",
    [
        ((10, 11, 12, 13), (12, 14, 15, 16), "asymptotic"),
        ((10, 10, 11, 12), (20, 21, 22, 23), "asymptotic"),
        (range(10, 20), range(15, 35, 2), "asymptotic"),
        ([*range(10, 30, 2)], [*range(13, 33, 2)], "exact"),
    ],
)
def test_ties_of_ranks_are_approximated_and_all_else_is_exact(a, b, method):
    got = by_ranks(column(*a), column(*b))
    wanted = stats.mannwhitneyu(np.log(a), np.log(b), method=method)
    assert got.p.tolist() == [pytest.approx(wanted.pvalue, rel=1e-12)]
    assert not got.constant[0]


@pytest.mark.parametrize(
    "times, method",
    [
        ((1.1, 1.2, 1.3, 1.4, 1.5, 1.6), "exact"),
        ((1.1, 1.2, 1.3, 1.4, 1.5, 1 / 1.6), "exact"),
        ((1.0, 1.2, 1.3, 1.4, 1.5, 1.6, 1.7), "approx"),
        ((2.0, 2.0, 0.5, 4.0, 8.0, 16.0, 32.0), "approx"),
    ],
)
def test_ties_and_zeros_of_signed_ranks_are_approximated(times, method):
    base = column(*([1.0] * len(times)))
    got = by_signed_ranks(base, column(*times))
    wanted = stats.wilcoxon(np.log(times), method=method)
    assert got.p.tolist() == [pytest.approx(wanted.pvalue, rel=1e-12)]
    back = by_signed_ranks(column(*times), base)
    assert back.p[0] == pytest.approx(got.p[0])
    assert back.ratio[0] == pytest.approx(1 / got.ratio[0])


@pytest.mark.parametrize(
    "n, m, confidence, beyond",
    # two-sided critical values of U, as every table has them
    [
        *[(4, 4, 0.95, 0), (4, 5, 0.95, 1), (5, 4, 0.95, 1), (6, 6, 0.95, 5)],
        *[(5, 8, 0.95, 6), (8, 8, 0.95, 13), (3, 5, 0.95, 0), (5, 5, 0.9, 4)],
        *[(5, 5, 0.99, 0), (6, 6, 0.99, 2)],
    ],
)
def test_ends_of_ranks_are_those_of_tables(n, m, confidence, beyond):
    rng = np.random.default_rng(n + m)
    a, b = rng.normal(0, 1, (n, 1)), rng.normal(0.5, 1, (m, 1))
    got = by_ranks(a, b, confidence)
    apart = np.sort((b.T - a).ravel())
    assert np.log(got.low[0]) == pytest.approx(apart[beyond])
    assert np.log(got.high[0]) == pytest.approx(apart[n * m - 1 - beyond])


@pytest.mark.parametrize(
    "n, confidence, beyond",
    [
        *[(6, 0.95, 0), (7, 0.95, 2), (8, 0.95, 3), (9, 0.95, 5), (12, 0.95, 13)],
        *[(8, 0.9, 5), (8, 0.99, 0), (10, 0.99, 3)],
    ],
)
def test_ends_of_signed_ranks_are_those_of_tables(n, confidence, beyond):
    apart = np.random.default_rng(n).normal(0.3, 1, n)
    got = by_signed_ranks(np.zeros((n, 1)), apart[:, None], confidence)
    first, second = np.triu_indices(n)
    walsh = np.sort((apart[first] + apart[second]) / 2)
    assert np.log(got.low[0]) == pytest.approx(walsh[beyond])
    assert np.log(got.high[0]) == pytest.approx(walsh[-1 - beyond])


def test_few_runs_have_a_median_and_no_interval():
    got = by_ranks(column(1, 2, 4), column(8, 16, 64))
    assert got.ratio[0] == pytest.approx(8)
    assert np.isnan([got.low[0], got.high[0], got.p[0]]).all()
    signed = by_signed_ranks(column(1, 1, 1, 1, 1), column(2, 4, 8, 16, 32))
    assert signed.ratio[0] == pytest.approx(8)
    assert np.isnan([signed.low[0], signed.high[0], signed.p[0]]).all()


def test_no_spread_at_all_is_no_difference_and_said():
    same = column(*[7] * 6)
    for test in (by_ranks, by_signed_ranks):
        got = test(same, same)
        assert (got.ratio[0], got.p[0], got.constant[0]) == (1, 1, True)
        other = test(same, same + np.log(2))
        assert (other.ratio[0], other.constant[0]) == (pytest.approx(2), True)
        one = test(same, column(7, 8, 9, 10, 11, 12))
        assert not one.constant[0]


def test_what_has_no_run_has_no_answer():
    gone = np.full((4, 1), NAN)
    there = column(1, 2, 3, 4)
    for test in (by_ranks, by_signed_ranks):
        for sides in ((gone, there), (there, gone)):
            got = test(*sides)
            parts = (got.ratio, got.low, got.high, got.p)
            assert np.isnan(parts).all()
            assert not got.constant[0]


# t tests


def test_the_interval_of_a_test_is_scipy_s():
    a, b = np.log([10.0, 11, 12, 14]), np.log([20.0, 21, 25])
    got = welch(sample(a[:, None]), sample(b[:, None]), 0.9)
    wanted = stats.ttest_ind(b, a, equal_var=False)
    ends = wanted.confidence_interval(0.9)
    assert (got.low[0], got.high[0]) == (
        pytest.approx(np.exp(ends.low)),
        pytest.approx(np.exp(ends.high)),
    )
    rounds = paired(a[:3, None], b[:, None], 0.9)
    wanted = stats.ttest_rel(b, a[:3])
    ends = wanted.confidence_interval(0.9)
    assert rounds.p[0] == pytest.approx(wanted.pvalue)
    assert (rounds.low[0], rounds.high[0]) == (
        pytest.approx(np.exp(ends.low)),
        pytest.approx(np.exp(ends.high)),
    )


def test_two_runs_have_an_interval_and_no_p():
    a, b = np.log([[10.0], [12.0]]), np.log([[20.0], [21.0], [25.0]])
    for got in (welch(sample(a), sample(b)), welch(sample(b), sample(a))):
        assert np.isfinite([got.low[0], got.high[0]]).all()
        assert np.isnan(got.p[0])
    got = paired(a, b[:2])
    assert np.isfinite([got.low[0], got.high[0]]).all()
    assert np.isnan(got.p[0])


@pytest.mark.parametrize("n, m", [(3, 3), (3, 4), (5, 5), (6, 3)])
def test_p_without_spread_counts_permutations(n, m):
    got = welch(sample(column(*[8] * n)), sample(column(*[98] * m)))
    assert got.p[0] == pytest.approx(2 / math.comb(n + m, n))
    assert got.constant[0]
    assert got.low[0] == got.high[0] == pytest.approx(98 / 8)
    level = welch(sample(column(*[8] * n)), sample(column(*[8] * m)))
    assert (level.p[0], level.constant[0]) == (1, True)


def test_rounds_of_one_difference_are_decided_by_their_signs():
    rising = column(1, 2, 4, 8)
    got = paired(rising, rising + np.log(3))
    assert (got.p[0], got.constant[0]) == (2 / 2**4, False)
    assert got.low[0] == got.high[0] == pytest.approx(3)
    level = paired(rising, rising)
    assert (level.p[0], level.constant[0]) == (1, False)
    still = paired(column(5, 5, 5), column(9, 9, 9))
    assert (still.p[0], still.constant[0]) == (pytest.approx(2 / math.comb(6, 3)), True)
    # one round of three takes no part
    short = paired(column(1, 2, 4), np.log([[3.0], [6.0], [NAN]]))
    assert np.isnan(short.p[0])


def times(*minutes):
    return np.array(minutes).astype("datetime64[m]")


@pytest.mark.parametrize(
    "one, other, turns",
    [
        ((0, 2, 4), (1, 3, 5), True),
        ((1, 3, 5), (0, 2, 4), True),
        ((0, 3, 4), (1, 2, 5), True),
        ((0, 2, 4, 6), (1, 3, 5), True),
        ((0, 2, 4, 6, 8), (1, 3, 5), False),
        ((0, 1, 4), (2, 3, 5), False),
        ((0, 2), (1, 3), True),
        ((0,), (1,), False),
        ((0, 2, 4), (2, 4, 6), False),
        ((0, 5, 6), (1, 2, 4), False),
    ],
)
def test_who_takes_turns(one, other, turns):
    assert take_turns(times(*one), times(*other)) is turns
    assert take_turns(times(*other), times(*one)) is turns


def test_an_unknown_time_is_no_turn():
    known = times(0, 2, 4)
    unknown = np.array(["NaT", 3, 5], "datetime64[m]")
    assert not take_turns(known, unknown)
    assert not take_turns(unknown, known)


def test_the_interval_of_a_mean():
    values = np.array([[1.0, 10.0], [2.0, 11.0], [9.0, 15.0]])
    low, high = mean_interval(values, "throughput", 0.9)
    half = stats.t.ppf(0.95, 2) * values.std(axis=0, ddof=1) / math.sqrt(3)
    np.testing.assert_allclose(low, np.maximum(values.mean(axis=0) - half, 0))
    np.testing.assert_allclose(high, values.mean(axis=0) + half)
    assert low[0] == 0
    # a time of zero has no logarithm: then the plain interval
    low, high = mean_interval(np.array([[0.0], [2.0], [4.0]]), "latency")
    half = stats.t.ppf(0.975, 2) * 2 / math.sqrt(3)
    assert (low[0], high[0]) == (0, pytest.approx(2 + half))
    low, high = mean_interval(np.array([[3.0]]), "latency")
    assert np.isnan([low[0], high[0]]).all()
    low, _ = mean_interval(np.array([[3.0, NAN], [5.0, 4.0]]), "throughput")
    assert low[0] == 0
    assert np.isnan(low[1])


def test_the_interval_of_one_cell():
    rows = pd.DataFrame({"value": [10.0, 11.0, 15.0], "run": ["r", "s", "t"]})
    low, high = interval_of_runs(rows, "throughput")
    half = stats.t.ppf(0.975, 2) * rows["value"].std() / math.sqrt(3)
    assert (low, high) == (pytest.approx(12 - half), pytest.approx(12 + half))
    none = [rows.iloc[:1], rows.assign(run="r"), rows.assign(value=[1, 2, NAN])]
    for other in none:
        assert np.isnan(interval_of_runs(other, "throughput")).all()
    two = interval_of_runs(rows.iloc[:2], "throughput", 0.5)
    half = stats.t.ppf(0.75, 1) * math.sqrt(0.5) / math.sqrt(2)
    assert two == (pytest.approx(10.5 - half), pytest.approx(10.5 + half))


def test_q_of_none_and_of_one():
    assert control(np.array([])).tolist() == []
    assert np.isnan(control(np.array([NAN, NAN]))).all()
    assert control(np.array([0.2, 0.9, 0.95])).tolist() == [
        *[pytest.approx(0.6), 0.95, 0.95]
    ]


# verdicts


def told(**changed):
    row = {
        "metric": "throughput",
        "geomean_ratio": 1.5,
        "q_value": 0.01,
        "ci_low": 1.2,
        "ci_high": 1.9,
        "bound_low": 1.49,
        "bound_high": 1.51,
        "n_baseline": 3,
        "n_candidate": 3,
        "fewest": 3,
    }
    return verdicts(pd.DataFrame([row | changed]))[0]


UNKNOWN = {"geomean_ratio": NAN, "ci_low": NAN, "ci_high": NAN}


@pytest.mark.parametrize(
    "changed, word",
    [
        ({}, "faster"),
        ({"metric": "latency"}, "slower"),
        ({"metric": "elapsed"}, "slower"),
        ({"q_value": 0.05}, "unclear"),
        ({"q_value": 0.0499}, "faster"),
        ({"q_value": NAN}, "untested"),
        ({"n_baseline": 2}, "untested"),
        ({"n_candidate": 2}, "untested"),
        ({"fewest": 4}, "untested"),
        ({"n_baseline": 4, "n_candidate": 4, "fewest": 4}, "faster"),
        ({"bound_low": 1.0}, "unclear"),
        ({"bound_low": 1.0001}, "faster"),
        ({"bound_low": NAN}, "faster"),
        ({"ci_low": 1 / 1.05, "ci_high": 1.05}, "same"),
        ({"ci_low": 0.952, "ci_high": 1.05}, "faster"),
        ({"ci_low": 1 / 1.05, "ci_high": 1.0501}, "faster"),
        ({"geomean_ratio": 1.0}, "unclear"),
        ({"geomean_ratio": 0.5, "bound_low": 0.4, "bound_high": 0.6}, "slower"),
        ({"geomean_ratio": 0.5, "bound_low": 0.4, "bound_high": 1.0}, "unclear"),
        ({"geomean_ratio": 0.5, "bound_low": 0.4, "bound_high": 0.999}, "slower"),
        ({"geomean_ratio": 0.5, "bound_low": 0.4, "bound_high": NAN}, "slower"),
        (UNKNOWN | {"bound_low": 1.05, "bound_high": NAN}, "faster"),
        (UNKNOWN | {"bound_low": 1.049, "bound_high": NAN}, "unclear"),
        (UNKNOWN | {"bound_low": NAN, "bound_high": 1 / 1.05}, "slower"),
        (UNKNOWN | {"bound_low": NAN, "bound_high": 0.953}, "unclear"),
        (UNKNOWN | {"bound_low": 0.5, "bound_high": 0.9, "q_value": 0.5}, "unclear"),
        (UNKNOWN | {"metric": "latency", "bound_low": 2, "bound_high": 3}, "slower"),
    ],
)
def test_a_verdict_beside_each_of_its_lines(changed, word):
    assert told(**changed) == word


@pytest.mark.parametrize(
    "geometric, time, mean, metric, split",
    [
        (1.2, 0.8, 1.2, "throughput", True),
        (1.2, 1.2, 0.8, "throughput", True),
        (1.2, 1.2, 1.2, "throughput", False),
        (0.8, 1.2, 0.8, "elapsed", False),
        (0.8, 0.8, 0.8, "elapsed", True),
        (1.2, 0.991, 1.2, "throughput", False),
        (1.2, 0.989, 1.2, "throughput", True),
        (1.2, 1.2, 0.991, "throughput", False),
        (1.009, 0.8, 0.8, "throughput", False),
        (1.011, 0.8, 0.8, "throughput", True),
    ],
)
def test_means_that_disagree(geometric, time, mean, metric, split):
    row = {"metric": metric, "geomean_ratio": geometric}
    row |= {"total_time_ratio": time, "mean_ratio": mean}
    assert disagreements(pd.DataFrame([row])).tolist() == [split]


@pytest.mark.parametrize(
    "cells, runs, censored, there",
    [
        (1, (3, 3), (3, 3), True),
        (0, (3, 3), (3, 3), False),
        (0, (3, 3), (2, 3), True),
        (0, (3, 3), (3, 2), True),
        (0, (0, 0), (0, 0), False),
    ],
)
def test_where_there_is_a_number(cells, runs, censored, there):
    row = {"cells": cells}
    for name, n, own in zip(("baseline", "candidate"), runs, censored, strict=True):
        row |= {f"n_{name}": n, f"n_{name}_censored": own}
    assert numbered(pd.DataFrame([row])).tolist() == [there]


# runs of which some have only bounds


def bounded(name, *rows):
    """Runs of two cells; None is a value of which only a lower bound, 100, is known."""
    runs = []
    for k, values in enumerate(rows):
        cells = [
            ("read", size, 4, value)
            for size, value in zip((64, 128), values, strict=False)
        ]
        run = made(f"{name}{k}", cells)
        run.cells.low = [100.0 if v is None else v for v in values]
        runs.append(run)
    return runs


def test_a_run_that_lacks_a_cell_is_not_ranked():
    a = bounded("a", *[(10.0, 20.0)] * 4)
    b = bounded("b", *[(None, None)] * 4, (None,))
    (row,) = compare(measurements({"a": a, "b": b})).to_dict("records")
    assert (row["n_baseline"], row["n_candidate"]) == (4, 4)
    assert (row["n_baseline_censored"], row["n_candidate_censored"]) == (0, 5)
    assert row["p_value"] == pytest.approx(2 / math.comb(8, 4))
    assert row["needed_candidate"] == 0
    (row,) = compare(measurements({"a": a, "b": b[2:]})).to_dict("records")
    assert (row["n_candidate"], row["needed_candidate"]) == (2, 1)
    assert math.isnan(row["p_value"])
    # what two systems could not time is no test of them
    both = measurements({"a": bounded("a", *[(None, None)] * 4), "b": b})
    (row,) = compare(both).to_dict("records")
    assert (row["verdict"], row["n_baseline_censored"]) == ("untested", 4)


@pytest.mark.parametrize("low, p", [(21.0, 2 / math.comb(8, 4)), (20.0, 1.0)])
def test_ranks_overlap_where_bounds_touch(low, p):
    a = [made(f"a{k}", [("read", 64, 4, 20.0)]) for k in range(4)]
    b = [made(f"b{k}", [("read", 64, 4, None)]) for k in range(4)]
    for run in b:
        run.cells.low = [low]
    (row,) = compare(measurements({"a": a, "b": b})).to_dict("records")
    assert row["p_value"] == pytest.approx(p)
    (back,) = compare(measurements({"a": a, "b": b}), baseline="b").to_dict("records")
    assert back["p_value"] == pytest.approx(p)
