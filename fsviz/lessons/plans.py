"""Lesson 6: plan your own campaign and run it."""

from __future__ import annotations

import posixpath
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING

from fsviz.analysis.deltas import compare
from fsviz.analysis.regimes import STORAGE, memory_of
from fsviz.analysis.welch import FEWEST
from fsviz.lessons.trials import SYSTEMS, memory
from fsviz.lessons.verdicts import Exercise
from fsviz.readers.iozone_options import parse_options
from fsviz.thresholds import limits
from fsviz.units import GIB, format_size, significant

if TYPE_CHECKING:
    from fsviz.campaign import Campaign

MOUNT = "/mnt/new"
"""Where the storage of the exercise is mounted."""


def large_enough(campaign: Campaign) -> Exercise:
    """Ask for the smallest file that shows this machine's storage [GiB]."""
    ram = memory() or next(iter(memory_of(campaign).values()))
    right = STORAGE * ram / GIB
    return Exercise(
        right,
        "How many times the memory does a file have to be, for storage to answer?",
        f"{STORAGE} × {format_size(ram)} = {significant(right)} GiB. That takes long, "
        "which is why people shrink the memory instead: in a virtual machine, or with "
        "a memory limit around the benchmark, as onehost-2026 did.",
        (
            (ram / GIB, "Such a file still fits into memory, most of it."),
            (
                2 * ram / GIB,
                "bonnie++ demands that; a third of the file may be cached.",
            ),
            (STORAGE * ram / GIB * 1024, "That is in MiB; the question asks for GiB."),
        ),
        unit="GiB",
        tolerance=0.05,
    )


def enough_runs(campaign: Campaign) -> Exercise:  # noqa: ARG001 - no campaign decides
    """Ask for the fewest runs about which `fsviz check` says nothing."""
    right = limits()["runs_info"]
    return Exercise(
        right,
        "`fsviz check --explain too-few-runs` prints the page of the rule; its "
        "severities stand in the table above.",
        f"{right:g}: from there on the rule too-few-runs is silent. With fewer than "
        f"{FEWEST} there is no test at all, and with {FEWEST} the factor of the "
        "interval is still large. More never hurt.",
        (
            (1, "One run tells nothing about the next."),
            (2, "Two runs have a difference, not yet a scatter that one could test."),
            (FEWEST, f"From {FEWEST} on there is a test, but check still speaks."),
        ),
        unit="runs",
        tolerance=0.001,
    )


def good_order(campaign: Campaign) -> Exercise:  # noqa: ARG001 - no campaign decides
    """Ask for an order of runs in which time is no one's advantage."""
    first, second = SYSTEMS
    return Exercise(
        hint_on_order,
        "Take turns, and shuffle: each system early, in the middle and late.",
        f'For example ["{first}", "{second}", "{second}", "{first}", "{first}", '
        f'"{second}"]. If all runs of one system come first, whatever changes '
        "over time (a warm cache, a busy neighbour, a full disk) looks like a "
        "difference between the systems. Let a computer shuffle: people are bad at it.",
    )


def hint_on_order(answer: object) -> str:
    """Say what is wrong with an order of runs; nothing if it is good."""
    if not isinstance(answer, list | tuple):
        return f'Give a list such as ["{SYSTEMS[0]}", "{SYSTEMS[1]}"].'
    strange = [name for name in answer if name not in SYSTEMS]
    if strange:
        return f"Only {' and '.join(SYSTEMS)} take part; found {strange[0]}."
    counts = Counter(answer)
    if min(counts[name] for name in SYSTEMS) < FEWEST:
        return f"Each system needs {FEWEST} runs or more, or nothing can be tested."
    if len(set(counts.values())) > 1:
        return "Give both systems as many runs."
    changes = sum(a != b for a, b in pairwise(answer))
    if changes == 1:
        return (
            "One system runs first and the other later: whatever drifts over time "
            "will look like a difference. Let them take turns."
        )
    return ""


def honest_command(campaign: Campaign) -> Exercise:  # noqa: ARG001 - no campaign decides
    """Ask for a command line that tests writing and reading of a mount."""
    return Exercise(
        hint_on_command,
        "Sizes with -a (and -n, -g) or -s; tests with -i; -e counts the flush; -f "
        "names the file.",
        f"`iozone -a -c -e -i 0 -i 1 -n 64k -g 1g -U {MOUNT} -f {MOUNT}/testfile`. -e "
        "puts fsync into the time, -c the close, which for a network file system "
        "sends the data; -U unmounts between the tests, so that reads do not come "
        "from memory.",
    )


def hint_on_command(answer: object) -> str:
    """Say what is wrong with a command line; nothing if it is good."""
    if not isinstance(answer, str):
        return "Give the whole command line as one text in quotes."
    if answer.split()[:1] != ["iozone"]:
        return "Begin the command line with iozone."
    options = parse_options(answer)
    if options.operands:
        return f"{options.operands[0]} is named by no option: IOzone ignores it."
    if "f" not in options:
        return "Where is the test file? Without -f, in the working directory."
    file = posixpath.normpath(options.values["f"][-1])
    if not file.startswith(f"{MOUNT}/"):
        return f"{file} is no file on {MOUNT}."
    if not {"e", "o", "I", "+r"} & set(options.values):
        return (
            "Nothing makes a write reach the storage before the clock stops: "
            "add -e, which counts fsync."
        )
    if options.tests is not None and not {0, 1} <= options.tests:
        return "Writing is test 0, reading is test 1: ask for both with -i."
    if not {"a", "A", "s"} & set(options.values):
        return "Which sizes? -a for all of a range, or -s for one."
    return ""


def differences(campaign: Campaign) -> Exercise:
    """Ask how many comparisons of a system with itself came out different."""
    rows = compare(campaign, by="operation")
    right = int(rows["verdict"].isin(["faster", "slower"]).sum())
    return Exercise(
        right,
        "Count the rows of the table whose verdict is faster or slower.",
        f"{right} of {len(rows)}. Both systems are folders of one disk, so every "
        "difference is chance or drift. If this trial says faster or slower, no other "
        "result of the same set-up can be trusted. And unclear is not the same as the "
        "same: it means that the runs scatter too much to tell.",
        (
            (len(rows), "That is every row. Look at the column verdict."),
            (
                int(rows["verdict"].eq("unclear").sum()),
                "Unclear means that no difference was shown.",
            ),
        ),
        unit="comparisons",
        tolerance=0.001,
    )
