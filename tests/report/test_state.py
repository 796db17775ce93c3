"""The picture first: tabs, controls and matrix show one state, kept in the address."""

import csv
import json
import math
import re
from urllib.parse import parse_qs

import pytest
from browser import opened, wait_until

pytestmark = pytest.mark.browser
WIDE = (1280, 900)
FIGURE = """() => {
  const panel = document.querySelector(".tab-panel:not([hidden])");
  const gd = panel.querySelector(".fsviz-plot");
  const of = (id) => gd._fullLayout[id].domain.map((part) => part * gd.clientWidth);
  const shown = gd._fullData.find((t) => t.visible === true && t.meta?.system >= 0);
  const { cells } = gd.layout.meta;
  const { cmin, cmax } = gd._fullLayout.coloraxis;
  return {
    panel: panel.id,
    top: gd.getBoundingClientRect().top + scrollY,
    title: gd.layout.title.text,
    system: cells.systems[shown.meta.system].name,
    values: cells.systems.map((one) => one.value.filter((v) => v !== null)),
    surface: gd._fullLayout.scene.domain.x.map((part) => part * gd.clientWidth),
    heatmap: of("xaxis"),
    row: gd._fullLayout.yaxis._length / cells.files.length,
    log: gd._fullLayout.yaxis2.type === "log",
    ends: [cmin, cmax],
    bar: gd.layout.coloraxis.colorbar.title.text,
    lines: gd._fullLayout.yaxis2.range,
    height: gd._fullLayout.scene.zaxis.range,
    menus: gd._fullLayout.updatemenus.filter((menu) => menu.type === "dropdown").length,
  };
}"""
TYPES = """() => [...document.querySelectorAll(
    ".tab-panel:not([hidden]) .fsviz-plot text")]
  .filter((text) => text.textContent.trim() && text.getBoundingClientRect().width)
  .map((text) => parseFloat(getComputedStyle(text).fontSize))"""


SHOWN = "document.querySelector('.tab-panel:not([hidden]) .fsviz-plot')"


def figure(page):
    wait_until(page, f"{SHOWN}?._fullLayout?.scene?._scene")
    return page.evaluate(FIGURE)


def headline_says(page, words):
    headline = "document.querySelector('.code-cell strong').innerText"
    wait_until(page, f"{headline}.startsWith({json.dumps(words)})")


def address(page):
    return {
        key: value for key, (value,) in parse_qs(page.url.partition("#")[2]).items()
    }


@pytest.fixture
def iozone_page(reports, chromium):
    out, _ = reports("small")
    with opened(chromium, out / "small/iozone.html", WIDE) as watched:
        yield watched
        assert not watched.errors
        assert not watched.requests


@pytest.mark.slow
def test_the_explorer_stands_open_on_what_differs_most(iozone_page):
    page = iozone_page.page
    shown = figure(page)
    assert page.locator("details .tab-panel").count() == 0
    assert shown["top"] < 1500
    for low, high in (shown["surface"], shown["heatmap"]):
        assert high - low > 400
    cells = page.locator(".matrix td.chosen")
    assert cells.count() == 1
    assert cells.get_attribute("data-op") == shown["panel"].removeprefix("tab-")
    row = cells.locator("xpath=..").locator("th")
    assert row.inner_text() == shown["system"]
    # what the page opened with is no part of the address
    assert "#" not in page.url


@pytest.mark.slow
def test_a_row_of_cells_and_its_numbers_can_be_read(iozone_page):
    page = iozone_page.page
    assert figure(page)["row"] >= 22
    assert min(page.evaluate(TYPES)) >= 11


LINES = "JSON.parse(document.querySelector('.matrix-lines').textContent)"


@pytest.mark.slow
def test_a_cell_of_the_matrix_leads_to_its_operation_and_system(iozone_page):
    page = iozone_page.page
    before = figure(page)
    place = page.locator(".matrix-view:not([hidden]) td[data-op='read']").first
    system = place.locator("xpath=..").locator("th").inner_text()
    # who listens hears what to beware of, not only by how much
    lines = page.evaluate(LINES)
    heard = place.locator("button").get_attribute("aria-label")
    told = [lines[int(n)] for n in place.get_attribute("data-told").split(" ")]
    beware = [line for line in told if line.startswith(("About: ", "Beware: "))]
    assert beware
    assert heard == ", ".join([*told[:2], *beware])
    place.locator("button").click()
    wait_until(page, "!document.getElementById('tab-read').hidden")
    shown = figure(page)
    assert (shown["panel"], shown["system"]) == ("tab-read", system)
    assert shown["title"] == f"<b>Read</b> – {system}"
    assert before["panel"] != "tab-read"
    assert page.locator("dialog[open]").count() == 0
    assert page.locator("[role=tab][aria-selected=true]").inner_text() == "Read"
    assert address(page) == {"ref": "btrfs", "op": "read", "system": system}
    told = page.locator(".told-here").inner_text()
    assert told.startswith(f"IOzone read: {system} against btrfs: ")


@pytest.mark.slow
def test_a_link_shows_what_its_sender_saw(reports, chromium):
    out, _ = reports("small")
    path = out / "small/iozone.html"
    with opened(chromium, path, WIDE) as watched:
        page = watched.page
        page.evaluate("() => { location.hash = '#ref=xfs&op=write&system=ext4' }")
        headline_says(page, "Against xfs")
        shown = figure(page)
        assert (shown["panel"], shown["system"]) == ("tab-write", "ext4")
        assert page.locator(".matrix-menu option:checked").inner_text() == "xfs"
        assert (
            page.locator(".code-cell strong")
            .first.inner_text()
            .startswith("Against xfs")
        )


@pytest.mark.slow
def test_nothing_speaks_of_another_reference_than_the_chosen_one(iozone_page):
    page = iozone_page.page
    figure(page)
    drawn = page.locator("figure[data-reference]")
    named = drawn.evaluate_all("all => all.map(f => f.dataset.reference)")
    assert set(named) == {"btrfs"}
    visible = "all => all.filter(f => f.offsetParent).length"
    assert drawn.evaluate_all(visible) >= 2
    page.locator(".matrix-menu select").select_option(label="xfs")
    headline_says(page, "Against xfs")
    caption = page.locator(".matrix-view:not([hidden]) caption").inner_text()
    assert caption.startswith("Ratio to xfs")
    assert drawn.evaluate_all(visible) >= 2
    shown = drawn.evaluate_all(
        "all => all.filter(f => f.offsetParent).map((f) => [f.dataset.reference,"
        " f.querySelector('.fsviz-plot').layout.title.text,"
        " f.querySelector('.fsviz-plot').getAttribute('aria-label')])"
    )
    for reference, title, alt in shown:
        assert reference == "xfs"
        assert title.endswith(("÷ xfs", "as fast as xfs"))
        assert re.search("(against|to) xfs", alt)
        assert not re.search("(against|to) btrfs", alt)
    # a colour means as much in the matrix as in the maps
    end = page.evaluate(f"{MAP}._fullLayout.coloraxis2.cmax")
    legend = page.locator(".matrix-view:not([hidden]) > p.soft").inner_text()
    assert f"strongest from {2**end:.3g}× on" in legend
    # nothing that can be read, folded away or not, speaks of the first reference
    page.locator("main details").evaluate_all("all => all.forEach(d => d.open = true)")
    read = page.locator("main").inner_text()
    assert "comparison with xfs" in read
    assert not re.search("(against|to|÷|with|as fast as) btrfs", read)
    page.locator("[role=tab]").nth(1).click()
    wait_until(page, f"{MAP}?.layout.title.text.endsWith('÷ xfs')")
    assert page.locator(".tab-panel .other-reference:visible").count() == 0
    assert address(page)["ref"] == "xfs"
    page.locator(".matrix-menu select").select_option(label="btrfs")
    headline_says(page, "Against btrfs")
    wait_until(page, f"{MAP}.layout.title.text.endsWith('÷ btrfs')")


MAP = (
    "document.querySelector('.tab-panel:not([hidden]) figure[data-reference]')"
    "?.querySelector('.fsviz-plot')"
)


@pytest.mark.slow
def test_a_system_can_have_a_scale_of_its_own(iozone_page):
    page = iozone_page.page
    names = page.locator(".tab-bar select").first.locator("option").all_inner_texts()
    page.locator(".tab-bar select").first.select_option(label=names[1])
    page.locator(".tab-bar select").nth(1).select_option("own")
    own = figure(page)
    assert own["system"] == names[1]
    values = own["values"][1]
    counted = [math.log10(v) for v in values] if own["log"] else values
    assert own["ends"] == pytest.approx([min(counted), max(counted)])
    assert own["bar"].endswith(", own scale")
    for axis in (own["lines"], own["height"]):
        assert axis[0] < min(counted) <= max(counted) < axis[1]
    page.locator(".tab-bar select").nth(1).select_option("shared")
    wait_until(
        page,
        f"{SHOWN}._fullLayout.coloraxis.cmax !== {own['ends'][1]}",
    )
    shared = figure(page)
    assert shared["system"] == names[1]
    top = max(max(one) for one in own["values"])
    assert shared["lines"][1] > (math.log10(top) if own["log"] else top)
    # the page's own control replaces the menu within the figure
    assert shared["menus"] == 0
    assert "own" not in shared["bar"]


WIDTH = f"{SHOWN}._fullLayout.width"


@pytest.mark.slow
def test_what_was_hidden_follows_when_it_is_seen(iozone_page):
    """It has no width while it is hidden: drawn then, it would be 700 px wide."""
    page = iozone_page.page
    tabs = page.locator("[role=tab]")
    tabs.nth(0).click()
    figure(page)
    tabs.nth(1).click()
    figure(page)
    menu = page.locator(".tab-bar select").first
    names = menu.locator("option").all_inner_texts()
    menu.select_option(label=names[2])
    assert figure(page)["system"] == names[2]
    page.set_viewport_size({"width": 1100, "height": 900})
    tabs.nth(0).click()
    wait_until(page, f"{WIDTH} > 900 && {WIDTH} <= 1100")
    assert figure(page)["system"] == names[2]


@pytest.mark.slow
def test_tabs_are_walked_with_the_arrow_keys(iozone_page):
    page = iozone_page.page
    first = page.locator("[role=tab]").first
    first.click()
    page.keyboard.press("ArrowRight")
    names = page.locator("[role=tab]").all_inner_texts()
    assert page.locator("[role=tab][aria-selected=true]").inner_text() == names[1]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.locator("[role=tab][aria-selected=true]").inner_text() == names[-1]
    boxes = page.locator("[role=tab]").evaluate_all(
        "all => all.map((tab) => tab.getBoundingClientRect().height)"
    )
    assert min(boxes) >= 24


@pytest.mark.slow
def test_an_address_from_a_stranger_is_a_name_or_nothing(iozone_page):
    page = iozone_page.page
    figure(page)
    hostile = "#op=<img src=x onerror=alert(1)>&system=\"]&ref='"
    page.evaluate(f"() => {{ location.hash = {json.dumps(hostile)} }}")
    page.wait_for_timeout(100)
    assert page.locator("img[src=x]").count() == 0
    assert page.locator(".tab-panel:not([hidden])").count() == 1
    assert re.match(r"tab-\w+", figure(page)["panel"])


# from far away all lines are parallel, so a zoom changes the aspect, not the camera
CAMERA = f"""() => {{
  const {{ _scene }} = {SHOWN}._fullLayout.scene;
  return JSON.stringify([_scene.getCamera(), _scene.glplot.getAspectratio()]);
}}"""


@pytest.mark.slow
def test_the_wheel_scrolls_the_page_and_zooms_what_has_the_focus(iozone_page):
    page = iozone_page.page
    figure(page)
    box = page.locator(".tab-panel:visible .gl-container canvas").bounding_box()
    page.mouse.move(box["x"] + box["width"] / 4, box["y"] + box["height"] / 4)
    before = page.evaluate(CAMERA)
    page.mouse.wheel(0, 60)
    wait_until(page, "scrollY > 0")
    assert page.evaluate(CAMERA) == before
    page.evaluate(f"() => {SHOWN}.focus({{ preventScroll: true }})")
    page.mouse.wheel(0, 60)
    wait_until(page, f"({CAMERA})() !== {json.dumps(before)}")


# a link within a sentence has the height of its line
SMALL = """() => [...document.querySelectorAll(
    "a, button, select, input, summary, [role=tab]")]
  .filter((e) => e.checkVisibility({ visibilityProperty: true })
    && !(e.matches("a") && e.closest("p, li, figcaption")))
  .map((e) => [e.outerHTML.slice(0, 80), e.getBoundingClientRect()])
  .filter(([, box]) => box.width && Math.min(box.width, box.height) < 23.5)
  .map(([e, box]) => `${e} ${box.width} × ${box.height}`)"""


@pytest.mark.slow
@pytest.mark.parametrize("size", [WIDE, (390, 800)], ids=["wide", "narrow"])
def test_what_is_clicked_is_large_enough_for_a_finger(reports, chromium, size):
    out, _ = reports("small")
    for name in ("iozone", "compare"):
        with opened(chromium, out / f"small/{name}.html", size) as watched:
            wait_until(watched.page, f"{SHOWN}?.querySelector('.modebar-btn')")
            assert watched.page.evaluate(SMALL) == []


def saved(page, button):
    with page.expect_download() as download:
        button.click()
    with download.value.path().open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_figures_and_tables_are_saved_as_they_stand(iozone_page):
    page = iozone_page.page
    shown = figure(page)
    button = page.locator(".tab-panel:visible figcaption .csv").first
    head, *rows = saved(page, button)
    assert head[:4] == ["system", "file_size_bytes", "record_size_bytes", "value"]
    values = [v for one in shown["values"] for v in one]
    assert [float(row[3]) for row in rows] == values
    table = page.locator("main table:not(.cells, .said)").first
    table.locator("xpath=ancestor::details/summary").last.click()
    head, *rows = saved(page, table.locator("xpath=following-sibling::button[1]"))
    assert head == table.locator("thead th").all_inner_texts()
    assert len(rows) == table.locator("tbody tr").count()
