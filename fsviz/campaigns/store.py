"""The Parquet store: a campaign read once, loaded quickly ever after."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.campaigns.load import STORED_FACTS, STORED_FILES, STORED_FRAMES
from fsviz.model.errors import UsageError
from fsviz.model.writing import make_folder

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

DEFAULT = Path("data/processed")


def ingest(campaign: Campaign, store: Path = DEFAULT) -> Path:
    """Write a campaign into the store, in place of what the store had of it.

    Parameters
    ----------
    campaign : Campaign
        With a name, so read from a folder.
    store : Path
        Folder of the store; made if need be.

    Returns
    -------
    Path
        Folder of the stored campaign. It appears whole or not at all.

    Raises
    ------
    UsageError
        If the campaign has no name.
    """
    if not campaign.name:
        raise UsageError("ingest: expected a campaign folder, found lone files")
    make_folder(store)
    aside = Path(tempfile.mkdtemp(prefix=f".{campaign.name}.", dir=store))
    try:
        _write(campaign, aside)
        target = store / campaign.name
        _swap(aside, target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return target


def _write(campaign: Campaign, folder: Path) -> None:
    for name in STORED_FRAMES:
        getattr(campaign, name).to_parquet(folder / f"{name}.parquet", index=False)
    if campaign.files is not None:
        campaign.files.to_parquet(folder / STORED_FILES, index=False)
    facts = {
        "name": campaign.name,
        "title": campaign.title,
        "baseline": campaign.baseline,
        "problems": [
            (type(p).__name__, p.path, p.line, p.expected, p.found)
            for p in campaign.problems
        ],
        "notes": [(note.path, note.line, note.text) for note in campaign.notes],
        "thresholds": dict(campaign.thresholds),
        "compared": list(campaign.compared),
        "question": campaign.question,
        "started": campaign.started,
        "ended": campaign.ended,
    }
    text = json.dumps(facts, indent=1, ensure_ascii=False)
    (folder / STORED_FACTS).write_text(text, encoding="utf-8")
    folder.chmod(0o755)


def _swap(aside: Path, target: Path) -> None:
    """Put a finished folder in place; a folder cannot be replaced in one step."""
    if target.exists():
        old = Path(tempfile.mkdtemp(prefix=f".{target.name}.old.", dir=target.parent))
        target.rename(old / target.name)
        aside.rename(target)
        shutil.rmtree(old)
    else:
        aside.rename(target)
