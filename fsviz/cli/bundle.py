"""``fsviz bundle`` and ``fsviz verify``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fsviz.cli.report import progress_bar, seen_from_here
from fsviz.cli.shared import DONE, SOME_UNUSABLE, app, complain
from fsviz.model.escaping import printable


@app.command(epilog="Example: fsviz bundle results -o results.zip")
def bundle(
    campaign: Annotated[
        str, typer.Argument(metavar="CAMPAIGN", help="The folder of a campaign.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FILE", help="The ZIP to write.")
    ],
    terms: Annotated[
        str,
        typer.Option(
            "--license",
            metavar="NAME",
            help="License of the results, such as CC-BY-4.0.",
        ),
    ] = "",
) -> None:
    """Make a result that can be cited: raw files, answer, tables and page in one file.

    It is an RO-Crate: each file is described with its SHA-256. Publish the digest that
    is printed beside the file: `fsviz verify` prints that of the file which a reader
    has.
    """
    from fsviz.report.bundle import bundle as make

    with progress_bar() as progress:
        digest, problems = make(
            seen_from_here(campaign), output, progress=progress, license=terms
        )
    complain(map(str, problems))
    typer.echo(printable(str(output)))
    typer.echo(f"digest: {digest}")
    raise typer.Exit(SOME_UNUSABLE if problems else DONE)


@app.command(epilog="Example: fsviz verify results.zip")
def verify(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="What `fsviz bundle` wrote.")
    ],
) -> None:
    """Read a bundle's raw files again, and check answer and tables against them.

    It prints what was checked, part by part, and the digest of all files. What differs
    is listed, and the exit status is then 1. Only a digest that was published elsewhere
    shows that the bundle is the one that its author made.
    """
    from fsviz import __version__
    from fsviz.report.bundle import verify as look

    verification = look(path)
    if not verification.differences:
        typer.echo(printable(verification.headline))
    for line in (*verification.parts, f"digest: {verification.digest}"):
        typer.echo(line)
    if not verification.differences:
        return
    if verification.made_by != __version__:
        made_by = printable(verification.made_by)
        complain([f"made by fsviz {made_by}; this is {__version__}"])
    complain(map(printable, verification.differences))
    raise typer.Exit(SOME_UNUSABLE)
