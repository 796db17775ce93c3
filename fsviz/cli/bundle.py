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

    It is an RO-Crate: each file is described with its SHA-256. `fsviz verify` reads the
    raw files again and says whether they still say the same.
    """
    from fsviz.report.bundle import bundle as make

    with progress_bar() as progress:
        problems = make(
            seen_from_here(campaign), output, progress=progress, license=terms
        )
    complain(map(str, problems))
    typer.echo(printable(str(output)))
    raise typer.Exit(SOME_UNUSABLE if problems else DONE)


@app.command(epilog="Example: fsviz verify results.zip")
def verify(
    path: Annotated[
        Path, typer.Argument(metavar="FILE", help="What `fsviz bundle` wrote.")
    ],
) -> None:
    """Read a bundle's raw files again, and check that the answer is the same.

    What differs is listed, and the exit status is then 1.
    """
    from fsviz import __version__
    from fsviz.checks.phrases import count
    from fsviz.report.bundle import verify as look

    found = look(path)
    if not found.differences:
        typer.echo(printable(found.headline))
        typer.echo(
            f"The same: {count(found.raw_files, 'raw file')} say what they said, and "
            f"all {found.files} files have the SHA-256 that is stated."
        )
        return
    if found.made_by != __version__:
        made_by = printable(found.made_by)
        complain([f"made by fsviz {made_by}; this is {__version__}"])
    complain(map(printable, found.differences))
    raise typer.Exit(SOME_UNUSABLE)
