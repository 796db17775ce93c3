"""One answer for each campaign that was named, of all systems that can be used."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from fsviz.cli.shared import (
    SOME_UNUSABLE,
    Filters,
    complain,
    inform,
    load_sources,
    write_frame,
    write_text,
)
from fsviz.model.errors import MixedCellError
from fsviz.model.escaping import printable
from fsviz.model.libraries import pd

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign
    from fsviz.text.workbook import Book

Answered: TypeAlias = "pd.DataFrame | str | Book"
Answer = Callable[["Campaign"], Answered]


def write_answers(
    sources: list[str],
    filters: Filters,
    answer: Answer,
    form: str,
    to: Path | None,
    joined: Callable[[], str] | None = None,
) -> int:
    """Answer for each campaign and write it all, one after another.

    ``joined`` writes one answer in place of theirs, where there are several.
    """
    status = 0
    answers: list[tuple[str, Answered]] = []
    notes: list[str] = []
    for name, campaign, unusable in _loaded(sources, filters):
        result, partial = of_usable(campaign, answer)
        answers.append((name, result))
        status = max(status, unusable, partial)
        notes += map(str, (*campaign.problems, *campaign.notes))
    if joined and len(answers) > 1:
        answers = [("", joined())]
    write_all(answers, form, to, notes)
    return status


def _loaded(
    sources: list[str], filters: Filters
) -> Iterator[tuple[str, Campaign, int]]:
    """Load each campaign that was named, with the name of its answer and the status."""
    from fsviz.campaigns.sources import grouped, labelled_campaigns

    if labels := labelled_campaigns(sources):
        yield from _versions(labels, filters)
        return
    for group in grouped(sources):
        campaign, unusable = load_sources(group, filters)
        yield campaign.name or " ".join(group), campaign, unusable


def _versions(
    labels: Mapping[str, str], filters: Filters
) -> Iterator[tuple[str, Campaign, int]]:
    """Compare each system with itself, and say what else has changed."""
    from fsviz.campaigns.over_time import (
        changed_facts,
        describe_changes,
        facts_of,
        lone_systems,
        versions,
    )

    loaded = {k: load_sources([path], filters) for k, path in labels.items()}
    campaigns = {label: campaign for label, (campaign, _) in loaded.items()}
    status = max(code for _, code in loaded.values())
    for label, system in lone_systems(campaigns):
        inform(f"{printable(system)}: only {printable(label)} has it")
    first, *later = campaigns
    for system, campaign in versions(campaigns).items():
        facts = {
            label: facts_of(campaign.systems, campaign.runs, label) for label in labels
        }
        for label in later:
            if changes := changed_facts(facts[first], facts[label]):
                inform(f"{printable(system)}, {label}: {describe_changes(changes)}")
        yield system, campaign, status


def of_usable(campaign: Campaign, answer: Answer) -> tuple[Answered, int]:
    """Answer for all systems that can be; name each that cannot, and leave it out."""
    from fsviz.analysis.cells import present, select

    status = 0
    while True:
        try:
            return answer(campaign), status
        except MixedCellError as error:
            systems = present(campaign.measurements, "system")
            usable = [name for name in systems if name != error.system]
            if not error.system or not usable:
                raise
            complain([f"{error}; left out"])
            # the others are the whole that is compared
            campaign = replace(select(campaign, system=usable), selected=None)
            status = SOME_UNUSABLE


def write_all(
    answers: Sequence[tuple[str, Answered]],
    form: str,
    to: Path | None,
    notes: Sequence[str] = (),
) -> None:
    """Write frames as one table with a column of campaigns, texts under a heading."""
    texts = [answer for _, answer in answers if isinstance(answer, str)]
    frames = [
        (name, answer if isinstance(answer, pd.DataFrame) else answer.frame)
        for name, answer in answers
        if not isinstance(answer, str)
    ]
    if texts:
        heads = [f"Campaign {printable(name)}\n" for name, _ in answers]
        pairs = zip(heads, texts, strict=True)
        write_text(texts[0] if len(texts) == 1 else "\n".join(map("".join, pairs)), to)
        return
    frame = frames[0][1]
    if len(frames) > 1:
        parts = [part.assign(campaign=name) for name, part in frames]
        frame = pd.concat(parts, ignore_index=True)
        frame = frame[["campaign", *frame.columns.drop("campaign")]]
    comparisons = [
        (name if len(answers) > 1 else "", answer.comparison)
        for name, answer in answers
        if not isinstance(answer, str | pd.DataFrame)
    ]
    write_frame(frame, form, to, notes, comparisons)
