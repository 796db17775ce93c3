"""Maps in a row and ratios with intervals: figures as data, against the comparison."""

import math
import re

import pandas as pd
import pytest
from browser import opened, wait_until
from browsing import write_page
from compared import compare
from frames import measurements, run
from samples import loaded

import fsviz
from fsviz.analysis.grids import make_grid
from fsviz.figures.kinds.ratios import CAPTION, draw_ratios, sized_rows
from fsviz.figures.looks import Look, looks
from fsviz.figures.style import SHORT_LABEL, colour, symbol
from tests.campaigns_made import throughput_mode
from tests.checks.outputs import LOOPBACK, ONEHOST


def heatmaps(figure):
    return [t for t in figure.data if t.type == "heatmap" and t.coloraxis]


@pytest.mark.slow
def test_maps_show_the_baseline_and_each_ratio():
    campaign = loaded(ONEHOST)
    figure = fsviz.maps(campaign, operation="write")
    values, xfs, btrfs = heatmaps(figure)
    cells = compare(campaign, operation=["write"], cells=True)
    one = cells.query(
        "candidate == 'xfs' and metric == 'throughput' "
        "and file_size_bytes == 2**27 and record_size_bytes == 2**20"
    ).iloc[0]
    column, row = xfs.x.index(20.0), xfs.y.index(27.0)
    assert xfs.z[row][column] == pytest.approx(math.log2(one["ratio"]), rel=1e-4)
    assert f"{one['answer']}" in xfs.hovertext[row][column]
    # each map has axes of its own, of the same sizes
    axes = [figure.layout[f"xaxis{k}"].domain for k in ("", "2", "3")]
    assert axes[0][1] < axes[1][0] < axes[1][1] < axes[2][0]
    assert values.coloraxis == "coloraxis"
    assert btrfs.coloraxis == "coloraxis2"
    # nothing solid: it can be drawn without WebGL
    assert {t.type for t in figure.data} <= {"heatmap", "scatter", "contour"}


def test_nine_systems_stand_in_two_rows():
    figure = fsviz.maps(loaded(LOOPBACK), operation="read", baseline="nfs-v3")
    tops = [figure.layout[f"yaxis{k or ''}"].domain[1] for k in (0, *range(2, 10))]
    assert len(set(tops)) == 2
    alt = figure.layout.meta["alt"]
    assert alt.startswith("read throughput against nfs-v3: local-ext4 is faster in ")


@pytest.mark.slow
def test_the_unit_of_the_maps_suits_the_values_that_are_read():
    # the baseline is a local disk, sixteen times as fast as eight of nine systems
    figure = fsviz.maps(loaded(LOOPBACK), operation="write", baseline="local-ext4")
    cells = figure.layout.meta["cells"]
    assert cells["unit"] == "MiB/s"
    told = [v for one in cells["systems"] for v in one["value"] if v is not None]
    assert min(told) > 1
    # one unit a figure, also at the colours of the baseline
    assert figure.layout.coloraxis.colorbar.title.text == "MiB/s"


@pytest.mark.slow
def test_a_short_colour_bar_has_three_numbers_at_most():
    """In steps of 1, 2 and 5 more of them would touch one another."""
    two = ["local-ext4", "nfs-v3"]
    figure = fsviz.maps(
        loaded(LOOPBACK), operation="random_read", system=two, baseline="nfs-v3"
    )
    bar = figure.layout.coloraxis.colorbar
    assert 2 <= len(bar.ticktext) <= 3
    assert [10**v for v in bar.tickvals] == pytest.approx([*map(float, bar.ticktext)])


def test_long_names_differ_over_maps_and_in_the_legend():
    # only their ends differ, behind what a legend has room for
    names = [f"nfs-v4.2-over-rdma-with-nconnect-16-rsize-1m-of-rack-{n}" for n in "abc"]
    campaign = fsviz.select(loaded(ONEHOST), tool=["iozone"])
    rename = dict(zip(("ext4", "xfs", "btrfs"), names, strict=True))
    table = campaign.measurements
    table = table.assign(system=table["system"].map(rename))
    over = [a.text for a in fsviz.maps(table, operation="write").layout.annotations]
    legend = [t.name for t in fsviz.ratios(table).data if t.x == (None,)]
    assert [text[-5:] for text in over[1:3]] == ["b</b>", "c</b>"]
    assert [text[-1] for text in legend] == ["b", "c"]
    assert max(map(len, legend)) <= SHORT_LABEL
    assert max(map(len, over)) <= SHORT_LABEL + len("<b></b> [values]")


def test_numbers_of_threads_have_rows_of_their_own(root, tmp_path):
    campaign = fsviz.load(throughput_mode(root, tmp_path / "threads"))
    figure = fsviz.ratios(campaign)
    texts = list(figure.layout.yaxis.ticktext)
    assert texts[:3] == ["write", "write, 2 threads", "write, 4 threads"]
    assert len(set(texts)) == len(texts) == 12
    (points,) = (t for t in figure.data if t.name == "ratios of two")
    assert len({round(y, 3) for y in points.y}) == 12
    assert "random write, medium, 4 threads" in points.customdata[-1]


def test_one_system_alone_shows_its_numbers_and_no_ratio():
    alone = fsviz.select(loaded(ONEHOST), system=["xfs"])
    figure = fsviz.maps(alone, operation="write")
    (values,) = (t for t in figure.data if t.type == "heatmap")
    mean = make_grid(alone, system="xfs", operation="write").mean
    top = float(mean.max().max()) / 2**30
    assert max(v for row in values.z for v in row if v) == pytest.approx(top, rel=1e-3)
    assert any(t.mode == "text" for t in figure.data if t.type == "scatter")
    assert "coloraxis2" not in figure.layout
    assert [a.text for a in figure.layout.annotations] == ["<b>xfs</b>"]
    assert "ratio" not in figure.layout.meta["caption"]
    alt = figure.layout.meta["alt"]
    assert alt.startswith("write throughput of xfs: from ")
    assert alt.endswith(f"to {top:.3g} GiB/s")


@pytest.fixture(scope="module")
def frame():
    return sized_rows(fsviz.compare(fsviz.select(loaded(ONEHOST), tool=["iozone"])))


def test_ratios_are_those_of_the_comparison_by_regime(frame):
    assert set(frame["bucket"]) == {"cpu_cache", "memory", "beyond_memory", "all"}
    figure = draw_ratios(frame, looks(loaded(ONEHOST)))
    points = {t.name: t for t in figure.data if t.mode == "markers" and t.customdata}
    own = frame.query("candidate == 'xfs' and bucket != 'all'")
    assert list(points["ratios of xfs"].x) == own["speed"].tolist()
    lines = {t.name: t for t in figure.data if t.mode == "lines"}
    ends = [x for x in lines["interval of xfs"].x if x is not None]
    expected = own[["speed_low", "speed_high"]].to_numpy().ravel().tolist()
    assert ends == expected
    # filled where there is an answer
    clear = own["answer"].isin(["faster", "slower", "same"])
    filled = [colour != "#fff" for colour in points["ratios of xfs"].marker.color]
    assert filled == clear.tolist()
    assert any(filled)
    assert not all(filled)


def test_every_point_lies_within_its_interval_and_the_axis(frame):
    figure = draw_ratios(frame, looks(loaded(ONEHOST)))
    low, high = (10**end for end in figure.layout.xaxis.range)
    for row in frame.query("bucket != 'all'").itertuples():
        assert low < row.speed_low < row.speed < row.speed_high < high
    ticks = figure.layout.xaxis
    assert dict(zip(ticks.tickvals, ticks.ticktext, strict=True)) == (
        {0.5: "▼2×", 1 / 1.4: "▼1.4×", 1: "1×", 1.4: "▲1.4×"}
    )


def test_where_memory_is_not_stated_the_published_classes_are_rows(tmp_path):
    campaign = loaded(ONEHOST)
    bare = fsviz.select(campaign, tool=["iozone"]).measurements
    assert set(sized_rows(fsviz.compare(bare))["bucket"]) == {
        *("small", "medium", "large", "very_large", "all")
    }


def test_a_tooltip_says_the_number_of_its_cell_and_the_comparison_s():
    """By a second route: from the logarithm that the cell is coloured by."""
    figure = fsviz.maps(loaded(ONEHOST), operation="write", system=["ext4", "xfs"])
    _, drawn = heatmaps(figure)
    texts = figure.select_traces({"type": "scatter", "mode": "text"})
    written = next(t for t in texts if t.xaxis == "x2")
    numbers = dict(
        zip(zip(written.x, written.y, strict=True), written.text, strict=True)
    )
    clear = 0
    for y, row, texts in zip(drawn.y, drawn.z, drawn.hovertext, strict=True):
        for x, value, text in zip(drawn.x, row, texts, strict=True):
            number = numbers.get((x, y), "")
            if value is None or number[:1] not in ("▲", "▼"):
                continue  # hatched, or equal
            clear += 1
            assert (number[0] == "▲") == (value > 0)
            assert float(number[1:]) == pytest.approx(2 ** abs(value), rel=0.05)
            word = "faster" if value > 0 else "slower"
            times, way = re.search(r"<b>([\d.]+)× (\w+)</b>", text).groups()
            assert float(times) == pytest.approx(float(number[1:]), abs=0.051)
            assert way == word
    assert clear > 10


def test_a_ratio_of_which_one_end_is_known_is_an_arrow(frame):
    """As bonnie++ gives it where it prints plus signs: not left out in silence."""
    bounded = frame.copy()
    at = bounded.index[bounded["bucket"] == "memory"][:2]
    bounded.loc[at, ["speed", "speed_low", "speed_high"]] = float("nan")
    bounded.loc[at[0], "speed_high"] = 0.25
    bounded.loc[at[1], "speed_low"] = 2.0
    figure = draw_ratios(bounded, looks(loaded(ONEHOST)))
    points = [t for t in figure.data if t.mode == "markers" and t.customdata]
    arrows = {
        symbol: (x, text.split("<br>")[1].partition(",")[0])
        for t in points
        for symbol, x, text in zip(t.marker.symbol, t.x, t.customdata, strict=True)
        if symbol.startswith("arrow")
    }
    assert arrows == {
        "arrow-left": (0.25, "at least 4.0× slower"),
        "arrow-right": (2.0, "at least 2.0× faster"),
    }
    assert figure.layout.meta["caption"].endswith(CAPTION[-1])
    assert (
        CAPTION[-1]
        not in draw_ratios(frame, looks(loaded(ONEHOST))).layout.meta["caption"]
    )
    low, high = (10**end for end in figure.layout.xaxis.range)
    assert low < 0.25 < 2 < high


@pytest.mark.slow
@pytest.mark.browser
def test_the_names_of_many_systems_do_not_stand_on_the_title(tmp_path, chromium):
    figure = fsviz.plot(loaded(LOOPBACK), "ratios")
    path = write_page(tmp_path / "page.html", [figure])
    with opened(chromium, path, (1280, 900)) as watched:
        wait_until(watched.page, "document.querySelector('.legend .traces')")
        parts = (".gtitle", ".legend", ".xtick:last-child text")
        boxes = [
            watched.page.evaluate(
                "(one) => { const box = document.querySelector(one)"
                ".getBoundingClientRect(); return [box.left, box.right]; }",
                part,
            )
            for part in parts
        ]
    (_, title), (legend, _), (_, ticks) = boxes
    assert title < legend
    assert ticks < legend


def test_one_row_has_room_for_the_names_of_its_systems():
    """plotly scrolls a legend that is higher than its figure: it hid a name."""
    table = measurements(
        {
            name: [run(f"{name}{n}", [("write", 64, 4, value + n)]) for n in (1, 2, 3)]
            for name, value in (("a", 100), ("b", 120), ("c", 90), ("d", 80))
        }
    )
    layout = fsviz.ratios(table).layout
    assert layout.height - layout.margin.t - layout.margin.b >= 3 * 24
    assert layout.legend.tracegroupgap == 0


def test_a_caption_explains_no_sign_that_is_not_drawn(frame):
    """Of single runs it spoke of bars, filled points and a cross; none was there."""
    once = frame.assign(answer="untested", speed_low=math.nan, speed_high=math.nan)
    figure = draw_ratios(once, looks(loaded(ONEHOST)))
    assert figure.layout.meta["caption"] == f"{CAPTION[0]} {CAPTION[3]}"
    # nor do the keys show a filled point
    keys = [t.marker.color for t in figure.data if t.showlegend is not False]
    assert "#fff" in keys
    assert set(keys) <= {"#fff", None}


def test_of_many_systems_what_has_one_size_class_stays(frame):
    """bonnie++ measures one size: of seven systems half the rows were not drawn."""
    one = frame.loc[frame["bucket"] == "memory"]
    many = pd.concat([one.assign(candidate=f"s{k}") for k in range(6)])
    given = looks(loaded(ONEHOST))["xfs"]
    figure = draw_ratios(many, {f"s{k}": given for k in reversed(range(6))})
    rows = one[["tool", "operation"]].drop_duplicates()
    assert len(figure.layout.yaxis.tickvals) == len(rows)
    # in the order of the campaign, whoever measured the first row
    keys = [t.name for t in figure.data if t.showlegend is not False]
    assert keys == [f"s{k}" for k in reversed(range(6))]


def test_a_bound_that_leaves_open_who_is_faster_is_no_arrow(frame):
    """One such end stretched the axis to a millionth."""
    bounded = frame.copy()
    at = bounded.index[bounded["bucket"] == "memory"][:2]
    bounded.loc[at, ["speed", "speed_low", "speed_high"]] = float("nan")
    bounded.loc[at[0], "speed_low"] = 1e-6
    bounded.loc[at[1], "speed_high"] = 1e6
    figure = draw_ratios(bounded, looks(loaded(ONEHOST)))
    symbols = [s for t in figure.data for s in t.marker.symbol or ()]
    assert not any(s.startswith("arrow") for s in symbols)
    low, high = (10**end for end in figure.layout.xaxis.range)
    assert 0.1 < low < high < 10


def test_a_system_beyond_the_shapes_is_seen(frame):
    """The ninth of twelve systems was white on white: its shape was an open one."""
    shapes = [symbol(k) for k in range(16)]
    assert len({*shapes}) == 16
    assert not any("open" in shape for shape in shapes)
    look = Look(colour(17), symbol(17))
    assert look.symbol.endswith("-open")
    once = frame.assign(answer="untested")
    figure = draw_ratios(once, dict.fromkeys(once["candidate"], look))
    drawn = [t.marker.color for t in figure.data if t.mode == "markers"]
    assert "#fff" not in str(drawn)
