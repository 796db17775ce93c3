"""A gate: what must not be said of a comparison, as ``compare --fail-on`` takes it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from fsviz.analysis.answers import ANSWERS, DIFFERENT
from fsviz.answers.answer import Answer
from fsviz.answers.words import short_title
from fsviz.model.errors import UsageError, quoted
from fsviz.model.escaping import printable
from fsviz.model.names import choose
from fsviz.model.tools import title_of

FORM = "[OPERATION:]ANSWER[>N%], such as slower>5%, mixed or random_write:slower"
_CONDITION = re.compile(
    r"(?:(?P<operation>\w+):)?(?P<answer>[a-z_]+)"
    r"(?:\s*>\s*(?P<more>\d{1,6}(?:\.\d{1,6})?)\s*%)?"
)


@dataclass(frozen=True, slots=True)
class Condition:
    """What fires the gate: an answer, a difference, an operation.

    ``slower`` fires where a test is slower, slower in part or mixed.
    """

    text: str
    answer: str
    times: float = 1.0
    operation: str = ""

    def holds(self, test: Answer) -> bool:
        """Return whether a test meets it."""
        if self.operation not in ("", test.operation):
            return False
        if self.answer not in DIFFERENT:
            return test.answer == self.answer
        if self.answer not in test.ways:
            return False
        far = max(test.ends) if self.answer == "faster" else 1 / min(test.ends)
        return far > self.times


def conditions_of(texts: Iterable[str]) -> list[Condition]:
    """Read the conditions of a command line.

    >>> [(c.times, c.operation) for c in conditions_of(["read:slower>5%"])]
    [(1.05, 'read')]
    """
    return [_condition(text) for text in texts]


def _condition(text: str) -> Condition:
    match = _CONDITION.fullmatch(text.strip())
    far = match is not None and match["more"] and match["answer"] not in DIFFERENT
    if match is None or match["answer"] not in ANSWERS or far:
        raise UsageError(
            f"--fail-on: expected {FORM}; the answers are {', '.join(ANSWERS)}; "
            f"found {quoted(text)}"
        )
    more = float(match["more"] or 0)
    return Condition(text, match["answer"], 1 + more / 100, match["operation"] or "")


def fired(tests: Sequence[Answer], conditions: Sequence[Condition]) -> list[str]:
    """Return a line for each test that fires the gate."""
    operations = list(dict.fromkeys(test.operation for test in tests))
    for condition in conditions:
        if condition.operation and operations:
            # a gate on what was not compared would be open for ever
            choose("--fail-on", condition.operation, operations)
    return [
        printable(
            f"--fail-on {condition.text}: {test.candidate} {test.words} at "
            f"{title_of(test.tool)} {short_title(test.operation)} "
            f"against {test.baseline}"
        )
        for test in tests
        for condition in conditions
        if condition.holds(test)
    ]
