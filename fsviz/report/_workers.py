"""What a worker process keeps between reports: libraries, and one browser for PDF."""

from __future__ import annotations

import atexit
from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

import fsviz.report._jsonschema  # isort: skip
import nbconvert  # noqa: F401  # imported for the forks, as are the next
import nbformat  # noqa: F401
import papermill  # noqa: F401

import fsviz.campaigns.load
import fsviz.report.kernels  # noqa: F401
from fsviz.figures.browser import Browser
from fsviz.report.html import FsvizHTMLExporter, FsvizPDFExporter

if TYPE_CHECKING:
    from nbformat import NotebookNode

_browsers: list[Browser] = []


def export(
    notebook: NotebookNode, form: str, library: str = "", head: str = ""
) -> bytes:
    """Export an executed notebook.

    Parameters
    ----------
    notebook : NotebookNode
        Executed.
    form : {'html', 'pdf'}
        What to make of it.
    library : str
        Address of the plotly.js that pages share; empty to embed it.
    head : str
        HTML that tells others what the page is.

    Returns
    -------
    bytes

    Raises
    ------
    MissingSoftwareError
        For PDF, if there is no Chromium.
    """
    if form == "html":
        live = FsvizHTMLExporter()
        live.library, live.head = library, head
        page, _ = live.from_notebook_node(notebook)
        return page.encode("utf-8")
    exporter = FsvizPDFExporter()
    exporter.browser = _browser()
    return exporter.from_notebook_node(notebook)[0]


def _browser() -> Browser:
    """Start the browser at the first PDF; it ends with the process."""
    if not _browsers:
        browser = Browser()
        browser.__enter__()
        _browsers.append(browser)
        # children of multiprocessing end without atexit; elsewhere the browser has to
        # end before the folder is removed that it writes to
        end = Finalize(None, browser.__exit__, (None, None, None), exitpriority=10)
        atexit.register(end)
    return _browsers[0]
