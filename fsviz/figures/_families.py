"""How systems are told apart: one hue a protocol, one shape a version."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from fsviz.figures.style import colour, solid_symbol, symbol

if TYPE_CHECKING:
    from fsviz.model.campaign import Data


def looks(data: Data, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Choose a colour and a symbol for each system."""
    protocols = _protocols(data)
    families = list(dict.fromkeys(protocols.get(name, name) for name in names))
    if len(families) in (1, len(names)):
        return {name: (colour(k), symbol(k)) for k, name in enumerate(names)}
    members: dict[str, list[str]] = {family: [] for family in families}
    for name in names:
        members[protocols.get(name, name)].append(name)
    return {
        name: (colour(families.index(family)), solid_symbol(k))
        for family, own in members.items()
        for k, name in enumerate(own)
    }


def _protocols(data: Data) -> dict[str, str]:
    """Take the protocols that a campaign states."""
    systems = getattr(data, "systems", None)
    if systems is None or "protocol" not in getattr(systems, "columns", ()):
        return {}
    stated = systems.loc[systems["protocol"].notna()]
    return dict(zip(stated["system"], stated["protocol"].astype(str), strict=True))
