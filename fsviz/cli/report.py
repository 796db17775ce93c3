"""``fsviz report``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fsviz.cli.shared import DONE, SOME_UNUSABLE, Sources, app, show_progress


@app.command(epilog="Example: fsviz report data/raw/* -o reports")
def report(
    sources: Sources,
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder of the reports.")
    ] = Path("reports"),
    jobs: Annotated[
        int,
        typer.Option(min=0, help="Reports rendered at once; 0: as fits the machine."),
    ] = 0,
) -> None:
    """Render reports as offline HTML, with an index page."""
    from fsviz.report.batch import default_jobs
    from fsviz.report.batch import report as render

    at_once = jobs or default_jobs()
    outcomes = render(sources, output, jobs=at_once, progress=show_progress)
    show_progress("")
    for outcome in outcomes:
        if outcome.error:
            typer.echo(outcome.error, err=True)
        for problem in outcome.job.problems:
            typer.echo(problem, err=True)
    typer.echo(output / "index.html")
    unusable = any(o.error or o.job.problems for o in outcomes)
    raise typer.Exit(SOME_UNUSABLE if unusable else DONE)
