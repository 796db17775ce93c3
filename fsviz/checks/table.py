"""The table of rules as Markdown, for the README: ``python -m fsviz.checks.table``."""

from __future__ import annotations

import sys

from fsviz.checks.rules import RULES

BEGIN, END = "<!-- rules:begin -->", "<!-- rules:end -->"


def rules_table() -> str:
    """Write the table of rules.

    Returns
    -------
    str
        Markdown, with a line end at the end.

    Examples
    --------
    >>> rules_table().splitlines()[0]
    '| rule | fires when | severity |'
    """
    lines = ["| rule | fires when | severity |", "| --- | --- | --- |"]
    lines += [
        f"| `{rule.name}` | {rule.fires} | {', '.join(rule.severities)} |"
        for rule in RULES
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.stdout.write(rules_table())
