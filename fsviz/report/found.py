"""What `fsviz check` finds, in Markdown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fsviz.checks.findings import SEVERITIES
from fsviz.model.escaping import markdown_text as escape

if TYPE_CHECKING:
    import pandas as pd

_CODE = re.compile(f"{escape('`')}(.+?){escape('`')}")


def describe_findings(findings: pd.DataFrame, tool: str | None = None) -> str:
    """List in Markdown what `fsviz.check` finds, the gravest first.

    Parameters
    ----------
    findings : DataFrame
        As `fsviz.check` returns them.
    tool : str or None
        Leave out what is about other tools only.

    Returns
    -------
    str
        Markdown; everything from files is escaped. The first finding of each rule has
        an anchor, ``finding-RULE``.
    """
    if tool is not None:
        about = findings["tool"].fillna("").str.split(", ")
        findings = findings.loc[[names == [""] or tool in names for names in about]]
    parts = []
    seen: set[str] = set()
    for severity in SEVERITIES:
        rows = findings.loc[findings["severity"] == severity]
        lines = [_item(row, seen) for row in rows.to_dict("records")]
        if lines and severity == "info":
            folded = "\n".join(lines)
            parts.append(
                f"<details><summary>{len(lines)} for information</summary>\n\n"
                f"{folded}\n\n</details>"
            )
        elif lines:
            parts.append(f"*{severity.capitalize()}s*\n\n" + "\n".join(lines))
    return "\n\n".join(parts) or "`fsviz check` found nothing wrong."


def _item(finding: dict[str, object], seen: set[str]) -> str:
    rule, message, evidence, advice = (
        _CODE.sub(r"<code>\1</code>", escape(str(finding[name])))
        for name in ("rule", "message", "evidence", "advice")
    )
    return (
        f"- {_anchor(rule, seen)}**{rule}**: {message}. *Seen:* {evidence}. "
        f"*To settle it:* {advice}."
    )


def _anchor(rule: str, seen: set[str]) -> str:
    """Give the first finding of a rule a place that figures can link to."""
    if rule in seen:
        return ""
    seen.add(rule)
    return f'<a id="finding-{rule}"></a>'
