"""A block of throughput mode: the numbers of one test with one number of processes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from fsviz.model.runs import Cells
from fsviz.model.units import KIB

_HALF = 0.005


@dataclass(slots=True)
class Block:
    """The numbers of one test with one number of processes.

    Parameters
    ----------
    line : int
        Line of its first number.
    operation : str
        What was measured.
    threads : int
        Number of processes or threads.
    unit : str
        ``throughput`` or ``rate``.
    file, record : int or None
        File size of each process and record size [B].
    numbers : dict of str to (float, int)
        What was printed, with its line, by metric.
    children : list of (int, float, float, float or None, int)
        For each child its number, what it moved, its rate, its CPU use and the line.
    """

    line: int
    operation: str
    threads: int
    unit: str
    file: int | None
    record: int | None
    numbers: dict[str, tuple[float, int]] = field(default_factory=dict)
    children: list[tuple[int, float, float, float | None, int]] = field(
        default_factory=list
    )

    def add_to(self, cells: Cells) -> None:
        """Append the block's numbers in base units."""
        for metric, (number, line) in self.numbers.items():
            if not metric.startswith("min_child_") or self._minimum_holds(metric):
                self._add(cells, metric, number, line, None)
        for child, moved, number, cpu, line in self.children:
            self._add(cells, "child_size", moved, line, child)
            self._add(cells, f"child_{self.unit}", number, line, child)
            if cpu is not None:
                self._add(cells, "cpu", cpu, line, child)

    def _minimum_holds(self, metric: str) -> bool:
        """Tell whether a minimum is over all children.

        IOzone forgets a child without data if a later one has some, and its minimum
        may then be above the mean.
        """
        least = self.numbers.get(f"min_child_{self.unit}", (0.0, 0))[0]
        mean = self.numbers.get(f"mean_child_{self.unit}", (least, 0))[0]
        moved = self.numbers.get("min_child_size", (1.0, 0))[0]
        return least <= mean and (moved > 0 or metric == "min_child_size")

    def _add(
        self, cells: Cells, metric: str, number: float, line: int, child: int | None
    ) -> None:
        sized = metric.endswith("size")
        if not math.isfinite(number) or (number == 0 and not sized):
            return
        unit = self._unit(metric)
        if unit is None:
            return
        cells.add(
            self.operation,
            metric,
            number * unit,
            f"line {line}",
            low=max(0.0, number - _HALF) * unit,
            high=(number + _HALF) * unit,
            file_size=self.file,
            record_size=self.record,
            threads=self.threads,
            child=child,
        )

    def _unit(self, metric: str) -> int | None:
        """Factor from what is printed to the base unit, None if it is not known."""
        if metric.endswith("size"):
            return KIB if self.unit == "throughput" else self.record
        return KIB if metric.endswith("throughput") else 1
