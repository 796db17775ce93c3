"""What a rule answers: findings, and the cells that they are about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, get_args

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.checks.case import Case

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
    "setting",
    "metric",
)
"""Columns of the marks frame; what is missing stands for any."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One sentence about a benchmark, what shows it, and what would settle it."""

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
            column: list(dict.fromkeys(map(str, values)))
            for column, values in zip(LISTS, names, strict=True)
        }


def findings_about(
    findings: pd.DataFrame, systems: Sequence[str], tools: Sequence[str]
) -> pd.DataFrame:
    """Keep the findings about some systems and tools; an empty list means all."""
    for column, shown in (("systems", {*systems}), ("tools", {*tools})):
        if shown:
            about = [not names or bool(shown & {*names}) for names in findings[column]]
            findings = findings.loc[about]
    return findings


@dataclass(frozen=True)
class Examination:
    """The answer of all rules."""

    findings: pd.DataFrame
    marks: pd.DataFrame
    regimes: pd.DataFrame | None = None
    case: Case | None = None
    shared: dict[str, Any] = field(default_factory=dict, repr=False)
    """What `fsviz.checks.judgement` keeps of the cells, by baseline."""
