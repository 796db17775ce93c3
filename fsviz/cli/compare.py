"""``fsviz compare``."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import typer

from fsviz.cli.answers import write_answers
from fsviz.cli.options import (
    Baseline,
    Candidates,
    Cells,
    ComparisonRow,
    Confidence,
    Edges,
    FailOn,
    Ignored,
    Intervals,
    Operations,
    Output,
    Overview,
    Regime,
    Robust,
    Settings,
    Sizes,
    Sources,
    TableForm,
    Winners,
)
from fsviz.cli.shared import Kept, app, complain, inform, names_in
from fsviz.model.escaping import printable
from fsviz.text.forms import PEOPLE, form_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd

    from fsviz.answers.gate import Condition
    from fsviz.checks.findings import Examination
    from fsviz.cli.answers import Answered
    from fsviz.model.campaign import Campaign
    from fsviz.text.forms import Format

GATE = 3
"""Exit status where `--fail-on` holds."""
_CONFIDENCE = 0.95
"""Of intervals; asking for another one is asking for them."""


@app.command(epilog="Example: fsviz compare data/raw/loopback-2026 --baseline nfs-v3")
def compare(
    sources: Sources,
    baseline: Baseline = None,
    candidates: Candidates = None,
    operations: Operations = None,
    by: ComparisonRow = None,
    buckets: Edges = "",
    regime: Regime = None,
    settings: Settings = None,
    cells: Cells = False,
    winners: Winners = False,
    sizes: Sizes = "all",
    robust: Robust = False,
    intervals: Intervals = False,
    overview: Overview = False,
    ignore: Ignored = "",
    confidence: Confidence = _CONFIDENCE,
    fail_on: FailOn = None,
    form: TableForm = None,
    output: Output = None,
) -> None:
    """Compare with a baseline: who is faster, where, by how much, and is it real.

    The overview has one cell an operation; --intervals, --by, --cells, --buckets,
    --robust, --confidence and the other formats give tables. faster and slower mean
    better and worse: less is better for times and CPU. The words in brackets say what a
    verdict is about; a disqualified row names the rule.
    """
    from fsviz.analysis.buckets import check_confidence, edges_of
    from fsviz.answers.gate import conditions_of
    from fsviz.answers.matrix import reference, why_reference
    from fsviz.checks.engine import Examiner

    shape = form_of(form, output)
    check_confidence(confidence)
    gate = _Gate(conditions_of(fail_on or []), candidates, operations)
    tables = any((intervals, by, cells, buckets, robust, confidence != _CONFIDENCE))

    def answer(campaign: Campaign) -> Answered:
        base = reference(campaign, baseline)  # also what is examined against
        if sizes == "measurable":
            campaign = _measurable(campaign, base, candidates)
        examined = Examiner(campaign, ignore=names_in(ignore))
        gate.look(campaign, base, examined)
        chosen: dict = {"by": by or "bucket", "edges": edges_of(campaign, buckets)}
        if winners:
            return _winners(campaign, examined(base), shape, operations, **chosen)
        chosen["candidates"] = candidates
        first: tuple[pd.DataFrame, str] | None = None
        if overview or shape in (*PEOPLE, "xlsx"):
            named = bool(baseline or candidates)
            shown = _shown(campaign, base, candidates, operations, examined, named)
            base = shown["baseline"].iloc[0]
            why = "" if baseline else why_reference(campaign, base)
            if overview or (shape == "text" and not tables):
                return _overview(shown, shape, output, why)
            first = shown, why
            if not named and base != reference(campaign):
                inform(printable(f"Compared with {base}: {why}."))
            chosen["candidates"] = list(dict.fromkeys(shown["candidate"]))
        chosen |= {"baseline": base, "operations": operations, "cells": cells}
        chosen |= {"robust": robust, "examination": examined(base)}
        return _tables(campaign, shape, confidence, first, **chosen)

    kept = Kept(regime, settings)
    notes = (lambda _: []) if winners or overview else _notes
    status = write_answers(sources, kept, answer, shape, output, notes)
    raise typer.Exit(gate.status(status))


@dataclass(frozen=True, slots=True)
class _Gate:
    """What must not be said of any campaign, and where it holds."""

    conditions: Sequence[Condition]
    candidates: list[str] | None
    operations: list[str] | None
    lines: list[str] = field(default_factory=list)

    def look(
        self,
        campaign: Campaign,
        base: str | None,
        examined: Callable[[str | None], Examination],
    ) -> None:
        """Look at the operations of a campaign, whatever is shown of them."""
        from fsviz.answers.gate import held
        from fsviz.answers.matrix import overview
        from fsviz.answers.statement import statements

        if self.conditions:
            asked = (self.candidates, self.operations, examined(base))
            rows = overview(campaign, base, *asked)
            self.lines.append(held(statements(rows), self.conditions))

    def status(self, status: int) -> int:
        """Say where it holds, and which exit status that is."""
        complain(filter(None, self.lines))
        return GATE if any(self.lines) else status


def _notes(frame: pd.DataFrame) -> list[str]:
    from fsviz.text.comparison import comparison_notes

    return [f"{n} {text}" for n, text in enumerate(comparison_notes(frame), 1)]


def _shown(
    campaign: Campaign,
    base: str | None,
    candidates: list[str] | None,
    operations: list[str] | None,
    examined: Callable[[str | None], Examination],
    named: bool,
) -> pd.DataFrame:
    """Compare, with a nearer baseline where nobody named who is to be compared."""
    from fsviz.answers.headline import shown_first
    from fsviz.answers.matrix import overview

    whole = overview(campaign, base, candidates, operations, examined(base))
    if named:
        return whole
    return shown_first(campaign, whole, operations=operations, examined=examined)


def _overview(
    frame: pd.DataFrame, form: str, output: Path | None, why: str
) -> pd.DataFrame | str:
    """Draw the overview as wide as the terminal, in colour on a terminal only."""
    from rich.console import Console

    from fsviz.answers.headline import answer as headline
    from fsviz.text.first_sight import WIDTH, overview_markdown, overview_text

    said = headline(frame)
    if form == "markdown":
        return overview_markdown(frame, said)
    if form != "text":
        return frame
    # rich knows what NO_COLOR, COLUMNS and TERM ask for
    console = Console()
    coloured = console.color_system is not None and not console.no_color
    on_terminal = output is None and console.is_terminal
    width = console.width if on_terminal else WIDTH
    return overview_text(frame, said, width, colour=on_terminal and coloured, why=why)


def _measurable(
    campaign: Campaign, baseline: str | None, candidates: list[str] | None
) -> Campaign:
    """Keep the sizes that could be measured on all systems that are compared."""
    from fsviz.checks.measurable import measurable

    systems = [baseline, *candidates] if baseline and candidates else None
    kept, line = measurable(campaign, systems)
    inform(line)
    return kept


def _winners(
    campaign: Campaign,
    found: Examination,
    form: str,
    operations: list[str] | None,
    **chosen: Any,
) -> pd.DataFrame:
    from fsviz.analysis.rankings import rankings
    from fsviz.checks.judgement import describe_disqualified
    from fsviz.text.summary import readable_wins

    frame = rankings(campaign, operations=operations, **chosen)
    people = form in PEOPLE
    complain(describe_disqualified(campaign, found))
    return readable_wins(frame) if people else frame


def _tables(
    campaign: Campaign,
    form: str,
    confidence: float,
    first: tuple[pd.DataFrame, str] | None,
    **chosen: Any,
) -> Answered:
    """Compare; draw the rows where people read them."""
    from fsviz.answers.headline import answer as headline
    from fsviz.checks.judged_comparison import compare as compare_systems
    from fsviz.text.comparison import (
        comparison_markdown,
        comparison_notes,
        comparison_text,
        readable_comparison,
    )
    from fsviz.text.first_sight import overview_sheet
    from fsviz.text.tables import render
    from fsviz.text.workbook import Book, sheet_of

    frame = compare_systems(campaign, confidence=confidence, **chosen)
    if form not in (*PEOPLE, "xlsx"):
        return frame
    rows = readable_comparison(frame, confidence)
    if form == "xlsx" and first is not None:
        shown, why = first
        sheets = [
            overview_sheet(shown, headline(shown), why),
            sheet_of("comparison", rows, frame.loc[rows.index, "verdict"]),
        ]
        return Book(frame, sheets)
    if form in ("html", "tex"):
        return render(rows, cast("Format", form), comparison_notes(frame))
    draw = comparison_text if form == "text" else comparison_markdown
    return draw(frame, confidence)
