"""Campaigns of the same systems, each system compared with itself.

Those of a store by date, each with the one before; or those that a person names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.analysis.cells import present
from fsviz.answers.comparison import Comparison
from fsviz.answers.first_words import FirstWords, first_words
from fsviz.answers.gate import Condition, fired
from fsviz.answers.table import Table, make_table
from fsviz.campaigns.over_time import (
    changed_facts,
    describe_changes,
    facts_of,
    versions,
)
from fsviz.model.errors import UsageError
from fsviz.model.escaping import printable
from fsviz.model.libraries import pd
from fsviz.model.names import Names, choose, names_of
from fsviz.model.table import MAIN_METRICS
from fsviz.store.load import load
from fsviz.store.stored import campaigns_of, opened, path_of

if TYPE_CHECKING:
    from fsviz.answers.answer import Answer
    from fsviz.model.campaign import Campaign

_NAMES = ("date", "campaign", "before", "system", "tool", "threads", "setting")
_NUMBERS = (
    *("ratio", "ci_low", "ci_high", "range_low", "range_high", "q_value"),
    *("n_baseline", "n_candidate"),
)
COLUMNS = (*_NAMES, "operation", "metric", *_NUMBERS, "answer", "changed")
"""Of a history: a row for each system and test of a campaign."""


def history(
    store: Path | str,
    *,
    system: Names = None,
    operation: Names = None,
) -> pd.DataFrame:
    """Compare each campaign of a store with the one before, system by system.

    Parameters
    ----------
    store : Path or str
        Folder that ``fsviz ingest`` wrote, or its address.
    system, operation : str, iterable of str or None
        Systems and operations to return; by default all.

    Returns
    -------
    DataFrame
        One row per campaign, system and test, in the order of the campaigns' dates.
        ``ratio`` is relative to ``before``, the last earlier campaign with this system,
        as `fsviz.compare` calculates it. ``changed`` lists the facts that changed.

    Raises
    ------
    UsageError
        If a campaign has no date, or if no system was measured twice.
    ParseError
        If the store lacks a campaign that it lists, or has a damaged one.
    """
    return table_of(steps(store, system), operation)


@dataclass(frozen=True, slots=True)
class Step:
    """A system in a campaign, compared with the one before: rows, and its answers."""

    date: str
    system: str
    rows: pd.DataFrame
    answers: list[Answer]


def table_of(compared: Sequence[Step], operation: Names = None) -> pd.DataFrame:
    """Return the rows of all steps, of all operations or of these."""
    frame = pd.concat([step.rows for step in compared], ignore_index=True)
    if chosen := choose("operation", operation, present(frame, "operation")):
        frame = frame.loc[frame["operation"].isin(chosen)]
    return frame.reset_index(drop=True)


def steps(store: Path | str, system: Names) -> list[Step]:
    """Compare each campaign with the one before, or raise if no system has two."""
    compared = list(_steps(str(store), names_of(system)))
    if not compared:
        named = ", ".join(names_of(system)) or "a system"
        raise UsageError(f"{store}: expected {named} in two campaigns, found none")
    return compared


def _steps(store: str, systems: list[str]) -> Iterator[Step]:
    """Compare, with no more campaigns in memory than there are systems."""
    last: dict[str, tuple[str, Campaign]] = {}
    for date, name in _dated(store):
        campaign = _with_name(load(path_of(store, name)), name)
        named = present(campaign.measurements, "system")
        for system in (name for name in named if not systems or name in systems):
            if system in last:
                before, earlier = last[system]
                both = versions({before: earlier, name: campaign})[system]
                comparison = Comparison(both, before)
                rows = _rows(both, comparison).assign(date=date, system=system)
                yield Step(date, system, rows[list(COLUMNS)], comparison.answers)
            last[system] = (name, campaign)


def _with_name(campaign: Campaign, name: str) -> Campaign:
    """Name runs after their campaign: files of equal content are of two campaigns."""
    numbers, runs = campaign.measurements, campaign.runs
    return replace(
        campaign,
        measurements=numbers.assign(run=f"{name} " + numbers["run"]),
        runs=runs.assign(run=f"{name} " + runs["run"]),
    )


def _dated(store: str) -> list[tuple[str, str]]:
    """List the campaigns of a store with their dates, the first measured first."""
    dated = []
    for name in campaigns_of(store):
        with opened(path_of(store, name)) as (_, stored):
            if not stored.date:
                raise UsageError(
                    f"{path_of(store, name)}: expected a date, found none; state "
                    '`started = "2026-11-29"` in campaign.toml and ingest again'
                )
            dated.append((stored.date, name))
    return sorted(dated)


def events(compared: Sequence[Step], conditions: Sequence[Condition]) -> list[str]:
    """Return a line for each test of a step that fires the gate."""
    return [
        f"{line} ({printable(step.system)}, {step.date})"
        for step in compared
        for line in fired(step.answers, conditions)
    ]


def _rows(both: Campaign, comparison: Comparison) -> pd.DataFrame:
    """Return a row for each test of the two campaigns, with the facts that changed."""
    rows = comparison.rows
    rows = rows.loc[rows["metric"].isin(MAIN_METRICS)]
    facts = [
        facts_of(both.systems, both.runs, label)
        for label in (comparison.baseline, *comparison.candidates)
    ]
    changed = describe_changes(changed_facts(*facts))
    names = {"baseline": "before", "candidate": "campaign"}
    return rows.rename(columns=names).assign(changed=changed)


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
