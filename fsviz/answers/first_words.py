"""What is said first: answers counted, ranges, and what was left out. Never composed.

    Against BASELINE (why it is the baseline). N runs of each system.
    TOOL[, SETTING]  NAMES  ANSWER in K of M tests (RANGE)[, ANSWER in K (RANGE)]…
                            [; untested: K, up to RATIO][; left out: WHAT]

Every word is fixed, every number is a count or the end of a range of decided ratios.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from fsviz.analysis.answers import (
    ANSWERS,
    DECIDED,
    DIFFERENT,
    DRIFT,
    MIXED,
    NOT_COMPARABLE,
    UNDECIDED,
    UNTESTED,
)
from fsviz.analysis.tests import FEWEST
from fsviz.answers.words import WORDS, factor_of, range_words, rule_words
from fsviz.checks.phrases import conditions, count, listing
from fsviz.model.table import METRICS
from fsviz.model.tools import title_of
from fsviz.model.units import format_times

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.answers.answer import Answer

MANY_SETTINGS = 3
"""More settings of a tool than that are counted over tests and settings."""
LINES = 6
"""Lines of a tool; if there are more, the last and undecided ones are counted."""
_RULES = 2
"""Rules that are named where `fsviz check` has errors or warnings."""


@dataclass(frozen=True, slots=True)
class Line:
    """What is said of some systems under a tool: finished text."""

    tool: str
    names: tuple[str, ...]
    words: str


@dataclass(frozen=True, slots=True)
class FirstWords:
    """What every form says first, in this order. Empty strings are left out."""

    opening: str
    alarm: str
    lines: tuple[Line, ...]
    notes: tuple[str, ...]

    def __str__(self) -> str:
        """Return one line of text: what an index or an alternative text says."""
        parts = [
            f"{line.tool} {listing(line.names, 3)} {line.words}" for line in self.lines
        ]
        return f"{self.opening} {'. '.join(parts)}." if parts else self.opening

    def _repr_html_(self) -> str:
        return str(import_module("fsviz.text.html").first_words_html(self))


def first_words(
    answers: Sequence[Answer],
    why: str,
    findings: pd.DataFrame | None,
    notes: Iterable[str] = (),
) -> FirstWords:
    """Count the answers of all tests, tool by tool and system by system."""
    return FirstWords(
        opening=_opening(answers, why),
        alarm=alarm(findings),
        lines=tuple(line for part in _sections(answers) for line in _lines(*part)),
        notes=tuple(notes),
    )


def _opening(answers: Sequence[Answer], why: str) -> str:
    """Say what is compared with, how often it was measured, and what is better."""
    measured = [a for a in answers if a.is_measured]
    if not measured:
        return "Nothing to compare: no test was run on two systems."
    runs = sorted({n for a in measured for n in (a.n_baseline, a.n_candidate)})
    ends = "–".join(map(str, dict.fromkeys((runs[0], runs[-1]))))
    better = {METRICS[a.metric].better for a in measured}
    words = {1: "More is better.", -1: "Less is better."}
    return " ".join(
        filter(
            None,
            (
                f"Against {measured[0].baseline}{f', {why}' if why else ''}.",
                f"{ends} run{'s' * (ends != '1')} of each system.",
                words[better.pop()] if len(better) == 1 else "",
            ),
        )
    )


def alarm(findings: pd.DataFrame | None) -> str:
    """Say in one line that `fsviz check` found errors or warnings."""
    if findings is None:
        return ""
    rules_of = {
        severity: findings.loc[findings["severity"] == severity, "rule"]
        for severity in ("error", "warning")
    }
    counts = [count(len(rules), name) for name, rules in rules_of.items() if len(rules)]
    if not counts:
        return ""
    rules = list(dict.fromkeys(rule for rules in rules_of.values() for rule in rules))
    named = ", ".join(rules[:_RULES]) + (" …" if len(rules) > _RULES else "")
    return f"{', '.join(counts)} about this benchmark ({named}): fsviz check"


Section = tuple[str, list["Answer"]]


def _sections(answers: Iterable[Answer]) -> list[Section]:
    """Part answers by tool, and by its settings where they are few."""
    tools: dict[str, dict[str, list[Answer]]] = {}
    for answer in answers:
        under = conditions(answer.threads, answer.setting)
        tools.setdefault(answer.tool, {}).setdefault(under, []).append(answer)
    sections: list[Section] = []
    for tool, settings in tools.items():
        title = title_of(tool)
        if len(settings) > MANY_SETTINGS:
            every = [a for part in settings.values() for a in part]
            sections.append((f"{title}, {len(settings)} settings", every))
            continue
        for under, part in settings.items():
            sections.append((f"{title}, {under}" if under else title, part))
    return sections


def _lines(title: str, answers: list[Answer]) -> list[Line]:
    """Say the answers of each system; of whom the same is said share a line."""
    by_name: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.is_measured or answer.lacks_a_side:
            by_name.setdefault(answer.candidate, []).append(answer)
    # what is said is true of each system that shares a line, with its numbers
    groups: dict[str, list[str]] = {}
    for name, tests in by_name.items():
        groups.setdefault(_words(tests), []).append(name)
    lines = [Line(title, tuple(names), words) for words, names in groups.items()]
    if len(lines) <= LINES:
        return lines
    decided = {a.candidate for a in answers if a.answer in DECIDED}
    ranked = sorted(lines, key=lambda line: decided.isdisjoint(line.names))
    shown = [line for line in lines if line in ranked[: LINES - 1]]
    others = [name for line in ranked[LINES - 1 :] for name in line.names]
    # the table has what both sides measured
    in_table = {a.candidate for a in answers if a.is_measured}.intersection(others)
    alone = len(others) - len(in_table)
    where = f"{len(in_table)} in the table, {alone} on one side only"
    words = where if alone else "see the table"
    return [*shown, Line(title, (f"{len(others)} more",), words)]


def _words(tests: Sequence[Answer]) -> str:
    """Say counts and ranges of the tests of a system."""
    both = [a for a in tests if a.is_measured]
    if len(both) == 1:
        parts = [_single(both)]
    else:
        groups = [(word, [a for a in both if a.answer == word]) for word in ANSWERS]
        shown = [
            (word, part)
            for word, part in groups
            if part and (word != UNTESTED or len(part) == len(both))
        ]
        of = f" of {len(both)} tests"
        parts = [_counted(*each, of * (n == 0)) for n, each in enumerate(shown)]
    beside = (_untested(both), _left_out(tests), _lacking_a_side(tests))
    return "; ".join(filter(None, (", ".join(parts), *beside)))


def _counted(word: str, tests: Sequence[Answer], of: str) -> str:
    """Say one answer, in how many tests, and the range of its ratios."""
    drift = sum(DRIFT in a.scope for a in tests)
    ratios = _inside(word, tests, f"{DRIFT} in {drift}")
    return f"{WORDS[word]} in {len(tests)}{of}" + (f" ({ratios})" if ratios else "")


def _single(tests: Sequence[Answer]) -> str:
    """Say the only test of a tool: no count."""
    word = tests[0].answer
    ratios = _inside(word, tests, DRIFT)
    if word in DIFFERENT:
        return f"{ratios} {word}"
    return f"{WORDS[word]} ({ratios})" if ratios else WORDS[word]


def _inside(word: str, tests: Sequence[Answer], drift: str) -> str:
    """Say what stands in brackets behind an answer: ratios, rules, or drift."""
    if word == NOT_COMPARABLE:
        return listing(dict.fromkeys(rule_words(a.rule) for a in tests), 2)
    if word == UNTESTED:
        return "; ".join(filter(None, (f"under {FEWEST} runs", _measured(tests))))
    if word == UNDECIDED and any(DRIFT in a.scope for a in tests):
        return drift
    return _range(tests)


def _range(tests: Sequence[Answer]) -> str:
    """Say least and most of the decided ratios; of both ways with their directions."""
    ends = [end for a in tests if a.ways for end in a.ends]
    if not ends:
        return ""
    low, high = min(ends), max(ends)
    if any(a.answer == MIXED for a in tests):
        return range_words(low, high)
    factors = sorted((factor_of(low), factor_of(high)))
    limits = [a for a in tests if a.is_limit and a.answer in DIFFERENT]
    if len(limits) == len(tests):
        return f"over {format_times(factors[0], down=True)}×"
    if limits and max(factor_of(a.limit) for a in limits) >= factors[1]:
        most = format_times(factors[1], down=True)
        return f"{format_times(factors[0])}× to over {most}×"
    least, most = map(format_times, factors)
    return f"{least}×" if least == most else f"{least}–{most}×"


def _measured(tests: Sequence[Answer]) -> str:
    """Say least and most of what untested tests measured."""
    speeds = [a.limit for a in tests if a.measured]
    return range_words(min(speeds), max(speeds)) if speeds else ""


def _untested(tests: Sequence[Answer]) -> str:
    """Count what fewer than three runs measured, and say how far it goes."""
    alone = [a for a in tests if a.answer == UNTESTED]
    parts = []
    if alone and len(alone) < len(tests):
        number = count(len(alone), "test")
        parts.append(_up_to(number, [a.limit for a in alone if a.measured]))
    sizes = sum(a.by_size.untested for a in tests if a.answer != UNTESTED)
    if sizes:
        most = max(a.by_size.untested for a in tests)
        speeds = [s for a in tests for s in a.untested_speeds]
        parts.append(_up_to(count(most, "size"), speeds))
    return f"untested: {', '.join(parts)}" if parts else ""


def _up_to(number: str, speeds: Sequence[float]) -> str:
    if not speeds:
        return number
    return f"{number}, up to {range_words(*[max(speeds, key=factor_of)] * 2)}"


def _left_out(tests: Sequence[Answer]) -> str:
    """Say how many runs have too few of the cells to count in a test."""
    out = max(tests, key=lambda a: sum(a.left_out), default=None)
    if out is None or not sum(out.left_out):
        return ""
    runs = (out.n_baseline, out.n_candidate)
    named = [
        f"{n} of {n + used} runs of {name}"
        for n, used, name in zip(
            out.left_out, runs, (out.baseline, out.candidate), strict=True
        )
        if n
    ]
    return f"left out: {', '.join(named)}"


def _lacking_a_side(tests: Sequence[Answer]) -> str:
    """Count the tests that only one side has, and in those of both the sizes."""
    alone = [a for a in tests if a.lacks_a_side]
    sizes = max((a.by_size.one_sided for a in tests if a not in alone), default=0)
    counts = ((len(alone), "test"), (sizes, "size"))
    parts = [count(number, noun) for number, noun in counts if number]
    return f"only one side: {', '.join(parts)}" if parts else ""
