"""What a worker process keeps between reports: libraries, and one browser for PDF."""

from __future__ import annotations

from multiprocessing.util import Finalize
from typing import TYPE_CHECKING

import nbconvert  # noqa: F401  # imported for the forks, as are the next
import nbformat  # noqa: F401
import papermill  # noqa: F401

import fsviz.campaigns.load
import fsviz.report.kernels  # noqa: F401
from fsviz.report.html import FsvizHTMLExporter, FsvizPDFExporter
from fsviz.report.pdf import Printer

if TYPE_CHECKING:
    from nbformat import NotebookNode

_printers: list[Printer] = []


def export(notebook: NotebookNode, form: str) -> bytes:
    """Export an executed notebook.

    Parameters
    ----------
    notebook : NotebookNode
        Executed.
    form : {'html', 'pdf'}
        What to make of it.

    Returns
    -------
    bytes

    Raises
    ------
    MissingSoftwareError
        For PDF, if there is no Chromium.
    """
    if form == "html":
        page, _ = FsvizHTMLExporter().from_notebook_node(notebook)
        return page.encode("utf-8")
    exporter = FsvizPDFExporter()
    exporter.printer = _printer()
    return exporter.from_notebook_node(notebook)[0]


def _printer() -> Printer:
    """Start the browser at the first PDF; it ends with the process."""
    if not _printers:
        printer = Printer()
        printer.__enter__()
        _printers.append(printer)
        # children of multiprocessing end without atexit
        Finalize(None, printer.__exit__, (None, None, None), exitpriority=10)
    return _printers[0]
