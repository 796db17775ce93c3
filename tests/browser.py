"""One Chromium for all tests of a process, with no network but where one is wanted."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

ARGUMENTS = [
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--ignore-gpu-blocklist",
    # Debian's Chromium asks a GPU to draw what is flat; where there is none, the
    # processor plays one, and draws more slowly than by itself
    "--disable-gpu-rasterization",
    "--disable-gpu-compositing",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
PATIENCE = 120_000
"""Milliseconds to wait for what a busy machine shows late, but shows."""

LOCAL = ("file:", "data:", "blob:", "about:")


_started: list[Browser] = []
_ends: list[Callable[[], None]] = []


def _browser(chromium: str) -> Browser:
    """Start Chromium at the first call; `quit_browser` ends it."""
    if not _started:
        playwright = sync_playwright().start()
        _started.append(
            playwright.chromium.launch(executable_path=chromium, args=ARGUMENTS)
        )
        _ends.append(playwright.stop)
    return _started[0]


def quit_browser() -> None:
    """Close Chromium, if a test has started it."""
    while _started:
        _started.pop().close()
        _ends.pop()()


@contextmanager
def window(
    chromium: str, width: int, height: int, *, offline: bool = True
) -> Iterator[BrowserContext]:
    """Open a window that shares nothing with those of other tests."""
    context = _browser(chromium).new_context(
        viewport={"width": width, "height": height}, offline=offline
    )
    context.set_default_timeout(PATIENCE)
    try:
        yield context
    finally:
        context.close()


@dataclass
class Watched:
    """A page, and what it did that it must not do."""

    page: Page
    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@contextmanager
def opened(chromium: str, path: Path, size: tuple[int, int] = (1366, 768)) -> Iterator:
    """Open a file in Chromium, offline, and watch requests and errors."""
    with window(chromium, *size) as context:
        watched = Watched(context.new_page())
        watch(watched)
        watched.page.goto(path.resolve().as_uri())
        yield watched


def watch(watched: Watched) -> None:
    """Note every request that is not local, every error and every policy violation."""
    page = watched.page
    page.on(
        "request", lambda r: r.url.startswith(LOCAL) or watched.requests.append(r.url)
    )
    page.on("console", lambda m: m.type != "error" or watched.errors.append(m.text))
    page.on("pageerror", lambda e: watched.errors.append(str(e)))


def wait_until(page: Page, expression: str) -> None:
    """Wait until an expression holds in a page.

    ``page.wait_for_function`` evaluates a string within the page, which the policy of
    our pages forbids.
    """
    end = time.monotonic() + PATIENCE / 1000
    while not page.evaluate(f"Boolean({expression})"):
        assert time.monotonic() < end, expression
        page.wait_for_timeout(50)


COUNT = """async (source) => {
  const image = new Image();
  image.src = source;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.width; canvas.height = image.height;
  const context = canvas.getContext("2d");
  context.drawImage(image, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height).data;
  return new Set(new Uint32Array(pixels.buffer)).size;
}"""


def turn_to(page: Page, selector: str) -> None:
    """Choose the tab that something stands in, and scroll there."""
    locator = page.locator(selector).first
    panel = locator.locator("xpath=ancestor::div[@role='tabpanel']")
    if panel.count():
        page.locator(
            f"#tab-of-{panel.get_attribute('id').removeprefix('tab-')}"
        ).click()
    locator.scroll_into_view_if_needed()


def count_colours(page: Page, selector: str) -> int:
    """Count the distinct colours on the screen there: a blank canvas has one or two."""
    locator = page.locator(selector).first
    locator.scroll_into_view_if_needed()
    shot = base64.b64encode(locator.screenshot()).decode("ascii")
    return int(page.evaluate(COUNT, f"data:image/png;base64,{shot}"))
