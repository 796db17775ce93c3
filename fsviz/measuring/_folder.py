"""The campaign folder of ``fsviz run``: what is there, and what is written into it."""

from __future__ import annotations

import datetime as dt
import glob
import json
import re
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from pydantic import ValidationError

from fsviz.campaigns.campaign_toml import (
    NAME,
    CampaignFile,
    Measured,
    read_campaign_file,
)
from fsviz.campaigns.counted import Counters
from fsviz.campaigns.machine import Machine
from fsviz.campaigns.merge_files import COUNTED
from fsviz.campaigns.starter import facts_lines
from fsviz.measuring.places import Place, locked
from fsviz.model.errors import UsageError, printable, quoted
from fsviz.model.escaping import toml_text
from fsviz.model.units import parse_stated_size
from fsviz.model.writing import make_folder, real_folder, refused_in_a_line, write_file

_TABLE = "\n[measured]"
MARK = ".fsviz-run"
"""File with the id of a campaign, by which ``fsviz run`` recognises its own folder."""
_PART, _ASIDE, _WARM, _TREE = ".part", ".set-aside", ".warm-up", ".tree"
"""Hidden, so that nothing in them counts as a result."""


class Results:
    """Where the outputs of a campaign lie, by tool, system and round.

    Outputs that do not count are set aside; nothing is deleted.
    """

    def __init__(self, folder: Path) -> None:
        """Read the id of a campaign that was begun, or draw one; write nothing."""
        self.folder = folder
        self.campaign = _campaign_id(folder) or secrets.token_hex(16)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Mark the folder as one of ``fsviz run``, and keep other runs out of it."""
        make_folder(self.folder)
        if _campaign_id(self.folder) is None:
            write_file(self.folder / MARK, f"{self.campaign}\n", durable=True)
        with locked(
            self.folder / MARK, f"{self.folder}: expected no other fsviz run there"
        ):
            for name in (_PART, _ASIDE, _WARM):
                real_folder(self.folder / name)
            yield

    def design_stored(self, places: Sequence[Place]) -> Measured | None:
        """Read the design of a campaign that goes on; None for a new one."""
        path = self.folder / NAME
        if not path.is_file():
            return None
        described = read_campaign_file(path)
        if described.measured is None:
            raise UsageError(
                f"{path}: expected a campaign that fsviz run began, found one without "
                "[measured]; give it a folder of its own"
            )
        _refuse_other_systems(path, described, places)
        return described.measured

    def servers(self, places: Sequence[Place]) -> dict[str, int | None]:
        """Return the memory [B] of each network system's server; None if not stated."""
        path, machine = self.folder / NAME, Machine()
        described = read_campaign_file(path) if path.is_file() else CampaignFile()
        stated = {e.name: e.server_ram for e in described.system if e.server_ram}
        memories = {
            p.system: stated.get(p.system, described.facts.server_ram)
            for p in places
            if machine.is_remote(p.mount)
        }
        return {
            system: parse_stated_size(text) if text else None
            for system, text in memories.items()
        }

    def begin(self, text: str, design: Measured) -> None:
        """Write ``campaign.toml`` for the first time."""
        write_file(self.folder / NAME, text + _table(design), durable=True)

    def record(self, design: Measured) -> None:
        """Write the design again, and leave all other tables as they are."""
        path = self.folder / NAME
        above, _, after = path.read_text(encoding="utf-8").partition(_TABLE)
        following = re.search(r"^\[", after, re.MULTILINE)
        below = f"\n{after[following.start() :]}" if following else ""
        write_file(path, above + _table(design) + below, durable=True)

    def has(self, tool: str, place: Place, round_: int) -> bool:
        """Return whether a run has been measured."""
        return (self._folder(tool, place, round_) / f"rep{round_}{COUNTED}").is_file()

    def part(self) -> Path:
        """Return an empty folder for a run; what an interrupted one left is kept."""
        return self._emptied(_PART)

    def keep(self, tool: str, place: Place, round_: int, counted: Counters) -> None:
        """Move the outputs of a whole run where the readers look for them.

        The counters come last: a run is measured once they are there.
        """
        folder = self._folder(tool, place, round_)
        real_folder(folder.parent)
        real_folder(folder)
        for path in sorted((self.folder / _PART).iterdir()):
            target = folder / f"rep{round_}.{path.name}"
            with refused_in_a_line(target):
                path.rename(target)
        text = json.dumps(counted.model_dump(exclude_defaults=True), indent=1)
        write_file(folder / f"rep{round_}{COUNTED}", text + "\n", durable=True)

    def end_trial(self) -> None:
        """Put the outputs of the trial where they pass for no warm-up."""
        self._emptied(_WARM)

    def _emptied(self, name: str) -> Path:
        """Set the contents of a folder aside."""
        folder = self.folder / name
        if any(folder.iterdir()):
            folder.rename(tempfile.mkdtemp(dir=self.folder / _ASIDE))
            real_folder(folder)
        return folder

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
        return self.folder / _TREE

    def _folder(self, tool: str, place: Place, round_: int) -> Path:
        above = self.folder if round_ else self.folder / _WARM
        return above / tool / place.name


def _campaign_id(folder: Path) -> str | None:
    """Return the id in a folder of ``fsviz run``, None for a new or empty folder."""
    try:
        names = sorted(path.name for path in folder.iterdir())
        mark = folder / MARK
        text = mark.read_text("ascii") if not mark.is_symlink() else ""
    except FileNotFoundError:
        text = ""
    except (OSError, UnicodeError) as error:
        raise UsageError(
            f"{folder}: expected a folder that can be read, found {error}"
        ) from None
    if re.fullmatch(r"[0-9a-f]{32}\n", text):
        return text.strip()
    if folder.is_dir() and names:
        raise UsageError(
            f"{folder}: expected an empty folder, or one that fsviz run began, found "
            f"{quoted(names[0])}"
        )
    return None


def _refuse_other_systems(
    path: Path, described: CampaignFile, places: Sequence[Place]
) -> None:
    """Refuse to go on with other systems, or with one that is mounted elsewhere."""
    described_mounts = {entry.name: entry.mount_point for entry in described.system}
    given = {place.system: str(place.mount) for place in places}
    if described_mounts != given:
        expected = ", ".join(
            f"{quoted(name)}={at}" for name, at in described_mounts.items()
        )
        given_mounts = ", ".join(f"{quoted(name)}={at}" for name, at in given.items())
        raise UsageError(
            f"{path}: expected the systems that it began with, {expected}; "
            f"found {printable(given_mounts)}"
        )


def campaign_text(
    name: str, places: Sequence[Place], shared: Mapping[str, str], facts_of: Mapping
) -> str:
    """Write the part of ``campaign.toml`` that a person may edit."""
    lines = [
        "# Written by fsviz run. Add what it cannot see, such as link and durability.",
        "# The table [measured] is its own.",
        f"title = {toml_text(printable(name))}",
        f"baseline = {toml_text(places[0].system)}",
        "",
        "[facts]",
        *facts_lines(shared),
    ]
    for place in places:
        facts = {**facts_of[place.system], "mount_point": str(place.mount)}
        pattern = f"*/{glob.escape(place.name)}/rep*"
        lines += ["", "[[system]]", f"name = {toml_text(place.system)}"]
        lines += [f"files = [{toml_text(pattern)}]", *facts_lines(facts)]
        if "server" in facts:
            lines.append('# server_ram = "32 GiB"  # state the memory of the server')
    return "\n".join(lines) + "\n"


def _table(design: Measured) -> str:
    # JSON's texts, numbers and lists of them are TOML's too
    lines = [f"{name} = {json.dumps(v)}" for name, v in design.model_dump().items()]
    return "\n".join([_TABLE, *lines]) + "\n"
