"""The linking in a real browser: offline, from a file, under the report's policy."""

import re

import pytest
from browser import wait_until
from browsing import browsing, write_page
from frames import KIB, measurements, run

from fsviz.figures.kinds.explorer import explorer

pytestmark = pytest.mark.browser
MIB = 2**20
FILES, RECORDS = (64, 128, 256, 512), (4, 16, 64, 256)


def rate(file, record, system=1):
    """A value [MiB/s] that tells its cell."""
    return system * (20 + 25 * RECORDS.index(record) + 4 * FILES.index(file))


def system(name, times):
    rows = [
        ("write", f, r, rate(f, r, times) * MIB)
        for f in FILES
        for r in RECORDS
        if r <= f
    ]
    return [run(name, rows, source=f"{name}.txt")]


TABLE = measurements(
    {"nfs <img src=x onerror=alert(1)>": system("a", 1), "smb": system("b", 2)}
)


@pytest.fixture(scope="module")
def browser(chromium, tmp_path_factory):
    page = tmp_path_factory.mktemp("page") / "explorer.html"
    write_page(page, [explorer(TABLE, operation="write")])
    with browsing(chromium) as browser:
        browser.open(page)
        yield browser
        assert browser.complaints == []
        assert browser.requests == []


def data_of(browser, panel):
    """The end points of a highlighted slice, back in data coordinates."""
    d = browser.page.locator(f'[data-slice="{panel}"]').last.get_attribute("d")
    points = [tuple(map(float, p)) for p in re.findall(r"([\d.]+),([\d.]+)", d)]
    axis = {"record": "2", "file": "3"}[panel]
    return browser.page.evaluate(
        """([points, n]) => { const L = document.getElementById("figure-1")._fullLayout;
        const x = L["xaxis" + n], y = L["yaxis" + n];
        return points.map(([a, b]) => [2 ** x.p2d(a - x._offset) / 1024,
                                       y.p2d(b - y._offset)]); }""",
        [points, axis],
    )


def near(pairs):
    return [pytest.approx(pair, rel=0.01) for pair in pairs]


@pytest.mark.slow
def test_pointing_at_a_heatmap_cell_marks_it_everywhere(browser):
    browser.point_at(*browser.cell_place(64 * KIB, 256 * KIB))
    browser.page.wait_for_selector('[data-mark="surface"]', state="attached")
    assert browser.said("sizes") == "file 256 KiB, record 64 KiB"
    assert browser.said("value") == f"{rate(256, 64)} MiB/s"
    assert browser.said("runs") == "n = 1 run"
    assert browser.said("place") == "a.txt:line 9"
    over_record = [(r, rate(256, r)) for r in RECORDS]
    assert data_of(browser, "record") == near(over_record)
    assert data_of(browser, "file") == near([(f, rate(f, 64)) for f in FILES])


def test_a_name_from_a_file_is_text(browser):
    browser.point_at(*browser.cell_place(64 * KIB, 256 * KIB))
    assert browser.said("system").startswith("nfs <img")
    assert browser.page.locator("#figure-1-readout img").count() == 0


@pytest.mark.slow
def test_the_mark_in_the_surface_is_at_the_cell(browser):
    """Pointing at the mark in the surface finds the same cell through plotly's pick."""
    browser.point_at(*browser.cell_place(16 * KIB, 128 * KIB))
    browser.frames()
    place = browser.mark("surface")
    browser.point_at(*browser.cell_place(4 * KIB, 512 * KIB))
    assert browser.said("sizes") == "file 512 KiB, record 4 KiB"
    browser.point_at(*place)
    browser.frames(20)
    assert browser.said("sizes") == "file 128 KiB, record 16 KiB"


def test_pointing_at_a_line_marks_the_cell(browser):
    browser.point_at(*browser.cell_place(4 * KIB, 256 * KIB))
    place = browser.mark("file")
    browser.point_at(*browser.cell_place(64 * KIB, 512 * KIB))
    browser.point_at(*place)
    wait_until(
        browser.page,
        "document.querySelector('.fsviz-sizes').textContent.includes('record 4 KiB')",
    )
    assert browser.said("sizes") == "file 256 KiB, record 4 KiB"


def test_arrow_keys_move_the_cell_over_gaps_and_stop_at_the_edge(browser):
    browser.point_at(*browser.cell_place(64 * KIB, 128 * KIB))
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
        assert browser.said("sizes") == says
    heat, wanted = browser.mark("heatmap"), browser.cell_place(256 * KIB, 256 * KIB)
    assert heat == pytest.approx(wanted, abs=2)


@pytest.mark.slow
def test_the_marks_follow_when_the_surface_turns(browser):
    before = browser.mark("surface")
    scene = 'document.getElementById("figure-1")._fullLayout.scene._scene'
    camera = browser.page.evaluate(f"{scene}.getCamera()")
    box = browser.page.locator(".gl-container > div").bounding_box()
    x, y = box["x"] + box["width"] * 0.5, box["y"] + box["height"] * 0.9
    browser.page.mouse.move(x, y)
    browser.page.mouse.down()
    browser.page.mouse.move(x + 90, y, steps=5)
    browser.page.mouse.up()
    browser.frames(10)
    assert browser.mark("surface") != pytest.approx(before, abs=5)
    # how far a drag turns is the machine's affair; the next tests see it as it was
    browser.page.evaluate(
        'c => Plotly.relayout("figure-1", {"scene.camera": c})', camera
    )
    browser.frames(10)
    assert browser.mark("surface") == pytest.approx(before, abs=2)


def test_the_menu_keeps_the_cell_and_changes_the_system(browser):
    browser.point_at(*browser.cell_place(16 * KIB, 256 * KIB))
    browser.page.click(".updatemenu-header")
    browser.page.click(".updatemenu-dropdown-button >> text=smb")
    browser.frames()
    assert browser.said("system") == "smb"
    assert browser.said("value") == f"{rate(256, 16, 2)} MiB/s"


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


def test_highlighting_redraws_nothing(browser):
    """What keeps it quick: the marks move, plotly draws no trace again."""
    drawn, moved = browser.page.evaluate(
        """() => { const gd = document.getElementById("figure-1"), places = new Set();
        let drawn = 0;
        gd.on("plotly_afterplot", () => drawn++);
        for (let i = 0; i < 40; i++) {
          fsvizLink.choose(gd, {system: 1, file: 3, record: i % 4});
          const marks = document.querySelectorAll('[data-mark="heatmap"]');
          places.add(marks[marks.length - 1].outerHTML);
        }
        return [drawn, places.size]; }"""
    )
    assert drawn == 0
    assert moved == 4


SURFACE_POINTS = """() => { const gd = document.getElementById("figure-1");
const scene = gd._fullLayout.scene._scene, box = gd.getBoundingClientRect();
const canvas = scene.container.getBoundingClientRect();
return [canvas.left, canvas.top, canvas.width, canvas.height]; }"""


@pytest.mark.slow
def test_the_tooltip_of_the_surface_names_the_cell_it_stands_on(browser):
    """Wherever the pointer hits the surface: text, coordinates and value agree."""
    page = browser.page
    page.wait_for_selector(".gl-container canvas")
    page.evaluate(
        """() => { window.seen = []; document.getElementById("figure-1").on(
        "plotly_hover", (e) => { const p = e.points[0]; if (p.data.type === "surface")
        window.seen.push([2 ** p.y / 1024, 2 ** p.x / 1024,
        p.z / (p.data.name.startsWith("smb") ? 2 : 1),
        Array.from(document.querySelectorAll("#figure-1 .hovertext text.nums tspan"))
        .map(t => t.textContent).join("|")]); }); }"""
    )
    left, top, width, height = page.evaluate(SURFACE_POINTS)
    for step_y in range(3, 10):
        for step_x in range(2, 11):
            page.mouse.move(left + width * step_x / 12, top + height * step_y / 12)
            browser.frames(2)
    seen = page.evaluate("seen")
    cells = {(round(file), round(record)) for file, record, _, _ in seen}
    assert len(cells) >= 6, "the pointer met too few cells to tell rows from columns"
    assert any(file != record for file, record in cells)
    for file, record, value, _ in seen:
        assert value == pytest.approx(rate(round(file), round(record)), rel=0.01)
    labelled = [row for row in seen if "record" in row[3]]
    assert len(labelled) >= 6
    for file, record, _, text in labelled:
        assert f"file {round(file)} KiB, record {round(record)} KiB" in text


def test_no_button_offers_to_upload_the_data(browser):
    titles = browser.page.eval_on_selector_all(
        ".modebar-btn", "buttons => buttons.map(b => b.dataset.title)"
    )
    assert len(titles) > 3
    assert [t for t in titles if "share" in t.lower() or "cloud" in t.lower()] == []
    context = browser.page.evaluate(
        'document.getElementById("figure-1")._context.plotlyServerURL'
    )
    assert context == ""
