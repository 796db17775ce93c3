"""IOzone's reports: one grid of file by record size for each test.

``-R`` prints them after the run ("Excel output is below"), ``-b`` writes them into a
workbook; the labels are the same but for their case::

    "Writer report"
            "4"  "8"  "16"
    "64"   2561267  7940539  3958892
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, groupby, pairwise, repeat

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
from fsviz.readers.iozone.options import BUFFERED
from fsviz.readers.iozone.table import Table

_POSITIONED = ("pwrite", "pread", "pwritev", "preadv")
LABELS: Mapping[str, str] = {
    "writer": "write",
    "re-writer": "rewrite",
    "reader": "read",
    "re-reader": "reread",
    "backward read": "backward_read",
    "record rewrite": "record_rewrite",
    **{f"{name} read": f"{name}_read" for name in ("random", "stride")},
    "random write": "random_write",
    **{name: name for name in ("fwrite", "fread")},
    "re-fwrite": "frewrite",
    "re-fread": "freread",
    **{name: name for name in _POSITIONED},
    **{f"re-{name}": f"re{name}" for name in _POSITIONED},
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
        return chain.from_iterable(
            zip(repeat(file), self.records, numbers, places, strict=False)
            for file, numbers, places in self.rows
        )

    @property
    def stops_early(self) -> bool:
        """Whether the last row has fewer cells than the record sizes that fit."""
        return bool(self.rows) and self.is_short(self.rows[-1])

    def is_short(self, row: tuple[int, list[float], list[str]]) -> bool:
        """Tell whether a row has fewer cells than the record sizes that fit."""
        return len(row[1]) < bisect_right(self.records, row[0])

    @property
    def empty(self) -> bool:
        """Whether nothing but zeros is in it."""
        return not any(any(numbers) for _, numbers, _ in self.rows)

    @property
    def too_long(self) -> bool:
        """Whether a row has more cells than record sizes that fit into the file.

        IOzone prints them ascending.
        """
        return any(
            len(row[1]) > bisect_right(self.records, row[0]) for row in self.rows
        )


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
            expected = f"a row for each file size in the report of {report.operation}"
            none = f"none of {', '.join(lacking)}"
            yield InconsistentDataError(path, report.place, expected, none)


def add_reports(
    path: str,
    cells: Cells,
    reports: Sequence[Report],
    banner: Banner,
    measured: Container[tuple[int, int]] = (),
    *,
    whole: bool = False,
) -> list[ParseError]:
    """Append what the reports hold."""
    problems: list[ParseError] = []
    shifted = _shifted_store(reports)
    # all must have the record sizes that most have
    headers = Counter(tuple(report.records) for report in reports)
    header, count = headers.most_common(1)[0] if headers else ((), 0)
    header = header if count * 2 > len(reports) else ()
    for report in reports:
        refusal = _refusal(path, report, shifted, header)
        if refusal is not None:
            problems.append(refusal)
            continue
        problems.extend(_drop_repeated_rows(path, report))
        problems.extend(_drop_short_rows(path, report, whole))
        if report.cpu:
            _add_cpu(cells, report)
        else:
            _add_numbers(cells, report, banner, measured)
    return problems


def _refusal(
    path: str, report: Report, shifted: set[bool], header: tuple[int, ...]
) -> ParseError | None:
    """Say why a report cannot be used, None if it can."""
    wrong = partial(InconsistentDataError, path, report.place)
    records = list(report.records)
    if records != sorted(set(records)):
        ascending = "record sizes that ascend"
        return MalformedRowError(path, report.place, ascending, str(records))
    if header and tuple(records) != header:
        others = f"the record sizes of the other reports, {list(header)}"
        return wrong(others, str(records))
    if report.too_long:
        return wrong(
            "rows no longer than the record sizes that fit into the file",
            "longer rows (IOzone prints a wrong header with several -r and with -+x)",
        )
    if report.cpu in shifted and report.operation in _SHIFTED and not report.empty:
        bug = "those of pwrite (a bug of IOzone with -E and -i but without -i 8)"
        return wrong("the numbers of pread", bug)
    return None


def _shifted_store(reports: Sequence[Report]) -> set[bool]:
    """Tell for rates and for CPU whether the Pwrite report is one of zeros."""
    return {r.cpu for r in reports if r.operation == "pwrite" and r.empty}


def _drop_repeated_rows(path: str, report: Report) -> list[ParseError]:
    """Drop rows whose file size comes again: which of them is right is not known."""
    count = Counter(row[0] for row in report.rows)
    again = [row for row in report.rows if count[row[0]] > 1]
    report.rows = [row for row in report.rows if count[row[0]] == 1]
    return [
        InconsistentDataError(
            path,
            _place(report, row),
            f"the row of {row[0]} kB once in a run",
            "it again",
        )
        for row in again[1:]
    ]


def _place(report: Report, row: tuple[int, list[float], list[str]]) -> str | int:
    return [report.place, *row[2][:1]][-1]


def _drop_short_rows(path: str, report: Report, whole: bool) -> list[ParseError]:
    """Drop rows with too few cells; only in a run that stopped the last may be one."""
    last = None if whole or not report.rows else report.rows[-1]
    short = [row for row in report.rows if row is not last and report.is_short(row)]
    report.rows = [r for r in report.rows if r is last or not report.is_short(r)]
    return [
        MalformedRowError(
            path,
            _place(report, row),
            "a number for each record size",
            f"{len(row[1])} in the row of {row[0]} kB",
        )
        for row in short
    ]


def _add_numbers(
    cells: Cells, report: Report, banner: Banner, measured: Container[tuple[int, int]]
) -> None:
    may_be_zero = _may_be_zero(report, banner)
    if report.empty and not may_be_zero:
        return
    rows = [
        (file, record, number, place)
        for file, record, number, place in report.cells()
        if (number or (may_be_zero and not _is_skipped(file, record)))
        and (file, record) not in measured
    ]
    if report.stops_early and rows and not rows[-1][2]:
        # The test that was running when the tool was interrupted.
        rows.pop()
    if rows:
        files, records, numbers, places = zip(*rows, strict=True)
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
    is_mapped = "mmap" in facts or "asynchronous" in facts
    return not (is_mapped and report.operation in BUFFERED)


def _is_skipped(file: int, record: int) -> bool:
    """Tell whether automatic mode leaves out this cell and the report shows 0."""
    return file > _CROSSOVER_FILE and record < _CROSSOVER_RECORD


def _add_cpu(cells: Cells, report: Report) -> None:
    for file, record, number, place in report.cells():
        if number:
            # two decimals in text, full precision in a workbook
            half = 0.005 if place.startswith("line") else 0.0
            cells.add(
                report.operation,
                "cpu",
                number,
                place,
                low=number - half,
                high=number + half,
                file_size=file * KIB,
                record_size=record * KIB,
            )


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
    is_lost = False
    for number, line in enumerate(document.lines[first - 1 : last], first):
        text = line.strip()
        if '"' not in text or not (text[0] == '"' or _DAMAGED.search(text)):
            continue
        if reports and not is_lost and _take(reports[-1], text, f"line {number}"):
            continue
        if "report" in text and (label := parse_label(text)):
            is_lost = False
            reports.append(Report(*label, number, ()))
        elif not is_lost:
            # What follows a damaged label or header belongs to no report.
            is_lost = not reports or not _BEGUN_ROW.match(text)
            expected, shown = "a line of a report", quoted(text)
            problems.append(MalformedRowError(document.path, number, expected, shown))
    return reports, problems


def _take(report: Report, text: str, place: str) -> bool:
    """Add a line to a report; tell whether it is one of its lines."""
    if not report.records:
        report.records = _sizes(text) if _HEADER.fullmatch(text) else ()
        return bool(report.records)
    if (match := _ROW.fullmatch(text)) is None:
        return False
    try:
        numbers = list(map(float if report.cpu else int, match[2].split()))
    except ValueError:
        return False
    if max(numbers, default=0) >= TOO_LARGE:
        return False
    report.rows.append((int(match[1]), numbers, [place] * len(numbers)))
    return True


def _sizes(header: str) -> list[int]:
    return [int(word) for word in header.replace('"', "").split()]


def behind_repeated(document: Document, first: int, last: int, table: Table) -> int:
    """Find the line behind reports that are the table again, as most are.

    There the reports end or those of CPU use begin; else it is the first.
    """
    lines = document.lines
    quoted = [n for n in range(first - 1, last) if '"' in lines[n]]
    labels = [at for at, n in enumerate(quoted) if document.remainders[n]]
    header = lines[quoted[1]] if len(quoted) > 1 else ""
    if labels[:1] != [0] or _HEADER.fullmatch(header.strip()) is None:
        return first
    expected = _texts_of_reports(table, header)
    for start, end in pairwise([*labels, len(quoted)]):
        label, *rows = [lines[n] for n in quoted[start:end]]
        test, is_cpu = parse_label(label) or ("", False)
        if is_cpu:
            return quoted[start] + 1
        if "\n".join(rows) != expected.get(test):
            return first
    return last + 1


def _texts_of_reports(table: Table, header: str) -> dict[str, str]:
    """Write what IOzone prints below the label of each report."""
    sizes, start, form = _sizes(header), 0, header
    for file, group in groupby(table.files):
        end = start + len([*group])
        at = bisect_left(sizes, table.records[start])
        if table.records[start:end] != sizes[at : at + end - start]:
            return {}
        form += f'\n"{file}"  ' + " 0 " * at + " %d " * (end - start)
        start = end
    columns = zip(*table.numbers.tolist(), strict=True)
    return {
        test: form % column
        for test, column in zip(table.operations, columns, strict=True)
    }


def compare(
    document: Document, reports: Sequence[Report], table: Table
) -> tuple[list[ParseError], list[Report]]:
    """Check a table against the reports of the same run; list those with more sizes."""
    sizes = zip(table.files, table.records, strict=True)
    rows = {pair: at for at, pair in enumerate(sizes)}
    columns = dict(zip(table.operations, table.numbers.T.tolist(), strict=True))
    problems: list[ParseError] = []
    longer: list[Report] = []
    for report in reports:
        if report.cpu:
            continue
        column = columns.get(report.operation)
        adds_cells = False
        for file, record, number, place in report.cells():
            at = rows.get((file, record))
            if at is None:
                adds_cells |= bool(number)
            elif column and column[at] != number:
                expected = f"{column[at]} as in line {table.lines[at]}"
                wrong = (document.path, place, expected, str(number))
                problems.append(InconsistentDataError(*wrong))
        if adds_cells:
            longer.append(report)
    return problems, longer
