"""What is wrong with this benchmark: rules, each a function from tables to findings.

`check` returns the findings; `run_checks` also the cells that each is about.
"""

from fsviz.checks.engine import check, run_checks
from fsviz.checks.findings import Examination, Finding
from fsviz.checks.registry import Rule
from fsviz.checks.rules import RULES

__all__ = [
    "RULES",
    "Examination",
    "Finding",
    "Rule",
    "check",
    "run_checks",
]
