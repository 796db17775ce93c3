"""Remove what a command that was killed could not: wait for its end, then clean up.

Run by path, with the standard library alone. Standard input ends with the command.
"""

import os
import shutil
import signal
import sys
import time
from contextlib import suppress

_PATIENCE = 20
"""Times that a folder is tried again: a tool that was killed may still write."""


def main() -> None:
    """Remove each folder that is named, and each control group, once input ends."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    sys.stdin.buffer.read()
    for path in sys.argv[1:]:
        for _ in range(_PATIENCE):
            shutil.rmtree(path, ignore_errors=True)
            with suppress(OSError):
                os.rmdir(path)  # noqa: PTH106 - a control group has files that stay
            if not os.path.lexists(path):
                break
            time.sleep(0.1)


if __name__ == "__main__":
    main()
