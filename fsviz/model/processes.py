"""How worker processes start, and that they end with the command that started them."""

from __future__ import annotations

import atexit
import gc
import multiprocessing
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import Any

from fsviz.model.run_folder import run_folder


def seconds_of(variable: str, default: int) -> int:
    """Say how long something may take.

    Units: `default` [s].
    """
    stated = os.environ.get(variable, "")
    return int(stated) if re.fullmatch("[1-9][0-9]{0,8}", stated) else default


@contextmanager
def worker_pool(
    workers: int, first: Callable[[], object] = int
) -> Iterator[Executor | None]:
    """Start worker processes, if any; ``first`` is what each begins with.

    They end with this process, and at once where the block ends by an exception.
    """
    if not workers:
        yield None
        return
    # `python -c`, by which workers start, would import from the current folder:
    # https://docs.python.org/3/using/cmdline.html#envvar-PYTHONSAFEPATH
    os.environ["PYTHONSAFEPATH"] = "1"
    run_folder()  # theirs too
    context = multiprocessing.get_context("spawn")
    pool = _Pool(workers, context, _follow, (first, gc.get_threshold()))
    try:
        yield pool
    except BaseException:
        end_workers(pool)
        raise
    pool.shutdown()


class _Pool(ProcessPoolExecutor):
    """Workers that control-C ends with their command, not each by itself."""

    def submit(self, *task: Any, **keywords: Any) -> Future:
        """Do something in a worker, which may be started for it."""
        if threading.current_thread() is not threading.main_thread():
            return super().submit(*task, **keywords)
        # what is ignored stays ignored in a process that is started meanwhile
        before = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            return super().submit(*task, **keywords)
        finally:
            signal.signal(signal.SIGINT, before)


def end_workers(pool: Executor | None) -> None:
    """End workers in the middle of their work; Python 3.14 has kill_workers for it."""
    if pool is None:
        return
    if isinstance(pool, ProcessPoolExecutor):
        for process in list((pool._processes or {}).values()):  # noqa: SLF001
            process.kill()
    pool.shutdown(cancel_futures=True)


def _follow(first: Callable[[], object], threshold: tuple[int, int, int]) -> None:
    """End this process as soon as the one that started it has ended.

    A worker waits for its next job for ever: it holds both ends of the queue. It looks
    for garbage as seldom as the command does, and takes nothing apart in the end.
    """
    gc.set_threshold(*threshold)
    atexit.register(os._exit, 0)
    threading.Thread(target=_wait_for_end, daemon=True).start()
    first()


def _wait_for_end() -> None:
    if command := multiprocessing.parent_process():
        command.join()
        os._exit(1)


def is_alive(process: int) -> bool:
    """Say whether there is such a process on this machine."""
    import psutil

    try:
        return bool(psutil.Process(process).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
