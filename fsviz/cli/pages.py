"""``fsviz pages``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fsviz.cli.report import formats_of, progress_bar
from fsviz.cli.shared import SOME_UNUSABLE, app


@app.command(epilog="Example: fsviz pages notebooks/cases -o reports")
def pages(
    notebooks: Annotated[
        list[str],
        typer.Argument(metavar="NOTEBOOK", help="A notebook, or a folder of them."),
    ],
    to: Annotated[str, typer.Option(help="html, pdf or html,pdf.")] = "html",
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder of the reports.")
    ] = Path("reports"),
    jobs: Annotated[
        int, typer.Option(min=0, help="Notebooks executed at once; 0: one a core.")
    ] = 0,
    force: Annotated[
        bool, typer.Option("--force", help="Render also what is up to date.")
    ] = False,
) -> None:
    """Execute notebooks such as the cases, and add their pages to the index."""
    from fsviz.report.jobs import default_jobs
    from fsviz.report.plan import render_pages

    formats, status = formats_of(to)
    with progress_bar() as progress:
        outcomes = render_pages(
            notebooks,
            output,
            formats=formats,
            jobs=jobs or default_jobs(),
            force=force,
            progress=progress,
        )
    failed = [outcome.error for outcome in outcomes if outcome.error]
    for line in failed:
        typer.echo(line, err=True)
    typer.echo(output / "index.html")
    raise typer.Exit(SOME_UNUSABLE if failed else status)
