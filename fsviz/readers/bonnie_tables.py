"""The console tables of bonnie++, cut into headers, rows and cells.

::

    Version 2.00a       ------Sequential Output------ --Sequential Input- --Random-
                        -Per Chr- --Block-- -Rewrite- -Per Chr- --Block-- --Seeks--
    Name:Size etc        /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP  /sec %CP
    a-very-long-mach 2G 4638k  99  830m  78  1.8g  50 6034k  98 +++++ +++  7514  24
    Latency              2506us     616us     161us    2998us     830us   12028us

A second table like it holds the file tests. A test that did not run leaves ten blanks;
a large number pushes the rest of its row to the right. So cells are taken one after
the other, from the column at which the third header line says that they start.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from fsviz.model.errors import (
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    quoted,
)

_HEADER = re.compile(
    r"(?P<prefix>[\s>*]{0,40}?)(?:Version\s+(?P<version>\S+)\s+|\s{19,})"
    r"-+Sequential (?P<kind>Output|Create)-+"
)
_SECOND_HEADER = re.compile(r".*-(?:Per Chr|Create)-.*")
_UNDER_HEADER = re.compile(
    r"-Per Chr- --Block--|--Block-- -Rewrite-|-Create-- --Read---"
)
_CONCURRENCY = re.compile(r".*Concurrency\s+(\d{1,6})\s")
_PAIR = re.compile(r" {0,6}([^\s<>*]+) +([\d+]{1,6})(?= |$)")
_WIDTH = 10
_LOOKS_LIKE_ROW = re.compile(r".*\S\s+(?:\d+|\+{3})\s*")


@dataclass(slots=True)
class TableRow:
    """One row: what stands left of its cells, six pairs of texts, six latencies."""

    line: int
    left: str
    pairs: list[tuple[str, str]]
    latencies: list[str] = field(default_factory=list)
    latency_line: int = 0


@dataclass(slots=True)
class Table:
    """One of the two tables of a run (or of several that share the header)."""

    line: int
    of_files: bool
    version: str
    concurrency: int
    label: str
    rows: list[TableRow] = field(default_factory=list)


def find_tables(path: str, lines: Sequence[str]) -> Iterator[Table | ParseError]:
    """Find the console tables of a file.

    Parameters
    ----------
    path : str
        The file, for messages.
    lines : sequence of str
        All its lines.

    Yields
    ------
    Table or ParseError
        Each table in turn, or what is wrong with it.
    """
    version, indent = "", 0
    for index, line in enumerate(lines):
        match = _HEADER.match(line)
        if match is None:
            if _UNDER_HEADER.search(line) and not _HEADER.match(
                lines[max(0, index - 1)]
            ):
                yield _headless(path, index, lines)
            continue
        if match["version"]:
            version, indent = match["version"], len(match["prefix"])
        try:
            yield _read_table(path, lines, index, version, indent)
        except ParseError as error:
            yield error


def _headless(path: str, index: int, lines: Sequence[str]) -> ParseError:
    """A table whose first line is damaged or cut off."""
    above = lines[index - 1].strip() if index else "the beginning of the file"
    expected = "the first line of a bonnie++ table"
    return MalformedRowError(path, max(1, index), expected, quoted(above))


def _read_table(
    path: str, lines: Sequence[str], index: int, version: str, indent: int
) -> Table:
    header = [*lines[index : index + 3], "", "", ""]
    if not _SECOND_HEADER.match(header[1]) or "%CP" not in header[2]:
        at = index + 2 + (1 if _SECOND_HEADER.match(header[1]) else 0)
        found = quoted(header[at - index - 1].strip())
        raise MalformedRowError(path, at, "the header of a bonnie++ table", found)
    first_cell = header[2].index("%CP") - 7
    concurrency = _CONCURRENCY.match(header[1])
    table = Table(
        index + 1,
        "-Create-" in header[1],
        version,
        int(concurrency[1]) if concurrency else 1,
        header[1][indent : header[1].index("-")].strip(),
    )
    for at in range(index + 3, len(lines)):
        line = lines[at].expandtabs().rstrip()
        if not line[indent:].strip() or _HEADER.match(line):
            break
        if line[indent:].startswith("Latency"):
            if table.rows:
                table.rows[-1].latencies = line[indent + 7 :].split()
                table.rows[-1].latency_line = at + 1
            continue
        if table.rows and not _LOOKS_LIKE_ROW.fullmatch(line[first_cell:]):
            break
        pairs = _pairs(path, at + 1, line[first_cell:])
        table.rows.append(TableRow(at + 1, line[indent:first_cell].strip(), pairs))
    if not table.rows:
        raise TruncatedInputError(
            path, min(index + 4, len(lines)), "a row of bonnie++", "none"
        )
    return table


def _pairs(path: str, line: int, text: str) -> list[tuple[str, str]]:
    """Take six times a number and its CPU use, or ten blanks."""
    pairs: list[tuple[str, str]] = []
    at = 0
    while len(pairs) < 6:
        if not text[at : at + _WIDTH].strip():
            pairs.append(("", ""))
            at += _WIDTH
            continue
        match = _PAIR.match(text, at)
        if match is None:
            raise MalformedRowError(
                path, line, "a number and its CPU use", quoted(text[at:].strip())
            )
        pairs.append((match[1], match[2]))
        at = match.end()
    if text[at:].strip():
        raise MalformedRowError(
            path, line, "six tests in a row", f"{quoted(text[at:].strip())} after them"
        )
    return pairs
