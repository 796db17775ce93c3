"""What the system allows a process: asked first, because libraries do not ask.

OpenBLAS tries for ever to get its memory, C++ ends a process that gets none without a
word, and zmq aborts where it may open no further file.
"""

from __future__ import annotations

import errno
import os
from typing import Any

from fsviz.model.errors import FsvizError

resource: Any
try:
    import resource
except ImportError:  # Windows
    resource = None

MIB = 1 << 20
MEMORY, MEMORY_OF_PAGES = 512 * MIB, 1280 * MIB
"""Address space [B] in which any command starts, and one with kernels or a browser."""
FILES = 256
"""Files that a kernel, or Chromium, has open at once, and as many again to spare."""

_SPENT = {
    errno.ENOMEM: "memory: expected more than this process may have (ulimit -v)",
    errno.EMFILE: "files: expected more than may be open at once (ulimit -n)",
    errno.ENFILE: "files: expected more than this machine may have open at once",
    errno.EAGAIN: "processes: expected more than this user may have (ulimit -u)",
}


def expect_memory(least: int = MEMORY) -> None:
    """Refuse an address space that is too small to start in."""
    if resource is None:
        return
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    if allowed == resource.RLIM_INFINITY:
        return
    if allowed < least:
        raise FsvizError(
            f"memory: expected an address space of {least // MIB} MiB or more "
            f"(ulimit -v {least // 1024}), found {allowed // MIB} MiB"
        )
    # by default it reserves a GiB where that much is left, and leaves nothing
    os.environ.setdefault("ARROW_DEFAULT_MEMORY_POOL", "system")
    # OpenBLAS gets its memory now or never
    import numpy  # noqa: F401, ICN001

    from fsviz.model.libraries import special  # noqa: F401


def expect_room() -> None:
    """Refuse what leaves no room for kernels or a browser."""
    expect_memory(MEMORY_OF_PAGES)
    expect_files()


def expect_files() -> None:
    """Allow this process as many open files as it may allow itself, or refuse."""
    if resource is None:
        return
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    unlimited = resource.RLIM_INFINITY
    if allowed == unlimited or allowed >= FILES:
        return
    if most != unlimited and most < FILES:
        raise FsvizError(
            f"files: expected {FILES} or more that may be open at once (ulimit -n), "
            f"found {most}"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (FILES, most))


def spent(error: BaseException) -> str:
    """Return the line to say of an error if the system gave no more; else nothing."""
    code = error.errno if isinstance(error, OSError) else 0
    if isinstance(error, MemoryError) or "failed to map segment" in str(error):
        code = errno.ENOMEM
    if isinstance(error, RuntimeError) and "start new thread" in str(error):
        code = errno.EAGAIN
    return f"{_SPENT[code]}, found no more" if code in _SPENT else ""
