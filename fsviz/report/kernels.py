"""Kernels forked from a process that has already imported the libraries.

Starting Python and importing pandas, scipy and plotly takes seconds; a fork of a
process that has done so answers at once. This is a provisioner for jupyter_client,
found by its entry point, so papermill and nbclient need not know of it.
"""

from __future__ import annotations

import os
import signal
import tempfile
from collections.abc import Mapping, Sequence
from multiprocessing import forkserver
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner

from fsviz.model.processes import can_fork, isolated_context

PROVISIONER = "fsviz-fork"
"""Name of the entry point; `JUPYTER_DEFAULT_PROVISIONER_NAME` selects it."""

CHOOSE = "JUPYTER_DEFAULT_PROVISIONER_NAME"
_LAUNCHER = "ipykernel_launcher"


PRELOAD = ["fsviz.report._preload", "fsviz.report._workers"]
"""What the fork server imports: it makes kernels, and the workers of a batch."""


def warm_up() -> None:
    """Start importing in the background, so that the first kernel need not wait.

    Only what kernels need: a single campaign has little use for workers.
    """
    if can_fork():
        isolated_context(PRELOAD[:1])
        forkserver.ensure_running()


class ForkProvisioner(LocalProvisioner):
    """Launches a Python kernel as a fork; any other kernel as the local one does."""

    async def launch_kernel(
        self, cmd: list[str], **kwargs: Any
    ) -> KernelConnectionInfo:
        """Launch a kernel."""
        if _LAUNCHER not in cmd or not can_fork():
            return await super().launch_kernel(cmd, **kwargs)
        arguments = cmd[cmd.index(_LAUNCHER) + 1 :]
        env = dict(kwargs.get("env") or os.environ)
        cwd = str(kwargs.get("cwd") or Path.cwd())
        forked = _Forked(arguments, env, cwd)
        self.process = forked  # type: ignore[assignment]  # Popen in all that is used
        self.pid = forked.pid
        self.pgid = None
        self.cwd = cwd
        return self.connection_info


class _Forked:
    """A forked kernel with as much of Popen as `LocalProvisioner` uses."""

    stdin = stdout = stderr = None

    def __init__(
        self, arguments: Sequence[str], env: Mapping[str, str], cwd: str
    ) -> None:
        self._process = isolated_context(PRELOAD).Process(  # type: ignore[attr-defined]
            target=_run_kernel, args=(list(arguments), dict(env), cwd)
        )
        self._process.start()
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self) -> int | None:
        self._process.join()
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.pid is not None and self._process.is_alive():
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)


def _run_kernel(arguments: list[str], env: dict[str, str], cwd: str) -> None:
    """Become the kernel; runs in the fork."""
    from ipykernel.kernelapp import IPKernelApp

    from fsviz.model.processes import follow_stated

    os.environ.clear()
    # the kernel ends when its parent does, and that is now the fork server
    os.environ.update(env | {"JPY_PARENT_PID": str(os.getppid())})
    tempfile.tempdir = None  # it follows the environment again
    os.chdir(cwd)
    follow_stated()
    try:
        IPKernelApp.launch_instance(arguments)
    except FileNotFoundError:
        # the batch was ended meanwhile, and its folder is gone: nobody waits for this
        if Path(env["JUPYTER_RUNTIME_DIR"]).is_dir():
            raise
