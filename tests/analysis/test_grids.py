"""The matrix of one system and operation."""

import math

import pytest
from frames import KIB, measurements, run

from fsviz.analysis.cells import performance, present, select
from fsviz.analysis.grids import make_grid
from fsviz.model.errors import MixedCellError, UsageError

ROWS = [("write", 64, 4, 10.0), ("write", 64, 64, 20.0), ("write", 128, 4, 30.0)]
MORE = [(o, f, r, v + 2) for o, f, r, v in ROWS]
TABLE = measurements({"a": [run("x", ROWS), run("y", MORE)]})


def test_sizes_ascend_and_gaps_stay_gaps():
    grid = make_grid(TABLE, system="a", operation="write")
    assert list(grid.mean.index) == [64 * KIB, 128 * KIB]
    assert list(grid.mean.columns) == [4 * KIB, 64 * KIB]
    # the geometric mean of 20 and 22
    assert grid.mean.at[64 * KIB, 64 * KIB] == pytest.approx(440**0.5)
    assert math.isnan(grid.mean.at[128 * KIB, 64 * KIB])


def test_range_and_place():
    grid = make_grid(TABLE, system="a", operation="write")
    cell = (64 * KIB, 4 * KIB)
    assert (grid.least.at[cell], grid.most.at[cell]) == (10, 12)
    assert grid.n.at[cell] == 2
    assert grid.place.at[cell] == "x.txt:line 1"


def test_an_unknown_operation_is_refused():
    with pytest.raises(UsageError, match="no throughput of read"):
        make_grid(TABLE, system="a", operation="read")


def test_mixed_runs_are_refused():
    runs = [run(n, ROWS, config=n) for n in ("sync", "async")]
    with pytest.raises(MixedCellError):
        make_grid(measurements({"a": runs}), system="a", operation="write")


def test_several_thread_counts_are_refused():
    other = measurements({"a": [run("x", ROWS)]})
    other.loc[0, "threads"] = 4
    with pytest.raises(MixedCellError, match=r"varies in threads \(4, 1\)"):
        make_grid(other, system="a", operation="write")


def test_select_and_present():
    table = measurements(
        {"b": [run("x", ROWS)], "a": [run("y", [("read", 64, 4, 1.0)])]}
    )
    assert present(table, "system") == ["b", "a"]
    assert present(table, "operation") == ["write", "read"]
    assert present(select(table, operation=["read"]), "system") == ["a"]
    assert len(select(table, system=[], operation=None)) == len(table)
    with pytest.raises(UsageError, match="system: expected one of b, a, found c"):
        select(table, system=["c"])


def test_amounts_of_data_are_no_performance():
    table = measurements({"b": [run("x", ROWS)]})
    table["metric"] = table["metric"].where(table.index != 0, "size")
    assert len(performance(table)) == 2
