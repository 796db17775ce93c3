"""What a worker process keeps between reports: libraries, and compiled templates."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import fsviz.report._jsonschema  # isort: skip  # before nbformat
import nbconvert  # noqa: F401  # imported for the forks, as are the next
import nbformat  # noqa: F401
import papermill  # noqa: F401

import fsviz.report.kernels
import fsviz.store.load  # noqa: F401
from fsviz.model.errors import FsvizError, printable
from fsviz.report.execute import ReportError
from fsviz.report.html import FsvizHTMLExporter, FsvizPDFExporter

if TYPE_CHECKING:
    from nbformat import NotebookNode


def export(notebook: NotebookNode, form: str, library: str = "") -> bytes:
    """Export an executed notebook."""
    try:
        return _exported(notebook, form, library)
    except FsvizError:
        raise
    except Exception as error:  # of nbconvert, about what the notebook holds
        said = printable(str(error).strip().split("\n")[0]) or type(error).__name__
        raise ReportError(f"the notebook cannot be shown: {said}") from error


def _exported(notebook: NotebookNode, form: str, library: str) -> bytes:
    if form == "html":
        live = _live()
        live.library = library
        page, _ = live.from_notebook_node(notebook)
        return page.encode("utf-8")
    return _printed().from_notebook_node(notebook)[0]


# an exporter compiles its templates once, which takes as long as to fill them


@cache
def _live() -> FsvizHTMLExporter:
    return FsvizHTMLExporter()


@cache
def _printed() -> FsvizPDFExporter:
    return FsvizPDFExporter()
