"""``fsviz formats``."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from fsviz.cli.shared import app, write_frame


@app.command(epilog="Example: fsviz formats")
def formats(
    format: Annotated[  # noqa: A002
        Literal["text", "csv", "json", "markdown"],
        typer.Option(help="How to print the list."),
    ] = "text",
    explain: Annotated[
        str, typer.Option(metavar="NAME", help="Say how a format looks instead.")
    ] = "",
) -> None:
    """List the formats that are recognised, each with a line by which one knows it."""
    if explain:
        from fsviz.readers.formats import explanation

        typer.echo(explanation(explain))
        return
    from fsviz.readers.formats import formats as known

    if format == "text":
        for form in known():
            typer.echo(f"{form.name:11} {form.title}\n{'':11} {form.example.strip()}")
        return
    import pandas as pd

    rows = [(form.name, form.title, form.example) for form in known()]
    frame = pd.DataFrame(rows, columns=["format", "title", "example"])
    write_frame(frame, format, None)
