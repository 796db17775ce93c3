"""``fsviz plot``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from fsviz.cli.answers import of_usable
from fsviz.cli.shared import Regime, Sources, app, load_sources

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

Kind = Literal[
    "explorer",
    "versus",
    "buckets",
    "slices",
    "intervals",
    "dumbbells",
    "scaling",
    "overview",
    "cpu",
    "strips",
]


@app.command(
    epilog="Example: fsviz plot data/raw/onehost-2026 --kind versus --operation read "
    "-o read.html"
)
def plot(
    sources: Sources,
    output: Annotated[
        Path,
        typer.Option("-o", "--output", help="File: .html, .png, .svg, .pdf or .json."),
    ],
    kind: Annotated[Kind, typer.Option(help="What to draw.")] = "explorer",
    operation: Annotated[
        str | None,
        typer.Option(help="Such as random_read; the first by default."),
    ] = None,
    systems: Annotated[
        list[str] | None,
        typer.Option("--system", help="Only this system; may be repeated."),
    ] = None,
    regime: Regime = None,
) -> None:
    """Draw one figure: a page, a picture or its data, by the suffix of the file."""
    from fsviz.checks import examine
    from fsviz.checks.marks import marked
    from fsviz.figures.export import form_of, save
    from fsviz.figures.plot import plot as draw

    form_of(output)  # refused before anything is read
    campaign, status = load_sources(sources, regime)

    def answer(campaign: Campaign) -> str:
        marks = marked(examine(campaign))
        figure = draw(campaign, kind, operation, systems=systems or None, marks=marks)
        save(figure, output)
        return ""

    raise typer.Exit(max(status, of_usable(campaign, answer)[1]))
