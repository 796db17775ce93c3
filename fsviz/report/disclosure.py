"""What a report discloses: facts, systems, runs, files, problems; how it is counted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsviz.analysis.cells import present
from fsviz.answers.trust import noun_of
from fsviz.checks.phrases import count, listing
from fsviz.model.escaping import markdown_text, printable
from fsviz.model.names import names_of
from fsviz.model.tools import title_of
from fsviz.report._file_list import describe_files
from fsviz.report._method import describe_method
from fsviz.text.summary import readable
from fsviz.text.tables import table_html

if TYPE_CHECKING:
    import pandas as pd
    from IPython.display import Markdown

    from fsviz.model.campaign import Campaign

__all__ = [
    "describe_campaign",
    "describe_problems",
    "describe_systems",
    "disclosure",
    "facts",
    "markdown_text",
    "names_of",
    "readable",
    "table_html",
]

UNSTATED = "not stated"
LONG = 32
"""Characters; a fact with longer texts does not fit a column."""
_FACTS = {
    "client_ram": "RAM {}",
    "server_ram": "server RAM {}",
    "link": "link {}",
    "storage": "{}",
    "kernel": "{}",
}
"""Facts that are said in the first line where all systems share them."""


def facts(campaign: Campaign) -> Markdown:
    """Describe in one line what was measured, on what, and with which command.

    Parameters
    ----------
    campaign : Campaign
        What a page shows, as `Campaign.select` returns it.

    Returns
    -------
    IPython Markdown
        Everything from files is escaped.
    """
    from IPython.display import Markdown

    table = campaign.measurements
    systems, tools = present(table, "system"), present(table, "tool")
    runs = campaign.runs.loc[
        campaign.runs["system"].isin(systems) & campaign.runs["tool"].isin(tools)
    ]
    parts = [count(len(systems), "system")]
    parts += [count(len(runs), noun_of(campaign, runs)), listing(map(title_of, tools))]
    by_system = campaign.systems.set_index("system")
    for fact, form in _FACTS.items():
        stated = list(by_system[fact].dropna().unique()) if fact in by_system else []
        if len(stated) == 1 and len(str(stated[0])) <= LONG:
            parts.append(form.format(stated[0]))
    commands = runs["configuration"].dropna().unique() if len(tools) == 1 else []
    if len(commands) == 1 and len(str(commands[0])) <= 2 * LONG:
        parts.append(f"{tools[0]} {commands[0]}")
    if campaign.regime:
        parts.append(f"files of the regime {campaign.regime} only")
    return Markdown(" · ".join(markdown_text(part) for part in parts))


def disclosure(campaign: Campaign) -> None:
    """Display all that a page states about a campaign: method, systems, runs, files.

    Parameters
    ----------
    campaign : Campaign
        What a page shows, as `Campaign.select` returns it.
    """
    from IPython.display import Markdown, display

    table = campaign.measurements
    systems, tools = present(table, "system"), present(table, "tool")
    display(Markdown(describe_method()))
    display(Markdown(describe_campaign(campaign, systems)))
    display(table_html(describe_systems(campaign, systems)))
    display(Markdown(describe_details(campaign, systems)))
    runs = describe_runs(campaign)
    shown = runs["tool"].isin(tools) & runs["system"].isin(systems)
    display(table_html(runs.loc[shown]))
    display(Markdown(describe_problems(campaign)))
    display(describe_files(campaign, tools[0] if len(tools) == 1 else None))


def describe_systems(
    campaign: Campaign, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """List the systems with the short facts in which they differ.

    Parameters
    ----------
    campaign : Campaign
        Whose ``systems`` are listed.
    systems : sequence of str, optional
        Those that the report shows, in its order.

    Returns
    -------
    DataFrame of str
        One row per system, one column per fact. `describe_details` lists long facts,
        such as mount options.
    """
    frame = _chosen(campaign, systems)
    stated = frame.dropna(axis="columns", how="all").fillna(UNSTATED)
    shown = [name for name in _differing(stated) if not _is_long(stated[name])]
    table = stated[list(dict.fromkeys(["system", *shown]))].map(printable)
    return table.rename(columns=lambda name: str(name).replace("_", " "))


def describe_details(campaign: Campaign, systems: Sequence[str] | None = None) -> str:
    """List in Markdown the long facts in which the systems differ, folded away.

    Parameters
    ----------
    campaign : Campaign
        Whose ``systems`` are listed.
    systems : sequence of str, optional
        Those that the report shows, in its order.

    Returns
    -------
    str
        Markdown; empty if there are no such facts.
    """
    stated = _chosen(campaign, systems).dropna(axis="columns", how="all")
    stated = stated.fillna(UNSTATED)
    parts = []
    for name in _differing(stated):
        if not _is_long(stated[name]):
            continue
        lines = [
            f"<li>{markdown_text(system)}: {markdown_text(text)}</li>"
            for system, text in zip(stated["system"], stated[name], strict=True)
        ]
        title = markdown_text(name.replace("_", " ").capitalize())
        parts.append(
            f"<details><summary>{title}</summary><ul>{''.join(lines)}</ul></details>"
        )
    return "\n\n".join(parts)


def _chosen(campaign: Campaign, systems: Sequence[str] | None) -> pd.DataFrame:
    frame = campaign.systems
    if systems is None:
        return frame
    return frame.set_index("system", drop=False).loc[list(systems)]


def _differing(stated: pd.DataFrame) -> list[str]:
    return [name for name in stated if name != "system" and stated[name].nunique() > 1]


def _is_long(column: pd.Series) -> bool:
    return bool(column.str.len().max() > LONG)


def describe_campaign(campaign: Campaign, systems: Sequence[str]) -> str:
    """Describe in Markdown what was compared, and the facts that all systems share.

    Parameters
    ----------
    campaign : Campaign
        The campaign whose title, question, dates and ``systems`` are described.
    systems : sequence of str
        Those that the report shows.

    Returns
    -------
    str
        Markdown; everything from files is escaped.
    """
    frame = campaign.systems.set_index("system").loc[list(systems)]
    shared = [
        f"- {name.replace('_', ' ')}: {markdown_text(str(frame[name].iloc[0]))}"
        for name in frame.dropna(axis="columns", how="any")
        if frame[name].nunique() == 1
    ]
    names = ", ".join(f"**{markdown_text(name)}**" for name in systems)
    title = markdown_text(campaign.title or campaign.name or "Lone files")
    lines = [f"{title}. Compared: {names}.", ""]
    if campaign.question:
        lines += [f"Question: {markdown_text(campaign.question)}", ""]
    if campaign.started:
        end = f" to {markdown_text(campaign.ended)}" if campaign.ended else ""
        lines += [f"Measured: {markdown_text(campaign.started)}{end}", ""]
    if shared:
        lines += ["The same for every system, as the campaign states it:", "", *shared]
    else:
        lines.append("The campaign states no facts about the systems.")
    return "\n".join(lines)


def describe_runs(campaign: Campaign) -> pd.DataFrame:
    """Count the runs of each system and tool, and list their configurations.

    Parameters
    ----------
    campaign : Campaign
        The campaign whose ``runs`` are counted.

    Returns
    -------
    DataFrame
        One row per system, tool, version and configuration.
    """
    runs = campaign.runs.fillna({"tool_version": "", "configuration": ""})
    grouped = runs.groupby(
        ["tool", "system", "tool_version", "configuration"], observed=True, sort=False
    )
    counted = grouped.agg(
        runs=("run", "size"),
        complete=("complete", "sum"),
        first=("started", "min"),
        last=("started", "max"),
    )
    shown = counted.reset_index().astype({"first": "string", "last": "string"})
    return shown.rename(columns=lambda name: str(name).replace("_", " ")).fillna("")


def describe_problems(campaign: Campaign) -> str:
    """Count the files that were used, and list what could not be used, in Markdown.

    Parameters
    ----------
    campaign : Campaign
        Campaign whose ``runs``, ``problems``, ``notes`` and ``files`` are described.

    Returns
    -------
    str
        Files used and not used, if known; one item per problem,
        ``PATH:LINE: expected …, found …``, or a sentence that there are none; and one
        item per note.
    """
    incomplete = campaign.runs.loc[~campaign.runs["complete"].fillna(value=True)]
    lines = [f"- {markdown_text(str(problem))}" for problem in campaign.problems]
    lines += [
        f"- {markdown_text(row.source)}: this run is incomplete "
        f"({markdown_text(str(row.note))})"
        for row in incomplete.itertuples()
    ]
    notes = [f"- {markdown_text(str(note))}" for note in campaign.notes]
    listed = "\n".join(lines) or "Everything was read, and every run is complete."
    return "\n\n".join(
        filter(None, (_describe_files(campaign), listed, "\n".join(notes)))
    )


def _describe_files(campaign: Campaign) -> str:
    """Count the files that numbers were taken from; `fsviz files` lists each."""
    if campaign.files is None:
        return ""
    used = campaign.files.groupby("source")["numbers"].sum()
    total, taken = len(used), int((used > 0).sum())
    unused = f"; {total - taken} gave none of their own" if taken < total else ""
    return f"Numbers were taken from {taken} of {total} files{unused}."
