"""Regimes in figures: strips beside the sizes, and words at each cell."""

import re

import pandas as pd
import plotly.graph_objects as go
import pytest
from frames import measurements, run

from fsviz.figures.kinds.explorer import explorer
from fsviz.figures.kinds.versus import versus
from fsviz.figures.panels.regions import SENTENCE
from fsviz.model.campaign import Campaign
from fsviz.model.table import RUN_COLUMNS

MIB = 2**20
# with 128 KiB of memory: one row of cache, two of transition, one of storage
ROWS = [
    ("write", f, r, (f + r) * MIB)
    for f in (64, 128, 256, 512)
    for r in (4, 64, 128)
    if r <= f
]
NAMES = ("a", "b")


def campaign(*ram, thresholds=None):
    table = measurements({n: [run(n, ROWS), run(n + n, ROWS)] for n in NAMES})
    facts = dict.fromkeys(("link", "mtu", "cpu_cache"))
    systems = pd.DataFrame({"system": NAMES, "client_ram": ram} | facts, dtype="string")
    names = ["campaign", "system", "tool", "run", "repeat", "source"]
    runs = table[names].drop_duplicates("run").reindex(columns=list(RUN_COLUMNS))
    told = {"configuration": "", "tool_version": "", "command_line": "", "note": ""}
    told |= {"facts": "{}", "host": "", "complete": True}
    runs = runs.assign(**told, sources=[()] * len(runs))
    runs = runs.astype(RUN_COLUMNS)
    return Campaign("c", "", None, table, runs, systems, thresholds=thresholds or {})


def strips(figure, x):
    return [
        (s.name.removeprefix("regime "), s.y0, s.y1, s.x0, s.x1)
        for s in figure.layout.shapes
        if s.name and s.name.startswith("regime ") and s.xref == x
    ]


def test_strips_part_the_sizes_between_the_cells():
    figure = explorer(campaign("128 KiB", "128 KiB"), operation="write")
    beside = strips(figure, "x domain")
    edges = [("cache", 15.5, 16.5), ("transition", 16.5, 18.5), ("storage", 18.5, 19.5)]
    assert [(name, y0, y1) for name, y0, y1, *_ in beside] == [
        (name, pytest.approx(y0, abs=0.1), pytest.approx(y1, abs=0.1))
        for name, y0, y1 in edges
    ]
    above = strips(figure, "x3")
    assert [(name, x0, x1) for name, _, _, x0, x1 in above] == [
        (name, pytest.approx(x0, abs=0.1), pytest.approx(x1, abs=0.1))
        for name, x0, x1 in edges
    ]
    # outside of the cells and of the lines
    assert {x0 > 1 for *_, x0, _ in beside} == {y0 > 1 for _, y0, *_ in above} == {True}
    named = [a.text for a in figure.layout.annotations]
    assert all(named.count(name) == 2 for name, *_ in edges)
    assert figure.layout.meta["caption"].endswith(SENTENCE)


@pytest.mark.slow
@pytest.mark.parametrize("ram", [(None, None), ("128 KiB", None), ("128 KiB", "1 MiB")])
def test_where_memory_is_not_stated_or_differs_there_is_no_strip(ram):
    for figure in (
        explorer(campaign(*ram), operation="write"),
        versus(campaign(*ram), operation="write"),
    ):
        assert not [s for s in figure.layout.shapes if "regime" in (s.name or "")]
        assert "strip" not in figure.layout.meta["caption"].lower()


def test_each_cell_says_its_own_system_s_regime():
    figure = explorer(campaign("128 KiB", None), operation="write")
    first, second = figure.layout.meta["cells"]["systems"]
    assert first["regimes"] == ["cache", "transition", "transition", "storage"]
    assert "regimes" not in second
    one, other = (t for t in figure.data if isinstance(t, go.Heatmap))
    said = [re.search(r"\((\w+)\)", row[0])[1] for row in one.hovertext]
    assert said == first["regimes"]
    assert one.hovertext[0][2] == ""  # a gap
    assert "file %{hovertext}" in one.hovertemplate
    assert not [text for row in other.hovertext for text in row if "(" in text]
    flat = [t for t in figure.data if isinstance(t, go.Scatter) and t.visible]
    lines = [t for t in flat if t.mode == "lines+markers"]
    assert "file 128 KiB (transition), record" in lines[1].hovertemplate


def test_the_campaign_s_threshold_moves_the_strip_and_the_line():
    moved = campaign("128 KiB", "128 KiB", thresholds={"storage_multiple": 2.0})
    figure = explorer(moved, operation="write")
    names = [name for name, *_ in strips(figure, "x3")]
    assert names == ["cache", "transition", "storage"]
    assert strips(figure, "x3")[1][4] == pytest.approx(17.5, abs=0.1)
    texts = [s.label.text for s in figure.layout.shapes if s.label.text]
    assert "2 × RAM 256 KiB" in texts


def test_the_line_at_the_memory_s_size_hides_no_number():
    figure = explorer(campaign("128 KiB", "128 KiB"), operation="write")
    lines = [s for s in figure.layout.shapes if s.line.dash == "dot"]
    # rows stand at whole numbers, 64 KiB = 16 to 512 KiB = 19; slices are exact
    assert [s.y0 for s in lines if s.yref == "y"] == [16.5, pytest.approx(18.5)]
    exact = [s.x0 for s in lines if s.xref == "x3"]
    assert exact == [17, pytest.approx(17 + 1.585, abs=0.001)]


def test_ratios_say_the_regime_too():
    same = campaign("128 KiB", "128 KiB")
    figure = versus(same, operation="write")
    assert [name for name, *_ in strips(figure, "x2 domain")] == [
        *("cache", "transition", "storage")
    ]
    (ratio,) = [t for t in figure.data if t.name == "ratio"]
    assert "file 512 KiB, record 4 KiB, storage" in ratio.hovertext[3][0]
