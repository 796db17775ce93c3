"""The two forms of one bonnie++ run: the CSV row and the console table beside it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from fsviz.model.errors import ParseError
from fsviz.model.runs import Run


def merge_forms(
    rows: Sequence[tuple[int, Run]], tables: Sequence[tuple[int, Run]]
) -> tuple[list[tuple[int, Run]], list[tuple[int, Run]]]:
    """Match console tables with the CSV rows of the same runs.

    Parameters
    ----------
    rows, tables : sequence of (int, Run)
        Runs of the CSV rows and of the tables, each with its line.

    Returns
    -------
    rows, alone : list of (int, Run)
        The rows, with the chunk size where only the table states it; and the tables
        that agree with no row.
    """
    merged, free, alone = list(rows), list(range(len(rows))), []
    for line, table in tables:
        twin = next((i for i in free if _agree(merged[i][1], table)), None)
        if twin is None:
            alone.append((line, table))
            continue
        free.remove(twin)
        merged[twin] = (merged[twin][0], _with_chunk(merged[twin][1], table))
    return merged, alone


def _agree(row: Run, table: Run) -> bool:
    """Whether a table can be the rounded form of a row."""
    exact, rounded = _intervals(row), _intervals(table)
    return rounded.keys() <= exact.keys() and all(
        # a bound that is not known excludes nothing: NaN compares false
        not (high < exact[key][0] or exact[key][1] < low)
        for key, (low, high) in rounded.items()
    )


def _intervals(run: Run) -> dict[tuple[str, str, int | None], tuple[float, float]]:
    c = run.cells
    keys = zip(c.operation, c.metric, c.file_size_bytes, strict=True)
    return dict(zip(keys, zip(c.low, c.high, strict=True), strict=True))


def _with_chunk(row: Run, table: Run) -> Run:
    """Take the chunk size from the table: the CSV row of 2.00a leaves it out."""
    chunk = next((c for c in table.cells.record_size_bytes if c is not None), None)
    if chunk is None or any(row.cells.record_size_bytes):
        return row
    sizes = row.cells.file_size_bytes
    row.cells.record_size_bytes = [None if s is None else chunk for s in sizes]
    return replace(
        row,
        configuration=row.configuration.replace("chunk=unknown", f"chunk={chunk}"),
    )


def problems_of(
    problems: Sequence[ParseError],
    alone: Sequence[tuple[int, Run]],
    tables: Sequence[tuple[int, Run]],
) -> list[ParseError]:
    """Keep the problems of those tables that no CSV row makes superfluous."""
    starts = [line for line, _ in tables]
    kept = {line for line, _ in alone}
    return [
        problem
        for problem in problems
        if (k := bisect_right(starts, int(problem.line))) and starts[k - 1] in kept
    ]
