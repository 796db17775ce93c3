"""IOzone's reports: one grid of file by record size for each test.

``-R`` prints them after the run ("Excel output is below"), ``-b`` writes them into a
workbook; the labels are the same but for their case::

    "Writer report"
            "4"  "8"  "16"
    "64"   2561267  7940539  3958892

Cells are found by position only. Three bugs of the tool make positions wrong; a report
that shows one of them is refused, never guessed at:

* with several ``-r`` the header stops at the last one, so rows are longer than it;
* with ``-+x`` the crossover writes a wrong number of zeros, with the same effect;
* with ``-E`` and ``-i`` but without ``-i 8`` two phantom zeros shift the store: the
  Pwrite reports are all zero and the Pread reports show the numbers of Pwrite.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fsviz.errors import InconsistentDataError, ParseError
from fsviz.readers.iozone_banner import Banner
from fsviz.readers.iozone_cells import add_grid
from fsviz.runs import Cells
from fsviz.units import KIB

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

_CROSSOVER_FILE, _CROSSOVER_RECORD = 16384, 64


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
    rows : list of (int, list of (str, float))
        For each row the file size [kB] and the place and number of each cell.
    """

    operation: str
    cpu: bool
    place: int | str
    records: Sequence[int]
    rows: list[tuple[int, list[tuple[str, float]]]] = field(default_factory=list)

    @property
    def stops_early(self) -> bool:
        """Whether the last row has fewer cells than the record sizes that fit."""
        return bool(self.rows) and len(self.rows[-1][1]) < self._wanted(
            self.rows[-1][0]
        )

    @property
    def empty(self) -> bool:
        """Whether nothing but zeros is in it."""
        return not any(number for _, row in self.rows for _, number in row)

    @property
    def too_long(self) -> bool:
        """Whether a row has more cells than record sizes that fit into the file."""
        return any(len(row) > self._wanted(file) for file, row in self.rows)

    def _wanted(self, file: int) -> int:
        return sum(record <= file for record in self.records)


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


def add_reports(
    path: str, cells: Cells, reports: Sequence[Report], banner: Banner
) -> list[ParseError]:
    """Append what the reports hold.

    Parameters
    ----------
    path : str
        For messages.
    cells : Cells
        What to append to.
    reports : sequence of Report
        All of one run.
    banner : Banner
        What is known of the run.

    Returns
    -------
    list of ParseError
        One for each report that cannot be used.
    """
    problems: list[ParseError] = []
    shifted = {r.cpu for r in reports if r.operation == "pwrite" and r.empty}
    for report in reports:
        if report.too_long:
            problems.append(_too_long(path, report))
        elif report.cpu in shifted and report.operation in ("pread", "repread"):
            problems.append(_shifted(path, report))
        elif report.cpu:
            _add_cpu(cells, report)
        else:
            _add_numbers(cells, report, banner)
    return problems


def _too_long(path: str, report: Report) -> ParseError:
    return InconsistentDataError(
        path,
        report.place,
        "rows no longer than the record sizes that fit into the file",
        "longer rows (IOzone prints a wrong header with several -r and with -+x)",
    )


def _shifted(path: str, report: Report) -> ParseError:
    return InconsistentDataError(
        path,
        report.place,
        "the numbers of pread",
        "those of pwrite (a bug of IOzone with -E and -i but without -i 8)",
    )


def _add_numbers(cells: Cells, report: Report, banner: Banner) -> None:
    if report.empty and not _may_be_zero(report, banner):
        return
    files, records, numbers, places = [], [], [], []
    for file, row in report.rows:
        for record, (place, number) in zip(report.records, row, strict=False):
            if number or (_may_be_zero(report, banner) and not _skipped(file, record)):
                files.append(file)
                records.append(record)
                numbers.append(int(number))
                places.append(place)
    if report.stops_early and numbers and not numbers[-1]:
        # The test that was running when the tool was interrupted.
        del files[-1], records[-1], numbers[-1], places[-1]
    if numbers:
        add_grid(
            cells,
            (report.operation,),
            files,
            records,
            numbers,
            places,
            metric=banner.metric,
            time_resolution=banner.time_resolution,
        )


def _may_be_zero(report: Report, banner: Banner) -> bool:
    """Tell whether 0 may be a number: only of microseconds, of a test that ran."""
    facts = banner.facts
    if banner.metric != "latency":
        return False
    if "no_retest" in facts and report.operation.startswith(("re", "fre")):
        return report.operation in ("read", "record_rewrite")
    if "mmap" in facts or "asynchronous" in facts:
        return report.operation not in ("fwrite", "frewrite", "fread", "freread")
    return True


def _skipped(file: int, record: int) -> bool:
    """Tell whether automatic mode leaves out this cell and the report shows 0."""
    return file > _CROSSOVER_FILE and record < _CROSSOVER_RECORD


def _add_cpu(cells: Cells, report: Report) -> None:
    for file, row in report.rows:
        for record, (place, number) in zip(report.records, row, strict=False):
            if number:
                low, high = _rounding(number, place)
                cells.add(
                    report.operation,
                    "cpu",
                    number,
                    place,
                    low=low,
                    high=high,
                    file_size=file * KIB,
                    record_size=record * KIB,
                )


def _rounding(number: float, place: str) -> tuple[float, float]:
    """Bounds of a percentage: two decimals in text, full precision in a workbook."""
    half = 0.005 if place.startswith("line") else 0.0
    return number - half, number + half
