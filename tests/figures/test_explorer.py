"""The explorer as data: traces, ranges, ticks, gaps, one scale."""

import json
import math

import plotly.graph_objects as go
import pytest
from frames import KIB, measurements, run
from samples import loaded

import fsviz
from fsviz.figures.kinds.explorer import explorer
from fsviz.model.errors import MixedCellError, UsageError

MIB = 2**20
SLOW = [
    ("write", 64, 4, 10 * MIB),
    ("write", 64, 64, 20 * MIB),
    ("write", 128, 4, 30 * MIB),
]
FAST = [(o, f, r, v * 4) for o, f, r, v in SLOW]
TABLE = measurements({"slow": [run("x", SLOW)], "fast <b>": [run("y", FAST)]})


def traces(figure, kind):
    return [trace for trace in figure.data if isinstance(trace, kind)]


def lines_of(figure):
    return [t for t in traces(figure, go.Scatter) if t.mode == "lines+markers"]


def cells_of(figure):
    return figure.layout.meta["cells"]


def test_surface_and_heatmap_show_the_same_cells_in_display_units():
    figure = explorer(TABLE, operation="write", system=["slow"])
    (surface,), (heatmap,) = traces(figure, go.Surface), traces(figure, go.Heatmap)
    expected = ((10.0, 20.0), (30.0, None))
    assert tuple(map(tuple, surface.z)) == expected
    assert tuple(map(tuple, heatmap.z)) == expected
    assert surface.surfacecolor is None  # the height is the colour
    assert list(surface.x) == list(heatmap.x) == [12, 16]
    assert list(surface.y) == list(heatmap.y) == [16, 17]


def test_gaps_stay_gaps():
    figure = explorer(TABLE, operation="write", system=["slow"])
    assert traces(figure, go.Surface)[0].connectgaps is False
    assert traces(figure, go.Heatmap)[0].hoverongaps is False
    lines = {line.name: line for line in lines_of(figure)}
    assert list(lines["128 KiB"].y) == [30.0, None]
    assert all(line.connectgaps is False for line in lines.values())


def test_every_measured_cell_is_a_point_also_without_neighbours():
    figure = explorer(TABLE, operation="write", system=["slow"])
    (points,) = traces(figure, go.Scatter3d)
    assert sorted(zip(points.x, points.y, points.z, strict=True)) == [
        (12, 16, 10),
        (12, 17, 30),
        (16, 16, 20),
    ]


def test_two_families_of_slices():
    figure = explorer(TABLE, operation="write", system=["slow"])
    lines = lines_of(figure)
    over_record = [line.name for line in lines if line.xaxis == "x2"]
    over_file = [line.name for line in lines if line.xaxis == "x3"]
    assert over_record == ["64 KiB", "128 KiB"]
    assert over_file == ["4 KiB", "64 KiB"]


def test_all_systems_share_one_scale():
    figure = explorer(TABLE, operation="write")
    assert (figure.layout.coloraxis.cmin, figure.layout.coloraxis.cmax) == (0, 120)
    assert figure.layout.scene.zaxis.range[1] >= 120
    assert figure.layout.yaxis2.range == figure.layout.yaxis3.range
    assert figure.layout.yaxis3.matches == "y2"
    for trace in (*traces(figure, go.Surface), *traces(figure, go.Heatmap)):
        assert trace.coloraxis == "coloraxis"


def test_the_menu_shows_one_system_at_a_time():
    figure = explorer(TABLE, operation="write")
    _, menu = figure.layout.updatemenus
    assert [button.label for button in menu.buttons] == ["slow", "fast &lt;b&gt;"]
    shown = [trace.visible for trace in figure.data]
    first, second = (button.args[0]["visible"] for button in menu.buttons)
    # plotly repeats the list over the traces, so it must repeat with every kind
    assert shown == first * (len(shown) // 2)
    assert second == [not v for v in first]


def test_axes_state_sizes_and_units():
    layout = explorer(TABLE, operation="write").layout
    assert layout.xaxis.title.text == "record size"
    assert layout.yaxis.title.text == "file size"
    assert list(layout.yaxis.ticktext) == ["64 KiB", "128 KiB"]
    for axis in (layout.scene.zaxis, layout.yaxis2, layout.yaxis3):
        assert axis.title.text == "throughput [MiB/s]"
    assert layout.coloraxis.colorbar.title.text == "throughput [MiB/s]"


def test_the_facts_of_a_cell_ride_once_and_say_where_its_number_stands():
    cells = cells_of(explorer(TABLE, operation="write"))
    assert cells["files_text"] == ["64 KiB", "128 KiB"]
    assert cells["records"] == [4 * KIB, 64 * KIB]
    slow = cells["systems"][0]
    assert slow["value"] == [10, 20, 30, None]
    assert slow["n"] == 1
    assert "low" not in slow
    assert [slow["prefix"] + p for p in slow["place"][:3]] == [
        f"x.txt:line {line}" for line in (1, 2, 3)
    ]


def test_an_interval_and_n_are_those_of_the_cell():
    runs = [run("a", [("write", 64, 4, 10 * MIB)]), run("b", SLOW[:1])]
    runs.append(run("c", [("write", 64, 4, 16 * MIB), *SLOW[1:]]))
    (only,) = cells_of(explorer(measurements({"s": runs}), operation="write"))[
        "systems"
    ]
    assert only["n"] == [3, 1, 1, None]
    # mean 12, s = 2 sqrt(3), t(2; 0.975) = 4.3027: half = 4.3027 * 2 = 8.6053
    assert only["value"][0] == pytest.approx(12)
    assert (only["low"][0], only["high"][0]) == (
        pytest.approx(12 - 8.6053, abs=1e-3),
        pytest.approx(12 + 8.6053, abs=1e-3),
    )
    assert only["low"][1] is None


def test_plain_hover_needs_no_script():
    figure = explorer(TABLE, operation="write", system=["slow"])
    heatmap = traces(figure, go.Heatmap)[0]
    assert heatmap.hovertext[0][1] == "64 KiB, record 64 KiB"
    assert list(figure.layout.xaxis.ticktext) == ["4<br>KiB", "64<br>KiB"]
    surface = traces(figure, go.Surface)[0]
    # by column and row, as plotly.js reads the text of a surface
    assert surface.hovertext[1][0] == "64 KiB, record 64 KiB"
    assert heatmap.text[0][1] == "20"
    assert "file %{hovertext}<br>%{text} MiB/s" in heatmap.hovertemplate
    assert "%{text} MiB/s<br>n = 1" in heatmap.hovertemplate
    line = lines_of(figure)[0]
    assert line.text == ("4 KiB", "64 KiB")
    assert "file 64 KiB, record %{text}" in line.hovertemplate


def test_numbers_in_cells_contrast_with_their_colour():
    figure = explorer(TABLE, operation="write", system=["slow"])
    numbers, *_ = [t for t in traces(figure, go.Scatter) if t.mode == "text"]
    assert numbers.text == ("10.0", "20.0", "30.0")
    # a third and two thirds of the scale are dark enough for white or light for black
    assert numbers.textfont.color == ("#fff", "#000", "#000")


def ends_of(rows):
    table = measurements({"a": [run("x", [("write", *row) for row in rows])]})
    figure = explorer(table, operation="write")
    ends = [t for t in traces(figure, go.Scatter) if t.mode == "text"][1:]
    return [
        {text.strip(): (x, y) for text, x, y in zip(t.text, t.x, t.y, strict=True)}
        for t in ends
    ]


def test_lines_are_named_where_they_end():
    over_record, over_file = ends_of([(64, 4, 10), (64, 64, 20), (128, 4, 30)])
    assert over_record == {"64 KiB": (16, 20), "128 KiB": (12, 30)}
    # the line of 4 KiB passes beside the one point of 64 KiB
    assert over_file == {"4 KiB": (17, 30)}


@pytest.mark.parametrize(
    "rows",
    [
        # two ends beside one another
        [(64, 4, 10), (64, 64, 20), (128, 4, 30), (128, 64, 20.5)],
        # the end of one where the other passes
        [(64, 4, 10), (64, 64, 20), (128, 4, 12)],
        # on the way from far below to far above
        [(64, 4, 1), (64, 8, 30), (128, 4, 16)],
    ],
)
def test_a_name_is_left_out_where_another_line_passes(rows):
    over_record, _ = ends_of(rows)
    assert "128 KiB" not in over_record


def test_it_opens_where_the_winner_depends_on_the_size():
    def system(small, large):
        values = [("write", 64, 4, small * MIB), ("write", 64, 64, large * MIB)]
        more = [(*place, value * 1.01) for *place, value in values]
        return [run("x", values), run("y", more)]

    systems = {"base": system(9, 9), "fast": system(20, 20), "mixed": system(3, 30)}
    figure = explorer(measurements(systems), operation="write")
    assert figure.layout.title.text.endswith("mixed")
    assert figure.layout.updatemenus[-1].active == 2
    shown = {trace.meta["system"] for trace in figure.data if trace.visible}
    assert shown == {2}
    del systems["mixed"]
    figure = explorer(measurements(systems), operation="write")
    assert figure.layout.title.text.endswith("base")


def test_the_camera_has_named_places_and_no_perspective():
    figure = explorer(TABLE, operation="write")
    buttons = figure.layout.updatemenus[0].buttons
    assert [b.label for b in buttons][1:] == [
        "from large files",
        "from small records",
        "top",
    ]
    cameras = [b.args[0]["scene.camera"] for b in buttons]
    assert {c["projection"]["type"] for c in cameras} == {"orthographic"}
    assert figure.layout.scene.camera.eye.x == cameras[0]["eye"]["x"]


def test_a_wide_range_is_shown_on_a_log_scale():
    wide = [("write", 64, 4, MIB), ("write", 64, 8, 100 * MIB), ("write", 128, 4, MIB)]
    figure = explorer(measurements({"a": [run("x", wide)]}), operation="write")
    heatmap = traces(figure, go.Heatmap)[0]
    assert heatmap.z[0][1] == pytest.approx(2)
    assert heatmap.text[0][1] == "100"
    assert figure.layout.scene.zaxis.type == "log"
    assert figure.layout.yaxis2.type == "log"
    assert list(figure.layout.coloraxis.colorbar.ticktext)[-1] == "100"


def test_a_system_s_name_is_text_everywhere():
    text = explorer(TABLE, operation="write", system=["fast <b>"]).to_json()
    layout = json.loads(text)["layout"]
    assert "fast &lt;b&gt;" in layout["title"]["text"]
    assert "fast &lt;b&gt;" in json.loads(text)["data"][0]["hovertemplate"]
    # here it is data that the script shows as text
    assert layout["meta"]["cells"]["systems"][0]["name"] == "fast <b>"


@pytest.mark.parametrize(
    "wrong,says",
    [
        ({"operation": "wriet"}, "operation: expected one of write, found wriet"),
        ({"operation": "read"}, "no throughput of read"),
        (
            {"operation": "write", "system": ["x"]},
            "system: expected one of slow, fast <b>, found x",
        ),
        ({"operation": "write", "metric": "rate"}, "no rate of write"),
    ],
)
def test_what_is_not_there_is_refused_by_name(wrong, says):
    with pytest.raises(UsageError, match=says):
        explorer(TABLE, **wrong)


def test_runs_that_are_no_repeats_are_refused():
    runs = [run(n, SLOW, config=n) for n in ("sync", "async")]
    with pytest.raises(MixedCellError):
        explorer(measurements({"a": runs}), operation="write")


def test_the_real_campaign(root):
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = fsviz.explorer(campaign, operation="random_write")
    surfaces = traces(figure, go.Surface)
    assert len(surfaces) == 3
    z = surfaces[0].z
    measured = [v for row in z for v in row if v is not None]
    # 15 file sizes by 13 record sizes; IOzone measures 135 of those 195 cells
    assert (len(z), len(z[0]), len(measured)) == (15, 13, 135)
    assert all(v > 0 and math.isfinite(v) for v in measured)
    assert max(figure.layout.yaxis.tickvals) == math.log2(2**20 * KIB)


def test_a_page_holds_each_fact_once():
    """At most 60 kB an explorer of IOzone's 163 cells, beside plotly.js."""
    sizes = [(f, r) for f in (2**n for n in range(6, 22)) for r in _records(f)]
    table = [("write", f, r, (f + r) * 1234.5) for f, r in sizes]
    runs = [run(f"rep{n}", [(o, f, r, v * n) for o, f, r, v in table]) for n in (2, 3)]
    figure = explorer(measurements({"nfs": runs}), operation="write")
    value = cells_of(figure)["systems"][0]["value"]
    assert sum(v is not None for v in value) >= 163
    assert len(figure.to_json()) <= 60_000


def _records(file_kib):
    """IOzone with -a -z: every record size that is not larger than the file."""
    return [r for r in (2**n for n in range(2, 15)) if r <= file_kib]
