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
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import accumulate, combinations, compress, product

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
from fsviz.readers.document import Document, beside_numbers

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

    def keep(self, rows: Sequence[int]) -> None:
        """Leave the other rows out."""
        self.lines = [self.lines[at] for at in rows]
        self.files = [self.files[at] for at in rows]
        self.records = [self.records[at] for at in rows]
        self.numbers = self.numbers[rows]


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
        _refuse(document.path, rows, expected, table)
        return table
    table.operations = operations(read.selection)
    table.lines = [number for number, _ in compress(rows, read.fits.tolist())]
    fitting = read.numbers[read.fits]
    table.files, table.records = fitting[:, 0].tolist(), fitting[:, 1].tolist()
    table.numbers = fitting[:, 2:]
    misfits = list(compress(rows, (~read.fits).tolist()))
    _explain(document.path, misfits, rows[-1][0], table)
    _drop_repeated(document.path, table)
    return table


def _read(head: Header, rows: Sequence[str], expected: Selection | None) -> Rows | None:
    every = COLUMN_TESTS[head.columns]
    if not head.layout:
        return read_counted_rows(expected or every, rows)
    read = read_rows(head.layout, head.columns, rows, expected)
    if (read is None or not read.fits.all()) and expected in (None, every):
        moved = _read_moved_rows(head.layout, every, rows)
        if moved is not None:
            return moved
    # every row stops before the last test that was asked for
    is_prefix = (
        read is not None
        and expected is not None
        and len(read.selection) < len(expected)
        and expected[: len(read.selection)] == read.selection
    )
    return None if is_prefix else read


def _rows(
    document: Document, first: int, end: int, tab: int, table: Table
) -> Iterator[tuple[int, str]]:
    """Find the lines of digits and blanks, and the damaged rows between them.

    An article goes on with text and with tables of other programs: after other text,
    only what looks like a row of this table is one.
    """
    length, least, is_foreign = 0, 0, False
    malformed: list[tuple[int, str]] = []
    lines = document.lines[first - 1 : end]
    remainders = document.remainders[first - 1 : end]
    for number, (line, words) in enumerate(zip(lines, remainders, strict=True), first):
        text = line.strip()
        if not text:
            continue
        if "\t" in line:
            text = line.expandtabs(tab).strip()
            words = beside_numbers(text)  # noqa: PLW2901
        if not words and '"' not in text and "." not in text:
            if not (is_foreign and length) or _is_alike(text, length):
                is_foreign = False
                if not least:
                    numbers = text.split()
                    length = length or len(numbers)
                    least = int(numbers[0][:_FILE_WIDTH])
                yield number, text
        elif text.startswith(_END) or FAILURE.match(text):
            break
        elif _ROW_INSIDE.search(text):
            # a list of processors begins with two small powers of 2, as rows do
            if not is_foreign or (_is_alike(text, 0) and int(text.split()[0]) >= least):
                malformed.append((number, text))
        elif length or malformed:
            is_foreign = True
    if malformed:
        (number, text), *others = malformed
        rows = quoted(text) + _also([line for line, _ in others])
        expected = "a row of plain whole numbers"
        bad = MalformedRowError(document.path, number, expected, rows)
        table.problems.append(bad)


def looks_like_row(line: str) -> bool:
    """Tell whether a line is of digits alone, and begins with two usual sizes."""
    text = line.strip()
    return text.replace(" ", "").isdecimal() and _is_alike(text, 0)


def _is_alike(text: str, length: int) -> bool:
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


def _also(lines: Sequence[int]) -> str:
    """List more lines with the same fault."""
    shown = [str(line) for line in lines]
    if len(shown) > _MOST_LINES + 1:
        shown[_MOST_LINES:] = [f"{len(shown) - _MOST_LINES:,} more"]
    if len(shown) < 2:
        return "".join(f"; likewise on line {line}" for line in shown)
    return f"; likewise on lines {', '.join(shown[:-1])} and {shown[-1]}"


_MOST_LINES = 3
"""Lines with the same fault that are named; the others are counted."""


def _refuse(
    path: str, rows: Sequence[tuple[int, str]], expected: Selection | None, table: Table
) -> None:
    """Say why no row can be read: one that is cut short, or columns in doubt."""
    number, row = rows[0]
    names = operations(expected) if expected else ()
    if len(rows) == 1 and len(row.split()) < 2 + max(1, len(names)):
        table.cut_short = number
        return
    columns = f"numbers for {', '.join(names)}" if names else "numbers in known columns"
    table.problems.append(AmbiguousColumnsError(path, number, columns, quoted(row)))


def _explain(
    path: str, misfits: Sequence[tuple[int, str]], last: int, table: Table
) -> None:
    width = len(table.operations) + 2
    whole = f"a row of {width} numbers in their columns, record ≤ file size"
    for number, row in misfits:
        count, shown = len(row.split()), quoted(row)
        if number == last and count <= width:
            table.cut_short = number
        elif count == width:
            above = "numbers in the columns above"
            table.problems.append(AmbiguousColumnsError(path, number, above, shown))
        else:
            table.problems.append(MalformedRowError(path, number, whole, shown))


def _drop_repeated(path: str, table: Table) -> None:
    """Drop a file and record size that comes again: one run measures it once."""
    pairs = list(zip(table.files, table.records, strict=True))
    if len(set(pairs)) == len(pairs):
        return
    first: dict[tuple[int, int], int] = {}
    again = [at for at, pair in enumerate(pairs) if first.setdefault(pair, at) != at]
    at, *others = again
    file, record = pairs[at]
    expected = f"file size {file} kB, record size {record} kB once in a run"
    before = f"it already in line {table.lines[first[pairs[at]]]}"
    before += _also([table.lines[other] for other in others])
    problem = InconsistentDataError(path, table.lines[at], expected, before)
    table.problems.append(problem)
    table.keep(list(first.values()))


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
    widths = dict(zip(TESTS, _WIDTHS[layout], strict=True))
    by_edges: dict[Edges, Selection] = {}
    for blanks, size in product(_BLANKS[layout], range(1, len(tests) + 1)):
        fields = [
            (test, widths[test], blank)
            for test, blank in zip(TESTS, blanks, strict=True)
            if test in tests
        ]
        for chosen in combinations(tests, size):
            by_edges.setdefault(_edges(fields, chosen), chosen)
    return by_edges


def field_widths(layout: str, selection: Selection) -> tuple[int, ...]:
    """List the widths of the fields of the selected tests.

    >>> field_widths("8", (0, 3))
    (8, 8, 8)
    """
    widths = dict(zip(TESTS, _WIDTHS[layout], strict=True))
    return tuple(width for test in selection for width in widths[test])


def operations(selection: Selection) -> tuple[str, ...]:
    """Name the operations of the selected tests, in the order of the columns.

    >>> operations((0, 3))
    ('write', 'rewrite', 'backward_read')
    """
    return tuple(name for test in selection for name in TESTS[test])


def _edges(fields: Sequence[tuple[int, Edges, int]], chosen: Selection) -> Edges:
    """List right edges; of each test its widths are known, and its blanks if absent."""
    steps: list[int] = []
    gap = 0
    for test, widths, blank in fields:
        if test in chosen:
            steps += [gap + widths[0], *widths[1:]]
            gap = 0
        else:
            gap += blank
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
        expected = "the columns of IOzone"
        shown = quoted(" ".join(names))
        raise UnsupportedVersionError(document.path, line, expected, shown)
    if not re.search(r"\S\s\s+\S|\t", text.strip()):
        return Header("", columns)
    for tab in _TAB_SIZES if "\t" in text else _TAB_SIZES[:1]:
        edges = _edges_of_header(text.expandtabs(tab))
        if layout := HEADER_EDGES.get(edges[:4]):
            is_oldest = (layout, *edges[7:8]) == _OLDEST
            return Header("7" if is_oldest else layout, columns, tab)
    expected = "a header with its blanks as IOzone prints them"
    raise AmbiguousColumnsError(document.path, line, expected, quoted(text.strip()))


@lru_cache(maxsize=16)
def _edges_of_header(text: str) -> tuple[int, ...]:
    """Right edges of the names, from the end of ``reclen``."""
    tokens = list(_TOKEN.finditer(text))
    start = next(at for at, token in enumerate(tokens) if token[0].lower() == "reclen")
    anchor = tokens[start].end()
    return tuple(token.end() - anchor for token in tokens[start + 1 :])


def _columns(names: int) -> int | None:
    """Number of columns of the whole header, of which people cut off the end."""
    if names in COLUMN_TESTS:
        return names
    ends = list(accumulate(map(len, TESTS.values())))
    if names not in ends[1:]:
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
        wrong = (printed & blank) | (lasts > printed)
        wrong[:, :-1] |= (printed[:, :-1] > printed[:, 1:]) & inside
        # The low bits of a digit are its value, those of a blank are 0.
        digits = (page & np.uint8(_LOW_BITS)).astype(float)
        # Exact: a field is narrower than the 15 digits that a float holds, file sizes
        # are checked below.
        numbers = (digits @ weights).astype(np.int64)
        fits = _plausible(numbers)
        if wrong.any():
            fits &= ~wrong.any(axis=1)
        return Rows(self.selection, numbers, fits)


@lru_cache(maxsize=64)
def _plan(cut: Cut) -> tuple[int, npt.NDArray[np.float64], Flags, Flags, Flags]:
    """Turn edges into columns of characters.

    Returns the width of a row, the weight of each digit in each number, whether each
    column is the last of a number, whether a number that has begun goes on after each
    column but the last, and whether each column is one of a test that was not selected.
    """
    ends = [_FILE_WIDTH, _ANCHOR, *(_ANCHOR + edge for edge in cut.edges)]
    widths = (_FILE_WIDTH, _RECORD_WIDTH, *field_widths(cut.layout, cut.selection))
    weights = np.zeros((ends[-1], len(ends)))
    lasts, inside = np.zeros(ends[-1], bool), np.zeros(ends[-1] - 1, bool)
    blank = np.ones(ends[-1], bool)
    for at, (end, width) in enumerate(zip(ends, widths, strict=True)):
        weights[end - width : end, at] = 10.0 ** np.arange(width - 1, -1, -1)
        lasts[end - 1] = inside[end - width : end - 1] = True
        blank[end - width : end] = False
    return ends[-1], weights, lasts, inside, blank


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
    count = Counter(filter(None, (_only_cut(layout, columns, row) for row in rows)))
    return count.most_common(1)[0][0].read(rows)


def read_counted_rows(selection: Selection, rows: Sequence[str]) -> Rows | None:
    """Read rows whose blanks were collapsed to one each, by counting.

    Only a row with a number in every column that is expected can be read.
    """
    count = 2 + len(operations(selection))
    words = [row.split() for row in rows]
    is_whole = [len(w) == count and len(max(w, key=len)) < 16 for w in words]
    zeros = ["0"] * count
    numbers = np.array(
        [w if fits else zeros for w, fits in zip(words, is_whole, strict=True)]
    ).astype(np.int64)
    fits = np.array(is_whole) & _plausible(numbers)
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
    tokens, edges = _tokens(row)
    selection = selections(layout, columns).get(edges)
    if selection is None:
        return None
    widths = field_widths(layout, selection)
    if any(len(token) > w for token, w in zip(tokens, widths, strict=True)):
        return None
    return Cut(layout, selection, edges)


def _tokens(row: str) -> tuple[list[str], Edges]:
    """List the numbers of a row and their right edges, from the record size on."""
    matches = list(_TOKEN.finditer(row))
    ends = [match.end() for match in matches[1:]]
    return [match[0] for match in matches[2:]], tuple(end - ends[0] for end in ends[1:])


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


def _possible(cut: Cut, row: str) -> bool:
    edges = _tokens(row[:_LONGEST_ROW])[1]
    return bool(edges) and {*edges} <= {*cut.edges} and bool(cut.read([row]).fits[0])


_LONGEST_ROW = 1_000
"""Characters; that of all tests has a quarter of them."""
