"""``fsviz history``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fsviz.cli.options import FailOn, Operations, Output, TableForm
from fsviz.cli.shared import DONE, GATE, app, complain
from fsviz.text.forms import form_of


@app.command(epilog="Example: fsviz history store --system nfs --operation write")
def history(
    store: Annotated[str, typer.Argument(metavar="STORE", help="Of fsviz ingest.")],
    systems: Annotated[
        list[str] | None, typer.Option("--system", metavar="NAME,...", help="Else all.")
    ] = None,
    operations: Operations = None,
    form: TableForm = None,
    output: Output = None,
    figure: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw it as well: .html, .svg, .png, .pdf."),
    ] = None,
    fail_on: FailOn = None,
) -> None:
    """Compare each campaign of a store with the one before, by date.

    A row is one test of one system: its ratio to the last earlier campaign that has the
    system, with its interval, and the facts that changed meanwhile.
    """
    from fsviz.answers.gate import conditions_of
    from fsviz.answers.history import events, steps, table_of
    from fsviz.cli.answers import write_all

    shape = form_of(form, output)
    conditions = conditions_of(fail_on or [])
    compared = steps(store, systems)
    frame = table_of(compared, operations)
    if figure is not None:
        from fsviz.figures.export import save
        from fsviz.figures.history import history_lines

        save(history_lines(frame), figure)
    write_all([("history", frame)], shape, output)
    complain(lines := events(compared, conditions))
    raise typer.Exit(GATE if lines else DONE)
