"""Ranks, held against SciPy and published tables."""

from __future__ import annotations

import numpy as np
import pytest
from samples import loaded
from scipy import stats
from test_properties import campaign, values

import fsviz
from fsviz.analysis._ranks import by_ranks, by_signed_ranks
from fsviz.analysis.comparison import compare


def test_p_is_scipy_s_and_the_ratio_the_median_difference():
    a, b = values(1, 7)[:, 0], values(2, 5, 0.2)[:, 0]
    got = by_ranks(np.log(a), np.log(b))
    for i in range(a.shape[1]):
        assert got.p[i] == stats.mannwhitneyu(a[:, i], b[:, i]).pvalue
        apart = np.log(b[:, i])[:, None] - np.log(a[:, i])
        assert got.ratio[i] == pytest.approx(np.exp(np.median(apart)))


def test_ends_leave_out_as_many_as_the_tables_say():
    """At 5 %: Mann–Whitney's U is 2 of 5 and 5 runs, Wilcoxon's T 8 of 10."""
    a, b = values(1, 5)[:, 0], values(2, 5)[:, 0]
    got = by_ranks(np.log(a), np.log(b))
    apart = np.sort((np.log(b)[:, None] - np.log(a)).reshape(25, -1), axis=0)
    np.testing.assert_allclose(np.log(got.low), apart[2])
    np.testing.assert_allclose(np.log(got.high), apart[22])
    a, b = values(1, 10)[:, 0], values(2, 10)[:, 0]
    got = by_signed_ranks(np.log(a), np.log(b))
    one = np.log(b / a)
    first, second = np.triu_indices(10)
    walsh = np.sort((one[first] + one[second]) / 2, axis=0)
    np.testing.assert_allclose(np.log(got.low), walsh[8])
    np.testing.assert_allclose(np.log(got.high), walsh[-9])
    for i in range(a.shape[1]):
        assert got.p[i] == stats.wilcoxon(one[:, i]).pvalue


@pytest.mark.parametrize(
    "order, n, needed", [("no times", 3, 1), ("taking turns", 5, 1), ("no times", 4, 0)]
)
def test_ranks_need_more_runs(order, n, needed):
    whole = campaign({"a": values(1, n), "b": values(2, n, 3.0)}, order)
    frame = compare(whole, robust=True)
    assert frame["needed_baseline"].tolist() == [needed] * len(frame)
    assert set(frame["verdict"]) == {"untested" if needed else "faster"}


def test_one_wild_run_moves_the_mean_and_not_the_ranks():
    systems = {"a": values(1, 8), "b": values(2, 8, 0.3)}
    calm = compare(campaign(systems), robust=True)
    systems["b"][0] /= 1000
    wild = compare(campaign(systems), robust=True)
    assert set(wild["verdict"]) == {"faster"}
    assert (abs(wild["geomean_ratio"] / calm["geomean_ratio"] - 1) < 0.05).all()
    assert set(compare(campaign(systems))["verdict"]) == {"unclear"}


@pytest.mark.slow
@pytest.mark.parametrize("baseline", ["local-ext4", "nfs-v3"])
@pytest.mark.parametrize("by", ["bucket", "operation", "tool", "file_size"])
def test_a_system_without_a_run_of_some_tool_ends_no_comparison(root, by, baseline):
    """sshfs ran rsync alone: it has no row of IOzone to rank."""
    campaign = loaded(root / "data/raw/loopback-2026")
    found = fsviz.compare(campaign, by=by, baseline=baseline, robust=True)
    assert set(found.loc[found["candidate"] == "sshfs", "cells"]) == {0, 1}
    told = found.loc[found["tool"] == "rsync"]
    assert len(told) >= 10
    assert (told["n_candidate"] > 0).all()
