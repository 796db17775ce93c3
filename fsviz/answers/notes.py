"""What must be said beside the rows of a comparison, as numbered notes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from fsviz.analysis.verdicts import DEPENDS, DISQUALIFIED
from fsviz.answers.words import (
    MARKS,
    NO_WINNER,
    OPEN,
    OTHER_SCOPE,
    SCOPES,
    operation_title,
    range_words,
)
from fsviz.checks.phrases import count, listing
from fsviz.model.errors import printable
from fsviz.model.table import METRICS
from fsviz.model.units import significant

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.answers.statement import Statement

Row = Mapping[str, object]
_MOST_DETAILS = 8

_TEXTS = {
    "unmatched": "some cells have a number on one side only and are in no ratio; "
    "--cells lists them",
    "bounds": "in brackets: what the printed digits allow, which says nothing about "
    "repeats",
    "censored": "runs without one number (a range, a bound such as +++++, or 0): the "
    "ratio is a limit that all runs allow, and p is by ranks",
    "partial": "some runs lack some of the cells, which are fitted from the others",
    "no_spread": "no run differs from another: p from permutations, interval from the "
    "printed digits",
    "winner": "no single winner: geometric mean, total time and mean disagree; look at "
    "the cells",
    "cliff": "averages across a cache cliff, where twice the file size halves the "
    "throughput; divide there with --buckets",
    "limit": "one side printed only a limit, not a number",
}

_CAVEAT = "a caveat of fsviz check"
_DISQUALIFIED = "fsviz check disqualifies the row"
_FIRST, _LAST = range(2)
"""Order of footnotes: what disqualifies, everything else."""


@dataclass
class Notes:
    """Marks of each row (None: nothing to compare), and the texts behind them."""

    marks: list[str | None] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


def note_rows(frame: pd.DataFrame) -> Notes:
    """Find what must be said about each row of a comparison."""
    rows = frame.to_dict("records")
    details: dict[str, dict[str, None]] = {}
    gravity: dict[str, int] = {}
    needed: list[list[str]] = []
    for row in rows:
        found = list(_of_row(row)) if has_something(row) else []
        needed.append([text for _, text, _ in found])
        for order_of, text, some in found:
            gravity[text] = order_of
            details.setdefault(text, {}).update(dict.fromkeys(some))
    # what check finds comes first: rows share much of it, and 1–5 is shorter than 1,4,7
    order = sorted(details, key=lambda text: gravity[text])
    numbers = {text: n for n, text in enumerate(order, 1)}
    marks = [
        spans([numbers[text] for text in texts]) if has_something(row) else None
        for row, texts in zip(rows, needed, strict=True)
    ]
    texts = [_with_details(text, list(details[text])) for text in order]
    absent = [row for row in rows if not has_something(row)]
    texts += [*_scopes(rows), *_caveats(rows), *_absent(absent, frame)]
    return Notes(marks, texts)


def _scopes(rows: Iterable[Row]) -> list[str]:
    """Explain each word that stands in the brackets of a verdict."""
    used = [word for row in rows if has_something(row) for word in _words(row, "scope")]
    order = [word for word in SCOPES if word in used]
    order += [word for word in dict.fromkeys(used) if word not in SCOPES]
    return [f"({printable(w)}): {SCOPES.get(w, OTHER_SCOPE)}" for w in order]


def _words(row: Row, column: str) -> list[str]:
    words = row.get(column)
    return words if isinstance(words, list) else []


def spans(numbers: Iterable[int]) -> str:
    """Write ascending numbers, several in a row as a span.

    >>> spans([4, 1, 2, 3, 7, 8])
    '1–4,7,8'
    """
    ordered = sorted(numbers)
    parts = []
    for _, run in groupby(ordered, key=lambda n: n - ordered.index(n)):
        some = list(run)
        parts.append(some if len(some) < 3 else [f"{some[0]}–{some[-1]}"])
    return ",".join(str(part) for some in parts for part in some)


def _caveats(rows: list[dict[str, object]]) -> Iterator[str]:
    """Say once of each rule that warns in how many rows of which tools it does."""
    totals: Counter[object] = Counter()
    counts: dict[str, Counter[object]] = {}
    for row in filter(has_something, rows):
        totals[row["tool"]] += 1
        for rule in _words(row, "caveats"):
            counts.setdefault(rule, Counter())[row["tool"]] += 1
    for rule, tools in counts.items():
        parts = [
            f"all rows of {tool}"
            if n == totals[tool] > 1
            else f"{n} of {totals[tool]} rows of {tool}"
            for tool, n in tools.items()
        ]
        yield f"{rule}: {_CAVEAT} in {'; in '.join(parts)}"


def _findings(row: Row) -> list[tuple[int, str]]:
    """Say which rules disqualify the row, and what would settle it."""
    rules, advice = (_words(row, name) for name in ("disqualified_by", "advice"))
    return [
        (_FIRST, f"{rule}: {_DISQUALIFIED}; to settle it: {what}")
        for rule, what in zip(rules, advice, strict=True)
    ]


def has_something(row: Row) -> bool:
    """Say whether a row has a ratio or at least a printed bound of one."""
    names = ("geomean_ratio", "ratio", "bound_low", "bound_high")
    values = [number(row.get(name)) for name in names]
    # a lower bound of 0 is no bound
    return any(math.isfinite(value) and value > 0 for value in values)


def number(value: object) -> float:
    """Take a number out of a record; anything else is missing."""
    return float(value) if isinstance(value, int | float) else math.nan


def _of_row(row: Row) -> Iterator[tuple[int, str, list[str]]]:
    lacking = {n: int(number(row[f"needed_{n}"])) for n in ("baseline", "candidate")}
    if row["verdict"] == "untested" and any(lacking.values()):
        yield _LAST, _needed(lacking), []
    if row["verdict"] == "untested" and limit(row):
        yield _LAST, _TEXTS["limit"], [limit(row)]
    yield from ((gravity, text, []) for gravity, text in _findings(row))
    named = _words(row, "cliffs")
    for kind, there in _facts(row).items():
        if there:
            details = [f"{row['operation']} of {name}" for name in named]
            yield _LAST, _TEXTS[kind], details if kind == "cliff" else []


def _facts(row: Row) -> dict[str, object]:
    """Say which of the notes without words of their own a row needs."""
    measured = has_ratio(row)
    bounded = math.isfinite(number(row["bound_low"]))
    return {
        "bounds": measured and bounded and _is_open(row),
        "censored": row["n_baseline_censored"] or row["n_candidate_censored"],
        "partial": row.get("n_baseline_partial") or row.get("n_candidate_partial"),
        "no_spread": row["no_spread"],
        "unmatched": row.get("cells_unmatched") and row.get("cells"),
        "winner": row.get("no_single_winner"),
        "cliff": row.get("cliffs"),
    }


def has_ratio(row: Row) -> bool:
    """Whether a row has a ratio, not bounds alone."""
    return math.isfinite(number(row.get("geomean_ratio", row.get("ratio"))))


def _is_open(row: Row) -> bool:
    """Whether bounds stand in place of an interval: digits leave much open."""
    low, high = number(row["bound_low"]), number(row["bound_high"])
    return math.isnan(number(row["ci_low"])) and high > OPEN * low


def _needed(lacking: Mapping[str, int]) -> str:
    parts = [
        f"{n} more run{'s' if n > 1 else ''} of the {name}"
        for name, n in lacking.items()
        if n
    ]
    return f"untested: a test needs {' and '.join(parts)}"


def limit(row: Row) -> str:
    """Put the bounds of a ratio that has no value into words; empty if none follow.

    >>> row = dict(operation="transfer", metric="elapsed", candidate="disk")
    >>> row |= dict(geomean_ratio=float("nan"), baseline="nfs")
    >>> limit(row | dict(bound_low=0.0, bound_high=1 / 32))
    'transfer, elapsed: disk beats nfs by 32 times or more'
    """
    low, high = number(row["bound_low"]), number(row["bound_high"])
    if has_ratio(row):
        return ""
    better = METRICS[str(row["metric"])].better
    names = [printable(str(row[name])) for name in ("candidate", "baseline")]
    place = f"{row['operation']}, {row['metric']}"
    times = high if high < 1 else low
    if not (high < 1 or low > 1):
        return ""
    if (high < 1) == (better > 0):
        names.reverse()
    factor = 1 / times if times < 1 else times
    return f"{place}: {names[0]} beats {names[1]} by {_floor(factor)} times or more"


def _floor(factor: float) -> str:
    """Round down to three digits, so that "or more" stays true."""
    scale = 10.0 ** (2 - math.floor(math.log10(factor)))
    # a hair more, because 1 ÷ (1 ÷ 32) need not be 32
    return significant(math.floor(factor * scale * (1 + 1e-12)) / scale)


def _with_details(text: str, details: list[str]) -> str:
    if not details:
        return text
    shown = details[:_MOST_DETAILS]
    rest = len(details) - len(shown)
    more = f"; and {rest} more" if rest else ""
    return f"{text}: {'; '.join(shown)}{more}"


def _absent(rows: list[dict[str, object]], frame: pd.DataFrame) -> Iterator[str]:
    """Say what could not be compared at all, systems with the same gaps together."""
    keys = ["tool", "candidate", "operation", "metric"]
    total = Counter(tuple(map(str, key)) for key in frame[keys].itertuples(index=False))
    missing = Counter(tuple(str(row[key]) for key in keys) for row in rows)
    gaps: dict[tuple[str, str], list[str]] = {}
    whole: Counter[tuple[str, str]] = Counter()
    for (tool, candidate, operation, metric), number in missing.items():
        partly = number < total[tool, candidate, operation, metric]
        what = f"{operation} {metric}{' (some sizes)' if partly else ''}"
        gaps.setdefault((tool, candidate), []).append(what)
        whole[tool, candidate] += not partly
    kinds = Counter(key[:2] for key in total)
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for place, gap_list in gaps.items():
        everything = whole[place] == kinds[place]
        gap = () if everything else tuple(gap_list)
        alike.setdefault((place[0], gap), []).append(printable(place[1]))
    for (tool, gap), candidates in alike.items():
        listed = "nothing measured that the baseline measured"
        if gap:
            listed = _with_details("no numbers on one side or both", list(gap))
        yield f"not compared, {tool}: {', '.join(candidates)}: {listed}"


def notes_of(said: Sequence[Statement]) -> list[str]:
    """Say what disqualifies, depends, warns, is inconclusive, and what is missing."""
    single = [one for one in said if not one.is_mean]
    shown = [one for one in single if one.is_measured]
    found = [
        f"{MARKS[DISQUALIFIED]} {rule} in {count(n, 'cell')}; to settle it: {advice}"
        for (rule, advice), n in _tally(
            shown, lambda one: zip(one.disqualified_by, one.advice, strict=True)
        ).items()
    ]
    found += _spelled(shown, DEPENDS, lambda one: one.where)
    found += _spelled(shown, NO_WINNER, lambda one: one.both)
    found += _spelled(shown, "unclear", lambda one: one.width.strip(" ()"))
    found += _spread(one for one in said if one.is_mean and one.verdict == "untested")
    warned = _tally(shown, lambda one: one.caveats)
    if warned:
        rules = [f"{rule} ({n})" for rule, n in warned.most_common()]
        found.append(f"fsviz check warns, in so many cells: {', '.join(rules)}.")
    found += [*_without_numbers(single), *_apart(single), *_not_measured(single)]
    return found


def _spelled(
    said: Sequence[Statement], answer: str, words: Callable[[Statement], str]
) -> Iterator[str]:
    """Spell out what a cell has no room for, a line a candidate."""
    told: dict[str, list[str]] = {}
    marks: dict[str, str] = {}
    for one in said:
        if one.answer == answer and words(one):
            line = f"{operation_title(one.operation)} {words(one)}"
            told.setdefault(one.candidate, []).append(line)
            # beyond the band inconclusive cells begin with another sign
            marks[one.candidate] = min(one.mark, marks.get(one.candidate, one.mark))
    for name, lines in told.items():
        more = f"; and {len(lines) - 3} more" if lines[3:] else ""
        mark = marks[name]
        yield f"{mark} {printable(name)}: {'; '.join(lines[:3])}{more}."


def _spread(means: Iterable[Statement]) -> Iterator[str]:
    """Say how far the ratios of single runs lie apart, and what that is not."""
    ends: dict[str, list[float]] = {}
    for one in means:
        if one.is_single and one.cells > 1 and one.cells_low > 0:
            ends.setdefault(one.candidate, []).extend((one.cells_low, one.cells_high))
    told = [f"{printable(k)} {range_words(min(v), max(v))}" for k, v in ends.items()]
    if told:
        yield (
            f"With a single run, from size to size and operation: {listing(told)}. "
            "This is how much they differ, not how well a run repeats."
        )


def _without_numbers(single: Sequence[Statement]) -> Iterator[str]:
    """Name what ran on both sides and gave no number."""
    rows = [o for o in single if o.ran and not o.is_measured and not o.is_apart]
    for tool in dict.fromkeys(one.tool for one in rows):
        own = [operation_title(one.operation) for one in rows if one.tool == tool]
        said = f"{printable(tool)} printed no number, but a bound such as +++++, of "
        yield f"{said}{listing(own, 4)}."


def _apart(single: Sequence[Statement]) -> Iterator[str]:
    """Name the systems that measured an operation at other sizes than the baseline."""
    names: dict[str, list[str]] = {}
    for one in single:
        if one.is_apart:
            names.setdefault(one.candidate, []).append(operation_title(one.operation))
    for candidate, operations in names.items():
        yield (
            f"{printable(candidate)} has no size in common with "
            f"{printable(single[0].baseline)} at {listing(operations, 3)}."
        )


def _not_measured(single: Sequence[Statement]) -> Iterator[str]:
    """Name the systems that a tool was not run on."""
    ran = {(one.tool, one.candidate) for one in single if one.ran}
    missing: dict[str, dict[str, None]] = {}
    for one in single:
        if (one.tool, one.candidate) not in ran:
            missing.setdefault(one.tool, {})[one.candidate] = None
    for tool, names in missing.items():
        yield f"Not measured with {printable(tool)}: {listing(names, 6)}."


def _tally(
    said: Sequence[Statement], words: Callable[[Statement], Iterable]
) -> Counter:
    return Counter(word for one in said for word in words(one))
