"""The report at the end of throughput mode (``-R``, ``-b``).

::

    "Throughput report Y-axis is type of test X-axis is number of processes"
    "Record size = 16 kBytes "
    "Output is in kBytes/sec"

    "  Initial write " 4284672.00  6260544.25  4633676.00

The columns are not labelled: the k-th is the k-th number of processes. The file size is
not stated. A test that was not selected shows 0.00, sometimes under an empty label. The
CPU report that may follow labels its rows wrongly; only their order counts, which is
that of the rows above.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fsviz.model.errors import (
    AmbiguousColumnsError,
    InconsistentDataError,
    ParseError,
    quoted,
)
from fsviz.model.runs import Cells
from fsviz.model.units import KIB
from fsviz.readers.document import Document
from fsviz.readers.iozone_blocks import Block

LABELS: Mapping[str, str] = {
    "initial write": "write",
    "rewrite": "rewrite",
    "read": "read",
    "re-read": "reread",
    "reverse read": "backward_read",
    "stride read": "stride_read",
    "random read": "random_read",
    "mixed workload": "mixed_workload",
    "random write": "random_write",
    "pwrite": "pwrite",
    "pread": "pread",
    "fwrite": "fwrite",
    "fread": "fread",
}
"""Operation by the label of its row, in lower case."""

_ROW = re.compile(r'"([ \w-]{16})"((?:\s+(?:\d{1,15}(?:\.\d{1,9})?|-?nan|-?inf))+)')
_RECORD = re.compile(r"Record size = (\d{1,15}) [kK][bB]ytes")


@dataclass(slots=True)
class ThroughputReport:
    """One report: for each test a number for each number of processes.

    Parameters
    ----------
    place : int or str
        Line or cell of its title.
    cpu : bool
        Whether the numbers are percentages of CPU use.
    record : int or None
        Record size [B].
    unit : str
        ``throughput`` or ``rate``.
    rows : list of (str, list of float, list of str)
        For each test its label, the numbers and their places.
    """

    place: int | str
    cpu: bool
    record: int | None = None
    unit: str = "throughput"
    rows: list[tuple[str, list[float], list[str]]] = field(default_factory=list)

    def take(self, text: str) -> None:
        """Take what a line of the report's head states."""
        if match := _RECORD.search(text):
            self.record = int(match[1]) * KIB
        elif "ops/sec" in text:
            self.unit = "rate"


def parse_title(text: str) -> bool | None:
    """Tell whether a text is the title of a throughput report, True for CPU use.

    Examples
    --------
    >>> parse_title('"CPU utilization report Y-axis is type of test X-axis is …"')
    True
    >>> parse_title("Writer Report") is None
    True
    """
    label = text.strip().strip('"').strip()
    if " report Y-axis is type of test" not in label:
        return None
    return label.startswith("CPU")


def read_throughput_reports(
    document: Document, first: int, last: int
) -> list[ThroughputReport]:
    """Read the reports between two lines of a text."""
    reports: list[ThroughputReport] = []
    for number, line in enumerate(document.lines[first - 1 : last], first):
        text = line.strip()
        if not text.startswith('"'):
            continue
        if (cpu := parse_title(text)) is not None:
            reports.append(ThroughputReport(number, cpu))
        elif reports and (match := _ROW.fullmatch(text)):
            numbers = list(map(float, match[2].split()))
            places = [f"line {number}"] * len(numbers)
            reports[-1].rows.append((match[1].strip(), numbers, places))
        elif reports:
            reports[-1].take(text)
    return reports


def compare_blocks(
    document: Document, reports: Sequence[ThroughputReport], blocks: Sequence[Block]
) -> list[ParseError]:
    """Check the blocks of the same run against its report."""
    printed: dict[str, list[Block]] = {}
    for block in blocks:
        printed.setdefault(block.operation, []).append(block)
    problems: list[ParseError] = []
    for report in reports:
        for label, numbers, places in report.rows:
            same = printed.get(LABELS.get(label.lower(), ""), [])
            # Blocks are missing in excerpts: then the columns cannot be told.
            if report.cpu or len(same) != len(numbers):
                continue
            for block, number, place in zip(same, numbers, places, strict=True):
                shown, line = block.numbers[block.unit]
                if shown != number:
                    problems.append(
                        InconsistentDataError(
                            document.path,
                            int(place.removeprefix("line ")),
                            f"{shown:.2f} as in line {line}",
                            f"{number:.2f}",
                        )
                    )
    return problems


def add_throughput_reports(
    path: str,
    cells: Cells,
    reports: Sequence[ThroughputReport],
    threads: Sequence[int],
    file: int | None,
) -> None:
    """Append what the reports hold, where they are all that there is.

    Parameters
    ----------
    path : str
        For messages.
    cells : Cells
        What to append to.
    reports : sequence of ThroughputReport
        Of one run.
    threads : sequence of int
        The numbers of processes of the command line.
    file : int or None
        File size of each process [B].

    Raises
    ------
    AmbiguousColumnsError
        If the columns are not as many as the numbers of processes.
    InconsistentDataError
        If a test comes twice.
    """
    labels: list[str] = []
    for report in reports:
        widths = {len(numbers) for _, numbers, _ in report.rows}
        if widths and widths != {len(threads)}:
            raise AmbiguousColumnsError(
                path,
                report.place,
                "a column for each number of processes of the command line",
                f"{max(widths)} columns, {len(threads)} numbers of processes",
            )
        if not report.cpu:
            _refuse_twice(path, report, labels)
            labels = [label for label, _, _ in report.rows]
        _add(cells, report, labels, threads, file)


def _refuse_twice(path: str, report: ThroughputReport, before: Sequence[str]) -> None:
    labels = [*before, *(label for label, _, _ in report.rows)]
    labels = [label.lower() for label in labels if label]
    if len(set(labels)) < len(labels):
        raise InconsistentDataError(
            path, report.place, "each test once", ", ".join(map(quoted, labels))
        )


def _add(
    cells: Cells,
    report: ThroughputReport,
    labels: Sequence[str],
    threads: Sequence[int],
    file: int | None,
) -> None:
    unit = KIB if report.unit == "throughput" and not report.cpu else 1
    for label, (_, numbers, places) in zip(labels, report.rows, strict=False):
        operation = LABELS.get(label.lower())
        if operation is None:
            continue
        for count, number, place in zip(threads, numbers, places, strict=True):
            if 0 < number < float("inf"):
                cells.add(
                    operation,
                    "cpu" if report.cpu else report.unit,
                    number * unit,
                    place,
                    low=number * unit,
                    high=number * unit,
                    file_size=file,
                    record_size=report.record,
                    threads=count,
                )
