"""Start a program in a control group; it ends when the command that asked for it does.

Run by path, with the standard library alone. ``PR_SET_PDEATHSIG`` is prctl(2)'s; the
group's file takes 0 for the process that writes (cgroups(7)).
"""

import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Take the parent's process id, the group's file or an empty word, a command."""
    parent, group, *command = sys.argv[1:]
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != int(parent):
        sys.exit(1)
    if group:
        os.write(os.open(group, os.O_WRONLY | os.O_CLOEXEC), b"0")
    os.execvp(command[0], command)  # noqa: S606 - no shell is meant


if __name__ == "__main__":
    main()
