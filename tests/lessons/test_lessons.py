"""The lessons: they run, they know right from wrong, and they invent no number.

Right answers come from the printed logs by a parse of this file's own, and from numpy
and scipy; not from fsviz.
"""

from __future__ import annotations

import json
import math
import re
import shutil
from contextlib import suppress
from functools import cache
from itertools import pairwise, product
from pathlib import Path

import exercises
import nbformat
import numpy as np
import pytest
from campaigns_made import iozone
from campaigns_made import put as write_files
from exercises.keys import NEEDED
from exercises.verdicts import Exercise, judge
from samples import loaded
from scipy import stats

import fsviz
from fsviz.model.errors import UsageError

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted(
    (ROOT / "notebooks/lessons").glob("*.ipynb"),
    key=lambda p: int(p.name.split("-")[0]),
)
SIZED = ("write", "rewrite", "read", "reread", "random_read", "random_write")
KIB, MIB = 1024, 1024**2
ONEHOST = ROOT / "data/raw/onehost-2026"
LOOPBACK = ROOT / "data/raw/loopback-2026"
RAM_DISK = ROOT / "data/lessons/ramdisk-2026"
WATCHED = ROOT / "data/lessons/watched-2026"
COUNTED = ROOT / "data/lessons/counted-2026"
SAME_TWICE = ROOT / "data/lessons/same-twice-2026"
TAIL = ROOT / "data/lessons/tail-2026"
QUEUE = ROOT / "data/lessons/queue-2026"
SMALL = ROOT / "data/lessons/small-2026"


def printed(folder):
    """Values [B/s] of a folder of logs: (operation, file, record) → array over runs."""
    cells = {}
    for path in sorted(folder.glob("rep[0-9].txt"), key=lambda p: int(p.stem[3:])):
        for line in path.read_text().splitlines():
            if re.fullmatch(r"\s*\d+(\s+\d+){5,7}\s*", line):
                file, record, *values = map(int, line.split())
                for operation, value in zip(SIZED, values, strict=False):
                    place = (operation, file * KIB, record * KIB)
                    cells.setdefault(place, []).append(value * KIB)
    return {place: np.array(values, float) for place, values in cells.items()}


def means(cells, operation):
    return {(f, r): v.mean() for (o, f, r), v in cells.items() if o == operation}


def geomean_ratio(base, cand, keep):
    sides = [
        np.mean([np.log(v) for place, v in side.items() if keep(*place)])
        for side in (base, cand)
    ]
    return math.exp(sides[1] - sides[0])


def p_values(base, cand):
    return np.array(
        [
            # the systems took turns: repeat k of one belongs to repeat k of the other
            stats.ttest_rel(np.log(base[k]), np.log(cand[k])).pvalue
            for k in base
        ]
    )


@pytest.fixture(scope="module")
def xfs():
    return printed(ONEHOST / "iozone/xfs")


@pytest.fixture(scope="module")
def nfs():
    return printed(LOOPBACK / "iozone/nfs-v4.1")


@pytest.fixture(scope="module")
def smb():
    return printed(LOOPBACK / "iozone/smb-3.1.1")


@pytest.fixture(scope="module")
def campaigns():
    return {
        "surfaces": loaded(ONEHOST),
        "caches": loaded(ONEHOST),
        "repeats": loaded(LOOPBACK),
        "means": loaded(LOOPBACK),
        "disks": loaded(RAM_DISK),
        "plans": loaded(SAME_TWICE),
        "watching": loaded(WATCHED),
        "calls": loaded(COUNTED),
        "samples": loaded(ONEHOST),
        "tails": loaded(TAIL),
        "queues": loaded(QUEUE),
        "files": loaded(SMALL),
    }


@pytest.fixture(scope="module")
def data(campaigns):
    """The campaign of an exercise."""

    def of(exercise):
        if exercise in ("payload", "over-the-wire"):
            return campaigns["means"]
        return campaigns[exercises.EXERCISES[exercise].__module__.rpartition(".")[2]]

    return of


def _surfaces(xfs):
    writes, random = means(xfs, "write"), means(xfs, "random_write")
    files, records = ({place[i] for place in writes} for i in (0, 1))
    possible = {(f, r) for f, r in product(files, records) if r <= f}
    large = [64, 128, 256, 512, 1024]
    depth = {
        r: np.median(
            [
                writes[f * MIB, r] / math.sqrt(writes[f * MIB, s] * writes[f * MIB, t])
                for f in large
                for s, t in [(r // 2, r * 2)]
            ]
        )
        for r in sorted(records)
        if 128 * KIB <= r <= 8 * MIB
    }
    return {
        "highest-cell": max(writes, key=writes.get)[1] / KIB,
        "dip": min(depth, key=depth.get) / MIB,
        "fall": random[128 * MIB, 64 * KIB] / random[256 * MIB, 64 * KIB],
        "left-out": len(possible - set(writes)),
    }


def _caches(xfs, nfs):
    steepest, last = {}, None
    for system in ("ext4", "xfs", "btrfs"):
        cells = printed(ONEHOST / "iozone" / system)
        level = means(cells, "random_write")
        for file in {f for f, _ in level if (2 * f, 64 * KIB) in level}:
            both = [r for f, r in level if f == file and (2 * file, r) in level]
            fall = np.exp(np.mean([np.log(level[file, r] / level[2 * file, r])
                                   for r in both]))  # fmt: skip
            steepest[system] = max(steepest.get(system, 0), fall)
            if system == "xfs" and fall >= 2:
                last = file
    limit = 1e9 / 8 * 1448 / 1538
    return {
        "last-size-in-cache": last / MIB,
        "who-falls": [name for name, fall in steepest.items() if fall >= 2],
        "first-storage-size": min(
            f for f, _ in means(xfs, "write") if f >= 3 * 256 * MIB
        )
        / MIB,
        "payload": limit / MIB,
        "over-the-wire": {o for o, *_ in nfs if max(means(nfs, o).values()) > limit},
    }


def _repeats(nfs):
    newer, older = (printed(LOOPBACK / f"iozone/nfs-v{v}") for v in ("4.2", "3"))
    runs = newer["write", MIB, 64 * KIB] / MIB
    every = fsviz.compare(loaded(LOOPBACK), baseline="nfs-v4.1").cells
    every = every.loc[every["p_value"].notna()]
    every["q"] = stats.false_discovery_control(every["p_value"])
    every = every.loc[(every["tool"] == "iozone") & (every["metric"] == "throughput")]
    tested, old = (every.loc[every["candidate"] == f"nfs-v{v}"] for v in ("4.2", "3"))
    place = ["operation", "file_size_bytes", "record_size_bytes"]
    keys = list(old[place].itertuples(index=False, name=None))
    some = [{k: cells[k] for k in keys} for cells in (nfs, older)]
    np.testing.assert_allclose(old["p_value"], p_values(*some))
    return {
        "scatter": 100 * runs.std(ddof=1) / runs.mean(),
        "half-width": stats.t.ppf(0.975, 4) * runs.std(ddof=1) / 5**0.5,
        "by-chance": 0.05 * len(tested),
        "survivors": int((old["q"] < 0.05).sum()),
        "runs-lacking": 2,
    }


def _means(nfs, smb):
    pair = [smb["read", 4 * MIB, r].mean() / nfs["read", 4 * MIB, r].mean()
            for r in (64 * KIB, 4 * MIB)]  # fmt: skip
    medium = [k for k in nfs if k[0] == "read" and k[1] > 512 * KIB]
    time = [sum((k[1] / side[k]).mean() for k in medium) for side in (nfs, smb)]
    won = [np.log(smb[k]).mean() > np.log(nfs[k]).mean() for k in medium]
    return {
        "two-cells": math.sqrt(pair[0] * pair[1]),
        "first-to-finish": "nfs-v4.1" if time[0] < time[1] else "smb-3.1.1",
        "cells-won": sum(won),
        "without-memory": geomean_ratio(
            nfs, smb, lambda o, f, r: o == "read" and f > 512 * KIB and 8 * r <= f
        ),
        "which-mean": "total_time_ratio",
    }


def _disks(folder=RAM_DISK, disk_at="/mnt/disk", meant_at="/mnt/ramdisk"):
    disk, meant, repaired = (
        printed(folder / name) for name in ("disk", "ramdisk", "ramdisk-f")
    )
    return {
        "too-alike": geomean_ratio(disk, meant, lambda o, *_: o == "write"),
        "where-it-wrote": f"{disk_at}/iozone.tmp",
        "which-rule": "test-file-elsewhere",
        "repair": f"iozone -a -o -i 0 -i 1 -n 64k -g 1m -f {meant_at}/any.tmp",
        "damage": geomean_ratio(meant, repaired, lambda o, *_: o == "write"),
    }


def _plans():
    pages = re.findall(r"MemTotal:\s+(\d+) kB", Path("/proc/meminfo").read_text())
    return {
        "large-enough": 3 * int(pages[0]) / MIB,
        "good-order": ["second", "first", "first", "second", "first", "second"],
        "honest-command": "iozone -a -e -i 0 -i 1 -f /mnt/new/testfile "
        f"-g {3 * int(pages[0])}k",
        "differences": 0,
        "run-command": "fsviz run r --within 120m nfs=/mnt/nfs/ smb=/mnt/smb",
    }


def recorded(name):
    """What iostat wrote beside a run, its first entry left out; and IOzone's row."""
    text = (WATCHED / name / "iostat.json").read_text()
    entries = json.loads(text)["sysstat"]["hosts"][0]["statistics"][1:]
    row = re.findall(
        r"^ +2097152 +1024 +(\d+) +(\d+) +(\d+) +(\d+)",
        (WATCHED / name / "iozone.txt").read_text(),
        re.MULTILINE,
    )
    return [entry["disk"][0] for entry in entries], list(map(int, row[0]))


def runs_that_find(ratio, scatter):
    """Rounds for a power of 0.8, by another way to the noncentral t."""
    for n in range(3, 200):
        # the mean of P(T > edge | s) over the distribution of the deviation
        free = n - 1
        edge = stats.t.ppf(0.975, free)
        shift = math.log(ratio) / (scatter * math.sqrt(1 / n))
        share = (np.arange(4000) + 0.5) / 4000
        pooled = np.sqrt(stats.chi2.ppf(share, free) / free)
        if np.mean(stats.norm.sf(edge * pooled - shift)) >= 0.8:
            return n
    return None


def _samples(names=("ext4", "xfs"), folder=ONEHOST):
    base, other = (printed(folder / f"iozone/{name}") for name in names)
    # they took turns, so each round of both has a ratio
    levels = [np.log(other[k] / v) for k, v in base.items() if k[0] == "write"]
    scatter = np.mean(levels, axis=0).std(ddof=1)
    return {
        "scatter-of-runs": 100 * scatter,
        "runs-for-five": runs_that_find(1.05, scatter),
        "half-the-difference": runs_that_find(1.025, scatter),
        "runs-in-a-picture": fsviz.lines(loaded(folder), operation="write", x="time"),
    }


def _watching():
    disk, _ = recorded("flushed")
    return {
        "disk-read": sum(second["rkB/s"] for second in disk) / KIB,
        "of-the-disk": ["direct"],
        "while-the-clock-ran": 2097152 / recorded("memory")[1][0],
    }


def of_the_mount(name):
    """What the mount's own counters say: calls by kind, and bytes read and written."""
    text = (COUNTED / name / "mountstats.txt").read_text()
    calls = re.findall(r"^\s+([A-Z]+): (\d+) ", text, re.MULTILINE)
    moved = re.search(r"bytes:\t\d+ \d+ \d+ \d+ (\d+) (\d+)", text).groups()
    return {kind: int(number) for kind, number in calls}, list(map(int, moved))


def _calls():
    calls, (_, written) = of_the_mount("flushed")
    return {"data-of-a-write": written / calls["WRITE"] / KIB}


def of_fio(system):
    """Mean and percentiles [ns] as fio printed them, means over the runs."""
    found = {}
    for path in sorted((TAIL / system).glob("*.json")):
        [job] = json.loads(path.read_text())["jobs"]
        [times] = [job[w]["lat_ns"] for w in ("read", "write") if job[w]["total_ios"]]
        for name, value in {"mean": times["mean"], **times["percentile"]}.items():
            found.setdefault(name, []).append(value)
    assert {len(values) for values in found.values()} == {5}
    return {name: np.mean(values) for name, values in found.items()}


def _tails():
    cached, direct, alone, beside = map(
        of_fio, ("cached", "direct", "alone", "neighbour")
    )
    hit, miss = cached["50.000000"], direct["mean"]
    worse = {name: beside[name] / alone[name] for name in alone}
    assert max(worse, key=worse.get) == "99.900000"
    return {
        "mean-and-median": cached["mean"] / hit,
        "share-of-misses": 100 * (cached["mean"] - hit) / (miss - hit),
        "gain-at-the-tail": direct["99.900000"] / cached["99.900000"],
        "one-of-many": 100 * stats.binom.sf(0, 100, 0.01),
        "what-shows-it": "p99.9",
    }


def _queues(folder=QUEUE):
    jobs = {}
    for path in sorted((folder / "read").glob("*.json")):
        for job in json.loads(path.read_text())["jobs"]:
            depth = int(job["job options"]["iodepth"])
            jobs.setdefault(depth, []).append(job["read"])
    rate = {d: np.mean([read["iops"] for read in own]) for d, own in jobs.items()}
    times = {
        d: {
            "mean": np.mean([read["lat_ns"]["mean"] for read in own]) / 1000,
            "p99": np.mean([r["lat_ns"]["percentile"]["99.000000"] for r in own])
            / 1000,
        }
        for d, own in jobs.items()
    }
    # what Little's law says is what fio measured
    assert 16e6 / rate[16] == pytest.approx(times[16]["mean"], 0.01)
    return {
        "time-by-count": times[16]["mean"],
        "worth-of-four": 25 * rate[4] / rate[1],
        "price-of-depth": times[64]["mean"] / times[1]["mean"],
        "depth-that-is-enough": min(
            d for d in rate if rate[d] >= 0.75 * max(rate.values())
        ),
        "depth-in-time": max(d for d in times if times[d]["p99"] < 2000),
    }


def seconds_of_copies(folder, system):
    """What bash's time printed below rsync's statistics, mean over the runs [s]."""
    texts = [path.read_text() for path in (folder / system).glob("rep?.txt")]
    times = [re.search(r"^real\s+(\d+)m([\d.]+)s", t, re.MULTILINE) for t in texts]
    assert len(times) == 5
    return np.mean([60 * int(time[1]) + float(time[2]) for time in times])


def files_a_second(folder, system):
    """What bonnie++ printed for create, stat and delete, means; nan for +++++."""
    rows = [path.read_text().split(",") for path in (folder / system).glob("rep?.csv")]
    assert len(rows) == 5
    first = {"create": 26, "stat": 28, "delete": 30}
    return {
        name: np.mean([math.nan if "+" in row[k] else int(row[k]) for row in rows])
        for name, k in first.items()
    }


def _files(folder=SMALL):
    tree, flushed, large = (
        seconds_of_copies(folder, s) for s in ("tree", "tree-flushed", "large")
    )
    quick, slow = (files_a_second(folder, s) for s in ("quick", "flushed"))
    assert math.isnan(quick["create"])
    assert math.isnan(slow["stat"])
    return {
        "time-of-a-file": 1000 * flushed / 10_000,
        "same-data": flushed / large,
        "share-of-flush": 100 * (flushed - tree) / flushed,
        "at-least": 16 * 1024 / 0.5 / slow["create"],
        "whole-job": 10_000 / slow["create"] + 10_000 / slow["delete"],
    }


@pytest.fixture(scope="module")
def right(xfs, nfs, smb):
    """Right answers by exercise."""
    if not Path("/proc/meminfo").exists():
        pytest.skip("the memory is read from /proc/meminfo")
    return {
        **_surfaces(xfs),
        **_caches(xfs, nfs),
        **_repeats(nfs),
        **_means(nfs, smb),
        **_disks(),
        **_plans(),
        **_watching(),
        **_calls(),
        **_samples(),
        **_tails(),
        **_queues(),
        **_files(),
    }


# Answers ----------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def nobody_has_answered(monkeypatch):
    monkeypatch.setattr("exercises.keys._WRONG", {})


def test_a_number_cannot_be_found_by_halving(data):
    hints = [
        exercises.check_answer("fall", guess, data("fall")).hint
        for guess in (30, 30, 20, 12, 30, 7)
    ]
    # the same answer again is no new one
    assert [("too large" in hint) for hint in hints] == [True] * 3 + [False] * 3
    assert hints[3].startswith("Calculate it rather than guess. In the heatmap")
    assert "The solution below" in hints[3]


def test_every_exercise_has_a_right_answer_found_independently(right):
    assert set(right) == set(exercises.EXERCISES)


@pytest.mark.slow
@pytest.mark.parametrize("exercise", exercises.EXERCISES)
def test_right_answers_are_right(right, data, exercise):
    verdict = exercises.check_answer(exercise, right[exercise], data(exercise))
    assert (verdict.outcome, verdict.hint) == ("right", ""), verdict


@pytest.mark.parametrize("answer", [220, 224, 224.4])
def test_a_ratio_may_be_rounded(data, answer):
    assert exercises.check_answer("damage", answer, data("damage")).outcome == "right"


@pytest.mark.parametrize("answer", [225, 225.4])
def test_a_ratio_that_the_text_forbids_is_not_right(data, answer):
    """225.4 is ramdisk-f ÷ disk; the text asks for ramdisk-f ÷ ramdisk, 224.4."""
    found = exercises.check_answer("damage", answer, data("damage"))
    assert (found.outcome, found.hint) == (
        "wrong",
        "That is ramdisk-f against disk. Compare it with ramdisk.",
    )


@pytest.mark.parametrize(
    "exercise,answer,hint",
    [
        ("two-cells", 1.05, ""),  # 1.0525
        # the arithmetic mean of the ratios, 1.058, would be rounded to the same
        (
            "two-cells",
            1.1,
            "Rounded like this, a wrong answer looks the same. Give one digit more.",
        ),
        ("fall", 2.8, ""),  # 2.766
        ("fall", 3, "Right if rounded to one digit. Give one digit more."),
        # by the rule of thumb in its own solution: 8 × (6.05 ÷ 5)² is 11.7, and × 4
    ],
)
def test_rounded_answers_and_rules_of_thumb_are_right(data, exercise, answer, hint):
    assert exercises.check_answer(exercise, answer, data(exercise)).hint == hint


def test_a_size_that_one_exercise_takes_is_enough_for_the_next(data, monkeypatch):
    """3 × 23.5 GiB is 70.6: who may answer 70 may also write -g 70g."""
    from exercises import plans

    monkeypatch.setattr(plans, "memory", lambda: 23.53 * 2**30)
    command = "iozone -a -e -i 0 -i 1 -g {} -f /mnt/new/t"
    for exercise, answer, outcome in (
        ("large-enough", 70, "right"),
        ("honest-command", command.format("70g"), "right"),
        ("honest-command", command.format("60g"), "wrong"),
    ):
        campaign = fsviz.load(SAME_TWICE)  # a new one: keys are kept for the last
        assert exercises.check_answer(exercise, answer, campaign).outcome == outcome


@pytest.mark.parametrize("exercise", exercises.EXERCISES)
def test_no_answer_is_no_mistake(data, exercise):
    verdict = exercises.check_answer(exercise, None, data(exercise))
    assert verdict.outcome == "open"
    assert str(verdict).startswith("Nothing yet.")
    shown = verdict._repr_html_()
    assert "Solution</summary>" in shown
    assert shown.count("<p>") == verdict.solution.count("\n\n") + 1
    assert "\\n" not in shown


def test_a_system_against_itself_does_not_differ(data):
    """What 0 in `right` rests on: no operation's means differ by Welch's test."""
    sides = [printed(SAME_TWICE / name) for name in ("first", "second")]
    for operation in SIZED[:4]:
        logs = [
            np.mean([np.log(v) for k, v in side.items() if k[0] == operation], axis=0)
            for side in sides
        ]
        assert stats.ttest_ind(*logs, equal_var=False).pvalue > 0.05


WRONG = [
    ("highest-cell", 512 * KIB, "in bytes"),
    ("highest-cell", 0.5, "in MiB"),
    ("highest-cell", 32 * KIB, "file size"),
    ("highest-cell", 16 * KIB, "are in front"),
    ("highest-cell", "512", "Leave the quotes out"),
    ("highest-cell", 256, "too small"),
    ("dip", 2048, "in KiB"),
    ("dip", 16, "no right neighbour"),
    ("dip", 1, "is low in each"),
    ("dip", 128, "size of a file"),
    ("fall", 20, "too large. In the heatmap"),
    ("left-out", 60, "larger than the file"),
    ("left-out", 36, "impossible"),
    ("left-out", 0, "small records in large files"),
    ("left-out", 195, "all places"),
    ("left-out", 25, "Very near"),
    ("last-size-in-cache", 256, "fallen already"),
    ("last-size-in-cache", 128 * MIB, "in bytes"),
    ("last-size-in-cache", 64, "do not fall"),
    ("who-falls", ["xfs"], "1 is missing"),
    ("who-falls", ["ext4", "xfs", "btrfs"], "btrfs by less than half"),
    ("who-falls", ["zfs"], "the names are btrfs, ext4, xfs"),
    ("who-falls", "xfs, ext4", "each name in its own quotes"),
    ("who-falls", "btrfs", "1 of your names does not belong here and 2 are"),
    ("who-falls", 2, "list of names"),
    ("first-storage-size", 768, "no file of this size"),
    ("first-storage-size", 256, "fits into memory"),
    ("first-storage-size", 512, "fits into memory"),
    ("first-storage-size", 1, "right in another unit"),
    ("first-storage-size", 1e6, "far too large. Storage begins"),
    ("payload", 1e9 / 8 / MIB, "all its headers"),
    ("payload", 125, "powers of ten"),
    ("payload", 117.7, "MB/s"),
    ("payload", 1000, "eight"),
    ("payload", "112,2", "Write a point"),
    ("payload", (112, 2), "A comma makes two"),
    ("over-the-wire", ["read"], "reread"),
    ("over-the-wire", ["reread"], "Is the first read slower"),
    ("over-the-wire", ["read", "reread", "write"], "does not belong"),
    ("over-the-wire", ["read", "reread", "random read"], "stay below it"),
    ("over-the-wire", ["write", "rewrite", "random_write"], "below the line"),
    ("by-chance", 141, "One in twenty"),
    ("by-chance", 0, "once in twenty"),
    ("by-chance", 0.05, "chance of one test"),
    ("survivors", 6, "That counts p_value"),
    ("survivors", 141 - 3, "not shown to differ"),
    ("survivors", np.zeros(3), "Take one value out of it"),
    ("runs-lacking", 3, "is there already"),
    ("runs-lacking", 0, "nothing is known"),
    ("runs-lacking", 4, "fewer will do"),
    ("first-to-finish", "smb-3.1.1", "total_time_ratio"),
    ("first-to-finish", "nfs", "is not a name here"),
    ("first-to-finish", 1, "one name in quotes"),
    ("cells-won", 30, "nfs-v4.1 wins"),
    ("cells-won", 42, "all cells"),
    ("cells-won", 13, "Very near"),
    ("two-cells", 1.17, "one of the cells"),
    ("without-memory", 1, "Run `fsviz.compare` on `part`"),
    ("which-mean", "ratio", "minute"),
    ("which-mean", "mean_ratio", "do not add up"),
    ("where-it-wrote", "/mnt/ramdisk", "ignores"),
    ("where-it-wrote", "/mnt/ramdisk/iozone.tmp", "in which folder"),
    ("where-it-wrote", "iozone.tmp", "full path"),
    ("where-it-wrote", "/mnt/disk", "file's name"),
    ("where-it-wrote", "/mnt/disk/testfile", "other system"),
    ("where-it-wrote", "/tmp/iozone.tmp", "were all commands started"),
    ("where-it-wrote", "mnt/disk/iozone.tmp", "begins with /"),
    ("where-it-wrote", "/MNT/disk/iozone.tmp", "Capitals count"),
    ("where-it-wrote", r"\mnt\disk\iozone.tmp", "joined by /"),
    ("where-it-wrote", ["/mnt/disk/iozone.tmp"], "one path in quotes"),
    ("too-alike", 100, "far too large"),
    ("too-alike", 1.0887, "That is the row of read"),
    ("too-alike", 1.2, "ratio in the row"),
    ("which-rule", "error", "severity"),
    ("which-rule", "too-short", "something else"),
    ("which-rule", "wrong-disk", "is not a name here"),
    ("repair", 7, "one text"),
    ("repair", "rm -rf /mnt/ramdisk", "Begin the command line"),
    ("repair", "iozone -a -o -i 0 -i 1 -n 64k -g 1m /mnt/ramdisk", "ignores it"),
    ("repair", "iozone -a -o -i 0 -i 1 -n 64k -g 1m", "working directory"),
    ("repair", "iozone -a -o -i 0 -i 1 -n 64k -g 1m -f t.tmp", "relative"),
    ("repair", "iozone -a -o -i 0 -i 1 -n 64k -g 1m -f /mnt/ramdisk/", "folder"),
    ("repair", "iozone -a -o -i 0 -i 1 -n 64k -g 1m -f /mnt/disk/t", "not on"),
    ("repair", "iozone -a -o -i 0 -i 1 -n 64k -g 1m -f", "after it"),
    ("repair", "iozone -a -o -i 0 -i 1 -n 64k -g 1m -f=/mnt/ramdisk/t", "a blank"),
    ("repair", "iozone -a -o -i 0 -i 1 -n 64k -g 1m -F /mnt/ramdisk/t", "several"),
    ("repair", "iozone -a -o -i 0 -i 1 -n 64k -g 2m -f /mnt/ramdisk/t", "-g 1024k"),
    ("repair", "iozone -a -o -i 0 -i 2 -n 64k -g 1m -f /mnt/ramdisk/t", "another"),
    ("repair", "iozone -a -n big -f /mnt/ramdisk/t", "-n needs a size"),
    ("repair", "iozone -a -f '/mnt/ramdisk/t", "not closed"),
    ("repair", "cd /mnt/ramdisk; iozone -a", "the output would not show it"),
    ("repair", "iozone -a -i 0 -i 1 -n 64k -f /mnt/ramdisk/t", "-o -g got lost"),
    ("large-enough", "72", "Leave the quotes out"),
    ("good-order", "first", "Give a list"),
    ("good-order", ["first", "third"], "found third"),
    ("good-order", [1, 2, 1, 2], "found 1"),
    ("good-order", ["first"] * 6, "Both first and second"),
    ("good-order", ["first", "second"], "Each system needs 3"),
    ("good-order", [*["first"] * 4, *["second"] * 3], "same number of runs"),
    ("good-order", [*["first"] * 3, *["second"] * 3], "take turns"),
    ("honest-command", "iozone -a -e -i 0 -i 1 /mnt/new", "ignores it"),
    ("honest-command", "iozone -a -e -i 0 -i 1", "Where is the test file"),
    ("honest-command", "iozone -a -e -f /mnt/old/t", "is not on /mnt/new"),
    ("honest-command", "iozone -a -e -f /mnt/new", "Name a file in it"),
    ("honest-command", "iozone -a -c -f /mnt/new/t", "-c includes the close"),
    ("honest-command", "iozone -a -e -i write -f /mnt/new/t", "0 writes, 1 reads"),
    ("honest-command", "sudo iozone -a -e -f /mnt/new/t", "no sudo"),
    ("honest-command", "iozone -a -f /mnt/new/t", "add -e"),
    ("honest-command", "iozone -a -e -i 0 -f /mnt/new/t", "reading is test 1"),
    ("honest-command", "iozone -e -i 0 -i 1 -f /mnt/new/t", "Which sizes"),
    ("honest-command", "iozone -a -I -i 0 -i 1 -g 9t -f /mnt/new/t", "-I goes around"),
    (
        "honest-command",
        "iozone -a -e -V 5 -g 9t -f /mnt/new/t",
        "-V makes IOzone check",
    ),
    ("honest-command", "iozone -a -e -+d -g 9t -f /mnt/new/t", "-+d makes IOzone"),
    ("honest-command", "iozone -a -e -+X -g 9t -f /mnt/new/t", "its numbers are inv"),
    ("honest-command", "iozone -a -e -g 4k -f /mnt/new/t", "the data come from memory"),
    ("honest-command", "iozone -a -e -f /mnt/new/t", "the data come from memory"),
    ("honest-command", "iozone -a -e -n 1m -g 4k -f /mnt/new/t", "smallest file"),
    ("good-order", ["first", "second"] * 4, "second always runs after first"),
    ("scatter", 10**400, "percent"),
    ("left-out", -(10**400), "cells"),
    ("damage", 210, "too small"),
    ("damage", 240, "too large"),
    ("honest-command", "bonnie++ -d /mnt/new", "Begin the command line"),
    ("honest-command", [], "one text"),
    ("run-command", "fsviz compare nfs=/mnt/nfs smb=/mnt/smb", "with fsviz run"),
    ("run-command", "fsviz run nfs=/mnt/nfs smb=/mnt/smb", "the folder for the res"),
    ("run-command", "fsviz run lab nfs=/mnt/nfs", "Name each system"),
    ("run-command", "fsviz run lab smb=/mnt/smb nfs=/mnt/nfs", "comes first"),
    ("run-command", "fsviz run lab nfs=/mnt/nfs smb=/mnt/smb", "--within 2h"),
    ("run-command", "fsviz run 'lab", "not closed"),
    ("run-command", 2, "one text"),
    ("differences", 4, "Look at the column answer"),
    ("differences", -1, "not below zero"),
    ("differences", 3, "Count the rows"),
    ("disk-read", 4096, "That is what IOzone read"),
    ("disk-read", 5.99, "That is `memory`"),
    ("disk-read", 1.76, "busiest second"),
    ("of-the-disk", ["flushed", "direct"], "And when it reads"),
    ("of-the-disk", ["memory", "flushed", "direct"], "in `memory`"),
    ("of-the-disk", ["disk"], "the names are memory, flushed, direct"),
    ("while-the-clock-ran", 17.56, "only the first write"),
    ("while-the-clock-ran", 14, "length of the recording"),
    ("data-of-a-write", 512, "IOzone writes it twice"),
    ("data-of-a-write", 64, "a call of `synchronous`"),
    ("data-of-a-write", 64 * KIB, "by the COMMIT calls"),
    ("data-of-a-write", 128 * KIB, "Divide it by the calls"),
    ("data-of-a-write", 1, "right in another unit"),
    ("data-of-a-write", 128, "too small"),
    ("scatter-of-runs", 0.0605, "as a fraction"),
    ("scatter-of-runs", 5, "first row of the table"),
    ("runs-for-five", 30, "for both systems"),
    ("runs-for-five", 26, "took turns"),
    ("runs-for-five", 5, "too small"),
    ("runs-for-five", 11, "rule of thumb"),
    ("runs-for-five", 12, "rule of thumb"),
    ("half-the-difference", 44, "too small"),
    ("half-the-difference", 30, "more than twice"),
    ("half-the-difference", 15, "That is for 5 %"),
    ("runs-in-a-picture", "lines", "Give a figure"),
    ("runs-in-a-picture", fsviz.lines, "such as one of"),
    ("one-of-many", 1, "A page has many"),
    ("one-of-many", 100, "some have two"),
    ("what-shows-it", "mean", "within the scatter"),
    ("time-by-count", 22.8, "time between two answers"),
    ("time-by-count", 1160, "depth of 64"),
    ("worth-of-four", 221, "Divide by four"),
    ("worth-of-four", 0.553, "asks for percent"),
    ("price-of-depth", 4.18, "That is the rate"),
    ("price-of-depth", 44.6, "That is p99"),
    ("depth-that-is-enough", 64, "best rate itself"),
    ("depth-that-is-enough", 4, "not quite enough"),
    ("depth-in-time", 64, "Look at p99"),
    ("depth-in-time", 1, "another depth reads more"),
    ("what-shows-it", "p99", "within the scatter"),
    ("what-shows-it", "p90", "is not a name here"),
    ("at-least", 32 * 1024, "files a second"),
    ("at-least", 0, "so it was fast"),
]


@pytest.mark.parametrize("exercise,answer,hint", WRONG)
def test_typical_wrong_answers_get_their_hint(data, exercise, answer, hint):
    verdict = exercises.check_answer(exercise, answer, data(exercise))
    assert verdict.outcome == "wrong"
    assert hint in verdict.hint


def slips(right, xfs, nfs, smb):
    """Wrong answers that have to be computed: exercise, answer, hint."""
    runs = printed(LOOPBACK / "iozone/nfs-v4.2")["write", MIB, 64 * KIB] / MIB
    error = runs.std(ddof=1) / 5**0.5
    random = means(xfs, "random_write")
    loss = random[128 * MIB, 64 * KIB] - random[256 * MIB, 64 * KIB]
    pair = [[side["read", 4 * MIB, r].mean() for r in (64 * KIB, 4 * MIB)]
            for side in (nfs, smb)]  # fmt: skip
    ratios = np.divide(pair[1], pair[0])
    reads = geomean_ratio(nfs, smb, lambda o, f, r: o == "read" and f > 512 * KIB)
    return [
        ("fall", 1 / right["fall"], "small number divided"),
        (
            "fall",
            random[128 * MIB, 128 * KIB] / random[256 * MIB, 128 * KIB],
            "column of records of 128 KiB",
        ),
        ("fall", loss / MIB, "difference"),
        ("fall", 100 - 100 / right["fall"], "percent"),
        ("scatter", right["scatter"] / 100, "asks for percent"),
        ("scatter", 100 * runs.var(ddof=1) / runs.mean(), "variance"),
        ("scatter", 100 * runs.std() / runs.mean(), "divides by n"),
        ("scatter", runs.std(ddof=1), "Divide it by the mean"),
        ("scatter", 100 * np.ptp(runs) / runs.mean(), "range"),
        ("half-width", 1.96 * error, "Student's t"),
        ("half-width", right["half-width"] * 5**0.5, "Divide by √n"),
        ("half-width", error, "standard error"),
        ("half-width", 2.571 * error, "factor of n = 6"),
        ("half-width", right["half-width"] / 5**0.5, "not by n"),
        ("half-width", 2 * right["half-width"], "whole width"),
        ("by-chance", 4, "how many alarms there are"),
        ("two-cells", ratios.mean(), "arithmetic mean"),
        ("two-cells", sum(pair[1]) / sum(pair[0]), "mean throughputs"),
        ("two-cells", sum(1 / np.array(pair[0])) / sum(1 / np.array(pair[1])), "times"),
        ("two-cells", ratios.prod(), "square root"),
        ("without-memory", reads, "still with all cells"),
        ("without-memory", 1 / right["without-memory"], "baseline ÷ candidate"),
        ("damage", 1 / right["damage"], "ramdisk ÷ ramdisk-f"),
        ("large-enough", right["large-enough"] / 3, "fits into memory"),
        ("large-enough", right["large-enough"] * 1024**2, "right in another unit"),
        ("large-enough", right["large-enough"] / 1.5, "bonnie++"),
        ("mean-and-median", 1 / right["mean-and-median"], "median ÷ mean"),
        ("mean-and-median", of_fio("direct")["mean"] / 48794, "take `cached`"),
        ("share-of-misses", right["share-of-misses"] / 100, "asks for percent"),
        ("share-of-misses", 100 - right["share-of-misses"], "that memory served"),
        (
            "share-of-misses",
            100 * of_fio("cached")["mean"] / of_fio("direct")["mean"],
            "a read from memory takes time",
        ),
        ("gain-at-the-tail", 1 / right["gain-at-the-tail"], "cached ÷ direct"),
        ("gain-at-the-tail", 8.98, "column mean"),
        ("gain-at-the-tail", 2.47, "column p99"),
        ("time-of-a-file", 1000 / right["time-of-a-file"], "Turn it over"),
        ("time-of-a-file", seconds_of_copies(SMALL, "tree") / 10, "That is `tree`"),
        ("same-data", 1 / right["same-data"], "That is `tree-flushed` ÷ `large`"),
        (
            "same-data",
            seconds_of_copies(SMALL, "tree") / seconds_of_copies(SMALL, "large"),
            "without flushes",
        ),
        ("share-of-flush", 100 - right["share-of-flush"], "everything else"),
        ("share-of-flush", right["share-of-flush"] / 100, "asks for percent"),
        ("at-least", right["at-least"] / 2, "less than half of one"),
        ("at-least", right["at-least"] / 4, "do not multiply"),
        ("whole-job", right["whole-job"] + 10 / 32.768, "That is the most"),
        (
            "whole-job",
            10_000 / files_a_second(SMALL, "flushed")["create"],
            "creating alone",
        ),
        ("one-of-many", 0.634, "asks for percent"),
        ("one-of-many", 36.6, "without a slow read"),
    ]


def test_computed_slips_get_their_hint(right, xfs, nfs, smb, data):
    for exercise, answer, hint in slips(right, xfs, nfs, smb):
        verdict = exercises.check_answer(exercise, answer, data(exercise))
        assert verdict.outcome == "wrong", exercise
        assert hint in verdict.hint, exercise


def test_every_exercise_has_two_wrong_answers_with_hints_of_their_own(
    right, xfs, nfs, smb
):
    hints = {}
    for exercise, _, hint in [*WRONG, *slips(right, xfs, nfs, smb)]:
        hints.setdefault(exercise, set()).add(hint)
    assert [e for e in exercises.EXERCISES if len(hints.get(e, ())) < 2] == []


@pytest.mark.parametrize("answer", [True, [4], math.nan, -4, math.inf, "four", "4 m"])
def test_what_is_no_number_gets_a_hint(answer):
    verdict = judge(Exercise(4.0, "Add.", "Four.", unit="apples"), answer)
    assert verdict.outcome == "wrong"
    assert "apples" in verdict.hint


def test_answers_are_escaped(data):
    verdict = exercises.check_answer("which-rule", "<b>x", data("which-rule"))
    assert "<b>x" not in verdict._repr_html_()
    assert "&lt;b&gt;x" in verdict._repr_html_()


@pytest.mark.slow
def test_exercises_work_on_another_campaign_or_say_what_they_ask_about(campaigns):
    other = campaigns["plans"]
    works = [
        *("who-falls", "large-enough", "good-order", "run-command"),
        *("honest-command", "differences", "scatter-of-runs", "runs-for-five"),
        *("half-the-difference", "runs-in-a-picture"),
    ]
    for exercise in exercises.EXERCISES:
        if exercise in works:
            assert exercises.check_answer(exercise, 1, other).outcome == "wrong"
            continue
        with pytest.raises(UsageError, match=f"{exercise} asks about .* first, second"):
            exercises.check_answer(exercise, 1, other)


def foreign(folder, names=("old", "new")):
    """Three runs of each of some systems; none has the sizes of our campaigns."""
    runs = {
        f"{name}/r{k}.txt": iozone(3 * seed + k)
        for seed, name in enumerate(names)
        for k in range(3)
    }
    return fsviz.load(str(write_files(folder, runs)))


@pytest.mark.slow
def test_systems_of_the_same_names_are_no_campaign_of_ours(tmp_path):
    """No traceback and no answer that is made of other cells or of nothing."""
    needed = {name for names in NEEDED.values() for name in names}
    campaign = foreign(tmp_path, sorted(needed))
    for exercise in ("dip", "last-size-in-cache", "two-cells", "where-it-wrote",
                     "disk-read", "data-of-a-write"):  # fmt: skip
        with pytest.raises(UsageError, match=f"{exercise}: expected the campaign that"):
            exercises.expect(campaign, exercise)
    # the others are asked about what is there, or refused so
    for exercise in exercises.EXERCISES:
        with suppress(UsageError):
            assert exercises.check_answer(exercise, {}, campaign).outcome == "wrong"
    with pytest.raises(UsageError, match=r"first-write: expected the campaign that"):
        exercises.model_answer("first-write", "", campaign)


def test_many_systems_are_not_all_named(tmp_path):
    campaign = foreign(tmp_path, [f"system{k:02d}" for k in range(20)])
    with pytest.raises(UsageError, match=r"found system00, .*system07, …\. Lessons 6"):
        exercises.expect(campaign, "dip")


def test_a_picture_has_to_show_the_runs(data):
    campaign = data("runs-in-a-picture")
    said = [
        exercises.check_answer("runs-in-a-picture", figure, campaign).hint
        for figure in (
            fsviz.explorer(campaign, operation="write", system=["xfs"]),
            fsviz.buckets(campaign, operation="write"),
        )
    ]
    assert "draw the mean over the runs" in said[0]
    assert "It shows means." in said[1]


@pytest.mark.parametrize("name", ["first-write", "what-it-can-find"])
def test_a_model_answer_is_folded_below_the_learners(data, name):
    campaign = data("disk-read" if name == "first-write" else "runs-for-five")
    shown = exercises.model_answer(name, "It <b>was</b> slow.", campaign)._repr_html_()
    mine, _, ours = shown.partition("<details><summary>Ours")
    assert "It &lt;b&gt;was&lt;/b&gt; slow." in mine
    assert ours.count("<li>") >= 3
    assert "nan" not in ours
    empty = exercises.model_answer(name, None, campaign)._repr_html_()
    assert "Nothing yet." in empty


def test_an_unknown_interpretation_is_refused(data):
    with pytest.raises(UsageError, match=r"expected one of first-write, .* found nil"):
        exercises.model_answer("nil", "", data("dip"))


def test_no_label_of_a_figure_answers_an_exercise(campaigns):
    """Lesson two asks who falls, and where: its figure must not say so."""
    path = ROOT / "notebooks/lessons/2-where-the-cache-ends.ipynb"
    code = "\n".join(cell.source for cell in cells_of(path, "code"))
    assert "fsviz.explorer(" in code
    chosen = {"operation": "random_write", "system": ["xfs", "ext4", "btrfs"]}
    figure = fsviz.explorer(campaigns["caches"], **chosen)
    labels = [shape.label.text or "" for shape in figure.layout.shapes]
    labels += [note.text for note in figure.layout.annotations]
    assert not any("cliff" in label for label in labels)


def test_an_unknown_exercise_is_refused(data):
    with pytest.raises(UsageError, match=r"expected one of highest-cell, .*found nil"):
        exercises.check_answer("nil", 1, data("dip"))


def of_the_server(name):
    """What the server counted: a row of names above each row of numbers."""
    lines = (COUNTED / name / "nfsstat-server.txt").read_text().splitlines()
    numbers = {}
    for above, below in pairwise(lines):
        if re.match(r"\d+ +\d+%", below):
            counts = map(int, re.findall(r"(\d+) +\d+%", below))
            numbers |= dict(zip(above.split(), counts, strict=True))
    return numbers


def test_client_server_and_mount_counted_the_same_calls():
    table = exercises.calls_sent()
    assert list(table.index) == ["cached", "flushed", "remounted", "synchronous",
                                 "direct"]  # fmt: skip
    for name, row in table.iterrows():
        server = of_the_server(name)
        assert row["READ"] == server["read"]
        assert row["WRITE"] == server["write"]
        assert row["COMMIT"] == server["commit"]
        # the server counts what nfsstat calls a procedure as a compound
        assert row.sum() == server["compound"] + server["null"]
        if name != "remounted":  # its mount was made anew before the last test
            mount, _ = of_the_mount(name)
            assert [mount[kind] for kind in row.index[:3]] == list(row[:3])


def test_what_lesson_seven_says_of_the_calls():
    """`cached` sent what `flushed` did, while its clock stood; two lacked a COMMIT."""
    table = exercises.calls_sent()
    assert list(table.loc["cached"]) == list(table.loc["flushed"])
    values = loaded(COUNTED).measurements.set_index(["system", "operation"])["value"]
    link = 1e9 / 8
    assert values["cached", "write"] > 8 * link
    assert values["flushed", "write"] < link
    for name, reads in table["READ"].items():
        # what no call brought came from memory
        assert (values[name, "read"] > link) == (reads == 0), name
    assert list(table.index[table["COMMIT"] == 0]) == ["synchronous", "direct"]
    for name in ("synchronous", "direct"):
        assert table.loc[name, "WRITE"] == 2 * 64 * MIB / (64 * KIB)


# Trials -----------------------------------------------------------------------------


@pytest.fixture
def nowhere(monkeypatch, tmp_path):
    """A folder that is the whole path: no tool is found but what a test puts there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("exercises.trials._PLACES", ())
    return tmp_path


def put(folder, name, script):
    program = folder / name
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)


def test_without_a_tool_the_recorded_trial_is_taken(nowhere):
    trial = exercises.run_trial(["first", "second"])
    assert not trial.measured
    said = trial._repr_html_()
    assert "IOzone is not installed here and bonnie++ is not installed here" in said
    assert len(trial.campaign.runs) == 10


def test_an_iozone_that_fails_is_said_to(nowhere):
    put(nowhere, "iozone", "exit 3")
    trial = exercises.run_trial()
    assert not trial.measured
    assert "did not work here" in trial.note


BONNIE = (
    "1.98,2.00a,vm,1,$$,32M,,8192,5,1122,95,+++++,+++,+++++,+++,1608,97,+++++,"
    "+++,+++++,+++,,,,,,,,,,,,,,,,,,14534us,2722us,4076us,10970us,1246us,208ms,,,,,,"
)


def test_without_iozone_bonnie_measures(nowhere):
    put(nowhere, "bonnie++", f'echo "$@" >> {nowhere}/asked\necho "{BONNIE}"')
    trial = exercises.run_trial(["First", "second"])
    assert trial.measured
    assert "bonnie++" in trial.note
    asked = (nowhere / "asked").read_text().splitlines()
    places = [line.partition("-d ")[2].split()[0] for line in asked]
    assert [place.rpartition("/")[2] for place in places] == ["first", "second"]
    table = trial.campaign.measurements
    values = table.loc[table["metric"] == "throughput", "value"].dropna()
    assert sorted(set(values)) == [1122 * KIB, 1608 * KIB]
    assert "durability" not in trial.campaign.systems.dropna(axis="columns")


def test_where_bonnie_prints_no_throughput_the_recorded_trial_is_taken(nowhere):
    quick = BONNIE.replace("1122,95", "+++++,+++").replace("1608,97", "+++++,+++")
    put(nowhere, "bonnie++", f'echo "$@" >> {nowhere}/asked\necho "{quick}"')
    trial = exercises.run_trial()
    assert not trial.measured
    assert "bonnie++ did not work here (it printed no throughput" in trial.note
    # seven more runs of it would tell nothing else
    assert len((nowhere / "asked").read_text().splitlines()) == 1


def test_so_it_is_where_no_test_was_printed_by_all_runs(nowhere):
    quick = BONNIE.replace("1122,95", "+++++,+++").replace("1608,97", "+++++,+++")
    again = f'test -e {nowhere}/once && echo "{quick}" && exit\ntouch {nowhere}/once'
    put(nowhere, "touch", ": > $1")
    put(nowhere, "bonnie++", f'{again}\necho "{BONNIE}"')
    trial = exercises.run_trial()
    assert not trial.measured
    assert "it printed no throughput" in trial.note


@pytest.mark.parametrize("order", ["first", [1, 2], ["first"], {"first": 1}])
def test_an_order_that_cannot_run_is_replaced_by_ours(nowhere, order):
    put(nowhere, "bonnie++", f'echo "{BONNIE}"')
    trial = exercises.run_trial(order)
    assert len(trial.campaign.runs) == 8
    assert "The order is ours. Yours cannot run" in trial.note


@pytest.mark.skipif(not shutil.which("iozone"), reason="IOzone is not installed")
def test_a_trial_measures_in_the_given_order():
    order = ["second", "first", "second", "first"]
    trial = exercises.run_trial(order)
    assert trial.measured, trial.note
    runs = trial.campaign.runs
    assert dict(runs["system"].value_counts()) == {"first": 2, "second": 2}
    assert trial.campaign.baseline == "first"
    for row in runs.itertuples():
        assert f"disk/{row.system}/testfile" in row.command_line


def test_this_machine_names_what_a_plan_needs():
    frame = exercises.this_machine().set_index("fact")["value"]
    assert {"memory", "processors", "tools"} <= set(frame.index)
    assert frame["memory"].endswith(("GiB", "not told", "TiB", "MiB"))


# Notebooks --------------------------------------------------------------------------


def cells_of(path, kind):
    return [c for c in nbformat.read(path, as_version=4).cells if c.cell_type == kind]


def test_there_are_eleven():
    numbers = [path.name.split("-")[0] for path in NOTEBOOKS]
    assert numbers == [str(n) for n in range(1, 12)]


def test_every_exercise_is_asked_once_and_answers_begin_empty():
    asked = []
    for path in NOTEBOOKS:
        code = [cell.source for cell in cells_of(path, "code")]
        checks = [re.match(r'exercises\.check_answer\("([a-z-]+)", (\w+)', c)
                  for c in code]  # fmt: skip
        found = [match.groups() for match in checks if match]
        assert 3 <= len(found) <= 5, path.name
        for exercise, name in found:
            assert sum(c.startswith(f"{name} = None  # ") for c in code) == 1
            asked.append(exercise)
    assert asked == list(exercises.EXERCISES)


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_a_lesson_stops_where_it_reads_a_campaign_that_is_not_its_own(path, tmp_path):
    """In one line, at once, unless any campaign will do."""
    foreign(tmp_path)
    code = [cell.source for cell in cells_of(path, "code")]
    asked = re.findall(r"check_answer\(\"([a-z-]+)\", \w+, (\w+)", "\n".join(code))
    particular = {where for name, where in asked if NEEDED[name]}
    names = {"fsviz": fsviz, "exercises": exercises}
    for where in particular:
        own = [source for source in code if f"{where} = fsviz.load(" in source]
        assert len(own) == 1
        for name, of in asked:
            assert of != where or not NEEDED[name] or f'"{name}"' in own[0], name
        load, stop = f"{where} = fsviz.load(", f"exercises.expect({where}"
        lines = own[0].splitlines()
        first = next(k for k, line in enumerate(lines) if line.startswith(load))
        last = next(k for k, line in enumerate(lines) if line.startswith(stop))
        assert last - first <= 2
        names |= {"source": str(tmp_path), "network": str(tmp_path)}
        with pytest.raises(UsageError, match="asks about") as error:
            exec("\n".join(lines[first : last + 1]), names)
        assert "\n" not in str(error.value)
    assert bool(particular) == (path.name[:2] not in ("6-", "8-"))


# what a learner needs for an exercise [min], in their order: two to look a thing up,
# three to compare or count, four to calculate or to write a command line
MINUTES = dict(
    zip(
        exercises.EXERCISES,
        map(int, "2233232434423242342222442342342342443242434333333434"),
        strict=True,
    )
)


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_the_time_that_a_lesson_promises_fits(path, data):
    """Estimated: 200 words a minute, two for a figure, one wrong try an exercise.

    Five for an interpretation, two for a recording that is read line by line, which
    nobody does with columns that are only added up.
    """
    prose = " ".join(cell.source for cell in cells_of(path, "markdown"))
    code = "\n".join(cell.source for cell in cells_of(path, "code"))
    asked = re.findall(r'check_answer\("([a-z-]+)"', code)
    told = [exercises.check_answer(name, None, data(name)).solution for name in asked]
    minutes = len(re.findall(r"\w+", " ".join([prose, *told]))) / 200
    minutes += 2 * code.count("fsviz.explorer(")
    minutes += 5 * code.count("exercises.model_answer(")
    minutes += 2 * len(re.findall(r"exercises\.watched\([^)]*\)(?!\[)", code))
    minutes += sum(MINUTES[name] + 1 for name in asked)
    assert "*Twenty to thirty minutes. You need: " in prose
    assert "Afterwards you can " in prose
    assert "real" in prose
    assert 20 <= minutes <= 30, minutes


# names and formats that hold a digit but are no measured number
NAMES = re.compile(
    r"(NFS (3|4\.\d)|SMB \d\.\d(\.\d)?|nfs-v\d\.\d|smb-\d\.\d\.\d|ext4)"
    r"(?![\d.]*\d|\s*(%|×|times|[KMG]?i?B\b|s\b))"  # with a unit it is a number
    r"|^1\. "  # a numbered list
    r"|\bp(50|99(\.9)?)(?!\d)"  # a percentile
    r"|\b[a-z]+\([1-8]\)|RFC \d{4}\b|IEEE 802\.3\b",  # sources
    re.MULTILINE,
)


def loose(text):
    lines = NAMES.sub("", text).split("\n")
    return [line for line in lines if any(map(str.isnumeric, line))]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_prose_holds_no_number(path):
    for cell in cells_of(path, "markdown"):
        assert loose(cell.source) == []
        assert loose(f"{cell.source} That is 37 times faster.") != []


@pytest.mark.parametrize("text", ["NFS 4", "NFS 3 times", "SMB 2.1 s", "ext4 4", "½"])
def test_a_number_is_no_name(text):
    assert loose(text) != []


@pytest.mark.slow
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda p: p.stem)
def test_filled_in_rightly_all_verdicts_are_right(path, right, monkeypatch):
    monkeypatch.chdir(path.parent)
    recorded = exercises.Trial(loaded(SAME_TWICE), measured=False, note="")
    monkeypatch.setattr(exercises, "run_trial", lambda _order: recorded)
    code = [cell.source for cell in cells_of(path, "code")]
    exercise = {
        m[2]: m[1]
        for c in code
        if (m := re.match(r'exercises\.check_answer\("([a-z-]+)", (\w+)', c))
    }
    names, verdicts = {"display": lambda *_: None}, []
    for source in code:
        if source.startswith("fsviz.explorer("):
            continue
        name = source.partition(" = None")[0]
        if name in exercise:
            names[name] = right[exercise[name]]
        elif source.startswith("exercises.check_answer("):
            verdicts.append(eval(source, names))
        else:
            exec(source, names)
    assert {v.outcome for v in verdicts} == {"right"}, list(map(str, verdicts))


@pytest.fixture(scope="module")
def executed(tmp_path_factory):
    """A lesson as it is handed out, executed at the first call."""
    from fsviz.report.execute import execute

    out = tmp_path_factory.mktemp("lessons")
    return cache(lambda path: execute(path, out / path.name, {}))


# one of them at each change, all of them in `make test-slow`
QUICK = ROOT / "notebooks/lessons/5-how-fast-is-a-ram-disk.ipynb"
RUN = [p if p == QUICK else pytest.param(p, marks=pytest.mark.slow) for p in NOTEBOOKS]


@pytest.mark.slow
@pytest.mark.parametrize("path", RUN, ids=lambda p: p.stem)
def test_as_handed_out_a_lesson_runs_and_every_exercise_is_open(executed, path):
    notebook = executed(path)
    said = [
        output["data"]["text/html"]
        for cell in notebook.cells
        if cell.source.startswith("exercises.check_answer(")
        for output in cell.outputs
    ]
    assert len(said) >= 3
    assert all("<b>Nothing yet.</b>" in text for text in said)
    assert "stderr" not in json.dumps(notebook)


def test_a_lesson_on_another_campaign_is_one_line_in_its_notebook(tmp_path):
    from fsviz.report.execute import ReportError, execute

    foreign(tmp_path / "data")
    with pytest.raises(ReportError, match=r"stopped with UsageError: too-alike asks"):
        execute(QUICK, tmp_path / "out.ipynb", {"source": str(tmp_path / "data")})
    done = nbformat.read(tmp_path / "out.ipynb", as_version=4)
    shown = [
        output["traceback"]
        for cell in done.cells
        for output in cell.get("outputs", [])
        if output["output_type"] == "error"
    ]
    assert [len(lines) for lines in shown] == [1]
    assert shown[0][0].startswith("UsageError: too-alike asks about disk, ramdisk")


@pytest.mark.slow
@pytest.mark.parametrize("lesson", ["6-plan-and-run", "8-how-many-runs"])
def test_a_lesson_for_any_campaign_runs_on_one_that_is_not_ours(lesson, tmp_path):
    from fsviz.report.execute import execute

    foreign(tmp_path / "data")
    path = ROOT / f"notebooks/lessons/{lesson}.ipynb"
    name = "recorded" if lesson.startswith("6") else "source"
    done = execute(path, tmp_path / "out.ipynb", {name: str(tmp_path / "data")})
    assert "<b>Nothing yet.</b>" in json.dumps(done)


@pytest.mark.slow
@pytest.mark.parametrize("path", RUN, ids=lambda p: p.stem)
def test_a_lesson_becomes_a_page(executed, path):
    from fsviz.report.html import FsvizHTMLExporter

    notebook = executed(path)
    page, _ = FsvizHTMLExporter().from_notebook_node(notebook)
    title = notebook.cells[0].source.splitlines()[0].removeprefix("# ")
    assert f"<title>{title}" in page
    checks = sum("exercises.check_answer(" in cell.source for cell in notebook.cells)
    assert page.count("<summary>Solution</summary>") == checks


@pytest.mark.slow
@pytest.mark.browser
def test_a_lesson_can_be_printed(executed, chromium):
    from fsviz.report.html import FsvizPDFExporter

    pages, _ = FsvizPDFExporter().from_notebook_node(executed(QUICK))
    assert pages.startswith(b"%PDF-")
    assert len(pages) > 50_000


def test_lesson_five_does_not_give_its_answer_away():
    """The first screen has the file's name, the title, the data's folder and facts."""
    [path] = [path for path in NOTEBOOKS if path.name.startswith("5-")]
    cells = [cells_of(path, "markdown")[0], *cells_of(path, "code")[:2]]
    facts = (RAM_DISK / "campaign.toml").read_text(encoding="utf-8")
    titles = re.findall(r'^title = "(.*)"', facts, re.MULTILINE)
    told = " ".join([path.name, *(cell.source for cell in cells), *titles])
    assert not re.search(r"wrong|elsewhere|-f\b|meant to|mistake", told)


# Pages ------------------------------------------------------------------------------


def test_the_page_for_teachers_lists_the_lessons_in_order():
    text = (ROOT / "docs/teachers.md").read_text(encoding="utf-8")
    linked = re.findall(r"\]\(\.\./(notebooks/lessons/[^)]+)\)", text)
    assert linked == [str(path.relative_to(ROOT)) for path in NOTEBOOKS]
    assert "environment.yml" in text


def test_the_guide_for_teachers_knows_every_lesson():
    text = (ROOT / "notebooks/lessons/README.md").read_text(encoding="utf-8")
    rows = re.findall(
        r"^\| (\d+) .* \| 20–30 \| .* \| (\d) exercises \|$", text, re.MULTILINE
    )
    asked = []
    for path in NOTEBOOKS:
        code = "".join(cell.source for cell in cells_of(path, "code"))
        asked.append(
            (path.name.split("-")[0], str(code.count("exercises.check_answer(")))
        )
    assert rows == asked
    lessons = re.findall(r"\*\*Lesson (\d+)\.\*\*", text)
    assert lessons == [str(n) for n in range(1, 12)]
    marks = re.findall(r"^\| .* \| (\d0) \| .* \|$", text, re.MULTILINE)
    assert sum(map(int, marks)) == 100
    assert "`fsviz check --strict`" in text


@pytest.mark.slow
def test_the_model_interpretation_is_what_was_measured(campaigns):
    text = (ROOT / "notebooks/lessons/README.md").read_text(encoding="utf-8")
    model = " ".join(text.partition("**A model interpretation**")[2].split())
    chosen = {"operation": ["write", "read"], "candidate": ["xfs"]}
    iozone = fsviz.select(campaigns["caches"], tool=["iozone"])
    rows = fsviz.compare(iozone, sizes="all", **chosen).by("bucket")
    rows = rows.set_index(["operation", "bucket"])
    write, read = (rows.loc[(name, "very_large")] for name in ("write", "read"))
    assert (write["answer"], read["answer"]) == ("faster", "inconclusive")
    assert write["scope"] == ["storage"]
    assert f"wrote {write['ratio']:.2f} times" in model
    assert f"{write['ci_low']:.2f} to {write['ci_high']:.2f}, n = 5 rounds" in model
    assert f"({read['ci_low']:.2f} to {read['ci_high']:.2f})" in model
    assert f"over {write['cells']} record sizes" in model


@pytest.mark.parametrize("lesson", range(1, 12))
def test_the_task_at_the_end_keeps_our_answer_to_itself(lesson):
    task = exercises.transfer(lesson)
    assert repr(task) == task.task
    assert task.model not in repr(task)
