"""The same systems measured at different times: one campaign a system."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from fsviz.analysis.cells import present
from fsviz.model.campaign import Campaign
from fsviz.model.errors import UsageError
from fsviz.model.escaping import printable
from fsviz.model.libraries import pd
from fsviz.model.table import plain_rows, typed

TOOL_VERSION = "tool_version"
"""A fact that the outputs state themselves."""

Change = tuple[str, str, str]
"""A fact, what it was, what it is."""

_SAME = ("date", "notes", "title", "system")
"""Columns of the systems that say nothing of what was measured."""


def versions(campaigns: Mapping[str, Campaign]) -> dict[str, Campaign]:
    """Put the same system of several campaigns beside itself."""
    systems = [present(c.measurements, "system") for c in campaigns.values()]
    shared = [name for name in systems[0] if all(name in names for names in systems)]
    if not shared:
        lists = "; ".join(
            f"{label}: {', '.join(map(printable, names))}"
            for label, names in zip(campaigns, systems, strict=True)
        )
        raise UsageError(f"expected a system that all campaigns have, found {lists}")
    return {name: _of_system(name, campaigns) for name in shared}


_DATED = re.compile(r"\d{4}(?:-\d\d){0,2}(?!\d)")


def date_of(campaign: Campaign) -> str:
    """Return when a campaign began: as it states, as its runs say, or its `date`."""
    first = campaign.runs["started"].min()
    stated = campaign.started or (first.isoformat() if first == first else "")
    dates = [_DATED.match(text) for text in campaign.systems["date"].dropna()]
    return stated or min((match[0] for match in dates if match), default="")


def lone_systems(campaigns: Mapping[str, Campaign]) -> list[tuple[str, str]]:
    """List the systems that cannot be compared with themselves."""
    systems = {k: present(c.measurements, "system") for k, c in campaigns.items()}
    return [
        (label, name)
        for label, names in systems.items()
        for name in names
        if not all(name in theirs for theirs in systems.values())
    ]


def _of_system(name: str, campaigns: Mapping[str, Campaign]) -> Campaign:
    first = next(iter(campaigns.values()))
    _refuse_shared(name, campaigns)
    return Campaign(
        name=name,
        title=f"{name}: {', '.join(campaigns)}",
        baseline=next(iter(campaigns)),
        measurements=_joined(name, campaigns, "measurements"),
        runs=_joined(name, campaigns, "runs"),
        systems=_joined(name, campaigns, "systems"),
        problems=tuple(p for campaign in campaigns.values() for p in campaign.problems),
        notes=tuple(n for campaign in campaigns.values() for n in campaign.notes),
        thresholds=first.thresholds,
        compared=first.compared,
    )


def _joined(system: str, campaigns: Mapping[str, Campaign], frame: str) -> pd.DataFrame:
    """One frame of all campaigns, whose systems are the labels."""
    parts = []
    for label, campaign in campaigns.items():
        rows: pd.DataFrame = getattr(campaign, frame)
        selected = rows.loc[rows["system"] == system].copy()
        selected["system"] = pd.array([label] * len(selected), dtype="string")
        parts.append(selected)
    joined = pd.concat(parts, ignore_index=True)
    return typed(joined) if frame == "measurements" else joined


def _refuse_shared(system: str, campaigns: Mapping[str, Campaign]) -> None:
    seen: dict[str, str] = {}
    for label, campaign in campaigns.items():
        runs = campaign.runs.loc[campaign.runs["system"] == system, "run"]
        for run in runs:
            if run in seen:
                raise UsageError(
                    f"{printable(system)}: expected each run once, found one of "
                    f"{printable(seen[run])} in {printable(label)} as well"
                )
        seen |= dict.fromkeys(map(str, runs), label)


def changed_facts(then: Mapping[str, str], now: Mapping[str, str]) -> list[Change]:
    """List the facts of a system that are not what they were."""
    changes = []
    for name in dict.fromkeys((*then, *now)):
        was, is_now = then.get(name, ""), now.get(name, "")
        not_run = name.endswith(TOOL_VERSION) and not (was and is_now)
        if was != is_now and not not_run:
            changes.append((name, was, is_now))
    return changes


def facts_of(systems: pd.DataFrame, runs: pd.DataFrame, system: str) -> dict[str, str]:
    """List what is stated of a system, and the versions that its outputs print."""
    rows = systems.loc[systems["system"] == system].to_dict("records")
    stated = {
        str(name): str(value)
        for row in rows[:1]
        for name, value in row.items()
        if name not in _SAME and pd.notna(value)
    }
    printed = runs.loc[runs["system"] == system, ["tool", TOOL_VERSION]].dropna()
    for tool, version in sorted(set(plain_rows(printed, list(printed)))):
        key = f"{tool} {TOOL_VERSION}"
        stated[key] = ", ".join(filter(None, (stated.get(key, ""), version)))
    return stated


def printed_facts(runs: pd.DataFrame) -> dict[str, str]:
    """List what outputs say themselves of their system: versions, date, kernel.

    ``facts`` of the runs are mappings.
    """
    pairs = zip(runs["tool"], runs[TOOL_VERSION], strict=True)
    tools = dict.fromkeys(f"{tool} {now}" for tool, now in pairs if not pd.isna(now))
    days = [at.date() for at in runs["started"] if not pd.isna(at)]
    unames = [str(facts.get("uname", "")).split() for facts in runs["facts"]]
    kernels = {" ".join(words[::2][:2]) for words in unames if len(words) > 2}
    stated = {
        "tool_versions": "; ".join(tools),
        "date": min(days).isoformat() if days else "",
        "kernel": kernels.pop() if len(kernels) == 1 else "",
    }
    return {name: text for name, text in stated.items() if text}


def describe_changes(changes: Sequence[Change]) -> str:
    """Say in words which facts have changed.

    >>> describe_changes([("kernel", "6.1", "6.6"), ("mtu", "", "9000")])
    'kernel: 6.1, now 6.6; mtu: not stated, now 9000'
    """
    return "; ".join(
        f"{printable(name)}: {printable(was) or 'not stated'}, "
        f"now {printable(now) or 'not stated'}"
        for name, was, now in changes
    )
