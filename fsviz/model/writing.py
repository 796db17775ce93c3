"""Files and folders that appear whole or not at all."""

from __future__ import annotations

import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from fsviz.model.errors import UsageError


def write_aside(path: Path, write: Callable[[Path], object]) -> None:
    """Write beside a file and rename, so that no half file stays."""
    refuse_place(path)
    aside = path.with_name(f".{path.name}.part")
    try:
        write(aside)
        aside.replace(path)
    except OSError as error:
        raise UsageError(
            f"{path}: expected a file to write, found {error.strerror or error}"
        ) from error
    finally:
        with suppress(OSError):  # such as a name too long, which says so above
            aside.unlink()


def refuse_place(path: Path) -> None:
    """Refuse a file whose folder is not there: before any work is done."""
    refuse_file(path.parent)
    if not path.parent.exists():
        raise UsageError(f"{path}: expected the folder {path.parent}, found none")


def refuse_file(path: Path) -> None:
    """Refuse a path that is to be a folder and is a file: before any work is done."""
    try:
        files = [p for p in (path, *path.parents) if _is_no_folder(p)]
    except OSError as error:
        raise UsageError(
            f"{path}: expected a folder, found {error.strerror}"
        ) from error
    if files:
        raise UsageError(f"{path}: expected a folder, found the file {files[0]}")


def _is_no_folder(path: Path) -> bool:
    """Say whether something else is there; `Path.exists` hides what keeps us from it.

    Since Python 3.14 it says of a name that is too long that nothing is there.
    """
    try:
        return not stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False


def make_folder(path: Path) -> None:
    """Make a folder, with those above it, if it is not there."""
    refuse_file(path)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(
            f"{path}: expected a folder to make, found {error.strerror}"
        ) from error
