"""From a file to runs: decide by content which reader it is for, then read it.

``read_file`` looks for the signatures of `FORMATS`. A text with those of several tools
is read part by part, each by its reader. It never goes by the suffix and never tries
readers in turn.
"""

from __future__ import annotations

import csv
import importlib
import os
import re
import stat
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import cast

from fsviz.model.errors import (
    FsvizError,
    ParseError,
    UnknownFormatError,
    UnreadableFileError,
    UsageError,
)
from fsviz.model.escaping import printable, unicode_name
from fsviz.model.names import unknown
from fsviz.model.runs import Note, Reading
from fsviz.model.tools import added
from fsviz.readers.compressed import is_archive, members, unpacked
from fsviz.readers.document import (
    BIFF2,
    MOST_RUNS,
    Document,
    decode,
    digest,
    refuse_several_hosts,
    without_prefix,
)
from fsviz.readers.possible import without_impossible

LARGEST_FILE = 64 * 1024**2
# the limit of 128 KiB a field raises an error that names no line
csv.field_size_limit(LARGEST_FILE)
"""Bytes; no benchmark prints this much, so a larger file is not a result."""

_PARQUET = b"PAR1"
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
}
"""What people name by mistake, by its first bytes."""


@dataclass(frozen=True, slots=True)
class Format:
    """A text format: its name, how it is recognised, its reader and a line of it.

    A weak signature counts only where no other is found: people time every tool. A
    signature is only looked for where one of its words is in the text, which is quick,
    and most so for a word without a blank. ``results`` is what begins results, where
    the signature may also be a line of another tool.
    """

    name: str
    title: str
    signature: re.Pattern[str]
    reader: str
    example: str
    weak: bool = False
    words: tuple[str, ...] = ("",)
    results: re.Pattern[str] | None = None

    def matches(self, document: Document) -> bool:
        """Tell whether the signature is in a text."""
        small = bool(self.signature.flags & re.IGNORECASE)
        found = document.may_hold(self.words, small=small)
        return found and self.signature.search(document.text) is not None

    def lines(self, text: str) -> list[int]:
        """Find the lines of a text on which results of this format begin."""
        found, line, counted = [], 1, 0
        for match in (self.results or self.signature).finditer(text):
            line += text.count("\n", counted, match.start())
            counted = match.start()
            found.append(line)
        return found


FORMATS: tuple[Format, ...] = (
    Format(
        "iozone",
        "IOzone text output",
        re.compile(
            # the banner, or what people publish without it
            r"Iozone: Performance Test of File I/O|\bkB\s+reclen\s+write\b"
            r"|Children see throughput for +\d|\"Throughput report Y-axis"
            r"|\"(?:re-)?(?:writer|reader|[fp]writev?|[fp]readv?|random (?:read|write)"
            r"|backward read|record rewrite|stride read) report\"",
            re.IGNORECASE,
        ),
        "fsviz.readers.iozone.text:read_iozone",
        "          64       4  2358717  6421025  9006179 22737791",
        words=("performance test of", "reclen", "children see", 'report"', "report y"),
    ),
    Format(
        "iozone-csv",
        "IOzone workbook saved as CSV",
        re.compile(
            r"^(?:re-)?(?:writer|reader|[fp]writev?|[fp]readv?|random (?:read|write)"
            r"|backward read|record rewrite|stride read) report[,;\t]",
            re.IGNORECASE | re.MULTILINE,
        ),
        "fsviz.readers.iozone.workbook:read_saved_sheet",
        "Writer Report,,,",
        words=("eport,", "eport;", "eport\t"),
    ),
    Format(
        "bonnie++",
        "bonnie++ CSV rows and console tables",
        re.compile(
            r"^[ \t>*]*+(?:Version[ \t]{1,40}\S{1,40}[ \t]{1,40})?-++Sequential "
            r"(?:Output-+ --Sequential |Create-+ -+Random )"
            r"|^Writing (?:a byte at a time|with putc\(\)|intelligently)\.\.\."
            r"|^Create files in sequential order\.\.\.|^bonnie\+\+ \[-d "
            r"|<title>Bonnie\+\+ Benchmark results</title>"
            # a row with the format's version, or the 27 fields of 1.03
            r"|^[> ]*(?:\"?1\.9\d\w*\"?[,;\t]\"?[12]\.\d+\w*\"?[,;\t]|2,1\.9\d\w*,)"
            r"|^(?=[^,\n]*,)(?=[^\n]*\d)[> ]*(?:[^,\n]{0,99},){1,4}?"
            r"(?:\d+[MG](?::\d+[km]?)?(?:,[^,\n]{0,20}){12}|(?:,){12})"
            r",[\w:/-]{0,40}(?:,[^,\n]{0,20}){12}$",
            re.MULTILINE,
        ),
        "fsviz.readers.bonnie.merge:read_bonnie",
        "1.98,2.00a,host,1,1763716063,256M,,8192,5,...",
        words=(
            *("1.9", "M,", "M:", "G,", "G:", ",,,,,,,,,,,,"),
            *(
                "-Sequential ",
                "Writing ",
                "Create files ",
                "[-d ",
                "<title>Bonnie",
            ),
        ),
        results=re.compile(
            r"^[ \t>*]*+(?:Version[ \t]{1,40}\S{1,40}[ \t]{1,40})?-++Sequential "
            r"(?:Output-+ --Sequential |Create-+ -+Random )"
            r"|<title>Bonnie\+\+ Benchmark results</title>"
            r"|^[> ]*(?:\"?1\.9\d\w*\"?[,;\t]\"?[12]\.\d+\w*\"?[,;\t]"
            r"|2,1\.9\d\w*,)",
            re.MULTILINE,
        ),
    ),
    Format(
        "bonnie",
        "tables of the first Bonnie",
        re.compile(r"^.{0,20}?Machine\s+MB(?:\s+K/sec\s+%CPU){5}", re.MULTILINE),
        "fsviz.readers.bonnie.classic:read_classic",
        "Machine    MB K/sec %CPU K/sec %CPU K/sec %CPU K/sec %CPU ...",
        words=("%CPU",),
    ),
    Format(
        "rsync",
        "rsync --stats and the output of time",
        re.compile(
            r"^[ \t]*+(?:\d{4}/\d\d/\d\d [\d:]{8} \[\d+\] )?"
            r"(?:Number of files: \d"
            r"|(?:sent|wrote) \d[\d.,]*[KMGTP]? bytes  (?:received|read) )"
            r"|^[ \t*]*+real[\s*]{1,40}+(?:\d{1,9}h ?)?(?:\d{1,9}m ?)?"
            r"(?:\d{0,9}:?\d{1,9}[.,]\d{1,9}s?\b|(?<=m )\d\ds\b)"
            r"|\d[.,]\d+s user [\d.,]+s system \d+% cpu [\d:.,]+ total"
            r"|\d[.,]\d+user [\d.,]+system [\d:.,]+elapsed "
            r"|^rsync error: .*\(code \d+\) at "
            r"|^[ \t]*+Elapsed \(wall clock\) time "
            r"|% .{0,60}/s .{0,60}\(xfr#\d+, to-chk=0/\d+\)"
            r"|^[ \t]*+\d+[.,]\d+ real\s{1,40}\d+[.,]\d+ user\s{1,40}\d+[.,]\d+ sys"
            r"|\d[.,]\d+s real\s{1,40}\d[\dm]{0,9}[.,]\d+s user "
            r"|\d[.,]\d+u \d+[.,]\d+s [\d:.,]+ [\d.,]+%\s{1,40}\d+\+\d+k .{0,40}pf\+",
            re.MULTILINE,
        ),
        "fsviz.readers.rsync.text:read_rsync",
        "real\t0m3.214s",
        weak=True,
        words=(
            *("Number of files: ", " bytes  re", "real", "user ", "Elapsed ("),
            "to-chk=0/",
            "rsync error: ",
            "pf+",
        ),
    ),
    Format(
        "hyperfine",
        "hyperfine's exports and console text",
        re.compile(
            r'^[ \t]*+\{\s*"results":\s*\[\s*\{\s*"command":'
            r"|^command,mean,stddev,median,user,system,min,max"
            r"|^[ \t]*+\|?[ \t]*+Command[^|\n]*+\|\s{0,40}+Mean \[\w{1,2}\]\s*+\|"
            r"|^[ \t]*+Time \((?:mean (?:±|\+/-) \w{1,6}|abs (?:≡|=+))\):",
            re.MULTILINE,
        ),
        "fsviz.readers.rsync.hyperfine:read_hyperfine",
        "  Time (mean ± σ):     102.3 ms ±   1.2 ms",
        words=('"command"', "command,mean", "Mean", "Time (mean ", "Time (abs "),
    ),
    Format(
        "fio",
        "fio's output: JSON or text",
        re.compile(
            r'^[ \t]*+\{\s*"fio version"\s*:'
            r"|^.{1,200}: \(groupid=\d+, jobs=\d+\): err=",
            re.MULTILINE,
        ),
        "fsviz.readers.fio:read_fio",
        '{"fio version" : "fio-3.33", ...',
        words=('version"', "(groupid="),
    ),
    Format(
        "fsviz",
        "tables that fsviz read wrote: CSV, JSON, Parquet",
        re.compile(
            r'\Acampaign,system,tool,run,repeat,operation,|\A\s*\[\s*\{\s*"campaign":'
        ),
        "fsviz.readers.own:read_own",
        "campaign,system,tool,run,repeat,operation,...",
        words=("campaign",),
    ),
    Format(
        "table",
        "a table of one's own: CSV, TSV, XLSX",
        re.compile(
            r"^(?!campaign,system,tool,run|[ \t]*+[\[{])(?=[^\n]*\bsystem\b)"
            r"(?=[^\n]*\boperation\b)(?=[^\n]*[,;\t])[^\n]*\bvalue\b",
            re.MULTILINE | re.IGNORECASE,
        ),
        "fsviz.readers.generic:read_generic",
        "system,operation,file size,record size,value,unit",
        words=("peration", "PERATION"),
    ),
    Format(
        "published",
        "table of published timings",
        re.compile(
            r'^[ \t|"*]*(?:system|file[ -]?system|protocol|setup|label)[ \t"*]*'
            r"(?P<s>[,;\t|])(?:[^\n]*(?P=s))?[^,;\t|\n]*"
            r"(?:\b(?:time|elapsed|duration|throughput|bandwidth|rate|iops|latency|cpu)"
            r"|[(\[](?:s|sec|seconds|ms|min|[kmg]?i?b/s|iops|ops/s|%)[)\]])"
            r'[ \t"*]*(?:[(\[][^()\[\]\n]{1,12}[)\]])?[ \t"*]*(?:(?P=s)|$)',
            re.MULTILINE | re.IGNORECASE,
        ),
        "fsviz.readers.published.table:read_published",
        "| System | Write time (s) |",
        weak=True,
        words=tuple(
            word
            for title in ("ystem", "rotocol", "etup", "abel")
            for word in (title, title.upper())
        ),
    ),
    *added("fsviz.readers", Format).values(),
)
"""Every text format; other packages add theirs as entry points ``fsviz.readers``."""


WORKBOOK = Format(
    "workbook",
    "IOzone workbook: BIFF2 of -b, .xls, .xlsx",
    re.compile(r"\A(?:\x09\0\x04\0|PK\x03\x04|\xd0\xcf\x11\xe0)"),
    "fsviz.readers.iozone.workbook:read_workbook",
    "Writer Report  (a cell, with record sizes below)",
)
"""The one format of bytes; it is recognised by the first of them."""


def formats() -> tuple[Format, ...]:
    """List all formats that can be read.

    >>> [form.name for form in formats()][:3]
    ['iozone', 'iozone-csv', 'workbook']
    """
    return (*FORMATS[:2], WORKBOOK, *FORMATS[2:])


def read_file(path: str | os.PathLike[str], hint: str | None = None) -> Reading:
    """Read one result file, which may be compressed."""
    name, data = shown_path(os.fspath(path)), _content(os.fspath(path))
    if is_archive(data):
        raise UnknownFormatError(name, 1, "one file", "an archive of several")
    return _read_bytes(name, data, hint)


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
    forced = None if hint is None else _named(hint)
    try:
        reading = without_impossible(_of_bytes(name, data, forced, hint))
    except FsvizError:
        raise
    except Exception as error:  # the one place that stands for every reader
        if os.environ.get(RAISE):
            raise
        raise _fault(name, error) from error
    problems = tuple(_first(name, reading.problems))
    return replace(reading, problems=problems)


RAISE = "FSVIZ_RAISE"
"""Environment variable of tests: a reader's fault ends in its traceback."""
MOST_PROBLEMS = MOST_RUNS


def _first(path: str, problems: Sequence[ParseError]) -> Iterator[ParseError]:
    """List as many problems of a file as anybody may want to see."""
    yield from problems[:MOST_PROBLEMS]
    for problem in problems[MOST_PROBLEMS : MOST_PROBLEMS + 1]:
        expected = f"at most {MOST_PROBLEMS} complaints of a file"
        yield ParseError(path, problem.line, expected, "more, which are left out")


def _fault(path: str, error: Exception) -> ParseError:
    """Ask for a report of an error that no reader should raise."""
    own = Path(__file__).parents[1]
    frames = [
        f"{place.relative_to(own)}:{frame.lineno}"
        for frame in traceback.extract_tb(error.__traceback__)
        if (place := Path(frame.filename)).is_relative_to(own)
    ]
    found = f"{type(error).__name__} in {frames[-1]}; this is a fault of fsviz"
    what = "a file that its reader copes with"
    return ParseError(path, 1, what, f"{found}: please report it")


def _of_bytes(
    name: str, data: bytes, forced: Format | None, hint: str | None
) -> Reading:
    if forced is WORKBOOK or (forced is None and data.startswith(_WORKBOOKS)):
        return _read_workbook(name, data)
    if data.startswith(_PARQUET) and hint in (None, "fsviz"):
        read = _load("fsviz.readers.own:read_own_parquet")
        return replace(cast(Reading, read(name, data)), formats=("fsviz",))
    document = without_prefix(decode(name, data))
    return read_document(document, forced)


def read_document(document: Document, forced: Format | None = None) -> Reading:
    """Read a text."""
    refuse_several_hosts(document)
    strong, weak = ([forced], []) if forced else _recognise(document)
    if len(strong) + len(weak) == 1:
        reading = _read((strong or weak)[0], document)
    else:
        reading = _read_parts(document, strong, weak)
    return replace(reading, notes=(*reading.notes, *_open_end(document, reading)))


def _open_end(document: Document, reading: Reading) -> list[Note]:
    """Note a last line of results without a line end: every tool prints one.

    A number there may lack digits, which nothing else tells, or the next is missing.
    """
    last = len(document.lines)
    near = range(last - _BLOCK + 1, last + 1)
    if not document.lines[-1].strip():
        return []
    said = any(problem.line in near for problem in reading.problems)
    if said or not all(run.complete for run in reading.runs):
        return []
    places = {f"line {line}" for line in near}
    ends = [places.intersection(run.cells.locator[-1:]) for run in reading.runs]
    if not any(ends) and all(len(run.cells) for run in reading.runs):
        return []
    text = "the last line has no line end, so what is on it may be cut off"
    return [Note(document.path, last, text)]


def _read_workbook(name: str, data: bytes) -> Reading:
    """Read IOzone's reports, or the first sheet that is a table of one's own."""
    from fsviz.readers.generic import read_rows, titles_of
    from fsviz.readers.iozone.workbook import read_workbook
    from fsviz.readers.sheets import read_sheets, texts_of

    for sheet in [] if data.startswith(BIFF2) else read_sheets(name, data):
        rows = texts_of(sheet)
        titles = titles_of(rows[0][1]) if rows else None
        if titles is not None:
            reading = read_rows(name, digest(data), [(titles, rows[1:], ".")])
            return replace(reading, formats=("table",))
    return replace(read_workbook(name, data), formats=(WORKBOOK.name,))


def _read(form: Format, document: Document) -> Reading:
    reading = cast(Reading, _load(form.reader)(document))
    return replace(reading, formats=(form.name,))


def explanation(name: str) -> str:
    """Say how a format looks and how it is read: the text of its reader."""
    module = _named(name).reader.partition(":")[0]
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
        found = f"{size} bytes" if size > LARGEST_FILE else "more"
        raise UnknownFormatError(
            path, 1, f"output of at most {LARGEST_FILE} bytes", found
        )
    return unpacked(path, data, LARGEST_FILE)


def _bytes_and_size(path: str) -> tuple[bytes, int]:
    """Read a file, of one that is too large only the head; a pipe has size 0."""
    try:
        if path == STANDARD_INPUT:
            if sys.stdin is None:
                raise UsageError("standard input:1: expected it open, found it closed")
            return sys.stdin.buffer.read(LARGEST_FILE + 1), 0
        state = Path(path).stat()
        size = state.st_size
        if stat.S_ISFIFO(state.st_mode):
            return _of_pipe(path), 0
        with Path(path).open("rb") as file:
            wanted = _HEAD if size > LARGEST_FILE else (size or LARGEST_FILE) + 1
            return file.read(wanted), size
    except IsADirectoryError as error:
        name = shown_path(path)
        raise UnreadableFileError(
            f"{name}: expected a file, found a folder; only `read` takes no folders, "
            f"`fsviz summary` and the other commands do"
        ) from error
    except (OSError, ValueError) as error:
        found = getattr(error, "strerror", None) or "a name that no file has"
        raise UnreadableFileError(
            f"{printable(path)}: expected a readable file, found {found}"
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
    return os.open(path, flags | os.O_NONBLOCK)


def _named(hint: str) -> Format:
    known = {form.name: form for form in formats()}
    if hint not in known:
        raise unknown("format", hint, known)
    return known[hint]


def _recognise(document: Document) -> tuple[list[Format], list[Format]]:
    """Return the formats of a text: those only one tool prints, and weak ones."""
    found = [form for form in FORMATS if form.matches(document)]
    strong = [form for form in found if not form.weak]
    weak = [form for form in found if form.weak]
    if len(strong) > 1:
        own = [f for f in strong if f.results is None or f.lines(document.text)]
        strong = own or strong
    if not strong and not weak:
        names = ", ".join(f.name for f in FORMATS)
        raise UnknownFormatError(
            document.path,
            1,
            f"output of one of {names}",
            "none of their signatures",
        )
    return strong, weak


def _read_parts(
    document: Document, strong: Sequence[Format], weak: Sequence[Format]
) -> Reading:
    """Read a text of several tools, each part by its reader.

    People time every tool, so beside another's output a time is read only where its
    command copies; the others are named with their line.
    """
    forms = strong or weak
    readings: list[Reading] = []
    problems: list[ParseError] = []
    for form in forms:
        if form.name == "iozone-csv" and len(forms) > 1:
            # a sheet's unit follows from the first command line, maybe another's
            line = form.lines(document.text)[0]
            expected, found = (
                "a saved sheet in a file of its own",
                "other output beside it",
            )
            problems.append(UnknownFormatError(document.path, line, expected, found))
            continue
        try:
            # the whole text: a line above the results may say how to read them
            readings.append(_read(form, document))
        except ParseError as problem:
            problems.append(problem)
    readings += [_beside(form, document) for form in weak if strong]
    if not any(reading.runs for reading in readings):
        raise next(iter([*problems, *(p for r in readings for p in r.problems)]))
    runs = [run for reading in readings for run in reading.runs]
    return Reading(
        tuple(
            replace(run, identity=f"{document.digest}-{k}")
            for k, run in enumerate(runs, 1)
        ),
        (*problems, *(p for reading in readings for p in reading.problems)),
        tuple(note for reading in readings for note in reading.notes),
        tuple(f for reading in readings for f in reading.formats if reading.runs),
    )


def _beside(form: Format, document: Document) -> Reading:
    """Read what a weak format has beside another tool's output, or name its lines.

    A table of timings beside output mostly sums that output up: read, it would count
    each run twice. A table of one's own names each system and cell, so it is read.
    """
    if form.name == "rsync":
        read = _load("fsviz.readers.rsync.text:read_beside")
        return replace(cast(Reading, read(document)), formats=(form.name,))
    hint = f"{form.title} beside the output of a tool: not used; --format-hint "
    notes = [
        Note(document.path, line, f"{hint}{form.name} reads it")
        for line in form.lines(document.text)
    ]
    return Reading((), (), tuple(notes), (form.name,))


def _load(target: str) -> Callable[..., object]:
    module, _, function = target.partition(":")
    return cast(
        Callable[..., object], getattr(importlib.import_module(module), function)
    )


__all__ = ["FORMATS", "Format", "ParseError", "formats", "read_file"]
