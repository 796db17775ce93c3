"""IOzone's command line: which options are set, with which values.

The options are read as IOzone's own getopt reads them, so ``-Racz`` is four flags and
``-azi0`` is two flags and ``-i 0``. IOzone prints its arguments joined by single blanks
and unquoted; a path that holds a blank therefore falls apart into operands, which are
ignored here as there.

Sizes without a suffix are kB, and kB is 1024 bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from itertools import accumulate, product, takewhile

from fsviz.model.units import KIB

_WITH_ARGUMENT = frozenset("JjkVrtsfFdluULSHPibXYgnyq")
_PLUS_WITH_ARGUMENT = frozenset("aQbRchmxipAqKwyCSWHPO")
_SIZES = frozenset("srngyq")
_SIZE = re.compile(r"(\d{1,15})([kKmMgG]?)")
_SUFFIX = {"": KIB, "k": KIB, "m": KIB**2, "g": KIB**3}

MOST_COUNTS = 4096
"""Counts of processes between -l and -u that are looked at; no log has so many."""

# What only says where to put things or what to print; it does not change a number.
_NOT_CONFIGURATION = frozenset({"b", "f", "F", "R", "M", "C", "+h", "+S"})
_PATHS = frozenset({"U", "+m", "X", "Y"})

_WORK = frozenset(
    [*"aAtlu", *"IoceBGDHkUpWKJjON", "+r", "+D", "+w", "+y", "+C", "+n", "+Z"]
)
"""Options that change what a cell does: how many processes, how files are opened,
flushed and dropped from caches, what is written, the unit of the result. Other sizes
are other cells."""

_LARGEST_AUTOMATIC, _DEFAULT = 512 * KIB**2, 512 * KIB
"""File sizes [B] without -s or -g: the largest of the automatic mode; any other."""

_CROSSOVER, _LEAST_BEYOND = 16 * KIB**2, 64 * KIB
"""File size [B] above which the automatic mode begins with larger records."""
_MOST_SIZES = 64

_FLUSHING = ("e", "o", "I", "+r", "+D")
"""With these a write is timed until the system says that it is stored: fsync, O_SYNC,
O_DIRECT, O_RSYNC with O_SYNC, O_DSYNC (``iozone -h``)."""


BUFFERED = ("fwrite", "frewrite", "fread", "freread")
"""Tests of the C library's files, which -I does not reach."""


@dataclass(frozen=True)
class Options:
    """What an IOzone command line asks for."""

    values: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    operands: tuple[str, ...] = ()

    def __contains__(self, option: str) -> bool:
        return option in self.values

    def sizes(self, option: str) -> tuple[int, ...]:
        """Return the sizes [B] given with ``-s -r -n -g -y -q``."""
        return tuple(_size(text) for text in self.values.get(option, ()))

    def only_size(self, option: str) -> int | None:
        """Return the one size [B] of ``-s`` or ``-r``, which ``-+k`` divides."""
        try:
            sizes = self.sizes(option)
        except ValueError:
            return None
        return sizes[0] if len(sizes) == 1 and "+k" not in self else None

    def numbers(self, option: str) -> tuple[int, ...]:
        """List the whole numbers given with an option such as ``-t`` or ``-i``."""
        texts = self.values.get(option, ())
        return tuple(int(m[0]) for t in texts if (m := re.match(r"\d{1,9}", t)))

    @cached_property
    def tests(self) -> frozenset[int] | None:
        """Numbers of the tests that run on Linux, None for all.

        A test number from 12 is not known there and runs test 0 instead; 11 runs
        nothing.
        """
        chosen = set(self.numbers("i"))
        if "A" in self:
            chosen |= {0, 1}
        if not chosen:
            return None
        return frozenset(0 if n >= 12 else n for n in chosen if n != 11)

    @cached_property
    def threads(self) -> tuple[int, ...]:
        """List the process counts of throughput mode in the order in which they run."""
        if counts := self.numbers("t"):
            return counts
        low, high = self.numbers("l")[-1:], self.numbers("u")[-1:]
        if not low and not high:
            return ()
        first = low[0] if low else 1
        last = min((high or low)[0], first + MOST_COUNTS - 1)
        return tuple(range(first, last + 1))

    @property
    def automatic(self) -> bool:
        """Whether IOzone goes through a range of file sizes by itself."""
        return not self.threads and ("a" in self or "A" in self)

    @property
    def factor(self) -> int:
        """By how much each size of the automatic mode is larger than the one before."""
        return max((2, *self.numbers("+x")[-1:]))

    @property
    def largest_file(self) -> int:
        """Largest file of one process [B].

        The automatic mode ends at -g, else at its only -s, else at 512 MiB; several
        -s are the sizes themselves. Elsewhere -g means nothing and 512 KiB is the
        default. Seen in runs of version 3.489.
        """
        chosen, last = self.sizes("s"), self.sizes("g")[-1:]
        if not self.automatic:
            return max(chosen, default=_DEFAULT)
        if len(chosen) > 1:
            return max(chosen)
        return (*last, *chosen, _LARGEST_AUTOMATIC)[0]

    @property
    def has_plain_sizes(self) -> bool:
        """Whether it measures without -t, in sizes that can be read."""
        texts = (text for option in _SIZES for text in self.values.get(option, ()))
        return not self.threads and all(map(_SIZE.match, texts))

    @cached_property
    def sizes_to_measure(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """List the file sizes and the record sizes [B] that are asked for without -t.

        Several -s or -r are gone through by looking for the next larger one from the
        first on, so that one behind a larger one is left out. Seen in runs of versions
        3.414 to 3.510.
        """
        files, records = _next_larger(self.sizes("s")), _next_larger(self.sizes("r"))
        if self.automatic and len(files) < 2:
            first = self.sizes("n")[-1:] or (64 * KIB,)
            first = first if self.sizes("g") else files or first
            files = _powers(first[0], self.largest_file, self.factor)
        if not records and (self.automatic or len(files) > 1):
            low = self.sizes("y")[-1:] or (4 * KIB,)
            high = self.sizes("q")[-1:] or (16384 * KIB,)
            records = _powers(low[0], high[0], self.factor)
        return files or (_DEFAULT,), records or (4 * KIB,)

    @property
    def grid(self) -> frozenset[tuple[int, int]]:
        """List the file and record sizes [B] that are measured without -t.

        Records below 64 KiB are left out of files above 16 MiB by the automatic mode,
        unless -z, -A, -s or -y says otherwise.
        """
        files, records = self.sizes_to_measure
        crossing = self.automatic and not any(o in self for o in "zAsy")
        return _grid(files, records, _LEAST_BEYOND if crossing else 0)

    @property
    def flushed(self) -> bool:
        """Whether a write is timed until the system says that it is stored."""
        return any(option in self for option in _FLUSHING)

    def settings(self, operations: Sequence[str]) -> list[str]:
        """Return the setting of each test: what -I does not reach is another one."""
        if "I" not in self or "B" in self:
            return [""] * len(operations)
        return ["buffered=1" if test in BUFFERED else "" for test in operations]

    @property
    def workbook(self) -> str:
        """The file that ``-b`` writes; empty if none is asked for."""
        return next(iter(self.values.get("b", ())), "")

    @property
    def configuration(self) -> str:
        """What is asked for, without paths, the same text for the same request."""
        return self._join_options(o for o in self.values if o not in _NOT_CONFIGURATION)

    @property
    def work(self) -> str:
        """What changes the work of a cell: processes, caches, flushes, data."""
        return self._join_options(o for o in self.values if o in _WORK)

    def _join_options(self, options: Iterable[str]) -> str:
        words = []
        for option in sorted(options, key=_order):
            words.extend(_normal(option, self.values[option]))
        return " ".join(words)


def parse_options(command_line: str) -> Options:
    """Read an IOzone command line as IOzone itself does.

    >>> options = parse_options("iozone -Racz -i 0 -i 1 -n 64k -f /mnt/t.tmp -b x.xls")
    >>> sorted(options.values)
    ['R', 'a', 'b', 'c', 'f', 'i', 'n', 'z']
    >>> options.sizes("n"), sorted(options.tests)
    ((65536,), [0, 1])
    >>> options.configuration
    '-a -c -i 0 -i 1 -n 64k -z'
    """
    words = iter(command_line.split()[1:])
    values: dict[str, list[str]] = {}
    operands: list[str] = []
    for word in words:
        if word.startswith("-") and len(word) > 1:
            _take(word[1:], words, values)
        else:
            operands.append(word)
    if "F" in values:
        # the other names that follow it: one for each process
        values["F"], operands = values["F"] + operands, []
    return Options({k: tuple(v) for k, v in values.items()}, tuple(operands))


def _take(letters: str, words: Iterator[str], values: dict[str, list[str]]) -> None:
    """Take the options of one word, and the next word if the last one needs it."""
    for index, letter in enumerate(letters):
        text = letters[index + 1 :]
        if letter == "+":
            letter = (text or next(words, ""))[:1]  # noqa: PLW2901
            argument = next(words, "") if letter in _PLUS_WITH_ARGUMENT else ""
            values.setdefault(f"+{letter}", []).append(argument)
            return
        if letter in _WITH_ARGUMENT:
            values.setdefault(letter, []).append(text or next(words, ""))
            return
        values.setdefault(letter, [""])


def _next_larger(sizes: tuple[int, ...]) -> tuple[int, ...]:
    largest = accumulate(sizes, max)
    return tuple(dict.fromkeys(size for size in largest if size > 0))


@lru_cache(maxsize=16)
def _powers(first: int, last: int, times: int) -> tuple[int, ...]:
    powers = (first * times**k for k in range(_MOST_SIZES))
    return tuple(takewhile(lambda size: 0 < size <= last, powers))


@lru_cache(maxsize=16)
def _grid(
    files: tuple[int, ...], records: tuple[int, ...], least: int
) -> frozenset[tuple[int, int]]:
    """List the sizes of all runs of one command; ``least`` is that of large files."""
    pairs = product(files, records)
    return frozenset([(f, r) for f, r in pairs if (f > _CROSSOVER and least) <= r <= f])


def _size(text: str) -> int:
    match = _SIZE.match(text)
    if match is None:
        raise ValueError(f"expected a size such as 64k, found {text!r}")
    return int(match[1]) * _SUFFIX[match[2].lower()]


def _order(option: str) -> tuple[str, str]:
    return (option.lstrip("+").lower(), option)


def _normal(option: str, arguments: tuple[str, ...]) -> list[str]:
    if option in _PATHS or not any(arguments):
        return [f"-{option}"]
    if option in _SIZES:
        arguments = tuple(_kilobytes(text) for text in arguments)
    elif option == "i":
        arguments = tuple(sorted(set(arguments), key=lambda t: (len(t), t)))
    return [f"-{option} {argument}" for argument in arguments]


def _kilobytes(text: str) -> str:
    match = _SIZE.match(text)
    return f"{_size(text) // KIB}k" if match else text
