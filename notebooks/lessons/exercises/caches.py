"""Lesson 2: where the cache ends: plateaus, memory, the wire."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exercises.verdicts import Exercise
from fsviz.analysis.grids import make_grid
from fsviz.analysis.regimes import STORAGE, cliffs, memory_of, steps
from fsviz.model.facts import (
    MTU,
    bytes_on_wire,
    data_of_packet,
    payload_share,
    systems_of,
)
from fsviz.model.units import MIB, format_size, significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

_SYSTEM = "xfs"
_REMOTE = "nfs-v4.1"


def last_size_in_cache(campaign: Campaign) -> Exercise:
    """Ask for the last file size before random writes fall [MiB]."""
    found = _cliffs(campaign, "random_write")
    row = found.loc[found["system"] == _SYSTEM].iloc[0]
    before, after = int(row["file_size_bytes"]), int(row["next_size_bytes"])
    memory = memory_of(campaign)[_SYSTEM]
    return Exercise(
        before / MIB,
        "Look at the lines over file size. At which doubling do all lines fall? Which "
        "size comes before the fall?",
        f"Up to {format_size(before)} the lines rise or stay level. At "
        f"{format_size(after)} the lines are {significant(row['fall'])} times lower "
        "(geometric mean over the record sizes). The benchmark had "
        f"{format_size(memory)} of memory, which a file has to share with everything "
        "else. So the cache is smaller than the memory.",
        (
            (
                after / MIB,
                "At this size the lines have fallen already. Which size comes before?",
            ),
            (before, "That is in bytes; the question asks for MiB."),
            (before / 1024, "That is in KiB; the question asks for MiB."),
            (before / 2 / MIB, "From this size to the next, the lines do not fall."),
            (
                2 * after / MIB,
                "The lines fall before this size. Where is the last high point?",
            ),
        ),
        unit="MiB",
        tolerance=0.001,
    )


def who_falls(campaign: Campaign) -> Exercise:
    """Ask which systems' random writes halve in one doubling of the file size."""
    found = _cliffs(campaign, "random_write")
    names = frozenset(map(str, found["system"]))
    everyone = frozenset(map(str, campaign.systems["system"]))
    every = steps(campaign)
    every = every.loc[(every["operation"] == "random_write")]
    worst = every.groupby("system", observed=True)["change_per_doubling"].min()
    told = ", ".join(f"{n} {significant(1 / x)} times" for n, x in worst.items())
    gentle = ", ".join(sorted(everyone - names))
    return Exercise(
        names,
        "In each column of the table, divide every number by the number above it. If "
        "the result is one half or less, that is a cliff.",
        f"Steepest fall in one doubling: {told} (geometric means over the records). A "
        "rule needs a limit, and fsviz uses one half. A smaller fall is only a slope, "
        "but it does not prove that there is no cache.",
        (
            (
                everyone,
                (
                    f"Every system slows down, but {gentle} by less than half. Read "
                    "the numbers."
                ),
            ),
        ),
        known=sorted(everyone),
    )


def first_storage_size(campaign: Campaign) -> Exercise:
    """Ask for the smallest measured file that counts as storage [MiB]."""
    memory = memory_of(campaign)[_SYSTEM]
    sizes = make_grid(campaign, system=_SYSTEM, operation="write").mean.index
    measured = min(size for size in sizes if size >= STORAGE * memory)
    inside = [size for size in sizes if memory <= size < STORAGE * memory]
    writes = _means(campaign, _SYSTEM).loc["write"]
    last = float(writes.loc[sizes.max()].mean())
    return Exercise(
        measured / MIB,
        "Storage begins at three times the memory. Which measured file sizes are at "
        "least that large?",
        f"Three times {format_size(memory)} is {format_size(STORAGE * memory)}. The "
        f"next measured size is {format_size(measured)}. Files of "
        f"{' and '.join(format_size(s) for s in inside)} are in between: they are read "
        "partly from memory and partly from storage. Writes differ from reads: without "
        "a flush, part of any file is still in memory when the test ends. At "
        f"{format_size(sizes.max())}, {_SYSTEM} still writes {significant(last / MIB)} "
        "MiB/s. Compare this speed with the storage that the campaign states. To "
        "measure a write to storage, include the flush in the time (-e).",
        (
            (
                STORAGE * memory / MIB,
                (
                    "That is where storage begins, but no file of this size was "
                    "measured. Take the next measured size."
                ),
            ),
            *(
                (
                    size / MIB,
                    "Part of such a file fits into memory, so this is not storage yet.",
                )
                for size in inside
            ),
        ),
        unit="MiB",
        tolerance=0.001,
    )


def payload(campaign: Campaign) -> Exercise:
    """Ask what the link can carry [MiB/s]."""
    link, mtu = _link(campaign)
    share = payload_share(mtu)
    right = link * share / MIB
    return Exercise(
        right,
        "Convert bits to bytes, multiply by the share of each packet that is data, "
        "and convert bytes to MiB.",
        f"{link * 8:,.0f} bit/s are {link:,.0f} B/s, which is "
        f"{significant(link / MIB, 4)} MiB/s. A packet takes {bytes_on_wire(mtu):g} "
        f"bytes on the wire, and {data_of_packet(mtu):g} of these bytes "
        f"({significant(100 * share)} %) are data. So the link carries at most "
        f"{significant(right, 4)} MiB/s of data. "
        "Anything faster than this did not all cross the link while the clock ran.",
        (
            (
                link / MIB,
                (
                    "That is the link with all its headers. Subtract the share that is "
                    "not data."
                ),
            ),
            (
                link / 1e6,
                (
                    "That is in MB/s (powers of ten) and includes the headers. fsviz "
                    "shows MiB/s (powers of two)."
                ),
            ),
            (
                link * share / 1e6,
                "Nearly: that is MB/s. Divide by the bytes in a MiB instead.",
            ),
            (link * 8 / 1e6, "That is in megabits. A byte has eight bits."),
            (link * 8 * share / 1e6, "That is in megabits. A byte has eight bits."),
        ),
        unit="MiB/s",
        tolerance=0.01,
    )


def over_the_wire(campaign: Campaign) -> Exercise:
    """Ask which operations have cells above the payload of the link."""
    link, mtu = _link(campaign)
    limit = link * payload_share(mtu)
    cells = _means(campaign, _REMOTE)
    above = cells.loc[cells > limit]
    names = frozenset(map(str, above.index.get_level_values("operation")))
    everything = [str(n) for n in cells.index.get_level_values("operation").unique()]
    fastest = above.idxmax()
    return Exercise(
        names,
        "Compare each row of the table with the payload of the link, which is your "
        "answer to the previous exercise.",
        f"{len(above)} of {len(cells)} cells of {_REMOTE} are above the payload, all "
        f"of them in {' and '.join(sorted(names))}. The highest cell has "
        f"{significant(above.max() / MIB)} MiB/s, with a record of "
        f"{format_size(fastest[2])} and a file of {format_size(fastest[1])}. The file "
        "system was remounted before each test (-U). But IOzone reads the first record "
        "before it starts the clock (`read_perf_test` in iozone.c), and read-ahead "
        "fetches more. The rules over-line-rate and whole-file-record of `fsviz check` "
        "report this.",
        (
            (
                frozenset({"read"}),
                "Right so far. What does a reread measure after a remount?",
            ),
            (
                frozenset({"reread"}),
                "Right so far. Is the first read slower than the link?",
            ),
            (
                frozenset({*names, "random_read"}),
                "Nearly: random reads come close to the payload, but stay below it.",
            ),
            (
                frozenset(n for n in everything if "write" in n),
                (
                    "Writes stay below the line: -c includes the close in the time, "
                    "and the close sends the data."
                ),
            ),
        ),
        known=everything,
    )


def _cliffs(campaign: Campaign, operation: str) -> pd.DataFrame:
    found = cliffs(campaign)
    return found.loc[(found["operation"] == operation) & (found["tool"] == "iozone")]


def _link(campaign: Campaign) -> tuple[float, float]:
    system = systems_of(campaign.systems)[_REMOTE]
    return system.link or 0.0, system.mtu or MTU


def _means(campaign: Campaign, system: str) -> pd.Series:
    table = campaign.measurements
    rows = table.loc[
        (table["system"] == system)
        & (table["tool"] == "iozone")
        & (table["metric"] == "throughput")
    ]
    place = ["operation", "file_size_bytes", "record_size_bytes"]
    return rows.groupby(place, observed=True)["value"].mean()
