"""Tables of timings that somebody published: CSV, TSV or Markdown, one row a system.

::

    # doi:10.1000/example, table 2; read off by hand
    system,time (s),write (MiB/s),note
    NFS v3,32-35,~80,
    SMB 3.1.1,<1,n/a,mounted without signing

    | System  | Time    | Warm time |
    |---------|--------:|----------:|
    | NFS v4  | 3–4 s   | 0.9 s     |

The header decides whether this is such a table:

- The first column is headed ``system``, ``file system``, ``protocol``, ``setup`` or
  ``label``. What stands in it is the label of the row.
- A column of numbers is headed ``[what] [metric] [(unit)]``. The metric is ``time``,
  ``elapsed``, ``duration``, ``throughput``, ``bandwidth``, ``rate``, ``iops``,
  ``latency`` or ``cpu``; it may be left out where the unit tells it. The *what* of a
  throughput, rate or latency is an operation of fsviz; a time is one of rsync's
  transfers, and its *what* names the step, such as ``warm``. A time without a unit is
  in seconds.
- Every other column is a remark.

Each row is a run, or several: a run of rsync for each step, one of bonnie++, one of a
tool that nobody named. Lines that start with ``#`` before the table are its citation.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from fsviz.model.errors import (
    AmbiguousValueError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    nothing_usable,
    quoted,
)
from fsviz.model.runs import STANDS_FOR, Cells, Reading, Run
from fsviz.model.table import OPERATIONS
from fsviz.model.tools import cuts_digits, tool_of
from fsviz.readers.document import MOST_RUNS, Document, too_many_runs
from fsviz.readers.published.values import (
    UNITS,
    WORDS,
    Written,
    parse_written,
    with_slash,
)

_FIRST = re.compile(r"system|file[ -]?system|protocol|setup|label", re.IGNORECASE)
_METRICS = {
    **dict.fromkeys(("time", "elapsed", "duration"), "elapsed"),
    **dict.fromkeys(("throughput", "bandwidth"), "throughput"),
    **dict.fromkeys(("rate", "iops"), "rate"),
    "latency": "latency",
    "cpu": "cpu",
}
_COLUMN = re.compile(
    r"(?P<words>(?:[^()\[\]]*[^()\[\]\s])?)\s*+(?:[(\[](?P<unit>[^()\[\]]*)[)\]])?"
)
_SEPARATOR = re.compile(r"[\s|:-]+")


@dataclass(frozen=True, slots=True)
class Column:
    """What a column of numbers holds."""

    title: str
    tool: str
    operation: str
    metric: str
    unit: str
    step: str


@dataclass(frozen=True, slots=True)
class Table:
    """One table: where its header stands, its titles, its rows with their lines."""

    line: int
    titles: list[str]
    rows: list[tuple[int, list[str]]]
    citation: str


def read_published(document: Document) -> Reading:
    r"""Read tables of published timings.

    >>> from fsviz.readers.document import decode
    >>> text = "system,time\nNFS v3,32-35\n"
    >>> run, = read_published(decode("t.csv", text.encode())).runs
    >>> run.host, run.cells.metric, run.cells.low, run.cells.high
    ('NFS v3', ['elapsed'], [32.0], [35.0])
    """
    refuse_wide(document)
    parts = (part for table in _tables(document) for part in _parts(document, table))
    found = list(islice(parts, MOST_RUNS))
    runs = [part for part in found if isinstance(part, Run)]
    problems = [part for part in found if isinstance(part, ParseError)]
    for part in islice(parts, 1):
        place = part.line if isinstance(part, ParseError) else part.cells.locator[0]
        problems.append(too_many_runs(document.path, place))
    if not runs:
        nothing = MalformedRowError(document.path, 1, "a table of timings", "none")
        raise nothing_usable(problems or [nothing])
    numbered = [
        replace(run, identity=f"{document.digest}-{k}") for k, run in enumerate(runs, 1)
    ]
    return Reading(tuple(numbered), tuple(problems))


def _tables(document: Document) -> Iterator[Table]:
    """Find the headers, and take the lines up to the next empty one as rows."""
    index, comments = 0, []
    while index < len(document.lines):
        line = document.lines[index]
        titles, separator = _split_header(line)
        start, index = index, index + 1
        if not titles:
            comments += [line.lstrip("# ")] if line.startswith("#") else []
            continue
        rows = []
        while index < len(document.lines) and document.lines[index].strip():
            line = document.lines[index]
            index += 1
            if separator == "|" and _SEPARATOR.fullmatch(line):
                continue
            if separator == "|" and "|" not in line:
                break
            if not line.startswith("#"):
                rows.append((index, split_row(line, separator)))
        # in Markdown, a # begins a heading
        citation = "" if separator == "|" else " ".join(comments)
        yield Table(start + 1, titles, rows, citation)


def _split_header(line: str) -> tuple[list[str], str]:
    for separator in "|\t;,":
        titles = split_row(line, separator) if separator in line else []
        if titles and _FIRST.fullmatch(titles[0].strip("*")):
            columns = [_column(title) for title in titles[1:]]
            # a share of a processor alone is no result: it says of what only beside one
            if any(column is not None and column.metric != "cpu" for column in columns):
                return titles, separator
    return [], ""


MOST_COLUMNS = 256


def refuse_wide(document: Document) -> None:
    """Refuse a line of more cells than a table that people write has."""
    for number, line in enumerate(document.lines, 1):
        if max(map(line.count, "|\t;,")) > MOST_COLUMNS:
            expected = f"at most {MOST_COLUMNS} columns"
            raise MalformedRowError(document.path, number, expected, "more")


def split_row(line: str, separator: str) -> list[str]:
    """Take the cells of a row apart."""
    if separator == "|":
        line = line.strip().removeprefix("|").removesuffix("|")
    elif '"' in line:
        cells = next(csv.reader([line], delimiter=separator))
        return [cell.strip() for cell in cells]
    return [cell.strip() for cell in line.split(separator)]


def _column(title: str) -> Column | None:
    """Understand the title of a column; None for a column of remarks."""
    match = _COLUMN.fullmatch(with_slash(title.strip("*` ")).lower())
    if match is None:
        return None
    words, unit = match["words"].split(), (match["unit"] or "").strip()
    if not unit and words and words[-1] in UNITS:
        unit = words.pop()
    metric = ""
    if words and words[-1] in _METRICS:
        metric = _METRICS[words.pop()]
    if unit in UNITS:
        metric = metric or UNITS[unit][0]
    if not metric or (unit and unit not in UNITS):
        return None
    what = " ".join(words)
    operation = what.replace(" ", "_").replace("-", "_")
    if metric == "elapsed":
        return Column(title, "rsync", "transfer", metric, unit or "s", what)
    if metric == "cpu" and not what:
        return Column(title, "rsync", "transfer", metric, unit or "%", "")
    if operation not in OPERATIONS or operation == "transfer":
        return None
    return Column(title, tool_of(operation), operation, metric, unit, "")


def _parts(document: Document, table: Table) -> Iterator[Run | ParseError]:
    try:
        yield from _runs(document, table)
    except ParseError as problem:
        yield problem


def _runs(document: Document, table: Table) -> Iterator[Run | ParseError]:
    columns = [None, *(_column(title) for title in table.titles[1:])]
    keys = [(c.tool, c.step, c.operation, c.metric) for c in columns if c is not None]
    if len(set(keys)) < len(keys):
        raise InconsistentDataError(
            document.path, table.line, "columns that differ", "two of the same"
        )
    sign = _sign(document.path, table, columns)
    for line, texts in table.rows:
        if len(texts) != len(columns):
            yield TruncatedInputError(
                document.path, line, f"{len(columns)} cells", str(len(texts))
            )
            continue
        pairs = zip(texts, columns, strict=True)
        if any(c is not None and text.lower() not in WORDS for text, c in pairs):
            yield from _row_runs(document, line, texts, table, columns, sign)


def _sign(path: str, table: Table, columns: Sequence[Column | None]) -> str:
    numbers = [
        text
        for _, texts in table.rows
        for text, column in zip(texts, columns, strict=False)
        if column is not None
    ]
    try:
        return decimal_sign(numbers)
    except ValueError as error:
        found = "cells that do not tell"
        raise AmbiguousValueError(path, table.line, str(error), found) from error


def _row_runs(
    document: Document,
    line: int,
    texts: Sequence[str],
    table: Table,
    columns: Sequence[Column | None],
    sign: str,
) -> Iterator[Run | ParseError]:
    """Make the runs of one row: what belongs to one tool and step is one run."""
    remarks = {
        title: text
        for title, text, column in zip(table.titles, texts, columns, strict=True)
        if column is None and text
    }
    label = remarks.pop(table.titles[0], "").strip("`*")
    remarks |= {"citation": table.citation} if table.citation else {}
    groups: dict[tuple[str, str], tuple[Cells, dict[str, object]]] = {}
    for text, column in zip(texts, columns, strict=True):
        if column is None:
            continue
        key = (column.tool, column.step)
        cells, facts = groups.setdefault(key, (Cells(), {"label": label, **remarks}))
        try:
            cut = cuts_digits(column.tool, column.operation, column.metric)
            written = parse_written(plain(text, sign), column.unit, cut)
            _add(cells, facts, column, written, f"line {line}")
        except ValueError as error:
            yield MalformedRowError(document.path, line, str(error), quoted(text))
    for (tool, step), (cells, facts) in groups.items():
        if len(cells):
            yield Run(
                tool=tool,
                identity="",
                source=document.path,
                cells=cells,
                configuration="; ".join(filter(None, ("published", step))),
                host=label,
                system=label,
                note="a published figure",
                facts={**facts, STANDS_FOR: "published"},
            )


def _add(
    cells: Cells,
    facts: dict[str, object],
    column: Column,
    written: Written,
    locator: str,
) -> None:
    if written.reason:
        facts[f"missing: {column.title}"] = written.reason
        return
    kind = {"latency": "elapsed"}.get(column.metric, column.metric)
    if written.kind != kind:
        stated = f"a unit of {column.metric}"
        raise ValueError(stated)
    if written.footnote:
        facts[f"footnote: {column.title}"] = written.footnote
    if written.spread == written.spread:
        facts[f"spread: {column.title}"] = written.spread
    cells.add(
        column.operation,
        column.metric,
        written.value,
        locator,
        low=written.low,
        high=written.high,
    )


# Which sign stands before the decimals of a published table: point or comma.
#
# One sign with three digits after it, as in ``1.234``, does not tell; another cell of
# the same table has to. Blanks, apostrophes and underscores between digits are
# grouping.

_TOKEN = re.compile(r"\d[\d.,'’_]*\d|\d")
_GROUPED = re.compile(r"(?<=\d)[ '’_](?=\d{3}(?!\d))")


def decimal_sign(texts: Sequence[str]) -> str:
    """Decide once for a table which sign stands before the decimals.

    >>> decimal_sign(["1.234", "3,2"]), decimal_sign(["3.2"]), decimal_sign(["1.234e5"])
    (',', '.', '.')
    """
    signs: set[str] = set()
    unclear = ""
    for text in texts:
        for found in _TOKEN.finditer(whole := text.replace("..", "–")):
            token, power = found[0], whole[found.end() : found.end() + 1] in ("e", "E")
            # before a power of ten no digits are grouped
            sign = token[1:2] if power and not token[1:2].isdigit() else _sign_of(token)
            signs.add(sign)
            unclear = unclear or (token if sign == "?" else "")
    signs -= {"", "?"}
    if len(signs) > 1:
        raise ValueError("one decimal sign in the whole table")
    if not signs and unclear:
        raise ValueError(f"a number whose decimal sign is known instead of {unclear!r}")
    return signs.pop() if signs else "."


def _sign_of(token: str) -> str:
    """The decimal sign of a token; empty if it has none, ``?`` if it cannot be told."""
    used = [c for c in token if c in ".,"]
    if not used:
        return ""
    other = {".": ",", ",": "."}
    if len(set(used)) == 2:
        return used[-1]
    if len(used) > 1:
        return other[used[0]]
    whole, _, decimals = token.partition(used[0])
    if len(decimals) != 3 or whole == "0":
        return used[0]
    return "?"


def plain(text: str, sign: str) -> str:
    """Rewrite the numbers of a cell without grouping and with a decimal point.

    >>> plain("1.234,5 s – 2 000", ",")
    '1234.5 s – 2000'
    """
    text = _GROUPED.sub("", text.replace("..", "–"))
    grouping = "," if sign == "." else "."

    def rewrite(match: re.Match[str]) -> str:
        token = match[0]
        if grouping in token and not re.fullmatch(
            rf"\d{{1,3}}(?:{re.escape(grouping)}\d{{3}})+(?:{re.escape(sign)}\d+)?",
            token,
        ):
            raise ValueError("numbers grouped by threes")
        return token.replace(grouping, "").replace(sign, ".")

    return _TOKEN.sub(rewrite, text)
