"""``fsviz summary``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fsviz.cli.shared import Sources, TableFormat, app, load_sources, write_frame


@app.command(epilog="Example: fsviz summary data/raw/onehost-2026")
def summary(
    sources: Sources,
    format: Annotated[TableFormat, typer.Option(help="How to print.")] = "text",  # noqa: A002
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Write to a file instead.")
    ] = None,
) -> None:
    """Summarise by file-size bucket: n, mean, standard deviations, median, interval."""
    from fsviz.analysis.buckets import summary as summarise
    from fsviz.printing import readable

    campaign, status = load_sources(sources)
    frame = summarise(campaign)
    shown = readable(frame) if format in ("text", "markdown") else frame
    write_frame(shown, format, output)
    raise typer.Exit(status)
