"""The linking in a real browser: offline, from a file, under the report's policy."""

import json
import re

import pytest
from browser import wait_until
from browsing import browsing, write_page
from frames import KIB, measurements, repeats

from fsviz.figures.kinds.explorer import explorer
from fsviz.figures.kinds.versus import versus

pytestmark = pytest.mark.browser
FILES, RECORDS = (64, 128, 256, 512), (4, 16, 64, 256)
HOSTILE = "nfs <img src=x onerror=alert(1)>"


def rate(file, record, times=1):
    """A value [MiB/s] that tells its cell."""
    return times * (20 + 25 * RECORDS.index(record) + 4 * FILES.index(file))


def system(name, times):
    cells = [(f, r) for f in FILES for r in RECORDS if r <= f]
    return repeats(name, [rate(*cell, times) for cell in cells], cells, (1,))


TABLE = measurements(
    {"old": system("o", 1), HOSTILE: system("a", 2), "smb": system("b", 3)}
)


@pytest.fixture(scope="module")
def browser(chromium, tmp_path_factory):
    page = tmp_path_factory.mktemp("page") / "explorer.html"
    write_page(page, [explorer(TABLE, operation="write")])
    with browsing(chromium) as browser:
        browser.open(page)
        browser.frames(5)
        yield browser
        assert browser.complaints == []
        assert browser.requests == []


READOUT = "document.querySelector('#figure-1-readout').innerText"


def said(browser):
    return browser.page.inner_text("#figure-1-readout")


def drawn_slice(browser, along, system):
    """The numbers of a slice as it is drawn."""
    return browser.page.evaluate(
        """([along, system]) => document.getElementById("figure-1").data
        .find((t) => t.meta?.along === along && t.meta.system === system).y""",
        [along, system],
    )


def test_pointing_at_a_cell_marks_it_everywhere_and_cuts_the_slices_there(browser):
    browser.point_at(*browser.cell_place(64 * KIB, 256 * KIB))
    wait_until(browser.page, f"{READOUT}.includes('256 KiB, record 64')")
    text = said(browser)
    assert f"{rate(256, 64, 2)} MiB/s (1 run)" in text
    assert f"old {rate(256, 64)} MiB/s (1 run)" in text
    assert "2.0× faster, untested" in text
    assert text.endswith("a0.txt:line 9")
    for panel in ("map", "map2", "scene", "scene2", "record", "file"):
        assert browser.page.locator(f'[data-mark="{panel}"]').count() > 0
    for n, times in enumerate((1, 2, 3)):
        assert drawn_slice(browser, "record", n) == [
            rate(256, r, times) for r in RECORDS
        ]
        assert drawn_slice(browser, "file", n) == [
            rate(f, 64, times) if f >= 64 else None for f in FILES
        ]
    heading = browser.page.locator(".annotation-text", has_text="over record size")
    assert heading.text_content() == "over record size, files of 256 KiB"


def test_a_name_from_a_file_is_text(browser):
    browser.point_at(*browser.cell_place(64 * KIB, 256 * KIB))
    assert said(browser).startswith(HOSTILE)
    assert browser.page.locator("#figure-1-readout img").count() == 0


@pytest.mark.slow
def test_the_mark_in_the_surface_is_at_the_cell(browser):
    """Pointing at the mark in the surface finds the same cell through plotly's pick."""
    browser.point_at(*browser.cell_place(16 * KIB, 128 * KIB))
    browser.frames()
    place = browser.mark("scene2")
    browser.point_at(*browser.cell_place(4 * KIB, 512 * KIB))
    assert "file 512 KiB, record 4 KiB" in said(browser)
    browser.point_at(*place)
    browser.frames(20)
    assert "file 128 KiB, record 16 KiB" in said(browser)


def test_pointing_at_a_line_marks_the_cell(browser):
    browser.point_at(*browser.cell_place(4 * KIB, 256 * KIB))
    browser.frames()
    x, y = browser.page.evaluate(
        """([file, value]) => { const gd = document.getElementById("figure-1");
        const { xaxis4: x, yaxis4: y } = gd._fullLayout;
        const box = gd.getBoundingClientRect();
        return [box.left + x._offset + x.d2p(Math.log2(file)),
                box.top + y._offset + y.d2p(value)]; }""",
        [128 * KIB, rate(128, 4, 2)],
    )
    browser.point_at(x, y)
    wait_until(browser.page, f"{READOUT}.includes('file 128 KiB')")
    assert "file 128 KiB, record 4 KiB" in said(browser)


def test_arrow_keys_move_the_cell_over_gaps_and_stop_at_the_edge(browser):
    browser.point_at(*browser.cell_place(64 * KIB, 128 * KIB))
    browser.page.mouse.move(2, 2)
    browser.page.focus("#figure-1")
    moves = [
        ("ArrowLeft", "file 128 KiB, record 16 KiB"),
        ("ArrowUp", "file 256 KiB, record 16 KiB"),
        ("ArrowRight", "file 256 KiB, record 64 KiB"),
        ("ArrowRight", "file 256 KiB, record 256 KiB"),
        ("ArrowRight", "file 256 KiB, record 256 KiB"),
        ("ArrowDown", "file 256 KiB, record 256 KiB"),
    ]
    for key, says in moves:
        browser.page.keyboard.press(key)
        assert says in said(browser)
    heat, wanted = browser.mark("map"), browser.cell_place(256 * KIB, 256 * KIB)
    assert heat == pytest.approx(wanted, abs=2)


@pytest.mark.slow
def test_both_surfaces_turn_together_and_their_marks_with_them(browser):
    before = [browser.mark(name) for name in ("scene", "scene2")]
    layout = 'document.getElementById("figure-1")._fullLayout'
    camera_of = "(s) => JSON.stringify(s._scene.getCamera())"
    look = f"[{layout}.scene, {layout}.scene2].map({camera_of})"
    camera = browser.page.evaluate(f"{layout}.scene._scene.getCamera()")
    box = browser.page.locator(".gl-container > div").first.bounding_box()
    x, y = box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.9
    browser.page.mouse.move(x, y)
    browser.page.mouse.down()
    browser.page.mouse.move(x + 60, y, steps=5)
    browser.page.mouse.up()
    browser.frames(10)
    one, other = map(json.loads, browser.page.evaluate(look))
    assert one["eye"] == pytest.approx(other["eye"], rel=1e-6)
    for name, place in zip(("scene", "scene2"), before, strict=True):
        assert browser.mark(name) != pytest.approx(place, abs=3)
    # how far a drag turns is the machine's affair; the next tests see it as it was
    browser.page.evaluate(
        'c => Plotly.relayout("figure-1", {"scene.camera": c, "scene2.camera": c})',
        camera,
    )
    browser.frames(10)


def test_the_menu_keeps_the_cell_and_changes_the_candidate(browser):
    browser.point_at(*browser.cell_place(16 * KIB, 256 * KIB))
    browser.page.click(".updatemenu-header")
    browser.page.click(".updatemenu-dropdown-button >> text=smb")
    browser.frames()
    text = said(browser)
    assert text.startswith("smb, file 256 KiB, record 16 KiB")
    assert f"{rate(256, 16, 3)} MiB/s" in text
    assert browser.page.locator(".gtitle").text_content().startswith("write: smb")


STRONG = """async () => { const gd = document.getElementById("figure-1");
        const image = new Image();
        image.src = gd._fullLayout.scene._scene.toImage("png");
        await image.decode();
        const canvas = document.createElement("canvas");
        [canvas.width, canvas.height] = [image.width, image.height];
        const pen = canvas.getContext("2d"); pen.drawImage(image, 0, 0);
        const data = pen.getImageData(0, 0, image.width, image.height).data;
        let strong = 0;
        for (let i = 0; i < data.length; i += 4) {
          const rgb = [data[i], data[i + 1], data[i + 2]];
          if (data[i + 3] > 200 && Math.max(...rgb) - Math.min(...rgb) > 60) strong++;
        }
        return strong / (data.length / 4); }"""


def test_the_surface_is_drawn(browser):
    """An empty scene has no pixel of a strong colour at all."""
    for _ in range(20):
        colours = browser.page.evaluate(STRONG)
        if colours > 0.01:
            break
        # a busy machine draws late, but it draws
        browser.page.wait_for_timeout(500)
    assert colours > 0.01


def test_highlighting_redraws_no_surface(browser):
    """What keeps it quick: marks and slices move, plotly draws nothing else again."""
    drawn, moved = browser.page.evaluate(
        """() => { const gd = document.getElementById("figure-1"), places = new Set();
        let drawn = 0;
        gd.on("plotly_afterplot", () => drawn++);
        for (let i = 0; i < 40; i++) {
          fsvizLink.choose(gd, {file: 3, record: i % 4, map: "x"});
          const marks = document.querySelectorAll('[data-mark="map"]');
          places.add(marks[marks.length - 1].outerHTML);
        }
        return [drawn, places.size]; }"""
    )
    assert drawn == 0
    assert moved == 4


def test_nothing_offers_to_upload_the_data(browser):
    assert browser.page.locator(".modebar-btn").count() == 0
    context = browser.page.evaluate(
        'document.getElementById("figure-1")._context.plotlyServerURL'
    )
    assert context == ""


@pytest.mark.slow
def test_side_by_side_the_pointed_map_is_the_one_that_is_said(chromium, tmp_path):
    path = write_page(tmp_path / "page.html", [versus(TABLE, operation="write")])
    with browsing(chromium) as browser:
        browser.open(path)
        for panel, times in (("", 1), ("2", 2), ("3", 3)):
            place = browser.page.evaluate(
                """([n, file, record]) => {
                const gd = document.getElementById("figure-1"), L = gd._fullLayout;
                const x = L["xaxis" + n], y = L["yaxis" + n];
                const box = gd.getBoundingClientRect();
                return [box.left + x._offset + x.d2p(Math.log2(record)),
                        box.top + y._offset + y.d2p(Math.log2(file))]; }""",
                [panel, 256 * KIB, 16 * KIB],
            )
            browser.page.mouse.wheel(0, 0)
            browser.point_at(*place)
            browser.frames(3)
            (value,) = re.findall(r"record 16 KiB · ([\d.]+) MiB/s", said(browser))
            assert float(value) == rate(256, 16, times)
        assert browser.complaints == []
