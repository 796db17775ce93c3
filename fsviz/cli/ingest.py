"""``fsviz ingest``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from fsviz.cli.options import Scheduler
from fsviz.cli.shared import DONE, SOME_UNUSABLE, WRONG_USAGE, app, complain
from fsviz.model.errors import UsageError

if TYPE_CHECKING:
    from fsviz.store.ingest import Ingested


@app.command(epilog="Example: fsviz ingest campaigns/* -o store")
def ingest(
    campaigns: Annotated[
        list[str], typer.Argument(metavar="CAMPAIGN", help="Campaign folders.")
    ],
    output: Annotated[
        str,
        typer.Option(
            "-o", "--output", help="Folder of the store, or an address: s3://…"
        ),
    ] = "data/processed",
    jobs: Annotated[int, typer.Option(min=1, help="Processes that read at once.")] = 1,
    scheduler: Scheduler = "",
    prune: Annotated[
        bool,
        typer.Option(
            "--prune", help="Drop stored campaigns and files whose source is gone."
        ),
    ] = False,
) -> None:
    """Read campaigns into the Parquet store: only what is new or changed."""
    from fsviz.store.executor import pool_of
    from fsviz.store.ingest import ingest as bring_in

    # this process reads as well
    with pool_of(jobs - 1, scheduler) as pool, _counter(len(set(campaigns))) as count:
        outcomes = bring_in(campaigns, output, pool=pool, prune=prune, progress=count)
    raise typer.Exit(max([DONE, *(_print(outcome, output) for outcome in outcomes)]))


def _print(outcome: Ingested, store: str) -> int:
    """Print where a campaign is stored, and what is wrong; return the exit status."""
    from fsviz.store.stored import path_of

    complain(outcome.complaints)
    if outcome.error:
        complain([outcome.error])
    if outcome.name:
        typer.echo(path_of(store, outcome.name))
    elif isinstance(outcome.error, UsageError):
        return WRONG_USAGE
    return SOME_UNUSABLE if outcome.error or outcome.unusable else DONE


@contextmanager
def _counter(campaigns: int) -> Iterator[Callable[[Ingested], None]]:
    """Show how many campaigns, files and numbers are stored, and the time left."""
    from fsviz.cli.report import progress_bar

    done = files = numbers = 0
    with progress_bar() as show:

        def count(outcome: Ingested) -> None:
            nonlocal done, files, numbers
            done += 1
            files += outcome.files
            numbers += outcome.numbers
            show(done, campaigns, f"{files:,} files, {numbers:,} numbers")

        yield count
