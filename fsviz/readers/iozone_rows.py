"""Rows of IOzone's result table: which number belongs to which column.

The first row that can be read in only one way says which tests are in the table; all
rows are then cut at the same places, at once. A row that does not fit there is not
guessed at. See `fsviz.readers.iozone_layouts` for the places.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from fsviz.readers.iozone_layouts import (
    Edges,
    Selection,
    field_widths,
    operations,
    selections,
)

_TOKEN = re.compile(r"\S+")
_FILE_WIDTH, _RECORD_WIDTH = 16, 8
_ANCHOR = _FILE_WIDTH + _RECORD_WIDTH
_BLANK, _LOW_BITS = ord(" "), 0x0F

Columns = npt.NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a table, read.

    Parameters
    ----------
    selection : tuple of int
        The tests that are in the table.
    numbers : array of int, one row each
        File size [kB], record size [kB] and what was printed; meaningless for rows that
        do not fit.
    fits : array of bool
        Which rows could be read.
    """

    selection: Selection
    numbers: npt.NDArray[np.int64]
    fits: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Cut:
    """Where to cut the rows of one table.

    Parameters
    ----------
    layout : str
        One of `fsviz.readers.iozone_layouts.HEADER_EDGES`.
    selection : tuple of int
        The tests that are in the table.
    edges : tuple of int
        Right edges of their numbers, from the end of the record size.
    """

    layout: str
    selection: Selection
    edges: Edges

    def read(self, rows: Sequence[str]) -> Rows:
        """Read stripped lines of digits and blanks."""
        width, weights, lasts, inside, gaps = _plan(self)
        # The last column is never blank: aligning right ends undoes any indent.
        text = "".join(
            [row.rjust(width) if len(row) <= width else " " * width for row in rows]
        )
        page = np.frombuffer(text.encode("ascii"), np.uint8).reshape(-1, width)
        printed = page != _BLANK
        broken = printed[:, inside] & ~printed[:, inside + 1]
        fits = printed[:, lasts].all(axis=1) & ~broken.any(axis=1)
        if gaps.size:
            fits &= ~printed[:, gaps].any(axis=1)
        # The low bits of a digit are its value, those of a blank are 0.
        digits = (page & np.uint8(_LOW_BITS)).astype(float)
        # Exact: a field is narrower than the 15 digits that a float holds, file sizes
        # are checked below.
        numbers = (digits @ weights).astype(np.int64)
        fits &= _plausible(numbers)
        return Rows(self.selection, numbers, fits)


@lru_cache(maxsize=64)
def _plan(cut: Cut) -> tuple[int, npt.NDArray[np.float64], Columns, Columns, Columns]:
    """Turn edges into columns of characters.

    Returns the width of a row, the weight of each digit in each number, the last column
    of each number, the columns after which a number goes on if it has begun, and the
    columns of tests that were not selected.
    """
    ends = [_FILE_WIDTH, _ANCHOR, *(_ANCHOR + edge for edge in cut.edges)]
    widths = (_FILE_WIDTH, _RECORD_WIDTH, *field_widths(cut.layout, cut.selection))
    weights = np.zeros((ends[-1], len(ends)))
    inside: list[int] = []
    used: set[int] = set()
    for at, (end, width) in enumerate(zip(ends, widths, strict=True)):
        weights[end - width : end, at] = 10.0 ** np.arange(width - 1, -1, -1)
        inside.extend(range(end - width, end - 1))
        used.update(range(end - width, end))
    gaps = [column for column in range(ends[-1]) if column not in used]
    return (
        ends[-1],
        weights,
        np.array(ends) - 1,
        np.array(inside),
        np.array(gaps, dtype=np.intp),
    )


def _plausible(numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    file, record = numbers[:, 0], numbers[:, 1]
    return (record > 0) & (record <= file) & (file < 10**15)


def read_rows(
    layout: str, columns: int, rows: Sequence[str], expected: Selection | None
) -> Rows | None:
    """Find the one way in which the rows of a table can be cut, and cut them.

    Parameters
    ----------
    layout : str
        One of `fsviz.readers.iozone_layouts.HEADER_EDGES`.
    columns : int
        Number of columns in the header.
    rows : sequence of str
        Stripped lines of digits and blanks.
    expected : tuple of int or None
        The tests that the command line selects; it decides only where the rows leave
        it open.

    Returns
    -------
    Rows or None
        None if no row fits, or the rows can be cut in several ways.
    """
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
    for row in rows:
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
    tokens = list(_TOKEN.finditer(row))
    if len(tokens) < 3:
        return False
    anchor = tokens[1].end()
    ends = {token.end() - anchor for token in tokens[2:]}
    return ends <= set(cut.edges) and bool(cut.read([row]).fits[0])
