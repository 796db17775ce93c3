"""What a page says of itself to a search engine, a chat or a social network.

The words follow the Open Graph protocol (https://ogp.me/), the wish to be left alone
https://www.rfc-editor.org/rfc/rfc9309 and its ``robots`` element in a page.
"""

from __future__ import annotations

import html
import re
import struct
import zlib
from typing import TYPE_CHECKING
from urllib.parse import quote

from fsviz.model.libraries import np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from fsviz.report.entries import Card, Site

PICTURE = "shared.png"
"""The picture of a folder of pages."""
WIDTH, HEIGHT = 1200, 630
"""Of the picture [px]: 1.91 to 1, which is what networks cut others to."""
_MARGIN, _GAP = 40, 4
_PALE = (245, 247, 250)
"""Of a cell without an answer."""


def head(site: Site, title: str, description: str, page: str, picture: str) -> str:
    """Write the elements of a page's head that tell others what it is."""
    said = [("name", "description", description)] if description else []
    said += [("name", "robots", "noindex, nofollow")] if site.unlisted else []
    said += [("property", "og:type", "website"), ("property", "og:title", title)]
    said += [("property", "og:description", description)] if description else []
    if site.url:
        said.append(("property", "og:url", f"{site.url.rstrip('/')}/{quote(page)}"))
    if picture:
        up = "../" * page.count("/")
        start = f"{site.url.rstrip('/')}/" if site.url else up
        said.append(("property", "og:image", start + quote(picture)))
    return "\n".join(
        f'<meta {kind}="{name}" content="{html.escape(text)}">'
        for kind, name, text in said
    )


def robots_file(site: Site) -> str:
    """Write ``robots.txt``, which is looked for at the root of a server."""
    return f"User-agent: *\nDisallow:{' /' if site.unlisted else ''}\n"


_GROUNDS = {"faster": "#d6e7f4", "slower": "#fadfd3"}


def picture_of(card: Card) -> bytes:
    """Draw the matrix of a campaign: a row a system, a column an operation."""
    if not card.lines or not card.lines[0].cells:
        return b""
    pixels = np.full((HEIGHT, WIDTH, 3), 255, dtype=np.uint8)
    high = (HEIGHT - 2 * _MARGIN) / len(card.lines)
    for row, line in enumerate(card.lines):
        wide = (WIDTH - 2 * _MARGIN) / len(line.cells)
        top, bottom = _MARGIN + row * high, _MARGIN + (row + 1) * high - _GAP
        for column, cell in enumerate(line.cells):
            left = _MARGIN + column * wide
            place = np.s_[int(top) : int(bottom), int(left) : int(left + wide) - _GAP]
            pixels[place] = _rgb(_GROUNDS.get(cell.answer, ""))
    return _png(pixels)


def _rgb(colour: str) -> tuple[int, ...]:
    """Read a colour as CSS writes it."""
    if colour.startswith("rgb("):
        return tuple(min(int(n), 255) for n in re.findall(r"\d+", colour)[:3])
    if len(colour) == 4:
        return tuple(int(2 * digit, 16) for digit in colour[1:])
    if len(colour) == 7:
        return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return _PALE


def _png(pixels: NDArray[np.uint8]) -> bytes:
    """Write pixels of shape (height, width, 3): https://www.w3.org/TR/png-3/."""
    height, width, _ = pixels.shape
    # each row begins with its filter, which is none
    rows = np.zeros((height, 1 + 3 * width), dtype=np.uint8)
    rows[:, 1:] = pixels.reshape(height, -1)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    chunks = [
        struct.pack(">I", len(data))
        + kind
        + data
        + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
