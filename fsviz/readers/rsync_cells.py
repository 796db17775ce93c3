"""From the texts of rsync and time to cells of the tidy table."""

from __future__ import annotations

from fsviz.model.runs import Cells
from fsviz.readers.rsync_stats import Report
from fsviz.readers.timings import Timing, cpu_share


def add_timing(cells: Cells, facts: dict[str, object], timing: Timing) -> None:
    """Add elapsed time [s] and CPU use [%]; user and system time are facts.

    Parameters
    ----------
    cells, facts : Cells, dict
        What is known of the run so far; both are changed.
    timing : Timing
        What a time command printed.
    """
    add_times(cells, f"line {timing.line}", timing)
    for name in ("user", "system"):
        printed = getattr(timing, name)
        if printed is not None:
            facts[f"{name}_seconds"] = printed.value


def add_times(cells: Cells, locator: str, timing: Timing) -> None:
    """Add elapsed time [s] and, where it can be told, CPU use [%]."""
    share = cpu_share(timing)
    for metric, number in (("elapsed", timing.elapsed), ("cpu", share)):
        if number is not None:
            low, high = number.low, number.high
            cells.add("transfer", metric, number.value, locator, low=low, high=high)


def add_report(cells: Cells, facts: dict[str, object], report: Report) -> None:
    """Add the amount [B] and the number of files that were transferred.

    Parameters
    ----------
    cells, facts : Cells, dict
        What is known of the run so far; both are changed.
    report : Report
        What rsync printed at the end; everything in it becomes a fact.
    """
    for name, metric in (("transferred_bytes", "size"), ("transferred_files", "count")):
        amount = report.amounts.get(name)
        if amount is not None:
            cells.add(
                "transfer",
                metric,
                amount.value,
                f"line {amount.line}",
                low=amount.low,
                high=amount.high,
            )
    facts.update({name: a.stated() for name, a in report.amounts.items()})
