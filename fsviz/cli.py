"""Command line: parse arguments, call one function, print, return a status."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NoReturn

import typer

from fsviz.errors import FsvizError, ParseError, UsageError

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.campaign import Campaign

DONE, SOME_UNUSABLE, WRONG_USAGE = 0, 1, 2

app = typer.Typer(
    name="fsviz",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Read file-system benchmark output, compare it honestly, show where the "
    "difference lies.",
)

Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE",
        help="A campaign folder, a stored campaign, or label=path[,path...].",
    ),
]
TableFormat = Literal["text", "csv", "json", "markdown"]


def main() -> NoReturn:
    """Run the command line and exit with its status."""
    try:
        app()
    except FsvizError as error:
        _complain([error])
        sys.exit(WRONG_USAGE if isinstance(error, UsageError) else SOME_UNUSABLE)
    sys.exit(DONE)


def _version(wanted: bool) -> None:
    if wanted:
        from fsviz import __version__

        typer.echo(f"fsviz {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    """Options that stand before the command."""


@app.command(epilog="Example: fsviz read results/*.txt --format csv -o table.csv")
def read(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help="Result files.")],
    format: Annotated[  # noqa: A002
        Literal["text", "csv", "json", "markdown", "parquet"],
        typer.Option(help="How to print the table."),
    ] = "text",
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to a file instead.")
    ] = None,
) -> None:
    """Print the tidy table of any result files, one row a measured number."""
    from fsviz.reading import read_paths

    if format == "parquet" and output is None:
        raise UsageError("--format parquet: expected -o FILE, found none")
    frame, problems = read_paths(paths)
    _complain(problems)
    if frame is not None:
        _write(frame, format, output)
    raise typer.Exit(SOME_UNUSABLE if problems else DONE)


@app.command(epilog="Example: fsviz ingest data/raw/* -o data/processed")
def ingest(
    campaigns: Annotated[
        list[str], typer.Argument(metavar="CAMPAIGN", help="Campaign folders.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder of the store.")
    ] = Path("data/processed"),
) -> None:
    """Read campaigns into the Parquet store."""
    from fsviz.store import ingest as store_campaign

    status = DONE
    for source in campaigns:
        campaign, found = _load([source])
        status = max(status, found)
        typer.echo(store_campaign(campaign, output))
    raise typer.Exit(status)


@app.command(epilog="Example: fsviz summary data/raw/onehost-2026")
def summary(
    sources: Sources,
    format: Annotated[TableFormat, typer.Option(help="How to print.")] = "text",  # noqa: A002
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to a file instead.")
    ] = None,
) -> None:
    """Summarise by file-size bucket: n, mean, standard deviations, median, interval."""
    from fsviz.analysis.buckets import summary as summarise
    from fsviz.printing import readable

    campaign, status = _load(sources)
    frame = summarise(campaign)
    shown = readable(frame) if format in ("text", "markdown") else frame
    _write(shown, format, output)
    raise typer.Exit(status)


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

    outcomes = render(sources, output, jobs=jobs or default_jobs(), progress=_progress)
    for outcome in outcomes:
        if outcome.error:
            typer.echo(outcome.error, err=True)
        for problem in outcome.job.problems:
            typer.echo(problem, err=True)
    typer.echo(output / "index.html")
    unusable = any(o.error or o.job.problems for o in outcomes)
    raise typer.Exit(SOME_UNUSABLE if unusable else DONE)


def _load(sources: list[str]) -> tuple[Campaign, int]:
    """Load, name on standard error what could not be used, and say the status."""
    from fsviz.campaign import load

    campaign = load(sources, progress=_progress)
    _complain(campaign.problems)
    return campaign, SOME_UNUSABLE if campaign.problems else DONE


def _complain(problems: Iterable[FsvizError | ParseError]) -> None:
    for problem in problems:
        typer.echo(str(problem), err=True)


def _progress(line: str) -> None:
    """Show one changing line, on a terminal only."""
    if sys.stderr.isatty():
        from fsviz.errors import printable

        sys.stderr.write(f"\r\x1b[K{printable(line)[:100]}")
        sys.stderr.flush()


def _write(frame: pd.DataFrame, form: str, output: Path | None) -> None:
    """Print a frame, or write it aside and rename, so that no half file stays."""
    if output is None:
        from fsviz.printing import render

        sys.stdout.write(render(frame, form))  # type: ignore[arg-type]
        return
    aside = output.with_name(f".{output.name}.part")
    try:
        if form == "parquet":
            frame.to_parquet(aside, index=False)
        else:
            from fsviz.printing import render

            aside.write_text(render(frame, form), encoding="utf-8")  # type: ignore[arg-type]
        aside.replace(output)
    except OSError as error:
        raise UsageError(
            f"{output}:1: expected a file to write, found {error.strerror}"
        ) from error
    finally:
        aside.unlink(missing_ok=True)
