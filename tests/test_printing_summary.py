"""Summaries as text: one unit a table, nothing wider than a terminal."""

import re

import pytest
from frames import measurements, run
from program import run as program
from samples import loaded

import fsviz
from fsviz.analysis.buckets import summary
from fsviz.text.summary import PARTIAL, readable, summary_text

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
    text = summary_text(summary(measurements({"a": [RUNS[0], short]})))
    assert "95 % interval" in text
    assert "2 (2 partial)" in text
    assert text.endswith(f"\n\n{PARTIAL}\n")
    assert PARTIAL not in summary_text(summary(measurements({"a": RUNS})))
    assert "–" in text


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
    words.append("--all")
    titled = re.findall(r"^rsync transfer: (\w+)", program(*words).stdout, re.MULTILINE)
    assert titled == ["elapsed", "cpu", "cpu_cost"]
    own = program(*words, "--metric", "cpu").stdout
    assert re.findall(r"^rsync transfer: (\w+)", own, re.MULTILINE) == ["cpu"]
    wrong = program(*words, "--metric", "cpo")
    assert wrong.returncode == 2
    assert "did you mean cpu?" in wrong.stderr
