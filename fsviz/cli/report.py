"""``fsviz report``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fsviz.cli.options import Regime, Scheduler, Sources
from fsviz.cli.shared import (
    DONE,
    SOME_UNUSABLE,
    WRONG_USAGE,
    app,
    complain,
    inform,
    say_with_v,
    says_all,
)
from fsviz.model.errors import FsvizError, UsageError
from fsviz.model.escaping import printable
from fsviz.model.missing import need

if TYPE_CHECKING:
    from fsviz.report.plan import Batch


@app.command(epilog="Example: fsviz report results --to html,pdf -o reports")
def report(
    sources: Sources,
    to: Annotated[str, typer.Option(help="html, pdf or html,pdf.")] = "html",
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder of the reports.")
    ] = Path("reports"),
    jobs: Annotated[
        int, typer.Option(min=0, help="Notebooks rendered at once; 0: one per core.")
    ] = 0,
    scheduler: Scheduler = "",
    template: Annotated[
        str, typer.Option(help="Only these templates, as in iozone,compare.")
    ] = "",
    regime: Regime = None,
    force: Annotated[
        bool, typer.Option("--force", help="Also render what is up to date.")
    ] = False,
    standalone: Annotated[
        bool,
        typer.Option("--standalone", help="Pages that need no other file (5 MB each)."),
    ] = False,
    title: Annotated[
        str, typer.Option(help="Heading of the index; later runs keep it.")
    ] = "",
    footer: Annotated[
        str, typer.Option(help="Last line of the index; later runs keep it.")
    ] = "",
) -> None:
    """Render reports, with an index page; what is up to date is left alone.

    Notebooks, and folders of nothing else such as notebooks/cases, are executed with
    the parameters that they state. Pages name each source as it is named here, or, if
    it is inside the current folder, by its path from there.
    """
    need("papermill")
    from fsviz.report.jobs import default_jobs
    from fsviz.report.plan import report as render

    formats, status = formats_of(to)
    with progress_bar() as progress:
        batch = render(
            [seen_from_here(source) for source in sources],
            output,
            formats=formats,
            templates=tuple(filter(None, template.split(","))),
            jobs=jobs or default_jobs(),
            scheduler=scheduler,
            force=force,
            standalone=standalone,
            regime=regime or "",
            site={"title": title, "footer": footer},
            progress=progress,
        )
    failed = _print_outcomes(batch, output)
    raise typer.Exit(_worse(SOME_UNUSABLE if failed else status, batch.unusable))


def _print_outcomes(batch: Batch, output: Path) -> bool:
    """Say what was rendered and what was not; return whether something failed."""
    complain(batch.unusable)
    entries = {outcome.job.folder: outcome.job.entry for outcome in batch.outcomes}
    for folder, entry in entries.items():
        if entry.selection:
            inform(f"{folder}: {entry.selection}")
    seen = {problem for entry in entries.values() for problem in entry.problems}
    errors = [outcome.error for outcome in batch.outcomes if outcome.error]
    for line in [*sorted(seen), *errors]:
        typer.echo(line, err=True)
    if batch.outcomes:
        typer.echo(printable(str(output / "index.html")))
    return bool(seen or errors or batch.unusable)


def seen_from_here(source: str) -> str:
    """Name a source below the current folder without the folders above it.

    Pages tell their sources, and a page that is published need not tell where on a
    machine they were.
    """
    label, equals, paths = source.rpartition("=")
    here = Path.cwd()
    near = [
        str(Path(path).relative_to(here)) if Path(path).is_relative_to(here) else path
        for path in paths.split(",")
    ]
    return label + equals + ",".join(near)


def _worse(status: int, unusable: tuple[FsvizError, ...]) -> int:
    wrong = any(isinstance(error, UsageError) for error in unusable)
    return WRONG_USAGE if wrong else status


def formats_of(to: str) -> tuple[tuple[str, ...], int]:
    """Leave PDF out where it cannot be made, and say once what is missing."""
    from fsviz.figures.browser import missing_for_pictures

    formats = tuple(form.strip() for form in to.split(","))
    lacking = missing_for_pictures() if "pdf" in formats else ""
    if not lacking:
        return formats, DONE
    typer.echo(lacking, err=True)
    without_pdf = tuple(form for form in formats if form != "pdf")
    if not without_pdf:
        raise typer.Exit(SOME_UNUSABLE)
    return without_pdf, SOME_UNUSABLE


@contextmanager
def progress_bar() -> Iterator[Callable[[int, int, str], None]]:
    """Show on a terminal what is being done, a bar and the time left.

    Elsewhere nothing, or with ``-v`` a line each.
    """
    if says_all() or not sys.stderr.isatty():
        yield lambda done, total, line: say_with_v(f"{done}/{total} {line}")
        return
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.completed} of {task.total}"),
        BarColumn(bar_width=20),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)

        def show(done: int, total: int, line: str) -> None:
            bar.update(task, completed=done, total=total, description=escape(line))

        yield show
