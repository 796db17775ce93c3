"""Where the fields of a bonnie++ CSV row are: by format and number of fields.

======================  ============  ======
program                 format field  fields
======================  ============  ======
1.00 to 1.03e           none          27
1.90a                   ``2``         33
1.93c to 1.97.3         ``1.93c`` …   48, and 47 from 1.96 with ``-s 0``
1.98 to 2.00a           ``1.98``      50
======================  ============  ======
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from fsviz.model.errors import (
    MalformedRowError,
    TruncatedInputError,
    UnsupportedVersionError,
    quoted,
)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the fields of a format are; -1 for a field that the format lacks."""

    fields: int
    name: int
    concurrency: int
    size: int
    chunk: int
    seeks: int
    io: int
    files: int
    tests: int
    latency: int


V103 = Layout(27, 0, -1, 1, -1, -1, 2, 14, 15, -1)
V190 = Layout(33, 2, -1, 3, 4, -1, 5, 17, 21, -1)
V193 = Layout(48, 2, 3, 5, 6, -1, 7, 19, 24, 36)
V198 = Layout(50, 2, 3, 5, 6, 7, 9, 21, 26, 38)
_FORMAT = re.compile(r"(?:2|1\.9\d\w*)")


@dataclass(frozen=True, slots=True)
class Row:
    """The fields of one row, aligned with the layout of its format."""

    path: str
    line: int
    fields: list[str]
    layout: Layout
    commas_in_name: int

    def take(self, index: int, what: str, pattern: re.Pattern[str]) -> re.Match[str]:
        """Match a field, or raise an error that names it."""
        text = self.fields[index]
        match = pattern.fullmatch(text)
        if match is None:
            raise MalformedRowError(self.path, self.line, what, quoted(text))
        return match


def align(path: str, line: int, fields: list[str]) -> Row:
    """Find the layout of a row, and join a machine label that holds commas.

    Parameters
    ----------
    path, line : str, int
        Where the row stands.
    fields : list of str
        The row, split at its commas.

    Returns
    -------
    Row

    Raises
    ------
    UnsupportedVersionError
        If the format is unknown.
    TruncatedInputError
        If there are too few fields.
    """
    layout = _layout(path, line, fields[0])
    if _lacks_a_comma(layout, fields):
        # 1.96 prints one comma too few where no I/O test ran
        fields = [*fields[:-42], "", *fields[-42:]]
    extra = len(fields) - layout.fields
    if extra < 0:
        raise TruncatedInputError(
            path, line, f"{layout.fields} fields", f"{len(fields)}"
        )
    first, last = layout.name, layout.name + extra + 1
    name = ",".join(fields[first:last])
    return Row(path, line, [*fields[:first], name, *fields[last:]], layout, extra)


def _layout(path: str, line: int, first: str) -> Layout:
    if not _FORMAT.fullmatch(first):
        return V103
    if first == "2":
        return V190
    if first == "1.98":
        return V198
    if re.fullmatch(r"1\.9[3-7]\w?", first):
        return V193
    known = "bonnie++ format 2, 1.93 to 1.97 or 1.98"
    raise UnsupportedVersionError(path, line, known, quoted(first))


def _lacks_a_comma(layout: Layout, fields: Sequence[str]) -> bool:
    """Whether this is the 47-field row of 1.96 with ``-s 0``, counted from its end."""
    if layout is not V193 or not fields[0].startswith("1.96") or len(fields) < 47:
        return False
    # From the end: 12 latencies, 12 file cells, 5 about files, 13 empty ones, the seed
    return not any(fields[-42:-29]) and bool(fields[-43]) and bool(fields[-29])
