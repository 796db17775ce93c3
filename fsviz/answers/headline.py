"""The answer in a few sentences, from the statements of a matrix."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from fsviz.analysis.verdicts import DEPENDS, DIFFERENT, DISQUALIFIED
from fsviz.answers.matrix import overview
from fsviz.answers.statement import Statement, statements
from fsviz.answers.words import operation_title, range_words
from fsviz.checks.phrases import conditions, listing
from fsviz.model.names import fit_each
from fsviz.model.table import MAIN_METRICS, METRICS
from fsviz.model.tools import title_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.checks.findings import Examination
    from fsviz.model.campaign import Campaign

WORDS = 40
"""Words of a headline."""

CLOSE = 1.25
"""Candidates whose speeds differ by at most this factor share a clause."""

FAR = 3.0
"""Where all candidates are this many times faster or slower, and no more than this
apart from one another, what matters is how they compare with one another."""

_LONGEST = 24
_SPLIT = "no single winner"
_ANSWERS = (
    *(*DIFFERENT, DEPENDS, _SPLIT, "same", "unclear", DISQUALIFIED, "untested"),
)
"""What a clause may say, in the order in which it is said."""


@dataclass(frozen=True, slots=True)
class Form:
    """How much a clause says: names, its own scope, where, and how wide."""

    names: int
    scoped: bool = True
    where: bool = True
    wide: bool = True


_FORMS = (
    Form(4),
    Form(4, wide=False),
    Form(3, wide=False),
    *(Form(n, where=False, wide=False) for n in (4, 3)),
    # who it is says more than what it is about, which the matrix marks
    *(Form(n, scoped=False, where=False, wide=False) for n in (4, 3, 2, 1)),
)
"""From the longest on: the first that fits into the words of a headline is taken."""


@dataclass(frozen=True, slots=True)
class Clause:
    """Candidates with one answer, and what more can be said of them."""

    names: tuple[str, ...]
    verdict: str
    answer: str
    scope: tuple[str, ...] = ()
    where: str = ""
    brief: str = ""
    width: str = ""


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said of one tool: clauses, and the scope that all of them share."""

    tool: str
    shared: tuple[str, ...]
    clauses: tuple[Clause, ...]


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
    near = peers(frame.loc[frame["tool"] == tool] if tool else frame)
    if near:
        first, *_ = frame["baseline"]
        others = [n for n in dict.fromkeys(frame["candidate"]) if n != near[0]]
        found = examined(near[0]) if examined else None
        frame = overview(campaign, near[0], [first, *others], operations, found)
    return frame.loc[frame["tool"] == tool] if tool else frame


def most_different(said: Sequence[Statement]) -> tuple[str, str]:
    """Name operation and candidate of the largest difference, decided ones first."""
    shown = [one for one in said if not one.is_mean and one.speed > 0]
    if not shown:
        return "", ""
    one = max(shown, key=lambda s: (s.verdict in DIFFERENT, abs(math.log(s.speed))))
    return one.operation, one.candidate


def peers(frame: pd.DataFrame) -> list[str]:
    """Name the candidates that are far from the reference and near to one another."""
    rows = [row for row in next(_sections(statements(frame)), []) if row.is_mean]
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
    short = fit_each([*frame["baseline"], *frame["candidate"]], _LONGEST)
    sides = ("baseline", "candidate")
    frame = frame.assign(**{name: frame[name].map(short) for name in sides})
    said = statements(frame)
    start = f"Against {listing([said[0].baseline])}"
    sections = list(_sections(said))
    sentences = [s for part in sections if (s := _sentence(part))]
    if not sentences:
        ran = [one for one in said if one.ran]
        apart = bool(ran) and all(one.is_apart for one in ran)
        lacking = (
            "no size in common" if apart else "nothing of which both have a number"
        )
        return f"{start}: {lacking}."
    for form in _FORMS:
        text = f"{start}, {_drawn(sentences[0], form)}."
        if _fits(text):
            break
    else:
        return f"{start}, {_counted(sentences[0])}."
    for more, rows in zip(sentences[1:], sections[1:], strict=False):
        for further in (f" {_drawn(more, form)}.", _worst(rows)):
            if further and _fits(text + further):
                text += further
                break
    return text


def _fits(text: str) -> bool:
    return len(text.split()) <= WORDS


def _sections(said: Sequence[Statement]) -> Iterator[list[Statement]]:
    """Part by tool, threads and setting; the mean of one metric stands for a tool."""
    parts: dict[str, list[Statement]] = {}
    for one in said:
        if one.is_measured:
            parts.setdefault(one.section, []).append(one)
    for rows in parts.values():
        metrics = {row.metric: 0 for row in rows if row.is_mean}
        for row in rows:
            if row.is_mean:
                metrics[row.metric] += row.cells
        if not metrics:
            yield from _by_operation(rows)
            continue
        chosen = max(metrics, key=lambda name: metrics[name])
        yield [r for r in rows if not r.is_mean or r.metric == chosen]


def _by_operation(rows: list[Statement]) -> Iterator[list[Statement]]:
    """Part by operation, where no run measured all of them."""
    for operation in dict.fromkeys(row.operation for row in rows):
        yield [row for row in rows if row.operation == operation]


def _sentence(rows: Sequence[Statement]) -> Sentence | None:
    """Group the candidates by their answers; scope that all share is said once."""
    told = [row for row in rows if row.is_mean] or list(rows)
    single = {(row.candidate, row.operation): row for row in rows if not row.is_mean}
    untested = [row for row in told if row.verdict == "untested"]
    once = all(row.n_baseline == row.n_candidate == 1 for row in untested)
    few = "one run each" if once else "under 3 runs"
    clauses = [c for verdict in _ANSWERS for c in _clauses(told, verdict, single, few)]
    if not clauses:
        return None
    scopes = [clause.scope for clause in clauses if clause.verdict != "unclear"]
    first, *others = scopes or [()]
    shared = tuple(word for word in first if all(word in scope for scope in others))
    return Sentence(_tool(told[0]), shared, tuple(clauses))


def _tool(row: Statement) -> str:
    under = conditions(row.threads, row.setting)
    several = f" with {under}" if under else ""
    # "about the same" without more is about speed
    about = "" if row.metric in MAIN_METRICS else f" {METRICS[row.metric].title}"
    title = "" if row.is_mean else f" {operation_title(row.operation)}"
    return f"{title_of(row.tool)}{title}{about}{several}"


def _verdict(row: Statement) -> str:
    return _SPLIT if row.is_split else row.verdict


Single = Mapping[tuple[str, str], Statement]
"""What is said of each candidate at each operation."""


def _clauses(
    rows: Sequence[Statement], verdict: str, single: Single, few: str
) -> Iterator[Clause]:
    groups: dict[tuple[str, ...], list[Statement]] = {}
    for row in rows:
        if _verdict(row) == verdict:
            groups.setdefault(_scope(row, few), []).append(row)
    parts = [
        (close, scope)
        for scope, some in groups.items()
        for close in _alike(some, verdict)
    ]
    if verdict in DIFFERENT:
        parts.sort(key=lambda part: _slowest(part[0]))
    for close, scope in parts:
        yield replace(
            _clause(close, verdict, single),
            names=tuple(row.candidate for row in close),
            scope=scope,
        )


def _slowest(rows: Sequence[Statement]) -> float:
    """Speed of the slowest; what is only bounded comes last."""
    return min(row.speed if row.speed > 0 else math.inf for row in rows)


def _scope(row: Statement, few: str) -> tuple[str, ...]:
    """Return what a clause is about; where nothing differs there is nothing."""
    if row.verdict == "untested":
        return (few,)
    return () if row.verdict == "unclear" else row.about


def _clause(rows: Sequence[Statement], verdict: str, single: Single) -> Clause:
    """Say what is known of candidates with one answer, but for their names."""
    if verdict == DEPENDS:
        kind = "size" if rows[0].is_on_size else "operation"
        brief = f"depends on the {kind}"
        return Clause((), verdict, "depends", where=f": {rows[0].where}", brief=brief)
    if verdict == _SPLIT:
        own = rows[0].words.removeprefix(_SPLIT)
        return Clause((), verdict, _SPLIT, where=own, brief=_SPLIT)
    if verdict == DISQUALIFIED:
        rules = [rule for row in rows for rule in row.disqualified_by]
        text = f"disqualified by {listing(rules, 2)}"
        return Clause((), verdict, text, brief=text)
    if verdict in ("same", "unclear"):
        text = "about the same" if verdict == "same" else "inconclusive"
        where, width = _where(rows, verdict, single), ""
        if verdict == "unclear":
            width = _width(rows)
        # an average is never said alone where a part is decided otherwise
        brief = f"{text} on average" if where else text
        return Clause((), verdict, brief, where=where, brief=brief, width=width)
    text = _how_much(rows)
    return Clause((), verdict, text, where=_where(rows, verdict, single), brief=text)


def _alike(rows: Sequence[Statement], verdict: str) -> list[list[Statement]]:
    """Part rows of one verdict into groups of which one thing is said."""
    if verdict in DIFFERENT:
        return _near(rows)
    if verdict in (DEPENDS, _SPLIT):
        groups: dict[str, list[Statement]] = {}
        for row in rows:
            groups.setdefault(row.words, []).append(row)
        return list(groups.values())
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
            known += _near(some) if direction else [some]
    unknown = [row for row in rows if not row.said]
    return [group for group in (*known, unknown) if group]


def _near(rows: Sequence[Statement]) -> list[list[Statement]]:
    """Part rows into groups of similar speed; those without one stand alone."""
    groups: list[list[Statement]] = []
    timed = [row for row in rows if row.speed > 0]
    for row in sorted(timed, key=lambda row: row.speed):
        if groups and row.speed <= CLOSE * groups[-1][0].speed:
            groups[-1].append(row)
        else:
            groups.append([row])
    order = {row.candidate: n for n, row in enumerate(rows)}
    for group in groups:
        group.sort(key=lambda row: order[row.candidate])
    bounded = [row for row in rows if not row.speed > 0]
    return [*groups, bounded] if bounded else groups


def _how_much(rows: Sequence[Statement]) -> str:
    """Say how much faster or slower: one number, a range, or a limit."""
    found = [row for row in rows if row.said]
    if not found:
        return "untested"
    if not found[0].direction:
        return "about as fast"
    nearest = min(found, key=lambda row: row.factor)
    farthest = max(found, key=lambda row: row.factor)
    if nearest.how_much == farthest.how_much or not nearest.is_exact:
        return nearest.how_much
    return f"{nearest.times.removesuffix('×')}–{farthest.how_much}"


def _width(rows: Sequence[Statement]) -> str:
    """Return the interval of inconclusive rows: of one, or of all together."""
    if len(rows) == 1:
        return rows[0].width
    ends = [(row.speed_low, row.speed_high) for row in rows if row.speed_low > 0]
    if not ends:
        return ""
    low, high = min(e[0] for e in ends), max(e[1] for e in ends)
    return f" ({range_words(low, high)})"


def _where(rows: Sequence[Statement], verdict: str, single: Single) -> str:
    """Name where all of some candidates differ most, and where most the other way."""
    if (verdict == "untested" and not rows[0].is_exact) or not rows[0].is_mean:
        return ""
    direction = rows[0].direction if verdict not in ("same", "unclear") else ""
    known = max(row.factor for row in rows) if direction else 1.0
    found: dict[str, tuple[float, str]] = {}
    for operation in dict.fromkeys(operation for _, operation in single):
        parts = [single.get((row.candidate, operation)) for row in rows]
        own = [part for part in parts if part is not None]
        told = {part.direction if _is_told(part, verdict) else "" for part in own}
        if len(own) < len(rows) or len(told) > 1 or not told <= {*DIFFERENT}:
            continue
        (way,) = told
        least = min(part.factor for part in own)
        enough = CLOSE * known if way == direction else 1.0
        if least >= enough and least > found.get(way, (0.0, ""))[0]:
            much = _how_much(own)
            text = much.removesuffix(f" {way}") if way == direction else much
            about = _besides(_shared(own), _shared(rows))
            found[way] = least, f"{text} at {operation_title(operation)}{about}"
    same = [text for way, (_, text) in found.items() if way == direction]
    other = [text for way, (_, text) in found.items() if way != direction]
    but = [f"but {' and '.join(other)}"] if other else []
    return "".join(f", {text}" for text in [*same, *but])


def _shared(rows: Sequence[Statement]) -> tuple[str, ...]:
    """Return the words of a scope that all of some rows have."""
    first, *others = (row.about for row in rows)
    return tuple(word for word in first if all(word in own for own in others))


def _is_told(part: Statement, verdict: str) -> bool:
    """What is tested over all operations says nothing of one that is not."""
    if verdict == "untested":
        return part.verdict == "untested" and part.is_exact
    return part.verdict in DIFFERENT and part.is_beyond


def _worst(rows: Sequence[Statement]) -> str:
    """Name the largest difference of a tool of which no more can be said."""
    decided = [r for r in rows if not r.is_mean and r.verdict in DIFFERENT]
    if not decided:
        return ""
    worst = max(decided, key=lambda row: row.factor)
    tool = title_of(worst.tool)
    name = listing([worst.candidate])
    at = operation_title(worst.operation)
    return f" {tool}, largest: {name} {worst.how_much} at {at}."


def _drawn(said: Sentence, form: Form) -> str:
    groups: dict[tuple, list[Clause]] = {}
    for n, clause in enumerate(said.clauses):
        own = clause.scope if form.scoped or clause.verdict == "untested" else ()
        # without their places, candidates that depend on one thing are alike
        key = (n,) if form.where else (clause.brief, own)
        groups.setdefault((*key, own), []).append(clause)
    parts = [_part(some, key[-1], said, form) for key, some in groups.items()]
    return f"{said.tool}{_besides(said.shared)}: {'; '.join(parts)}"


def _part(
    some: Sequence[Clause], scope: tuple[str, ...], said: Sentence, form: Form
) -> str:
    names = [name for clause in some for name in clause.names]
    first = some[0]
    told = first.answer if form.where else first.brief
    if len(names) > 1 and told.startswith("depends"):
        told = told.replace("depends", "depend", 1)
    text = f"{_named(names, form.names)} {told}{_besides(scope, said.shared)}"
    text += first.width if form.wide else ""
    return text + (first.where if form.where else "")


def _counted(said: Sentence) -> str:
    """Say how many candidates have each answer, for when no names fit."""
    counts: dict[str, int] = {}
    for clause in said.clauses:
        counts[clause.verdict] = counts.get(clause.verdict, 0) + len(clause.names)
    words = {"same": "about the same", "unclear": "inconclusive"}
    parts = [f"{n} {words.get(v, v)}" for v, n in counts.items()]
    return f"{said.tool}: {', '.join(parts)}"


def _named(names: Sequence[str], most: int) -> str:
    """List names; "b and 1 more" is no shorter than "b and c"."""
    if most > 1 or len(names) == 1:
        return listing(names, most)
    return f"{listing([names[0]])} and {len(names) - 1} more"


def _besides(words: Sequence[str], said: Sequence[str] = ()) -> str:
    """Write the words of a scope that have not been said, in brackets."""
    new = [word for word in words if word not in said]
    return f" ({', '.join(new)})" if new else ""
