"""Rules about which cells stand against which."""

from __future__ import annotations

from collections.abc import Iterator

from fsviz.analysis.aggregate import codes
from fsviz.checks.case import Case
from fsviz.checks.findings import Finding
from fsviz.checks.phrases import count, listing
from fsviz.checks.registry import rule
from fsviz.model.libraries import np, pd
from fsviz.model.table import CELL
from fsviz.model.tools import title_of
from fsviz.model.units import KIB, MIB

_CROSSOVER_FILE, _CROSSOVER_RECORD = 16 * MIB, 64 * KIB


@rule(
    "unmatched-cells",
    ("warning",),
    "cells that one side lacks; size classes with different record sizes",
)
def unmatched_cells(case: Case) -> Iterator[Finding]:
    """Find cells that only one side measured, and file sizes without small records."""
    for tool in dict.fromkeys(group.tool for group in case.groups):
        yield from _lacking_a_side(case, tool)
    yield from _crossover(case)


def _lacking_a_side(case: Case, tool: str) -> Iterator[Finding]:
    cells = case.cells.loc[case.cells["tool"] == tool]
    names = case.names_of(cells)
    if len(names) < 2:
        return
    base = case.baseline if case.baseline in names else names[0]
    key = codes([cells[name] for name in CELL])
    base_keys = np.unique(key[(cells["system"] == base).to_numpy(bool)])
    places = pd.DataFrame({"system": cells["system"].to_numpy(), "key": key})
    places = places.drop_duplicates().assign(matched=lambda t: t["key"].isin(base_keys))
    counts = places.groupby("system", observed=True)["matched"].agg(["sum", "size"])
    alone, parts = [], []
    for name in names:
        matched, number = counts.loc[name]
        if matched < max(number, len(base_keys)):
            absent, extra = len(base_keys) - matched, number - matched
            parts.append(f"{name}: {absent:,} only on {base}, {extra:,} only here")
            alone.append(name)
    if parts:
        yield Finding(
            "warning",
            f"{title_of(tool)} did not measure the same cells on {base} and on "
            f"{listing(alone)}: a mean over all of them would compare different work",
            "; ".join([*parts[:3], *([f"{len(parts) - 3} more"] if parts[3:] else [])])
            + _bounds_only(case, tool),
            "compare matched cells only, as fsviz compare does",
            systems=alone,
            tool=tool,
        )


def _bounds_only(case: Case, tool: str) -> str:
    number = int((case.unmeasured["tool"] == tool).sum())
    such = ", such as +++++" if tool == "bonnie++" else ""
    return f" ({count(number, 'value')} are only bounds{such})" if number else ""


def _crossover(case: Case) -> Iterator[Finding]:
    cells = case.throughput.loc[case.throughput["tool"] == "iozone"]
    large = cells["file_size_bytes"] > _CROSSOVER_FILE
    small = cells["record_size_bytes"] < _CROSSOVER_RECORD
    parts = (large, small & ~large, small & large)
    crossing, before, after = (set(cells.loc[part, "group"]) for part in parts)
    dropped = [
        group
        for group in case.of("iozone")
        if group.number in (crossing & before) - after and not group.has("z")
    ]
    if dropped:
        systems = list(dict.fromkeys(g.system.name for g in dropped))
        ours = cells["system"].isin(systems) & large
        yield Finding(
            "warning",
            "files above 16 MiB lack the records below 64 KiB, which IOzone leaves out "
            "without -z: means of small and of large files cover different records",
            f"{dropped[0].system.name}: {dropped[0].command_line or 'no command line'} "
            f"({case.short(dropped[0].place[0])})",
            "compare by record size (--by record_size), or measure with -z",
            systems=systems,
            tool="iozone",
            cells=cells.index[ours],
            place=dropped[0].place,
        )
