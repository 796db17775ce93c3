"""What was read of a campaign: kept in a store of its own, used while it is current.

The stores lie in the user's cache folder. What ``data/processed`` has is taken first.
"""

from __future__ import annotations

import os
import shutil
import stat
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from fsviz.campaigns.read import Progress, read_folder
from fsviz.model.errors import FsvizError
from fsviz.store.generations import inputs_of, read_generation
from fsviz.store.ingest import ingest, is_current
from fsviz.store.inventory import digest_of, listing
from fsviz.store.manifest import DEFAULT, GENERATION, is_store, manifest

if TYPE_CHECKING:
    from fsviz.model.campaign import Campaign

FOLDER = "FSVIZ_CACHE"
"""Environment variable: another folder for the cache; empty for none."""

WORTH = 1 << 20
"""Bytes of results from which on it is quicker to keep than to read again."""

KEPT = 64
"""Campaigns that are kept; the one used longest ago goes first."""


def cache_folder() -> Path | None:
    """Say where campaigns are kept."""
    from platformdirs import user_cache_path

    named = os.environ.get(FOLDER)
    if named is None:
        return user_cache_path("fsviz", appauthor=False) / "campaigns"
    return Path(named) if named else None


def remembered(folder: Path, progress: Progress = lambda _: None) -> Campaign:
    """Read a campaign, or take what is stored of the very same files."""
    stored = _processed(folder)
    if stored is not None:
        return stored
    files = listing(folder)
    place = cache_folder()
    if not files or place is None or sum(s.size for s in files.values()) < WORTH:
        return read_folder(folder, progress)
    name = digest_of([os.fsencode(folder), os.fsencode(folder.resolve())])[:16]
    if not (_is_own(place) and _is_own(place / name)):
        return read_folder(folder, progress)
    return _kept(folder, place / name, progress)


def _is_own(place: Path) -> bool:
    """Return whether it is this user's folder, in which nobody else puts answers."""
    try:
        state = place.lstat()
    except OSError:
        return True  # not there yet
    me = os.geteuid() if hasattr(os, "geteuid") else state.st_uid
    alone = state.st_uid == me and not state.st_mode & stat.S_IWOTH
    return stat.S_ISDIR(state.st_mode) and alone


def _processed(folder: Path) -> Campaign | None:
    """Take a campaign that ``fsviz ingest`` has read, if its files are the same."""
    try:
        for key, kept in manifest(DEFAULT).items():
            if kept.source != str(folder.resolve()) or kept.named != str(folder):
                continue
            where = DEFAULT / key / kept.generation
            found = listing(folder)
            if found and is_current(kept, inputs_of(where), folder, found):
                return read_generation(where)
    except (FsvizError, OSError):
        pass  # it is only quicker: what is damaged is read anew
    return None


def _kept(folder: Path, own: Path, progress: Progress) -> Campaign:
    read = partial(read_folder, progress=progress)
    try:
        (outcome,) = ingest([str(folder)], own, prune=True, read=read)
    except FsvizError:
        # a full disk, a damaged cache: the answer does not depend on it
        shutil.rmtree(own, ignore_errors=True)
        return read_folder(folder, progress)
    if outcome.kept is None:
        shutil.rmtree(own, ignore_errors=True)
        return read_folder(folder, progress)  # raises what is wrong with the folder
    os.utime(own)
    _forget(own.parent)
    try:
        return read_generation(own / outcome.key / outcome.kept.generation)
    except FsvizError:
        shutil.rmtree(own, ignore_errors=True)
        return read_folder(folder, progress)


def _forget(place: Path) -> None:
    """Remove what was used longest ago; ``FSVIZ_CACHE`` may name a folder in use."""
    ours = [
        own
        for own in place.iterdir()
        if GENERATION.fullmatch(own.name) and is_store(own)
    ]
    by_use = sorted(ours, key=lambda own: own.stat().st_mtime)
    for own in by_use[:-KEPT]:
        shutil.rmtree(own, ignore_errors=True)
