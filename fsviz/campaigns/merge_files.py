"""The files of one invocation brought together, and each run counted once.

IOzone prints its table as text and writes it again as a workbook; rsync's ``--stats``
goes to standard output and the time it took to standard error. Files of one name but
for such suffixes are forms or parts of one invocation if none of their numbers
contradict. Under other names, runs are copies of one if all their numbers are equal,
and so many that this is no chance.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain
from pathlib import PurePath

from fsviz.model.runs import Cells, Note, Run
from fsviz.model.table import METRICS

_SUFFIX = re.compile(
    r"\.(txt|log|out|err|stdout|stderr|csv|tsv|xls|xlsx|wks|json|md|html?|time|stats"
    r"|report|dat|libreoffice|excel)$",
    re.IGNORECASE,
)
_TRIED = 100
"""Invocations that a run of another file is compared with: two logs have thousands."""
_ENOUGH = 8
"""Equal numbers from which two runs are one, unless they state the same start."""

COUNTED = ".counters.json"
"""Behind the stem of an output: what the kernel counted during the run."""
COUNTERS = "counters"
"""Fact of a run that has them."""


@lru_cache(maxsize=2**14)
def stem(path: str) -> str:
    """Strip the suffixes that say in which form a result is, not which result it is.

    >>> stem("rsync/nfs/rep1.time.txt"), stem("a/nfs-v4.1.xls")
    ('rsync/nfs/rep1', 'a/nfs-v4.1')
    """
    name = PurePath(path)
    base = name.name
    while (shorter := _SUFFIX.sub("", base)) not in ("", base):
        base = shorter
    return str(name.with_name(base))


def merge_files(runs: Iterable[Run]) -> list[Run]:
    """Bring the files of one invocation together."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((stem(run.source), run.tool), []).append(run)
    merged: list[Run] = []
    for group in groups.values():
        invocations: list[list[Run]] = []
        for of_file in _files(group):
            _add_file(invocations, of_file)
        merged += [part for parts in invocations for part in _one_identity(parts)]
    return merged


def _files(group: Sequence[Run]) -> list[list[Run]]:
    """Part runs by their files, those that keep most first: CSV, text, workbook."""
    files: dict[str, list[Run]] = {}
    for run in group:
        files.setdefault(run.source, []).append(run)
    order = {".csv": 0, ".xls": 2, ".xlsx": 2}
    by_form = sorted(
        files, key=lambda name: order.get(PurePath(name).suffix.lower(), 1)
    )
    return [files[name] for name in by_form]


def _add_file(invocations: list[list[Run]], of_file: Sequence[Run]) -> None:
    """Add each run of a file to the first invocation left that it can belong to."""
    left = list(invocations)
    for run in of_file:
        for at, parts in enumerate(left[:_TRIED]):
            if (addition := _addition(parts, run)) is not None:
                parts.append(addition)
                del left[at]
                break
        else:
            invocations.append([run])


def _addition(parts: Sequence[Run], run: Run) -> Run | None:
    """Return what the run adds to the parts; None if a number contradicts theirs."""
    run = _with_settings(parts, run)
    known = {key: number for part in parts for key, number in _numbers(part)}
    new = []
    for at, (key, (value, low, high)) in enumerate(_numbers(run)):
        other, least, most = known.get(key, (value, low, high))
        # NaN bounds compare false, so an unknown bound never excludes agreement
        if value != other and (high < least or most < low):
            return None
        if key not in known:
            new.append(at)
    names = Cells.__slots__
    columns = ([getattr(run.cells, name)[at] for at in new] for name in names)
    return replace(run, cells=Cells(**dict(zip(names, columns, strict=True))))


def _numbers(run: Run) -> Iterator[tuple[tuple[object, ...], tuple[float, ...]]]:
    """List each number with its bounds, and what it is of."""
    c = run.cells
    # some forms of bonnie++ lack its one record size
    keys = ((*k[:2], *k[3:]) if run.tool == "bonnie++" else k for k in c.keys())  # noqa: SIM118
    return zip(keys, zip(c.value, c.low, c.high, strict=True), strict=True)


def _with_settings(parts: Sequence[Run], run: Run) -> Run:
    """Give the cells of IOzone's workbook, which has no options, those of the text."""
    if run.tool != "iozone" or any(run.cells.setting):
        return run
    cells = [part.cells for part in parts]
    pairs = (zip(c.operation, c.setting, strict=True) for c in cells)
    known = dict(chain.from_iterable(pairs))
    told = [known.get(operation, "") for operation in run.cells.operation]
    return replace(run, cells=replace(run.cells, setting=told))


def _one_identity(parts: Sequence[Run]) -> list[Run]:
    first = parts[0]
    # forms of one table state the same configuration in words of their own
    texts = dict.fromkeys(p.configuration for p in parts if p.configuration)
    stated = first.configuration or "; ".join(texts)
    return [replace(p, identity=first.identity, configuration=stated) for p in parts]


class Seen:
    """Runs by their numbers: a copy has the same, whatever its file is called."""

    def __init__(self) -> None:
        self._runs: dict[str, dict[str, Run]] = {}

    def copied(self, run: Run) -> Run | None:
        """Find the run that this one is a copy of; those of other starts are none."""
        same, start = self._runs.get(_digest(run), {}), _start(run)
        alike = [same.get(start), same.get("")] if start else [*same.values()][:1]
        return next(filter(None, alike), None)

    def add(self, run: Run) -> None:
        """Note a run that has numbers enough to be known by them."""
        if digest := _digest(run):
            self._runs.setdefault(digest, {}).setdefault(_start(run), run)


def _start(run: Run) -> str:
    """What an invocation states once: its start, or bonnie++'s random seed."""
    return str(run.facts.get("seed", "")) or run.started


def _digest(run: Run) -> str:
    """Digest what a run measured; empty if that may be equal by chance."""
    c = run.cells
    rows = zip(c.operation, c.file_size_bytes, c.metric, c.value, strict=True)
    told = [row for row in rows if METRICS[row[2]].better and row[2] != "cpu"]
    told = [row for row in told if row[3] == row[3]]
    few = len(told) < _ENOUGH
    if not told or (few and not run.started):
        return ""
    text = f"{run.tool} {run.started if few else ''} {sorted(map(repr, told))}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _repeats(before: Run, run: Run) -> bool:
    """Whether a run has the numbers of the one before it, as a pasted row has."""
    if run.source != before.source or run.identity == before.identity:
        return False
    tables = [dict(_numbers(r)) for r in (before, run)]
    shared = tables[0].keys() & tables[1].keys()
    same = all(repr(tables[0][key]) == repr(tables[1][key]) for key in shared)
    return bool(shared) and same and _start(before) == _start(run)


def join_copies(runs: Sequence[Run]) -> tuple[list[Run], list[Note]]:
    """Count runs once that are one and the same measurement."""
    seen, joined, notes = Seen(), list[Run](), dict[tuple[str, str], Note]()
    before: Run | None = None
    for run in runs:
        first = seen.copied(run)
        if first is None:
            seen.add(run)
            joined.append(run)
            if before is not None and _repeats(before, run):
                place, line = before.cells.locator[0], run.cells.locator[0]
                text = f"the same numbers as at {place}; counted as runs of their own"
                note = Note(run.source, line.removeprefix("line "), text)
                notes.setdefault((run.source, ""), note)
            before = run
            continue
        copy = replace(run, cells=Cells(), identity=first.identity)
        joined.append(replace(copy, configuration=first.configuration))
        line = run.cells.locator[0].removeprefix("line ")
        inside = run.source == first.source
        where = f"at {first.cells.locator[0]}" if inside else first.source
        text = f"the same numbers as {where}: one run, counted once"
        key = (run.source, line if inside else first.source)
        notes.setdefault(key, Note(run.source, line if inside else 1, text))
    return joined, list(notes.values())
