"""How many servers a command starts, each of which imports everything once more."""

import os
from multiprocessing.connection import Connection

import pytest

from fsviz.model.processes import can_fork, isolated_context, worker_pool


def tell_parent(sender: Connection) -> None:
    sender.send(os.getppid())


def parents() -> tuple[int, int]:
    """Who started this worker, and who what the worker starts."""
    context = isolated_context()
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=tell_parent, args=(sender,))
    child.start()
    found = receiver.recv()
    child.join()
    return os.getppid(), found


@pytest.mark.skipif(not can_fork(), reason="no fork server on this system")
def test_workers_and_what_they_start_are_forked_from_one_server():
    with worker_pool(2, ["fsviz.model.processes"]) as pool:
        found = [pool.submit(parents) for _ in range(4)]
        servers = {server for pair in found for server in pair.result()}
    assert len(servers) == 1
    assert os.getpid() not in servers
