"""The table below the first words: one cell a test, laid out by every form.

A layout (terminal, Markdown, workbook, page) decides nothing and words nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from fsviz.analysis.answers import DIFFERENT, IN_PART, MIXED, UNTESTED
from fsviz.analysis.regimes import REGIMES
from fsviz.answers.words import (
    LOOKS,
    WORDS,
    factor_of,
    range_words,
    rule_words,
    short_title,
)
from fsviz.checks.phrases import conditions, count, listing
from fsviz.model.table import METRICS
from fsviz.model.tools import title_of
from fsviz.model.units import display_scale, format_size, format_times, significant

if TYPE_CHECKING:
    from fsviz.analysis.answers import Part
    from fsviz.answers.answer import Answer

FEW = 3
"""Candidates that stand beside one another with words; more are rows with signs."""


_REGIMES = {
    "cache": "files that the client's memory could hold",
    "transition": "files that it could hold in part",
    "storage": "files of three times the memory, or options that keep caches out",
}


@dataclass(frozen=True, slots=True)
class Cell:
    """One test of one candidate, in finished text; empty where it was not run."""

    answer: str = ""
    value: str = ""
    words: str = ""
    short: str = ""
    note: int | None = None
    detail: str = ""
    test: Answer | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """One test: its title with its scope, the baseline's value, a cell a candidate."""

    title: str
    baseline: str
    cells: tuple[Cell, ...]
    operation: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """The tests of one tool in one unit."""

    tool: str
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """All tests of all candidates against one baseline."""

    baseline: str
    candidates: tuple[str, ...]
    blocks: tuple[Block, ...]
    footnotes: tuple[str, ...]
    """Of mixed answers and of those in part; the number of the first is 1."""
    notes: tuple[str, ...]
    """What differs besides, and what the words mean that stand in the table."""

    @property
    def is_wide(self) -> bool:
        """Whether candidates are too many to stand beside one another in words."""
        return len(self.candidates) > FEW

    @property
    def answers(self) -> set[str]:
        """The answers that stand in it."""
        return {c.answer for b in self.blocks for r in b.rows for c in r.cells}

    @property
    def _has_bounds(self) -> bool:
        """Whether a number is a bound, of a run that was too fast to time."""
        rows = [row for block in self.blocks for row in block.rows]
        texts = [c.short if self.is_wide else c.value for r in rows for c in r.cells]
        return any(">" in text for text in [*texts, *(row.baseline for row in rows)])

    @property
    def legend(self) -> str:
        """Explain in one line the signs that stand in it."""
        shown, bounds = self.answers, ["> at least"] * self._has_bounds
        if not self.is_wide:
            return "".join(bounds)
        signs = {
            LOOKS[a].mark: LOOKS[a].words
            for a in LOOKS
            if a in shown and LOOKS[a].mark and a not in IN_PART.values()
        }
        for answer, words in IN_PART.items():
            if words in shown:
                signs[LOOKS[answer].mark] = answer
        parts = [f"{mark} {words}" for mark, words in signs.items()]
        if any(words in shown for words in IN_PART.values()):
            parts.append("part: at some sizes")
        parts += ["(…) untested: under 3 runs"] * (UNTESTED in shown) + bounds
        return "; ".join(parts)

    def below(self, notes: Iterable[str] = ()) -> list[str]:
        """List what stands below it: the legend, footnotes, and notes of a page's."""
        legend = [f"{self.legend}."] if self.legend else []
        numbered = (f"[{n}] {text}" for n, text in enumerate(self.footnotes, 1))
        return [*legend, *numbered, *(f"{note}." for note in (*notes, *self.notes))]

    def __repr__(self) -> str:
        rows = sum(len(block.rows) for block in self.blocks)
        names = ", ".join(self.candidates) or "no system"
        return f"<Table of {rows} tests: {names} against {self.baseline}>"

    def _repr_html_(self) -> str:
        return str(import_module("fsviz.text.html").table_html(self))


def make_table(answers: Sequence[Answer], notes: Iterable[str] = ()) -> Table:
    """Lay the answers of all tests out: a block a tool and unit, a row a test."""
    measured = [answer for answer in answers if answer.is_measured]
    candidates = tuple(dict.fromkeys(answer.candidate for answer in measured))
    footnotes: dict[str, int] = {}
    parts: dict[tuple[str, str], list[Answer]] = {}
    for answer in measured:
        unit = METRICS[answer.metric].unit
        parts.setdefault((answer.tool, unit), []).append(answer)
    blocks = tuple(
        _block(tool, unit, part, candidates, footnotes)
        for (tool, unit), part in parts.items()
    )
    return Table(
        baseline=measured[0].baseline if measured else "",
        candidates=candidates,
        blocks=blocks,
        footnotes=tuple(footnotes),
        notes=(*notes, *_regime_notes(blocks)),
    )


def _block(
    tool: str,
    unit: str,
    answers: Sequence[Answer],
    candidates: Sequence[str],
    footnotes: dict[str, int],
) -> Block:
    values = sorted(a.baseline_value for a in answers if a.baseline_value > 0)
    factor, shown = display_scale(unit, values[len(values) // 2] if values else 1.0)
    tests: dict[object, dict[str, Answer]] = {}
    for answer in answers:
        tests.setdefault(answer.test, {})[answer.candidate] = answer
    settings = {conditions(a.threads, a.setting) for a in answers}
    rows = [
        _row(by_name, candidates, factor, footnotes, len(settings) > 1)
        for by_name in tests.values()
    ]
    title = title_of(tool)
    if len(settings) == 1 and (under := settings.pop()):
        title += f", {under}"
    return Block(tool, f"{title} [{shown}]", tuple(rows))


def _row(
    by_name: dict[str, Answer],
    candidates: Sequence[str],
    factor: float,
    footnotes: dict[str, int],
    with_setting: bool,
) -> Row:
    first = next(iter(by_name.values()))
    title = short_title(first.operation)
    if with_setting and (under := conditions(first.threads, first.setting)):
        title += f", {under}"
    regimes = {word for a in by_name.values() for word in a.scope if word in REGIMES}
    if len(regimes) == 1:
        title += f" ({regimes.pop()})"
    # the baseline's value of the pair that shares most cells
    widest = max(by_name.values(), key=lambda a: a.cells)
    cells = tuple(
        _cell(by_name[name], factor, footnotes) if name in by_name else Cell()
        for name in candidates
    )
    value = _value(widest.baseline_value, factor, widest.baseline_is_least)
    return Row(title, value, cells, first.operation)


def _value(value: float, factor: float, is_least: bool) -> str:
    if not (0 < value < math.inf):
        return ""
    number = value / factor
    shown = f"{number:,.0f}" if number >= 1000 else significant(number)
    return f"{'>' * is_least}{shown}"


def _cell(answer: Answer, factor: float, footnotes: dict[str, int]) -> Cell:
    note = None
    if text := part_words(answer):
        note = footnotes.setdefault(text, len(footnotes) + 1)
    return Cell(
        answer=answer.answer,
        value=_value(answer.candidate_value, factor, answer.candidate_is_least),
        words=answer.words,
        short=answer.short,
        note=note,
        detail=detail(answer),
        test=answer,
    )


def detail(answer: Answer) -> str:
    """Say all that is known of one cell: interval, runs, scope, rules."""
    parts = [answer.words.strip("()")]
    low, high = answer.interval
    if low > 0 and answer.answer != MIXED:
        parts.append(f"95 % interval {range_words(low, high)}")
    parts += [answer.counted, count(answer.cells, "size")]
    if answer.answer == "inconclusive" and (runs := answer.settled_by):
        parts.append(f"about {runs} runs each would show 1.1×")
    parts += answer.scope
    if answer.rule:
        parts.append(f"{rule_words(answer.rule)}: {answer.advice}")
    if text := part_words(answer):
        parts.append(text)
    return " · ".join(parts)


def part_words(answer: Answer) -> str:
    """Count the decided sizes of an answer that rests on them; else empty."""
    if answer.answer != MIXED and answer.answer not in IN_PART.values():
        return ""
    numbers = (("file size", answer.by_size.sizes), ("cell", answer.by_size.cells))
    groups: dict[tuple[bool, str], list[Part]] = {}
    for part in answer.parts:
        groups.setdefault((part.record_size is not None, part.answer), []).append(part)
    texts = [
        _part_line(way, groups[is_cell, way], *numbers[is_cell])
        for is_cell in (False, True)
        for way in DIFFERENT[::-1]
        if (is_cell, way) in groups
    ]
    if answer.answer != MIXED and answer.pooled in DIFFERENT:
        texts = [f"{answer.measured} over the sizes that all runs have", *texts]
    elif not texts and answer.pooled in DIFFERENT:
        total_words = range_words(*[answer.total_speed] * 2)
        texts = [
            f"{answer.measured} by the mean of ratios, {total_words} by the total time"
        ]
    return ", ".join(texts)


def _part_line(way: str, parts: Sequence[Part], noun: str, number: int) -> str:
    sizes = sorted({p.file_size for p in parts if p.file_size})
    sizes_ends = map(format_size, (sizes[0], sizes[-1])) if sizes else ()
    shown = list(dict.fromkeys(sizes_ends))
    ratios = sorted(factor_of(part.ratio) for part in parts)
    times = "–".join(dict.fromkeys(map(format_times, (ratios[0], ratios[-1]))))
    where = f"{'–'.join(shown)}, " if shown else ""
    return f"{way} at {len(parts)} of {count(number, noun)} ({where}{times}×)"


def _regime_notes(blocks: Iterable[Block]) -> list[str]:
    """Explain the regimes that stand behind titles."""
    titles = [row.title for block in blocks for row in block.rows]
    named = [w for w in _REGIMES if any(t.endswith(f"({w})") for t in titles)]
    return ["; ".join(f"({word}): {_REGIMES[word]}" for word in named)] if named else []


def scope_notes(answers: Sequence[Answer]) -> list[str]:
    """Say what differs besides what is compared, system by system."""
    of_name: dict[str, dict[str, None]] = {}
    for answer in answers:
        words = [word for word in answer.scope if word not in REGIMES]
        of_name.setdefault(answer.candidate, {}).update(dict.fromkeys(words))
    shared: dict[tuple[str, ...], list[str]] = {}
    for name, scopes in of_name.items():
        if scopes:
            shared.setdefault(tuple(scopes), []).append(name)
    return [
        f"{listing(names, 4)}: {', '.join(scope)}" for scope, names in shared.items()
    ]


def other_metric_notes(main: Sequence[Answer], every: Sequence[Answer]) -> list[str]:
    """Name other metrics that are worse or contradict, a line a metric."""
    ways = {_place(answer): answer.ways for answer in main}
    by_metric: dict[str, list[Answer]] = {}
    for answer in every:
        first = ways.get(_place(answer), DIFFERENT)
        new = {*answer.ways} - {*first}
        if "slower" in new or (new and first):
            by_metric.setdefault(answer.metric, []).append(answer)
    return [_other_metric(metric, answers) for metric, answers in by_metric.items()]


def _place(answer: Answer) -> tuple[object, ...]:
    return (*answer.test[:2], *answer.test[3:], answer.candidate)


def _other_metric(metric: str, answers: Sequence[Answer]) -> str:
    """Say where another metric differs most, and in how many tests more."""
    farthest = max(
        answers, key=lambda a: ("slower" in a.ways, max(map(factor_of, a.ends)))
    )
    farthest_answers = [a for a in answers if a.test == farthest.test]
    words = ", ".join(
        f"{a.candidate} {range_words(*a.ends)}" for a in farthest_answers[:FEW]
    )
    words = words.replace("slower", "worse").replace("faster", "better")
    more = (
        f" and {len(farthest_answers) - FEW} more"
        if len(farthest_answers) > FEW
        else ""
    )
    further = len({a.test for a in answers}) - 1
    also = f", and in {count(further, 'test')} more" if further else ""
    title = METRICS[metric].title
    return (
        f"{title[:1].upper()}{title[1:]}: {words}{more} at "
        f"{short_title(farthest.operation)}{also} (--metric {metric})"
    )


def meanings(answers: Iterable[str]) -> list[str]:
    """Explain the words of a table that need it."""
    given = set(answers)
    words = [
        name for name in LOOKS if name in given and LOOKS[name].meaning != WORDS[name]
    ]
    return [f"{WORDS[w].capitalize()}: {LOOKS[w].meaning}" for w in words]
