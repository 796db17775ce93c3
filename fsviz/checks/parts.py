"""Rows whose parts disagree: an average is no answer where it is faster and slower.

A row that pools finer ones *depends* when at least one of them is faster and at least
one slower, each by its own q and beyond the band: a qualitative interaction (Gail &
Simon, Biometrics 41, 1985).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fsviz.analysis.buckets import By
from fsviz.analysis.verdicts import DEPENDS, DIFFERENT, DISQUALIFIED, beyond_band

if TYPE_CHECKING:
    import pandas as pd

FINER: dict[By, By] = {
    "tool": "operation",
    "operation": "file_size",
    "bucket": "file_size",
}
"""What the rows of each kind pool: operations, or file sizes."""

COLUMNS = tuple(f"{verdict}_in" for verdict in DIFFERENT)
"""Where a row that depends is faster and slower: operations, or file sizes [B]."""
RATIOS = tuple(f"{verdict}_ratio" for verdict in DIFFERENT)
"""Geometric mean of the ratios there, from the first to the last of these sizes."""

_PLACE = ("tool", "metric", "threads", "setting", "candidate")
_READ = ["operation", *_PLACE, "smallest_bytes", "largest_bytes", "verdict"]
"""What is read of each row: to take out all of a wide frame costs many times more."""


def kinds_for(by: By) -> list[By]:
    """Return a kind of rows and the finer ones that its verdicts rest on."""
    kinds = [by]
    while kinds[-1] in FINER:
        kinds.append(FINER[kinds[-1]])
    return kinds


def with_parts(frame: pd.DataFrame, finer: pd.DataFrame, by: By) -> pd.DataFrame:
    """Make rows that pool opposite answers depend, and say where each answer holds."""
    told = _decided(finer, by)
    sizes = {} if by == "tool" else _sizes(finer)
    verdicts, sides, ratios = [], [], []
    for row in frame[_READ].to_dict("records"):
        place = _place(row, by)
        parts = told.get(place, [])
        if by == "bucket":
            low, high = row["smallest_bytes"], row["largest_bytes"]
            parts = [part for part in parts if low <= part.name <= high]
        both = [[p for p in parts if p.ratio_of(d)] for d in DIFFERENT]
        open_to = row["verdict"] not in ("untested", DISQUALIFIED)
        depends = open_to and all(both)
        verdicts.append(DEPENDS if depends else row["verdict"])
        sides.append(both if depends else [[], []])
        ratios.append(_ratios(sides[-1], sizes.get(place, {})))
    told_in: dict[str, list] = {}
    for n in range(len(DIFFERENT)):
        told_in[COLUMNS[n]] = [[part.name for part in both[n]] for both in sides]
        told_in[RATIOS[n]] = [both[n] for both in ratios]
    return frame.assign(verdict=verdicts, **told_in)


class Part(NamedTuple):
    """A decided part of a row that pools: its name or size, and its ratios."""

    name: Any
    faster: float | None
    slower: float | None

    def ratio_of(self, verdict: str) -> float | None:
        """Return how it differs in one direction; None if it does not."""
        return self.faster if verdict == "faster" else self.slower


def _ratios(both: Sequence[Sequence[Part]], sizes: Mapping[int, float]) -> list[float]:
    """Return the mean ratio of each side; missing where one is a bound.

    Where the sides are apart a range of sizes is said, so all sizes in it count.
    """
    pairs = zip(DIFFERENT, both, strict=True)
    decided = {d: {p.name: p.ratio_of(d) for p in parts} for d, parts in pairs}
    one, other = ([*own] for own in decided.values())
    if sizes and one and (max(one) < min(other) or max(other) < min(one)):
        return [
            _mean(r for size, r in sizes.items() if min(own) <= size <= max(own))
            for own in (one, other)
        ]
    return [_mean(own.values()) for own in decided.values()]


def _mean(ratios: Iterable[float | None]) -> float:
    """Return the geometric mean."""
    logs = [math.log(ratio or math.nan) for ratio in ratios]
    return math.exp(sum(logs) / len(logs)) if logs else math.nan


def _sizes(finer: pd.DataFrame) -> dict[tuple[str, ...], dict[int, float]]:
    """Return the ratio at each file size, by what it shares with its operation."""
    found: dict[tuple[str, ...], dict[int, float]] = defaultdict(dict)
    rows = finer.loc[finer["largest_bytes"].notna(), [*_READ, "geomean_ratio"]]
    for row in rows.to_dict("records"):
        size = int(row["largest_bytes"])
        found[_place(row, "operation")][size] = row["geomean_ratio"]
    return found


def _place(row: dict, by: By) -> tuple[str, ...]:
    """Return what a row shares with its parts."""
    own = () if by == "tool" else (str(row["operation"]),)
    return (*own, *(str(row[name]) for name in _PLACE))


def _decided(finer: pd.DataFrame, by: By) -> dict[tuple[str, ...], list[Part]]:
    """List the parts that are decided, by what they share with the row that pools."""
    there = finer["verdict"].isin(DIFFERENT) & beyond_band(finer)
    sized = finer["largest_bytes"].notna() | (by == "tool")
    told = sized & (there | (finer["verdict"] == DEPENDS))
    rows = finer.loc[told, [*_READ, "geomean_ratio", *RATIOS]]
    parts: dict[tuple[str, ...], list[Part]] = defaultdict(list)
    for row in rows.to_dict("records"):
        name = row["operation"] if by == "tool" else int(row["largest_bytes"])
        if row["verdict"] == DEPENDS:
            part = Part(name, *(row[column] for column in RATIOS))
        else:
            ratios = {row["verdict"]: row["geomean_ratio"]}
            part = Part(name, ratios.get("faster"), ratios.get("slower"))
        parts[_place(row, by)].append(part)
    return parts
