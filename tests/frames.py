"""Tiny campaigns whose every figure can be checked by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import pandas as pd

from fsviz.model.campaign import Campaign
from fsviz.model.runs import MISSING, Cells, Run, number_repeats, tabulate

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


def repeats(
    name: str,
    values: Sequence[float | None],
    cells: Sequence[tuple[int, int]],
    factors: Sequence[float],
) -> list[Run]:
    """Runs of write: cells [KiB] and their values [MiB/s], times each run's factor."""
    pairs = [(c, v) for c, v in zip(cells, values, strict=True) if v is not None]
    return [
        run(f"{name}{n}", [("write", *cell, v * by * KIB**2) for cell, v in pairs])
        for n, by in enumerate(factors)
    ]


def made(
    name: str,
    rows: Iterable[Sequence],
    *,
    tool: str = "iozone",
    metric: str = "throughput",
    threads: int = 1,
    **told: object,
) -> Run:
    """One run of any tool, with whatever its header says.

    Rows are operation, file KiB, record KiB and value, and may end with another metric.
    """
    cells = Cells()
    for line, (operation, file_kib, record_kib, value, *more) in enumerate(rows, 1):
        cells.add(
            operation,
            *(more or [metric]),
            MISSING if value is None else value,
            f"line {line}",
            low=0.0 if value is None else MISSING,
            file_size=None if file_kib is None else int(file_kib * KIB),
            record_size=None if record_kib is None else int(record_kib * KIB),
            threads=threads,
        )
    return Run(tool, name, f"{name}.txt", cells, **told)


def campaign(
    runs: Mapping[str, Sequence[Run]],
    facts: Mapping[str, str] | None = None,
    own: Mapping[str, Mapping[str, str]] | None = None,
    **more: object,
) -> Campaign:
    """A campaign of systems with their runs, their facts and the facts of each."""
    placed = [("", system, run) for system, rs in runs.items() for run in rs]
    table, listed = tabulate(number_repeats(placed))
    stated = [{"system": s, **(facts or {}), **(own or {}).get(s, {})} for s in runs]
    systems = pd.DataFrame(stated).astype("string")
    baseline = more.pop("baseline", None)
    return Campaign("", "", baseline, table, listed, systems, **more)
