"""Rules about writes: whether the clock stopped before the data was anywhere safe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from fsviz.checks.case import WRITES, Case, Group
from fsviz.checks.findings import Finding
from fsviz.checks.phrases import amended, describe, listing, not_checkable
from fsviz.checks.registry import rule
from fsviz.model.errors import printable
from fsviz.model.libraries import np
from fsviz.model.table import CELL
from fsviz.model.units import format_size, format_value, significant

if TYPE_CHECKING:
    import pandas as pd


@rule(
    "write-back",
    ("warning",),
    "write is 2 times read at the largest file, and nothing is flushed in time",
    ("write_back_ratio",),
)
def write_back(case: Case) -> Iterator[Finding]:
    """Find writes that memory took: much faster than reads of the same file."""
    unflushed = {
        group.number: group
        for group in case.of("iozone")
        if group.options is not None and not group.flushed
    }
    ratios = _write_by_read(case)
    ratios = ratios[ratios.index.isin(unflushed)]
    high = ratios[ratios >= case.limits["write_back_ratio"]]
    if high.empty:
        return
    worst = unflushed[int(high.idxmax())]
    systems = [unflushed[int(number)].system.name for number in high.index]
    cells = case.throughput
    ours = cells["group"].isin(high.index) & cells["operation"].isin(WRITES)
    size = case.of_group(worst)["file_size_bytes"].max()
    yield Finding(
        "warning",
        f"at the largest file, write is {significant(high.max(), 2)} times as fast as "
        "read and nothing was flushed within the time: memory probably took them",
        f"{worst.system.name}, {format_size(size)} files, geometric mean over record "
        f"sizes; {worst.command_line}",
        f"time the flush: `{amended(worst, add=['e'])}`",
        systems=list(dict.fromkeys(systems)),
        operations=["write"],
        tool="iozone",
        cells=cells.index[ours],
        place=worst.place,
    )


def _write_by_read(case: Case) -> pd.Series:
    """Divide write by read at the largest file of each group, over record sizes."""
    cells = case.throughput
    keys = ["group", "file_size_bytes", "record_size_bytes", "threads", "setting"]
    names = [*keys, "log_mean"]
    write = cells.loc[cells["operation"] == "write", names]
    both = write.merge(cells.loc[cells["operation"] == "read", names], on=keys)
    largest = both.groupby("group")["file_size_bytes"].transform("max")
    both = both.loc[both["file_size_bytes"] == largest]
    difference = both["log_mean_x"] - both["log_mean_y"]
    return np.exp(difference.groupby(both["group"]).mean())


@rule(
    "unflushed-network-write",
    ("warning",),
    "writes over a network are timed without a flush",
    ("storage_multiple",),
)
def unflushed_network_write(case: Case) -> Iterator[Finding]:
    """Find writes over a network that may not have left the client, or its server."""
    unknown: list[str] = []
    bare: list[Group] = []
    closed: list[Group] = []
    for group in case.of("iozone"):
        system = group.system
        if not system.network or group.options is None or group.flushed:
            continue
        if not set(WRITES) & set(case.operations.get(group.number, ())):
            continue
        if system.ram is None:
            unknown.append(system.name)
        elif (
            case.largest.get(group.number, 0.0)
            < case.limits["storage_multiple"] * system.ram
        ):
            (closed if group.has("c") else bare).append(group)
    if unknown:
        yield not_checkable("client_ram", unknown, "16 GiB")
    # closing an NFS file commits it (nfs(5), RFC 1813): only the export can break that
    nfs = [g for g in closed if _speaks_nfs(g)]
    for groups, message, add in (
        (bare, _OPEN, ["c", "e"]),
        ([g for g in nfs if not g.system.synchronous], _CLOSED_OVER_NFS, []),
        ([g for g in closed if g not in nfs], _CLOSED, ["e"]),
    ):
        if groups:
            yield _unflushed(groups, message, add, case)


_OPEN = (
    "neither -c nor -e: the clock stops while data may still be in the client's memory"
)
_CLOSED_OVER_NFS = (
    "-c without -e: closing a file over NFS asks the server to put it on stable "
    "storage, but an async export answers at once, and no sync export is stated"
)
_CLOSED = (
    "-c without -e: closing a file need not ask the server to put it on stable storage"
)


def _speaks_nfs(group: Group) -> bool:
    return group.system.stated.get("protocol", "").lower().startswith("nfs")


def _unflushed(
    groups: Sequence[Group], message: str, add: Sequence[str], case: Case
) -> Finding:
    systems = list(dict.fromkeys(g.system.name for g in groups))
    cells = case.throughput
    ours = cells["system"].isin(systems) & cells["operation"].isin(WRITES)
    cells = cells.loc[ours & (cells["tool"] == "iozone")]
    shown = f"fastest: {describe(case, cells['high'].idxmax())}" if len(cells) else ""
    measured = set(cells["operation"].unique())
    return Finding(
        "warning",
        message,
        "; ".join(filter(None, [groups[0].command_line, shown])),
        f"time the flush: `{amended(groups[0], add=add)}`"
        if add
        else "export with sync and state export_options; with async, -e does not wait "
        "either (exports(5))",
        systems=systems,
        operations=[o for o in WRITES if o in measured],
        tool="iozone",
        cells=cells.index,
        place=groups[0].place,
    )


@rule(
    "compressible-data",
    ("warning",),
    "IOzone wrote data that compress to a system that compresses or deduplicates",
)
def compressible_data(case: Case) -> Iterator[Finding]:
    """Find systems that may have stored much less than IOzone wrote."""
    with_fact = [
        (g, fact)
        for g in case.of("iozone")
        if g.options is not None and (fact := g.system.shrinks)
    ]
    # -+y and -+C alone change nothing: fill_buffer asks for -+w
    plain = [(g, fact) for g, fact in with_fact if not g.has("+w")]
    if plain:
        yield _shrunk(case, plain, "IOzone writes one block of data again and again")
    if half := [(g, fact) for g, fact in with_fact if g.has("+w")]:
        yield _shrunk(case, half, "half of what IOzone writes with -+w are zeros")


def _shrunk(case: Case, with_fact: list[tuple[Group, str]], written: str) -> Finding:
    group, fact = with_fact[0]
    groups = [g for g, _ in with_fact]
    names = list(dict.fromkeys(g.system.name for g in groups))
    stated = group.system.stated.get(fact)
    reason = f"{fact}: {printable(stated)}" if stated else "by its name"
    does = "compress or deduplicate" if names[1:] else "compresses or deduplicates"
    return Finding(
        "warning",
        f"{written}, and {listing(names)} {does}: "
        "less was stored than the file size says",
        f"{group.system.name}, {reason}; "
        f"{group.command_line} ({case.short(group.place[0])})",
        "measure with compression and deduplication off, or with a tool that fills its "
        "buffers at random (fio with --refill_buffers)",
        systems=names,
        tool="iozone",
        cells=case.of_groups(groups),
        place=group.place,
    )


@rule(
    "durability-differs",
    ("error",),
    "one side waits for stable storage and the other does not",
)
def durability_differs(case: Case) -> Iterator[Finding]:
    """Find comparisons of writes that are safe on one side only."""
    promised = _promises(case)
    tools = dict.fromkeys(tool for tool, _ in promised)
    contrasts: dict[tuple[tuple[str, ...], tuple[str, ...]], list[str]] = {}
    of_system = {name: sync for (_, name), sync in promised.items()}
    for tool in tools:
        of_tool = {name: sync for (t, name), sync in promised.items() if t == tool}
        # tools that ran under the same promises share a finding
        if all(of_system[name] == sync for name, sync in of_tool.items()):
            of_tool = of_system
        safe = tuple(n for n in case.systems if of_tool.get(n))
        unsafe = tuple(n for n in case.systems if of_tool.get(n) is False)
        if safe and unsafe:
            contrasts.setdefault((safe, unsafe), []).append(tool)
    for (safe, unsafe), contrasted in contrasts.items():
        yield from _differ(case, contrasted, safe, unsafe)
    unknown = [n for n in case.systems if of_system.get(n) is None]
    if unknown and len(case.systems) > 1:
        yield not_checkable("durability", unknown, "sync")


def _promises(case: Case) -> dict[tuple[str, str], bool | None]:
    """Say of each tool and system whether a finished write is on stable storage."""
    promised = {}
    for group in case.groups:
        system = group.system
        # the program waits, but for an answer that comes before the data are stored
        flushes = group.flushed and not (system.network and system.ignores_flush)
        promised[group.tool, system.name] = flushes or system.synchronous
    return promised


_CHANGES = ("sequential_output", "_creat", "_delete", "_removal", "_rename", "_write")
"""Parts of the names of what changes files, among the tests of the other tools."""


def _is_write(operation: str) -> bool:
    named = operation in (*WRITES, "transfer", "mixed_workload")
    return named or any(part in operation for part in _CHANGES)


def _differ(
    case: Case, tools: Sequence[str], safe: Sequence[str], unsafe: Sequence[str]
) -> Iterator[Finding]:
    cells = case.cells.loc[case.cells["tool"].isin(tools)]
    cells = cells.loc[cells["operation"].map(_is_write).astype(bool)]
    bounds = case.unmeasured.loc[case.unmeasured["tool"].isin(tools), "operation"]
    bounds = bounds[bounds.map(_is_write).astype(bool)]
    base = case.baseline if case.baseline in (*safe, *unsafe) else safe[0]
    systems = unsafe if base in safe else safe
    if cells.empty and bounds.empty:
        return
    evidence = f"stable when done: {listing(safe)}; not: {listing(unsafe)}"
    if example := _example(case, cells, safe[0], unsafe[0]):
        evidence += f"; {example}"
    yield Finding(
        "error",
        "some systems confirm a write only once it is on stable storage, others while "
        "it is still in memory: their write speeds are not comparable",
        evidence,
        "give both sides the same durability: IOzone -e or -o, an export with sync (or "
        "async) on both, Samba's strict sync = yes with sync always = yes",
        systems=systems,
        operations=list(dict.fromkeys([*cells["operation"], *bounds])),
        tools=tools,
        cells=cells.index[cells["system"].isin(systems)],
        against=base,
        scope="sync against async",
    )


def _example(case: Case, cells: pd.DataFrame, safe: str, unsafe: str) -> str:
    """Show one cell of both sides."""
    a = cells.loc[(cells["system"] == safe) & (cells["metric"] == "throughput")]
    b = cells.loc[(cells["system"] == unsafe) & (cells["metric"] == "throughput")]
    both = a.merge(b, on=list(CELL), suffixes=("", "_b"))
    if both.empty:
        return ""
    row = both.iloc[-1]
    return (
        f"{str(row['operation']).replace('_', ' ')} {format_value(row['mean'], 'B/s')} "
        f"({case.at(row['at_low'])}) against {format_value(row['mean_b'], 'B/s')} "
        f"({case.at(row['at_low_b'])})"
    )
