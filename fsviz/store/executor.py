"""Where work is done: in this process, in local processes, or on a Dask cluster.

The engine is not ours: `concurrent.futures` on one machine, Dask on several.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from fsviz.model.errors import UsageError
from fsviz.model.processes import worker_pool

if TYPE_CHECKING:
    from distributed import Client

Item = TypeVar("Item")
Result = TypeVar("Result")


class Spread(Protocol):
    """Applies a function to each item and yields the results as they come."""

    def __call__(
        self, function: Callable[[Item], Result], items: Sequence[Item]
    ) -> Iterator[Result]:
        """Work on all items."""


RETRIES = 3
"""How often work begins anew on another worker if one dies."""

_one_at_a_time = threading.Lock()


@contextmanager
def workers(jobs: int = 1, scheduler: str = "") -> Iterator[Spread]:
    """Open a place to work."""
    with pool_of(jobs, scheduler) as pool:
        yield here if pool is None else partial(_on_pool, pool)


def here(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """Work in this process."""
    yield from map(function, items)


@contextmanager
def pool_of(
    jobs: int, scheduler: str = "", preload: Sequence[str] = ()
) -> Iterator[Executor | None]:
    """Open workers, of this machine or of a cluster."""
    if not scheduler:
        with worker_pool(jobs, preload) as pool, _expecting_life():
            yield pool
        return
    with _client(scheduler) as client:
        yield _Cluster(client, str(Path.cwd()))


def _on_pool(
    pool: Executor, function: Callable[[Item], Result], items: Sequence[Item]
) -> Iterator[Result]:
    futures = [pool.submit(function, item) for item in items]
    for future in as_completed(futures):
        yield future.result()


@contextmanager
def _expecting_life() -> Iterator[None]:
    try:
        yield
    except BrokenProcessPool as error:
        raise UsageError(
            "--jobs: expected workers that live, found one that was ended, as happens "
            "where memory is short; what was done is kept aside, run it again"
        ) from error


class _Cluster(Executor):
    """The workers of a Dask cluster, each in the folder of the command."""

    def __init__(self, client: Client, folder: str) -> None:
        # not pure: a key from the arguments would answer from an earlier command
        self._pool = client.get_executor(pure=False, retries=RETRIES)
        self._folder = folder

    def submit(
        self, function: Callable[..., Result], /, *args: Any, **kwargs: Any
    ) -> Future[Result]:
        task = partial(function, *args, **kwargs)
        found: Future[Result] = self._pool.submit(_in_folder, self._folder, task)
        return found

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
def _client(address: str) -> Iterator[Client]:
    try:
        from distributed import Client, KilledWorker
    except ImportError as error:
        raise UsageError(
            "--scheduler needs Dask: pip install 'fsviz[cluster]'"
        ) from error
    try:
        client = Client(address, timeout="5s", set_as_default=False)
    except (OSError, ValueError) as error:
        raise UsageError(
            f"--scheduler {address}: expected a Dask scheduler, found none that answers"
        ) from error
    with client:
        try:
            yield client
        except KilledWorker as error:
            raise UsageError(
                f"--scheduler {address}: expected workers that live, found one task at "
                f"which {RETRIES + 1} of them were ended"
            ) from error
