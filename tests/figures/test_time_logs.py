"""The figure of fio's time logs: lines, gaps."""

import json

import numpy as np
import pandas as pd
import pytest
from program import run

import fsviz
from fsviz.figures._logs import in_steps
from fsviz.figures.kinds.lines import lines
from fsviz.model.errors import UsageError

LOGS = "tests/data/fio_logs/3.33"


def log(times, values, **more):
    columns = {"system": "nfs", "stem": "x", "job": 1, "log": "bw", "bytes": 0}
    columns |= {"metric": "throughput", "operation": "write"} | more
    return pd.DataFrame({"time_s": times, "value": values}).assign(**columns)


def test_a_line_is_what_the_log_says(root):
    figure = lines(fsviz.time_logs(root / LOGS / "xfs"))
    speed, latency = figure.data
    text = (root / LOGS / "xfs/seq_bw.1.log").read_text()
    printed = [line.split(", ") for line in text.splitlines()]
    assert list(speed.x) == [int(at) / 1000 for at, *_ in printed]
    assert list(speed.y) == pytest.approx([int(v) / 1024**2 for _, v, *_ in printed])
    assert "GiB/s" in figure.layout.yaxis.title.text
    assert (speed.name, latency.name) == ("xfs, writes", "xfs, writes")
    assert (speed.showlegend, latency.showlegend) == (True, False)
    assert latency.yaxis == "y2"


def test_where_no_io_ended_the_line_breaks():
    figure = lines(log([1.0, 2.0, 3.0, 6.0, 7.0], [1.0] * 5))
    (line,) = figure.data
    assert [y is None for y in line.y] == [False, False, False, True, False, False]
    assert not line.connectgaps


def test_single_ios_become_bytes_and_operations_a_second():
    times = np.arange(0, 100) / 100 + 0.001
    each = log(times, 7.0, bytes=4096)
    steps = in_steps(each)
    # ten in a step of 100 ms, and the last of ten steps is not whole
    assert list(steps["value"]) == pytest.approx([40960 / 0.1] * 9)
    rate = in_steps(each.assign(log="iops", metric="rate"))
    assert set(rate["value"].round(6)) == {100.0}


def test_long_logs_have_even_steps_of_their_mean():
    long = log(np.arange(1, 3601) * 1.0, np.arange(1, 3601) * 1.0)
    steps = in_steps(long)
    assert len(steps) <= 300
    width = steps["step_s"].iloc[0]
    assert steps["time_s"].diff().dropna().unique() == pytest.approx([width])
    assert steps["value"].iloc[1] == pytest.approx(long["value"][19:39].mean())


def test_jobs_and_kinds_of_work_are_lines_of_their_own(root):
    figure = lines(fsviz.time_logs(root / LOGS / "ext4"), metric="rate")
    shown = [trace for trace in figure.data if trace.hoverinfo != "skip"]
    named = [trace.name for trace in shown if trace.showlegend]
    reads, writes = "ext4, each, reads", "ext4, each, writes"
    assert named == [reads, writes, "ext4, seq, writes"]
    assert [trace.name for trace in shown].count(reads) == 2
    dashes = {trace.name: trace.line.dash for trace in shown}
    assert (dashes[reads], dashes[writes]) == ("solid", "dash")


def test_plot_draws_what_was_asked_for(root, tmp_path):
    picture = tmp_path / "x.json"
    kind = ("--kind", "lines", "--x", "time", "-o", picture)
    assert run("plot", root / LOGS, *kind, "--system", "xfs").returncode == 0
    drawn = json.loads(picture.read_text())
    assert {trace["name"] for trace in drawn["data"]} == {"xfs, writes"}
    for wrong in (("--baseline", "xfs"), ("--operation", "stat"), ("--metric", "cpu")):
        refused = run("plot", root / LOGS, *kind, *wrong)
        assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)


def test_what_is_too_short_is_refused():
    with pytest.raises(UsageError, match="two steps or more"):
        lines(log([0.0], [1.0], bytes=4096))
