"""``fsviz compare``."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain
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
    Metrics,
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
from fsviz.cli.shared import GATE, Kept, app, complain, inform, names_in
from fsviz.model.errors import UsageError
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

_CONFIDENCE = 0.95
"""Of intervals; asking for another one is asking for them."""


@app.command(epilog="Example: fsviz compare results --baseline nfs")
def compare(
    sources: Sources,
    baseline: Baseline = None,
    candidates: Candidates = None,
    operations: Operations = None,
    metrics: Metrics = None,
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

    The overview has one cell per operation; --intervals, --by, --cells, --buckets,
    --robust, --confidence and the other formats give tables instead. "Faster" means
    better and "slower" means worse: for times and CPU use, less is better. The words in
    brackets say what a verdict is about; a disqualified row names the rule.
    """
    from fsviz.analysis.buckets import check_confidence, edges_of
    from fsviz.answers.matrix import reference
    from fsviz.checks.engine import Examiner

    shape = form_of(form, output)
    check_confidence(confidence)
    if overview and metrics:
        raise UsageError("--overview: expected no --metric, which has tables alone")
    gate = _Gate.of(sources, fail_on, candidates, operations, metrics)
    tables = (intervals, by, cells, buckets, robust, confidence != _CONFIDENCE, metrics)
    first_only = not winners and (overview or (shape == "text" and not any(tables)))
    joined, who = _Joined(shape, output), (candidates, operations)

    def answer(campaign: Campaign) -> Answered:
        base = reference(campaign, baseline)  # also what is examined against
        campaign = _of_sizes(sizes, campaign, base, candidates)
        examined = Examiner(campaign, ignore=names_in(ignore))
        gate.look(campaign, base, examined)
        chosen: dict = {"by": by or "bucket", "edges": edges_of(campaign, buckets)}
        if winners:
            return _winners(campaign, examined(base), shape, operations, **chosen)
        chosen |= {"candidate": candidates, "metric": metrics, "robust": robust}
        first = None
        if overview or shape in (*PEOPLE, "xlsx"):
            first = shown, why = _shown(campaign, baseline, examined, first_only, *who)
            base = shown["baseline"].iloc[0]
            if first_only:
                joined.seen.append((campaign.name, shown))
                return _overview(shown, shape, output, why)
            chosen["candidate"] = list(dict.fromkeys(shown["candidate"]))
        chosen |= {"baseline": base, "operation": operations, "cells": cells}
        chosen |= {"examination": examined(base)}
        return _tables(campaign, shape, confidence, first, **chosen)

    more: dict = {} if winners or overview else {"notes": _notes}
    more["joined"] = joined if gate.versions and joined.draws and first_only else None
    told = write_answers(sources, Kept(regime, settings), answer, shape, output, **more)
    raise typer.Exit(gate.status(told))


@dataclass(frozen=True, slots=True)
class _Joined:
    """Overviews of systems, each against itself, that one answer shows."""

    shape: str
    output: Path | None
    seen: list[tuple[str, pd.DataFrame]] = field(default_factory=list)

    @property
    def draws(self) -> bool:
        """Whether what is written is for people."""
        return self.shape in ("text", "markdown")

    def __call__(self) -> str:
        """Draw them as one matrix, with a row a system."""
        from fsviz.answers.matrix import beside_itself

        shown = beside_itself(dict(self.seen))
        return str(_overview(shown, self.shape, self.output, "itself"))


@dataclass(frozen=True, slots=True)
class _Gate:
    """What must not be said of any campaign, and where it holds."""

    conditions: Sequence[Condition]
    versions: bool
    candidates: list[str] | None
    operations: list[str] | None
    metrics: list[str] | None
    seen: list[tuple[str, pd.DataFrame]] = field(default_factory=list)

    @classmethod
    def of(cls, sources: list[str], conditions: list[str] | None, *asked: Any) -> _Gate:
        """Read the conditions of the command, and whether it compares versions."""
        from fsviz.answers.gate import conditions_of
        from fsviz.campaigns.sources import labelled_campaigns

        versions = bool(labelled_campaigns(sources))
        return cls(conditions_of(conditions or []), versions, *asked)

    def look(
        self,
        campaign: Campaign,
        base: str | None,
        examined: Callable[[str | None], Examination],
    ) -> None:
        """Look at the operations of a campaign, whatever is shown of them."""
        from fsviz.answers.matrix import overview

        if self.conditions:
            asked = (self.candidates, self.operations, examined(base), self.metrics)
            self.seen.append((campaign.name, overview(campaign, base, *asked)))

    def status(self, status: int) -> int:
        """Say where it holds, and which exit status that is."""
        from fsviz.answers.gate import expect_compared, held
        from fsviz.answers.matrix import beside_itself
        from fsviz.answers.statement import statements

        seen = self.seen
        if self.versions and seen:
            seen = [("", beside_itself(dict(seen)))]
        said = [(name, statements(rows)) for name, rows in seen]
        expect_compared(chain.from_iterable(rows for _, rows in said), self.conditions)
        lines = [
            f"{name}: {line}" if len(said) > 1 else line
            for name, rows in said
            if (line := held(rows, self.conditions))
        ]
        complain(lines)
        return GATE if lines else status


def _notes(frame: pd.DataFrame) -> list[str]:
    from fsviz.text.comparison import comparison_notes

    return [f"{n} {text}" for n, text in enumerate(comparison_notes(frame), 1)]


def _shown(
    campaign: Campaign,
    baseline: str | None,
    examined: Callable[[str | None], Examination],
    alone: bool,
    candidates: list[str] | None,
    operations: list[str] | None,
) -> tuple[pd.DataFrame, str]:
    """Compare, with a nearer baseline where nobody named who is to be compared.

    Also say why that is the baseline, unless it was asked for: at once where the
    overview that says so is not shown ``alone``.
    """
    from fsviz.answers.headline import shown_first
    from fsviz.answers.matrix import overview, reference, why_reference

    base = reference(campaign, baseline)
    shown = overview(campaign, base, candidates, operations, examined(base))
    if not baseline and not candidates:
        asked: dict = {"operations": operations, "examined": examined}
        shown = shown_first(campaign, shown, **asked)
    first = shown["baseline"].iloc[0]
    why = "" if baseline else why_reference(campaign, first)
    if first != base and not alone:
        inform(printable(f"Compared with {first}: {why}."))
    return shown, why


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


def _of_sizes(
    sizes: str,
    campaign: Campaign,
    baseline: str | None,
    candidates: list[str] | None,
) -> Campaign:
    """Keep all sizes, or those that could be measured on all that are compared."""
    if sizes == "all":
        return campaign
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

    frame = rankings(campaign, operation=operations, **chosen)
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
