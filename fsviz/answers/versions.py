"""Campaigns of the same systems: each system compared with itself, in one table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from fsviz.answers.first_words import FirstWords, first_words
from fsviz.answers.table import Table, make_table

if TYPE_CHECKING:
    from fsviz.answers.answer import Answer
    from fsviz.answers.comparison import Comparison


class Versions:
    """What `Comparison` shows, with the systems in place of the candidates."""

    def __init__(self, comparisons: Mapping[str, Comparison]) -> None:
        self._comparisons = comparisons

    @cached_property
    def answers(self) -> list[Answer]:
        """Answers of all systems; each has a baseline's value of its own."""
        labels = {c for each in self._comparisons.values() for c in each.candidates}
        return [
            replace(
                answer,
                candidate=name if len(labels) == 1 else f"{name} {answer.candidate}",
            )
            for name, each in self._comparisons.items()
            for answer in each.answers
        ]

    @cached_property
    def first_words(self) -> FirstWords:
        """What is said first, of each system against itself."""
        notes = dict.fromkeys(
            note
            for each in self._comparisons.values()
            for note in each.first_words.notes
        )
        return first_words(self.answers, "each system with itself", None, notes)

    @cached_property
    def table(self) -> Table:
        """One cell a test and system, without the baselines' values."""
        table = make_table(self.answers)
        blocks = tuple(
            replace(block, rows=tuple(replace(row, baseline="") for row in block.rows))
            for block in table.blocks
        )
        return replace(table, blocks=blocks)
