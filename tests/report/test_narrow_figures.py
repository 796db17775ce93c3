"""A title in a narrow window."""

import pytest
from browser import opened, wait_until
from nbformat.v4 import new_code_cell, new_notebook, new_output

from fsviz.figures.export import MIMETYPE
from fsviz.report.html import FsvizHTMLExporter

pytestmark = [pytest.mark.browser, pytest.mark.slow]


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
