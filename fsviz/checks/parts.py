"""Rows whose parts disagree: an average is no answer where it is faster and slower.

A row that pools finer ones *depends* when at least one of them is faster and at least
one slower, each by its own q and beyond the band: a qualitative interaction (Gail &
Simon, Biometrics 41, 1985). An untested row stays untested, but its average is no
answer either where sizes are far from 1 on both sides.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from fsviz.analysis.buckets import By
from fsviz.analysis.verdicts import (
    DEPENDS,
    DIFFERENT,
    DISQUALIFIED,
    beyond_band,
    directions,
)
from fsviz.model.libraries import np
from fsviz.model.table import plain_rows

if TYPE_CHECKING:
    import pandas as pd

FINER: dict[By, tuple[By, ...]] = {
    "tool": ("operation",),
    "operation": ("file_size", "record_size"),
    "bucket": ("file_size", "record_size"),
    "file_size": ("record_size",),
}
"""What the rows of each kind pool. The first of them that disagree are told."""

SIZES: tuple[By, ...] = ("file_size", "record_size")

COLUMNS = tuple(f"{verdict}_in" for verdict in DIFFERENT)
"""Where a row that depends is faster and slower: operations, or sizes [B]."""
WORTH_A_WORD = 1.25
"""Sizes and cells that differ less are not worth a word where no test decides."""
RATIOS = tuple(f"{verdict}_ratio" for verdict in DIFFERENT)
"""Geometric mean of the ratios there, from the first to the last of these sizes."""

_PLACE = ("tool", "metric", "threads", "setting", "candidate")
_ENDS = ("smallest_bytes", "largest_bytes", "verdict")
_NAME: dict[By, str] = {
    "operation": "operation",
    "file_size": "largest_bytes",
    "record_size": "largest_record_bytes",
}
"""What a finer row is called by: one of a size has no other."""

Sizes = dict[tuple[str, ...], dict[int, float]]
"""The ratio at each size [B], by what the rows share with their operation."""


def kinds_for(by: By) -> list[By]:
    """Return a kind of rows and the finer ones that its verdicts rest on."""
    finer = [kind for one in FINER.get(by, ()) for kind in kinds_for(one)]
    return [by, *dict.fromkeys(finer)]


def several_sizes(table: pd.DataFrame) -> list[By]:
    """List the kinds of size of which an operation has several: one says no more."""
    names = {kind: f"{kind}_bytes" for kind in SIZES}
    own = table.groupby(["tool", "operation"], observed=True)[[*names.values()]]
    counts = own.nunique().max()
    return [kind for kind, name in names.items() if counts[name] > 1]


def with_parts(frames: Mapping[By, pd.DataFrame]) -> dict[By, pd.DataFrame]:
    """Make rows that pool opposite answers depend, and say where each answer holds."""
    made: dict[By, pd.DataFrame] = {}
    told: dict[By, Parts] = {}
    measured: dict[By, Parts] = {}
    sizes = {kind: _sizes(frames[kind], kind) for kind in frames}
    # what depends among finer rows is told of those that pool them
    for by in sorted(frames, key=lambda by: len(kinds_for(by))):
        finer = [kind for kind in FINER.get(by, ()) if kind in frames]
        known = {} if by == "tool" else {kind: sizes[kind] for kind in (by, *finer)}
        own, far = ({k: parts[k] for k in finer} for parts in (told, measured))
        made[by] = (
            _with_own_parts(frames[by], by, own, far, known)
            if finer
            else _alone(frames[by])
        )
        if by in _NAME:
            told[by], measured[by] = _decided(made[by], by), _far(made[by], by)
    return made


def _alone(frame: pd.DataFrame) -> pd.DataFrame:
    """Add the columns of rows that pool no others."""
    nothing: dict[str, Any] = {name: [[] for _ in frame.index] for name in COLUMNS}
    return frame.assign(**nothing, **dict.fromkeys(RATIOS, math.nan), depends_on="")


def _with_own_parts(
    frame: pd.DataFrame,
    by: By,
    told: Mapping[By, Parts],
    measured: Mapping[By, Parts],
    sizes: Mapping[By, Sizes],
) -> pd.DataFrame:
    columns: dict[str, list[Any]] = {
        name: [] for name in ("verdict", "depends_on", *COLUMNS, *RATIOS)
    }
    for place, (low, high, verdict) in zip(
        _places(frame, by), plain_rows(frame, _ENDS), strict=True
    ):
        untested = verdict == "untested"
        finer = measured if untested else {} if verdict == DISQUALIFIED else told
        ends = low, high
        kind, both, ratios = _opposites(place, ends, by, finer, sizes) or _NOTHING
        columns["verdict"].append(DEPENDS if kind and not untested else verdict)
        columns["depends_on"].append(kind)
        for n, parts in enumerate(both):
            columns[COLUMNS[n]].append([part.name for part in parts])
            columns[RATIOS[n]].append(ratios[n])
    return frame.assign(**columns)


class Part(NamedTuple):
    """A decided part of a row that pools: its name or size, and its ratios."""

    name: Any
    faster: float | None
    slower: float | None

    def ratio_of(self, verdict: str) -> float | None:
        """Return how it differs in one direction; None if it does not."""
        return self.faster if verdict == "faster" else self.slower


Parts = Mapping[tuple[str, ...], list[Part]]
"""Decided parts, by what they share with the row that pools."""
Opposites = tuple[str, Sequence[Sequence[Part]], Sequence[float]]
"""The kind of rows that disagree, the faster and slower ones, and their ratios."""


_NOTHING: Opposites = ("", ([], []), (math.nan, math.nan))


def _opposites(
    place: tuple[str, ...],
    ends: tuple[float, float],
    by: By,
    told: Mapping[By, Parts],
    sizes: Mapping[By, Sizes],
) -> Opposites | None:
    """Find what disagrees most in a row, and its faster and slower parts.

    Small files have no large records, so that what depends on one seems to depend on
    both.
    """
    found: list[Opposites] = []
    low, high = ends
    known = {kind: own.get(place, {}) for kind, own in sizes.items()}
    # a record size is known over all files, not over some of them
    whole = all(low <= size <= high for size in known.get("file_size", {}))
    for kind, own in told.items():
        parts = own.get(place, []) if whole or kind != "record_size" else []
        if by == "bucket" and kind == "file_size":
            parts = [part for part in parts if low <= part.name <= high]
        both = [[p for p in parts if p.ratio_of(d)] for d in DIFFERENT]
        if all(both):
            found.append((kind, both, _ratios(both, known.get(kind, {}))))
    return max(found, key=lambda one: _between(one[2]), default=None)


def _between(ratios: Sequence[float]) -> float:
    """Say how far apart both sides are; not at all where one is a bound."""
    apart = abs(math.log(ratios[0] / ratios[1]))
    return 0.0 if math.isnan(apart) else apart


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


def _sizes(rows: pd.DataFrame, kind: By) -> Sizes:
    """List the rows of a kind by their size; nothing of rows that have none."""
    found: Sizes = defaultdict(dict)
    if kind in SIZES:
        sized = rows.loc[rows[_NAME[kind]].notna()]
        told = plain_rows(sized, [_NAME[kind], "geomean_ratio"])
        for place, (size, ratio) in zip(_places(sized, kind), told, strict=True):
            found[place][int(size)] = ratio
    return found


def _places(rows: pd.DataFrame, by: By) -> Iterator[tuple[str, ...]]:
    """Return what each row shares with its parts."""
    names = _PLACE if by == "tool" else ("operation", *_PLACE)
    return (tuple(map(str, place)) for place in plain_rows(rows, names))


def _far(finer: pd.DataFrame, kind: By) -> Parts:
    """List the untested parts that are far from 1, as if they were decided."""
    speed = finer["geomean_ratio"] ** directions(finer)
    both = (finer["depends_on"] != "") & (kind == "operation")
    there = (finer["verdict"] == "untested") & (
        both | ~speed.between(1 / WORTH_A_WORD, WORTH_A_WORD)
    )
    ways = np.where(both, DEPENDS, np.where(speed > 1, *DIFFERENT))
    return _decided(finer.assign(verdict=ways).loc[there & speed.notna()], kind)


def _decided(finer: pd.DataFrame, kind: By) -> Parts:
    """List the parts that are decided, by what they share with the row that pools."""
    name, sized = _NAME[kind], kind != "operation"
    there = finer["verdict"].isin(DIFFERENT) & beyond_band(finer)
    # a file size that depends is the only one, and its record sizes are told
    told = (
        there & finer[name].notna() if sized else there | (finer["verdict"] == DEPENDS)
    )
    rows = finer.loc[told]
    parts: dict[tuple[str, ...], list[Part]] = defaultdict(list)
    # operations are the parts of a tool
    places = _places(rows, kind if sized else "tool")
    columns = [name, "verdict", "geomean_ratio", *RATIOS]
    for place, (own, verdict, ratio, *both) in zip(
        places, plain_rows(rows, columns), strict=True
    ):
        ratios = (
            both
            if verdict == DEPENDS
            else [ratio if verdict == way else None for way in DIFFERENT]
        )
        parts[place].append(Part(int(own) if sized else own, *ratios))
    return parts
