"""Run a report template with parameters, by papermill."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.errors import FsvizError, UsageError, printable

if TYPE_CHECKING:
    from nbformat import NotebookNode

TEMPLATES = {"iozone": "iozone.ipynb"}
"""Report templates by the tool whose results they show."""


class ReportError(FsvizError):
    """A notebook stopped at a cell; what it had done until then is kept."""


def template(tool: str) -> Path:
    """Find the notebook for a tool, in an installed package or a checkout.

    Raises
    ------
    UsageError
        If there is none.
    """
    if tool not in TEMPLATES:
        raise UsageError(
            f"no report template for {tool}, only for {', '.join(TEMPLATES)}"
        )
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "notebooks", package.parent / "notebooks"):
        if (folder / TEMPLATES[tool]).is_file():
            return folder / TEMPLATES[tool]
    raise UsageError(f"the template {TEMPLATES[tool]} is not installed")


def execute(
    notebook: Path, output: Path, parameters: Mapping[str, object]
) -> NotebookNode:
    """Execute a template.

    Parameters
    ----------
    notebook : Path
        The template, with one cell tagged ``parameters``.
    output : Path
        Where the executed notebook goes, also if a cell fails.
    parameters : mapping
        Values for names of the ``parameters`` cell.

    Returns
    -------
    NotebookNode
        The executed notebook.

    Raises
    ------
    UsageError
        If the template has no such parameter; papermill would only log that.
    ReportError
        If a cell raises.
    """
    import papermill
    from papermill.exceptions import PapermillExecutionError

    known = papermill.inspect_notebook(str(notebook))
    for name in parameters:
        if name not in known:
            raise UsageError(
                f"{notebook}:1: expected one of the parameters {', '.join(known)}, "
                f"found {printable(name)}"
            )
    try:
        with _figures_as_data():
            return papermill.execute_notebook(
                str(notebook),
                str(output),
                parameters=dict(parameters),
                progress_bar=False,
                kernel_name="python3",
                # it would warn that its sockets, local ones, are not encrypted
                extra_arguments=["--log-level=CRITICAL"],
            )
    except PapermillExecutionError as error:
        raise ReportError(
            f"cell {error.exec_count} stopped with {error.ename}: "
            f"{printable(str(error.evalue))}"
        ) from error


@contextmanager
def _figures_as_data() -> Iterator[None]:
    """Have the kernel put out figures as data only; the exporter draws them."""
    before = os.environ.get("PLOTLY_RENDERER")
    os.environ["PLOTLY_RENDERER"] = "plotly_mimetype"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PLOTLY_RENDERER"]
        else:
            os.environ["PLOTLY_RENDERER"] = before
