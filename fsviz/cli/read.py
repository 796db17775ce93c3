"""``fsviz read``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from fsviz.cli.shared import DONE, SOME_UNUSABLE, app, complain, write_frame
from fsviz.model.errors import UsageError


@app.command(epilog="Example: fsviz read results/*.txt --format csv -o table.csv")
def read(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Result files.")],
    format: Annotated[  # noqa: A002
        Literal["text", "csv", "json", "markdown", "parquet"],
        typer.Option(help="How to print the table."),
    ] = "text",
    format_hint: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="Format of the files, one of `fsviz formats`."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to a file instead.")
    ] = None,
) -> None:
    """Print the tidy table of any result files, one row a measured number."""
    from fsviz.campaigns.load import read_tables

    if format == "parquet" and output is None:
        raise UsageError("--format parquet: expected -o FILE, found none")
    frame, problems, notes = read_tables(paths, format_hint)
    complain([*problems, *notes])
    if frame is not None and format in ("text", "markdown"):
        # for people: without the columns that say nothing here
        frame = frame.replace({"campaign": {"": None}}).dropna(axis=1, how="all")
    if frame is not None:
        write_frame(frame, format, output)
    raise typer.Exit(SOME_UNUSABLE if problems else DONE)
