"""The answer in one or two sentences, from the rows of an overview."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fsviz.analysis.buckets import ALL
from fsviz.analysis.regimes import REGIMES
from fsviz.analysis.verdicts import DIFFERENT, DISQUALIFIED
from fsviz.checks.overview import overview
from fsviz.checks.overview_cells import least_times, measured
from fsviz.checks.words import listing
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
_ANSWERS = ("faster", "same", "unclear", "slower", DISQUALIFIED, "untested")

Row = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Clause:
    """Candidates with one answer.

    Parameters
    ----------
    names : tuple of str
        As the campaign has them.
    answer : str
        What is true of all, such as ``1.2–1.3× slower``.
    scope : tuple of str
        What it is about.
    verdict : str
        As the comparison has it.
    """

    names: tuple[str, ...]
    answer: str
    scope: tuple[str, ...]
    verdict: str


def answer(frame: pd.DataFrame, shown: pd.DataFrame, tool: str = "") -> str:
    """Write the headline of a campaign, about the peers too where these matter.

    Parameters
    ----------
    frame : DataFrame
        The campaign's `fsviz.checks.overview.overview`.
    shown : DataFrame
        What `shown_first` says of it: how the peers compare, if they matter.
    tool : str
        The only one to speak of; empty for all.

    Returns
    -------
    str
    """
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
    """Choose what a page or a terminal shows first: the frame, or how peers compare.

    Parameters
    ----------
    campaign : Campaign
        What was measured.
    frame : DataFrame
        Its `fsviz.checks.overview.overview`.
    tool : str
        The only one that is shown; empty for all.
    operations : sequence of str or None
        Those of the frame, if they were chosen.
    examined : callable or None
        Gives the examination against a system, such as `fsviz.checks.engine.Examiner`.

    Returns
    -------
    DataFrame
        Where all candidates are far from the reference and near to one another, the
        overview against the first of them, with the reference among the candidates.
    """
    near = peers(frame.loc[frame["tool"] == tool] if tool else frame)
    if near:
        first, *_ = frame["baseline"]
        others = [n for n in dict.fromkeys(frame["candidate"]) if n != near[0]]
        found = examined(near[0]) if examined else None
        frame = overview(campaign, near[0], [first, *others], operations, found)
    return frame.loc[frame["tool"] == tool] if tool else frame


def peers(frame: pd.DataFrame) -> list[str]:
    """Name the candidates that are far from the reference and near to one another.

    Parameters
    ----------
    frame : DataFrame
        As `fsviz.checks.overview.overview` returns it.

    Returns
    -------
    list of str
        Two or more, in the campaign's order; empty unless every candidate that was
        tested with the first tool differs from the reference by more than `FAR`, and
        none from another by more than that.
    """
    rows = next(_sections(frame), [])
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
    """Say in one or two sentences of at most 40 words who is faster, and by how much.

    Parameters
    ----------
    frame : DataFrame
        As `fsviz.checks.overview.overview` returns it.
    among : DataFrame or None
        The peers compared with the first of them, see `peers`.

    Returns
    -------
    str
        Control characters are shown as escapes; other marks are as they were found.
    """
    first = _name(frame["baseline"].iloc[0])
    said = [s for rows in _sections(frame) if (s := _sentence(rows))]
    if not said:
        # runs of single tests, such as -i 0 and -i 1 apart, have no level over all
        if frame["cells"].sum() > 0:
            return f"Against {first}: no run measured all of it; see each operation."
        return f"Against {first}: nothing that both measured."
    near = next(_sections(among), []) if among is not None else []
    peer = _sentence(near) if near else None
    if peer:
        said[0] = _together(next(_sections(frame)))
    for most, scoped in ((4, True), (3, True), (2, True), (1, True), (1, False)):
        text = f"Against {first}, {_drawn(said[0], most, scoped)}."
        if peer:
            other = _name(near[0]["baseline"])
            text += f" Against {other}: {_drawn(peer, most, scoped, '')}."
        if _fits(text):
            break
    else:
        return f"Against {first}, {_counted(said[0])}."
    longer = [f" {_drawn(more, most)}." for more in said[1:]]
    for sentence in longer:
        text += sentence if _fits(text + sentence) else ""
    return text


def _fits(text: str) -> bool:
    return len(text.split()) <= WORDS


def _sections(frame: pd.DataFrame) -> Iterator[list[dict]]:
    """The rows of each whole tool; of several metrics the one with most cells."""
    wholes = frame.loc[frame["operation"] == ALL]
    keys = ["tool", "threads"]
    for _, own in wholes.groupby(keys, sort=False, dropna=False, observed=True):
        cells = own.groupby("metric", sort=False, observed=True)["cells"].sum()
        chosen = own.loc[own["metric"] == cells.idxmax()]
        yield chosen.to_dict("records")


@dataclass(frozen=True, slots=True)
class Sentence:
    """What is said of one tool: clauses, and the scope that all of them share."""

    tool: str
    shared: tuple[str, ...]
    clauses: tuple[Clause, ...]


def _sentence(rows: Sequence[Row]) -> Sentence | None:
    """Group the candidates by their answers; scope that all share is said once."""
    clauses = [clause for verdict in _ANSWERS for clause in _clauses(rows, verdict)]
    if not clauses:
        return None
    scopes = [clause.scope for clause in clauses]
    shared = tuple(w for w in scopes[0] if all(w in scope for scope in scopes))
    return Sentence(_tool(rows[0]), shared, tuple(clauses))


def _tool(row: Row) -> str:
    name, threads = str(row["tool"]), str(row["threads"])
    several = f" with {threads} threads" if threads not in ("1", "<NA>", "None") else ""
    return f"{_TOOLS.get(name, name)}{several}"


def _together(rows: Sequence[Row]) -> Sentence:
    """Say one thing of all that are far away: how they compare is said next."""
    told = [row for row in rows if row["verdict"] in DIFFERENT]
    verdict = str(told[0]["verdict"])
    shared = [w for w in _scope(told[0]) if all(w in _scope(row) for row in told)]
    text = f"{_times(told, verdict)} {verdict}"
    clause = Clause((f"{len(told)} systems",), text, (), verdict)
    return Sentence(_tool(told[0]), tuple(shared), (clause,))


def _drawn(
    said: Sentence, most: int, scoped: bool = True, tool: str | None = None
) -> str:
    """Write a sentence; without ``scoped`` only the scope that all share."""
    parts = [
        f"{_named(clause.names, most)} {clause.answer}"
        f"{_bracket([w for w in clause.scope if w not in said.shared and scoped])}"
        for clause in said.clauses
    ]
    head = f"{said.tool if tool is None else tool}{_bracket(said.shared)}".strip()
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
        return listing(map(_short, names), most)
    return f"{listing([_short(names[0])])} and {len(names) - 1} more"


def _bracket(words: Sequence[str]) -> str:
    return f" ({', '.join(words)})" if words else ""


def _clauses(rows: Sequence[Row], verdict: str) -> Iterator[Clause]:
    own = [row for row in rows if row["verdict"] == verdict and measured(row)]
    groups: dict[tuple[str, ...], list[Row]] = {}
    for row in own:
        groups.setdefault(_scope(row), []).append(row)
    for scope, some in groups.items():
        for close in _near(some) if verdict in DIFFERENT else [some]:
            names = tuple(str(row["candidate"]) for row in close)
            yield Clause(names, _answer(close, verdict), scope, verdict)


def _scope(row: Row) -> tuple[str, ...]:
    """What a row is about; sizes of several regimes together name none."""
    if row["verdict"] in ("untested", DISQUALIFIED):
        return ()
    words = row["scope"] if isinstance(row["scope"], list) else []
    regimes = [word for word in words if word in REGIMES]
    dropped = regimes if len(regimes) > 1 else []
    return tuple(word for word in words if word not in dropped)


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
        return "untested"
    if verdict == DISQUALIFIED:
        rules = [rule for row in rows for rule in row["disqualified_by"]]  # type: ignore[attr-defined]
        return f"disqualified by {listing(rules, 2)}"
    return f"{_times(rows, verdict)} {verdict}"


def _times(rows: Sequence[Row], verdict: str) -> str:
    """How many times: one number, a range, or only "more than"."""
    speeds = [_number(row["speed"]) for row in rows]
    if all(speed > 0 for speed in speeds):
        factors = sorted(s if verdict == "faster" else 1 / s for s in speeds)
        low, high = format_times(factors[0]), format_times(factors[-1])
        return f"{low}×" if low == high else f"{low}–{high}×"
    least = min(least_times(row) for row in rows)
    return f"more than {format_times(least, down=True)}×" if least > 1 else "clearly"


def _short(name: str) -> str:
    """Keep both ends of a long name, which may tell it from others."""
    if len(name) <= _LONGEST:
        return name
    return f"{name[: _LONGEST // 2]}…{name[-_LONGEST // 2 + 1 :]}"


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else float("nan")


def _name(system: object) -> str:
    return listing([_short(str(system))])
