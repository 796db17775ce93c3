"""Lesson 6: plan your own campaign and run it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exercises.commands import hint_on_file, hint_on_run, read_command
from exercises.orders import SYSTEMS, hint_on_order
from exercises.trials import free_space, memory
from exercises.verdicts import Exercise
from fsviz.analysis.answers import DIFFERENT
from fsviz.analysis.regimes import STORAGE, memory_of
from fsviz.answers.comparison import compare
from fsviz.checks.phrases import iozone_size
from fsviz.model.units import GIB, format_size, significant

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign
    from fsviz.readers.iozone.options import Options

_ENOUGH = 0.95
"""Share of three times the memory that still counts as right: learners round."""
MOUNT = "/mnt/new"
"""Where the storage of the exercise is mounted."""


def large_enough(campaign: Campaign) -> Exercise:
    """Ask for the smallest file that shows this machine's storage [GiB]."""
    ram = _ram(campaign)
    right = STORAGE * ram / GIB
    return Exercise(
        right,
        "Take the memory from the table. How many times as large must a file be to "
        "measure storage? See lesson two.",
        f"{STORAGE:g} × {format_size(ram)} = {significant(right)} GiB (IOzone's "
        "Run_rules). Such a test takes a long time. So people reduce the memory "
        "instead, with a virtual machine or with a memory limit for the benchmark, as "
        "in onehost-2026.",
        (
            (ram / GIB, "Most of such a file still fits into memory."),
            (
                2 * ram / GIB,
                "bonnie++ requires that much, but half of such a file may be cached.",
            ),
            (STORAGE * ram / GIB * 1024, "That is in MiB; the question asks for GiB."),
            (
                free_space() / GIB,
                "That is the free space, which does not matter for caches.",
            ),
        ),
        unit="GiB",
        tolerance=0.05,
    )


def good_order(campaign: Campaign) -> Exercise:  # noqa: ARG001 - no campaign decides
    """Ask for an order of runs that gives neither system an advantage in time."""
    first, second = SYSTEMS
    return Exercise(
        hint_on_order,
        "Let the systems take turns, and shuffle: each system should run early, in the "
        "middle and late.",
        f'For example ["{first}", "{second}", "{second}", "{first}", "{first}", '
        f'"{second}"]. If all runs of one system come first, any change '
        "over time looks like a difference between the systems: a warm cache, a busy "
        "neighbour, a full disk. Let a computer shuffle, because people are bad at it.",
        example=[first, second, second, first, first, second],
    )


def honest_command(campaign: Campaign) -> Exercise:
    """Ask for a command line that tests writing and reading of a mount."""
    ram = _ram(campaign)
    # the next power of two, which -a reaches by doubling
    size = iozone_size(1 << int(STORAGE * ram - 1).bit_length())
    honest = (
        f"iozone -a -c -e -i 0 -i 1 -n 16m -g {size} -U {MOUNT} -f {MOUNT}/testfile"
    )
    return Exercise(
        lambda answer: hint_on_command(answer, ram),
        "Give sizes with -a (and -n, -g) or -s, and tests with -i. -e includes the "
        "flush in the time, and -f names the file.",
        f"`{honest}`. -e includes fsync in the time. -c includes the close, when a "
        "network file system sends the remaining data. -U remounts between the tests, "
        "so that reads do not come from memory (iozone(1), nfs(5)). The largest file "
        "is at least three times the memory.",
        example=honest,
    )


def run_command(campaign: Campaign) -> Exercise:  # noqa: ARG001 - no campaign decides
    """Ask for the command that plans and measures two mounts."""
    example = "fsviz run lab nfs=/mnt/nfs smb=/mnt/smb --within 2h"
    return Exercise(
        hint_on_run,
        "`fsviz run --help` prints an example. The first system is the baseline.",
        f"`{example}`. Before you start it, add --dry-run: it then prints the sizes, "
        "rounds and bytes, and measures nothing. The command chooses files larger than "
        "the memory, flushes writes, names the test files, and lets the systems take "
        "turns. It stops when the answer is clear.",
        example=example,
    )


def _ram(campaign: Campaign) -> float:
    """Memory of this machine, else of the campaign's [B]."""
    return memory() or next(iter(memory_of(campaign).values()))


def hint_on_command(answer: object, ram: float) -> str:
    """Say what is wrong with a command line on a machine with so much memory [B].

    >>> hint_on_command("iozone -a -e -V 5 -g 4g -f /mnt/new/t", 2**30)
    '-V makes IOzone check the data, and the numbers are then invalid.'
    """
    options = read_command(answer)
    if isinstance(options, str):
        return options
    if hint := hint_on_file(options, MOUNT):
        return hint
    for letter in ("V", "+d"):
        if letter in options:
            return (
                f"-{letter} makes IOzone check the data, and the numbers are then "
                "invalid."
            )
    if "+X" in options:
        return "-+X is for developers of file systems; its numbers are invalid."
    if "I" in options:
        return (
            "-I goes around the page cache, which few programs do. -I does not wait "
            "until the disk has emptied its own cache (open(2), O_DIRECT). Leave it "
            "out and use -e, which includes the flush in the time."
        )
    if not options.flushed:
        return _unflushed(options)
    if options.tests is not None and not {0, 1} <= options.tests:
        return "Writing is test 0, reading is test 1: ask for both with -i."
    if not {"a", "A", "s"} & set(options.values):
        return "Which sizes? Use -a for a range of sizes, or -s for one."
    return _too_small(options, ram)


def _too_small(options: Options, ram: float) -> str:
    """Say that the largest file fits into memory, or that there is no file at all."""
    given = options.sizes("n")
    if given and given[-1] > options.largest_file:
        return "The smallest file (-n) is larger than the largest file (-g)."
    if options.largest_file >= _ENOUGH * STORAGE * ram:
        return ""
    return (
        f"The largest file is {format_size(options.largest_file)} and the memory is "
        f"{format_size(ram)}, so the data come from memory. Lesson two says how large "
        "the file has to be."
    )


def _unflushed(options: Options) -> str:
    if "c" in options:
        return (
            "-c includes the close in the time. At the close, NFS asks the server to "
            "store the data (COMMIT), but SMB and local file systems need not do so. "
            "Add -e, which includes fsync in the time."
        )
    return (
        "Nothing forces a write to reach the storage before the clock stops, so "
        "add -e, which includes fsync in the time."
    )


def differences(campaign: Campaign) -> Exercise:
    """Ask how many comparisons of a system with itself came out different."""
    rows = compare(campaign, sizes="all").rows
    rows = rows.loc[rows["metric"] == "throughput"]
    right = int(rows["answer"].isin(DIFFERENT).sum())
    return Exercise(
        right,
        "Count the rows of the table whose answer is faster or slower.",
        f"{right} of {len(rows)}. Both systems are folders of one disk, so every "
        "difference is chance or drift. If this trial finds a difference, suspect "
        "the set-up before you believe its other results. Inconclusive does not mean "
        "the same. "
        "It means that the runs scatter too much to decide.",
        (
            (len(rows), "That is every row. Look at the column answer."),
            (
                int(rows["answer"].eq("inconclusive").sum()),
                "Inconclusive means that no difference was shown.",
            ),
        ),
        unit="comparisons",
        tolerance=0.001,
    )
