"""The files of one invocation brought together, and each run counted once.

IOzone prints its table as text and writes it again as a workbook; rsync's ``--stats``
goes to standard output and the time it took to standard error. Files of one name but
for such suffixes are forms or parts of one invocation. Under other names, runs are
copies of one if all their numbers are equal, and so many that this is no chance.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePath

from fsviz.model.errors import InconsistentDataError, ParseError
from fsviz.model.runs import Cells, Note, Run
from fsviz.model.table import METRICS

_SUFFIX = re.compile(
    r"\.(txt|log|out|err|stdout|stderr|csv|tsv|xls|xlsx|wks|json|md|html?|time|stats"
    r"|report|dat|libreoffice|excel)$",
    re.IGNORECASE,
)
_SHARED = 0.5
"""Share of common cells that must agree in two forms of one run."""
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


def merge_files(runs: Iterable[Run]) -> tuple[list[Run], list[ParseError]]:
    """Bring the files of one invocation together."""
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        groups.setdefault((stem(run.source), run.tool), []).append(run)
    merged: list[Run] = []
    problems: list[ParseError] = []
    for group in groups.values():
        invocations: list[list[Run]] = []
        for of_file in _files(group):
            problems += _add_file(invocations, of_file)
        merged += [part for parts in invocations for part in _one_identity(parts)]
    return merged, problems


def _files(group: Sequence[Run]) -> list[list[Run]]:
    """Part runs by their files, those that keep most first: CSV, text, workbook."""
    files: dict[str, list[Run]] = {}
    for run in group:
        files.setdefault(run.source, []).append(run)
    order = {".csv": 0, ".xls": 2, ".xlsx": 2}
    return sorted(files.values(), key=lambda f: order.get(_ending(f[0]), 1))


def _ending(run: Run) -> str:
    return PurePath(run.source).suffix.lower()


def _add_file(invocations: list[list[Run]], of_file: Sequence[Run]) -> list[ParseError]:
    """Add each run of a file to the first invocation left that it can belong to."""
    problems: list[ParseError] = []
    left = list(invocations)
    for run in of_file:
        for at, parts in enumerate(left[:_TRIED]):
            rest, differing = _match(parts, run)
            if rest is not None:
                parts.append(rest)
                problems += differing
                del left[at]
                break
        else:
            invocations.append([run])
    return problems


def _match(parts: Sequence[Run], run: Run) -> tuple[Run | None, list[ParseError]]:
    """Return what the run adds to the parts, or None if it is another invocation."""
    run = _with_settings(parts, run)
    places = {k: (p, j) for p in parts for j, k in enumerate(_keys(p))}
    keys = list(_keys(run))
    shared = [(i, *places[key]) for i, key in enumerate(keys) if key in places]
    differing = [s for s in shared if not _agree(run.cells, s[0], s[1].cells, s[2])]
    if len(differing) > len(shared) * (1 - _SHARED):
        return None, []
    new = [i for i, key in enumerate(keys) if key not in places]
    return _only(run, new), [_disagreement(run, *pair) for pair in differing[:1]]


def _keys(run: Run) -> Iterable[tuple[object, ...]]:
    """What each number is of; some forms of bonnie++ lack its one record size."""
    if run.tool != "bonnie++":
        return run.cells.keys()
    return ((*key[:2], *key[3:]) for key in run.cells.keys())  # noqa: SIM118


def _with_settings(parts: Sequence[Run], run: Run) -> Run:
    """Give the cells of IOzone's workbook, which has no options, those of the text."""
    if run.tool != "iozone" or any(run.cells.setting):
        return run
    known = {
        operation: setting
        for part in parts
        for operation, setting in zip(
            part.cells.operation, part.cells.setting, strict=True
        )
    }
    told = [known.get(operation, "") for operation in run.cells.operation]
    return replace(run, cells=replace(run.cells, setting=told))


def _agree(a: Cells, i: int, b: Cells, j: int) -> bool:
    if a.value[i] == b.value[j]:
        return True
    # NaN bounds compare false, so an unknown bound never excludes agreement
    return not (a.high[i] < b.low[j] or b.high[j] < a.low[i])


def _only(run: Run, rows: Sequence[int]) -> Run:
    cells = Cells()
    for name in cells.__slots__:
        column = getattr(run.cells, name)
        setattr(cells, name, [column[i] for i in rows])
    return replace(run, cells=cells)


def _disagreement(run: Run, i: int, other: Run, j: int) -> InconsistentDataError:
    return InconsistentDataError(
        run.source,
        run.cells.locator[i].removeprefix("line "),
        f"{other.cells.value[j]:g} as at {other.source}:{other.cells.locator[j]}",
        f"{run.cells.value[i]:g}",
    )


def _one_identity(parts: Sequence[Run]) -> list[Run]:
    if len(parts) == 1:
        return list(parts)
    texts = dict.fromkeys(p.configuration for p in parts if p.configuration)
    first = parts[0]
    # forms of one table state the same configuration in words of their own
    configuration = first.configuration or "; ".join(texts)
    return [
        replace(part, identity=first.identity, configuration=configuration)
        for part in parts
    ]


class Seen:
    """Runs by their numbers: a copy has the same, whatever its file is called."""

    def __init__(self) -> None:
        self._runs: dict[str, dict[str, Run]] = {}

    def copied(self, run: Run) -> Run | None:
        """Find the run that this one is a copy of; those of other starts are none."""
        same, start = self._runs.get(_numbers(run), {}), _start(run)
        alike = [same.get(start), same.get("")] if start else [*same.values()][:1]
        return next(filter(None, alike), None)

    def add(self, run: Run) -> None:
        """Note a run that has numbers enough to be known by them."""
        if numbers := _numbers(run):
            self._runs.setdefault(numbers, {}).setdefault(_start(run), run)


def _start(run: Run) -> str:
    """What an invocation states once: its start, or bonnie++'s random seed."""
    return str(run.facts.get("seed", "")) or run.started


def _numbers(run: Run) -> str:
    """Digest what a run measured; empty if that may be equal by chance."""
    c = run.cells
    rows = zip(c.operation, c.file_size_bytes, c.metric, c.value, strict=True)
    told = [row for row in rows if METRICS[row[2]].better and row[2] != "cpu"]
    told = [row for row in told if row[3] == row[3]]
    if not told or (len(told) < _ENOUGH and not run.started):
        return ""
    apart = run.started if len(told) < _ENOUGH else ""
    text = f"{run.tool} {apart} {sorted(map(repr, told))}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _repeats(before: Run, run: Run) -> bool:
    """Tell whether a run has the numbers of the one before it, as a pasted row has."""
    if run.source != before.source or run.identity == before.identity:
        return False
    cells = [
        dict(zip(r.cells.keys(), r.cells.value, strict=True)) for r in (before, run)
    ]
    shared = cells[0].keys() & cells[1].keys()
    same = all(repr(cells[0][key]) == repr(cells[1][key]) for key in shared)
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
        same = (first.identity, first.configuration)
        joined.append(
            replace(run, cells=Cells(), identity=same[0], configuration=same[1])
        )
        line = run.cells.locator[0].removeprefix("line ")
        inside = run.source == first.source
        where = f"at {first.cells.locator[0]}" if inside else first.source
        text = f"the same numbers as {where}: one run, counted once"
        key = (run.source, line if inside else first.source)
        notes.setdefault(key, Note(run.source, line if inside else 1, text))
    return joined, list(notes.values())
