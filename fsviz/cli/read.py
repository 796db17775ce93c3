"""``fsviz read``."""

from __future__ import annotations

from typing import Annotated

import typer

from fsviz.cli.options import Output, TableForm
from fsviz.cli.shared import (
    DONE,
    SOME_UNUSABLE,
    app,
    complain,
    reading,
    write_frame,
)
from fsviz.text.forms import PEOPLE, form_of


@app.command(epilog="Example: fsviz read results/*.txt --format csv -o table.csv")
def read(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Result files.")],
    form: TableForm = None,
    format_hint: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Format of the files, one of `fsviz formats`."
        ),
    ] = None,
    output: Output = None,
) -> None:
    """Print the tidy table of any result files, one row per measured number."""
    from fsviz.campaigns.read import read_tables

    shape = form_of(form, output)
    with reading() as show:
        frame, problems, notes = read_tables(paths, format_hint, show)
    complain([*problems, *notes])
    if frame is not None and shape in PEOPLE:
        # for people: without the columns that say nothing here
        frame = frame.replace({"campaign": {"": None}}).dropna(axis=1, how="all")
    if frame is not None:
        write_frame(frame, shape, output)
    raise typer.Exit(SOME_UNUSABLE if problems else DONE)
