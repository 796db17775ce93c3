"""One thing measured with many settings: from where to where the answers go.

There is no room for a sentence for each setting. And if only the settings with the same
words were named, a few of them would stand for all.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from fsviz.analysis.verdicts import BAND, DEPENDS, DIFFERENT, DISQUALIFIED
from fsviz.answers.sections import Section, under_words
from fsviz.answers.statement import Statement, ends_words, how_much_of
from fsviz.answers.words import (
    NEAR,
    NO_WINNER,
    WORDS,
    factor_of,
    operation_title,
    rule_words,
    times_words,
)
from fsviz.checks.parts import WORTH_A_WORD
from fsviz.checks.phrases import listing

MOST = 3
"""So many answers to one thing each have a sentence; of more, the ends are said."""

_WIDEST = 8
"""Columns of a matrix with a row a setting, at most."""


def is_sweep(settings: int, systems: int, columns: int) -> bool:
    """Whether a matrix has a row a setting, and the systems side by side.

    With a row a system, each setting has columns of its own, and all of their titles.
    """
    return settings > MOST and systems * columns <= _WIDEST


def over_settings(
    sections: Sequence[Section], names: int, merged: bool, room: int
) -> str:
    """Say of each candidate from where to where it goes over some sections.

    Of ``merged`` candidates that go the same way only the ends of all are said. With
    ``room``, 1 or 2, a lone candidate's ends do not stand for what lies between.
    """
    rows: dict[str, list[Statement]] = {}
    for section in sections:
        for row in section.told:
            rows.setdefault(row.candidate, []).append(row)
    every = [section.told[0] for section in sections]
    groups: dict[tuple[str, str], list[str]] = {}
    for name, own in rows.items():
        # who lacks some of the settings is not said of all
        place = under_words(own, every) or "1 thread" if len(own) < len(every) else ""
        said = _way(own) if merged else _by_operation(own, 0) or _told(own)
        groups.setdefault((place, said), []).append(name)
    few = {section.few for section in sections if section.few}
    clauses = []
    for (place, _), some in groups.items():
        own = [row for name in some for row in rows[name]]
        alone = len(few) == 1 and {row.verdict for row in own} == {"untested"}
        untested = f" (untested: {listing(few)})" if alone else ""
        space = room * (len(some) == 1)
        text = "" if merged else _by_operation(own, space)
        at = f" with {place}" if place else ""
        whom = f"{listing(some, max(names, 1))}{at}"
        clauses.append(f"{whom} {text or _told(own, space)}{untested}")
    return f": {'; '.join(clauses)}"


def _by_operation(rows: Sequence[Statement], room: int) -> str:
    """Say of the operation that differs most how it does, where the mean hides it."""
    own: dict[str, list[Statement]] = {}
    for row in rows:
        for part in row.parts if row.is_mean else ():
            own.setdefault(part.operation, []).append(part)
    far = {name: _reach(some) for name, some in own.items()}
    most = max(far, key=lambda name: far[name], default="")
    if not most or far[most] <= WORTH_A_WORD * _reach(rows):
        return ""
    others = [part for name, some in own.items() if name != most for part in some]
    near = all(BAND[0] < part.speed < BAND[1] for part in others)
    rest = f", {NEAR} at other operations" * near
    return f"at {operation_title(most)} {_told(own[most], room)}{rest}"


def _reach(rows: Sequence[Statement]) -> float:
    """Say how many times faster or slower the farthest of some rows is."""
    ends = [speed for row in _answered(rows) for speed, _ in row.ends]
    return max(map(factor_of, ends), default=1.0)


def _tested(rows: Sequence[Statement]) -> list[Statement]:
    return [row for row in rows if row.verdict not in ("untested", DISQUALIFIED)]


def _answered(rows: Sequence[Statement]) -> list[Statement]:
    """List what has a way: what is decided or, where nothing is tested, measured."""
    known = _tested(rows) or [row for row in rows if row.verdict == "untested"]
    known = [row for row in known if row.said or row.is_mixed or row.answer in _SPLIT]
    return [row for row in known if row.ends]


_SPLIT = (DEPENDS, NO_WINNER)
_DOWN_AND_UP = ("slower", "faster")
_SETTING = "setting"
"""Both ways, each at some settings."""


def _way(rows: Sequence[Statement]) -> str:
    """Say which one answer some rows have, or why they have none."""
    if all(row.verdict == DISQUALIFIED for row in rows):
        return DISQUALIFIED
    own = _answered(rows)
    split = {row.answer for row in own if row.answer in _SPLIT or row.is_mixed}
    ways = {row.direction for row in own if row.answer not in _SPLIT} & {*DIFFERENT}
    if len(ways) > 1:
        return _SETTING
    if split:
        return NO_WINNER if split == {NO_WINNER} and not ways else DEPENDS
    if ways:
        return ways.pop()
    verdicts = {row.verdict for row in _tested(rows)}
    if not verdicts:
        return "alike" if own else "untested"
    return verdicts.pop() if len(verdicts) == 1 else "unclear"


def _at_how_many(own: Sequence[Statement], rows: Sequence[Statement]) -> str:
    """Say at how many settings each candidate has the answer; empty if at all."""
    told, whole = (Counter(row.candidate for row in some) for some in (own, rows))
    if told == whole:
        return ""
    ends = dict.fromkeys((min(told.values()), max(told.values())))
    return f" with {'–'.join(map(str, ends))} of {max(whole.values())} settings"


def _both_ways(own: Sequence[Statement], whole: int, room: int) -> str:
    """Say from where to where; with room also how many go each way, or the middle."""
    tested = bool(_tested(own))
    if room > 1 - tested and not any(row.answer in _SPLIT for row in own):
        sides = ([row for row in own if row.direction == way] for way in _DOWN_AND_UP)
        slower, faster = ((how_much_of(some), len(some)) for some in sides)
        counts = f"with {slower[1]} of {whole} settings, {faster[0]} with {faster[1]}"
        return f"{slower[0]} {counts}"
    speeds = [row.speed for row in own if row.speed > 0]
    # bounds have a place among speeds that nobody knows
    if not room or len(speeds) < len(own):
        return ends_words(own)
    middle = statistics.median(speeds)
    words = NEAR if BAND[0] < middle < BAND[1] else times_words(middle)
    return f"{ends_words(own)}, median {words}"


def _told(rows: Sequence[Statement], room: int = 0) -> str:
    """Say from where to where some rows go, and at how many of the settings."""
    way, own = _way(rows), _answered(rows)
    barred = [row for row in rows if row.verdict == DISQUALIFIED]
    if way == DISQUALIFIED:
        rules = [rule for row in barred for rule in row.disqualified_by]
        return f"disqualified ({listing(map(rule_words, rules), 2)})"
    if way in (_SETTING, *_SPLIT):
        depend = "depends" if len({row.candidate for row in rows}) == 1 else "depend"
        why = {_SETTING: f"{depend} on the setting: ", DEPENDS: f"{depend}: "}
        said = why.get(way, f"{way}: ") if _tested(rows) else ""
        known = _both_ways(own, len(rows), room) if way == _SETTING else ends_words(own)
        text = said + known
    elif way in DIFFERENT:
        own = [row for row in own if row.direction]
        text = f"{how_much_of(own)}{_at_how_many(own, rows)}"
    else:
        text = {**WORDS, "alike": "about as fast"}[way]
    return text + (f", {len(barred)} disqualified" if barred else "")
