"""A gate: what must not be said of a comparison, as ``compare --fail-on`` takes it.

It looks at the rows of operations, never at means of them, and a verdict is all that
counts: what is inconclusive or untested holds no gate that does not ask for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fsviz.analysis.verdicts import VERDICTS
from fsviz.answers.statement import Statement
from fsviz.answers.words import operation_title
from fsviz.model.errors import UsageError, quoted
from fsviz.model.escaping import printable
from fsviz.model.names import choose
from fsviz.model.table import MAIN_METRICS, METRICS
from fsviz.model.tools import title_of

FORM = (
    "[OPERATION:]VERDICT[>N%][,q<Q], such as slower>5%, depends, random_write:slower "
    "or slower,q<0.01"
)
_CONDITION = re.compile(
    r"(?:(?P<operation>\w+):)?(?P<verdict>[a-z]+)"
    r"(?:\s*>\s*(?P<more>\d{1,6}(?:\.\d{1,6})?)\s*%)?"
    r"(?:\s*,\s*q\s*<\s*(?P<q>0?\.\d{1,12}))?"
)
_SHOWN = 3
"""Rows that are named; the others are counted."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What holds the gate: a verdict, a difference, an operation, a limit of q."""

    text: str
    verdict: str
    times: float = 1.0
    operation: str = ""
    q: float = 1.0

    def holds(self, one: Statement) -> bool:
        """Say whether a row meets it."""
        return (
            not one.is_mean
            and one.verdict == self.verdict
            and self.operation in ("", one.operation)
            and (self.times == 1.0 or one.factor > self.times)
            and (self.q == 1.0 or one.q_value < self.q)
        )


def conditions_of(texts: Iterable[str]) -> list[Condition]:
    """Read the conditions of a command line.

    >>> [(one.times, one.operation) for one in conditions_of(["read:slower>5%"])]
    [(1.05, 'read')]
    """
    return [_condition(text) for text in texts]


def _condition(text: str) -> Condition:
    match = _CONDITION.fullmatch(text.strip())
    known = match is not None and match["verdict"] in VERDICTS
    if match is None or not known or (match["more"] and match["verdict"] == "same"):
        verdicts = ", ".join(VERDICTS)
        raise UsageError(
            f"--fail-on: expected {FORM}; the verdicts are {verdicts}; "
            f"found {quoted(text)}"
        )
    more = float(match["more"] or 0)
    q = float(match["q"] or 1)
    return Condition(
        text, match["verdict"], 1 + more / 100, match["operation"] or "", q
    )


def expect_compared(said: Iterable[Statement], conditions: Sequence[Condition]) -> None:
    """Refuse a gate on what was not compared: it would be open for ever."""
    known = list(dict.fromkeys(one.operation for one in said if not one.is_mean))
    for one in conditions:
        if one.operation and known:
            choose("--fail-on", one.operation, known)


def held(said: Sequence[Statement], conditions: Sequence[Condition]) -> str:
    """Say in a line which rows hold the gate, the largest first; empty if none does."""
    found = [one for one in said if any(c.holds(one) for c in conditions)]
    if not found:
        return ""
    found.sort(key=lambda one: one.factor, reverse=True)
    named = [_named(one) for one in found[:_SHOWN]]
    more = [f"{len(found) - _SHOWN} more"] if len(found) > _SHOWN else []
    asked = ", ".join(condition.text for condition in conditions)
    return printable(f"--fail-on {asked}: holds for {'; '.join([*named, *more])}")


def _named(one: Statement) -> str:
    """Say of one row by how much, and where."""
    much = one.how_much if one.verdict in (one.direction, "same") else one.verdict
    section = one.section.replace(one.tool, title_of(one.tool), 1)
    where = f"{section} {operation_title(one.operation)}"
    if one.metric not in MAIN_METRICS:
        where += f" ({METRICS[one.metric].title})"
    return f"{one.candidate} {much} at {where} against {one.baseline}"
