"""Rows whose parts disagree: an average is no answer where it is faster and slower.

A row that pools finer ones *depends* when at least one of them is faster and at least
one slower, each by its own q and beyond the band: a qualitative interaction (Gail &
Simon, Biometrics 41, 1985).
"""

from __future__ import annotations

import math
from collections import defaultdict
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
"""Geometric mean of the ratios there."""

_PLACE = ("tool", "metric", "threads", "setting", "candidate")


def kinds_for(by: By) -> list[By]:
    """Return a kind of rows and the finer ones that its verdicts rest on."""
    kinds = [by]
    while kinds[-1] in FINER:
        kinds.append(FINER[kinds[-1]])
    return kinds


def with_parts(frame: pd.DataFrame, finer: pd.DataFrame, by: By) -> pd.DataFrame:
    """Make rows that pool opposite answers depend, and say where each answer holds."""
    told = _decided(finer, by)
    verdicts, sides = [], []
    for row in frame.to_dict("records"):
        parts = told.get(_place(row, by), [])
        if by == "bucket":
            low, high = row["smallest_bytes"], row["largest_bytes"]
            parts = [part for part in parts if low <= part.name <= high]
        both = [[p for p in parts if p.ratio_of(d)] for d in DIFFERENT]
        open_to = row["verdict"] not in ("untested", DISQUALIFIED)
        depends = open_to and all(both)
        verdicts.append(DEPENDS if depends else row["verdict"])
        sides.append(both if depends else [[], []])
    told_in: dict[str, list] = {}
    for n, verdict in enumerate(DIFFERENT):
        told_in[COLUMNS[n]] = [[part.name for part in both[n]] for both in sides]
        told_in[RATIOS[n]] = [_mean_ratio(both[n], verdict) for both in sides]
    return frame.assign(verdict=verdicts, **told_in)


class Part(NamedTuple):
    """A decided part of a row that pools: its name or size, and its ratios."""

    name: Any
    faster: float | None
    slower: float | None

    def ratio_of(self, verdict: str) -> float | None:
        """Return how it differs in one direction; None if it does not."""
        return self.faster if verdict == "faster" else self.slower


def _mean_ratio(parts: list[Part], verdict: str) -> float:
    """Return the geometric mean of the parts' ratios; missing where one is a bound."""
    ratios = [part.ratio_of(verdict) or math.nan for part in parts]
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def _place(row: dict, by: By) -> tuple[str, ...]:
    """Return what a row shares with its parts."""
    own = () if by == "tool" else (str(row["operation"]),)
    return (*own, *(str(row[name]) for name in _PLACE))


def _decided(finer: pd.DataFrame, by: By) -> dict[tuple[str, ...], list[Part]]:
    """List the parts that are decided, by what they share with the row that pools."""
    there = finer["verdict"].isin(DIFFERENT) & beyond_band(finer)
    sized = finer["largest_bytes"].notna() | (by == "tool")
    rows = finer.loc[sized & (there | (finer["verdict"] == DEPENDS))]
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
