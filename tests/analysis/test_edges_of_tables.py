"""Tables at their edges: who lacks a cell, empty groups, order of rows, printed n."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from frames import KIB, campaign, made, measurements
from scipy import stats

from fsviz.analysis.aggregate import (
    cell_statistics,
    codes,
    codes_as_they_come,
    means_by,
)
from fsviz.analysis.best import best
from fsviz.analysis.buckets import group_cells, summary
from fsviz.analysis.cells import (
    in_order,
    refuse_mixed,
    select,
    with_cpu_cost,
)
from fsviz.analysis.comparison import compare
from fsviz.analysis.gaps import fill_missing
from fsviz.analysis.grids import make_grid, make_grids
from fsviz.analysis.power import power, runs_for
from fsviz.analysis.rankings import rankings
from fsviz.analysis.regimes import (
    cliffs,
    in_regime,
    memory_of,
    name_cliffs,
    name_regimes,
    regime_line,
    regimes_by_size,
    steps,
)
from fsviz.analysis.scaling import over_threads, scaling, usual_axis, usual_kind
from fsviz.model.errors import MixedCellError, UsageError

NAN = math.nan


def of_runs(*rows, **told):
    return [made(f"r{k}", own, **told) for k, own in enumerate(rows)]


# comparison: rounds, partial runs, what a row speaks for


def turns(a, b, minutes=None):
    """Two systems whose runs took turns, one minute apart; values by cell."""
    runs = {}
    for s, (name, rows) in enumerate((("a", a), ("b", b))):
        runs[name] = [
            made(
                f"{name}{k}",
                [("read", 64 * 2**c, 4, v) for c, v in enumerate(row) if v],
                started=f"2026-01-01T00:{2 * k + s:02}:00",
            )
            for k, row in enumerate(rows)
        ]
    return campaign(runs)


def test_a_run_without_a_partner_is_not_counted_among_the_rounds():
    data = turns([(10,), (11,), (12,), (15,)], [(20,), (21,), (25,)])
    (row,) = compare(data).to_dict("records")
    assert (row["paired"], row["n_baseline"], row["n_candidate"]) == (True, 3, 3)
    apart = np.log([2, 21 / 11, 25 / 12])
    assert row["geomean_ratio"] == pytest.approx(np.exp(apart.mean()))
    assert row["p_value"] == pytest.approx(stats.ttest_1samp(apart, 0).pvalue)
    (back,) = compare(data, baseline="b").to_dict("records")
    assert (back["n_baseline"], back["n_candidate"]) == (3, 3)


def test_cells_with_other_runs_are_compared_in_rounds_of_their_own():
    a = [(10, 30), (11, 31), (12, None), (15, 37)]
    b = [(20, 50), (21, 57), (25, 52), (23, 55)]
    frame = compare(turns(a, b), cells=True)
    assert frame["paired"].tolist() == [True, True]
    assert frame["n_baseline"].tolist() == frame["n_candidate"].tolist() == [4, 3]
    wanted = np.log([50 / 30, 57 / 31, 55 / 37])
    assert frame["p_value"].iloc[1] == pytest.approx(
        stats.ttest_1samp(wanted, 0).pvalue
    )


def test_of_one_configuration_only_its_own_runs_are_rounds():
    data = turns([(10,), (11,), (12,)], [(20,), (21,), (25,)])
    # other work in between, of a system that began with it, is no round
    runs = data.runs.assign(configuration=["x"] * 3 + ["y"] * 3)
    (row,) = compare(replace(data, runs=runs)).to_dict("records")
    assert (row["paired"], row["n_baseline"]) == (True, 3)


def test_ranks_in_rounds_need_more_rounds():
    five = [(10 + k,) for k in range(5)]
    other = [(20 + k * k,) for k in range(5)]
    (row,) = compare(turns(five, other), robust=True).to_dict("records")
    assert (row["paired"], row["needed_baseline"], row["verdict"]) == (
        True,
        1,
        "untested",
    )
    assert not row["no_spread"]


def test_what_was_fitted_moves_the_bounds_with_the_ratio():
    a = [
        made(f"a{k}", [("read", 64, 4, 10.0), ("read", 128, 4, 10.0)]) for k in range(3)
    ]
    b = [
        made(f"b{k}", [("read", 64, 4, 20.0), ("read", 128, 4, 80.0)]) for k in range(3)
    ]
    b.append(made("b3", [("read", 64, 4, 40.0)]))
    for run in (*a, *b):
        run.cells.low = list(run.cells.value)
        run.cells.high = [v + 1 for v in run.cells.value]
    (row,) = compare(measurements({"a": a, "b": b})).to_dict("records")
    # by its cells the mean of b is (20·20·20·40)^¼ and 80; the run lacks 160 there
    by_cells = math.sqrt(20 * 2 ** (1 / 4) * 80) / 10
    ratio = 40 * 2 ** (1 / 4) / 10
    assert row["geomean_ratio"] == pytest.approx(ratio)
    low = math.sqrt(20 * 2 ** (1 / 4) * 80) / 11
    assert row["bound_low"] == pytest.approx(low * ratio / by_cells)
    assert row["ci_low"] <= row["bound_low"]
    assert (row["n_candidate"], row["n_candidate_partial"]) == (3, 1)


SPREAD = [("read", size, 4, 1.0) for size in (64, 1024, 32 * 1024)]


@pytest.mark.parametrize(
    "by, buckets",
    [
        ("bucket", ["small", "medium", "large", "all"]),
        ("operation", ["all"]),
        ("tool", ["all"]),
        ("file_size", ["64 KiB", "1 MiB", "32 MiB"]),
        ("record_size", ["4 KiB"]),
    ],
)
def test_what_a_row_speaks_for(by, buckets):
    table = measurements({n: of_runs(SPREAD) for n in "ab"})
    frame = compare(table, by=by)
    assert frame["bucket"].tolist() == buckets
    assert frame["cells"].tolist() == [
        3 if b in ("all", "4 KiB") else 1 for b in buckets
    ]
    assert set(frame["operation"]) == ({"all"} if by == "tool" else {"read"})


def test_one_row_of_a_tool_speaks_for_the_operations_that_are_asked_for():
    rows = [("write", 64, 4, 1.0), ("read", 64, 4, 1.0)]
    other = [("write", 64, 4, 2.0), ("read", 64, 4, 8.0)]
    table = measurements({"a": of_runs(rows), "b": of_runs(other)})
    assert compare(table, by="tool")["geomean_ratio"].tolist() == [pytest.approx(4)]
    asked = compare(table, by="tool", operation="read")
    assert asked["geomean_ratio"].tolist() == [pytest.approx(8)]


def test_what_no_two_share_is_not_there():
    runs = {"a": of_runs(SPREAD[:1]), "b": of_runs(SPREAD[:1])}
    runs["c"] = of_runs([("transfer", None, None, 5.0, "elapsed")], tool="rsync")
    frame = compare(measurements(runs))
    assert frame[["tool", "candidate", "cells"]].to_numpy().tolist() == [
        *[["iozone", "b", 1], ["iozone", "c", 0], ["rsync", "c", 0]]
    ]
    assert frame["n_candidate"].tolist() == [1, 0, 1]
    cells = compare(measurements(runs), cells=True)
    assert cells["candidate"].tolist() == ["b", "c", "c"]


def test_rows_of_cells_are_in_the_order_of_their_sizes():
    rows = [("read", 128, 4, 1.0), ("read", 64, 8, 1.0), ("read", 64, 4, 1.0)]
    rows.append(("write", 64, 4, 1.0))
    table = measurements({n: of_runs(rows) for n in "cab"})
    frame = compare(table, cells=True, baseline="a", candidate=["b", "c"])
    places = frame[["operation", "file_size_bytes", "record_size_bytes", "candidate"]]
    assert places.to_numpy().tolist() == [
        [operation, size * KIB, record * KIB, name]
        for operation, size, record in (
            *[("write", 64, 4), ("read", 64, 4), ("read", 64, 8), ("read", 128, 4)],
        )
        for name in "bc"
    ]


# summary


def test_what_has_no_size_counts_with_all_sizes():
    cells = pd.DataFrame(
        {
            "operation": ["read", "read", "write", "write"],
            "metric": "throughput",
            "threads": [1, 1, 1, 1],
            "setting": [""] * 4,
            "file_size_bytes": pd.array([64, 2**21, 64, None], "Int64"),
            "record_size_bytes": pd.array([4, 4, 4, None], "Int64"),
        }
    )
    groups, member = group_cells(cells)
    named = groups[["operation", "bucket"]].to_numpy().tolist()
    assert named == [
        *[["read", "small"], ["read", "medium"], ["write", "small"], ["write", "all"]],
        ["read", "all"],
    ]
    counts = (np.ones(4) @ member).tolist()
    assert counts == [1, 1, 1, 2, 2]


def test_runs_with_nothing_are_not_counted():
    rows = [[("read", 64, 4, 10.0), ("read", 128, 4, 20.0)]] * 2
    empty = [("read", 64, 4, None), ("read", 128, 4, None)]
    runs = of_runs(*rows, empty)
    (row,) = summary(measurements({"a": runs})).to_dict("records")
    assert (row["n_runs"], row["n_runs_partial"], row["n_cells"]) == (2, 1, 2)
    assert (row["mean"], row["std_runs"]) == (15, 0)


def test_a_run_that_lacks_a_cell_beside_a_zero_is_left_out():
    runs = of_runs(
        [("read", 64, 4, 0.0), ("read", 128, 4, 20.0)],
        [("read", 64, 4, 10.0), ("read", 128, 4, 30.0)],
        [("read", 64, 4, 10.0)],
    )
    (row,) = summary(measurements({"a": runs})).to_dict("records")
    assert (row["n_runs"], row["n_runs_partial"]) == (3, 1)
    assert row["std_runs"] == pytest.approx(np.std([10, 20], ddof=1))
    assert row["mean"] == pytest.approx((20 / 3 + 25) / 2)


def test_a_summary_by_size_and_its_confidence():
    runs = of_runs(*[[("read", 64, 4, v), ("read", 128, 4, v)] for v in (10.0, 12.0)])
    frame = summary(measurements({"a": runs}), by="file_size", confidence=0.5)
    assert frame["bucket"].tolist() == ["64 KiB", "128 KiB"]
    half = stats.t.ppf(0.75, 1) * math.sqrt(2) / math.sqrt(2)
    assert frame["ci_low"].tolist() == [pytest.approx(11 - half)] * 2
    assert summary(measurements({"a": runs}), by="record_size")["bucket"].tolist() == [
        "4 KiB"
    ]
    with pytest.raises(UsageError, match="one of bucket, operation, file_size, record"):
        summary(measurements({"a": runs}), by="tool")


# best


def test_the_interval_of_the_best_holds_for_all_pairs():
    values = [(100.0, 80.0, 10.0), (110.0, 85.0, 11.0), (105.0, 90.0, 12.0)]
    rows = [[("read", 64, 4 * 2**c, v) for c, v in enumerate(own)] for own in values]
    (row,) = best(measurements({"a": of_runs(*rows)})).to_dict("records")
    apart = np.log([a / b for a, b, _ in values])
    half = stats.t.ppf(1 - 0.05 / 3 / 2, 2) * apart.std(ddof=1) / math.sqrt(3)
    assert row["ci_low"] == pytest.approx(np.exp(apart.mean() - half))
    assert row["ci_high"] == pytest.approx(np.exp(apart.mean() + half))
    assert row["ratio"] == pytest.approx(np.exp(apart.mean()))
    assert row["mean"] == pytest.approx(stats.gmean([v[0] for v in values]))
    assert (row["n_runs"], row["n_sizes"], row["n_records"]) == (3, 1, 3)
    (two,) = best(measurements({"a": of_runs(*rows[:2])})).to_dict("records")
    assert math.isnan(two["ci_low"])
    assert math.isnan(two["ci_high"])


def test_the_best_of_times_is_the_smallest():
    values = [(10.0, 20.0, 10.4), (11.0, 21.0, 11.5), (10.5, 22.0, 10.9)]
    rows = [
        [("read", 64, 4 * 2**c, v, "latency") for c, v in enumerate(own)]
        for own in values
    ]
    (row,) = best(measurements({"a": of_runs(*rows)})).to_dict("records")
    assert (row["record_size_bytes"], row["second_record_size_bytes"]) == (
        *(4 * KIB, 16 * KIB),
    )
    assert row["as_good"] == [16 * KIB]
    assert row["unit"] == "s"
    assert row["ratio"] == pytest.approx(stats.gmean([a / c for a, _, c in values]))


@pytest.mark.parametrize("other, good", [(95.3, [8 * KIB]), (95.1, [])])
def test_a_record_within_a_twentieth_is_as_good(other, good):
    rows = [("read", 64, 4, 100.0), ("read", 64, 8, other)]
    for n in (1, 2, 3):
        (row,) = best(measurements({"a": of_runs(*[rows] * n)})).to_dict("records")
        assert row["as_good"] == good


def test_numbers_without_a_record_or_a_logarithm_take_no_part():
    rows = [("read", 64, 4, 100.0), ("read", 64, 8, 50.0)]
    odd = [
        *rows,
        ("read", 64, None, 900.0),
        ("read", 128, 4, 0.0),
        ("read", 128, 8, 1.0),
    ]
    (row,) = best(measurements({"a": of_runs(odd)}), by="operation").to_dict("records")
    assert (row["record_size_bytes"], row["mean"]) == (4 * KIB, pytest.approx(100))
    assert (row["n_sizes"], row["n_records"], row["bucket"]) == (1, 2, "all")


def test_the_rows_of_the_best_are_in_order():
    rows = [
        (operation, size, record, 1.0 * record)
        for operation in ("read", "write")
        for size in (1024, 64)
        for record in (4, 8)
    ]
    table = measurements({"b": of_runs(rows), "a": of_runs(rows)})
    frame = best(table, by="bucket")
    assert frame[["operation", "bucket", "system"]].to_numpy().tolist() == [
        [operation, bucket, system]
        for operation in ("write", "read")
        for bucket in ("small", "medium")
        for system in "ba"
    ]
    some = best(table, operation="read", system="a", by="operation")
    assert some[["operation", "system", "n_sizes"]].to_numpy().tolist() == [
        ["read", "a", 2]
    ]
    assert best(table)["bucket"].iloc[0] == "64 KiB"
    with pytest.raises(UsageError, match="one of file_size, bucket, operation"):
        best(table, by="tool")


# rankings


def ranked(values, operation="write", **more):
    """Three runs a system, a hundredth apart; values by cell, None for none."""
    runs = {}
    for name, own in values.items():
        runs[name] = [
            made(
                f"{name}{k}",
                [
                    (operation, 64, 4 * 2**c, v * (1 + k / 100))
                    for c, v in enumerate(own)
                    if v
                ],
                **more,
            )
            for k in range(3)
        ]
    return runs


def test_a_lead_within_a_twentieth_is_not_sure():
    frame = rankings(measurements(ranked({"a": (100.0,), "b": (104.0,)})))
    assert frame.set_index("system")["best_in"].to_dict() == {"b": 1, "a": 0}
    assert frame["surely_best_in"].sum() == 0
    frame = rankings(measurements(ranked({"a": (100.0,), "b": (106.0,)})))
    assert frame.set_index("system")["surely_best_in"].to_dict() == {"b": 1, "a": 0}


def test_runs_are_counted_in_the_cell_that_has_fewest():
    runs = ranked({"a": (10.0, 10.0), "b": (20.0, 20.0)})
    runs["b"].append(made("b9", [("write", 64, 4, 20.0)]))
    runs["a"] = runs["a"][:2]
    frame = rankings(measurements(runs))
    assert frame.set_index("system")["n_runs"].to_dict() == {"b": 3, "a": 2}


def test_groups_of_one_system_are_not_ranked():
    runs = ranked({"a": (10.0,), "b": (20.0,)})
    for run in ranked({"a": (5.0,)}, "read")["a"]:
        runs["a"].append(replace(run, identity=f"{run.identity}r"))
    frame = rankings(measurements(runs))
    assert set(frame["operation"]) == {"write"}
    assert frame["rank"].tolist() == [1, 2]
    with pytest.raises(UsageError, match="cells that two systems measured"):
        rankings(measurements(runs), operation=["read"])


def test_one_that_measured_nothing_of_a_group_leaves_the_others_their_cells():
    runs = ranked({"a": (10.0, 10.0), "b": (20.0, 5.0)})
    runs["c"] = ranked({"c": (7.0, 7.0)}, "read")["c"]
    frame = rankings(measurements(runs))
    assert frame["system"].tolist() == ["a", "b"]
    assert frame["cells"].tolist() == [2, 2]
    assert frame["ratio_to_best"].tolist() == pytest.approx([1, 1])
    assert frame["best_in"].tolist() == [1, 1]


def test_the_order_of_rankings_is_by_operation_bucket_and_rank():
    runs = {}
    for name, level in (("a", 1.0), ("b", 3.0), ("c", 2.0)):
        rows = [(o, size, 4, level) for o in ("read", "write") for size in (2048, 64)]
        runs[name] = [made(name, rows)]
    frame = rankings(measurements(runs))
    assert frame[["operation", "bucket"]].drop_duplicates().to_numpy().tolist() == [
        [o, b] for o in ("write", "read") for b in ("small", "medium", "all")
    ]
    assert frame["system"].tolist() == list("bca") * 6
    assert frame["rank"].tolist() == [1, 2, 3] * 6
    assert frame["ratio_to_best"].tolist() == pytest.approx([1, 2 / 3, 1 / 3] * 6)
    by_size = rankings(measurements(runs), by="file_size")
    assert by_size["bucket"].drop_duplicates().tolist() == ["64 KiB", "2 MiB"]


# scaling


def threaded(name, threads, value, operation="write", more=()):
    rows = [(operation, 64, 4, value), *more]
    return made(name, rows, threads=threads, configuration=f"{threads}")


def test_the_usual_kind_of_sizes():
    sizes = [(64, 4), (128, 4), (128, 8)]
    one = measurements({"a": [made("r", [("write", *at, 1.0) for at in sizes])]})
    assert usual_kind(one) == usual_kind(one, "write") == "explorer"
    assert usual_kind(one.loc[one["record_size_bytes"] == 4096]) == "lines"
    of_a_file = one.loc[one["file_size_bytes"] == 128 * 1024]
    assert usual_kind(of_a_file, "write") == "lines"
    assert usual_kind(one.iloc[:1]) == usual_kind(one.iloc[:1], "write") == "lines"
    unknown = one.assign(file_size_bytes=pd.array([None] * 3, dtype="Int64"))
    assert usual_kind(unknown) == "lines"
    assert usual_kind(one.assign(metric="rate")) == "lines"
    assert usual_kind(one, "read") == "lines"


def test_the_usual_axis():
    one = measurements({"a": [threaded("r", 1, 1.0), threaded("s", 2, 1.0)]})
    assert (usual_kind(one), usual_axis(one)) == ("lines", "threads")
    rows = [("write", 64, 4, 1.0)]
    deep = measurements({"a": [made("r", rows), made("s", rows)]})
    assert usual_axis(deep.assign(setting=["iodepth=2", "iodepth=8"])) == "iodepth"
    assert usual_axis(deep.assign(setting=["iodepth=2", "iodepth=2"])) == "none"


def test_whether_an_operation_was_measured_over_threads():
    one = measurements({"a": [threaded("r", 1, 1.0), threaded("s", 2, 1.0)]})
    assert over_threads(one)
    assert not over_threads(one.iloc[:1])
    assert not over_threads(one.iloc[:0])
    assert not over_threads(one.assign(metric="rate"))
    apart = measurements({"a": [threaded("r", 1, 1.0)], "b": [threaded("s", 2, 1.0)]})
    assert not over_threads(apart)


def test_only_what_is_asked_for_is_scaled():
    runs = [
        threaded(f"{operation}{n}", n, 10.0 * n, operation)
        for operation in ("write", "read")
        for n in (1, 2)
    ]
    table = measurements({"b": runs, "a": runs})
    frame = scaling(table)
    assert frame[["operation", "system", "threads"]].to_numpy().tolist() == [
        [o, s, n] for o in ("write", "read") for s in "ba" for n in (1, 2)
    ]
    assert scaling(table, operation=["read"])["operation"].tolist() == ["read"] * 4
    assert frame["speedup"].tolist() == pytest.approx([1, 2] * 4)
    assert frame["efficiency"].tolist() == pytest.approx([1] * 8)


def test_zero_and_unknown_threads_are_not_scaled():
    runs = [threaded("r", 1, 10.0), threaded("s", 2, 30.0), threaded("t", 4, 0.0)]
    runs.append(threaded("u", None, 99.0))
    frame = scaling(measurements({"a": runs}))
    assert frame["threads"].tolist() == [1, 2]
    assert frame["n_runs"].tolist() == [1, 1]
    assert frame["speedup"].tolist() == pytest.approx([1, 3])
    assert frame["efficiency"].tolist() == pytest.approx([1, 1.5])


def test_children_are_told_of_one_number_of_threads_too():
    more = [("write", 64, 4, 20.0, "min_child_throughput")]
    more.append(("write", 64, 4, 80.0, "max_child_throughput"))
    (row,) = scaling(measurements({"a": [threaded("r", 4, 100.0, more=more)]})).to_dict(
        "records"
    )
    assert (row["threads"], row["straggler_ratio"], row["speedup"]) == (
        *(4, pytest.approx(0.25), 1),
    )


# regimes

CURVED = [("read", 64, 4, 100.0), ("read", 128, 4, 60.0), ("read", 512, 4, 15.0)]


def test_steps_of_runs_and_of_records():
    runs = of_runs(CURVED, [(o, f, r, v * 1.1) for o, f, r, v in CURVED])
    runs[1].cells.value[1] = 50.0
    got = steps(measurements({"a": runs}))
    assert got["next_size_bytes"].tolist() == [128 * KIB, 512 * KIB]
    logs = np.log([[60 / 100, 50 / 110], [15 / 60, 16.5 / 50]])
    assert got["change"].tolist() == pytest.approx(np.exp(logs.mean(axis=1)))
    half = stats.t.ppf(0.975, 1) * logs.std(axis=1, ddof=1) / math.sqrt(2)
    doublings = np.array([1, 2])
    highs = np.exp((logs.mean(axis=1) + half) / doublings)
    assert got["high"].tolist() == pytest.approx(highs)
    changes_ = np.exp(logs.mean(axis=1) / doublings)
    assert got["change_per_doubling"].tolist() == pytest.approx(changes_)
    # with one run the records tell how far they scatter, and one of them nothing
    (one, two) = steps(measurements({"a": runs[:1]}))["high"]
    assert math.isnan(one)
    assert math.isnan(two)
    rows = [(o, f, r * 2, v * 0.9) for o, f, r, v in CURVED]
    rows[1] = ("read", 128, 8, 30.0)
    got = steps(measurements({"a": of_runs([*CURVED, *rows])}))
    logs = np.log([60 / 100, 30 / 90])
    half = stats.t.ppf(0.975, 1) * logs.std(ddof=1) / math.sqrt(2)
    assert got["high"].iloc[0] == pytest.approx(np.exp(logs.mean() + half))


def test_steps_are_of_one_curve_only():
    rows = [("read", 64, 4, 1.0), ("write", 128, 4, 1.0), ("read", 256, 8, 1.0)]
    odd = [("read", 128, 4, 0.0), ("read", None, 4, 1.0), ("read", 512, 4, math.inf)]
    cpu = [("read", 512, 4, 1.0, "rate")]
    assert steps(measurements({"a": of_runs([*rows, *odd, *cpu])})).empty
    assert cliffs(measurements({"a": of_runs(rows)})).empty


def compared_row(**changed):
    row = {
        "tool": "iozone",
        "operation": "read",
        "metric": "throughput",
        "threads": 1,
        "setting": "",
        "baseline": "a",
        "candidate": "b",
        "smallest_bytes": 64 * KIB,
        "largest_bytes": 256 * KIB,
    }
    return row | changed


@pytest.mark.parametrize(
    "changed, named",
    [
        ({}, True),
        ({"smallest_bytes": 128 * KIB}, True),
        ({"smallest_bytes": 128 * KIB + 1}, False),
        ({"largest_bytes": 256 * KIB - 1}, False),
        ({"baseline": "c"}, False),
        ({"baseline": "c", "candidate": "a"}, True),
        ({"operation": "write"}, False),
        ({"metric": "rate"}, False),
        ({"threads": 2}, False),
        ({"tool": "fio"}, False),
    ],
)
def test_a_cliff_inside_a_row_is_named(changed, named):
    found = pd.DataFrame(
        [
            {
                "system": "a",
                "tool": "iozone",
                "operation": "read",
                "metric": "throughput",
                "threads": 1,
                "setting": "",
                "file_size_bytes": 128 * KIB,
                "next_size_bytes": 256 * KIB,
            }
        ]
    )
    got = name_cliffs(pd.DataFrame([compared_row(**changed)]), found)
    assert got == [["a from 128 KiB to 256 KiB"] if named else []]


def test_regimes_begin_at_their_multiple():
    sizes = [0.99, 1, 2.99, 3, 1e9]
    words = ["cache", "transition", "transition", "storage", "storage"]
    assert name_regimes(sizes, 1).tolist() == words
    assert name_regimes(sizes, 1, 1.0).tolist() == [words[0], *["storage"] * 4]
    assert name_regimes([0.9, 1], 1, 0.5).tolist() == ["cache", "storage"]
    assert name_regimes([0.9, 1.5, 2], 1, 2).tolist() == [*words[:2], "storage"]


def sized(rows, ram="256 KiB", **more):
    return campaign({"a": of_runs(rows, **more)}, {"client_ram": ram} if ram else None)


def test_memory_that_is_no_size_is_refused_or_left_out():
    data = sized(CURVED, "much")
    with pytest.raises(UsageError, match="client_ram of a: expected a size"):
        memory_of(data)
    assert memory_of(data, strict=False) == {}
    assert memory_of(sized(CURVED)) == {"a": 256 * KIB}
    assert memory_of(sized(CURVED, None)) == {}
    assert memory_of(data.measurements) == {}


def test_the_regime_of_a_size_is_that_of_the_fewest_threads():
    runs = [threaded("r", 4, 1.0, "read"), threaded("s", 1, 1.0, "read")]
    data = campaign({"a": runs}, {"client_ram": "128 KiB"})
    assert regimes_by_size(data, "read", "throughput") == {"a": {64 * KIB: "cache"}}
    alone = campaign({"a": runs[:1]}, {"client_ram": "128 KiB"})
    found = regimes_by_size(alone, "read", "throughput")
    assert found == {"a": {64 * KIB: "transition"}}
    assert regimes_by_size(alone, "write", "throughput") == {}
    assert regimes_by_size(alone, "read", "rate") == {}
    unknown = [threaded("r", None, 1.0, "read")]
    data = campaign({"a": unknown}, {"client_ram": "128 KiB"})
    assert regimes_by_size(data, "read", "throughput") == {"a": {64 * KIB: "cache"}}


@pytest.mark.parametrize(
    "regime, wanted",
    [
        ("cache", "below it"),
        ("transition", "from it to 3 times it"),
        ("storage", "from 3 times it"),
    ],
)
def test_what_was_wanted_of_a_regime_is_said(regime, wanted):
    ram = {"cache": "1 KiB", "transition": "1 MiB", "storage": "1 MiB"}[regime]
    with pytest.raises(UsageError) as told:
        in_regime(sized(CURVED, ram), regime)
    assert str(told.value) == (
        f"regime {regime}: none of 3 numbers is left: files are 64 KiB to 512 KiB, "
        f"client_ram {ram}, wanted {wanted}"
    )
    named = replace(sized(CURVED, ram), name="lab")
    with pytest.raises(UsageError, match=f"^lab, regime {regime}: none of 3"):
        in_regime(named, regime)


def test_threads_count_in_what_is_there():
    with pytest.raises(
        UsageError, match="files are 256 KiB to 2 MiB, client_ram 8 MiB"
    ):
        in_regime(sized(CURVED, "8 MiB", threads=4), "storage")


def test_a_line_on_a_regime_leaves_out_what_there_is_none_of():
    line = regime_line(sized(CURVED[:2]), "cache")
    assert line == "regime cache: 2 of 2 numbers kept"
    line = regime_line(sized(CURVED), "cache")
    assert line == "regime cache: 2 of 3 numbers kept; left out: 1 transition"
    line = regime_line(sized([*CURVED, ("read", None, 4, 1.0)]), "transition")
    assert line.endswith("left out: 2 cache, 1 without a file size (iozone)")


# cells


def test_a_table_of_gaps_is_filled_by_least_squares():
    logs = np.array([[1, 2, NAN, 4], [2, NAN, 5, NAN], [NAN, 1, 3, 2.5], [NAN] * 4])
    got = fill_missing(logs)
    there = np.isfinite(logs)
    # by another route: indicators of runs and cells
    runs, cells = np.nonzero(there)
    design = np.zeros((len(runs), 7))
    design[np.arange(len(runs)), runs] = 1
    later = cells > 0
    design[np.flatnonzero(later), 3 + cells[later]] = 1
    fit = np.linalg.lstsq(design, logs[there])[0]
    effects = np.concatenate([[0], fit[4:]])
    wanted = np.where(there, logs, fit[:4, None] + effects)
    np.testing.assert_allclose(got[:3], wanted[:3])
    assert np.isnan(got[3]).all()
    np.testing.assert_allclose(fill_missing(logs.T).T[:3], wanted[:3])


def test_what_no_cell_links_is_not_filled():
    apart = np.array([[1.0, NAN], [NAN, 2.0]])
    np.testing.assert_array_equal(fill_missing(apart), apart)
    chain = np.array([[1.0, NAN, NAN], [2.0, 3.0, NAN], [NAN, 5.0, 7.0]])
    assert np.isfinite(fill_missing(chain)).all()
    whole = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert fill_missing(whole) is whole


def test_cpu_costs_by_throughput_and_by_time():
    rows = [
        *[("read", 64, 4, 50.0, "cpu"), ("read", 64, 4, 200.0, "throughput")],
        *[("write", 64, 4, 50.0, "cpu"), ("write", 64, 4, 0.0, "throughput")],
        ("reread", 64, 4, 50.0, "cpu"),
    ]
    run = made("r", rows)
    run.cells.low = [v - 10 for v in run.cells.value]
    run.cells.high = [v + 10 for v in run.cells.value]
    moved = [
        ("transfer", None, None, v, m)
        for v, m in (*[(20.0, "cpu"), (4.0, "elapsed"), (400.0, "size")],)
    ]
    other = made("s", moved, tool="rsync")
    other.cells.low, other.cells.high = [19.0, 3.0, 390.0], [21.0, 5.0, 410.0]
    table = measurements({"a": [run, other]})
    cost = with_cpu_cost(table)
    added = cost.loc[cost["metric"] == "cpu_cost"].set_index("operation")
    assert len(cost) == len(table) + len(added)
    assert set(added["unit"]) == {"s/B"}
    parts = ["value", "low", "high"]
    assert added.loc["read", parts].tolist() == pytest.approx(
        [0.5 / 200, 0.4 / 210, 0.6 / 190]
    )
    # no data moved in no time, which is no cost; a bound above it bounds the cost
    assert math.isnan(added.loc["write", "value"])
    assert added.loc["write", "low"] == pytest.approx(0.4 / 10)
    assert math.isnan(added.loc["write", "high"])
    assert added.loc["transfer", parts].tolist() == pytest.approx(
        [0.2 * 4 / 400, 0.19 * 3 / 410, 0.21 * 5 / 390]
    )
    assert "reread" not in added.index
    plain = table.loc[table["metric"] != "cpu"]
    assert with_cpu_cost(plain) is plain


def test_a_number_in_another_unit_is_refused_by_its_place():
    table = measurements({"a": of_runs(CURVED)})
    table["unit"] = table["unit"].astype(str)
    table.loc[1, "unit"] = "op/s"
    with pytest.raises(MixedCellError) as told:
        refuse_mixed(table)
    assert str(told.value) == (
        "a: read of 128 KiB by 4 KiB mixes numbers that differ in unit: expected B/s, "
        "found op/s at r0.txt:line 2"
    )
    assert told.value.system == "a"


def test_runs_that_are_no_repeats_are_named():
    runs = [made("r", CURVED, configuration="x"), made("s", CURVED, configuration="y")]
    with pytest.raises(MixedCellError) as told:
        refuse_mixed(measurements({"a": runs}))
    assert str(told.value).startswith(
        "a: read of 64 KiB by 4 KiB mixes runs that differ in configuration: r.txt and "
        "s.txt; give each its own label"
    )
    assert told.value.system == "a"
    plain = [("transfer", None, None, 1.0, "elapsed")]
    runs = [made(n, plain, tool="rsync", configuration=n) for n in "rs"]
    with pytest.raises(MixedCellError, match="a: transfer of no stated size mixes"):
        refuse_mixed(measurements({"a": runs}))


def test_selecting_by_tool_and_of_a_campaign():
    data = sized(CURVED)
    data = replace(data, whole=data)
    kept = select(data, operation=["read"], tool="iozone")
    assert kept.whole is None
    assert len(kept.measurements) == 3
    assert kept.runs is data.runs
    with pytest.raises(UsageError, match="tool: expected one of iozone, found rsync"):
        select(data, tool=["rsync"])


def test_rows_in_an_order_of_their_own():
    frame = pd.DataFrame({"system": list("cabd"), "n": [1, 2, 1, 1]})
    got = in_order(frame, ["n", "system"], {"system": ["b", "c", "a"]})
    assert got["system"].tolist() == list("bcda")
    assert got.index.tolist() == [0, 1, 2, 3]
    # what is equal stays as it came
    level = pd.DataFrame({"n": [1] * 40, "k": range(40)})
    assert in_order(level, ["n"], {})["k"].tolist() == list(range(40))


# aggregate


def test_codes_are_in_order_and_close_up():
    numbers = pd.Series(pd.array([7, None, 3, 7], "Int64"))
    words = pd.Series(pd.Categorical(["x", "y", "x", "x"], categories=["z", "y", "x"]))
    assert codes([numbers]).tolist() == [2, 0, 1, 2]
    assert codes([numbers, words]).tolist() == [2, 0, 1, 2]
    assert codes([words, numbers]).tolist() == [2, 0, 1, 2]
    assert codes_as_they_come([numbers]).tolist() == [0, 1, 2, 0]
    many = [pd.Series(range(0, 10**6, 10**4)), pd.Series(range(10**6, 0, -(10**4)))]
    assert codes([*many, *many]).tolist() == list(range(100))


def test_statistics_of_cells():
    value = np.array([2.0, 8.0, 4.0, 0.0, 8.0, 2.0])
    got = cell_statistics(value, np.array([0, 0, 1, 2, 0, 0]))
    assert got.n.tolist() == [4, 1, 1]
    assert got.mean.tolist() == [5, 4, 0]
    assert got.std[0] == pytest.approx(np.std([2, 8, 8, 2], ddof=1))
    assert np.isnan(got.std[1:]).all()
    assert got.log_mean[0] == pytest.approx(np.log(4))
    assert got.log_var[0] == pytest.approx(np.var(np.log([2, 8, 8, 2]), ddof=1))
    assert math.isnan(got.log_mean[2])
    assert got.inverse[0] == pytest.approx((0.5 + 0.125) / 2)
    assert got.at_low.tolist() == [0, 2, 3]
    assert got.at_high.tolist() == [4, 2, 3]


def test_means_by_columns_as_they_come():
    rows = pd.DataFrame({"k": ["b", "a", "b", "a"], "value": [1.0, 2.0, 4.0, NAN]})
    got = means_by(rows, ["k"])
    assert got.to_dict("list") == {"k": ["b", "a"], "mean": [2.5, 2.0], "n": [2, 1]}
    none = means_by(rows.iloc[3:], ["k"])
    assert (len(none), list(none)) == (0, ["k", "mean", "n"])


# changes, power, grids


def test_power_at_its_edges():
    assert power(2, 0.05, 1.3) == pytest.approx(power(2, 0.05, 1 / 1.3))
    with pytest.raises(UsageError, match="n: expected 2 runs or more, found 1"):
        power(1, 0.05, 1.3)
    assert power(3, 0.05, 1.0) == pytest.approx(0.05)
    assert power(100, 0.001, 5.0) == 1
    assert runs_for(0.05, 1.1, 0.9) > runs_for(0.05, 1.1)
    n = runs_for(0.05, 1.1)
    assert power(n - 1, 0.05, 1.1) < 0.8 <= power(n, 0.05, 1.1)
    for ratio in (1.0, 1.0000001):
        with pytest.raises(UsageError, match="a difference that 100000 runs can find"):
            runs_for(0.05, ratio)


def test_grids_have_the_sizes_of_their_own_system():
    runs = {
        "a": of_runs([("read", 64, 4, 1.0)], threads=2),
        "b": of_runs([("read", 64, 8, 3.0), ("read", 128, 8, 4.0)]),
    }
    one, other = make_grids(measurements(runs), systems=["b", "a"], operation="read")
    assert (one.system, one.threads, one.tool, one.shared_n) == ("b", 1, "iozone", 1)
    assert list(one.mean.columns) == [8 * KIB]
    assert (list(other.mean.columns), other.threads) == ([4 * KIB], 2)
    assert other.mean.dropna().index.tolist() == [64 * KIB]
    assert one.n.loc[64 * KIB, 8 * KIB] == 1
    with pytest.raises(UsageError, match="c: no throughput of read by file and record"):
        make_grids(measurements(runs), systems=["c"], operation="read")
    unknown = measurements({"a": of_runs([("read", 64, 4, 1.0)], threads=None)})
    assert make_grid(unknown, system="a", operation="read").threads is None
    several = of_runs(
        [("read", 64, 4, 1.0), ("read", 128, 4, 1.0)], [("read", 64, 4, 3.0)]
    )
    grid = make_grid(measurements({"a": several}), system="a", operation="read")
    assert grid.shared_n is None
    assert grid.n[4 * KIB].tolist() == [2, 1]
    wide = make_grid(
        measurements({"a": several[:1] * 1}),
        system="a",
        operation="read",
        confidence=0.5,
    )
    assert wide.ci_low.isna().all().all()
