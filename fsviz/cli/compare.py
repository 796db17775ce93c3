"""``fsviz compare``."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fsviz.analysis.buckets import By
from fsviz.cli.answers import write_answers
from fsviz.cli.options import (
    Baseline,
    Edges,
    FailOn,
    Metrics,
    Operations,
    Output,
    Regime,
    Settings,
    Sizes,
    Sources,
    TableForm,
)
from fsviz.cli.shared import GATE, Filters, app, complain
from fsviz.model.escaping import printable
from fsviz.text.forms import PEOPLE, form_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fsviz.answers.comparison import Comparison
    from fsviz.answers.gate import Condition
    from fsviz.cli.answers import Answered
    from fsviz.model.campaign import Campaign
    from fsviz.model.libraries import pd


_Candidates = Annotated[
    list[str] | None,
    typer.Option(
        "--candidate",
        metavar="NAME,...",
        help="System to compare, or several with commas; may be repeated. Else all.",
    ),
]
_By = Annotated[
    By | None, typer.Option(help="Rows with ratios and intervals, and what one covers.")
]
_Cells = Annotated[
    bool, typer.Option("--cells", help="One row per cell, not per test.")
]
_EveryNote = Annotated[
    bool, typer.Option("--notes", help="All notes below the table, not only the first.")
]


@app.command(epilog="Example: fsviz compare results --baseline nfs")
def compare(
    sources: Sources,
    baseline: Baseline = None,
    candidates: _Candidates = None,
    operations: Operations = None,
    metrics: Metrics = None,
    by: _By = None,
    buckets: Edges = "",
    regime: Regime = None,
    settings: Settings = None,
    cells: _Cells = False,
    sizes: Sizes = "measurable",
    every_note: _EveryNote = False,
    fail_on: FailOn = None,
    form: TableForm = None,
    output: Output = None,
) -> None:
    """Compare with a baseline: who is faster, where, by how much, and is it real.

    First the answers of all tests, counted, then a table of them. --by, --cells and
    --buckets give rows with ratios and intervals instead: --by operation, one a test.
    "Faster" means better and "slower" worse: for times and CPU use, less is better.
    """
    from fsviz.analysis.buckets import edges_of
    from fsviz.answers.comparison import compare as compare_systems
    from fsviz.answers.gate import conditions_of
    from fsviz.campaigns.sources import labelled_campaigns

    shape = form_of(form, output)
    gate = _Gate(conditions_of(fail_on or []))
    asks_rows = by or cells or buckets
    draws = shape in PEOPLE and not asks_rows
    joined = _Joined(shape, every_note, output)
    versions = labelled_campaigns(sources)

    def answer(campaign: Campaign) -> Answered:
        comparison = compare_systems(
            campaign,
            baseline=baseline,
            candidate=candidates,
            operation=operations,
            metric=metrics,
            sizes=sizes,
        )
        if not comparison.candidates:
            return comparison.rows  # raises, as there is nothing to compare
        gate.look(comparison, campaign.name if versions or sources[1:] else "")
        if draws:
            return joined.add(campaign.name, comparison)
        place = by or ("bucket" if buckets else "operation")
        edges = edges_of(campaign, buckets)
        rows = comparison.cells if cells else comparison.by(place, edges)
        return _shaped(comparison, rows, shape)

    filters = Filters(regime, settings)
    together = joined if draws and versions else None
    status = write_answers(sources, filters, answer, shape, output, together)
    raise typer.Exit(gate.status(status))


def _shaped(comparison: Comparison, rows: pd.DataFrame, shape: str) -> Answered:
    """Give rows the shape in which they are written."""
    if shape in PEOPLE:
        from fsviz.text.rows import rows_text

        return rows_text(rows, shape)  # type: ignore[arg-type]
    if shape == "xlsx":
        from fsviz.text.workbook import Book

        return Book(rows, comparison)
    return rows


@dataclass(slots=True)
class _Joined:
    """Comparisons of systems, each with itself, that one answer shows."""

    shape: str
    every_note: bool
    output: Path | None
    seen: dict[str, Comparison] = field(default_factory=dict)

    def add(self, campaign: str, comparison: Comparison) -> str:
        """Write the comparison of a campaign, and keep it for `__call__`."""
        self.seen[campaign] = comparison
        return self.draw(comparison)

    def draw(self, comparison: Any) -> str:
        """Write a comparison as wide as the terminal, in colour on a terminal only."""
        from fsviz.text.terminal import comparison_markdown, comparison_text

        if self.shape == "markdown":
            return comparison_markdown(comparison)
        width, colour = _terminal(self.output)
        notes = {"every_note": self.every_note}
        return comparison_text(comparison, width, colour=colour, **notes)

    def __call__(self) -> str:
        """Write them as one, with a column a system."""
        from fsviz.answers.history import Versions

        return self.draw(Versions(self.seen))


def _terminal(output: Path | None) -> tuple[int, bool]:
    """How wide a terminal is, and whether it takes colours; else as wide as a file."""
    from fsviz.text.tables import WIDTH

    forced = any(map(os.environ.get, ("FORCE_COLOR", "TTY_COMPATIBLE")))
    if output or not (forced or sys.stdout.isatty()):
        return WIDTH, False
    from rich.console import Console

    # rich knows what NO_COLOR, COLUMNS and TERM ask for
    console = Console()
    if not console.is_terminal:
        return WIDTH, False
    coloured = console.color_system is not None and not console.no_color
    return max(console.width, 60), coloured


@dataclass(slots=True)
class _Gate:
    """What must not be said of any campaign, and where it was."""

    conditions: Sequence[Condition]
    lines: list[str] = field(default_factory=list)

    def look(self, comparison: Comparison, campaign: str) -> None:
        """Look at the answers of all tests of a campaign, named if there are more."""
        from fsviz.answers.gate import fired

        if self.conditions:
            lines = fired(comparison.answers, self.conditions)
            name = f"{printable(campaign)}: " if campaign else ""
            self.lines += [name + line for line in lines]

    def status(self, status: int) -> int:
        """Print the lines that fired, and return the exit status."""
        complain(self.lines)
        return GATE if self.lines else status
