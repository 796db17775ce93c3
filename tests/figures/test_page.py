"""A page of many surfaces: each is drawn while it can be seen, and none is lost."""

import base64
import gzip
import json
import re

import pytest
from browsing import browsing, write_page
from frames import measurements, repeats

from fsviz.figures.export import to_html
from fsviz.figures.kinds.versus import versus
from fsviz.report.html import page_parts

CELLS = [(64, 4), (64, 16), (128, 4), (128, 16)]
SYSTEMS = 9
FIGURES = 2
CHROMIUMS_LIMIT = 16
# the rows of 3D panels whose middle is in the window, and those of their scenes drawn
SEEN = """() => fsvizPage.entries.flatMap(({gd, figure}) => {
  const box = gd.getBoundingClientRect(), {t = 0, b = 0} = figure.layout.margin || {};
  const area = box.height - t - b;
  const scenes = Object.keys(figure.layout).filter((key) => /^scene\\d*$/.test(key));
  const inside = (key) => {
    const y = figure.layout[key].domain.y;
    const middle = box.top + t + (1 - (y[0] + y[1]) / 2) * area;
    return middle > 0 && middle < innerHeight;
  };
  const drawn = (key) => {
    const scene = (gd._fullLayout[key] || {})._scene;
    return Boolean(scene && scene.glplot) && !scene.glplot.gl.isContextLost();
  };
  return scenes.filter(inside).map(drawn);
})"""
TURN = """() => Plotly.relayout("figure-1", {"scene.camera": {
  ...document.getElementById("figure-1")._fullLayout.scene._scene.getCamera(),
  eye: {x: 2.5, y: 0, z: 1},
}})"""
LIVE = """() => document.querySelectorAll(".gl-container canvas").length"""


@pytest.fixture(scope="module")
def table():
    names = [f"s{number}" for number in range(1, SYSTEMS + 1)]
    return measurements(
        {
            name: repeats(f"{name}-", [number] * 4, CELLS, (1, 1.01, 1.02))
            for number, name in enumerate(names, 1)
        }
    )


@pytest.mark.parametrize("paper", [False, True])
def test_a_page_carries_no_comments(paper):
    parts = page_parts(with_figures=True, paper=paper)
    assert parts["script"].count("\n") > 100
    assert not re.search(r"^\s|^//", parts["script"], flags=re.MULTILINE)
    assert ".highlight .k" in parts["css"]
    assert "/*" not in parts["css"]


def test_what_is_folded_is_packed_and_loses_nothing(table):
    figure = json.loads(versus(table, operation="write").to_json())
    plain = to_html(figure, "figure-1", plain=True)
    figure["layout"]["meta"]["folded"] = "Surfaces"
    packed = to_html(figure, "figure-1")
    (data,) = re.findall(r'data-packed="gzip">([\w+/=]+)</script>', packed)
    assert json.loads(gzip.decompress(base64.b64decode(data))) == {
        "data": figure["data"],
        "layout": figure["layout"],
    }
    assert len(packed) < len(plain) / 3


@pytest.mark.slow
@pytest.mark.browser
def test_every_surface_in_the_window_is_drawn_and_on_paper_too(
    table, chromium, tmp_path
):
    figures = [versus(table, operation="write") for _ in range(FIGURES)]
    page = write_page(tmp_path / "page.html", figures)
    with browsing(chromium, width=1000, height=768) as browser:
        browser.open(page)
        # turned while only its first row is drawn
        browser.page.evaluate(TURN)
        second = browser.page.evaluate("document.getElementById('figure-2').offsetTop")
        for top in (second - 300, 0):
            browser.page.evaluate("top => scrollTo(0, top)", top)
            browser.frames(3)
            drawn = browser.page.evaluate(SEEN)
            assert drawn, top
            assert all(drawn), (top, drawn)
            assert browser.page.evaluate(LIVE) < CHROMIUMS_LIMIT
        browser.page.evaluate("fsvizPage.prepareForPrint()")
        images = browser.page.evaluate(
            "[...document.querySelectorAll('.fsviz-still')].map(i => i.src.length)"
        )
        assert len(images) == SYSTEMS * FIGURES
        assert min(images) > 2_000  # a blank one is a few hundred bytes
        layout = browser.page.evaluate("document.getElementById('figure-1').layout")
        eyes = [layout[key]["camera"]["eye"] for key in layout if key[:5] == "scene"]
        assert [eye["x"] for eye in eyes] == [2.5] * SYSTEMS
        assert browser.complaints == []
