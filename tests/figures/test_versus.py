"""Side by side: one scale, one point of view, and ratios that say how sure they are."""

import re

import plotly.graph_objects as go
import pytest
from frames import measurements, repeats, run
from plotly.colors import sample_colorscale, unlabel_rgb

import fsviz
from fsviz.answers.words import ANSWER_SCALE
from fsviz.figures.kinds.maps import maps
from fsviz.figures.kinds.versus import versus
from fsviz.model.errors import UsageError

MIB = 2**20
CELLS = [(64, 4), (64, 16), (128, 4), (128, 16)]


def runs(name, values, cells=CELLS):
    return repeats(name, values, cells, (1, 1.01, 1.02))


TABLE = measurements(
    {
        "old": runs("o", [10, 10, 10, 10]),
        "new": runs("n", [40, 10, 5], CELLS[:3]),
        "far": runs("f", [80, 80, 80, 80]),
    }
)


@pytest.fixture(scope="module")
def figure():
    return versus(TABLE, operation="write", baseline="old")


def ratios(figure, candidate):
    (trace,) = [
        t for t in figure.data if t.name == "ratio" and t.xaxis == f"x{candidate}"
    ]
    return trace


def test_all_scenes_share_range_colours_and_camera(figure):
    scenes = [figure.layout[name] for name in ("scene", "scene2", "scene3")]
    assert len({tuple(s.zaxis.range) for s in scenes}) == 1
    assert len({tuple(s.xaxis.range) + tuple(s.yaxis.range) for s in scenes}) == 1
    assert len({str(s.camera) for s in scenes}) == 1
    surfaces = [t for t in figure.data if isinstance(t, go.Surface)]
    assert {t.coloraxis for t in surfaces} == {"coloraxis"}
    assert [t.scene for t in surfaces] == ["scene", "scene2", "scene3"]
    # the geometric mean of 80, 80.8 and 81.6
    mean = (80 * 80.8 * 81.6) ** (1 / 3)
    assert figure.layout.coloraxis.cmax == pytest.approx(mean, rel=1e-4)


def test_every_camera_button_turns_every_scene(figure):
    for button in figure.layout.updatemenus[0].buttons:
        turned = [key for key in button.args[0] if key.endswith("camera")]
        assert turned == ["scene.camera", "scene2.camera", "scene3.camera"]


def test_ratios_are_log_two_and_centred_on_one(figure):
    z = ratios(figure, 2).z
    assert z[0] == pytest.approx((2, 0), abs=1e-4)
    assert z[1][0] == pytest.approx(-1, abs=1e-4)
    axis = figure.layout.coloraxis2
    assert axis.cmin == -axis.cmax
    # the far candidate, 8 times as fast, leaves the others their colours
    assert axis.cmax == 2
    assert axis.colorbar.ticktext == ("≥▼4×", "▼2×", "1×", "▲2×", "≥▲4×")
    # a title along the bar turns ▲ into ▶, beside ticks that say ▲
    assert axis.colorbar.title.side == "top"


def test_unmatched_cells_are_hatched_and_have_no_ratio(figure):
    assert ratios(figure, 2).z[1][1] is None
    (hatching,) = [
        t
        for t in figure.data
        if t.name == "not measurable, or of one side" and t.xaxis == "x2"
    ]
    assert hatching.fillpattern.shape == "/"
    # one square around log2 of 16 KiB, 128 KiB
    assert (min(hatching.x[:4]) + max(hatching.x[:4])) / 2 == pytest.approx(14)
    assert (min(hatching.y[:4]) + max(hatching.y[:4])) / 2 == pytest.approx(17)
    assert len(hatching.x) == 5


def test_what_may_be_chance_is_greyed(figure):
    (layer,) = [
        t for t in figure.data if t.name == "not significant" and t.xaxis == "x2"
    ]
    assert [list(row) for row in layer.z] == [[None, 1], [None, None]]


def test_the_line_is_the_edge_between_cells_that_different_sides_win(figure):
    (line,) = [t for t in figure.data if t.name == "winner changes" and t.x]
    assert line.xaxis == "x2"
    # new wins 64 KiB by 4 KiB and loses 128 KiB by 4 KiB; beside them nobody wins
    assert list(line.x) == [11, 13, None]
    assert list(line.y) == [16.5, 16.5, None]


def test_numbers_are_left_out_where_they_would_touch():
    sizes = [2**n for n in range(2, 15)]  # as IOzone's automatic mode has them
    cells = [(2**14, size) for size in sizes]
    names = ("a-name-so-long-that-it-would-reach-the-next-1", "two", "three")
    table = measurements({name: runs(name, [10] * 13, cells) for name in names})
    for some, written in ((names[:2], 2), (names, 0)):
        figure = versus(table, operation="write", system=some)
        texts = [t for t in figure.data if t.type == "scatter" and t.mode == "text"]
        assert len(texts) == written
        over = [a.text for a in figure.layout.annotations]
        assert "<b>a-name-so-l…the-next-1 (baseline)</b>" in over
        assert "<b>against a-name-so-l…the-next-1</b>" in over


def test_a_pointed_ratio_states_values_interval_and_runs(figure):
    drawn = ratios(figure, 2)
    text = drawn.hovertext[0][0]
    for piece in (
        "file 64 KiB, record 4 KiB",
        "4.0× faster",
        "faster",
        "95 % interval",
        "(40–40.8, 3 runs)",
    ):
        assert piece in text


def test_a_disqualified_cell_is_crossed_out_and_has_no_winner():
    comparison = fsviz.compare(TABLE, baseline="old")
    known = comparison.all_cells
    first = (known["file_size_bytes"] == 64 * 1024) & (
        known["record_size_bytes"] == 4 * 1024
    )
    known.loc[first, "answer"] = "not_comparable"
    known.loc[first, "rule"] = "too-short"
    told = {"operation": "write", "baseline": "old", "comparison": comparison}
    drawn = maps(TABLE, **told)
    (crossed,) = [
        t for t in drawn.data if t.name == "not comparable" and t.xaxis == "x2"
    ]
    assert (crossed.x, crossed.y) == ((12,), (16,))
    assert "not comparable: too short" in ratios(drawn, 2).hovertext[0][0]
    (layer,) = [t for t in drawn.data if t.name == "not significant"][:1]
    assert layer.z[0][0] == 1
    alt = drawn.layout.meta["alt"]
    assert "new is faster in 0 and slower in 1 of 4 cells, " in alt
    # what is not told apart is counted too
    assert sum(map(int, re.findall(r" in (\d+)", alt.split(";")[0]))) == 4
    with pytest.raises(UsageError, match="expected one with far, found old"):
        maps(TABLE, **told | {"baseline": "far"})


def test_ratios_of_every_operation_end_at_the_same_colour():
    both = {
        name: [
            run(f"{name}{n}", [(op, f, 4, v * MIB * (1 + n / 100)) for f in (64, 128)])
            for n in (0, 1, 2)
            for op, v in (("write", 10), ("read", fast))
        ]
        for name, fast in (("old", 10), ("new", 160))
    }
    ends = [
        maps(measurements(both), operation=name).layout.coloraxis2.cmax
        for name in ("write", "read")
    ]
    assert ends[0] == ends[1] >= 4


def test_surfaces_alone_have_no_maps(figure):
    alone = versus(TABLE, operation="write", baseline="old", maps=False)
    assert not [t for t in alone.data if isinstance(t, go.Heatmap)]
    assert "coloraxis2" not in alone.to_dict()["layout"]
    assert alone.layout.height < figure.layout.height


def contrast(one, other):
    """WCAG 2, of two colours as red, green and blue."""
    lights = []
    for colour in (one, other):
        parts = [c / 255 for c in colour]
        linear = [
            c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts
        ]
        lights.append(0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2])
    dark, light = sorted(lights)
    return (light + 0.05) / (dark + 0.05)


def test_each_number_is_readable_on_its_own_cell(figure):
    """The scale ends at the largest ratio of all systems, not of the cell's own."""
    axis = figure.layout.coloraxis2
    for position in (2, 3):
        drawn = ratios(figure, position)
        (numbers,) = [
            t
            for t in figure.select_traces({"mode": "text"})
            if t.xaxis == f"x{position}"
        ]
        found = dict(
            zip(
                zip(numbers.x, numbers.y, strict=True),
                numbers.textfont.color,
                strict=True,
            )
        )
        for y, row in zip(drawn.y, drawn.z, strict=True):
            for x, value in zip(drawn.x, row, strict=True):
                ink = found.get((x, y))
                if value is None or ink not in ("#fff", "#000"):
                    continue
                share = (value - axis.cmin) / (axis.cmax - axis.cmin)
                share = min(1.0, max(0.0, share))
                (ground,) = sample_colorscale(ANSWER_SCALE, [share])
                white = 255 if ink == "#fff" else 0
                assert contrast(unlabel_rgb(ground), [white] * 3) >= 4.5
