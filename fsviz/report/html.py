"""Notebook → one HTML file that works offline and asks no network for anything."""

from __future__ import annotations

from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import fsviz.report._jsonschema  # noqa: F401 # isort: skip
from nbconvert.exporters import HTMLExporter
from nbformat import NotebookNode
from traitlets import default

from fsviz.figures.browser import print_page
from fsviz.figures.export import (
    CHOSEN,
    DRAW,
    FLAT,
    MIMETYPE,
    UNPACK,
    caption_of,
    folded_under,
    plotly_js,
    plotly_styles,
    to_html,
)
from fsviz.figures.notebooks import WIDTH
from fsviz.figures.page_code import script_of, style_of, without_comments
from fsviz.model.errors import FsvizError, printable
from fsviz.model.escaping import markdown_text
from fsviz.model.policy import with_policy
from fsviz.report.execute import ReportError

_LIVE = ("section.js", "tabs.js", "report.js", "answers.js", "download.js")
_TAB = '<h3 class="tab" '
_TEMPLATES = Path(__file__).parent / "templates"
_PARTS = _TEMPLATES / "fsviz"


class FsvizHTMLExporter(HTMLExporter):
    """``jupyter nbconvert --to fsviz-html``: figures alive, code behind a button."""

    export_from_notebook = "fsviz report (offline HTML)"
    paper = False
    """Whether the page is to be printed: pictures instead of live figures."""
    library = ""
    """Address of a plotly.js that pages share, from the page; empty to embed it."""

    def _template_name_default(self) -> str:
        return "fsviz"

    @default("extra_template_basedirs")
    def _extra_template_basedirs_default(self) -> list[str]:
        return [str(_TEMPLATES)]

    def from_notebook_node(  # type: ignore[override]  # nbconvert states it loosely
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[str, dict[str, Any]]:
        """Export a notebook."""
        nb = deepcopy(nb)
        state_title(nb)
        figures = embed_figures(nb, paper=self.paper)
        resources = dict(resources or {})
        resources["fsviz"] = page_parts(
            bool(figures), paper=self.paper, address=self.library
        )
        resources["fsviz"]["title"] = title_of(nb)
        if self.paper:
            resources["fsviz"]["css"] += footer_style(title_of(nb))
        page, filled = super().from_notebook_node(nb, resources, **kw)
        parts = resources["fsviz"]
        return with_policy(
            page,
            *(parts["plotly_js"], parts["script"]),
            styles=[parts["css"], *(plotly_styles() if figures else ())],
            beside=bool(parts["plotly_address"]),
        ), filled


class FsvizPDFExporter(FsvizHTMLExporter):
    """``jupyter nbconvert --to fsviz-pdf``: the same page, printed by Chromium."""

    export_from_notebook = "fsviz report (PDF)"
    paper = True

    def from_notebook_node(  # type: ignore[override]
        self, nb: NotebookNode, resources: dict[str, Any] | None = None, **kw: Any
    ) -> tuple[bytes, dict[str, Any]]:
        """Export a notebook."""
        page, filled = super().from_notebook_node(nb, resources, **kw)
        filled["output_extension"] = ".pdf"
        return print_page(page), filled


def page_parts(
    with_figures: bool, *, paper: bool = False, address: str = ""
) -> dict[str, str]:
    """Collect what the page embeds: styles, scripts and, if needed, plotly.js."""
    from pygments.formatters import HtmlFormatter

    names = ("report.css", "paper.css") if paper else ("report.css",)
    styles = "".join(style_of(_PARTS / name) for name in names)
    # the comments are pygments' names of tokens, a third of it
    code = without_comments(HtmlFormatter(style="default").get_style_defs(".highlight"))
    live = (DRAW if with_figures else UNPACK) + _script(*_LIVE)
    address = address if with_figures else ""
    library = plotly_js() if with_figures and not address else ""
    script = FLAT + CHOSEN + _script("section.js", "paper.js") if paper else live
    return {
        "css": styles + code,
        "plotly_js": library,
        "plotly_address": address,
        "plotly_type": "text/javascript" if paper else "fsviz/later",
        "script": script,
    }


def _script(*names: str) -> str:
    return "".join(script_of(_PARTS / name) for name in names)


def footer_style(title: str) -> str:
    """Return the style that prints a page's title at its foot."""
    # a code point in hexadecimal: no character ends the string or the style
    escaped = "".join(f"\\{ord(letter):06x}" for letter in title)
    return f'@page {{ @bottom-left {{ content: "{escaped}"; }} }}'


def title_of(nb: NotebookNode) -> str:
    """Take the title from the notebook's metadata, else from its first heading."""
    stated = nb.metadata.get("title")
    if stated:
        return str(stated)
    for cell in nb.cells:
        for line in cell.source.splitlines():
            if cell.cell_type == "markdown" and line.startswith("# "):
                return str(line[2:])
    return "fsviz report"


def state_title(nb: NotebookNode) -> None:
    """Put the title of the metadata, if there is one, in place of the first heading."""
    stated = nb.metadata.get("title")
    first = next((cell for cell in nb.cells if cell.cell_type == "markdown"), None)
    if stated and first is not None and first.source.startswith("# "):
        _, line_end, after = first.source.partition("\n")
        first.source = f"# {markdown_text(stated)}{line_end}{after}"


def embed_figures(nb: NotebookNode, *, paper: bool = False) -> int:
    """Replace plotly's own outputs by HTML, in place.

    Plotly's mimetype is the figure's data; whatever else the same output offers would
    load plotly.js again, or from elsewhere.
    """
    count = 0
    first: dict[str, Any] = {}
    for cell in nb.cells:
        for output in cell.get("outputs", ()):
            figure = output.get("data", {}).get(MIMETYPE)
            if not paper and _TAB in output.get("data", {}).get("text/html", ""):
                first.clear()  # what stands above is in another tab
            if figure is None:
                continue
            if paper and folded_under(figure):
                output["data"] = {"text/html": ""}
                continue
            count += 1
            layout = figure.get("layout")
            if isinstance(layout, dict) and layout.get("width") == WIDTH:
                del layout["width"]
            caption = caption_of(layout)
            above = first.get(caption)
            if caption:
                first.setdefault(caption, layout)
            piece = to_html(figure, f"figure-{count}", plain=paper, above=above)
            output["data"] = {"text/html": piece}
    return count


def export(notebook: NotebookNode, form: str, library: str = "") -> bytes:
    """Export an executed notebook; ``library`` is the address of a shared plotly.js."""
    exporter = _exporter(form)
    exporter.library = library if form == "html" else ""
    try:
        page, _ = exporter.from_notebook_node(notebook)
    except FsvizError:
        raise
    except Exception as error:  # of nbconvert, about what the notebook holds
        message = printable(str(error).strip().split("\n")[0]) or type(error).__name__
        raise ReportError(f"the notebook cannot be shown: {message}") from error
    return page if isinstance(page, bytes) else page.encode("utf-8")


@cache
def _exporter(form: str) -> Any:
    """Make an exporter once: to compile its templates takes as long as to fill them."""
    return FsvizHTMLExporter() if form == "html" else FsvizPDFExporter()
