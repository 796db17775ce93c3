"""What a byte costs: processor time for each byte moved, where both were measured.

A system that moves ten times as much may use more of the processor and still need less
of it for each byte; a table of percentages alone says the opposite.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fsviz.model.table import COLUMNS, METRICS

if TYPE_CHECKING:
    import pandas as pd

METRIC = "cpu_cost"
_SHARED = [
    "campaign",
    "system",
    "tool",
    "run",
    "repeat",
    "operation",
    "file_size_bytes",
    "record_size_bytes",
    "threads",
    "child",
]
_PARTS = ["value", "low", "high"]


def with_cpu_cost(
    table: pd.DataFrame, measurements: pd.DataFrame | None = None
) -> pd.DataFrame:
    """Add a row ``cpu_cost`` [s/B] for each cell of a run that has what it takes.

    Parameters
    ----------
    table : DataFrame
        Measurements to add to.
    measurements : DataFrame or None
        Where to look for CPU use, throughput, or elapsed time and amount of data; by
        default the same.

    Returns
    -------
    DataFrame
        CPU use [%] ÷ 100 ÷ throughput [B/s], or × elapsed time [s] ÷ amount [B], with
        the bounds that follow from the printed ones. Without any, the table itself.
    """
    import pandas as pd

    known = table if measurements is None else measurements
    cpu = known.loc[known["metric"] == "cpu"]
    if cpu.empty:
        return table
    moved = pd.concat([_by_throughput(known), _by_time(known)])
    both = cpu.merge(moved, on=_SHARED, suffixes=("", "_moved"))
    if both.empty:
        return table
    # more CPU and fewer bytes cost more, so the low end needs the high end of bytes
    for part, other in (("value", "value"), ("low", "high"), ("high", "low")):
        moved_part = both[f"{other}_moved"].where(both[f"{other}_moved"] > 0)
        both[part] = both[part] / 100 / moved_part
    cost = both[list(COLUMNS)].assign(metric=METRIC, unit=METRICS[METRIC].unit)
    joined = pd.concat([table.astype({"metric": str, "unit": str}), cost])
    return joined.astype({"metric": "category", "unit": "category"})


def _by_throughput(known: pd.DataFrame) -> pd.DataFrame:
    return known.loc[known["metric"] == "throughput", [*_SHARED, *_PARTS]]


def _by_time(known: pd.DataFrame) -> pd.DataFrame:
    """Amount of data ÷ elapsed time, for tools that print no throughput."""
    elapsed = known.loc[known["metric"] == "elapsed", [*_SHARED, *_PARTS]]
    size = known.loc[known["metric"] == "size", [*_SHARED, *_PARTS]]
    both = size.merge(elapsed, on=_SHARED, suffixes=("", "_time"))
    for part, other in (("value", "value"), ("low", "high"), ("high", "low")):
        time = both[f"{other}_time"].where(both[f"{other}_time"] > 0)
        both[part] = both[part] / time
    return both[[*_SHARED, *_PARTS]]
