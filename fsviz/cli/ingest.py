"""``fsviz ingest``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fsviz.cli.shared import DONE, app, load_sources
from fsviz.model.escaping import printable


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
    from fsviz.campaigns.store import ingest as store_campaign

    status = DONE
    for source in campaigns:
        campaign, found = load_sources([source])
        status = max(status, found)
        typer.echo(printable(str(store_campaign(campaign, output))))
    raise typer.Exit(status)
