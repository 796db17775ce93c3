"""The folder for what a run needs only while it runs: sockets, pages, kernels' files.

What is killed removes nothing, so the next run removes it: each holds a lock on its own
folder, which ends with its process. A folder of somebody else's, or a link, is left.
The next run looks twice, as what a killed one had started may write a little longer.
"""

from __future__ import annotations

import multiprocessing
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

from fsviz.model.ending import clean_up_first, on_stop
from fsviz.model.writing import open_descriptor

fcntl: Any
try:
    import fcntl
except ImportError:  # Windows
    fcntl = None
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_locked: list[int] = []


def run_folder() -> Path:
    """Return this run's folder, which its workers share; it is made when first used."""
    # multiprocessing keeps its own there, and hands it on to all processes
    config = multiprocessing.current_process()._config  # type: ignore[attr-defined]  # noqa: SLF001
    if "tempdir" not in config:
        clean_up_first()
        config["tempdir"] = str(_made(Path(tempfile.gettempdir())))
    return Path(config["tempdir"])


@contextmanager
def temporary_files() -> Iterator[Path]:
    """Let libraries make their temporary files in the folder of this run."""
    usual, tempfile.tempdir = tempfile.tempdir, str(run_folder())
    try:
        yield run_folder()
    finally:
        tempfile.tempdir = usual


def _made(place: Path) -> Path:
    prefix = f"fsviz-{os.geteuid()}-" if fcntl else "fsviz-"
    _remove_dead_ones(place, prefix)
    folder = Path(tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}-", dir=place))
    if fcntl and not _hold(folder):
        # another run found it before it was held, and removed it
        return _made(place)
    remove = partial(shutil.rmtree, folder, ignore_errors=True)
    on_stop(remove)
    # after workers and the browser have ended, as multiprocessing does with its own
    Finalize(None, remove, exitpriority=-100)
    Finalize(None, _remove_dead_ones, (place, prefix), exitpriority=-100)
    return folder


def _hold(folder: Path) -> bool:
    try:
        descriptor = os.open(folder, _FOLDER)
        _locked.append(descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, FileNotFoundError):
        return False
    except OSError:
        pass  # a file system without locks: nobody can take it for a dead run's
    return True


def _remove_dead_ones(place: Path, prefix: str) -> None:
    with suppress(OSError):
        for left in place.iterdir() if fcntl else ():
            if left.name.startswith(prefix):
                _remove_dead(left)


def _remove_dead(folder: Path) -> None:
    # not a link, a file, somebody else's, or held by a run
    with suppress(OSError), open_descriptor(folder, _FOLDER) as descriptor:
        state = os.fstat(descriptor)
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        # Jupyter sets the sticky bit of the folder that it uses
        if (state.st_uid, state.st_mode & 0o777) == (os.geteuid(), 0o700):
            shutil.rmtree(folder, ignore_errors=True)
