"""The kind ``lines``: any metric over any axis, against values from another route."""

import json
import math
import statistics
from dataclasses import replace
from itertools import pairwise

import pandas as pd
import pytest
from campaigns_made import throughput_mode
from frames import measurements, repeats, run
from samples import loaded

import fsviz
from fsviz.figures.kinds.lines import CAPTIONS
from fsviz.figures.plot import plot
from fsviz.model.errors import UsageError
from fsviz.model.runs import Cells, Run

MIB = 2**20
NAN = math.nan
LOGS = [math.log(factor) for factor in (1.0, 1.1, 0.9)]
MEAN = math.exp(statistics.fmean(LOGS))
"""Geometric mean of three runs that are 10 % apart."""
HALF = math.exp(4.3027 * statistics.stdev(LOGS) / math.sqrt(3))
"""The same runs' 95 % interval, in times up and down: t(2; 0.975)."""


# the second run is 10 % above the first, the third 10 % below it
VALUES = {"one <i>": (10, 30), "two": (20, 20)}
TABLE = measurements(
    {
        name: repeats(name, values, [(64, 4), (64, 64)], (1.0, 1.1, 0.9))
        for name, values in VALUES.items()
    }
)


def named(figure, name):
    (trace,) = (t for t in figure.data if t.name == name)
    return trace


def test_a_line_over_record_sizes_has_the_t_interval_of_each_mean():
    figure = plot(TABLE, "lines", "write")
    line = named(figure, "one &lt;i&gt;")
    assert line.x == (12, 16)
    assert line.y == pytest.approx((10 * MEAN, 30 * MEAN))
    up, down = (HALF - 1) * MEAN, (1 - 1 / HALF) * MEAN
    assert line.error_y.array == pytest.approx((10 * up, 30 * up), abs=1e-3)
    assert line.error_y.arrayminus == pytest.approx((10 * down, 30 * down), abs=1e-3)
    assert "file 64 KiB" in figure.layout.title.text
    assert "MiB/s" in figure.layout.yaxis.title.text


def test_the_axis_is_the_one_that_varies_or_the_one_asked_for():
    one = measurements({"a": [run("r", [("write", f, 4, f * MIB) for f in (64, 128)])]})
    assert named(plot(one, "lines", "write"), "a").x == (16, 17)
    with pytest.raises(UsageError, match="expected numbers over threads, found none"):
        plot(TABLE, "lines", "write", x="threads")
    with pytest.raises(UsageError, match="expected latency, found none"):
        plot(TABLE, "lines", "write", metric="latency")


def test_settings_without_a_number_are_places_by_their_name():
    rows = [[("write", 64, 4, speed * MIB)] for speed in (1, 2)]
    runs = [run(f"r{k}", own) for k, own in enumerate(rows)]
    table = measurements({"a": runs})
    table["setting"] = pd.array(["direct", "sync"], dtype="string")
    figure = plot(table, "lines", "write", x="setting")
    assert named(figure, "a").x == ("direct", "sync")
    title = figure.layout.title.text
    assert title == (
        "<b>Write</b>, file 64 KiB, record 4 KiB – throughput over setting"
    )


def test_other_sizes_are_held_at_the_largest_that_most_systems_have():
    rows = [("write", f, r, f * r * MIB) for f in (64, 128, 256) for r in (4, 8)]
    runs = {"a": [run("a", rows)], "b": [run("b", rows[:4])]}
    figure = plot(measurements(runs), "lines", "write", x="record_size")
    assert "file 128 KiB" in figure.layout.title.text
    assert named(figure, "b").y == pytest.approx((128 * 4, 128 * 8))
    runs["c"] = [run("c", rows[:2])]
    figure = plot(measurements(runs), "lines", "write", x="none")
    assert "file 64 KiB, record 8 KiB" in figure.layout.title.text
    del runs["c"]
    runs["c"] = [run("c", [("write", 512, 4, MIB)])]
    caption = plot(measurements(runs), "lines", "write").layout.meta["caption"]
    assert "Not measured at write file 128 KiB: c." in caption


def test_the_mean_is_the_one_of_the_table(root):
    """A colleague saw 1.22 in the figure and 1.21 in the table beside it."""
    campaign = loaded(root / "data/raw/onehost-2026")
    comparison = campaign.select(tool="bonnie++").compare()
    figure = comparison.lines()
    values = named(figure, "values of btrfs").text
    (block,) = comparison.table.blocks
    table = {row.operation: row.cells[1].value for row in block.rows}
    for operation, text in zip(figure.layout.yaxis.ticktext, values, strict=True):
        assert text.split()[-1] == table[operation.replace(" ", "_")]


# Bounds


def elapsed(name, value, low, high):
    cells = Cells()
    cells.add("transfer", "elapsed", value, "line 1", low=low, high=high)
    return [Run("rsync", name, f"{name}.txt", cells, configuration="c")]


def test_ranges_are_bars_and_bounds_are_arrows():
    times = {
        "range": elapsed("a", NAN, 32.0, 35.0),
        "middle": elapsed("e", 34.0, 32.0, 36.0),
        "less": elapsed("b", NAN, 0.0, 1.0),
        "more": elapsed("d", NAN, 60.0, NAN),
        "point": elapsed("c", 5.0, 5.0, 5.0),
    }
    figure = plot(measurements(times), "lines", "transfer", x="none")
    assert figure.layout.yaxis.ticktext == tuple(times)
    assert figure.layout.xaxis.title.text.endswith("lower is better")
    for name, ends in (("range", (32, 35)), ("middle", (32, 36))):
        bounds = named(figure, name)
        half = bounds.error_x.array[0]
        assert (bounds.x[0] - half, bounds.x[0] + half) == pytest.approx(ends)
        # the middle of a range was not measured
        assert (bounds.marker.symbol, bounds.marker.size) == (("line-ew-open",), (3,))
    for name, symbol, at, text in (
        ("less", "triangle-left-open", 1, "< 1"),
        ("more", "triangle-right-open", 60, "> 60"),
    ):
        bounds = named(figure, name)
        assert (bounds.x[0], bounds.marker.symbol[0]) == (pytest.approx(at), symbol)
        assert named(figure, f"values of {name}").text[0].strip() == text
    assert named(figure, "point").x == (pytest.approx(5),)
    # no dots are runs, and no large one is a mean, where none was repeated
    caption = figure.layout.meta["caption"]
    assert caption.startswith(CAPTIONS["once"])
    assert all(CAPTIONS[sign] in caption for sign in ("range", "bound"))


def test_what_was_too_quick_to_time_is_an_arrow(root):
    """On onehost-2026 every rate is +++++: more than what half a second would show."""
    campaign = fsviz.select(loaded(root / "data/raw/onehost-2026"), tool="bonnie++")
    figure = plot(campaign, "lines", metric="rate", x="none")
    arrows = named(figure, "xfs")
    own = campaign.measurements.query("system == 'xfs' and metric == 'rate'")
    assert own["value"].notna().sum() == 0
    bounds = own.groupby("operation", observed=True)["low"].mean()
    assert sorted(arrows.x) == pytest.approx(sorted(bounds))
    assert set(arrows.marker.symbol) == {"triangle-right-open"}
    low, high = figure.layout.xaxis.range
    assert low < min(bounds) < max(bounds) < high


def test_beside_tests_with_values_no_row_has_bounds_alone(root):
    campaign = fsviz.select(loaded(root / "data/raw/onehost-2026"), tool="bonnie++")
    figure = plot(campaign, "lines", x="none")
    assert {trace.xaxis or "x" for trace in figure.data} == {"x"}
    said = "Not drawn: 7 tests of which only bounds are known."
    assert said in figure.layout.meta["caption"]


def test_a_mean_with_one_run_too_quick_to_time_is_an_arrow(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = plot(campaign, "lines", "sequential_output_block", x="none")
    arrow = next(t for t in figure.data if t.name == "ext4")
    assert arrow.marker.symbol == ("triangle-right-open",)
    printed = [2082879488, 2146668544, 1833934848, 2065015808, 2**31]
    mean = statistics.geometric_mean(printed)
    assert arrow.x[0] == pytest.approx(mean / 2**30, rel=1e-6)


# Strips


def test_every_run_is_a_dot_and_every_lane_has_its_value(root):
    own = fsviz.select(loaded(root / "data/raw/loopback-2026"), tool="rsync")
    figure = plot(own, "lines", "transfer", x="none")
    assert figure.layout.meta["caption"] == CAPTIONS["none"]
    runs = own.measurements.query("metric == 'elapsed'")
    for name, rows in runs.groupby("system", observed=True):
        dots, mean = named(figure, f"runs of {name}"), named(figure, name)
        assert sorted(dots.x) == pytest.approx(sorted(rows["value"]))
        assert mean.x[0] == pytest.approx(statistics.geometric_mean(rows["value"]))
        text = named(figure, f"values of {name}").text[0]
        value = float(text.strip().removeprefix("mean "))
        assert value == pytest.approx(mean.x[0], rel=0.005)


def test_all_tests_of_bonnie_are_rows_with_a_lane_a_system(root):
    campaign = fsviz.select(loaded(root / "data/raw/loopback-2026"), tool="bonnie++")
    figure = plot(campaign, "lines", x="none")
    titles = [figure.layout[f"yaxis{k}"].ticktext for k in ("", "2")]
    assert [len(rows) for rows in titles] == [3, 7]
    assert "MiB/s" in figure.layout.xaxis.title.text
    assert "op/s" in figure.layout.xaxis2.title.text
    shown = [t.name for t in figure.data if t.showlegend]
    names = list(campaign.measurements["system"].unique())
    assert sorted(shown) == sorted(names)
    # no two lanes of a panel share a height
    for k in ("y", "y2"):
        lanes = {
            t.name: {y for y in t.y if y is not None}
            for t in figure.data
            if t.yaxis == k and t.name.startswith("runs of")
        }
        assert len(set().union(*lanes.values())) == sum(map(len, lanes.values()))
    hues = {t.name: t.marker.color for t in figure.data if t.name in names}
    stated = campaign.systems.set_index("system")["protocol"]
    for one, other in pairwise(names):
        assert (hues[one] == hues[other]) == (stated[one] == stated[other])


def test_panels_never_overlap():
    names = ["write", "rewrite", "read", "reread", "fread", "fwrite", "pread"]
    rows = [(name, 64, r, MIB) for name in names for r in (4, 8)]
    figure = plot(measurements({"a": [run("a", rows)]}), "lines")
    domains = [figure.layout[f"yaxis{k}"].domain for k in ("", "2", "3", "4", "5", "6")]
    assert all(upper[0] > lower[1] for upper, lower in pairwise(domains))
    assert all(0 <= low < high <= 1 for low, high in domains)
    assert "1 more: name an operation to see it." in figure.layout.meta["caption"]


# Other axes


def test_speed_and_latency_stand_over_the_queue_depth_of_fio(root):
    campaign = loaded(root / "data/lessons/queue-2026")
    figure = plot(campaign, "lines", "random_read")
    files = sorted((root / "data/lessons/queue-2026/read").glob("*.json"))
    printed = {}
    for file in files:
        for job in json.loads(file.read_text())["jobs"]:
            depth = int(job["job options"].get("iodepth", 1))
            told = (job["read"]["bw_bytes"], job["read"]["lat_ns"]["mean"] / 1e9)
            printed.setdefault(depth, []).append(told)
    depths = sorted(printed)
    speed, latency = figure.data
    assert (list(speed.x), list(latency.x)) == (depths, depths)
    for trace, k, factor in ((speed, 0, MIB), (latency, 1, 1e-6)):
        means = [
            statistics.geometric_mean(v[k] for v in printed[d]) / factor for d in depths
        ]
        assert list(trace.y) == pytest.approx(means, rel=1e-3)
    assert figure.layout.xaxis.type == "log"
    assert "lower is better" in figure.layout.yaxis2.title.text
    assert (speed.showlegend, latency.showlegend) == (True, False)


def test_throughput_stands_over_threads(root, tmp_path):
    campaign = fsviz.load(str(throughput_mode(root, tmp_path / "t")))
    figure = plot(campaign, "lines", "write")
    rows = campaign.measurements.query(
        "operation == 'write' and metric == 'throughput' and system == 'one'"
    )
    line, slowest = (t for t in figure.data if t.name == "one")
    # with four, the log has no slowest
    assert (line.x, slowest.x) == ((1, 2, 4), (1, 2))
    unit = 2**30 if "GiB" in figure.layout.yaxis.title.text else MIB
    ideal = next(t for t in figure.data if t.name == "ideal")
    assert ideal.y == pytest.approx([line.y[0] * n for n in (1, 2, 4)])
    children = campaign.measurements.query(
        "operation == 'write' and system == 'one' and value > 0"
    )
    children = children.groupby(["metric", "threads"], observed=True)["value"].agg(
        statistics.geometric_mean
    )
    for k, n in enumerate((1, 2)):
        low, high = (
            children[f"{m}_child_throughput", n] / unit for m in ("min", "max")
        )
        up, down = slowest.error_y.array[k], slowest.error_y.arrayminus[k]
        assert slowest.y[k] - down == pytest.approx(low)
        assert slowest.y[k] + up == pytest.approx(high)
    for at, value in zip(line.x, line.y, strict=True):
        mean = statistics.geometric_mean(rows.loc[rows["threads"] == at, "value"])
        assert value == pytest.approx(mean / unit)


def test_memory_and_link_stand_where_the_campaign_states_them(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    ram = pd.Series("4 MiB", index=campaign.systems.index, dtype="string")
    small = replace(campaign, systems=campaign.systems.assign(client_ram=ram))
    figure = plot(small, "lines", "write", x="file_size")
    marks = {t.text[0].strip(): t.x for t in figure.data if t.name == "reference"}
    assert marks["RAM 4 MiB"] == (22, 22)
    # none ends behind the axes
    sides = [t.textposition for t in figure.data if t.name == "reference"]
    assert sides == ["top right", "top left"]
    over = plot(loaded(root / "data/raw/loopback-2026"), "lines", "read", x="file_size")
    (link,) = (t for t in over.data if t.name == "reference")
    assert link.text[0].strip() == "link payload 112 MiB/s"
    assert link.y[0] == link.y[1] == pytest.approx(112, abs=1)


def test_percentiles_are_means_of_what_fio_printed(root):
    ends = {"50.000000": 0.5, "95.000000": 0.95, "99.000000": 0.99, "99.900000": 0.999}
    figure = plot(
        loaded(root / "data/lessons/tail-2026"), "lines", "random_read", x="percentile"
    )
    assert figure.layout.xaxis.ticktext == ("50 %", "95 %", "99 %", "99.9 %")
    unit = 1e3 if "µs" in figure.layout.yaxis.title.text else 1e6
    for line in figure.data:
        # one request in ten less is one step to the right
        assert line.x == pytest.approx([-math.log10(1 - s) for s in ends.values()])
        files = (root / f"data/lessons/tail-2026/{line.name}").glob("*.json")
        jobs = [json.loads(file.read_text())["jobs"][0]["read"] for file in files]
        own = [job["lat_ns"]["percentile"] for job in jobs]
        means = [statistics.geometric_mean(p[end] for p in own) / unit for end in ends]
        assert line.y == pytest.approx(means, rel=1e-9)
    with pytest.raises(UsageError, match="over percentile, found none"):
        plot(TABLE, "lines", "write", x="percentile")


def test_runs_stand_in_their_order_with_their_geometric_mean():
    speeds = enumerate((8 * MIB, 16 * MIB, 32 * MIB))
    cells = [(k, [("write", 64, 4, v), ("write", 64, 8, 4 * v)]) for k, v in speeds]
    rows = {"up": [run(f"u{k}", own) for k, own in cells]}
    line = named(plot(measurements(rows), "lines", "write", x="time"), "up")
    # of 8 and 32 it is 16
    assert (line.x, line.y) == ((1, 2, 3), pytest.approx((16, 32, 64)))


def test_runs_with_start_times_stand_at_them(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    figure = plot(campaign, "lines", "write", x="time", system="nfs-v3")
    started = campaign.runs.query("system == 'nfs-v3' and tool == 'iozone'")["started"]
    (line,) = figure.data
    assert sorted(pd.to_datetime(line.x)) == sorted(started)
