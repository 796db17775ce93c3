"""Which runs may be the same measurement as another: found by values, not one by one.

A log can hold thousands of timings and a system thousands of files. Comparing each run
with all before it takes the square of their number; here a run meets only those whose
numbers overlap with its own where both have them.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right, insort
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

from fsviz.model.runs import Cells, Key, Run

SMALL = 100
"""Cells up to which a run is looked for by single numbers, not by its largest."""
_LOOKED_AT = 4
_SUM = -1
"""Stands for all numbers of a run together."""
_GOLDEN, _ROUNDED = 0.6180339887498949, 1e-12


def once(run: Run) -> tuple[object, ...]:
    """List what an invocation states once: its start, and bonnie++'s random seed."""
    return run.started, run.facts.get("seed")


def largest(run: Run) -> float:
    """Largest number of a run: two copies have the same; NaN if it has none."""
    values = run.cells.value
    if math.isfinite(sum(values)):  # none is NaN, which max would trip over
        return max(values, default=math.nan)
    return max((v for v in values if v == v), default=math.nan)


def place_of(key: Key, places: Mapping[Key, int]) -> int | None:
    """Find a number of another run, which may not state the record size."""
    at = places.get(key)
    return places.get(without_record(key)) if at is None else at


def without_record(key: Key) -> Key:
    """Leave the record size out of what a number is of."""
    return (key[0], key[1], None, *key[3:])


class Candidates:
    """Runs, and which of them may agree with another one."""

    def __init__(self) -> None:
        self._runs: list[Run] = []
        self._small: dict[str, _Kin] = {}
        self._large: dict[tuple[str, float], _Kin] = {}
        self._waiting: dict[tuple[str, float], list[tuple[int, Run]]] = {}
        self._small_by_largest: dict[tuple[str, float], list[int]] = {}

    def add(self, runs: Iterable[Run]) -> None:
        """Take runs up; of those with equal content the first stands for all."""
        for run in runs:
            if not len(run.cells):
                continue
            at, most = len(self._runs), (run.tool, largest(run))
            if len(run.cells) > SMALL:
                # mostly no other run has this largest number: not indexed till then
                self._waiting.setdefault(most, []).append((at, run))
            elif self._small.setdefault(run.tool, _Kin()).add(at, run):
                self._small_by_largest.setdefault(most, []).append(at)
            else:
                continue
            self._runs.append(run)

    def of(self, run: Run) -> Iterator[Run]:
        """List those that may be the same measurement as a run, in their order.

        Any other is of another tool, shares no number with it, or differs in one.
        """
        most = run.tool, largest(run)
        small = len(run.cells) <= SMALL
        found = set(() if small else self._small_by_largest.get(most, ()))
        for at, one in self._waiting.pop(most, ()):
            self._large.setdefault(most, _Kin()).add(at, one)
        kin = [self._large.get(most), self._small.get(run.tool) if small else None]
        for some in filter(None, kin):
            found |= some.of(run)
        return (self._runs[at] for at in sorted(found))


class _Kin:
    """Runs, found by the numbers that they share with another one."""

    def __init__(self) -> None:
        self._alike: dict[tuple[Key, ...], _Alike] = {}
        self._having: dict[Key, list[_Alike]] = {}

    def add(self, at: int, run: Run) -> bool:
        keys = tuple(run.cells.keys())
        group = self._alike.get(keys)
        if group is None:
            group = self._alike[keys] = _Alike(keys)
            for key in set(map(without_record, keys)):
                self._having.setdefault(key, []).append(group)
        return group.add(at, run)

    def of(self, run: Run) -> set[int]:
        places = {key: at for at, key in enumerate(run.cells.keys())}
        groups = [self._having.get(key, ()) for key in set(map(without_record, places))]
        found: set[int] = set()
        for group in {id(one): one for some in groups for one in some}.values():
            found.update(group.overlapping(run.cells, places))
        return found


class _Alike:
    """Runs with the same keys, and the ranges of some of their numbers."""

    def __init__(self, keys: tuple[Key, ...]) -> None:
        self._keys = keys
        self._members: list[tuple[int, Cells]] = []
        self._contents: set[Hashable] = set()
        self._ranges: dict[int, Ranges] = {}

    def add(self, at: int, run: Run) -> bool:
        cells = run.cells
        content = *once(run), *map(tuple, (cells.value, cells.low, cells.high))
        if content in self._contents:
            return False
        self._contents.add(content)
        self._members.append((at, cells))
        for j, ranges in self._ranges.items():
            ranges.add(at, *self._range_of(cells, j))
        return True

    def overlapping(self, cells: Cells, places: Mapping[Key, int]) -> Sequence[int]:
        """Ask for the number by which the fewest remain, where it is worth asking."""
        if len(self._members) <= _LOOKED_AT:
            return [at for at, _ in self._members]
        fewest: tuple[int, Ranges, tuple[float, float]] | None = None
        rows = [place_of(key, places) for key in self._keys]
        shared = [(i, j) for j, i in enumerate(rows) if i is not None]
        asked = [(self._of(j), range_of(cells, i)) for i, j in shared[:_LOOKED_AT]]
        if len(shared) == len(rows):
            asked.append((self._of(_SUM), _sum_of(cells, [i for i, _ in shared])))
        for ranges, own in asked:
            among = ranges.count(*own)
            if fewest is None or among < fewest[0]:
                fewest = among, ranges, own
        return [] if fewest is None else fewest[1].overlapping(*fewest[2])

    def _of(self, j: int) -> Ranges:
        if j not in self._ranges:
            self._ranges[j] = Ranges()
            for at, cells in self._members:
                self._ranges[j].add(at, *self._range_of(cells, j))
        return self._ranges[j]

    def _range_of(self, cells: Cells, j: int) -> tuple[float, float]:
        if j == _SUM:
            return _sum_of(cells, range(len(self._keys)))
        return range_of(cells, j)


def _sum_of(cells: Cells, rows: Iterable[int]) -> tuple[float, float]:
    """Return the range of a weighted sum; those of two copies overlap."""
    low = high = 0.0
    for n, at in enumerate(rows):
        # other numbers have other sums, also where each of them is one of a few
        weight = 1 + n * _GOLDEN % 1
        least, most = range_of(cells, at)
        low, high = low + weight * least, high + weight * most
    return low * (1 - _ROUNDED), high * (1 + _ROUNDED)


def range_of(cells: Cells, at: int) -> tuple[float, float]:
    """Give what a number may be as far as it is printed; NaN where that is not known.

    Two numbers of which one is the other with fewer digits have ranges that overlap.
    """
    value, low, high = cells.value[at], cells.low[at], cells.high[at]
    least = value if math.isnan(low) else min(low, value) if value == value else low
    most = value if math.isnan(high) else max(high, value) if value == value else high
    return least, most


class Ranges:
    """Ranges of numbers, in order, each with the row that it belongs to."""

    def __init__(self) -> None:
        # by the power of two above the width: one wide range must not slow down all
        self._sorted: dict[int, list[tuple[float, int, float]]] = {}
        self._unknown: list[int] = []
        self._all: list[int] = []

    def add(self, at: int, low: float, high: float) -> None:
        """Add the range of a row."""
        self._all.append(at)
        if not math.isfinite(high - low):
            self._unknown.append(at)
            return
        width = math.frexp(high - low)[1]
        insort(self._sorted.setdefault(width, []), (low, at, high))

    def count(self, low: float, high: float) -> int:
        """Count the rows that `overlapping` looks at."""
        if not math.isfinite(high - low):
            return len(self._all)
        places = [(a, b) for _, a, b in self._near(low, high)]
        return len(self._unknown) + sum(b - a for a, b in places)

    def overlapping(self, low: float, high: float) -> list[int]:
        """List the rows whose range overlaps with one; all for an unknown one."""
        if not math.isfinite(high - low):
            return self._all
        return self._unknown + [
            at
            for ranges, a, b in self._near(low, high)
            for _, at, most in ranges[a:b]
            if most >= low
        ]

    def _near(
        self, low: float, high: float
    ) -> Iterator[tuple[list[tuple[float, int, float]], int, int]]:
        for width, ranges in self._sorted.items():
            first = bisect_left(ranges, (low - math.ldexp(1.0, width + 1),))
            yield ranges, first, bisect_right(ranges, (high, math.inf))
