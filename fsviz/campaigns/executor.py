"""Where work is done: in this process, in local processes, or on a Dask cluster.

The engine is not ours: `concurrent.futures` on one machine, Dask on several.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from functools import partial
from multiprocessing.context import BaseContext
from typing import Protocol, TypeVar

from fsviz.model.errors import UsageError

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
    elif jobs > 1:
        with ProcessPoolExecutor(jobs, mp_context=isolated_context()) as pool:
            yield partial(_on_processes, pool)
    else:
        yield here


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


def isolated_context() -> BaseContext:
    """Choose how processes start: none of them imports from the current folder.

    ``python -c``, by which multiprocessing starts its servers, puts the current folder
    first on ``sys.path``, so a ``selectors.py`` beside someone's results would run.
    The variable holds for all processes that these start in turn:
    https://docs.python.org/3/using/cmdline.html#envvar-PYTHONSAFEPATH

    Returns
    -------
    BaseContext
        Of the fork server where there is one; else ``spawn``.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    known = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context(
        "forkserver" if "forkserver" in known else "spawn"
    )


def _on_processes(
    pool: Executor, function: Callable[[Item], Result], items: Sequence[Item]
) -> Iterator[Result]:
    futures = [pool.submit(function, item) for item in items]
    try:
        for future in as_completed(futures):
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


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
