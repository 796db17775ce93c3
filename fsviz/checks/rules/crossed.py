"""The rules about what ``fsviz run`` counted: who answered, and what else ran."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from fsviz.checks.case import READS, WRITES, Case, Group
from fsviz.checks.findings import Finding
from fsviz.checks.phrases import count, share
from fsviz.checks.registry import rule
from fsviz.checks.runs_and_cells import total_bytes
from fsviz.model.runs import COUNTERS
from fsviz.model.tools import title_of
from fsviz.model.units import format_size

if TYPE_CHECKING:
    import pandas as pd

Way = Literal["read", "written"]
_WAYS: dict[Way, tuple[str, ...]] = {"read": READS, "written": WRITES}


@dataclass(frozen=True)
class Crossed:
    """What one system's tool read or wrote in a run, and what of it crossed [B]."""

    group: Group
    way: Way
    through: str
    demanded: float
    crossed: float
    cells: pd.Index

    @property
    def share(self) -> float:
        """Share that crossed; more than 1 where the system moves more than is asked."""
        return self.crossed / self.demanded


def crossed(case: Case) -> Iterator[Crossed]:
    """List what crossed of each group whose runs all have counters.

    Of IOzone alone: each of its tests moves as much as its file holds.
    """
    for group in case.of("iozone"):
        facts = [facts.get(COUNTERS) for facts in group.runs["facts"]]
        counted = [count for count in facts if isinstance(count, dict)]
        ways = {str(count.get("through", "")) for count in counted}
        if len(counted) < len(facts) or ways not in ({"mount"}, {"device"}):
            continue
        (through,) = ways
        rows = case.of_group(group)
        rows = rows.loc[rows["metric"] == "throughput"]
        for way, operations in _WAYS.items():
            cells = rows.loc[rows["operation"].isin(operations)]
            demanded = float(total_bytes(cells).sum())
            if demanded > 0:
                moved = sum(float(count.get(way, 0)) for count in counted) / len(
                    counted
                )
                yield Crossed(group, way, through, demanded, moved, cells.index)


def answered_by(case: Case, label: pd.Series) -> pd.Series:
    """Correct what sizes suggest of each cell by what crossed.

    Where next to nothing crossed, a cache answered all of it; where nearly all did,
    none. Between the two, large files may still have crossed and small ones not.
    """
    label = label.copy()
    least, most = case.limits["crossed_cache"], case.limits["crossed_storage"]
    for traffic in crossed(case):
        if traffic.share <= least:
            label.loc[traffic.cells] = "cache"
        elif traffic.share >= most and traffic.way == "read":
            label.loc[traffic.cells] = "storage"
    return label


@rule(
    "answered-by",
    ("warning", "info"),
    "says how much of what was read and written crossed the mount or reached the "
    "device; hardly anything did",
    ("crossed_cache", "crossed_storage"),
)
def answered(case: Case) -> Iterator[Finding]:
    """Say how much crossed."""
    for traffic in crossed(case):
        cached = share(max(1 - traffic.share, 0.0))
        verb = "reads" if traffic.way == "read" else "writes"
        if traffic.through == "mount":
            where, crossing = "left the client", "crossed the mount"
        else:
            where, crossing = "reached the device", "reached it"
        hardly = traffic.share <= case.limits["crossed_cache"]
        system, tool = traffic.group.system.name, traffic.group.tool
        yield Finding(
            "warning" if hardly else "info",
            f"{system}: {cached} of these {verb} never {where}"
            if cached != share(0)
            else f"{system}: all of these {verb} {where}",
            f"{title_of(tool)}, a run: {format_size(traffic.demanded)} {traffic.way}, "
            f"{format_size(traffic.crossed)} {crossing}",
            "measure larger files, or give the tools less memory (fsviz run)"
            if hardly
            else "",
            systems=[system],
            operations=list(case.cells.loc[traffic.cells, "operation"].astype(str)),
            tool=tool,
            cells=traffic.cells,
            place=traffic.group.place,
        )


@rule(
    "busy-machine",
    ("warning",),
    "other processes used the processors during a run, or one was too hot",
    ("others_share",),
)
def busy_machine(case: Case) -> Iterator[Finding]:
    """Find runs in which other processes took much of a processor, or heat did."""
    for group in case.groups:
        counted = [facts.get(COUNTERS) for facts in group.runs["facts"]]
        counters = [c for c in counted if isinstance(c, dict) and c.get("seconds")]
        for message, seen, advice in _disturbed(case, counters):
            yield Finding(
                "warning",
                f"{group.system.name}: {message}",
                f"{title_of(group.tool)}: {seen}",
                advice,
                systems=[group.system.name],
                tool=group.tool,
                place=group.place,
            )


def _disturbed(
    case: Case, counters: list[dict[str, Any]]
) -> Iterator[tuple[str, str, str]]:
    """Say what disturbed the runs of a group, where that is seen, and what to do."""
    if hot := [c["throttled"] for c in counters if c.get("throttled")]:
        during = f"{count(len(hot), 'run')} of {len(counters)}"
        yield (
            f"a processor was too hot and slowed down during {during}",
            f"core_throttle_count rose by up to {max(hot)}",
            "cool the machine, and measure again",
        )
    shares = [c.get("others_cpu", 0.0) / c["seconds"] for c in counters]
    if busy := [part for part in shares if part >= case.limits["others_share"]]:
        during = f"{count(len(busy), 'run')} of {len(shares)}"
        yield (
            f"other processes used {share(max(busy))} of a processor during {during}",
            "/proc/stat before and after each run",
            "stop what else runs on this machine, and measure again",
        )
