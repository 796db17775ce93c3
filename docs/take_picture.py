"""Take the picture at the head of README and site: ``python docs/take_picture.py``.

The explorer of a sample campaign as a page shows it, with one cell pointed at, at two
pixels a CSS pixel. It fails where two texts of a panel touch.
"""

import os
import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import fsviz
from fsviz.figures.export import save

DOCS = Path(__file__).resolve().parent
SIZE = {"width": 1280, "height": 680}
ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"]
FILE, RECORD = 16 * 2**20, 2**20
"""The cell that is pointed at [B]."""
DRAWN = "document.querySelector('.fsviz-plot')?._fullLayout?.scene?._scene?.glplot"
CELL = """([file, record]) => {
  const gd = document.querySelector(".fsviz-plot"), { xaxis, yaxis } = gd._fullLayout;
  const box = gd.getBoundingClientRect();
  return [box.left + xaxis._offset + xaxis.d2p(Math.log2(record)),
          box.top + yaxis._offset + yaxis.d2p(Math.log2(file))];
}"""
HIDE = """() => { for (const e of document.querySelectorAll(".modebar, figcaption"))
  e.remove(); }"""
TOUCHING = """() => ["xy", "x2y2", "x3y3", "x4y4"].flatMap((panel) => {
  const texts = [...document.querySelectorAll(`.subplot.${panel} text`)];
  const boxes = texts.filter((t) => t.textContent)
    .map((t) => [t.textContent, t.getBoundingClientRect()]);
  const touch = (p, q) => p.left < q.right && q.left < p.right
    && p.top + 2 < q.bottom && q.top + 2 < p.bottom;
  return boxes.flatMap(([a, p], n) => boxes.slice(n + 1)
    .filter(([, q]) => touch(p, q)).map(([b]) => `${a} | ${b}`));
})"""


def main() -> int:
    """Draw the page, point at the cell, and write docs/explorer.png."""
    os.chdir(DOCS.parent)  # a reader's folder is another one
    campaign = fsviz.load("data/raw/onehost-2026")
    names = ["ext4", "xfs"]
    figure = fsviz.explorer(campaign, operation="write", system=names)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "page.html"
        save(figure, path)
        chromium = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=ARGUMENTS
        )
        page = chromium.new_page(viewport=SIZE, device_scale_factor=2)
        page.goto(path.as_uri())
        while not page.evaluate(f"Boolean({DRAWN})"):
            page.wait_for_timeout(100)
        x, y = page.evaluate(CELL, [FILE, RECORD])
        page.mouse.move(x - 3, y - 2)
        page.mouse.move(x, y)
        page.wait_for_timeout(500)
        # the mark stays, what hovered over the cells goes
        page.mouse.move(2, 2)
        page.wait_for_timeout(500)
        touching = page.evaluate(TOUCHING)
        page.evaluate(HIDE)
        page.locator("figure").screenshot(path=DOCS / "explorer.png")
        chromium.close()
    sys.stderr.write("".join(f"touching: {pair}\n" for pair in touching))
    return 1 if touching else 0


if __name__ == "__main__":
    sys.exit(main())
