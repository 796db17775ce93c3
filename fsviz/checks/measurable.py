"""The sizes that a benchmark can measure: chosen by design, never by the value.

Whoever leaves out the cells that look wrong can hide a true difference, or make a
false one. So cells are left out for all systems alike, by file and record size:

- records of more than an eighth of the file where reads were cold, because IOzone reads
  the first record, and read-ahead fetches more, before it starts the clock;
- files that the fastest system finishes within 100 steps of the clock.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fsviz.analysis.cells import present
from fsviz.checks.case import READS, Case
from fsviz.model.errors import UsageError
from fsviz.model.names import Names, choose
from fsviz.model.table import SIZES
from fsviz.model.thresholds import limits
from fsviz.model.units import format_size

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign


@dataclass(frozen=True)
class Sizes:
    """What is left of one operation of IOzone.

    Units: `smallest` [B].
    """

    operation: str
    smallest: int
    cold: bool
    cells: int
    measured: int


def measurable(campaign: Campaign, system: Names = None) -> tuple[Campaign, str]:
    """Keep the sizes that IOzone could measure on every system.

    Parameters
    ----------
    campaign : Campaign
        As `fsviz.load` returns it.
    system : str, iterable of str or None
        Systems that are compared; by default all. The fastest system decides how large
        files must be.

    Returns
    -------
    campaign : Campaign
        The campaign without the other sizes, for all systems alike. Measurements of
        other tools are all kept.
    line : str
        One line that says which sizes are left.

    Raises
    ------
    UsageError
        If nothing is left.
    """
    case = Case(campaign, limits(campaign.thresholds))
    table = campaign.measurements
    cells = case.throughput.loc[case.throughput["tool"] == "iozone"]
    if names := choose("system", system, present(table, "system")):
        cells = cells.loc[cells["system"].isin(names)]
    if cells.empty:
        return (
            campaign,
            "sizes that could be measured: nothing of IOzone to choose from",
        )
    keep = ~(table["tool"] == "iozone").to_numpy(bool)
    chosen = []
    for operation, own in cells.groupby("operation", observed=True, sort=False):
        sizes = _sizes(case, str(operation), own)
        rows = (table["tool"] == "iozone") & (table["operation"] == operation)
        keep |= (rows & _within(table, sizes, case)).to_numpy(bool, na_value=False)
        chosen.append(sizes)
    line = _line(chosen, case.limits["cold_record_share"])
    if not keep.any():
        raise UsageError(f"{line}: nothing is left")
    kept = table.loc[keep].reset_index(drop=True)
    return replace(campaign, measurements=kept, whole=None), line


def _sizes(case: Case, operation: str, cells: pd.DataFrame) -> Sizes:
    """Settle the smallest file, by the fastest cell that may count at all."""
    groups = [g for g in case.of("iozone") if g.number in set(cells["group"])]
    cold = operation in READS and any(g.has("U") for g in groups)
    whole = Sizes(operation, 0, cold, 0, 0)
    fastest = cells.loc[_within(cells, whole, case), "high"].max()
    steps = [
        run.get("time_resolution_s") for g in groups for run in g.runs["facts"].tolist()
    ]
    step = max((s for s in steps if s), default=0.0)
    time = case.limits["clock_steps"] * step
    smallest = 0.0 if fastest != fastest else time * float(fastest)
    files = sorted(int(s) for s in cells["file_size_bytes"].dropna().unique())
    least = next((size for size in files if size >= smallest), files[-1] + 1)
    measured = cells[list(SIZES)].drop_duplicates()
    left = _within(measured, Sizes(operation, least, cold, 0, 0), case)
    return Sizes(operation, least, cold, int(left.sum()), len(measured))


def _within(table: pd.DataFrame, sizes: Sizes, case: Case) -> pd.Series:
    """Say which rows are of sizes that are left."""
    file = table["file_size_bytes"].astype("Float64")
    large = file >= sizes.smallest
    if sizes.cold:
        share = case.limits["cold_record_share"]
        large &= table["record_size_bytes"].astype("Float64") <= share * file
    return large.fillna(value=False).astype(bool)


def _line(chosen: Sequence[Sizes], share: float) -> str:
    """Say which sizes are left, operations with the same ones together."""
    alike: dict[tuple[str, bool], list[str]] = {}
    for sizes in chosen:
        words = (
            f"files from {format_size(sizes.smallest)}" if sizes.cells else "no file"
        )
        if sizes.cold and sizes.cells:
            words += f", records up to 1/{1 / share:g} of the file"
        words += f" ({sizes.cells} of {sizes.measured} sizes)"
        alike.setdefault((words, sizes.cold), []).append(
            sizes.operation.replace("_", " ")
        )
    parts = [f"{', '.join(names)}: {words}" for (words, _), names in alike.items()]
    return f"sizes that could be measured: {'; '.join(parts)}"
