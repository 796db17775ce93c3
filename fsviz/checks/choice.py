"""Which rules to ask."""

from __future__ import annotations

from collections.abc import Iterable

from fsviz.checks.rules import RULES, Rule
from fsviz.model.errors import UsageError, printable


def rule_named(name: str) -> Rule:
    """Find a rule.

    Raises
    ------
    UsageError
        If there is none of this name; it lists all names.
    """
    for rule in RULES:
        if rule.name == name:
            return rule
    names = ", ".join(rule.name for rule in RULES)
    raise UsageError(f"rule: expected one of {names}, found {printable(name)}")


def chosen(
    select: Iterable[str] | None = None, ignore: Iterable[str] | None = None
) -> list[Rule]:
    """List the rules to ask.

    Parameters
    ----------
    select, ignore : iterable of str or None
        Names; none selected means all.

    Raises
    ------
    UsageError
        If a name is unknown.
    """
    wanted = [rule_named(name) for name in select or ()] or list(RULES)
    left_out = [rule_named(name) for name in ignore or ()]
    return [rule for rule in RULES if rule in wanted and rule not in left_out]
