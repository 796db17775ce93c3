"""What `fsviz check` finds, as a list that figures can link to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fsviz.checks.findings import SEVERITIES
from fsviz.model.escaping import markdown_text
from fsviz.text.html import trust_html

if TYPE_CHECKING:
    import pandas as pd
    from IPython.display import Markdown

    from fsviz.answers.comparison import Comparison

_CODE = re.compile(f"{markdown_text('`')}(.+?){markdown_text('`')}")


def findings(comparison: Comparison) -> Markdown:
    """List what `fsviz check` finds about the tools of a comparison.

    Parameters
    ----------
    comparison : Comparison
        Of the page.

    Returns
    -------
    IPython Markdown
        Everything from files is escaped.
    """
    from IPython.display import Markdown

    rows = comparison.findings
    if rows is None:
        return Markdown("")
    questions = trust_html(comparison.trust)
    return Markdown(f"{questions}\n\n{describe_findings(rows)}")


def describe_findings(findings: pd.DataFrame) -> str:
    """List in Markdown what `fsviz.check` finds, the most serious first.

    Parameters
    ----------
    findings : DataFrame
        As `fsviz.check` returns them.

    Returns
    -------
    str
        Markdown; everything from files is escaped. The first finding of each rule has
        an anchor, ``finding-RULE``.
    """
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
        _CODE.sub(r"<code>\1</code>", markdown_text(str(finding[name])))
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
