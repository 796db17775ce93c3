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
from collections.abc import Sequence
from dataclasses import dataclass, field

from fsviz.model.errors import (
    AmbiguousColumnsError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    quoted,
)
from fsviz.model.runs import Cells
from fsviz.model.units import KIB
from fsviz.readers.document import ONE_FILE_EACH, Document, names_host

_HALF = 0.005


@dataclass(slots=True)
class Block:
    """The numbers of one test with one number of processes.

    Units: `file, record` [B].
    """

    line: int
    operation: str
    threads: int
    unit: str
    file: int | None
    record: int | None
    numbers: dict[str, tuple[float, int]] = field(default_factory=dict)
    children: dict[int, tuple[float, float, float | None, int]] = field(
        default_factory=dict
    )

    def add_to(self, cells: Cells) -> None:
        """Append the block's numbers in base units."""
        dropped = self.minima_dropped
        for metric, (number, line) in self.numbers.items():
            if metric not in dropped:
                self._add(cells, metric, number, line, None)
        for child, (moved, number, cpu, line) in self.children.items():
            self._add(cells, "child_size", moved, line, child)
            self._add(cells, f"child_{self.unit}", number, line, child)
            if cpu is not None:
                self._add(cells, "cpu", cpu, line, child)

    @property
    def minima_dropped(self) -> list[str]:
        """The minima that are not over all children.

        IOzone forgets a child without data if a later one has some, and its minimum
        may then be above the mean.
        """
        least = self.numbers.get(f"min_child_{self.unit}", (0.0, 0))[0]
        mean = self.numbers.get(f"mean_child_{self.unit}", (least, 0))[0]
        moved = self.numbers.get("min_child_size", (1.0, 0))[0]
        minima = [name for name in self.numbers if name.startswith("min_child_")]
        if least > mean:
            return minima
        return [name for name in minima if not (moved or name == "min_child_size")]

    def _add(
        self, cells: Cells, metric: str, number: float, line: int, child: int | None
    ) -> None:
        is_size = metric.endswith("size")
        unit: int | None = KIB if metric.endswith("throughput") else 1
        if is_size:  # without a record size nobody knows what so many records are
            unit = KIB if self.unit == "throughput" else self.record
        if not math.isfinite(number) or (number == 0 and not is_size) or not unit:
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


# A block of throughput mode: the numbers of one test with one number of processes.

_TESTS = (
    ("initial writers", "initial write", "write"),
    ("rewriters", "rewrite", "rewrite"),
    ("readers", "read", "read"),
    ("re-readers", "re-read", "reread"),
    ("reverse readers", "reverse read", "backward_read"),
    ("stride readers", "stride read", "stride_read"),
    ("random readers", "random read", "random_read"),
    ("mixed workload", "mixed workload", "mixed_workload"),
    ("random writers", "random write", "random_write"),
    ("pwrite writers", "pwrite", "pwrite"),
    ("pread readers", "pread", "pread"),
    ("fwriters", "fwrite", "fwrite"),
    ("freaders", "fread", "fread"),
)
NOUNS = {noun: operation for noun, _, operation in _TESTS}
"""Operation by the noun of a block's first line."""
LABELS = {label: operation for _, label, operation in _TESTS}
"""Operation by the label of its row in the report, in lower case."""

# IOzone fills a number up with blanks; a tab there has taken a digit's place
_NUMBER = r" *(?P<{}>\d{{1,15}}(?:\.\d{{1,9}})?|-?nan|-?inf)"
_SIZES = re.compile(
    r"\s*Each (?:process|thread) writes an? (\d{1,15}) [kK][bB]yte file in"
    r" (?:(\d{1,15}) [kK][bB]yte|telemetry controlled) records"
)
_FIRST = re.compile(
    r"\s*Children see throughput for\s+(?P<threads>\d{1,9})(?P<noun>\s[^=]+)="
    + _NUMBER.format("number")
    + r" (?P<unit>kB|KB|ops)/sec\s*"
)
_SUMMARY = re.compile(
    r"\s*(?P<name>Parent sees|Min|Max|Avg) throughput"
    r" (?:for\s+(?P<threads>\d{1,9})(?P<noun>\s[^=]+)|per (?:process|thread)\s*)="
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
_SUMMARIES = {
    "Parent sees": "parent",
    "Min": "min_child",
    "Max": "max_child",
    "Avg": "mean_child",
}


def is_result_of_a_block(line: str) -> bool:
    """Tell whether a line is a number of a block, whole."""
    patterns = (_FIRST, _SUMMARY, _LEAST, _CPU, _CHILD)
    return any(pattern.fullmatch(line) for pattern in patterns)


def is_of_a_block(line: str) -> bool:
    """Tell whether a line may stand within the blocks of one run."""
    return not line.strip() or _CUES.search(line) is not None


@dataclass(slots=True)
class _Blocks:
    """What was read so far.

    After a damaged line there is no current block, and the lines up to the next one are
    skipped: they may belong to a block whose beginning is what was damaged.
    """

    path: str
    sizes: tuple[int | None, int | None]
    sizes_of_command: tuple[int | None, int | None]
    threads: Sequence[int]
    blocks: list[Block] = field(default_factory=list)
    current: Block | None = None
    skipping: bool = False
    problems: list[ParseError] = field(default_factory=list)

    def contradict(self, line: int | str, expected: str, found: str) -> None:
        """Complain of two places that must agree and do not."""
        problem = InconsistentDataError(self.path, line, expected, found)
        self.problems.append(problem)


def read_blocks(
    document: Document,
    first: int,
    last: int,
    sizes: tuple[int | None, int | None] = (None, None),
    threads: Sequence[int] = (),
    *,
    whole: bool = False,
) -> tuple[list[Block], list[ParseError]]:
    """Read the blocks between two lines; those of a whole run lack no line.

    Units: `sizes` [B], of the command.
    """
    state = _Blocks(document.path, sizes, sizes, threads)
    for number, line in enumerate(document.lines[first - 1 : last], first):
        if match := _SIZES.match(line):
            _set_sizes(number, match, state)
        elif match := _FIRST.fullmatch(line):
            _begin(number, match, state)
        elif _CUES.search(line) and _is_lost(number, line, state):
            state.current, state.skipping = None, True
            _complain(number, line, "a line of a throughput block", state)
    blocks = _once(state)
    if whole and not state.problems:
        _name_lacking_lines(state, blocks)
    for block in blocks:
        _drop_contradictions(state, block)
    return blocks, state.problems


def _complain(number: int, line: str, expected: str, state: _Blocks) -> None:
    if names_host(line):
        expected += f" without the name of a host; {ONE_FILE_EACH}"
    bad = MalformedRowError(state.path, number, expected, quoted(line.strip()))
    state.problems.append(bad)


def _name_lacking_lines(state: _Blocks, blocks: Sequence[Block]) -> None:
    """Name blocks of a whole run without a line that IOzone prints for each."""
    printed = {name for block in blocks for name in block.numbers}
    for block in blocks:
        of_children = {f"{name}_{block.unit}" for name in _SUMMARIES.values()}
        of_children = of_children - {f"parent_{block.unit}"} | {"min_child_size"}
        names = printed | of_children if printed & of_children else printed
        lacking = sorted(names - set(block.numbers))
        if block.children and (absent := block.threads - len(block.children)):
            lacking.append(f"{absent} of the children")
        if lacking:
            none = f"none of {', '.join(lacking)}"
            state.contradict(block.line, "a whole block", none)


def _drop_contradictions(state: _Blocks, block: Block) -> None:
    """Take the numbers out of a block of which one must be wrong, and name them.

    IOzone prints the sum over the children, their mean, the least and the largest: the
    mean is the sum divided by their number, and none is above the largest.
    """
    numbers = block.numbers
    total, mean, least, largest = (
        f"{prefix}{block.unit}"
        for prefix in ("", "mean_child_", "min_child_", "max_child_")
    )
    rounding = _HALF * (1 + 1 / block.threads) + 1e-9 * numbers[total][0]
    quotient = numbers[total][0] / block.threads
    wrong = []
    if mean in numbers and abs(numbers[mean][0] - quotient) > rounding:
        expected = f"{quotient:.2f}, the mean of what line {block.line} says"
        wrong.append((mean, total, expected))
    for other in (mean, least):
        if {other, largest} <= {*numbers} - {name for pair in wrong for name in pair}:
            number, line = numbers[other]
            if numbers[largest][0] < number - rounding:
                wrong.append((largest, other, f"no less than in line {line}"))
    for metric, other, expected in wrong:
        number, line = numbers.pop(metric)
        del numbers[other]
        state.contradict(line, expected, f"{number:.2f}")


def _set_sizes(number: int, match: re.Match[str], state: _Blocks) -> None:
    state.current, state.skipping = None, False
    state.sizes = (int(match[1]) * KIB, int(match[2]) * KIB if match[2] else None)
    for printed, of_command in zip(state.sizes, state.sizes_of_command, strict=True):
        if None not in (printed, of_command) and printed != of_command:
            state.sizes = (None, None)
            expected = f"{of_command} bytes as in the command line"
            state.contradict(number, expected, f"{printed} bytes")


def _begin(number: int, match: re.Match[str], state: _Blocks) -> None:
    operation, count = NOUNS.get(match["noun"].strip()), int(match["threads"])
    state.current, state.skipping = None, True
    is_of_command = not state.threads or count in state.threads
    if operation is None or not is_of_command or not count:
        expected = "a test of IOzone with as many processes as were asked for"
        _complain(number, f"{count} {match['noun'].strip()}", expected, state)
        return
    unit = "rate" if match["unit"] == "ops" else "throughput"
    block = Block(number, operation, count, unit, *state.sizes)
    block.numbers[unit] = (float(match["number"]), number)
    state.blocks.append(block)
    state.current = block


def _is_lost(number: int, line: str, state: _Blocks) -> bool:
    """Take a further line of a block; tell whether it should be one but is not."""
    if state.current is not None:
        return not _continue(state.current, number, line)
    if "Children see" in line or (state.blocks and not state.skipping):
        return True
    # Before the first block only what looks like the rest of one, cut off above.
    patterns = (_SUMMARY, _LEAST, _CHILD)
    return not state.skipping and any(p.fullmatch(line) for p in patterns)


def _continue(block: Block, number: int, line: str) -> bool:
    """Take a further line of a block; tell whether it is one, and a new one."""
    if match := _CHILD.fullmatch(line):
        cpu = float(match["cpu"]) if match["cpu"] else None
        child = (float(match["moved"]), float(match["number"]), cpu, number)
        return block.children.setdefault(int(match["child"]), child) is child
    if match := _SUMMARY.fullmatch(line):
        metric = f"{_SUMMARIES[match['name']]}_{block.unit}"
        if match["noun"] and not _is_of(block, match):
            return False
    elif match := _LEAST.fullmatch(line):
        metric = "min_child_size"
    elif match := _CPU.fullmatch(line):
        metric = "cpu"
    else:
        return False
    printed = (float(match["number"]), number)
    return block.numbers.setdefault(metric, printed) is printed


def _is_of(block: Block, match: re.Match[str]) -> bool:
    """Tell whether a line that names its test belongs to a block."""
    same = NOUNS.get(match["noun"].strip()) == block.operation
    return same and int(match["threads"]) == block.threads


def _once(state: _Blocks) -> list[Block]:
    """Drop a block that comes again: one run measures it once."""
    first: dict[tuple[object, ...], Block] = {}
    for block in state.blocks:
        key = (block.operation, block.threads, block.file, block.record)
        if (before := first.setdefault(key, block)) is not block:
            expected = f"{block.operation} with {block.threads} processes once in a run"
            state.contradict(block.line, expected, f"it already in line {before.line}")
    return list(first.values())


# The report at the end of throughput mode (``-R``, ``-b``).
#
# ::
#
#     "Throughput report Y-axis is type of test X-axis is number of processes"
#     "Record size = 16 kBytes "  # noqa: ERA001 - a line of the output
#     "Output is in kBytes/sec"
#
#     "  Initial write " 4284672.00  6260544.25  4633676.00
#
# The columns are not labelled: the k-th is the k-th number of processes. The file
# size is not stated. A test that was not selected shows 0.00, sometimes under an
# empty label. The CPU report that may follow labels its rows wrongly; only their
# order counts, which is that of the rows above.

_ROW = re.compile(r'"([ \w-]{16})"((?:\s+(?:\d{1,15}(?:\.\d{1,9})?|-?nan|-?inf))+)')
_RECORD = re.compile(r"Record size = (\d{1,15}) [kK][bB]ytes")


@dataclass(slots=True)
class ThroughputReport:
    """One report: for each test a number for each number of processes.

    Units: `record` [B].
    """

    place: int | str
    cpu: bool
    record: int | None = None
    unit: str = "throughput"
    rows: list[tuple[str, list[float], list[str]]] = field(default_factory=list)

    def take(self, text: str) -> None:
        """Take what a line of the report's head states."""
        if match := _RECORD.search(text):
            self.record = int(match[1]) * KIB
        elif "ops/sec" in text:
            self.unit = "rate"


def parse_title(text: str) -> bool | None:
    """Tell whether a text is the title of a throughput report, True for CPU use.

    >>> parse_title('"CPU utilization report Y-axis is type of test X-axis is …"')
    True
    >>> parse_title("Writer Report") is None
    True
    """
    label = text.strip().strip('"').strip()
    if " report Y-axis is type of test" not in label:
        return None
    return label.startswith("CPU")


def read_throughput_reports(
    document: Document, first: int, last: int
) -> list[ThroughputReport]:
    """Read the reports between two lines of a text."""
    reports: list[ThroughputReport] = []
    for number, line in enumerate(document.lines[first - 1 : last], first):
        text = line.strip()
        if not text.startswith('"'):
            continue
        if (cpu := parse_title(text)) is not None:
            reports.append(ThroughputReport(number, cpu))
        elif reports and (match := _ROW.fullmatch(text)):
            numbers = list(map(float, match[2].split()))
            places = [f"line {number}"] * len(numbers)
            reports[-1].rows.append((match[1].strip(), numbers, places))
        elif reports:
            reports[-1].take(text)
    return reports


def compare_blocks(
    document: Document, reports: Sequence[ThroughputReport], blocks: Sequence[Block]
) -> list[ParseError]:
    """Check the blocks of the same run against its report."""
    printed: dict[str, list[Block]] = {}
    for block in blocks:
        printed.setdefault(block.operation, []).append(block)
    problems: list[ParseError] = []
    rows = [row for report in reports if not report.cpu for row in report.rows]
    for label, numbers, places in rows:
        alike = printed.get(LABELS.get(label.lower(), ""), [])
        # Blocks are missing in excerpts: then the columns cannot be told.
        if len(alike) != len(numbers):
            continue
        for block, number, place in zip(alike, numbers, places, strict=True):
            # one that contradicts the block's mean is named there
            total, line = block.numbers.get(block.unit, (number, 0))
            if total != number:
                expected, shown = f"{total:.2f} as in line {line}", f"{number:.2f}"
                wrong = InconsistentDataError(document.path, place, expected, shown)
                problems.append(wrong)
    return problems


def add_throughput_reports(
    path: str,
    cells: Cells,
    reports: Sequence[ThroughputReport],
    threads: Sequence[int | None],
    file: int | None,
) -> None:
    """Append what the reports hold, where they are all that there is.

    Units: `file` [B].
    """
    labels: list[str] = []
    for report in reports:
        widths = {len(numbers) for _, numbers, _ in report.rows}
        if widths and widths != {len(threads)}:
            expected = "a column for each number of processes of the command line"
            columns = f"{max(widths)} columns, {len(threads)} numbers of processes"
            raise AmbiguousColumnsError(path, report.place, expected, columns)
        if not report.cpu:
            labels += [label.lower() for label, _, _ in report.rows]
            tests = [label for label in labels if label]
            if len(set(tests)) < len(tests):
                shown = ", ".join(map(quoted, tests))
                raise InconsistentDataError(path, report.place, "each test once", shown)
        unit = KIB if report.unit == "throughput" and not report.cpu else 1
        for label, (_, numbers, places) in zip(labels, report.rows, strict=False):
            for count, number, place in zip(threads, numbers, places, strict=True):
                if label in LABELS and 0 < number < float("inf"):
                    cells.add(
                        LABELS[label],
                        "cpu" if report.cpu else report.unit,
                        number * unit,
                        place,
                        low=number * unit,
                        high=number * unit,
                        file_size=file,
                        record_size=report.record,
                        threads=count,
                    )
