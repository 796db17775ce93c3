"""How a signal ends a command: at once, until there is something to clean up.

A handler of Python's runs between two steps of Python, so it waits for a library that
spins or hangs. Until something must be removed, signals have the system's own action.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
)
_watched: dict[int, Any] = {}
"""Handlers from before the command, of signals that nobody else handles or ignores."""


class Stopped(BaseException):
    """A signal ended the command; a BaseException, like KeyboardInterrupt."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


@contextmanager
def signals_end() -> Iterator[None]:
    """Let signals end this process; whoever started it may have had some ignored."""
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    usual = (signal.SIG_DFL, signal.default_int_handler)
    _watched.update({n: handler for n, handler in before.items() if handler in usual})
    for number in _watched:
        signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        for number in _watched:
            signal.signal(number, before[number])
        _watched.clear()


def clean_up_first() -> None:
    """Let signals raise `Stopped` from now on, for what was begun must be removed."""
    if threading.current_thread() is threading.main_thread():
        for number in _watched:
            signal.signal(number, _stop)


def _stop(number: int, _: object) -> NoReturn:
    # what is being removed on the way out is removed once
    for other in _SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(number)


_ON_STOP: list[Callable[[], object]] = []


def on_stop(do: Callable[[], object]) -> None:
    """Do something before a stopped command ends: nothing runs at its exit."""
    _ON_STOP.append(do)


def stop() -> None:
    """Do what `on_stop` was given, the last first."""
    while _ON_STOP:
        _ON_STOP.pop()()
