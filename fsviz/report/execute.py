"""Run a report template with parameters, by papermill."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.model.errors import FsvizError, UsageError, printable
from fsviz.model.limits import spent
from fsviz.model.names import unknown
from fsviz.model.processes import seconds_of
from fsviz.model.tools import TOOLS

if TYPE_CHECKING:
    from nbformat import NotebookNode


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
    """Execute a template here, and any other notebook in its folder."""
    import fsviz.report._jsonschema  # noqa: F401 # isort: skip
    import papermill
    from papermill.exceptions import PapermillExecutionError

    from fsviz.report._kernel import ENGINE

    check_parameters(notebook, parameters)
    seconds = seconds_of(SECONDS, _SECONDS)
    try:
        with _silenced():
            return papermill.execute_notebook(
                str(notebook),
                str(output),
                parameters=dict(parameters),
                engine_name=ENGINE,
                progress_bar=False,
                kernel_name="python3",
                execution_timeout=seconds,
            )
    except PapermillExecutionError as error:
        reason = str(error.evalue)
        if error.ename == MemoryError.__name__ and not reason:
            reason = spent(MemoryError())
        message = f"{error.ename}: {printable(reason)}" if reason else error.ename
        raise ReportError(f"cell {error.exec_count} stopped with {message}") from error
    except TimeoutError as error:
        raise ReportError(
            f"a cell took longer than {seconds} s and was stopped; {SECONDS}=N "
            "allows N seconds"
        ) from error
    except RuntimeError as error:
        # nbclient's word for a kernel that does not start, or dies
        raise ReportError(f"the kernel failed: {printable(str(error))}") from error


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

    inferred = papermill.inspect_notebook(str(notebook))
    for name, value in parameters.items():
        if name not in inferred:
            raise UsageError(
                f"{notebook}:1: expected one of the parameters {', '.join(inferred)}, "
                f"found {printable(name)}"
            )
        stated = inferred[name]["inferred_type_name"]
        if not isinstance(value, _TYPES.get(stated, object)):
            raise UsageError(
                f"{notebook}:1: expected {stated} for the parameter {name}, "
                f"found {type(value).__name__}"
            )


def warm_up() -> None:
    """Start this process's kernel, which imports while results are read."""
    from fsviz.report._kernel import start_kernel

    start_kernel()
