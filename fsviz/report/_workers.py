"""What a worker process keeps between reports: libraries, and one browser for PDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

import fsviz.report._jsonschema  # isort: skip
import nbconvert  # noqa: F401  # imported for the forks, as are the next
import nbformat  # noqa: F401
import papermill  # noqa: F401

import fsviz.campaigns.load
import fsviz.report.kernels  # noqa: F401
from fsviz.figures.browser import DrawError, close_browser, warm_browser
from fsviz.report.html import FsvizHTMLExporter, FsvizPDFExporter

if TYPE_CHECKING:
    from nbformat import NotebookNode


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
    exporter.browser = warm_browser()
    try:
        return exporter.from_notebook_node(notebook)[0]
    except DrawError:
        close_browser()  # the next page gets another one
        raise
