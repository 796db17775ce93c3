"""Sentences of findings: lists, counts, places, and command lines put right."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from fsviz.checks.findings import Finding
from fsviz.model.errors import printable
from fsviz.model.table import METRICS, OPERATIONS
from fsviz.model.units import GIB, KIB, MIB, format_size, format_value, significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.checks.case import Case, Group
    from fsviz.readers.iozone.options import Options

MOST = 4
"""Names that a sentence holds."""


def listing(names: Iterable[str], most: int = MOST) -> str:
    """Join names; of too many, say how many more there are.

    >>> listing(["a", "b"]), listing("abcdefg")
    ('a and b', 'a, b, c and 4 more')
    """
    shown = [printable(name) for name in dict.fromkeys(names)]
    if len(shown) > most:
        shown = [*shown[: most - 1], f"{len(shown) - most + 1} more"]
    if len(shown) < 2:
        return "".join(shown)
    return f"{', '.join(shown[:-1])} and {shown[-1]}"


def titles(operations: Iterable[str]) -> str:
    """Join operations as people say them, in the order in which tools print them."""
    names = set(operations)
    return listing((t for name, t in OPERATIONS.items() if name in names), most=5)


def count(number: int, noun: str) -> str:
    """Say how many.

    >>> count(1, "cell"), count(1224, "cell")
    ('1 cell', '1,224 cells')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def of_cells(number: int, total: int) -> str:
    """Say how many of the cells.

    >>> of_cells(12, 68)
    '12 of 68 cells'
    """
    return f"{number:,} of {count(total, 'cell')}"


def sizes(cell: pd.Series) -> str:
    """Say what a cell is of, such as ``8 MiB by 64 KiB, 4 threads, iodepth=8``."""
    values = [cell["file_size_bytes"], cell["record_size_bytes"]]
    text = " by ".join(format_size(int(s)) for s in values if str(s) != "<NA>")
    return ", ".join(filter(None, [text, conditions(cell["threads"], cell["setting"])]))


def conditions(threads: object, setting: object) -> str:
    """Say under which threads and setting something was measured; one thread is usual.

    >>> conditions(4, "iodepth=8"), conditions(1, "sync=1"), conditions(None, "")
    ('4 threads, iodepth=8', 'sync=1', '')
    """
    has_threads = str(threads) not in ("1", "None", "<NA>")
    return ", ".join(filter(None, [f"{threads} threads" * has_threads, str(setting)]))


def value(number: float, metric: str) -> str:
    """Write a number of a metric.

    >>> value(1048576.0, "throughput"), value(0.00012, "latency")
    ('1 MiB/s', '120 µs')
    """
    return format_value(number, METRICS[metric].unit)


def seconds(number: float) -> str:
    """Write a time.

    >>> seconds(0.0000123), seconds(0.25), seconds(12.0)
    ('12.3 µs', '250 ms', '12 s')
    """
    return format_value(number, "s")


def share(number: float) -> str:
    """Write a share in percent.

    >>> share(0.1234), share(0.001)
    ('12 %', '0.1 %')
    """
    return f"{significant(100 * number, 2)} %"


def describe(case: Case, number: int, which: str = "high") -> str:
    """Describe the extreme value of a cell, with its place."""
    cell = case.cells.loc[number]
    at = int(cell[f"at_{which}"])
    where = sizes(cell)
    parts = [
        value(float(cell[which]), str(cell["metric"])),
        f"{str(cell['operation']).replace('_', ' ')}",
        f"of {where}" if where else "",
        f"({case.at(at)})",
    ]
    return " ".join(filter(None, parts))


def not_checkable(fact: str, systems: Sequence[str], example: str = "") -> Finding:
    """Say that a rule cannot answer because a fact is not stated."""
    line = f' = "{example}"' if example else ""
    return Finding(
        "info",
        f"not checkable: state {fact}",
        f"{fact} is not stated for {listing(systems)}" if systems else "",
        f"write {fact}{line} under [facts] or [[system]] of campaign.toml",
        systems=systems,
        fact=fact,
    )


def iozone_size(size: float) -> str:
    """Write a size as IOzone takes it, rounded up to whole units.

    >>> iozone_size(3 * 1536 * 1024**2), iozone_size(3 * 1024**3)
    ('4608m', '3g')
    """
    for unit, letter in ((GIB, "g"), (MIB, "m")):
        if size >= unit and size % unit == 0:
            return f"{int(size // unit)}{letter}"
    unit, letter = (MIB, "m") if size >= 16 * MIB else (KIB, "k")
    return f"{-int(-size // unit)}{letter}"


def amended(group: Group, add: Collection[str] = (), **new: str) -> str:
    """Write the command line of a group with options added or changed.

    Words that IOzone ignores are left out, and a test file is named where none is.
    """
    options = group.options
    if options is None:
        flags = [f"-{letter}" for letter in add]
        return " ".join([*flags, *(f"-{k} {v}" for k, v in new.items())])
    flags = [f"-{letter}" for letter in add if letter not in options]
    words = group.command_line.split()
    new = _test_files(group, options) | _another_workbook(options) | new
    words_left = _without(words[1:], new, options.operands)
    changed = [f"-{letter} {argument}" for letter, argument in new.items()]
    return printable(" ".join([words[0], *flags, *words_left, *changed]))


def with_larger_files(
    case: Case, groups: Sequence[Group], add: Collection[str] = ()
) -> str:
    """Write a command line with files that no client's memory holds."""
    ram = max(group.system.ram or 0 for group in groups)
    least = case.limits["storage_multiple"] * ram
    options = groups[0].options
    if options is None or not options.automatic or len(options.sizes("s")) > 1:
        return amended(groups[0], add, s=iozone_size(least))
    # it doubles the smallest file, and leaves out a size above -g that it jumps over
    size = max([*options.sizes("n")[-1:], KIB]) if "n" in options else 64 * KIB
    while size < least:
        size *= options.factor
    return amended(groups[0], add, g=iozone_size(size))


def without_cache(case: Case, group: Group, add: Collection[str] = ()) -> str:
    """Say with a command line how no test of IOzone finds its file in the memory.

    ``-U`` unmounts and mounts a mount point before each test (iozone(1)). Without a
    line in /etc/fstab it stays unmounted and IOzone 3.489 goes on in the folder below.
    Where the path is one of Windows there is none, so only larger files are advised.
    """
    if not _is_windows(group):
        mount = printable(group.system.stated.get("mount_point", "/MOUNTPOINT"))
        command = amended(group, add, U=mount)
        return (
            f"add {mount} to /etc/fstab, so that it can be mounted again, and empty "
            f"the client's cache before each test: `{command}`"
        )
    times = f"{case.limits['storage_multiple']:g} times the client's RAM"
    if group.system.ram is None:
        return f"use files of at least {times}"
    command = with_larger_files(case, [group], add)
    return f"use files of at least {times}: `{command}`"


def _is_windows(group: Group) -> bool:
    """Whether a path of the command line has a backslash or a drive letter."""
    return re.search(r"\\|(?:^|\s)[A-Za-z]:", group.command_line) is not None


def _test_files(group: Group, options: Options) -> dict[str, str]:
    """Name a test file, or one for each process, if the command line names none."""
    if group.has("f", "F", "+m"):
        return {}
    operand = options.operands[0].replace("\\", "/") if options.operands else ""
    mount = operand or group.system.stated.get("mount_point", "/MOUNTPOINT")
    if not options.threads:
        return {"f": posixpath.join(mount, "iozone.tmp")}
    files = (f"iozone.{n}" for n in range(max(options.threads)))
    return {"F": " ".join(posixpath.join(mount, name) for name in files)}


def _another_workbook(options: Options) -> dict[str, str]:
    """Name another file for ``-b``: the one that is there holds the first results."""
    if not options.workbook:
        return {}
    stem, suffix = posixpath.splitext(options.workbook)
    return {"b": f"{stem}-again{suffix}"}


def _without(
    words: Sequence[str], letters: Collection[str], operands: Sequence[str]
) -> list[str]:
    """Leave out some options that stand as words of their own, and operands."""
    words_left: list[str] = []
    skip = False
    for word in words:
        if skip or word in operands:
            skip = False
        elif word.startswith("-") and word[1:2] in letters and word[1:2] != "+":
            skip = len(word) == 2
        else:
            words_left.append(word)
    return words_left
