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

from bisect import bisect_right
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field

from fsviz.errors import InconsistentDataError, MalformedRowError, ParseError
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

_SHIFTED = ("pwrite", "repwrite", "pread", "repread")
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
        return bool(self.rows) and len(self.rows[-1][1]) < self._wanted(
            self.rows[-1][0]
        )

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


def sound(reports: Sequence[Report]) -> list[Report]:
    """Select the reports that show none of the tool's bugs."""
    shifted = _shifted_store(reports)
    return [
        r
        for r in reports
        if not r.too_long and not (r.cpu in shifted and r.operation in _SHIFTED)
    ]


def add_reports(
    path: str,
    cells: Cells,
    reports: Sequence[Report],
    banner: Banner,
    known: Container[tuple[int, int]] = (),
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
    known : container of (int, int)
        File and record sizes [kB] that the run's table has: only CPU use is added.

    Returns
    -------
    list of ParseError
        One for each report that cannot be used.
    """
    problems: list[ParseError] = []
    shifted = _shifted_store(reports)
    for report in reports:
        if list(report.records) != sorted(set(report.records)):
            problems.append(_disordered(path, report))
        elif report.too_long:
            problems.append(_too_long(path, report))
        elif _is_shifted(report, shifted):
            problems.append(_shifted(path, report))
        elif report.cpu:
            _add_cpu(cells, report)
        else:
            _add_numbers(cells, report, banner, known)
    return problems


def describe(reports: Sequence[Report]) -> str:
    """Name what was measured, for runs whose command line is not known."""
    names = " ".join(report.operation for report in reports if not report.cpu)
    files = sorted({row[0] for report in reports for row in report.rows})
    records = sorted({record for report in reports for record in report.records})
    return f"{names}; files {files} kB, records {records} kB"


def _shifted_store(reports: Sequence[Report]) -> set[bool]:
    """Tell for rates and for CPU whether the Pwrite report is one of zeros."""
    return {r.cpu for r in reports if r.operation == "pwrite" and r.empty}


def _is_shifted(report: Report, shifted: set[bool]) -> bool:
    return report.cpu in shifted and report.operation in _SHIFTED and not report.empty


def _disordered(path: str, report: Report) -> ParseError:
    return MalformedRowError(
        path, report.place, "record sizes that ascend", str(list(report.records))
    )


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


def _add_numbers(
    cells: Cells, report: Report, banner: Banner, known: Container[tuple[int, int]]
) -> None:
    zero = _may_be_zero(report, banner)
    if report.empty and not zero:
        return
    files: list[int] = []
    records: list[int] = []
    numbers: list[int] = []
    places: list[str] = []
    for file, row, where in report.rows:
        for record, number, place in zip(report.records, row, where, strict=False):
            if (number or (zero and not _skipped(file, record))) and (
                file,
                record,
            ) not in known:
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
    for file, row, where in report.rows:
        for record, number, place in zip(report.records, row, where, strict=False):
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
