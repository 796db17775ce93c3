"""The campaign folder of ``fsviz run``: what is there, and what is written into it."""

from __future__ import annotations

import datetime as dt
import glob
import json
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from fsviz.campaigns.campaign_toml import (
    NAME,
    CampaignFile,
    Measured,
    read_campaign_file,
)
from fsviz.campaigns.counted import Counters
from fsviz.campaigns.merge_files import COUNTED
from fsviz.campaigns.starter import facts_lines
from fsviz.measuring.places import Place
from fsviz.model.errors import UsageError, printable, quoted
from fsviz.model.escaping import toml_text
from fsviz.model.writing import make_folder, own_folder, write_file

_TABLE = "\n[measured]"
_PART, _HALF, _WARM, _TRIAL = ".part", ".half", ".warm-up", ".trial"
"""Hidden, so that nothing in them counts as a result."""


class Results:
    """Where the outputs of a campaign lie, by tool, system and round."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        make_folder(folder)
        for name in (_PART, _HALF, _WARM):
            own_folder(folder / name)

    def known(self, places: Sequence[Place]) -> Measured | None:
        """Read the design of a campaign that goes on; None for a new one."""
        path = self.folder / NAME
        if not path.is_file():
            if results := [p for p in self.folder.iterdir() if p.name[0] != "."]:
                raise UsageError(
                    f"{self.folder}: expected an empty folder, or one that fsviz run "
                    f"began, found {printable(results[0].name)}"
                )
            return None
        described = read_campaign_file(path)
        if described.measured is None:
            raise UsageError(
                f"{path}: expected a campaign that fsviz run began, found one without "
                "[measured]; give it a folder of its own"
            )
        _refuse_others(path, described, places)
        return described.measured

    def begin(self, text: str, design: Measured) -> None:
        """Write ``campaign.toml`` for the first time."""
        write_file(self.folder / NAME, text + _table(design), durable=True)

    def record(self, design: Measured) -> None:
        """Write the design again, and leave all other tables as they are."""
        path = self.folder / NAME
        above, _, rest = path.read_text(encoding="utf-8").partition(_TABLE)
        following = re.search(r"^\[", rest, re.MULTILINE)
        below = f"\n{rest[following.start() :]}" if following else ""
        write_file(path, above + _table(design) + below, durable=True)

    def has(self, tool: str, place: Place, round_: int) -> bool:
        """Return whether a run has been measured."""
        return (self._folder(tool, place, round_) / f"rep{round_}{COUNTED}").is_file()

    def part(self) -> Path:
        """Return an empty folder for a run; what an interrupted one left is kept."""
        part = self.folder / _PART
        if any(part.iterdir()):
            number = sum(1 for _ in (self.folder / _HALF).iterdir()) + 1
            part.rename(self.folder / _HALF / f"{number:04d}")
            own_folder(part)
        return part

    def keep(self, tool: str, place: Place, round_: int, counted: Counters) -> None:
        """Move the outputs of a whole run where the readers look for them.

        The counters come last: a run is measured once they are there.
        """
        folder = self._folder(tool, place, round_)
        own_folder(folder.parent)
        own_folder(folder)
        for path in sorted((self.folder / _PART).iterdir()):
            path.rename(folder / f"rep{round_}.{path.name}")
        text = json.dumps(counted.model_dump(exclude_defaults=True), indent=1)
        write_file(folder / f"rep{round_}{COUNTED}", text + "\n", durable=True)

    def end_trial(self) -> None:
        """Put the outputs of the trial where they pass for no warm-up."""
        shutil.rmtree(self.folder / _TRIAL, ignore_errors=True)
        (self.folder / _WARM).rename(self.folder / _TRIAL)
        own_folder(self.folder / _WARM)

    def latest(self) -> dt.datetime:
        """Return when the last run began; a clock that jumps back changes no order."""
        latest = dt.datetime.min
        for path in self.folder.glob(f"*/*/rep*{COUNTED}"):
            with suppress(ValidationError):  # damaged, which loading says
                counted = Counters.model_validate_json(path.read_bytes())
                latest = max(latest, dt.datetime.fromisoformat(counted.started))
        return latest

    def tree(self) -> Path:
        """Return the folder of the files that are copied."""
        return self.folder / ".tree"

    def _folder(self, tool: str, place: Place, round_: int) -> Path:
        above = self.folder if round_ else self.folder / _WARM
        return above / tool / place.name


def _refuse_others(
    path: Path, described: CampaignFile, places: Sequence[Place]
) -> None:
    """Refuse to go on with other systems, or with one that is mounted elsewhere."""
    known = {entry.name: entry.mount_point for entry in described.system}
    given = {place.system: str(place.mount) for place in places}
    if known != given:
        expected = ", ".join(f"{quoted(name)}={at}" for name, at in known.items())
        found = ", ".join(f"{quoted(name)}={at}" for name, at in given.items())
        raise UsageError(
            f"{path}: expected the systems that it began with, {expected}; "
            f"found {printable(found)}"
        )


def campaign_text(
    name: str, places: Sequence[Place], shared: Mapping[str, str], own: Mapping
) -> str:
    """Write the part of ``campaign.toml`` that a person may edit."""
    lines = [
        "# Written by fsviz run. Add what it cannot see, such as link and durability;",
        "# fsviz init --explain lists every key. The table [measured] is its own.",
        f"title = {toml_text(printable(name))}",
        f"baseline = {toml_text(places[0].system)}",
        "",
        "[facts]",
        *facts_lines(shared),
    ]
    for place in places:
        facts = {**own[place.system], "mount_point": str(place.mount)}
        pattern = f"*/{glob.escape(place.name)}/rep*"
        lines += ["", "[[system]]", f"name = {toml_text(place.system)}"]
        lines += [f"files = [{toml_text(pattern)}]", *facts_lines(facts)]
    return "\n".join(lines) + "\n"


def _table(design: Measured) -> str:
    return "\n".join([_TABLE, *_assigned(design)]) + "\n"


def _assigned(design: Measured) -> Iterator[str]:
    for name, value in design.model_dump().items():
        # JSON's texts, numbers and lists of them are TOML's too
        yield f"{name} = {json.dumps(value)}"
