"""What a page answers without scrolling, and what it folds, in a real browser."""

import json

import pytest
from browser import opened

pytestmark = pytest.mark.browser
SCREEN = (1280, 900)
PAGES = {
    "onehost-2026/compare": ["xfs 1.1× faster", "btrfs 1.5× slower"],
    "onehost-2026/iozone": ["xfs 1.1× faster", "btrfs 1.5× slower"],
    "onehost-2026/bonnie": ["xfs not told apart"],
}


def bottom(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["y"] + box["height"]


@pytest.mark.parametrize("name", PAGES)
def test_the_four_questions_are_answered_on_the_first_screen(reports, chromium, name):
    out, _ = reports("onehost-2026")
    with opened(chromium, out / f"{name}.html", SCREEN) as watched:
        page = watched.page
        assert "One host 2026" in page.locator("h1").inner_text()
        # which is faster, and by how much: in words, then in the matrix
        answer = page.locator(".code-cell strong").first
        text = answer.inner_text()
        assert [words for words in PAGES[name] if words not in text] == []
        assert bottom(page, ".code-cell strong") < 300
        assert page.locator(".matrix .cells").first.bounding_box()["y"] < 300
        # can it be believed
        questions = page.locator("#trust section h3").all_inner_texts()
        assert len(questions) == 4
        assert bottom(page, "#trust") < SCREEN[1]
        assert not watched.requests
        assert not watched.errors


def test_a_box_of_trust_leads_to_its_finding(reports, chromium):
    out, _ = reports("onehost-2026")
    with opened(chromium, out / "onehost-2026/compare.html", SCREEN) as watched:
        page = watched.page
        finding = page.locator("#finding-too-short")
        assert not finding.locator("xpath=ancestor::details").get_attribute("open")
        page.locator('#trust a[href="#finding-too-short"]').click()
        place = finding.locator("xpath=ancestor::li").first
        place.wait_for(state="visible")
        assert 0 <= place.bounding_box()["y"] < SCREEN[1]


def test_a_cell_of_the_matrix_opens_what_is_behind_it(reports, chromium):
    out, _ = reports("onehost-2026")
    with opened(chromium, out / "onehost-2026/compare.html", SCREEN) as watched:
        page = watched.page
        cells = page.locator(".matrix-view:visible td[data-told] button")
        # one stop for the tabulator, then the arrow keys
        assert page.locator(".matrix-view:visible td button[tabindex='0']").count() == 1
        cells.first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("Enter")
        dialog = page.locator("dialog.matrix-told[open]")
        told = dialog.inner_text()
        assert told.startswith("iozone rewrite: btrfs against ext4")
        assert "95 % interval" in told
        assert "line" in told
        page.keyboard.press("Escape")
        assert dialog.count() == 0
        page.locator(".matrix-menu select").select_option(label="btrfs")
        assert "as btrfs" in page.locator(".matrix-view:visible caption").inner_text()
        cells.first.click()
        assert "ext4 against btrfs" in dialog.locator("h3").inner_text()
        assert not watched.errors


def test_a_folded_figure_is_drawn_when_it_is_opened(reports, chromium):
    out, _ = reports("onehost-2026")
    with opened(chromium, out / "onehost-2026/iozone.html", SCREEN) as watched:
        page = watched.page
        folds = page.locator("details.fsviz-fold:has(.fsviz-plot)")
        assert folds.count() == 6
        page.wait_for_function("fsvizPage.entries.filter(e => e.gd.data).length >= 7")
        assert page.locator("details.fsviz-fold .main-svg").count() == 0
        assert page.locator("canvas").count() == 0
        folds.first.locator("summary").first.click()
        page.wait_for_selector("details.fsviz-fold[open] .gl-container canvas")
        assert not watched.errors


def test_maps_of_all_systems_come_without_webgl(reports, chromium):
    out, _ = reports("onehost-2026")
    with opened(chromium, out / "onehost-2026/compare.html", SCREEN) as watched:
        page = watched.page
        shown = page.evaluate(
            "[...document.querySelectorAll('script[data-figure]')]"
            ".filter(s => !s.closest('details')).map(s => s.textContent)"
        )
        kinds = {t["type"] for text in shown for t in json.loads(text)["data"]}
        assert kinds <= {"heatmap", "scatter", "contour"}
