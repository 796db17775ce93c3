r"""The commands of a campaign that would pass, from what ``campaign.toml`` states.

Everything that the rules ask for is decided here once: sizes from the RAM, a flush
within the time, a remount before each test, the same command for all systems, repeats,
and an order shuffled anew in each round.

The sizes can be cut by a factor to try a plan out. The RAM is then cut by the same
factor in all that is computed, so the results pass only against a machine, or a
``client_ram``, that is as much smaller.
"""

from __future__ import annotations

import random
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fsviz.checks.words import iozone_size
from fsviz.model.errors import UsageError, printable, quoted
from fsviz.model.escaping import folder_name
from fsviz.model.facts import System
from fsviz.model.thresholds import limits
from fsviz.model.units import KIB, MIB, format_size, significant

if TYPE_CHECKING:
    from fsviz.campaigns.campaign_toml import CampaignFile

PROMISED = (
    "no-storage-cells",
    "whole-file-record",
    "write-back",
    "unflushed-network-write",
    "test-file-elsewhere",
    "warm-first-read",
    "invalid-mode",
    "settings-differ",
    "too-few-runs",
    "incomplete-run",
    "small-for-memory",
)
"""Rules that stay silent, or at most info, on what a plan measures at full size."""

_SMALLEST_FILE = 16 * MIB
"""At 3 GB/s this takes 5 ms."""

_SMALLEST_RECORD, _RECORDS = 4 * KIB, 4
"""Records go up to the smallest file divided by this: none is a whole file."""

_TESTS = 6
"""Of -i 0 -i 1 -i 2: write and rewrite, read and reread, random read and write."""

SPEED = 200 * MIB
"""What a plan's duration is estimated with [B/s]: a disk, or two gigabit links."""

_FILES = 128
"""bonnie++'s -n, in units of 1024 files."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """What a plan measures [B]; ``files`` is bonnie++'s ``-n``."""

    ram: int
    smallest: int
    largest: int
    record: int
    files: int


def sizes(ram: int, scale: float = 1.0, multiple: float = 3.0) -> Sizes:
    """Choose file and record sizes for a client.

    Parameters
    ----------
    ram : int
        Memory of the client [B].
    scale : float
        Factor by which all is cut, above 0 and at most 1.
    multiple : float
        Largest file ÷ RAM that is wanted.

    Returns
    -------
    Sizes
        The largest file is the smallest one doubled until it reaches the multiple.

    Examples
    --------
    >>> found = sizes(1536 * MIB)
    >>> iozone_size(found.smallest), iozone_size(found.largest)
    ('16m', '8g')
    """
    cut = max(int(ram * scale), MIB)
    smallest = max(_power_of_two(_SMALLEST_FILE * scale), 64 * KIB)
    largest = smallest
    while largest < multiple * cut:
        largest *= 2
    record = max(smallest // _RECORDS, _SMALLEST_RECORD)
    return Sizes(cut, smallest, largest, record, max(round(_FILES * scale), 1))


def _power_of_two(number: float) -> int:
    return 1 << max(int(number), 1).bit_length() - 1


def write_plan(
    described: CampaignFile, *, scale: float = 1.0, repeats: int = 5, seed: int = 1
) -> str:
    """Write a shell script that measures every system of a campaign.

    Parameters
    ----------
    described : CampaignFile
        Names the systems; ``client_ram`` must be stated, ``mount_point`` should be.
    scale : float
        Factor by which sizes and RAM are cut, above 0 and at most 1.
    repeats : int
        Rounds, each with every system and tool once.
    seed : int
        Of the shuffled order.

    Returns
    -------
    str
        For ``sh``; the argument of the script is the campaign's folder.

    Raises
    ------
    UsageError
        If no system or no RAM is stated, or a number is out of range.
    """
    if not 0 < scale <= 1:
        raise UsageError(f"--scale: expected a factor in (0, 1], found {scale:g}")
    if repeats < 1:
        raise UsageError(f"--repeats: expected 1 or more, found {repeats}")
    systems = _systems(described)
    _check_folders(systems)
    chosen = _chosen(described, systems, scale)
    moved = volume(chosen) * len(systems) * repeats
    lines = [
        *_head(described, systems, chosen, scale),
        *_duration(moved),
        *_preparation(),
        *_functions(chosen),
        *_rounds(systems, repeats, seed),
    ]
    return "\n".join(lines) + "\n"


def _chosen(described: CampaignFile, systems: Sequence[System], scale: float) -> Sizes:
    rams = [system.ram for system in systems if system.ram]
    if len(rams) < len(systems):
        unsaid = [s.name for s in systems if not s.ram]
        raise UsageError(
            f"--plan: state client_ram of {', '.join(map(printable, unsaid))}"
        )
    multiple = limits(described.thresholds)["storage_multiple"]
    return sizes(max(rams), scale, multiple)


def volume(chosen: Sizes) -> int:
    """Say how much IOzone reads and writes in one run of a plan [B].

    Examples
    --------
    >>> volume(sizes(1536 * MIB)) // 1024**3
    1054
    """
    files = _doublings(chosen.smallest, chosen.largest)
    records = _doublings(_SMALLEST_RECORD, chosen.record)
    return sum(files) * len(records) * _TESTS


def _doublings(first: int, last: int) -> list[int]:
    return [first << n for n in range((last // first).bit_length())]


def how_long(moved: int) -> str:
    """Say how long it takes to read and write so much at `SPEED`.

    Examples
    --------
    >>> how_long(1054 * 1024**3), how_long(20 * 1024**3)
    ('90 minutes', '1.7 minutes')
    """
    seconds = moved / SPEED
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 1.5 * length or length == 60:
            return f"{significant(seconds / length, 2)} {unit}"
    return ""


def planned_volume(described: CampaignFile, repeats: int = 5) -> int:
    """Say how much IOzone reads and writes in all runs of a plan [B]."""
    systems = _systems(described)
    return volume(_chosen(described, systems, 1.0)) * len(systems) * repeats


def _duration(moved: int) -> Iterable[str]:
    speed = f"{SPEED // MIB} MiB/s"
    yield f"# IOzone reads and writes {format_size(moved)} in all,"
    yield f"# which takes {how_long(moved)} at {speed}. To make that shorter, limit the"
    yield "# memory of the client: a smaller virtual machine, or a memory cgroup."
    yield ""


def _systems(described: CampaignFile) -> list[System]:
    shared = described.facts.model_dump()
    found = []
    for entry in described.system:
        own = {k: v for k, v in entry.model_dump().items() if isinstance(v, str)}
        facts = {k: v for k, v in shared.items() if v} | own
        found.append(System(entry.name, facts))
    if not found:
        raise UsageError("--plan: expected [[system]] in campaign.toml, found none")
    return found


def _check_folders(systems: Sequence[System]) -> None:
    """Refuse two systems whose results would lie in one folder."""
    taken: dict[str, str] = {}
    for system in systems:
        other = taken.setdefault(folder_name(system.name), system.name)
        if other != system.name:
            raise UsageError(
                f"--plan: expected names that differ as names of folders, found "
                f"{quoted(other)} and {quoted(system.name)}"
            )


def _mount(system: System) -> str:
    stated = system.stated.get("mount_point", f"/mnt/{folder_name(system.name)}")
    if not stated.startswith("/"):
        raise UsageError(
            f"--plan: mount_point of {printable(system.name)}: expected an absolute "
            f"path, found {quoted(stated)}"
        )
    if not stated.isprintable():
        # the script is shown in terminals and run by a shell
        raise UsageError(
            f"--plan: mount_point of {printable(system.name)}: expected a path of "
            f"printable characters, found {quoted(stated)}"
        )
    return stated


def _head(
    described: CampaignFile, systems: Sequence[System], chosen: Sizes, scale: float
) -> Iterable[str]:
    title = printable(described.title or "a campaign")
    yield "#!/bin/sh"
    yield f"# {title}"
    yield "# Written by fsviz check --plan. Usage: sh plan.sh FOLDER-OF-CAMPAIGN-TOML"
    yield "#"
    span = f"{format_size(chosen.smallest)} to {format_size(chosen.largest)}"
    yield f"# Files from {span}"
    yield f"# for a client with {format_size(chosen.ram)} of RAM."
    if scale != 1:
        yield f"# RAM and sizes are cut by the factor {scale:g}: a trial. The results"
        ram = f"{chosen.ram // MIB} MiB"
        yield f'# pass only with client_ram = "{ram}", and short tests'
        yield "# (too-short, clock-quantised, unstable-cell) are to be expected."
    yield "# Each mount needs an entry in /etc/fstab, because IOzone remounts it (-U),"
    yield f"# and {format_size(chosen.largest)} of free space. Remounting needs root."
    yield from (printable(f"#   {s.name}: {_mount(s)}") for s in systems)
    for system in systems:
        folder = folder_name(system.name)
        if folder != system.name:
            yield printable(f"# The folder of {system.name} is {folder}.")
    yield "# Rules that then have nothing to complain about:"
    for start in range(0, len(PROMISED), 4):
        yield f"#   {', '.join(PROMISED[start : start + 4])}"


def _preparation() -> Iterable[str]:
    yield "set -eu"
    yield "results=${1:?folder of the campaign}"
    yield "for tool in iozone bonnie++; do"
    yield '    command -v "$tool" >/dev/null && continue'
    yield '    echo "$tool: not found" >&2; exit 1'
    yield "done"
    yield ""


def _functions(chosen: Sizes) -> Iterable[str]:
    ram = max(chosen.ram // MIB, 1)
    options = (
        f"-Race -z -i 0 -i 1 -i 2 -n {iozone_size(chosen.smallest)} "
        f"-g {iozone_size(chosen.largest)} -y {iozone_size(_SMALLEST_RECORD)} "
        f"-q {iozone_size(chosen.record)}"
    )
    yield 'remount() { umount "$1" 2>/dev/null || true; mount "$1"; }'
    yield ""
    yield "run_iozone() {  # system, mount point, round"
    yield '    mkdir -p "$results/iozone/$1"'
    yield '    remount "$2"'
    yield f"    iozone {options} \\"
    yield '        -U "$2" -f "$2/fsviz.tmp" \\'
    yield '        -b "$results/iozone/$1/rep$3.xls" > "$results/iozone/$1/rep$3.txt"'
    yield "}"
    yield ""
    yield "run_bonnie() {  # system, mount point, round"
    yield '    mkdir -p "$results/bonnie++/$1"'
    yield '    remount "$2"'
    yield f'    bonnie++ -q -f -d "$2" -s {2 * ram}m -r {ram}m -n {chosen.files} \\'
    yield '        -m "$1" -u "$(id -u):$(id -g)" > "$results/bonnie++/$1/rep$3.csv"'
    yield "}"


def _rounds(systems: Sequence[System], repeats: int, seed: int) -> Iterable[str]:
    order = random.Random(seed)  # noqa: S311 - a shuffle that can be repeated
    for number in range(1, repeats + 1):
        yield ""
        yield f"# round {number}"
        calls = [(tool, s) for tool in ("iozone", "bonnie") for s in systems]
        order.shuffle(calls)
        for tool, system in calls:
            words = (folder_name(system.name), _mount(system), str(number))
            yield f"run_{tool} {' '.join(map(shlex.quote, words))}"
