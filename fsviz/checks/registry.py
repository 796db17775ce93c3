"""What a rule is, and how its function registers it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources

from fsviz.checks.case import Case
from fsviz.checks.findings import Finding, Severity

Find = Callable[[Case], Iterable[Finding]]


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that may be wrong with a benchmark, and the function that finds it."""

    name: str
    severities: Sequence[Severity]
    fires: str
    find: Find
    thresholds: Sequence[str] = ()

    @property
    def page(self) -> str:
        """The teaching text: what it means, how it shows, how to settle it, source."""
        folder = resources.files("fsviz.checks") / "pages"
        return (folder / f"{self.name}.md").read_text(encoding="utf-8")

    @property
    def title(self) -> str:
        """Its page's heading."""
        return self.page.partition("\n")[0].removeprefix("# ").strip()


_REGISTERED: dict[str, Rule] = {}


def rule(
    name: str,
    severities: Sequence[Severity],
    fires: str,
    thresholds: Sequence[str] = (),
) -> Callable[[Find], Find]:
    """Register the function below as a rule; the parameters are those of `Rule`."""

    def register(find: Find) -> Find:
        if name in _REGISTERED:
            raise ValueError(f"rule: expected a new name, found {name} again")
        _REGISTERED[name] = Rule(name, severities, fires, find, thresholds)
        return find

    return register


def registered(order: Sequence[str]) -> tuple[Rule, ...]:
    """List all rules in an order."""
    if differing := set(order) ^ set(_REGISTERED):
        raise ValueError(f"rules: expected each once, found {sorted(differing)} once")
    return tuple(_REGISTERED[name] for name in order)
