"""How an IOzone run ended: done, failed, interrupted, or the text just stops."""

from __future__ import annotations

from dataclasses import dataclass

from fsviz.model.errors import (
    MalformedRowError,
    ParseError,
    ToolFailureError,
    TruncatedInputError,
    quoted,
)
from fsviz.readers.document import Document
from fsviz.readers.iozone_segments import COMPLETE, Segment
from fsviz.readers.iozone_table import FAILURE

# Looked for first: lines need not be looked at when none of these words is there.
_WORDS = ("Error", "Can not", "interrupted", "failed", "too small", "not supported")


@dataclass(frozen=True, slots=True)
class Ending:
    """Whether a run is complete, what the user should know, and the located error."""

    complete: bool
    note: str = ""
    problem: ParseError | None = None


def find_failure(document: Document, segment: Segment) -> ToolFailureError | None:
    """Find the first line of a run with which IOzone reports a failure."""
    if not any(word in document.text for word in _WORDS):
        return None
    for number in range(segment.first, segment.last + 1):
        line = document.lines[number - 1]
        if FAILURE.match(line):
            return ToolFailureError(
                document.path, number, f'"{COMPLETE}."', quoted(line.strip())
            )
    return None


def read_ending(
    document: Document, segment: Segment, kept: str, cut_short: int | None
) -> Ending:
    """Tell how a run ended.

    Parameters
    ----------
    document : Document
        The file.
    segment : Segment
        The run's place.
    kept : str
        What is usable, for the note.
    cut_short : int or None
        Line of a last row that stops early.
    """
    failed = find_failure(document, segment)
    if failed is not None:
        note = f"IOzone reported {failed.found} in line {failed.line}; {kept}"
        return Ending(False, note, failed)
    if segment.complete is None:
        return _stopped(document, segment, kept, cut_short)
    if cut_short is None:
        return Ending(True)
    row = document.lines[cut_short - 1].strip()
    broken = MalformedRowError(document.path, cut_short, "a whole row", quoted(row))
    return Ending(True, f"a broken row in line {cut_short}; {kept}", broken)


def _stopped(
    document: Document, segment: Segment, kept: str, cut_short: int | None
) -> Ending:
    if cut_short is None and not segment.banner:
        return Ending(False, f"an excerpt: no end mark of the run; {kept}")
    line = cut_short or segment.last
    found = "a row cut short" if cut_short else "the end of the run"
    problem = TruncatedInputError(document.path, line, f'"{COMPLETE}."', found)
    return Ending(False, f"stops early in line {line}; {kept}", problem)
