"""How long a comparison of ten systems takes.

The yardstick is a bare pandas groupby-mean of the same frame, run beside it in turns
(goal: at most 3 × that plus 1 s). Then the command, as a person gives it, on a table of
a thousand systems against one of ten (goal: 2 s more). Best of several, because
everything else on the machine can only make it slower.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
from _goals import Figure, judge

from fsviz import compare
from fsviz.model.runs import Cells, Label, Run, tabulate
from fsviz.model.table import CELL
from fsviz.model.tools import TOOLS

SYSTEMS, RUNS, OPERATIONS = 10, 20, 13
REPEATS = 5
FACTOR, EXTRA = 3, 1.0
THOUSAND = 2.0


def grid() -> list[tuple[int, int]]:
    """The 163 cells of a run from 4 KiB to 4 GiB: small records only to 16 MiB."""
    return [
        (1 << f, 1 << r)
        for f in range(12, 33)
        for r in range(12, 25)
        if r <= f and (f <= 24 or r >= 16)
    ]


def campaign() -> pd.DataFrame:
    rng = np.random.default_rng(1)
    sizes = grid()
    labelled = []
    for system in range(SYSTEMS):
        for repeat in range(1, RUNS + 1):
            cells = Cells()
            level = rng.normal(18, 0.1)
            values = np.exp(rng.normal(level, 0.1, (OPERATIONS, len(sizes))))
            for operation, row in zip(TOOLS["iozone"].operations, values, strict=False):
                for (f, r), value in zip(sizes, row, strict=True):
                    cells.add(
                        operation,
                        "throughput",
                        value,
                        "line 1",
                        low=value - 512,
                        high=value + 512,
                        file_size=f,
                        record_size=r,
                    )
            run = Run("iozone", f"{system:02}{repeat:010}-1", f"{repeat}.txt", cells)
            labelled.append((Label("speed", f"system-{system}", repeat), run))
    return tabulate(labelled)[0]


def seconds(work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def command(name: str, source: Path) -> None:
    program = [sys.executable, "-m", "fsviz", name, source]
    subprocess.run(program, check=True, capture_output=True)


def table(folder: Path, systems: int) -> Path:
    """Write three runs of three tests of many systems as one table."""
    rng = np.random.default_rng(1)
    lines = ["system,repeat,operation,value,unit"]
    for system in range(systems):
        for operation in ("read", "write", "random_read"):
            values = np.exp(rng.normal(rng.normal(5, 0.3), 0.05, 3)).round(3)
            lines += [
                f"s{system:04},{n},{operation},{value},MiB/s"
                for n, value in enumerate(values, 1)
            ]
    path = folder / f"{systems}.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def many_systems() -> float:
    """Seconds that a thousand systems take more than ten."""
    with tempfile.TemporaryDirectory() as made:
        tables = [table(Path(made), systems) for systems in (10, 1000)]
        few, many = (
            min(seconds(lambda path=path: command("compare", path)) for _ in range(3))
            for path in tables
        )
    return many - few


def main() -> int:
    """Print the times; 1 if one is above its goal."""
    frame = campaign()
    keys = ["system", "tool", *CELL]
    acts = {
        "bare": lambda: frame.groupby(keys, observed=True)["value"].agg("mean"),
        "rows": lambda: compare(frame).rows,
        "cells": lambda: compare(frame).cells,
    }
    best = dict.fromkeys(acts, float("inf"))
    for _ in range(REPEATS):
        for name, act in acts.items():
            best[name] = min(best[name], seconds(act))
    print(f"{len(frame):,} numbers; pandas groupby-mean {best['bare']:.3f} s")
    goal = FACTOR * best["bare"] + EXTRA
    return judge(
        Figure("fsviz.compare(…).rows [s]", best["rows"], goal),
        Figure("fsviz.compare(…).cells [s]", best["cells"], goal),
        Figure("a thousand systems instead of ten [s more]", many_systems(), THOUSAND),
    )


if __name__ == "__main__":
    sys.exit(main())
