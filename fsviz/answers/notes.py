"""What must be said beside the rows of a comparison, as numbered notes."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import (
    Callable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING

from fsviz.analysis.verdicts import DEPENDS, DISQUALIFIED
from fsviz.answers.sections import under_words
from fsviz.answers.words import (
    MARKS,
    NEAR,
    NO_WINNER,
    OTHER_SCOPE,
    SCOPES,
    STANDS_FOR,
    factor_of,
    operation_title,
    range_words,
    times_words,
)
from fsviz.checks.phrases import count, listing
from fsviz.model.errors import printable
from fsviz.model.table import METRICS
from fsviz.model.tools import title_of

if TYPE_CHECKING:
    from fsviz.answers.statement import Statement

_MOST_DETAILS = 8

_TEXTS = {
    "unmatched": "some cells have a number on one side only and are in no ratio; "
    "--cells lists them",
    "bounds": "in brackets: what the printed digits allow, which says nothing about "
    "repeats",
    "censored": "runs without one number (a range, a bound such as +++++, or 0): the "
    "ratio is a limit that all runs allow, and p is by ranks",
    "untimed": "runs too fast to time (+++++) print no CPU use: it is that of the "
    "slower runs",
    "rare": "some cells have too few runs for a test and are in no ratio; --cells "
    "lists them",
    "partial": "some runs lack some of the cells, which are fitted from the others",
    "no_spread": "no run differs from another: p from permutations, interval from the "
    "printed digits",
    "winner": "no single winner: geometric mean, total time and mean disagree; look at "
    "the cells",
    "cliff": "averages across a cache cliff, where twice the file size halves the "
    "throughput; divide there with --buckets",
    "limit": "one side printed only a limit, not a number",
}

_PROCESSOR = ("cpu", "cpu_cost")
_CAVEAT = "a caveat of fsviz check"
_DISQUALIFIED = "fsviz check disqualifies the row"
_FIRST, _LAST = range(2)
"""Order of footnotes: what disqualifies, everything else."""


@dataclass
class Notes:
    """Marks of each row (None: nothing to compare), and the texts behind them."""

    marks: list[str | None] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)


def note_rows(said: Sequence[Statement]) -> Notes:
    """Find what must be said about each row of a comparison."""
    details: dict[str, dict[str, None]] = {}
    gravity: dict[str, int] = {}
    needed: list[list[str]] = []
    untimed = {_place(one): one for one in said if one.is_censored}
    for one in said:
        found = list(_of_row(one, untimed)) if one.is_something else []
        needed.append([text for _, text, _ in found])
        for order_of, text, some in found:
            gravity[text] = order_of
            details.setdefault(text, {}).update(dict.fromkeys(some))
    # what check finds comes first: rows share much of it, and 1–5 is shorter than 1,4,7
    order = sorted(details, key=lambda text: gravity[text])
    numbers = {text: n for n, text in enumerate(order, 1)}
    marks = [
        spans([numbers[text] for text in texts]) if one.is_something else None
        for one, texts in zip(said, needed, strict=True)
    ]
    texts = [_with_details(text, list(details[text])) for text in order]
    shown = [one for one in said if one.is_something]
    texts += [*_scopes(shown), *_caveats(shown), *_absent(said)]
    return Notes(marks, texts)


def _lacks(one: Statement, timed: Statement | None) -> bool:
    """Whether fewer runs have a number than were timed, or too fast for it."""
    return timed is not None and (
        one.n_baseline < timed.n_baseline or one.n_candidate < timed.n_candidate
    )


def _place(one: Statement) -> tuple:
    """Return what the metrics of one operation share."""
    return one.section, one.operation, one.bucket, one.file_size, one.candidate


def _scopes(shown: Iterable[Statement]) -> list[str]:
    """Explain each word that stands in the brackets of a verdict."""
    used = list(dict.fromkeys(word for one in shown for word in one.scope))
    order = [word for word in SCOPES if word in used]
    order += [word for word in used if word not in SCOPES]
    return [f"({printable(w)}): {SCOPES.get(w, OTHER_SCOPE)}" for w in order]


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


def _caveats(shown: Sequence[Statement]) -> Iterator[str]:
    """Say once of each rule that warns in how many rows of which tools it does."""
    totals = Counter(one.tool for one in shown)
    counts: dict[str, Counter[str]] = {}
    for one in shown:
        for rule in one.caveats:
            counts.setdefault(rule, Counter())[one.tool] += 1
    for rule, tools in counts.items():
        parts = [
            f"all rows of {tool}"
            if n == totals[tool] > 1
            else f"{n} of {totals[tool]} rows of {tool}"
            for tool, n in tools.items()
        ]
        yield f"{rule}: {_CAVEAT} in {'; in '.join(parts)}"


def _of_row(
    one: Statement, untimed: Mapping[tuple, Statement]
) -> Iterator[tuple[int, str, list[str]]]:
    lacking = {"baseline": one.needed_baseline, "candidate": one.needed_candidate}
    if one.verdict == "untested" and any(lacking.values()):
        yield _LAST, _needed(lacking), []
    if one.verdict == "untested" and one.limit:
        yield _LAST, _TEXTS["limit"], [one.limit]
    for rule, what in zip(one.disqualified_by, one.advice, strict=True):
        yield _FIRST, f"{rule}: {_DISQUALIFIED}; to settle it: {what}", []
    facts = {
        "bounds": one.has_ratio and math.isfinite(one.bound_low) and one.is_open,
        "censored": one.is_censored,
        "untimed": one.metric in _PROCESSOR and _lacks(one, untimed.get(_place(one))),
        "partial": one.n_baseline_partial or one.n_candidate_partial,
        "no_spread": one.no_spread,
        "unmatched": one.cells_unmatched and one.cells,
        "rare": one.cells_rare,
        "winner": one.no_single_winner,
        "cliff": one.cliffs,
    }
    for kind, there in facts.items():
        if there:
            details = [f"{one.operation} of {name}" for name in one.cliffs]
            yield _LAST, _TEXTS[kind], details if kind == "cliff" else []


def _needed(lacking: Mapping[str, int]) -> str:
    parts = [
        f"{n} more run{'s' if n > 1 else ''} of the {name}"
        for name, n in lacking.items()
        if n
    ]
    return f"untested: a test needs {' and '.join(parts)}"


def _with_details(text: str, details: list[str]) -> str:
    if not details:
        return text
    shown = details[:_MOST_DETAILS]
    rest = len(details) - len(shown)
    more = f"; and {rest} more" if rest else ""
    return f"{text}: {'; '.join(shown)}{more}"


def _absent(said: Sequence[Statement]) -> Iterator[str]:
    """Say what could not be compared at all, systems with the same gaps together."""
    keys = [(one.tool, one.candidate, one.operation, one.metric) for one in said]
    total = Counter(keys)
    missing = Counter(
        key for key, one in zip(keys, said, strict=True) if not one.is_something
    )
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
        f"{MARKS[DISQUALIFIED]} {rule} in {count(n, 'field')}; to settle it: {advice}"
        for (rule, advice), n in _tally(
            shown, lambda one: zip(one.disqualified_by, one.advice, strict=True)
        ).items()
    ]
    found += _spelled(shown, DEPENDS, lambda one: one.where)
    found += _spelled(shown, "untested", lambda one: one.where if one.is_mixed else "")
    found += _spelled(shown, NO_WINNER, lambda one: one.both)
    found += (f"{line}; see --metric {name}." for name, line in _by_other_metrics(said))
    found += [*_lone_cells(single), *_rare(single)]
    # a screen may have no room for what follows: what could change the answer first
    if warned := _tally(shown, lambda one: one.caveats):
        rules = [f"{rule} ({n})" for rule, n in warned.most_common()]
        found.append(f"Warnings of fsviz check (number of fields): {', '.join(rules)}.")
    found += _spelled(shown, "unclear", lambda one: one.width.strip(" ()"))
    found += _spread(said)
    found += [*_without_numbers(single), *_apart(single), *_not_measured(single)]
    return [
        *found,
        *_settings_lacking(single),
        *_sizes_lacking(single),
        *_one_sided(single),
    ]


def contradictions(said: Sequence[Statement]) -> list[str]:
    """Say what the rows themselves hide: other metrics, and what one side lacks."""
    lines = [f"{line}." for _, line in _by_other_metrics(said)]
    single = [one for one in said if not one.is_mean]
    lines += [*_lone_cells(single), *_rare(single)]
    lacking = (_settings_lacking, _sizes_lacking, _one_sided)
    return lines + [line for tell in lacking for line in tell(single)]


def _lone_cells(single: Sequence[Statement]) -> Iterator[str]:
    """Name the cell that is farthest from all others of its operation.

    What depends on it says so, and so does a headline of one cell alone.
    """
    own = [
        (factor_of(one.lone_cell.speed), one, one.lone_cell)
        for one in single
        if one.lone_cell and one.verdict != DEPENDS
    ]
    if not own:
        return
    _, one, cell = max(own, key=lambda told: told[0])
    if cell.rest == NEAR and len(own) == 1:
        return
    more = f" {count(len(own) - 1, 'more such cell')}." if own[1:] else ""
    yield (
        f"One cell of {operation_title(one.operation)} stands out: "
        f"{printable(one.candidate)} {cell.how_much} at {cell.place}, {cell.rest} in "
        f"the other {cell.others} cells.{more}"
    )


def _rare(single: Sequence[Statement]) -> Iterator[str]:
    """Say what the cells measured that too few runs have, the farthest first."""
    known = [(o, r) for o in single if o.verdict != "untested" for r in o.rare]
    known.sort(key=lambda told: -max(map(factor_of, told[1][2:])))
    told = [
        f"{printable(one.candidate)} {rare.how_much} at "
        f"{operation_title(one.operation)} of {rare.place} ({rare.how_often})"
        for one, rare in known
    ]
    if told:
        more = f"; and {len(told) - 3} more" if told[3:] else ""
        left = "Too few runs for a test, so left out of the averages"
        yield f"{left}: {'; '.join(told[:3])}{more}."


def _spelled(
    said: Sequence[Statement], answer: str, words: Callable[[Statement], str]
) -> Iterator[str]:
    """Spell out what a cell has no room for, a line a candidate."""
    told: dict[str, list[str]] = {}
    marks: dict[str, str] = {}
    places = Counter(o for o, _ in {(one.operation, one.section) for one in said})
    for one in said:
        if one.answer == answer and words(one):
            line = f"{operation_title(one.operation)} {words(one)}"
            if places[one.operation] > 1:
                line = f"{printable(one.section)}: {line}"
            told.setdefault(one.candidate, []).append(line)
            # beyond the band inconclusive cells begin with another sign
            marks[one.candidate] = min(one.mark, marks.get(one.candidate, one.mark))
    for name, lines in told.items():
        more = f"; and {len(lines) - 3} more" if lines[3:] else ""
        mark = marks[name]
        yield f"{mark} {printable(name)}: {'; '.join(lines[:3])}{more}."


def _by_other_metrics(said: Sequence[Statement]) -> Iterator[tuple[str, str]]:
    """Name the metric that contradicts the rows of a candidate most, and say how."""
    told: dict[str, list[Statement]] = {}
    for one in said:
        if one.is_measured and one.other_speed > 0:
            told.setdefault(one.candidate, []).append(one)
    most = [max(rows, key=_contrary) for rows in told.values()]
    # of many a page has room for the worst alone
    others = len(most) - 1 if len(most) > 2 else 0
    for one in [max(most, key=_contrary)] if others else most:
        alike = [
            other
            for other in told[one.candidate]
            if other.other_metric == one.other_metric
            and (other.other_speed > 1) == (one.other_speed > 1)
        ]
        more = len(alike) - 1
        more_or_less = times_words(one.other_speed)
        if one.other_metric in _PROCESSOR:
            more_or_less = more_or_less.replace("slower", "more")
        untested = "" if one.other_tested else " (untested)"
        text = (
            f"But {printable(one.candidate)} against {printable(one.baseline)}: "
            f"{METRICS[one.other_metric].title} {more_or_less}{untested} at "
            f"{operation_title(one.operation)}{f' and {more} more' if more else ''}"
            f"{f', and {others} other systems' if others else ''}"
        )
        yield one.other_metric, text


def _contrary(one: Statement) -> float:
    return factor_of(one.other_speed)


def _spread(said: Sequence[Statement]) -> Iterator[str]:
    """Say how far the ratios of single runs lie apart, and what that is not."""
    ends: dict[str, list[float]] = {}
    once = "a single run"
    # no run may have all operations, though each has several runs
    repeated = {o.candidate for o in said if not o.is_mean and not o.is_single}
    means = [o for o in said if o.is_mean and o.verdict == "untested" and o.is_single]
    # runs that share no cell count as none
    for one in (o for o in means if o.n_baseline and o.n_candidate):
        if one.candidate not in repeated and one.cells > 1 and one.cells_low > 0:
            ends.setdefault(one.candidate, []).extend((one.cells_low, one.cells_high))
            once = STANDS_FOR.get(one.stands_for, once)
    told = [f"{printable(k)} {range_words(min(v), max(v))}" for k, v in ends.items()]
    if told:
        yield (
            f"With {once}, ratios across sizes and operations: {listing(told)}. "
            "This is how much they differ, not how well a run repeats."
        )


def _without_numbers(single: Sequence[Statement]) -> Iterator[str]:
    """Name what ran on both sides and gave no number."""
    rows = [o for o in single if o.ran and not o.is_measured and not o.is_apart]
    for tool in dict.fromkeys(one.tool for one in rows):
        own = [operation_title(one.operation) for one in rows if one.tool == tool]
        yield (
            f"{printable(title_of(tool))}: no ratio of {listing(own, 4)}, where a "
            "bound such as +++++ stands instead of a number."
        )


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
    """Name the systems that a tool was not run on, and those that it alone was.

    Who is both ran it with other numbers of threads or other settings.
    """
    ran = {(one.tool, one.candidate) for one in single if one.ran}
    elsewhere = {(one.tool, one.candidate) for one in single if one.other_metric}
    alone: dict[str, dict[str, None]] = {}
    missing: dict[str, dict[str, None]] = {}
    for one in single:
        if (one.tool, one.candidate) not in ran:
            own = alone if one.n_candidate and not one.n_baseline else missing
            own.setdefault(one.tool, {})[one.candidate] = None
    first = listing([single[0].baseline])
    for tool in dict.fromkeys([*missing, *alone]):
        title = printable(tool)
        ours, theirs = missing.get(tool, {}), alone.get(tool, {})
        both = ours.keys() & theirs.keys()
        absent = [name for name in ours if name not in both]
        if another := [name for name in absent if (tool, name) in elsewhere]:
            of = f"{title} measured {listing(another, 6)}"
            yield f"{of} in another metric than {first}; see --metric."
        if absent := [name for name in absent if (tool, name) not in elsewhere]:
            yield f"Not measured with {title}: {listing(absent, 6)}."
        if only := [name for name in theirs if name not in both]:
            yield f"{title} measured {listing(only, 6)}, but not {first}."
        if other := [name for name in ours if name in both]:
            yield (
                f"{title} measured {listing(other, 6)} with other numbers of threads "
                f"or other settings than {first}."
            )


def _settings_lacking(single: Sequence[Statement]) -> Iterator[str]:
    """Name the threads and settings of a tool that one of two did not run."""
    found: dict[tuple[str, str], dict[str, list[Statement]]] = {}
    for one in single:
        sections = found.setdefault((one.tool, one.candidate), {})
        sections.setdefault(one.section, []).append(one)
    alike: dict[tuple[str, str, str], list[str]] = {}
    baseline = listing([single[0].baseline]) if single else ""
    for (tool, name), sections in found.items():
        own = [*sections.values()]
        if not any(one.ran for rows in own for one in rows):
            continue
        every = [rows[0] for rows in own]
        for side, after in (
            ("candidate", ""),
            ("baseline", f", but not for {baseline}"),
        ):
            left = [rows[0] for rows in own if not _measured_by(rows, side)]
            if left:
                under = under_words(left, every) or "1 thread"
                alike.setdefault((tool, under, after), []).append(name)
    for (tool, under, after), names in alike.items():
        known = "measured" if after else "not measured"
        what = f"{printable(title_of(tool))} with {printable(under)}"
        yield f"{what}: {known} for {listing(names, 6)}{after}."


def _measured_by(rows: Sequence[Statement], side: str) -> bool:
    # runs that share no cell with one another count as none, but measured
    return any(one.cells or getattr(one, f"n_{side}") for one in rows)


def _sizes_lacking(single: Sequence[Statement]) -> Iterator[str]:
    """Name the sizes that one of two measured, of operations that both did."""
    baseline = listing([single[0].baseline]) if single else ""
    found: dict[tuple[str, str, str, str], list[str]] = {}
    whole: Counter[tuple[str, str]] = Counter()
    for one in single:
        whole[one.tool, one.candidate] += one.cells > 0
        for place, after in (
            (one.lacking, ""),
            (one.alone, f", but not for {baseline}"),
        ):
            if place and one.cells:
                key = (one.tool, one.candidate, place, after)
                found.setdefault(key, []).append(operation_title(one.operation))
    alike: dict[tuple[str, str, str, tuple[str, ...]], list[str]] = {}
    for (tool, name, place, after), operations in found.items():
        every = len(operations) == whole[tool, name]
        of = () if every else tuple(dict.fromkeys(operations))
        alike.setdefault((tool, place, after, of), []).append(name)
    for (tool, place, after, of), names in alike.items():
        of_what = f"{listing(of, 4)} of " if of else ""
        known = "measured" if after else "not measured"
        what = f"{printable(title_of(tool))} {of_what}{place}"
        yield f"{what}: {known} for {listing(names, 6)}{after}."


def _one_sided(single: Sequence[Statement]) -> Iterator[str]:
    """Name the operations of a tool that one of two measured that both ran."""
    both = {(one.tool, one.candidate, one.operation) for one in single if one.ran}
    pairs = {(tool, candidate) for tool, candidate, _ in both}
    found: dict[tuple[str, str, tuple[str, str]], dict[str, None]] = {}
    baseline = listing([single[0].baseline]) if single else ""
    for one in single:
        place = (one.tool, one.candidate)
        measured = one.n_candidate + one.n_baseline > 0
        if measured and place in pairs and (*place, one.operation) not in both:
            known = "not measured for", ""
            if one.n_candidate:
                known = "measured for", f", but not for {baseline}"
            elif one.other_metric:
                known = "measured for", f" in another metric than {baseline}"
            key = (one.tool, operation_title(one.operation), known)
            found.setdefault(key, {})[one.candidate] = None
    alike: dict[tuple[str, tuple[str, str], tuple[str, ...]], list[str]] = {}
    for (tool, operation, known), names in found.items():
        alike.setdefault((tool, known, (*names,)), []).append(operation)
    for (tool, known, whom), own in alike.items():
        what = f"{printable(title_of(tool))} {listing(own, 4)}"
        before, after = known
        yield f"{what}: {before} {listing(whom, 6)}{after}."


def _tally(
    said: Sequence[Statement], words: Callable[[Statement], Iterable]
) -> Counter:
    return Counter(word for one in said for word in words(one))
