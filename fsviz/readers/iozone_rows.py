"""Rows of IOzone's result table: which number belongs to which column.

The first row that can be read in only one way says which tests are in the table; all
other rows are then cut at the same places. A row that does not fit there is not guessed
at. See `fsviz.readers.iozone_layouts` for the places.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from operator import itemgetter

from fsviz.readers.iozone_layouts import Edges, Selection, field_widths, selections

_TOKEN = re.compile(r"\S+")
_FILE_WIDTH, _RECORD_WIDTH = 16, 8
_ANCHOR = _FILE_WIDTH + _RECORD_WIDTH

Cutter = Callable[[str], "list[int] | None"]


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

    def cutter(self) -> Cutter:
        """Make the function that reads a stripped row; it returns None on a misfit.

        The numbers are file size [kB], record size [kB] and what was printed for the
        selected tests.
        """
        fields, gaps = self._fields()
        width = fields[-1].stop
        cells, lasts = itemgetter(*fields), itemgetter(*(f.stop - 1 for f in fields))

        def cut(row: str) -> list[int] | None:
            # The last column is never blank: aligning right ends undoes any indent.
            row = row.rjust(width)
            if len(row) > width or " " in lasts(row):
                return None
            if gaps and any(row[gap].strip() for gap in gaps):
                return None
            try:
                numbers = list(map(int, cells(row)))
            except ValueError:
                return None
            return numbers if 0 < numbers[1] <= numbers[0] else None

        return cut

    def _fields(self) -> tuple[list[slice], list[slice]]:
        """Places of the numbers, and of the blanks of tests that were not selected."""
        ends = [_ANCHOR + edge for edge in self.edges]
        widths = field_widths(self.layout, self.selection)
        starts = [end - width for end, width in zip(ends, widths, strict=True)]
        fields = [slice(0, _FILE_WIDTH), slice(_FILE_WIDTH, _ANCHOR)]
        fields += [slice(s, e) for s, e in zip(starts, ends, strict=True)]
        before = [_ANCHOR, *ends[:-1]]
        gaps = [slice(b, s) for b, s in zip(before, starts, strict=True) if b < s]
        return fields, gaps


def count_cutter(count: int) -> Cutter:
    """Make the function that reads rows whose blanks were collapsed to one each.

    Only a row with a number in every column that is expected can be read.
    """

    def cut(row: str) -> list[int] | None:
        numbers = list(map(int, row.split()))
        if len(numbers) != count or not 0 < numbers[1] <= numbers[0]:
            return None
        return numbers

    return cut


def find_cut(
    layout: str, columns: int, rows: Sequence[str], expected: Selection | None
) -> Cut | None:
    """Find the one way in which the rows of a table can be cut.

    Parameters
    ----------
    layout : str
        One of `fsviz.readers.iozone_layouts.HEADER_EDGES`.
    columns : int
        Number of columns in the header.
    rows : sequence of str
        Lines of digits and blanks.
    expected : tuple of int or None
        The tests that the command line selects; it decides only where the rows leave
        it open.

    Returns
    -------
    Cut or None
        None if no row fits, or the rows can be cut in several ways.
    """
    first = next(filter(None, (_only_cut(layout, columns, row) for row in rows)), None)
    if first is not None and _fitting(first, rows) * 2 >= len(rows):
        return first
    found = Counter(filter(None, (_only_cut(layout, columns, row) for row in rows)))
    if found:
        return found.most_common(1)[0][0]
    return _fused_cut(layout, columns, rows, expected)


def _fitting(cut: Cut, rows: Sequence[str]) -> int:
    read = cut.cutter()
    return sum(read(row.strip()) is not None for row in rows)


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


def _fused_cut(
    layout: str, columns: int, rows: Sequence[str], expected: Selection | None
) -> Cut | None:
    """Cut rows whose numbers touch: the one selection that fits all of them."""
    cuts = [Cut(layout, s, e) for e, s in selections(layout, columns).items()]
    for row in rows:
        remaining = [cut for cut in cuts if _possible(cut, row)]
        cuts = remaining or cuts
        if len(cuts) == 1:
            return cuts[0]
    by_request = [cut for cut in cuts if cut.selection == expected]
    fitting = [cut for cut in by_request if _fitting(cut, rows)]
    return fitting[0] if len(fitting) == 1 else None


def _possible(cut: Cut, row: str) -> bool:
    tokens = list(_TOKEN.finditer(row))
    if len(tokens) < 3 or cut.cutter()(row.strip()) is None:
        return False
    anchor = tokens[1].end()
    ends = {token.end() - anchor for token in tokens[2:]}
    return ends <= set(cut.edges)
