"""IOzone's reports: one grid of file by record size for each test.

``-R`` prints them after the run ("Excel output is below"), ``-b`` writes them into a
workbook; the labels are the same but for their case::

    "Writer report"
            "4"  "8"  "16"
    "64"   2561267  7940539  3958892
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    quoted,
)
from fsviz.model.runs import Cells
from fsviz.model.units import KIB, TOO_LARGE
from fsviz.readers.document import Document
from fsviz.readers.iozone.banner import Banner
from fsviz.readers.iozone.cells import add_grid
from fsviz.readers.iozone.table import Table

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
    """One report: a grid of numbers."""

    operation: str
    cpu: bool
    place: int | str
    records: Sequence[int]
    rows: list[tuple[int, list[float], list[str]]] = field(default_factory=list)

    def cells(self) -> Iterator[tuple[int, int, float, str]]:
        """List file and record size [kB], number and place of each cell."""
        for file, numbers, places in self.rows:
            for record, number, place in zip(
                self.records, numbers, places, strict=False
            ):
                yield file, record, number, place

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


# From IOzone's reports to cells, and which reports can be used.
#
# Cells are found by position only. Three bugs of the tool make positions wrong; a
# report that shows one of them is refused, never guessed at:
#
# * with several ``-r`` the header stops at the last one, so rows are longer than it;
# * with ``-+x`` the crossover writes a wrong number of zeros, with the same effect;
# * with ``-E`` and ``-i`` but without ``-i 8`` two phantom zeros shift the store: the
#   Pwrite reports are all zero and the Pread reports show the numbers of Pwrite.

_SHIFTED = ("pwrite", "repwrite", "pread", "repread")
_CROSSOVER_FILE, _CROSSOVER_RECORD = 16384, 64


def without_tool_bugs(reports: Sequence[Report]) -> list[Report]:
    """Select the reports that show none of the tool's bugs."""
    shifted = _shifted_store(reports)
    return [
        r
        for r in reports
        if not r.too_long and not (r.cpu in shifted and r.operation in _SHIFTED)
    ]


def lacking_rows(
    path: str, reports: Sequence[Report], files: Sequence[int]
) -> Iterator[ParseError]:
    """Name reports of a whole run without the row of a file size [kB] of its table."""
    for report in reports:
        rows = {row[0] for row in report.rows}
        lacking = [f"{file} kB" for file in sorted(set(files) - rows)]
        if rows and lacking:
            what = f"a row for each file size in the report of {report.operation}"
            found = f"none of {', '.join(lacking)}"
            yield InconsistentDataError(path, report.place, what, found)


def add_reports(
    path: str,
    cells: Cells,
    reports: Sequence[Report],
    banner: Banner,
    known: Container[tuple[int, int]] = (),
    *,
    whole: bool = False,
) -> list[ParseError]:
    """Append what the reports hold."""
    problems: list[ParseError] = []
    shifted = _shifted_store(reports)
    header = _common_header(reports)
    seen: set[tuple[str, bool]] = set()
    for report in reports:
        refused = _refusal(path, report, shifted, header)
        if (report.operation, report.cpu) in seen:
            refused = _again(path, report.place, f"the report of {report.operation}")
        seen.add((report.operation, report.cpu))
        if refused is not None:
            problems.append(refused)
            continue
        problems.extend(_drop_repeated_rows(path, report))
        problems.extend(_drop_short_rows(path, report, whole))
        if report.cpu:
            _add_cpu(cells, report)
        else:
            _add_numbers(cells, report, banner, known)
    return problems


def _common_header(reports: Sequence[Report]) -> tuple[int, ...]:
    """Find the record sizes that most reports of a run have; all must have them."""
    headers = Counter(tuple(report.records) for report in reports)
    header, count = headers.most_common(1)[0] if headers else ((), 0)
    return header if count * 2 > len(reports) else ()


def _refusal(
    path: str, report: Report, shifted: set[bool], header: tuple[int, ...]
) -> ParseError | None:
    """Say why a report cannot be used, None if it can."""
    wrong = partial(InconsistentDataError, path, report.place)
    records = list(report.records)
    if records != sorted(set(records)):
        wanted = "record sizes that ascend"
        return MalformedRowError(path, report.place, wanted, str(records))
    if header and tuple(records) != header:
        wanted = f"the record sizes of the other reports, {list(header)}"
        return wrong(wanted, str(records))
    if report.too_long:
        return wrong(
            "rows no longer than the record sizes that fit into the file",
            "longer rows (IOzone prints a wrong header with several -r and with -+x)",
        )
    if report.cpu in shifted and report.operation in _SHIFTED and not report.empty:
        return wrong(
            "the numbers of pread",
            "those of pwrite (a bug of IOzone with -E and -i but without -i 8)",
        )
    return None


def _shifted_store(reports: Sequence[Report]) -> set[bool]:
    """Tell for rates and for CPU whether the Pwrite report is one of zeros."""
    return {r.cpu for r in reports if r.operation == "pwrite" and r.empty}


def _again(path: str, place: int | str, what: str) -> ParseError:
    return InconsistentDataError(path, place, f"{what} once in a run", "it again")


def _drop_repeated_rows(path: str, report: Report) -> list[ParseError]:
    """Drop rows whose file size comes again: which of them is right is not known."""
    count = Counter(row[0] for row in report.rows)
    again = [row for row in report.rows if count[row[0]] > 1]
    report.rows = [row for row in report.rows if count[row[0]] == 1]
    return [
        _again(path, _place(report, row), f"the row of {row[0]} kB")
        for row in again[1:]
    ]


def _place(report: Report, row: tuple[int, list[float], list[str]]) -> str | int:
    """Place of a row as errors have it: a line's number, or a cell."""
    if not row[2]:
        return report.place
    place = row[2][0].removeprefix("line ")
    return int(place) if place.isdigit() else place


def _drop_short_rows(path: str, report: Report, whole: bool) -> list[ParseError]:
    """Drop rows with too few cells; only in a run that stopped the last may be one."""
    rows, last = report.rows, None if whole or not report.rows else report.rows[-1]
    report.rows = [row for row in rows if row is last or not report.is_short(row)]
    return [
        MalformedRowError(
            path,
            _place(report, row),
            "a number for each record size",
            f"{len(row[1])} in the row of {row[0]} kB",
        )
        for row in rows
        if row is not last and report.is_short(row)
    ]


def _add_numbers(
    cells: Cells, report: Report, banner: Banner, known: Container[tuple[int, int]]
) -> None:
    zero = _may_be_zero(report, banner)
    if report.empty and not zero:
        return
    shown = [
        (file, record, number, place)
        for file, record, number, place in report.cells()
        if (number or (zero and not _skipped(file, record)))
        and (file, record) not in known
    ]
    if report.stops_early and shown and not shown[-1][2]:
        # The test that was running when the tool was interrupted.
        shown.pop()
    if shown:
        files, records, numbers, places = zip(*shown, strict=True)
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
    for file, record, number, place in report.cells():
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


# The Excel section of IOzone's text: reports that repeat the table (``-R``).
#
# The section repeats the numbers of the table, and so it is used to check them; it is
# read as data only for cells that the table does not have, such as CPU use.

_ROW = re.compile(r'"(\d{1,15})"([\d. ]*)')
_HEADER = re.compile(r'"\d{1,15}"(?: +"\d{1,15}")*')

_DAMAGED = re.compile(r'\d"|report"|ignored\)"')
_BEGUN_ROW = re.compile(r'"?\d{1,15}"? ')


def read_reports(
    document: Document, first: int, last: int
) -> tuple[list[Report], list[ParseError]]:
    """Read the reports between two lines."""
    reports: list[Report] = []
    problems: list[ParseError] = []
    current: Report | None = None
    lost = False
    for number, text in _quoted_lines(document, first, last):
        if current and not lost and _take(current, text, f"line {number}"):
            continue
        if "report" in text and (label := parse_label(text)):
            current, lost = Report(*label, number, ()), False
            reports.append(current)
        elif not lost:
            # What follows a damaged label or header belongs to no report.
            lost = current is None or not _BEGUN_ROW.match(text)
            problems.append(
                MalformedRowError(
                    document.path, number, "a line of a report", quoted(text)
                )
            )
    return reports, problems


def _take(report: Report, text: str, place: str) -> bool:
    """Add a line to a report; tell whether it is one of its lines."""
    if report.records:
        match = _ROW.fullmatch(text)
        return match is not None and _add_row(report, match, place)
    if _HEADER.fullmatch(text) is None:
        return False
    report.records = [int(word) for word in text.replace('"', "").split()]
    return True


def _quoted_lines(
    document: Document, first: int, last: int
) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(document.lines[first - 1 : last], first):
        if '"' in line:
            text = line.strip()
            if text[0] == '"' or _DAMAGED.search(text):
                yield number, text


def _add_row(report: Report, match: re.Match[str], place: str) -> bool:
    """Add a row to a report; tell whether its numbers are numbers."""
    try:
        numbers = list(map(float if report.cpu else int, match[2].split()))
    except ValueError:
        return False
    if numbers and max(numbers) >= TOO_LARGE:
        return False
    report.rows.append((int(match[1]), numbers, [place] * len(numbers)))
    return True


def after_repeats(document: Document, first: int, last: int, table: Table) -> int:
    """Find the first line that is not what IOzone prints again of a table.

    Mostly all is, to the letter, which is seen much quicker than what else it says.
    """
    lines = list(filter(str.strip, document.lines[first - 1 : last]))
    header = "".join(lines[1:2])
    if not _HEADER.fullmatch(header.strip()):
        return first
    records = [int(word) for word in header.replace('"', "").split()]
    files = {f: [r for r in records if r <= f] for f in dict.fromkeys(table.files)}
    rows = [f'"{file}"  {" %d " * len(own)}' for file, own in files.items()]
    form = "\n".join([header, *rows])
    row = {pair: at for at, pair in enumerate(_pairs(table))}
    order = [row.get((file, r), -1) for file, own in files.items() for r in own]
    # a size that the table has not was skipped, and its number is 0
    padded = np.concatenate([table.numbers, np.zeros_like(table.numbers[:1])])
    numbers = map(tuple, padded[order].T.tolist())
    columns = dict(zip(table.operations, numbers, strict=True))
    for at in range(0, len(lines), len(rows) + 2):
        operation, cpu = parse_label(lines[at]) or ("", True)
        known = () if cpu else columns.get(operation, ())
        own = "\n".join(lines[at + 1 : at + len(rows) + 2])
        # zeros alone may be the tool's bug, which concerns other reports too
        if not any(known) or own != form % known:
            filled = [
                n for n in range(first, last + 1) if document.lines[n - 1].strip()
            ]
            # what is no label is more of the report before
            return filled[at] if operation else first
    return last + 1


def without_repeats(reports: Sequence[Report], table: Table) -> list[Report]:
    """Leave out the reports that say what the table says, and nothing else."""
    columns = _columns(table)
    others = []
    for report in reports:
        known = {} if report.cpu else columns.get(report.operation, {})
        said = [number for _, own, _ in report.rows for number in own]
        # zeros alone may be the tool's bug, which concerns other reports too
        if not (known and any(said)) or said != [
            known.get((file, r), 0) for file, r, *_ in report.cells()
        ]:
            others.append(report)
    return others


def _columns(table: Table) -> dict[str, dict[tuple[int, int], int]]:
    """List the numbers of each operation; a size that is not there was skipped: 0."""
    columns = zip(table.operations, table.numbers.T.tolist(), strict=True)
    return {name: dict(zip(_pairs(table), own, strict=True)) for name, own in columns}


def _pairs(table: Table) -> Iterator[tuple[int, int]]:
    return zip(table.files, table.records, strict=True)


def compare(
    document: Document, reports: Sequence[Report], table: Table
) -> list[ParseError]:
    """Check a table against the reports of the same run."""
    columns = _columns(table)
    lines = dict(
        zip(zip(table.files, table.records, strict=True), table.lines, strict=True)
    )
    problems: list[ParseError] = []
    for report in reports:
        known = {} if report.cpu else columns.get(report.operation, {})
        for file, record, number, place in report.cells() if known else ():
            shown = known.get((file, record), number)
            if shown != number:
                at = int(place.removeprefix("line "))
                said = f"{shown} as in line {lines[file, record]}"
                wrong = InconsistentDataError(document.path, at, said, str(number))
                problems.append(wrong)
    return problems
