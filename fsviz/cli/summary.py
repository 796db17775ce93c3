"""``fsviz summary``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fsviz.cli.answers import write_answers
from fsviz.cli.shared import (
    Regime,
    Sources,
    TableFormat,
    app,
)

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

Edges = Annotated[
    str,
    typer.Option(
        metavar="EDGES",
        help="Largest file size of each bucket, such as 512k,16m; or 'regimes' for "
        "the processor's cache, memory, beyond memory.",
    ),
]
Confidence = Annotated[
    float, typer.Option(help="Of the intervals, between 0 and 1.", show_default=True)
]


@app.command(epilog="Example: fsviz summary data/raw/onehost-2026 --operation write")
def summary(
    sources: Sources,
    operation: Annotated[
        list[str] | None,
        typer.Option(help="Operation to show; may be repeated. Else all."),
    ] = None,
    by: Annotated[
        Literal["bucket", "operation", "file_size", "record_size"],
        typer.Option(help="What one row speaks for."),
    ] = "bucket",
    buckets: Edges = "",
    regime: Regime = None,
    confidence: Confidence = 0.95,
    scaling: Annotated[
        bool,
        typer.Option("--scaling", help="Show speed-up over threads instead."),
    ] = False,
    format: Annotated[TableFormat, typer.Option(help="How to print.")] = "text",  # noqa: A002
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to a file instead.")
    ] = None,
) -> None:
    """Summarise by file-size bucket: n, mean, standard deviations, median, interval."""
    from fsviz.analysis.buckets import check_confidence, edges_of
    from fsviz.analysis.buckets import summary as summarise
    from fsviz.analysis.scaling import scaling as scale
    from fsviz.text.summary import readable_scaling, summary_text
    from fsviz.text.tables import readable

    check_confidence(confidence)
    people = format in ("text", "markdown")

    def answer(campaign: Campaign) -> pd.DataFrame | str:
        if scaling:
            frame = scale(campaign, operations=operation)
            return readable_scaling(frame) if people else frame
        frame = summarise(
            campaign,
            operations=operation,
            by=by,
            edges=edges_of(campaign, buckets),
            confidence=confidence,
        )
        if format == "text":
            return summary_text(frame, confidence)
        return readable(frame, confidence) if people else frame

    raise typer.Exit(write_answers(sources, regime, answer, format, output))
