"""``fsviz summary``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fsviz.analysis.buckets import SummaryBy
from fsviz.cli.answers import write_answers
from fsviz.cli.options import (
    Edges,
    Metrics,
    Operations,
    Output,
    Regime,
    Settings,
    Sources,
    TableForm,
)
from fsviz.cli.shared import Filters, app
from fsviz.text.forms import PEOPLE, form_of

if TYPE_CHECKING:
    from fsviz.cli.answers import Answered
    from fsviz.model.campaign import Campaign


@app.command(epilog="Example: fsviz summary results --operation write")
def summary(
    sources: Sources,
    operations: Operations = None,
    metrics: Metrics = None,
    by: Annotated[SummaryBy, typer.Option(help="What one row covers.")] = "bucket",
    buckets: Edges = "",
    regime: Regime = None,
    settings: Settings = None,
    scaling: Annotated[
        bool,
        typer.Option("--scaling", help="Show speed-up over threads instead."),
    ] = False,
    every_line: Annotated[
        bool, typer.Option("--all", help="All lines of the text, not the first 25.")
    ] = False,
    form: TableForm = None,
    output: Output = None,
) -> None:
    """Summarise by file-size bucket: n, mean, standard deviations, median, interval."""
    from fsviz.analysis.buckets import edges_of
    from fsviz.analysis.buckets import summary as summarise
    from fsviz.analysis.scaling import scaling as scale
    from fsviz.text.summary import readable, readable_scaling, summary_text

    shape = form_of(form, output)

    def answer(campaign: Campaign) -> Answered:
        if scaling:
            frame = scale(campaign, operation=operations)
            return readable_scaling(frame) if shape in PEOPLE else frame
        frame = summarise(
            campaign,
            operation=operations,
            metric=metrics,
            by=by,
            edges=edges_of(campaign, buckets),
        )
        if shape == "text":
            return summary_text(frame, every_line=every_line)
        return readable(frame) if shape in PEOPLE else frame

    raise typer.Exit(
        write_answers(sources, Filters(regime, settings), answer, shape, output)
    )
