"""A cell has one mean, whoever shows it."""

import numpy as np
import pytest
from samples import loaded

import fsviz
from fsviz.analysis.cells import matrices, performance, system_runs
from fsviz.analysis.grids import make_grids
from fsviz.checks.case import Case
from fsviz.model.thresholds import limits
from tests.checks.outputs import ONEHOST


@pytest.fixture(scope="module")
def campaign():
    return fsviz.select(loaded(ONEHOST), tool=["iozone"])


def test_rules_and_comparison_have_the_same_numbers(campaign):
    system, operation = "xfs", "random_write"
    cells = Case(campaign, limits()).cells
    ours = cells.loc[
        (cells["system"] == system)
        & (cells["operation"] == operation)
        & (cells["metric"] == "throughput")
    ]
    place = ["file_size_bytes", "record_size_bytes"]
    of_rules = ours.set_index(place)["mean"].astype(float).sort_index()

    (matrix,) = matrices(performance(campaign.measurements))
    there = (matrix.cells["operation"] == operation) & (
        matrix.cells["metric"] == "throughput"
    )
    means = matrix.cells.assign(mean=system_runs(matrix, system).mean).loc[there]
    of_comparison = means.set_index(place)["mean"].dropna().sort_index()

    assert len(of_rules) > 20
    # the very same floats, not only close ones
    np.testing.assert_array_equal(of_rules.to_numpy(), of_comparison.to_numpy())


def test_the_quotient_of_two_heatmaps_is_the_ratio_of_the_comparison(campaign):
    grids = make_grids(campaign, systems=["ext4", "xfs"], operation="write")
    first, other = (grid.mean.stack().dropna() for grid in grids)
    cells = fsviz.compare(campaign, sizes="all").cells
    cells = cells.loc[
        (cells["operation"] == "write")
        & (cells["candidate"] == "xfs")
        & (cells["metric"] == "throughput")
    ]
    ratio = cells.set_index(["file_size_bytes", "record_size_bytes"])["ratio"]
    quotient = (other / first).reindex(ratio.index)
    assert len(ratio) > 100
    np.testing.assert_allclose(quotient, ratio, rtol=1e-9)
