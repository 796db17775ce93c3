r"""IOzone's throughput mode (``-t``, ``-l``, ``-u``): several processes at once.

::

    \tEach process writes a 4096 kByte file in 64 kByte records
    \tChildren see throughput for  4 initial writers \t= 8818928.00 kB/sec
    \tParent sees throughput for  4 initial writers \t=  844867.72 kB/sec
    \tMin throughput per process \t\t\t=       0.00 kB/sec
    \tMax throughput per process \t\t\t= 4686519.50 kB/sec
    \tAvg throughput per process \t\t\t= 2204732.00 kB/sec
    \tMin xfer \t\t\t\t\t=       0.00 kB
    \tCPU Utilization: Wall time 0.001  CPU time 0.003  CPU utilization 191.75 %
    \tChild[0] xfer count = 4096.00 kB, Throughput = 3096138.25 kB/sec, …

The line "Each process" comes once for each number of processes; with ``-+m`` there is
no line of the parent. Unless ``-x`` is given, all children stop when the first is done.
A child that has moved nothing by then has no rate: its 0.00 is left out. IOzone forgets
such a child in its minima if a later one has moved something; a minimum above the mean
shows that, and is left out as well.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fsviz.errors import InconsistentDataError, MalformedRowError, ParseError, quoted
from fsviz.readers.document import Document
from fsviz.runs import Cells
from fsviz.units import KIB

NOUNS: Mapping[str, str] = {
    "initial writers": "write",
    "rewriters": "rewrite",
    "readers": "read",
    "re-readers": "reread",
    "reverse readers": "backward_read",
    "stride readers": "stride_read",
    "random readers": "random_read",
    "mixed workload": "mixed_workload",
    "random writers": "random_write",
    "pwrite writers": "pwrite",
    "pread readers": "pread",
    "fwriters": "fwrite",
    "freaders": "fread",
}
"""Operation by the noun of a block's first line."""

_NUMBER = r"\s*(?P<{}>[\d.]+|-?nan|-?inf)"
_SIZES = re.compile(
    r"\s*Each (?:process|thread) writes an? (\d+) [kK][bB]yte file in"
    r" (?:(\d+) [kK][bB]yte|telemetry controlled) records"
)
_FIRST = re.compile(
    r"\s*Children see throughput for\s+(?P<threads>\d+)\s+(?P<noun>\S.*?)\s*="
    + _NUMBER.format("number")
    + r" (?P<unit>kB|KB|ops)/sec\s*"
)
_SUMMARY = re.compile(
    r"\s*(?P<what>Parent sees|Min|Max|Avg) throughput (?:for\s.*?|per \w+)\s*="
    + _NUMBER.format("number")
    + r" (?:kB|KB|ops)/sec\s*"
)
_LEAST = re.compile(
    r"\s*Min xfer\s*=" + _NUMBER.format("number") + r" (?:kB|KB|ops)\s*"
)
_CPU = re.compile(
    r"\s*CPU [Uu]tilization: .*CPU utilization" + _NUMBER.format("number") + r" %\s*"
)
_CHILD = re.compile(
    r"\s*Child\[(?P<child>\d+)\] xfer count ="
    + _NUMBER.format("moved")
    + r" (?:kB|KB|ops), Throughput ="
    + _NUMBER.format("number")
    + r" (?:kB|KB|ops)/sec(?:, wall=.*%="
    + _NUMBER.format("cpu")
    + r")?\s*"
)
_WORDS = (
    "throughput for",
    "throughput per",
    "Min xfer",
    "Child[",
    "CPU Utilization:",
    "CPU utilization:",
)
_SUMMARIES = {"Parent sees": "parent", "Min": "min_child", "Max": "max_child"}
_SUMMARIES["Avg"] = "mean_child"
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


def read_blocks(
    document: Document, first: int, last: int, sizes: tuple[int | None, int | None]
) -> tuple[list[Block], list[ParseError]]:
    """Read the blocks between two lines.

    Parameters
    ----------
    document : Document
        The file.
    first, last : int
        Line numbers.
    sizes : (int or None, int or None)
        File and record size [B] of the command line, where the text states none.

    Returns
    -------
    list of Block, list of ParseError
        The blocks, and the lines among them that cannot be used.
    """
    blocks: list[Block] = []
    problems: list[ParseError] = []
    for number, line in enumerate(document.lines[first - 1 : last], first):
        if match := _SIZES.match(line):
            sizes = (int(match[1]) * KIB, int(match[2]) * KIB if match[2] else None)
        elif match := _FIRST.fullmatch(line):
            blocks.extend(_start(document, number, match, sizes, problems))
        elif _is_lost(line, number, blocks):
            problems.append(
                MalformedRowError(
                    document.path,
                    number,
                    "a line of a throughput block",
                    quoted(line.strip()),
                )
            )
    return _once(document, blocks, problems), problems


def _start(
    document: Document,
    number: int,
    match: re.Match[str],
    sizes: tuple[int | None, int | None],
    problems: list[ParseError],
) -> list[Block]:
    operation = NOUNS.get(match["noun"])
    if operation is None:
        problems.append(
            MalformedRowError(
                document.path, number, "a test of IOzone", quoted(match["noun"])
            )
        )
        operation = ""
    unit = "rate" if match["unit"] == "ops" else "throughput"
    block = Block(number, operation, int(match["threads"]), unit, *sizes)
    block.numbers[unit] = (float(match["number"]), number)
    return [block]


def _is_lost(line: str, number: int, blocks: list[Block]) -> bool:
    """Take a further line of a block; tell whether it should be one but is not."""
    if '"' in line or not any(word in line for word in _WORDS):
        return False
    if blocks:
        return not _continue(blocks[-1], number, line)
    return "Children see" in line or any(
        pattern.fullmatch(line) for pattern in (_SUMMARY, _LEAST, _CHILD)
    )


def _continue(block: Block, number: int, line: str) -> bool:
    if match := _SUMMARY.fullmatch(line):
        metric = f"{_SUMMARIES[match['what']]}_{block.unit}"
        block.numbers[metric] = (float(match["number"]), number)
    elif match := _LEAST.fullmatch(line):
        block.numbers["min_child_size"] = (float(match["number"]), number)
    elif match := _CPU.fullmatch(line):
        block.numbers["cpu"] = (float(match["number"]), number)
    elif match := _CHILD.fullmatch(line):
        cpu = float(match["cpu"]) if match["cpu"] else None
        moved, rate = float(match["moved"]), float(match["number"])
        block.children.append((int(match["child"]), moved, rate, cpu, number))
    else:
        return False
    return True


def _once(
    document: Document, blocks: list[Block], problems: list[ParseError]
) -> list[Block]:
    """Drop a block that comes again: one run measures it once."""
    first: dict[tuple[object, ...], int] = {}
    kept = []
    for block in blocks:
        key = (block.operation, block.threads, block.file, block.record)
        if first.setdefault(key, block.line) == block.line:
            kept.extend([block] if block.operation else [])
            continue
        problems.append(
            InconsistentDataError(
                document.path,
                block.line,
                f"{block.operation} with {block.threads} processes once in a run",
                f"it already in line {first[key]}",
            )
        )
    return kept
