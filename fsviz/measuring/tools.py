"""The tools that measure: what each can be asked, its command, how much it moves."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fsviz.campaigns.campaign_toml import Measured
from fsviz.checks.phrases import iozone_size
from fsviz.model.errors import UsageError
from fsviz.model.names import choose
from fsviz.model.units import KIB, MIB
from fsviz.model.writing import real_folder, write_file

Command = Callable[[Measured, Path, Path], list[str]]
"""From a design, the folder to write to, and the tree to copy, to words."""

FILE = 32 * KIB
"""Size of a file of the tree that rsync copies."""

QUESTIONS = ("throughput", "small-files", "latency", "everything")


@dataclass(frozen=True, slots=True)
class Tool:
    """A program that measures, and how it is asked."""

    name: str
    package: str
    answers: tuple[str, ...]
    command: Command
    suffix: str
    moves: Callable[[Measured], int]
    fills: Callable[[Measured], int]
    copies: bool = False


def _iozone(design: Measured, folder: Path, _: Path) -> list[str]:
    sizes = [w for size in design.file_sizes for w in ("-s", iozone_size(size))]
    records = [w for size in design.record_sizes for w in ("-r", iozone_size(size))]
    # -c and -e: close and flush count, for all systems alike
    tests = ["-c", "-e", "-i", "0", "-i", "1", "-i", "2"]
    return ["iozone", *tests, *sizes, *records, "-f", str(folder / "iozone.tmp")]


def _bonnie(design: Measured, folder: Path, _: Path) -> list[str]:
    ram = max(design.memory // MIB, 1)
    user = f"{os.getuid()}:{os.getgid()}"
    sizes = ["-s", f"{2 * ram}m", "-r", f"{ram}m", "-n", str(design.files)]
    return ["bonnie++", "-q", "-f", "-d", str(folder), *sizes, "-u", user]


def _fio(design: Measured, folder: Path, _: Path) -> list[str]:
    size = max(design.file_sizes)
    common = [
        *(
            "fio",
            # a colon ends a name (fio(1))
            "--directory=" + str(folder).replace(":", "\\:"),
            "--filename=fio.tmp",
            "--ioengine=psync",
        ),
        *("--refill_buffers", "--end_fsync=1", "--output-format=json"),
        *(f"--size={size}", f"--io_size={size}"),
    ]
    large = [("write", "1m"), ("read", "1m"), ("randwrite", "64k"), ("randread", "64k")]
    small = [("randwrite", "4k"), ("randread", "4k")]
    jobs = small if design.question == "latency" else large
    if design.question == "latency":
        common[-1] = f"--io_size={max(size // 16, MIB)}"
    for name, block in jobs:
        common += [f"--name={name}", "--stonewall", f"--rw={name}", f"--bs={block}"]
    return common


def _rsync(_: Measured, folder: Path, tree: Path) -> list[str]:
    return ["rsync", "-a", "--stats", "--fsync", f"{tree}/", str(folder / "tree/")]


def _grid(design: Measured) -> int:
    return 6 * sum(design.file_sizes) * len(design.record_sizes)


TOOLS = {
    tool.name: tool
    for tool in (
        Tool(
            *("iozone", "iozone3", ("throughput",), _iozone, "txt"),
            moves=_grid,
            fills=lambda design: max(design.file_sizes),
        ),
        Tool(
            *("bonnie++", "bonnie++", ("small-files",), _bonnie, "csv"),
            moves=lambda design: 8 * design.memory + design.files * 1024 * 4 * KIB,
            fills=lambda design: 2 * design.memory,
        ),
        Tool(
            *("rsync", "rsync", ("small-files",), _rsync, "stats.txt"),
            moves=lambda design: 2 * tree_files(design) * FILE,
            fills=lambda design: tree_files(design) * FILE,
            copies=True,
        ),
        Tool(
            *("fio", "fio", ("throughput", "latency"), _fio, "json"),
            moves=lambda design: 4 * max(design.file_sizes),
            fills=lambda design: max(design.file_sizes),
        ),
    )
}
"""In the order in which they measure in a round."""


def tree_files(design: Measured) -> int:
    """Count the files that are copied: as much as the memory, 2000 at most."""
    return max(min(design.memory // FILE, 2000), 16)


def chosen_tools(question: str, named: Sequence[str]) -> tuple[list[str], list[str]]:
    """Choose the tools of a question that are here; also say what is missing."""
    if question not in QUESTIONS:
        raise UsageError(
            f"--question: expected one of {', '.join(QUESTIONS)}, found {question!r}"
        )
    names = choose("--tools", list(named), list(TOOLS)) or [
        tool.name
        for tool in TOOLS.values()
        if question == "everything" or question in tool.answers
    ]
    here = [name for name in TOOLS if name in names and shutil.which(name)]
    missing = [
        f"{name}: not installed; its package is {TOOLS[name].package}"
        for name in names
        if name not in here
    ]
    if not here:
        raise UsageError("\n".join(missing))
    if question == "throughput" and not named:
        here = here[:1]  # one answers it; the others stand in for it
    return here, missing


def make_tree(folder: Path, files: int, seed: int) -> None:
    """Write the files that are copied, the same for one seed, or read them warm."""
    real_folder(folder)
    drawn = random.Random(seed)  # noqa: S311 - to be drawn again, not to be secret
    for number in range(files):
        path, data = folder / f"{number:06d}", drawn.randbytes(FILE)
        if not path.is_file() or path.read_bytes() != data:
            write_file(path, data)
