"""Rules about caches: which memory answered, and from which file size on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from fsviz.analysis.arrangement import equal_rows
from fsviz.analysis.buckets import bucket_of
from fsviz.analysis.regimes import REGIMES, cliffs_of, name_regimes
from fsviz.checks.case import READS, WRITES, Case, Group
from fsviz.checks.findings import Finding, Severity
from fsviz.checks.phrases import (
    listing,
    not_checkable,
    titles,
    with_larger_files,
)
from fsviz.checks.registry import rule
from fsviz.checks.rules.crossed import answered_by
from fsviz.checks.runs_and_cells import total_bytes
from fsviz.model.libraries import np, pd
from fsviz.model.units import format_size, significant

EDGE = ["small", "large"]


def _by_size(case: Case) -> pd.Series:
    """Label each cell by its data against the client's RAM, if both are known."""
    ram = case.stated(case.cells, {n: s.ram for n, s in case.systems.items()})
    data = total_bytes(case.cells)
    label = name_regimes(data, ram, case.limits["storage_multiple"])
    labels = pd.Series(label, index=case.cells.index).where((data / ram).notna())
    return labels.astype("string")


def answering_regimes(case: Case) -> pd.Series:
    """Say of each cell which regime its number is about."""
    cells = case.cells
    label = _by_size(case)
    hidden = set()
    for group in case.of("iozone"):
        tests = set(cells.loc[cells["group"] == group.number, "operation"].astype(str))
        exposed = _may_come_from_cache(group, tests)
        hidden |= {(group.number, test) for test in tests - exposed}
    pairs = zip(cells["group"], cells["operation"].astype(str), strict=True)
    out = pd.Series([pair in hidden for pair in pairs], index=cells.index, dtype=bool)
    # what was counted is better than what sizes suggest
    return answered_by(case, label.mask(out & (label != "storage").fillna(value=False)))


@rule(
    "cache-regime",
    ("warning", "info"),
    "labels each cell cache, transition or storage; a size class mixes labels",
    ("storage_multiple",),
)
def cache_regime(case: Case) -> Iterator[Finding]:
    """Say which memory each cell is in the reach of; find buckets that mix them."""
    labels = _by_size(case).where(case.cells["tool"] == "iozone")
    labelled = case.cells.loc[labels.notna()].assign(label=labels.dropna())
    unknown = _without_ram(case)
    if unknown:
        yield not_checkable("client_ram", unknown, "16 GiB")
    if labelled.empty:
        return
    counts = labelled["label"].value_counts()
    rams = {case.systems[n].ram or 0 for n in case.names_of(labelled)}
    counted = ", ".join(f"{counts.get(x, 0):,} {x}" for x in REGIMES)
    # the nearest to the storage of which there are any
    most = [regime for regime in REGIMES if regime in counts][-1]
    yield Finding(
        "info",
        f"cells by file size against the client's RAM: {counted}",
        f"RAM {listing(format_size(r) for r in sorted(rams))}; cache: below it, "
        f"storage: from {case.limits['storage_multiple']:g} times it",
        f"compare within one regime: --regime {most}, or --buckets regimes",
        systems=case.names_of(labelled),
        tool="iozone",
        cells=labelled.index,
    )
    buckets = labelled.assign(bucket=bucket_of(labelled["file_size_bytes"]))
    mixed = {
        str(bucket): rows
        for bucket, rows in buckets.groupby("bucket", sort=False)
        if rows.groupby("system", observed=True)["label"].nunique().max() > 1
    }
    if mixed:
        yield _mixed(case, mixed)


def _mixed(case: Case, mixed: dict[str, pd.DataFrame]) -> Finding:
    parts = [
        f"{bucket.replace('_', ' ')}: "
        + ", ".join(f"{n:,} {x}" for x in REGIMES if (n := (rows["label"] == x).sum()))
        for bucket, rows in mixed.items()
    ]
    cells = pd.concat(list(mixed.values()))
    buckets = listing(bucket.replace("_", " ") for bucket in mixed)
    return Finding(
        "warning",
        f"the size class {buckets} mixes cells of several regimes: its mean describes "
        "none of them",
        "; ".join(parts),
        "use size classes taken from the machine: --buckets regimes",
        systems=case.names_of(cells),
        tool="iozone",
        cells=cells.index,
    )


def _without_ram(case: Case) -> list[str]:
    tools = {g.system.name for g in case.of("iozone")}
    return [n for n, s in case.systems.items() if n in tools and s.ram is None]


@rule(
    "no-storage-cells",
    ("error", "warning"),
    "the largest file is below 3 times the client's RAM",
    ("storage_multiple",),
)
def no_storage_cells(case: Case) -> Iterator[Finding]:
    """Find systems whose largest file the client's memory could hold."""
    multiple = case.limits["storage_multiple"]
    unknown = _without_ram(case)
    if unknown:
        yield not_checkable("client_ram", unknown, "16 GiB")
    by_kind: dict[tuple[Severity, bool], list[Group]] = {}
    exposed: dict[tuple[Severity, bool], tuple[str, ...]] = {}
    for group in case.of("iozone"):
        largest = case.largest.get(group.number)
        if not largest or not group.system.ram:
            continue
        if largest >= multiple * group.system.ram:
            continue
        severity, cached = _exposed(case, group)
        kind = (severity, bool(cached))
        by_kind.setdefault(kind, []).append(group)
        exposed[kind] = (*exposed.get(kind, ()), *cached)
    for kind, groups in by_kind.items():
        cached = tuple(dict.fromkeys(exposed[kind]))
        yield _too_small(case, kind[0], cached, groups)


def _may_come_from_cache(group: Group, operations: Iterable[str]) -> set[str]:
    """Keep the tests from which IOzone's options did not keep the client's cache."""
    cold = group.has("U", "+r")
    # closing a file sends it to the server, but not to the local disk
    sent = group.flushed or (group.system.network and group.has("c"))
    hidden = {
        test
        for test in operations
        if (test in READS and (cold or group.direct(test))) or (test in WRITES and sent)
    }
    return set(operations) - hidden


def _exposed(case: Case, group: Group) -> tuple[Severity, tuple[str, ...]]:
    """Say which tests the client's memory may have answered, and how bad that is."""
    operations = case.operations.get(group.number, ())
    directed = {o for o in operations if o in READS or o in WRITES}
    exposed = _may_come_from_cache(group, directed)
    claims = group.system.network or bool(
        {"storage", "link"} & set(group.system.stated)
    )
    if exposed:
        return ("error" if claims else "warning"), tuple(sorted(exposed))
    return "warning", ()


def _too_small(
    case: Case, severity: Severity, cached: tuple[str, ...], groups: Sequence[Group]
) -> Finding:
    ram = max(g.system.ram or 0 for g in groups)
    largest = max(case.largest.get(g.number, 0.0) for g in groups)
    command = with_larger_files(case, groups)
    if cached:
        message = (
            f"largest file {format_size(largest)}, RAM {format_size(ram)}: "
            f"{titles(cached)} may show the speed of memory; nothing here measures the "
            "storage"
        )
    else:
        message = (
            f"largest file {format_size(largest)}, RAM {format_size(ram)}: the options "
            "keep the client's cache out, but the server's or the disk's may answer"
        )
    systems = list(dict.fromkeys(g.system.name for g in groups))
    cells = case.cells.loc[case.of_systems("iozone", systems)]
    cells = cells.loc[cells["operation"].isin(cached)] if cached else cells
    return Finding(
        severity,
        message,
        f"{largest / ram:.2g} times the RAM, {case.limits['storage_multiple']:g} times "
        f"are needed; {groups[0].command_line or 'command line not known'}",
        f"measure files of {case.limits['storage_multiple']:g} times the RAM as well: "
        f"`{command}`",
        systems=systems,
        operations=cached,
        tool="iozone",
        cells=cells.index,
        place=groups[0].place,
    )


@rule(
    "cache-cliff",
    ("warning", "info"),
    "throughput halves in one doubling of file size; inside one size class",
    ("cliff_ratio",),
)
def cache_cliff(case: Case) -> Iterator[Finding]:
    """Find where throughput falls in one doubling of the file size."""
    cells = case.throughput.loc[case.throughput["tool"] == "iozone"]
    for severity, falls in _falls(case).groupby("severity"):
        worst = falls.loc[falls["fall"].idxmax()]
        mixed = severity == "warning"
        yield Finding(
            severity,
            "files twice as large are up to "
            f"{significant(worst['fall'], 2)} times slower, as at the edge of a cache"
            + ("; this edge is inside one size class" if mixed else ""),
            "; ".join(_edge(edge, of_edge) for edge, of_edge in falls.groupby(EDGE)),
            "do not average across the edge: --buckets regimes"
            if mixed
            else "report each side of the edge by itself",
            systems=case.names_of(falls),
            operations=list(falls["operation"].unique()),
            tool="iozone",
            cells=_beside(cells, falls),
        )


def _beside(cells: pd.DataFrame, falls: pd.DataFrame) -> pd.Index:
    """List the cells on either side of some falls."""
    sides = pd.concat([falls.assign(file_size_bytes=falls[side]) for side in EDGE])
    row, _ = equal_rows(cells, sides, ["system", "operation", "file_size_bytes"])
    return cells.index[np.unique(row)]


def _edge(sizes: Sequence[int], falls: pd.DataFrame) -> str:
    worst = falls.loc[falls["fall"].idxmax()]
    more = f", {len(falls) - 1} more" if len(falls) > 1 else ""
    operation = str(worst["operation"]).replace("_", " ")
    return (
        f"{format_size(sizes[0])} to {format_size(sizes[1])}: {worst['system']} "
        f"{operation} falls {significant(worst['fall'])} times{more}"
    )


def _falls(case: Case) -> pd.DataFrame:
    """List the doublings of file size over which the throughput falls."""
    falls = cliffs_of(case.arranged.steps, case.limits["cliff_ratio"])
    falls = falls.loc[falls["tool"] == "iozone"]
    small = falls["file_size_bytes"].astype("int64")
    large = falls["next_size_bytes"].astype("int64")
    same = bucket_of(small) == bucket_of(large)
    severity = same.map({True: "warning", False: "info"})
    falls = falls.astype({"system": str, "operation": str})
    return falls.assign(small=small, large=large, severity=severity)
