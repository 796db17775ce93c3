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

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from fsviz.model.errors import (
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    quoted,
)
from fsviz.model.units import KIB
from fsviz.readers.document import Document
from fsviz.readers.iozone_blocks import Block

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

_NUMBER = r"\s*(?P<{}>\d{{1,15}}(?:\.\d{{1,9}})?|-?nan|-?inf)"
_SIZES = re.compile(
    r"\s*Each (?:process|thread) writes an? (\d{1,15}) [kK][bB]yte file in"
    r" (?:(\d{1,15}) [kK][bB]yte|telemetry controlled) records"
)
_FIRST = re.compile(
    r"\s*Children see throughput for\s+(?P<threads>\d{1,9})\s+(?P<noun>\S.*?)\s*="
    + _NUMBER.format("number")
    + r" (?P<unit>kB|KB|ops)/sec\s*"
)
_SUMMARY = re.compile(
    r"\s*(?P<what>Parent sees|Min|Max|Avg) throughput"
    r" (?:for\s+(?P<threads>\d{1,9})\s+(?P<noun>\S.*?)|per (?:process|thread))\s*="
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
    r"\s*Child\[(?P<child>\d{1,9})\] xfer count ="
    + _NUMBER.format("moved")
    + r" (?:kB|KB|ops), Throughput ="
    + _NUMBER.format("number")
    + r" (?:kB|KB|ops)/sec(?:, wall=[^%]*%="
    + _NUMBER.format("cpu")
    + r")?\s*"
)
# What a line of a block still has after it was damaged in one place.
_CUES = re.compile(
    r"throughput (?:for|per)|xfer|Child\[|/sec|= +\d|Wall time|CPU time|writes an? \d"
)
_SUMMARIES = {"Parent sees": "parent", "Min": "min_child", "Max": "max_child"}
_SUMMARIES["Avg"] = "mean_child"


@dataclass(slots=True)
class _State:
    """What was read so far.

    After a damaged line there is no current block, and the lines up to the next one are
    skipped: they may belong to a block whose beginning is what was damaged.
    """

    sizes: tuple[int | None, int | None]
    asked: tuple[int | None, int | None]
    threads: Sequence[int]
    blocks: list[Block] = field(default_factory=list)
    current: Block | None = None
    skipping: bool = False
    problems: list[ParseError] = field(default_factory=list)


def read_blocks(
    document: Document,
    first: int,
    last: int,
    asked: tuple[int | None, int | None] = (None, None),
    threads: Sequence[int] = (),
) -> tuple[list[Block], list[ParseError]]:
    """Read the blocks between two lines.

    Parameters
    ----------
    document : Document
        The file.
    first, last : int
        Line numbers.
    asked : (int or None, int or None)
        File and record size [B] of the command line.
    threads : sequence of int
        Numbers of processes of the command line, empty where unknown.

    Returns
    -------
    list of Block, list of ParseError
        The blocks, and the lines among them that cannot be used.
    """
    state = _State(asked, asked, threads)
    for number, line in enumerate(document.lines[first - 1 : last], first):
        if match := _SIZES.match(line):
            _set_sizes(document, number, match, state)
        elif match := _FIRST.fullmatch(line):
            _begin(document, number, match, state)
        elif _CUES.search(line) and _is_lost(number, line, state):
            state.current, state.skipping = None, True
            state.problems.append(
                MalformedRowError(
                    document.path,
                    number,
                    "a line of a throughput block",
                    quoted(line.strip()),
                )
            )
    return _once(document, state), state.problems


def _set_sizes(
    document: Document, number: int, match: re.Match[str], state: _State
) -> None:
    state.current, state.skipping = None, False
    state.sizes = (int(match[1]) * KIB, int(match[2]) * KIB if match[2] else None)
    for stated, asked in zip(tuple(state.sizes), state.asked, strict=True):
        if None not in (stated, asked) and stated != asked:
            state.sizes = (None, None)
            state.problems.append(
                InconsistentDataError(
                    document.path,
                    number,
                    f"{asked} bytes as in the command line",
                    f"{stated} bytes",
                )
            )


def _begin(
    document: Document, number: int, match: re.Match[str], state: _State
) -> None:
    operation, count = NOUNS.get(match["noun"]), int(match["threads"])
    state.current, state.skipping = None, True
    if operation is None or (state.threads and count not in state.threads):
        state.problems.append(
            MalformedRowError(
                document.path,
                number,
                "a test of IOzone with as many processes as were asked for",
                quoted(f"{count} {match['noun']}"),
            )
        )
        return
    unit = "rate" if match["unit"] == "ops" else "throughput"
    block = Block(number, operation, count, unit, *state.sizes)
    block.numbers[unit] = (float(match["number"]), number)
    state.blocks.append(block)
    state.current = block


def _is_lost(number: int, line: str, state: _State) -> bool:
    """Take a further line of a block; tell whether it should be one but is not."""
    if state.current is not None:
        return not _continue(state.current, number, line)
    if "Children see" in line or (state.blocks and not state.skipping):
        return True
    # Before the first block only what looks like the rest of one, cut off above.
    rest = (_SUMMARY, _LEAST, _CHILD)
    return not state.skipping and any(pattern.fullmatch(line) for pattern in rest)


def _continue(block: Block, number: int, line: str) -> bool:
    """Take a further line of a block; tell whether it is one, and a new one."""
    if match := _CHILD.fullmatch(line):
        cpu = float(match["cpu"]) if match["cpu"] else None
        moved, rate = float(match["moved"]), float(match["number"])
        child = int(match["child"])
        if any(child == other[0] for other in block.children):
            return False
        block.children.append((child, moved, rate, cpu, number))
        return True
    if match := _SUMMARY.fullmatch(line):
        metric = f"{_SUMMARIES[match['what']]}_{block.unit}"
        if match["noun"] and not _is_of(block, match):
            return False
    elif match := _LEAST.fullmatch(line):
        metric = "min_child_size"
    elif match := _CPU.fullmatch(line):
        metric = "cpu"
    else:
        return False
    if metric in block.numbers:
        return False
    block.numbers[metric] = (float(match["number"]), number)
    return True


def _is_of(block: Block, match: re.Match[str]) -> bool:
    """Tell whether a line that names its test belongs to a block."""
    same = NOUNS.get(match["noun"]) == block.operation
    return same and int(match["threads"]) == block.threads


def _once(document: Document, state: _State) -> list[Block]:
    """Drop a block that comes again: one run measures it once."""
    first: dict[tuple[object, ...], int] = {}
    kept = []
    for block in state.blocks:
        key = (block.operation, block.threads, block.file, block.record)
        if first.setdefault(key, block.line) == block.line:
            kept.append(block)
            continue
        state.problems.append(
            InconsistentDataError(
                document.path,
                block.line,
                f"{block.operation} with {block.threads} processes once in a run",
                f"it already in line {first[key]}",
            )
        )
    return kept
