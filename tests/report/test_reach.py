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


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_any_window_shows_above_the_figures_whether_to_believe_them(shown, width):
    page = shown("small/compare", width)
    page.evaluate("scrollTo(0, 0)")
    chips = page.locator(".chips")
    bottom = chips.evaluate("one => one.getBoundingClientRect().bottom")
    assert chips.locator("a:visible").count() == 4
    assert bottom < 800
    assert bottom < page.locator(".tab-bar").bounding_box()["y"]
    chips.locator("a").first.click()
    assert page.locator("#trust").bounding_box()["y"] < 400


def test_a_dark_page_has_dark_figures_and_keeps_the_colours_of_cells(reports, chromium):
    path = path_of(reports, "small/compare")
    seen = {}
    for scheme in ("light", "dark"):
        with opened(chromium, path) as watched:
            page = watched.page
            page.emulate_media(color_scheme=scheme)
            page.reload()
            shown = "document.querySelector('.tab-panel:not([hidden]) .fsviz-plot')"
            wait_until(page, f"{shown}?.data")
            seen[scheme] = page.evaluate(
                f"() => {{ const gd = {shown};"
                """
                return [gd._fullLayout.paper_bgcolor,
                        gd._fullLayout.coloraxis.colorscale,
                        gd.data.filter((one) => one.type === "heatmap")
                          .map((one) => one.z)] }"""
            )
    (light, *cells), (dark, *same) = seen["light"], seen["dark"]
    assert (light, dark) == ("#ffffff", "#161b22")
    assert cells == same


def test_without_webgl_plotly_says_so_and_the_rest_is_shown(reports, chromium):
    path = path_of(reports, "small/iozone")
    with opened(chromium, path) as watched:
        page = watched.page
        page.add_init_script(
            """const real = HTMLCanvasElement.prototype.getContext;
            HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
              return kind.includes("webgl") ? null : real.call(this, kind, ...rest);
            };"""
        )
        page.reload()
        tab = page.locator(".tab-panel:visible")
        tab.get_by_text("WebGL is not supported").first.wait_for()
        tab.locator(".main-svg").first.wait_for()
        assert tab.locator(".heatmaplayer image, .heatmaplayer path").count() > 0
        assert not watched.errors
