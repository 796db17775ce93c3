"""The matrix in a narrow window: nothing scrolls sideways, and each cell is named."""

import nbformat
import pytest
from browser import opened
from campaigns_made import iozone, put
from samples import loaded

import fsviz
from fsviz.report.first_sight import first_sight
from fsviz.report.html import FsvizHTMLExporter

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WIDTHS = """() => [document.documentElement.scrollWidth,
  ...[...document.querySelectorAll(".matrix-scroll")]
    .filter(one => one.clientWidth).map(one => one.scrollWidth - one.clientWidth)]"""


SYSTEMS = {
    "onehost-2026": ("ext4", "xfs", "btrfs"),
    # with numbers for all rates of bonnie++, so wider
    "loopback-2026": ("nfs-v3", "smb-2.1", "smb-3.0"),
}


@pytest.fixture(scope="module")
def page(root, tmp_path_factory):
    return _page(_matrix(root, "onehost-2026"), _path(tmp_path_factory))


@pytest.fixture(scope="module")
def wide_page(root, tmp_path_factory):
    return _page(_matrix(root, "loopback-2026"), _path(tmp_path_factory))


def _path(tmp_path_factory):
    return tmp_path_factory.mktemp("page") / "matrix.html"


def _matrix(root, name):
    baseline, *candidates = SYSTEMS[name]
    told = {"baseline": baseline, "candidates": candidates}
    return first_sight(loaded(root / "data/raw" / name), **told).matrix.data


def _page(matrix, path):
    shown = nbformat.v4.new_output("display_data", {"text/html": matrix})
    cell = nbformat.v4.new_code_cell("", outputs=[shown])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    text, _ = FsvizHTMLExporter().from_notebook_node(notebook)
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("width", [390, 640, 768])
def test_systems_become_blocks_whose_cells_say_their_operation(
    page, wide_page, chromium, width
):
    shown_page = page if width < 700 else wide_page
    last_system = SYSTEMS["onehost-2026" if width < 700 else "loopback-2026"][-1]
    with opened(chromium, shown_page, (width, 900)) as watched:
        shown = watched.page
        shown.locator(".matrix-stacked").wait_for()
        assert shown.evaluate(WIDTHS) == [width, 0]
        if width < 700:
            # the means are there at once, the operations behind a button
            names = "td[data-told]:visible"
            block = shown.locator(".matrix-view:visible tbody tr:not(.own)").first
            titles = block.locator(names).evaluate_all(
                "cells => cells.map(cell => cell.dataset.title)"
            )
            assert "IOzone mean B/s" in titles
            assert "IOzone write" not in titles
            stop = shown.locator('td[data-told] > button[tabindex="0"]:visible')
            assert stop.count() == 1
            block.locator(".matrix-all").click()
            assert block.locator(names).count() > len(titles)
        first = shown.locator(".matrix-view:visible td[data-told]").first
        title = first.get_attribute("data-title")
        assert title == "IOzone write"
        last = shown.locator(".matrix-view:visible tr td:last-child").first
        assert last.get_attribute("data-title") == "won / lost"
        first.locator("button").click()
        told = shown.locator("dialog.matrix-told[open] h3").inner_text()
        assert told.startswith("IOzone write: ")
        shown.keyboard.press("Escape")
        shown.locator(".matrix-menu select").select_option(label=last_system)
        caption = shown.locator(".matrix-view:visible caption")
        caption.filter(has_text=f"to {last_system}").wait_for()
        shown.wait_for_timeout(100)
        assert shown.evaluate(WIDTHS) == [width, 0]
        assert not watched.errors


# a title that is cut may be that of two columns: "mean B/s", "mean op/s"
CUT = """() => [...document.querySelectorAll(".matrix-stacked td")].filter((cell) => {
  const title = getComputedStyle(cell, "::before");
  return title.whiteSpace !== "normal" || cell.scrollHeight > cell.clientHeight
    || cell.scrollWidth > cell.clientWidth;
}).length"""


@pytest.mark.parametrize("width", [320, 390, 768])
def test_no_title_of_a_cell_is_cut(page, wide_page, chromium, width):
    shown = page if width < 700 else wide_page
    with opened(chromium, shown, (width, 900)) as watched:
        watched.page.locator(".matrix-stacked").wait_for()
        # a name that needs a second line
        titles = "document.querySelectorAll('.matrix-stacked td[data-title]')"
        longer = "cell => cell.dataset.title = 'bonnie++ ' + cell.dataset.title"
        assert watched.page.evaluate(f"{titles}.length") > 20
        watched.page.evaluate(f"{titles}.forEach({longer})")
        assert watched.page.evaluate(CUT) == 0


def test_a_wide_window_has_the_table(page, chromium):
    with opened(chromium, page, (1280, 900)) as watched:
        watched.page.wait_for_timeout(200)
        assert watched.page.locator(".matrix-stacked").count() == 0
        assert watched.page.locator("thead:visible").count() == 1
        assert watched.page.evaluate(WIDTHS) == [1280, 0]
        watched.page.set_viewport_size({"width": 500, "height": 900})
        watched.page.locator(".matrix-stacked").wait_for()
        watched.page.set_viewport_size({"width": 1280, "height": 900})
        watched.page.locator("thead:visible").wait_for()
        assert not watched.errors


LONG = [f"nfs-v4.2-over-rdma-with-nconnect-16-rsize-1m-of-rack-{n}" for n in (1, 2)]
# the line above the matrix, and names that are wider than their place
MEETING = """() => {
  const view = document.querySelector(".matrix-view:not([hidden])");
  const range = document.createRange();
  range.selectNodeContents(view.querySelector("caption"));
  const menu = document.querySelector(".matrix-menu").getBoundingClientRect();
  return [
    [...range.getClientRects()].filter((line) => line.right > menu.left
      && line.left < menu.right && line.bottom > menu.top && line.top < menu.bottom),
    [...view.querySelectorAll("tbody th")]
      .filter((name) => name.scrollWidth > name.clientWidth),
  ].map((some) => some.length);
}"""


@pytest.fixture(scope="module")
def long_names(tmp_path_factory):
    folder = tmp_path_factory.mktemp("long")
    for seed, name in enumerate(LONG):
        for n in (1, 2, 3):
            text = iozone(10 * seed + n)
            put(folder / "campaign", {f"{name}/{n}.txt": text})
    campaign = fsviz.load(folder / "campaign")
    sight = first_sight(campaign, baseline=LONG[0], candidates=LONG[1:])
    return _page(sight.matrix.data, folder / "matrix.html")


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_long_names_meet_nothing_and_are_not_cut(long_names, chromium, width):
    with opened(chromium, long_names, (width, 900)) as watched:
        if width < 800:
            watched.page.locator(".matrix-stacked").wait_for()
        assert watched.page.evaluate(MEETING) == [0, 0]
        name = watched.page.locator(".matrix-view:visible tbody tr:not(.own) th").first
        assert name.inner_text().startswith(LONG[1])


def test_of_a_sweep_each_setting_is_a_block_whose_cells_name_system_and_operation(
    chromium, tmp_path
):
    rows = ["system,operation,iodepth,repeat,value"]
    rows += [
        f"{system},{op},{2**d},{k},{speed + k} MiB/s"
        for system, speed in (("a system of length", 100), ("another system", 200))
        for op in ("read", "write")
        for d in range(5)
        for k in range(3)
    ]
    (tmp_path / "a.csv").write_text("\n".join(rows))
    first, other = rows[1].split(",")[0], rows[-1].split(",")[0]
    campaign = fsviz.load(tmp_path / "a.csv")
    sight = first_sight(campaign, baseline=first, candidates=[other])
    page = _page(sight.matrix.data, tmp_path / "page.html")
    with opened(chromium, page, (390, 900)) as watched:
        shown = watched.page
        shown.locator(".matrix-stacked").wait_for()
        assert shown.evaluate(WIDTHS) == [390, 0]
        block = shown.locator(".matrix-view:visible tbody tr").first
        titles = block.locator("td[data-told]").evaluate_all(
            "cells => cells.map(cell => cell.dataset.title)"
        )
        assert f"{other} write" in titles
    with opened(chromium, page, (1280, 900)) as watched:
        shown = watched.page
        scroller = shown.locator(".matrix-scroll:visible")
        assert scroller.evaluate("one => one.clientHeight") <= 560
        assert not shown.locator(".matrix-stacked").count()
