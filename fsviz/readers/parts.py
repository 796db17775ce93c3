"""A text with the output of several tools: which lines are whose.

People log whole sessions. A part begins at the first line that only one tool prints, or
at the lines above it that belong to it (a prompt, a heading), and ends where the next
tool's begins. Each reader then gets the whole text with the others' lines empty, so
that line numbers stay those of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from fsviz.readers.document import Document

_ABOVE = 12
"""Lines above a signature that may belong to it."""
_HEADING = re.compile(r"\s*(?:[$#%>]|[\w.~:/@\[\] -]{0,60}[$#%>]\s|={2,}|-{3,}|#+ )")


@dataclass(frozen=True, slots=True)
class Part:
    """Lines of one tool: from ``first`` up to and with ``last``, counted from 1."""

    name: str
    first: int
    last: int


def line_numbers(text: str, places: Iterable[int]) -> Iterator[int]:
    """Turn positions in a text, in rising order, into line numbers."""
    line, before = 1, 0
    for place in places:
        line += text.count("\n", before, place)
        before = place
        yield line


def split(document: Document, marks: Sequence[tuple[int, str]]) -> list[Part]:
    """Part a text.

    Parameters
    ----------
    document : Document
        The text.
    marks : sequence of (int, str)
        Each line with a signature, and the name of the format whose it is.

    Returns
    -------
    list of Part
        In the order of the file, without gaps; two that follow each other differ in
        name.
    """
    parts: list[Part] = []
    for line, name in sorted(marks):
        if parts and parts[-1].name == name:
            continue
        first = 1
        if parts:
            first = _start(document.lines, line, parts[-1].first)
            parts[-1] = replace(parts[-1], last=first - 1)
        parts.append(Part(name, first, len(document.lines)))
    return parts


def _start(lines: Sequence[str], line: int, after: int) -> int:
    """Find where the lines above a signature begin that belong to it."""
    start = line
    for number in range(line - 1, max(after, line - _ABOVE), -1):
        text = lines[number - 1]
        if _HEADING.match(text):
            start = number
        elif text.strip():
            break
    return start


def only(document: Document, parts: Iterable[Part]) -> Document:
    """Empty the lines that are in none of some parts."""
    kept = [""] * len(document.lines)
    for part in parts:
        kept[part.first - 1 : part.last] = document.lines[part.first - 1 : part.last]
    return replace(document, text="\n".join(kept), lines=kept)
