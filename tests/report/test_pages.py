"""Every page of the sample reports, in a real browser, with the network off."""

import re

import pytest
from browser import count_colours, opened

pytestmark = pytest.mark.browser


def test_the_index_links_every_report(rendered, chromium):
    out, outcomes = rendered
    assert not [outcome.error for outcome in outcomes if outcome.error]
    with opened(chromium, out / "index.html") as watched:
        links = watched.page.eval_on_selector_all("h2 a", "all => all.map(a => a.href)")
        assert links == [(out / o.page).resolve().as_uri() for o in outcomes]
        assert not watched.requests
        assert not watched.errors


@pytest.mark.parametrize("campaign", ["loopback-2026", "onehost-2026"])
def test_a_page_asks_nobody_and_draws_every_figure(rendered, chromium, campaign):
    out, _ = rendered
    with opened(chromium, out / campaign / "iozone.html") as watched:
        page = watched.page
        page.wait_for_selector(".fsviz-plot .gl-container canvas")
        figures = page.locator(".fsviz-plot")
        assert figures.count() == 6
        for position in range(6):
            name = f"#figure-{position + 1}"
            page.locator(name).scroll_into_view_if_needed()
            page.wait_for_selector(f"{name} .gl-container canvas")
            page.wait_for_selector(f"{name} .heatmaplayer image")
            page.wait_for_timeout(300)
            # axes alone are a dozen greys; a drawn surface has hundreds of colours
            assert count_colours(page, f"{name} .gl-container canvas") > 200
            assert page.locator(f"{name} .scatterlayer .trace.scatter").count() > 10
        assert not watched.requests
        assert not watched.errors


def test_the_menu_changes_the_system(rendered, chromium):
    out, _ = rendered
    with opened(chromium, out / "onehost-2026" / "iozone.html") as watched:
        page = watched.page
        page.wait_for_selector("#figure-1 .updatemenu-header")
        page.locator("#figure-1").scroll_into_view_if_needed()
        page.locator("#figure-1 .updatemenu-header").click()
        page.locator("#figure-1 .updatemenu-dropdown-button").nth(1).click()
        page.wait_for_function(
            "document.querySelector('#figure-1 .gtitle').textContent.includes('xfs')"
        )
        assert not watched.errors


def test_code_is_behind_a_button(rendered, chromium):
    out, _ = rendered
    with opened(chromium, out / "onehost-2026" / "iozone.html") as watched:
        page = watched.page
        code = page.locator(".code").first
        assert not code.is_visible()
        page.get_by_role("button", name="Show code").click()
        assert code.is_visible()
        page.get_by_role("button", name="Hide code").click()
        assert not code.is_visible()


def test_the_source_names_no_other_server(rendered):
    out, _ = rendered
    page = (out / "onehost-2026" / "iozone.html").read_text(encoding="utf-8")
    start = page.index("<body>")
    loads = re.findall(r"""(?:src|href)\s*=\s*["']([^"'#]*)["']""", page[start:])
    assert {link for link in loads if "://" in link} == set()
    assert page.count("plotly.js v") == 1
