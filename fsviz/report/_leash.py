"""Processes that end with the command that started them, however it ended.

Workers and kernels are children of a fork server, which outlives a command that was
killed; a worker waits for its next job for ever, for it holds both ends of the queue.
So each of them watches the command itself.
"""

from __future__ import annotations

import os
import select
import signal
import threading
import time
from contextlib import suppress

COMMAND = "FSVIZ_COMMAND"
"""Variable that tells kernels whose command they work for."""
_SECONDS = 0.5
"""How often to look where the system cannot tell by itself."""


def lead() -> int:
    """Declare this process the one that the others end with.

    Returns
    -------
    int
        Its number.
    """
    number = os.getpid()
    os.environ[COMMAND] = str(number)
    return number


def follow(command: int) -> None:
    """End this process as soon as the command has ended.

    Control-C reaches all processes of a terminal; here it means nothing, because the
    command ends and takes its workers with it.

    Parameters
    ----------
    command : int
        Its process number.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.environ[COMMAND] = str(command)
    threading.Thread(target=_wait_for_end, args=(command,), daemon=True).start()


def follow_stated() -> None:
    """Do so for the command that `COMMAND` names, if there is one."""
    stated = os.environ.get(COMMAND, "")
    if stated.isdecimal():
        threading.Thread(target=_wait_for_end, args=(int(stated),), daemon=True).start()


def is_alive(process: int) -> bool:
    """Say whether there is such a process on this machine.

    Parameters
    ----------
    process : int
        Its number.

    Returns
    -------
    bool
    """
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
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
