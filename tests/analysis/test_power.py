"""Runs that a difference needs: against a published table and against simulation."""

import math

import numpy as np
import pytest
from compared import compare
from frames import campaign
from frames import made as made_run
from scipy import stats

from fsviz.analysis.power import power, runs_for
from fsviz.model.errors import UsageError
from fsviz.model.table import OPERATIONS


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


def compared(n, ratio, rounds, seed):
    """P values of 20 operations: n runs of two systems with a scatter of 6 %."""
    made = np.random.default_rng(seed)
    operations = [name for name in OPERATIONS if OPERATIONS[name]][:20]
    # what a round has in common would hide the difference from any other test
    common = made.normal(0, 0.3 if rounds else 0, (n, len(operations)))
    runs = {}
    for k, name in enumerate(("a", "b")):
        logs = common + made.normal(0, 0.06, common.shape) + k * math.log(ratio)
        runs[name] = [
            made_run(
                f"{name}{i}",
                [(o, 64, 4, v) for o, v in zip(operations, row, strict=True)],
                started=f"2026-01-0{1 + (2 * i + k) // 24}T{(2 * i + k) % 24:02}:00:00"
                if rounds
                else None,
            )
            for i, row in enumerate(1e6 * np.exp(logs))
        ]
    frame = compare(campaign(runs), by="operation")
    assert frame["paired"].eq(rounds).all()
    return frame["p_value"] < 0.05, frame["scatter"]


@pytest.mark.slow
@pytest.mark.parametrize("rounds, n", [(False, 5), (False, 10), (True, 5), (True, 10)])
def test_power_is_that_of_the_comparison_itself(rounds, n):
    """600 tests: the standard error of a share of a half is 2 %."""
    found, scatter = zip(*(compared(n, 1.1, rounds, s) for s in range(30)), strict=True)
    # differences within a round scatter by √2 times what a run does
    known = 0.06 * math.sqrt(2 if rounds else 1)
    assert np.sqrt(np.mean(np.square(scatter))) == pytest.approx(known, rel=0.05)
    assert np.mean(found) == pytest.approx(power(n, known, 1.1, rounds), abs=0.06)
