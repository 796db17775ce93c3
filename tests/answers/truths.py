"""Campaigns whose truth is known: systems × runs × six operations × sizes × records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
from frames import campaign, run

OPERATIONS = ("write", "rewrite", "read", "reread", "random_read", "random_write")
MIB, GIB = 1024, 1024**2
"""Of file sizes [KiB], as IOzone takes them."""

Ratio = Callable[[int, int], float]
"""Speed of the candidate at a file and a record size [KiB], as times the baseline's."""
Has = Callable[[int, int], bool]
"""Whether a run, by its number, measured a file size [KiB]."""


def runs_of(  # noqa: PLR0913 - a parameter for each thing that campaigns vary
    name: str,
    sizes: tuple[int, ...],
    records: tuple[int, ...] = (64,),
    *,
    ratio: Ratio = lambda *_: 1.0,
    has: Has = lambda *_: True,
    runs: int = 5,
    scatter: float = 0.01,
    seed: int = 1,
    level: float = 1.0,
    operations: Sequence[str] = OPERATIONS,
    facts: Mapping[str, object] | None = None,
):
    """Make the runs of one system; those without a size are left out."""
    rng = np.random.default_rng(seed)
    made = []
    for k in range(runs):
        rows = [
            (o, z, r, 1e8 * level * ratio(z, r) * np.exp(rng.normal(0, scatter)))
            for o in operations
            for z in sizes
            for r in records
            if has(k, z) and r <= z
        ]
        if rows:
            made.append(replace(run(f"{name}{k}", rows), facts=facts or {}))
    return made


def compared(systems: Mapping[str, list]):
    """Compare a campaign of some systems with its first."""
    return campaign(dict(systems)).compare()


def words(comparison) -> dict[str, str]:
    """Return the first words of each system, those that share a line apart."""
    return {
        name: line.words for line in comparison.first_words.lines for name in line.names
    }


def table(comparison) -> pd.DataFrame:
    """Return the rows of throughput."""
    rows = comparison.rows
    return rows.loc[rows["metric"] == "throughput"]
