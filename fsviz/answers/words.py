"""Every mark, letter, word and colour of a verdict, and how ratios are worded.

A legend is made of it, so no output has a sign that is explained nowhere.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from fsviz.analysis.buckets import EDGES
from fsviz.analysis.verdicts import BAND, DEPENDS, DISQUALIFIED
from fsviz.checks.phrases import count, listing, titles
from fsviz.model.table import METRICS, OPERATIONS
from fsviz.model.thresholds import THRESHOLDS
from fsviz.model.units import format_size, format_times, format_value, significant


@dataclass(frozen=True, slots=True)
class Look:
    """How a verdict looks: mark, words of a legend, colour of a terminal or sheet."""

    mark: str
    meaning: str
    style: str = ""
    fill: str = ""


VERDICT_LOOKS = {
    "faster": Look("▲", "faster", "green", "BBD7EA"),
    "slower": Look("▼", "slower", "red", "F9C9B4"),
    DEPENDS: Look("⇅", "depends", "yellow", "F2E7B8"),
    "same": Look("=", "about the same (within 5 %)"),
    "unclear": Look("≈", "inconclusive"),
    DISQUALIFIED: Look("✗", "disqualified", "magenta", "E3CFE6"),
    "untested": Look("·", "untested (under 3 runs known)"),
}
"""Every verdict, in the order of legends."""

MARKS = {verdict: look.mark for verdict, look in VERDICT_LOOKS.items()}
MEANINGS = {verdict: look.meaning for verdict, look in VERDICT_LOOKS.items()}
WORDS = {verdict: text.partition(" (")[0] for verdict, text in MEANINGS.items()}
"""Each verdict in prose."""
STYLES = {verdict: look.style for verdict, look in VERDICT_LOOKS.items() if look.style}
FILLS = {verdict: look.fill for verdict, look in VERDICT_LOOKS.items() if look.fill}
"""Blue and red of `COLOURS`, light enough for black letters."""

OPEN = 1 + THRESHOLDS["rounding"].default
"""What printed digits may leave open of a ratio that is said as one number."""

STANDS_FOR = {"mean": "means alone", "published": "published figures alone"}
"""What one number a side is that is no run, see `fsviz.model.runs.STANDS_FOR`."""

UNSURE = "?"
"""Before the arrow of an inconclusive ratio beyond the band."""
SPLIT = "≠"
"""Before the two ratios of what has no single winner."""
NO_WINNER = "no single winner"

SIGNS = {
    **MEANINGS,
    "unclear": "inconclusive, measured within 5 %",
    UNSURE: "inconclusive, measured beyond 5 %",
    SPLIT: f"{NO_WINNER}: by the mean of the ratios, then in all",
    DEPENDS: "depends: faster and slower",
    "untested": "measured, but not tested",
}

OTHER_SIGNS = {
    "–": "not measured, or not to be had from one run; never zero",
    "…": "between two numbers: the ends of an interval",
    "×": "times as fast or as slow; 2× slower takes twice as long",
    "÷": "a ratio: candidate ÷ baseline",
    "±": "one standard deviation, which the column or the legend names",
    "σ": "standard deviation",
    "µ": "a millionth, as in µs",
    ">": "at least: a run was too fast to time, such as +++++",
    "<": "at most",
    "≥": "in a figure: beyond the end of the colours, and hatched; so is ≤",
}
"""Signs in tables and figures that are not verdicts."""

COLOURS = "RdBu"
"""Blue is faster, red slower, which the colour-blind tell apart (Brewer's RdBu)."""

LETTERS = {
    "cache": "c",
    "transition": "t",
    "storage": "s",
    "sync against async": "a",
}
"""Letter in a cell of what differs from cell to cell; all else has words elsewhere."""

SCOPES = {
    "cache": "the data may have come from a cache: files below the client's memory, or "
    "numbers that the link or memory cannot carry",
    "transition": "files of 1 to 3 times the client's memory, partly from its cache",
    "storage": "files from 3 times the client's memory on",
    "sync against async": "one side waits for stable storage and the other does not",
    "emulated": "the machines or the link are emulated, which may cost one protocol "
    "more than another: the ratio holds for this set-up only",
    "one after another": "the systems did not take turns: the verdict holds if nothing "
    "drifted between them",
    "same order every round": "the systems ran in the same order in every round: drift "
    "within a round would look like a difference",
}
"""What each word in the brackets of a verdict means."""

OTHER_SCOPE = "another fact differs besides the one compared, and may be the cause"

CLASSES = "small to very large files"

BLOCKS = {
    "faster": "blue faster",
    "slower": "red slower",
    DEPENDS: "blue and red both",
    "same": "grey about the same",
    "unclear": "empty undecided",
}
"""Colours of the blocks of the size classes."""

BUCKET_WORDS = {
    "cpu_cache": "in CPU cache",
    "memory": "in memory",
    "beyond_memory": "beyond memory",
    "very_large": "very large",
}
"""Size classes, where their own name does not say what they are."""


def bucket_words(name: str) -> str:
    """Say in which files a mean is.

    >>> bucket_words("very_large"), bucket_words("memory")
    ('in very large files', 'in memory')
    """
    words = BUCKET_WORDS.get(name, name)
    return f"in {words} files" if name in EDGES else words


WON = "Won and lost count operations beyond 5 %"

CELL = "Checks below count cells (one test, system and size)"

_SHORT = {"sequential": "seq.", "output": "out", "input": "in"}


def times_words(speed: float) -> str:
    """Say how many times as fast something is, as people say it.

    >>> [times_words(speed) for speed in (1 / 1.68, 2.0, 1.001, 0.0)]
    ['1.7× slower', '2.0× faster', 'as fast', '–']
    """
    if not 0 < speed < math.inf:
        return "–"
    times = format_times(factor_of(speed))
    if times == "1.00":
        return "as fast"
    return f"{times}× {'faster' if speed > 1 else 'slower'}"


def nearly_words(speed: float) -> str:
    """Say how many times as fast, or that it is about as fast."""
    return "about as fast" if BAND[0] < speed < BAND[1] else times_words(speed)


def end_words(speed: float, is_limit: bool) -> str:
    """Say how fast an end is, or at least how fast where it is a limit."""
    if not is_limit:
        return nearly_words(speed).removeprefix("about ")
    times = format_times(factor_of(speed), down=True)
    return f"more than {times}× {'faster' if speed > 1 else 'slower'}"


def range_words(low: float, high: float) -> str:
    """Say from how many to how many times as fast something is.

    >>> range_words(0.5, 0.64), range_words(0.9, 1.5), range_words(0.0, 0.25)
    ('1.6–2.0× slower', '1.1× slower to 1.5× faster', 'at least 4.0× slower')
    >>> range_words(0.0, 0.0)
    '–'
    """
    if low <= 0 and high == math.inf:
        return "anything"
    if low <= 0 or high == math.inf:
        end, beyond = (high, high < 1) if low <= 0 else (low, low > 1)
        if not 0 < end < math.inf:
            return "–"
        if not beyond:
            return f"at most {times_words(end)}"
        least = format_times(max(end, 1 / end), down=True)
        return f"at least {least}× {'faster' if end > 1 else 'slower'}"
    first, last = times_words(low), times_words(high)
    if first == last:
        return first
    if (low > 1) != (high > 1) or "as fast" in (first, last):
        return f"{first} to {last}"
    near, far = sorted(max(end, 1 / end) for end in (low, high))
    word = last.rpartition(" ")[2]
    return f"{format_times(near)}–{format_times(far)}× {word}"


def times_mark(speed: float) -> str:
    """Write how many times as fast at an axis: the marks of the cells, and a number.

    >>> [times_mark(speed) for speed in (1 / 16, 0.7, 1, 2)]
    ['▼16×', '▼1.4×', '1×', '▲2×']
    """
    if speed == 1:
        return "1×"
    mark = MARKS["faster" if speed > 1 else "slower"]
    return f"{mark}{format_times(factor_of(speed)).removesuffix('.0')}×"


NEAR = "near 1×"


class LoneCell(NamedTuple):
    """A cell that is far from all others of its operation, and how these are.

    >>> cell = LoneCell(4096, 512, 0.5, 0.97, 1.0, 9)
    >>> cell.how_much, cell.place, cell.rest
    ('2.0× slower', '4-KiB files with 512-B records', 'near 1×')
    >>> cell = LoneCell(4096, None, 3.0, 0.5, 0.6, 9)
    >>> cell.how_much, cell.place, cell.rest
    ('3.0× faster', '4-KiB files', '1.7–2.0× slower')
    """

    file_size: int | None
    record_size: int | None
    """[B]"""
    speed: float
    least: float
    most: float
    """Speeds of the others, of which there are so many:"""
    others: int

    @property
    def how_much(self) -> str:
        """How much faster or slower it is."""
        return times_words(self.speed)

    @property
    def place(self) -> str:
        """The sizes that it has."""
        sizes = ((self.file_size, "files"), (self.record_size, "records"))
        return " with ".join(
            f"{format_size(size).replace(' ', '-')} {what}"
            for size, what in sizes
            if size is not None
        )

    @property
    def rest(self) -> str:
        """How the others are."""
        near = BAND[0] < self.least and self.most < BAND[1]
        return NEAR if near else range_words(self.least, self.most)


class SizeAnswer(NamedTuple):
    """What is said of one size [B]; q is over all candidates."""

    size: int
    verdict: str
    speed: float
    q: float


class Torn(NamedTuple):
    """Cells of an operation that are decided, some faster and some slower.

    >>> Torn(4, 12, 0.5, 3.0).way("slower")
    (12, 0.5)
    """

    faster: int
    slower: int
    slowest: float
    fastest: float

    def way(self, verdict: str) -> tuple[int, float]:
        """How many cells go one way, and the speed of the farthest."""
        if verdict == "faster":
            return self.faster, self.fastest
        return self.slower, self.slowest


class RareCells(NamedTuple):
    """Cells that fewer runs have than a test needs, of an operation that is tested.

    >>> cells = RareCells(1, "4-GiB files", 0.1, 0.1)
    >>> cells.how_much, cells.how_often
    ('10× slower', 'one run')
    """

    runs: int
    place: str
    """What only they are of; empty of a whole operation."""
    slowest: float
    fastest: float

    @property
    def how_much(self) -> str:
        """How much faster or slower they are."""
        return range_words(self.slowest, self.fastest)

    @property
    def how_often(self) -> str:
        """How many runs the rarest of them has."""
        return "one run" if self.runs == 1 else count(self.runs, "run")


def sizes_apart(own: Collection[int], others: Collection[int], kind: str) -> str:
    """Name sizes [B] that no others share; empty if they share one.

    >>> sizes_apart({1024}, {2048}, "file"), sizes_apart({2048, 4096}, {1024}, "file")
    ('1-KiB files', 'files from 2 KiB')
    >>> sizes_apart({1, 4}, {2}, "record"), sizes_apart({1}, {1, 2}, "file")
    ('records of 1 B and 4 B', '')
    """
    if not own or {*own} & {*others}:
        return ""
    if len(own) == 1:
        return _size(min(own), kind)
    if not others:
        return ""
    if min(own) > max(others):
        return f"{kind}s from {format_size(min(own))}"
    if max(own) < min(others):
        return f"{kind}s up to {format_size(max(own))}"
    if len(own) == 2:
        return f"{kind}s of {listing(map(format_size, sorted(own)))}"
    return count(len(own), f"{kind} size")


def factor_of(speed: float) -> float:
    """Say how many times faster or slower a speed is.

    >>> factor_of(0.5), factor_of(2.0)
    (2.0, 2.0)
    """
    return max(speed, 1 / speed)


def speed_of(ratio: float, metric: str) -> float:
    """Turn a ratio of values so that above 1 is faster.

    >>> speed_of(2.0, "throughput"), speed_of(2.0, "latency")
    (2.0, 0.5)
    """
    if METRICS[metric].better >= 0:
        return ratio
    return 1 / ratio if ratio else math.inf


def sizes_words(
    faster: Sequence[int],
    slower: Sequence[int],
    smallest: float = math.nan,
    largest: float = math.nan,
    kind: str = "file",
) -> tuple[str, str]:
    """Say at which sizes [B] of files or records a row is faster, and at which slower.

    ``smallest`` and ``largest`` are those that were measured [B].

    >>> sizes_words((65536, 4194304), (67108864, 1073741824))
    ('up to 4-MiB files', 'from 64 MiB')
    >>> sizes_words((65536, 4194304), (67108864,), 4096, 1073741824)
    ('in files of 64 KiB to 4 MiB', 'at 64 MiB')
    >>> sizes_words((65536, 67108864), (4194304,))
    ('at 2 file sizes', 'at 4 MiB')
    >>> sizes_words((4096,), (65536, 1048576), 4096, 1048576, "record")
    ('up to 4-KiB records', 'from 64 KiB')
    """
    if max(faster) < min(slower):
        return _up_to(faster, smallest, kind), _from(slower, largest)
    if max(slower) < min(faster):
        return _from(faster, largest, kind), _up_to(slower, smallest)
    one, other = (
        f"{len(own)} {kind} sizes" if len(own) > 1 else _size(own[0], noun)
        for own, noun in ((faster, kind), (slower, ""))
    )
    return f"at {one}", f"at {other}"


def _up_to(own: Sequence[int], smallest: float, noun: str = "") -> str:
    if min(own) > smallest:
        return _between(own, noun)
    return f"up to {_size(max(own), noun)}"


def _from(own: Sequence[int], largest: float, noun: str = "") -> str:
    if max(own) < largest:
        return _between(own, noun)
    return f"from {_size(min(own), noun)}"


def _between(own: Sequence[int], noun: str) -> str:
    if len(own) == 1:
        return f"at {_size(own[0], noun)}"
    where = f"in {noun}s of" if noun else "at"
    return f"{where} {format_size(min(own))} to {format_size(max(own))}"


def _size(size: int, noun: str) -> str:
    shown = format_size(size)
    return f"{shown.replace(' ', '-')} {noun}s" if noun else shown


SHORT_UNITS = {
    "G": "GiB/s",
    "M": "MiB/s",
    "K": "KiB/s",
    "B": "B/s",
    "k": "1,000 op/s",
    "o": "op/s",
    "s": "seconds",
    "m": "ms",
    "u": "µs",
}
"""Letters of units where a column is narrow."""


def short_value(value: float, unit: str) -> str:
    """Write a value with three digits and one letter.

    >>> short_value(81892147.2, "B/s"), short_value(5648.0, "op/s")
    ('78.1M', '5.65k')
    >>> short_value(7.25, "s"), short_value(0.00012, "s"), short_value(773.0, "op/s")
    ('7.25s', '120u', '773o')
    """
    if unit == "op/s":
        shown = f"{significant(value / 1000)} k" if value >= 1000 else f"{value:.3g} o"
    else:
        shown = format_value(value, unit)
    number, _, name = shown.partition(" ")
    return number + ("u" if name.startswith("µ") else name[:1])


def rule_words(rule: str) -> str:
    """Return the name of a rule of ``fsviz check`` as words.

    >>> rule_words("incomplete-run")
    'incomplete run'
    """
    return rule.replace("-", " ")


def operation_title(operation: object) -> str:
    """Return an operation as people say it."""
    return OPERATIONS.get(str(operation), str(operation))


def in_two_lines(operation: str) -> tuple[str, str]:
    """Break the title of an operation so that its longer line is short.

    >>> in_two_lines("sequential_output_block"), in_two_lines("write")
    (('seq. out', 'block'), ('', 'write'))
    """
    title = OPERATIONS.get(operation, operation.replace("_", " "))
    words = [_SHORT.get(word, word) for word in title.split()]
    breaks = [
        (" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))
    ] or [("", title)]
    return min(breaks, key=lambda lines: max(map(len, lines)))


_NAMES = 5
"""Operations that are named; of more only the number is said."""


def operations_words(names: tuple[str, ...], among: tuple[str, ...] = ()) -> str:
    """Say at which operations, as reads or writes where they are just these.

    >>> operations_words(("read", "reread", "random_read"))
    'at 3 read tests'
    >>> operations_words(("write", "fwrite", "rewrite"), ("write", "frewrite", "fwrite",
    ...     "rewrite"))
    'at 3 of 4 write tests'
    >>> operations_words(("write", "read"))
    'at write and read'
    """
    number = len(names)
    if number > 2:
        for kind in ("read", "write"):
            if all(kind in name for name in names):
                of = sum(kind in name for name in among)
                some = f"{number} of {of}" if of > number else f"{number}"
                return f"at {some} {kind} tests"
    return f"at {number} operations" if number > _NAMES else f"at {titles(names)}"
