"""Every candidate against the baseline: ratios with intervals, and what was left out.

The unit is the run: each run is reduced to the mean logarithm over the cells that both
sides measured, and two systems are compared by Welch's t test on these numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fsviz.analysis.cells import performance, present, refuse_mixed, select
from fsviz.analysis.costs import with_cpu_cost
from fsviz.analysis.groupings import EDGES, By, group_cells
from fsviz.analysis.matrices import Matrix, matrices
from fsviz.analysis.orders import in_order
from fsviz.analysis.pairs import compare_cells, compare_groups
from fsviz.analysis.regimes import cliffs, name_cliffs
from fsviz.analysis.sides import Side, side
from fsviz.analysis.tests import FEWEST, control
from fsviz.analysis.verdicts import disagreements, verdicts
from fsviz.errors import UsageError, printable
from fsviz.table import measurements_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

_ORDER = ("tool", "operation", "metric", "threads")
_COUNTS = (
    "n_baseline",
    "n_candidate",
    "n_baseline_partial",
    "n_candidate_partial",
    "n_baseline_censored",
    "n_candidate_censored",
    "needed_baseline",
    "needed_candidate",
)
COLUMNS = (
    "tool",
    "operation",
    "metric",
    "bucket",
    "threads",
    "baseline",
    "candidate",
    *_COUNTS[:2],
    "cells",
    "cells_unmatched",
    "geomean_ratio",
    "ci_low",
    "ci_high",
    "bound_low",
    "bound_high",
    "total_time_ratio",
    "mean_ratio",
    "p_value",
    "q_value",
    "verdict",
    "no_spread",
    "no_single_winner",
    "cliffs",
    *_COUNTS[2:],
)
CELL_COLUMNS = (
    "tool",
    "operation",
    "metric",
    "file_size_bytes",
    "record_size_bytes",
    "threads",
    "baseline",
    "candidate",
    *_COUNTS[:2],
    "ratio",
    "ci_low",
    "ci_high",
    "bound_low",
    "bound_high",
    "p_value",
    "q_value",
    "verdict",
    "no_spread",
    *_COUNTS[4:],
)


def compare(
    data: object,
    *,
    baseline: str | None = None,
    candidates: Sequence[str] | None = None,
    operations: Sequence[str] | None = None,
    by: By = "bucket",
    edges: Mapping[str, float] = EDGES,
    confidence: float = 0.95,
    cells: bool = False,
) -> pd.DataFrame:
    """Compare every candidate with the baseline.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    baseline : str or None
        System to compare with; by default the campaign's, else the first.
    candidates, operations : sequence of str or None
        What to compare; by default everything else, and every operation.
    by : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
        What a row speaks for; with buckets there is also a row ``all`` where there
        are several.
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.
    confidence : float
        Of the intervals, between 0 and 1.
    cells : bool
        One row a cell instead, with ``ratio`` for ``geomean_ratio``; cells that only
        one side measured are there too, without a ratio.

    Returns
    -------
    DataFrame
        One row a tool, operation, metric, bucket, number of threads and candidate.
        ``geomean_ratio`` is candidate ÷ baseline over the matched cells, ``ci_low``
        and ``ci_high`` its interval over runs, ``bound_low`` and ``bound_high`` what
        the printed digits allow; ``total_time_ratio`` is above 1 if the candidate
        needs less time; ``verdict`` as `fsviz.analysis.verdicts.verdicts` says.
        ``n_…`` counts whole runs, ``n_…_partial`` runs that lack a matched cell and
        take no part, ``n_…_censored`` runs with a cell that has no number: then only
        the bounds are given, and p is by ranks. ``needed_…``: runs that a test lacks.
        ``no_spread``: neither side varies; ``cliffs``: what the row averages across.

    Raises
    ------
    UsageError
        If there is nothing to compare, or a name is unknown.
    MixedCellError
        If a cell holds runs that are not repeats of one another.

    Notes
    -----
    Runs as the unit and geometric means of ratios: Fleming & Wallace 1986; Kalibera &
    Jones 2013; Hoefler & Belli 2015. q is Benjamini–Hochberg over all rows.
    """
    whole = measurements_of(data)
    chosen = select(whole, operations=list(operations or ()))
    refuse_mixed(performance(chosen))
    table = with_cpu_cost(performance(chosen), chosen)
    first, others = _sides(data, present(whole, "system"), baseline, candidates)
    compare_one = _cells if cells else _groups
    parts = [
        compare_one(matrix, first, others, by=by, edges=edges, confidence=confidence)
        for matrix in matrices(table)
    ]
    frame = _judge(parts)
    if cells:
        frame = frame.rename(columns={"geomean_ratio": "ratio"})
        by_size = ["file_size_bytes", "record_size_bytes"]
        frame = in_order(frame, [*_ORDER, *by_size, "candidate"], {"candidate": others})
        return frame[list(CELL_COLUMNS)]
    frame["no_single_winner"] = disagreements(frame)
    frame["cliffs"] = name_cliffs(frame, cliffs(table))
    frame = in_order(frame, [*_ORDER, "rank", "candidate"], {"candidate": others})
    return frame[list(COLUMNS)]


def _sides(
    data: object,
    systems: list[str],
    baseline: str | None,
    candidates: Sequence[str] | None,
) -> tuple[str, list[str]]:
    """Settle who is compared with whom."""
    if not systems:
        raise UsageError("compare: expected measurements, found none")
    first = baseline or getattr(data, "baseline", None) or systems[0]
    named = [("baseline", first), *(("candidate", name) for name in candidates or ())]
    for role, name in named:
        if name not in systems:
            known = ", ".join(map(printable, systems))
            raise UsageError(
                f"{role}: expected one of {known}, found {printable(name)}"
            )
    others = [name for name in dict.fromkeys(candidates or systems) if name != first]
    if not others:
        raise UsageError(
            f"compare: expected at least two systems, found only {printable(first)}"
        )
    return first, others


def _groups(
    matrix: Matrix,
    first: str,
    others: list[str],
    *,
    by: By,
    edges: Mapping[str, float],
    confidence: float,
) -> pd.DataFrame:
    import numpy as np
    import pandas as pd

    groups, member = group_cells(matrix.cells, by, edges)
    base = side(matrix, first)
    size = matrix.cells["file_size_bytes"].to_numpy(float, na_value=np.nan)
    parts = []
    for name in others:
        cand = side(matrix, name)
        columns = compare_groups(base, cand, member, confidence)
        low, high = _sizes(base, cand, size, member)
        part = groups.assign(
            tool=matrix.tool,
            baseline=first,
            candidate=name,
            smallest_bytes=low,
            largest_bytes=high,
            **columns,
        )
        parts.append(part.loc[part["cells"] + part["cells_unmatched"] > 0])
    return pd.concat(parts, ignore_index=True)


def _sizes(
    base: Side, cand: Side, size: NDArray[np.float64], member: Any
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Smallest and largest matched file size [B] of each group; missing without one."""
    import numpy as np

    matched = base.measured & cand.measured & np.isfinite(size)
    columns = member.tocsc()
    starts = columns.indptr[:-1]
    low = np.where(matched, size, np.inf)[columns.indices]
    high = np.where(matched, size, -np.inf)[columns.indices]
    return np.minimum.reduceat(low, starts), np.maximum.reduceat(high, starts)


def _cells(
    matrix: Matrix, first: str, others: list[str], *, confidence: float, **_: object
) -> pd.DataFrame:
    import pandas as pd

    base = side(matrix, first)
    parts = []
    for name in others:
        columns = compare_cells(base, side(matrix, name), confidence)
        part = matrix.cells.assign(
            tool=matrix.tool, baseline=first, candidate=name, **columns
        )
        parts.append(part.loc[part["cells"] + part["cells_unmatched"] > 0])
    return pd.concat(parts, ignore_index=True)


def _judge(parts: list[pd.DataFrame]) -> pd.DataFrame:
    """Add what needs the whole table: q and verdicts."""
    import pandas as pd

    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    if frame.empty:
        raise UsageError("compare: expected measurements, found none")
    frame["q_value"] = control(frame["p_value"].to_numpy(float))
    frame["verdict"] = verdicts(frame)
    for name in ("baseline", "candidate"):
        lacking = (FEWEST - frame[f"n_{name}"]).clip(lower=0)
        frame[f"needed_{name}"] = lacking.astype("int64")
    return frame
