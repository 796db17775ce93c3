"""From a file to runs: decide by content which reader it is for, then read it.

``read_file`` looks for the signatures of `FORMATS`. A text with those of several tools
is read part by part, each by its reader. It never goes by the suffix and never tries
readers in turn.
"""

from __future__ import annotations

import csv
import importlib
import os
import stat
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from fsviz.model.errors import (
    FsvizError,
    ParseError,
    UnknownFormatError,
    UnreadableFileError,
    UsageError,
    nothing_usable,
    strange_text,
)
from fsviz.model.escaping import printable, unicode_name
from fsviz.model.names import unknown
from fsviz.model.runs import Note, Reading
from fsviz.readers._compressed import is_archive, members, unpacked
from fsviz.readers.document import (
    BIFF2,
    MOST_RUNS,
    Document,
    decode,
    digest,
    refuse_long_numbers,
    refuse_many_hosts,
    without_prefix,
)
from fsviz.readers.impossible import without_impossible
from fsviz.readers.signatures import FORMATS, WORKBOOK, Format, formats

LARGEST_FILE = 64 * 1024**2
# the limit of 128 KiB a field raises an error that names no line
csv.field_size_limit(LARGEST_FILE)
"""Bytes; no benchmark prints this much, so a larger file is not a result."""

_WORKBOOKS = (BIFF2, b"PK\x03\x04", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")

STANDARD_INPUT = "-"
"""What people write for it, as for other programs."""

_HEAD = 4096
_BLOCK = 3
"""Lines that results may come from together: real, user and sys of one timing."""

_NOT_RESULTS = {
    b"\x89PNG": "a PNG image",
    b"\xff\xd8\xff": "a JPEG image",
    b"GIF8": "a GIF image",
    b"%PDF": "a PDF document",
    b"\x7fELF": "a program",
    b"SQLite format 3": "an SQLite database",
    **dict.fromkeys(
        (b"PAR1", b"campaign,system,tool,run,"),
        "a table, perhaps of fsviz; name the files that a tool wrote",
    ),
    b"Offset in kBytes   Latency in": "IOzone's latencies of single records (-Q); "
    "what it printed has the speeds",
    **{
        f"Child: {n} Op: ".encode(): "IOzone's histogram of latencies (-+z); "
        "what it printed has the speeds"
        for n in range(10)
    },
}
"""What people name by mistake, or what lies beside results, by its first bytes."""
_EXPECTED = "output of one of the tools that `fsviz formats` lists"
_NO_SIGNATURE = (
    "none of their signatures; `fsviz formats --explain table` shows how to write a "
    "table of your own numbers"
)


def read_file(path: str | os.PathLike[str], hint: str | None = None) -> Reading:
    """Read one result file, which may be compressed."""
    name, data = shown_path(os.fspath(path)), _content(os.fspath(path))
    if is_archive(data):
        raise UnknownFormatError(name, 1, "one file", "an archive of several")
    return _read_bytes(name, data, hint)


def text_of(path: str | os.PathLike[str]) -> Document:
    """Decode one file, which may be compressed."""
    name, data = shown_path(os.fspath(path)), _content(os.fspath(path))
    return decode(name, data)


def read_members(
    path: str | os.PathLike[str], hint: str | None = None
) -> Iterator[tuple[str, Reading]]:
    """Read a result file, whose name is then empty, or each member of an archive."""
    name, data = shown_path(os.fspath(path)), _content(os.fspath(path))
    if not is_archive(data):
        yield "", _read_bytes(name, data, hint)
        return
    for member, content in members(name, data, LARGEST_FILE):
        try:
            if isinstance(content, ParseError):
                raise content
            yield member, _read_bytes(f"{name}/{unicode_name(member)}", content, hint)
        except ParseError as problem:
            yield member, Reading((), (problem,))


def _read_bytes(name: str, data: bytes, hint: str | None) -> Reading:
    forced = None if hint is None else _format_of_hint(hint)
    try:
        reading = without_impossible(_of_bytes(name, data, forced))
    except FsvizError:
        raise
    except Exception as error:  # the one place that stands for every reader
        if os.environ.get(RAISE):
            raise
        raise _fault(name, error) from error
    if len(reading.problems) <= MOST_PROBLEMS:
        return reading
    expected = f"at most {MOST_PROBLEMS} complaints of a file"
    first = reading.problems[MOST_PROBLEMS].line
    more = ParseError(name, first, expected, "more, which are left out")
    return replace(reading, problems=(*reading.problems[:MOST_PROBLEMS], more))


RAISE = "FSVIZ_RAISE"
"""Environment variable of tests: a reader's fault ends in its traceback."""
MOST_PROBLEMS = MOST_RUNS


def _fault(path: str, error: Exception) -> ParseError:
    """Ask for a report of an error that no reader should raise."""
    package = Path(__file__).parents[1]
    frames = [
        f"{place.relative_to(package)}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if (place := Path(frame.filename)).is_relative_to(package)
    ]
    fault = f"{type(error).__name__} in {frames[-1]}; this is a fault of fsviz"
    expected = "a file that its reader copes with"
    return ParseError(path, 1, expected, f"{fault}: please report it")


def _of_bytes(name: str, data: bytes, forced: Format | None) -> Reading:
    if forced is WORKBOOK or (forced is None and data.startswith(_WORKBOOKS)):
        return _read_workbook(name, data)
    document = without_prefix(decode(name, data))
    return read_document(document, forced)


def read_document(document: Document, forced: Format | None = None) -> Reading:
    """Read a text."""
    refuse_many_hosts(document)
    refuse_long_numbers(document)
    strong, weak = ([forced], []) if forced else _recognise(document)
    if len(strong) + len(weak) == 1:
        reading = _read((strong or weak)[0], document)
    else:
        reading = _read_parts(document, strong, weak)
    notes = _open_end(document, reading)
    return replace(reading, notes=(*reading.notes, *notes)) if notes else reading


def _open_end(document: Document, reading: Reading) -> list[Note]:
    """Note a last line of results without a line end: every tool prints one.

    A number there may lack digits, which nothing else tells, or the next is missing.
    """
    last = len(document.lines)
    near = range(last - _BLOCK + 1, last + 1)
    if not document.lines[-1].strip():
        return []
    is_named = any(problem.line in near for problem in reading.problems)
    if is_named or not all(run.complete for run in reading.runs):
        return []
    places = {f"line {line}" for line in near}
    ends = [places.intersection(run.cells.locator[-1:]) for run in reading.runs]
    if not any(ends) and all(len(run.cells) for run in reading.runs):
        return []
    text = "the last line has no line end, so what is on it may be cut off"
    return [Note(document.path, last, text)]


def _read_workbook(name: str, data: bytes) -> Reading:
    """Read the tables of a workbook, else IOzone's reports."""
    from fsviz.readers.iozone.workbook import read_workbook
    from fsviz.readers.sheets import read_sheets

    document, sheets = Document(name, "", digest(data)), read_sheets(name, data)
    if not data.startswith(BIFF2):
        from fsviz.readers.tables.rows import read_sheets_of_tables

        tables = read_sheets_of_tables(document, sheets)
        if tables is not None:
            return replace(tables, formats=("table",))
    return replace(read_workbook(document, sheets), formats=(WORKBOOK.name,))


def _read(form: Format, document: Document) -> Reading:
    reading = cast(Reading, _load(form.reader)(document))
    return replace(reading, formats=(form.name,))


def explanation(name: str) -> str:
    """Say what a format looks like and how it is read: the text of its reader."""
    module = _format_of_hint(name).reader.partition(":")[0]
    return (importlib.import_module(module).__doc__ or "").strip()


def shown_path(path: str) -> str:
    """Name a file as messages and the column ``source`` do.

    >>> shown_path("-"), shown_path("rep1.txt")
    ('standard input', 'rep1.txt')
    """
    return "standard input" if path == STANDARD_INPUT else unicode_name(path)


def _content(path: str) -> bytes:
    data, size = _bytes_and_size(path)
    none = "nothing" if path == STANDARD_INPUT else "an empty file"
    path = shown_path(path)
    if not data:
        raise UnknownFormatError(path, 1, "output of a benchmark", none)
    for magic, kind in _NOT_RESULTS.items():
        if data.startswith(magic):
            raise UnknownFormatError(path, 1, "output of a benchmark", kind)
    if max(size, len(data)) > LARGEST_FILE:
        expected = f"output of at most {LARGEST_FILE} bytes"
        amount = f"{size} bytes" if size > LARGEST_FILE else "more"
        raise UnknownFormatError(path, 1, expected, amount)
    return unpacked(path, data, LARGEST_FILE)


def _bytes_and_size(path: str) -> tuple[bytes, int]:
    """Read a file, of one that is too large only the head; a pipe has size 0."""
    try:
        if path == STANDARD_INPUT:
            if sys.stdin is None:
                raise UsageError("standard input:1: expected it open, found it closed")
            return sys.stdin.buffer.read(LARGEST_FILE + 1), 0
        state = os.stat(path)  # noqa: PTH116 - Path takes twice as long
        size = state.st_size
        if stat.S_ISFIFO(state.st_mode):
            return _of_pipe(path), 0
        with open(path, "rb") as file:  # noqa: PTH123
            amount = _HEAD if size > LARGEST_FILE else (size or LARGEST_FILE) + 1
            return file.read(amount), size
    except IsADirectoryError as error:
        name = shown_path(path)
        raise UnreadableFileError(
            f"{name}: expected a file, found a folder; only `read` takes no folders, "
            f"`fsviz summary` and the other commands do"
        ) from error
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or "a name that no file has"
        raise UnreadableFileError(
            f"{printable(path)}: expected a readable file, found {cause}"
        ) from error


_PATIENCE = 2.0
"""Seconds in which a program must open a named pipe for writing."""


def _of_pipe(path: str) -> bytes:
    """Read what a program writes into a pipe; one without a writer is refused.

    Opened as files are, it would keep everything waiting for a writer, for ever.
    """
    with open(path, "rb", opener=_without_waiting) as file:
        head, end = file.read(1), time.monotonic() + _PATIENCE
        # without a writer it is at its end; with one that waits there is nothing yet
        while head == b"" and time.monotonic() < end:
            time.sleep(0.05)
            head = file.read(1)
        if head == b"":
            raise UnreadableFileError(
                f"{shown_path(path)}:1: expected a file, "
                "found a pipe that no program writes to"
            )
        os.set_blocking(file.fileno(), True)
        return (head or b"") + file.read(LARGEST_FILE + 1)


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def _format_of_hint(hint: str) -> Format:
    by_name = {form.name: form for form in formats()}
    if hint not in by_name:
        raise unknown("format", hint, by_name)
    return by_name[hint]


def _recognise(document: Document) -> tuple[list[Format], list[Format]]:
    """Return the formats of a text: those only one tool prints, and weak ones."""
    matching = [form for form in FORMATS if form.matches(document)]
    strong = [form for form in matching if not form.weak]
    weak = [form for form in matching if form.weak]
    if len(strong) > 1:
        begun = [f for f in strong if f.results is None or f.lines(document.text)]
        strong = begun or strong
    if not matching:
        from fsviz.readers.tables.find import explain

        cause = explain(document) or (1, _EXPECTED, _NO_SIGNATURE)
        raise strange_text(document.path, *cause)
    return strong, weak


def _read_parts(
    document: Document, strong: Sequence[Format], weak: Sequence[Format]
) -> Reading:
    """Read a text of several tools, each part by its reader.

    People time every tool, so beside another's output a time is read only where its
    command copies; the others are named with their line.
    """
    forms = strong or [form for form in weak if form.name != "table"]
    beside = [form for form in weak if form not in forms]
    readings = [_read_part(form, document, len(forms) == 1) for form in forms]
    readings += [_beside(form, document, strong or forms) for form in beside]
    problems = [problem for reading in readings for problem in reading.problems]
    if not any(reading.runs for reading in readings):
        raise nothing_usable(problems)
    runs = [run for reading in readings for run in reading.runs]
    return Reading(
        tuple(
            replace(run, identity=f"{document.digest}-{k}")
            for k, run in enumerate(runs, 1)
        ),
        tuple(problems),
        tuple(note for reading in readings for note in reading.notes),
        tuple(f for reading in readings for f in reading.formats if reading.runs),
    )


def _read_part(form: Format, document: Document, is_alone: bool) -> Reading:
    """Read one tool's part of a text, or say why it cannot be read."""
    try:
        if form.name == "iozone-csv" and not is_alone:
            # a sheet's unit follows from the first command line, maybe another's
            line, expected = (
                form.lines(document.text)[0],
                "a saved sheet in a file of its own",
            )
            other = "other output beside it"
            raise UnknownFormatError(document.path, line, expected, other)
        # the whole text: a line above the results may say how to read them
        return _read(form, document)
    except ParseError as problem:
        problems = (problem, *problem.others)
        return Reading((), tuple(p for p in problems if isinstance(p, ParseError)))


def _beside(form: Format, document: Document, strong: Sequence[Format]) -> Reading:
    """Read what a weak format has beside another tool's output, or name its lines."""
    if form.name == "rsync":
        read = _load("fsviz.readers.rsync.text:read_beside")
        # dd ends in one line, so whose time stands where is seen
        ended = strong[0].signature if [f.name for f in strong] == ["dd"] else None
        reading = cast(Reading, read(document, ended))
    else:
        try:
            read = _load("fsviz.readers.tables.rows:read_beside")
            taken = {line for tool in strong for line in tool.lines(document.text)}
            reading = cast(Reading, read(document, taken))
        except ParseError as problem:
            reading = Reading((), (problem,))
    return replace(reading, formats=(form.name,) if reading.runs else ())


def _load(target: str) -> Callable[..., object]:
    module, _, function = target.partition(":")
    return cast(
        Callable[..., object], getattr(importlib.import_module(module), function)
    )


__all__ = ["FORMATS", "Format", "ParseError", "formats", "read_file"]
