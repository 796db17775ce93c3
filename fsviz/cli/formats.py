"""``fsviz formats``."""

from __future__ import annotations

from typing import Annotated

import typer

from fsviz.cli.options import TableForm
from fsviz.cli.shared import app, write_frame
from fsviz.model.libraries import pd
from fsviz.text.forms import form_of


@app.command(epilog="Example: fsviz formats")
def formats(
    form: TableForm = None,
    explain: Annotated[
        str, typer.Option(metavar="NAME", help="Say what a format looks like instead.")
    ] = "",
) -> None:
    """List the formats that are recognised, each with a typical line."""
    if explain:
        from fsviz.readers.formats import explanation

        typer.echo(explanation(explain))
        return
    from fsviz.readers.formats import formats as recognised

    if form in (None, "text"):
        for entry in recognised():
            typer.echo(
                f"{entry.name:11} {entry.title}\n{'':11} {entry.example.strip()}"
            )
        return
    rows = [(entry.name, entry.title, entry.example) for entry in recognised()]
    frame = pd.DataFrame(rows, columns=["format", "title", "example"])
    write_frame(frame, form_of(form, None), None)
