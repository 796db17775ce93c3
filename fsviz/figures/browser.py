"""A Chromium that reaches no server: it draws figures and prints pages.

choreographer starts the browser and talks to it; it comes with kaleido. One browser
serves a whole batch.
"""

from __future__ import annotations

import asyncio
import atexit
import base64
import logging
import os
import signal
import subprocess
import tempfile
import threading
import weakref
from collections.abc import Coroutine, Mapping
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from multiprocessing.util import Finalize
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from fsviz.figures._offline import offline_chromium
from fsviz.model.ending import on_stop
from fsviz.model.errors import FsvizError, MissingSoftwareError
from fsviz.model.escaping import printable
from fsviz.model.limits import expect_files
from fsviz.model.missing import how_to_install
from fsviz.model.processes import seconds_of
from fsviz.model.run_folder import run_folder
from fsviz.model.writing import write_file

SECONDS = "FSVIZ_BROWSER_SECONDS"
"""Variable with the seconds that a page may take to be drawn; one that takes longer has
failed, and its browser is ended."""
_SECONDS = 300
_START = 60
"""Seconds in which a browser starts, or ends, if that is less."""

_LONGEST = 200

_FAILED = "pictures and PDF need a Chromium that runs, found one that does not: {error}"
_NO_BROWSER = (
    "pictures and PDF need a Chromium, found none: apt install chromium, or set "
    "BROWSER_PATH to the browser you have"
)


def missing_for_pictures() -> str:
    """Say in one line what pictures and PDF need and this machine lacks."""
    try:
        from choreographer.browsers.chromium import Chromium
    except ImportError:
        return how_to_install("kaleido")
    named = os.environ.get("BROWSER_PATH")
    found = named or Chromium.find_browser(skip_local=False)
    return "" if found and Path(found).is_file() else _NO_BROWSER


def _brief(error: Exception) -> str:
    """Say in one line what a library says in many, or in none."""
    said = printable(str(error)) or type(error).__name__
    return said if len(said) < _LONGEST else f"{said[:_LONGEST]} …"


class DrawError(MissingSoftwareError):
    """The browser could not draw or print the page."""


class Browser:
    """A browser that draws pages, for as long as the ``with`` block lasts.

    It starts, and shows the page that it will be asked for, while its user goes on.
    """

    def __init__(self, page: str = "") -> None:
        self._page = page
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._hangs = False
        self._kept: dict[str, Any] = {}

    def __enter__(self) -> Self:
        expect_files()
        run_folder()  # made by this thread, not by one of the browser's
        self._browser = _new_browser()
        self._thread.start()
        self._opening = asyncio.run_coroutine_threadsafe(self._open(), self._loop)
        return self

    async def _open(self) -> None:
        await self._browser.open()
        if self._page:
            await self._answer(self._page, "0", None, again=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # one that is still starting has nothing to say farewell to
        if self._hangs or not self._opening.done():
            _end(self._process)
        # one that has died, or answers no more, needs no farewell
        with suppress(Exception):
            self._do(self._browser.close(), _START)
        self._stop()
        _end(self._process)

    @property
    def _process(self) -> subprocess.Popen[bytes] | None:
        return getattr(self._browser, "subprocess", None)

    def draw(self, html: str, expression: str, *, again: bool = False) -> Any:
        """Show a page and ask its scripts for something."""
        return self._done(self._answer(html, expression, None, again=again))

    def print_page(
        self,
        html: str,
        expression: str,
        options: Mapping[str, object],
        *,
        again: bool = False,
    ) -> bytes:
        """Show a page, wait for its scripts, and print it."""
        return bytes(self._done(self._answer(html, expression, options, again=again)))

    def _done(self, work: Coroutine[Any, Any, Any]) -> Any:
        try:
            self._result(self._opening, _START)
        except BaseException as error:
            work.close()
            self._hangs = True
            if isinstance(error, FsvizError) or not isinstance(error, Exception):
                raise
            raise DrawError(_FAILED.format(error=_brief(error))) from error
        try:
            return self._do(work)
        except Exception as error:
            self._hangs = isinstance(error, TimeoutError)
            said = f"Chromium could not draw the page: {_brief(error)}"
            raise DrawError(said) from error

    async def _answer(
        self,
        html: str,
        expression: str,
        options: Mapping[str, object] | None,
        *,
        again: bool,
    ) -> Any:
        tab = self._kept.get(html) or await self._browser.create_tab("about:blank")
        try:
            session = next(iter(tab.sessions.values()))
            if html not in self._kept:
                await _load(session, html)
            if again:
                self._kept[html] = tab
            return await _asked(session, expression, options)
        finally:
            if not again:
                await self._browser.close_tab(tab)

    def _do(self, work: Any, most: int | None = None) -> Any:
        doing = asyncio.run_coroutine_threadsafe(work, self._loop)
        return self._result(doing, most)

    def _result(self, doing: Future[Any], most: int | None) -> Any:
        seconds = seconds_of(SECONDS, _SECONDS)
        seconds = min(seconds, most or seconds)
        try:
            return doing.result(seconds)
        except TimeoutError as error:
            raise TimeoutError(f"no answer within {seconds} s") from error

    def _stop(self) -> None:
        with suppress(Exception):
            self._do(_cancel_others(), _START)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


_kept: dict[int, Browser] = {}
"""The browser of this process: one that was forked has no thread to talk to it."""


def warm_browser(page: str = "") -> Browser:
    """Return a browser that stays open for the next picture or page of this process.

    One that is started for this shows a page first.
    """
    if (me := os.getpid()) not in _kept:
        _kept.clear()
        _kept[me] = Browser(page).__enter__()
        # before the folder is removed that it writes to, which finalizers do: the first
        # has them all run after what is registered from then on. Children of
        # multiprocessing end without atexit
        weakref.finalize(Browser, bool)
        atexit.register(close_browser)
        Finalize(None, close_browser, exitpriority=10)
        on_stop(close_browser)
    return _kept[me]


def close_browser() -> None:
    """Close the browser that `warm_browser` keeps, if there is one."""
    if browser := _kept.pop(os.getpid(), None):
        browser.__exit__(None, None, None)


async def _cancel_others() -> None:
    """End what waits for a browser that is gone, before the loop ends."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)


def _new_browser() -> Any:
    try:
        import choreographer
        from choreographer.errors import ChromeNotFoundError
    except ImportError as error:
        raise MissingSoftwareError(how_to_install("kaleido")) from error
    # what it has to say of a browser that fails, we say in one line
    logging.getLogger("choreographer").setLevel(logging.CRITICAL)
    try:
        return choreographer.Browser(browser_cls=offline_chromium())
    except ChromeNotFoundError as error:
        raise MissingSoftwareError(_NO_BROWSER) from error


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


async def _load(session: Any, html: str) -> None:
    """Show a page; no script of it finds its file, which is gone once it is read."""
    with tempfile.TemporaryDirectory(dir=run_folder()) as folder:
        page = Path(folder) / "page.html"
        write_file(page, html)
        await _call(session, "Page.enable")
        only = partial(_only, session, page.as_uri())
        session.subscribe("Fetch.requestPaused", only)
        await _call(session, "Fetch.enable")
        loaded = session.subscribe_once("Page.loadEventFired")
        await _call(session, "Page.navigate", url=page.as_uri())
        await loaded


async def _asked(
    session: Any, expression: str, options: Mapping[str, object] | None
) -> Any:
    asked = {"expression": expression, "awaitPromise": True, "returnByValue": True}
    drawn = await _call(session, "Runtime.evaluate", **asked)
    if "exceptionDetails" in drawn:
        raise RuntimeError(str(drawn["exceptionDetails"].get("text")))
    if options is None:
        return drawn["result"].get("value")
    printed = await _call(session, "Page.printToPDF", **options)
    return base64.b64decode(printed["data"])


async def _only(session: Any, address: str, event: dict[str, Any]) -> None:
    """Let the browser read the page itself and nothing else, be it a local file."""
    asked = event["params"]
    known = {"requestId": asked["requestId"]}
    if asked["request"]["url"] == address or asked["request"]["url"].startswith(
        "data:"
    ):
        await _call(session, "Fetch.continueRequest", **known)
    else:
        refused = {"errorReason": "BlockedByClient"}
        await _call(session, "Fetch.failRequest", **known, **refused)


async def _call(session: Any, command: str, **parameters: object) -> dict[str, Any]:
    answer = await session.send_command(command, params=parameters)
    if "error" in answer:
        raise RuntimeError(f"{command}: {answer['error'].get('message')}")
    return dict(answer["result"])
