"""Where a matrix says what its answers are about: in heads, at rows' ends, in cells.

What all cells of a tool, a column or a system share is said there once, in words; what
is left stands in the cells as a letter that the legend explains.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fsviz.analysis.regimes import REGIMES
from fsviz.answers.statement import Statement
from fsviz.answers.words import LETTERS
from fsviz.checks.phrases import listing
from fsviz.model.escaping import printable

Column = tuple[str, str, str]
"""Section, operation, metric."""
_MOST = 8
"""Systems that a legend names before their words."""

Left = dict[tuple[str, Column], list[str]]
"""What is left to say of each candidate in each column."""


@dataclass(frozen=True, slots=True)
class Scopes:
    """The words of tools, columns and systems; the letters of cells are the rest."""

    tools: Mapping[str, tuple[str, ...]]
    columns: Mapping[Column, tuple[str, ...]]
    systems: Mapping[str, tuple[str, ...]]
    cells: Mapping[tuple[str, Column], str]

    def of_tool(self, section: str) -> str:
        """What all cells of a tool are about, in brackets; empty if nothing."""
        return _in_brackets(self.tools.get(section, ()))

    def of_column(self, column: Column) -> str:
        """What all cells of a column are about, in brackets; empty if nothing."""
        return _in_brackets(self.columns.get(column, ()))

    def letters(self, one: Statement) -> str:
        """Letters of what is said of a cell nowhere else."""
        return self.cells.get((one.candidate, column_of(one)), "")

    def ends(self) -> list[str]:
        """Say of each group of systems what all its answers are about."""
        groups: dict[tuple[str, ...], list[str]] = {}
        for name, words in self.systems.items():
            groups.setdefault(words, []).append(name)
        return [
            f"{listing(names, _MOST)} – {', '.join(words)}"
            for words, names in groups.items()
        ]


def _in_brackets(words: Sequence[str]) -> str:
    return f"({', '.join(words)})" if words else ""


def column_of(one: Statement) -> Column:
    """Return the column of a matrix that a statement stands in."""
    return one.section, one.operation, one.metric


def place_scopes(said: Iterable[Statement]) -> Scopes:
    """Choose where each word of the scopes of some statements stands."""
    answers = [one for one in said if one.has_answer]
    left = {(one.candidate, column_of(one)): list(one.about) for one in answers}
    tools = _taken(answers, left, lambda one: one.section)
    systems = _of_systems(answers, left)
    columns = _taken(answers, left, column_of)
    cells = {key: "".join(map(LETTERS.__getitem__, w)) for key, w in left.items()}
    return Scopes(tools, columns, systems, cells)


def _taken(
    answers: Sequence[Statement],
    left: Left,
    group_of: Callable[[Statement], Hashable],
) -> dict[Any, tuple[str, ...]]:
    """Take the regimes that all answers of a group share, and that are left in one."""
    found = {}
    for group, some in _grouped(answers, group_of).items():
        words = [
            word
            for word in REGIMES
            if all(word in one.about for one in some)
            and any(word in _left(one, left) for one in some)
        ]
        found[group] = tuple(words)
        for one in some:
            _take(one, words, left)
    return {group: words for group, words in found.items() if words}


def _of_systems(answers: Sequence[Statement], left: Left) -> dict[str, tuple[str, ...]]:
    """Take what all answers of a system share, and what no letter stands for."""
    found: dict[str, tuple[str, ...]] = {}
    for name, some in _grouped(answers, lambda one: one.candidate).items():
        words = []
        for word in dict.fromkeys(word for one in some for word in _left(one, left)):
            having = [one for one in some if word in one.about]
            if len(having) == len(some):
                words.append(word)
            elif word not in LETTERS:
                words.append(f"{word} ({_of_what(having, some)})")
            else:
                continue
            for one in having:
                _take(one, [word], left)
        if words:
            found[name] = tuple(map(printable, words))
    return found


def _of_what(having: Sequence[Statement], some: Sequence[Statement]) -> str:
    """Name the tools whose answers have a word, and whether only in part."""
    parts = _grouped(having, lambda one: one.section)
    whole = _grouped(some, lambda one: one.section)
    return listing(
        name if len(own) == len(whole[name]) else f"part of {name}"
        for name, own in parts.items()
    )


def _grouped(
    answers: Iterable[Statement], group_of: Callable[[Statement], Any]
) -> dict[Any, list[Statement]]:
    groups: dict[Any, list[Statement]] = {}
    for one in answers:
        groups.setdefault(group_of(one), []).append(one)
    return groups


def _left(one: Statement, left: Left) -> list[str]:
    return left[one.candidate, column_of(one)]


def _take(one: Statement, words: Iterable[str], left: Left) -> None:
    own = _left(one, left)
    own[:] = [word for word in own if word not in words]
