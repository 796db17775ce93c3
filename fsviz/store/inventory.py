"""Which files a campaign was read from, and whether they are still the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
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
    paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    states = [path.stat() for path in paths]
    return {
        str(path.relative_to(folder)): FileState(state.st_size, state.st_mtime_ns)
        for path, state in zip(paths, states, strict=True)
    }


def with_digests(folder: Path, files: Inventory) -> dict[str, FileState]:
    """Read every file and add the digest of its content."""
    return {
        name: state._replace(digest=_digest(folder / name))
        for name, state in files.items()
    }


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unchanged(folder: Path, then: Inventory, now: Inventory, listed: int) -> bool:
    """Return whether files are those of an inventory that was made at a time [ns]."""
    return then.keys() == now.keys() and all(
        state.size == then[name].size
        and (
            state.modified == then[name].modified < listed - RACE
            or _digest(folder / name) == then[name].digest
        )
        for name, state in now.items()
    )


def digest_of(parts: Iterable[bytes]) -> str:
    """Digest several pieces as one, so that moving a byte between them shows.

    >>> digest_of([b"ab", b"c"]) == digest_of([b"a", b"bc"])
    False
    """
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8, "big"))
        digest.update(part)
    return digest.hexdigest()
