"""``fsviz check``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from fsviz.cli.answers import write_all
from fsviz.cli.options import SOURCE, Output, Regime, Settings, TableForm
from fsviz.cli.shared import (
    DONE,
    SOME_UNUSABLE,
    Filters,
    app,
    complain,
    load_sources,
    names_in,
    write_text,
)
from fsviz.model.errors import InvalidModeError, UsageError
from fsviz.text.forms import form_of

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.checks.findings import Examination


def rules(incomplete: str) -> list[str]:
    """List the rules whose names begin like this, for completion in a shell."""
    from fsviz.checks.rules import RULES

    return [rule.name for rule in RULES if rule.name.startswith(incomplete)]


@app.command(epilog="Example: fsviz check results --strict")
def check(
    sources: Annotated[list[str] | None, SOURCE] = None,
    select: Annotated[
        str,
        typer.Option(
            metavar="RULE,...", help="Ask these rules only.", autocompletion=rules
        ),
    ] = "",
    ignore: Annotated[
        str,
        typer.Option(
            metavar="RULE,...", help="Judge without these rules.", autocompletion=rules
        ),
    ] = "",
    regime: Regime = None,
    settings: Settings = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Exit with 1 if a finding is an error.")
    ] = False,
    form: TableForm = None,
    explain: Annotated[
        str,
        typer.Option(
            metavar="RULE",
            help="Print the page of a rule instead.",
            autocompletion=rules,
        ),
    ] = "",
    output: Output = None,
) -> None:
    """Say what is wrong with a benchmark, how it shows, and what would settle it."""
    from fsviz.checks.engine import chosen, rule_named

    if explain:
        write_text(rule_named(explain).page, output)
        raise typer.Exit(DONE)
    if not sources:
        raise UsageError("check: expected a SOURCE or --explain RULE, found neither")
    from fsviz.campaigns.sources import grouped

    shape = form_of(form, output)
    selected, ignored = names_in(select), names_in(ignore)
    chosen(selected, ignored)
    status = DONE
    answers: list[tuple[str, pd.DataFrame | str]] = []
    for group in grouped(sources):
        filters = Filters(regime, settings)
        answer, systems, code = _examined(group, filters, selected, ignored)
        answers.append((" ".join(group), _shaped(answer, shape, systems)))
        severe = strict and (answer.findings["severity"] == "error").any()
        status = max(status, code, SOME_UNUSABLE if severe else DONE)
    write_all(answers, shape, output)
    raise typer.Exit(status)


def _examined(
    sources: list[str], filters: Filters, select: list[str], ignore: list[str]
) -> tuple[Examination, int, int]:
    """Load and ask the rules; return their answer, how many systems, and the status."""
    from fsviz.checks.engine import check_refused, run_checks

    try:
        campaign, status = load_sources(sources, filters)
    except InvalidModeError as error:
        examination = check_refused(error, select, ignore)
        if examination.findings.empty:
            raise
        complain([error])
        return examination, 0, SOME_UNUSABLE
    systems = campaign.runs["system"].nunique()
    return run_checks(campaign, select, ignore), systems, status


def _shaped(examination: Examination, form: str, systems: int) -> pd.DataFrame | str:
    if form == "text":
        from fsviz.text.terminal import findings_text

        return findings_text(examination.findings, systems)
    return examination.findings
