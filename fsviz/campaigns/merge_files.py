"""The files of one invocation brought together, and each run counted once.

IOzone prints its table as text and writes it again as a workbook; rsync's ``--stats``
goes to standard output and the time it took to standard error. Files of one name but
for such suffixes are forms or parts of one invocation if none of their numbers
contradict. Under other names, runs are copies of one if all their numbers are equal,
and so many that this is no chance.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from pathlib import PurePath

from fsviz.model.runs import Cells, Note, Run
from fsviz.model.table import METRICS

_SUFFIX = re.compile(
    r"(?i)(?<=.)(?:\.(?:txt|log|out|err|stdout|stderr|csv|tsv|xls|xlsx|wks|json|md|html?"
    r"|time|stats|report|dat|libreoffice|excel))+$"
)
_ORDER = {".csv": 0, ".xls": 2, ".xlsx": 2}
"""Forms that keep most come first: CSV, text, workbook."""
_TRIED = 100
"""Invocations that a run of another file is compared with: two logs have thousands."""
Digests = dict[int, int]
_ENOUGH = 8
"""Equal numbers from which two runs are one, unless they state the same start."""

COUNTED = ".counters.json"
"""Behind the stem of an output: what the kernel counted during the run."""


@lru_cache(maxsize=2**14)
def stem(path: str) -> str:
    """Strip the suffixes that say in which form a result is, not which result it is.

    >>> stem("rsync/nfs/rep1.time.txt"), stem("a/nfs-v4.1.xls")
    ('rsync/nfs/rep1', 'a/nfs-v4.1')
    """
    place = PurePath(path)
    return str(place.with_name(_SUFFIX.sub("", place.name)))


def merge_files(runs: Iterable[Run]) -> list[Run]:
    """Bring the files of one invocation together."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((stem(run.source), run.tool), []).append(run)
    merged: list[Run] = []
    for group in groups.values():
        # sorting is stable: the runs of a file stay together, in their order
        group.sort(key=lambda r: _ORDER.get(PurePath(r.source).suffix.lower(), 1))
        invocations: list[list[Run]] = []
        for _, runs_of_file in groupby(group, key=lambda r: r.source):
            _add_file(invocations, runs_of_file)
        for parts in invocations:
            # forms of one table state the same configuration in words of their own
            stated = next(filter(None, (part.configuration for part in parts)), "")
            first = parts[0].identity
            merged += [replace(p, identity=first, configuration=stated) for p in parts]
    return merged


def _add_file(invocations: list[list[Run]], runs_of_file: Iterable[Run]) -> None:
    """Add each run of a file to the first invocation left that it can belong to."""
    left = list(invocations)
    for run in runs_of_file:
        for at, parts in enumerate(left[:_TRIED]):
            if (new := _addition(parts, run)) is not None:
                parts.append(new)
                del left[at]
                break
        else:
            invocations.append([run])


def _addition(parts: Sequence[Run], run: Run) -> Run | None:
    """Return what the run adds to the parts; None if a number contradicts theirs."""
    printed = {key: number for part in parts for key, number in numbers_of(part)}
    new = []
    for at, (key, (value, low, high)) in enumerate(numbers_of(run)):
        other, least, most = printed.get(key, (value, low, high))
        # NaN bounds compare false, so an unknown bound never excludes agreement
        if value != other and (high < least or most < low):
            return None
        if key not in printed:
            new.append(at)
    columns = {name: getattr(run.cells, name) for name in Cells.__slots__}
    added = {name: [column[at] for at in new] for name, column in columns.items()}
    return replace(run, cells=Cells(**added))


def numbers_of(run: Run) -> Iterator[tuple[tuple[object, ...], tuple[float, ...]]]:
    """List each number with its bounds, and what it is of."""
    c = run.cells
    # some forms of bonnie++ lack its one record size, IOzone's workbook its options
    lacked = {"bonnie++": 2, "iozone": 4}.get(run.tool, -1)
    keys = (k[:lacked] + k[lacked + 1 :] if lacked > 0 else k for k in c.keys())  # noqa: SIM118
    return zip(keys, zip(c.value, c.low, c.high, strict=True), strict=True)


class Seen(dict[int, dict[str, Run]]):
    """Runs by numbers and start: a copy has the same, whatever its file is called."""

    def copied(self, run: Run, digests: Digests) -> Run | None:
        """Find the run that this one is a copy of; those of other starts are none."""
        alike, start = self.get(digests.get(id(run.cells), 0), {}), start_of(run)
        starts = (start, "") if start else alike
        return next((alike[s] for s in starts if s in alike), None)

    def add(self, run: Run, digests: Digests) -> None:
        """Note a run that has numbers enough to be recognised by them."""
        if digest := digests.get(id(run.cells)):
            self.setdefault(digest, {}).setdefault(start_of(run), run)


def start_of(run: Run) -> str:
    """What an invocation states once: its start, or bonnie++'s random seed."""
    return str(run.facts.get("seed", "")) or run.started


def digests_of(runs: Iterable[Run]) -> Digests:
    """Digest what each run measured, once, by the identity of its cells."""
    return {id(run.cells): _digest(run) for run in runs}


def _digest(run: Run) -> int:
    """Hash what a run measured; 0 if that may be equal by chance."""
    c = run.cells
    speeds = {m for m in set(c.metric) if METRICS[m].better and m != "cpu"}
    numbers = zip(c.operation, c.file_size_bytes, c.metric, c.value, strict=True)
    rows = [n for n in numbers if n[2] in speeds and n[3] == n[3]]
    enough = len(rows) >= (1 if run.started else _ENOUGH)
    return hash((run.tool, len(rows), frozenset(rows))) if enough else 0


def join_copies(runs: Sequence[Run], digests: Digests) -> tuple[list[Run], list[Note]]:
    """Count runs once that are one and the same measurement."""
    seen, joined, notes = Seen(), list[Run](), dict[tuple[str, str], Note]()
    for run in runs:
        if (first := seen.copied(run, digests)) is None:
            seen.add(run, digests)
            joined.append(run)
            continue
        place, original = "1", first.source
        if run.source == original:
            place, original = run.cells.locator[0], f"at {first.cells.locator[0]}"
        text = f"the same numbers as {original}: one run, counted once"
        note = Note(run.source, place.removeprefix("line "), text)
        notes.setdefault((run.source, original), note)
        copy = replace(run, cells=Cells(), identity=first.identity)
        joined.append(replace(copy, configuration=first.configuration))
    return joined, list(notes.values())
