"""HTML page → PDF, by the Chromium that is on the machine.

choreographer starts the browser and talks to it; it comes with kaleido, which plotly
uses for static pictures. One browser serves a whole batch.
"""

from __future__ import annotations

import asyncio
import base64
import os
import tempfile
import threading
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from fsviz.figures.offline import offline_chromium
from fsviz.model.errors import MissingSoftwareError

SECONDS = 300.0
"""A page that takes longer than this to draw and print has failed."""

_NO_BROWSER = (
    "PDF needs a Chromium, found none: apt install chromium, or set BROWSER_PATH"
)
_NO_LIBRARY = "PDF needs the extra 'pdf': pip install 'fsviz[pdf]'"
_FOOTER = (
    '<div style="font-size:8px;width:100%;padding:0 12mm;color:#52606d">'
    '<span class="title"></span>'
    '<span style="float:right"><span class="pageNumber"></span> / '
    '<span class="totalPages"></span></span></div>'
)
_PRINT = {
    "printBackground": True,
    "preferCSSPageSize": True,
    "displayHeaderFooter": True,
    "headerTemplate": "<span></span>",
    "footerTemplate": _FOOTER,
    "generateTaggedPDF": True,
    "generateDocumentOutline": True,
}


def missing_for_pdf() -> str:
    """Say in one line what PDF needs and this machine lacks; empty if nothing."""
    try:
        from choreographer.browsers.chromium import Chromium
    except ImportError:
        return _NO_LIBRARY
    named = os.environ.get("BROWSER_PATH")
    found = named or Chromium.find_browser(skip_local=False)
    return "" if found and Path(found).is_file() else _NO_BROWSER


class PrintError(MissingSoftwareError):
    """The browser could not print the page."""


class Printer:
    """A browser that prints pages, for as long as the ``with`` block lasts.

    Raises
    ------
    MissingSoftwareError
        On entering, if there is no Chromium or no library to drive it.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._browser: Any = None

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self._browser = self._do(_open())
        except BaseException:
            self._stop()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self._do(self._browser.close())
        finally:
            self._stop()

    def print_page(self, html: str) -> bytes:
        """Print a page.

        Parameters
        ----------
        html : str
            A page made by `FsvizHTMLExporter` for paper.

        Returns
        -------
        bytes
            The PDF.

        Raises
        ------
        PrintError
            If the browser fails.
        """
        with tempfile.TemporaryDirectory(prefix="fsviz-") as folder:
            page = Path(folder) / "page.html"
            page.write_text(html, encoding="utf-8")
            try:
                return bytes(self._do(_print(self._browser, page.as_uri())))
            except (RuntimeError, TimeoutError, KeyError) as error:
                raise PrintError(
                    f"Chromium could not print the page: {error}"
                ) from error

    def _do(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(SECONDS)

    def _stop(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _open() -> Any:
    try:
        import choreographer
        from choreographer.errors import ChromeNotFoundError
    except ImportError as error:
        raise MissingSoftwareError(_NO_LIBRARY) from error
    try:
        browser = choreographer.Browser(browser_cls=offline_chromium())
    except ChromeNotFoundError as error:
        raise MissingSoftwareError(_NO_BROWSER) from error
    await browser.open()
    return browser


async def _print(browser: Any, address: str) -> bytes:
    tab = await browser.create_tab("about:blank")
    try:
        session = next(iter(tab.sessions.values()))
        await _call(session, "Page.enable")
        session.subscribe("Fetch.requestPaused", partial(_only, session, address))
        await _call(session, "Fetch.enable")
        loaded = session.subscribe_once("Page.loadEventFired")
        await _call(session, "Page.navigate", url=address)
        await asyncio.wait_for(loaded, SECONDS)
        drawn = await _call(
            session, "Runtime.evaluate", expression="drawn", awaitPromise=True
        )
        if "exceptionDetails" in drawn:
            raise RuntimeError(str(drawn["exceptionDetails"].get("text")))
        printed = await _call(session, "Page.printToPDF", **_PRINT)
        return base64.b64decode(printed["data"])
    finally:
        await browser.close_tab(tab)


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
