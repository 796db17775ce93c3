"""Which files a campaign was read from, and whether they are still the same."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

READINGS = 18
"""Version of what fsviz reads out of files and campaigns: what an older one stored is
read again. Raise it when a reading changes; ``test_readings.py`` notices."""

RACE = 2_000_000_000
"""Nanoseconds within which a file may change twice and keep its time: file systems
keep it in steps, of two seconds on FAT (Microsoft, FAT32 File System Specification,
2000, "DIR_WrtTime")."""


class FileState(NamedTuple):
    """Size [B], modification time [ns] and SHA-256 of a file."""

    size: int
    modified: int
    digest: str = ""


Inventory = Mapping[str, FileState]
"""The files of a campaign by their path, relative to its folder."""


def listing(folder: Path) -> dict[str, FileState]:
    """List every file under a folder, without opening any."""
    top, files = os.path.join(folder, ""), {}  # noqa: PTH118 - pathlib takes 4 × as long
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)  # noqa: PTH118
            with suppress(OSError):  # a link that leads nowhere, or in a circle
                status = os.stat(path)  # noqa: PTH116
                if stat.S_ISREG(status.st_mode):
                    state = FileState(status.st_size, status.st_mtime_ns)
                    files[path.removeprefix(top)] = state
    return dict(sorted(files.items()))


def with_digests(folder: Path, files: Inventory) -> dict[str, FileState]:
    """Read every file and add the digest of its content."""
    return {
        name: state._replace(digest=digest_of(folder / name))
        for name, state in files.items()
    }


def digest_of(path: Path) -> str:
    """Return the SHA-256 of a file's content."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unchanged(folder: Path, then: Inventory, now: Inventory, listed: int) -> bool:
    """Return whether files are those of an inventory that was made at a time [ns]."""
    return then.keys() == now.keys() and all(
        state.size == then[name].size
        and (
            state.modified == then[name].modified < listed - RACE
            or digest_of(folder / name) == then[name].digest
        )
        for name, state in now.items()
    )
