"""The one way that fsviz writes: whole or not at all, and through nobody's link.

Folders may come from strangers, in a checkout or an archive, with symbolic links where
a program is about to write. So a file is made under a random name in the target's own
folder, then renamed over the name: a link there is replaced, never followed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from fsviz.model.ending import clean_up_first
from fsviz.model.errors import UsageError

# Windows has neither, nor folders that can be held open; a new file follows no link
_SAFE = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFE | getattr(os, "O_BINARY", 0)
_HOLDS = os.open in os.supports_dir_fd

PARTS = f".{'[0-9a-f]' * 16}.part"
"""Pattern of the names of files that are not whole yet."""


def write_file(path: Path, content: str | bytes, *, durable: bool = False) -> None:
    """Write a text, as UTF-8, or bytes; raise UsageError where that cannot be done."""
    with refused_in_a_line(path), replacing(path) as file:
        file.write(content.encode() if isinstance(content, str) else content)
        if durable:
            file.flush()
            os.fsync(file.fileno())


@contextmanager
def refused_in_a_line(path: Path) -> Iterator[None]:
    """Turn what keeps a file from being written into a complaint that names it."""
    refuse_place(path)
    try:
        yield
    except OSError as error:
        raise UsageError(
            f"{path}: expected a file to write, found {error.strerror or error}"
        ) from error


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the name when it is whole.

    https://man7.org/linux/man-pages/man2/open.2.html on O_EXCL: it follows no link.
    """
    with _folder_descriptor(path.parent) as folder, _new_file(folder, path) as file:
        yield file


@contextmanager
def open_descriptor(path: Path, flags: int = os.O_RDONLY) -> Iterator[int]:
    """Hold a file or folder open, as the system numbers it."""
    descriptor = os.open(path, flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _folder_descriptor(folder: Path) -> Iterator[int | None]:
    """Hold a folder, so that nobody can put another one in its place meanwhile."""
    if not _HOLDS:
        yield None
        return
    with open_descriptor(folder, os.O_DIRECTORY) as descriptor:
        yield descriptor


@contextmanager
def _new_file(folder: int | None, path: Path) -> Iterator[BinaryIO]:
    """Make a file with a random name, and give it its own at the end."""
    # as long as the name may be, the random one is not longer
    part = path.with_name(f".{os.urandom(8).hex()}.part")
    name, aside = (str(each) if folder is None else each.name for each in (path, part))
    _refuse_special(folder, name)
    clean_up_first()
    try:
        with os.fdopen(os.open(aside, _NEW, 0o666, dir_fd=folder), "wb") as file:
            yield file
        os.replace(aside, name, src_dir_fd=folder, dst_dir_fd=folder)
    except BaseException:
        with suppress(OSError):
            os.unlink(aside, dir_fd=folder)
        raise


def _refuse_special(folder: int | None, name: str) -> None:
    """Keep devices and pipes: a rename would put a file in place of ``/dev/null``."""
    with suppress(FileNotFoundError):
        # a link counts as what it leads to: /dev/stdout is one
        mode = os.stat(name, dir_fd=folder).st_mode
        if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
            raise OSError(0, "a device or a pipe")


def refuse_place(path: Path) -> None:
    """Refuse a file whose folder is not there, before any work is done."""
    refuse_file(path.parent)
    if not path.parent.exists():
        raise UsageError(f"{path}: expected the folder {path.parent}, found none")


def refuse_file(path: Path) -> None:
    """Refuse a path that is to be a folder and is a file, before any work is done."""
    try:
        files = [p for p in (path, *path.parents) if _is_no_folder(p)]
    except OSError as error:
        raise UsageError(
            f"{path}: expected a folder, found {error.strerror}"
        ) from error
    if files:
        raise UsageError(f"{path}: expected a folder, found the file {files[0]}")


def _is_no_folder(path: Path) -> bool:
    """Return whether something else is there; `Path.exists` hides errors.

    Since Python 3.14 it says of a name that is too long that nothing is there.
    """
    try:
        return not stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def make_folder(path: Path) -> None:
    """Make a folder that the user has named, with those above it."""
    refuse_file(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{path}: expected a folder to make, found {error.strerror}"
        ) from error


def real_folder(path: Path) -> None:
    """Make a folder that fsviz has named, within the user's: never through a link."""
    if path.is_symlink() or _is_no_folder(path):
        kind = "a link" if path.is_symlink() else "a file"
        raise UsageError(f"{path}: expected a folder of fsviz's own, found {kind}")
    path.mkdir(exist_ok=True)
