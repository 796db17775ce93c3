"""Command line: parse arguments, call one function, print, return a status."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable
from functools import cache
from typing import NoReturn

from typer.main import get_command

# importing a command's module adds it to the program, in the order of --help
from fsviz.cli import (
    best,  # noqa: F401
    check,  # noqa: F401
    compare,  # noqa: F401
    files,  # noqa: F401
    formats,  # noqa: F401
    history,  # noqa: F401
    ingest,  # noqa: F401
    init,  # noqa: F401
    pages,  # noqa: F401
    plot,  # noqa: F401
    read,  # noqa: F401
    report,  # noqa: F401
    summary,  # noqa: F401
)
from fsviz.cli.shared import (
    DONE,
    SOME_UNUSABLE,
    WRONG_USAGE,
    app,
    common_first,
    complain,
)
from fsviz.cli.streams import ReaderGone, any_error, checked_output
from fsviz.model.errors import FsvizError, UsageError


class Stopped(BaseException):
    """The command ended by a signal; a BaseException, like a signal."""

    def __init__(self, number: int) -> None:
        super().__init__(number)
        self.number = number


def _stop(number: int, _: object) -> NoReturn:
    # what is being removed on the way out is removed once
    for other in _SIGNALS:
        signal.signal(other, signal.SIG_IGN)
    raise Stopped(number)


def _refuse_removed_folder() -> None:
    """A relative path means nothing in a folder that is gone."""
    try:
        os.getcwd()  # noqa: PTH109 - Path is not needed for it
    except FileNotFoundError:
        raise UsageError(
            ".:1: expected the current folder, found that it has been removed"
        ) from None


_SIGNALS = tuple(
    getattr(signal, name)
    for name in ("SIGINT", "SIGTERM", "SIGHUP")
    if hasattr(signal, name)
)


def main() -> NoReturn:
    """Run the command line and exit with its status."""
    # a command ends in seconds: to look for garbage as often as Python does by itself,
    # through all that was imported, takes a fifteenth of them
    gc.set_threshold(50_000)
    # who starts it with nohup, or in the background of a script, ignores some
    before = {number: signal.getsignal(number) for number in _SIGNALS}
    for number, handler in before.items():
        if handler in (signal.SIG_DFL, signal.default_int_handler):
            signal.signal(number, _stop)
    try:
        with any_error():
            sys.exit(_status())
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@cache
def _commands() -> Callable[..., object]:
    """What typer makes of the functions; ``app()`` would make it anew for each call."""
    return get_command(app)


def _status() -> int:
    """Run the command, complain of what stops it, and say with which status."""
    try:
        with checked_output():
            _refuse_removed_folder()
            _commands()(args=common_first(sys.argv[1:]))
    except ReaderGone:
        # as `| head` ends other programs
        return 128 + getattr(signal, "SIGPIPE", 13)
    except Stopped as stopped:
        complain([f"fsviz: stopped by {signal.Signals(stopped.number).name}"])
        sys.stderr.flush()
        if drawing := sys.modules.get("fsviz.figures.browser"):
            drawing.close_browser()
        # threads of libraries wait for what was stopped
        os._exit(128 + stopped.number)
    except FsvizError as error:
        complain([error])
        return WRONG_USAGE if isinstance(error, UsageError) else SOME_UNUSABLE
    except ModuleNotFoundError as error:
        from fsviz.model.missing import how_to_install

        line = how_to_install(error.name or "")
        if not line:
            raise
        complain([line])
        return SOME_UNUSABLE
    return DONE
