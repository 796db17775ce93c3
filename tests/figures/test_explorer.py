"""The explorer as data: traces, ranges, ticks, gaps, one scale."""

import json
import math

import plotly.graph_objects as go
import pytest
from frames import KIB, measurements, run

import fsviz
from fsviz.errors import MixedCellError, UsageError
from fsviz.figures.explorer import explorer

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


def test_surface_and_heatmap_show_the_same_cells_in_display_units():
    figure = explorer(TABLE, operation="write", systems=["slow"])
    (surface,), (heatmap,) = traces(figure, go.Surface), traces(figure, go.Heatmap)
    expected = ((10.0, 20.0), (30.0, None))
    assert tuple(map(tuple, surface.z)) == expected
    assert tuple(map(tuple, heatmap.z)) == expected
    assert tuple(map(tuple, surface.surfacecolor)) == expected
    assert list(surface.x) == list(heatmap.x) == [12, 16]
    assert list(surface.y) == list(heatmap.y) == [16, 17]


def test_gaps_stay_gaps():
    figure = explorer(TABLE, operation="write", systems=["slow"])
    assert traces(figure, go.Surface)[0].connectgaps is False
    assert traces(figure, go.Heatmap)[0].hoverongaps is False
    lines = {line.name: line for line in traces(figure, go.Scatter)}
    assert list(lines["128 KiB"].y) == [30.0, None]
    assert all(line.connectgaps is False for line in lines.values())


def test_every_measured_cell_is_a_point_also_without_neighbours():
    figure = explorer(TABLE, operation="write", systems=["slow"])
    (points,) = traces(figure, go.Scatter3d)
    assert sorted(zip(points.x, points.y, points.z, strict=True)) == [
        (12, 16, 10),
        (12, 17, 30),
        (16, 16, 20),
    ]


def test_two_families_of_slices():
    figure = explorer(TABLE, operation="write", systems=["slow"])
    lines = traces(figure, go.Scatter)
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
    (menu,) = figure.layout.updatemenus
    assert [button.label for button in menu.buttons] == ["slow", "fast &lt;b&gt;"]
    shown = [trace.visible for trace in figure.data]
    assert shown == menu.buttons[0].args[0]["visible"]
    assert [not v for v in shown] == menu.buttons[1].args[0]["visible"]


def test_axes_state_sizes_and_units():
    layout = explorer(TABLE, operation="write").layout
    assert layout.xaxis.title.text == "record size"
    assert layout.yaxis.title.text == "file size"
    assert list(layout.yaxis.ticktext) == ["64 KiB", "128 KiB"]
    for axis in (layout.scene.zaxis, layout.yaxis2, layout.yaxis3):
        assert axis.title.text == "throughput [MiB/s]"
    assert layout.coloraxis.colorbar.title.text == "throughput [MiB/s]"


def test_pointing_at_a_cell_says_where_its_number_stands():
    figure = explorer(TABLE, operation="write", systems=["slow"])
    text = traces(figure, go.Heatmap)[0].hovertext[0][1]
    for piece in ("slow", "file 64 KiB", "record 64 KiB", "20 MiB/s", "n = 1 run"):
        assert piece in text
    assert "x.txt:line 2" in text


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
    text = explorer(TABLE, operation="write", systems=["fast <b>"]).to_json()
    layout = json.loads(text)["layout"]
    assert "fast &lt;b&gt;" in layout["title"]["text"]
    hover = json.loads(text)["data"][0]["hovertext"][0][0]
    assert "fast &lt;b&gt;" in hover
    assert "fast <b>" not in hover


@pytest.mark.parametrize(
    "wrong,says",
    [
        ({"operation": "wriet"}, "operation: expected one of write, found wriet"),
        ({"operation": "read"}, "no throughput of read"),
        ({"operation": "write", "systems": ["x"]}, "x: no throughput of write"),
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
    campaign = fsviz.load(root / "data/raw/onehost-2026")
    figure = fsviz.explorer(campaign, operation="random_write")
    surfaces = traces(figure, go.Surface)
    assert len(surfaces) == 3
    z = surfaces[0].z
    measured = [v for row in z for v in row if v is not None]
    # 15 file sizes by 13 record sizes; IOzone measures 135 of those 195 cells
    assert (len(z), len(z[0]), len(measured)) == (15, 13, 135)
    assert all(v > 0 and math.isfinite(v) for v in measured)
    assert max(figure.layout.yaxis.tickvals) == math.log2(2**20 * KIB)
