"""Bytes to lines: undo what terminals, mail and editors did to a text.

Line numbers are those of the file, whatever is removed from the lines.
"""

from __future__ import annotations

import hashlib
import html
import json
import quopri
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import cached_property
from itertools import chain, compress, filterfalse, groupby, islice
from typing import Protocol, TypeVar

from fsviz.model.errors import (
    EncodingError,
    MalformedRowError,
    ParseError,
    TooManyRunsError,
    nothing_usable,
    quoted,
)
from fsviz.model.runs import Note, Reading, Run

BIFF2 = b"\x09\x00\x04\x00"
"""How IOzone's own workbook (-b) begins."""

_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
# An OSC ends with BEL or ST, and here with its line: else one without an end would
# swallow the rows after it (ECMA-48, 8.3.89; xterm's ctlseqs)
_ESCAPE = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)")
_PLAIN = str.maketrans(
    dict.fromkeys("\xa0\u202f\u2007\u2009", " ") | dict.fromkeys("“”„‟", '"')
)
"""What web pages and word processors make of blanks and of quotation marks."""
_DECODED = _PLAIN | str.maketrans("\r\n\0", "   ")
"""A character that was written as a code ends no line."""
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(
    r"</?(?:br|b|i|u|em|strong|span|font|tt|code|pre|p)(?:\s[^<>]*)?/?>", re.IGNORECASE
)
_LINE_END = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True)
class Document:
    r"""A text file, decoded."""

    path: str
    text: str
    digest: str
    lines: list[str] = field(default_factory=list)

    def may_hold(self, words: tuple[str, ...], *, small: bool = False) -> bool:
        """Tell whether one of some words is in the telling lines of a text.

        These are less than a tenth of most results, and no tool is known by the others.
        """
        text = self.small_prose if small else self.prose
        return any(map(text.__contains__, words))

    @property
    def telling(self) -> Iterator[tuple[int, str]]:
        """The lines that are not of numbers alone, each with its number."""
        return compress(enumerate(self.lines, 1), self.remainders)

    @property
    def separated(self) -> str:
        """The lines in which something parts columns, each behind a line end."""
        telling = compress(self.lines, self.remainders)
        return "\n".join(["", *filter(_SEPARATOR.search, telling)])

    @cached_property
    def remainders(self) -> list[bytes]:
        """What each line has `beside_numbers`; most have nothing."""
        return beside_numbers(self.text).split(b"\n")

    @cached_property
    def prose(self) -> str:
        """The telling lines, as a text."""
        # the last line shows whether the one before ends
        return "\n".join(compress(self.lines, [*self.remainders[:-1], True]))

    @cached_property
    def small_prose(self) -> str:
        """The telling lines in small letters."""
        return self.prose.lower()


_SEPARATOR = re.compile(r"[,;\t|<]")


def beside_numbers(text: str) -> bytes:
    """Leave out digits, dots, blanks and quotation marks: results are full of them."""
    return text.encode("utf-8", "replace").translate(None, b' 0123456789."')


def decode(path: str, data: bytes) -> Document:
    """Decode a text file whatever its encoding and line ends."""
    text = _to_text(path, data)
    # most files have nothing to undo, and looking for it is much quicker
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    if "\x1b" in text:
        text = _ESCAPE.sub("", text)
    if not text.isascii():
        text = text.translate(_PLAIN)
    return Document(path, text, digest(data), text.split("\n"))


def json_objects(document: Document, form: str, key: str) -> Iterator[object]:
    r"""Parse every JSON object of one kind that begins a line or follows another one.

    A program that is run again with ``>>`` adds an object to its file; text may stand
    before, between and behind them.

    >>> text = 'two runs:\n{"a": 1}{"a": 2}\n{"b": 3}'
    >>> list(json_objects(Document("a.json", text, ""), "results", "a"))
    [{'a': 1}, {'a': 2}]
    """
    text = document.text
    begins = re.compile(rf'^[ \t]*\{{(?=\s*"{re.escape(key)}")', re.MULTILINE)
    follows = re.compile(rf'\s*\{{(?=\s*"{re.escape(key)}")')
    match = begins.search(text)
    while match is not None:
        value, end = _value(document, form, match.end() - 1)
        yield value
        match = follows.match(text, end) or begins.search(text, end)


def parse_json(document: Document, form: str) -> object:
    """Parse the JSON value that a text is."""
    text = document.text
    return _value(document, form, len(text) - len(text.lstrip(" \t\n\r")))[0]


def _value(document: Document, form: str, start: int) -> tuple[object, int]:
    text = document.text
    try:
        value, end = _DECODER.raw_decode(text, start)
        _refuse_depth(value)
    except json.JSONDecodeError as error:
        start, fault = error.pos, error.msg
    except RecursionError:
        fault = "too many brackets in brackets"
    except _TwiceError as error:
        form, fault = f"{form} with each key once", f"{quoted(str(error))} twice"
    else:
        has_half = _HALF.search(text, start, end)
        return (_without_halves(value) if has_half else value), end
    line = text.count("\n", 0, start) + 1
    raise MalformedRowError(document.path, line, form, fault)


def _refuse_depth(value: object) -> None:
    level: list = [value]
    for _ in range(_DEEPEST):
        inside: Iterable[Iterable[object]] = (
            v.values() if isinstance(v, dict) else v for v in level
        )
        level = [v for v in chain.from_iterable(inside) if isinstance(v, dict | list)]
        if not level:
            return
    raise RecursionError


def _without_halves(value: object) -> object:
    """Replace halves of characters, which no output can hold."""
    text = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
    return _DECODER.decode(text.decode())


class _TwiceError(Exception):
    """A key has two values in an object."""


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Make a dictionary; fio prints an option twice that was given twice, as texts."""
    made = dict(pairs)
    if len(made) < len(pairs):
        for key, value in pairs:
            if value != made[key] and not isinstance(value, str):
                raise _TwiceError(key)
    return made


def _integer(digits: str) -> float:
    """Python refuses to make an int of more than 4300 digits, and pandas above 2⁶³."""
    return int(digits) if len(digits) <= _DIGITS else float(digits)


_DIGITS = 18
_DEEPEST = 100
_DECODER = json.JSONDecoder(parse_int=_integer, object_pairs_hook=_object)
_HALF = re.compile(r"\\u[dD][89a-fA-F]")

MOST_RUNS = 5_000
"""Of one file: a run of bonnie++ takes 30 kB of memory as a table."""

LONGEST_TEXT = 10_000
"""Characters of what each of many runs repeats, as a command or options."""


def too_many_runs(path: str, place: int | str) -> TooManyRunsError:
    """Say where the runs of a file begin that are left out."""
    expected = f"at most {MOST_RUNS} runs in a file"
    return TooManyRunsError(path, place, expected, "more, which are left out")


class Part(Protocol):
    """What a reader takes out of a text for one run: it begins on a line."""

    @property
    def line(self) -> int:
        """Its first line, from 1."""


AnyPart = TypeVar("AnyPart", bound=Part)


def read_parts(
    path: str,
    parts: Iterable[AnyPart],
    read: Callable[[AnyPart], Run],
    problems: list[ParseError],
) -> tuple[list[AnyPart], list[Run]]:
    """Read each part of a file as a run, as many as are read of one."""
    taken: list[AnyPart] = []
    runs: list[Run] = []
    for part in parts:
        if len(runs) + len(problems) >= MOST_RUNS:
            problems.append(too_many_runs(path, part.line))
            break
        try:
            runs.append(read(part))
            taken.append(part)
        except ParseError as problem:
            problems.append(problem)
    return taken, runs


def reading_of(
    document: Document,
    runs: Collection[Run],
    systems: Sequence[str],
    problems: Sequence[ParseError],
    nothing: str | ParseError,
    notes: Sequence[Note] = (),
) -> Reading:
    """Number the runs of a file and name their systems; refuse a file without a run."""
    if not runs:
        if isinstance(nothing, str):
            nothing = MalformedRowError(document.path, 1, nothing, "none")
        raise nothing_usable(problems or [nothing])
    numbered = tuple(
        replace(
            run,
            identity=run.identity or f"{document.digest}-{number}",
            source=document.path,
            system=system,
        )
        for number, (run, system) in enumerate(zip(runs, systems, strict=True), 1)
    )
    return Reading(numbered, tuple(problems), tuple(notes))


def iso_time(text: str, form: str) -> str:
    """Turn a printed time into ISO 8601; empty where it is none."""
    try:
        return datetime.strptime(text, form).isoformat()
    except ValueError:
        return ""


def digest(data: bytes) -> str:
    """Name a file's content, for run identities."""
    return hashlib.sha256(data).hexdigest()[:12]


def _to_text(path: str, data: bytes) -> str:
    encoding = _encoding(data)
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding != "utf-8":
            line = data.count(b"\n", 0, error.start) + 1
            raise EncodingError(path, line, f"{encoding} text", error.reason) from error
        text = data.decode("latin-1")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise EncodingError(path, line, "text", "a NUL byte")
    return text.removeprefix("\ufeff")


def _encoding(data: bytes) -> str:
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return encoding
    head = data[:200]
    if len(head) >= 4 and head[1::2].count(0) > len(head) * 0.4 and 0 not in head[::2]:
        return "utf-16-le"
    if len(head) >= 4 and head[::2].count(0) > len(head) * 0.4 and 0 not in head[1::2]:
        return "utf-16-be"
    return "utf-8"


# What others put in front of every line: quotes, comment signs, times, indentation.
#
# A log that went through mail, a notes file, ``ts``, a CI system or Markdown has a
# prefix of the same shape on every line. It is removed if at least nine in ten lines
# have it; line numbers stay those of the file.

_SHAPES = (
    r"(?:> ?)+",
    # the bars of a table are no prefix
    r"(?:#|//|;;?|%|\|(?![^\n]*\|[ \t]*$)) ?",
    # ISO 8601, as CI systems and journalctl -o short-iso print it
    r"\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d+)?(?:Z|[+-]\d\d:?\d\d)?\]? ?",
    # ts of moreutils, syslog with host and program
    r"[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?: [\w.-]+ [\w.-]+(?:\[\d+\])?:)? ?",
    r"\[?\d\d:\d\d:\d\d(?:[.,]\d+)?\]? ?",
    # seconds since the start: dmesg, serial consoles
    r"\[ *\d+\.\d+\] ?",
)
_PATTERNS = tuple(re.compile(shape) for shape in _SHAPES)
_ANY = re.compile("|".join(_SHAPES))
# V-1: is how mdtest marks what -v adds
_NAME = re.compile(r"(?!V-\d:)[\w.-]+: ?")
_SHARE = 0.9
_MOST_PREFIXES = 16
"""One in front of another; a line of a million comment signs is none of a log."""
_SAMPLE = 30


def without_prefix(document: Document) -> Document:
    r"""Remove a prefix that has the same shape on at least nine in ten lines.

    >>> text = "> > iozone -a\n> > \n> >      64       4"
    >>> without_prefix(Document("mail.txt", text, "", text.split("\n"))).lines
    ['iozone -a', '', '     64       4']
    """
    document = _without_markup(_without_mail_encoding(document))
    lines = document.lines
    # most texts quote nothing, and looking for it is much quicker
    if document.may_hold(("\n>",)):
        lines = _without_quotes(lines)
    for _ in range(_MOST_PREFIXES):
        shorter = _shorter(lines)
        if shorter is None:
            break
        lines = shorter
    if lines is document.lines:
        return document
    return replace(document, text="\n".join(lines), lines=lines)


_QUOTED = re.compile(r"(?:> ?)+")
_QUOTE = 3
"""Lines from which a block is a quote, or a name a host's; fewer may be chance."""


def _without_quotes(lines: list[str]) -> list[str]:
    """Take the signs off what a mail quotes; other lines are left as they are."""
    plain: list[str] = []
    for is_marked, block in groupby(lines, key=lambda line: line.startswith(">")):
        quote = list(block)
        if is_marked and len(quote) >= _QUOTE:
            quote = [_QUOTED.sub("", line, count=1) for line in quote]
        plain += quote
    return plain if plain != lines else lines


def _shorter(lines: list[str]) -> list[str] | None:
    """Remove one prefix, None if there is none."""
    sample = list(islice(filter(str.strip, lines[: 2 * _SAMPLE]), _SAMPLE))
    if not sample:
        return None
    other = islice(filterfalse(_ANY.match, sample), _SAMPLE // 10 + 1)
    if len(sample) * (1 - _SHARE) > len(list(other)):
        filled = [line for line in lines if line.strip()]
        for pattern in _PATTERNS:
            count = sum(pattern.match(line) is not None for line in filled)
            if count >= _SHARE * len(filled):
                return [pattern.sub("", line, count=1) for line in lines]
    return _dedented(sample, lines) or _without_name(sample, lines)


def _dedented(sample: Sequence[str], lines: list[str]) -> list[str] | None:
    """Remove the indentation that all lines share."""
    if not all(line[0].isspace() for line in sample):
        return None
    # from the end: most tools begin with a title that is indented
    if any(line and not line[0].isspace() for line in reversed(lines)):
        return None
    filled = [line for line in lines if line.strip()]
    first, last = min(filled), max(filled)
    width = next(
        (at for at, c in enumerate(first) if not c.isspace() or c != last[at]), 0
    )
    indent = first[:width]
    return [line.removeprefix(indent) for line in lines] if indent else None


def _without_name(sample: Sequence[str], lines: list[str]) -> list[str] | None:
    """Remove one and the same ``host:``; several hosts are several outputs."""
    match = _NAME.match(sample[0])
    if match is None:
        return None
    name = match[0].rstrip()
    filled = [line for line in lines if line.strip()]
    if sum(line.startswith(name) for line in filled) < _SHARE * len(filled):
        return None
    return [line.removeprefix(match[0]).removeprefix(name) for line in lines]


ONE_FILE_EACH = "give each a file of its own (dshbak -d FOLDER)"
"""What to do with lines of several hosts."""


def names_host(line: str) -> bool:
    """Tell whether a line begins with the name of a host, as pdsh prints it."""
    return _NAME.match(line) is not None


def refuse_many_hosts(document: Document) -> None:
    """Refuse lines of several hosts, each with its name, as pdsh prints them."""
    filled = filter(str.strip, document.lines)
    # most texts have fewer colons than that takes
    colons = document.prose.count(":")
    enough = list(islice(filled, int(colons / _SHARE) + 2))
    if colons < _SHARE * len(enough):
        return
    named = list(map(_NAME.match, chain(enough, filled)))
    lines = Counter(match[0].rstrip() for match in named if match)
    hosts = [name for name, count in lines.items() if count >= _QUOTE]
    if len(hosts) > 1 and sum(lines[name] for name in hosts) >= _SHARE * len(named):
        first = ", ".join(name.rstrip(":") for name in hosts[:3])
        more = f" and {len(hosts) - 3} more" if len(hosts) > 3 else ""
        several = f"those of {first}{more}; {ONE_FILE_EACH}"
        raise MalformedRowError(document.path, 1, "lines of one host", several)


# mdtest's nodemap, a digit for each task, is no number
_LONG_NUMBER = re.compile(r"(?<!\d)(?<!Nodemap: )\d{1000}")
"""Python refuses to make an int of more than 4300 digits; no tool prints as many."""


def refuse_long_numbers(document: Document) -> None:
    """Refuse a number of so many digits that none can be meant."""
    # most texts have no line as long, and looking for it is much quicker
    is_long = max(map(len, document.lines)) >= 1000
    if is_long and (match := _LONG_NUMBER.search(document.text)):
        line = document.text.count("\n", 0, match.start()) + 1
        expected = "numbers of fewer than 1000 digits"
        raise MalformedRowError(document.path, line, expected, quoted(match[0]))


def _without_markup(document: Document) -> Document:
    """Undo what a web page or a wiki does to a text: tags of style, breaks, entities.

    A line that holds several breaks becomes several; then line numbers are those that
    a browser shows.
    """
    if "<" not in document.text or not _TAG.search(document.text):
        return document
    lines = []
    for line in document.lines:
        parts = _BREAK.split(line) if "<" in line else [line]
        while len(parts) > 1 and not parts[-1].strip():
            parts.pop()
        lines += [html.unescape(_TAG.sub("", part)) for part in parts]
    lines = [line.translate(_DECODED) for line in lines]
    return replace(document, text="\n".join(lines), lines=lines)


_ENCODED = re.compile(r"(?im)=3D|=20$|=09|^Content-Transfer-Encoding: quoted-")


def _without_mail_encoding(document: Document) -> Document:
    """Undo quoted-printable: ``=3D`` and lines that go on after a ``=``."""
    if not document.may_hold(("=\n",)) or not _ENCODED.search(document.text):
        return document
    lines: list[str] = []
    begun: list[str] = []
    for number, line in enumerate(document.lines, 1):
        begun.append(line.removesuffix("="))
        if line.endswith("=") and number < len(document.lines):
            continue
        # the joined line stands where it begins, so that later numbers stay right
        lines += [_decoded("".join(begun)), *[""] * (len(begun) - 1)]
        begun = []
    return replace(document, text="\n".join(lines), lines=lines)


def _decoded(line: str) -> str:
    """Undo the codes of a line in quoted-printable."""
    plain = quopri.decodestring(line.encode()).decode("utf-8", "replace")
    return plain.translate(_DECODED)
