"""The rows of the tables of an HTML page, and its headings."""

from __future__ import annotations

from html.parser import HTMLParser

Line = str | tuple[str, ...]
"""A line of text, or the cells of a sheet or page."""

_RANKS = ("h1", "h2", "h3", "h4", "h5", "h6")


class _Page(HTMLParser):
    """The rows of the tables of a page, each with its line."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[tuple[str, Line]] = []
        self._cells: list[list[str]] = []
        self._inside = False

    def handle_starttag(self, tag: str, attrs: object) -> None:
        del attrs
        if tag in ("tr", "table") or tag in _RANKS:
            self._close()
        if tag in ("td", "th", *_RANKS):
            self._cells.append([])
        self._inside = tag in ("td", "th", *_RANKS) or (self._inside and tag != "tr")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("tr", "table"):
            self._close()
        if tag in _RANKS and self._cells:
            heading = f"{'#' * int(tag[1])} {_joined(self._cells.pop())}"
            self.rows.append((f"line {self.getpos()[0]}", heading))
        if tag == "table":
            self.rows.append((f"line {self.getpos()[0]}", ()))
        self._inside = self._inside and tag not in ("td", "th", "tr", *_RANKS)

    def handle_data(self, data: str) -> None:
        if self._inside and self._cells:
            self._cells[-1].append(data)

    def _close(self) -> None:
        if self._cells:
            cells = tuple(map(_joined, self._cells))
            self.rows.append((f"line {self.getpos()[0]}", cells))
        self._cells = []


def _joined(texts: list[str]) -> str:
    return " ".join(" ".join(texts).split())


def rows_of_page(text: str) -> list[tuple[str, Line]]:
    """List the rows of all tables of a page as cells, and its headings as lines."""
    page = _Page()
    page.feed(text)
    page.close()
    return page.rows
