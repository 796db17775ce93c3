"""A set-up that is emulated: what it treats alike, and what it does not."""

from __future__ import annotations

from collections.abc import Iterator

from fsviz.checks.case import Case
from fsviz.checks.findings import Finding
from fsviz.checks.phrases import listing
from fsviz.checks.registry import rule
from fsviz.model.errors import printable
from fsviz.model.facts import System


@rule(
    "emulated",
    ("warning",),
    "systems of different protocols are compared on an emulated machine or link",
    compares=True,
)
def emulated(case: Case) -> Iterator[Finding]:
    """Find comparisons whose ratio an emulated machine or link may have made.

    Versions of one protocol use the same programs at both ends, so an emulation treats
    them alike; other protocols, or none, do not.
    """
    base = case.systems[case.baseline] if case.systems else None
    others = [s for s in case.systems.values() if base and _differ(base, s)]
    if base is None or not others:
        return
    said = base.stated.get("emulated") or others[0].stated["emulated"]
    names = [s.name for s in others]
    cells = case.cells
    yield Finding(
        "warning",
        f"{base.name} against {listing(names)}: an emulated machine or link may cost "
        "one protocol more than another, so these ratios hold for this set-up only",
        printable(said),
        "measure on machines and a link of their own; here, compare versions of one "
        "protocol with each other",
        systems=names,
        cells=cells.index[cells["system"].isin(names)],
        against=base.name,
        scope="emulated",
    )


def _differ(base: System, other: System) -> bool:
    """Say whether one of two systems is emulated, and their protocols differ."""
    stated = base.stated.get("emulated") or other.stated.get("emulated")
    protocols = {s.stated.get("protocol", "").strip().lower() for s in (base, other)}
    return bool(stated) and len(protocols) > 1
