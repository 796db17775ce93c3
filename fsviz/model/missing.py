"""What to install when a library is missing: as ``pyproject.toml`` groups them."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from importlib import metadata
from importlib.util import find_spec
from pathlib import Path

_EXTRA = re.compile(r"""extra\s*==\s*["']([\w-]+)["']""")
_NAME = re.compile(r"[\w.-]+")

_INSTALLERS = {
    "uv-receipt.toml": "uv tool install",
    "pipx_metadata.json": "pipx install --force",
}
"""What made an environment for fsviz alone, by the file that it leaves there."""
_CONDA_NAMES = {"kaleido": "python-kaleido"}
"""Libraries that are named otherwise on conda-forge."""


def how_to_install(module: str) -> str:
    """Say in one line which library is missing, and the command that installs it."""
    library = module.partition(".")[0]
    try:
        extras = _extras_by_library(metadata.requires("fsviz") or [])
    except metadata.PackageNotFoundError:
        extras = {library.lower(): [""]}
    offering = extras.get(library.lower(), [])
    if not offering:
        return ""
    # the smallest extra that has it; "" is the base
    sizes = Counter(
        extra for names_of_extras in extras.values() for extra in names_of_extras
    )
    extra = "" if "" in offering else min(offering, key=lambda name: sizes[name])
    return (
        f"fsviz: this needs {library}, which is not installed: "
        f"{_command(extra, extras)}"
    )


def _command(extra: str, extras: Mapping[str, Sequence[str]]) -> str:
    """Write the command that installs an extra as fsviz was installed.

    A name alone would be looked up in an index, where it may be another project's.
    """
    if (by := _record("INSTALLER").strip()) == "conda":
        # its packages have no extras
        libraries = [
            name
            for name, libraries_of_extra in extras.items()
            if extra in libraries_of_extra
        ]
        names = sorted(_CONDA_NAMES.get(name, name) for name in libraries)
        return f"conda install -c conda-forge {' '.join(names)}"
    prefix, place = Path(sys.prefix), _wheel()
    installers = [how for name, how in _INSTALLERS.items() if (prefix / name).is_file()]
    # these make the environment anew, without the extras that are not named again
    names = sorted({extra, *(_complete(extras) if installers else ())} - {""})
    package = f"fsviz[{','.join(names)}]" if names else "fsviz"
    requirement = shlex.quote(f"{package} @ {place}" if place else package)
    alone = f"uv pip install --python {shlex.quote(sys.prefix)}" if by == "uv" else ""
    return f"{[*installers, alone or 'python -m pip install'][0]} {requirement}"


def _complete(extras: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """List the extras all of whose libraries are installed."""
    for extra in {name for of_extra in extras.values() for name in of_extra}:
        libraries = [
            library for library, of_extra in extras.items() if extra in of_extra
        ]
        if all(_is_installed(library) for library in libraries):
            yield extra


def _is_installed(library: str) -> bool:
    try:
        metadata.distribution(library)
    except metadata.PackageNotFoundError:
        return False
    return True


def _wheel() -> str:
    """Say which wheel fsviz came from, as PEP 610 records it; empty if from none."""
    try:
        origin = json.loads(_record("direct_url.json") or "{}")
    except ValueError:
        return ""
    return str(origin["url"]) if "archive_info" in origin else ""


def _record(name: str) -> str:
    """Read what the installer left beside the metadata; empty if there is none."""
    try:
        return metadata.distribution("fsviz").read_text(name) or ""
    except metadata.PackageNotFoundError:
        return ""


def need(module: str) -> None:
    """Fail before any work is done if a library is not there."""
    if find_spec(module) is None:
        raise ModuleNotFoundError(f"No module named {module!r}", name=module)


def _extras_by_library(requirements: list[str]) -> dict[str, list[str]]:
    """Name the extras that ask for each library; "" is the base."""
    by_library: dict[str, list[str]] = {}
    for line in requirements:
        if name := _NAME.match(line):
            extra = _EXTRA.search(line)
            library = name[0].lower().replace("-", "_")
            by_library.setdefault(library, []).append(extra[1] if extra else "")
    return by_library
