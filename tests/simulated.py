"""Campaigns of simulated IOzone logs whose truth is known: for what is said first."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from pathlib import Path

import numpy as np

OPERATIONS = ("write", "rewrite", "read", "reread", "random_read", "random_write")
SIZES = tuple(64 * 4**k for k in range(8))
"""64 KiB to 1 GiB [KiB]: two sizes in each size class."""

HEAD = """\
\tIozone: Performance Test of File I/O
\t        Version $Revision: 3.489 $
\t\tCompiled for 64 bit mode.
\t\tBuild: linux-AMD64

\tRun began: {began}

\tCommand line used: iozone {sizes} -r 64k -i 0 -i 1 -i 2 -f /mnt/x/f
\tOutput is in kBytes/sec
\tTime Resolution = 0.000001 seconds.
\tProcessor cache size set to 1024 kBytes.
\tProcessor cache line size set to 32 bytes.
\tFile stride size set to 17 * record size.
                                                              random    random
              kB  reclen    write  rewrite    read    reread    read     write
"""
BEGIN = datetime(2026, 3, 2, 8)

Truth = Callable[[str, str, int], float]
"""Speed of a system at an operation and file size [KiB], as times the usual one."""


def log(system: str, truth: Truth, began: datetime, noise: np.ndarray) -> str:
    """Write the log of one run; noise is of logarithms, operations × sizes."""
    rows = []
    for n, size in enumerate(SIZES):
        speeds = [
            100_000 * truth(system, operation, size) * np.exp(noise[k, n])
            for k, operation in enumerate(OPERATIONS)
        ]
        rows.append(f"{size:16d}{64:8d}" + "".join(f"{speed:9.0f}" for speed in speeds))
    sizes = " ".join(f"-s {size}k" for size in SIZES)
    head = HEAD.format(began=f"{began:%a %b %e %H:%M:%S %Y}", sizes=sizes)
    return head + "\n".join(rows) + "\n\niozone test complete.\n"


def campaign(  # noqa: PLR0913 - all by keyword
    folder: Path,
    systems: Mapping[str, Truth],
    runs: int = 5,
    sd: float = 0.03,
    cell_sd: float = 0.01,
    seed: int = 0,
    order: str = "random",
    drift: float = 0.0,
    facts: str = "",
) -> Path:
    """Write a campaign of rounds.

    ``order`` is ``random`` within a round, ``same`` in each, or ``blocks``: all runs of
    a system one after another. ``drift`` is of the logarithm, a slot.
    """
    rng = np.random.default_rng(seed)
    names = list(systems)
    slots = [(name, k) for k in range(runs) for name in names]
    if order == "random":
        slots = [(str(n), k) for k in range(runs) for n in rng.permutation(names)]
    elif order == "blocks":
        slots = [(name, k) for name in names for k in range(runs)]
    for slot, (name, k) in enumerate(slots):
        noise = rng.normal(0, cell_sd, (len(OPERATIONS), len(SIZES)))
        noise += rng.normal(0, sd) + drift * slot
        place = folder / name / f"r{k}.txt"
        place.parent.mkdir(parents=True, exist_ok=True)
        began = BEGIN + timedelta(minutes=10 * slot)
        place.write_text(log(name, systems[name], began, noise))
    (folder / "campaign.toml").write_text(f'baseline = "{names[0]}"\n{facts}')
    return folder


def usual(_system: str, _operation: str, _size: int) -> float:
    """Be as fast as every other system."""
    return 1.0
