"""``fsviz compare``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fsviz.cli.shared import (
    Sources,
    TableFormat,
    app,
    load_sources,
    write_frame,
    write_text,
)
from fsviz.cli.summary import Confidence, Edges

if TYPE_CHECKING:
    import pandas as pd


@app.command(epilog="Example: fsviz compare data/raw/loopback-2026 --baseline nfs-v3")
def compare(
    sources: Sources,
    baseline: Annotated[
        str | None,
        typer.Option(help="System to compare with; else the campaign's, else first."),
    ] = None,
    candidate: Annotated[
        list[str] | None,
        typer.Option(help="System to compare; may be repeated. Else all others."),
    ] = None,
    operation: Annotated[
        list[str] | None,
        typer.Option(help="Operation to compare; may be repeated. Else all."),
    ] = None,
    by: Annotated[
        Literal["bucket", "operation", "tool", "file_size", "record_size"],
        typer.Option(help="What one row speaks for."),
    ] = "bucket",
    buckets: Edges = "",
    cells: Annotated[
        bool, typer.Option("--cells", help="One row a cell instead of a bucket.")
    ] = False,
    winners: Annotated[
        bool,
        typer.Option("--winners", help="Rank all systems; say who wins which cells."),
    ] = False,
    confidence: Confidence = 0.95,
    format: Annotated[TableFormat, typer.Option(help="How to print.")] = "text",  # noqa: A002
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to a file instead.")
    ] = None,
) -> None:
    """Compare with a baseline: ratios with intervals, q, verdicts, what was left out.

    faster and slower mean better and worse: less is better for times and CPU.
    """
    from fsviz.analysis.bucket_edges import check_confidence, edges_of
    from fsviz.analysis.deltas import compare as compare_systems
    from fsviz.analysis.rankings import rankings
    from fsviz.printing_scaling import readable_wins

    check_confidence(confidence)
    campaign, status = load_sources(sources)
    edges = edges_of(campaign, buckets)
    if winners:
        frame = rankings(campaign, operations=operation, by=by, edges=edges)
        people = format in ("text", "markdown")
        write_frame(readable_wins(frame) if people else frame, format, output)
        raise typer.Exit(status)
    frame = compare_systems(
        campaign,
        baseline=baseline,
        candidates=candidate,
        operations=operation,
        by=by,
        edges=edges,
        confidence=confidence,
        cells=cells,
    )
    if format in ("csv", "json"):
        write_frame(frame, format, output)
    else:
        write_text(_drawn(frame, format, confidence), output)
    raise typer.Exit(status)


def _drawn(frame: pd.DataFrame, form: TableFormat, confidence: float) -> str:
    from fsviz.printing_compare import comparison_markdown, comparison_text

    draw = comparison_text if form == "text" else comparison_markdown
    return draw(frame, confidence)
