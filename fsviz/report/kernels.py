"""Kernels forked from a process that has already imported the libraries.

Starting Python and importing pandas, scipy and plotly takes seconds; a fork of a
process that has done so answers at once. This is a provisioner for jupyter_client,
found by its entry point, so papermill and nbclient need not know of it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Mapping, Sequence
from multiprocessing import context, forkserver
from pathlib import Path
from typing import Any

from jupyter_client.connect import KernelConnectionInfo
from jupyter_client.provisioning import LocalProvisioner

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
        isolated_context().set_forkserver_preload(PRELOAD[:1])
        forkserver.ensure_running()


def isolated_context() -> context.BaseContext:
    """Choose how processes start: none of them imports from the current folder.

    ``python -c``, by which multiprocessing starts its servers, puts the current folder
    first on ``sys.path``, so a ``selectors.py`` beside someone's results would run.
    The variable holds for all processes that these start in turn, kernels included:
    https://docs.python.org/3/using/cmdline.html#envvar-PYTHONSAFEPATH

    Returns
    -------
    BaseContext
        Of the fork server, with `PRELOAD`, where there is one; else ``spawn``.
    """
    os.environ["PYTHONSAFEPATH"] = "1"
    if not can_fork():
        return multiprocessing.get_context("spawn")
    forking = multiprocessing.get_context("forkserver")
    forking.set_forkserver_preload(PRELOAD)
    return forking


def can_fork() -> bool:
    """Say whether this machine has a fork server."""
    return "forkserver" in multiprocessing.get_all_start_methods()


class ForkProvisioner(LocalProvisioner):
    """Launches a Python kernel as a fork; any other kernel as the local one does."""

    async def launch_kernel(
        self, cmd: list[str], **kwargs: Any
    ) -> KernelConnectionInfo:
        """Launch a kernel.

        Parameters
        ----------
        cmd : list of str
            The kernel's command line; its arguments are given to the forked kernel.
        **kwargs
            ``env`` and ``cwd`` of the kernel, and what `LocalProvisioner` takes.

        Returns
        -------
        dict
            Connection information.
        """
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
        self._process = isolated_context().Process(  # type: ignore[attr-defined]
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

    from fsviz.report._leash import follow_stated

    os.environ.clear()
    # the kernel ends when its parent does, and that is now the fork server
    os.environ.update(env | {"JPY_PARENT_PID": str(os.getppid())})
    os.chdir(cwd)
    follow_stated()
    IPKernelApp.launch_instance(arguments)
