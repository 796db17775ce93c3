"""What a page of eight explorers costs, beside plain plotly figures of the same traces.

Both pages hold the same figures of 163 cells and the same plotly.js, loaded in the same
Chromium in turns. Interactive is when every figure in view has been drawn and the page
answers a timer again; all, when every figure on the page has been drawn, flat at least.
Goals: interactive in at most 1.5 times the plain page's; 50 ms from pointing to marks;
plotly.js + 60 kB an explorer.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from _goals import Figure, judge
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "tests/figures")]

from browser import ARGUMENTS  # noqa: E402
from browsing import write_page  # noqa: E402
from frames import measurements, run  # noqa: E402

from fsviz.figures.export import plotly_js  # noqa: E402
from fsviz.figures.kinds.explorer import explorer  # noqa: E402

EXPLORERS, REPEATS, POINTS = 8, 5, 40
PLAIN = """<!DOCTYPE html><html><head><meta charset="utf-8">
<style>body {{ margin: 0 12px; font: 14px sans-serif; }}</style>
<script>{plotly}</script></head><body>{figures}
<script>window.fsvizPage = {{entries: []}};</script></body></html>"""
INTERACTIVE = "new Promise(done => setTimeout(() => done(performance.now()), 0))"
ALL = """new Promise(done => { const look = () =>
  fsvizPage.entries.every(e => e.gd.data) ? done(performance.now())
                                          : setTimeout(look, 5); look(); })"""
POINT = """async times => { const gd = document.getElementById("figure-1");
  const facts = gd.layout.meta.cells, marked = [], shown = [];
  const fullData = gd._fullData.find(t => t.type === "heatmap");
  for (let i = 0; i < times; i++) {
    const file = 4 + i % 8, record = 1 + i % 3, began = performance.now();
    gd.emit("plotly_hover", {points: [{fullData, x: Math.log2(facts.records[record]),
                                       y: Math.log2(facts.files[file])}]});
    gd.querySelector("[data-mark]").getBoundingClientRect();
    marked.push(performance.now() - began);
    await new Promise(requestAnimationFrame);
    shown.push(performance.now() - began);
  }
  return [marked, shown]; }"""


def cells() -> list[tuple[str, int, int, float]]:
    """The first 163 cells of IOzone with -a -z, from the smallest file on."""
    sizes = [
        (f, r)
        for f in (2**n for n in range(6, 22))
        for r in (2**n for n in range(2, 15))
        if r <= f
    ]
    return [("write", f, r, (f**0.5 + r) * 3e5) for f, r in sizes[:163]]


def figures() -> list:
    rows = cells()
    print(f"cells in an explorer: {len(rows)}")
    made = []
    for number in range(EXPLORERS):
        runs = [
            run(f"e{number}r{k}", [(o, f, r, v * (1 + k / 50)) for o, f, r, v in rows])
            for k in range(3)
        ]
        made.append(
            explorer(measurements({f"system {number}": runs}), operation="write")
        )
    return made


def write_plain(path: Path, figures: list) -> Path:
    """Write the figures as plotly's own writer does, with the same plotly.js."""
    pieces = [
        figure.to_html(
            full_html=False, include_plotlyjs=False, config={"responsive": True}
        )
        for figure in figures
    ]
    page = PLAIN.format(plotly=plotly_js(), figures="".join(pieces))
    path.write_text(page, encoding="utf-8")
    return path


def load(page: Page, path: Path) -> tuple[float, float]:
    page.goto(path.as_uri(), timeout=120_000)
    return page.evaluate(INTERACTIVE), page.evaluate(ALL)


def main() -> int:
    """Print the times; 1 if one is above its goal."""
    browser = os.environ.get("BROWSER_PATH") or shutil.which("chromium")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        drawn = figures()
        ours = write_page(Path(folder) / "ours.html", drawn)
        plain = write_plain(Path(folder) / "plain.html", drawn)
        chromium = playwright.chromium.launch(executable_path=browser, args=ARGUMENTS)
        context = chromium.new_context(
            viewport={"width": 1366, "height": 768}, offline=True
        )
        times: dict[Path, list[tuple[float, float]]] = {ours: [], plain: []}
        for _ in range(REPEATS):
            for path, found in times.items():
                page = context.new_page()
                found.append(load(page, path))
                if path is plain or len(found) < REPEATS:
                    page.close()
                else:
                    taken = page.evaluate(POINT, POINTS)
        chromium.close()
        return report(times, ours, plain, taken)


def report(times: dict, ours: Path, plain: Path, taken: list[list[float]]) -> int:
    ready, drawn = (
        [statistics.median(column) for column in zip(*times[path], strict=True)]
        for path in (ours, plain)
    )
    marked, _ = map(statistics.median, taken)
    beside = (ours.stat().st_size - len(plotly_js().encode())) / EXPLORERS / 1000
    return judge(
        Figure("interactive ÷ plain page", ready[0] / drawn[0], 1.5),
        Figure("from pointing to marks [ms]", marked, 50),
        Figure("an explorer beside plotly.js [kB]", beside, 60),
    )


if __name__ == "__main__":
    sys.exit(main())
