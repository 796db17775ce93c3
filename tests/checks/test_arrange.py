"""The shared arithmetic against pandas' own, on a real campaign."""

import pandas as pd
import pytest
from samples import loaded

from fsviz.analysis import aggregate
from fsviz.analysis.aggregate import codes
from fsviz.checks.case import Case
from fsviz.model.table import CELL
from fsviz.model.thresholds import limits
from tests.checks.outputs import LOOPBACK


@pytest.fixture(scope="module")
def case() -> Case:
    return Case(loaded(LOOPBACK), limits())


@pytest.mark.parametrize("room", [1 << 16, -(1 << 40)], ids=["table", "sorting"])
def test_codes_number_rows_in_the_order_of_their_values(monkeypatch, room):
    monkeypatch.setattr(aggregate, "_ROOM", room)
    kind = pd.CategoricalDtype(["b", "a", "unused"])
    columns = [
        pd.Series([7, 5, 5, 7, 5]),
        pd.Series([64, None, 4, 64, None], dtype="Int64"),
        pd.Series(["b", "a", "b", "b", "b"], dtype=kind),
    ]
    assert codes(columns).tolist() == [3, 1, 2, 3, 0]


def test_cells_are_those_of_a_grouping(case):
    rows, cells = case.rows, case.cells
    grouped = rows.groupby(["group", *CELL], observed=True, dropna=False)["value"]
    expected = grouped.agg(["size", "mean", "std", "min", "max"])
    place = pd.MultiIndex.from_frame(cells[["group", *CELL]])
    expected = expected.reindex(place)
    for name, other in zip(("n", "mean", "std", "low", "high"), expected, strict=True):
        assert cells[name].to_numpy() == pytest.approx(
            expected[other].to_numpy(float), rel=1e-9, nan_ok=True
        )


def test_extremes_point_at_the_first_smallest_and_the_last_largest_row(case):
    for cell in case.cells.sample(40, random_state=1).itertuples():
        own = case.rows.loc[case.cell == cell.Index, "value"]
        assert cell.at_low == own.index[own == own.min()][0]
        assert cell.at_high == own.index[own == own.max()][-1]
