"""One JupyterLab for the tests, on copies of the project's notebooks."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

IDLE = "#jp-main-statusbar >> text=/[|] Idle/"
"""The indicator beside the notebook is idle before there is a kernel; this is not."""


@contextmanager
def served(root: Path, folder: Path) -> Iterator[str]:
    """Serve the project's notebooks, whose autosave cannot reach the project.

    Yields
    ------
    str
        The address of the server. The data are beside the notebooks.
    """
    shutil.copytree(root / "notebooks", folder / "notebooks")
    (folder / "data").symlink_to(root / "data")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [
        f"--port={port}",
        "--IdentityProvider.token=",
        f"--ServerApp.root_dir={folder}",
        "--LabApp.app_settings_dir=notebooks/lab",
        "--LabApp.extra_labextensions_path=notebooks/lab/extensions",
    ]
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR")
    own = {name: str(folder / name.lower()) for name in places}
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(
            command, env=os.environ | own, stdout=log, stderr=log, cwd=folder
        )
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        try:
            server.wait(90)
        except subprocess.TimeoutExpired:  # it waits for a kernel, nobody else does
            server.kill()
            server.wait()


def agree(dialog) -> None:
    """Take the answer that a dialog proposes."""
    sys.stderr.write(dialog.inner_text())
    dialog.locator(".jp-mod-accept").first.click()


def visit(page, server: str, notebook: str, seconds: float = 120) -> None:
    """Open a notebook, wait for the server to answer and the kernel to be ready.

    Each visit has a workspace of its own: in a shared one JupyterLab opens the
    notebooks of the visit before as well, whose kernel is idle before this one begins.

    JupyterLab asks a question now and then (which kernel, which version of a file) in
    a dialog that covers everything; it is answered as a learner would, and printed.
    """
    from playwright.sync_api import Error

    page.add_locator_handler(page.locator("dialog.jp-Dialog").last, agree)
    address = f"{server}/lab/workspaces/{uuid.uuid4().hex}/tree/{notebook}"
    until = time.monotonic() + seconds
    while True:
        try:
            page.goto(address)
        except Error:
            if time.monotonic() > until:
                raise
            time.sleep(0.5)
        else:
            break
    page.wait_for_selector(".jp-Notebook .jp-Cell")
    page.wait_for_selector(IDLE)
