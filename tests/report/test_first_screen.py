"""What a page answers without scrolling, and what it folds, in a real browser."""

import re

import pytest
from browser import opened, wait_until
from campaigns_made import iozone, put
from nbformat.v4 import new_code_cell, new_notebook, new_output

from fsviz.figures.export import MIMETYPE
from fsviz.report.html import FsvizHTMLExporter
from fsviz.report.plan import report

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SCREEN = (1280, 900)
BOTH = ("loopback-2026", "onehost-2026")
PAGES = {
    "small/compare": ["Three file systems", "ext4", "xfs"],
    "onehost-2026/compare": ["One host 2026", "xfs", "btrfs"],
    "onehost-2026/iozone": ["One host 2026", "xfs", "btrfs"],
    "onehost-2026/bonnie": ["One host 2026", "xfs", "btrfs"],
    "loopback-2026/compare": ["Loopback 2026", "local-ext4", "smb-2.1"],
    "loopback-2026/iozone": ["Loopback 2026", "local-ext4", "smb-2.1"],
    "loopback-2026/bonnie": ["Loopback 2026", "local-xfs", "smb-2.1"],
    "loopback-2026/rsync": ["Loopback 2026", "local-ext4", "smb-3.0"],
}


def pages_of(reports, name):
    out, _ = reports(*(("small",) if name.startswith("small") else BOTH))
    return out


def bottom(page, selector):
    box = page.locator(selector).first.bounding_box()
    return box["y"] + box["height"]


@pytest.mark.parametrize("name", PAGES)
def test_the_four_questions_are_answered_on_the_first_screen(reports, chromium, name):
    out = pages_of(reports, name)
    title, *systems = PAGES[name]
    with opened(chromium, out / f"{name}.html", SCREEN) as watched:
        page = watched.page
        assert title in page.locator("h1").inner_text()
        # which is faster: of every tool and system in words
        opening = page.locator(".first-words > p").first.inner_text()
        assert re.match("Against .+, .*baseline|Against .+, the first system", opening)
        said = page.locator(".said tr").all()
        if name.endswith("compare"):
            assert page.locator(".of-tool .tool").first.inner_text()
        named = ", ".join(row.locator("b").inner_text() for row in said)
        assert [one for one in systems if one not in named.split(", ")] == []
        # those that do not fit are in the table
        verdict = "faster|slower|inconclusive|about the same|mixed|table|only one side"
        words = [row.locator("td").last.inner_text() for row in said]
        assert [text for text in words if not re.search(verdict, text)] == []
        # can it be believed
        chips = page.locator(".chips .chip")
        assert chips.count() == 4
        assert bottom(page, ".said") < chips.first.bounding_box()["y"]
        assert bottom(page, ".chips") < 650
        # where: the tabs say by how much, or the numbers are there
        if page.locator("[role=tab]").count():
            assert bottom(page, "[role=tab]") < SCREEN[1]
        else:
            wait_until(page, "fsvizPage.entries[0]?.gd?.data")
            assert page.locator(".fsviz-plot").first.bounding_box()["y"] < SCREEN[1]
        assert not watched.requests
        assert not watched.errors


def test_one_system_alone_shows_its_numbers_on_the_first_screen(tmp_path, chromium):
    texts = {f"nfs/r{n}.txt": iozone(n, minute=n) for n in range(3)}
    batch = report([put(tmp_path / "alone", texts)], tmp_path / "out")
    assert [outcome.error for outcome in batch.outcomes if outcome.error] == []
    with opened(chromium, tmp_path / "out/alone/iozone.html", SCREEN) as watched:
        page = watched.page
        text = page.locator("main").inner_text()
        assert page.locator(".first-words").inner_text().startswith("Nothing to")
        assert page.locator(".said, .answers").count() == 0
        assert page.locator(".chips .chip").count() == 4
        # no figure that cannot be, no message of a program
        assert "expected" not in text
        assert "''" not in text
        wait_until(
            page, "document.querySelector('.js-plotly-plot .heatmaplayer image')"
        )
        figure = page.locator(".js-plotly-plot").first
        texts = figure.locator(".textpoint text").all_text_contents()
        # nine sizes, three of them too short to time
        assert len([text for text in texts if text.isdecimal()]) == 6
        assert figure.bounding_box()["y"] < SCREEN[1]
        figure.scroll_into_view_if_needed()
        box = figure.locator(".textpoint text").first.bounding_box()
        page.mouse.move(box["x"] + 5, box["y"] + 5, steps=3)
        wait_until(page, "document.querySelector('[role=status] b')")
        told = page.locator("[role=status]").first.inner_text()
        assert "nfs" in told
        assert "baseline" not in told
        assert not watched.errors


def test_a_chip_leads_to_its_question_and_that_to_its_finding(reports, chromium):
    out = pages_of(reports, "small")
    with opened(chromium, out / "small/compare.html", SCREEN) as watched:
        page = watched.page
        chips = page.locator(".chips .chip")
        questions = page.locator("#trust > *")
        chips.first.click()
        wait_until(page, "scrollY > 0")
        assert 0 <= page.locator("#trust").bounding_box()["y"] < SCREEN[1]
        for chip, question in zip(chips.all(), questions.all(), strict=True):
            icon, asked = chip.inner_text().split(" ", 1)
            assert question.inner_text().startswith(f"{icon} {asked}")
            said = chip.get_attribute("title").replace("`", "").strip()
            assert said in question.inner_text()
        link = page.locator('a[href="#finding-too-short"]')
        asked = page.locator("#trust details").filter(has=link)
        asked.locator("summary").click()
        asked.locator(link).click()
        place = page.locator("#finding-too-short").locator("xpath=ancestor::li").first
        place.wait_for(state="visible")
        assert 0 <= place.bounding_box()["y"] < SCREEN[1]
        assert not watched.errors


@pytest.fixture
def folded(chromium, tmp_path):
    """A page of two figures, of which the second is folded."""
    path = tmp_path / "page.html"
    path.write_text(page_of([figure(), figure(folded="Means")]), encoding="utf-8")
    with opened(chromium, path, SCREEN) as watched:
        yield watched.page
        assert not watched.errors


def test_a_folded_figure_is_drawn_when_it_is_opened(folded):
    wait_until(folded, "fsvizPage.entries.filter(e => e.gd.data).length === 1")
    assert folded.locator("details.fsviz-fold .main-svg").count() == 0
    folded.locator("details.fsviz-fold summary").click()
    folded.wait_for_selector("details.fsviz-fold[open] .main-svg", state="attached")


def test_what_was_unfolded_before_the_page_was_ready_is_drawn(folded):
    folded.add_init_script(
        """addEventListener("DOMContentLoaded", () => {
          // the frame that holds up the load event has no figure
          const fold = document.querySelector("details.fsviz-fold");
          if (fold) fold.open = true;
        });"""
    )
    folded.reload()
    folded.wait_for_selector("details.fsviz-fold[open] .main-svg", state="attached")


def figure(**meta):
    layout = {"title": {"text": "Write"}, "meta": meta}
    data = {"data": [{"type": "bar", "y": [1, 2]}], "layout": layout}
    return new_output("display_data", {MIMETYPE: data})


def page_of(outputs):
    notebook = new_notebook(cells=[new_code_cell("", outputs=outputs)])
    text, _ = FsvizHTMLExporter().from_notebook_node(notebook)
    return text


def test_a_tab_is_drawn_when_it_is_chosen(reports, chromium):
    out = pages_of(reports, "small")
    drawn = "fsvizPage.entries.map(e => Boolean(e.gd.data)).slice(0, 4).join()"
    with opened(chromium, out / "small/compare.html", SCREEN) as watched:
        page = watched.page
        wait_until(page, f"{drawn} === 'true,false,false,false'")
        page.locator("[role=tab][aria-selected=false]").first.click()
        wait_until(page, f"{drawn} === 'true,true,false,false'")
        page.wait_for_selector(".tab-panel:not([hidden]) .gl-container canvas")
        assert not watched.errors


def test_a_page_has_loaded_when_its_figures_are_drawn(reports, chromium):
    """`chromium --print-to-pdf` prints at the load event."""
    path = pages_of(reports, "small") / "small/iozone.html"
    with opened(chromium, path, (800, 900)) as watched:
        page = watched.page
        page.add_init_script(
            """addEventListener("load", () => {
              globalThis.atLoad = document.querySelectorAll(".textpoint").length;
            });"""
        )
        page.reload()
        assert page.evaluate("globalThis.atLoad") > 0
        page.evaluate("fsvizPage.prepareForPrint()")
        # on one page of A4, however narrow the window
        size, high = page.evaluate(
            """() => { const gd = document.querySelector(".js-plotly-plot");
              return [Number(gd.style.getPropertyValue("--fsviz-print")),
                gd.getBoundingClientRect().height]; }"""
        )
        assert high > 1000
        assert size * high < 941
        assert not watched.errors


def test_findings_and_method_are_folded_but_on_paper(reports, chromium):
    path = pages_of(reports, "small") / "small/compare.html"
    with opened(chromium, path, SCREEN) as watched:
        page = watched.page
        folds = "[...document.querySelectorAll('details.fold')].map(f => f.open).join()"
        assert page.evaluate(folds) == "false,false"
        page.locator("#contents a", has_text="What is wrong").click()
        assert page.evaluate(folds) == "true,false"
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        assert page.evaluate(folds) == "true,true"
        assert not watched.errors
