"""Where the runs of an IOzone text begin and end, and which parts each one has.

A run begins at its banner. People also publish only tables, only throughput blocks or
only the Excel section; without a banner a run begins where a part comes that the run
before already has.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from fsviz.readers.document import Document

BANNER = "Iozone: Performance Test of File I/O"
COMPLETE = "iozone test complete"
_HEADER = re.compile(r"\b[kK]B\s+reclen\s+write\b")
_SEARCHES = {
    BANNER: "banner",
    "reclen": "header",
    "Children see throughput for": "throughput",
    ' report"': "report",
    '"Throughput report Y-axis': "throughput_report",
    COMPLETE: "complete",
}


@dataclass(slots=True)
class Segment:
    """One run's lines, as line numbers from 1; None for a part that it has not.

    Parameters
    ----------
    first, last : int
        First and last line.
    start : int
        First line that may state something about the run, after the run before.
    banner : bool
        Whether it has a banner.
    header : int or None
        Line with the names of the table's columns.
    throughput, report, throughput_report, complete : int or None
        First line of the blocks of throughput mode, of the reports, of the report of
        throughput mode, and the end mark.
    labels : set of str
        Labels of the reports.
    """

    first: int
    last: int = 0
    start: int = 1
    banner: bool = False
    header: int | None = None
    throughput: int | None = None
    report: int | None = None
    throughput_report: int | None = None
    complete: int | None = None
    labels: set[str] = field(default_factory=set)

    @property
    def body(self) -> int:
        """First line of its results, or the line after its last."""
        parts = (self.header, self.throughput, self.report, self.throughput_report)
        return min((part for part in parts if part is not None), default=self.last + 1)


def split_runs(document: Document) -> list[Segment]:
    """Split a file into runs.

    Parameters
    ----------
    document : Document
        The file.

    Returns
    -------
    list of Segment
        In the order of the file, without those that have no part at all.
    """
    segments = [Segment(1)]
    for line, kind in _marks(document):
        if _starts_run(segments[-1], kind, document.lines[line - 1]):
            before = segments[-1]
            segments.append(Segment(line, start=before.complete or before.body))
        _note(segments[-1], line, kind, document.lines[line - 1])
    for segment, after in zip(segments, [*segments[1:], None], strict=True):
        segment.last = after.first - 1 if after else len(document.lines)
    return [s for s in segments if s.banner or s.body <= s.last]


def _marks(document: Document) -> list[tuple[int, str]]:
    """Find the lines that begin something: plain searches, as files can be long."""
    marks = []
    for text, kind in _SEARCHES.items():
        marks += [
            (line, kind)
            for line in _lines_with(document, text)
            if kind != "header" or _HEADER.search(document.lines[line - 1])
        ]
    return sorted(marks)


def _lines_with(document: Document, text: str) -> list[int]:
    found, line, start = [], 1, 0
    at = document.text.find(text)
    while at >= 0:
        line += document.text.count("\n", start, at)
        found.append(line)
        start, at = at, document.text.find(text, at + 1)
    return found


def _starts_run(current: Segment, kind: str, text: str) -> bool:
    blocks = current.throughput is not None
    reports = current.report is not None
    if kind == "banner":
        return current.banner or current.header is not None or blocks or reports
    if kind == "header":
        return current.header is not None or blocks or reports
    if kind == "throughput":
        ended = current.complete is not None and blocks
        return current.header is not None or reports or ended
    if kind == "report":
        return blocks or text.strip().lower() in current.labels
    return False


def _note(segment: Segment, line: int, kind: str, text: str) -> None:
    if kind == "banner":
        segment.banner, segment.first, segment.start = True, line, line
    elif getattr(segment, kind) is None:
        setattr(segment, kind, line)
    if kind == "report":
        segment.labels.add(text.strip().lower())
