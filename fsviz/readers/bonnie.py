"""bonnie++: the CSV rows of every version from 1.00 to 2.00a.

One row is one run::

    1.98,2.00a,nfs-v3,1,1795252451,96M,,8192,5,,,67127,3,40960,…,112ms,234us

What to know about it:

- The first field is the version of the *format*; 2.00a writes 1.98. Versions up to 1.03
  have no such field.
- The printed header (``-x``) lacks columns that the rows have, so columns are found by
  format and number of fields, never by header.
- Nothing is quoted: a machine label ``a,b`` makes the row longer.
- ``K`` is 1024 bytes. ``+++++`` means that the test took less than half a second, which
  bounds the rate from below. Empty means that the test did not run.
"""

from __future__ import annotations

import re

from fsviz.errors import MalformedRowError, ParseError
from fsviz.readers.bonnie_rows import read_row
from fsviz.readers.document import Document
from fsviz.runs import Reading, Run

_QUOTED_MAIL = re.compile(r"^[>\s]+")
_VERSIONED = re.compile(r"(?:2|1\.9\d\w*),\d\.\d+\w*,")
_UNVERSIONED = re.compile(r"[^,]*(?:,[^,]*){0,3}?,(?:\d+[MG](?::\d+[km]?)?)?,")
_FEWEST_COMMAS = 26


def read_bonnie(document: Document) -> Reading:
    r"""Read the CSV rows of bonnie++ output; console tables beside them are ignored.

    Parameters
    ----------
    document : Document
        A file with at least one CSV row.

    Returns
    -------
    Reading
        One run per row, and an error for each row that cannot be used.

    Raises
    ------
    ParseError
        If there is no usable row.

    Examples
    --------
    >>> from fsviz.readers.document import decode
    >>> row = b"host,256M,,,1196742,61" + b"," * 21 + b"\n"
    >>> run, = read_bonnie(decode("b.csv", row)).runs
    >>> list(zip(run.cells.metric, run.cells.value))
    [('throughput', 1225463808.0), ('cpu', 61.0)]
    """
    runs: list[Run] = []
    problems: list[ParseError] = []
    for number, line in enumerate(document.lines, 1):
        row = _QUOTED_MAIL.sub("", line)
        if not _is_row(row):
            continue
        try:
            runs.append(read_row(document, number, row, len(runs) + 1))
        except ParseError as problem:
            problems.append(problem)
    if not runs:
        raise (
            problems[0]
            if problems
            else MalformedRowError(document.path, 1, "a CSV row of bonnie++", "none")
        )
    return Reading(tuple(runs), tuple(problems))


def _is_row(line: str) -> bool:
    if _VERSIONED.match(line):
        return True
    return line.count(",") >= _FEWEST_COMMAS and _UNVERSIONED.match(line) is not None
