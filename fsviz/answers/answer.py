"""One row of a comparison, read once: what every word, table and figure is made of.

Speeds are turned so that above 1 is faster, whatever the metric.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from fsviz.analysis.answers import (
    DIFFERENT,
    IN_PART,
    MIXED,
    NOT_COMPARABLE,
    UNTESTED,
    Part,
    Sizes,
)
from fsviz.analysis.power import runs_for
from fsviz.answers.words import MARKS, WORDS, factor_of, speed_of, times_words
from fsviz.model.errors import UsageError
from fsviz.model.libraries import pd
from fsviz.model.table import METRICS, plain_rows
from fsviz.model.units import format_times

SETTLED = 1.1
"""Difference for which an inconclusive row says how many runs would find it."""
_MOST_RUNS = 1000
"""More runs than that are no plan, so their number is not said."""


@dataclass(frozen=True)
class Answer:
    """What is known of one test of one candidate. Missing numbers are NaN."""

    tool: str
    threads: int | None
    setting: str
    operation: str
    metric: str
    baseline: str
    candidate: str
    answer: str
    pooled: str
    speed: float
    interval: tuple[float, float]
    bounds: tuple[float, float]
    """What the printed digits leave open of the speed; a limit where it is missing."""
    total_speed: float
    ends: tuple[float, float]
    """Least and most of the speeds that the answer states; missing without."""
    n_baseline: int
    n_candidate: int
    left_out: tuple[int, int]
    """Runs of baseline and candidate that have fewer than half of the cells."""
    paired: bool
    scatter: float
    cells: int
    baseline_value: float
    candidate_value: float
    baseline_is_least: bool
    candidate_is_least: bool
    """Whether a side measured more: some of its runs were too fast to time."""
    has_numbers: bool
    """Whether some run of a side has a number, not a bound such as +++++."""
    scope: tuple[str, ...]
    rule: str
    advice: str
    parts: tuple[Part, ...]
    """Decided parts; their ratios are turned as the speed is."""
    by_size: Sizes

    @property
    def test(self) -> tuple[str, str, str, str, int | None]:
        """What it shares with the other candidates: the test, and its metric."""
        return self.tool, self.operation, self.metric, self.setting, self.threads

    @property
    def is_measured(self) -> bool:
        """Whether both systems ran it and a side has a number, or bounds decide."""
        ran = min(self.n_baseline, self.n_candidate) > 0
        return ran and (self.has_numbers or self.pooled in DIFFERENT)

    @property
    def lacks_a_side(self) -> bool:
        """Whether only one of both systems has it."""
        return (self.n_baseline == 0) != (self.n_candidate == 0)

    @property
    def ways(self) -> tuple[str, ...]:
        """``faster`` and ``slower``, as far as the answer decides them."""
        if self.answer == MIXED:
            return DIFFERENT
        return tuple(w for w in DIFFERENT if self.answer in (w, IN_PART[w]))

    @property
    def limit(self) -> float:
        """The speed, or of one that is only bounded the bound nearest to 1."""
        low, high = self.bounds
        return self.speed if self.speed > 0 else low if low > 1 else high

    @property
    def is_limit(self) -> bool:
        """Whether the speed is only bounded: the truth is as far as that or farther."""
        return not self.speed > 0 and (self.bounds[0] > 1 or 0 < self.bounds[1] < 1)

    @property
    def times(self) -> str:
        """How many times faster or slower, such as ``1.4×``; empty without."""
        if self.is_limit:
            return f"over {format_times(factor_of(self.limit), down=True)}×"
        return f"{format_times(factor_of(self.speed))}×" if self.speed > 0 else ""

    @property
    def words(self) -> str:
        """The answer in the words of a table's cell, with the digits of first words."""
        if self.answer in DIFFERENT:
            return f"{self.times} {self.answer}"
        if self.answer == UNTESTED:
            return f"({self.measured})" if self.measured else "(untested)"
        return WORDS[self.answer]

    @property
    def short(self) -> str:
        """The answer in a narrow cell: a number and one of five signs, or a word."""
        if self.answer in DIFFERENT:
            times = format_times(factor_of(self.limit), down=self.is_limit)
            return f"{'>' * self.is_limit}{times}×{MARKS[self.answer]}"
        if self.answer in IN_PART.values():
            return f"part {MARKS[self.answer]}"
        if self.answer == UNTESTED:
            if not self.speed > 0:
                return "(–)"
            mark = MARKS["faster" if self.speed > 1 else "slower"]
            return f"({format_times(factor_of(self.speed))}×{mark})"
        return "not comp." if self.answer == NOT_COMPARABLE else MARKS[self.answer]

    @property
    def measured(self) -> str:
        """The measured difference in words, whatever its test says."""
        if self.is_limit:
            way = "faster" if self.limit > 1 else "slower"
            return f"{self.times} {way}"
        return times_words(self.speed) if self.speed > 0 else ""

    @property
    def counted(self) -> str:
        """How many runs it rests on, such as ``5 + 4 runs`` or ``5 rounds``."""
        if self.paired:
            return f"{self.n_baseline} rounds"
        return f"{self.n_baseline} + {self.n_candidate} runs"

    @property
    def untested_speeds(self) -> list[float]:
        """The ends of what its untested sizes measured."""
        ends = (self.by_size.untested_low, self.by_size.untested_high)
        return [speed_of(end, self.metric) for end in ends if end > 0]

    @property
    def settled_by(self) -> int | None:
        """Runs of each system that would find a difference of `SETTLED`."""
        if not self.scatter > 0:
            return None
        try:
            runs = runs_for(self.scatter, SETTLED, self.paired)
        except UsageError:
            return None
        return runs if runs <= _MOST_RUNS else None


_PLAIN = (
    *("tool", "threads", "setting", "operation", "metric", "baseline", "candidate"),
    *("answer", "pooled", "n_baseline", "n_candidate", "paired", "scatter", "cells"),
    *("baseline_value", "candidate_value", "baseline_is_least", "candidate_is_least"),
    *("rule", "advice", "by_size"),
)
_TURNED = (
    *("ratio", "ci_low", "ci_high", "bound_low", "bound_high"),
    *("range_low", "range_high"),
)
_MORE = (
    *("left_out_baseline", "left_out_candidate", "scope", "parts"),
    *("n_baseline_censored", "n_candidate_censored", "total_low", "total_high"),
)


def answers_of(rows: pd.DataFrame) -> list[Answer]:
    """Read the rows of tests, as `Comparison.rows` has them."""
    names = [*_PLAIN, *_TURNED, *_MORE]
    return [
        _answer(dict(zip(names, row, strict=True))) for row in plain_rows(rows, names)
    ]


def _answer(row: dict[str, Any]) -> Answer:
    metric = str(row["metric"])
    speed, *ends = (speed_of(row[name], metric) for name in _TURNED)
    if METRICS[metric].better < 0:  # the ends of intervals change places
        ends = [end for n in range(0, len(ends), 2) for end in ends[n : n + 2][::-1]]
    low, high, lowest, highest, least, most = ends
    total = math.sqrt(row["total_low"] * row["total_high"])  # middle of a log interval
    numbered = row["cells"] > 0 or any(
        row[f"n_{side}"] > row[f"n_{side}_censored"]
        for side in ("baseline", "candidate")
    )
    plain = {name: row[name] for name in _PLAIN}
    plain["threads"] = None if row["threads"] is pd.NA else int(row["threads"])
    parts = tuple(
        part._replace(ratio=speed_of(part.ratio, metric)) for part in row["parts"]
    )
    return Answer(
        **plain,
        speed=speed,
        interval=(low, high),
        bounds=(lowest, highest),
        ends=(least, most),
        total_speed=1 / total if total > 0 else math.nan,
        left_out=(row["left_out_baseline"], row["left_out_candidate"]),
        has_numbers=numbered,
        scope=tuple(row["scope"]),
        parts=parts,
    )
