"""A script that starts the tool anew for each size makes one pass of several runs."""

import numpy as np
import pytest
from compared import compare
from frames import campaign, measurements, run
from scipy import stats

import fsviz
from fsviz.analysis.cells import compared
from fsviz.answers.trust import trust

RECORDS = (4, 1024)


def passes(factor, times=5, seed=1):
    """Runs of each record size on its own, as `iozone -r 4k` and `-r 1024k` are."""
    rng = np.random.default_rng(seed)
    speeds = 1e8 * factor * np.exp(rng.normal(0, 0.02, (times, 2)))
    runs = [
        run(
            f"{seed}-{k}-{record}",
            [("write", 102400, record, speeds[k, at])],
            config=f"-r {record}k",
        )
        for k in range(times)
        for at, record in enumerate(RECORDS)
    ]
    return runs, np.log(speeds).mean(axis=1)


def test_runs_that_share_no_cell_are_compared_pass_by_pass():
    (one, base), (other, cand) = passes(1.0), passes(1.5, seed=2)
    table = measurements({"a": one, "b": other})
    row = compare(table, by="operation").iloc[0]
    assert (row["n_baseline"], row["n_candidate"], row["cells"]) == (5, 5, 2)
    assert (row["left_out_baseline"], row["left_out_candidate"]) == (0, 0)
    assert row["ratio"] == pytest.approx(np.exp(cand.mean() - base.mean()))
    test = stats.ttest_ind(cand, base, equal_var=False)
    assert row["p_value"] == pytest.approx(test.pvalue, rel=1e-9)
    assert row["answer"] == "faster"


def test_a_summary_counts_passes_as_well():
    runs, _ = passes(1.0)
    row = fsviz.summary(measurements({"a": runs}), by="operation").iloc[0]
    assert (row["n_runs"], row["n_runs_partial"], row["n_cells"]) == (5, 0, 2)
    assert np.isfinite(row["ci_low"])


def test_the_question_of_repeats_counts_passes_as_the_headline_does():
    """The headline said one run each, and below it stood "1 to 2 runs"."""
    made = campaign({"a": passes(1.0)[0], "b": passes(1.5, seed=2)[0]})
    (repeated, *_) = trust(made, fsviz.run_checks(made), ["a", "b"])
    assert repeated.sentence.startswith("5 runs of each system and tool.")


def test_runs_of_other_operations_stay_apart():
    """What is measured by itself has times of its own, by which rounds are told."""
    runs = [
        run("1", [("write", 1024, 4, 1e8)], config="-i 0"),
        run("2", [("read", 1024, 4, 2e8)], config="-i 1"),
    ]
    assert compared(measurements({"a": runs}))["run"].nunique() == 2
