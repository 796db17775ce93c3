"""Start a program in a control group, and end it with all that it has started.

Run by path, with the standard library alone. Tools fork and leave their process group
(fio's jobs do), so this process stays, adopts what they leave behind, and kills it when
the program ends, on SIGTERM, and when the command that asked for it is gone: prctl(2),
``PR_SET_CHILD_SUBREAPER`` and ``PR_SET_PDEATHSIG``. The group's file takes 0 for the
process that writes (cgroups(7)).
"""

import ctypes
import os
import signal
import sys
from contextlib import suppress

_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36


def main() -> None:
    """Take the parent's process id, the group's file or an empty word, a command."""
    parent, group, *command = sys.argv[1:]
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != int(parent):
        sys.exit(1)
    program = 0
    try:
        program = os.fork() or _become(group, command)
        status = os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _end_children()
    if status < 0:
        os.kill(os.getpid(), -status)
    sys.exit(status)


def _prctl(option: int, value: int) -> None:
    with suppress(AttributeError):  # Linux alone has it
        ctypes.CDLL(None).prctl(option, value)


def _become(group: str, command: list[str]) -> int:
    """Replace this process by a command."""
    try:
        os.setsid()
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if group:
            os.write(os.open(group, os.O_WRONLY | os.O_CLOEXEC), b"0")
        os.execvp(command[0], command)  # noqa: S606 - no shell is meant
    except OSError as error:
        sys.stderr.write(f"{command[0]}: {error.strerror}\n")
    os._exit(127)


def _end_children() -> None:
    """Kill each child; what it leaves becomes a child of this process in turn."""
    with suppress(ChildProcessError, FileNotFoundError):
        while True:
            for process in filter(_is_child, os.listdir("/proc")):  # noqa: PTH208
                with suppress(ProcessLookupError):
                    os.kill(int(process), signal.SIGKILL)
            os.waitpid(-1, 0)


def _is_child(process: str) -> bool:
    with suppress(OSError), open(f"/proc/{process}/stat", "rb") as file:  # noqa: PTH123
        # the name, in brackets, may hold anything
        parent = file.read().rpartition(b")")[2].split()[1]
        return process.isdecimal() and int(parent) == os.getpid()
    return False


if __name__ == "__main__":
    main()
