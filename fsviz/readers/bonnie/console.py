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
from dataclasses import dataclass, field, replace
from itertools import zip_longest

from fsviz.model.errors import (
    AmbiguousColumnsError,
    CoarserFormError,
    InconsistentDataError,
    MalformedRowError,
    ParseError,
    TruncatedInputError,
    UnsupportedVersionError,
    quoted,
)
from fsviz.model.runs import MISSING, Cells, Run
from fsviz.model.units import parse_size
from fsviz.readers.bonnie.cells import (
    FILE_OPERATIONS,
    IO_OPERATIONS,
    Setup,
    add_cpu,
    add_latency,
    add_rate,
    add_scaled_rate,
)
from fsviz.readers.document import MOST_RUNS, Document, too_many_runs

_HEADER = re.compile(
    r"(?P<prefix>[\s>*]{0,40}?)(?:Version(?P<gap>\s+)(?P<version>\S+)\s+|\s*)"
    r"-+Sequential (?:Output-+ --Sequential |Create-+ -+Random )"
)
_SECOND_HEADER = re.compile(r".*-(?:Per Chr|Create)-.*")
_UNDER_HEADER = re.compile(
    r"-Per Chr- --Block--|--Block-- -Rewrite-|-Create-- --Read---"
)
_CONCURRENCY = re.compile(r".*Concurrency\s+(\d{1,6})\s*-")
_PAIR = re.compile(r" {0,6}([^\s<>*]+) +([\d+]{1,6})(?= |$)")
_WIDTH = 10
_CPU_WIDTH = 4
"""With the blank before it; one with less has lost a digit."""
_GAP_OF_CONVERTER = 4
"""Blanks after ``Version`` from which ``bon_csv2txt`` printed it, with ``%9s``."""
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
    """One of the two tables of a run (or of several that share the header).

    ``scaled`` tables print suffixes such as ``930m``. ``converted`` ones were made by
    ``bon_csv2txt`` from CSV rows: their rates of files are right, and sizes have no
    concurrency.
    """

    line: int
    of_files: bool
    version: str
    concurrency: int
    label: str
    scaled: bool
    converted: bool
    rows: list[TableRow] = field(default_factory=list)


def find_tables(path: str, lines: Sequence[str]) -> Iterator[Table | ParseError]:
    """Find the console tables of a file."""
    version, indent, converted = "", 0, False
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
            converted = len(match["gap"]) >= _GAP_OF_CONVERTER
        try:
            table = _read_table(path, lines, index, version, indent)
            table.converted = converted
            yield table
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
    if concurrency is None and "Concurrency" in header[1]:
        found = quoted(header[1].strip())
        raise MalformedRowError(path, index + 2, "one number of concurrency", found)
    table = Table(
        index + 1,
        "-Create-" in header[1],
        version,
        int(concurrency[1]) if concurrency else 1,
        header[1][indent : header[1].index("-")].strip(),
        _NEW.fullmatch(version) is not None
        or (not version and "K/sec" not in header[2]),
        converted=False,
    )
    for at in range(index + 3, len(lines)):
        line = lines[at].expandtabs().rstrip()
        if not line[indent:].strip() or _HEADER.match(line):
            break
        # of a line that is cut or wrapped the beginning is left
        if line[indent : indent + 7] == "Latency"[: len(line) - indent]:
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
        # people close up the others by hand
        if match.end() == len(text) and match.end() - match.end(1) < _CPU_WIDTH:
            expected = "the last CPU use in three columns"
            raise MalformedRowError(path, line, expected, quoted(match[0].strip()))
        pairs.append((match[1], match[2]))
        at = match.end()
    if text[at:].strip():
        raise MalformedRowError(
            path, line, "six tests in a row", f"{quoted(text[at:].strip())} after them"
        )
    return pairs


# From the console tables of bonnie++ to runs.

_OLD = re.compile(r"1\.0\d\w*")
_MIDDLE = re.compile(r"1\.9[3-7](?:\.\d+)?\w?")
_NEW = re.compile(r"(?:1\.9[89]|2\.0\d)\w?")
_LEFT = re.compile(
    r"(?P<label>(?:.*?\S)??)(?P<blank>\s*+)(?P<size>\d{1,9}[MG])(?::(?P<chunk>\d*[km]?))?"
    r"(?::(?P<concurrency>\d*))?(?::(?P<seeks>\d*))?(?::(?P<processes>\d*))?"
)
_FILES = re.compile(
    r"(?P<number>\d{1,9})(?::(?P<largest>\d+|link|symlink))?"
    r"(?::(?P<smallest>\d+))?(?:/(?P<directories>\d+))?"
)
_FILES_CONVERTED = re.compile(
    r"(?P<number>\d{1,9})(?::(?P<largest>\d+|link|symlink))?(?::(?P<smallest>\d+))??"
    r"(?:[:/](?P<directories>\d+))?"
)
_EMPTY = Setup(None, None, 1, None, None, None, "", "", "")
_DEFAULT_CHUNK = 8192
_DEFAULT_SEEKS, _DEFAULT_SEEK_PROCESSES = 8192, 5


def read_tables(
    document: Document,
) -> tuple[list[tuple[int, Run]], list[ParseError]]:
    """Read every console table of a file."""
    runs: list[tuple[int, Run]] = []
    problems: list[ParseError] = []
    found = find_tables(document.path, document.lines)
    for group in _groups(document.path, found, problems):
        for rows in zip_longest(*(table.rows for table in group)):
            both = zip(group, rows, strict=True)
            parts = [(table, row) for table, row in both if row is not None]
            if len(runs) + len(problems) >= MOST_RUNS:
                problems.append(too_many_runs(document.path, parts[0][1].line))
                return runs, problems
            try:
                runs.append((parts[0][1].line, _run(document, parts, problems)))
            except ParseError as problem:
                problems.append(problem)
    return runs, problems


def _groups(
    path: str, found: Iterator[Table | ParseError], problems: list[ParseError]
) -> Iterator[list[Table]]:
    """A table of I/O tests and the table of file tests that follows it are one run."""
    held: list[Table] = []
    for table in found:
        if isinstance(table, ParseError):
            problems.append(table)
            continue
        if held and table.of_files and _same_machine(held[0], table):
            yield [*held, table]
            held = []
            continue
        if held:
            yield held
        if held and table.of_files:
            problems.append(_stranger(path, held[0], table))
            held = []
            continue
        held = [] if table.of_files else [table]
        if table.of_files:
            yield [table]
    if held:
        yield held


def _stranger(path: str, io: Table, files: Table) -> ParseError:
    """A table of file tests that follows one of I/O tests but is not of that run."""
    expected = f"the file tests of {quoted(_label(io.rows[0].left))} {io.version}"
    found = f"those of {quoted(files.label)} {files.version}"
    return InconsistentDataError(path, files.line, expected, found)


def _same_machine(io: Table, files: Table) -> bool:
    """Labels are cut to fit, so one is the beginning of the other; 1.03 prints none."""
    label = _label(io.rows[0].left)
    return io.version == files.version and (
        files.label.startswith(label) or label.startswith(files.label)
    )


def _names_machine(table: Table, row: TableRow) -> bool:
    """Whether a row of file tests begins with its machine, as converters print it."""
    return table.of_files and (table.converted or " " in row.left)


def _named(left: str, name: str) -> bool:
    """Whether a row of a converted file table is that of a machine, cut or whole."""
    own = left.rpartition(" ")[0].strip()
    return own.startswith(name) or name.startswith(own)


def _label(left: str) -> str:
    match = _LEFT.fullmatch(left)
    return match["label"].strip() if match else left


def _run(
    document: Document,
    parts: Sequence[tuple[Table, TableRow]],
    problems: list[ParseError],
) -> Run:
    path, first = document.path, parts[0][0]
    setup, cells, notes = _EMPTY, Cells(), []
    machine = _label(parts[0][1].left)
    for table, row in parts:
        _refuse_version(path, table)
        if _names_machine(table, row) and not _named(row.left, machine):
            found = quoted(row.left)
            raise InconsistentDataError(
                path, row.line, f"the file tests of {quoted(machine)}", found
            )
        setup = _with_row(setup, path, table, row)
    garbage = [_garbage(path, t, row) for t, row in parts if _is_garbage(t)]
    if len(garbage) == len(parts):
        raise garbage[0]
    for table, row in parts:
        if _is_garbage(table):
            continue
        _add_pairs(cells, path, table, row, setup)
        if not row.pairs[-1][0]:
            problems.append(_cut_short(path, table, row))
            notes.append(f"the row on line {row.line} is cut short")
        try:
            _add_latencies(cells, path, table, row, setup)
        except ParseError as problem:
            problems.append(problem)
            notes.append(f"the latencies on line {row.latency_line} are not usable")
    problems += garbage
    ran = {op for table, row in parts for op in _ran(table, row)}
    return Run(
        tool="bonnie++",
        identity="",
        source=path,
        cells=cells,
        configuration=setup.describe(ran),
        complete=not notes,
        tool_version=first.version,
        host=first.label if first.of_files else _label(parts[0][1].left),
        note="; ".join(notes),
        facts={"form": "console"},
    )


def _cut_short(path: str, table: Table, row: TableRow) -> ParseError:
    """Of a row that lacks its last test, which is in every one of bonnie++."""
    expected = f"a number of {_operations(table)[-1]}"
    return TruncatedInputError(path, row.line, expected, "the end of the row")


def _refuse_version(path: str, table: Table) -> None:
    unstated = not table.version and not (table.of_files and table.scaled)
    if not unstated and not any(
        p.fullmatch(table.version) for p in (_OLD, _MIDDLE, _NEW)
    ):
        known = "bonnie++ 1.00 to 1.03 or 1.93 to 2.00"
        found = quoted(table.version) if table.version else "a table without a version"
        raise UnsupportedVersionError(path, table.line, known, found)


def _is_garbage(table: Table) -> bool:
    """From 1.98 on, the number of files stands where the rates of files belong."""
    is_new = _NEW.fullmatch(table.version) is not None
    return table.of_files and is_new and not table.converted


def _garbage(path: str, table: Table, row: TableRow) -> ParseError:
    return CoarserFormError(
        path,
        row.line,
        "the CSV row",
        f"the console form of the file tests, in which {table.version} prints the "
        "number of files for the rate",
    )


def _operations(table: Table) -> tuple[str, ...]:
    return FILE_OPERATIONS if table.of_files else IO_OPERATIONS


def _ran(table: Table, row: TableRow) -> list[str]:
    texts = zip(_operations(table), row.pairs, strict=True)
    return [operation for operation, (rate, _) in texts if rate]


def _with_row(setup: Setup, path: str, table: Table, row: TableRow) -> Setup:
    """Add what stands left of a row: sizes, or numbers of files."""
    setup = replace(setup, threads=max(setup.threads, table.concurrency))
    if table.of_files:
        left = row.left.rpartition(" ")[2] if _names_machine(table, row) else row.left
        match = (_FILES_CONVERTED if table.converted else _FILES).fullmatch(left)
        if match is None:
            what = "a number of files, n:max:min/dirs"
            raise MalformedRowError(path, row.line, what, quoted(row.left))
        number, largest, smallest, directories = (text or "" for text in match.groups())
        # the console prints a minimum of 0 where the CSV leaves the field empty
        return replace(
            setup,
            files=int(number),
            max_size=largest,
            min_size=smallest if smallest != "0" else "",
            directories=directories,
        )
    match = _LEFT.fullmatch(row.left)
    if match is None:
        what = "a machine and a size such as 2G"
        raise MalformedRowError(path, row.line, what, quoted(row.left))
    if match["label"] and not match["blank"] and match["label"][-1].isalnum():
        raise AmbiguousColumnsError(
            path, row.line, "a blank before the size", quoted(row.left)
        )
    return _with_size(setup, match, table)


def _with_size(setup: Setup, match: re.Match[str], table: Table) -> Setup:
    chunk = parse_size(match["chunk"]) if match["chunk"] else None
    if table.converted:
        # size:chunk:seeks:processes
        return replace(
            setup,
            size=parse_size(match["size"]),
            chunk=chunk,
            seeks=int(match["concurrency"] or _DEFAULT_SEEKS),
            seek_processes=int(match["seeks"] or _DEFAULT_SEEK_PROCESSES),
        )
    if not table.scaled:
        chunk = chunk or _DEFAULT_CHUNK
        return replace(setup, size=parse_size(match["size"]), chunk=chunk)
    return replace(
        setup,
        size=parse_size(match["size"]),
        chunk=chunk,
        threads=int(match["concurrency"] or setup.threads),
        seeks=int(match["seeks"] or _DEFAULT_SEEKS),
        seek_processes=int(match["processes"] or _DEFAULT_SEEK_PROCESSES),
    )


def _add_pairs(
    cells: Cells, path: str, table: Table, row: TableRow, setup: Setup
) -> None:
    add = add_scaled_rate if table.scaled and not table.of_files else add_rate
    is_old = _OLD.fullmatch(table.version) is not None
    for operation, (rate, cpu) in zip(_operations(table), row.pairs, strict=True):
        where = setup.where(operation, row.line)
        whole_file = is_old or "per_char" not in operation
        least = setup.least(operation) if whole_file else MISSING
        add(cells, (path, row.line), rate, operation, least, where)
        add_cpu(cells, (path, row.line), cpu, operation, where)


def _add_latencies(
    cells: Cells, path: str, table: Table, row: TableRow, setup: Setup
) -> None:
    """Add one latency for each test that ran, or none of them."""
    ran = _ran(table, row)
    if not row.latency_line:
        return
    if len(row.latencies) != len(ran):
        raise MalformedRowError(
            path,
            row.latency_line,
            f"{len(ran)} latencies, one for each test that ran",
            str(len(row.latencies)),
        )
    new = Cells()
    for operation, text in zip(ran, row.latencies, strict=True):
        where = setup.where(operation, row.latency_line)
        add_latency(new, (path, row.latency_line), text, operation, where)
    for name in cells.__slots__:
        getattr(cells, name).extend(getattr(new, name))
