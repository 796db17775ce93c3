"""What to install when a library is missing: as ``pyproject.toml`` groups them."""

from __future__ import annotations

import re
from importlib import metadata

_EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")
_NAME = re.compile(r"[\w.-]+")
_EVERYTHING = "dev"


def how_to_install(module: str) -> str:
    """Say in one line which library is missing, and the command that installs it.

    Parameters
    ----------
    module : str
        As `ModuleNotFoundError.name` has it.

    Returns
    -------
    str
        Empty if fsviz does not ask for this library.
    """
    library = module.partition(".")[0]
    try:
        wanted = metadata.requires("fsviz") or []
    except metadata.PackageNotFoundError:
        return f"fsviz: {library} is not installed: python -m pip install fsviz"
    for line in wanted:
        name = _NAME.match(line)
        if name and name[0].lower().replace("-", "_") == library.lower():
            extra = _EXTRA.search(line)
            if extra is None:
                return f"fsviz: {library} is not installed: python -m pip install fsviz"
            if extra[1] != _EVERYTHING:
                return (
                    f"fsviz: this needs {library}, which is not installed: "
                    f"python -m pip install 'fsviz[{extra[1]}]'"
                )
    return ""
