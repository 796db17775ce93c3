"""A task at the end of each lesson, on figures that the lesson has not shown.

The figures are those that publications print (``data/published``, with their places).
A good answer has all points of its rubric; each is worth one mark.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from exercises.models import ModelAnswer
from fsviz.analysis.power import POWER, runs_for
from fsviz.campaigns.publication import QuotedValue, quoted_values
from fsviz.campaigns.source_files import find
from fsviz.model.escaping import html_with_code
from fsviz.model.names import unknown
from fsviz.model.units import KIB, format_size, format_throughput, significant

_SCATTER = 0.04
"""What the task of lesson eight assumes."""
_RAM = 4
"""GiB of the client in the task of lesson six."""
_GIGABIT = 125_000_000
"""A link of 1 Gbit/s [B/s]."""


@dataclass(frozen=True, slots=True, repr=False)
class Transfer:
    """A task, our answer to it, and the points of a good one."""

    task: str
    model: str
    points: tuple[str, ...]

    def __repr__(self) -> str:
        """Return the task alone: a saved notebook must not hold our answer."""
        return self.task

    def _repr_html_(self) -> str:
        return f"<p>{html_with_code(self.task)}</p>"


def transfer(lesson: int) -> Transfer:
    """Return the task of a lesson."""
    if lesson not in TRANSFERS:
        raise unknown("lesson", str(lesson), list(map(str, TRANSFERS)))
    return TRANSFERS[lesson]()


def compare_with_ours(lesson: int, answer: object) -> ModelAnswer:
    """Show our answer to the task of a lesson, and its rubric, beside the learner's."""
    ours = transfer(lesson)
    yours = "" if answer is None else str(answer).strip()
    return ModelAnswer(yours, ours.model, ours.points)


def _printed(folder: str) -> dict[str, QuotedValue]:
    return quoted_values(find(f"data/published/{folder}"))


def _empty_places() -> Transfer:
    known = _printed("1-windows-linux-nfs")
    largest = {k: int(known[f"largest-{k}"].value) for k in ("file", "record")}
    files = [64 * KIB << n for n in range((largest["file"] // KIB // 64).bit_length())]
    records = [
        4 * KIB << n for n in range((largest["record"] // KIB // 4).bit_length())
    ]
    never = sum(record > file for file in files for record in records)
    return Transfer(
        "A publication of 2015 draws IOzone's surfaces. The file sizes run from 64 KiB "
        f"to {format_size(largest['file'])} and the record sizes from 4 KiB to "
        f"{format_size(largest['record'])}, doubling at each step. How many places of "
        "the surface cannot exist? What do these places look like if a spreadsheet "
        "draws them? How could a reader misunderstand them?",
        f"{len(files)} files by {len(records)} records are {len(files) * len(records)} "
        f"places; in {never} the record is larger than the file. A spreadsheet draws "
        "these places as zero, so the surface shows a cliff that nobody measured. A "
        "reader may think that small files are slow.",
        ("both counts of sizes", f"{never} places", "drawn as zero", "a false cliff"),
    )


def _over_the_link() -> Transfer:
    read = _printed("4-afp-smb")["AFP sequential_input_block throughput"]
    return Transfer(
        f"A blog of 2011 read {read.value / KIB:,.0f} KiB/s with bonnie++ over Gigabit "
        'Ethernet and writes that it "gets to the limits". The blog does not state '
        "the client's memory. What does this number measure?",
        f"{format_throughput(read.value)} is more than the "
        f"{format_throughput(_GIGABIT)} that the link can carry, headers "
        "included. So not all of the data crossed the link while the clock ran. Part "
        "of it came from the client's cache. The file was too small compared with the "
        "client's memory.",
        (
            "the same unit on both sides",
            "headers make the payload even smaller",
            "the client's cache",
            "larger files, or an empty cache, to settle it",
        ),
    )


def _two_ranges() -> Transfer:
    known = _printed("2-wordpress-nas")
    nfs, smb = (known[f"{k} transfer elapsed"] for k in ("NFS async", "Samba"))
    return Transfer(
        f"A page of advice copied a tree of files in {nfs.low:g}-{nfs.high:g} s over "
        f"NFS (async) and in {smb.low:g}-{smb.high:g} s over Samba. The page does not "
        "state the number of copies. Is NFS faster?",
        f"As printed, the ranges meet at {nfs.high:g} s and do not overlap. But nobody "
        "knows how many copies a range contains, so there is no interval and no test. "
        "The answer is untested. Three or more copies over each protocol, in turns, "
        "would allow a test.",
        (
            "the ranges meet",
            "a range of runs is no confidence interval",
            "n is not stated: untested",
            "what to measure, in turns",
        ),
    )


def _three_means() -> Transfer:
    known = _printed("4-afp-smb")
    tests = ("output_block", "output_rewrite", "input_block")
    afp, smb = (
        [known[f"{s} sequential_{t} throughput"].value for t in tests]
        for s in ("AFP", "SMB1")
    )
    ratios = [a / s for a, s in zip(afp, smb, strict=True)]
    geometric = math.prod(ratios) ** (1 / len(ratios))
    time = sum(1 / s for s in smb) / sum(1 / a for a in afp)
    printed = "; ".join(
        f"{t.replace('_', ' ')} {a / KIB:,.0f} and {s / KIB:,.0f}"
        for t, a, s in zip(tests, afp, smb, strict=True)
    )
    return Transfer(
        f"bonnie++ printed these throughputs in KiB/s, first AFP, then SMB: {printed}. "
        "Calculate the geometric mean of the three ratios AFP ÷ SMB, the ratio of the "
        "mean throughputs and the ratio of the total times. Which of these numbers "
        "would you print for somebody who writes, rewrites and reads one large file?",
        f"Geometric mean {significant(geometric)}, ratio of means "
        f"{significant(sum(afp) / sum(smb))}, total time {significant(time)}. All "
        "three name AFP, but by very different factors, because reading alone decides "
        "the first two. The person waits for the sum of the times, so print the total "
        "time.",
        ("three right numbers", "one cell decides", "total time", "why: times add up"),
    )


def _where_it_wrote() -> Transfer:
    return Transfer(
        "A paper of 2025 compares two shares with `iozone -a -i 0 -i 1 -i 2 -i 3 -i 4 "
        r"-g 2G -R -b results-nfs.xls \\ukb.ed\dfs\partilha-nfs` and with the same "
        r"command for `\\ukb.ed\dfs\partilha-smb`, on clients with 8 GB of memory. "
        "Which file was tested, and what else should worry you?",
        "`iozone.tmp` in the folder where the command was started, because there is no "
        "-f and IOzone ignores the path at the end. Unless that folder was on the "
        "share, both runs measured the same local disk. The largest file is a quarter "
        "of the memory. Nothing is flushed (no -e), and no cache is emptied before a "
        "read (no -U).",
        (
            "iozone.tmp in the folder where it started",
            "no -f",
            "file smaller than the memory",
            "no -e or -U",
        ),
    )


def _a_better_command() -> Transfer:
    return Transfer(
        "A site compared versions of NFS with `iozone -Racz -g 1G -i 0 -i 1 -i 2 -U "
        f"/mnt/ -f /mnt/testfile`. Your client has {_RAM} GiB of memory. Plan the "
        "campaign again for two versions: sizes, options, number and order of runs.",
        f"Use files up to {3 * _RAM} GiB (-g {3 * _RAM}g), or limit the memory for the "
        "run. Add -e to -c, and keep -U and -f. Make five runs or more of each "
        "version, in turns and shuffled, on one operating system. First compare one "
        "version with itself.",
        (
            "three times the memory, or a limit",
            "-e",
            "five runs or more, in turns",
            "one operating system; a system against itself",
        ),
    )


def _which_counters() -> Transfer:
    known = _printed("2-wordpress-nas")
    slow, files = known["NFS sync transfer elapsed"], known["files"].value
    fast = known["NFS async transfer elapsed"]
    each = [
        significant(1000 * end / files)
        for end in (slow.low, slow.high, fast.low, fast.high)
    ]
    return Transfer(
        f"Copying about {files:.0f} small files over NFS with `sync` took "
        f"{slow.low:g}-{slow.high:g} s, and {fast.low:g}-{fast.high:g} s with `async`. "
        "How long does one file take? Which programs do you run during the copy, and "
        "on which machine? What will they show if the copy waits for the disk?",
        f"{each[0]} to {each[1]} ms a file, and {each[2]} to {each[3]} ms with "
        "`async`. The requests are nearly the same, but the server does not wait. "
        "`iostat -x` on the server will show small writes and a device that is busy "
        "most of the time. `nfsstat -c` on the client will show how many calls each "
        "file takes. If the device is idle while the copy waits, the disk is not the "
        "cause.",
        (
            "milliseconds a file",
            "iostat on the server, not on the client",
            "nfsstat: calls for each file",
            "what would refute it",
        ),
    )


def _runs_for_a_claim() -> Transfer:
    known = _printed("3-nfs-smb-dfs")
    smb, nfs = (known[f"{s} read 1g 128k"].value for s in ("SMB/CIFS", "NFS"))
    needed = runs_for(_SCATTER, smb / nfs)
    return Transfer(
        f"A paper prefers SMB: in files of 1 GiB, SMB read {smb / KIB:,.0f} KiB/s and "
        f"NFS {nfs / KIB:,.0f} KiB/s. It does not state the number of runs. Assume a "
        f"scatter of {100 * _SCATTER:g} %, and that the systems took no turns. How "
        "many runs of each would show this difference? What do you answer the authors?",
        f"The ratio is {significant(smb / nfs, 4)}. `runs_for({_SCATTER}, "
        f"{significant(smb / nfs, 4)})` is {needed} runs of each, to find this "
        f"difference in {100 * POWER:g} of 100 campaigns. With only a few runs, the "
        "figures show neither a difference nor equality. First ask whether such a "
        "small difference matters.",
        (
            "the ratio",
            f"about {needed} runs",
            "a difference may exist without being found",
            "does the difference matter?",
        ),
    )


def _longest_wait() -> Transfer:
    known = _printed("4-afp-smb")
    test = "sequential_input_block"
    (afp, smb), (waited, other) = (
        [known[f"{s} {test} {what}"].value for s in ("AFP", "SMB1")]
        for what in ("throughput", "latency")
    )
    return Transfer(
        f"bonnie++ read blocks {significant(afp / smb)} times faster over AFP than "
        "over SMB, one run each. The latencies in the table are "
        f"{significant(waited)} s for AFP and {significant(other)} s for SMB. The "
        "latency of bonnie++ is the longest single operation of each test "
        "(`add_latency` in bon_time.cpp). A colleague concludes that SMB answers "
        "faster. What do you reply, and what would you measure?",
        "A maximum is one request of one run, and says nothing about the other "
        "requests. The more requests a run makes, the larger the maximum may be. "
        "Throughput and maximum do not contradict each other: a mean hides one slow "
        "request. Measure with fio, which counts every request. Compare the 99th and "
        "99.9th percentiles. Make five or more runs of each, in turns, with files "
        "larger than the memory.",
        (
            "a maximum is one request",
            "more requests, larger maximum",
            "throughput and tail can both be right",
            "percentiles of repeated runs",
        ),
    )


def _many_at_once() -> Transfer:
    return Transfer(
        "A site compared versions of NFS with `iozone -Racz -g 1G -i 0 -i 1 -i 2 -U "
        "/mnt/ -f /mnt/testfile` and found no gain from version 4.1. A reader asks "
        "whether 4.1 is faster with many requests at once. What does this command show "
        "about this question, and how would you answer it by measuring?",
        "Nothing. Without -t, one process waits for each of its requests, so the depth "
        "of the program is one. Measure both versions with fio at depths or numbers of "
        "processes from one to 64, five runs or more, in turns. Draw rate and latency "
        "over the depth, and compare the curves, not one point. Check the depth: rate "
        "× latency is the number of requests under way. If this number is smaller than "
        "the depth, the client does not send all requests at once.",
        (
            "one process, one request at a time",
            "several depths for both versions, in turns",
            "rate and latency over the depth",
            "a check by rate × latency",
        ),
    )


def _many_small_files() -> Transfer:
    known = _printed("2-wordpress-nas")
    files = known["files"].value
    nfs, disk = (known[f"{k} transfer elapsed"] for k in ("NFS sync", "Direct disk"))
    low, high, least = (
        significant(1000 * end / files) for end in (nfs.low, nfs.high, disk.high)
    )
    return Transfer(
        f"A page of advice copied a tree of about {files:,.0f} small files in "
        f"{nfs.low:g}-{nfs.high:g} s over NFS (`sync`), and in less than {disk.high:g} "
        "s directly to a disk. The page recommends NFS with `async` for large files. "
        "How long does one file take in each case? At least how many times as fast is "
        "the disk? What do you reply to somebody who wants to store large files?",
        f"{low} to {high} ms a file over NFS, less than {least} ms on the disk. Less "
        f"than {disk.high:g} s is a bound, like `+++++`: the disk is at least "
        f"{significant(nfs.low / disk.high)} times as fast. NFS with `sync` waits for "
        "the server's disk (exports(5)). The page does not state whether the local "
        "copy waited for its disk, so part of the data may still have been in memory. "
        "A large file has the cost of a file only once. No large file was copied, so "
        "nothing follows for large files. Measure files larger than the memory, "
        "include the flush in the time, and make several runs in turns. And `async` "
        "may lose data if the server crashes.",
        (
            "milliseconds a file, the disk's as a bound",
            f"at least {significant(nfs.low / disk.high)} times",
            "did the local copy wait for the disk?",
            "no large file was copied, and what to measure",
        ),
    )


TRANSFERS: dict[int, Callable[[], Transfer]] = dict(
    enumerate(
        (
            *(_empty_places, _over_the_link, _two_ranges, _three_means),
            *(_where_it_wrote, _a_better_command, _which_counters, _runs_for_a_claim),
            _longest_wait,
            _many_at_once,
            _many_small_files,
        ),
        1,
    )
)
"""Lesson → its task."""
