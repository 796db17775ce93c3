"""The table of rules: name, severities, when it fires, function, thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources

from fsviz.checks import caches, design, network, repeats, writes
from fsviz.checks.case import Case
from fsviz.checks.findings import Finding, Severity
from fsviz.errors import UsageError, printable

_ALL: tuple[Severity, ...] = ("error", "warning", "info")
_STRICT: tuple[Severity, ...] = ("error",)
_WARNING: tuple[Severity, ...] = ("warning",)
_MIXED: tuple[Severity, ...] = ("warning", "info")
_HARD: tuple[Severity, ...] = ("error", "warning")
_INFO: tuple[Severity, ...] = ("info",)


@dataclass(frozen=True, slots=True)
class Rule:
    """Something that may be wrong with a benchmark, and the function that finds it.

    Parameters
    ----------
    name : str
        As in ``--select`` and in the findings.
    severities : sequence of {'error', 'warning', 'info'}
        That it can have; an answer "not checkable" is always info.
    fires : str
        When it fires, in one line.
    find : callable
        From a `Case` to findings.
    thresholds : sequence of str
        Names of `fsviz.thresholds.THRESHOLDS` that it uses.
    """

    name: str
    severities: Sequence[Severity]
    fires: str
    find: Callable[[Case], Iterable[Finding]]
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


RULES: tuple[Rule, ...] = (
    Rule(
        "cache-regime",
        _MIXED,
        "labels each cell cache, transition or storage; a size class mixes labels",
        caches.cache_regime,
        ("storage_multiple",),
    ),
    Rule(
        "no-storage-cells",
        _HARD,
        "the largest file is below 3 times the client's RAM",
        caches.no_storage_cells,
        ("storage_multiple",),
    ),
    Rule(
        "cache-cliff",
        _MIXED,
        "throughput halves in one doubling of file size; inside one size class",
        caches.cache_cliff,
        ("cliff_ratio",),
    ),
    Rule(
        "over-line-rate",
        _HARD,
        "throughput above what the link carries",
        network.over_line_rate,
        ("assumed_mtu",),
    ),
    Rule(
        "write-back",
        _WARNING,
        "write is 2 times read at the largest file, and nothing is flushed in time",
        writes.write_back,
        ("write_back_ratio",),
    ),
    Rule(
        "unflushed-network-write",
        _WARNING,
        "writes over a network are timed without a flush",
        writes.unflushed_network_write,
        ("storage_multiple",),
    ),
    Rule(
        "test-file-elsewhere",
        _HARD,
        "IOzone's test file was not, or may not have been, on the system under test",
        network.test_file_elsewhere,
    ),
    Rule(
        "settings-differ",
        _STRICT,
        "compared runs differ in options, version, word size, sizes or threads",
        design.settings_differ,
    ),
    Rule(
        "confounded",
        _STRICT,
        "the systems differ in a fact besides the one compared",
        design.confounded,
    ),
    Rule(
        "durability-differs",
        _STRICT,
        "one side waits for stable storage and the other does not",
        writes.durability_differs,
    ),
    Rule(
        "too-few-runs",
        _ALL,
        "one run; fewer than 3; fewer than 5",
        repeats.too_few_runs,
        ("runs_warning", "runs_info"),
    ),
    Rule(
        "unstable-cell",
        _ALL,
        "runs scatter by more than 25 %, 10 %, 5 % in a cell",
        repeats.unstable_cell,
        ("cv_error", "cv_warning", "cv_info"),
    ),
    Rule(
        "outlier-run",
        _WARNING,
        "a run lies 10 robust standard deviations from the others",
        repeats.outlier_run,
        ("outlier_deviations", "outlier_ratio"),
    ),
    Rule(
        "not-interleaved",
        _WARNING,
        "the systems ran one after the other, or runs drift",
        design.not_interleaved,
        ("drift_runs", "drift_change"),
    ),
    Rule(
        "many-tests",
        _INFO,
        "says how many tests are made and what chance alone would find",
        repeats.many_tests,
        ("false_hits",),
    ),
    Rule(
        "means-disagree",
        _WARNING,
        "geometric mean, total time and mean name different winners",
        repeats.means_disagree,
    ),
    Rule(
        "undisclosed",
        _INFO,
        "facts are missing that a reader needs to repeat the measurement",
        design.undisclosed,
    ),
)
"""Every rule, in the order of the README's table."""


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
