"""Command line: parse arguments, call one function, print, return a status."""

from __future__ import annotations

import sys
from typing import NoReturn

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
from fsviz.model.errors import FsvizError, UsageError


def main() -> NoReturn:
    """Run the command line and exit with its status."""
    try:
        app(args=common_first(sys.argv[1:]))
    except FsvizError as error:
        complain([error])
        sys.exit(WRONG_USAGE if isinstance(error, UsageError) else SOME_UNUSABLE)
    except ModuleNotFoundError as error:
        from fsviz.model.missing import how_to_install

        line = how_to_install(error.name or "")
        if not line:
            raise
        complain([line])
        sys.exit(SOME_UNUSABLE)
    sys.exit(DONE)
