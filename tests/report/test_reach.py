"""Who can read a page: with a narrow window, at night, by ear, without WebGL."""

from contextlib import ExitStack
from functools import cache

import pytest
from axe_playwright_python.sync_playwright import Axe
from browser import opened, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PAGES = ["index", "small/bonnie", "small/compare", "small/iozone"]
REAL = [
    "loopback-2026/bonnie",
    "loopback-2026/compare",
    "loopback-2026/iozone",
    "loopback-2026/rsync",
    "onehost-2026/compare",
]
GRAVE = ("serious", "critical")


def path_of(reports, name):
    names = ("loopback-2026", "onehost-2026") if "2026" in name else ("small",)
    out, _ = reports(*names)
    return out / f"{name}.html"


def found_by_axe(page):
    answer = Axe().run(page).response
    return [
        (one["id"], node["html"])
        for one in answer["violations"]
        if one["impact"] in GRAVE
        for node in one["nodes"]
    ]


@pytest.fixture(scope="module")
def shown(reports, chromium):
    """A page in a window of a width, opened once."""
    with ExitStack() as windows:

        def page(name, width):
            window = opened(chromium, path_of(reports, name), (width, 800))
            return windows.enter_context(window).page

        yield cache(page)


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(shown, name, scheme):
    page = shown(name, 390)
    page.emulate_media(color_scheme=scheme)
    assert found_by_axe(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", REAL)
def test_axe_finds_nothing_serious_on_real_pages(reports, chromium, name):
    with opened(chromium, path_of(reports, name)) as watched:
        assert found_by_axe(watched.page) == []


# 640 is a window of 1280 at 200 %
@pytest.mark.parametrize("width", [390, 640, 768])
@pytest.mark.parametrize("name", PAGES)
def test_a_narrow_page_is_not_wider_than_its_window(shown, name, width):
    wide = shown(name, width).evaluate("document.documentElement.scrollWidth")
    assert wide <= width


def test_a_phone_shows_above_the_matrix_whether_to_believe_it(shown):
    narrow = shown("small/compare", 390)
    line = narrow.locator(".trust-line")
    bottom = "one => one.getBoundingClientRect().bottom"
    assert line.locator("a:visible").count() == 4
    assert line.evaluate(bottom) < 800
    assert line.evaluate(bottom) < narrow.locator(".matrix").bounding_box()["y"]
    line.locator("a").first.click()
    assert narrow.locator("#trust").bounding_box()["y"] < 400
    assert not shown("small/compare", 1280).locator(".trust-line").is_visible()


@pytest.mark.slow
def test_so_does_any_window_too_narrow_for_the_matrix_as_a_table(reports, chromium):
    path = path_of(reports, "loopback-2026/compare")
    for width, stacked in ((768, True), (1280, False)):
        with opened(chromium, path, (width, 800)) as watched:
            page = watched.page
            assert page.locator(".matrix-stacked").count() == stacked
            assert page.locator(".trust-line").is_visible() == stacked


def test_a_dark_page_has_dark_figures_and_keeps_the_colours_of_cells(reports, chromium):
    path = path_of(reports, "small/compare")
    seen = {}
    for scheme in ("light", "dark"):
        with opened(chromium, path) as watched:
            page = watched.page
            page.emulate_media(color_scheme=scheme)
            page.reload()
            drawn = "fsvizPage.entries.some(e => e.gd.data)"
            wait_until(page, f"typeof fsvizPage === 'object' && {drawn}")
            seen[scheme] = page.evaluate(
                """() => { const { gd } = fsvizPage.entries.find((e) => e.gd.data);
                return [gd._fullLayout.paper_bgcolor,
                        gd._fullLayout.coloraxis.colorscale,
                        gd.data.map((trace) => trace.z)] }"""
            )
    (light, *cells), (dark, *same) = seen["light"], seen["dark"]
    assert (light, dark) == ("#ffffff", "#161b22")
    assert cells == same


def test_what_was_unfolded_before_the_page_was_ready_is_drawn(reports, chromium):
    path = path_of(reports, "small/iozone")
    with opened(chromium, path) as watched:
        page = watched.page
        page.add_init_script(
            """addEventListener("DOMContentLoaded", () => {
              const plot = document.querySelector(
                ".tab-panel:not([hidden]) details.fsviz-fold .fsviz-plot");
              const fold = plot.closest("details");
              fold.open = true;
              fold.scrollIntoView();
            });"""
        )
        page.reload()
        page.wait_for_selector("details.fsviz-fold[open] .main-svg", state="attached")
        assert not watched.errors


def test_without_webgl_a_page_says_so_and_shows_the_rest(reports, chromium):
    path = path_of(reports, "small/iozone")
    with opened(chromium, path) as watched:
        page = watched.page
        page.add_init_script(
            """const real = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
              return kind.startsWith("webgl") ? null : real.call(this, kind, ...rest);
            };"""
        )
        page.reload()
        tab = page.locator(".tab-panel:visible")
        assert "no WebGL" in tab.locator(".fsviz-no-webgl").inner_text()
        tab.locator(".main-svg").first.wait_for()
        assert tab.locator(".heatmaplayer image, .heatmaplayer path").count() > 0
        assert not watched.errors
