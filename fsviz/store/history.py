"""A store's campaigns one after another: one system, one operation, over time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.analysis.changes import Change, course
from fsviz.analysis.gaps import fill_missing
from fsviz.analysis.tests import mean_interval
from fsviz.campaigns.versions import changed_facts
from fsviz.model.errors import UsageError
from fsviz.model.libraries import np, pd
from fsviz.model.names import Names, choose
from fsviz.model.table import MAIN_METRICS, METRICS
from fsviz.store._speeds import opened, speeds, stated
from fsviz.store.manifest import Kept, manifest

if TYPE_CHECKING:
    from numpy.typing import NDArray

COLUMNS = (
    *("campaign", "key", "began", "metric", "n_runs", "n_cells", "value", "value_low"),
    *("value_high", "ci_low", "ci_high", "unit", "ratio", "level", "change"),
    *("change_limit", "change_low", "change_high", "p_value", "verdict", "drift"),
    *("drift_low", "drift_high", "unseen", "facts"),
)
"""Of a history: one row a campaign."""

_JUDGED = (
    *("metric", "geomean_ratio", "ci_low", "ci_high", "bound_low", "bound_high"),
    *("q_value", "n_baseline", "n_candidate", "fewest"),
)
"""What `fsviz.analysis.verdicts.verdicts` asks for."""


def history(
    store: Path | str,
    *,
    system: str,
    operation: str,
    tool: str = "",
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Follow one system and one operation through the campaigns of a store.

    Parameters
    ----------
    store : Path
        Folder that ``fsviz ingest`` wrote.
    system, operation : str
        System and operation to follow.
    tool : str
        Tool to follow; by default the tool that most campaigns used.
    confidence : float
        Confidence level of the intervals.

    Returns
    -------
    DataFrame
        One row per campaign that measured both, in the order of measurement. ``value``
        is the geometric mean over cells [base unit of the metric], with the interval of
        a mean over runs. `fsviz.analysis.gaps.fill_missing` fills cells that a run
        lacks. ``ratio`` is relative to the previous campaign. ``level`` numbers the
        levels between changes, which `fsviz.analysis.changes.course` finds. At the
        first campaign of a new level, ``change`` is its ratio to the previous level,
        with interval, p value and verdict. If the series drifts instead, ``drift`` in
        every row is last ÷ first along a straight line, with its interval. ``unseen``
        marks the last campaigns, in which no change could be shown. If a run has a
        bound instead of a number (``+++++``), ``value`` is missing, ``value_low`` or
        ``value_high`` is the bound of the value, and ``change_limit`` replaces
        ``change``. ``facts`` lists changed facts, as fact, was, is.

    Raises
    ------
    UsageError
        If the store holds no such system or operation.
    ParseError
        If the store is damaged.
    """
    store = Path(store)
    held = _chosen(store, system, operation, tool)
    stored = opened(store, held)
    rows = speeds(stored, system, operation, tool)
    if rows.empty:
        raise UsageError(f"{store}: no campaign has a speed of {operation} of {system}")
    # a campaign of many cells counts no more than another; of equals the first
    campaigns = rows.groupby("tool", observed=True)["key"].nunique()
    tool = tool or str(campaigns.idxmax())
    rows = rows.loc[rows["tool"] == tool]
    metric = next(m for m in MAIN_METRICS if (rows["metric"] == m).any())
    rows = _with_bounds(rows.loc[rows["metric"] == metric])
    if rows["bound"].all():
        bounds = f"every run of {operation} of {system} printed a bound such as +++++"
        raise UsageError(f"{store}: expected numbers, found that {bounds}")
    there = set(rows["key"].unique())
    held = {key: kept for key, kept in held.items() if key in there}
    frame = _levels(rows, held, metric, confidence)
    frame = _with_changes(frame, metric, confidence)
    facts = stated({key: stored[key] for key in held}, system, tool)
    return frame.assign(facts=_told(facts))[list(COLUMNS)]


@dataclass(frozen=True, slots=True)
class Followed:
    """One system and operation, with its history."""

    system: str
    operation: str
    frame: pd.DataFrame

    @property
    def changes(self) -> pd.DataFrame:
        """Rows of the campaigns at which the level changed."""
        return self.frame.loc[self.frame["verdict"] != ""]

    @property
    def has_changed(self) -> bool:
        """Whether its level changed, or drifted."""
        return bool(len(self.changes) or self.frame["drift"].notna().any())


def histories(
    store: Path | str,
    *,
    systems: Names = None,
    operations: Names = None,
    tool: str = "",
) -> list[Followed]:
    """Follow every system and operation through the campaigns of a store.

    Parameters
    ----------
    store : Path
        Folder that ``fsviz ingest`` wrote.
    systems, operations : str, iterable of str or None
        Systems and operations to follow; none for all.
    tool : str
        Tool to follow; by default the tool that most campaigns of a history used.

    Returns
    -------
    list of Followed
        Changed histories first, with the largest change at the top.

    Raises
    ------
    UsageError
        If the store holds no such system, operation or tool, or no speed.
    ParseError
        If the store is damaged.
    """
    held = manifest(Path(store)).values()
    choose("tool", tool or None, _known(held, "tool"))
    names, known = _known(held, "system"), _known(held, "operation")
    found = []
    for system in choose("system", systems, names) or names:
        for operation in choose("operation", operations, known) or known:
            try:
                frame = history(store, system=system, operation=operation, tool=tool)
            except UsageError:
                continue  # this system was not measured so
            found.append(Followed(system, operation, frame))
    if not found:
        raise UsageError(f"{store}: expected speeds of several campaigns, found none")
    return sorted(found, key=_largest_change, reverse=True)


def _largest_change(followed: Followed) -> float:
    changes = followed.changes
    sizes = changes["change"].fillna(changes["change_limit"])
    sizes = [*sizes.dropna(), *followed.frame["drift"].dropna()]
    return max((abs(math.log(one)) for one in sizes), default=0)


def _known(held: Iterable[Kept], kind: str) -> list[str]:
    return sorted({name for kept in held for name in getattr(kept, kind + "s")})


def _chosen(store: Path, system: str, operation: str, tool: str) -> dict[str, Kept]:
    """Campaigns that have what is asked for, the first measured first."""
    held = manifest(store)
    if not held:
        raise UsageError(f"{store}: expected a store that fsviz ingest wrote")
    for what, name in (("system", system), ("operation", operation), ("tool", tool)):
        choose(what, name or None, _known(held.values(), what))
    having = {
        key: kept
        for key, kept in held.items()
        if system in kept.systems
        and operation in kept.operations
        and (not tool or tool in kept.tools)
    }
    if not having:
        raise UsageError(f"{store}: no campaign has {operation} of {system}")
    return dict(sorted(having.items(), key=lambda item: (item[1].began, item[0])))


def _with_bounds(rows: pd.DataFrame) -> pd.DataFrame:
    """Let a bound stand for a number that is not there: 1 from below, -1 from above."""
    timed, least = rows["value"] > 0, rows["low"] > 0
    number = rows["value"].where(timed, rows["low"].where(least, rows["high"]))
    bound = np.where(timed, 0, np.where(least, 1, -1))
    return rows.assign(value=number, bound=bound).loc[number > 0]


def _levels(
    rows: pd.DataFrame, held: Mapping[str, Kept], metric: str, confidence: float
) -> pd.DataFrame:
    """One row a campaign: geometric mean over cells, interval over runs.

    ``at`` is the mean, or its limit where a run has a bound; ``bound`` says which.
    """
    wide, first = _by_run(rows, list(held))
    values = np.exp(fill_missing(np.log(wide)).mean(axis=1))
    cells = np.logical_or.reduceat(np.isfinite(wide), first).sum(axis=1)
    sizes = np.diff([*first, len(values)])
    campaign = np.repeat(np.arange(len(held)), sizes)
    runs = np.full((sizes.max(), len(held)), np.nan)
    runs[np.arange(len(values)) - first[campaign], campaign] = values
    low, high = mean_interval(runs, metric, confidence)
    sides = rows.groupby("key", observed=False)["bound"].agg(["min", "max"])
    bound = sides.loc[list(held)].sum(axis=1).clip(-1, 1).to_numpy()
    mixed = (sides["min"] * sides["max"] < 0).loc[list(held)].to_numpy()
    at = np.exp(np.add.reduceat(np.log(values), first) / sizes)
    exact = (bound == 0) & ~mixed
    return pd.DataFrame(
        {
            "campaign": [kept.name for kept in held.values()],
            "key": list(held),
            "began": [kept.began for kept in held.values()],
            "metric": metric,
            "n_runs": sizes,
            "n_cells": cells,
            "at": at,
            "bound": bound,
            "value": np.where(exact, at, np.nan),
            "value_low": np.where(bound > 0, at, np.nan),
            "value_high": np.where(bound < 0, at, np.nan),
            "ci_low": np.where(exact, low, np.nan),
            "ci_high": np.where(exact, high, np.nan),
            "unit": METRICS[metric].unit,
        }
    )


def _by_run(
    rows: pd.DataFrame, keys: list[str]
) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
    """Arrange values as runs × cells; also say where the runs of each campaign begin.

    Campaigns are in the order of ``keys``. This is what pivot_table does, at a tenth of
    its time.
    """
    cell, cells = pd.factorize(rows["cell"], sort=True)
    names = rows["run"].cat.categories
    place = np.argsort(np.argsort(names.to_numpy(str), kind="stable"))
    key = rows["key"].cat.set_categories(keys).cat.codes.to_numpy("int64")
    numbers = key * len(names) + place[rows["run"].cat.codes]
    run, runs = pd.factorize(numbers, sort=True)
    wide = np.full((len(runs), len(cells)), np.nan)
    wide[run, cell] = rows["value"]
    return wide, np.flatnonzero(np.diff(runs // len(names), prepend=-1))


def _with_changes(frame: pd.DataFrame, metric: str, confidence: float) -> pd.DataFrame:
    logs = np.log(frame["at"].to_numpy(float))
    frame["ratio"] = frame["value"] / frame["value"].shift()
    # without a link between their cells campaigns have no common level
    linked = bool(np.isfinite(logs).all())
    went = course(logs if linked else logs[:0], confidence)
    frame["level"] = 1 + np.searchsorted(
        [one.at for one in went.changes], np.arange(len(frame)), side="right"
    )
    drift = went.drift
    frame = frame.assign(
        **dict.fromkeys(_NUMBERS, np.nan),
        verdict="",
        drift=drift.ratio if drift else np.nan,
        drift_low=drift.ci_low if drift else np.nan,
        drift_high=drift.ci_high if drift else np.nan,
        unseen=np.arange(len(frame)) >= (len(frame) - went.unseen if linked else 0),
    )
    verdicts = _words(went.changes, frame, metric)
    for k, (one, verdict) in enumerate(zip(went.changes, verdicts, strict=True), 1):
        old, new = (frame.loc[frame["level"] == level, "bound"] for level in (k, k + 1))
        numbers = (one.ratio, np.nan, one.ci_low, one.ci_high)
        if old.any() or new.any():
            limited = one.ratio if _is_limit(one.ratio, old, new) else np.nan
            numbers = (np.nan, limited, np.nan, np.nan)
        frame.loc[one.at, [*_NUMBERS, "verdict"]] = [*numbers, one.p_value, verdict]
    return frame


_NUMBERS = ["change", "change_limit", "change_low", "change_high", "p_value"]


def _is_limit(ratio: float, old: pd.Series, new: pd.Series) -> bool:
    """Tell whether bounds, where a level has any, can only make a change larger."""
    up = 1 if ratio > 1 else -1
    return not ((new * up < 0).any() or (old * up > 0).any())


def _words(found: list[Change], frame: pd.DataFrame, metric: str) -> NDArray[np.str_]:
    """Say of each change who is better, in the words of every comparison."""
    from fsviz.analysis.changes import SHORTEST
    from fsviz.analysis.verdicts import verdicts

    sizes = frame["level"].value_counts()
    rows = [
        {
            "metric": metric,
            "geomean_ratio": one.ratio,
            "ci_low": one.ci_low,
            "ci_high": one.ci_high,
            # a campaign's mean is no printed number, whose digits would be few
            "bound_low": one.ratio,
            "bound_high": one.ratio,
            "q_value": one.p_value,
            "n_baseline": sizes[k],
            "n_candidate": sizes[k + 1],
            "fewest": SHORTEST,
        }
        for k, one in enumerate(found, 1)
    ]
    return verdicts(pd.DataFrame(rows, columns=_JUDGED))


def _told(facts: Mapping[str, dict[str, str]]) -> list[list[tuple[str, str, str]]]:
    """List what each campaign states otherwise than the one before."""
    told: list[list[tuple[str, str, str]]] = []
    before: dict[str, str] | None = None
    for now in facts.values():
        told.append(changed_facts(before, now) if before is not None else [])
        before = now
    return told
