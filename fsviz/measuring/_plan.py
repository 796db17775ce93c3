"""A design for a budget: sizes, records and rounds that fit into the time there is.

As few cells as the question needs: three file sizes, below, at and above the memory,
and up to three record sizes. Where RAM makes files above it too long to write, the
tools get less memory (`fsviz.measuring.places.memory_group`), from `SMALLEST` on.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from fsviz.analysis.regimes import STORAGE
from fsviz.analysis.tests import FEWEST
from fsviz.campaigns.campaign_toml import NAME, Measured
from fsviz.measuring.tools import TOOLS
from fsviz.model.errors import printable
from fsviz.model.units import GIB, KIB, MIB, format_size, significant

T = TypeVar("T")

SPEED = 200 * MIB
"""What is assumed before a trial [B/s]: a disk, or two gigabit links."""
TRIAL = 0.1
"""Share of the budget that the trial may take."""
FEW, USUAL, MOST = 5, 10, 15
"""Rounds that a design should have, aims at, and has at most."""
SMALLEST = 64 * MIB
"""Memory [B] in which the tools still work."""
_TRIED = 4 * MIB
"""Memory [B] of the design that is tried."""
_RECORDS = ((MIB,), (64 * KIB, MIB), (4 * KIB, 64 * KIB, MIB))
_WEIGHT = {4 * KIB: 8.0, 64 * KIB: 2.0, MIB: 1.0}
"""Time that a byte takes in records of a size, of IOzone on a disk of this machine."""
FILES = 32
"""Small files that bonnie++ makes, in 1024: fewer are made in less than its clock."""
_RESERVE = 0.9
"""Share of the budget that is planned with."""


def first_design(
    question: str, tools: Sequence[str], within: float, seed: int
) -> Measured:
    """Return the design of the trial: the smallest, with large records.

    Units: `within` [s].
    """
    return Measured(
        tools=list(tools),
        question=question,
        within_s=within,
        seed=seed,
        rounds=USUAL,
        files=FILES // 8,
        memory=_TRIED,
        file_sizes=_files(_TRIED),
        record_sizes=list(_RECORDS[0]),
    )


def _files(memory: int) -> list[int]:
    return [memory // 4, memory, 3 * memory]


def designs(tried: Measured, ram: int, can_limit: bool) -> Iterator[Measured]:
    """List the designs that could follow a trial, the best first.

    Less memory is given up before record sizes are.

    Units: `ram` [B].
    """
    memories = [ram]
    while memories[-1] > SMALLEST:
        # a power of two, so that sizes are round
        memories.append(1 << (memories[-1] - 1).bit_length() - 1)
    least = memories[-1]
    choices = [(memory, _RECORDS[-1]) for memory in memories]
    choices += [(least, records) for records in reversed(_RECORDS[:-1])]
    for memory, records in choices:
        changes = {
            "memory": memory,
            "limited": can_limit and memory < ram,
            "files": FILES,
            "file_sizes": _files(memory),
            "record_sizes": list(records),
        }
        yield tried.model_copy(update=changes)


def effort(design: Measured, tool: str) -> float:
    """Return how much a tool does in a run, to compare designs of one tool."""
    moved = TOOLS[tool].moves(design)
    if tool != "iozone":
        return float(moved)
    weights = [_WEIGHT[record] for record in design.record_sizes]
    return moved * sum(weights) / len(weights)


def fitting(
    tried: Measured,
    took: Mapping[str, float],
    left: float,
    room: int,
    *,
    ram: int,
    can_limit: bool,
) -> Measured:
    """Choose the largest design whose rounds fit, or the smallest with fewer rounds.

    Units: `left` [s], `room, ram` [B]; `took` is what a round of each tool took in the
    trial [s].
    """
    chosen = tried
    for design in designs(tried, ram, can_limit):
        if needed(design) > room:
            continue
        chosen = design
        if seconds(design, tried, took) * (USUAL + 1) <= left * _RESERVE:
            break
    a_round = seconds(chosen, tried, took)
    # one round warms up
    return with_rounds(chosen, a_round, left * _RESERVE - a_round)


def with_rounds(design: Measured, a_round: float, left: float) -> Measured:
    """Plan as many rounds as fit: 15 at most, and 3 at least, without which no answer.

    Units: `a_round, left` [s].
    """
    rounds = min(max(int(left / max(a_round, 1e-3)), FEWEST), MOST)
    return design.model_copy(update={"rounds": rounds, "seconds_a_round": a_round})


def order(systems: Sequence[T], round_: int, seed: int) -> list[T]:
    """Draw the order of a round: in pairs of rounds, the second is the reverse.

    So no order is in all rounds, and what changes evenly cancels.

    >>> [order("abc", n, 1) == order("abc", n + 1, 1)[::-1] for n in (1, 2, 3)]
    [True, False, True]
    """
    drawn = random.Random(f"{seed}:{(round_ + 1) // 2}")  # noqa: S311 - to be repeated
    systems_drawn = list(systems)
    drawn.shuffle(systems_drawn)
    return systems_drawn if round_ % 2 else systems_drawn[::-1]


def seconds(design: Measured, tried: Measured, took: Mapping[str, float]) -> float:
    """Foretell how long a round takes [s]."""
    return sum(
        took.get(tool, 0.0) * effort(design, tool) / effort(tried, tool)
        for tool in design.tools
    )


def needed(design: Measured) -> int:
    """Return how much room a design needs on each mount [B]."""
    return max(TOOLS[tool].fills(design) for tool in design.tools)


def volume(design: Measured, systems: int) -> int:
    """Return how much all rounds read and write [B], the warm-up too."""
    once = sum(TOOLS[tool].moves(design) for tool in design.tools)
    return once * systems * (design.rounds + 1)


def assumed(design: Measured, systems: int) -> dict[str, float]:
    """Assume the time of a round where nothing has been tried [s]."""
    return {tool: systems * effort(design, tool) / SPEED for tool in design.tools}


def size_lines(
    design: Measured,
    systems: Sequence[str],
    ram: int,
    servers: Mapping[str, int | None],
) -> Iterator[str]:
    """Say what is measured, and what that cannot tell.

    Units: `ram` [B]; `servers` is the memory of each network system's server [B].
    """
    cells = len(design.file_sizes) * len(design.record_sizes)
    files = ", ".join(format_size(size) for size in design.file_sizes)
    records = ", ".join(format_size(size) for size in design.record_sizes)
    yield f"{len(systems)} systems: {', '.join(systems)}; {', '.join(design.tools)}"
    if "iozone" in design.tools:
        yield f"IOzone: files of {files}; records of {records}; {6 * cells} cells"
    if design.limited:
        yield (
            f"the tools get {format_size(design.memory)} of memory, not "
            f"{format_size(ram)}: larger files are not read from this machine's cache"
        )
    elif design.memory < ram and "iozone" in design.tools:
        yield (
            f"cannot tell: anything about files above {format_size(ram)} of memory, "
            "for want of the right to limit it. Start it as root, or by systemd-run "
            f"--scope -p MemoryMax=1G; files of {format_size(3 * GIB)} will do then"
        )
    for system, memory in servers.items():
        if memory is None:
            yield (
                f"cannot tell: whether {printable(system)} reads from its disk, as the "
                f"memory of its server is not known. State server_ram in {NAME}"
            )
        elif (largest := max(design.file_sizes)) < STORAGE * memory:
            yield (
                f"cannot tell: how fast the disk of {printable(system)} is, as its "
                f"server's {format_size(memory)} of memory can hold much of a file of "
                f"{format_size(largest)}"
            )
    yield (
        "cannot tell: other file or record sizes, several clients at once, or a system "
        "that has been filled for months"
    )


def round_lines(design: Measured, systems: int) -> Iterator[str]:
    """Say how many rounds there are, and how long they take."""
    yield (
        f"{design.rounds} rounds at most, after one to warm up, of "
        f"{significant(design.seconds_a_round, 2)} s each; "
        f"{format_size(volume(design, systems))} read and written"
    )
    if design.rounds < FEW:
        yield (
            f"only {design.rounds} rounds fit: large differences alone will show; "
            f"{FEW} need --within {significant(a_minimum(design), 2)}s"
        )


def a_minimum(design: Measured) -> float:
    """Return the budget in which five rounds fit [s]."""
    return design.seconds_a_round * (FEW + 1) / _RESERVE / (1 - TRIAL)
