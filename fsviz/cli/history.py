"""``fsviz history``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fsviz.cli.options import Confidence, FailOnStep, Output, TableForm
from fsviz.cli.shared import DONE, GATE, app, complain
from fsviz.text.forms import form_of


@app.command(epilog="Example: fsviz history store --system nfs --operation write")
def history(
    store: Annotated[Path, typer.Argument(metavar="STORE", help="Of fsviz ingest.")],
    system: Annotated[str, typer.Option(help="Which system.")],
    operation: Annotated[str, typer.Option(help="Such as random_read.")],
    tool: Annotated[
        str, typer.Option(help="By which tool; else the one that most campaigns used.")
    ] = "",
    confidence: Confidence = 0.95,
    form: TableForm = None,
    output: Output = None,
    figure: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw it as well: .html, .svg, .png, .pdf."),
    ] = None,
    fail_on: FailOnStep = None,
) -> None:
    """Follow a system through the campaigns of a store, and say when it changed.

    There is one row per campaign, with the facts that changed since the one before. A
    change of level is one that chance would produce in fewer than 1 of 100 histories.
    The unit is the campaign: fewer than ten cannot show a change, and neither can the
    last few of a longer history. Unless there is a drift, the first line says so.
    """
    from fsviz.analysis.buckets import check_confidence
    from fsviz.answers.history import conclude_history, took
    from fsviz.cli.answers import write_all
    from fsviz.store.history import history as follow
    from fsviz.text.forms import PEOPLE
    from fsviz.text.history import history_text, readable_history

    shape = form_of(form, output)
    check_confidence(confidence)
    frame = follow(
        store, system=system, operation=operation, tool=tool, confidence=confidence
    )
    if figure is not None:
        from fsviz.figures.export import save
        from fsviz.figures.history import history_figure

        save(history_figure(frame, system, operation), figure)
    if shape == "text":
        answer = history_text(frame, system, operation, confidence)
    else:
        answer = readable_history(frame, confidence) if shape in PEOPLE else frame
    write_all([(system, answer)], shape, output)
    if fail_on is not None and took(frame, fail_on):
        said = conclude_history(frame, system, operation)
        complain([f"--fail-on {fail_on}: holds for {said}"])
        raise typer.Exit(GATE)
    raise typer.Exit(DONE)
