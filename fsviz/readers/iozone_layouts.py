"""The columns of IOzone's result table.

A row is ``%16lld%8lld`` (file and record size in kB) and then, test by test, either
the test's numbers, each right-aligned in a field of fixed width, or, for a test that
was not selected, blanks. The blanks were never kept in step with the fields, so neither
splitting on blanks nor looking under the header word finds the column. What does find
it is the list of right edges of all numbers of a row: within a layout every selection
of tests has another list.

=======  =====================  ==========================================
layout   versions               right edges of the first four header words
=======  =====================  ==========================================
``8``    up to 3.426            8 16 24 34 (from the end of ``reclen``)
``9``    3.427 to 3.492         9 18 26 36; blanks changed in between
``10``   from about 3.506       9 20 30 40
=======  =====================  ==========================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, combinations

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

_WIDTHS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "8": ((8, 8), (9, 9), (8, 8), (8,), (9,), (9,), (9, 9), (8, 9), (8, 9), (8, 9)),
    "9": ((9, 9), (9, 9), (9, 9), (9,), (10,), (10,), (9, 9), (9, 9), (9, 9), (8, 9)),
    "10": ((10, 10),) * 3 + ((10,), (11,), (11,)) + ((10, 10),) * 4,
}
_OLD_BLANKS = (16, 18, 16, 8, 8, 8, 18, 16, 17, 19)
_NEW_BLANKS = (18, 18, 18, 9, 10, 10, 18, 17, 18, 18)
# 3.427 to 3.430 print wider numbers and the old blanks; the header tells nothing of it.
_BLANKS: Mapping[str, tuple[tuple[int, ...], ...]] = {
    "8": (_OLD_BLANKS,),
    "9": (_NEW_BLANKS, _OLD_BLANKS),
    "10": (_NEW_BLANKS,),
}

Edges = tuple[int, ...]
Selection = tuple[int, ...]


@lru_cache(maxsize=16)
def selections(layout: str, columns: int) -> Mapping[Edges, Selection]:
    """List the selections of tests by the right edges that their rows have.

    Parameters
    ----------
    layout : str
        ``"8"``, ``"9"`` or ``"10"``.
    columns : int
        Number of columns in the header.

    Returns
    -------
    mapping of tuple of int to tuple of int
        From right edges, counted from the end of the record size, to test numbers.

    Examples
    --------
    >>> selections("10", 13)[(10, 20, 30, 40)]
    (0, 1)
    """
    tests = COLUMN_TESTS[columns]
    known: dict[Edges, Selection] = {}
    for blanks in _BLANKS[layout]:
        for chosen in _subsets(tests):
            known.setdefault(_edges(layout, blanks, tests, chosen), chosen)
    return known


def field_widths(layout: str, selection: Selection) -> tuple[int, ...]:
    """List the widths of the fields of the selected tests.

    Examples
    --------
    >>> field_widths("8", (0, 3))
    (8, 8, 8)
    """
    order = list(TESTS)
    return tuple(w for test in selection for w in _WIDTHS[layout][order.index(test)])


def operations(selection: Selection) -> tuple[str, ...]:
    """Name the operations of the selected tests, in the order of the columns.

    Examples
    --------
    >>> operations((0, 3))
    ('write', 'rewrite', 'backward_read')
    """
    return tuple(name for test in selection for name in TESTS[test])


def _subsets(tests: Selection) -> Iterator[Selection]:
    for size in range(1, len(tests) + 1):
        yield from combinations(tests, size)


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
