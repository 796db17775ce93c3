"""IOzone's reports: one grid of file by record size for each test.

``-R`` prints them after the run ("Excel output is below"), ``-b`` writes them into a
workbook; the labels are the same but for their case::

    "Writer report"
            "4"  "8"  "16"
    "64"   2561267  7940539  3958892
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

LABELS: Mapping[str, str] = {
    "writer": "write",
    "re-writer": "rewrite",
    "reader": "read",
    "re-reader": "reread",
    "random read": "random_read",
    "random write": "random_write",
    "backward read": "backward_read",
    "record rewrite": "record_rewrite",
    "stride read": "stride_read",
    "fwrite": "fwrite",
    "re-fwrite": "frewrite",
    "fread": "fread",
    "re-fread": "freread",
    "pwrite": "pwrite",
    "re-pwrite": "repwrite",
    "pread": "pread",
    "re-pread": "repread",
    "pwritev": "pwritev",
    "re-pwritev": "repwritev",
    "preadv": "preadv",
    "re-preadv": "repreadv",
}
"""Operation by the label of its report, in lower case and without ``report``."""


@dataclass(slots=True)
class Report:
    """One report: a grid of numbers.

    Parameters
    ----------
    operation : str
        What was measured.
    cpu : bool
        Whether the numbers are percentages of CPU use.
    place : int or str
        Line or cell of its label.
    records : sequence of int
        The record sizes of the header [kB].
    rows : list of (int, list of float, list of str)
        For each row the file size [kB], the numbers and their places.
    """

    operation: str
    cpu: bool
    place: int | str
    records: Sequence[int]
    rows: list[tuple[int, list[float], list[str]]] = field(default_factory=list)

    @property
    def stops_early(self) -> bool:
        """Whether the last row has fewer cells than the record sizes that fit."""
        return bool(self.rows) and self.is_short(self.rows[-1])

    def is_short(self, row: tuple[int, list[float], list[str]]) -> bool:
        """Tell whether a row has fewer cells than the record sizes that fit."""
        return len(row[1]) < self._wanted(row[0])

    @property
    def empty(self) -> bool:
        """Whether nothing but zeros is in it."""
        return not any(any(numbers) for _, numbers, _ in self.rows)

    @property
    def too_long(self) -> bool:
        """Whether a row has more cells than record sizes that fit into the file."""
        return any(len(row[1]) > self._wanted(row[0]) for row in self.rows)

    def _wanted(self, file: int) -> int:
        """Count the record sizes that fit into a file; IOzone prints them ascending."""
        return bisect_right(self.records, file)


def parse_label(text: str) -> tuple[str, bool] | None:
    """Read the label of a report.

    Returns
    -------
    (str, bool) or None
        The operation and whether it is the report of its CPU use; None if the text is
        not a label.

    Examples
    --------
    >>> parse_label("Re-writer Report")
    ('rewrite', False)
    >>> parse_label("Fread CPU utilization report (Zero values should be ignored)")
    ('fread', True)
    """
    label = text.strip().strip('"').strip().lower()
    label = label.removesuffix("(zero values should be ignored)").rstrip()
    if not label.endswith("report"):
        return None
    label = label.removesuffix("report").rstrip()
    name = label.removesuffix("cpu utilization").rstrip()
    operation = LABELS.get(name)
    return None if operation is None else (operation, name != label)


def describe(reports: Sequence[Report]) -> str:
    """Name what was measured, for runs whose command line is not known."""
    names = " ".join(report.operation for report in reports if not report.cpu)
    files = sorted({row[0] for report in reports for row in report.rows})
    records = sorted({record for report in reports for record in report.records})
    return f"{names}; files {files} kB, records {records} kB"
