"""Findings as SARIF 2.1.0, which code hosts and editors show beside the files."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from fsviz.checks.registry import Rule
from fsviz.checks.rules import RULES
from fsviz.model.escaping import json_text

if TYPE_CHECKING:
    import pandas as pd

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def render_sarif(findings: pd.DataFrame, version: str) -> str:
    """Write findings as one SARIF log."""
    driver = {
        "name": "fsviz",
        "version": version,
        "informationUri": "https://github.com/fsviz/fsviz",
        "rules": [_rule(rule) for rule in RULES],
    }
    results = [_result(row) for row in findings.to_dict("records")]
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
    log = {"$schema": SCHEMA, "version": "2.1.0", "runs": [run | {"results": results}]}
    return json_text(json.dumps(log, indent=1, ensure_ascii=False)) + "\n"


def _rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.name,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": f"Fires when: {rule.fires}."},
        "help": {"text": rule.page, "markdown": rule.page},
        "defaultConfiguration": {"level": _LEVELS[rule.severities[0]]},
    }


def _result(row: dict[str, str]) -> dict[str, object]:
    names = [rule.name for rule in RULES]
    parts = [row["message"], row["evidence"], row["advice"]]
    result: dict[str, object] = {
        "ruleId": row["rule"],
        "ruleIndex": names.index(row["rule"]),
        "level": _LEVELS[row["severity"]],
        "message": {"text": ". ".join(part for part in parts if part)},
        "properties": {
            key: row[key] for key in ("system", "tool", "operation", "cells")
        },
    }
    if row["source"]:
        result["locations"] = [{"physicalLocation": _place(row)}]
    return result


def _place(row: dict[str, str]) -> dict[str, object]:
    place: dict[str, object] = {
        "artifactLocation": {"uri": quote(row["source"], safe="/+")}
    }
    line = re.search(r"line (\d+)", row["locator"])
    if line:
        place["region"] = {"startLine": int(line[1])}
    return place
