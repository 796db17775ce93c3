"""HTML page → PDF: the page as it is for paper, printed by Chromium."""

from __future__ import annotations

from fsviz.figures.browser import Browser

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


def print_report(browser: Browser, page: str) -> bytes:
    """Print a page of a report."""
    return browser.print_page(page, "drawn", _PRINT)
