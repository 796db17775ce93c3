"""Chromium without a network: kaleido draws pictures, ``--print-to-pdf`` prints pages.

kaleido's browser starts while the figure is computed, and stays for the next picture.
"""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import secrets
import shutil
import signal
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Callable, Coroutine, Mapping
from concurrent.futures import Future
from contextlib import suppress
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

from fsviz.figures._offline import offline_chromium, printing_options
from fsviz.model.ending import on_stop
from fsviz.model.errors import MissingSoftwareError
from fsviz.model.escaping import printable
from fsviz.model.limits import expect_files
from fsviz.model.missing import how_to_install
from fsviz.model.processes import seconds_of
from fsviz.model.run_folder import run_folder
from fsviz.model.writing import write_file

SECONDS = "FSVIZ_BROWSER_SECONDS"
"""Variable with the seconds that a page may take; after that its browser is ended."""
_SECONDS = 300
_START = 60
"""Seconds in which a browser starts, or ends, if that is less."""

_LONGEST = 200

_QUICKEST = "chromium-headless-shell"
"""Debian's Chromium without its windows: it starts in a third of the time."""

_FAILED = "pictures and PDF need a Chromium that runs, found one that does not: {error}"
_NO_BROWSER = (
    "pictures and PDF need a Chromium, found none: apt install chromium, or set "
    "BROWSER_PATH to the browser you have"
)


class DrawError(MissingSoftwareError):
    """The browser could not draw or print the page."""


def missing_for_pictures() -> str:
    """Return one line about what pictures and PDF lack here; empty if nothing."""
    try:
        _browser_path()
    except MissingSoftwareError as error:
        return str(error)
    return ""


def _browser_path() -> str:
    """Return the path of the Chromium to use."""
    try:
        from choreographer.browsers.chromium import Chromium
    except ImportError as error:
        raise MissingSoftwareError(how_to_install("kaleido")) from error
    named = os.environ.get("BROWSER_PATH") or shutil.which(_QUICKEST)
    browser = named or Chromium.find_browser(skip_local=False)
    if not (browser and Path(browser).is_file()):
        raise MissingSoftwareError(_NO_BROWSER)
    return str(browser)


def _brief(error: BaseException) -> str:
    """Shorten a library's message to one line."""
    message = printable(str(error)) or type(error).__name__
    return message if len(message) < _LONGEST else f"{message[:_LONGEST]} …"


def print_page(html: str) -> bytes:
    """Print a page as PDF, when it has finished loading."""
    path, seconds = _browser_path(), seconds_of(SECONDS, _SECONDS)
    # what is left of a browser that died may still write there
    with tempfile.TemporaryDirectory(
        dir=run_folder(), prefix="print-", ignore_cleanup_errors=True
    ) as folder:
        page, made = Path(folder) / "page.html", Path(folder) / "page.pdf"
        write_file(page, html)
        process = subprocess.Popen(
            [path, *printing_options(folder), f"--print-to-pdf={made}", page.as_uri()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "TMPDIR": folder},
            start_new_session=True,
        )
        try:
            status = process.wait(seconds)
        except subprocess.TimeoutExpired as error:
            message = f"Chromium did not print the page: no answer within {seconds} s"
            raise DrawError(message) from error
        finally:
            _end(process)
        if not made.is_file():
            raise DrawError(_FAILED.format(error=f"exit status {status}, no PDF"))
        return made.read_bytes()


class Drawer:
    """kaleido with its browser, in a thread of its own."""

    def __init__(self, page: Callable[[], str]) -> None:
        expect_files()
        path = run_folder() / f"picture-{secrets.token_hex(4)}.html"
        self._loop = asyncio.new_event_loop()
        self._kaleido = _kaleido(path, page)
        write_file(path, "")  # kaleido looks for it at once
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self._opening = self._start(self._kaleido.open())

    def draw(self, figure: Mapping[str, object], options: Mapping[str, Any]) -> bytes:
        """Draw a figure as kaleido's options say."""
        seconds = seconds_of(SECONDS, _SECONDS)
        try:
            _result(self._opening, min(seconds, _START))
        except Exception as error:
            raise DrawError(_FAILED.format(error=_brief(error))) from error
        try:
            drawing = self._start(self._kaleido.calc_fig(figure, options))
            return bytes(_result(drawing, seconds))
        except Exception as error:
            message = f"Chromium could not draw the figure: {_brief(error)}"
            raise DrawError(message) from error

    def close(self) -> None:
        """End the browser: it has nothing to keep, so it is not asked."""
        # first what would see it end, and wait for the rest of it
        with suppress(Exception):
            _result(self._start(_cancel_tasks()), _START)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
        _end(getattr(self._kaleido, "subprocess", None))

    def _start(self, work: Coroutine[Any, Any, Any]) -> Future[Any]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)


def _result(doing: Future[Any], seconds: int) -> Any:
    try:
        return doing.result(seconds)
    except TimeoutError as error:
        raise TimeoutError(f"no answer within {seconds} s") from error


async def _cancel_tasks() -> None:
    """End what waits for a browser that is gone, before the loop ends."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _kaleido(page: Path, html: Callable[[], str]) -> Any:
    path = _browser_path()
    import kaleido
    from kaleido._kaleido_tab import _KaleidoTab

    # its messages repeat the one line of ours
    logging.getLogger("choreographer").setLevel(logging.CRITICAL)
    logging.getLogger("kaleido").setLevel(logging.CRITICAL)

    def write() -> None:
        write_file(page, html())

    class QuickPage(_KaleidoTab):
        """kaleido's page, but for when it begins to listen."""

        async def navigate(self, url: Any = "") -> None:
            # kaleido 1.5.0 asks for a page's events once it has sent the tab there: of
            # a page that has loaded by then none comes, and it waits for ever
            await self.tab.send_command("Page.enable")
            loaded = self.tab.subscribe_once("Page.loadEventFired")
            await self.tab.send_command("Page.navigate", params={"url": url})
            await loaded
            # what is debugged loads plotly.js in twice the time
            context = self.tab.subscribe_once("Runtime.executionContextCreated")
            await self.tab.send_command("Runtime.enable")
            self._current_js_id = (await context)["params"]["context"]["id"]

    class OneTab(kaleido.Kaleido):
        """kaleido with a tab that stays as it is, and that is listened to in time."""

        async def open(self) -> None:
            # it has its page for a tenth of a second before it says that it is open
            self._loaded = asyncio.Event()
            self._written = asyncio.create_task(asyncio.to_thread(write))
            self._opening = asyncio.create_task(super().open())
            loaded = asyncio.create_task(self._loaded.wait())
            waited = (self._opening, loaded)
            await asyncio.wait(waited, return_when=asyncio.FIRST_COMPLETED)
            if self._opening.done():
                self._opening.result()

        async def _conform_tabs(self, tabs: Any = None) -> None:
            for tab in tabs or self.tabs.values():
                await self._written
                quick = QuickPage(tab)
                await quick.navigate(self._index)
                self._total_tabs += 1
                await self.tabs_ready.put(quick)
                self._loaded.set()

        async def _return_kaleido_tab(self, tab: Any) -> None:
            # to load plotly.js again takes as long as to draw a picture
            await self.tabs_ready.put(tab)

    how = {"page_generator": str(page), "browser_cls": offline_chromium()}
    return OneTab(path=path, timeout=None, **how)


_drawers: dict[int, Drawer] = {}
"""The drawer of this process: a forked process has no thread to talk to the browser."""


def warm_drawer(page: Callable[[], str]) -> Drawer:
    """Return the drawer that stays open for further pictures of this process."""
    if (me := os.getpid()) not in _drawers:
        _drawers.clear()
        _drawers[me] = Drawer(page)
        # the browser ends before finalizers remove its folder: the first finalizer
        # has all of them run after what is registered from then on. Children of
        # multiprocessing end without atexit
        weakref.finalize(Drawer, bool)
        atexit.register(close_drawer)
        Finalize(None, close_drawer, exitpriority=10)
        on_stop(close_drawer)
    return _drawers[me]


def close_drawer() -> None:
    """Close the drawer that `warm_drawer` keeps, if there is one."""
    if drawer := _drawers.pop(os.getpid(), None):
        drawer.close()


def _end(process: subprocess.Popen[bytes] | None) -> None:
    """End a browser that has not ended by itself, with its children."""
    if process is None or process.poll() is not None:
        return
    with suppress(ProcessLookupError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)  # it leads a session of its own
        else:
            process.kill()
    process.wait()
