"""What the commands share: the program, loading, printing, complaining."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fsviz.model.errors import FsvizError
from fsviz.model.runs import Note
from fsviz.model.writing import write_aside

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

DONE, SOME_UNUSABLE, WRONG_USAGE = 0, 1, 2

app = typer.Typer(
    name="fsviz",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Read file-system benchmark output, compare it honestly, show where the "
    "difference lies.",
)


def _version(wanted: bool) -> None:
    if wanted:
        from fsviz import __version__

        typer.echo(f"fsviz {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_version, is_eager=True, help="Show the version."
        ),
    ] = False,
) -> None:
    """Options that stand before the command."""


def load_sources(sources: list[str], regime: str | None = None) -> tuple[Campaign, int]:
    """Load, name on standard error what could not be used, and say the status.

    With a regime, keep its numbers only and say how many that are.
    """
    from fsviz.campaigns.load import load

    campaign = load(sources, progress=show_progress)
    show_progress("")
    complain([*campaign.problems, *campaign.notes])
    status = SOME_UNUSABLE if campaign.problems else DONE
    if regime is None:
        return campaign, status
    from fsviz.analysis.regimes import in_regime, regime_line

    kept = in_regime(campaign, regime)
    typer.echo(regime_line(campaign, regime), err=True)
    return kept, status


def names_in(text: str) -> list[str]:
    """Take apart what a person listed with commas."""
    return [name.strip() for name in text.split(",") if name.strip()]


def complain(problems: Iterable[FsvizError | Note | str]) -> None:
    """Name each problem on standard error, one line each."""
    for problem in problems:
        typer.echo(str(problem), err=True)


def show_progress(line: str) -> None:
    """Show one changing line, on a terminal only; an empty one removes it."""
    if sys.stderr.isatty():
        from fsviz.model.errors import printable

        sys.stderr.write(f"\r\x1b[K{printable(line)[:100]}")
        sys.stderr.flush()


def write_frame(frame: pd.DataFrame, form: str, output: Path | None) -> None:
    """Print a frame, or write it to a file."""
    if form == "parquet" and output is not None:
        write_aside(output, lambda aside: frame.to_parquet(aside, index=False))
        return
    from fsviz.text.tables import render

    write_text(render(frame, form), output)  # type: ignore[arg-type]


def write_text(text: str, output: Path | None) -> None:
    """Print a text, or write it to a file."""
    if output is None:
        sys.stdout.write(text)
        return
    write_aside(output, lambda aside: aside.write_text(text, encoding="utf-8"))
