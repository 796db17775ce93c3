"""Summaries as text: one unit a table, nothing wider than a terminal."""

import re

import pytest
from compared import compare
from frames import measurements, run
from fsviz.analysis.rankings import levels
from program import run as program
from samples import loaded

import fsviz
from fsviz.analysis.buckets import summary
from fsviz.text.summary import BOUND, PARTIAL, opening_text, readable, summary_text

MIB = 2**20
RUNS = [
    run(f"r{i}", [("write", 64, 4, v * MIB), ("write", 1024, 4, 2000.0 * MIB)])
    for i, v in enumerate((10, 14, 12))
]


def test_one_table_has_one_unit():
    text = summary_text(summary(measurements({"a": RUNS})))
    lines = [line.split() for line in text.splitlines()]
    # the median of 12 and 2000 MiB/s is 1006 MiB/s
    assert lines[0] == ["iozone", "write:", "throughput", "[MiB/s]"]
    # t(0.975, 2) = 4.302653; 12 ± 4.302653 · 2 / √3 = 7.03 … 17.0
    assert " ".join(lines[2]) == "small a 3 1 12.0 7.03 … 17.0 12.0 – 2.00"
    assert lines[3][:5] == ["medium", "a", "3", "1", "2,000"]


def test_what_is_partial_or_missing_is_said():
    short = run("r9", [("write", 64, 8, 1.0 * MIB)])
    text = summary_text(summary(measurements({"a": [RUNS[0], short]})), 0.9)
    assert "90 % interval" in text
    assert "2 (2 partial)" in text
    assert text.endswith(f"\n\n{PARTIAL}\n")
    assert PARTIAL not in summary_text(summary(measurements({"a": RUNS})))
    assert "–" in text


def test_a_summary_opens_with_one_line_an_operation():
    """By hand: √(∛(10 · 14 · 12) · 2000) = 154.1 MiB/s, as `compare` forms it."""
    table = measurements({"a": RUNS, "b": RUNS[:1]})
    lines = opening_text(levels(table)).splitlines()
    # b: √(10 · 2000)
    assert lines[1:] == ["iozone write [MiB/s]  141 b … 154 a"]


def test_the_opening_names_who_compare_calls_faster(root):
    """The arithmetic mean had btrfs first at read, where compare calls it slower."""
    campaign = loaded(root / "data/raw/onehost-2026")
    lines = opening_text(levels(campaign)).splitlines()
    (read,) = (line for line in lines if line.startswith("iozone read "))
    assert re.search(r" btrfs … .* xfs$", read)
    frame = compare(campaign, operation=["read"], by="operation")
    verdict = frame.set_index("candidate")["answer"]
    assert verdict[["btrfs", "xfs"]].tolist() == ["slower", "inconclusive"]


def test_who_was_too_fast_to_time_has_the_most(root):
    """Four of ext4's runs have a number, none of xfs's: 2 GiB/s in every run."""
    campaign = loaded(root / "data/raw/onehost-2026")
    asked = ["sequential_output_block"]
    line = opening_text(levels(campaign, asked)).splitlines()[-1]
    # btrfs: the median of its printed 1.369, 1.136, 1.161, 1.402 and 1.489 e9 B/s
    assert line == "bonnie++ seq. out block [GiB/s]  1.28 btrfs … >2.00 xfs"
    table = fsviz.summary(campaign, operation=asked)
    table = table.loc[table["metric"] == "throughput"].set_index("system")
    assert table["n_runs"].tolist() == [5, 5, 5]
    assert table["n_runs_bounded"].to_dict() == {"ext4": 1, "xfs": 5, "btrfs": 0}
    assert table["mean"].isna().to_dict() == {"ext4": True, "xfs": True, "btrfs": False}
    printed = [2082879488, 2146668544, 1833934848, 2065015808, 2**31]
    least = table.loc["ext4", "mean_low"]
    assert least == pytest.approx(sum(printed) / 5, rel=1e-6)
    # the order of the five is known, and the third of them has a number
    assert table.loc["ext4", "median"] == pytest.approx(printed[0], rel=1e-6)
    assert table.loc["xfs", ["mean_low"]].item() == 2**31
    assert table[["std_runs", "ci_low"]].isna().all(axis=1).tolist() == [1, 1, 0]
    text = summary_text(fsviz.summary(campaign, operation=asked))
    assert re.search(r"ext4 +5 \(1 bound\) +1 +>1\.91 +– +1\.94 ", text)
    assert re.search(r"xfs +5 \(5 bound\) +1 +>2\.00 +– +– ", text)
    assert text.endswith(f"{BOUND}\n")


def test_systems_that_the_bounds_do_not_separate_are_both_named(root):
    """Loopback's local-xfs has one timed run of five, its slowest: 16,053."""
    campaign = loaded(root / "data/raw/loopback-2026")
    line = opening_text(levels(campaign, ["random_seeks"])).splitlines()[-1]
    assert line.endswith(" smb-2.1 … >16,384 local-ext4 and local-xfs")


def test_threads_have_tables_of_their_own():
    table = measurements({"a": RUNS})
    table.loc[table["file_size_bytes"] == MIB, "threads"] = 4
    frame = summary(table)
    assert frame["threads"].tolist() == [1, 4]
    assert "[GiB/s], 4 threads" in summary_text(frame)
    assert "], 1 thread\n" in summary_text(frame)


@pytest.mark.parametrize("name", ["loopback-2026", "onehost-2026"])
def test_the_real_campaigns_fit_the_terminal(root, name):
    text = summary_text(fsviz.summary(loaded(root / f"data/raw/{name}")))
    assert max(map(len, text.splitlines())) <= 100


def test_rows_that_are_compared_by_eye_are_in_one_unit(root):
    """Of onehost-2026's random reads some are above a GiB/s, and some below."""
    frame = fsviz.summary(loaded(root / "data/raw/onehost-2026"))
    shown = readable(frame)
    assert len(shown) == len(frame)
    factors = {"GiB/s": 2**30, "MiB/s": 2**20}
    own = (frame["operation"] == "random_read") & (frame["metric"] == "throughput")
    (unit,) = shown.loc[own, "unit"].unique()
    assert frame.loc[own, "mean"].min() < 2**30 < frame.loc[own, "mean"].max()
    for text, value in zip(shown.loc[own, "mean"], frame.loc[own, "mean"], strict=True):
        number = float(text.replace(",", ""))
        assert number == pytest.approx(value / factors[unit], rel=0.005)
    # each metric has its own, and a title in words
    assert shown.groupby("metric")["unit"].nunique().max() == 1
    assert {"throughput", "CPU time per byte"} <= set(shown["metric"])


def test_time_comes_before_the_processor_and_a_metric_can_be_asked_for(root):
    words = ["summary", root / "data/raw/loopback-2026", "--operation", "transfer"]
    titled = re.findall(r"^rsync transfer: (\w+)", program(*words).stdout, re.MULTILINE)
    assert titled == ["elapsed", "cpu", "cpu_cost"]
    own = program(*words, "--metric", "cpu").stdout
    assert re.findall(r"^rsync transfer: (\w+)", own, re.MULTILINE) == ["cpu"]
    # the opening lines are about it too
    assert "rsync transfer [%]  2.21 glusterfs-replica2 … 95.6 local-ext4" in own
    wrong = program(*words, "--metric", "cpo")
    assert wrong.returncode == 2
    assert "did you mean cpu?" in wrong.stderr


ORDER = "from the lowest to the highest"


def test_systems_are_ordered_over_the_sizes_that_all_of_them_measured():
    """The quicker system was measured on large files too, and was named the slower."""
    small, large = ("write", 64, 64, 200.0 * MIB), ("write", 4096, 64, 20.0 * MIB)
    runs = {
        "nfs": [run("n", [("write", 64, 64, 150.0 * MIB)])],
        "smb": [run("s", [small, large])],
    }
    lines = opening_text(levels(measurements(runs))).splitlines()
    assert lines == [
        f"Geometric means over the sizes that all measured, {ORDER}:",
        "iozone write [MiB/s]  150 nfs … 200 smb",
    ]
    runs["smb"] = [run("s", [large])]
    (_, line) = opening_text(levels(measurements(runs))).splitlines()
    assert line == "iozone write  no size that all measured"
