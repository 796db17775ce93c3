"""The order of the runs: whether time may pass for a difference of the systems."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from fsviz.analysis.drift import LEVEL, ONE_AFTER_ANOTHER, SAME_ORDER
from fsviz.analysis.tests import FEWEST, take_turns
from fsviz.checks.case import Case
from fsviz.checks.findings import SEVERITIES, Finding
from fsviz.checks.phrases import MOST, count, listing
from fsviz.checks.registry import rule
from fsviz.model.libraries import np, pd
from fsviz.model.tools import title_of
from fsviz.model.units import significant

if TYPE_CHECKING:
    from numpy.typing import NDArray

Named = tuple[str, Finding]
"""What a finding is about, by which those of one tool are merged, and the finding."""


@rule(
    "not-interleaved",
    ("error", "warning", "info"),
    "the systems ran one after the other or in one fixed order, or runs drift; both",
    ("drift_runs", "drift_change"),
)
def not_interleaved(case: Case) -> Iterator[Finding]:
    """Find systems that ran one after the other or in one order, and drift.

    Order is a matter of runs that repeat one another: those of one configuration.
    """
    for tool in dict.fromkeys(group.tool for group in case.groups):
        merged: dict[str, list[Finding]] = {}
        runs_of_tool = case.runs.loc[case.runs["tool"] == tool]
        for _, runs in runs_of_tool.groupby("configuration", dropna=False, sort=False):
            for name, finding in _of_runs(case, tool, runs):
                merged.setdefault(name, []).append(finding)
        yield from map(_merged, merged.values())


def _merged(findings: Sequence[Finding]) -> Finding:
    """Say once what is so of several configurations of a tool."""
    worst = min(findings, key=lambda finding: SEVERITIES.index(finding.severity))
    return replace(
        worst,
        systems=list(dict.fromkeys(n for f in findings for n in f.systems)),
        cells=sorted({int(cell) for f in findings for cell in f.cells}),
    )


def _of_runs(case: Case, tool: str, runs: pd.DataFrame) -> Iterator[Named]:
    """Look at the runs of one configuration."""
    yield from _unknown(tool, runs)
    runs = runs.dropna(subset="started")
    drift = _drift(case, tool, runs)
    ordered = [
        *_not_in_turns(case, tool, runs, drift),
        *_same_order(case, tool, runs, drift),
    ]
    yield from ordered
    if drift is not None:
        shown = drift if ordered or not _in_turns(runs) else _shared(drift)
        yield "drift", shown


def _unknown(tool: str, runs: pd.DataFrame) -> Iterator[Named]:
    """Say that nobody knows in which order runs were made."""
    often = runs.groupby("system", observed=True).size()
    without = runs.loc[runs["started"].isna(), "system"].astype(str).unique()
    if (often > 1).sum() > 1 and len(without):
        why = f"runs of {listing(without)} have no start time"
        yield "unknown", _order_unknown(tool, list(without), why)


def _order_unknown(tool: str, systems: Sequence[str], why: str) -> Finding:
    """Say which fact would tell the order."""
    return Finding(
        "info",
        "order unknown: if the systems ran one after another, or in the same order "
        "every round, drift would look like a difference",
        f"{title_of(tool)}: {why}",
        "keep the output that shows the order: IOzone's banner, bonnie++'s CSV row",
        systems=list(systems),
        tool=tool,
    )


def _not_in_turns(
    case: Case, tool: str, runs: pd.DataFrame, drift: Finding | None
) -> Iterator[Named]:
    times = runs.groupby("system")["started"].agg(["min", "max", "nunique"])
    times = times.loc[times["nunique"] > 1]
    spans = dict(
        zip(times.index, zip(times["min"], times["max"], strict=True), strict=True)
    )
    if len(spans) < 2:
        return
    base = case.baseline if case.baseline in spans else next(iter(spans))
    first, last = spans[base]
    names = [n for n, (a, b) in spans.items() if n != base and (a > last or b < first)]
    if not names:
        return
    a, b = spans[names[0]]
    yield (
        ONE_AFTER_ANOTHER,
        _ordered(
            case,
            tool,
            base,
            names,
            drift,
            message=f"{listing(names)} ran at another time than {base}: what changed "
            "meanwhile would look like a difference of the systems",
            evidence=f"{title_of(tool)} on {base} from {first} to {last}; {names[0]} "
            f"from {a} to {b}",
        ),
    )


def _same_order(
    case: Case, tool: str, runs: pd.DataFrame, drift: Finding | None
) -> Iterator[Named]:
    """Find rounds that all have one order: drift within a round shifts every ratio."""
    order = runs.sort_values("started")["system"].astype(str).to_numpy()
    names = list(dict.fromkeys(order))
    rounds, left = divmod(len(order), max(len(names), 1))
    if len(names) < 2 or left or rounds < FEWEST:
        return
    if (order.reshape(rounds, len(names)) != names).any():
        return
    if (runs.groupby("started")["system"].nunique() > 1).any():
        # tools print whole seconds: of runs within one the files' order is no evidence
        why = f"runs of {listing(names)} began in the same second"
        yield "unknown", _order_unknown(tool, names, why)
        return
    base = case.baseline if case.baseline in names else names[0]
    yield (
        SAME_ORDER,
        _ordered(
            case,
            tool,
            base,
            [name for name in names if name != base],
            drift,
            message="the systems ran in the same order in every round: what changes "
            "within a round looks like a difference of the systems",
            evidence=f"{title_of(tool)}: {', '.join(names[:MOST])} in each of "
            f"{count(rounds, 'round')}",
        ),
    )


def _in_turns(runs: pd.DataFrame) -> bool:
    """Say whether the systems took turns, so that they are compared round by round."""
    runs = runs.sort_values("started")
    first, *starts = (
        rows.to_numpy() for _, rows in runs.groupby("system", observed=True)["started"]
    )
    return bool(starts) and all(take_turns(first, other) for other in starts)


def _shared(drift: Finding) -> Finding:
    """Say of a drift that both sides of every round share it."""
    return replace(
        drift,
        severity="info",
        message=f"{drift.message}; as the systems took turns, this shifts no ratio",
        advice="look for what fills up, warms up or was running at the same time",
    )


def _ordered(
    case: Case,
    tool: str,
    base: str,
    names: Sequence[str],
    drift: Finding | None,
    *,
    message: str,
    evidence: str,
) -> Finding:
    """A difference of these systems may be one of the times at which they ran."""
    drifts = drift is not None
    return Finding(
        "error" if drifts else "warning",
        message + (", and runs do drift" if drifts else ""),
        evidence,
        "let the systems take turns, in a new random order in each round (fsviz run)",
        systems=names,
        tool=tool,
        cells=case.of_systems(tool, names),
        against=base,
    )


def _drift(case: Case, tool: str, runs: pd.DataFrame) -> Finding | None:
    """Test whether the runs of all systems share a slope over time."""
    if len(runs) < case.limits["drift_runs"]:
        return None
    slot = runs["started"].rank()  # those that began in one second share a slot
    at, level, groups = [], [], 0
    for _, group in runs.groupby("group"):
        levels = case.levels.loc[group.index].to_numpy()
        is_complete = ~np.isnan(levels).any(axis=0)
        if len(levels) > 1 and is_complete.any():
            place = slot.loc[group.index].to_numpy(float)
            mean = levels[:, is_complete].mean(axis=1)
            at.append(place - place.mean())
            level.append(mean - mean.mean())
            groups += 1
    if not at:
        return None
    x, y = np.concatenate(at), np.concatenate(level)
    change, p = _slope(x, y, len(x) - groups - 1)
    change = math.expm1(change * (len(runs) - 1))
    if p >= LEVEL or abs(change) <= case.limits["drift_change"]:
        return None
    way = "faster" if change > 0 else "slower"
    return Finding(
        "warning",
        f"what {title_of(tool)} measures drifts: its runs become {way} with time, "
        "whatever the system",
        f"{change:+.0%} from the first to the last of {count(len(runs), 'run')}, "
        f"p = {significant(p, 2)}",
        "let the systems take turns, in a new random order in each round (fsviz run), "
        "and look for what fills up or warms up",
        systems=list(dict.fromkeys(runs["system"].astype(str))),
        tool=tool,
    )


def _slope(
    x: NDArray[np.float64], y: NDArray[np.float64], freedom: int
) -> tuple[float, float]:
    """Return a slope through the origin and its two-sided p; 1 where none is known."""
    from fsviz.model.libraries import special

    spread = float(x @ x)
    if freedom < 1 or spread == 0:
        return 0.0, 1.0
    slope = float(x @ y) / spread
    left = float(np.sum((y - slope * x) ** 2))
    if left == 0:
        return slope, 0.0 if slope else 1.0
    t = slope / math.sqrt(left / freedom / spread)
    return slope, float(2 * special.stdtr(freedom, -abs(t)))
