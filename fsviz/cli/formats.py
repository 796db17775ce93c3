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
    from fsviz.readers.formats import formats as known

    if form in (None, "text"):
        for one in known():
            typer.echo(f"{one.name:11} {one.title}\n{'':11} {one.example.strip()}")
        return
    rows = [(one.name, one.title, one.example) for one in known()]
    frame = pd.DataFrame(rows, columns=["format", "title", "example"])
    write_frame(frame, form_of(form, None), None)
