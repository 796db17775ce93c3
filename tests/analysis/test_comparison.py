"""Comparisons: every figure by hand on tiny campaigns, and by scipy's own tests."""

import math

import numpy as np
import pandas as pd
import pytest
from compared import compare
from frames import KIB, measurements, run
from hypothesis import given, settings
from hypothesis import strategies as st
from samples import loaded
from scipy import stats

from fsviz.analysis.tests import sample, welch
from fsviz.model.errors import MixedCellError, UsageError


def runs(name, *values, operation="write", sizes=((64, 4), (128, 4))):
    """One run for each tuple of values, one value a cell."""
    return [
        run(
            f"{name}{i}",
            [(operation, f, r, v) for (f, r), v in zip(sizes, row, strict=True)],
        )
        for i, row in enumerate(values)
    ]


def row(frame, **wanted):
    for name, value in wanted.items():
        frame = frame.loc[frame[name] == value]
    (found,) = frame.to_dict("records")
    return found


# each run's geometric mean over its two cells: a 10, 20, 40; b 80, 160, 320
A = runs("a", (5, 20), (20, 20), (20, 80))
B = runs("b", (80, 80), (80, 320), (160, 640))
TABLE = measurements({"a": A, "b": B})


def test_pairs_beside_one_another_are_what_each_is_alone(monkeypatch):
    """Of other numbers of runs, other cells, and runs that lack some."""
    frame = measurements(
        {
            "a": A,
            "few": runs("c", (7, 9), (8, 11)),
            "b": B,
            "other": runs("d", (80, 81), (79, 83), (82, 80), sizes=((64, 4), (256, 4))),
            "half": [
                *runs("e", (5, 6), (4, 7), (5, 5)),
                *runs("f", (6,), sizes=((64, 4),)),
            ],
        }
    )
    for cells in (False, True):
        together = compare(frame, cells=cells)
        monkeypatch.setattr("fsviz.analysis.comparison._AT_ONCE", 1)
        pd.testing.assert_frame_equal(compare(frame, cells=cells), together)
        monkeypatch.undo()


def test_by_hand():
    got = row(compare(TABLE), bucket="small")
    assert got["ratio"] == pytest.approx(8)
    # Both sides have std ln 2, so Welch's t is Student's with 4 degrees of freedom:
    # standard error ln 2 · √(2/3), t = ln 8 / that = 3 / √(2/3) = 3.674235
    # t(0.975, 4) = 2.776445 in any table
    half = 2.776445105 * math.log(2) * math.sqrt(2 / 3)
    assert got["ci_low"] == pytest.approx(8 * math.exp(-half))
    assert got["ci_high"] == pytest.approx(8 * math.exp(half))
    assert got["p_value"] == pytest.approx(2 * stats.t.sf(3.6742346, 4))
    assert got["q_value"] == got["p_value"]
    assert got["answer"] == "faster"
    # means over runs: a 15 and 40, b 320/3 and 1040/3
    assert got["mean_ratio"] == pytest.approx((1360 / 3) / 55)
    # times: a 64k·(1/5 + 1/20 + 1/20)/3 + 128k·(1/20 + 1/20 + 1/80)/3, b likewise
    a = 64 * (0.2 + 0.05 + 0.05) / 3 + 128 * (0.05 + 0.05 + 0.0125) / 3
    b = 64 * (2 / 80 + 1 / 160) / 3 + 128 * (1 / 80 + 1 / 320 + 1 / 640) / 3
    assert got["total_time_ratio"] == pytest.approx(a / b)
    assert (got["n_baseline"], got["n_candidate"]) == (3, 3)
    assert (got["cells"], got["cells_unmatched"]) == (2, 0)


def test_agrees_with_scipy_s_welch_test_where_the_sides_vary_differently():
    a, b = (10.0, 11.0, 12.5, 10.7), (9.0, 14.0, 30.0)
    one = ((64, 4),)
    table = measurements(
        {
            "a": runs("a", *((v,) for v in a), sizes=one),
            "b": runs("b", *((v,) for v in b), sizes=one),
        }
    )
    got = row(compare(table))
    wanted = stats.ttest_ind(np.log(b), np.log(a), equal_var=False)
    interval = wanted.confidence_interval()
    assert got["p_value"] == pytest.approx(wanted.pvalue)
    assert got["ci_low"] == pytest.approx(math.exp(interval.low))
    assert got["ci_high"] == pytest.approx(math.exp(interval.high))
    assert got["ratio"] == pytest.approx(stats.gmean(b) / stats.gmean(a))
    (cell,) = compare(table, cells=True).to_dict("records")
    assert cell["ratio"] == got["ratio"]
    assert cell["p_value"] == got["p_value"]


def test_the_extra_runs_of_r_s_sleep_data():
    """Welch on the sleep data, as R's help page of t.test prints: p = 0.07939."""
    first = (0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0)
    second = (1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4)
    systems = {
        name: runs(name, *((math.exp(v),) for v in values), sizes=((64, 4),))
        for name, values in (("a", first), ("b", second))
    }
    got = row(compare(measurements(systems)))
    assert got["p_value"] == pytest.approx(0.07939, abs=5e-6)
    # R: 95 percent confidence interval −3.3654832 … 0.2054832 of first − second
    assert math.log(got["ci_low"]) == pytest.approx(-0.2054832, abs=5e-8)
    assert math.log(got["ci_high"]) == pytest.approx(3.3654832, abs=5e-8)


def three_systems():
    rng = np.random.default_rng(1)
    return {
        name: runs(
            name,
            *np.exp(rng.normal(3, 0.1, (5, 3))) * factor,
            sizes=((64, 4), (1024, 4), (32768, 64)),
        )
        for name, factor in (("a", 1.0), ("b", 1.1), ("c", 0.8))
    }


def by_hand(p):
    """Benjamini and Hochberg's q, ascending, as their paper writes it."""
    p, m = np.sort(p), len(p)
    return [min(p[j] * m / (j + 1) for j in range(i, m)) for i in range(m)]


@pytest.mark.slow
def test_one_row_has_one_q_in_every_view_and_under_every_filter(root):
    table = loaded(root / "data/raw/onehost-2026").select(tool="iozone")
    place = ["operation", "candidate"]
    whole = compare(table, by="operation").set_index(place)["q_value"]
    buckets = compare(table)
    pooled = buckets.loc[buckets["bucket"] == "all"].set_index(place)["q_value"]
    assert pooled.to_dict() == whole.to_dict()
    for by in ("operation", "bucket", "file_size", "record_size"):
        asked = {"candidate": ["btrfs"], "operation": ["read"]}
        every, some = compare(table, by=by), compare(table, by=by, **asked)
        keys = [*place, "bucket"]
        known = every.set_index(keys)["q_value"].to_dict()
        found = some.set_index(keys)["q_value"].to_dict()
        assert found
        assert found == {key: known[key] for key in found}


def test_a_tool_with_one_operation_is_that_operation():
    table = measurements(three_systems())
    by_operation, by_tool = (compare(table, by=by) for by in ("operation", "tool"))
    assert by_tool["q_value"].tolist() == by_operation["q_value"].tolist()
    p = by_operation["p_value"].to_numpy()
    assert np.sort(by_tool["q_value"]) == pytest.approx(by_hand(p))


def test_cells_of_one_side_are_left_out_and_counted():
    more = [run("b9", [("write", 64, 4, 80.0), ("write", 256, 4, 1e9)])]
    got = row(compare(measurements({"a": A[:1], "b": more})))
    assert (got["cells"], got["cells_unmatched"]) == (1, 2)
    assert got["ratio"] == pytest.approx(16)
    cells = compare(measurements({"a": A[:1], "b": more}), cells=True)
    assert cells["file_size_bytes"].tolist() == [64 * KIB, 128 * KIB, 256 * KIB]
    assert cells["ratio"].isna().tolist() == [False, True, True]
    assert cells["n_baseline"].tolist() == [1, 1, 0]
    assert cells["n_candidate"].tolist() == [1, 0, 1]


def test_without_a_whole_run_the_ratio_of_the_cells_stays_and_nothing_is_tested():
    apart = [run(f"b{f}", [("write", f, 4, 80.0)]) for f in (64, 128)]
    got = row(compare(measurements({"a": A, "b": apart})))
    assert got["ratio"] == pytest.approx(4)
    assert got["answer"] == "untested"
    assert math.isnan(got["p_value"])
    assert math.isnan(got["ci_low"])
    assert got["n_candidate"] == 2


@pytest.mark.parametrize("n", [1, 2])
def test_fewer_than_three_runs_are_not_tested(n):
    got = row(compare(measurements({"a": A, "b": B[:n]})))
    assert got["answer"] == "untested"
    assert math.isnan(got["p_value"])
    assert math.isnan(got["q_value"])
    assert math.isnan(got["ci_low"]) == (n == 1)


def constant(name, value, n):
    return runs(name, *[(value, value)] * n)


def test_no_spread_on_either_side_is_decided_by_counting_permutations():
    table = measurements({"a": constant("a", 8.0, 5), "b": constant("b", 98.0, 5)})
    got = row(compare(table))
    assert got["p_value"] == pytest.approx(2 / math.comb(10, 5))
    # tests.frames prints each value as v … v + 1, so that is all that is known
    assert got["ci_low"] == pytest.approx(98 / 9)
    assert got["ci_high"] == pytest.approx(99 / 8)
    assert got["answer"] == "faster"


def test_no_spread_in_three_runs_a_side_carries_no_verdict():
    table = measurements({"a": constant("a", 8.0, 3), "b": constant("b", 98.0, 3)})
    got = row(compare(table))
    assert got["p_value"] == pytest.approx(0.1)
    assert got["answer"] == "inconclusive"


def test_equal_constants_are_as_equal_as_their_digits_allow():
    many, few = (
        row(compare(measurements({"a": constant("a", v, 3), "b": constant("b", v, 3)})))
        for v in (1000.0, 2.0)
    )
    assert many["p_value"] == few["p_value"] == 1
    assert many["answer"] == "same"
    assert few["answer"] == "inconclusive"
    assert (few["ci_low"], few["ci_high"]) == (pytest.approx(2 / 3), pytest.approx(1.5))


def test_one_side_without_spread_leaves_the_other_s():
    b = (80.0, 90.0, 100.0)
    table = measurements(
        {
            "a": runs("a", (10.0,), (10.0,), (10.0,), sizes=((64, 4),)),
            "b": runs("b", *((v,) for v in b), sizes=((64, 4),)),
        }
    )
    got = row(compare(table))
    # the t test of one sample, against a known value
    wanted = stats.ttest_1samp(np.log(b), math.log(10))
    assert got["p_value"] == pytest.approx(wanted.pvalue)


@pytest.mark.parametrize("value", [math.inf, math.nan])
def test_what_is_not_measured_leaves_the_other_runs(value):
    bad = [run("b9", [("write", 64, 4, value), ("write", 128, 4, 80.0)])]
    got = row(compare(measurements({"a": A, "b": [*B, *bad]})))
    # b9 has half of the cells, so that the row rests on the other half: a cell of 20,
    # 20 and 80 against 80, 320, 640 and the 80 of b9
    ratio = np.log([80, 320, 640, 80]).mean() - np.log([20, 20, 80]).mean()
    assert got["ratio"] == pytest.approx(np.exp(ratio))
    assert got["n_candidate"] == 4
    assert got["n_candidate_censored"] == 0


@pytest.mark.parametrize("value", [0.0, -1.0])
def test_a_value_without_logarithm_leaves_only_bounds(value):
    bad = [run("b9", [("write", 64, 4, value), ("write", 128, 4, 80.0)])]
    got = row(compare(measurements({"a": A, "b": [*B, *bad]})))
    for name in ("ratio", "ci_low", "total_time_ratio", "mean_ratio"):
        assert math.isnan(got[name])
    assert (got["n_candidate"], got["n_candidate_censored"]) == (4, 1)
    assert got["answer"] == "inconclusive"


def censored(name, n, low):
    """Runs that were too fast for the clock: a lower bound and no value."""
    made = runs(name, *[(math.nan, math.nan)] * n)
    for one in made:
        one.cells.low = [low, low]
        one.cells.high = [math.nan, math.nan]
    return made


@pytest.mark.parametrize(
    "low,n,verdict,p",
    [
        (1e3, 5, "faster", 2 / math.comb(8, 3)),  # 3 against 5, none overlaps
        (1e3, 3, "inconclusive", 2 / math.comb(6, 3)),  # 0.1: three runs cannot do more
        (30.0, 5, "inconclusive", 1.0),  # one baseline run has a mean of 40
    ],
)
def test_runs_too_fast_to_be_timed_are_ranked(low, n, verdict, p):
    got = row(compare(measurements({"a": A, "b": censored("b", n, low)})))
    assert got["answer"] == verdict
    assert got["p_value"] == pytest.approx(p)
    assert (got["cells"], got["cells_unmatched"]) == (0, 2)
    assert (got["n_baseline"], got["n_candidate"]) == (3, n)
    assert math.isnan(got["ratio"])
    # tests.frames prints each value as v … v + 1
    highs = stats.gmean([6, 21, 21, 21, 21, 81])
    assert got["bound_low"] == pytest.approx(low / highs)
    assert math.isnan(got["bound_high"])


def test_some_runs_too_fast_count_with_those_that_have_a_number():
    some = [*runs("b", (900, 900), (950, 950)), *censored("c", 3, 1e3)]
    got = row(compare(measurements({"a": A, "b": some})))
    assert (got["n_candidate"], got["n_candidate_censored"]) == (5, 3)
    assert got["answer"] == "faster"
    highs = stats.gmean([6, 21, 21, 21, 21, 81])
    lows = stats.gmean([900, 950, 1e3, 1e3, 1e3])
    assert got["bound_low"] == pytest.approx(lows / highs)


def test_a_cell_too_fast_to_be_timed_counts_beside_cells_that_have_numbers():
    a = runs("a", *[(10, 100)] * 5)
    b = runs("b", *[(40, math.nan)] * 5)
    for one in b:  # the second cell was printed as a bound
        one.cells.low, one.cells.high = [40, 110], [41, math.nan]
    got = row(compare(measurements({"a": a, "b": b})))
    # over both cells: the first alone would say four times
    assert got["bound_low"] == pytest.approx(math.sqrt(40 * 110 / (11 * 101)))
    assert math.isnan(got["bound_high"])
    assert math.isnan(got["ratio"])
    assert (got["n_candidate_censored"], got["answer"]) == (5, "faster")
    # turned round, the limit is the other one
    back = row(compare(measurements({"b": b, "a": a}), baseline="b"))
    assert back["bound_high"] == pytest.approx(1 / got["bound_low"])
    assert back["answer"] == "slower"


def test_a_side_without_any_number_is_not_infinitely_slow():
    none = [
        run(f"b{i}", [("write", 64, 4, 0.0), ("write", 128, 4, 0.0)]) for i in range(3)
    ]
    got = row(compare(measurements({"a": A, "b": none})))
    assert (got["cells"], got["cells_unmatched"]) == (0, 2)
    assert math.isnan(got["ratio"])
    assert got["bound_low"] == 0
    assert got["answer"] == "inconclusive"


def test_lower_is_better_for_times():
    table = TABLE.assign(metric="elapsed", unit="s")
    got = row(compare(table))
    assert got["ratio"] == pytest.approx(8)
    assert got["answer"] == "slower"
    # an elapsed time is a time already: a 15 + 40, b 320/3 + 1040/3
    assert got["total_time_ratio"] == pytest.approx(55 / (1360 / 3))


def test_threads_are_never_averaged_over():
    table = TABLE.copy()
    table.loc[table["file_size_bytes"] == 128 * KIB, "threads"] = 4
    frame = compare(table)
    assert frame["threads"].tolist() == [1, 4]
    assert frame["cells"].tolist() == [1, 1]


@pytest.mark.parametrize(
    "column,value", [("unit", "op/s"), ("campaign", "other"), ("run", "x")]
)
def test_a_mixed_cell_is_refused_and_names_what_varies(column, value):
    table = TABLE.copy()
    twice = table.loc[[0]].assign(**{column: value})
    twice = twice.astype(table.dtypes.to_dict())
    if column == "unit":
        table.loc[0, "unit"] = value
    else:
        table = pd.concat([table, twice], ignore_index=True).astype(table.dtypes)
    name = {"run": "configuration"}.get(column, column)
    with pytest.raises(MixedCellError, match=f"differ in {name}"):
        compare(table)


def test_by_operation_and_by_tool():
    both = [
        run(f"{n}{i}", [(o, f, 4, v * k) for o, k in (("write", 1), ("read", 4))
                        for f in (64, 1024)])
        for n, v in (("a", 10.0), ("b", 20.0)) for i in range(3)
    ]  # fmt: skip
    table = measurements({"a": both[:3], "b": both[3:]})
    assert compare(table, by="operation")["bucket"].tolist() == ["all", "all"]
    (whole,) = compare(table, by="tool").to_dict("records")
    assert (whole["operation"], whole["cells"]) == ("all", 4)
    assert whole["ratio"] == pytest.approx(2)
    sizes = compare(table, by="file_size", operation=["read"])
    assert sizes["bucket"].tolist() == ["64 KiB", "1 MiB"]


def test_who_is_compared_with_whom():
    table = measurements({"z": A, "a": B, "m": runs("m", (1, 1))})
    assert compare(table)[["baseline", "candidate"]].to_numpy().tolist() == [
        ["z", "a"],
        ["z", "m"],
    ]
    chosen = compare(table, baseline="m", candidate=["a"])
    assert chosen[["baseline", "candidate"]].to_numpy().tolist() == [["m", "a"]]


@pytest.mark.parametrize(
    "options,message",
    [
        ({"baseline": "x"}, "baseline: expected one of a, b, found x"),
        ({"candidate": ["x"]}, "candidate: expected one of a, b, found x"),
        ({"candidate": ["a"]}, "two systems or more, found one, a; name another"),
        ({"by": "colour"}, "by: expected one of bucket, .* found colour"),
        ({"operation": ["fly"]}, "operation: expected one of write, found fly"),
    ],
)
def test_wrong_requests_are_refused(options, message):
    with pytest.raises(UsageError, match=message):
        compare(TABLE, **options)


@pytest.mark.slow
def test_every_other_system_and_tool_of_the_real_campaign_is_answered(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    frame = compare(campaign, baseline="nfs-v3")
    table = campaign.measurements
    for tool in ("iozone", "bonnie++", "rsync"):
        others = set(table.loc[table["tool"] == tool, "system"]) - {"nfs-v3"}
        rows = frame.loc[(frame["tool"] == tool) & (frame["n_candidate"] > 0)]
        assert set(rows["candidate"]) == others
    tested = frame.loc[(frame["tool"] == "iozone") & (frame["cells"] > 0)]
    assert (tested["n_candidate"] == 5).all()
    assert set(frame.loc[frame["candidate"] == "sshfs", "answer"]) == {"untested"}
    assert len(frame.loc[frame["answer"] == "faster"]) > 50


def test_a_real_ratio_by_awk_s_route(root):
    """Write in files to 512 KiB, XFS ÷ ext4, by splitting the text on blanks."""
    logs = {}
    for system in ("ext4", "xfs"):
        logs[system] = []
        for rep in range(1, 6):
            path = root / f"data/raw/onehost-2026/iozone/{system}/rep{rep}.txt"
            lines = [line.split() for line in path.read_text().splitlines()]
            found = [
                math.log(int(words[2]) * 1024)
                for words in lines
                if len(words) == 8
                and all(w.isdigit() for w in words)
                and int(words[0]) <= 512
            ]
            assert len(found) == 26
            logs[system].append(sum(found) / 26)
    got = row(
        compare(loaded(root / "data/raw/onehost-2026"), candidate=["xfs"]),
        operation="write",
        bucket="small",
    )
    # the systems took turns, and repeat k is of round k
    assert got["paired"]
    wanted = stats.ttest_rel(logs["xfs"], logs["ext4"])
    assert got["p_value"] == pytest.approx(wanted.pvalue)
    apart = np.mean(logs["xfs"]) - np.mean(logs["ext4"])
    assert got["ratio"] == pytest.approx(math.exp(apart))


@settings(deadline=None, max_examples=25)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([1.0, 2.0, 1e-310, 1e308, 0.0, -1.0, math.nan, math.inf]),
            st.floats(1e-3, 1e12),
        ),
        min_size=1,
        max_size=4,
    ),
    st.lists(st.floats(1e-3, 1e12), min_size=1, max_size=4),
)
def test_no_number_makes_it_crash_warn_or_answer_infinity(odd, plain):
    """Warnings are errors here; whatever is printed, the answer is finite or none."""
    table = measurements(
        {"a": runs("a", *odd), "b": runs("b", *((v, v) for v in plain))}
    )
    for cells in (False, True):
        frame = compare(table, cells=cells)
        numbers = frame.select_dtypes("float")
        assert not np.isinf(numbers.to_numpy()).any()
        known = frame.loc[frame["q_value"].notna()]
        assert (known[["n_baseline", "n_candidate"]] >= 3).to_numpy().all()


def test_what_no_number_can_hold_is_missing():
    table = measurements(
        {"a": runs("a", *[(1e-300, 1e-300)] * 3), "b": runs("b", *[(1e300, 2e300)] * 3)}
    )
    got = row(compare(table))
    assert math.isnan(got["ratio"])
    assert math.isnan(got["total_time_ratio"])


def test_nothing_to_compare_is_said():
    with pytest.raises(UsageError, match="expected measurements, found none"):
        compare(TABLE.iloc[:0])


def test_runs_that_lack_most_cells_carry_no_row():
    """Four of five runs with 2 of 8 cells: n said 5, and intervals were too narrow."""
    sizes = [64 * 2**k for k in range(8)]
    whole = [[("write", z, 4, 100.0 + k) for z in sizes] for k in range(5)]
    most = [cells[: 8 if k == 0 else 2] for k, cells in enumerate(whole)]
    half = [cells[: 8 if k == 0 else 4] for k, cells in enumerate(whole)]
    base = [run(f"a{k}", cells) for k, cells in enumerate(whole)]
    found = {
        name: row(
            compare(
                measurements(
                    {"a": base, "b": [run(f"{name}{k}", c) for k, c in enumerate(rows)]}
                ),
                by="operation",
            )
        )
        for name, rows in (("most", most), ("half", half))
    }
    assert (found["most"]["n_candidate"], found["half"]["n_candidate"]) == (1, 5)
    assert found["most"]["left_out_candidate"] == 4
    # the two sizes that all runs have are tested, and decide nothing
    assert found["most"]["answer"] == "inconclusive"
    assert math.isnan(found["most"]["ci_low"])
    assert found["half"]["ci_low"] < 1 < found["half"]["ci_high"]


def test_two_runs_beside_ten_have_a_cautious_interval():
    """Welch's freedom is too large there: with 1 degree t is 12.7."""
    rng = np.random.default_rng(5)
    two, ten = rng.normal(0, 0.06, (2, 1)), rng.normal(0, 0.06, (10, 1))
    got = welch(sample(two), sample(ten))
    error = np.sqrt(two.var(ddof=1) / 2 + ten.var(ddof=1) / 10)
    width = np.log(got.high / got.low)[0] / 2
    assert width == pytest.approx(stats.t.ppf(0.975, 1) * error, rel=1e-9)
