"""The widget's script in a real browser, with a model like JupyterLab's."""

import json

import plotly.graph_objects as go
import pytest
from browser import wait_until
from browsing import browsing

from fsviz.figures.export import plotly_js
from fsviz.figures.widget import PENDING, LinkedFigures

pytestmark = pytest.mark.browser

PAGE = """<!DOCTYPE html><meta charset="utf-8"><div id="el"></div>
<script type="application/json" id="sent">{sent}</script>
<script>{script}
const sent = JSON.parse(document.getElementById("sent").textContent);
let follow, now = 0;
const model = {{
  get: (name) => name === "library" ? sent.library : sent.figures[now],
  on: (name, act) => {{ follow = act; }},
}};
globalThis.widget.render({{ model, el: document.getElementById("el") }});
globalThis.next = () => {{ now += 1; follow(); }};
</script>"""


def figure(title):
    return go.Figure(layout={"title": {"text": title}, "height": 200}).to_json()


def of_each(page, what):
    every = "[...document.querySelectorAll('.js-plotly-plot')]"
    return page.evaluate(f"{every}.map(g => g.{what})")


def titles(page):
    return of_each(page, "layout.title.text")


def busy(page):
    return of_each(page, "ariaBusy")


def test_a_figure_that_is_being_made_is_pale_until_it_comes(chromium, tmp_path):
    steps = [
        ["read", "maps of read", "means of read"],
        ["write", PENDING, PENDING],
        ["write", "maps of write", "means of read"],
        ["write"],
    ]
    figures = [[one and figure(one) for one in step] for step in steps]
    sent = json.dumps({"library": plotly_js(), "figures": figures})
    script = LinkedFigures._esm.replace("export default", "globalThis.widget =")
    text = PAGE.format(sent=sent.replace("<", "\\u003c"), script=script)
    (tmp_path / "widget.html").write_text(text, encoding="utf-8")
    with browsing(chromium) as browser:
        page = browser.page
        page.goto((tmp_path / "widget.html").as_uri())
        wait_until(page, "document.querySelectorAll('.js-plotly-plot').length === 3")
        assert titles(page) == steps[0]
        page.evaluate("next()")
        assert busy(page) == ["false", "true", "true"]
        wait_until(
            page,
            "document.querySelector('.js-plotly-plot').layout.title.text === 'write'",
        )
        assert titles(page) == ["write", *steps[0][1:]]
        page.evaluate("next()")
        assert busy(page) == ["false"] * 3
        wait_until(
            page,
            "document.querySelectorAll('.js-plotly-plot')[1].layout.title.text"
            " === 'maps of write'",
        )
        assert titles(page) == steps[2]
        page.evaluate("next()")
        assert page.locator(".js-plotly-plot:visible").count() == 1
        assert browser.complaints == []
