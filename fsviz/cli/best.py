"""``fsviz best``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fsviz.analysis.best import BestBy
from fsviz.cli.answers import write_answers
from fsviz.cli.options import (
    Edges,
    Operations,
    Output,
    Regime,
    Settings,
    Sizes,
    Sources,
    TableForm,
)
from fsviz.cli.shared import Filters, app, inform
from fsviz.text.forms import PEOPLE, form_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign


@app.command(epilog="Example: fsviz best results --operation write")
def best(
    sources: Sources,
    operations: Operations = None,
    by: Annotated[BestBy, typer.Option(help="What one row covers.")] = "bucket",
    buckets: Edges = "",
    regime: Regime = None,
    settings: Settings = None,
    sizes: Sizes = "measurable",
    form: TableForm = None,
    output: Output = None,
) -> None:
    """Name the best record size, and those that are not shown to be worse.

    A bucket uses only the file sizes that were measured with every record size there,
    because small records are often measured in small files only. The interval is that
    of the ratio best ÷ second over the runs. It holds for all pairs of records at once.
    """
    from fsviz.analysis.best import best as best_records
    from fsviz.analysis.buckets import edges_of
    from fsviz.checks.measurable import measurable, measurable_line
    from fsviz.text.summary import readable_best

    shape = form_of(form, output)

    def answer(campaign: Campaign) -> pd.DataFrame:
        edges = edges_of(campaign, buckets)
        if sizes == "measurable":
            campaign, sizes_kept = measurable(campaign)
            if line := measurable_line(sizes_kept):
                inform(line)
        frame = best_records(campaign, operation=operations, by=by, edges=edges)
        return readable_best(frame) if shape in PEOPLE else frame

    raise typer.Exit(
        write_answers(sources, Filters(regime, settings), answer, shape, output)
    )
