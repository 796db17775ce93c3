"""The table of rules: name, severities, when it fires, function, thresholds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources

from fsviz.checks.case import Case
from fsviz.checks.findings import Finding, Severity
from fsviz.checks.rules import (
    caches,
    clock,
    design,
    disclosure,
    matching,
    memory,
    network,
    outcomes,
    repeats,
    writes,
)

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
        Names of `fsviz.model.thresholds.THRESHOLDS` that it uses.
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
        ("assumed_mtu", "unstated_link"),
    ),
    Rule(
        "exceeds-memory-speed",
        _WARNING,
        "a value above what memory can copy, in a file larger than the CPU cache",
        memory.exceeds_memory_speed,
        ("memory_speed", "cpu_cache"),
    ),
    Rule(
        "whole-file-record",
        _WARNING,
        "cold reads (-U) whose record is the whole file",
        memory.whole_file_record,
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
        "random-beats-sequential",
        _WARNING,
        "random read reaches 0.9 times read with records up to 64 KiB",
        memory.random_beats_sequential,
        ("random_ratio", "random_share"),
    ),
    Rule(
        "warm-first-read",
        _INFO,
        "reread is as fast as read below the RAM, without -U or -I",
        memory.warm_first_read,
        ("reread_band",),
    ),
    Rule(
        "too-short",
        _ALL,
        "cells that took less than 1 ms, 5 ms, 0.5 s",
        clock.too_short,
        ("too_short_error", "too_short_warning", "too_short_info"),
    ),
    Rule(
        "clock-quantised",
        _WARNING,
        "the clock's resolution is above 1 % of a cell's time",
        clock.clock_quantised,
        ("clock_share",),
    ),
    Rule(
        "rounded-away",
        _WARNING,
        "rounding of the printed digits alone moves a ratio by more than 10 %",
        clock.rounded_away,
        ("rounding",),
    ),
    Rule(
        "invalid-mode",
        _HARD,
        "the tool calls its measurements invalid; throughput is mixed with ops/s or µs",
        outcomes.invalid_mode,
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
        "unmatched-cells",
        _WARNING,
        "cells that one side lacks; size classes with different record sizes",
        matching.unmatched_cells,
    ),
    Rule(
        "incomplete-run",
        _HARD,
        "the output stops before its end mark, or an error line stands in it",
        outcomes.incomplete_run,
    ),
    Rule(
        "small-for-memory",
        _MIXED,
        "bonnie++ with less than 2 times the RAM; values printed as +++++",
        outcomes.small_for_memory,
        ("bonnie_multiple",),
    ),
    Rule(
        "cpu-bound",
        _WARNING,
        "the CPU was 90 % busy or more",
        outcomes.cpu_bound,
        ("cpu_percent",),
    ),
    Rule(
        "stragglers",
        _WARNING,
        "throughput mode: the slowest child is below half of the fastest",
        outcomes.stragglers,
        ("straggler_ratio",),
    ),
    Rule(
        "undisclosed",
        _INFO,
        "facts are missing that a reader needs to repeat the measurement",
        disclosure.undisclosed,
    ),
)
"""Every rule, in the order of the README's table."""
