"""What a page answers without scrolling, and what it folds, in a real browser."""

import re

import pytest
from browser import opened, wait_until
from campaigns_made import iozone, put

from fsviz.report.plan import report

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SCREEN = (1280, 900)
BOTH = ("loopback-2026", "onehost-2026")
PAGES = {
    "small/compare": ["Three file systems", "ext4 and xfs 1.07–1.2× slower"],
    "onehost-2026/compare": ["One host 2026", "xfs depends", "btrfs 1.5× slower"],
    "onehost-2026/iozone": ["One host 2026", "xfs depends", "btrfs 1.5× slower"],
    "onehost-2026/bonnie": ["One host 2026", "xfs inconclusive"],
    "loopback-2026/compare": ["Loopback 2026", "local-ext4 14× faster"],
    "loopback-2026/iozone": ["Loopback 2026", "local-ext4 14× faster"],
    "loopback-2026/bonnie": ["Loopback 2026", "local-xfs inconclusive"],
    "loopback-2026/rsync": ["Loopback 2026", "nfs-v3 8.5× slower"],
}
REAL = [pytest.param(n, marks=pytest.mark.slow) for n in PAGES if "2026" in n]


def pages_of(reports, name):
    out, _ = reports(*(("small",) if name.startswith("small") else BOTH))
    return out


def bottom(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["y"] + box["height"]


@pytest.mark.parametrize("name", ["small/compare", *REAL])
def test_the_four_questions_are_answered_on_the_first_screen(reports, chromium, name):
    out = pages_of(reports, name)
    title, *answers = PAGES[name]
    with opened(chromium, out / f"{name}.html", SCREEN) as watched:
        page = watched.page
        assert title in page.locator("h1").inner_text()
        # which is faster, and by how much: in words, then in the matrix
        answer = page.locator(".code-cell strong").first
        text = answer.inner_text()
        assert [words for words in answers if words not in text] == []
        assert bottom(page, ".code-cell strong") < 300
        assert page.locator(".matrix .cells").first.bounding_box()["y"] < 300
        # can it be believed
        questions = page.locator("#trust h3").all_inner_texts()
        assert len(questions) == 4
        assert bottom(page, "#trust") < SCREEN[1]
        assert not watched.requests
        assert not watched.errors


def test_one_system_alone_shows_its_numbers_on_the_first_screen(tmp_path, chromium):
    texts = {f"nfs/r{n}.txt": iozone(n, minute=n) for n in range(3)}
    report([put(tmp_path / "alone", texts)], tmp_path / "out")
    with opened(chromium, tmp_path / "out/alone/iozone.html", SCREEN) as watched:
        page = watched.page
        text = page.locator("main").inner_text()
        assert re.search(r"nfs, IOzone: write [\d.]+ .iB/s", text)
        # no figure that cannot be, no message of a program
        assert "expected" not in text
        assert "''" not in text
        wait_until(
            page, "document.querySelector('.js-plotly-plot .heatmaplayer image')"
        )
        figure = page.locator(".js-plotly-plot").first
        numbers = figure.locator(".textpoint text").all_text_contents()
        assert len(numbers) == 9
        assert bottom(page, ".js-plotly-plot .heatmaplayer") < SCREEN[1]
        box = figure.locator(".textpoint text").first.bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + 5, steps=3)
        wait_until(
            page, "!/^Point/.test(document.querySelector('[role=status]').innerText)"
        )
        told = page.locator("[role=status]").first.inner_text()
        assert "nfs" in told
        assert "baseline" not in told
        assert not watched.errors


def test_a_box_of_trust_leads_to_its_finding(reports, chromium):
    out = pages_of(reports, "small")
    with opened(chromium, out / "small/compare.html", SCREEN) as watched:
        page = watched.page
        finding = page.locator("#finding-too-short")
        assert not finding.locator("xpath=ancestor::details").get_attribute("open")
        link = '#trust a[href="#finding-too-short"]'
        page.locator(f"#trust details:has({link.removeprefix('#trust ')})").click()
        page.locator(link).click()
        place = finding.locator("xpath=ancestor::li").first
        place.wait_for(state="visible")
        assert 0 <= place.bounding_box()["y"] < SCREEN[1]


def test_a_cell_of_the_matrix_opens_what_is_behind_it(reports, chromium):
    out = pages_of(reports, "small")
    with opened(chromium, out / "small/compare.html", SCREEN) as watched:
        page = watched.page
        view = ".matrix-view:visible"
        first = page.locator(f"{view} td[data-told] button").first
        # one stop for the tabulator, then the arrow keys
        assert page.locator(f"{view} td button[tabindex='0']").count() == 1
        first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        # IOzone's leads to its sizes, another tool's to a window
        told = page.locator(".told-here").inner_text()
        assert told.startswith("IOzone rewrite: xfs against btrfs")
        assert "95 % interval" in told
        assert re.search(r"xfs: from \S+iozone1.txt, line \d+, and 2 more files", told)
        other = page.locator(f"{view} td[data-told]:not([data-op]) button").first
        other.click()
        dialog = page.locator("dialog.matrix-told[open]")
        assert re.match(
            r"(iozone|bonnie\+\+) .*: \w+ against btrfs", dialog.inner_text()
        )
        page.keyboard.press("Escape")
        assert dialog.count() == 0
        page.locator(".matrix-menu select").select_option(label="xfs")
        # the other views are packed until one is wanted
        page.locator(f"{view} caption", has_text="to xfs").wait_for()
        coloured = page.locator(f"{view} td[data-ground]").first
        ground = coloured.get_attribute("data-ground")
        found = coloured.evaluate("td => getComputedStyle(td).backgroundColor")
        assert found == ground
        first.click()
        told = page.locator(".told-here").inner_text()
        assert told.startswith("IOzone write: btrfs against xfs")
        assert not watched.errors


def test_a_folded_figure_is_drawn_when_it_is_opened(reports, chromium):
    out = pages_of(reports, "small")
    with opened(chromium, out / "small/iozone.html", SCREEN) as watched:
        page = watched.page
        # of each of four operations IOzone's page folds the means away
        folds = page.locator("details.fsviz-fold:has(.fsviz-plot)")
        assert folds.count() == 4
        # the explorer and the maps of one operation, and all ratios
        wait_until(page, "fsvizPage.entries.filter(e => e.gd.data).length === 3")
        assert page.locator("details.fsviz-fold .main-svg").count() == 0
        page.locator(".tab-panel:visible details:has(.fsviz-plot) summary").click()
        page.wait_for_selector("details.fsviz-fold[open] .main-svg", state="attached")
        assert not watched.errors


def test_a_tab_is_drawn_when_it_is_chosen(reports, chromium):
    out = pages_of(reports, "small")
    with opened(chromium, out / "small/compare.html", SCREEN) as watched:
        page = watched.page
        wait_until(page, "fsvizPage.entries.filter(e => e.gd.data).length === 2")
        page.locator("[role=tab][aria-selected=false]").first.click()
        wait_until(page, "fsvizPage.entries.filter(e => e.gd.data).length === 4")
        page.wait_for_selector(".tab-panel:not([hidden]) .gl-container canvas")
        assert not watched.errors


def test_maps_of_all_systems_come_without_webgl(reports, chromium):
    out = pages_of(reports, "small")
    with opened(chromium, out / "small/compare.html", SCREEN) as watched:
        page = watched.page
        shown = page.evaluate(
            "Promise.all([...document.querySelectorAll('script[data-figure]')]"
            ".filter(s => s.closest('figure').dataset.reference)"
            ".map(s => 'packed' in s.dataset ? fsvizUnpack(s.textContent)"
            " : JSON.parse(s.textContent)))"
        )
        kinds = {trace["type"] for figure in shown for trace in figure["data"]}
        assert kinds <= {"heatmap", "scatter", "contour"}
