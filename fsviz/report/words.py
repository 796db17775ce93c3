"""Campaign facts as frames for people: what a report says before its first figure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsviz.analysis.regimes import regime_line
from fsviz.model.escaping import markdown_text as escape
from fsviz.model.escaping import printable
from fsviz.text.comparison import comparison_notes

if TYPE_CHECKING:
    import pandas as pd

    from fsviz.model.campaign import Campaign

UNSTATED = "not stated"
LONG = 32
"""Characters; a fact with longer texts does not fit a column."""


def describe_systems(
    campaign: Campaign, systems: Sequence[str] | None = None
) -> pd.DataFrame:
    """List the systems with the short facts in which they differ.

    Parameters
    ----------
    campaign : Campaign
        Any.
    systems : sequence of str, optional
        Those that the report shows, in its order.

    Returns
    -------
    DataFrame of str
        One row a system, one column a fact. Long ones, such as mount options, are in
        `describe_details`.
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
        Any.
    systems : sequence of str, optional
        Those that the report shows, in its order.

    Returns
    -------
    str
        Markdown; empty if there are none.
    """
    stated = _chosen(campaign, systems).dropna(axis="columns", how="all")
    stated = stated.fillna(UNSTATED)
    parts = []
    for name in _differing(stated):
        if not _is_long(stated[name]):
            continue
        lines = [
            f"<li>{escape(system)}: {escape(text)}</li>"
            for system, text in zip(stated["system"], stated[name], strict=True)
        ]
        title = escape(name.replace("_", " ").capitalize())
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
    """Say in Markdown what was compared, and the facts that all systems share.

    Parameters
    ----------
    campaign : Campaign
        Any.
    systems : sequence of str
        Those that the report shows.

    Returns
    -------
    str
        Markdown; everything from files is escaped.
    """
    frame = campaign.systems.set_index("system").loc[list(systems)]
    shared = [
        f"- {name.replace('_', ' ')}: {escape(str(frame[name].iloc[0]))}"
        for name in frame.dropna(axis="columns", how="any")
        if frame[name].nunique() == 1
    ]
    names = ", ".join(f"**{escape(name)}**" for name in systems)
    title = escape(campaign.title or campaign.name or "Lone files")
    lines = [f"{title}. Compared: {names}.", ""]
    if shared:
        lines += ["The same for every system, as the campaign states it:", "", *shared]
    else:
        lines.append("The campaign states no facts about the systems.")
    return "\n".join(lines)


def describe_regime(campaign: Campaign, regime: str) -> str:
    """Say in Markdown that a report shows one regime only, and what it leaves out.

    Parameters
    ----------
    campaign : Campaign
        Before anything was left out.
    regime : str
        As for `fsviz.in_regime`.

    Returns
    -------
    str
        Markdown; empty for an empty regime.
    """
    line = regime_line(campaign, regime)
    return f"**A part of the campaign:** {escape(line)}." if line else ""


def describe_comparison(comparison: pd.DataFrame) -> str:
    """List in Markdown what must be said beside the rows of a comparison.

    Parameters
    ----------
    comparison : DataFrame
        As for `fsviz.comparison_notes`.

    Returns
    -------
    str
        Markdown, numbered as the rows name the notes; everything from files is escaped.
    """
    notes = enumerate(comparison_notes(comparison), 1)
    return "\n".join(f"{number}. {escape(note)}" for number, note in notes)


def describe_runs(campaign: Campaign) -> pd.DataFrame:
    """Count the runs of each system and tool, and say how they were asked for.

    Parameters
    ----------
    campaign : Campaign
        Any.

    Returns
    -------
    DataFrame
        One row a system, tool, version and configuration.
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
    """List in Markdown what could not be used.

    Parameters
    ----------
    campaign : Campaign
        Any.

    Returns
    -------
    str
        One item a problem, ``PATH:LINE: expected …, found …``, or a sentence that
        there are none.
    """
    incomplete = campaign.runs.loc[~campaign.runs["complete"].fillna(value=True)]
    lines = [f"- {escape(str(problem))}" for problem in campaign.problems]
    lines += [
        f"- {escape(row.source)}: this run is incomplete ({escape(str(row.note))})"
        for row in incomplete.itertuples()
    ]
    return "\n".join(lines) or "Everything was read, and every run is complete."
