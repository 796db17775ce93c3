"""What to install when a library is missing: as ``pyproject.toml`` groups them."""

from __future__ import annotations

import re
from collections import Counter
from importlib.util import find_spec

_REQUIREMENT = re.compile(r"([\w.-]+)(?:.*extra\s*==\s*[\"']([\w-]+))?")


def how_to_install(module: str) -> str:
    """Say in one line which library is missing, and the command that installs it."""
    # takes as long to import as much of fsviz
    from importlib import metadata

    library = module.partition(".")[0]
    try:
        lines = metadata.requires("fsviz") or []
    except metadata.PackageNotFoundError:
        lines = [library]
    matches = filter(None, map(_REQUIREMENT.match, lines))
    named = [(m[1].lower().replace("-", "_"), m[2] or "") for m in matches]
    offering = [extra for name, extra in named if name == library.lower()]
    if not offering:
        return ""
    # the base, or the smallest extra that has it
    sizes = Counter(extra for _, extra in named)
    extra = "" if "" in offering else min(offering, key=lambda name: sizes[name])
    package = f"'fsviz[{extra}]'" if extra else "fsviz"
    return (
        f"fsviz: this needs {library}, which is not installed: "
        f"python -m pip install {package}"
    )


def need(module: str) -> None:
    """Fail before any work is done if a library is not there."""
    if find_spec(module) is None:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)
