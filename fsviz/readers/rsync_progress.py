r"""rsync's ``--info=progress2``: one line that counts up, rewritten with ``\r``.

::

         16,546,880 100%   20.15MB/s    0:00:00 (xfr#1800, to-chk=0/1861)

Only its last state says something about the whole copy, and only about the amount: it
shows whole seconds. ``--progress`` looks alike, but starts again at 0 for each file
and names the files in between, so it is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fsviz.readers.rsync_stats import Report, resolve

_UPDATE = re.compile(
    r"\s*(\d[\d.,]*[KMGTP]?)\s+\d+%\s+\d+([.,])\d\d[kMG]B/s\s+\d+:\d\d:\d\d"
    r"(?: \(xfr#(\d+), (?:to|ir)-chk=(\d+)/(\d+)\))?\s*"
)


def find_progress(path: str, lines: Sequence[str]) -> Report | None:
    """Take the last state of ``progress2``, if a file holds nothing else.

    Parameters
    ----------
    path : str
        The file, for messages.
    lines : sequence of str
        All its lines.

    Returns
    -------
    Report or None
        None if there is other text between the states. The report is unfinished if
        files were still to be checked.

    Raises
    ------
    ParseError
        If a number is not what it must be.
    """
    last = None
    for number, line in enumerate(lines, 1):
        match = _UPDATE.fullmatch(line)
        if match is not None:
            last = (number, match)
        elif line.strip() and last is not None:
            return None
    if last is None or last[1][3] is None:
        return None
    number, match = last
    report = Report(number, number)
    report.texts = [
        ("transferred_bytes", match[1], number),
        ("transferred_files", match[3], number),
        ("files", match[5], number),
    ]
    report.finished = match[4] == "0"
    resolve(path, report, match[2])
    return report
