"""Tiny campaigns whose every figure can be checked by hand."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from fsviz.model.runs import Cells, Run, number_repeats, tabulate

KIB = 1024
Row = tuple[str, int | None, int | None, float]


def run(name: str, rows: Iterable[Row], *, source: str = "", config: str = "c") -> Run:
    """One IOzone run: rows of operation, file KiB, record KiB and value [B/s]."""
    cells = Cells()
    for line, (operation, file_kib, record_kib, value) in enumerate(rows, 1):
        cells.add(
            operation,
            "throughput",
            value,
            f"line {line}",
            low=value,
            high=value + 1,
            file_size=None if file_kib is None else file_kib * KIB,
            record_size=None if record_kib is None else record_kib * KIB,
        )
    return Run("iozone", name, source or f"{name}.txt", cells, configuration=config)


def measurements(runs: dict[str, list[Run]]) -> pd.DataFrame:
    """The tidy table of systems with their runs."""
    placed = [("", system, run) for system, rs in runs.items() for run in rs]
    return tabulate(number_repeats(placed))[0]
