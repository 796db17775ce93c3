"""What a person names → campaigns: several folders are several campaigns.

A folder with ``campaign.toml``, with several systems or that ``fsviz ingest`` wrote is
a campaign of its own. Files, labelled files and folders of one system each are compared
with one another.
"""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path

from fsviz.campaigns.source_files import (
    STANDARD_INPUT,
    find,
    is_labelled,
    is_there,
    of_folder,
)
from fsviz.model.errors import UsageError
from fsviz.model.names import natural
from fsviz.store.manifest import generation
from fsviz.store.remote import is_remote

_PATTERN = frozenset("*?[")


def expanded(sources: Sequence[str]) -> list[str]:
    """Replace patterns such as ``results/*.txt`` by the files that they match."""
    found: list[str] = []
    for text in sources:
        label, equals, paths = text.rpartition("=")
        if not _PATTERN & set(paths) or is_there(text):
            found.append(text)
            continue
        names = [name for part in paths.split(",") for name in _matches(part)]
        found += [label + equals + ",".join(names)] if equals else names
    return found


def _matches(pattern: str) -> list[str]:
    if not _PATTERN & set(pattern) or is_there(pattern):
        return [pattern]
    found = glob.glob(pattern, recursive=True)  # noqa: PTH207 - takes absolute ones too
    names = sorted(found, key=natural)
    if not names:
        raise UsageError(f"{pattern}: expected files that match, found none")
    return names


def grouped(sources: Sequence[str]) -> list[list[str]]:
    """Part sources into campaigns, each to be loaded by itself."""
    sources = expanded(sources)
    if len(sources) < 2:
        return [sources]
    together = [source for source in sources if not _is_campaign(source)]
    alone = [[source] for source in sources if source not in together]
    return [*([together] if together else []), *alone]


def labelled_campaigns(sources: Sequence[str]) -> dict[str, str]:
    """Take apart ``before=FOLDER1 after=FOLDER2``, folders of several systems."""
    named = [source.partition("=") for source in expanded(sources)]
    labels = {label: path for label, equals, path in named if label and equals}
    if len(labels) < 2 or len(labels) < len(sources):
        return {}
    if any("," in path or path == STANDARD_INPUT for path in labels.values()):
        return {}
    folders = [find(path) for path in labels.values()]
    if not all(folder.is_dir() for folder in folders):
        return {}
    several = any(generation(f) or _holds_several(f) for f in folders)
    return labels if several else {}


def _holds_several(folder: Path) -> bool:
    from fsviz.campaigns.campaign_toml import NAME, read_campaign_file

    described = folder / NAME
    if described.is_file():
        return len(read_campaign_file(described).system) > 1 or _n_systems(folder) > 1
    return _n_systems(folder) > 1


def _is_campaign(source: str) -> bool:
    if is_labelled(source) or source == STANDARD_INPUT:
        return False
    if is_remote(source):
        return True
    folder = find(source)
    if not folder.is_dir():
        return False
    if generation(folder):
        return True
    # what reads campaign.toml takes long to import, and a store needs none of it
    from fsviz.campaigns.campaign_toml import NAME
    from fsviz.campaigns.publication import is_publication

    if (folder / NAME).is_file() or is_publication(folder):
        return True
    return _n_systems(folder) > 1


def _n_systems(folder: Path) -> int:
    return len({file.system for file in of_folder(folder)})
