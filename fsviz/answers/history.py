"""The campaigns of a store by date: each compared with the one before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsviz.analysis.answers import IN_PART
from fsviz.analysis.cells import present
from fsviz.answers.comparison import Comparison
from fsviz.answers.words import factor_of
from fsviz.campaigns.versions import changed_facts, describe_changes, facts_of, versions
from fsviz.model.errors import UsageError
from fsviz.model.escaping import printable
from fsviz.model.libraries import pd
from fsviz.model.names import Names, choose, names_of
from fsviz.model.table import MAIN_METRICS
from fsviz.store.load import load
from fsviz.store.stored import campaigns_of, opened, path_of

if TYPE_CHECKING:
    from fsviz.answers.gate import Condition
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
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Compare each campaign of a store with the one before, system by system.

    Parameters
    ----------
    store : Path or str
        Folder that ``fsviz ingest`` wrote, or its address.
    system, operation : str, iterable of str or None
        Systems and operations to return; by default all.
    confidence : float
        Confidence level of the intervals, between 0 and 1.

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
    steps = list(_steps(str(store), names_of(system), confidence))
    if not steps:
        named = ", ".join(names_of(system)) or "a system"
        raise UsageError(f"{store}: expected {named} in two campaigns, found none")
    frame = pd.concat(steps, ignore_index=True)
    if chosen := choose("operation", operation, present(frame, "operation")):
        frame = frame.loc[frame["operation"].isin(chosen)]
    return frame.reset_index(drop=True)


def _steps(store: str, systems: list[str], confidence: float) -> Iterator[pd.DataFrame]:
    """Compare, with no more campaigns in memory than there are systems."""
    last: dict[str, tuple[str, Campaign]] = {}
    for date, name in _dated(store):
        campaign = _with_name(load(path_of(store, name)), name)
        named = present(campaign.measurements, "system")
        for system in (name for name in named if not systems or name in systems):
            if system in last:
                before, earlier = last[system]
                both = versions({before: earlier, name: campaign})[system]
                rows = _compared(both, before, name, confidence)
                yield rows.assign(date=date, system=system)[list(COLUMNS)]
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


def _compared(
    both: Campaign, before: str, name: str, confidence: float
) -> pd.DataFrame:
    """Compare the two campaigns of a system, a row for each test."""
    rows = Comparison(both, before, confidence=confidence).rows
    rows = rows.loc[rows["metric"].isin(MAIN_METRICS)]
    facts = [facts_of(both.systems, both.runs, label) for label in (before, name)]
    changed = describe_changes(changed_facts(*facts))
    names = {"baseline": "before", "candidate": "campaign"}
    return rows.rename(columns=names).assign(changed=changed)


def describe_held(frame: pd.DataFrame, conditions: Sequence[Condition]) -> list[str]:
    """Name the rows that a condition of ``--fail-on`` holds for."""
    return [
        printable(
            f"--fail-on {condition.text}: {row.system} {row.answer} at "
            f"{row.operation} in {row.campaign} ({row.date}), {row.ratio:.3g} times "
            f"{row.before}"
        )
        for condition in conditions
        for row in frame.itertuples()
        if _holds(condition, row)
    ]


def _holds(condition: Condition, row: Any) -> bool:
    fits = (condition.answer, IN_PART.get(condition.answer))
    far = max(factor_of(end) for end in (row.range_low, row.range_high))
    return (
        row.answer in fits
        and condition.operation in ("", row.operation)
        and (condition.times == 1 or far > condition.times)
    )
