"""Ask the rules, and put their answers into frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fsviz.checks.case import Case
from fsviz.checks.findings import (
    COLUMNS,
    LISTS,
    MARKS,
    SEVERITIES,
    Examination,
    Finding,
)
from fsviz.checks.registry import Rule
from fsviz.checks.rules import RULES
from fsviz.checks.rules.caches import answering_regimes
from fsviz.checks.rules.outcomes import declared_invalid
from fsviz.model.errors import ParseError, UsageError
from fsviz.model.libraries import np, pd
from fsviz.model.names import choose, unknown
from fsviz.model.table import SIZES
from fsviz.model.thresholds import limits

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray
    from pandas.api.extensions import ExtensionArray

    from fsviz.model.campaign import Campaign


def check(
    data: Campaign,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    thresholds: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    """List what is wrong with a benchmark.

    Parameters
    ----------
    data : Campaign
        As `fsviz.load` returns it.
    select, ignore : iterable of str or None
        Names of rules to apply, and to skip; by default all are applied.
    thresholds : mapping of str to float or None
        Limits that replace those of `THRESHOLDS` and of the campaign.

    Returns
    -------
    DataFrame
        One row per finding, errors first: ``rule severity system operation message
        evidence advice tool cells source locator``. ``system`` and ``operation`` list
        names, separated by commas. ``cells`` counts the affected cells. ``source`` and
        ``locator`` show where the number in question was printed.

    Raises
    ------
    UsageError
        If a rule or threshold is unknown, or ``data`` is not a campaign.
    """
    return run_checks(data, select, ignore, thresholds).findings


def run_checks(
    data: Campaign,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    thresholds: Mapping[str, float] | None = None,
    baseline: str | None = None,
) -> Examination:
    """List what is wrong with a benchmark, and which cells are affected.

    Parameters
    ----------
    data, select, ignore, thresholds
        As for `check`.
    baseline : str or None
        System to compare the others with; by default the campaign's baseline.

    Returns
    -------
    Examination

    Raises
    ------
    UsageError
        If there are no facts to check, or a rule or a threshold is unknown.
    """
    if not hasattr(data, "systems"):
        kind = type(data).__name__
        raise UsageError(f"check: expected a campaign (fsviz.load), found a {kind}")
    measured, lines = data.whole or data, limits(data.thresholds, thresholds)
    case = Case(measured, lines, baseline or data.baseline or "")
    answers = [
        (rule, finding)
        for rule in chosen(select, ignore)
        for finding in rule.find(case)
    ]
    answers.sort(key=lambda answer: SEVERITIES.index(answer[1].severity))
    marks = _marks(case, answers)
    return Examination(_findings(answers), marks, _regimes(case), case)


def check_refused(
    problem: ParseError,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
) -> Examination:
    """Say what is wrong with a benchmark of which nothing could be loaded."""
    answers = [
        (rule, finding)
        for rule in chosen(select, ignore)
        if rule.name == "invalid-mode"
        for finding in declared_invalid(problem, problem.path)
    ]
    return Examination(_findings(answers), pd.DataFrame(columns=list(MARKS)))


def _findings(answers: list[tuple[Rule, Finding]]) -> pd.DataFrame:
    rows = [
        {
            "rule": rule.name,
            "severity": finding.severity,
            "system": ", ".join(finding.lists["systems"]),
            "operation": ", ".join(finding.lists["operations"]),
            "message": finding.message,
            "evidence": finding.evidence,
            "advice": finding.advice,
            "tool": ", ".join(finding.lists["tools"]),
            "cells": len(finding.cells),
            "source": finding.place[0],
            "locator": finding.place[1],
            **finding.lists,
            "fact": finding.fact,
        }
        for rule, finding in answers
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    types = dict.fromkeys(COLUMNS, "string") | dict.fromkeys(LISTS, "object")
    return frame.astype(types | {"cells": "int64"})


def _marks(case: Case, answers: list[tuple[Rule, Finding]]) -> pd.DataFrame:
    counts = [len(finding.cells) for _, finding in answers]
    number = np.repeat(np.arange(len(answers)), counts)
    lists = [np.asarray(finding.cells, np.int64) for _, finding in answers]
    cell = np.concatenate([np.empty(0, np.int64), *lists])
    columns = {
        "finding": pd.Series(number, dtype="int64"),
        "rule": _repeated((rule.name for rule, _ in answers), number),
        "severity": _repeated((finding.severity for _, finding in answers), number),
        "against": _repeated((finding.against for _, finding in answers), number),
        "disqualifies": np.array([f.disqualifies for _, f in answers], bool)[number],
        "scope": _repeated((finding.scope for _, finding in answers), number),
    }
    return pd.DataFrame({**columns, **_places(case, cell)}, columns=list(MARKS))


def _regimes(case: Case) -> pd.DataFrame:
    """List the cells of which the data's size says what may have answered."""
    words = answering_regimes(case).dropna()
    places = _places(case, words.index.to_numpy())
    return pd.DataFrame({**places, "regime": words.to_numpy()})


def _places(case: Case, cell: NDArray[np.int64]) -> dict[str, ExtensionArray]:
    """Say where some cells are, by their number."""
    cells = case.cells
    words = {
        name: _repeated(cells[name].cat.categories, cells[name].cat.codes.iloc[cell])
        for name in ("system", "tool", "operation", "metric")
    }
    return words | {name: cells[name].array.take(cell) for name in (*SIZES, "setting")}


def _repeated(words: Iterable[str], number: ArrayLike) -> ExtensionArray:
    """Take words by their number: quicker than to convert each row's."""
    return pd.array([*words, ""], dtype="string").take(number)


# Which rules to ask.


def rule_named(name: str) -> Rule:
    """Find a rule."""
    for rule in RULES:
        if rule.name == name:
            return rule
    raise unknown("rule", name, [rule.name for rule in RULES])


def chosen(
    select: Iterable[str] | None = None, ignore: Iterable[str] | None = None
) -> list[Rule]:
    """List the rules to ask."""
    names = [rule.name for rule in RULES]
    selected = choose("rule", select, names) or names
    left_out = choose("rule", ignore, names)
    return [r for r in RULES if r.name in selected and r.name not in left_out]
