"""fio's time logs, which ``write_bw_log`` and its like ask for: values over time.

::

    250, 1979392, 1, 0, 0
    500, 2955264, 1, 0, 0

Columns are time [ms], value, direction (0 read, 1 write, 2 trim) and block size [B],
then an offset if asked for, the priority, and an issue time if asked for (HOWTO.rst,
"Log File Formats"). A log is no run: the run is in fio's JSON or text beside it, and
``fsviz plot --x time`` draws the log.

- Only the file's name tells bandwidth, IOPS and latency apart: ``x_bw.1.log``.
- A line is one I/O, and has its block size, or with ``log_avg_msec`` the mean of a
  window, and has 0. Windows without I/O have no line.
- Bandwidth of a window is in KiB/s (``__add_samples`` of ``stat.c``). Of one I/O it is
  in kB/s of 1000 (``add_bw_sample``), and not needed: its bytes are in its line.
- Latencies are in ns since fio 3.0, and were in µs. No line says so, but the priority
  is there since 3.18 (``flush_samples`` of ``iolog.c``): without it they are refused.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import TYPE_CHECKING

from fsviz.model.errors import (
    MalformedRowError,
    UnknownFormatError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.libraries import pd
from fsviz.model.runs import Note, Reading
from fsviz.model.units import KIB

if TYPE_CHECKING:
    from fsviz.readers.document import Document

NAME = re.compile(
    r"(?P<stem>.+)_(?P<kind>bw|iops|lat|clat|slat|clat_hist)(?:\.(?P<job>\d{1,9}))?"
    r"\.log(?:\.(?:gz|xz|zst))?"
)
"""What fio calls a log (``gen_log_name`` of ``init.c``), also compressed."""
KINDS = {
    "bw": ("throughput", float(KIB)),
    "iops": ("rate", 1.0),
    "lat": ("latency", 1e-9),
    "clat": ("latency", 1e-9),
    "slat": ("latency", 1e-9),
}
"""Metric and unit of a log [base unit]; latency whole, of completion, of submission."""
_ROW = re.compile(
    r"(\d{1,15}), (\d{1,18}), ([012]), (\d{1,15})"
    r"(?P<more>(?:, (?:\d{1,20}|0x[\da-f]{4})){0,3})"
)
_PRIORITY = re.compile(r"(?:, \d+)?, (?:[01]|0x[\da-f]{4})(?:, \d+)?")
_WAYS = ("read", "write", "trim")
_COLUMNS = ("time_s", "value", "operation", "bytes")
_CLOCK_MS = 10**11
"""A time of 1973 and later: ``log_unix_epoch`` counts from 1970, not from the start."""


def read_fio_log(document: Document) -> Reading:
    """Accept a log that can be drawn; it holds no run."""
    if _match_name(document)["kind"] == "clat_hist":
        text = "a histogram of latencies over time, which is not read"
        return Reading((), (), (Note(document.path, 1, text),))
    return Reading(())


def _match_name(document: Document) -> re.Match[str]:
    name = PurePath(document.path).name
    if (match := NAME.fullmatch(name)) is None:
        expected = "the name that fio gives a time log, such as x_bw.1.log"
        raise UnknownFormatError(document.path, 1, expected, quoted(name))
    return match


def read_rows(document: Document) -> pd.DataFrame:
    """Return what a log says: time [s], value [base unit], direction, bytes of an I/O.

    ``bytes`` is 0 where a row is the mean of a window.
    """
    match = _match_name(document)
    metric, unit = KINDS[match["kind"]]
    is_time = unit < 1
    rows = []
    for number, line in enumerate(document.lines, 1):
        if not line.strip():
            continue
        if (row := _ROW.fullmatch(line.strip())) is None:
            expected = "a time, a value, 0 to 2 for the direction, and a block size"
            raise MalformedRowError(
                document.path, number, expected, quoted(line.strip())
            )
        if is_time and not _PRIORITY.fullmatch(row["more"]):
            expected = "a priority behind the block size, as fio prints from 3.18 on"
            shown = "none, so the latencies may be in ns or in µs"
            raise UnsupportedVersionError(document.path, number, expected, shown)
        at, value, way, size = map(int, row.groups()[:4])
        rows.append((at / 1000, value * unit, _WAYS[way], size))
    frame = pd.DataFrame(rows, columns=list(_COLUMNS))
    if frame["time_s"].min() * 1000 > _CLOCK_MS:
        frame["time_s"] -= frame["time_s"].min()
    named = {"log": match["kind"], "stem": match["stem"], "job": int(match["job"] or 0)}
    return frame.assign(metric=metric, **named)
