"""Standard output and error that are closed, full, or have few characters."""

from __future__ import annotations

import codecs
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from fsviz.model.errors import UsageError

_ESCAPING = "fsviz-escape"


class OutputError(UsageError):
    """Standard output took no more."""


class ReaderGone(BaseException):
    """Nobody reads standard output any more; not an Exception, as a signal is none."""


@contextmanager
def checked_output() -> Iterator[None]:
    """Write to standard output so that a failure is one clear line."""
    before = sys.stdout
    codecs.register_error(_ESCAPING, _escaped)
    sys.stdout = _guarded(before, 1, required=True)
    try:
        yield
    finally:
        try:
            sys.stdout.flush()
        finally:
            sys.stdout = before


@contextmanager
def any_error() -> Iterator[None]:
    """Write to standard error as long as it takes anything: there is no other place."""
    before = sys.stderr
    codecs.register_error(_ESCAPING, _escaped)
    sys.stderr = _guarded(before, 2, required=False)
    if sys.stderr is not before:
        # a full disk is told where it is met, and not again at the very end by what
        # a library left open
        sys.unraisablehook = _unraisable
    try:
        yield
    finally:
        sys.stderr.flush()
        sys.stderr = before


def _unraisable(unraisable: Any) -> None:
    if not issubclass(unraisable.exc_type, OSError):
        sys.__unraisablehook__(unraisable)


class _Guarded(io.FileIO):
    """A file descriptor that says what became of it once, then takes everything."""

    def __init__(self, number: int, *, is_open: bool, required: bool) -> None:
        super().__init__(number, "w", closefd=False)
        self._is_open, self._required = is_open, required

    def write(self, data: Any) -> int:
        if self._is_open:
            try:
                return super().write(data) or 0
            except BrokenPipeError:
                if self._once():
                    raise ReaderGone from None
            except OSError as error:
                self._refuse(str(error.strerror))
        elif self._required:
            self._refuse("it closed")
        return len(data)

    def _once(self) -> bool:
        """Say whether to complain: once, for what is left in buffers goes nowhere."""
        required, self._is_open, self._required = self._required, False, False
        return required

    def _refuse(self, fault: str) -> None:
        if self._once():
            raise OutputError(
                f"standard output: expected a place to write, found {fault}"
            )


def _guarded(stream: Any, number: int, *, required: bool) -> Any:
    """Wrap a stream of the process; one that a test or program put there stays."""
    if stream is None:
        # else the next file to be opened would be standard output
        with suppress(OSError):
            _occupy(number)
    elif not _is_descriptor(stream, number):
        return stream
    raw = _Guarded(number, is_open=stream is not None, required=required)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=getattr(stream, "encoding", "utf-8"),
        errors=_ESCAPING,
        line_buffering=not required or getattr(stream, "line_buffering", False),
    )


def _occupy(number: int) -> None:
    opened = os.open(os.devnull, os.O_WRONLY)
    if opened != number:
        os.dup2(opened, number)
        os.close(opened)


def _is_descriptor(stream: Any, number: int) -> bool:
    """Say whether it is the descriptor itself; consoles of Windows are not."""
    try:
        return os.name == "posix" and stream.fileno() == number
    except (OSError, AttributeError, ValueError):
        return False


def _escaped(error: UnicodeError) -> tuple[str, int]:
    r"""Show what an encoding lacks as ``\u2013``, which JSON takes as well."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    codes = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    pairs = (codes[at : at + 2].hex() for at in range(0, len(codes), 2))
    return "".join(f"\\u{pair}" for pair in pairs), error.end
