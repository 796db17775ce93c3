"""The sizes that a benchmark can measure: chosen by design, never by the value.

Whoever leaves out the cells that look wrong can hide a true difference, or make a
false one. So cells of IOzone are left out for all systems alike, by their sizes:

- files that the fastest system, in the median of its runs, finishes within 100 steps of
  the clock;
- records of more than an eighth of the file where reads were cold, because IOzone reads
  the first record, and read-ahead fetches more, before it starts the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fsviz.checks.case import READS, Case
from fsviz.model.libraries import np
from fsviz.model.table import SIZES
from fsviz.model.thresholds import limits

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from fsviz.model.campaign import Campaign


@dataclass(frozen=True)
class Measurable:
    """What IOzone could measure of one operation. Units: `smallest` [B]."""

    operation: str
    smallest: float
    cold: bool
    cells: int
    measured: int


def measurable(
    campaign: Campaign, case: Case | None = None
) -> tuple[Campaign, list[Measurable]]:
    """Keep the sizes that IOzone could measure on every system.

    Parameters
    ----------
    campaign : Campaign
        As `fsviz.load` returns it. Its fastest system decides how large files must be.
    case : Case or None
        The same campaign as the rules saw it, if they have been asked.

    Returns
    -------
    campaign : Campaign
        The campaign without the other sizes, for all systems alike. Measurements of
        other tools are all kept, and so are operations of which nothing was measurable.
    sizes : list of Measurable
        What each operation keeps.
    """
    keep, chosen = measurable_rows(campaign, case)
    if keep.all():
        return campaign, chosen
    rows_kept = campaign.measurements.loc[keep].reset_index(drop=True)
    return replace(campaign, measurements=rows_kept, whole=None), chosen


def measurable_rows(
    campaign: Campaign, case: Case | None = None
) -> tuple[NDArray[np.bool_], list[Measurable]]:
    """Return a mask of the measurements that could be measured."""
    table, lines = campaign.measurements, limits(campaign.thresholds)
    if case is None or case.campaign is not campaign or case.limits != lines:
        case = Case(campaign, lines)
    cells = case.throughput.loc[case.throughput["tool"] == "iozone"]
    keep = np.ones(len(table), bool)
    chosen = []
    share = case.limits["cold_record_share"]
    for operation, part in cells.groupby("operation", observed=True, sort=False):
        sizes = _sizes(case, str(operation), part)
        chosen.append(sizes)
        if sizes.cells:
            rows = (table["tool"] == "iozone") & (table["operation"] == operation)
            fits = _within(table, sizes.smallest, share if sizes.cold else None)
            keep &= ~(rows & ~fits).to_numpy(bool, na_value=False)
    return keep, chosen


def _sizes(case: Case, operation: str, cells: pd.DataFrame) -> Measurable:
    """Return the smallest file that can be timed, by the fastest that may count."""
    groups = [g for g in case.of("iozone") if g.number in set(cells["group"])]
    cold = operation in READS and any(g.has("U") for g in groups)
    share = case.limits["cold_record_share"] if cold else None
    fits = cells.loc[_within(cells, 0.0, share)].index
    ours = np.isin(case.cell, fits)
    fastest = case.rows["value"].loc[ours].groupby(case.cell[ours]).median().max()
    steps = [
        run.get("time_resolution_s") for g in groups for run in g.runs["facts"].tolist()
    ]
    step = max((s for s in steps if s), default=0.0)
    time = case.limits["clock_steps"] * step
    smallest = 0.0 if fastest != fastest else time * float(fastest)
    measured = cells[list(SIZES)].drop_duplicates()
    left = int(_within(measured, smallest, share).sum())
    return Measurable(operation, smallest, cold, left, len(measured))


def _within(table: pd.DataFrame, smallest: float, share: float | None) -> pd.Series:
    """Return a mask of rows of sizes that are left."""
    file = table["file_size_bytes"].astype("Float64")
    fits = file >= smallest
    if share is not None:
        fits &= table["record_size_bytes"].astype("Float64") <= share * file
    return fits.fillna(value=False).astype(bool)


def measurable_line(chosen: Sequence[Measurable]) -> str:
    """Say in one line how many sizes count, and why not the others; empty if all do."""
    counts = [sizes.cells for sizes in chosen if sizes.cells]
    if all(sizes.cells == sizes.measured for sizes in chosen):
        return ""
    reasons = ["too short to time"]
    if any(sizes.cold for sizes in chosen):
        reasons.append("read before the clock starts")
    nothing = [s.operation.replace("_", " ") for s in chosen if not s.cells]
    in_all = max(sizes.measured for sizes in chosen)
    line = "IOzone"
    if counts:
        ends = "–".join(map(str, dict.fromkeys((min(counts), max(counts)))))
        line += (
            f": {ends} of {in_all} sizes count; the others are {' or '.join(reasons)}"
        )
    if nothing:
        line += f"; all sizes of {', '.join(nothing)}, none of which was measurable"
    return line
