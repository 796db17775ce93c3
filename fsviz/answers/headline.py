"""The answer in a few sentences, from the statements of a matrix."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fsviz.analysis.verdicts import BAND, DEPENDS, DIFFERENT, DISQUALIFIED
from fsviz.answers.matrix import overview
from fsviz.answers.places import FAR, at_sizes, beyond, in_cells, partly, rarely
from fsviz.answers.sections import (
    UNDER,
    Section,
    answering,
    apart_in,
    names_words,
    section_of,
    sections_of,
    tool_words,
)
from fsviz.answers.statement import (
    Statement,
    ends_words,
    how_much_of,
    statements,
)
from fsviz.answers.sweeps import MOST as MANY
from fsviz.answers.sweeps import over_settings
from fsviz.answers.words import (
    NO_WINNER,
    factor_of,
    operation_title,
    operations_words,
    range_words,
    rule_words,
)
from fsviz.answers.words import WORDS as MEANT
from fsviz.checks.phrases import conditions, count, listing, titles
from fsviz.model.names import fit_each
from fsviz.model.tools import title_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.checks.findings import Examination
    from fsviz.model.campaign import Campaign

WORDS = 40
"""Words of a headline."""

CLOSE = 1.25
"""Candidates whose speeds differ by at most this factor share a clause."""

_LONGEST, _ROOMY = 24, 40
"""Characters of a name, and of one of a few."""
_FEW = 4
_ANSWERS = (
    *(*DIFFERENT, DEPENDS, NO_WINNER, "same", "unclear", DISQUALIFIED, "untested"),
)
"""What a clause may say, in the order in which it is said."""


@dataclass(frozen=True, slots=True)
class Form:
    """How much a headline says: names, where, how wide, scopes, and groups."""

    names: int
    wide: bool = False
    where: bool = True
    scoped: bool = True
    merged: bool = False

    @property
    def room(self) -> int:
        """How much room there is for more than an answer: none, some, or plenty."""
        return self.where + self.wide


_EACH = 2
"""Sections of which each has a sentence where nothing is decided."""
_FORMS = (
    Form(4, wide=True),
    *(Form(n) for n in (4, 3)),
    *(Form(n, where=False) for n in (4, 3)),
    # who it is says more than what it is about, which the matrix marks
    *(Form(n, where=False, scoped=False) for n in (4, 3, 2, 1)),
    *(Form(n, where=False, scoped=False, merged=True) for n in (3, 2, 1, 0)),
)
"""From the longest on. Names and places give way, never the numbers that answer."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Candidates with one answer, what that is about, and what more is said."""

    rows: tuple[Statement, ...]
    text: str
    scope: tuple[str, ...]
    more: str = ""

    @property
    def verdict(self) -> str:
        """The answer that all of them have."""
        return self.rows[0].answer


def answer(shown: pd.DataFrame, tool: str = "") -> str:
    """Write the headline of what is shown, against the system that is shown."""
    return headline(shown.loc[shown["tool"] == tool] if tool else shown)


def shown_first(
    campaign: Campaign,
    frame: pd.DataFrame,
    tool: str = "",
    operations: Sequence[str] | None = None,
    examined: Callable[[str], Examination] | None = None,
) -> pd.DataFrame:
    """Choose what a page or a terminal shows first: the frame, or how peers compare."""
    own = frame.loc[frame["tool"] == tool] if tool else frame
    near = peers(own, alone=operations is not None)
    if near:
        first, *_ = frame["baseline"]
        others = [n for n in dict.fromkeys(frame["candidate"]) if n != near[0]]
        found = examined(near[0]) if examined else None
        frame = overview(campaign, near[0], [first, *others], operations, found)
    return frame.loc[frame["tool"] == tool] if tool else frame


def most_different(said: Sequence[Statement]) -> tuple[str, str]:
    """Name operation and candidate of the largest difference, decided ones first."""
    known = [one for one in said if not one.is_mean and one.speed > 0]
    shown = [one for one in known if one.verdict != DISQUALIFIED] or known
    if not shown:
        return "", ""
    one = max(shown, key=lambda s: (s.verdict in DIFFERENT, abs(math.log(s.speed))))
    return one.operation, one.candidate


def peers(frame: pd.DataFrame, *, alone: bool = False) -> list[str]:
    """Name the candidates that are far from the reference and near to one another.

    By their means or, of ``alone`` an operation that was asked for, by its own rows.
    """
    rows = answering(next(sections_of(statements(frame)), []))
    if not alone or len({row.operation for row in rows}) != 1:
        rows = [row for row in rows if row.is_mean]
    told = [row for row in rows if row.verdict in DIFFERENT]
    tested = [row for row in rows if row.verdict not in ("untested", DISQUALIFIED)]
    speeds = [row.speed for row in told]
    far = [speed > FAR or speed < 1 / FAR for speed in speeds]
    if len(told) < 2 or len(told) < len(tested) or not all(far):
        return []
    if max(speeds) > FAR * min(speeds):
        return []
    return [row.candidate for row in told]


def headline(frame: pd.DataFrame) -> str:
    """Return at most 40 words on who is faster, where, and by how much."""
    known = list(dict.fromkeys([*frame["baseline"], *frame["candidate"]]))
    short = fit_each(known, _LONGEST if len(known) > _FEW else _ROOMY)
    sides = ("baseline", "candidate")
    frame = frame.assign(**{name: frame[name].map(short) for name in sides})
    said = statements(frame)
    first = listing([said[0].baseline])
    sections = [
        made
        for rows in sections_of(said)
        if (made := section_of(rows, apart_in(said, rows[0].section)))
    ]
    few = _few_of_all(sections)
    # doubt comes first: who reads no further has read it
    each = " each" * (few == UNDER)
    start = f"{few[:1].upper()}{few[1:]}{each}, so no verdict. " if few else ""
    start += f"Against {first}"
    if few:
        sections = [replace(section, few="") for section in sections]
    if not sections:
        ran = [one for one in said if one.ran]
        apart = bool(ran) and all(one.is_apart for one in ran)
        lacking = "size" if apart else "number"
        names = listing([said[0].baseline, *(one.candidate for one in said)])
        return f"Nothing to compare: {names} have no {lacking} in common."
    # what is decided is never pushed out by what is not
    sections.sort(key=lambda section: not section.is_decided)
    if none := _nothing_decided(start, sections):
        return none
    text = _longest(start, sections)
    if ". And " not in text:
        return text
    # where not all settings have room, those that differ much more come first
    tools = list(dict.fromkeys(section.told[0].tool for section in sections))
    sections.sort(
        key=lambda section: (
            not section.is_decided,
            tools.index(section.told[0].tool),
            -int(math.log(section.farthest, FAR)),
        )
    )
    return _longest(start, sections)


def _longest(start: str, sections: Sequence[Section]) -> str:
    """Say as much as there are words for."""
    texts = [_within(start, sections, form) for form in _FORMS]
    fitting = [text for text in texts if _fits(text)] or texts[-1:]
    # a second tool says more than where the first differs, or that there is one
    least = start.count(". ")
    return max(fitting, key=lambda t: t.partition(". And ")[0].count(". ") > least)


def _few_of_all(sections: Sequence[Section]) -> str:
    """Say how few runs all have of whom nothing is tested; empty if anything is."""
    few = {s.few for s in sections if any(r.verdict == "untested" for r in s.told)}
    rows = [row for s in sections for row in (*s.told, *s.single.values())]
    told = {row.verdict for row in rows}
    return few.pop() if len(few) == 1 and told <= {"untested", DISQUALIFIED} else ""


def _nothing_decided(start: str, sections: Sequence[Section]) -> str:
    """Say of many sections at once that nothing in them is decided; empty if not so."""
    told = [row for section in sections for row in section.told]
    if len(sections) <= _EACH or any(row.answer != "unclear" for row in told):
        return ""
    if any(section.is_decided for section in sections):
        return ""
    names = listing(list(dict.fromkeys(row.candidate for row in told)), 4)
    tools = listing(list(dict.fromkeys(title_of(row.tool) for row in told)), 6)
    return f"{start}, {names} {MEANT['unclear']} in all that {tools} measured."


def _within(start: str, sections: Sequence[Section], form: Form) -> str:
    """Say the first sentence, and of the others what there are words for."""
    groups = _groups(sections, form)
    text = f"{start}, {groups[0].text}."
    for n, group in enumerate(groups[1:], 1):
        left = _left(text, groups[:n], groups[n + 1 :])
        for further in (f" {group.text}.", _worst(group.sections)):
            if further and _fits(text + further + left):
                text += further
                break
        else:
            return text + _left(text, groups[:n], groups[n:])
    return text


@dataclass(frozen=True, slots=True)
class _Group:
    """Sections of one tool of which the same is said, and what that is."""

    sections: tuple[Section, ...]
    text: str


def _groups(sections: Sequence[Section], form: Form) -> list[_Group]:
    """Say at once what is said alike, and first what contradicts the first."""
    among: dict[tuple[str, ...], list[Statement]] = {}
    found: dict[tuple[tuple[str, ...], str], list[Section]] = {}
    for section in sections:
        row = section.told[0]
        of = (row.tool, row.metric, row.operation)
        among.setdefault(of, []).append(row)
        found.setdefault((of, _drawn(section, form)), []).append(section)
    answers = Counter(about for about, _ in found)
    told: dict[tuple[tuple[str, ...], str], list[Section]] = {}
    for (about, said), alike in found.items():
        told.setdefault((about, said * (answers[about] <= MANY)), []).extend(alike)
    first, *others = (
        _Group(
            tuple(own),
            tool_words([s.told[0] for s in own], among[about])
            + (said or over_settings(own, form.names, form.merged, form.room)),
        )
        for (about, said), own in told.items()
    )
    ways = dict(_ways(first))
    others.sort(key=lambda group: all(ways.get(k, v) == v for k, v in _ways(group)))
    return [first, *others]


def _ways(group: _Group) -> Iterator[tuple[str, str]]:
    """Say of each candidate whether it is faster or slower, if it is one of them."""
    found: dict[str, set[str]] = {}
    for row in (row for section in group.sections for row in section.told):
        found.setdefault(row.candidate, set()).add(row.decided)
    one = ((name, own.pop()) for name, own in found.items() if len(own) == 1)
    return ((name, way) for name, way in one if way)


def _left(text: str, said: Sequence[_Group], others: Sequence[_Group]) -> str:
    """Count what is left of the tools that are said, if there is room for it."""
    known, left = (
        [section.told[0] for group in groups for section in group.sections]
        for groups in (said, others)
    )
    rows = [row for row in left if row.tool in {one.tool for one in known}]
    settings = {row.section for row in rows} - {row.section for row in known}
    operations = {row.operation for row in rows} - {row.operation for row in known}
    more = [
        count(len(some), f"more {what}")
        for some, what in ((settings, "setting"), (operations, "operation"))
        if some
    ]
    told = f" And {listing(more)}."
    return told if more and _fits(text + told) else ""


def _fits(text: str) -> bool:
    return len(text.split()) <= WORDS


def _clauses(section: Section, verdict: str, form: Form) -> Iterator[Clause]:
    """Group the candidates with one answer by what they are about, and how much."""
    groups: dict[tuple[str, ...], list[Statement]] = {}
    for row in section.told:
        if row.answer == verdict:
            groups.setdefault(_scope(row, section.few, form), []).append(row)
    parts = [
        (close, scope)
        for scope, some in groups.items()
        for close in _alike(some, section, form)
    ]
    parts.sort(key=lambda part: _place(part[0]))
    for close, scope in parts:
        text, more = _told(close, section, form)
        rare = rarely(close[0], where=form.where)
        yield Clause(tuple(close), text, scope, more + rare)


def _place(rows: Sequence[Statement]) -> tuple[int, float]:
    """Return the sort key of a group: by direction, then its slowest."""
    # what is only bounded comes last
    slowest = min(row.speed if row.speed > 0 else math.inf for row in rows)
    way = rows[0].direction
    return ("slower", "faster", "").index(way), slowest if way else 0.0


def _scope(row: Statement, few: str, form: Form) -> tuple[str, ...]:
    """Return what a clause is about; where nothing differs there is nothing."""
    if row.verdict == "untested":
        return (f"untested: {few}",) if few else ()
    return () if row.verdict == "unclear" or not form.scoped else row.about


def _told(rows: Sequence[Statement], section: Section, form: Form) -> tuple[str, str]:
    """Say the answer of some candidates, and how wide or where it is."""
    answer = rows[0].answer
    if answer in (DEPENDS, NO_WINNER):
        depend = "depends" if len(rows) == 1 else "depend"
        own = rows[0].where if answer == DEPENDS else rows[0].both
        cells = in_cells(rows[0])
        own += f", {cells}" if cells and form.wide else ""
        # who it is says more than on what it depends
        brief = form.where or not form.scoped
        on = "" if brief or answer != DEPENDS else _on_what(rows)
        ends = own if form.where else ends_words(rows)
        return f"{depend}{on}" if answer == DEPENDS else NO_WINNER, f": {ends}"
    if answer == DISQUALIFIED:
        rules = [rule for row in rows for rule in row.disqualified_by]
        return f"disqualified ({listing(map(rule_words, rules), 2)})", ""
    if rows[0].is_mixed:
        return rows[0].where if form.where else ends_words(rows), ""
    if one_way := _without_mean(rows):
        return _how_much(one_way), ""
    unsure = answer in ("same", "unclear")
    where = _where(rows, section, form.wide) if form.where else _but(rows, section)
    if answer in DIFFERENT and not form.where and len(rows) > 1:
        where += beyond(rows)
    if answer in DIFFERENT and (cells := in_cells(rows[0], where=form.where)):
        where += f", but {cells}"
    if answer in DIFFERENT and form.wide and not where and (far := _both_ways(rows)):
        where = f" ({far} from cell to cell)"
    if answer in DIFFERENT and form.where and (part := partly(rows[0])):
        return part, ""
    # an average of what is not tested hides what a matrix shows
    ranged = answer == "untested" or not form.merged
    if ranged and (wide := _range(rows, form)):
        return wide, ""
    if answer == "untested" and not where and (ways := _both_ways(rows)):
        # sizes that are far from 1 both ways were said above: these are single cells
        if not form.wide:
            near = not any(row.direction for row in rows)
            return (f"{_how_much(rows)} on average" if near else ways), ""
        where = f" ({ways} from cell to cell)"
    # an average is never said alone where a part is decided otherwise
    average = " on average" * bool(where and unsure)
    width = _width(rows) if answer == "unclear" and form.wide else ""
    known = [*rows, *_other_means(rows, section)]
    much = MEANT[answer] if unsure else _how_much(known)
    return f"{much}{average}", f"{width}{where}"


def _on_what(rows: Sequence[Statement]) -> str:
    """Say on what the answer of some rows depends, where their places have no room."""
    ways = {part.decided for row in rows for part in row.parts}
    if not ways or {*DIFFERENT} <= ways:
        return " on operation" if ways else " on size"
    by_size = all(any(p.verdict == DEPENDS for p in r.parts) for r in rows)
    return " on size" if by_size else ""


def _range(rows: Sequence[Statement], form: Form) -> str:
    """Say from how little to how much operations differ that are far apart.

    Their mean would be near none of them. Empty where they are near one another.
    """
    way = rows[0].direction
    parts = [part for row in rows for part in row.parts if part.said]
    if not way or not all(row.is_exact for row in rows) or len(parts) <= len(rows):
        return ""
    if any(p.direction not in ("", way) or not p.is_exact for p in parts):
        return ""
    most = max(parts, key=lambda part: part.factor)
    least = min(parts, key=lambda part: part.factor)
    if most.factor <= FAR * least.factor:
        return ""
    at = titles(tuple(p.operation for p in parts if p.how_much == most.how_much))
    if least.direction:
        much = f"{least.times.removesuffix('×')}–{most.how_much}"
        return f"{much}, most at {at}" if form.where else much
    return f"up to {most.how_much}" + f" at {at}" * form.where


def _without_mean(rows: Sequence[Statement]) -> list[Statement]:
    """List the operations of what has no mean if all of them differ in one way."""
    parts = [[part for part in row.parts if part.is_measured] for row in rows]
    if any(row.verdict != "untested" or row.said for row in rows):
        return []
    all_of_them = [part for own in parts for part in own]
    ways = {part.direction for part in all_of_them}
    return all_of_them if len(ways) == 1 and min(map(len, parts)) > 1 else []


def _otherwise(row: Statement, section: Section) -> list[Statement]:
    """List the operations that are decided otherwise than the whole."""
    if not row.is_mean or _is_bounded(row):
        return []
    single = (one for (name, _), one in section.single.items() if name == row.candidate)
    way = row.direction if row.verdict in (*DIFFERENT, "untested") else ""
    return [
        one for one in single if _is_told(one, row.verdict) and one.direction != way
    ]


def _is_bounded(row: Statement) -> bool:
    """Whether only a limit is known of what is not tested."""
    return row.verdict == "untested" and row.said is not None and not row.is_exact


def _alike(
    rows: Sequence[Statement], section: Section, form: Form
) -> list[list[Statement]]:
    """Part rows of one verdict into groups of which one thing is said.

    Who is decided otherwise somewhere stands apart: a group's answer would hide it.
    """
    groups: dict[tuple, list[Statement]] = {}
    for row in rows:
        other = [(one.operation, one.direction) for one in _otherwise(row, section)]
        key: tuple[object, ...] = (*other,) if form.where else (bool(other),)
        if (row.answer in (DEPENDS, NO_WINNER) or row.is_mixed) and form.where:
            key = (row.words,)
        elif row.is_mixed:
            key = ("mixed",)
        elif row.answer in DIFFERENT:
            told = (
                (partly(row), in_cells(row)) if form.where else (bool(in_cells(row)),)
            )
            key = (*key, *told)
        elif row.answer in ("same", "unclear"):
            key = (*key, at_sizes(row) if form.where else bool(at_sizes(row)))
        groups.setdefault((*key, rarely(row, where=form.where)), []).append(row)
    return [
        close for some in groups.values() for close in _by_how_much(some, form.merged)
    ]


def _by_how_much(rows: Sequence[Statement], merged: bool) -> list[list[Statement]]:
    """Part rows of one verdict by speed, unless all are told together."""
    verdict = rows[0].answer
    if verdict in (DEPENDS, NO_WINNER) or rows[0].is_mixed:
        return _between(rows, math.inf if merged else CLOSE)
    if verdict in DIFFERENT:
        return _near(rows, math.inf if merged else CLOSE)
    if verdict != "untested":
        return [[*rows]]
    known: list[list[Statement]] = []
    for direction in ("slower", "faster", ""):
        for exact in (True, False):
            # "more than" is not said of what is known, nor a number of what is not
            some = [
                row
                for row in rows
                if row.said and (row.direction, row.is_exact) == (direction, exact)
            ]
            close = math.inf if merged else CLOSE
            known += _near(some, close) if direction else [some]
    unknown = [row for row in rows if not row.said]
    return [group for group in (*known, unknown) if group]


def _between(rows: Sequence[Statement], close: float) -> list[list[Statement]]:
    """Part rows without one answer so that both ends of a group are close."""
    groups: list[list[Statement]] = []
    for row in rows:
        for group in groups:
            ends = zip(
                *((min(r.ends), max(r.ends)) for r in (row, group[0])), strict=True
            )
            if all(max(a, b)[0] <= close * min(a, b)[0] for a, b in ends):
                group.append(row)
                break
        else:
            groups.append([row])
    return groups


def _near(rows: Sequence[Statement], close: float) -> list[list[Statement]]:
    """Part rows into groups of similar speed; those without one stand alone."""
    groups: list[list[Statement]] = []
    timed = [row for row in rows if row.speed > 0]
    for row in sorted(timed, key=lambda row: row.speed):
        if groups and row.speed <= close * groups[-1][0].speed:
            groups[-1].append(row)
        else:
            groups.append([row])
    order = {row.candidate: n for n, row in enumerate(rows)}
    for group in groups:
        # of many that differ widely the first names are those that differ most
        wide = group[-1].speed > CLOSE * group[0].speed
        key = (lambda row: -row.factor) if wide else lambda row: order[row.candidate]
        group.sort(key=key)
    bounded = [row for row in rows if not row.speed > 0]
    return [*groups, bounded] if bounded else groups


def _other_means(rows: Sequence[Statement], section: Section) -> list[Statement]:
    """List the means of other metrics that some candidates have, of the same answer."""
    names = {row.candidate for row in rows}
    others = [one for one in section.means if one.candidate in names]
    return [one for one in others if one.answer == rows[0].answer]


def _how_much(rows: Sequence[Statement]) -> str:
    """Say how much faster or slower: one number, a range, or a limit."""
    found = [row for row in rows if row.said]
    if not found:
        return "untested"
    if not found[0].direction:
        return "about as fast"
    return how_much_of(found)


def _width(rows: Sequence[Statement]) -> str:
    """Return the interval of inconclusive rows: of one, or of all together."""
    if len(rows) == 1:
        return rows[0].width
    ends = [(row.speed_low, row.speed_high) for row in rows if row.speed_low > 0]
    if not ends:
        return ""
    low, high = min(e[0] for e in ends), max(e[1] for e in ends)
    return f" ({range_words(low, high)})"


def _both_ways(rows: Sequence[Statement]) -> str:
    """Say from how slow to how fast cells are, if on either side or far apart."""
    if not any(
        0 < row.cells_low < BAND[0] <= BAND[1] <= row.cells_high
        or row.cells_high > FAR * row.cells_low > 0
        for row in rows
    ):
        return ""
    low = min(row.cells_low for row in rows)
    return range_words(low, max(row.cells_high for row in rows))


def _where(rows: Sequence[Statement], section: Section, ties: bool) -> str:
    """Name where all of some candidates differ most, and where most the other way.

    With ``ties`` also what is said to differ as much.
    """
    first = rows[0]
    if first.answer in ("same", "unclear") and (sizes := at_sizes(first)):
        return f", but {sizes}"
    if not first.is_mean or _is_bounded(first):
        return ""
    direction = first.direction if first.verdict not in ("same", "unclear") else ""
    known = max(row.factor for row in rows) if direction else 1.0
    found: dict[str, list[tuple[float, str, str, str]]] = {}
    for operation in dict.fromkeys(operation for _, operation in section.single):
        parts = [section.single.get((row.candidate, operation)) for row in rows]
        own = [part for part in parts if part is not None]
        ways = {p.direction if _is_told(p, first.verdict) else "" for p in own}
        if len(own) < len(rows) or len(ways) > 1 or not ways <= {*DIFFERENT}:
            continue
        (way,) = ways
        least = min(part.factor for part in own)
        enough = CLOSE * known if way == direction else 1.0
        if least >= enough:
            much = _how_much(own)
            text = much.removesuffix(f" {way}") if way == direction else much
            about = _besides(_shared(own), _shared(rows))
            found.setdefault(way, []).append((least, text, operation, about))
    same = [_most(own, ties) for way, own in found.items() if way == direction]
    other = [_most(own, ties) for way, own in found.items() if way != direction]
    but = [f"but {' and '.join(other)}"] if other else []
    return "".join(f", {text}" for text in [*same, *but])


def _most(found: Sequence[tuple[float, str, str, str]], ties: bool) -> str:
    """Name the operation that differs most, with those that are said as it is."""
    _, text, name, about = max(found, key=lambda one: one[0])
    alike = tuple(n for _, own, n, scope in found if (own, scope) == (text, about))
    return f"{text} {operations_words(alike if ties else (name,))}{about}"


def _but(rows: Sequence[Statement], section: Section) -> str:
    """Say how much some operations differ otherwise, where no place has room."""
    other = [one for row in rows for one in _otherwise(row, section)]
    most = [
        max((one for one in other if one.direction == way), key=lambda one: one.factor)
        for way in DIFFERENT
        if any(one.direction == way for one in other)
    ]
    if most:
        return f", but {' and '.join(f'up to {s.how_much}' for s in most)}"
    alike = rows[0].answer in ("same", "unclear") and at_sizes(rows[0])
    return ", but not at all sizes" if alike else ""


def _shared(rows: Sequence[Statement]) -> tuple[str, ...]:
    """Return the words of a scope that all of some rows have."""
    first, *others = (row.about for row in rows)
    return tuple(word for word in first if all(word in own for own in others))


def _is_told(part: Statement, verdict: str) -> bool:
    """What is tested over all operations says nothing of one that is not."""
    if verdict == "untested":
        return part.verdict == "untested" and part.is_exact and bool(part.direction)
    return bool(part.decided)


def _worst(sections: Sequence[Section]) -> str:
    """Name the largest difference of a tool of which no more can be said."""
    single = (one for section in sections for one in section.single.values())
    decided = [one for one in single if one.decided]
    if not decided:
        return ""
    worst = max(decided, key=lambda one: one.factor)
    at = operation_title(worst.operation)
    name = listing([worst.candidate])
    under = conditions(worst.threads, worst.setting)
    title = f"{title_of(worst.tool)} with {under}" if under else title_of(worst.tool)
    return f" {title}, largest: {name} {worst.how_much} at {at}."


def _drawn(section: Section, form: Form) -> str:
    """Say what is answered, behind the name of the tool."""
    clauses = [c for verdict in _ANSWERS for c in _clauses(section, verdict, form)]
    # what is tested must not seem untested
    mixed = len({clause.verdict == "untested" for clause in clauses}) > 1
    mute = () if mixed else ("unclear", DISQUALIFIED)
    scopes = [clause.scope for clause in clauses if clause.verdict not in mute]
    first, *others = scopes or [()]
    shared = tuple(word for word in first if all(word in scope for scope in others))
    parts = [
        f"{names_words(_names(clause, form.names), form.names)} {clause.text}"
        f"{_besides(clause.scope, shared)}{clause.more}"
        for clause in clauses
    ]
    if section.apart:
        parts.append(f"{count(section.apart, 'operation')} not compared: other sizes")
    return f"{_besides(shared)}: {'; '.join(parts)}"


def _names(clause: Clause, most: int) -> list[str]:
    """List the candidates of a clause; where not all are named, the farthest first."""
    rows = list(clause.rows)
    if len(rows) > max(most, 1) and clause.verdict not in ("same", "unclear"):
        rows.sort(key=_reach, reverse=True)
    return [row.candidate for row in rows]


def _reach(row: Statement) -> float:
    """Return how many times faster or slower the farthest part of a row is."""
    speeds = [speed for part in (row, *row.parts) for speed, _ in part.ends]
    return max((factor_of(v) for v in speeds if v > 0), default=row.factor)


def _besides(words: Sequence[str], said: Sequence[str] = ()) -> str:
    """Write the words of a scope that have not been said, in brackets."""
    new = [word for word in words if word not in said]
    return f" ({', '.join(new)})" if new else ""
