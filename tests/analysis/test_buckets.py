"""Buckets: every figure checked by hand on a tiny campaign."""

import math

import pandas as pd
import pytest
from frames import measurements, run
from samples import loaded

import fsviz
from fsviz.analysis.buckets import bucket_of, summary
from fsviz.model.errors import MixedCellError

# two cells in small files, one in a medium one; three runs
THREE = [
    run(
        f"r{i}",
        [("write", 64, 4, small), ("write", 512, 4, other), ("write", 1024, 4, medium)],
    )
    for i, (small, other, medium) in enumerate([(10, 30, 7), (14, 34, 7), (12, 32, 7)])
]


def row(frame, **wanted):
    for name, value in wanted.items():
        frame = frame.loc[frame[name] == value]
    (found,) = frame.to_dict("records")
    return found


def test_by_hand():
    got = row(summary(measurements({"a": THREE})), bucket="small")
    # cell means 12 and 32; run means 20, 24, 22
    assert got["mean"] == 22
    assert got["median"] == 22
    assert got["std_cells"] == pytest.approx(math.sqrt(200))
    assert got["std_runs"] == pytest.approx(2)
    # t(0.975, 2) = 4.302653 in any table; half width t·2/√3
    assert got["ci_low"] == pytest.approx(22 - 4.302652729911275 * 2 / math.sqrt(3))
    assert got["ci_high"] == pytest.approx(22 + 4.302652729911275 * 2 / math.sqrt(3))
    assert (got["n_runs"], got["n_runs_partial"], got["n_cells"]) == (3, 0, 2)
    assert got["unit"] == "B/s"


def test_one_cell_has_no_spread_over_cells():
    got = row(summary(measurements({"a": THREE})), bucket="medium")
    assert got["mean"] == 7
    assert math.isnan(got["std_cells"])
    assert got["std_runs"] == 0


def test_one_run_has_no_spread_over_runs_and_no_interval():
    got = row(summary(measurements({"a": THREE[:1]})), bucket="small")
    assert got["mean"] == 20
    assert all(math.isnan(got[k]) for k in ("std_runs", "ci_low", "ci_high"))


def test_the_interval_of_a_mean_latency_is_never_negative():
    table = measurements(
        {"a": [run(f"r{i}", [("read", 64, 4, v)]) for i, v in enumerate([1, 1, 9])]}
    )
    latency = table.assign(metric="latency", unit="s")
    got = row(summary(latency))
    # Cox: logs 0, 0, ln 9 with mean m and variance v; t(0.975, 2) = 4.302653
    m, v = math.log(9) / 3, math.log(9) ** 2 / 3
    half = 4.302652729911275 * math.sqrt(v / 3 + v * v / 4)
    assert got["ci_low"] == pytest.approx(math.exp(m + v / 2 - half))
    assert got["ci_high"] == pytest.approx(math.exp(m + v / 2 + half))
    assert row(summary(table))["ci_low"] == 0


def test_what_has_no_value_stays_as_a_row_without_numbers():
    got = row(summary(measurements({"a": [run("r", [("write", 64, 4, math.nan)])]})))
    assert (got["n_runs"], got["n_cells"]) == (0, 0)
    assert math.isnan(got["mean"])


def test_without_a_file_size_the_bucket_is_all():
    assert summary(measurements({"a": [run("r", [("transfer", None, None, 3.0)])]}))[
        "bucket"
    ].tolist() == ["all"]


def test_order_is_operation_then_bucket_then_system_as_given():
    both = [("read", 1024, 4, 1.0), ("write", 64, 4, 1.0), ("write", 1024, 4, 1.0)]
    frame = summary(measurements({"z": [run("r", both)], "a": [run("s", both)]}))
    assert frame[["operation", "bucket", "system"]].to_numpy().tolist() == [
        ["write", "small", "z"],
        ["write", "small", "a"],
        ["write", "medium", "z"],
        ["write", "medium", "a"],
        ["read", "medium", "z"],
        ["read", "medium", "a"],
    ]


def test_runs_of_two_configurations_in_one_cell_are_refused():
    runs = [run(n, [("write", 64, 4, 1.0)], config=n) for n in ("sync", "async")]
    with pytest.raises(
        MixedCellError, match=r"write of 64 KiB by 4 KiB .* differ in c"
    ):
        summary(measurements({"a": runs}))


@pytest.mark.parametrize(
    "size,bucket",
    [
        (1, "small"),
        (512 * 1024, "small"),
        (512 * 1024 + 1, "medium"),
        (16 * 2**20, "medium"),
        (512 * 2**20, "large"),
        (2**29 + 1, "very_large"),
        (2**50, "very_large"),
    ],
)
def test_edges_belong_to_the_smaller_bucket(size, bucket):
    assert bucket_of(pd.Series([size], dtype="Int64")).tolist() == [bucket]


def test_edges_can_be_changed():
    sizes = pd.Series([1, 10, 11], dtype="Int64")
    named = bucket_of(sizes, {"in RAM": 10, "beyond": float("inf")})
    assert named.tolist() == ["in RAM", "in RAM", "beyond"]


def test_real_campaigns_have_the_buckets_that_were_measured(root):
    one = fsviz.summary(loaded(root / "data/raw/onehost-2026"))
    iozone = one.loc[one["tool"] == "iozone"]
    assert len(iozone) == 3 * 6 * 4
    assert set(iozone["bucket"]) == {"small", "medium", "large", "very_large"}
    assert (iozone["n_runs"] == 5).all()
    loop = fsviz.summary(loaded(root / "data/raw/loopback-2026"))
    iozone = loop.loc[loop["tool"] == "iozone"]
    assert len(iozone) == 9 * 6 * 2
    assert set(iozone["bucket"]) == {"small", "medium"}
    assert set(loop.loc[loop["tool"] == "rsync", "bucket"]) == {"all"}


def test_a_real_mean_by_awk_s_route(root):
    """The mean of 45 printed numbers, taken from the text by splitting on blanks."""
    cells = {}
    for rep in range(1, 6):
        path = root / f"data/raw/onehost-2026/iozone/xfs/rep{rep}.txt"
        for line in path.read_text().splitlines():
            words = line.split()
            if len(words) == 8 and all(w.isdigit() for w in words):
                file_kib, record_kib, write = (
                    int(words[0]),
                    int(words[1]),
                    int(words[2]),
                )
                if 16 * 1024 < file_kib <= 512 * 1024:
                    cells.setdefault((file_kib, record_kib), []).append(write * 1024)
    means = [sum(values) / 5 for values in cells.values()]
    assert len(means) == 45
    assert all(len(values) == 5 for values in cells.values())
    got = row(
        fsviz.summary(loaded(root / "data/raw/onehost-2026")),
        system="xfs",
        operation="write",
        bucket="large",
    )
    assert got["n_cells"] == 45
    assert got["mean"] == pytest.approx(sum(means) / 45, rel=1e-12)


def test_the_median_of_one_cell_is_that_of_its_runs():
    """It was the cell's mean once more: 31.0 beside 31.0, where the runs' is 18."""
    runs = [run(f"r{i}", [("read", 64, 4, v)]) for i, v in enumerate((12, 18, 63))]
    got = row(summary(measurements({"a": runs})))
    assert (got["mean"], got["median"]) == (31, 18)
