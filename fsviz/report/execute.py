"""Run a report template with parameters, by papermill."""

from __future__ import annotations

import logging
import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.model.errors import FsvizError, UsageError, printable
from fsviz.model.limits import spent
from fsviz.model.names import unknown
from fsviz.model.processes import can_fork, seconds_of
from fsviz.model.run_folder import run_folder, temporary_files
from fsviz.model.tools import TOOLS

if TYPE_CHECKING:
    from nbformat import NotebookNode
    from traitlets.config import Config


@dataclass(frozen=True, slots=True)
class Template:
    """A notebook, its title, the tool it needs ('' = any), and how many systems."""

    notebook: str
    title: str
    tool: str = ""
    systems: int = 1


SHARED = "tool.ipynb"
"""The notebook of every tool that has none of its own; it is told which tool."""

TEMPLATES: dict[str, Template] = {
    **{
        tool.page or name: Template(f"{tool.notebook}.ipynb", tool.title, name)
        for name, tool in TOOLS.items()
    },
    "compare": Template("compare.ipynb", "comparison", systems=2),
}
"""Report templates by the name of the page they become."""

_TYPES = {"str": str, "int": int, "float": float, "bool": bool, "list": list}


_KERNEL_ARGUMENTS = [
    # it would warn that its sockets, local ones, are not encrypted
    "--log-level=CRITICAL",
    # IPython would import from the current folder, where someone's results are
    "--IPKernelApp.ignore_cwd=True",
]


_LONGEST = 100
"""Bytes of a socket's name, of which BSD allows 104 with the end, unix(4)."""

SECONDS = "FSVIZ_CELL_SECONDS"
"""Variable with the seconds a cell may take; one without end would hold a batch."""
_SECONDS = 900


class ReportError(FsvizError):
    """A notebook stopped at a cell; what it had done until then is kept."""


def template(key: str) -> Path:
    """Find a template's notebook, in an installed package or a checkout."""
    if key not in TEMPLATES:
        raise unknown("template", key, TEMPLATES)
    name = TEMPLATES[key].notebook
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if (folder / name).is_file():
            return folder / name
    raise UsageError(f"the template {name} is not installed")


def execute(
    notebook: Path, output: Path, parameters: Mapping[str, object]
) -> NotebookNode:
    """Execute a template."""
    import fsviz.report._jsonschema  # noqa: F401 # isort: skip
    import papermill
    from papermill.exceptions import PapermillExecutionError

    from fsviz.report._engine import ENGINE

    check_parameters(notebook, parameters)
    seconds = seconds_of(SECONDS, _SECONDS)
    try:
        with _environment(), _silenced():
            return papermill.execute_notebook(
                str(notebook),
                str(output),
                parameters=dict(parameters),
                engine_name=ENGINE,
                progress_bar=False,
                kernel_name="python3",
                execution_timeout=seconds,
                extra_arguments=_KERNEL_ARGUMENTS,
                config=_config(),
            )
    except PapermillExecutionError as error:
        reason = str(error.evalue)
        if error.ename == MemoryError.__name__ and not reason:
            reason = spent(MemoryError())
        said = f"{error.ename}: {printable(reason)}" if reason else error.ename
        raise ReportError(f"cell {error.exec_count} stopped with {said}") from error
    except TimeoutError as error:
        raise ReportError(
            f"a cell took longer than {seconds} s and was stopped; {SECONDS}=N "
            "allows N seconds"
        ) from error
    except RuntimeError as error:
        # nbclient's word for a kernel that does not start, or dies
        raise ReportError(f"the kernel failed: {printable(str(error))}") from error


def _config() -> Config:
    """Let kernels talk through sockets of our own folder where their names fit.

    A free TCP port that jupyter_client found may be another program's when the kernel
    opens it.
    """
    from traitlets.config import Config

    # "-1" to "-5" is added to it
    name = str(run_folder() / f"kernel-{secrets.token_hex(4)}")
    if not can_fork() or len(os.fsencode(name)) > _LONGEST:
        return Config()
    return Config(KernelManager={"transport": "ipc", "ip": name})


@contextmanager
def _silenced() -> Iterator[None]:
    """Keep libraries from logging what the error says in one line."""
    names = ("traitlets", "papermill", "nbclient")
    loggers = [logging.getLogger(name) for name in names]
    before = [logger.disabled for logger in loggers]
    for logger in loggers:
        logger.disabled = True
    try:
        yield
    finally:
        for logger, disabled in zip(loggers, before, strict=True):
            logger.disabled = disabled


def check_parameters(notebook: Path, parameters: Mapping[str, object]) -> None:
    """Refuse parameters that a template does not have, or not of this type."""
    import fsviz.report._jsonschema  # noqa: F401 # isort: skip
    import papermill

    known = papermill.inspect_notebook(str(notebook))
    for name, value in parameters.items():
        if name not in known:
            raise UsageError(
                f"{notebook}:1: expected one of the parameters {', '.join(known)}, "
                f"found {printable(name)}"
            )
        stated = known[name]["inferred_type_name"]
        if not isinstance(value, _TYPES.get(stated, object)):
            raise UsageError(
                f"{notebook}:1: expected {stated} for the parameter {name}, "
                f"found {type(value).__name__}"
            )


@contextmanager
def _environment() -> Iterator[None]:
    """Fork the kernel, and have it put out figures as data; the exporter draws them."""
    from fsviz.report.kernels import CHOOSE, PROVISIONER

    # see `isolated_context`; here for kernels that are not forked
    wanted = {"PLOTLY_RENDERER": "plotly_mimetype", CHOOSE: PROVISIONER}
    wanted["PYTHONSAFEPATH"] = "1"
    wanted["JUPYTER_RUNTIME_DIR"] = wanted["TMPDIR"] = str(run_folder())
    home = Path("~").expanduser()
    own = any(os.access(place, os.W_OK) for place in (home / ".ipython", home))
    if not own and "IPYTHONDIR" not in os.environ:
        # IPython would warn, and make a folder that nobody removes
        wanted["IPYTHONDIR"] = str(run_folder())
    before = {name: os.environ.get(name) for name in wanted}
    os.environ.update(wanted)
    try:
        with temporary_files():
            yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
