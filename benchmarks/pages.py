"""What a page says on its first screen, and how soon: heights, words, seconds, bytes.

python benchmarks/pages.py [REPORTS]

Without a folder, the sample campaigns are rendered first. Each page is opened in the
machine's Chromium, at 1280 × 900, with WebGL in software. The yardstick of a page's
seconds is a page with plotly.js and one empty figure, opened in the same run.
"""

import shutil
import sys
import tempfile
import time
from pathlib import Path

from _goals import Figure, judge
from playwright.sync_api import Browser, Page, sync_playwright

from fsviz.figures.export import library_name
from fsviz.report.plan import report

ROOT = Path(__file__).resolve().parent.parent
SIZE = {"width": 1280, "height": 900}
ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
LARGEST = 15.0
"""Of the folder of the sample campaigns [MB]."""
GOALS = {"height": 6000, "first": 2.0, "all": 5.0}
"""Of the comparison of loopback-2026 [px, s, s]."""

EMPTY = """<!DOCTYPE html><meta charset="utf-8"><script src="{library}"></script>
<div id="x" class="fsviz-plot"></div>
<script>Plotly.newPlot("x", []); globalThis.fsvizPage = {{ entries: [] }};</script>
"""
SEEN = """[...document.querySelectorAll(".fsviz-plot")].filter((figure) => {
    const { top, height } = figure.getBoundingClientRect();
    return height && top < innerHeight;
  })"""
FIRST = f"""document.readyState !== "loading" &&
  {SEEN}.every((figure) => figure.querySelector(".main-svg"))"""
"""Every figure of the first screen is drawn."""
PAINTED = f"""{SEEN}.length ? null :
  performance.getEntriesByName("first-contentful-paint")[0].startTime / 1000"""
"""A first screen without figures is drawn when the page is first painted [s]."""
ALL = """typeof fsvizPage === "undefined" || fsvizPage.entries.every(
  (e) => e.gd.closest("details:not([open]), [hidden]") || e.gd.data)"""
SCREEN = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  let words = 0;
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.parentElement.closest("script, style")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    if (box.height && box.top < innerHeight && box.bottom > 0)
      words += node.textContent.split(/\\s+/).filter(Boolean).length;
  }
  const figure = document.querySelector(".cells, .fsviz-plot")?.getBoundingClientRect();
  const trust = document.getElementById("trust")?.getBoundingClientRect();
  return {
    words,
    picture: figure ? Math.round(figure.top) : null,
    trust: trust ? Math.round(trust.bottom) : null,
    height: document.documentElement.scrollHeight,
  };
}"""


def measure(browser: Browser, path: Path) -> dict[str, float]:
    """Open a page and say what its first screen has, and when."""
    page = browser.new_page(viewport=SIZE)
    began = time.perf_counter()
    page.goto(path.resolve().as_uri(), wait_until="commit")
    _wait(page, FIRST)
    first = time.perf_counter() - began
    _wait(page, ALL)
    done = time.perf_counter() - began
    _wait(page, "performance.getEntriesByType('paint').length > 1")
    first = page.evaluate(PAINTED) or first
    found = page.evaluate(SCREEN)
    page.close()
    return found | {"first": first, "all": done, "bytes": path.stat().st_size}


def _wait(page: Page, expression: str) -> None:
    """Wait as ``page.wait_for_function`` would, which the pages' policy forbids."""
    end = time.perf_counter() + 120
    while not page.evaluate(f"Boolean({expression})"):
        if time.perf_counter() > end:
            raise TimeoutError(expression)
        page.wait_for_timeout(10)


def main() -> int:
    """Measure every page of a folder of reports."""
    with tempfile.TemporaryDirectory() as made:
        if len(sys.argv) > 1:
            folder = Path(sys.argv[1])
        else:
            folder = Path(made)
            sources = sorted(str(path) for path in (ROOT / "data/raw").iterdir())
            report(sources, folder, jobs=2)
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=ARGUMENTS
            )
            yardstick = folder / "empty.html"
            yardstick.write_text(EMPTY.format(library=library_name()))
            empty = min(measure(chromium, yardstick)["all"] for _ in range(3))
            yardstick.unlink()
            print(f"plotly.js and an empty figure: {empty:.2f} s")
            print(
                "page  height [px]  first picture at [px]  trust ends at [px]  ",
                end="",
            )
            print("words on the screen  first screen [s]  all shown [s]  ÷ empty  [kB]")
            measured = {}
            for path in [folder / "index.html", *sorted(folder.glob("*/*.html"))]:
                m = measured[str(path.relative_to(folder))] = measure(chromium, path)
                print(
                    f"{path.relative_to(folder)}  {m['height']}  {m['picture']}  "
                    f"{m['trust']}  {m['words']}  {m['first']:.2f}  {m['all']:.2f}  "
                    f"{m['all'] / empty:.1f}  {m['bytes'] // 1000}"
                )
            chromium.close()
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    page = measured.get("loopback-2026/compare.html", {})
    goals = [Figure(f"comparison: {k}", page[k], v) for k, v in GOALS.items() if page]
    return judge(*goals, Figure("the folder [MB]", size / 1e6, LARGEST))


if __name__ == "__main__":
    sys.exit(main())
