"""Rules about numbers that only memory can reach."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fsviz.checks.case import Case, Group
from fsviz.checks.findings import Finding
from fsviz.checks.phrases import (
    describe,
    of_cells,
    titles,
)
from fsviz.checks.registry import rule
from fsviz.checks.runs_and_cells import total_bytes
from fsviz.model.table import SIZES
from fsviz.model.units import KIB, MIB, significant

if TYPE_CHECKING:
    import pandas as pd

_SMALL_RECORD = 64 * KIB
_FEW_MIB = 1 * MIB


@rule(
    "exceeds-memory-speed",
    ("warning",),
    "a value above what memory can copy, in a file larger than the CPU cache",
    ("memory_speed", "cpu_cache"),
)
def exceeds_memory_speed(case: Case) -> Iterator[Finding]:
    """Find values above what memory can copy, in files that no CPU cache holds."""
    cells = case.throughput
    limit = case.limits["memory_speed"] * cells["threads"].fillna(1).astype("float64")
    large = total_bytes(cells) > case.limits["cpu_cache"]
    fast = cells.loc[large & (cells["high"] > limit)]
    for tool, of_tool in fast.groupby("tool", observed=True):
        worst = of_tool["high"].idxmax()
        yield Finding(
            "warning",
            f"{titles(of_tool['operation'])} faster than memory can be copied at "
            f"{of_cells(len(of_tool), int((cells['tool'] == tool).sum()))}: the data "
            "were not copied, the clock is wrong, or this memory is faster",
            f"{describe(case, worst)}, {case.cells.loc[worst, 'system']}; one thread "
            f"copies about {case.limits['memory_speed'] / 1e9:g} GB/s",
            "look for sparse or compressed files and for a broken clock (virtual "
            "machines); if memory is faster, state memory_speed [B/s] under "
            "[thresholds]",
            **case.about(of_tool, worst),
            scope="cache",
        )


@rule(
    "whole-file-record",
    ("warning",),
    "cold reads (-U) whose record is the whole file",
)
def whole_file_record(case: Case) -> Iterator[Finding]:
    """Find cold reads of one record: IOzone fetches it before it starts the clock."""
    groups = [g for g in case.of("iozone") if g.has("U") and not g.direct("read")]
    cells = case.throughput.loc[_in(case.throughput, groups)]
    reads = cells.loc[cells["operation"].isin(["read", "reread"])]
    lone = reads.loc[reads["file_size_bytes"] == reads["record_size_bytes"]]
    if lone.empty:
        return
    worst = _times_smaller_records(reads, lone)
    number = int(worst.idxmax()) if worst.notna().any() else int(lone.index[0])
    ratio = f", {significant(worst[number])} times the next smaller record"
    yield Finding(
        "warning",
        "cold reads whose record is the whole file "
        f"({of_cells(len(lone), len(reads))}) show memory: IOzone fetches the "
        "first record before it starts the clock",
        f"{case.cells.loc[number, 'system']}: {describe(case, number)}"
        + (ratio if worst.notna().any() else ""),
        "leave these cells out, or do not measure them: -q with a record smaller than "
        "the smallest file",
        **case.about(lone, number),
        scope="cache",
    )


def _times_smaller_records(reads: pd.DataFrame, lone: pd.DataFrame) -> pd.Series:
    """Divide each cell by that of half its record size in the same file."""
    keys = ["group", "operation", *SIZES, "setting"]
    half = lone.assign(record_size_bytes=lone["record_size_bytes"] // 2)
    other = reads.drop_duplicates(keys).set_index(keys)["mean"]
    smaller = half[keys].join(other, on=keys)["mean"]
    return lone["mean"] / smaller


def _in(cells: pd.DataFrame, groups: Sequence[Group]) -> pd.Series:
    """Say which cells some groups measured."""
    return cells["group"].isin([g.number for g in groups])


@rule(
    "random-beats-sequential",
    ("warning",),
    "random read reaches 0.9 times read with records up to 64 KiB",
    ("random_ratio", "random_share"),
)
def random_beats_sequential(case: Case) -> Iterator[Finding]:
    """Find random reads as fast as sequential ones: nothing had to be sought."""
    groups = [g for g in case.of("iozone") if not g.has("I")]
    cells = case.throughput.loc[_in(case.throughput, groups)]
    small = cells["record_size_bytes"] <= _SMALL_RECORD
    cells = cells.loc[small & (cells["file_size_bytes"] > _FEW_MIB)]
    keys = ["group", "file_size_bytes", "record_size_bytes", "threads", "setting"]
    both = cells.loc[cells["operation"] == "random_read"].reset_index()
    read = cells.loc[cells["operation"] == "read", [*keys, "mean"]]
    both = both.merge(read, on=keys, suffixes=("", "_read")).set_index("index")
    both["ratio"] = both["mean"] / both["mean_read"]
    both["hit"] = both["ratio"] >= case.limits["random_ratio"]
    parts = both.groupby("system", observed=True)["hit"].agg(["mean", "sum", "size"])
    parts = parts.loc[parts["mean"] >= case.limits["random_share"]]
    if parts.empty:
        return
    hits = both.loc[both["hit"] & both["system"].isin(parts.index)]
    worst = int(hits["ratio"].idxmax())
    yield Finding(
        "warning",
        "random read is as fast as read in "
        f"{of_cells(int(parts['sum'].sum()), int(parts['size'].sum()))} with small "
        "records: very probably a cache answered both",
        f"{hits.loc[worst, 'system']}: {describe(case, worst)}, "
        f"{significant(hits.loc[worst, 'ratio'])} times read",
        "empty the cache before each test (-U MOUNTPOINT, if /etc/fstab has it), go "
        "around it (-I), or use files of 3 times the RAM",
        **case.about(hits, worst),
    )


@rule(
    "direct-in-part",
    ("warning",),
    "IOzone's -I does not reach fread and fwrite, or files mapped with -B",
)
def direct_in_part(case: Case) -> Iterator[Finding]:
    """Find tests that went through the page cache although direct I/O was asked for."""
    groups = [g for g in case.of("iozone") if g.has("I")]
    cells = case.cells.loc[_in(case.cells, groups)]
    by_number = {group.number: group for group in groups}
    through = [
        not by_number[int(number)].direct(str(operation))
        for number, operation in zip(cells["group"], cells["operation"], strict=True)
    ]
    through_cache = cells.loc[through]
    if through_cache.empty:
        return
    group = by_number[int(through_cache["group"].iloc[0])]
    yield Finding(
        "warning",
        f"{titles(through_cache['operation'])} went through the page cache although -I "
        "asks for direct I/O: their numbers do not compare with the other tests",
        f"{group.command_line} ({case.short(group.place[0])})",
        "leave these tests out (-i), and -B with them, or read them as buffered I/O",
        systems=case.names_of(through_cache),
        operations=list(through_cache["operation"].unique()),
        tool="iozone",
        cells=through_cache.index,
        place=group.place,
    )
