"""What a rule answers: findings, and the cells that they are about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.analysis.arranged import Arranged

Severity = Literal["error", "warning", "info"]
SEVERITIES: tuple[Severity, ...] = get_args(Severity)

COLUMNS = (
    "rule",
    "severity",
    "system",
    "operation",
    "message",
    "evidence",
    "advice",
    "tool",
    "cells",
    "source",
    "locator",
    "systems",
    "operations",
    "tools",
    "fact",
)
"""Columns of the findings frame.

``cells`` counts the cells concerned; ``systems``, ``operations``, ``tools`` are lists,
which ``system``, ``operation`` and ``tool`` write for people; ``fact`` is the fact that
is not stated where a rule could not be asked, else empty.
"""

LISTS = ("systems", "operations", "tools")

MARKS = (
    "finding",
    "rule",
    "severity",
    "system",
    "against",
    "disqualifies",
    "scope",
    "tool",
    "operation",
    "file_size_bytes",
    "record_size_bytes",
    "threads",
    "metric",
)
"""Columns of the marks frame; what is missing stands for any."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about a benchmark, what shows it, and what would settle it.

    Parameters
    ----------
    severity : {'error', 'warning', 'info'}
    message : str
        One sentence.
    evidence : str
        Numbers with their places.
    advice : str
        The option, command or line of campaign.toml that would settle it.
    systems, operations : sequence of str
        What it is about; empty for all.
    tools : sequence of str
        Whose output it is about; ``tool`` is one.
    cells : sequence of int
        Numbers of the cells that show it, in `fsviz.checks.case.Case.cells`.
    place : (str, str)
        Source and locator of the number that shows it best.
    against : str
        The other system, if the finding is about a comparison of the two only.
    fact : str
        The fact that is not stated, so that the rule cannot be asked.
    disqualifies : bool
        Whether no verdict may rest on these cells: the numbers are not of the thing
        named, or not of the same work.
    scope : str
        What a verdict on these cells is about, such as ``cache``; empty if the finding
        says nothing about that.
    """

    severity: Severity
    message: str
    evidence: str = ""
    advice: str = ""
    systems: Sequence[str] = ()
    operations: Sequence[str] = ()
    tool: str = ""
    tools: Sequence[str] = ()
    cells: Sequence[int] = ()
    place: tuple[str, str] = ("", "")
    against: str = ""
    fact: str = ""
    disqualifies: bool = False
    scope: str = ""

    @property
    def lists(self) -> dict[str, list[str]]:
        """What it is about, each once; an empty list means all."""
        tools = [*self.tools, self.tool] if self.tool else self.tools
        names = (self.systems, self.operations, tools)
        return {
            column: list(dict.fromkeys(map(str, some)))
            for column, some in zip(LISTS, names, strict=True)
        }


@dataclass(frozen=True)
class Examination:
    """The answer of all rules.

    Parameters
    ----------
    findings : DataFrame
        One row a finding, errors first; columns of `COLUMNS`.
    marks : DataFrame
        One row a cell that a finding is about, or a system and operation with all its
        cells; columns of `MARKS`, ``finding`` being the row of ``findings``.
    regimes : DataFrame or None
        One row a cell of a system whose data's size says which memory may have
        answered: where it is, and ``regime``, one of ``cache transition storage``.
    arranged : Arranged or None
        The campaign's numbers, for those who compare what was examined.
    against : callable or None
        Examines the same campaign, by the same rules, against another system.
    """

    findings: pd.DataFrame
    marks: pd.DataFrame
    regimes: pd.DataFrame | None = None
    arranged: Arranged | None = None
    against: Callable[[str], Examination] | None = None


def disqualified(examination: Examination) -> pd.DataFrame:
    """List what no verdict may rest on.

    Parameters
    ----------
    examination : Examination
        As `fsviz.checks.run_checks` returns it.

    Returns
    -------
    DataFrame
        Columns of `MARKS`, one row a rule and cell. A missing operation, size, number
        of threads or metric stands for all of them. ``against`` is empty where the
        system's own number is at fault; else only the comparison of ``system`` with
        ``against`` (either may be the baseline) is.
    """
    marks = examination.marks
    return marks.loc[marks["disqualifies"]].reset_index(drop=True)
