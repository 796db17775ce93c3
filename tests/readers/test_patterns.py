"""No small file stops a reader: its patterns need time in proportion to the text.

The patterns are found by themselves, in every module of the readers, and run on the
repeated pieces of their own text. A pattern whose time grows with the square of the
text needs minutes for what is given here; the limits are far from what a slow machine
takes, so that they only tell one from the other.
"""

import ast
import importlib
import inspect
import pkgutil
import re
import signal
from contextlib import contextmanager, suppress

import pytest
from each import each

import fsviz.readers
from fsviz.model.errors import FsvizError
from fsviz.readers.formats import Format, formats, read_file

if not hasattr(signal, "ITIMER_VIRTUAL"):
    pytest.skip("needs a timer of processor time", allow_module_level=True)

PIECES = (" ", "\t", "\n", " \n", "a", "1", "1 ", "a ", "1.", "1,", "|", "#", "-", "> ")


@contextmanager
def at_most(seconds, text=""):
    """Fail after so much of this process's own time."""

    def stop(*_):
        raise TimeoutError(text)

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def modules():
    package = fsviz.readers
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        yield importlib.import_module(found.name)


def compiled(value, depth=0):
    """Patterns in a value of a module, also within tuples and dicts."""
    if isinstance(value, re.Pattern):
        yield value
    elif depth < 3 and isinstance(value, tuple | list | set | frozenset):
        for part in value:
            yield from compiled(part, depth + 1)
    elif depth < 3 and isinstance(value, dict):
        for part in value.values():
            yield from compiled(part, depth + 1)
    elif isinstance(value, Format):
        yield from compiled(value.results, depth + 1)


def patterns():
    """Every pattern of the readers, and whether it is looked for at any place."""
    found = {form.results: True for form in formats() if form.results}
    for module in modules():
        source = inspect.getsource(module)
        for name, value in vars(module).items():
            for pattern in compiled(value):
                anywhere = re.search(
                    rf"\b{re.escape(name)}\.(search|finditer|findall|sub|split)\(",
                    source,
                )
                found[pattern] = found.get(pattern, False) or bool(anywhere)
        for call in ast.walk(ast.parse(source)):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and isinstance(call.func.value, ast.Name)
                and call.func.value.id == "re"
                and call.args
                and isinstance(call.args[0], ast.Constant)
                and call.func.attr != "compile"
            ):
                way = call.func.attr in (
                    "search",
                    "finditer",
                    "findall",
                    "sub",
                    "split",
                )
                pattern = re.compile(call.args[0].value)
                found[pattern] = found.get(pattern, False) or way
    return found


FOUND = patterns()


def source_of(pattern):
    """Text of a pattern; one of bytes is read as Latin-1."""
    source = pattern.pattern
    return source if isinstance(source, str) else source.decode("latin-1")


def pieces(pattern):
    """Words that stand in a pattern as they are."""
    words = re.findall(
        r"[A-Za-z][A-Za-z ]{2,20}|[-=*<>|:;,%/\"\[\]{}]+", source_of(pattern)
    )
    return sorted({*PIECES, *words, *(word + " " for word in words)})


def test_all_patterns_are_found():
    assert len(FOUND) > 90
    assert sum(FOUND.values()) > 20


@each(FOUND, source_of)
def test_a_pattern_needs_time_in_proportion(pattern):
    for piece in pieces(pattern):
        text = piece * (15_000 // len(piece)) + "\0"
        text = text.encode() if isinstance(pattern.pattern, bytes) else text
        with at_most(1.5, f"{piece!r} repeated"):
            pattern.match(text)
            pattern.fullmatch(text)
            if FOUND[pattern]:
                pattern.search(text)


N = 400_000
TABLE = (
    "| Command | Mean [s] | Min [s] | Max [s] | Relative |\n"
    "|:---|---:|---:|---:|---:|\n"
    "| `rsync a b` | 1.0 ± 0.1 | 1.0 | 1.0 | 1.00 |\n"
)
LOG = (
    "\tCommand line used: iozone -a\n\tOutput is in kBytes/sec\n"
    "              kB  reclen    write  rewrite    read    reread\n"
    "              64       4   571458   962258   959013  1421755\n"
)
FILES = {
    "blank lines and Mean": "\n" * N + "Mean",
    "a header and blanks": "system,time" + " " * N,
    "blanks and Elapsed": " " * N + "Elapsed (",
    "blanks and real": " " * N + "real",
    "blank lines and real": "\n" * N + "real",
    "real and zeros": "real " + "0" * N,
    "throughput and blanks": "\tChildren see throughput for 4 " + " " * N,
    "blanks and Sequential": " " * N + "-Sequential ",
    "Version and blanks": "Version" + " " * N + "-Sequential ",
    "OSC without end": "\x1b]" * (N // 2),
    "comment signs": "#" * N,
    "quotes": "> " * (N // 2),
    "bars": "|" * N,
    "a table and blanks": TABLE + " " * N,
    "a table and blank lines": TABLE + "\t\n" * (N // 2),
    "one line of reports": LOG + ' report"' * (N // 8),
    "one line of headers": LOG + "reclen " * (N // 7),
    "percent": "% /s " * (N // 5) + "real",
}


@each(FILES)
def test_a_small_file_does_not_stop_the_reader(name, tmp_path):
    path = tmp_path / "a.txt"
    path.write_text(FILES[name])
    with at_most(8), suppress(FsvizError):
        read_file(path)
