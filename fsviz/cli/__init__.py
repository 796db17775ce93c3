"""Command line: parse arguments, call one function, print, return a status."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import NoReturn

from typer.main import get_command

from fsviz.cli._streams import ReaderGone, any_error, checked_output
from fsviz.cli.shared import (
    DONE,
    SOME_UNUSABLE,
    WRONG_USAGE,
    app,
    common_first,
    complain,
)
from fsviz.model.ending import Stopped, signals_end, stop
from fsviz.model.errors import FsvizError, UsageError
from fsviz.model.limits import spent

# importing its module adds a command to the program and to --help, in the order in
# which one needs them: measure, read, answer, show, keep over years
for _name in (
    *("run", "init", "files", "formats", "read"),
    *("summary", "compare", "best", "check"),
    *("plot", "report", "ingest", "history", "bundle"),
):
    import_module(f"{__name__}.{_name}")


def _refuse_removed_folder() -> None:
    """A relative path means nothing in a folder that is gone."""
    try:
        os.getcwd()  # noqa: PTH109 - Path is not needed for it
    except FileNotFoundError:
        raise UsageError(
            ".:1: expected the current folder, found that it has been removed"
        ) from None


def main() -> NoReturn:
    """Run the command line and exit with its status."""
    with signals_end(), any_error():
        sys.exit(_status())


@cache
def _program(command: str) -> Callable[..., object]:
    """What typer makes of the functions, of the one alone that is called.

    To make all takes as long as to import fsviz; ``app()`` would do so for each call.
    """
    every = app.registered_commands
    # a function is called as its command
    named = [c for c in every if c.callback and c.callback.__name__ == command]
    app.registered_commands = named or every
    try:
        return get_command(app)
    finally:
        app.registered_commands = every


def _status() -> int:
    """Run the command, complain of what stops it, and say with which status."""
    try:
        with checked_output():
            _refuse_removed_folder()
            words = common_first(sys.argv[1:])
            command = next((word for word in words if word[:1] != "-"), "")
            _program(command)(args=words)
    except ReaderGone:
        # as `| head` ends other programs
        return 128 + getattr(signal, "SIGPIPE", 13)
    except Stopped as stopped:
        complain([f"fsviz: stopped by {signal.Signals(stopped.number).name}"])
        sys.stderr.flush()
        stop()
        # threads of libraries wait for what was stopped
        os._exit(128 + stopped.number)
    except FsvizError as error:
        complain([error])
        return WRONG_USAGE if isinstance(error, UsageError) else SOME_UNUSABLE
    except (ImportError, MemoryError, OSError, RuntimeError) as error:
        from fsviz.model.missing import how_to_install

        missing = isinstance(error, ModuleNotFoundError) and error.name
        line = spent(error) or how_to_install(missing or "")
        if not line:
            raise
        complain([line])
        return SOME_UNUSABLE
    return DONE
