"""Where work is done: in this process, in local processes, or on a Dask cluster.

The engine is not ours: `concurrent.futures` on one machine, Dask on several.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import partial
from typing import Protocol, TypeVar

from fsviz.model.errors import UsageError
from fsviz.model.processes import worker_pool

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


@contextmanager
def workers(jobs: int = 1, scheduler: str = "") -> Iterator[Spread]:
    """Open a place to work.

    Parameters
    ----------
    jobs : int
        Processes on this machine; with one the work is done here.
    scheduler : str
        Address of a running Dask scheduler, such as ``tcp://host:8786``, which is used
        in place of local processes.

    Yields
    ------
    callable
        Takes a function that can be sent to another process and the items, and yields
        the results as they are done.

    Raises
    ------
    UsageError
        If Dask is not installed or the scheduler does not answer.
    """
    if scheduler:
        with _cluster(scheduler) as spread:
            yield spread
        return
    with worker_pool(jobs) as pool:
        yield here if pool is None else partial(_on_processes, pool)


def here(function: Callable[[Item], Result], items: Sequence[Item]) -> Iterator[Result]:
    """Work in this process.

    Parameters
    ----------
    function : callable
        What to do.
    items : sequence
        With what.

    Yields
    ------
    Result
        One an item, in order.
    """
    yield from map(function, items)


def _on_processes(
    pool: Executor, function: Callable[[Item], Result], items: Sequence[Item]
) -> Iterator[Result]:
    futures = [pool.submit(function, item) for item in items]
    try:
        for future in as_completed(futures):
            yield future.result()
    except BrokenProcessPool as error:
        raise UsageError(
            "--jobs: expected workers that live, found one that was ended, as happens "
            "where memory is short; what was done is kept aside, run it again"
        ) from error


@contextmanager
def _cluster(address: str) -> Iterator[Spread]:
    try:
        from distributed import Client, as_completed
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

    def spread(
        function: Callable[[Item], Result], items: Sequence[Item]
    ) -> Iterator[Result]:
        # not pure: a key from the arguments would answer from an earlier ingest
        futures = client.map(function, items, pure=False, retries=RETRIES)
        for future in as_completed(futures, loop=client.loop):
            yield future.result()

    with client:
        yield spread
