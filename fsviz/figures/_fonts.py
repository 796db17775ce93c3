"""The letters of a picture, embedded: it looks the same where a font is missing.

Only DejaVu Sans is embedded, which our figures ask for first and whose licence allows
it (https://dejavu-fonts.github.io/License.html), and of it only the characters that
the picture has. PDF needs nothing of this: Chromium embeds what it prints.
"""

from __future__ import annotations

import base64
import io
import re
from pathlib import Path

_FOLDERS = (
    Path("/usr/share/fonts"),
    Path("/usr/local/share/fonts"),
    Path.home() / ".local/share/fonts",
    Path("/Library/Fonts"),
    Path("C:/Windows/Fonts"),
)
_FACES = {"normal": "DejaVuSans.ttf", "bold": "DejaVuSans-Bold.ttf"}
_BOLD = re.compile(rb"font-weight: ?(bold|[6-9]00)|font-weight=\"bold\"")


def with_fonts(picture: bytes) -> bytes:
    """Put into an SVG the characters of DejaVu Sans that it shows."""
    shown = "".join(re.findall(r">([^<]+)<", picture.decode("utf-8")))
    faces = [w for w in _FACES if w == "normal" or _BOLD.search(picture)]
    rules = "".join(_rule(weight, shown) for weight in faces)
    start = re.search(rb"<svg[^>]*>", picture)
    if not rules or start is None:
        return picture
    style = f"<style>{rules}</style>".encode()
    return picture[: start.end()] + style + picture[start.end() :]


def _rule(weight: str, characters: str) -> str:
    font = _subset(_FACES[weight], characters)
    if not font:
        return ""
    data = base64.b64encode(font).decode()
    return (
        f"@font-face{{font-family:'DejaVu Sans';font-weight:{weight};"
        f"src:url(data:font/woff;base64,{data}) format('woff')}}"
    )


def _subset(name: str, characters: str) -> bytes:
    path = next((p for f in _FOLDERS if f.is_dir() for p in f.rglob(name)), None)
    if path is None:
        return b""
    try:
        from fontTools import subset
    except ImportError:
        return b""
    options = subset.Options(flavor="woff", notdef_outline=True)
    options.drop_tables += ["FFTM"]  # FontForge's dates, of which it would complain
    chosen = subset.Subsetter(options)
    chosen.populate(text=characters)
    font_file = io.BytesIO()
    with subset.load_font(str(path), options) as font:
        chosen.subset(font)
        subset.save_font(font, font_file, options)
    return font_file.getvalue()
