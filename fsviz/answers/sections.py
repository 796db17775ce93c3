"""The parts of a comparison of which each has a sentence, and what they are called."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fsviz.analysis.verdicts import DEPENDS, DIFFERENT
from fsviz.answers.statement import Statement
from fsviz.answers.words import STANDS_FOR, factor_of, operation_title
from fsviz.checks.phrases import conditions, count, listing
from fsviz.model.names import natural
from fsviz.model.table import MAIN_METRICS, METRICS
from fsviz.model.tools import title_of

UNDER = "under 3 runs"
GAPS = "too few whole runs"


@dataclass(frozen=True, slots=True)
class Section:
    """What a sentence is about: one answer a candidate, and the operations behind it.

    ``few`` says how few runs what is untested has; ``means`` are of other metrics.
    ``apart`` is the number of operations that no two sides measured at one size.
    """

    told: tuple[Statement, ...]
    single: Mapping[tuple[str, str], Statement]
    few: str
    means: tuple[Statement, ...]
    apart: int

    @property
    def is_decided(self) -> bool:
        """Whether anything is answered, or disqualified."""
        rows = (*self.told, *self.single.values())
        return any(row.answer not in ("unclear", "untested") for row in rows)

    @property
    def farthest(self) -> float:
        """How many times faster or slower the farthest is of what is decided."""
        rows = (*self.told, *self.single.values())
        ends = [speed for row in rows if row.has_answer for speed, _ in row.ends]
        return max((factor_of(speed) for speed in ends if speed > 0), default=1.0)


def sections_of(said: Sequence[Statement]) -> Iterator[list[Statement]]:
    """Part by tool, threads and setting; the mean of one metric stands for a tool."""
    parts: dict[str, list[Statement]] = {}
    for one in said:
        if one.is_measured:
            parts.setdefault(one.section, []).append(one)
    for rows in parts.values():
        metrics: dict[str, list[Statement]] = {}
        for row in rows:
            if row.is_mean:
                metrics.setdefault(row.metric, []).append(row)
        if not metrics:
            yield from _by_operation(rows)
            continue
        chosen = max(metrics, key=lambda name: _weight(metrics[name]))
        # who lacks that metric is told by another
        have = {row.candidate for row in metrics[chosen]}
        others = {row.candidate: row for row in rows if row.is_mean}
        means = [*metrics[chosen], *(others[k] for k in others if k not in have)]
        yield [*means, *(row for row in rows if row not in means)]


def _weight(means: Sequence[Statement]) -> tuple[int, int]:
    """Say of how many candidates a mean is known, and over how many cells."""
    known = [one for one in means if one.said or one.verdict == DEPENDS]
    return len(known), sum(one.cells for one in means)


def _by_operation(rows: list[Statement]) -> Iterator[list[Statement]]:
    """Part by operation, where no run measured all of them."""
    for operation in dict.fromkeys(row.operation for row in rows):
        yield [row for row in rows if row.operation == operation]


def section_of(rows: Sequence[Statement], apart: int) -> Section | None:
    """Find what answers for each candidate; None if nothing does."""
    single = {(row.candidate, row.operation): row for row in rows if not row.is_mean}
    own: dict[str, list[Statement]] = {}
    for (name, _), row in single.items():
        own.setdefault(name, []).append(row)
    first = answering(rows)
    # where it is faster is said of all operations, those of other metrics too
    told = tuple(
        replace(row, parts=tuple(own.get(row.candidate, ()))) if row.is_mean else row
        for row in first
    )
    others = [row for row in rows if row.is_mean and row not in first]
    told = tuple(_open(row, others) for row in told)
    if not told:
        return None
    untested = [row for row in told if row.verdict == "untested"]
    (kind, *_) = (row.stands_for for row in told)
    once = all(row.n_baseline == row.n_candidate == 1 for row in untested)
    once |= bool(kind) and all(row.is_single for row in untested)
    few = STANDS_FOR.get(kind, "one run each") if once else UNDER
    if any(row.n_baseline_partial + row.n_candidate_partial for row in untested):
        few = GAPS
    return Section(told, single, few, tuple(others), apart)


def _open(row: Statement, others: Sequence[Statement]) -> Statement:
    """Take back the verdict of a mean that another metric, or its parts, contradict.

    A third system may change which metric has most numbers. And a bound, such as the
    one of +++++, is no verdict on operations of which none is decided as it is.
    """
    if not row.is_mean or row.verdict not in DIFFERENT:
        return row
    own = {one.decided for one in others if one.candidate == row.candidate}
    ways = {part.decided for part in row.parts}
    if own - {row.decided, ""} and {*DIFFERENT} <= ways:
        return replace(row, verdict=DEPENDS)
    if row.parts and not row.speed > 0 and row.verdict not in ways:
        return replace(row, verdict="unclear")
    return row


def answering(rows: Sequence[Statement]) -> list[Statement]:
    """List the first mean of each candidate; all rows where there are no means."""
    means: dict[str, Statement] = {}
    for row in rows:
        if row.is_mean:
            means.setdefault(row.candidate, row)
    return [*means.values()] or [*rows]


def apart_in(said: Sequence[Statement], section: str) -> int:
    """Count the operations of a section that share no size with the baseline."""
    own = [one for one in said if one.section == section and not one.is_mean]
    shared = {one.operation for one in own if one.is_measured}
    return len({one.operation for one in own if one.is_apart} - shared)


def tool_words(rows: Sequence[Statement], among: Sequence[Statement]) -> str:
    """Name the tool of some sections, what is compared, and under which conditions."""
    row, *_ = rows
    under = under_words(rows, among)
    several = f" with {under}" if under else ""
    # "about the same" without more is about speed
    about = "" if row.metric in MAIN_METRICS else f" {METRICS[row.metric].title}"
    title = "" if row.is_mean else f" {operation_title(row.operation)}"
    return f"{title_of(row.tool)}{title}{about}{several}"


def under_words(rows: Sequence[Statement], among: Sequence[Statement]) -> str:
    """Name the threads and settings of sections that are said at once.

    >>> depths = [
    ...     Statement("fio", 1, f"iodepth={n}; sync=1", *"abcde") for n in (1, 2, 4, 8)
    ... ]
    >>> under_words(depths[:1], depths), under_words(depths[:3], depths)
    ('iodepth=1; sync=1', 'iodepth=1 to 4, sync=1')
    >>> under_words([depths[0], depths[3]], depths)
    'iodepth=1 and 8, sync=1'
    """
    if len(rows) == 1:
        own = conditions(rows[0].threads, rows[0].setting)
        several = len({row.threads for row in among if row.threads}) > 1
        alone = several and rows[0].threads == 1
        return ", ".join(filter(None, ["1 thread" * alone, own]))
    known = [_conditions_of(row) for row in rows]
    varied = [k for k in known[0] if len({own.get(k) for own in known}) > 1]
    if any(own.keys() != known[0].keys() for own in known) or len(varied) != 1:
        all_of_them = "both" if len(rows) == 2 else f"all {len(rows)}"
        some = f"{len(rows)} of {len(among)}"
        return f"{all_of_them if len(rows) == len(among) else some} settings"
    name = varied[0]
    # what is decided comes first among sections; a range is of values in their order
    values = sorted({own[name] for own in known}, key=natural)
    order = sorted(
        {c[name] for c in map(_conditions_of, among) if name in c}, key=natural
    )
    start = order.index(values[0])
    in_a_row = len(values) > 2 and order[start : start + len(values)] == values
    spelled = f"{values[0]} to {values[-1]}" if in_a_row else listing(values, 4)
    rest = [f"{k}={v}" for k, v in known[0].items() if k not in (name, _THREADS)]
    if name == _THREADS:
        return ", ".join([f"{spelled} threads", *rest])
    others = conditions(rows[0].threads, "; ".join(rest))
    return ", ".join(filter(None, [f"{name}={spelled}", others]))


_THREADS = "threads"


def settings_apart(rows: Sequence[Statement]) -> tuple[str, list[str]]:
    """Name the setting that some sections share, and what each has besides.

    >>> both = ((1, 1), (4, 1), (4, 8))
    >>> swept = [Statement("fio", t, f"sync=1; depth={n}", *"abcde") for t, n in both]
    >>> settings_apart(swept)
    ('sync=1', ['1 thread, depth=1', '4 threads, depth=1', '4 threads, depth=8'])
    """
    known = [_conditions_of(row) for row in rows]
    names = dict.fromkeys(name for own in known for name in own)
    shared = {n: known[0].get(n) for n in names if len({k.get(n) for k in known}) == 1}
    labels = [
        ", ".join(
            count(int(value), "thread") if name == _THREADS else f"{name}={value}"
            for name, value in own.items()
            if name not in shared
        )
        for own in known
    ]
    return ", ".join(f"{n}={v}" for n, v in shared.items() if n != _THREADS), labels


def _conditions_of(row: Statement) -> dict[str, str]:
    parts = (part.partition("=") for part in row.setting.split("; ") if part)
    return {_THREADS: str(row.threads or 1), **{name: own for name, _, own in parts}}


def names_words(names: Sequence[str], most: int) -> str:
    """List names; "b and 1 more" is no shorter than "b and c"."""
    if not most and len(names) == 1 and len(names[0].split()) < 3:
        return listing(names)  # no longer than "1 system"
    if not most:
        return count(len(names), "system")
    if most > 1 or len(names) == 1:
        return listing(names, most)
    return f"{listing([names[0]])} and {len(names) - 1} more"
