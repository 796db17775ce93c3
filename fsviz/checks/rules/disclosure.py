"""Rule about the reader: whether the measurement could be repeated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from fsviz.campaigns.over_time import printed_facts
from fsviz.checks.case import Case
from fsviz.checks.findings import Finding
from fsviz.checks.phrases import listing
from fsviz.checks.registry import rule
from fsviz.model.tools import TABLE

_DISCLOSED: Mapping[str, tuple[str, ...]] = {
    "RAM": ("client_ram",),
    "link": ("link",),
    "mount options": ("mount_options",),
    "kernel": ("kernel", "operating_system"),
    "protocol version": ("protocol_version",),
    "date": ("date",),
}
_NETWORK_ONLY = ("link", "protocol version")


@rule(
    "undisclosed",
    ("info",),
    "facts are missing that a reader needs to repeat the measurement",
)
def undisclosed(case: Case) -> Iterator[Finding]:
    """Score what a reader would need to repeat the measurement."""
    missing: dict[str, list[str]] = {}
    runs = case.runs
    # what `fsviz init` would write, nobody needs to
    printed = {name: printed_facts(of_name) for name, of_name in runs.groupby("system")}
    for item, facts in _DISCLOSED.items():
        for name, system in case.systems.items():
            needless = item in _NETWORK_ONLY and system.network is False
            facts_known = {*system.stated, *printed[name]}
            if not needless and not any(f in facts_known for f in facts):
                missing.setdefault(item, []).append(name)
    bare = runs.loc[runs["tool_version"].isna()]
    stated = {n: "tool_versions" in s.stated for n, s in case.systems.items()}
    unversioned = [n for n in bare["system"].unique() if not stated[n]]
    if unversioned:
        missing["tool version"] = unversioned
    unflagged = runs.loc[
        runs["tool"].isin(("iozone", TABLE)) & runs["command_line"].isna()
    ]
    if len(unflagged):
        missing["flags"] = list(unflagged["system"].unique())
    total = len(_DISCLOSED) + 2
    if missing:
        keys = [f for item in missing for f in _DISCLOSED.get(item, ())[:1]]
        yield Finding(
            "info",
            f"a reader finds {total - len(missing)} of the {total} facts needed to "
            "repeat this",
            "missing: " + "; ".join(f"{k} ({listing(v)})" for k, v in missing.items()),
            f"state {listing(keys, 8)} in campaign.toml"
            if keys
            else "keep the raw output with its banner",
            systems=[n for n in case.systems if any(n in v for v in missing.values())],
        )
