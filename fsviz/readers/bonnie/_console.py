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
from fsviz.model.runs import Cells, Run
from fsviz.model.units import parse_size
from fsviz.readers.bonnie.cells import (
    FILE_OPERATIONS,
    IO_OPERATIONS,
    Setup,
    Test,
    chunk_size,
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
            above = lines[index - 1] if index else ""
            if _UNDER_HEADER.search(line) and not _HEADER.match(above or line):
                expected = "the first line of a bonnie++ table"
                shown = above.strip() if index else "the beginning of the file"
                yield MalformedRowError(path, max(1, index), expected, quoted(shown))
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


def _read_table(
    path: str, lines: Sequence[str], index: int, version: str, indent: int
) -> Table:
    header = [*lines[index : index + 3], "", "", ""]
    has_second = _SECOND_HEADER.match(header[1]) is not None
    if not has_second or "%CP" not in header[2]:
        at = index + 2 + has_second
        expected, shown = "the header of a bonnie++ table", header[at - index - 1]
        raise MalformedRowError(path, at, expected, quoted(shown.strip()))
    first_cell = header[2].index("%CP") - 7
    concurrency = _CONCURRENCY.match(header[1])
    # a digit more or less has moved what stands behind it
    is_moved = concurrency and concurrency.end() != first_cell + 2
    if is_moved or (concurrency is None and "Concurrency" in header[1]):
        expected, shown = "one number of concurrency", quoted(header[1].strip())
        raise MalformedRowError(path, index + 2, expected, shown)
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
        last = min(index + 4, len(lines))
        raise TruncatedInputError(path, last, "a row of bonnie++", "none")
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
            expected, shown = "a number and its CPU use", quoted(text[at:].strip())
            raise MalformedRowError(path, line, expected, shown)
        # people close up the others by hand
        if match.end() == len(text) and match.end() - match.end(1) < _CPU_WIDTH:
            expected = "the last CPU use in three columns"
            raise MalformedRowError(path, line, expected, quoted(match[0].strip()))
        pairs.append((match[1], match[2]))
        at = match.end()
    if text[at:].strip():
        more = f"{quoted(text[at:].strip())} after them"
        raise MalformedRowError(path, line, "six tests in a row", more)
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


def read_tables(document: Document) -> tuple[list[tuple[int, Run]], list[ParseError]]:
    """Read every console table of a file."""
    runs: list[tuple[int, Run]] = []
    problems: list[ParseError] = []
    tables = find_tables(document.path, document.lines)
    for group in _groups(document.path, tables, problems):
        for rows in zip(*(table.rows for table in group), strict=True):
            pairs = zip(group, rows, strict=True)
            parts = [_Part(document.path, t, row) for t, row in pairs]
            line = parts[0].row.line
            if len(runs) + len(problems) >= MOST_RUNS:
                problems.append(too_many_runs(document.path, line))
                return runs, problems
            try:
                runs.append((line, _run(parts, problems)))
            except ParseError as problem:
                problems.append(problem)
    return runs, problems


def _groups(
    path: str, tables: Iterator[Table | ParseError], problems: list[ParseError]
) -> Iterator[list[Table]]:
    """A table of I/O tests and the table of file tests that follows it are one run."""
    io: Table | None = None
    for table in tables:
        if isinstance(table, ParseError):
            problems.append(table)
            continue
        if io is None:
            if table.of_files:
                yield [table]
        elif table.of_files and (difference := _difference(io, table)):
            yield [io]
            problems.append(InconsistentDataError(path, table.line, *difference))
        else:
            yield [io, table] if table.of_files else [io]
        io = None if table.of_files else table
    if io is not None:
        yield [io]


def _difference(io: Table, files: Table) -> tuple[str, str] | None:
    """Say by what a table of file tests is not that of the I/O tests above it.

    Labels are cut to fit, so one is the beginning of the other; 1.03 prints none.
    """
    label = _label(io.rows[0].left)
    if io.version != files.version or not _are_alike(files.label, label):
        expected = f"the file tests of {quoted(label)} {io.version}"
        return expected, f"those of {quoted(files.label)} {files.version}"
    if len(io.rows) != len(files.rows):
        expected = f"file tests of as many runs as the I/O tests, {len(io.rows)}"
        return expected, str(len(files.rows))
    return None


def _are_alike(label: str, other: str) -> bool:
    return label.startswith(other) or other.startswith(label)


def _label(left: str) -> str:
    match = _LEFT.fullmatch(left)
    return match["label"].strip() if match else left


@dataclass(frozen=True, slots=True)
class _Part:
    """A row of a table, which is the I/O tests or the file tests of a run."""

    path: str
    table: Table
    row: TableRow

    @property
    def operations(self) -> tuple[str, ...]:
        return FILE_OPERATIONS if self.table.of_files else IO_OPERATIONS

    @property
    def measured(self) -> list[str]:
        """The tests that ran."""
        pairs = zip(self.operations, self.row.pairs, strict=True)
        return [operation for operation, (rate, _) in pairs if rate]

    @property
    def names_machine(self) -> bool:
        """Whether a row of file tests begins with its machine, as converters do."""
        table = self.table
        return table.of_files and (table.converted or " " in self.row.left)

    @property
    def is_garbage(self) -> bool:
        """From 1.98 on, the number of files stands where the rates of files belong."""
        is_new = _NEW.fullmatch(self.table.version) is not None
        return self.table.of_files and is_new and not self.table.converted

    def malformed(self, expected: str) -> MalformedRowError:
        return MalformedRowError(
            self.path, self.row.line, expected, quoted(self.row.left)
        )


def _run(parts: Sequence[_Part], problems: list[ParseError]) -> Run:
    path, first, row = parts[0].path, parts[0].table, parts[0].row
    setup, cells, notes = _EMPTY, Cells(), []
    machine = _label(row.left)
    for part in parts:
        _refuse_version(part)
        name = part.row.left.rpartition(" ")[0].strip()
        if part.names_machine and not _are_alike(name, machine):
            expected = f"the file tests of {quoted(machine)}"
            shown = quoted(part.row.left)
            raise InconsistentDataError(path, part.row.line, expected, shown)
        setup = _with_row(setup, part)
    garbage = [
        CoarserFormError(
            path,
            part.row.line,
            "the CSV row",
            f"the console form of the file tests, in which {part.table.version} prints "
            "the number of files for the rate",
        )
        for part in parts
        if part.is_garbage
    ]
    if len(garbage) == len(parts):
        raise garbage[0]
    for part in parts:
        if part.is_garbage:
            continue
        _add_pairs(cells, part, setup)
        if not part.row.pairs[-1][0]:
            # its last test is in every row of bonnie++
            expected, end = f"a number of {part.operations[-1]}", "the end of the row"
            cut = TruncatedInputError(path, part.row.line, expected, end)
            problems.append(cut)
            notes.append(f"the row on line {part.row.line} is cut short")
        try:
            _add_latencies(cells, part, setup)
        except ParseError as problem:
            problems.append(problem)
            line = part.row.latency_line
            notes.append(f"the latencies on line {line} are not usable")
    problems += garbage
    return Run(
        tool="bonnie++",
        cells=cells,
        configuration=setup.describe({op for part in parts for op in part.measured}),
        complete=not notes,
        tool_version=first.version,
        host=first.label if first.of_files else machine,
        note="; ".join(notes),
    )


def _refuse_version(part: _Part) -> None:
    table = part.table
    is_unstated = not table.version and not (table.of_files and table.scaled)
    versions = (_OLD, _MIDDLE, _NEW)
    if not is_unstated and not any(v.fullmatch(table.version) for v in versions):
        expected = "bonnie++ 1.00 to 1.03 or 1.93 to 2.00"
        shown = quoted(table.version) if table.version else "a table without a version"
        raise UnsupportedVersionError(part.path, table.line, expected, shown)


def _with_row(setup: Setup, part: _Part) -> Setup:
    """Add what stands left of a row: sizes, or numbers of files."""
    table, left = part.table, part.row.left
    setup = replace(setup, threads=max(setup.threads, table.concurrency))
    if table.of_files:
        counts = left.rpartition(" ")[2] if part.names_machine else left
        match = (_FILES_CONVERTED if table.converted else _FILES).fullmatch(counts)
        if match is None:
            raise part.malformed("a number of files, n:max:min/dirs")
        number, largest, smallest, directories = match.groups("")
        # the console prints a minimum of 0 where the CSV leaves the field empty
        return replace(
            setup,
            files=int(number),
            max_size=largest,
            min_size=smallest if smallest != "0" else "",
            directories=directories,
        )
    match = _LEFT.fullmatch(left)
    if match is None:
        raise part.malformed("a machine and a size such as 2G")
    if match["label"] and not match["blank"] and match["label"][-1].isalnum():
        expected = "a blank before the size"
        raise AmbiguousColumnsError(part.path, part.row.line, expected, quoted(left))
    path, line, text = part.path, part.row.line, match["chunk"]
    chunk = chunk_size(path, line, text) if text else None
    setup = replace(setup, size=parse_size(match["size"]), chunk=chunk)
    if not table.scaled and not table.converted:
        return replace(setup, chunk=chunk or _DEFAULT_CHUNK)
    # size:chunk:concurrency:seeks:processes, of a converter without the third
    first, second, third = match.group("concurrency", "seeks", "processes")
    if table.converted:
        first, second, third = "", first, second
    return replace(
        setup,
        threads=int(first or setup.threads),
        seeks=int(second or _DEFAULT_SEEKS),
        seek_processes=int(third or _DEFAULT_SEEK_PROCESSES),
    )


def _add_pairs(cells: Cells, part: _Part, setup: Setup) -> None:
    table, row = part.table, part.row
    is_old = _OLD.fullmatch(table.version) is not None
    for operation, (rate, cpu) in zip(part.operations, row.pairs, strict=True):
        test = Test(cells, part.path, row.line, operation, setup)
        partial = not is_old and "per_char" in operation
        test.add_rate(rate, table.scaled and not table.of_files, partial)
        test.add_cpu(cpu)


def _add_latencies(cells: Cells, part: _Part, setup: Setup) -> None:
    """Add one latency for each test that ran, or none of them."""
    line, texts, tests = part.row.latency_line, part.row.latencies, part.measured
    if not line:
        return
    if len(texts) != len(tests):
        expected = f"{len(tests)} latencies, one for each test that ran"
        raise MalformedRowError(part.path, line, expected, str(len(texts)))
    latencies = Cells()
    for operation, text in zip(tests, texts, strict=True):
        Test(latencies, part.path, line, operation, setup).add_latency(text)
    for name in cells.__slots__:
        getattr(cells, name).extend(getattr(latencies, name))
