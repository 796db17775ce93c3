"""Where work is done: in this process, in local processes, or on a Dask cluster.

The engine is not ours: `concurrent.futures` on one machine, Dask on several.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from fsviz.model.errors import UsageError
from fsviz.model.processes import worker_pool

Item = TypeVar("Item")
Result = TypeVar("Result")

RETRIES = 3
"""How often work begins anew on another worker if one dies."""
_one_at_a_time = threading.Lock()


def spread(
    function: Callable[[Item], Result], items: Sequence[Item], pool: Executor | None
) -> Iterator[Result]:
    """Apply a function to each item, and yield the results.

    Other processes of this machine get help: what they have not begun is done here, and
    the last item at once, so that one item starts no process.
    """
    if pool is None:
        yield from map(function, items)
        return
    local = isinstance(pool, ProcessPoolExecutor)
    ours = len(items) - local
    tasks = {pool.submit(function, item): item for item in items[:ours]}
    yield from map(function, items[ours:])
    while tasks:
        first, last = next(iter(tasks)), next(reversed(tasks))
        if local and not first.done() and last.cancel():
            yield function(tasks.pop(last))
        else:
            del tasks[first]
            yield first.result()


@contextmanager
def pool_of(
    workers: int, scheduler: str = "", first: Callable[[], object] = int
) -> Iterator[Executor | None]:
    """Open workers, of this machine or of a cluster."""
    if scheduler:
        with _cluster(scheduler) as cluster:
            yield cluster
        return
    try:
        with worker_pool(workers, first) as pool:
            yield pool
    except BrokenProcessPool as error:
        raise UsageError(
            "--jobs: expected workers that live, found one that was ended, as happens "
            "where memory is short; what was done is kept aside, run it again"
        ) from error


class _InFolder(Executor):
    """The workers of a cluster, each in the folder of the command."""

    def __init__(self, pool: Executor) -> None:
        self._pool, self._folder = pool, str(Path.cwd())

    def submit(
        self, function: Callable[..., Result], /, *args: Any, **kwargs: Any
    ) -> Future[Result]:
        task = partial(function, *args, **kwargs)
        return self._pool.submit(_in_folder, self._folder, task)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._pool.shutdown(wait and not cancel_futures)


def _in_folder(folder: str, task: Callable[[], Result]) -> Result:
    """Work as if the command ran here: relative paths mean what they meant there.

    The current folder belongs to a whole process, so its threads take turns.
    """
    with _one_at_a_time:
        try:
            os.chdir(folder)
        except OSError as error:
            raise UsageError(
                f"--scheduler: expected workers that reach {folder}, found one that "
                f"does not: {error.strerror}"
            ) from error
        return task()


@contextmanager
def _cluster(address: str) -> Iterator[Executor]:
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise UsageError(
            "--scheduler needs Dask: pip install 'fsviz[cluster]'"
        ) from error
    expected = f"--scheduler {address}: expected"
    try:
        client = Client(address, timeout="5s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"{expected} a Dask scheduler, found none that answers"
        ) from error
    with client:
        try:
            # not pure: a key from the arguments would answer from an earlier command
            yield _InFolder(client.get_executor(pure=False, retries=RETRIES))
        except KilledWorker as error:
            raise UsageError(
                f"{expected} workers that live, found one task at which {RETRIES + 1} "
                "of them were ended"
            ) from error
