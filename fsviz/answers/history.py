"""What is said of a history: did the level change, when, and what cannot be seen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from fsviz.analysis.verdicts import DIFFERENT
from fsviz.answers.words import range_words, times_words
from fsviz.campaigns.versions import describe_changes
from fsviz.checks.phrases import listing
from fsviz.model.escaping import printable
from fsviz.model.table import METRICS
from fsviz.model.units import format_times

if TYPE_CHECKING:
    import pandas as pd

_FEWEST = 10
"""Campaigns below which no change can be shown (`fsviz.analysis.changes`)."""


def step_words(row: Mapping[str, Any]) -> str:
    """Say by how much a level has changed.

    >>> step_words({"verdict": "slower", "change": 0.8})
    '1.2× slower'
    >>> step_words({"verdict": "same", "change": 1.02})
    'same within 5 %'
    >>> step_words({"verdict": "faster", "change": math.nan, "change_limit": 1.57})
    'more than 1.5× faster'
    """
    verdict, ratio = str(row["verdict"]), float(row["change"])
    if verdict not in DIFFERENT:
        return "same within 5 %" if verdict == "same" else verdict
    if not math.isnan(ratio):
        return f"{format_times(max(ratio, 1 / ratio))}× {verdict}"
    limit = float(row["change_limit"])
    if math.isnan(limit):
        return verdict
    times = format_times(max(limit, 1 / limit), down=True)
    return f"more than {times}× {verdict}"


def took(frame: pd.DataFrame, course: str) -> bool:
    """Whether a history took a course: any step, a drift, or what changed last."""
    if course == "drift":
        return bool(drift_words(frame))
    changes = [verdict for verdict in frame["verdict"] if verdict]
    return bool(changes) and course in ("step", changes[-1])


def conclude_history(frame: pd.DataFrame, system: str, operation: str) -> str:
    """Say whether the level has changed, when last, and what could not be dated."""
    undated = [printable(key) for key in frame.loc[frame["began"] == "", "key"]]
    placed = len(frame) > 1 and undated
    where = "by name" if len(undated) == len(frame) else "first, by name"
    said = f" Without a date, placed {where}: {listing(undated)}." if placed else ""
    return _concluded(frame, system, operation) + said


def _concluded(frame: pd.DataFrame, system: str, operation: str) -> str:
    several = "1 campaign" if len(frame) == 1 else f"{len(frame)} campaigns"
    what = f"{operation} of {printable(system)} over {several}"
    found = frame.loc[frame["verdict"] != ""]
    unseen = int(frame["unseen"].sum())
    if drift := drift_words(frame):
        return f"{what}: no step but a {drift}."
    if found.empty:
        return f"{what}: no change of level{_cannot_show(unseen, len(frame))}."
    last = found.iloc[-1].to_dict()
    since = f"since {str(last['began'])[:10]}" if last["began"] else "since"
    changed = describe_changes(last["facts"])
    also = f" With it changed {changed}." if changed else ""
    count = "1 change" if len(found) == 1 else f"{len(found)} changes"
    blind = f" {_last(unseen).capitalize()} cannot show another." if unseen else ""
    return (
        f"{what}: {count} of level; {since} ({printable(last['key'])}) "
        f"{step_words(last)}.{also}{blind}"
    )


def _cannot_show(unseen: int, n: int) -> str:
    """Say in brackets which campaigns could not show a change if there were one."""
    if unseen < n:
        return f" ({_last(unseen)} cannot show one)" if unseen else ""
    return " (fewer than ten cannot show one)" if n < _FEWEST else " (no common cells)"


def _last(n: int) -> str:
    return f"the last {n} campaigns" if n > 1 else "the last campaign"


def drift_words(frame: pd.DataFrame) -> str:
    """Say how much a series drifted from its first campaign to its last, if it did."""
    first = frame.iloc[0]
    if math.isnan(first["drift"]):
        return ""
    less = METRICS[str(first["metric"])].better < 0
    all_, *ends = (
        1 / first[name] if less else first[name]
        for name in ("drift", "drift_low", "drift_high")
    )
    said, wide = times_words(all_), range_words(*sorted(ends))
    return f"drift, in all {said}" + (f" ({wide})" if wide != said else "")
