r"""What others put in front of every line: quotes, comment signs, times, indentation.

A log that went through mail, a notes file, ``ts``, a CI system or Markdown has a prefix
of the same shape on every line. It is removed if at least nine in ten lines have it;
line numbers stay those of the file.
"""

from __future__ import annotations

import quopri
import re
from collections.abc import Sequence
from dataclasses import replace

from fsviz.readers.document import Document

_SHAPES = (
    r"(?:> ?)+",
    r"(?:#|//|;;?|%|\|) ?",
    # ISO 8601, as CI systems and journalctl -o short-iso print it
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]? ?",
    # ts of moreutils, syslog with host and program
    r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?: [\w.-]+ [\w.-]+(?:\[\d+\])?:)? ?",
    r"\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]? ?",
    # seconds since the start: dmesg, serial consoles
    r"\[ *\d+\.\d+\] ?",
)
_PATTERNS = tuple(re.compile(shape) for shape in _SHAPES)
_ANY = re.compile("|".join(_SHAPES))
_NAME = re.compile(r"[\w.-]+: ?")
_SHARE = 0.9
_SAMPLE = 30


def without_prefix(document: Document) -> Document:
    r"""Remove a prefix that has the same shape on at least nine in ten lines.

    Parameters
    ----------
    document : Document
        A text file.

    Returns
    -------
    Document
        With the same number of lines; the same object if there is no such prefix.

    Examples
    --------
    >>> text = "> > iozone -a\n> > \n> >      64       4"
    >>> without_prefix(Document("mail.txt", text, "", text.split("\n"))).lines
    ['iozone -a', '', '     64       4']
    """
    document = _without_mail_encoding(document)
    lines = document.lines
    while (shorter := _shorter(lines)) is not None:
        lines = shorter
    if lines is document.lines:
        return document
    return replace(document, text="\n".join(lines), lines=lines)


def _shorter(lines: list[str]) -> list[str] | None:
    """Remove one prefix, None if there is none."""
    sample = [line for line in lines[: 2 * _SAMPLE] if line.strip()][:_SAMPLE]
    if not sample:
        return None
    if len(sample) * (1 - _SHARE) > sum(_ANY.match(line) is None for line in sample):
        for pattern in _PATTERNS:
            if _is_common(pattern, lines):
                return [pattern.sub("", line, count=1) for line in lines]
    return _dedented(sample, lines) or _without_name(sample, lines)


def _is_common(pattern: re.Pattern[str], lines: Sequence[str]) -> bool:
    filled = [line for line in lines if line.strip()]
    return sum(pattern.match(line) is not None for line in filled) >= _SHARE * len(
        filled
    )


def _dedented(sample: Sequence[str], lines: list[str]) -> list[str] | None:
    """Remove the indentation that all lines share."""
    if not all(line[0].isspace() for line in sample):
        return None
    filled = [line for line in lines if line.strip()]
    first, last = min(filled), max(filled)
    width = next(
        (at for at, c in enumerate(first) if not c.isspace() or c != last[at]), 0
    )
    indent = first[:width]
    return [line.removeprefix(indent) for line in lines] if indent else None


def _without_name(sample: Sequence[str], lines: list[str]) -> list[str] | None:
    """Remove one and the same ``host:``; several hosts are several outputs."""
    match = _NAME.match(sample[0])
    if match is None:
        return None
    name = match[0].rstrip()
    filled = [line for line in lines if line.strip()]
    if sum(line.startswith(name) for line in filled) < _SHARE * len(filled):
        return None
    return [line.removeprefix(match[0]).removeprefix(name) for line in lines]


def _without_mail_encoding(document: Document) -> Document:
    """Undo quoted-printable: ``=3D`` and lines that go on after a ``=``."""
    if "=3D" not in document.text or "=\n" not in document.text:
        return document
    lines: list[str] = []
    begun, empty = "", 0
    for line in document.lines:
        if line.endswith("="):
            begun, empty = begun + line[:-1], empty + 1
            continue
        decoded = quopri.decodestring((begun + line).encode()).decode(
            "utf-8", "replace"
        )
        # The joined line stands where it begins, so that later numbers stay right.
        lines.extend([decoded, *[""] * empty])
        begun, empty = "", 0
    lines.extend([begun] * bool(begun) + [""] * max(0, empty - 1))
    return replace(document, text="\n".join(lines), lines=lines)
