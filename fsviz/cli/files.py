"""``fsviz files``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from fsviz.cli.answers import write_answers
from fsviz.cli.options import Output, Sources, TableForm
from fsviz.cli.shared import Filters, app
from fsviz.model.errors import UsageError
from fsviz.text.forms import form_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign


@app.command(epilog="Example: fsviz files results")
def files(
    sources: Sources,
    form: TableForm = None,
    output: Output = None,
) -> None:
    """Say which file went to which system, run and repeat, and what was not used."""
    shape = form_of(form, output)

    def answer(campaign: Campaign) -> pd.DataFrame:
        if campaign.files is None:
            raise UsageError(
                f"files: expected a source that is read from files, found "
                f"{campaign.name or 'a frame'}, which does not say them"
            )
        return campaign.files

    raise typer.Exit(write_answers(sources, Filters(), answer, shape, output))
