"""The picture first: tabs, controls and answers show one state, kept in the address."""

import csv
import json
import math
import re
from urllib.parse import parse_qs

import pytest
from browser import opened, wait_until

pytestmark = [pytest.mark.browser, pytest.mark.slow]
WIDE = (1280, 900)
FIGURE = """() => {
  const panel = document.querySelector(".tab-panel:not([hidden])");
  const gd = panel.querySelector(".fsviz-plot"), L = gd._fullLayout;
  const box = gd.getBoundingClientRect(), top = box.top + scrollY;
  const shown = gd._fullData
    .find((t) => t.visible === true && t.meta?.role === "ratio");
  const { cells } = gd.layout.meta;
  const low = (axis) => top + axis._offset + axis._length;
  return {
    panel: panel.id,
    top,
    maps: [low(L.yaxis), low(L.yaxis2)],
    bottom: top + box.height,
    title: gd.layout.title.text,
    system: cells.systems[shown.meta.system].name,
    names: cells.systems.map((one) => one.name),
    values: cells.systems.map((one) => one.value.filter((v) => v !== null)),
    row: L.yaxis._length / cells.files.length,
    log: L.yaxis3.type === "log",
    ends: [L.coloraxis.cmin, L.coloraxis.cmax],
    headings: gd.layout.annotations.map((note) => note.text),
    lines: L.yaxis3.range,
    height: L.scene.zaxis.range,
    menus: L.updatemenus.filter((menu) => menu.type === "dropdown").length,
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


def test_the_explorer_stands_open_on_what_differs_most(iozone_page):
    page = iozone_page.page
    shown = figure(page)
    assert page.locator("details .tab-panel").count() == 0
    # the first screen has both maps, the next lines the rest
    assert shown["top"] <= 450
    assert max(shown["maps"]) < 900
    assert shown["bottom"] <= 960
    cells = page.locator(".answers td.chosen")
    assert cells.count() == 1
    assert cells.get_attribute("data-op") == shown["panel"].removeprefix("tab-")
    assert cells.get_attribute("data-system") == shown["system"]
    # what the page opened with is no part of the address
    assert "#" not in page.url


def test_a_row_of_cells_and_its_numbers_can_be_read(iozone_page):
    page = iozone_page.page
    assert figure(page)["row"] >= 15
    assert min(page.evaluate(TYPES)) >= 10


def test_an_answer_leads_to_its_operation_and_system(iozone_page):
    page = iozone_page.page
    assert figure(page)["panel"] != "tab-read"
    place = page.locator(".answers td[data-op='read']").last
    system = place.get_attribute("data-system")
    place.locator("button").click()
    wait_until(page, "!document.getElementById('tab-read').hidden")
    shown = figure(page)
    assert (shown["panel"], shown["system"]) == ("tab-read", system)
    assert shown["title"].startswith(f"<b>read: {system} ")
    tab = page.locator("[role=tab][aria-selected=true]")
    assert tab.get_attribute("id") == "tab-of-read"
    assert tab.bounding_box()["y"] > -1
    assert address(page) == {"op": "read", "system": system}
    chosen = page.locator(".answers td.chosen")
    assert chosen.count() == 1
    assert chosen.get_attribute("data-op") == "read"
    assert chosen.get_attribute("data-system") == system


def test_a_tab_says_the_answers_of_its_operation(iozone_page):
    page = iozone_page.page
    for tab in page.locator("[role=tab]").all():
        operation = tab.get_attribute("id").removeprefix("tab-of-")
        cells = page.locator(f".answers td[data-op='{operation}']").all()
        said = [f"{c.get_attribute('data-system')} {c.inner_text()}" for c in cells]
        assert tab.locator(".words span").all_inner_texts() == said
        assert said


def test_a_link_shows_what_its_sender_saw(reports, chromium):
    out, _ = reports("small")
    path = out / "small/iozone.html"
    with opened(chromium, path, WIDE) as watched:
        page = watched.page
        page.evaluate("() => { location.hash = '#op=write&system=xfs' }")
        wait_until(page, "!document.getElementById('tab-write').hidden")
        shown = figure(page)
        assert (shown["panel"], shown["system"]) == ("tab-write", "xfs")
        assert page.locator(".tab-bar option:checked").first.inner_text() == "xfs"
        # whoever opens it anew sees the same
        page.reload()
        shown = figure(page)
        assert (shown["panel"], shown["system"]) == ("tab-write", "xfs")


def test_two_systems_can_have_a_scale_of_their_own(iozone_page):
    page = iozone_page.page
    names = page.locator(".tab-bar select").first.locator("option").all_inner_texts()
    page.locator(".tab-bar select").first.select_option(label=names[-1])
    shared = figure(page)
    page.locator(".tab-bar select").nth(2).select_option("own")
    own = figure(page)
    assert own["system"] == names[-1]
    compared = (0, own["names"].index(names[-1]))
    values = [v for n in compared for v in own["values"][n]]
    counted = [math.log10(v) for v in values] if own["log"] else [0, *values]
    assert own["ends"] == pytest.approx([min(counted), max(counted)])
    badges = [text for text in own["headings"] if text.endswith("own scale")]
    assert len(badges) == 3
    for axis in (own["lines"], own["height"]):
        assert axis[0] <= min(counted) <= max(counted) < axis[1]
    page.locator(".tab-bar select").nth(2).select_option("shared")
    wait_until(page, f"{SHOWN}._fullLayout.coloraxis.cmax === {shared['ends'][1]}")
    again = figure(page)
    assert again == shared
    # the page's own control replaces the menu within the figure
    assert again["menus"] == 0


def test_the_map_of_values_can_show_the_baseline_s(iozone_page):
    page = iozone_page.page
    names = figure(page)["names"]
    page.locator(".tab-bar select").nth(1).select_option("baseline")
    shown = page.evaluate(
        f"""() => {SHOWN}._fullData.filter((t) =>
          t.visible === true && t.meta?.role === "value").map((t) => t.meta.system)"""
    )
    assert set(shown) == {0}
    assert figure(page)["headings"][0].startswith(f"<b>{names[0]} [")
    page.locator(".tab-bar select").nth(1).select_option("candidate")
    assert figure(page)["system"] in figure(page)["headings"][0]


WIDTH = f"{SHOWN}._fullLayout.width"


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
    menu.select_option(label=names[1])
    assert figure(page)["system"] == names[1]
    page.set_viewport_size({"width": 1100, "height": 900})
    tabs.nth(0).click()
    wait_until(page, f"{WIDTH} > 900 && {WIDTH} <= 1100")
    assert figure(page)["system"] == names[1]


def test_tabs_are_walked_with_the_arrow_keys(iozone_page):
    page = iozone_page.page
    first = page.locator("[role=tab]").first
    first.click()
    page.keyboard.press("ArrowRight")
    names = page.locator("[role=tab]").all_inner_texts()
    assert len({*names}) == len(names) > 2
    assert page.locator("[role=tab][aria-selected=true]").inner_text() == names[1]
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert page.locator("[role=tab][aria-selected=true]").inner_text() == names[-1]
    boxes = page.locator("[role=tab]").evaluate_all(
        "all => all.map((tab) => tab.getBoundingClientRect().height)"
    )
    assert min(boxes) >= 24


def test_an_address_from_a_stranger_is_a_name_or_nothing(iozone_page):
    page = iozone_page.page
    figure(page)
    hostile = "#op=<img src=x onerror=alert(1)>&system=\"]&scale='"
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


def test_the_wheel_scrolls_the_page_and_zooms_what_has_the_focus(iozone_page):
    page = iozone_page.page
    figure(page)
    box = page.locator(".tab-panel:visible .gl-container canvas").first.bounding_box()
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


@pytest.mark.parametrize("size", [WIDE, (390, 800)], ids=["wide", "narrow"])
def test_what_is_clicked_is_large_enough_for_a_finger(reports, chromium, size):
    out, _ = reports("small")
    for name in ("iozone", "compare"):
        with opened(chromium, out / f"small/{name}.html", size) as watched:
            wait_until(watched.page, f"{SHOWN}?._fullLayout?.xaxis")
            assert watched.page.evaluate(SMALL) == []


FIGURE_CSV = ".tab-panel:visible figcaption [aria-label^='Save as CSV']"


def saved(page, button):
    with page.expect_download() as download:
        button.click()
    with download.value.path().open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_figures_and_tables_are_saved_as_they_stand(iozone_page):
    page = iozone_page.page
    shown = figure(page)
    button = page.locator(FIGURE_CSV).first
    head, *rows = saved(page, button)
    assert head[:4] == ["system", "file_size_bytes", "record_size_bytes", "value"]
    values = [v for one in shown["values"] for v in one]
    assert [float(row[3]) for row in rows] == values
    table = page.locator(".tab-panel:visible details table").first
    table.locator("xpath=ancestor::details/summary").last.click()
    head, *rows = saved(page, table.locator("xpath=following-sibling::button[1]"))
    assert head == table.locator("thead th").all_inner_texts()
    assert len(rows) == table.locator("tbody tr").count()


# what the ring of the value map encloses, and what is said and drawn beside it
MARKED = f"""() => {{
  const gd = {SHOWN}, readout = document.getElementById(gd.id + "-readout");
  const ring = [...gd.querySelectorAll('[data-mark="map2"]')].at(-1);
  const box = ring.getBoundingClientRect();
  const inside = ({{ left, right, top, bottom }}) =>
    box.left < (left + right) / 2 && (left + right) / 2 < box.right &&
    box.top < (top + bottom) / 2 && (top + bottom) / 2 < box.bottom;
  const L = gd._fullLayout, {{ cells }} = gd.layout.meta;
  const middle = (a, b) => Number(ring.getAttribute(a)) + ring.getAttribute(b) / 2;
  const nearest = (sizes, log2) => sizes.reduce((a, b) =>
    Math.abs(Math.log2(a) - log2) < Math.abs(Math.log2(b) - log2) ? a : b);
  const across = L.xaxis2.p2d(middle("x", "width") - L.xaxis2._offset);
  const up = L.yaxis2.p2d(middle("y", "height") - L.yaxis2._offset);
  const cell = [nearest(cells.files, up), nearest(cells.records, across)];
  const slices = ["record", "file"].map((along) => gd.data
    .filter((t) => t.meta?.along === along && t.opacity === 1)
    .map((t) => t.y[cells[along + "s"].indexOf(cell[along === "file" ? 0 : 1])]));
  return {{
    texts: [...gd.querySelectorAll(".subplot.x2y2 .textpoint text")]
      .filter((text) => inside(text.getBoundingClientRect()))
      .map((text) => text.textContent),
    said: readout.innerText,
    strong: [...readout.querySelectorAll("b")].map((b) => b.innerText),
    title: gd.querySelector(".gtitle").textContent,
    cell,
    slices,
    unit: cells.unit,
  }};
}}"""
SETTLED = "new Promise((done) => setTimeout(done, 300))"


def marked_number(page):
    """Number and system of the marked cell, which all who say them agree about."""
    page.evaluate(SETTLED)
    seen = page.evaluate(MARKED)
    system = page.locator(".tab-bar option:checked").first.inner_text()
    assert seen["strong"][0] == system
    assert f": {system} " in seen["title"]
    file, record = seen["cell"]
    sizes = re.search(r"file ([\d.]+) (\w+), record ([\d.]+) (\w+)", seen["said"])
    units = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
    assert float(sizes[1]) * units[sizes[2]] == file
    assert float(sizes[3]) * units[sizes[4]] == record
    number, base = (
        float(text.split()[0].replace(",", "")) for text in seen["strong"][1:3]
    )
    assert [float(text.replace(",", "")) for text in seen["texts"]] == [number]
    # baseline and candidate in both slices, at the marked sizes
    for values in seen["slices"]:
        assert sorted(values) == pytest.approx(sorted((base, number)), rel=0.005)
    # the quotient of what is said is the ratio that is said
    times, way = re.match(r"([\d.]+)× (\w+)", seen["strong"][3]).groups()
    ratio = float(times) if way == "faster" else 1 / float(times)
    assert number / base == pytest.approx(ratio, rel=0.06)
    rows = saved(page, page.locator(FIGURE_CSV).first)
    key = [system, str(file), str(record)]
    (row,) = (row for row in rows if row[:3] == key)
    assert float(row[3]) == pytest.approx(number, rel=0.005)
    assert row[4] == seen["unit"]
    return system, str(number)


def mark(page):
    """Mark a cell with the pointer, then its neighbour with the keyboard."""
    figure(page)
    text = page.locator(".tab-panel:visible .fsviz-plot").first.locator(
        ".subplot.x2y2 .textpoint text"
    )
    text.first.scroll_into_view_if_needed()
    box = text.first.bounding_box()
    page.mouse.move(0, 0)
    page.mouse.move(box["x"] + 5, box["y"] + 5, steps=3)
    wait_until(page, f"{SHOWN}.fsvizCell")
    pointed = page.evaluate(f"JSON.stringify({SHOWN}.fsvizCell)")
    # a pointer that stays would mark anew whatever is drawn below it
    page.mouse.move(0, 0)
    page.evaluate(f"() => {SHOWN}.focus({{ preventScroll: true }})")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(f"JSON.stringify({SHOWN}.fsvizCell)") != pointed


def names_of(page):
    return page.locator(".tab-bar select").first.locator("option").all_inner_texts()


def other_system(page):
    now = page.locator(".tab-bar select").first.input_value()
    return next(name for name in names_of(page) if name != now)


def by_menu(page):
    for name in (*names_of(page), names_of(page)[0]):
        page.locator(".tab-bar select").first.select_option(label=name)
        yield name


def by_scale(page):
    for scale in ("own", "shared"):
        page.locator(".tab-bar select").nth(2).select_option(scale)
        yield page.locator(".tab-bar select").first.input_value()


def by_tab(page):
    """What is hidden while another system is chosen follows when it is seen."""
    before = page.locator("[role=tab][aria-selected=true]").get_attribute("id")
    page.locator("[role=tab][aria-selected=false]").first.click()
    mark(page)
    yield page.locator(".tab-bar select").first.input_value()
    name = other_system(page)
    page.locator(".tab-bar select").first.select_option(label=name)
    yield name
    page.locator(f"#{before}").click()
    yield name


def shows(page, name):
    menu = "document.querySelector('.tab-bar select').value"
    wait_until(page, f"{menu} === {json.dumps(name)}")


def by_address(page):
    for name in names_of(page):
        page.evaluate(f"() => {{ location.hash = {json.dumps(f'#system={name}')} }}")
        shows(page, name)
        yield name


def by_going_back(page):
    first = page.locator(".tab-bar select").first.input_value()
    others = [name for name in names_of(page) if name != first]
    for name in others:
        page.evaluate(f"() => {{ location.hash = {json.dumps(f'#system={name}')} }}")
        shows(page, name)
        yield name
    # at last to the address without a state, which is what the page began with
    for name in (*reversed(others[:-1]), first):
        page.go_back()
        shows(page, name)
        yield name


@pytest.mark.parametrize("way", [by_tab, by_menu, by_scale, by_address, by_going_back])
def test_a_marked_cell_says_the_number_that_is_drawn(iozone_page, way):
    """It said that of the system before: react tells no listener of another figure."""
    page = iozone_page.page
    mark(page)
    told = {marked_number(page)}
    for name in way(page):
        system, number = marked_number(page)
        assert system == name
        told.add((system, number))
    # had the systems the same numbers, one could be taken for another
    assert way is by_scale or len({number for _, number in told}) > 1


def test_a_menu_offers_only_systems_that_have_numbers(reports, chromium):
    """One of the campaign's systems was measured with another tool alone."""
    out, _ = reports("loopback-2026", "onehost-2026")
    with opened(chromium, out / "loopback-2026/compare.html", WIDE) as watched:
        page = watched.page
        menu = page.locator(".tab-bar select").first
        names = menu.locator("option:not([disabled])").all_inner_texts()
        assert len(names) == 8
        assert not {"local-xfs", "nfs-v3"} & {*names}
        for name in names:
            menu.select_option(label=name)
            wait_until(page, f"{SHOWN}?.layout?.title.text.includes(': {name} ')")
            assert figure(page)["system"] == name
        assert not watched.errors
