"""``fsviz files``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fsviz.cli.answers import write_answers
from fsviz.cli.shared import Sources, TableFormat, app
from fsviz.model.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign


@app.command(epilog="Example: fsviz files data/raw/onehost-2026")
def files(
    sources: Sources,
    format: Annotated[TableFormat, typer.Option(help="How to print.")] = "text",  # noqa: A002
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to a file instead.")
    ] = None,
) -> None:
    """Say which file went to which system, run and repeat, and what was not used."""

    def answer(campaign: Campaign) -> pd.DataFrame:
        if campaign.files is None:
            raise UsageError(
                f"files: expected a source that is read from files, found "
                f"{campaign.name or 'a frame'}, which does not say them"
            )
        return campaign.files

    raise typer.Exit(write_answers(sources, None, answer, format, output))
