"""``fsviz summary``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fsviz.cli.shared import (
    Regime,
    Sources,
    TableFormat,
    app,
    load_sources,
    write_frame,
    write_text,
)

if TYPE_CHECKING:
    import pandas as pd

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
    campaign, status = load_sources(sources, regime)
    people = format in ("text", "markdown")
    frame: pd.DataFrame
    if scaling:
        frame = scale(campaign, operations=operation)
        shown = readable_scaling(frame) if people else frame
    else:
        frame = summarise(
            campaign,
            operations=operation,
            by=by,
            edges=edges_of(campaign, buckets),
            confidence=confidence,
        )
        if format == "text":
            write_text(summary_text(frame, confidence), output)
            raise typer.Exit(status)
        shown = readable(frame, confidence) if people else frame
    write_frame(shown, format, output)
    raise typer.Exit(status)
