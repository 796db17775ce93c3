"""Each rule has its conditions, a page, and its findings in our own campaigns."""

import os
import re
import sys
from pathlib import Path

import pytest
from each import each
from samples import loaded

from fsviz.checks.engine import run_checks
from fsviz.checks.rules import RULES

ROOT = Path(__file__).parents[2]
FINDINGS = Path(__file__).with_name("findings.csv")


def test_every_rule_is_held_to_its_conditions():
    modules = Path(__file__).parent.glob("test_*.py")
    texts = "".join(m.read_text() for m in modules if m.name != Path(__file__).name)
    assert [r.name for r in RULES if f'"{r.name}"' not in texts] == []


WORDS = {
    "cache-regime": "`faster (cache)`",
    "over-line-rate": "`(cache)`",
    "exceeds-memory-speed": "`(cache)`",
    "whole-file-record": "`(cache)`",
    "confounded": "`(also differs: operating system)`",
    "durability-differs": "`(sync against async)`",
    "invalid-mode": "not comparable",
    "test-file-elsewhere": "not comparable",
    "settings-differ": "not comparable",
    "clock-quantised": "not comparable",
}
"""What each rule does to the verdict of a comparison: a scope, or not comparable."""


def changing_rules():
    """Rules that say of a finding that it has a scope or disqualifies."""
    for path in Path(sys.modules["fsviz.checks.rules"].__path__[0]).glob("*.py"):
        text = path.read_text(encoding="utf-8")
        # each part begins with the name of a rule; helpers follow the rule they serve
        for part in text.split("@rule(")[1:]:
            if re.search(r"\b(scope|disqualifies)=", part):
                yield re.findall(r'"([a-z-]+)"', part)[0]


def test_every_rule_that_changes_a_verdict_is_known_here():
    assert set(changing_rules()) | {"cache-regime"} == set(WORDS)


@each(WORDS)
def test_a_page_says_what_a_verdict_then_says(name):
    (page,) = (rule.page for rule in RULES if rule.name == name)
    assert WORDS[name] in " ".join(page.partition("## How it shows")[0].split())


@each(RULES, lambda rule: rule.name)
def test_every_rule_has_a_page(rule):
    parts = re.findall(r"^## (.*)$", rule.page, re.MULTILINE)
    assert parts == (
        ["What it means", "How it shows in a figure", "How to settle it", "Source"]
    )
    assert rule.page.startswith(f"# {rule.title}\n")


COMMITTED = sorted(path for path in (ROOT / "data").glob("*/*") if path.is_dir())
LISTED = ("systems", "operations", "tools")
SHOWN = ("rule", "severity", *LISTED, "cells", "source", "locator", "fact", "numbers")


def told():
    """Write a line a finding of every committed campaign: all but its words."""
    for folder in COMMITTED:
        examined = run_checks(loaded(folder.relative_to(ROOT)))
        marks = examined.marks.groupby("finding")
        for number, row in examined.findings.iterrows():
            row["numbers"] = " ".join(re.findall(r"[\d.,]*\d", row["evidence"]))
            cells = [" ".join(row[n]) if n in LISTED else str(row[n]) for n in SHOWN]
            if number in marks.groups:
                kinds = marks.get_group(number)[["scope", "disqualifies", "against"]]
                cells += [
                    f"{s}/{d}/{a}"
                    for s, d, a in sorted(set(kinds.itertuples(index=False)))
                ]
            yield ";".join([folder.name, *cells]) + "\n"


@pytest.mark.slow
def test_the_committed_campaigns_have_these_findings(monkeypatch):
    """``FSVIZ_GOLDENS=write`` before pytest writes them anew."""
    monkeypatch.chdir(ROOT)
    now = list(told())
    if os.environ.get("FSVIZ_GOLDENS") == "write":
        FINDINGS.write_text("".join(now))
        pytest.skip("written anew")
    assert now == FINDINGS.read_text().splitlines(keepends=True)
