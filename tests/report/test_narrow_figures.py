"""In a narrow window, of figures that are read alike only the first is open."""

import pytest
from browser import opened, wait_until
from nbformat.v4 import new_code_cell, new_notebook, new_output

from fsviz.figures.export import MIMETYPE
from fsviz.report.html import FsvizHTMLExporter

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    outputs = []
    for name in ("Write", "Read", "Reread"):
        layout = {"title": {"text": name}, "meta": {"caption": "Blue is better."}}
        shown = {"data": [{"type": "bar", "y": [1, 2]}], "layout": layout}
        table = f"<p>Numbers of {len(outputs)}</p>"
        for kind, data in ((MIMETYPE, shown), ("text/html", table)):
            outputs.append(new_output("display_data", {kind: data}))
    notebook = new_notebook(cells=[new_code_cell("", outputs=outputs)])
    text, _ = FsvizHTMLExporter().from_notebook_node(notebook)
    path = tmp_path_factory.mktemp("page") / "figures.html"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_others_open_at_a_touch_with_what_belongs_to_them(page, chromium):
    with opened(chromium, page, (390, 800)) as watched:
        shown = watched.page
        folds = shown.locator("details.fsviz-again")
        assert folds.count() == 2
        assert shown.locator("details.fsviz-again[open]").count() == 0
        assert shown.locator("figure:visible").count() == 1
        assert shown.get_by_text("Numbers of 0").is_visible()
        assert not shown.get_by_text("Numbers of 2").is_visible()
        assert folds.last.locator("summary").inner_text() == "Reread"
        folds.last.locator("summary").click()
        wait_until(shown, "document.querySelector('#figure-3 .main-svg') !== null")
        assert shown.get_by_text("Numbers of 4").is_visible()
        assert not shown.get_by_text("Numbers of 2").is_visible()
        assert not watched.errors


def test_a_window_that_becomes_wide_has_them_all(page, chromium):
    with opened(chromium, page, (390, 800)) as watched:
        shown = watched.page
        assert shown.locator("figure:visible").count() == 1
        shown.set_viewport_size({"width": 1280, "height": 900})
        shown.locator("figure:visible").nth(2).wait_for()
        wait_until(shown, "document.querySelector('#figure-3 .main-svg') !== null")
        assert shown.locator(".fsviz-again > summary:visible").count() == 0
        assert not watched.errors


WORDS = "latency and operations per second over the depth of the queue"


@pytest.fixture(scope="module")
def titled(tmp_path_factory):
    title = f"<b>Random read</b> – {WORDS}"
    layout = {"title": {"text": title, "x": 0.01, "xanchor": "left", "y": 0.985}}
    shown = {"data": [{"type": "bar", "y": [1, 2]}], "layout": layout}
    output = new_output("display_data", {MIMETYPE: shown})
    notebook = new_notebook(cells=[new_code_cell("", outputs=[output])])
    text, _ = FsvizHTMLExporter().from_notebook_node(notebook)
    path = tmp_path_factory.mktemp("page") / "title.html"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_long_title_goes_on_in_another_line(titled, chromium):
    """It ran out of the picture; a window that becomes wide has it in one again."""
    seen = """(() => {
      const title = document.querySelector(".gtitle"),
        { left, right, top, bottom } = title.getBoundingClientRect(),
        edge = document.querySelector(".fsviz-plot").getBoundingClientRect().top,
        plot = document.querySelector(".nsewdrag").getBoundingClientRect();
      return { left, right, above: top - edge, room: plot.top - bottom,
        text: title.textContent,
        lines: title.querySelectorAll("tspan.line").length };
    })()"""
    with opened(chromium, titled, (390, 800)) as watched:
        shown = watched.page
        wait_until(shown, "document.querySelector('.gtitle tspan.line') !== null")
        narrow = shown.evaluate(seen)
        assert 2 <= narrow["lines"] <= 3
        assert 0 <= narrow["left"] < narrow["right"] <= 390
        assert narrow["above"] >= 0
        assert narrow["room"] > 0
        shown.set_viewport_size({"width": 1280, "height": 900})
        wait_until(shown, "document.querySelector('.gtitle tspan.line') === null")
        assert shown.evaluate(seen)["text"] == f"Random read – {WORDS}"
        assert not watched.errors
