"""The flat kinds as data, on tables that can be checked by hand."""

import inspect
import math
import re

import pandas as pd
import pytest
from frames import KIB, measurements, run
from samples import loaded

import fsviz
from fsviz.figures.kinds.dumbbells import dumbbells
from fsviz.figures.kinds.intervals import draw_intervals
from fsviz.figures.links import against_links
from fsviz.figures.looks import looks
from fsviz.figures.panels.references import cliff_marks, references
from fsviz.figures.plot import KINDS, function_of, plot
from fsviz.figures.style import colour, make_scale, symbol
from fsviz.model.errors import UsageError
from fsviz.model.runs import Cells, Run

MIB = 2**20


def three(name, values):
    """Three runs of two cells; the second run is 10 % above, the third 10 % below."""
    return [
        run(
            f"{name}{k}",
            [
                ("write", 64, r, v * f * MIB)
                for r, v in zip((4, 64), values, strict=True)
            ],
        )
        for k, f in enumerate((1.0, 1.1, 0.9))
    ]


TABLE = measurements({"one <i>": three("a", (10, 30)), "two": three("b", (20, 20))})


def named(figure, name):
    return [t for t in figure.data if t.name == name]


def test_buckets_tell_the_two_spreads_apart():
    figure = plot(TABLE, "buckets", "write")
    cells, runs = named(figure, "std_cells"), named(figure, "interval")
    # one: cell means 10 and 30, s = 14.14; runs' means 20, 22 and 18, s = 2, and
    # t(2; 0.975) = 4.3027: half an interval is 4.3027 · 2 / √3
    assert cells[0].y[1] == pytest.approx(20 + 10 * math.sqrt(2))
    assert (runs[0].y[0], runs[0].y[1]) == (
        pytest.approx(20 - 4.9683, abs=1e-3),
        pytest.approx(20 + 4.9683, abs=1e-3),
    )
    # two: both cells 20
    assert cells[1].y[:2] == pytest.approx((20, 20))
    assert named(figure, "one &lt;i&gt;")[0].y == pytest.approx([20])
    assert cells[0].line.color != runs[0].line.color
    assert figure.layout.xaxis.ticktext == ("small",)


def test_slices_have_bands_of_the_t_interval():
    figure = plot(TABLE, "slices", "write")
    band, line = named(figure, "95 % interval")[1], named(figure, "two")[0]
    assert line.x == (12, 16)
    assert line.y == (20, 20)
    # s = 2, n = 3, t(2; 0.975) = 4.3027: half = 4.3027 * 2 / sqrt(3)
    half = 4.3027 * 2 / math.sqrt(3)
    assert band.y == pytest.approx([20 + half] * 2 + [20 - half] * 2, abs=1e-3)
    assert "file of 64 KiB" in figure.layout.title.text


def test_slices_of_one_record_size_are_over_file_sizes():
    one = TABLE.loc[TABLE["record_size_bytes"] == 4 * KIB]
    (line,) = named(plot(one, "slices", "write"), "two")
    assert line.x == (16,)
    assert line.y == (20,)
    assert named(plot(TABLE, "slices", "write"), "two")[0].x == (12, 16)


def test_a_size_that_is_not_there_is_refused():
    with pytest.raises(UsageError, match="size: expected one of 64 KiB, found 1 MiB"):
        plot(TABLE, "slices", "write", size=MIB)


def elapsed(name, value, low, high):
    cells = Cells()
    cells.add("transfer", "elapsed", value, "line 1", low=low, high=high)
    return [Run("rsync", name, f"{name}.txt", cells, configuration="c")]


NAN = math.nan
TIMES = {
    "range": elapsed("a", NAN, 32.0, 35.0),
    "less": elapsed("b", NAN, 0.0, 1.0),
    "point": elapsed("c", 5.0, 4.5, 5.5),
}


def test_ranges_are_bars_and_less_than_is_an_arrow():
    figure = plot(measurements(TIMES), "intervals", "transfer")
    bars, (dots,) = named(figure, "as printed"), named(figure, "value")
    assert [bar.x for bar in bars] == [(32, 35, None), (4.5, 5.5, None)]
    assert bars[0].y[0] == 0
    assert dots.x == (5,)
    (arrow,) = named(figure, "less than")
    assert arrow.x[0] == 1
    assert arrow.x[1] < 1
    assert arrow.marker.symbol[1] == "triangle-left"
    assert figure.layout.yaxis.ticktext == ("range", "less", "point")


def test_more_than_points_to_the_right():
    rows = measurements({"slow": elapsed("d", NAN, 60.0, NAN)})
    figure = draw_intervals(rows, make_scale([60.0], "elapsed"), "elapsed", looks(rows))
    (arrow,) = named(figure, "more than")
    assert (arrow.x[0], arrow.marker.symbol[1]) == (60, "triangle-right")


def threaded(threads, whole, parent):
    cells = Cells()
    for metric, value in (("throughput", whole), ("parent_throughput", parent)):
        cells.add("write", metric, value * MIB, "line 1", threads=threads)
    return Run("iozone", f"t{threads}", "t.txt", cells, configuration=f"{threads}")


def test_scaling_is_held_against_the_first_number_of_threads():
    table = measurements({"nfs": [threaded(1, 10, 9), threaded(4, 32, 20)]})
    figure = plot(table, "scaling", "write")
    (together,) = named(figure, "nfs, seen by the threads")
    assert (together.x, together.y) == ((1, 4), (10, 32))
    assert named(figure, "ideal")[0].y == (10, 40)
    assert named(figure, "nfs, seen by the parent")[0].marker.symbol == "circle-open"


def test_cpu_pairs_the_numbers_of_one_cell():
    cells = Cells()
    for record, speed, used in ((4, 10, 80.0), (64, 30, 20.0)):
        sizes = {"file_size": 64 * KIB, "record_size": record * KIB}
        cells.add("write", "throughput", speed * MIB, "line 1", **sizes)
        cells.add("write", "cpu", used, "line 2", **sizes)
    table = measurements({"nfs": [Run("iozone", "x", "x.txt", cells)]})
    (dots,) = plot(table, "cpu", "write").data
    assert sorted(zip(dots.x, dots.y, strict=True)) == [(20, 30), (80, 10)]
    assert "64 KiB by 4 KiB" in dots.text


def test_a_system_without_cpu_use_is_named_and_keeps_its_colour(root):
    campaign = fsviz.select(loaded(root / "data/raw/onehost-2026"), tool=["bonnie++"])
    figure = plot(campaign, "cpu", "sequential_output_block")
    colours = {t.name: t.marker.color for t in figure.data}
    # xfs stands between them, was too fast to be timed, and has its colour elsewhere
    assert colours == {"ext4": colour(0), "btrfs": colour(2)}
    caption = figure.layout.meta["caption"]
    assert caption.endswith("Without both numbers, and not shown: xfs.")


def test_strips_show_each_run_off_the_mean_and_the_drift():
    table = measurements(
        {
            "up": [
                run(f"u{k}", [("write", 64, 4, v * MIB)])
                for k, v in enumerate((8, 16, 32))
            ]
        }
    )
    dots, trend = plot(table, "strips", "write").data
    assert dots.y == pytest.approx([-50, 0, 100])
    # no straight line through three points
    assert set(trend.y) == {None}


def test_strips_say_means_and_draw_a_trend_through_ten_runs():
    runs = [run(f"r{k}", [("write", 64, 4, 2.0**k * MIB)]) for k in range(10)]
    figure = plot(measurements({"up": runs}), "strips", "write")
    dots, trend = figure.data
    assert trend.y == pytest.approx(dots.y)
    # the geometric mean of 1, 2 … 512 MiB/s is 2 ** 4.5
    assert [note.text for note in figure.layout.annotations] == ["22.6<br>MiB/s"]


def test_dumbbells_need_bonnie():
    with pytest.raises(UsageError, match="expected numbers of bonnie"):
        plot(TABLE, "dumbbells")


def test_dumbbells_join_the_systems_of_a_test():
    def bonnie(name, rate, wait):
        cells = Cells()
        cells.add("random_seeks", "rate", rate, "line 1")
        cells.add("random_seeks", "latency", wait, "line 1")
        cells.add("sequential_input_block", "throughput", rate * MIB, "line 1")
        return [Run("bonnie++", name, f"{name}.csv", cells, configuration="c")]

    table = measurements({"a": bonnie("a", 100.0, 0.2), "b": bonnie("b", 400.0, 0.1)})
    figure = plot(table, "dumbbells")
    joins = named(figure, "distance")
    assert [j.x for j in joins] == [
        (100, 400, None),
        (100, 400, None),
        (100, 200, None),
    ]
    assert {figure.layout[f"xaxis{k}"].type for k in ("", "2", "3")} == {"log"}
    assert figure.layout.yaxis2.ticktext == ("random seeks",)


def test_dumbbells_show_the_metrics_that_are_asked_for(root):
    afp = loaded(root / "data/published/4-afp-smb")
    figure = dumbbells(afp, metric=["throughput", "cpu"])
    # the table's 98 % against 8 % where bytes are written one by one
    assert named(figure, "distance")[1].x[:3] == (8, 98, None)
    assert "CPU" in figure.layout.xaxis2.title.text
    assert figure.layout.xaxis2.domain[1] == pytest.approx(1)


@pytest.mark.slow
def test_dumbbells_of_one_run_each_promise_no_interval(root):
    once = dumbbells(loaded(root / "data/published/4-afp-smb"))
    again = dumbbells(loaded(root / "data/raw/loopback-2026"))
    assert "interval over runs" in again.layout.meta["caption"]
    assert "interval over runs" not in once.layout.meta["caption"]
    assert "one run each" in once.layout.meta["caption"]


def test_points_stand_against_links(root):
    published = loaded(root / "data/published/3-nfs-smb-dfs")
    figure = against_links(published, ["1 Gbit/s", "10 Gbit/s"])
    # 23 points of the paper; 1 Gbit/s is 125e6 B/s, shown in GiB/s
    assert sum(len(trace.x) for trace in figure.data) == 23
    assert [line.x0 for line in figure.layout.shapes] == pytest.approx(
        [125e6 / 2**30, 1.25e9 / 2**30]
    )
    # none came over the slower link, two over the faster one
    points = [x for trace in figure.data for x in trace.x]
    assert min(points) > 125e6 / 2**30
    assert sum(x < 1.25e9 / 2**30 for x in points) == 2
    with pytest.raises(UsageError, match="expected throughput"):
        against_links(TABLE.iloc[:0], ["1 Gbit/s"])


def test_colours_and_symbols_do_not_repeat_together():
    assert len({(colour(k), symbol(k)) for k in range(16)}) == 16


@pytest.mark.parametrize("kind", KINDS)
def test_a_kind_without_its_numbers_says_so(kind):
    empty = TABLE.iloc[:0]
    with pytest.raises(UsageError):
        plot(empty, kind, "write")


def test_an_unknown_kind_is_named():
    with pytest.raises(
        UsageError, match=r"kind: expected one of explorer, .* found pie"
    ):
        plot(TABLE, "pie")


@pytest.mark.parametrize(
    "kind,more,says",
    [
        ("versus", {"colour": 1}, r"versus: expected one of operation, .* colour$"),
        ("cpu", {"metric": "rate"}, r"cpu: expected one of .*marks, found metric$"),
        ("dumbbells", {"operation": "write"}, r"dumbbells: expected one of system,"),
    ],
)
def test_a_keyword_that_a_kind_does_not_take_is_refused(kind, more, says):
    with pytest.raises(UsageError, match=says):
        plot(TABLE, kind, **more)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["explorer", "maps", "slices", "versus"])
def test_a_caption_asks_for_nothing_that_paper_cannot_do(kind, root):
    campaign = loaded(root / "data/raw/onehost-2026")
    marks = fsviz.cell_marks(fsviz.run_checks(campaign))
    given = {} if kind == "slices" else {"marks": marks}
    caption = plot(campaign, kind, operation="write", **given).layout.meta["caption"]
    assert len(caption) > 40
    assert not re.search(r"\b(turn|point at|click|drag|hover|press|touch)", caption)


def test_a_figure_needs_an_operation():
    with pytest.raises(UsageError, match="explorer: expected operation=NAME"):
        fsviz.explorer(TABLE)


@pytest.mark.parametrize("kind", KINDS)
def test_help_names_every_keyword_that_a_kind_takes(kind):
    """As ``help`` in Jupyter shows it, and as completion offers it."""
    draw = function_of(kind)
    data, *keywords = inspect.signature(draw).parameters
    assert data == "data"
    assert tuple(keywords) == draw.takes
    text = inspect.getdoc(draw)
    assert "{" not in text.replace("{'", "")
    for name in ("data", *keywords):
        assert re.search(rf"^{name} : .+\n    \w", text, re.MULTILINE)


def test_a_stated_link_becomes_a_line_and_a_plane(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    marks = references(campaign, ["nfs-v3"])
    # 1 Gbit/s at MTU 1500: 125e6 B/s * 0.941; RAM 1536 MiB
    assert [(m.kind, m.value) for m in marks] == [
        ("throughput", pytest.approx(125e6 * 1448 / 1538)),
        ("file size", 1536 * MIB),
        ("file size", 3 * 1536 * MIB),
    ]
    figure = plot(campaign, "explorer", "read", system=["nfs-v3"])
    plane, *lines = named(figure, "reference")
    assert plane.z[0] == pytest.approx(125e6 * 1448 / 1538 / MIB, rel=1e-4)
    # both families of slices, then the cliff at 128 to 256 KiB in heatmap and slices
    assert [(line.xaxis, line.y) for line in lines] == [
        ("x2", (plane.z[0],) * 2),
        ("x3", (plane.z[0],) * 2),
    ]
    shapes = [s for s in figure.layout.shapes if s.type == "line"]
    assert [s.y0 for s in shapes] == pytest.approx([17.5, 0], rel=1e-4)
    assert references(campaign, ["local-ext4"]) == marks[1:]


def test_the_plane_of_a_link_is_not_drawn_through_a_local_disk(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    names = ["local-ext4", "nfs-v3", "smb-3.0"]
    figure = plot(campaign, "explorer", "read", system=names)
    drawn = named(figure, "reference")
    assert {trace.meta["system"] for trace in drawn} == {1, 2}
    assert not any(trace.visible for trace in drawn)
    # the menu repeats its answer over all traces, in this order
    assert [t.meta["system"] for t in figure.data] == [
        n % 3 for n in range(len(figure.data))
    ]
    chosen = figure.layout.updatemenus[-1].buttons[1].args[0]["visible"]
    shown = [t for n, t in enumerate(figure.data) if chosen[n % 3]]
    assert len([t for t in shown if t.name == "reference"]) == 3


def test_a_cliff_is_marked_where_it_was_found(root):
    """By hand: XFS random write means of all records, 128 MiB against 256 MiB."""
    campaign = loaded(root / "data/raw/onehost-2026")
    (mark,) = cliff_marks(campaign, "random_write", "throughput", ["xfs"])
    assert mark.kind == "file size"
    assert 128 * MIB < mark.value < 256 * MIB
    assert mark.text == "cliff: xfs"
    figure = plot(campaign, "explorer", "random_write", system=["xfs"])
    texts = {shape.label.text for shape in figure.layout.shapes}
    assert {"cliff: xfs", "RAM 256 MiB"} <= texts


def test_a_cliff_of_many_systems_counts_them(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    names = ["ext4", "xfs", "btrfs"]
    marks = cliff_marks(campaign, "random_write", "throughput", names[:2])
    assert "cliff: ext4, xfs" in {mark.text for mark in marks}
    table = campaign.measurements
    again = table.loc[table["system"] == "xfs"].assign(system="zfs")
    three = pd.concat([table, again])
    marks = cliff_marks(three, "random_write", "throughput", [*names, "zfs"])
    assert "cliff: 3 systems" in {mark.text for mark in marks}


def test_a_stated_cpu_cache_becomes_a_mark(tmp_path):
    folder = tmp_path / "c"
    (folder / "a").mkdir(parents=True)
    (folder / "a/t.txt").write_text("\nreal\t0m8.5s\nuser\t0m0.1s\nsys\t0m0.0s\n")
    (folder / "campaign.toml").write_text('[facts]\ncpu_cache = "32 MiB"\n')
    (mark,) = references(fsviz.load(folder), ["a"])
    assert (mark.kind, mark.value) == ("file size", 32 * MIB)


@pytest.mark.slow
def test_what_was_too_quick_to_time_is_an_arrow(root):
    """On onehost-2026 every rate is +++++: more than what half a second would show."""
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = plot(campaign, "dumbbells")
    arrows = [t for t in named(figure, "bounds of xfs") if t.xaxis == "x2"]
    own = campaign.measurements.query("system == 'xfs' and metric == 'rate'")
    assert own["value"].notna().sum() == 0
    bounds = own.groupby("operation", observed=True)["low"].min()
    assert sorted(arrows[0].x[::3]) == sorted(bounds)
    assert all(a < b for a, b in zip(arrows[0].x[::3], arrows[0].x[1::3], strict=True))
    assert "more than" in arrows[0].text[0]
    low, high = (10**end for end in figure.layout.xaxis2.range)
    assert low < min(bounds) < max(arrows[0].x[1::3]) < high
    axes = figure.layout.to_plotly_json()
    ranges = [axes[a]["range"] for a in axes if a.startswith("yaxis")]
    assert all(low != high for low, high in ranges)


def test_a_test_with_one_run_too_quick_to_time_is_an_arrow(root):
    """Ext4's mean without its fastest run was a dot below what is known of xfs."""
    figure = plot(loaded(root / "data/raw/onehost-2026"), "dumbbells")
    (arrow,) = (t for t in named(figure, "bounds of ext4") if t.xaxis == "x")
    printed = [2082879488, 2146668544, 1833934848, 2065015808, 2**31]
    assert arrow.x[0] == pytest.approx(sum(printed) / 5 / 2**30, rel=1e-6)
    (dots,) = (t for t in named(figure, "ext4") if t.xaxis == "x")
    assert len(dots.x) == 2


def test_a_bucket_with_runs_too_quick_to_time_says_more_than(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = plot(campaign, "buckets", operation="sequential_output_block")
    dots = {trace.name: trace for trace in figure.data if trace.text}
    assert dots["xfs"].y == (2.0,)
    assert dots["xfs"].marker.symbol == ("triangle-up",)
    assert "more than 2 GiB/s" in dots["xfs"].text[0]
    assert "more than" not in dots["btrfs"].text[0]
    assert "too fast to time" in figure.layout.meta["caption"]
    figure = plot(campaign, "buckets", operation="read")
    assert "too fast to time" not in figure.layout.meta["caption"]


def test_a_metric_without_numbers_takes_no_panel():
    cells = Cells()
    cells.add("sequential_input_block", "throughput", 5.0 * MIB, "line 1")
    table = measurements({"a": [Run("bonnie++", "a", "a.csv", cells)]})
    figure = plot(table, "dumbbells")
    axes = figure.layout.to_plotly_json()
    assert "xaxis2" not in axes
    assert axes["xaxis"]["domain"] == pytest.approx((0, 1))


def test_systems_of_one_protocol_share_a_hue(root):
    campaign = loaded(root / "data/raw/loopback-2026")
    figure = plot(campaign, "dumbbells")
    keys = {t.name: t.marker for t in figure.data if t.showlegend is not False}
    signs = ["slowest to fastest system", "95 % interval", "more than its tail"]
    assert list(keys)[10:] == signs
    for sign in signs:
        del keys[sign]
    hues = {name: marker.color for name, marker in keys.items()}
    stated = campaign.systems.set_index("system")["protocol"]
    for one in keys:
        for other in keys:
            assert (hues[one] == hues[other]) == (stated[one] == stated[other])
    assert len({(m.color, m.symbol) for m in keys.values()}) == 10


def test_a_dot_says_its_interval(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = plot(campaign, "dumbbells")
    own = fsviz.summary(campaign).query(
        "system == 'btrfs' and operation == 'sequential_output_block' "
        "and metric == 'throughput'"
    )
    line = next(t for t in named(figure, "interval of btrfs") if t.xaxis == "x")
    expected = own[["ci_low", "ci_high"]].iloc[0] / 2**30
    assert line.x[:2] == pytest.approx(tuple(expected))


def test_a_lone_name_is_one_system_not_its_letters():
    one, listed = (
        plot(TABLE, "strips", "write", system=systems) for systems in ("two", ["two"])
    )
    assert one.to_json() == listed.to_json()
    with pytest.raises(UsageError, match=r"expected two systems or more, found 1"):
        plot(TABLE, "versus", system="two")


def test_intervals_have_the_interval_of_the_mean_below_the_runs():
    runs = [
        run(f"r{k}", [("write", 64, 4, v * MIB)]) for k, v in enumerate((8, 10, 12))
    ]
    table = measurements({"three": runs, "one": runs[:1]})
    figure = plot(table, "intervals", "write", scale="linear")
    (bar,) = named(figure, "interval of the mean")
    # mean 10, s = 2, t(2; 0.975) = 4.3027: half = 4.3027 · 2 / √3
    assert bar.x == pytest.approx((10 - 4.9683, 10 + 4.9683), abs=1e-3)
    assert bar.y == (0, 0)
    assert "95 % of the mean 5.03 – 15 MiB/s" in bar.text[0]


def test_numbers_of_a_single_system_stand_beside_its_dots(root):
    """Four dots on an axis with one tick: nobody could read a value."""
    own = fsviz.select(fsviz.load(root / "data/raw/loopback-2026"), system=["nfs-v3"])
    figure = fsviz.plot(own, "dumbbells")
    dots = [t for t in figure.data if t.mode == "markers" and t.x[0] is not None]
    texts = [t for t in figure.data if t.name == "values"]
    assert [list(t.x) for t in texts] == [list(t.x) for t in dots]
    for trace in texts:
        for x, text in zip(trace.x, trace.text, strict=True):
            assert float(text.replace(",", "")) == pytest.approx(x, rel=0.06)
    heads = [note.text for note in figure.layout.annotations]
    assert all("[" in head for head in heads)
