"""Runs that a difference needs: against a published table and against simulation."""

import math

import numpy as np
import pytest
from scipy import stats

from fsviz.analysis.power import power, runs_for
from fsviz.model.errors import UsageError


@pytest.mark.parametrize("apart,runs", [(0.5, 64), (0.8, 26), (1.0, 17)])
def test_as_in_cohens_table(apart, runs):
    """Cohen 1992, "A Power Primer", table 2: difference of means, power 0.80."""
    scatter = 0.01
    assert runs_for(scatter, math.exp(apart * scatter)) == runs


@pytest.mark.parametrize("n,less", [(3, 0.08), (8, 0.02)])
def test_power_is_what_the_t_test_does_and_welchs_nearly(n, less):
    made = np.random.default_rng(20261122)
    base = made.normal(0, 0.05, (20_000, n))
    other = made.normal(math.log(1.08), 0.05, (20_000, n))
    pooled, welch = (
        (stats.ttest_ind(base, other, axis=1, equal_var=equal).pvalue < 0.05).mean()
        for equal in (True, False)
    )
    assert pooled == pytest.approx(power(n, 0.05, 1.08), abs=0.01)
    assert pooled - less < welch <= pooled


def test_faster_and_slower_need_the_same():
    assert power(5, 0.04, 1.05) == pytest.approx(power(5, 0.04, 1 / 1.05))
    assert runs_for(1e-9, 1.05) == 3


@pytest.mark.parametrize("scatter,ratio", [(0, 1.05), (0.1, 0), (math.nan, 2), (9, 1)])
def test_what_cannot_be_counted_is_refused(scatter, ratio):
    with pytest.raises(UsageError, match=r"(scatter|ratio): expected"):
        runs_for(scatter, ratio)
    with pytest.raises(UsageError, match="expected 2 runs"):
        power(1, 0.1, 1.05)
