"""Rules about writes: whether the clock stopped before the data was anywhere safe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fsviz.checks.caches import total_bytes
from fsviz.checks.case import WRITES, Case, Group
from fsviz.checks.findings import Finding
from fsviz.checks.words import amended, describe, listing, not_checkable
from fsviz.units import format_size, format_throughput, significant

if TYPE_CHECKING:
    import pandas as pd

FLUSHED = ("e", "o", "I", "+r", "+D")
"""IOzone's options with which a write is timed until the system says it is safe."""


def write_back(case: Case) -> Iterator[Finding]:
    """Find writes that memory took: much faster than reads of the same file."""
    groups = [
        group
        for group in case.of("iozone")
        if group.options is not None and not group.has("e", "o", "I", "+r")
    ]
    found = [
        hit for group in groups if (hit := _faster_writes(case, group)) is not None
    ]
    if not found:
        return
    worst, ratio, size = max(found, key=lambda hit: hit[1])
    systems = [group.system.name for group, _, _ in found]
    cells = case.throughput
    ours = cells["system"].isin(systems) & cells["operation"].isin(WRITES)
    ours &= cells["tool"] == "iozone"
    yield Finding(
        "warning",
        f"at the largest file, write is {significant(ratio, 2)} times as fast as read "
        "and nothing was flushed within the time: memory took the writes",
        f"{worst.system.name}, {format_size(size)} files, geometric mean over record "
        f"sizes; {worst.command_line}",
        f"time the flush: `{amended(worst, add=['e'])}`",
        systems=systems,
        operations=["write"],
        tool="iozone",
        cells=cells.index[ours],
        place=worst.place,
    )


def _faster_writes(case: Case, group: Group) -> tuple[Group, float, float] | None:
    import numpy as np

    cells = case.throughput
    own = cells.loc[
        (cells["group"] == group.runs["group"].iloc[0])
        & cells["operation"].isin(["read", "write"])
    ]
    own = own.loc[own["file_size_bytes"] == own["file_size_bytes"].max()]
    wide = own.astype({"operation": str}).pivot_table(
        index=["record_size_bytes", "threads"], columns="operation", values="mean"
    )
    if not {"read", "write"} <= set(wide.columns):
        return None
    ratio = float(np.exp(np.log(wide["write"] / wide["read"]).mean()))
    if not ratio >= case.limits["write_back_ratio"]:
        return None
    return group, ratio, float(own["file_size_bytes"].iloc[0])


def unflushed_network_write(case: Case) -> Iterator[Finding]:
    """Find writes over a network that may not have left the client, or its server."""
    unknown: list[str] = []
    bare: list[Group] = []
    closed: list[Group] = []
    for group in case.of("iozone"):
        system = group.system
        if not system.network or group.options is None or group.has(*FLUSHED):
            continue
        if not _writes(case, group):
            continue
        if system.ram is None:
            unknown.append(system.name)
        elif _largest_write(case, group) < case.limits["storage_multiple"] * system.ram:
            (closed if group.has("c") else bare).append(group)
    if unknown:
        yield not_checkable("client_ram", unknown, "16 GiB")
    if bare:
        yield _unflushed(
            bare,
            "neither -c nor -e: the clock stops while data may still be in the "
            "client's memory",
            ["c", "e"],
            case,
        )
    # closing an NFS file commits it, so a server that keeps its word has it on disk
    weak = [g for g in closed if not _commits_at_close(g)]
    if weak:
        yield _unflushed(
            weak,
            "-c without -e: closing sends the data to the server, but nothing asks it "
            "to put them on stable storage",
            ["e"],
            case,
        )


def _commits_at_close(group: Group) -> bool:
    protocol = group.system.stated.get("protocol", "").lower()
    return protocol.startswith("nfs") and bool(group.system.synchronous)


def _writes(case: Case, group: Group) -> bool:
    own = case.cells.loc[case.cells["group"] == group.runs["group"].iloc[0]]
    return bool(own["operation"].isin(WRITES).any())


def _largest_write(case: Case, group: Group) -> float:
    own = case.cells.loc[case.cells["group"] == group.runs["group"].iloc[0]]
    return float(total_bytes(own).max())


def _unflushed(
    groups: Sequence[Group], message: str, add: Sequence[str], case: Case
) -> Finding:
    systems = list(dict.fromkeys(g.system.name for g in groups))
    cells = case.throughput
    ours = cells["system"].isin(systems) & cells["operation"].isin(WRITES)
    cells = cells.loc[ours & (cells["tool"] == "iozone")]
    shown = describe(case, cells["high"].idxmax()) if len(cells) else ""
    return Finding(
        "warning",
        message,
        "; ".join(filter(None, [groups[0].command_line, f"fastest: {shown}"])),
        f"time the flush: `{amended(groups[0], add=add)}`",
        systems=systems,
        operations=[o for o in WRITES if o in set(cells["operation"])],
        tool="iozone",
        cells=cells.index,
        place=groups[0].place,
    )


def durability_differs(case: Case) -> Iterator[Finding]:
    """Find comparisons of writes that are safe on one side only."""
    promised = _promises(case)
    tools = dict.fromkeys(tool for tool, _ in promised)
    contrasts: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    whole = {name: sync for (_, name), sync in promised.items()}
    for tool in tools:
        own = {name: sync for (t, name), sync in promised.items() if t == tool}
        # tools that ran under the same promises share a finding
        if all(whole[name] == sync for name, sync in own.items()):
            own = whole
        safe = tuple(n for n in case.systems if own.get(n))
        unsafe = tuple(n for n in case.systems if own.get(n) is False)
        if safe and unsafe:
            contrasts.setdefault((safe, unsafe), []).append(tool)
    for (safe, unsafe), found in contrasts.items():
        yield from _differ(case, found, safe, unsafe)
    unknown = [n for n in case.systems if whole.get(n) is None]
    if unknown and len(case.systems) > 1:
        yield not_checkable("durability", unknown, "sync")


def _promises(case: Case) -> dict[tuple[str, str], bool | None]:
    """Say of each tool and system whether a finished write is on stable storage."""
    return {
        (g.tool, g.system.name): g.has(*FLUSHED) or g.system.synchronous
        for g in case.groups
    }


_BONNIE = ("sequential_output", "sequential_create", "random_create", "_delete")


def _is_write(operation: str) -> bool:
    named = operation in (*WRITES, "transfer", "mixed_workload")
    return named or any(part in operation for part in _BONNIE)


def _differ(
    case: Case, tools: Sequence[str], safe: Sequence[str], unsafe: Sequence[str]
) -> Iterator[Finding]:
    cells = case.cells.loc[case.cells["tool"].isin(tools)]
    writes = cells["operation"].map(_is_write).astype(bool)
    cells = cells.loc[writes]
    base = case.baseline if case.baseline in (*safe, *unsafe) else safe[0]
    others = unsafe if base in safe else safe
    if cells.empty:
        return
    evidence = f"stable when done: {listing(safe)}; not: {listing(unsafe)}"
    if example := _example(case, cells, safe[0], unsafe[0]):
        evidence += f"; {example}"
    yield Finding(
        "error",
        "some systems answer a write when it is on stable storage, others while it "
        "is in memory: their writes are not comparable",
        evidence,
        "give both sides the same promise: IOzone -e or -o, an export with sync (or "
        "async) on both, Samba's sync always = yes",
        systems=others,
        operations=list(dict.fromkeys(cells["operation"])),
        tool=", ".join(tools),
        cells=cells.index[cells["system"].isin(others)],
        against=base,
    )


def _example(case: Case, cells: pd.DataFrame, safe: str, unsafe: str) -> str:
    """Show one cell of both sides."""
    where = ["operation", "file_size_bytes", "record_size_bytes", "threads", "metric"]
    a = cells.loc[(cells["system"] == safe) & (cells["metric"] == "throughput")]
    b = cells.loc[(cells["system"] == unsafe) & (cells["metric"] == "throughput")]
    both = a.merge(b, on=where, suffixes=("", "_b"))
    if both.empty:
        return ""
    row = both.iloc[-1]
    return (
        f"{str(row['operation']).replace('_', ' ')} {format_throughput(row['mean'])} "
        f"({case.at(row['at_low'])}) against {format_throughput(row['mean_b'])} "
        f"({case.at(row['at_low_b'])})"
    )
