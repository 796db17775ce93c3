"""The header of IOzone's result table: which layout, which columns."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fsviz.model.errors import AmbiguousColumnsError, UnsupportedVersionError, quoted
from fsviz.readers.document import Document
from fsviz.readers.iozone_layouts import COLUMN_TESTS, HEADER_EDGES, TESTS

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
    """What a header says.

    Parameters
    ----------
    layout : str
        One of `fsviz.readers.iozone_layouts.HEADER_EDGES`; "" where the blanks were
        collapsed, so that columns can only be counted.
    columns : int
        Number of columns that there can be, a key of `COLUMN_TESTS`.
    tab : int
        Columns of a tab.
    """

    layout: str
    columns: int
    tab: int = 8


def read_header(document: Document, line: int) -> Header:
    """Read the header whose names of columns are in a line.

    Parameters
    ----------
    document : Document
        The file.
    line : int
        Line number.

    Raises
    ------
    UnsupportedVersionError
        If the columns are not those of IOzone.
    AmbiguousColumnsError
        If they do not stand where IOzone puts them.
    """
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
        if layout := HEADER_EDGES.get(_edges(text.expandtabs(tab))):
            return Header(layout, columns, tab)
    raise AmbiguousColumnsError(
        document.path,
        line,
        "a header with its blanks as IOzone prints them",
        quoted(text.strip()),
    )


def _edges(text: str) -> tuple[int, ...]:
    """Right edges of the first four names, from the end of ``reclen``."""
    tokens = list(_TOKEN.finditer(text))
    start = next(at for at, token in enumerate(tokens) if token[0].lower() == "reclen")
    anchor = tokens[start].end()
    return tuple(token.end() - anchor for token in tokens[start + 1 : start + 5])


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
