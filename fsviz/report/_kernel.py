"""The kernel of this process: started once, and emptied before each notebook."""

from __future__ import annotations

import os
import secrets
from multiprocessing.util import Finalize
from pathlib import Path
from typing import Any

import fsviz.report._jsonschema  # noqa: F401 # isort: skip
from jupyter_client.manager import AsyncKernelManager
from jupyter_core.utils import run_sync
from papermill.clientwrap import PapermillNotebookClient
from papermill.engines import NBClientEngine, papermill_engines
from traitlets.config import Config

from fsviz.model.run_folder import run_folder

ENGINE = "fsviz"
"""Name of `OneKernel`, for papermill."""
_ARGUMENTS = [
    # it would warn that its sockets, local ones, are not encrypted
    "--log-level=CRITICAL",
    # IPython would import from the current folder, where someone's results are
    "--IPKernelApp.ignore_cwd=True",
    # while this process reads results
    "--IPKernelApp.exec_lines=import fsviz.report._preload",
    "--HistoryManager.enabled=False",
]
_LONGEST = 100
"""Bytes of a socket's name, of which BSD allows 104 with the end, unix(4)."""
_started: list[AsyncKernelManager] = []


def start_kernel() -> None:
    """Start this process's kernel if it has none; it need not be waited for."""
    if _started:
        return
    # "-1" to "-5" is added to the name of a socket
    name = str(run_folder() / f"kernel-{secrets.token_hex(4)}")
    kernel = AsyncKernelManager(config=_config(name), connection_file=f"{name}.json")
    run_sync(kernel.start_kernel)(extra_arguments=_ARGUMENTS, env=_environment())
    _started.append(kernel)
    Finalize(None, end_kernel, exitpriority=0)


def end_kernel() -> None:
    """End it, whatever it is doing."""
    while _started:
        run_sync(_started.pop().shutdown_kernel)(now=True)


def _config(name: str) -> Config:
    """Let a kernel talk through sockets of our own folder where their names fit.

    A free TCP port that jupyter_client found may be another program's when the kernel
    opens it.
    """
    if os.name != "posix" or len(os.fsencode(name)) > _LONGEST:
        return Config()
    return Config(KernelManager={"transport": "ipc", "ip": name})


def _environment() -> dict[str, str]:
    """Have a kernel put out figures as data, which the exporter draws."""
    stated = {"PLOTLY_RENDERER": "plotly_mimetype", "PYTHONSAFEPATH": "1"}
    stated["TMPDIR"] = str(run_folder())
    # older ipykernels have debugpy say, on standard error, what a debugger may miss
    stated["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"
    home = Path("~").expanduser()
    if not any(os.access(place, os.W_OK) for place in (home / ".ipython", home)):
        # IPython would warn, and make a folder that nobody removes
        stated["IPYTHONDIR"] = os.environ.get("IPYTHONDIR", str(run_folder()))
    return os.environ | stated


class _Emptied(PapermillNotebookClient):
    """Runs a notebook in a kernel that knows nothing of the one before."""

    def papermill_execute_cells(self) -> None:
        """Run the cells, in their folder, with no variable and no module of another."""
        folder = self.resources["metadata"]["path"]
        code = "import os, fsviz.report._preload; fsviz.report._preload.forget()"
        code += f"; os.chdir({folder!r}); get_ipython().reset()"
        self.wait_for_reply(self.kc.execute(code, silent=True))
        super().papermill_execute_cells()


class OneKernel(NBClientEngine):
    """Runs the cells; papermill's own writes the whole notebook twice a cell.

    Where papermill found the notebook is left out: what it makes is published.
    """

    @classmethod
    def execute_managed_notebook(
        cls, nb_man: Any, kernel_name: str, execution_timeout: int, **_: Any
    ) -> Any:
        """Run the cells of a notebook."""
        stated = nb_man.nb.metadata.papermill
        stated.pop("output_path", None)
        notebook = Path(stated.pop("input_path"))
        # parameters name files from here; papermill's cwd would move this process
        folder = Path.cwd() if stated.get("parameters") else notebook.resolve().parent
        path, nb_man.output_path = nb_man.output_path, None
        start_kernel()
        client = _Emptied(
            nb_man, _started[0], kernel_name=kernel_name, timeout=execution_timeout
        )
        client.resources = {"metadata": {"path": str(folder)}}
        try:
            return client.execute()
        except BaseException:
            # a kernel that died or hung; what it had done until then is kept.
            # Otherwise papermill writes it after this, failed cells too
            nb_man.output_path = path
            end_kernel()
            raise
        finally:
            if client.kc:
                client.kc.stop_channels()


papermill_engines.register(ENGINE, OneKernel)
