"""How other processes start, and that they end with the command that started them.

Workers and kernels are children of a fork server, which outlives a command that was
killed; a worker waits for its next job for ever, for it holds both ends of the queue.
So each of them watches the command itself.
"""

from __future__ import annotations

import multiprocessing
import os
import re
import select
import signal
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from multiprocessing import forkserver
from multiprocessing.context import BaseContext
from typing import Any

from fsviz.model.run_folder import run_folder

COMMAND = "FSVIZ_COMMAND"
"""Variable that tells kernels whose command they work for."""
_SECONDS = 0.5
"""How often to look where the system cannot tell by itself."""
_SERVER = ("_forkserver_address", "_forkserver_authkey")
"""What a process knows of the fork server that it uses; the key since Python 3.14."""


def isolated_context(preload: Sequence[str] = ()) -> BaseContext:
    """Choose how processes start: none of them imports from the current folder.

    ``python -c``, by which multiprocessing starts its servers, puts the current folder
    first on ``sys.path``, so a ``selectors.py`` beside someone's results would run.
    The variable holds for all processes that these start in turn, kernels included:
    https://docs.python.org/3/using/cmdline.html#envvar-PYTHONSAFEPATH
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    run_folder()
    if not can_fork():
        return multiprocessing.get_context("spawn")
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(["fsviz.model._no_interrupt", *preload])
    return forking


def can_fork() -> bool:
    """Say whether this process can have a fork server; a daemon has no children."""
    able = "forkserver" in multiprocessing.get_all_start_methods()
    return able and not multiprocessing.current_process().daemon


def seconds_of(variable: str, default: int) -> int:
    """Say how long something may take.

    Units: `default` [s].
    """
    stated = os.environ.get(variable, "")
    return int(stated) if re.fullmatch("[1-9][0-9]{0,8}", stated) else default


@contextmanager
def worker_pool(jobs: int, preload: Sequence[str] = ()) -> Iterator[Executor | None]:
    """Start worker processes.

    They end with this process, and at once where the block ends by an exception.
    """
    command = lead()
    if jobs <= 1:
        yield None
        return
    context = isolated_context(preload)
    server = _server() if preload and can_fork() else {}
    pool = ProcessPoolExecutor(
        jobs, mp_context=context, initializer=follow, initargs=(command, server)
    )
    try:
        yield pool
    except BaseException:
        end_workers(pool)
        raise
    pool.shutdown()


def end_workers(pool: Executor | None) -> None:
    """End workers in the middle of their work; Python 3.14 has kill_workers for it."""
    if pool is None:
        return
    if isinstance(pool, ProcessPoolExecutor):
        for process in list((pool._processes or {}).values()):  # noqa: SLF001
            process.kill()
    pool.shutdown(cancel_futures=True)


def lead() -> int:
    """Declare this process the one that the others end with."""
    number = os.getpid()
    os.environ[COMMAND] = str(number)
    return number


def _server() -> dict[str, Any]:
    """Start this process's fork server, and tell what others must know to use it."""
    forkserver.ensure_running()
    told = vars(forkserver._forkserver)  # noqa: SLF001 # there is no other way
    return {name: told[name] for name in _SERVER if name in told}


def follow(command: int, server: Mapping[str, Any] | None = None) -> None:
    """End this process as soon as the command has ended.

    Control-C reaches all processes of a terminal; here it means nothing, because the
    command ends and takes its workers with it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # spawned, not forked: not yet so
    os.environ[COMMAND] = str(command)
    if server:
        own = forkserver._forkserver  # noqa: SLF001
        vars(own).update(server, ensure_running=lambda: None)
    threading.Thread(target=_wait_for_end, args=(command,), daemon=True).start()


def follow_stated() -> None:
    """Do so for the command that `COMMAND` names, if there is one."""
    stated = os.environ.get(COMMAND, "")
    if stated.isdecimal():
        threading.Thread(target=_wait_for_end, args=(int(stated),), daemon=True).start()


def is_alive(process: int) -> bool:
    """Say whether there is such a process on this machine."""
    import psutil

    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True


def _wait_for_end(command: int) -> None:
    with suppress(OSError, AttributeError):  # pidfd_open is Linux's
        handle = os.pidfd_open(command)
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        poll.poll()
        os._exit(1)
    while is_alive(command):
        time.sleep(_SECONDS)
    os._exit(1)
