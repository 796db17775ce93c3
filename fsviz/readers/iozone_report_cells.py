"""From IOzone's reports to cells, and which reports can be used.

Cells are found by position only. Three bugs of the tool make positions wrong; a report
that shows one of them is refused, never guessed at:

* with several ``-r`` the header stops at the last one, so rows are longer than it;
* with ``-+x`` the crossover writes a wrong number of zeros, with the same effect;
* with ``-E`` and ``-i`` but without ``-i 8`` two phantom zeros shift the store: the
  Pwrite reports are all zero and the Pread reports show the numbers of Pwrite.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Sequence

from fsviz.model.errors import InconsistentDataError, MalformedRowError, ParseError
from fsviz.model.runs import Cells
from fsviz.model.units import KIB
from fsviz.readers.iozone_banner import Banner
from fsviz.readers.iozone_cells import add_grid
from fsviz.readers.iozone_reports import Report

_SHIFTED = ("pwrite", "repwrite", "pread", "repread")
_CROSSOVER_FILE, _CROSSOVER_RECORD = 16384, 64


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
    *,
    whole: bool = False,
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
    whole : bool
        Whether the run ended well, so that the last row cannot be cut short.

    Returns
    -------
    list of ParseError
        One for each report that cannot be used.
    """
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
    if list(report.records) != sorted(set(report.records)):
        return _disordered(path, report)
    if header and tuple(report.records) != header:
        return InconsistentDataError(
            path,
            report.place,
            f"the record sizes of the other reports, {list(header)}",
            str(list(report.records)),
        )
    if report.too_long:
        return _too_long(path, report)
    return _shifted(path, report) if _is_shifted(report, shifted) else None


def _shifted_store(reports: Sequence[Report]) -> set[bool]:
    """Tell for rates and for CPU whether the Pwrite report is one of zeros."""
    return {r.cpu for r in reports if r.operation == "pwrite" and r.empty}


def _is_shifted(report: Report, shifted: set[bool]) -> bool:
    return report.cpu in shifted and report.operation in _SHIFTED and not report.empty


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
    numbers: list[float] = []
    places: list[str] = []
    for file, row, where in report.rows:
        for record, number, place in zip(report.records, row, where, strict=False):
            if (number or (zero and not _skipped(file, record))) and (
                file,
                record,
            ) not in known:
                files.append(file)
                records.append(record)
                numbers.append(number)
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
