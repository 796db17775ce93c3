"""Panels of a narrow window stand below one another, and what they show stays apart."""

from contextlib import ExitStack
from functools import cache

import pytest
from browser import wait_until
from browsing import browsing, write_page
from samples import loaded

from fsviz.figures.kinds.versus import versus
from fsviz.figures.plot import plot

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PLACES = """() => {
  const gd = document.getElementById("figure-1"), L = gd._fullLayout;
  return Object.keys(L).filter(key => /^xaxis\\d*$/.test(key)).map(key => {
    const y = L[L[key].anchor.replace("y", "yaxis")];
    return [L[key]._offset, L[key]._offset + L[key]._length,
            y._offset, y._offset + y._length];
  });
}"""
LABELS = """() => [...document.querySelectorAll(
    '#figure-1 [class^="x"][class$="tick"] text')]
  .map(t => t.getBoundingClientRect()).map(b => [b.left, b.right, b.top, b.bottom])"""
NUMBERS = """() => [...document.querySelectorAll("#figure-1 .textpoint text")]
  .map(t => t.getBoundingClientRect()).map(b => [b.left, b.right, b.top, b.bottom])"""


def overlaps(boxes):
    def meet(a, b):
        return (
            a[0] < b[1] - 1 and b[0] < a[1] - 1 and a[2] < b[3] - 1 and b[2] < a[3] - 1
        )

    return [(a, b) for n, a in enumerate(boxes) for b in boxes[n + 1 :] if meet(a, b)]


def columns(places):
    return len({round(left) for left, *_ in places})


@pytest.fixture(scope="module")
def page(root, tmp_path_factory):
    """The maps of nine systems."""
    figure = plot(loaded(root / "data/raw/loopback-2026"), "maps", "write")
    return write_page(tmp_path_factory.mktemp("maps") / "p.html", [figure])


@pytest.fixture(scope="module")
def shown(page, chromium):
    """The page in a window of a width, opened once; who changes it, changes it back."""
    with ExitStack() as windows:

        def opened(width):
            browser = windows.enter_context(browsing(chromium, width, 800))
            browser.open(page)
            return browser

        yield cache(opened)


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_maps_keep_their_columns_and_scroll_where_they_need_more_room(shown, width):
    browser = shown(width)
    places = browser.page.evaluate(PLACES)
    assert columns(places) == 5
    assert len(places) == 9
    assert overlaps(places) == []
    assert overlaps(browser.page.evaluate(LABELS)) == []
    wide = browser.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= width
    figure = browser.page.locator("figure").first
    hidden = figure.evaluate("(figure) => figure.scrollWidth - figure.clientWidth")
    assert (hidden > 0) == (width < 5 * 220)
    assert browser.complaints == []


def test_the_words_at_a_scale_of_ratios_keep_off_its_numbers(shown):
    words, numbers = shown(1280).page.evaluate(
        """() => {
          const bar = [...document.querySelectorAll("#figure-1 .colorbar")]
            .find((one) => one.textContent.includes("slower"));
          const line = [...bar.querySelectorAll(".cbtitle tspan")]
            .find((one) => one.textContent.includes("slower"));
          const ticks = [...bar.querySelectorAll(".cbaxis text")]
            .map((one) => one.getBoundingClientRect().top);
          return [line.getBoundingClientRect().bottom, Math.min(...ticks)];
        }"""
    )
    assert words < numbers


def test_narrow_cells_drop_their_numbers(root, chromium, tmp_path):
    campaign = loaded(root / "data/raw/onehost-2026")
    figure = versus(campaign, operation="write", system=["ext4", "xfs"])
    path = write_page(tmp_path / "p.html", [figure])
    counted = {}
    for width in (390, 1280):
        with browsing(chromium, width, 800) as browser:
            browser.open(path)
            counted[width] = browser.page.evaluate(NUMBERS)
            assert columns(browser.page.evaluate(PLACES)) == 2
    assert len(counted[1280]) > 20
    assert counted[390] == [] or overlaps(counted[390]) == []


def test_the_explorer_s_menu_still_chooses_in_one_column(root, chromium, tmp_path):
    figure = plot(loaded(root / "data/raw/onehost-2026"), "explorer", "write")
    path = write_page(tmp_path / "p.html", [figure])
    with browsing(chromium, 390, 800) as browser:
        browser.open(path)
        places = browser.page.evaluate(PLACES)
        assert columns(places) <= 2  # one column, of panels with other margins
        assert overlaps(places) == []
        # points of view would cover what is below; the name of an axis stands free
        assert browser.page.locator(".updatemenu-button").count() == 0
        shown = "document.getElementById('figure-1')._fullData.filter(t => t.visible)"
        shown += ".filter((t) => t.meta?.role === 'ratio')"
        before = browser.page.evaluate(f"{shown}.map(t => t.meta.system)")
        browser.page.evaluate(
            """() => { const gd = fsvizPage.entries[0].gd;
            const { args } = gd.layout.updatemenus.at(-1).buttons[0];
            return Plotly.update(gd, ...args) }"""
        )
        browser.page.set_viewport_size({"width": 1280, "height": 800})
        wait_until(
            browser.page, "document.getElementById('figure-1')._fullLayout.width > 900"
        )
        after = browser.page.evaluate(f"{shown}.map(t => t.meta.system)")
        # it opens on btrfs, which differs most from ext4
        assert (set(before), set(after)) == ({2}, {1})
        assert "xfs" in browser.page.text_content("#figure-1 .gtitle")
        assert browser.complaints == []
