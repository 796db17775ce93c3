"""What a person names → campaigns: several folders are several campaigns.

A stored campaign, a folder with ``campaign.toml`` and one with several systems is a
campaign of its own. Files, labelled files and folders of one system each are compared
with one another.
"""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path

from fsviz.campaigns.source_files import (
    STANDARD_INPUT,
    exists,
    find,
    is_labelled,
    of_folder,
)
from fsviz.model.errors import UsageError
from fsviz.model.names import natural

_PATTERN = frozenset("*?[")

STORE = "_fsviz.json"
"""File of a folder that ``fsviz ingest`` wrote; see `fsviz.store.stored`."""


CITATION = "citation.toml"
"""File of a folder with a publication's figures; see `fsviz.campaigns.publication`."""


def is_publication(folder: Path) -> bool:
    """Say whether a folder holds a publication's figures."""
    return (folder / CITATION).is_file()


def is_address(path: str) -> bool:
    """Return whether a path is an address that fsspec may know.

    >>> is_address("s3://bucket/store"), is_address("results/nfs")
    (True, False)
    """
    return "://" in path


def is_stored(source: str) -> bool:
    """Return whether a source is a stored campaign, or a store."""
    if is_address(source) or (source.endswith(".parquet") and exists(source)):
        return True
    return not is_labelled(source) and exists(str(Path(source, STORE)))


def expanded(sources: Sequence[str]) -> list[str]:
    """Replace patterns such as ``results/*.txt`` by the files that they match."""
    paths_named: list[str] = []
    for text in sources:
        label, equals, paths = text.rpartition("=")
        if not _PATTERN & set(paths) or exists(text):
            paths_named.append(text)
            continue
        names = [name for part in paths.split(",") for name in _matches(part)]
        paths_named += [label + equals + ",".join(names)] if equals else names
    return paths_named


def _matches(pattern: str) -> list[str]:
    if not _PATTERN & set(pattern) or exists(pattern):
        return [pattern]
    paths = glob.glob(pattern, recursive=True)  # noqa: PTH207 - takes absolute ones too
    names = sorted(paths, key=natural)
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
    if not all(is_stored(path) or find(path).is_dir() for path in labels.values()):
        return {}
    return labels if any(map(_is_campaign_of_many, labels.values())) else {}


def _is_campaign_of_many(path: str) -> bool:
    from fsviz.campaigns.campaign_toml import described_in

    if is_stored(path) or len(described_in(find(path)).system) > 1:
        return True
    return _n_systems(find(path)) > 1


def _is_campaign(source: str) -> bool:
    if is_labelled(source) or source == STANDARD_INPUT:
        return False
    if is_stored(source):
        return True
    folder = find(source)
    if not folder.is_dir():
        return False
    # what reads campaign.toml takes long to import, and a store needs none of it
    from fsviz.campaigns.campaign_toml import NAME

    if (folder / NAME).is_file() or is_publication(folder):
        return True
    return _n_systems(folder) > 1


def _n_systems(folder: Path) -> int:
    return len({file.system for file in of_folder(folder)})
