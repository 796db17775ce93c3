"""The figure of fio's time logs: lines, gaps, levels."""

import json

import numpy as np
import pandas as pd
import pytest
from program import run

import fsviz
from fsviz.analysis.time_logs import in_steps, level_change
from fsviz.figures.over_time import over_time
from fsviz.model.errors import UsageError

LOGS = "tests/data/fio_logs/3.33"


def log(times, values, **more):
    columns = {"system": "nfs", "stem": "x", "job": 1, "log": "bw", "bytes": 0}
    columns |= {"metric": "throughput", "operation": "write"} | more
    return pd.DataFrame({"time_s": times, "value": values}).assign(**columns)


def test_a_line_is_what_the_log_says(root):
    figure = fsviz.over_time(fsviz.time_logs(root / LOGS / "xfs"))
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
    figure = over_time(log([1.0, 2.0, 3.0, 6.0, 7.0], [1.0] * 5))
    (line,) = figure.data
    assert [y is None for y in line.y] == [False, False, False, True, False, False]
    assert not line.connectgaps


def test_the_end_of_a_cache_is_said_and_drawn():
    values = [900 * 1024.0**2] * 8 + [200 * 1024.0**2] * 12
    figure = over_time(log(np.arange(1.0, 21.0), values, system="<b>nfs"))
    _, levels = figure.data
    caption = figure.layout.meta["caption"]
    assert "writes: 900 MiB/s up to 8 s, then 200 MiB/s" in caption
    assert "<b>nfs" not in caption
    assert levels.y == pytest.approx((900, 900, None, 200, 200))
    assert levels.x == (1, 8, None, 8, 20)


def test_noise_alone_is_one_level():
    chance = np.random.default_rng(1)
    told = [level_change(np.arange(40), chance.normal(1, 0.3, 40)) for _ in range(500)]
    assert sum(level is not None for level in told) <= 2


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
    figure = fsviz.over_time(fsviz.time_logs(root / LOGS / "ext4"), metric="rate")
    shown = [trace for trace in figure.data if trace.hoverinfo != "skip"]
    named = [trace.name for trace in shown if trace.showlegend]
    reads, writes = "ext4, each, reads", "ext4, each, writes"
    assert named == [reads, writes, "ext4, seq, writes"]
    assert [trace.name for trace in shown].count(reads) == 2
    dashes = {trace.name: trace.line.dash for trace in shown}
    assert (dashes[reads], dashes[writes]) == ("solid", "dash")


def test_plot_draws_what_was_asked_for(root, tmp_path):
    picture = tmp_path / "x.json"
    kind = ("--kind", "time", "-o", picture)
    assert run("plot", root / LOGS, *kind, "--system", "xfs").returncode == 0
    drawn = json.loads(picture.read_text())
    assert {trace["name"] for trace in drawn["data"]} == {"xfs, writes"}
    for wrong in (("--baseline", "xfs"), ("--operation", "read"), ("--metric", "cpu")):
        refused = run("plot", root / LOGS, *kind, *wrong)
        assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    none = run("plot", root / "tests/data/dd", *kind)
    assert "expected time logs of fio (x_bw.1.log), found none" in none.stderr


def test_what_is_too_short_is_refused():
    with pytest.raises(UsageError, match="two steps or more"):
        over_time(log([0.0], [1.0], bytes=4096))


def test_a_log_that_is_too_short_is_counted():
    single = log([0.0], [1.0], bytes=4096, operation="read")
    figure = over_time(pd.concat([single, log([1.0, 2.0], [1.0, 1.0])]))
    assert "Too short for a line, and left out: 1." in figure.layout.meta["caption"]
