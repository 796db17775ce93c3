"""The best record size: over shared file sizes only, with what is as good beside it."""

import shutil

import pytest
from frames import KIB, measurements, run
from program import run as program

import fsviz
from fsviz.model.errors import UsageError


def of_runs(*rows):
    return measurements({"a": [run(f"r{n}", own) for n, own in enumerate(rows)]})


def test_a_mean_over_different_files_names_a_wrong_best():
    """4 KiB records win in the file that both have, 64 KiB are only in the fast one."""
    rows = [
        *(("read", 64, 4, 900.0), ("read", 64, 64, 800.0)),
        *(("read", 128, 4, 100.0), ("read", 256, 4, 90.0)),
    ]
    frame = of_runs(rows, rows, rows)
    means = fsviz.summary(frame, by="record_size")
    highest = means.loc[means["mean"].idxmax(), "bucket"]
    assert highest == "64 KiB"
    [row] = fsviz.best(frame, by="bucket").to_dict("records")
    assert row["record_size_bytes"] == 4 * KIB
    assert (row["n_sizes"], row["n_records"], row["n_runs"]) == (1, 2, 3)
    assert row["mean"] == pytest.approx(900.0)
    assert row["ratio"] == pytest.approx(9 / 8)


def test_the_interval_is_of_the_runs_compared_with_themselves():
    """A machine that gets slower all the time still shows which record is faster."""
    speeds = (1000.0, 500.0, 250.0, 125.0)
    rows = [
        [("read", 64, 4, s), ("read", 64, 8, s / 2 * f), ("read", 64, 16, s * 0.99)]
        for s, f in zip(speeds, (1.0, 1.01, 0.99, 1.0), strict=True)
    ]
    [row] = fsviz.best(of_runs(*rows)).to_dict("records")
    assert row["record_size_bytes"] == 4 * KIB
    assert row["second_record_size_bytes"] == 16 * KIB
    assert row["as_good"] == [16 * KIB]  # within 5 %
    assert row["bucket"] == "64 KiB"


def test_scatter_leaves_nobody_shown_to_be_worse():
    rows = [
        [("read", 64, 4, a), ("read", 64, 8, b), ("read", 64, 16, 1.0)]
        for a, b in ((100.0, 50.0), (50.0, 100.0), (120.0, 60.0))
    ]
    [row] = fsviz.best(of_runs(*rows)).to_dict("records")
    assert row["ci_low"] < 1 < row["ci_high"]
    assert row["as_good"] == [8 * KIB]


def test_one_run_is_not_tested():
    [row] = fsviz.best(
        of_runs([("read", 64, 4, 100.0), ("read", 64, 8, 97.0), ("read", 64, 16, 50.0)])
    ).to_dict("records")
    assert row["ci_low"] != row["ci_low"]
    assert row["as_good"] == [8 * KIB]


def test_of_times_the_shortest_is_the_best():
    rows = [("read", 64, 4, 100.0), ("read", 64, 8, 103.0), ("read", 64, 16, 200.0)]
    table = of_runs(rows).assign(metric="latency", unit="s")
    [row] = fsviz.best(table).to_dict("records")
    assert (row["record_size_bytes"], row["as_good"]) == (4 * KIB, [8 * KIB])


def test_a_run_that_lacks_a_record_takes_no_part():
    whole = [("read", 64, 4, 100.0), ("read", 64, 8, 50.0)]
    [row] = fsviz.best(of_runs(whole, whole[:1])).to_dict("records")
    assert row["n_runs"] == 1


def test_one_record_size_is_no_choice():
    with pytest.raises(UsageError, match="two record sizes or more of one file size"):
        fsviz.best(of_runs([("read", 64, 4, 1.0), ("read", 128, 4, 1.0)]))


@pytest.fixture
def folder(tmp_path, root):
    for number in (1, 2, 3):
        path = root / f"data/raw/onehost-2026/iozone/xfs/rep{number}.txt"
        shutil.copy(path, tmp_path)
    return tmp_path


def test_the_command_leaves_whole_file_records_out_where_reads_were_cold(folder):
    done = program("best", folder, "--operation", "read")
    assert done.returncode == 0, done.stderr
    assert "read before the clock" in done.stderr
    small = next(x for x in done.stdout.splitlines() if " small " in x)
    assert " 64 KiB " in small
    every = program("best", folder, "--operation", "read", "--sizes", "all")
    small = next(x for x in every.stdout.splitlines() if " small " in x)
    assert " 512 KiB " in small  # read from memory before the clock started


def test_the_command_writes_records_for_programs(folder):
    words = ("--operation", "write", "--by", "file_size", "--format", "csv")
    done = program("best", folder, *words)
    head, *rows = done.stdout.splitlines()
    assert "record_size_bytes" in head
    assert len(rows) == 11  # from 1 MiB to 1 GiB
