"""Bytes to lines: undo what terminals, mail and editors did to a text.

Line numbers are those of the file, whatever is removed from the lines.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass, field

from fsviz.model.errors import EncodingError

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07]*\x07")
_BLANKS = str.maketrans(dict.fromkeys("\xa0\u202f\u2007\u2009", " "))
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Document:
    r"""A text file, decoded.

    Parameters
    ----------
    path : str
        As the user named it; used in messages and as ``source``.
    text : str
        The whole text with ``\n`` line ends.
    digest : str
        The first 12 hexadecimal digits of the SHA-256 of the bytes.
    lines : list of str
        Line *n* of the file is ``lines[n - 1]``.
    """

    path: str
    text: str
    digest: str
    lines: list[str] = field(default_factory=list)


def decode(path: str, data: bytes) -> Document:
    """Decode a text file whatever its encoding and line ends.

    Parameters
    ----------
    path : str
        As the user named it.
    data : bytes
        The file's content.

    Returns
    -------
    Document

    Raises
    ------
    EncodingError
        If a NUL is left after decoding: the file is not text.
    """
    text = _to_text(path, data)
    # most files have nothing to undo, and looking for it is much quicker
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    if not text.isascii():
        text = text.translate(_BLANKS)
    return Document(path, text, digest(data), text.split("\n"))


def digest(data: bytes) -> str:
    """Name a file's content, for run identities."""
    return hashlib.sha256(data).hexdigest()[:12]


def _to_text(path: str, data: bytes) -> str:
    encoding = _encoding(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            line = data.count(b"\n", 0, error.start) + 1
            raise EncodingError(path, line, f"{encoding} text", error.reason) from error
        text = data.decode("latin-1")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise EncodingError(path, line, "text", "a NUL byte")
    return text.removeprefix("\ufeff")


def _encoding(data: bytes) -> str:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding
    head = data[:200]
    if len(head) >= 4 and head[1::2].count(0) > len(head) * 0.4 and 0 not in head[::2]:
        return "utf-16-le"
    if len(head) >= 4 and head[::2].count(0) > len(head) * 0.4 and 0 not in head[1::2]:
        return "utf-16-be"
    return "utf-8"
