"""Lesson 7: what the machine did while the benchmark ran."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.campaigns.source_files import find
from fsviz.model.units import GIB, KIB, MIB, significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

RECORDED = "data/lessons/watched-2026"
SYSTEMS = ("memory", "flushed", "direct")
_WRITTEN = 2 * 2 * GIB
"""A file of 2 GiB, written twice; the same amount is read."""


def watched(system: str) -> pd.DataFrame:
    """Read what iostat and vmstat recorded during one of the runs."""
    import pandas as pd

    path = find(RECORDED) / system / "iostat.json"
    host = json.loads(path.read_text(encoding="utf-8"))["sysstat"]["hosts"][0]
    rows = [
        {
            "time": entry["timestamp"].split()[1],
            "read": entry["disk"][0]["rkB/s"] * KIB / MIB,
            "wrote": entry["disk"][0]["wkB/s"] * KIB / MIB,
            "busy": entry["disk"][0]["util"],
            "user": entry["avg-cpu"]["user"],
            "system": entry["avg-cpu"]["system"],
        }
        for entry in host["statistics"][1:]
    ]
    return pd.DataFrame(rows)


def disk_read(campaign: Campaign) -> Exercise:
    """Ask what the disk read while IOzone read twice 2 GiB [MiB]."""
    moved = {name: float(watched(name)["read"].sum()) for name in SYSTEMS}
    right = moved["flushed"]
    rows = campaign.measurements
    read = rows.loc[(rows["system"] == "flushed") & (rows["operation"] == "read")]
    rate = float(read["value"].item()) / MIB
    return Exercise(
        right,
        'Add up the column `read` of `exercises.watched("flushed")`. Each row is one '
        "second, so the sum is in MiB.",
        f"The disk read {significant(right)} MiB, some of it for other programs. "
        f"IOzone read {_WRITTEN // MIB} MiB, at {significant(rate)} MiB/s: the speed "
        f"of memory. In `direct` the disk read {significant(moved['direct'])} MiB, so "
        "IOzone measured the disk.",
        (
            (_WRITTEN / MIB, "That is what IOzone read. What did the disk read?"),
            (moved["memory"], "That is `memory`. The question is about `flushed`."),
            (float(watched("flushed")["read"].max()), "That is the busiest second."),
            (float(watched("flushed")["read"].mean()), "That is the mean per second."),
        ),
        unit="MiB",
        tolerance=0.05,
    )


def of_the_disk(_: Campaign) -> Exercise:
    """Ask which runs read from the disk."""
    return Exercise(
        frozenset({"direct"}),
        "Compare what the disk read with what IOzone read, for each of the three.",
        "Only `direct`: `-I` bypasses the page cache (O_DIRECT, open(2)). `-e` makes "
        "the write wait for the disk, but a copy stays in memory. The next read comes "
        "from that copy.",
        (
            (
                frozenset({"flushed", "direct"}),
                "`flushed` waits for the disk when it writes. And when it reads?",
            ),
            (frozenset(SYSTEMS), "Did the disk read anything in `memory`?"),
        ),
        known=SYSTEMS,
    )


def seconds_idle(campaign: Campaign) -> Exercise:
    """Ask how long IOzone's clock ran for the first write [s]."""
    rows = campaign.measurements
    write = rows.loc[(rows["system"] == "memory") & (rows["operation"] == "write")]
    rate = float(write["value"].item())
    took = 2 * GIB / rate
    table = watched("memory")
    after = table.loc[table["wrote"] > 100, "time"]
    return Exercise(
        took,
        "Divide the file size, 2 GiB, by the throughput that IOzone prints.",
        f"2 GiB ÷ {significant(rate / MIB)} MiB/s = {significant(took)} s. In that "
        f"time the disk wrote next to nothing. It began to write at {after.iloc[0]}, "
        "after the clock had stopped. Without `-c` and `-e`, IOzone calls fsync only "
        "after it stops the clock (`write_perf_test` in iozone.c). So IOzone measured "
        "the speed of memory on a busy machine.",
        (
            (2 * took, "IOzone writes the file twice. Count only the first write."),
            (len(table), "That is the length of the recording."),
            (len(after), "That is the number of seconds in which the disk wrote."),
        ),
        unit="seconds",
        tolerance=0.05,
    )
