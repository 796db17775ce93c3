r"""IOzone's result table in automatic and single mode.

::

                                                   random    random     bkwd    record …
          kB  reclen    write  rewrite    read    reread    read     write     read …
          64       4  2358717  6421025  9006179 22737791 15972885  7100397
         128       4  3053774  6727225 12842051 14200794 14200794  6114306

The header always names all columns, also those that stay blank. Between the rows may
stand messages of the tool (many with ``-N``) and of the kernel; a line that is no row
but holds the beginning of one is reported, other lines are skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, combinations, compress, product, takewhile

import numpy as np
import numpy.typing as npt

from fsviz.model.errors import (
    AmbiguousColumnsError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.units import KIB
from fsviz.readers.document import Document

_ROW_INSIDE = re.compile(r"^\s*\d+\s+\d+\s+\S*\d|(?:^|\s)\d+\s+\d+\s+\d+(?:\s|$)")
_END = ("iozone test complete", "exiting iozone", "Excel output is below")
FAILURE = re.compile(
    r"\s*(?:Error[ :]\w*|Can not |iozone: interrupted|Memory allocation failed"
    r"|MAX_[XY] too small|Sanity check failed|Microsecond mode not supported)"
)
"""Start of a line with which IOzone reports that it failed."""


@dataclass(slots=True)
class Table:
    """The rows of one table."""

    operations: tuple[str, ...] = ()
    lines: list[int] = field(default_factory=list)
    files: list[int] = field(default_factory=list)
    records: list[int] = field(default_factory=list)
    numbers: npt.NDArray[np.int64] = field(
        default_factory=lambda: np.empty((0, 0), np.int64)
    )
    problems: list[ParseError] = field(default_factory=list)
    cut_short: int | None = None

    def drop(self, rows: AbstractSet[int]) -> None:
        """Leave some rows out."""
        kept = [at for at in range(len(self.lines)) if at not in rows]
        self.lines = [self.lines[at] for at in kept]
        self.files = [self.files[at] for at in kept]
        self.records = [self.records[at] for at in kept]
        self.numbers = self.numbers[kept]


def read_table(
    document: Document, header: int, end: int, tests: frozenset[int] | None
) -> Table:
    """Read the table whose header names are in line ``header``."""
    head = read_header(document, header)
    table = Table()
    rows = list(_rows(document, header + 1, end, head.tab, table))
    if not rows:
        return table
    # those that must be in the table, as far as that is known
    every = COLUMN_TESTS[head.columns]
    expected = None if tests is None else tuple(test for test in every if test in tests)
    read = _read(head, [row for _, row in rows], expected)
    if read is None:
        _refuse(document, rows, expected, table)
        return table
    table.operations = operations(read.selection)
    table.lines = [number for number, _ in compress(rows, read.fits.tolist())]
    good = read.numbers[read.fits]
    table.files, table.records = good[:, 0].tolist(), good[:, 1].tolist()
    table.numbers = good[:, 2:]
    misfits = list(compress(rows, (~read.fits).tolist()))
    _explain(document, misfits, rows[-1][0], table)
    _check_pairs(document, table)
    return table


def _read(head: Header, rows: Sequence[str], expected: Selection | None) -> Rows | None:
    if not head.layout:
        return read_counted_rows(expected or COLUMN_TESTS[head.columns], rows)
    read = read_rows(head.layout, head.columns, rows, expected)
    every = COLUMN_TESTS[head.columns]
    if (read is None or not read.fits.all()) and expected in (None, every):
        counted = _read_moved_rows(head.layout, every, rows)
        if counted is not None:
            return counted
    return None if read is None or _is_prefix(read.selection, expected) else read


def _rows(
    document: Document, first: int, end: int, tab: int, table: Table
) -> Iterator[tuple[int, str]]:
    """Find the lines of digits and blanks, and the damaged rows between them.

    An article goes on with text and with tables of other programs: after other text,
    only what looks like a row of this table is one.
    """
    length, least, foreign = 0, 0, False
    malformed: list[tuple[int, str]] = []
    whole = _whole_rows(document.lines[first - 1 : end])
    if whole:
        yield from enumerate(whole, first)
        length, least = len(whole[0].split()), int(whole[0].split()[0][:_FILE_WIDTH])
    first += len(whole)
    for number, line in enumerate(document.lines[first - 1 : end], first):
        text = line.strip()
        if not text:
            continue
        if "\t" in line:
            text = line.expandtabs(tab).strip()
        # of bytes, which is much quicker than of text
        if text.isascii() and text.encode().translate(None, b" ").isdigit():
            if not (foreign and length) or _looks_own(text, length):
                length, foreign = length or len(text.split()), False
                least = least or int(text.split()[0][:_FILE_WIDTH])
                yield number, text
        elif text.startswith(_END) or FAILURE.match(text):
            break
        elif _ROW_INSIDE.search(text):
            # a list of processors begins with two small powers of 2, as rows do
            if not foreign or (_looks_own(text, 0) and int(text.split()[0]) >= least):
                malformed.append((number, text))
        elif length or malformed:
            foreign = True
    if malformed:
        table.problems.append(_malformed(document, malformed))


def _whole_rows(lines: Sequence[str]) -> list[str]:
    """Find the rows up to an empty line, if nothing else stands there: most tables."""
    rows = list(takewhile(str.strip, lines))
    text = "".join(rows)
    # of bytes, which is much quicker than of text
    if text.isascii() and text.encode().translate(None, b" ").isdigit():
        return list(map(str.strip, rows))
    return []


def looks_like_row(line: str) -> bool:
    """Tell whether a line is of digits alone, and begins with two usual sizes."""
    text = line.strip()
    if not text[:1].isdecimal() or not text.replace(" ", "").isdecimal():
        return False
    return _looks_own(text, 0)


def _looks_own(text: str, length: int) -> bool:
    """Whether a row has as many words as the first, or begins with two usual sizes."""
    words = text.split()
    if len(words) == length:
        return True
    sizes = [int(word) for word in words[:2] if word.isdecimal()]
    return (
        len(sizes) == 2
        and len(words) > 2
        and 0 < sizes[1] <= sizes[0]
        and all(size & (size - 1) == 0 for size in sizes)
    )


def _malformed(
    document: Document, rows: Sequence[tuple[int, str]]
) -> MalformedRowError:
    """Name all damaged rows of a table at once."""
    (number, text), *others = rows
    found = quoted(text) + _also(line for line, _ in others)
    return MalformedRowError(
        document.path, number, "a row of plain whole numbers", found
    )


def _also(lines: Iterable[int]) -> str:
    """List more lines with the same fault."""
    more = list(lines)
    if len(more) < 2:
        return "".join(f"; likewise on line {line}" for line in more)
    shown = [*map(str, more[:_MOST_LINES]), f"{len(more) - _MOST_LINES:,} more"]
    shown = shown if len(more) > _MOST_LINES + 1 else [*map(str, more)]
    return f"; likewise on lines {', '.join(shown[:-1])} and {shown[-1]}"


_MOST_LINES = 3
"""Lines with the same fault that are named; the others are counted."""


def _is_prefix(selection: Selection, expected: Selection | None) -> bool:
    """Tell whether every row stops before the last test that was asked for."""
    return (
        expected is not None
        and len(selection) < len(expected)
        and expected[: len(selection)] == selection
    )


def _refuse(
    document: Document,
    rows: Sequence[tuple[int, str]],
    expected: Selection | None,
    table: Table,
) -> None:
    """Say why no row can be read: one that is cut short, or columns in doubt."""
    number, row = rows[0]
    names = operations(expected) if expected else ()
    if len(rows) == 1 and len(row.split()) < 2 + max(1, len(names)):
        table.cut_short = number
        return
    wanted = f"numbers for {', '.join(names)}" if names else "numbers in known columns"
    table.problems.append(
        AmbiguousColumnsError(document.path, number, wanted, quoted(row))
    )


def _explain(
    document: Document, misfits: Sequence[tuple[int, str]], last: int, table: Table
) -> None:
    wanted = len(table.operations) + 2
    for number, row in misfits:
        found = len(row.split())
        if number == last and found <= wanted:
            table.cut_short = number
        elif found == wanted:
            table.problems.append(
                AmbiguousColumnsError(
                    document.path, number, "numbers in the columns above", quoted(row)
                )
            )
        else:
            table.problems.append(
                MalformedRowError(
                    document.path,
                    number,
                    f"a row of {wanted} numbers in their columns, record ≤ file size",
                    quoted(row),
                )
            )


def _check_pairs(document: Document, table: Table) -> None:
    """Drop a file and record size that comes again: one run measures it once."""
    pairs = list(zip(table.files, table.records, strict=True))
    if len(set(pairs)) == len(pairs):
        return
    first: dict[tuple[int, int], int] = {}
    again: list[int] = []
    for at, (pair, line) in enumerate(zip(pairs, table.lines, strict=True)):
        if first.setdefault(pair, line) != line:
            again.append(at)
    at, *others = again
    file, record = pairs[at]
    found = f"it already in line {first[pairs[at]]}"
    table.problems.append(
        InconsistentDataError(
            document.path,
            table.lines[at],
            f"file size {file} kB, record size {record} kB once in a run",
            found + _also(table.lines[other] for other in others),
        )
    )
    table.drop({at, *others})


def count_foreign(table: Table, files: Sequence[int], records: Sequence[int]) -> int:
    """Count rows of sizes [B] that no command asks for: edited, or another run's."""
    pairs = zip(table.files, table.records, strict=True)
    return sum(f * KIB not in files or r * KIB not in records for f, r in pairs)


# The columns of IOzone's result table.
#
# A row is ``%16lld%8lld`` (file and record size in kB) and then, test by test, either
# the test's numbers, each right-aligned in a field of fixed width, or, for a test
# that was not selected, blanks. The blanks were never kept in step with the fields,
# so neither splitting on blanks nor looking under the header word finds the column.
# What does find it is the list of right edges of all numbers of a row: within a
# layout every selection of tests has another list.
#
# =======  =====================  ==========================================
# layout   versions               right edges of the first four header words
# =======  =====================  ==========================================
# ``7``    long before 3.414      as 8, but ``record rewrite`` ends at 66, not 67
# ``8``    up to 3.426            8 16 24 34 (from the end of ``reclen``)
# ``9``    3.427 to 3.492         9 18 26 36; blanks changed in between
# ``10``   from about 3.506       9 20 30 40
# =======  =====================  ==========================================

TESTS: Mapping[int, tuple[str, ...]] = {
    0: ("write", "rewrite"),
    1: ("read", "reread"),
    2: ("random_read", "random_write"),
    3: ("backward_read",),
    4: ("record_rewrite",),
    5: ("stride_read",),
    6: ("fwrite", "frewrite"),
    7: ("fread", "freread"),
    9: ("pwrite", "repwrite"),
    10: ("pread", "repread"),
}
"""Operations of each test of ``-i``; test 8 prints nothing outside throughput mode."""

COLUMN_TESTS: Mapping[int, tuple[int, ...]] = {
    4: (0, 1),
    9: (0, 1, 2, 3, 4, 5),
    13: (0, 1, 2, 3, 4, 5, 6, 7),
    17: tuple(TESTS),
}
"""Tests by number of columns: of ``-A``, of mmap and async I/O, plain, of ``-E``."""

HEADER_EDGES: Mapping[tuple[int, ...], str] = {
    (8, 16, 24, 34): "8",
    (9, 18, 26, 36): "9",
    (9, 20, 30, 40): "10",
}
"""Layout by the right edges of ``write rewrite read reread`` after ``reclen``."""

_OLDEST = ("8", 66)
"""Layout by the first names, and where ``record rewrite`` ends: that is layout 7."""

_WIDTHS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "7": ((8, 8), (9, 9), (8, 8), (8,), (8,), (8,), (9, 9), (8, 9), (8, 9), (8, 9)),
    "8": ((8, 8), (9, 9), (8, 8), (8,), (9,), (9,), (9, 9), (8, 9), (8, 9), (8, 9)),
    "9": ((9, 9), (9, 9), (9, 9), (9,), (10,), (10,), (9, 9), (9, 9), (9, 9), (8, 9)),
    "10": ((10, 10),) * 3 + ((10,), (11,), (11,)) + ((10, 10),) * 4,
}
_RECORD = 8
"""Width of the record size."""
_OLD_BLANKS = (16, 18, 16, 8, 8, 8, 18, 16, 17, 19)
_NEW_BLANKS = (18, 18, 18, 9, 10, 10, 18, 17, 18, 18)
# 3.427 to 3.430 print wider numbers and the old blanks; the header tells nothing of it.
_BLANKS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "7": (_OLD_BLANKS,),
    "8": (_OLD_BLANKS,),
    "9": (_NEW_BLANKS, _OLD_BLANKS),
    "10": (_NEW_BLANKS,),
}

Edges = tuple[int, ...]
Selection = tuple[int, ...]


@lru_cache(maxsize=16)
def selections(layout: str, columns: int) -> Mapping[Edges, Selection]:
    """List the selections of tests by the right edges that their rows have.

    >>> selections("10", 13)[(10, 20, 30, 40)]
    (0, 1)
    """
    tests = COLUMN_TESTS[columns]
    known: dict[Edges, Selection] = {}
    for blanks, size in product(_BLANKS[layout], range(1, len(tests) + 1)):
        for chosen in combinations(tests, size):
            known.setdefault(_edges(layout, blanks, tests, chosen), chosen)
    return known


def field_widths(layout: str, selection: Selection) -> tuple[int, ...]:
    """List the widths of the fields of the selected tests.

    >>> field_widths("8", (0, 3))
    (8, 8, 8)
    """
    order = list(TESTS)
    return tuple(w for test in selection for w in _WIDTHS[layout][order.index(test)])


def operations(selection: Selection) -> tuple[str, ...]:
    """Name the operations of the selected tests, in the order of the columns.

    >>> operations((0, 3))
    ('write', 'rewrite', 'backward_read')
    """
    return tuple(name for test in selection for name in TESTS[test])


def _edges(
    layout: str, blanks: tuple[int, ...], tests: Selection, chosen: Selection
) -> Edges:
    order = list(TESTS)
    steps: list[int] = []
    gap = 0
    for test in tests:
        place = order.index(test)
        if test not in chosen:
            gap += blanks[place]
            continue
        widths = _WIDTHS[layout][place]
        steps.extend((gap + widths[0], *widths[1:]))
        gap = 0
    return tuple(accumulate(steps))


# The header of IOzone's result table: which layout, which columns.

_NAMES = (
    *("write", "rewrite", "read", "reread", "read", "write", "read", "rewrite", "read"),
    *("fwrite", "frewrite", "fread", "freread"),
    *("pwrite", "repwrite", "pread", "repread"),
    *("pwritev", "repwritev", "preadv", "repreadv"),
)
_TOKEN = re.compile(r"\S+")
_TAB_SIZES = (8, 4)


@dataclass(frozen=True, slots=True)
class Header:
    """What a header says."""

    layout: str
    columns: int
    tab: int = 8


def read_header(document: Document, line: int) -> Header:
    """Read the header whose names of columns are in a line."""
    text = document.lines[line - 1]
    words = [word.lower() for word in text.split()]
    names = words[words.index("reclen") + 1 :]
    columns = _columns(len(names))
    if columns is None or tuple(names) != _NAMES[: len(names)]:
        raise UnsupportedVersionError(
            document.path, line, "the columns of IOzone", quoted(" ".join(names))
        )
    if not re.search(r"\S\s\s+\S|\t", text.strip()):
        return Header("", columns)
    for tab in _TAB_SIZES if "\t" in text else _TAB_SIZES[:1]:
        edges = _edges_headers(text.expandtabs(tab))
        if layout := HEADER_EDGES.get(edges[:4]):
            return Header(
                "7" if (layout, *edges[7:8]) == _OLDEST else layout, columns, tab
            )
    raise AmbiguousColumnsError(
        document.path,
        line,
        "a header with its blanks as IOzone prints them",
        quoted(text.strip()),
    )


@lru_cache(maxsize=16)
def _edges_headers(text: str) -> tuple[int, ...]:
    """Right edges of the names, from the end of ``reclen``."""
    tokens = list(_TOKEN.finditer(text))
    start = next(at for at, token in enumerate(tokens) if token[0].lower() == "reclen")
    anchor = tokens[start].end()
    return tuple(token.end() - anchor for token in tokens[start + 1 :])


def _columns(names: int) -> int | None:
    """Number of columns of the whole header, of which people cut off the end."""
    ends = [0]
    for operations in TESTS.values():
        ends.append(ends[-1] + len(operations))
    if names in COLUMN_TESTS:
        return names
    if names not in ends[2:]:
        return None
    return 13 if names < 13 else 17


# Rows of IOzone's result table: which number belongs to which column.
#
# The first row that can be read in only one way says which tests are in the table; all
# rows are then cut at the same places, at once. A row that does not fit there is not
# guessed at. See `fsviz.readers.iozone.table` for the places.

_FILE_WIDTH, _RECORD_WIDTH = 16, 8
_ANCHOR = _FILE_WIDTH + _RECORD_WIDTH
_BLANK, _LOW_BITS = ord(" "), 0x0F
_MOST_TRIED = 100
"""Rows without a blank between numbers, which are tried with a thousand selections."""

Columns = npt.NDArray[np.intp]
Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a table, read."""

    selection: Selection
    numbers: npt.NDArray[np.int64]
    fits: Flags


@dataclass(frozen=True, slots=True)
class Cut:
    """Where to cut the rows of one table."""

    layout: str
    selection: Selection
    edges: Edges

    def read(self, rows: Sequence[str]) -> Rows:
        """Read stripped lines of digits and blanks."""
        width, weights, lasts, inside, blank = _plan(self)
        # The last column is never blank: aligning right ends undoes any indent.
        text = "".join(
            [row.rjust(width) if len(row) <= width else " " * width for row in rows]
        )
        page = np.frombuffer(text.encode("ascii"), np.uint8).reshape(-1, width)
        printed = page != _BLANK
        broken = (printed[:, :-1] > printed[:, 1:]) & inside
        fits = printed[:, lasts].all(axis=1) & ~broken.any(axis=1)
        fits &= ~(printed & blank).any(axis=1)
        # The low bits of a digit are its value, those of a blank are 0.
        digits = (page & np.uint8(_LOW_BITS)).astype(float)
        # Exact: a field is narrower than the 15 digits that a float holds, file sizes
        # are checked below.
        numbers = (digits @ weights).astype(np.int64)
        fits &= _plausible(numbers)
        return Rows(self.selection, numbers, fits)


@lru_cache(maxsize=64)
def _plan(cut: Cut) -> tuple[int, npt.NDArray[np.float64], Columns, Flags, Flags]:
    """Turn edges into columns of characters.

    Returns the width of a row, the weight of each digit in each number, the last column
    of each number, whether a number that has begun goes on after each column but the
    last, and whether each column is one of a test that was not selected.
    """
    ends = [_FILE_WIDTH, _ANCHOR, *(_ANCHOR + edge for edge in cut.edges)]
    widths = (_FILE_WIDTH, _RECORD_WIDTH, *field_widths(cut.layout, cut.selection))
    weights = np.zeros((ends[-1], len(ends)))
    inside, blank = np.zeros(ends[-1] - 1, bool), np.ones(ends[-1], bool)
    for at, (end, width) in enumerate(zip(ends, widths, strict=True)):
        weights[end - width : end, at] = 10.0 ** np.arange(width - 1, -1, -1)
        inside[end - width : end - 1] = True
        blank[end - width : end] = False
    return ends[-1], weights, np.array(ends) - 1, inside, blank


def _plausible(numbers: npt.NDArray[np.int64]) -> Flags:
    file, record = numbers[:, 0], numbers[:, 1]
    return (record > 0) & (record <= file) & (file < 10**15)


def read_rows(
    layout: str, columns: int, rows: Sequence[str], expected: Selection | None
) -> Rows | None:
    """Find the one way in which the rows of a table can be cut, and cut them."""
    cuts = (_only_cut(layout, columns, row) for row in rows)
    first = next(filter(None, cuts), None)
    if first is None:
        return _read_fused(layout, columns, rows, expected)
    read = first.read(rows)
    if read.fits.sum() * 2 >= len(rows):
        return read
    found = Counter(filter(None, (_only_cut(layout, columns, row) for row in rows)))
    return found.most_common(1)[0][0].read(rows)


def read_counted_rows(selection: Selection, rows: Sequence[str]) -> Rows | None:
    """Read rows whose blanks were collapsed to one each, by counting.

    Only a row with a number in every column that is expected can be read.
    """
    count = 2 + len(operations(selection))
    words = [row.split() for row in rows]
    whole = [
        w if len(w) == count and len(max(w, key=len)) < 16 else None for w in words
    ]
    numbers = np.array([w or ["0"] * count for w in whole]).astype(np.int64)
    fits = np.array([w is not None for w in whole]) & _plausible(numbers)
    return Rows(selection, numbers, fits) if fits.any() else None


def _read_moved_rows(
    layout: str, selection: Selection, rows: Sequence[str]
) -> Rows | None:
    """Read rows whose blanks were changed by hand, if each has all the numbers.

    One that ends before its last column ends may have lost digits.
    """
    ends = (len(row.removeprefix(row.split()[0])) for row in rows)
    if min(ends) < _RECORD + sum(field_widths(layout, selection)):
        return None
    counted = read_counted_rows(selection, rows)
    return counted if counted is not None and counted.fits.all() else None


def _only_cut(layout: str, columns: int, row: str) -> Cut | None:
    """Cut a row none of whose numbers touch."""
    tokens = list(_TOKEN.finditer(row))
    if len(tokens) < 3:
        return None
    anchor = tokens[1].end()
    edges = tuple(token.end() - anchor for token in tokens[2:])
    selection = selections(layout, columns).get(edges)
    if selection is None:
        return None
    widths = field_widths(layout, selection)
    if any(len(t[0]) > w for t, w in zip(tokens[2:], widths, strict=True)):
        return None
    return Cut(layout, selection, edges)


def _read_fused(
    layout: str, columns: int, rows: Sequence[str], expected: Selection | None
) -> Rows | None:
    """Read rows whose numbers all touch: by the one selection that fits them."""
    cuts = [Cut(layout, s, e) for e, s in selections(layout, columns).items()]
    for row in rows[:_MOST_TRIED]:
        cuts = [cut for cut in cuts if _possible(cut, row)] or cuts
        if len(cuts) == 1:
            break
    if len(cuts) > 1:
        cuts = [cut for cut in cuts if cut.selection == expected]
    if len(cuts) != 1:
        return None
    read = cuts[0].read(rows)
    return read if read.fits.any() else None


_LONGEST_ROW = 1_000
"""Characters; that of all tests has a quarter of them."""


def _possible(cut: Cut, row: str) -> bool:
    if len(row) > _LONGEST_ROW:
        return False
    tokens = list(_TOKEN.finditer(row))
    if len(tokens) < 3:
        return False
    anchor = tokens[1].end()
    ends = {token.end() - anchor for token in tokens[2:]}
    return ends <= set(cut.edges) and bool(cut.read([row]).fits[0])
