"""Metrics that contradict the one that a matrix shows, or that cost too much."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from fsviz.analysis.verdicts import DEPENDS, DIFFERENT, DISQUALIFIED, beyond_band
from fsviz.answers.words import factor_of
from fsviz.model.libraries import np
from fsviz.model.table import SECTION, plain_rows

if TYPE_CHECKING:
    import pandas as pd

_SPEEDS = ("throughput", "rate", "elapsed", "latency", "completion_latency")
"""What the names of metrics begin with that say who is faster, as the main one does."""


_CPU = "cpu_cost"
_MORE_CPU, _FAR = 2.0, 3.0
"""From where on more CPU time is worth a word, and what no test or no other direction
tells."""


def other_metrics(frame: pd.DataFrame, every: pd.DataFrame) -> dict[str, list]:
    """Name the metric that contradicts each row most, the speed by it, and if tested.

    Without a speed it is one in which the candidate was measured, and alone.
    """
    place = [*SECTION, "operation", "candidate"]
    about = every["metric"].astype(str).str.startswith((*_SPEEDS, _CPU))
    others = every.loc[about]
    told = others["verdict"].isin(DIFFERENT) & beyond_band(others)
    alone = (others["n_candidate"] > 0) & (others["n_baseline"] == 0)
    untested = (others["verdict"] == "untested") & (others["speed"] > 0)
    way = others["verdict"].where(told | untested, "").mask(alone, "alone")
    known: dict[tuple, list[_Other]] = {}
    rows = others.assign(way=way).loc[told | alone | untested]
    for *own, metric, speed, kind in plain_rows(
        rows, [*place, "metric", "speed", "way"]
    ):
        known.setdefault(tuple(map(str, own)), []).append(_Other(metric, speed, kind))
    found = []
    columns = [*place, "metric", "verdict", "speed", "n_candidate"]
    for *own, metric, verdict, speed, n in plain_rows(frame, columns):
        others_of = [
            o for o in known.get(tuple(map(str, own)), []) if o.metric != metric
        ]
        if n == 0:
            fitting = [other for other in others_of if other.way == "alone"]
        else:
            fitting = [o for o in others_of if _contradicts(o, str(verdict), speed)]
        found.append(max(fitting, key=_how_far, default=_Other("", np.nan, "")))
    return {
        "other_metric": [other.metric for other in found],
        "other_speed": [other.speed for other in found],
        "other_tested": [other.way != "untested" for other in found],
    }


class _Other(NamedTuple):
    """What another metric says of an operation."""

    metric: str
    speed: float
    way: str


def _contradicts(other: _Other, verdict: str, speed: float) -> bool:
    """Whether another metric says something else than the main one of a row.

    What depends is no answer that it could contradict.
    """
    if verdict in (DISQUALIFIED, DEPENDS) or other.way == "alone":
        return False
    tested = "untested" not in (verdict, other.way)
    if other.metric == _CPU:
        # who is slower at the same use of the processor needs more time of it as well
        slow = min(speed, 1.0) if speed > 0 else 1.0
        return other.speed < slow / (_MORE_CPU if tested else _FAR)
    if tested and other.way != verdict:
        return True
    # of a limit nobody knows how far it is from the other
    if not speed > 0 or factor_of(other.speed) < _FAR:
        return False
    # what is faster in both is less so in one of them
    other_way = other.speed < min(speed, 1.0) or speed < 1 < other.speed
    return other_way and factor_of(other.speed / speed) >= _FAR


def _how_far(told: _Other) -> tuple[bool, float]:
    # what differs in the third digit is the same: then the first of the metrics
    far = round(factor_of(told.speed), 1) if told.speed > 0 else 0.0
    # who is faster or slower comes before what it costs
    return told.metric != _CPU, far
