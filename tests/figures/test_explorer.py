"""The explorer as data: ratios, values, surfaces and slices of two systems."""

import json
import math
import re

import plotly.graph_objects as go
import pytest
from frames import KIB, measurements, repeats, run
from samples import loaded

import fsviz
from fsviz.figures.kinds.explorer import explorer
from fsviz.model.errors import MixedCellError, UsageError

MIB = 2**20
CELLS = [(64, 4), (64, 64), (128, 4)]


def runs(name, values):
    return repeats(name, values, CELLS, (0.99, 1, 1.01))


def mean(value):
    """The geometric mean of such runs."""
    return value * (0.99 * 1.01) ** (1 / 3)


TABLE = measurements(
    {
        "old": runs("o", [10, 20, 30]),
        "new <b>": runs("n", [20, 40, 15]),
        "near": runs("c", [11, 22, None]),
    }
)


@pytest.fixture(scope="module")
def figure():
    return explorer(TABLE, operation="write")


@pytest.fixture(scope="module")
def alone():
    return explorer(TABLE, operation="write", system="old")


def traces(figure, role, system=None):
    return [
        trace
        for trace in figure.data
        if (trace.meta or {}).get("role") == role
        and system in (None, trace.meta["system"])
    ]


def of_kind(found, kind):
    (trace,) = [trace for trace in found if isinstance(trace, kind)]
    return trace


def test_the_ratio_map_is_candidate_over_baseline_and_quotients_agree(figure):
    ratio, *_ = traces(figure, "ratio", 1)
    assert [[2**v if v is not None else None for v in row] for row in ratio.z] == [
        pytest.approx([2, 2], rel=1e-4),
        [pytest.approx(0.5, rel=1e-4), None],
    ]
    new, old = (of_kind(traces(figure, "value", n), go.Heatmap) for n in (1, 0))
    for up, low, log in zip(new.z[0], old.z[0], ratio.z[0], strict=True):
        assert up / low == pytest.approx(2**log, rel=1e-3)


def test_surface_heatmap_and_slices_show_the_same_cells(figure):
    surface = of_kind(traces(figure, "surface", 1), go.Surface)
    heatmap = of_kind(traces(figure, "value", 1), go.Heatmap)
    expected = [pytest.approx([mean(20), mean(40)], rel=1e-4)]
    expected.append([pytest.approx(mean(15), rel=1e-4), None])
    assert [list(row) for row in surface.z] == expected
    assert [list(row) for row in heatmap.z] == expected
    assert list(surface.x) == list(heatmap.x) == [12, 16]
    assert list(surface.y) == list(heatmap.y) == [16, 17]
    assert surface.connectgaps is False
    over_record, over_file = traces(figure, "slice", 1)
    # cut through a file of 64 KiB and records of 4 KiB: its ratio of 2 is nearer to the
    # mean of 2, 2 and a half than the half is
    assert list(over_record.y) == pytest.approx([mean(20), mean(40)], rel=1e-4)
    assert list(over_file.y) == pytest.approx([mean(20), mean(15)], rel=1e-4)
    # what is missing there is a gap
    assert list(traces(figure, "slice", 2)[1].y) == [
        pytest.approx(mean(11), rel=1e-4),
        None,
    ]
    # bars reach from the slowest to the fastest run
    assert over_record.error_y.array[0] == pytest.approx(20.2 - mean(20), abs=1e-3)
    assert over_record.error_y.arrayminus[0] == pytest.approx(mean(20) - 19.8, abs=1e-3)


def test_one_scale_for_all_systems(figure):
    layout = figure.layout
    assert (layout.coloraxis.cmin, layout.coloraxis.cmax) == (
        0,
        pytest.approx(mean(40), rel=1e-4),
    )
    ends = {tuple(layout[name].zaxis.range) for name in ("scene", "scene2")}
    assert len(ends) == 1
    assert layout.scene.camera == layout.scene2.camera
    assert layout.yaxis3.range == layout.yaxis4.range
    assert layout.yaxis4.matches == "y3"


def test_a_choice_of_the_menu_shows_one_candidate_beside_the_baseline(figure):
    (menu,) = figure.layout.updatemenus
    assert [button.label for button in menu.buttons] == ["new &lt;b&gt;", "near"]
    for number, button in enumerate(menu.buttons, 1):
        seen = {
            (trace.meta["role"], trace.meta["system"])
            for trace, shown in zip(figure.data, button.args[0]["visible"], strict=True)
            if shown
        }
        assert seen == {
            ("ratio", number),
            ("value", number),
            ("surface", 0),
            ("surface", number),
            *(("slice", n) for n in range(3)),
        }
        strong = {
            trace.meta["system"]
            for trace, opacity in zip(
                figure.data, button.args[0]["opacity"], strict=True
            )
            if trace.meta["role"] == "slice" and opacity == 1
        }
        assert strong == {0, number}
        assert button.label in button.args[1]["title.text"]
    shown = [trace.visible for trace in figure.data]
    assert shown == list(menu.buttons[menu.active].args[0]["visible"])


def test_what_is_said_of_a_cell_is_what_the_frame_says(figure):
    ratio, *_ = traces(figure, "ratio", 1)
    text = ratio.hovertext[1][0]
    cells = fsviz.compare(TABLE, baseline="old").cells
    row = cells.loc[
        (cells["candidate"] == "new <b>") & (cells["file_size_bytes"] == 128 * KIB)
    ].iloc[0]
    assert text.startswith("<b>new &lt;b&gt;</b>, file 128 KiB, record 4 KiB")
    assert f"<b>{mean(15):.3g} MiB/s</b> (14.8–15.2, 3 runs)" in text
    assert f"old <b>{mean(30):.3g} MiB/s</b> (29.7–30.3, 3 runs)" in text
    assert f"<b>{1 / row['ratio']:.1f}× slower</b>" in text
    low, high = (1 / row[name] for name in ("ci_high", "ci_low"))
    first, last = re.search(
        r"95 % interval ([\d.]+)(?:–([\d.]+))?× slower", text
    ).groups()
    ends = [float(first), float(last or first)]
    assert ends == pytest.approx([low, high], abs=0.051)
    assert text.endswith("and 2 more")
    # what the candidate lacks is said, not left out
    lacking, *_ = traces(figure, "ratio", 2)
    assert "not measured" in lacking.hovertext[1][0]
    assert lacking.hovertext[1][1] == ""


def test_the_title_says_the_answer_of_the_test(figure):
    answer = next(
        a
        for a in fsviz.compare(TABLE, baseline="old").answers
        if a.candidate == "new <b>"
    )
    (menu,) = figure.layout.updatemenus
    title = menu.buttons[0].args[1]["title.text"]
    assert title.startswith(f"<b>write: new &lt;b&gt; {answer.words}</b>")
    assert "3 + 3 runs" in title
    assert "3 of 3 sizes" in title


def test_one_system_has_a_map_a_surface_and_slices_and_no_ratio(alone):
    assert not traces(alone, "ratio")
    assert len([t for t in alone.data if isinstance(t, go.Surface)]) == 1
    assert "scene2" not in alone.layout.to_plotly_json()
    heatmap = of_kind(traces(alone, "value"), go.Heatmap)
    assert heatmap.meta["readout"]
    assert "updatemenus" not in alone.layout.to_plotly_json() or not (
        alone.layout.updatemenus
    )


def test_every_measured_cell_is_a_point_also_without_neighbours(alone):
    (points,) = (t for t in alone.data if isinstance(t, go.Scatter3d))
    assert sorted(zip(points.x, points.y, strict=True)) == (
        [(12, 16), (12, 17), (16, 16)]
    )


def test_a_map_whose_colours_all_end_says_its_least_difference():
    rates = {"old": (10, 20, 30), "near": (11, 22, 33), "far": (105, 400, 610)}
    table = measurements({name: runs(name, rate) for name, rate in rates.items()})
    (menu,) = explorer(table, operation="write").layout.updatemenus
    near, far = (button.args[1]["annotations[4].text"] for button in menu.buttons)
    assert near == "<b>near against old</b>"
    assert re.findall("[0-9]+×", far) == ["10×"]


def test_colours_end_where_the_coloured_ratios_do():
    """Cells that may be chance have no colour, and do not stretch or squeeze it."""
    noisy = [
        run(
            f"n{n}",
            [
                ("write", *cell, MIB * value)
                for cell, value in zip(CELLS, values, strict=True)
            ],
        )
        for n, values in enumerate([(13, 1, 30), (13, 20, 31), (13.1, 400, 30)])
    ]
    table = measurements({"old": runs("o", [10, 20, 30]), "new": noisy})
    axis = explorer(table, operation="write").layout.coloraxis2
    assert axis.cmax == pytest.approx(math.log2(1.5))
    assert axis.cmin == -axis.cmax


def test_the_legend_of_the_ratio_map_has_every_ground_of_a_cell(figure):
    legend = [note for note in figure.layout.annotations if note.text[0] in "■▨"]
    assert len(legend) == 4
    assert len({note.xshift for note in legend}) == 4


def test_axes_state_sizes_and_units(figure):
    layout = figure.layout
    for name in ("", "2", "3"):
        assert layout[f"xaxis{name}"].title.text == "record size"
    assert layout.xaxis4.title.text == layout.yaxis.title.text == "file size"
    assert list(layout.yaxis.ticktext) == ["64 KiB", "128 KiB"]
    assert layout.yaxis3.title.text == "MiB/s"
    headings = [note.text for note in layout.annotations]
    assert "<b>near against old</b>" in headings
    assert sum("[MiB/s]" in text for text in headings) == 3


def test_values_ride_once_and_by_system(figure):
    cells = figure.layout.meta["cells"]
    assert cells["records"] == [4 * KIB, 64 * KIB]
    old = cells["systems"][0]
    assert old["value"] == [pytest.approx(mean(v), rel=1e-4) for v in (10, 20, 30)] + [
        None
    ]
    assert (old["least"][0], old["most"][0]) == (9.9, 10.1)
    assert old["runs"] == 3
    assert cells["systems"][1]["name"] == "new <b>"


def test_numbers_in_cells_contrast_with_their_colour(alone):
    numbers = of_kind(traces(alone, "value")[2:], go.Scatter)
    assert numbers.text == ("10.0", "20.0", "30.0")
    # a third and two thirds of the scale are dark enough for white or light for black
    assert numbers.textfont.color == ("#fff", "#000", "#000")


def test_a_wide_range_is_shown_on_a_log_scale():
    wide = [("write", 64, 4, MIB), ("write", 64, 8, 100 * MIB), ("write", 128, 4, MIB)]
    figure = explorer(measurements({"a": [run("x", wide)]}), operation="write")
    heatmap = of_kind(traces(figure, "value"), go.Heatmap)
    assert heatmap.z[0][1] == pytest.approx(2)
    assert heatmap.text[0][1] == "100"
    assert figure.layout.scene.zaxis.type == "log"
    assert figure.layout.yaxis3.type == "log"
    assert list(figure.layout.coloraxis.colorbar.ticktext)[-1] == "100"


def test_a_system_s_name_is_text_everywhere(figure):
    data = json.loads(figure.to_json())
    drawn = json.dumps([data["data"], data["layout"]["annotations"]])
    assert "new &lt;b&gt;" in drawn
    assert "new <b>" not in drawn


@pytest.mark.parametrize(
    "wrong,says",
    [
        ({"operation": "wriet"}, "operation: expected one of write, found wriet"),
        ({"operation": "read"}, "no throughput of read"),
        (
            {"operation": "write", "system": ["x"]},
            "system: expected one of old, new <b>, near, found x",
        ),
        ({"operation": "write", "metric": "rate"}, "no rate of write"),
    ],
)
def test_what_is_not_there_is_refused_by_name(wrong, says):
    with pytest.raises(UsageError, match=says):
        explorer(TABLE, **wrong)


def test_runs_that_are_no_repeats_are_refused():
    rows = [("write", f, r, 10 * MIB) for f, r in CELLS]
    mixed = [run(n, rows, config=n) for n in ("sync", "async")]
    with pytest.raises(MixedCellError):
        explorer(measurements({"a": mixed}), operation="write")


@pytest.mark.slow
def test_the_real_campaign_hatches_what_it_could_not_measure(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    comparison = fsviz.compare(fsviz.select(campaign, tool=["iozone"]))
    (test,) = (t for t in comparison.tests if t.operation == "write")
    figure = test.explorer()
    title = figure.layout.title.text
    counted, whole = map(int, re.search(r"(\d+) of (\d+) sizes", title).groups())
    assert (counted, whole) == (109, 135)
    surfaces = [t for t in figure.data if isinstance(t, go.Surface)]
    assert len(surfaces) == 3
    drawn = [v for row in surfaces[0].z for v in row if v is not None]
    assert len(drawn) == counted
    assert all(v > 0 and math.isfinite(v) for v in drawn)
    (hatched,) = (t for t in traces(figure, "value", 0) if t.name == "does not count")
    assert len([x for x in hatched.x if x is None]) == whole - counted
    assert max(figure.layout.yaxis.tickvals) == math.log2(2**20 * KIB)


@pytest.mark.slow
def test_the_menu_stands_below_the_buttons_of_plotly_and_above_a_map(figure):
    """They covered it in JupyterLab, and it a long title."""
    (menu,), inner = figure.layout.updatemenus, figure.layout.yaxis2.domain
    high = figure.layout.height - figure.layout.margin.t - figure.layout.margin.b
    bottom = figure.layout.margin.t + (1 - menu.y) * high
    assert menu.yanchor == "bottom"
    assert bottom - 33 >= 28
    assert inner[1] < menu.y


def test_names_at_the_ends_of_lines_stand_apart_whatever_is_chosen(root):
    """In JupyterLab the candidate's lay on the baseline's after a choice."""
    campaign = loaded(root / "data/raw/loopback-2026")
    figure = fsviz.plot(campaign, "explorer", operation="write")
    (menu,) = figure.layout.updatemenus
    for button in menu.buttons:
        modes, places = (button.args[0][key] for key in ("mode", "textposition"))
        named = [
            (trace.meta["along"], place)
            for trace, mode, place in zip(figure.data, modes, places, strict=True)
            if trace.meta["role"] == "slice" and mode.endswith("text")
        ]
        assert len(named) == len(set(named)) == 4


def test_surfaces_stand_on_the_sizes_that_count(root):
    """Three of eight file sizes of it: the sheets were strips in a corner of a box."""
    campaign = loaded(root / "data/raw/loopback-2026")
    figure = fsviz.plot(campaign, "explorer", operation="random_read")
    scene, maps = figure.layout.scene2, figure.layout.yaxis2
    assert [round(end) for end in scene.yaxis.range] == [21, 23]
    assert [round(end) for end in scene.xaxis.range] == [12, 20]
    assert [round(end) for end in maps.range] == [16, 24]


def test_ten_cells_by_a_second_route(root):
    """From the numbers of the files to the text beside the picture."""
    campaign = loaded(root / "data/raw/onehost-2026")
    table = campaign.measurements
    figure = explorer(fsviz.select(campaign, tool=["iozone"]), operation="write")
    names = [one["name"] for one in figure.layout.meta["cells"]["systems"]]
    ratio, *_ = traces(figure, "ratio", names.index("xfs"))
    found = 0
    for k, (y, row) in enumerate(zip(ratio.y, ratio.hovertext, strict=True)):
        for x, text in list(zip(ratio.x, row, strict=True))[k % 3 :: 5]:
            if not text:
                continue
            here = table.loc[
                (table["operation"] == "write")
                & (table["file_size_bytes"] == round(2**y))
                & (table["record_size_bytes"] == round(2**x))
                & (table["metric"] == "throughput")
            ]
            xfs, ext4 = (
                math.exp(sum(map(math.log, here.loc[here["system"] == s, "value"])) / 5)
                for s in ("xfs", "ext4")
            )
            numbers = re.findall(r"<b>([\d.]+) GiB/s</b>", text)
            assert [float(n) for n in numbers] == [
                pytest.approx(v / 2**30, rel=0.005) for v in (xfs, ext4)
            ]
            if said := re.search(r"<b>([\d.]+)× (\w+)</b>", text):
                times = float(said[1]) if said[2] == "faster" else 1 / float(said[1])
                assert times == pytest.approx(xfs / ext4, rel=0.05)
            found += 1
    assert found >= 10


@pytest.mark.slow
def test_a_page_holds_each_fact_once():
    """At most 12.3 kB packed an explorer of one system and IOzone's 163 cells."""
    from fsviz.figures.page_code import packed

    sizes = [(f, r) for f in (2**n for n in range(6, 22)) for r in _records(f)]
    table = [("write", f, r, (f + r) * 1234.5) for f, r in sizes]
    same = [run(f"rep{n}", [(o, f, r, v * n) for o, f, r, v in table]) for n in (2, 3)]
    figure = explorer(measurements({"nfs": same}), operation="write")
    value = figure.layout.meta["cells"]["systems"][0]["value"]
    assert sum(v is not None for v in value) >= 163
    assert len(packed(figure.to_json())) <= 12_300


def _records(file_kib):
    """IOzone with -a -z: every record size that is not larger than the file."""
    return [r for r in (2**n for n in range(2, 15)) if r <= file_kib]
