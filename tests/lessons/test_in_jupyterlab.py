"""In a real JupyterLab: explorer, menu and tile are used; a learner for the lessons.

One file, so that its tests share one JupyterLab.
"""

import json
import re
import time

import pytest
from browser import window
from lab import IDLE, visit

from tests.hostile import NAMES, OUTSIDE

PAUSE = 100
"""Milliseconds: after an error, a kernel drops what is sent at once."""


class Learner:
    """A notebook in a browser, one cell of it selected."""

    def __init__(self, page) -> None:
        self.page = page
        self.at = 0

    def select(self, cell: int) -> None:
        """Walk to a cell with the arrow keys."""
        key = "ArrowDown" if cell > self.at else "ArrowUp"
        for _ in range(abs(cell - self.at)):
            self.page.keyboard.press(key)
        self.at = cell

    def run(self, *, code: bool) -> None:
        """Run the selected cell, wait for it, and go on to the next one."""
        cell = self.page.locator(f'.jp-Cell[data-windowed-list-index="{self.at}"]')
        before = cell.locator(".jp-InputPrompt").inner_text() if code else ""
        self.page.keyboard.press("Shift+Enter")
        until = time.monotonic() + 120
        while code:
            prompt = cell.locator(".jp-InputPrompt").inner_text()
            if prompt != before and re.fullmatch(r"\[\d+\]:", prompt):
                break
            assert time.monotonic() < until, f"cell {self.at}: {prompt}"
            time.sleep(0.02)
        self.page.wait_for_selector(IDLE)
        self.page.wait_for_timeout(PAUSE)
        self.at += 1

    def answer(self, cell: int, text: str) -> str:
        """Type an answer, run it and its check, and read what is said."""
        self.select(cell)
        self.page.keyboard.press("Enter")
        self.page.keyboard.press("Control+a")
        self.page.keyboard.insert_text(text)
        self.run(code=True)
        self.run(code=True)
        place = f'.jp-Cell[data-windowed-list-index="{cell + 1}"] .fsviz-verdict'
        return self.page.locator(place).inner_text()


def from_the_menu(page):
    page.locator(".lm-MenuBar-itemLabel", has_text="fsviz").click()
    shown = page.locator(".lm-Menu-itemLabel", has_text=re.compile("Explore|Open "))
    shown.first.wait_for()
    opened = ["Explore results", "Open notebooks/lessons", "Open data/raw"]
    assert opened == shown.all_inner_texts()
    shown.first.click()


def from_the_launcher(page):
    page.keyboard.press("Control+Shift+L")
    page.locator(".jp-LauncherCard").first.wait_for()
    # before everything else that could be started
    assert page.locator(".jp-LauncherCard").first.inner_text() == "Explore results"
    page.locator(".jp-LauncherCard", has_text="Explore results").click()


def from_the_palette(page):
    page.keyboard.press("Control+Shift+C")
    page.locator(".lm-CommandPalette-input").fill("explore results")
    page.locator(".lm-CommandPalette-item.lm-mod-active").wait_for()
    page.keyboard.press("Enter")


@pytest.mark.slow
@pytest.mark.browser
@pytest.mark.parametrize("way", [from_the_menu, from_the_launcher, from_the_palette])
def test_it_opens_the_explorer(root, jupyterlab, chromium, way):
    with window(chromium, 1300, 900, offline=False) as context:
        page = context.new_page()
        asked, said = [], []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: said.append(message.text))
        visit(page, jupyterlab, "notebooks/gallery.ipynb")
        way(page)
        tabs = page.locator(".lm-DockPanel-tabBar .lm-TabBar-tabLabel")
        tabs.filter(has_text="explore.ipynb").wait_for()
        heading = page.locator(".jp-Notebook h1", has_text="Explore a campaign")
        heading.wait_for()
        # no notebook of the visit before, no other server
        assert sorted(tabs.all_inner_texts()) == ["explore.ipynb", "gallery.ipynb"]
        assert [
            url for url in asked if not url.startswith(("data:", "blob:", jupyterlab))
        ] == []
        assert [text for text in said if "Menu entry" in text] == []


def run_all(page):
    page.click('.lm-MenuBar-itemLabel:has-text("Run")')
    page.click('.lm-Menu-itemLabel:text-is("Run All Cells")')
    page.wait_for_selector('.jp-CodeCell .jp-InputPrompt:text-matches("[0-9]")')


PLACED = """() => {
  const gd = document.querySelector(".jp-OutputArea .js-plotly-plot");
  return { drawn: gd._fullLayout.width, wide: gd.clientWidth };
}"""
TOUCHING = """() => {
  const gd = document.querySelector(".jp-OutputArea .js-plotly-plot");
  const texts = [...gd.querySelectorAll(".subplot.xy text")]
    .filter((t) => t.textContent);
  const boxes = texts.map((t) => [t.textContent, t.getBoundingClientRect()]);
  const touch = (p, q) => p.left < q.right && q.left < p.right
    && p.top + 2 < q.bottom && q.top + 2 < p.bottom;
  return boxes.flatMap(([a, p], n) => boxes.slice(n + 1)
    .filter(([, q]) => touch(p, q)).map(([b]) => `${a} ${b}`));
}"""


@pytest.mark.slow
@pytest.mark.browser
def test_the_explorer_follows_its_controls(jupyterlab, chromium):
    with window(chromium, 1400, 1300, offline=False) as context:
        page = context.new_page()
        visit(page, jupyterlab, "notebooks/explore.ipynb")
        run_all(page)
        page.wait_for_selector(".jp-OutputArea .gl-container canvas")
        page.wait_for_function(f"({PLACED})().drawn === ({PLACED})().wide")
        assert page.evaluate(PLACED)["wide"] > 800
        assert page.evaluate(TOUCHING) == []
        before = page.text_content(".gtitle >> nth=0")
        select = page.locator(
            "select", has=page.locator('option:text-is("random_read")')
        )
        select.select_option(label="random_read")
        page.wait_for_function(
            "document.querySelector('.gtitle').textContent.includes('random read')"
        )
        assert "write" in before
        regime = page.locator("select", has=page.locator("option:text-is('storage')"))
        regime.select_option(label="cache")
        page.locator(".js-plotly-plot").first.focus()
        page.wait_for_selector(".fsviz-readout b")
        said = page.inner_text(".fsviz-readout >> nth=0")
        page.keyboard.press("ArrowRight")
        assert page.inner_text(".fsviz-readout >> nth=0") != said
        assert "MiB/s" in said
        assert page.locator('[data-mark="scene"]').count() > 0
        assert page.locator(".jp-RenderedText[data-mime-type*=error]").count() == 0


@pytest.mark.slow
@pytest.mark.browser
def test_the_explorer_shows_names_that_are_markup_as_text(
    root, jupyterlab, chromium, tmp_path
):
    campaign = tmp_path / "<details open><b onclick>folder"  # with = it were a label
    campaign.mkdir()
    log = (root / "data/raw/onehost-2026/iozone/ext4/rep1.txt").read_text()
    lines = [f"title = {json.dumps(NAMES[1])}"]
    for n, name in enumerate(NAMES[:8]):
        # numbers of its own: the same run of two systems would be refused
        own = re.sub(r"\d{6,9}(?=\n)", lambda m, n=n: str(int(m[0]) + n), log)
        (campaign / f"{n}.txt").write_text(own)
        lines += ["[[system]]", f"name = {json.dumps(name)}", f'files = ["{n}.txt"]']
    (campaign / "campaign.toml").write_text("\n".join(lines))
    with window(chromium, 1500, 1300, offline=False) as context:
        page = context.new_page()
        dialogs, asked = [], []
        page.on("request", lambda r: asked.append(r.url))
        visit(page, jupyterlab, "notebooks/explore.ipynb")
        learner = Learner(page)
        learner.select(1)
        page.keyboard.press("Enter")
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(f"sources: list = [{str(campaign)!r}]")
        page.keyboard.press("Escape")
        page.on("dialog", lambda d: dialogs.append(d.message))
        run_all(page)
        page.wait_for_selector(".jp-OutputArea .gl-container canvas")
        page.wait_for_selector(IDLE)
        assert page.evaluate("window.owned") is None
        assert "owned" not in page.title()
        assert not dialogs
        assert not [url for url in asked if OUTSIDE in url or url.endswith("/x")]
        shown = page.locator(".jp-OutputArea")
        tags = "img[src=x], iframe, form[action], meta, svg a, [onerror], [ontoggle]"
        assert shown.locator(tags).count() == 0
        assert "<script>" in page.locator(".jp-Notebook").inner_text()
