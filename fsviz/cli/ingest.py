"""``fsviz ingest``."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fsviz.cli.options import Scheduler
from fsviz.cli.shared import DONE, SOME_UNUSABLE, WRONG_USAGE, app, complain
from fsviz.model.errors import UsageError

if TYPE_CHECKING:
    from fsviz.store.ingest import Ingested

SHOWN = 10
"""Complaints of a campaign that are printed; the store keeps all."""


@app.command(epilog="Example: fsviz ingest campaigns/* -o store")
def ingest(
    campaigns: Annotated[
        list[str] | None,
        typer.Argument(metavar="CAMPAIGN", help="Campaign folders."),
    ] = None,
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
    wait: Annotated[
        bool,
        typer.Option("--wait/--no-wait", help="Wait for another ingest, or give up."),
    ] = True,
    failures: Annotated[
        bool,
        typer.Option(
            "--failures", help="Print what could not be used, for all stored campaigns."
        ),
    ] = False,
) -> None:
    """Read campaigns into the Parquet store: only what is new or changed."""
    from fsviz.store.executor import workers
    from fsviz.store.generations import failures as stored_failures
    from fsviz.store.ingest import ingest as bring_in
    from fsviz.store.remote import is_remote

    if failures:
        if is_remote(output):
            raise typer.BadParameter("expected a folder here", param_hint="-o")
        complain(unusable := list(stored_failures(Path(output))))
        raise typer.Exit(SOME_UNUSABLE if unusable else DONE)
    if not campaigns:
        raise typer.BadParameter("expected campaign folders", param_hint="CAMPAIGN")
    with workers(jobs, scheduler) as spread, _counter(len(set(campaigns))) as count:
        found = bring_in(
            campaigns,
            output,
            spread=spread,
            prune=prune,
            wait=wait,
            progress=count,
            waiting=lambda line: typer.echo(line, err=True),
        )
    status = DONE
    for outcome in found:
        status = max(status, _say(outcome, output))
    raise typer.Exit(status)


def _say(outcome: Ingested, store: str) -> int:
    complain(outcome.complaints[:SHOWN])
    if (more := len(outcome.complaints) - SHOWN) > 0:
        complain([f"{outcome.source}: {more} more; fsviz ingest --failures"])
    if outcome.error:
        complain([outcome.error])
    if outcome.kept is None:
        wrong = isinstance(outcome.error, UsageError)
        return WRONG_USAGE if wrong else SOME_UNUSABLE
    typer.echo(f"{store.rstrip('/')}/{outcome.key}")
    return SOME_UNUSABLE if outcome.error or outcome.kept.complaints else DONE


@contextmanager
def _counter(campaigns: int) -> Iterator[Callable[[Ingested], None]]:
    """Show campaigns, files, numbers and complaints so far, and the time left."""
    from fsviz.cli.report import progress_bar

    done = files = numbers = complaints = 0
    with progress_bar() as show:

        def count(outcome: Ingested) -> None:
            nonlocal done, files, numbers, complaints
            done += 1
            if outcome.kept is not None:
                files += outcome.kept.files
                numbers += outcome.kept.numbers
                complaints += outcome.kept.complaints
            said = f"{files:,} files, {numbers:,} numbers, {complaints:,} complaints"
            show(done, campaigns, said)

        yield count
