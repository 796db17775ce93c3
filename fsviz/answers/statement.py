"""One row of a comparison as a statement: who, against whom, about what, how much.

Headline, matrix, pages, figures and terminals are made of these, so all of them say the
same of a row. Speeds are turned so that above 1 is faster, whatever the metric.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from fsviz.analysis.buckets import ALL
from fsviz.analysis.power import POWER, power, runs_for
from fsviz.analysis.regimes import REGIMES
from fsviz.analysis.verdicts import BAND, DEPENDS, DIFFERENT, DISQUALIFIED
from fsviz.answers.words import (
    MARKS,
    MEANINGS,
    NO_WINNER,
    OPEN,
    SPLIT,
    UNSURE,
    LoneCell,
    RareCells,
    SizeAnswer,
    Torn,
    end_words,
    factor_of,
    nearly_words,
    operation_title,
    operations_words,
    range_words,
    sizes_words,
    speed_of,
    times_mark,
    times_words,
)
from fsviz.checks.phrases import conditions, count
from fsviz.model.escaping import printable
from fsviz.model.table import METRICS
from fsviz.model.units import format_times, significant

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pandas as pd

_MOST_RUNS = 1000
"""More runs than that are no plan, so their number is not said."""

SETTLED = 1.1
"""Difference for which an inconclusive row says how many runs would find it."""

_NAN = math.nan


@dataclass(frozen=True)
class Statement:
    """What is said of one row. Intervals are missing (NaN) where there is none."""

    tool: str
    threads: int | None
    setting: str
    operation: str
    metric: str
    baseline: str
    candidate: str
    verdict: str
    scope: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()
    disqualified_by: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()
    speed: float = _NAN
    speed_low: float = _NAN
    speed_high: float = _NAN
    least: float = _NAN
    most: float = _NAN
    total_speed: float = _NAN
    mean_speed: float = _NAN
    n_baseline: int = 0
    n_candidate: int = 0
    scatter: float = _NAN
    paired: bool = False
    stands_for: str = ""
    """What its numbers are where they are no runs, such as ``mean``."""
    numbers: bool = True
    is_apart: bool = False
    """Whether both ran, but no cell that one measured did the other."""
    cells: int = 0
    cells_low: float = _NAN
    cells_high: float = _NAN
    """Smallest and largest ratio of its cells, turned as the speed is."""
    no_single_winner: bool = False
    classes: tuple[str, ...] = ()
    """Verdict of each size class, small to very large; empty where not measured."""
    class_speeds: tuple[float, ...] = ()
    class_q: tuple[float, ...] = ()
    """q of each size class, over all candidates."""
    other_metric: str = ""
    other_speed: float = _NAN
    other_tested: bool = True
    """Another metric that contradicts it; without a speed one that it alone has."""
    torn: Torn | None = None
    lone_cell: LoneCell | None = None
    """The one cell that is far from all others, if there is such a cell."""
    rare: tuple[RareCells, ...] = ()
    lacking: str = ""
    alone: str = ""
    """Sizes that the candidate lacks, and those that it alone has."""
    files: tuple[SizeAnswer, ...] = ()
    records: tuple[SizeAnswer, ...] = ()
    """Of each file size and each record size, as of the size classes."""
    faster_in: tuple[Any, ...] = ()
    slower_in: tuple[Any, ...] = ()
    smallest_bytes: float = _NAN
    largest_bytes: float = _NAN
    """Sizes of the files that it pools."""
    depends_on: str = ""
    """What disagrees: ``operation``, ``file_size`` or ``record_size``; else empty."""
    smallest_record_bytes: float = _NAN
    largest_record_bytes: float = _NAN
    faster_speed: float = _NAN
    slower_speed: float = _NAN
    baseline_value: float = _NAN
    """What the baseline measured, in the metric's unit: a ground for the ratio."""
    baseline_is_least: bool = False
    """Whether it measured more: some of its runs were too fast to time."""
    bucket: str = ""
    """Of a row about sizes; empty of a single cell, which has these two."""
    file_size: int | None = None
    record_size: int | None = None
    ratio: float = _NAN
    """Candidate ÷ baseline, as are the interval and the bounds: for tables."""
    ci_low: float = _NAN
    ci_high: float = _NAN
    bound_low: float = _NAN
    bound_high: float = _NAN
    total_time_ratio: float = _NAN
    q_value: float = _NAN
    cells_unmatched: int = 0
    cells_rare: int = 0
    n_baseline_censored: int = 0
    n_candidate_censored: int = 0
    n_baseline_partial: int = 0
    n_candidate_partial: int = 0
    needed_baseline: int = 0
    needed_candidate: int = 0
    no_spread: bool = False
    cliffs: tuple[str, ...] = ()
    parts: tuple[Statement, ...] = field(default=(), repr=False)
    """The operations that a mean pools."""

    @property
    def is_mean(self) -> bool:
        """Whether it pools the operations of a tool."""
        return self.operation == ALL

    @property
    def has_ratio(self) -> bool:
        """Whether a table has a ratio for it, not bounds alone."""
        return math.isfinite(self.ratio)

    @property
    def is_something(self) -> bool:
        """Whether there is a ratio, or a printed bound of one, which 0 is not."""
        known = (self.ratio, self.bound_low, self.bound_high)
        return any(0 < value < math.inf for value in known)

    @property
    def is_censored(self) -> bool:
        """Whether some runs have a bound in place of a number."""
        return self.n_baseline_censored + self.n_candidate_censored > 0

    @property
    def is_open(self) -> bool:
        """Whether digits leave so much open that bounds stand for an interval."""
        return math.isnan(self.ci_low) and self.bound_high > OPEN * self.bound_low

    @property
    def spoken(self) -> str:
        """The verdict with what it is about, for tables.

        >>> read = Statement("iozone", 1, "", "read", "rate", "a", "b", "faster")
        >>> read = replace(read, scope=("cache",))
        >>> read.spoken, replace(read, verdict="untested").spoken
        ('faster (cache)', 'untested')
        """
        if not self.scope or self.verdict in ("untested", DISQUALIFIED):
            return self.verdict
        return f"{self.verdict} ({', '.join(map(printable, self.scope))})"

    @property
    def counted(self) -> str:
        """How many runs it rests on, such as ``n = 5 + 4`` or ``n = 5 rounds``."""
        if self.paired:
            return f"n = {self.n_baseline} rounds"
        return f"n = {self.n_baseline} + {self.n_candidate}"

    @property
    def limit(self) -> str:
        """What the bounds of a ratio without a value say, in words; empty if nothing.

        >>> Statement("rsync", 1, "", "transfer", "elapsed", "nfs", "disk", "untested",
        ...     bound_low=0.0, bound_high=1 / 32).limit
        'transfer, elapsed: disk beats nfs by 32 times or more'
        """
        ends = (self.bound_low, self.bound_high)
        low, high = (speed_of(end, self.metric) for end in ends)
        if METRICS[self.metric].better < 0:
            low, high = high, low
        if self.has_ratio or not (high < 1 or low > 1):
            return ""
        names = [printable(name) for name in (self.candidate, self.baseline)]
        first, second = names if low > 1 else reversed(names)
        times = _floor(low if low > 1 else 1 / high)
        place = f"{self.operation}, {self.metric}"
        return f"{place}: {first} beats {second} by {times} times or more"

    @property
    def ran(self) -> bool:
        """Whether both systems have runs of this, whatever these printed.

        What both measured, but no run in enough cells to count, ran as well. Of means
        it did not: each operation is told instead.
        """
        cells = 0 if self.is_mean else self.cells
        return cells > 0 or min(self.n_baseline, self.n_candidate) > 0

    @property
    def section(self) -> str:
        """Tool, with its threads and setting: rows of others share no mean."""
        under = conditions(self.threads, self.setting)
        return ", ".join(filter(None, (self.tool, under)))

    @property
    def is_measured(self) -> bool:
        """Whether both ran and a side has a number, or the verdict rests on bounds."""
        numbers = self.numbers and not self.is_apart
        return self.ran and (numbers or self.verdict in DIFFERENT)

    @property
    def is_single(self) -> bool:
        """Whether a side has one run, which has no interval in any form."""
        return min(self.n_baseline, self.n_candidate) < 2

    @property
    def answer(self) -> str:
        """Its verdict, or that there is no single winner: what sign and words say."""
        return NO_WINNER if self.is_split else self.verdict

    @property
    def decided(self) -> str:
        """``faster`` or ``slower`` where that is the answer, by more than the band."""
        low, high = self.said or (1.0, 1.0)
        beyond = low >= BAND[1] or high <= BAND[0]
        return self.answer if beyond and self.answer in DIFFERENT else ""

    @cached_property
    def said(self) -> tuple[float, float] | None:
        """From how many to how many times as fast it may be; None if unknown."""
        if self.verdict == "faster" and not self.speed > 0:
            return self.speed_low, math.inf
        if self.verdict == "slower" and not self.speed > 0:
            return 0.0, self.speed_high
        if self.verdict not in ("untested", DISQUALIFIED):
            return (self.speed, self.speed) if self.speed > 0 else None
        bounded = not (math.isnan(self.least) and math.isnan(self.most))
        # an end that is not known is open: +++++ has a lower one alone
        low = 0.0 if math.isnan(self.least) else self.least
        high = math.inf if math.isnan(self.most) else self.most
        if 0 < self.speed < math.inf and not (bounded and high > OPEN * low):
            return self.speed, self.speed
        return (low, high) if low > 1 or 0 < high < 1 else None

    @property
    def direction(self) -> str:
        """``faster`` or ``slower`` as the verdict or, without one, the numbers say."""
        if self.verdict in DIFFERENT:
            return self.verdict
        if self.verdict in ("same", DEPENDS) or self.said is None or self.is_mixed:
            return ""
        low, high = self.said
        if low == high and BAND[0] < low < BAND[1]:
            return ""
        return "faster" if low > 1 else "slower"

    @property
    def is_exact(self) -> bool:
        """Whether there is one number, not only a limit."""
        return self.said is not None and self.said[0] == self.said[1]

    @property
    def factor(self) -> float:
        """How many times faster or slower, at least where only that is known."""
        low, high = self.said or (1.0, 1.0)
        return max(low, 1 / high if high > 0 else 1.0, 1.0)

    @property
    def times(self) -> str:
        """How many times, such as ``1.7×`` or ``>115×``; empty where nothing is."""
        if self.is_exact:
            return f"{format_times(self.factor)}×"
        if self.factor > 1:
            return f">{format_times(self.factor, down=True)}×"
        return ""

    @property
    def cell(self) -> str:
        """The cell of a matrix, without its scope; empty where it was not measured.

        >>> one = Statement("iozone", 1, "", "read", "throughput", "a", "b", "slower",
        ...     speed=1 / 1.68, n_baseline=5, n_candidate=5)
        >>> from dataclasses import replace
        >>> unsure = replace(one, verdict="unclear")
        >>> [s.cell for s in (one, unsure, replace(unsure, speed=1.02))]
        ['▼1.7×', '?▼1.7×', '≈']
        >>> replace(one, verdict="untested", speed=0.97).cell
        '·0.97×'
        """
        if not self.is_measured:
            return ""
        if self.is_split:
            return SPLIT + _mark_of(self.speed) + _mark_of(self._other[0])
        mark = MARKS[self.verdict]
        if self.verdict in DIFFERENT:
            return mark + self.times
        arrow = MARKS.get(self.direction, "")
        if self.verdict == "unclear":
            near = self.is_exact and not arrow
            return mark if near else f"{UNSURE}{arrow}{self.times if arrow else ''}"
        if self.is_mixed:
            return mark + MARKS[DEPENDS]
        if self.verdict in ("untested", DISQUALIFIED):
            # without an arrow nothing else would tell 0.96 from 1.04
            near = self.is_exact and not arrow
            times = f"{format_times(self.speed)}×" if near else self.times
            return mark + arrow + times
        return mark

    @property
    def mark(self) -> str:
        """The sign with which the cell begins; a legend explains it."""
        return self.cell[:1]

    @property
    def words(self) -> str:
        """The cell in words, without its scope.

        >>> Statement("iozone", 1, "", "read", "throughput", "a", "b", "slower",
        ...     speed=1 / 1.68, n_baseline=5, n_candidate=5).words
        '1.7× slower'
        """
        if not self.is_measured:
            return "not measured"
        if self.is_split:
            return f"{NO_WINNER}: {self.both}"
        if self.verdict in DIFFERENT:
            return self.how_much
        if self.verdict == DEPENDS:
            return f"{MEANINGS[DEPENDS]}: {self.where}"
        if self.verdict == "unclear":
            return f"{MEANINGS['unclear']}{self.width}"
        if self.is_mixed:
            return f"measured {self.where}, {MEANINGS[self.verdict]}"
        if self.verdict in ("untested", DISQUALIFIED) and self.said:
            return f"measured {self.how_much}, {MEANINGS[self.verdict]}"
        return MEANINGS[self.verdict]

    @property
    def how_much(self) -> str:
        """Such as ``1.7× slower``, ``more than 115× faster`` or ``as fast``."""
        if not self.direction:
            return "about as fast" if self.said else ""
        times = self.times.replace(">", "more than ") or "clearly"
        return f"{times} {self.direction}"

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 % interval of the speed, or its bounds; None with one run a side.

        Where parts disagree that of their mean would look like an answer: none either.
        """
        low, high = self.speed_low, self.speed_high
        bounded = not self.speed > 0
        if self.verdict == DEPENDS:
            return None
        if math.isnan(low) or math.isnan(high) or (self.is_single and not bounded):
            return None
        return low, high

    @property
    def width(self) -> str:
        """Interval of an inconclusive row, and the runs that would settle it."""
        if self.interval is None:
            return ""
        # who has as many already is uncertain for another reason
        n = self.settled_by
        settles = n > min(self.n_baseline, self.n_candidate)
        more = f"; about {n} runs each would detect {SETTLED}×" * settles
        low, high = self.interval
        among = (
            " as a single test, uncertain among all tests"
            if low > 1 or high < 1
            else ""
        )
        return f" ({range_words(low, high)}{among}{more})"

    @cached_property
    def settled_by(self) -> int:
        """Runs a side that would find a difference of `SETTLED`; 0 where unknown."""
        # where digits leave more open than that, no number of runs would
        coarse = self.most > self.least * SETTLED**2
        # so many that not even the limit would find it: runs_for searches far beyond
        if (
            coarse
            or not self.scatter > 0
            or (power(_MOST_RUNS, self.scatter, SETTLED, self.paired) < POWER)
        ):
            return 0
        return runs_for(self.scatter, SETTLED, rounds=self.paired)

    @property
    def where(self) -> str:
        """Where a row that depends, or is mixed, is faster and where slower."""
        if self.lone_cell and self.verdict == DEPENDS:
            cell = self.lone_cell
            return f"{cell.rest}, but {cell.how_much} at {cell.place}"
        if not self.is_mean:
            return _by_size(self, self.faster_in, self.slower_in)
        told = [self.at(side) for side in self._sides if side]
        if len(told) == len(DIFFERENT):
            return ", but ".join(told)
        within = [p for p in self.parts if p.verdict == DEPENDS or p.is_mixed]
        lone = any(part.lone_cell for part in within)
        if len({part.depends_on for part in within}) == 1 and not (told or lone):
            faster, slower = (
                tuple(sorted({z for part in within for z in getattr(part, name)}))
                for name in ("faster_in", "slower_in")
            )
            own = tuple(part.operation for part in within)
            # what is not faster and slower by size is not meant
            every = tuple(part.operation for part in self.parts)
            if not {*faster} & {*slower}:
                named = f"{operations_words(own, every)} " * (len(own) < len(every))
                one = replace(self, depends_on=within[0].depends_on)
                return named + _by_size(one, faster, slower)
        within.sort(key=lambda part: -max(factor_of(v) for v, _ in part.ends))
        told += [f"{operation_title(p.operation)} {p.where}" for p in within[:1]]
        if within[1:]:
            depend = "depends" if len(within) == 2 else "depend"
            more = count(len(within) - 1, "more operation")
            turned = [p for p in within[1:] if _is_turned(p) != _is_turned(within[0])]
            other = f", {len(turned)} the other way round" if turned else ""
            told.append(f"{more} {depend} on size{other}")
        torn = tuple(part.operation for part in self.parts if part.is_split)
        if torn and not within:
            told.append(f"{NO_WINNER} {operations_words(torn)}")
        return "; ".join(told)

    def at(self, parts: Sequence[Statement]) -> str:
        """Say how much some of its operations differ, all in one direction.

        From the least to the most: their mean would be in no cell of a matrix.
        """
        measured = tuple(part.operation for part in self.parts if part.is_measured)
        at = operations_words(tuple(part.operation for part in parts), measured)
        return f"{how_much_of(parts)} {at}"

    @cached_property
    def _sides(self) -> list[list[Statement]]:
        """The operations that are faster, and those that are slower.

        As decided or, where the whole is untested, as measured of what is untested too.
        """
        if self.verdict == "untested":
            known = [(p, p.direction) for p in self.parts if p.verdict == "untested"]
        else:
            known = [(part, part.decided) for part in self.parts]
        return [[part for part, own in known if own == way] for way in DIFFERENT]

    @cached_property
    def is_mixed(self) -> bool:
        """Whether single runs were faster and slower: their average says neither."""
        if self.verdict != "untested":
            return False
        within = bool(self.depends_on) or any(part.is_mixed for part in self.parts)
        return within or all(self._sides)

    @property
    def both(self) -> str:
        """Its two means, of a row without a single winner."""
        other, name = self._other
        return f"{nearly_words(self.speed)} cell by cell, {nearly_words(other)} {name}"

    @cached_property
    def ends(self) -> list[tuple[float, bool]]:
        """Speeds of a row without one answer, and whether each is only a limit."""
        if self.is_split:
            return [(self.speed, False), (self._other[0], False)]
        if self.verdict == DEPENDS and self.is_mean:
            return [end for part in self.parts for end in part.ends]
        if self.verdict == DEPENDS or (self.is_mixed and not self.is_mean):
            speeds = (self.faster_speed, self.slower_speed)
            pairs = zip(speeds, reversed(BAND), strict=True)
            return [(v, False) if v > 0 else (least, True) for v, least in pairs]
        if self.is_mixed:
            within = [part for part in self.parts if part.is_mixed]
            return [e for side in (*self._sides, within) for p in side for e in p.ends]
        if not self.decided and self.verdict != "untested":
            return []
        times = self.factor if self.direction == "faster" else 1 / self.factor
        return [(times, not self.is_exact)]

    @property
    def is_split(self) -> bool:
        """Whether the mean of ratios and the total time name different winners."""
        tested = self.verdict not in (DEPENDS, DISQUALIFIED, "untested")
        if not (self.no_single_winner and tested):
            return False
        other = self._other[0]
        beyond = [not BAND[0] < speed < BAND[1] for speed in (self.speed, other)]
        if self.verdict in DIFFERENT:
            return any(beyond)
        # what claims no difference is split only if both show one, beyond the noise
        return all(beyond) and not self.speed_low <= other <= self.speed_high

    @property
    def _other(self) -> tuple[float, str]:
        """The mean that names another winner than the geometric one, and its name."""
        if (self.speed - 1) * (self.total_speed - 1) < 0:
            return self.total_speed, "in total time"
        return self.mean_speed, "by average speed"

    @property
    def has_answer(self) -> bool:
        """Whether it says anything, which is about something."""
        return self.is_measured and self.verdict not in ("untested", DISQUALIFIED)

    @property
    def about(self) -> tuple[str, ...]:
        """What it is about; sizes of several regimes together name none."""
        if not self.has_answer:
            return ()
        regimes = [word for word in self.scope if word in REGIMES]
        dropped = regimes if len(regimes) > 1 else []
        return tuple(word for word in self.scope if word not in dropped)

    @property
    def has_classes(self) -> bool:
        """Whether it pools several size classes of one operation."""
        return not self.is_mean and sum(map(bool, self.classes)) > 1

    @property
    def blocks(self) -> tuple[str, ...]:
        """Verdicts of its size classes; none where nothing is decided in any."""
        known = tuple(name for name in self.classes if name)
        told = {*DIFFERENT, DEPENDS, "same"} & {*known}
        return known if self.has_classes and told else ()

    @property
    def strip(self) -> str:
        """Marks of the size classes, where they do not all say the same.

        An average hides where it crosses; this shows it at first sight.
        """
        if not self.has_classes:
            return ""
        marks = [MARKS[verdict] for verdict in self.classes if verdict]
        told = {v for v in self.classes if v in (*DIFFERENT, DEPENDS)}
        # decided in some classes and equal in others is no single answer either
        differs = len({*told, *({"same"} & {*self.classes})}) > 1
        differs |= self.verdict == "unclear" and bool(told)
        differs |= bool(self.rare) and "untested" in self.classes
        depends = self.verdict == DEPENDS and self.depends_on == "file_size"
        return "".join(marks) if differs or depends or DEPENDS in told else ""


def _is_turned(one: Statement) -> bool:
    """Whether larger sizes are the slower ones."""
    slower, faster = (sum(own) / len(own) for own in (one.slower_in, one.faster_in))
    return slower > faster


def how_much_of(rows: Sequence[Statement]) -> str:
    """Say how much rows of one direction differ: a number, a range, or a limit."""
    least, most = (end(rows, key=lambda row: row.factor) for end in (min, max))
    if least.how_much == most.how_much or not least.is_exact:
        return least.how_much
    if all(row.is_exact for row in rows):
        return f"{least.times.removesuffix('×')}–{most.how_much}"
    times = format_times(most.factor, down=not most.is_exact)
    return f"{least.times} to at least {times}× {most.direction}"


def ends_words(rows: Iterable[Statement]) -> str:
    """Say from how slow to how fast some rows without one answer are."""
    ends = [end for row in rows for end in row.ends]
    return " to ".join(end_words(*end) for end in (min(ends), max(ends)))


def _floor(factor: float) -> str:
    """Round down to three digits, so that "or more" stays true."""
    scale = 10.0 ** (2 - math.floor(math.log10(factor)))
    # a hair more, because 1 ÷ (1 ÷ 32) need not be 32
    return significant(math.floor(factor * scale * (1 + 1e-12)) / scale)


def _mark_of(speed: float) -> str:
    near = BAND[0] < speed < BAND[1]
    return MARKS["same"] if near else times_mark(speed).removesuffix("×")


def _by_size(one: Statement, faster: tuple[int, ...], slower: tuple[int, ...]) -> str:
    """Say how much faster at some sizes [B] and slower at others."""
    measured = (one.smallest_bytes, one.largest_bytes)
    if one.depends_on == "record_size":
        measured = (one.smallest_record_bytes, one.largest_record_bytes)
    kind = one.depends_on.removesuffix("_size")
    sides = zip(
        (one.faster_speed, one.slower_speed),
        DIFFERENT,
        sizes_words(faster, slower, *measured, kind),
        strict=True,
    )
    # without a number only a limit is known of one of the sizes
    return ", ".join(
        f"{times_words(speed) if speed > 0 else verdict} {at}"
        for speed, verdict, at in sides
    )


_OF = {one.name for one in fields(Statement)}
_LISTS = (
    *("scope", "caveats", "disqualified_by", "advice", "cliffs"),
    *("faster_in", "slower_in", "classes", "class_speeds", "class_q"),
    *("files", "records", "rare"),
)
_TEXTS = ("tool", "setting", "operation", "metric", "baseline", "candidate", "verdict")
_COLUMNS = {
    "ratio": "geomean_ratio",
    "file_size": "file_size_bytes",
    "record_size": "record_size_bytes",
}
"""Fields that come from a column of another name."""


def statements(frame: pd.DataFrame) -> list[Statement]:
    """Make a statement of each row of a comparison; means know their operations."""
    rows = [statement_of(row) for row in frame.to_dict("records")]
    parts: dict[tuple, list[Statement]] = {}
    for one in rows:
        if not one.is_mean:
            parts.setdefault(_whole(one), []).append(one)
    return [
        replace(one, parts=tuple(parts.get(_whole(one), []))) if one.is_mean else one
        for one in rows
    ]


def _whole(one: Statement) -> tuple:
    return one.section, one.metric, one.candidate


def statement_of(row: Mapping[Any, Any]) -> Statement:
    """Make a statement of a row of a comparison."""
    named = {field: row[name] for field, name in _COLUMNS.items() if name in row}
    own = named | {name: row[name] for name in _OF if name in row}
    own |= {name: tuple(row[name]) for name in _LISTS if name in row}
    own |= {name: str(row[name]) for name in _TEXTS}
    for name in ("threads", "file_size", "record_size"):
        text = str(own.get(name))
        own[name] = int(text) if text.isdecimal() else None
    for names, pair in (
        (("least", "most"), ("bound_low", "bound_high")),
        (("cells_low", "cells_high"), ("cells_low", "cells_high")),
    ):
        ends = [speed_of(float(row.get(name, _NAN)), own["metric"]) for name in pair]
        turned = METRICS[own["metric"]].better < 0
        own |= zip(names, reversed(ends) if turned else ends, strict=True)
    return Statement(**own)
