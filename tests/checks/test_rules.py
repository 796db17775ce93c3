"""Each rule has tests, on a real or minimally altered output, and a page.

The altered numbers and the limits are literals, so that the second route is arithmetic
on the page: 1 Gbit/s is 125,000,000 B/s, RAM and file sizes are powers of two.
"""

import re
from pathlib import Path

import pytest

from fsviz.checks import RULES


def test_every_rule_has_a_firing_and_a_silent_test():
    modules = Path(__file__).parent.glob("test_*.py")
    texts = [module.read_text() for module in modules]
    names = re.findall(r"^def (test_\w+)", "\n".join(texts), re.MULTILINE)
    for rule in RULES:
        mine = [n for n in names if n.startswith(f"test_{rule.name.replace('-', '_')}")]
        assert any("silent" not in name for name in mine), rule.name
        silent = any("silent" in name for name in mine)
        assert silent or rule.name in WITH_SILENT_CASES, rule.name


WITH_SILENT_CASES = ("unflushed-network-write", "durability-differs")
"""Rules whose firing test is parametrised over silent cases as well."""


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_a_page(rule):
    parts = re.findall(r"^## (.*)$", rule.page, re.MULTILINE)
    assert parts == [
        "What it means",
        "How it shows in a figure",
        "How to settle it",
        "Source",
    ]
    assert rule.page.startswith(f"# {rule.title}\n")
