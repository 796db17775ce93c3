"""The answer in one or two sentences, from the rows of an overview."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fsviz.analysis.buckets import ALL
from fsviz.analysis.verdicts import DIFFERENT, DISQUALIFIED
from fsviz.checks.overview import SECTION, overview
from fsviz.checks.overview_cells import (
    as_measured,
    least_times,
    measured,
    scope_words,
)
from fsviz.checks.words import listing
from fsviz.model.names import fit
from fsviz.model.table import MAIN_METRICS, METRICS, OPERATIONS
from fsviz.model.units import format_times

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
_TOOLS = {"iozone": "IOzone"}
_ANSWERS = ("faster", "slower", "same", "unclear", DISQUALIFIED, "untested")


@dataclass(frozen=True, slots=True)
class Form:
    """How much a clause says: names, its own scope, the operation that differs most.

    ``where`` holds the verdicts of the clauses that name that operation.
    """

    names: int
    scoped: bool = True
    where: tuple[str, ...] = ()


_FORMS = (
    Form(4, where=_ANSWERS),
    Form(4, where=DIFFERENT),
    Form(3, where=DIFFERENT),
    *(Form(4), Form(3), Form(2), Form(1), Form(1, scoped=False)),
)
"""From the longest on: the first that fits into the words of a headline is taken."""

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Clause:
    """Candidates with one answer."""

    names: tuple[str, ...]
    answer: str
    scope: tuple[str, ...]
    verdict: str
    most: Where | None = None


@dataclass(frozen=True, slots=True)
class Where:
    """What is said of one operation, such as ``1.8× at random read``, and its scope."""

    answer: str
    scope: tuple[str, ...]


def answer(frame: pd.DataFrame, shown: pd.DataFrame, tool: str = "") -> str:
    """Write the headline of a campaign, about the peers too where these matter."""
    own = frame.loc[frame["tool"] == tool] if tool else frame
    near = peers(own)
    if not near:
        return headline(own)
    among = shown.loc[shown["candidate"].isin(near[1:])]
    return headline(own, among.loc[among["tool"].isin(own["tool"].unique())])


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


def peers(frame: pd.DataFrame) -> list[str]:
    """Name the candidates that are far from the reference and near to one another."""
    rows = next(_sections(frame), _NOTHING).rows
    rows = [row for row in rows if row["operation"] == ALL]
    told = [row for row in rows if row["verdict"] in DIFFERENT]
    tested = [row for row in rows if row["verdict"] not in ("untested", DISQUALIFIED)]
    speeds = [_number(row["speed"]) for row in told]
    far = [speed > FAR or speed < 1 / FAR for speed in speeds]
    if len(told) < 2 or len(told) < len(tested) or not all(far):
        return []
    if max(speeds) > FAR * min(speeds):
        return []
    return [str(row["candidate"]) for row in told]


def headline(frame: pd.DataFrame, among: pd.DataFrame | None = None) -> str:
    """Return at most 40 words on who is faster, and by how much."""
    first = _name(frame["baseline"].iloc[0])
    said = [s for part in _sections(frame) if (s := _sentence(part))]
    if not said:
        return f"Against {first}: nothing of which both have a number."
    others = [] if among is None else [_sentence(part) for part in _sections(among)]
    peer, *further = others or [None]
    if peer:
        said = [_together(next(_sections(frame)).rows), *filter(None, further)]
    for form in _FORMS:
        text = f"Against {first}, {_drawn(said[0], form)}."
        if peer:
            other = _name(among["baseline"].iloc[0]) if among is not None else ""
            text += f" Against {other}: {_drawn(peer, form, '')}."
        if _fits(text):
            break
    else:
        return f"Against {first}, {_counted(said[0])}."
    for more in said[1:]:
        sentence = f" {_drawn(more, form)}."
        text += sentence if _fits(text + sentence) else ""
    return text


def _fits(text: str) -> bool:
    return len(text.split()) <= WORDS


@dataclass(frozen=True, slots=True)
class Section:
    """What is known of a tool with so many threads."""

    rows: list[dict]
    operations: dict[str, dict[str, dict]]


_NOTHING = Section([], {})


def _sections(frame: pd.DataFrame) -> Iterator[Section]:
    for _, own in frame.groupby(SECTION, sort=False, dropna=False, observed=True):
        there = own.loc[[measured(row) for row in own.to_dict("records")]]
        wholes = there.loc[there["operation"] == ALL]
        operations: dict[str, dict[str, dict]] = {}
        for row in there.loc[there["operation"] != ALL].to_dict("records"):
            by_candidate = operations.setdefault(str(row["operation"]), {})
            by_candidate[str(row["candidate"])] = row
        if wholes.empty:
            for by_candidate in operations.values():
                yield Section(list(by_candidate.values()), {})
            continue
        cells = wholes.groupby("metric", sort=False, observed=True)["cells"].sum()
        chosen = wholes.loc[wholes["metric"] == cells.idxmax()]
        yield Section(chosen.to_dict("records"), operations)


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said of one tool: clauses, and the scope that all of them share."""

    tool: str
    shared: tuple[str, ...]
    clauses: tuple[Clause, ...]


def _sentence(section: Section) -> Sentence | None:
    """Group the candidates by their answers; scope that all share is said once."""
    clauses = [clause for verdict in _ANSWERS for clause in _clauses(section, verdict)]
    if not clauses:
        return None
    scopes = [clause.scope for clause in clauses if clause.verdict != "unclear"]
    first, *others = scopes or [()]
    shared = tuple(word for word in first if all(word in scope for scope in others))
    return Sentence(_tool(section.rows[0]), shared, tuple(clauses))


def _tool(row: Row) -> str:
    name, threads, metric = (str(row[k]) for k in ("tool", "threads", "metric"))
    several = f" with {threads} threads" if threads not in ("1", "<NA>", "None") else ""
    # "alike" without more is about speed
    about = "" if metric in MAIN_METRICS else f" {METRICS[metric].title}"
    title = "" if row["operation"] == ALL else f" {_title(row['operation'])}"
    return f"{_TOOLS.get(name, name)}{title}{about}{several}"


def _title(operation: object) -> str:
    return OPERATIONS.get(str(operation), str(operation))


def _together(rows: Sequence[Row]) -> Sentence:
    """Say one thing of all that are far away: how they compare is said next."""
    told = [row for row in rows if row["verdict"] in DIFFERENT]
    verdict = str(told[0]["verdict"])
    first, *others = map(scope_words, told)
    shared = tuple(w for w in first if all(w in scope for scope in others))
    text = f"{_times(told, verdict)} {verdict}"
    clause = Clause((f"{len(told)} systems",), text, (), verdict)
    return Sentence(_tool(told[0]), shared, (clause,))


def _drawn(said: Sentence, form: Form, tool: str | None = None) -> str:
    parts = []
    for clause in said.clauses:
        own = clause.scope if form.scoped or clause.verdict == "untested" else ()
        text = f"{_named(clause.names, form.names)} {clause.answer}"
        text += _besides(own, said.shared)
        if clause.most and clause.verdict in form.where:
            known = (*said.shared, *own)
            text += f", {clause.most.answer}{_besides(clause.most.scope, known)}"
        parts.append(text)
    head = f"{said.tool if tool is None else tool}{_besides(said.shared)}".strip()
    return f"{head}: {'; '.join(parts)}" if head else "; ".join(parts)


def _counted(said: Sentence) -> str:
    """Say how many candidates have each answer, for when no names fit."""
    counts: dict[str, int] = {}
    for clause in said.clauses:
        counts[clause.verdict] = counts.get(clause.verdict, 0) + len(clause.names)
    words = {"same": "alike", "unclear": "not told apart"}
    parts = [f"{n} {words.get(v, v)}" for v, n in counts.items()]
    return f"{said.tool}: {', '.join(parts)}"


def _named(names: Sequence[str], most: int) -> str:
    """List names; "b and 1 more" is no shorter than "b and c"."""
    if most > 1 or len(names) == 1:
        return listing([fit(name, _LONGEST) for name in names], most)
    return f"{listing([fit(names[0], _LONGEST)])} and {len(names) - 1} more"


def _besides(words: Sequence[str], said: Sequence[str] = ()) -> str:
    """Write the words of a scope that have not been said, in brackets."""
    new = [word for word in words if word not in said]
    return f" ({', '.join(new)})" if new else ""


def _clauses(section: Section, verdict: str) -> Iterator[Clause]:
    own = [row for row in section.rows if row["verdict"] == verdict and measured(row)]
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in own:
        # where nothing is said to differ, there is nothing for a scope to be about
        scope = () if verdict == "unclear" else scope_words(row)
        if verdict == "untested" and as_measured(row):
            scope = (verdict,)
        groups.setdefault(scope, []).append(row)
    parts = [
        (close, scope)
        for scope, some in groups.items()
        for close in _alike(some, verdict)
    ]
    if verdict in DIFFERENT:
        parts.sort(key=lambda part: _slowest(part[0]))
    for close, scope in parts:
        names = tuple(str(row["candidate"]) for row in close)
        most = _where(close, verdict, section)
        yield Clause(names, _answer(close, verdict), scope, verdict, most)


def _alike(rows: Sequence[Row], verdict: str) -> list[list[Row]]:
    """Part rows of one verdict into groups of which one thing is said."""
    if verdict in DIFFERENT:
        return _near(rows)
    if verdict != "untested":
        return [[*rows]]
    order = ("slower", "faster", "")
    groups: dict[tuple[str, bool], list[Row]] = {
        (direction, exact): [] for direction in order for exact in (True, False)
    }
    unknown = []
    for row in rows:
        if found := as_measured(row):
            # "more than" is not said of what is known, nor a number of what is not
            groups[found.direction, found.exact].append(row)
        else:
            unknown.append(row)
    known = [
        close
        for (direction, _), some in groups.items()
        for close in (_near(some) if direction else [some])
    ]
    return [group for group in (*known, unknown) if group]


def _slowest(rows: Sequence[Row]) -> float:
    """Speed of the slowest; what is only bounded comes last."""
    speeds = [_number(row["speed"]) for row in rows]
    return min(speed if speed > 0 else math.inf for speed in speeds)


def _where(rows: Sequence[Row], verdict: str, section: Section) -> Where | None:
    """Find the operation in which candidates differ most, and all in one direction."""
    if verdict == DISQUALIFIED or (verdict == "untested" and not _is_exact(rows[0])):
        return None
    untested = verdict == "untested"
    verdict = _direction(rows[0]) or verdict
    known = max(map(_factor, rows)) if verdict in DIFFERENT else 1.0
    found, largest = None, 0.0
    for operation, by_candidate in section.operations.items():
        own = [by_candidate.get(str(row["candidate"])) for row in rows]
        # what is tested over all operations says nothing of one that is not
        if any(row and (row["verdict"] == "untested") != untested for row in own):
            continue
        directions = {_direction(row) if row else "" for row in own}
        if len(directions) > 1 or not directions <= {*DIFFERENT}:
            continue
        (direction,) = directions
        least = min(_factor(row) for row in own if row)
        if (
            least >= CLOSE * (known if direction == verdict else 1.0)
            and least > largest
        ):
            largest, found = least, _at(operation, [r for r in own if r], verdict)
    return found


def _at(operation: str, rows: Sequence[Row], verdict: str) -> Where:
    """Say how much candidates differ in an operation, after what is said of all."""
    direction, title = _direction(rows[0]), _title(operation)
    words = f"{_times(rows, direction)} at {title}"
    if direction != verdict:
        words = f"but {_times(rows, direction)} {direction} at {title}"
    first, *others = map(scope_words, rows)
    return Where(words, tuple(w for w in first if all(w in own for own in others)))


def _is_exact(row: Row) -> bool:
    """Whether the digits of an untested row leave little open."""
    found = as_measured(row)
    return found is not None and found.exact


def _direction(row: Row) -> str:
    """``faster`` or ``slower`` as the verdict or, untested, the numbers say."""
    if row["verdict"] == "untested" and (found := as_measured(row)):
        return found.direction if found.exact else ""
    return str(row["verdict"]) if row["verdict"] in DIFFERENT else ""


def _factor(row: Row) -> float:
    """How many times faster or slower, at least where only that is known."""
    speed = _number(row["speed"])
    return max(speed, 1 / speed) if speed > 0 else least_times(row)


def _near(rows: Sequence[Row]) -> list[list[Row]]:
    """Part rows into groups of similar speed; those without one stand alone."""
    groups: list[list[Row]] = []
    timed = [row for row in rows if _number(row["speed"]) > 0]
    for row in sorted(timed, key=lambda row: _number(row["speed"])):
        speed = _number(row["speed"])
        if groups and speed <= CLOSE * _number(groups[-1][0]["speed"]):
            groups[-1].append(row)
        else:
            groups.append([row])
    bounded = [row for row in rows if not _number(row["speed"]) > 0]
    order = {str(row["candidate"]): n for n, row in enumerate(rows)}
    for group in groups:
        group.sort(key=lambda row: order[str(row["candidate"])])
    return [*groups, bounded] if bounded else groups


def _answer(rows: Sequence[Row], verdict: str) -> str:
    if verdict == "same":
        return "alike"
    if verdict == "unclear":
        return "not told apart"
    if verdict == "untested":
        return _as_measured(rows)
    if verdict == DISQUALIFIED:
        rules = [rule for row in rows for rule in row["disqualified_by"]]  # type: ignore[attr-defined]
        return f"disqualified by {listing(rules, 2)}"
    return f"{_times(rows, verdict)} {verdict}"


def _as_measured(rows: Sequence[Row]) -> str:
    """Say how much untested systems differ."""
    found = [one for row in rows if (one := as_measured(row))]
    if not found:
        return "untested"
    nearest = min(found, key=lambda one: one.least)
    farthest = max(found, key=lambda one: one.least)
    if nearest.words == farthest.words or not nearest.exact:
        return f"measured {nearest.words}"
    return f"measured {nearest.times.removesuffix('×')}–{farthest.words}"


def _times(rows: Sequence[Row], verdict: str) -> str:
    """How many times: one number, a range, or only "more than"."""
    speeds = [_number(row["speed"]) for row in rows]
    if all(speed > 0 for speed in speeds):
        factors = sorted(s if verdict == "faster" else 1 / s for s in speeds)
        low, high = format_times(factors[0]), format_times(factors[-1])
        return f"{low}×" if low == high else f"{low}–{high}×"
    least = min(least_times(row) for row in rows)
    return f"more than {format_times(least, down=True)}×" if least > 1 else "clearly"


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def _name(system: object) -> str:
    return listing([fit(str(system), _LONGEST)])
