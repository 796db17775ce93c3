"""What several tools measured of one operation is never drawn as one mean."""

import json
from dataclasses import replace

import plotly.graph_objects as go
import pytest
from frames import KIB, measurements, run

import fsviz
from fsviz.figures.kinds.buckets import buckets
from fsviz.figures.kinds.explorer import explorer
from fsviz.figures.kinds.lines import lines
from fsviz.figures.kinds.maps import maps
from fsviz.figures.kinds.ratios import ratios
from fsviz.figures.kinds.versus import versus

MIB = 2**20
CELLS = [("write", 64, 4, 10 * MIB), ("write", 64, 16, 20 * MIB)]
SAID = "Measured by iozone; by fio too, which is not shown."


def mixed(factor):
    """Three runs of IOzone, and three of fio, which are 100 times as fast."""
    found = []
    for n in (1, 2, 3):
        rows = [(o, f, r, v * factor * (1 + n / 100)) for o, f, r, v in CELLS]
        found.append(run(f"i{factor}-{n}", rows))
        [(*cell, value)] = rows[:1]
        other = run(f"f{factor}-{n}", [(*cell, value * 100)], config="d")
        found.append(replace(other, tool="fio"))
    return found


TABLE = measurements({"a": mixed(1), "b": mixed(2)})


@pytest.mark.parametrize("draw", [explorer, maps, versus, buckets, lines])
def test_the_tool_that_measured_most_is_shown_and_the_other_named(draw):
    figure = draw(TABLE, operation="write")
    assert SAID in figure.layout.meta["caption"]
    alone = fsviz.select(TABLE, tool="iozone")
    plain = draw(alone, operation="write")
    assert "Measured by" not in plain.layout.meta["caption"]
    shown, expected = (json.loads(f.to_json())["data"] for f in (figure, plain))
    assert shown == expected


def test_a_ratio_is_of_the_tool_whose_values_are_shown():
    comparison = fsviz.compare(TABLE, baseline="a")
    assert set(comparison.all_cells["tool"]) == {"iozone", "fio"}
    figure = maps(TABLE, operation="write", comparison=comparison)
    [ratios] = [t for t in figure.data if t.name == "ratio"]
    assert [[round(v, 6) for v in row] for row in ratios.z] == [[1.0, 1.0]]


def test_a_system_that_only_the_other_tool_measured_is_still_drawn():
    runs = {"a": mixed(1), "b": mixed(2), "c": [r for r in mixed(3) if r.tool == "fio"]}
    figure = explorer(measurements(runs), operation="write")
    surfaces = [t for t in figure.data if isinstance(t, go.Surface)]
    # fio measured three systems, IOzone two
    assert len(surfaces) == 3
    caption = figure.layout.meta["caption"]
    assert "Measured by fio; by iozone too, which is not shown." in caption


def test_nothing_is_said_where_one_tool_measured():
    table = fsviz.select(TABLE, tool="fio")
    meta = explorer(table, operation="write").layout.meta
    assert "Measured by" not in meta["caption"]
    assert meta["cells"]["files"] == [64 * KIB]


def test_ratios_have_a_row_for_each_tool():
    drawn = ratios(TABLE, baseline="a")
    rows = list(drawn.layout.yaxis.ticktext)
    assert [row.partition(" ")[0] for row in rows] == ["IOzone", "fio"]
    (points,) = (t for t in drawn.data if t.name == "ratios of b")
    # two points at one height would be two answers to one question
    assert list(points.y) == [0, 1]
