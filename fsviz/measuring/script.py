r"""The commands of a campaign that would pass, from what ``campaign.toml`` states.

Everything that the rules ask for is decided here once: sizes from the RAM, a flush
within the time, a remount before each test, the same command for all systems, repeats,
and systems that take turns in a balanced order.

The sizes can be cut by a factor to try a plan out. The RAM is then cut by the same
factor in all that is computed; the plan records it as ``planned_ram`` beside the
results, and they are judged by it.
"""

from __future__ import annotations

import glob
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.campaigns.starter import facts_lines
from fsviz.checks.phrases import iozone_size
from fsviz.model.errors import UsageError, printable, quoted
from fsviz.model.escaping import folder_name, toml_text
from fsviz.model.facts import System
from fsviz.model.names import Names, choose
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

_SPEED = f"{SPEED // MIB} MiB/s"

TOOLS = {
    "iozone": "run_iozone",
    "bonnie++": "run_bonnie",
    "rsync": "run_rsync",
    "hyperfine": "run_hyperfine",
    "fio": "run_fio",
}
"""Tools that a plan can use, and their functions in ``plan.sh``."""

_TREE = 2000
"""Files of 32 KiB that rsync and cp copy."""

_END = "END-OF-CAMPAIGN-TOML"

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

    Units: `ram` [B].

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
    described: CampaignFile,
    *,
    scale: float = 1.0,
    repeats: int = 5,
    tools: Names = ("iozone", "bonnie++"),
) -> str:
    """Write a shell script that measures every system of a campaign."""
    if not 0 < scale <= 1:
        raise UsageError(f"--scale: expected a factor in (0, 1], found {scale:g}")
    if repeats < 1:
        raise UsageError(f"--repeats: expected 1 or more, found {repeats}")
    chosen_tools = choose("--tools", tools, list(TOOLS))
    systems = _systems(described)
    _check_folders(systems)
    chosen = _chosen(described, systems, scale)
    moved = moved_by(chosen, chosen_tools, scale) * len(systems) * repeats
    lines = [
        *_head(described, systems, chosen, scale),
        *_quick(chosen_tools, scale),
        *_duration(moved),
        *_shorter(chosen, chosen_tools, len(systems) * repeats, scale),
        *_settings(chosen, chosen_tools, moved, len(systems) * repeats, scale),
        *_each(systems),
        *_description(described, systems, chosen_tools, chosen, scale),
        (Path(__file__).parent / "plan.sh").read_text(encoding="utf-8").rstrip(),
        *_rounds(systems, chosen_tools, repeats),
        'rm -rf "$part" "$tree"',
        'echo "Done: fsviz check $results" >&2',
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

    >>> how_long(1054 * 1024**3), how_long(20 * 1024**3), how_long(2 * 1024**3)
    ('90 minutes', '1.7 minutes', '10 seconds')
    """
    seconds = moved / SPEED
    for unit, length in (("days", 86400), ("hours", 3600), ("minutes", 60)):
        if seconds >= 1.5 * length:
            return f"{significant(seconds / length, 2)} {unit}"
    return f"{significant(seconds, 2)} seconds"


def planned_volume(described: CampaignFile, repeats: int = 5) -> int:
    """Say how much IOzone reads and writes in all runs of a plan [B]."""
    systems = _systems(described)
    return volume(_chosen(described, systems, 1.0)) * len(systems) * repeats


def moved_by(chosen: Sizes, tools: Sequence[str], scale: float = 1.0) -> int:
    """Say how much some tools read and write in one run each [B]."""
    tree = 2 * _tree_files(scale) * 32 * KIB
    parts = {
        "iozone": volume(chosen),
        # writes, reads and writes again, reads a file of twice the RAM
        "bonnie++": 4 * 2 * chosen.ram,
        "rsync": tree,
        "hyperfine": tree,
        "fio": 4 * chosen.largest,
    }
    return sum(parts[tool] for tool in tools)


def _tree_files(scale: float) -> int:
    return max(round(_TREE * scale), 16)


def _duration(moved: int) -> Iterable[str]:
    yield f"# In all it reads and writes {format_size(moved)},"
    yield f"# which takes {how_long(moved)} at {_SPEED}."


def _shorter(
    chosen: Sizes, tools: Sequence[str], runs: int, scale: float
) -> Iterable[str]:
    """Say what would take less time, and how much without IOzone's many records."""
    if scale == 1:
        yield "# To make that shorter, limit the memory of the client: a smaller"
        yield "# virtual machine, or a memory cgroup."
    else:
        yield "# To make that shorter, take a smaller --scale."
    others = [tool for tool in tools if tool != "iozone"]
    if others and len(others) < len(tools):
        moved = moved_by(chosen, others, scale) * runs
        yield f"# With --tools {','.join(others)} it is"
        yield f"# {format_size(moved)}, {how_long(moved)}."
    yield ""


def _quick(tools: Sequence[str], scale: float) -> Iterable[str]:
    if scale != 1 and "bonnie++" in tools:
        yield "# bonnie++ prints +++++ for what is over in less than half a second: if"
        yield "# it prints little else, take a larger --scale."


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
        yield f"# are judged as if the client had {_ram_text(chosen)}, and short tests"
        yield "# (too-short, clock-quantised, unstable-cell) are to be expected."
    yield "# Where all mounts are in /etc/fstab they are remounted, so that reads are"
    yield "# cold; that needs root or sudo. Each mount needs"
    yield f"# {format_size(_space(chosen))} of space."
    yield from (printable(f"#   {s.name}: {_mount(s)}") for s in systems)
    for system in systems:
        folder = folder_name(system.name)
        if folder != system.name:
            yield printable(f"# The folder of {system.name} is {folder}.")
    yield "# Rules that then have nothing to complain about:"
    for start in range(0, len(PROMISED), 4):
        yield f"#   {', '.join(PROMISED[start : start + 4])}"


def _space(chosen: Sizes) -> int:
    """Say how much room a mount needs [B]: for the largest file, and some more."""
    return max(chosen.largest, 2 * chosen.ram) * 9 // 8


def _ram_text(chosen: Sizes) -> str:
    return f"{max(chosen.ram // MIB, 1)} MiB"


def _settings(
    chosen: Sizes, tools: Sequence[str], moved: int, runs: int, scale: float
) -> Iterable[str]:
    quote = shlex.quote
    sizes_of_iozone = (
        f"-n {iozone_size(chosen.smallest)} -g {iozone_size(chosen.largest)} "
        f"-y {iozone_size(_SMALLEST_RECORD)} -q {iozone_size(chosen.record)}"
    )
    ram = max(chosen.ram // MIB, 1)
    yield "set -eu"
    yield "results=${1:?folder of the campaign}"
    yield "fsviz=${FSVIZ:-fsviz}"
    yield f"tools={quote(' '.join(tools))}"
    yield f"iozone_sizes={quote(sizes_of_iozone)}"
    yield f"ram_mib={ram} bonnie_files={chosen.files} tree_files={_tree_files(scale)}"
    yield f"fio_size={chosen.largest // KIB}k"
    # check judges a trial by this, also where campaign.toml states all of the RAM
    trial = f"planned_ram = {toml_text(_ram_text(chosen))}" if scale != 1 else ""
    yield f"trial={quote(trial)}"
    yield f"space_kib={_space(chosen) // KIB}"
    yield f"total={runs * len(tools)}"
    yield f"moved={quote(format_size(moved))} how_long={quote(how_long(moved))}"
    yield f"speed={quote(_SPEED)}"
    yield ""


def _each(systems: Sequence[System]) -> Iterable[str]:
    yield "each() {  # calls a function with each system and its mount point"
    for system in systems:
        words = (folder_name(system.name), _mount(system))
        yield f'    "$1" {" ".join(map(shlex.quote, words))}'
    yield "}"
    yield ""


def _description(
    described: CampaignFile,
    systems: Sequence[System],
    tools: Sequence[str],
    chosen: Sizes,
    scale: float,
) -> Iterable[str]:
    """Write the ``campaign.toml`` of the results, for a folder that has none."""
    shared = {k: v for k, v in described.facts.model_dump().items() if v}
    if scale != 1:
        shared["client_ram"] = _ram_text(chosen)
        shared["notes"] = f"a trial: RAM and sizes cut by the factor {scale:g}"
    yield f"describe() {{\n    cat <<'{_END}'"
    yield f"title = {toml_text(printable(described.title or 'A plan'))}"
    if described.baseline:
        yield f"baseline = {toml_text(described.baseline)}"
    yield from ("", "[facts]", *facts_lines(shared))
    for entry, system in zip(described.system, systems, strict=True):
        stated = entry.model_dump()
        own = {name: stated[name] for name in shared | stated if stated.get(name)}
        if scale != 1:
            own.pop("client_ram", None)
        folder = glob.escape(folder_name(system.name))
        files = [toml_text(f"{tool}/{folder}/rep*") for tool in tools]
        yield from ("", "[[system]]", f"name = {toml_text(system.name)}")
        yield f"files = [{', '.join(files)}]"
        yield from facts_lines(own)
    yield _END
    yield "}"
    yield ""


def _rounds(
    systems: Sequence[System], tools: Sequence[str], repeats: int
) -> Iterable[str]:
    for number in range(1, repeats + 1):
        yield ""
        yield f"# round {number}"
        for tool in tools:
            for place in balanced(len(systems), number - 1):
                system = systems[place]
                words = (folder_name(system.name), _mount(system), str(number))
                call = f"measure {tool} {TOOLS[tool]} "
                yield call + " ".join(map(shlex.quote, words))


def balanced(n: int, round_: int) -> list[int]:
    """Order systems in a round so that each follows each other one equally often.

    A row of Williams' square: after ``n`` rounds, or ``2n`` if ``n`` is odd, each has
    stood at each place and behind each other one equally often (Williams 1949,
    Australian Journal of Scientific Research 2, 149).

    >>> [balanced(4, r) for r in range(4)]
    [[0, 1, 3, 2], [1, 2, 0, 3], [2, 3, 1, 0], [3, 0, 2, 1]]
    """
    zigzag = [(i + 1) // 2 if i % 2 else (n - i // 2) % n for i in range(n)]
    row = [(place + round_) % n for place in zigzag]
    return row[::-1] if n % 2 and (round_ // n) % 2 else row
