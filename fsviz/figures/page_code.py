"""What pages carry, made small: scripts and styles without comments, data packed."""

from __future__ import annotations

import base64
import gzip
import re
from pathlib import Path

_COMMENT = re.compile(r" */\*.*?\*/", flags=re.DOTALL)


def script_of(path: Path) -> str:
    """Read a script as pages carry it: without comments of whole lines and indents."""
    lines = map(str.strip, path.read_text(encoding="utf-8").splitlines())
    return "".join(f"{line}\n" for line in lines if line and line[:2] != "//")


def style_of(path: Path) -> str:
    """Read a style sheet of ours as pages carry it: without comments."""
    return without_comments(path.read_text(encoding="utf-8"))


def without_comments(css: str) -> str:
    """Leave out the comments of a style sheet.

    >>> without_comments("b { color: red } /* Name.Bold */")
    'b { color: red }'
    """
    return _COMMENT.sub("", css)


def packed(text: str) -> str:
    """Pack JSON into about an eighth; ``js/unpack.js`` unpacks it in a page."""
    # no time stamp, so that a page made twice is the same
    return base64.b64encode(gzip.compress(text.encode(), mtime=0)).decode()
