"""Where a difference comes from: the operations, or the size classes, that make it.

An average hides them, and most readers know nothing but the headline.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from fsviz.analysis.buckets import EDGES
from fsviz.analysis.verdicts import ALPHA, BAND, DEPENDS, DIFFERENT
from fsviz.answers.statement import Statement
from fsviz.answers.words import (
    NEAR,
    WORDS,
    LoneCell,
    RareCells,
    factor_of,
    operations_words,
    range_words,
)
from fsviz.checks.parts import WORTH_A_WORD
from fsviz.checks.phrases import count, listing, titles
from fsviz.model.units import format_size, format_times

Size = str | int
"""A size class, or a size of files or records [B]."""

_CLOSE = 1.25
"""Parts this many times as far from 1 as the average are worth more than it."""


def partly(row: Statement) -> str:
    """Say where a difference comes from, if nothing else is decided; or nothing."""
    one, cell = _of_one_cell(row)
    if cell and all(_is_near(p.answer, p.speed) for p in row.parts if p is not one):
        at = f"{titles((one.operation,))} of " if row.parts else ""
        return f"{cell.how_much} at {at}{cell.place}, {cell.rest} elsewhere"
    differ = tuple(part for part in row.parts if part.decided == row.verdict)
    near = [part for part in row.parts if _is_near(part.answer, part.speed)]
    if not (differ and near) or len(differ) + len(near) < len(row.parts):
        found = _partition(row)
        if found:
            return f"{found.times} at {found.sizes}, {found.rest}"
        return _one_way(row)
    if found := _partition(replace(row, parts=differ)):
        named = operations_words(tuple(part.operation for part in differ))
        return f"{found.times} {named} of {found.sizes}, {found.rest}"
    own = {part.operation: _partition(part) for part in differ}
    each = [
        f"{found.times} at {titles((name,))} of {found.sizes}"
        for name, found in own.items()
        if found
    ]
    if not len(each) == len(differ) == 2:
        each = [row.at(differ)]
    return f"{' and '.join(each)}, {NEAR} elsewhere"


def _of_one_cell(row: Statement) -> tuple[Statement, LoneCell | None]:
    """Find the operation that alone differs, and the cell that makes its difference."""
    own = [
        one
        for one in row.parts or (row,)
        if one.decided or any(_apart(one, kind) for kind in _KINDS)
    ]
    cell = own[0].lone_cell if len(own) == 1 else None
    return (own[0], cell) if cell and cell.rest == NEAR else (row, None)


FAR = 3.0
"""Where sizes or operations are so many times apart, their mean is near none."""


def _one_way(row: Statement) -> str:
    """Say from where to where sizes go that all differ alike, but far apart."""
    found: list[tuple[float, str]] = []
    for kind in _KINDS:
        speeds: dict[Size, list[float]] = {}
        for one in row.parts or (row,):
            for name, verdict, speed, _ in _sizes(one, kind):
                if verdict != row.verdict or not speed > 0:
                    return ""
                speeds.setdefault(name, []).append(speed)
        every = [speed for own in speeds.values() for speed in own]
        apart = max(map(factor_of, every), default=1.0)
        if apart > FAR * min(map(factor_of, every), default=1.0):
            far = max(speeds, key=lambda name: max(map(factor_of, speeds[name])))
            text = range_words(min(every), max(every))
            found.append((apart, f"{text}, most at {_named((far,), (), kind)}"))
    return max(found, default=(0.0, ""))[1]


def beyond(rows: Sequence[Statement]) -> str:
    """Say how far the sizes go that all differ as some rows do, where none has room."""
    way, most = rows[0].verdict, max(row.factor for row in rows)
    own = [one for row in rows for one in (row.parts or (row,))]
    sizes = (told for one in own for kind in _KINDS for told in _sizes(one, kind))
    speeds = [s for _, v, s, _ in sizes if v == way and s > 0]
    far = max(speeds, key=factor_of, default=1.0)
    if factor_of(far) <= FAR * most:
        return ""
    return f", up to {format_times(factor_of(far))}× at some sizes"


class _Partition(NamedTuple):
    """How much a row differs, at which sizes, and how it is at all others."""

    least: float
    times: str
    sizes: str
    rest: str


def _partition(row: Statement) -> _Partition | None:
    """Part file sizes, or record sizes, so that all of one part differ alike.

    Large records are in large files alone: what differs more is the one that matters.
    """
    found = [own for kind in _KINDS if (own := _parted(row, kind))]
    return max(found, key=lambda own: own.least, default=None)


def _parted(row: Statement, kind: _Kind) -> _Partition | None:
    found: dict[Size, list[tuple[str, float]]] = {}
    for one in row.parts or (row,):
        for name, verdict, speed, _ in _sizes(one, kind):
            found.setdefault(name, []).append((verdict, speed))
    differ = tuple(
        k
        for k, own in found.items()
        if {v for v, _ in own} == {row.verdict} and not all(map(_is_slight, own))
    )
    far = min((factor_of(s) for k in differ for _, s in found[k]), default=1.0)
    open_to = {
        k: own
        for k, own in found.items()
        if k not in differ
        and all(_is_open(one[0]) or (far > _MUCH and _is_slight(one)) for one in own)
    }
    speeds = [speed for name in differ for _, speed in found[name]]
    known = bool(open_to and differ) and all(speed > 0 for speed in speeds)
    if not known or len(open_to) + len(differ) < len(found):
        return None
    rest = [told for own in open_to.values() for told in own]
    near = all(_is_near(*told) or _is_slight(told) for told in rest)
    # noise leaves most of them undecided, and then the average says less than these
    if not near and min(map(factor_of, speeds)) < _CLOSE * row.factor:
        return None
    unsure = all(verdict == "unclear" for verdict, _ in rest)
    is_like = NEAR if near else WORDS["unclear"] + f" or {NEAR}" * (not unsure)
    return _Partition(
        min(map(factor_of, speeds)),
        range_words(min(speeds), max(speeds)),
        _named(differ, (*found,), kind),
        f"{is_like} elsewhere",
    )


def at_sizes(row: Statement) -> str:
    """Say where what is alike on average differs: nothing if nowhere, or both ways."""
    one, cell = _of_one_cell(row)
    if cell:
        of = f"{operations_words((one.operation,))} of" if len(row.parts) > 1 else "at"
        return f"{cell.how_much} {of} {cell.place}"
    _, found = max(_alike_but(row, kind) for kind in _KINDS)
    return found or in_cells(row)


_SEVERAL = 0.1
"""Cells that go the other way are worth a word from this share on."""


def in_cells(row: Statement, *, where: bool = True) -> str:
    """Say in how many cells a row is decided otherwise, if no size alone tells it.

    Of what is alike on average, or has no single winner, these are both ways.
    """
    ways = [way for way in DIFFERENT if row.answer != way]
    torn = [
        (one, one.torn)
        for one in row.parts or (row,)
        if one.torn and row.verdict != DEPENDS
    ]
    cells = sum(one.cells for one, _ in torn)
    told = []
    for way in ways[::-1]:
        number = sum(own.way(way)[0] for _, own in torn)
        if number < _SEVERAL * cells and row.answer in DIFFERENT:
            return ""
        ends = [own.way(way)[1] for _, own in torn]
        if number:
            told.append((way, max(map(factor_of, ends)), number))
    if not told:
        return ""
    if not where:
        return "not in every cell"
    names = tuple(one.operation for one, _ in torn)
    named = operations_words(names).removeprefix("at ")
    of = f" of {named}" if len(row.parts) > len(torn) else ""
    first, *others = (
        f"up to {format_times(times)}× {way} in {number}" for way, times, number in told
    )
    return " and ".join([f"{first} of {count(cells, 'cell')}{of}", *others])


def _alike_but(row: Statement, kind: _Kind) -> tuple[float, str]:
    """Say how far the sizes of a kind are from 1, and in words; nothing if nowhere."""
    found: dict[tuple[Size, ...], list[tuple[str, float]]] = {}
    for one in row.parts or (row,):
        apart = {} if one.is_mean else _apart(one, kind)
        if one.decided and not apart:
            return 1.0, ""
        told = [(one.operation, speed) for speed in apart.values()]
        found.setdefault((*apart,), []).extend(told)
    found.pop((), None)
    every = [speed for some in found.values() for _, speed in some]
    if not every or min(every) < 1 < max(every):
        return 1.0, ""
    sizes, most = max(found.items(), key=lambda one: max(map(_factor, one[1])))
    measured = [name for one in row.parts or (row,) for name, *_ in _sizes(one, kind)]
    if several := len(found) > 1:
        most = [max(most, key=_factor)]
    speeds = [speed for _, speed in most]
    times = "up to " * several + range_words(min(speeds), max(speeds))
    names = tuple(dict.fromkeys(name for name, _ in most))
    of = f"{operations_words(names)} of" if len(row.parts) > 1 else "at"
    return max(map(_factor, most)), f"{times} {of} {_named(sizes, measured, kind)}"


def rarely(row: Statement, *, where: bool = True) -> str:
    """Say what too few runs measured, where that is no part of the answer.

    Of what is slower and what is faster the farthest each.
    """
    if not row.has_answer:
        return ""
    ends = [speed for speed, _ in row.ends] or [row.speed]
    low, high = min(ends) / WORTH_A_WORD, max(ends) * WORTH_A_WORD
    every = [(one, own) for one in row.parts or (row,) for own in _rare_of(one)]
    sides = (
        [told for told in every if told[1].slowest < low],
        [told for told in every if told[1].fastest > high],
    )
    said = [_rare_words(row, side, where=where) for side in sides if side]
    untested = "untested" if where else "untested in part"
    return f" ({untested}, {'; '.join(said)})" if said else ""


def _rare_words(
    row: Statement, told: Sequence[tuple[Statement, RareCells]], *, where: bool
) -> str:
    """Say how much the rare cells differ that are farthest, and where."""
    groups: dict[str, list[tuple[Statement, RareCells]]] = {}
    for one, own in told:
        groups.setdefault(own.place, []).append((one, own))
    place, most = max(groups.items(), key=lambda own: max(map(_reach, own[1])))
    ends = [end for _, rare in most for end in (rare.slowest, rare.fastest)]
    cells = RareCells(min(rare.runs for _, rare in most), place, min(ends), max(ends))
    names = tuple(dict.fromkeys(one.operation for one, _ in most))
    at = operations_words(names) + f" of {place}" * bool(place)
    if place and len(names) >= len(row.parts):
        at = f"at {place}"
    return f"{cells.how_often}: {cells.how_much}{f' {at}' * where}"


def _rare_of(one: Statement) -> Sequence[RareCells]:
    """List an operation's rare cells; all of it, if it has too few runs."""
    speeds = [speed for speed, _ in one.ends]
    if one.rare or one.verdict != "untested" or not (one.is_measured and speeds):
        return one.rare
    runs = min(one.n_baseline, one.n_candidate)
    return (RareCells(runs, "", min(speeds), max(speeds)),)


def _reach(told: tuple[Statement, RareCells]) -> float:
    return max(map(factor_of, told[1][2:]))


_Kind = Literal["classes", "file", "record"]
_KINDS: tuple[_Kind, ...] = ("classes", "file", "record")


def _sizes(row: Statement, kind: _Kind) -> Iterable[tuple[Size, str, float, float]]:
    """List verdict, speed and q of each size class, file size or record size."""
    if kind != "classes":
        return row.files if kind == "file" else row.records
    own = zip(EDGES, row.classes, row.class_speeds, row.class_q, strict=False)
    return [told for told in own if told[1]]


def _apart(row: Statement, kind: _Kind) -> dict[Size, float]:
    """Return the speed at each of several sizes that is decided over all candidates."""
    sizes = [*_sizes(row, kind)]
    return {
        name: speed
        for name, verdict, speed, q in sizes
        if len(sizes) > 1
        and (q < ALPHA and verdict in DIFFERENT)
        and not BAND[0] < speed < BAND[1]
    }


def _named(sizes: Sequence[Size], among: Sequence[Size], kind: _Kind) -> str:
    """Name size classes, file or record sizes [B], of those that were measured.

    >>> _named(("large", "very_large"), (), "classes")
    'large and very large files'
    >>> every = (4096, 8192, 16384, 65536)
    >>> _named((4096,), every, "file"), _named((4096, 65536), every, "record")
    ('4-KiB files', 'records of 4 KiB and 64 KiB')
    >>> [_named(one, every, "record") for one in (every[:3], (4096, 8192, 65536))]
    ['records of 4 KiB to 16 KiB', '3 record sizes']
    """
    own = sorted(size for size in sizes if isinstance(size, int))
    if not own:
        return f"{listing(str(size).replace('_', ' ') for size in sizes)} files"
    texts = [format_size(size) for size in own]
    if len(texts) == 1:
        return f"{texts[0].replace(' ', '-')} {kind}s"
    if len(texts) == 2:
        return f"{kind}s of {listing(texts)}"
    whole = len(texts) == sum(own[0] <= int(size) <= own[-1] for size in {*among})
    ends = f"{kind}s of {texts[0]} to {texts[-1]}"
    return ends if whole else f"{len(texts)} {kind} sizes"


def _factor(told: tuple[str, float]) -> float:
    return factor_of(told[1])


def _is_open(verdict: str) -> bool:
    return verdict in ("same", "unclear")


_SLIGHT, _MUCH = 1.1, 2.0
"""A size that differs by less than the first is near 1 beside sizes that differ by more
than the second."""


def _is_slight(told: tuple[str, float]) -> bool:
    """Whether a decided size differs by a few per cent alone."""
    verdict, speed = told
    return verdict in DIFFERENT and 1 / _SLIGHT < speed < _SLIGHT


def _is_near(verdict: str, speed: float) -> bool:
    """Whether it is about the same, or inconclusive within the band."""
    return _is_open(verdict) and BAND[0] < speed < BAND[1]
