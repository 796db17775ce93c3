"""The order of the runs of a small campaign."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from fsviz.analysis.tests import FEWEST
from fsviz.model.errors import printable

SYSTEMS = ("first", "second")
ORDER = ("first", "second", "second", "first", "first", "second", "second", "first")
"""Used while the learner has none."""


def read_order(answer: object) -> tuple[str, ...] | str:
    """Read an order of runs, or say why it cannot be run.

    >>> read_order(["First", "second"])
    ('first', 'second')
    >>> read_order(["first", "third"])
    'Use only first and second; found third.'
    """
    if not isinstance(answer, list | tuple):
        return f'Give a list such as ["{SYSTEMS[0]}", "{SYSTEMS[1]}"].'
    names = tuple(str(name).strip().lower() for name in answer)
    strange = [name for name in names if name not in SYSTEMS]
    if strange:
        return f"Use only {' and '.join(SYSTEMS)}; found {printable(strange[0])}."
    if set(names) != set(SYSTEMS):
        return f"Both {' and '.join(SYSTEMS)} have to run."
    return names


def hint_on_order(answer: object) -> str:
    """Say what is wrong with an order of runs; nothing if it is good.

    >>> hint_on_order(["first", "second"])
    'Each system needs 3 runs or more for a test.'
    """
    names = read_order(answer)
    if isinstance(names, str):
        return names
    counts = Counter(names)
    if min(counts.values()) < FEWEST:
        return f"Each system needs {FEWEST} runs or more for a test."
    if len(set(counts.values())) > 1:
        return "Give both systems the same number of runs."
    if sum(a != b for a, b in pairwise(names)) == 1:
        return (
            "One system runs first and the other later, so any drift over time will "
            "look like a difference. Let the systems take turns."
        )
    if len(names) == sum(a != b for a, b in pairwise(names)) + 1:
        return (
            f"{names[-1]} always runs after {names[0]}, so any drift affects "
            f"{names[-1]} more. In some pairs, let {names[-1]} begin."
        )
    return ""
