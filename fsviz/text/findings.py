"""Findings for people: by severity, each with place, sentence, evidence and advice."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsviz.checks.findings import SEVERITIES
from fsviz.checks.phrases import count, listing
from fsviz.model.errors import printable

if TYPE_CHECKING:
    import pandas as pd

WIDTH = 100


def render_text(findings: pd.DataFrame, systems: int) -> str:
    """Write findings for a terminal."""
    blocks = []
    unchecked = findings["fact"] != ""
    for severity in SEVERITIES:
        rows = findings.loc[(findings["severity"] == severity) & ~unchecked]
        if len(rows):
            number = f"{len(rows)} info" if severity == "info" else ""
            blocks.append(f"{number or count(len(rows), severity)}\n".upper())
            blocks += [_block(row, systems) for row in rows.to_dict("records")]
    if unchecked.any():
        blocks.append(_not_checkable(findings.loc[unchecked]))
    blocks.append(_total(findings, unchecked))
    return "\n".join(blocks)


def _block(row: dict[str, str], systems: int) -> str:
    place = [row["tool"], _who(row["systems"], systems)]
    head = "  ".join([row["rule"], " · ".join(filter(None, place))]).rstrip()
    lines = [f"  {head}"]
    lines += _wrapped(row["message"], "    ", "    ")
    for word, text in (("seen", row["evidence"]), ("do", row["advice"])):
        sentence, _, command = text.partition("`")
        if text:
            lines += _wrapped(sentence, f"      {word + ':':<6}", " " * 12)
        if command:
            lines.append(" " * 12 + printable(command.rstrip("`")))
    return "\n".join(lines) + "\n"


def _who(names: Sequence[str], systems: int) -> str:
    if len(names) == systems > 2:
        return f"all {systems} systems"
    return listing(names)


def _wrapped(text: str, first: str, indent: str) -> list[str]:
    return textwrap.wrap(
        printable(text),
        WIDTH,
        initial_indent=first,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _not_checkable(findings: pd.DataFrame) -> str:
    lines = ["NOT CHECKABLE\n"]
    for fact, rows in findings.groupby("fact", sort=False):
        rules = listing(rows["rule"], most=30)
        lines += _wrapped(f"state {fact}: {rules}", "  ", "      ")
        lines += _wrapped(rows["advice"].iloc[0], "      do:   ", " " * 12)
    return "\n".join(lines) + "\n"


def _total(findings: pd.DataFrame, unchecked: pd.Series) -> str:
    counts = findings.loc[~unchecked, "severity"].value_counts()
    parts = [count(int(counts.get(s, 0)), s) for s in SEVERITIES[:2]]
    parts.append(f"{int(counts.get('info', 0))} info")
    if not len(findings):
        return "Nothing found.\n"
    return f"{', '.join(parts)}. A rule's page: fsviz check --explain RULE\n"
