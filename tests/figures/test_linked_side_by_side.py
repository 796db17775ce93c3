"""Systems side by side in a real browser: one cell, pointed at, is said of all."""

import pytest
from browser import wait_until
from browsing import browsing, write_page
from compared import compare
from frames import KIB, measurements, run

from fsviz.figures.kinds.maps import maps
from fsviz.figures.kinds.versus import versus

pytestmark = [pytest.mark.browser, pytest.mark.slow]
MIB = 2**20
# file and record size [KiB]; a record of 64 KiB was measured in the largest file only
CELLS = [(64, 4), (64, 16), (128, 4), (128, 16), (256, 4), (256, 16), (256, 64)]
MEANS = {
    "old": [10, 10, 10, 10, 10, 10, 10],
    "new <img src=x>": [40, 10, 5, None, 10, 20, 30],
    "far": [80, 80, 80, 80, 80, None, 80],
}
NEW = "new <img src=x>"


def runs(means):
    """Three runs around each mean [MiB/s], 1 % apart."""
    return [
        run(
            f"r{n}",
            [
                ("write", f, r, v * (1 + n / 100) * MIB)
                for (f, r), v in zip(CELLS, means, strict=True)
                if v is not None
            ],
        )
        for n in (-1, 0, 1)
    ]


TABLE = measurements({name: runs(means) for name, means in MEANS.items()})
KINDS = {"versus": versus, "maps": maps}


@pytest.fixture(scope="module", params=KINDS)
def browser(request, chromium, tmp_path_factory):
    page = tmp_path_factory.mktemp("page") / "page.html"
    figure = KINDS[request.param](TABLE, operation="write", baseline="old")
    write_page(page, [figure])
    with browsing(chromium) as browser:
        browser.open(page)
        yield browser
        assert browser.complaints == []
        assert browser.requests == []


def place(browser, panel, file, record):
    """Where the map of a system has a cell [px]; the first is panel 0."""
    return tuple(
        browser.page.evaluate(
            """([n, file, record]) => {
            const gd = document.getElementById("figure-1"), L = gd._fullLayout;
            const x = L["xaxis" + n], y = L["yaxis" + n];
            const box = gd.getBoundingClientRect();
            return [box.left + x._offset + x.d2p(Math.log2(record)),
                    box.top + y._offset + y.d2p(Math.log2(file))]; }""",
            [str(panel + 1) if panel else "", file * KIB, record * KIB],
        )
    )


def point(browser, panel, file, record):
    """Point at a cell of a map, and wait until it is said."""
    browser.point_at(*place(browser, panel, file, record))
    sizes = f"file {file} KiB, record {record} KiB"
    wait_until(
        browser.page,
        f"document.querySelector('.fsviz-sizes')?.textContent === '{sizes}'",
    )


def said(browser):
    """Name, value and ratio of each system."""
    return browser.page.evaluate(
        """() => [...document.querySelectorAll("#figure-1-readout .fsviz-one")]
        .map(one => [...one.children].map(part => part.textContent))"""
    )


def expected(file, record):
    """The same from the runs and the frame of the comparison."""
    frame = compare(TABLE, baseline="old", cells=True)
    here = frame.loc[
        (frame["file_size_bytes"] == file * KIB)
        & (frame["record_size_bytes"] == record * KIB)
    ].set_index("candidate")
    told = []
    for name, means in MEANS.items():
        mean = means[CELLS.index((file, record))]
        value = "not measured" if mean is None else f"{mean} MiB/s"
        ratio = "baseline"
        if name != "old":
            row = here.loc[name]
            verdict = row["answer"]
            times = f"{max(row['ratio'], 1 / row['ratio']):.1f}×"
            words = {
                "faster": f"{times} faster",
                "slower": f"{times} slower",
                "same": "as fast, about the same",
            }
            ratio = "" if row["ratio"] != row["ratio"] else words[verdict]
        told.append([name, value, ratio])
    return told


@pytest.mark.parametrize(
    "panel, file, record", [(1, 64, 4), (2, 128, 4), (1, 64, 16), (0, 256, 16)]
)
def test_a_cell_is_said_of_every_system_as_the_frame_has_it(
    browser, panel, file, record
):
    point(browser, panel, file, record)
    assert said(browser) == expected(file, record)
    here = browser.page.inner_text(".fsviz-here .fsviz-system")
    assert here == list(MEANS)[panel]


def test_the_tooltip_says_the_same_ratio(browser):
    point(browser, 1, 64, 4)
    browser.page.wait_for_selector(".hoverlayer .hovertext")
    tooltip = browser.page.text_content(".hoverlayer .hovertext")
    assert tooltip.startswith("file 64 KiB, record 4 KiB4.0× faster95 % ")
    assert said(browser)[1][2] == "4.0× faster"


def test_the_cell_is_outlined_in_every_map(browser):
    point(browser, 2, 128, 4)
    for panel in range(3):
        number = str(panel + 1) if panel else ""
        box = browser.page.locator(f'[data-mark="heatmap{number}"]').last.bounding_box()
        centre = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert centre == pytest.approx(place(browser, panel, 128, 4), abs=2)
        beside = place(browser, panel, 128, 16)[0] - centre[0]
        assert box["width"] == pytest.approx(beside, abs=4)


def test_arrow_keys_go_where_any_system_has_numbers(browser):
    point(browser, 1, 128, 4)
    browser.page.focus("#figure-1")
    moves = [
        ("ArrowRight", (128, 16)),  # of which one system has none
        ("ArrowRight", (128, 16)),  # nobody measured 64 KiB here
        ("ArrowUp", (256, 16)),
        ("ArrowRight", (256, 64)),
        ("ArrowDown", (256, 64)),
        ("ArrowLeft", (256, 16)),
    ]
    for key, (file, record) in moves:
        browser.page.keyboard.press(key)
        assert browser.said("sizes") == f"file {file} KiB, record {record} KiB"
        assert said(browser) == expected(file, record)
    assert said(browser)[2][1:] == ["not measured", ""]


def test_the_focus_is_seen_and_the_readout_is_announced(browser):
    browser.page.keyboard.press("Tab")
    browser.page.evaluate("document.getElementById('figure-1').blur()")
    browser.page.focus("#figure-1")
    browser.page.keyboard.press("ArrowLeft")
    style = "getComputedStyle(document.getElementById('figure-1'))"
    assert browser.page.evaluate(f"{style}.outlineStyle") == "solid"
    readout = browser.page.locator("#figure-1-readout")
    assert readout.get_attribute("role") == "status"
    told = readout.locator(".fsviz-one").first.text_content()
    assert told == "old 10 MiB/s baseline"
    assert readout.locator("img").count() == 0


def test_what_is_said_stays_in_a_window_that_is_lower_than_the_figure(
    chromium, tmp_path
):
    page = tmp_path / "page.html"
    write_page(page, [versus(TABLE, operation="write", baseline="old")])
    with browsing(chromium, height=400) as browser:
        browser.open(page)
        browser.page.evaluate("scrollTo(0, 300)")
        point(browser, 1, 128, 4)
        box = browser.page.locator("#figure-1-readout").bounding_box()
        assert box["y"] + box["height"] == pytest.approx(400, abs=2)


def test_each_surface_has_a_ring_where_its_value_is(chromium, tmp_path):
    page = tmp_path / "page.html"
    write_page(page, [versus(TABLE, operation="write", baseline="old", maps=False)])
    with browsing(chromium) as browser:
        browser.open(page)
        wait_until(
            browser.page,
            "document.querySelectorAll('.gl-container canvas').length === 3",
        )
        browser.page.focus("#figure-1")
        for _ in range(2):
            browser.page.keyboard.press("ArrowLeft")
        assert browser.said("sizes") == "file 256 KiB, record 4 KiB"
        rings = browser.page.evaluate(
            """() => [...document.querySelectorAll("circle[data-mark]")]
            .map(c => [c.dataset.mark, Number(c.getAttribute("cy"))])"""
        )
        heights = dict(rings)
        assert list(heights) == ["surface", "surface2", "surface3"]
        # one point of view and one scale: the same value is as high, more is higher
        assert heights["surface"] == pytest.approx(heights["surface2"], abs=1)
        assert heights["surface3"] < heights["surface"] - 10
        assert said(browser) == expected(256, 4)
        browser.page.keyboard.press("ArrowRight")
        left = browser.page.evaluate(
            """() => [...new Set([...document.querySelectorAll("circle[data-mark]")]
            .map(c => c.dataset.mark))]"""
        )
        assert left == ["surface", "surface2"]  # "far" has no such cell
        assert browser.complaints == []
