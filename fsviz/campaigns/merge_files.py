"""The several files of one invocation: forms (same numbers) and parts (other numbers).

IOzone prints its table as text and writes it again as a workbook; rsync's ``--stats``
goes to standard output and the time it took to standard error. Counting such files as
runs of their own would invent repeats, so they are brought together here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import PurePath

from fsviz.model.errors import InconsistentDataError, ParseError
from fsviz.model.runs import Cells, Run

_SUFFIX = re.compile(
    r"\.(txt|log|out|err|stdout|stderr|csv|tsv|xls|xlsx|wks|json|md|html?|time|stats"
    r"|report|dat|libreoffice|excel)$",
    re.IGNORECASE,
)
_SHARED = 0.5
"""Share of common cells that must agree in two forms of one run."""


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
    unified: list[Run] = []
    problems: list[ParseError] = []
    for group in groups.values():
        found, bad = _unify_group(group)
        unified += found
        problems += bad
    return unified, problems


def _unify_group(group: Sequence[Run]) -> tuple[list[Run], list[ParseError]]:
    """Match each run of a later file with the first run that it can belong to."""
    if len({run.source for run in group}) == 1:
        # those of one file are different runs
        return [part for run in group for part in _one_identity([run])], []
    hosts: list[list[Run]] = []
    problems: list[ParseError] = []
    for run in sorted(group, key=_precedence):
        for parts in hosts:
            if any(part.source == run.source for part in parts):
                continue
            rest, bad = _match(parts, run)
            if rest is not None:
                problems += bad
                parts.append(rest)
                break
        else:
            hosts.append([run])
    return [part for parts in hosts for part in _one_identity(parts)], problems


def _precedence(run: Run) -> int:
    """Order forms by how much they keep: CSV before text before workbook."""
    suffix = PurePath(run.source).suffix.lower()
    return {".csv": 0, ".xls": 2, ".xlsx": 2}.get(suffix, 1)


def _match(parts: Sequence[Run], run: Run) -> tuple[Run | None, list[ParseError]]:
    """Return what the run adds to the parts, or None if it is another invocation."""
    known, run = _Known(parts), _with_settings(parts, run)
    shared: list[tuple[int, Run, int]] = []
    new: list[int] = []
    for i, key in enumerate(run.cells.keys()):
        if (place := known.find(key)) is not None:
            shared.append((i, *place))
        else:
            new.append(i)
    if not shared:
        return run, []
    differing = [s for s in shared if not _agree(run.cells, s[0], s[1].cells, s[2])]
    if len(differing) > len(shared) * (1 - _SHARED):
        return None, []
    return _only(run, new), [_disagreement(run, *pair) for pair in differing[:1]]


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


class _Known:
    """Where the cells of the forms before are.

    bonnie++ states its record size in some forms only, so that a record size that one
    side lacks is no difference.
    """

    def __init__(self, parts: Sequence[Run]) -> None:
        self._exact: dict[tuple[object, ...], tuple[Run, int]] = {}
        self._loose: dict[tuple[object, ...], list[tuple[object, ...]]] = {}
        for part in parts:
            for i, key in enumerate(part.cells.keys()):
                self._exact[key] = (part, i)
                self._loose.setdefault(_without_record(key), []).append(key)

    def find(self, key: tuple[object, ...]) -> tuple[Run, int] | None:
        """Find the cell with a key, or the only one that may have it."""
        if key in self._exact:
            return self._exact[key]
        record = key[_RECORD]
        near = self._loose.get(_without_record(key), [])
        near = [other for other in near if record is None or other[_RECORD] is None]
        return self._exact[near[0]] if len(near) == 1 else None


_RECORD = 2


def _without_record(key: tuple[object, ...]) -> tuple[object, ...]:
    return (*key[:_RECORD], *key[_RECORD + 1 :])


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
