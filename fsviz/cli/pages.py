"""``fsviz pages``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fsviz.cli.options import (
    Footer,
    Force,
    Jobs,
    ReportsFolder,
    Scheduler,
    Standalone,
    Title,
    To,
    Unlisted,
    Url,
)
from fsviz.cli.report import formats_of, progress_bar
from fsviz.cli.shared import SOME_UNUSABLE, app
from fsviz.model.escaping import printable
from fsviz.model.missing import need


@app.command(epilog="Example: fsviz pages notebooks -o reports")
def pages(
    notebooks: Annotated[
        list[str],
        typer.Argument(metavar="NOTEBOOK", help="A notebook, or a folder of them."),
    ],
    to: To = "html",
    output: ReportsFolder = Path("reports"),
    jobs: Jobs = 0,
    scheduler: Scheduler = "",
    force: Force = False,
    standalone: Standalone = False,
    title: Title = "",
    footer: Footer = "",
    url: Url = "",
    unlisted: Unlisted = None,
) -> None:
    """Execute notebooks such as the cases, and add their pages to the index."""
    need("papermill")
    from fsviz.report.jobs import default_jobs
    from fsviz.report.plan import render_pages

    formats, status = formats_of(to)
    with progress_bar() as progress:
        outcomes = render_pages(
            notebooks,
            output,
            formats=formats,
            jobs=jobs or default_jobs(),
            scheduler=scheduler,
            force=force,
            standalone=standalone,
            site={"title": title, "footer": footer, "url": url, "unlisted": unlisted},
            progress=progress,
        )
    failed = [outcome.error for outcome in outcomes if outcome.error]
    for line in failed:
        typer.echo(line, err=True)
    typer.echo(printable(str(output / "index.html")))
    raise typer.Exit(SOME_UNUSABLE if failed else status)
