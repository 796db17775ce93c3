"""Ask the rules, and put their answers into frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from fsviz.checks.case import Case
from fsviz.checks.choice import chosen
from fsviz.checks.findings import (
    COLUMNS,
    MARKS,
    SEVERITIES,
    Examination,
    Finding,
)
from fsviz.checks.rules import Rule
from fsviz.errors import UsageError
from fsviz.thresholds import limits

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.campaign import Campaign

_FEW_CELLS = ["system", "tool", *MARKS[6:]]


def check(
    data: Campaign,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    thresholds: Mapping[str, float] | None = None,
) -> pd.DataFrame:
    """Say what is wrong with a benchmark.

    Parameters
    ----------
    data : Campaign
        As `fsviz.load` returns it.
    select, ignore : iterable of str or None
        Names of rules to ask, and not to ask; by default all are asked.
    thresholds : mapping of str to float or None
        Lines to draw elsewhere than `fsviz.thresholds.THRESHOLDS` and the campaign do.

    Returns
    -------
    DataFrame
        One row a finding, errors first: ``rule severity system operation message
        evidence advice tool cells source locator``. ``system`` and ``operation`` list
        names, parted by commas; ``cells`` counts the cells concerned; ``source`` and
        ``locator`` say where the telling number was printed.

    Raises
    ------
    UsageError
        If a rule or threshold is unknown, or the data are no campaign.
    """
    return examine(data, select, ignore, thresholds).findings


def examine(
    data: Campaign,
    select: Iterable[str] | None = None,
    ignore: Iterable[str] | None = None,
    thresholds: Mapping[str, float] | None = None,
) -> Examination:
    """Say what is wrong with a benchmark, and which cells that concerns.

    Parameters
    ----------
    data, select, ignore, thresholds
        As for `check`.

    Returns
    -------
    Examination
    """
    if not hasattr(data, "systems"):
        found = type(data).__name__
        raise UsageError(f"check: expected a campaign (fsviz.load), found a {found}")
    case = Case(data, limits(data.thresholds, thresholds))
    answers = [(rule, f) for rule in chosen(select, ignore) for f in rule.find(case)]
    answers.sort(key=lambda answer: SEVERITIES.index(answer[1].severity))
    return Examination(_findings(answers), _marks(case, answers))


def _findings(answers: list[tuple[Rule, Finding]]) -> pd.DataFrame:
    import pandas as pd

    rows = [
        {
            "rule": rule.name,
            "severity": finding.severity,
            "system": ", ".join(dict.fromkeys(finding.systems)),
            "operation": ", ".join(map(str, finding.operations)),
            "message": finding.message,
            "evidence": finding.evidence,
            "advice": finding.advice,
            "tool": finding.tool,
            "cells": len(finding.cells),
            "source": finding.place[0],
            "locator": finding.place[1],
        }
        for rule, finding in answers
    ]
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    return frame.astype({c: "int64" if c == "cells" else "string" for c in COLUMNS})


def _marks(case: Case, answers: list[tuple[Rule, Finding]]) -> pd.DataFrame:
    import pandas as pd

    parts = [pd.DataFrame(columns=list(MARKS))]
    for number, (rule, finding) in enumerate(answers):
        if not len(finding.cells):
            continue
        cells = case.cells.loc[list(finding.cells), _FEW_CELLS]
        parts.append(
            cells.assign(
                finding=number,
                rule=rule.name,
                severity=finding.severity,
                against=finding.against,
            )
        )
    frame = pd.concat(parts[1:] or parts, ignore_index=True)[list(MARKS)]
    sizes = ["file_size_bytes", "record_size_bytes", "threads"]
    words = [name for name in MARKS if name not in (*sizes, "finding")]
    kinds = dict.fromkeys(words, "string") | dict.fromkeys(sizes, "Int64")
    return frame.astype(kinds | {"finding": "int64"})
