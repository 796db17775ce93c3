"""More than two systems: who leads, by how much, and in which cells for sure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from fsviz.analysis.buckets import EDGES, By, group_cells
from fsviz.analysis.cells import (
    Matrix,
    in_order,
    matrices,
    performance,
    present,
    refuse_mixed,
    select,
    with_cpu_cost,
)
from fsviz.analysis.looks import strictness
from fsviz.analysis.tests import Sample, control, sample, welch
from fsviz.analysis.verdicts import ALPHA, BAND
from fsviz.model.errors import UsageError
from fsviz.model.table import METRICS, measurements_of

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from fsviz.model.campaign import Data

COLUMNS = (
    "tool",
    "operation",
    "metric",
    "bucket",
    "threads",
    "rank",
    "system",
    "n_runs",
    "ratio_to_best",
    "cells",
    "best_in",
    "surely_best_in",
)


def rankings(
    data: Data,
    *,
    operations: Sequence[str] | None = None,
    by: By = "bucket",
    edges: Mapping[str, float] = EDGES,
) -> pd.DataFrame:
    """Rank all systems, and say which cells each wins.

    Parameters
    ----------
    data : Campaign or DataFrame
        A campaign, or its measurements.
    operations : sequence of str or None
        Which; by default every operation.
    by : {'bucket', 'operation', 'tool', 'file_size', 'record_size'}
        What a ranking speaks for.
    edges : mapping of str to float
        Largest file size [B] of each bucket, ascending.

    Returns
    -------
    DataFrame
        One row a tool, operation, metric, bucket, number of threads and system, over
        the ``cells`` that all of its systems measured: ``rank`` and ``ratio_to_best``
        by geometric mean; ``best_in`` = cells in which its geometric mean over runs is
        the best; ``surely_best_in`` = those in which it beats the second by 5 % or
        more with q < 0.05 (Welch, Benjamini–Hochberg over all cells); ``n_runs`` =
        fewest runs in any of the cells.

    Raises
    ------
    UsageError
        If no two systems measured the same cell.
    MixedCellError
        If a cell holds runs that are not repeats of one another.
    """
    import pandas as pd

    chosen = select(measurements_of(data), operations=operations)
    refuse_mixed(performance(chosen))
    table = with_cpu_cost(performance(chosen), chosen)
    systems = present(table, "system")
    alpha = ALPHA * strictness(data)
    parts = [_rank(matrix, systems, by, edges, alpha) for matrix in matrices(table)]
    frame = pd.concat(parts, ignore_index=True) if parts else pd.DataFrame()
    if frame.empty:
        raise UsageError("rankings: expected cells that two systems measured")
    order = ["tool", "operation", "metric", "threads", "order", "rank"]
    return in_order(frame, order, {})[list(COLUMNS)]


def _rank(
    matrix: Matrix,
    systems: list[str],
    by: By,
    edges: Mapping[str, float],
    alpha: float,
) -> pd.DataFrame:
    import numpy as np
    import pandas as pd

    samples = [sample(np.log(matrix.value[matrix.rows(name)])) for name in systems]
    mean, var, n = (np.array(part) for part in zip(*samples, strict=True))
    better = np.array([METRICS[str(m)].better for m in matrix.cells["metric"]])
    best, surely = _leaders(mean, var, n, better, alpha)
    groups, member = group_cells(matrix.cells, by, edges)
    shared = _shared(n > 0, member)
    cells = np.ones(len(better)) @ shared
    level = np.where(np.isfinite(mean), mean, 0.0) @ shared / np.maximum(cells, 1)
    sign = np.array([METRICS[str(m)].better for m in groups["metric"]])
    takes_part = ((n > 0) @ member > 0) & (cells > 0)
    score = np.where(takes_part, level * sign, -np.inf)
    parts = []
    for i, name in enumerate(systems):
        part = groups.rename(columns={"rank": "order"}).assign(
            tool=matrix.tool,
            system=name,
            rank=1 + (score > score[i]).sum(axis=0),
            n_runs=_fewest(n[i], shared),
            ratio_to_best=np.exp(np.where(takes_part[i], sign, 0) * _behind(score, i)),
            cells=cells.astype("int64"),
            best_in=((best == i) @ shared).astype("int64"),
            surely_best_in=((surely & (best == i)) @ shared).astype("int64"),
        )
        parts.append(part.loc[takes_part[i] & (takes_part.sum(axis=0) > 1)])
    return pd.concat(parts, ignore_index=True)


def _behind(score: NDArray[np.float64], i: int) -> NDArray[np.float64]:
    """How far a system's score lies below the best."""
    import numpy as np

    with np.errstate(invalid="ignore"):
        apart = score[i] - score.max(axis=0)
    return np.where(np.isfinite(apart), apart, 0.0)


def _leaders(
    mean: NDArray[np.float64],
    var: NDArray[np.float64],
    n: NDArray[np.int64],
    better: NDArray[np.int64],
    alpha: float,
) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Best system of each cell (−1 if two are level), and where it is so for sure."""
    import numpy as np

    score = np.where(np.isfinite(mean), mean * better, -np.inf)
    order = np.argsort(-score, axis=0, kind="stable")
    if len(order) < 2:
        return np.full(score.shape[1], -1), np.zeros(score.shape[1], dtype=bool)
    cell = np.arange(score.shape[1])
    first, second = (
        Sample(*(part[order[k], cell] for part in (mean, var, n))) for k in (0, 1)
    )
    alone = score[order[0], cell] > score[order[1], cell]
    result = welch(second, first)
    ratio = np.where(better > 0, result.ratio, 1 / result.ratio)
    sure = (control(result.p) < alpha) & (ratio >= BAND[1])
    return np.where(alone, order[0], -1), sure & alone


def _shared(there: NDArray[np.bool_], member: Any) -> Any:
    """Keep the cells of each group that all of its systems measured."""
    import numpy as np

    from fsviz.analysis.membership import Membership

    wanted = ((there @ member) > 0).sum(axis=0)
    entries = member.tocoo()
    cell, group = entries.coords
    keep = (there.sum(axis=0)[cell] == wanted[group]) & (wanted[group] > 1)
    ones = np.ones(keep.sum())
    return Membership((ones, (cell[keep], group[keep])), shape=member.shape)


def _fewest(n: NDArray[np.int64], shared: Any) -> NDArray[np.int64]:
    """Fewest runs in any cell of each group."""
    import numpy as np

    entries = shared.tocoo()
    cell, group = entries.coords
    fewest = np.full(shared.shape[1], np.iinfo("int64").max)
    np.minimum.at(fewest, group, n[cell])
    return fewest
