"""What a campaign was read from: which files, of what content, by which reader.

A stored answer holds only as long as all three are the same.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

READINGS = 12
"""Version of what fsviz reads out of files and campaigns: what an older one stored is
read again. Raise it when a reading changes; ``test_readings.py`` notices."""

RACE = 2_000_000_000
"""Nanoseconds within which a file may change twice and keep its time: file systems
keep it in steps, of two seconds on FAT (Microsoft, FAT32 File System Specification,
2000, "DIR_WrtTime")."""


@dataclass(frozen=True, slots=True)
class FileState:
    """A file as a directory lists it, and a digest of its content.

    Units: `size` [B].
    """

    size: int
    modified: int
    digest: str = ""

    @property
    def listed(self) -> tuple[int, int]:
        """What can be known without opening the file."""
        return self.size, self.modified


Inventory = Mapping[str, FileState]
"""The files of a campaign by their path, relative to its folder."""


def listing(folder: Path) -> dict[str, FileState] | None:
    """List every file under a folder, without opening any."""
    try:
        return _listed(folder)
    except OSError:
        return None


def _listed(folder: Path) -> dict[str, FileState] | None:
    found: dict[str, FileState] = {}
    open_folders = [folder]
    while open_folders:
        with os.scandir(open_folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    open_folders.append(Path(entry.path))
                elif entry.is_file():
                    state = entry.stat()
                    name = os.path.relpath(entry.path, folder)
                    found[name] = FileState(state.st_size, state.st_mtime_ns)
                else:
                    return None
    return dict(sorted(found.items()))


def with_digests(folder: Path, files: Inventory) -> dict[str, FileState]:
    """Read every file and add the digest of its content."""
    return {
        name: FileState(*state.listed, _digest(folder / name))
        for name, state in files.items()
    }


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def unchanged(folder: Path, then: Inventory, now: Inventory, kept: int) -> bool:
    """Say whether the files of a campaign are those that were read."""
    if then.keys() != now.keys():
        return False
    for name, state in now.items():
        old = then[name]
        if state.size != old.size:
            return False
        certain = state.modified < kept - RACE
        if not (certain and state.modified == old.modified):
            try:
                if _digest(folder / name) != old.digest:
                    return False
            except OSError:
                return False
    return True


def digest_of(parts: Iterable[bytes]) -> str:
    """Digest several pieces as one, so that moving a byte between them shows.

    >>> digest_of([b"ab", b"c"]) == digest_of([b"a", b"bc"])
    False
    """
    whole = hashlib.sha256()
    for part in parts:
        whole.update(len(part).to_bytes(8, "big"))
        whole.update(part)
    return whole.hexdigest()
