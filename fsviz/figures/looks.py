"""How systems are told apart: in every figure of a campaign one colour and one shape.

The order of the campaign chooses, never what a figure happens to show. Systems of one
protocol share a hue; a shape is given twice only where there are more systems than
shapes, and then to systems of two hues.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from fsviz.analysis.cells import present
from fsviz.figures.style import SYMBOLS, colour, symbol
from fsviz.model.table import measurements_of

if TYPE_CHECKING:
    from fsviz.model.campaign import Data


class Look(NamedTuple):
    """Colour and symbol of a system."""

    colour: str
    symbol: str

    def pale(self, opacity: float = 0.16) -> str:
        """The same colour, to be laid under a line."""
        red, green, blue = (int(self.colour[i : i + 2], 16) for i in (1, 3, 5))
        return f"rgba({red},{green},{blue},{opacity})"


Looks = dict[str, Look]


def looks(data: Data) -> Looks:
    """Choose the look of each system of a campaign, or of a bare table."""
    protocols = _protocols(data)
    names = list(dict.fromkeys([*protocols, *present(measurements_of(data), "system")]))
    families: dict[str, list[str]] = {}
    for name in names:
        families.setdefault(protocols.get(name) or name, []).append(name)
    if len(families) in (1, len(names)):
        return plain_looks(names)
    used: list[str] = []
    by_system: Looks = {}
    for hue, family in enumerate(families.values()):
        taken: list[str] = []
        for name in family:
            taken.append(min(SYMBOLS, key=lambda s: (taken.count(s), used.count(s))))
            used.append(taken[-1])
            by_system[name] = Look(colour(hue), taken[-1])
    return {name: by_system[name] for name in names}


def plain_looks(names: Iterable[str]) -> Looks:
    """Give each name the next colour and shape."""
    return {name: Look(colour(k), symbol(k)) for k, name in enumerate(names)}


def _protocols(data: Data) -> dict[str, str]:
    """List the systems of a campaign with their protocols; empty where not stated."""
    systems = getattr(data, "systems", None)
    if systems is None or "protocol" not in getattr(systems, "columns", ()):
        return {}
    stated = systems["protocol"].fillna("").astype(str)
    return dict(zip(systems["system"].astype(str), stated, strict=True))
