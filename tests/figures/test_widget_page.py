"""The widget's script in a real browser, with a model like JupyterLab's."""

import plotly.graph_objects as go
import pytest
from browser import wait_until
from browsing import browsing, write_widget

from fsviz.figures.widget import PENDING

pytestmark = pytest.mark.browser


def figure(title):
    return go.Figure(layout={"title": {"text": title}, "height": 200}).to_json()


def of_each(page, what):
    every = "[...document.querySelectorAll('.js-plotly-plot')]"
    return page.evaluate(f"{every}.map(g => g.{what})")


def titles(page):
    return of_each(page, "layout.title.text")


def busy(page):
    return of_each(page, "ariaBusy")


def test_a_figure_takes_the_width_that_it_has(chromium, tmp_path):
    """JupyterLab shows a widget after it is rendered: plotly then draws 700 px."""
    widget = write_widget(tmp_path / "widget.html", [[figure("wide")]])
    wide = (
        "document.querySelector('.js-plotly-plot')?._fullLayout?.width === {}"
        " - parseInt(getComputedStyle(document.body).marginLeft) * 2"
    )
    with browsing(chromium, width=1168) as browser:
        page = browser.page
        page.add_init_script(
            "addEventListener('DOMContentLoaded', () => {"
            "document.getElementById('el').style.display = 'none'; });"
        )
        page.goto(widget.as_uri())
        page.evaluate("document.getElementById('el').style.display = ''")
        wait_until(page, wide.format("document.documentElement.clientWidth"))
        # a sidebar that opens changes the place, and not the window
        page.evaluate("document.getElementById('el').style.width = '848px'")
        wait_until(
            page, "document.querySelector('.js-plotly-plot')._fullLayout.width === 848"
        )
        assert browser.complaints == []


@pytest.mark.slow
def test_a_figure_that_is_being_made_is_pale_until_it_comes(chromium, tmp_path):
    steps = [
        ["read", "maps of read", "means of read"],
        ["write", PENDING, PENDING],
        ["write", "maps of write", "means of read"],
        ["write"],
    ]
    figures = [[one and figure(one) for one in step] for step in steps]
    widget = write_widget(tmp_path / "widget.html", figures)
    with browsing(chromium) as browser:
        page = browser.page
        page.goto(widget.as_uri())
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
