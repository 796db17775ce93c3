"""Command line: parse arguments, call one function, print, return a status."""

from __future__ import annotations

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
    bundle,  # noqa: F401
    check,  # noqa: F401
    compare,  # noqa: F401
    files,  # noqa: F401
    formats,  # noqa: F401
    history,  # noqa: F401
    ingest,  # noqa: F401
    init,  # noqa: F401
    plot,  # noqa: F401
    read,  # noqa: F401
    report,  # noqa: F401
    run,  # noqa: F401
    summary,  # noqa: F401
)
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
